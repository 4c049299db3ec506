"""Sessions on demand: begun, answered action by action, scored step by step. What the environment server serves.

An episode is the session of one notebook, as `run.py` runs it end to end, with its caller for a model. It holds one of
the places of the `Episodes` from its beginning to its end, and the kernel is stopped at the end, however that comes.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from typing import Any

from pydantic import Field, model_validator

from cibench_eval.evaluators.engine import score_of_last
from cibench_eval.integrations.external_model import ExternalModelSession, Request
from cibench_eval.integrations.sessions import Sessions, SharedKernels
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, Experiment, Message, Record, Reply, StepScore, Text
from cibench_eval.traces import Journal


class NoPlaceError(CibenchError):
    """All places are taken, or memory is short. `taken` of `places` sessions run."""

    def __init__(self, taken: int, places: int, waited: float) -> None:
        short = '' if taken >= places else ' and memory is short'
        super().__init__(
            f'{taken} of {places} places are taken{short}, after {waited:g} s of waiting; close a session, '
            'reset later, or start the server with more (--max-sessions)'
        )
        self.taken, self.places = taken, places


class Reset(Record):
    """Which notebook a session is of. Without a choice it is the next one in order."""

    experiment: str | None = None
    """Its id."""
    seed: int | None = Field(default=None, ge=0)
    """Chooses the notebook by its place in the order, counted on from the first after the last."""
    episode_id: str | None = Field(default=None, max_length=255)
    """A name for the session, which its state repeats."""


class EpisodeAction(Record):
    """A reply of the agent: code to run, or text; or the end of the session."""

    code: Text | None = None
    """Python code to run: one call of the interpreter."""
    text: Text | None = None
    """What the agent says beside the code. Without code it is a whole reply, which the server's protocol reads: with
    `tool_calls` it ends the step, but one that is blank or holds code only costs an attempt."""
    end: bool = False
    """End the session: the steps that are not finished count as not done."""
    metadata: dict[str, Any] = Field(default={})
    """A field that OpenEnv's clients send with every action. It changes nothing."""

    @model_validator(mode='after')
    def _says_something(self) -> EpisodeAction:
        given = [one for one in (self.code, self.text) if one is not None]
        said = any(map(str.strip, given)) if self.end else bool(given)  # beside `end`, forms send blank fields
        if self.end == said:
            raise ValueError('give code or text, or else end')
        return self


class EpisodeObservation(Record):
    """What the agent sees, and what its last action was worth."""

    experiment: str
    step: int
    """The question that is due, from 1; once the session is over, the last one."""
    steps: int
    """Questions of the notebook."""
    attempts_left: int = 0
    """Replies that are left at this question."""
    messages: list[dict[str, Any]] = Field(default=[])
    """What is new in the conversation since the agent's last turn, as messages of a chat: instructions and the first
    question, the output of its code, the next question. Nothing that was said before ever changes."""
    tools: list[dict[str, Any]] = Field(default=[])
    """The functions that the instructions speak of, at the beginning of a session."""
    scores: list[StepScore] = Field(default=[])
    """The scores of the steps that the action has ended, as `run.py` gives them."""
    score: dict[str, float] = Field(default={})
    """The score of the whole session, once it is over: the share of right steps, whether all are, and the mean of each
    metric."""
    invalid: str = ''
    """Why the session is no result: a fault of the harness or the machine. Leave all its rewards out."""
    reward: float | None = Field(default=None, exclude=True)
    """How many of `scores` are right; None where nothing decides on any of them, and where the session is invalid."""
    done: bool = Field(default=False, exclude=True)


class EpisodeState(Record):
    """How far a session is."""

    episode_id: str | None = None
    step_count: int = 0
    """Actions so far."""
    experiment: str | None = None
    scores: list[StepScore] = Field(default=[])
    """The scores of the finished steps."""
    score: dict[str, float] = Field(default={})
    """The score of the whole session, once it is over."""
    invalid: str = ''
    done: bool = True
    """Whether there is no session that takes an action."""


class Episodes:
    """What all episodes share: notebooks, kernels and places. Use it as an async context manager.

    Args:
        sessions: the notebooks, how their sessions are run, and what scores them.
        places: sessions at the same time.
        wait: seconds for which a reset waits for a place.
    """

    def __init__(self, sessions: Sessions, places: int, wait: float) -> None:
        self.sessions, self.places, self._wait = sessions, places, wait
        self._shared = SharedKernels(sessions.settings, places)
        self.begun = 0
        """Sessions that have begun without a choice: the place of the next notebook in order."""

    async def __aenter__(self) -> Episodes:
        await self._shared.get()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._shared.close()

    def experiment_of(self, reset: Reset) -> Experiment:
        """The notebook of a session; a `CibenchError` where there is none of that id."""
        known = self.sessions.experiments
        if reset.experiment is not None:
            if reset.experiment not in known:
                raise CibenchError(
                    f'experiment: {reset.experiment}: no notebook of this server; GET /experiments has all'
                )
            return known[reset.experiment]
        place = self.begun if reset.seed is None else reset.seed
        return list(known.values())[place % len(known)]

    async def place(self, held: AsyncExitStack) -> KernelPool:
        """Take a place, which `held` gives back; return the kernels.

        Raises:
            NoPlaceError: none became free in time.
        """
        pool, slots = await self._shared.get()
        try:
            async with asyncio.timeout(self._wait):
                await held.enter_async_context(slots.slot())
        except TimeoutError as error:
            raise NoPlaceError(slots.taken, slots.number, self._wait) from error
        return pool


class Episode:
    """One session. `begin` it, `act` until an observation is done, and `close` it in any case."""

    def __init__(self, episodes: Episodes, reset: Reset) -> None:
        self._episodes, self._reset = episodes, reset
        self._experiment = episodes.experiment_of(reset)
        self._journal = Journal()
        self._held = AsyncExitStack()
        self._session: ExternalModelSession | None = None
        self._request: Request | None = None
        self._said = 0
        """Messages of the conversation that the agent knows, its own turns included."""
        self._actions = 0
        self._scores: list[StepScore] = []
        self._invalid = ''

    async def begin(self) -> EpisodeObservation:
        """Take a place and ask the first question; a `NoPlaceError` where none is free."""
        pool = await self._episodes.place(self._held)
        self._experiment = self._episodes.experiment_of(self._reset)  # others may have begun while this one waited
        self._episodes.begun += self._reset.experiment is None and self._reset.seed is None
        self._session = ExternalModelSession(
            self._experiment, self._episodes.sessions.settings, pool=pool, journal=self._journal
        )
        seen = await self._go_on(self._session)
        tools = self._request.tools if self._request else []
        return seen.model_copy(update={'tools': tools})

    async def act(self, action: EpisodeAction) -> EpisodeObservation:
        """Answer the question that is due; a `CibenchError` where the session is over."""
        if self._session is None or self._request is None:
            raise CibenchError('the session is over: reset begins another')
        self._actions += 1
        request, self._request = self._request, None
        if not action.end:
            request.reply.set_result(self._reply(action))
        return await self._go_on(self._session, end=action.end)

    @property
    def state(self) -> EpisodeState:
        return EpisodeState(
            episode_id=self._reset.episode_id,
            step_count=self._actions,
            experiment=self._experiment.id,
            scores=self._scores,
            score=self._score,
            invalid=self._invalid,
            done=self._request is None,
        )

    async def close(self) -> None:
        """Stop the session, if it runs, and give its place back."""
        self._request = None
        if self._session is not None:
            await self._session.close()
        await self._held.aclose()

    async def _go_on(self, session: ExternalModelSession, *, end: bool = False) -> EpisodeObservation:
        """Wait for the next request or the end of the session, and score what was finished meanwhile."""
        try:
            if end:
                await session.end()
            else:
                self._request = await session.next()
            steps, profile = self._journal.finished, self._episodes.sessions.profile
            scores = [
                await asyncio.to_thread(score_of_last, steps[:number], self._experiment, profile, profile.defaults)
                for number in range(len(self._scores) + 1, len(steps) + 1)
            ]
        except CibenchError as error:
            self._invalid = str(error)
            await self.close()
            return self._seen(done=True, invalid=self._invalid)
        self._scores += scores
        known = [one.right for one in scores if one.right is not None]
        reward = float(sum(known)) if known else None
        if self._request is None:
            await self.close()
            shown = [] if end else self._journal.finished[-1].attempts[-1].messages[1:]
            return self._seen(done=True, messages=shown, scores=scores, score=self._score, reward=reward)
        turn, new = self._request.turn, self._request.messages[self._said :]
        self._said = len(self._request.messages) + 1
        most = min(self._episodes.sessions.settings.agent.max_attempts, self._experiment.max_attempts or sys.maxsize)
        left = most - turn.attempt
        return self._seen(step=turn.step + 1, attempts_left=left, messages=new, scores=scores, reward=reward)

    @property
    def _score(self) -> dict[str, float]:
        return values_of(self._scores) if len(self._scores) == len(self._experiment.steps) else {}

    def _seen(self, messages: list[Message] | None = None, **fields: Any) -> EpisodeObservation:
        last = {'experiment': self._experiment.id, 'steps': len(self._experiment.steps)}
        shown = [dict(message) for message in messages or []]
        return EpisodeObservation(**{**last, 'step': len(self._journal.finished) or 1, 'messages': shown, **fields})

    def _reply(self, action: EpisodeAction) -> Reply:
        protocol = self._episodes.sessions.settings.agent.protocol
        if action.code is None:
            return Reply(text=action.text or '')
        step = self._experiment.steps[0].model_copy(update={'code': action.code, 'thought': action.text or ''})
        reply = protocol.gold(step)
        calls = [call.model_copy(update={'id': f'call{self._actions:05d}'}) for call in reply.tool_calls]
        return reply.model_copy(update={'tool_calls': calls})
