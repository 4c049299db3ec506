"""The benchmark as an environment of verifiers (github.com/PrimeIntellect-ai/verifiers), for reinforcement learning.

    environment = verifiers.load_environment('cibench-eval', split='cibench_template', only='pandas/*', reward='steps')

A rollout is one of our sessions, with the policy of verifiers instead of a backend, so the same replies get the same
scores as under `run.py`. Rollouts share a kernel pool; as many as the machine has room for run at the same time.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, Literal, get_args

import verifiers as vf
from datasets import Dataset
from verifiers.types import Messages, Response, State, Tool, TrajectoryStep
from verifiers.utils.message_utils import normalize_messages

from cibench_eval.agents.transcript import merge
from cibench_eval.analysis.results import WHOLE
from cibench_eval.evaluators import Profile
from cibench_eval.integrations.external_model import ExternalModelSession, Request
from cibench_eval.integrations.sessions import (
    Sessions,
    SharedKernels,
    builtin_split,
    said_in,
    scores_of,
    sessions_of,
    values_of,
)
from cibench_eval.models.base import cut, text_of
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.schema import CibenchError, Experiment, Message, Reply, StepScore, ToolCall, parts_of

Reward = Literal['steps', 'session', 'graded']
SCORES = 'scores'
"""The state column with the score of each step: every metric, how the step ended, and why."""
OF_ALL = (RIGHT, WHOLE, 'tool_rate', 'executable')
"""The means that every session has."""
SESSION, ASKED, SAID = 'cibench_session', 'cibench_asked', 'cibench_said'
"""Keys of a rollout's state: its session, the open request, and the whole conversation at its end."""


def load_environment(
    split: str = 'cibench_template',
    path: str | None = None,
    reward: Reward = 'steps',
    per_step: bool = False,
    max_sessions: int | None = None,
    **options: Any,
) -> vf.Environment:
    """The notebooks of a set as an environment.

    Args:
        split: of the built-in sets.
        path: folder with notebooks of any set, instead.
        reward: of a session, from 0 to 1: the share of right steps (`steps`), 1 where all are right (`session`), or the
            mean over its steps of the metrics that decide whether a step is right (`graded`).
        per_step: give each turn the reward of its own step instead of the session's.
        max_sessions: at the same time; None is what the machine has room for.
        options: of `sessions_of`: `only`, `mode`, `protocol`, `max_attempts`, …

    Raises:
        CibenchError: an option has a wrong value.
    """
    if reward not in get_args(Reward):
        raise CibenchError(f'reward={reward}: there is {", ".join(get_args(Reward))}')
    folder = path or builtin_split(split, options.get('environment', 'modern'))
    return NotebookEnv(sessions_of(folder, **options), reward, per_step, max_sessions)


class NotebookEnv(vf.MultiTurnEnv):
    """Our sessions as rollouts; see `load_environment`."""

    def __init__(self, sessions: Sessions, reward: Reward, per_step: bool, max_sessions: int | None) -> None:
        self._sessions, self._reward, self._per_step = sessions, reward, per_step
        self._shared = SharedKernels(sessions.settings, max_sessions)
        rows = [_row(one, sessions) for one in sessions.experiments.values()]
        metrics = [_metric(name) for name in OF_ALL]
        rubric = vf.Rubric([self.reward, *metrics], [1.0, *([0.0] * len(metrics))])
        super().__init__(dataset=Dataset.from_list(rows), rubric=rubric)

    async def setup_state(self, state: State) -> State:
        """Begin a session."""
        pool, slots = await self._shared.get()
        experiment = self._sessions.experiments[state['info']['experiment']]
        state[SESSION] = ExternalModelSession(experiment, self._sessions.settings, slots, pool)
        return state

    async def get_prompt_messages(self, state: State) -> Messages:
        """The session's next request; where the session is over, none, and the rollout ends."""
        try:
            state[ASKED] = await state[SESSION].next()
        except CibenchError as error:
            raise vf.InfraError(str(error)) from error
        if state[ASKED] is None:
            state['final_env_response'] = []
            return []
        return _to_verifiers(state[ASKED].messages)

    async def get_model_response(self, state: State, prompt: Messages, **others: Any) -> Response:
        """Ask the policy; a conversation that is too long is asked again without some of its parts."""
        while True:
            request: Request = state[ASKED]
            began = time.monotonic()
            sampling = {**(state['sampling_args'] or {}), **({'stop': request.stop} if request.stop else {})}
            tools = [Tool.model_validate(tool['function']) for tool in request.tools]
            try:
                response = await super().get_model_response(
                    state, prompt, tool_defs=tools, sampling_args=sampling, **others
                )
            except vf.OverlongPromptError:
                request.reply.set_result(Reply(text='', finish_reason='context_overflow'))
                following = await self.get_prompt_messages(state)
                if state[ASKED] is None:
                    raise
                prompt = following
                continue
            reply = _reply(response, request.stop)
            request.reply.set_result(reply.model_copy(update={'seconds': time.monotonic() - began}))
            return response

    async def add_model_response(self, state: State, prompt_messages: Messages, response: Response) -> None:
        """Keep a turn with the messages that were finally sent."""
        asked = _to_verifiers(state[ASKED].messages)
        await super().add_model_response(state, asked, response)

    async def add_trajectory_step(self, state: State, trajectory_step: TrajectoryStep) -> None:
        """Keep a turn with its experiment, step and attempt."""
        turn = state[ASKED].turn
        trajectory_step['extras'] |= {'experiment': turn.experiment, 'step': turn.step, 'attempt': turn.attempt}
        await super().add_trajectory_step(state, trajectory_step)

    async def env_response(self, messages: Messages, state: State, **others: Any) -> Messages:
        """Never called: `get_prompt_messages` gives the next request."""
        raise NotImplementedError

    async def render_completion(self, state: State) -> None:
        """The conversation after the prompt: every attempt, in order."""
        state['completion'] = _to_verifiers(state.get(SAID, []))

    @vf.cleanup(priority=200)
    async def score(self, state: State) -> None:
        """End the session and score it, before verifiers reads the conversation."""
        if SESSION not in state:
            return
        try:
            trace = await state[SESSION].end()
        except CibenchError as error:
            state['error'] = state['error'] or vf.InfraError(str(error))
            return
        if state['error'] is not None:
            return
        experiment, profile = self._sessions.experiments[trace.experiment], self._sessions.profile
        scores = await asyncio.to_thread(scores_of, trace, experiment, profile)
        state[SCORES] = [one.model_dump(mode='json') for one in scores]
        state[SAID] = said_in(trace.steps)[len(trace.steps[0].asked) :]
        if self._per_step:
            for turn in state['trajectory']:
                turn['reward'] = self._worth(scores[turn['extras']['step']])

    def reward(self, state: State) -> float:
        """The reward of a session; 0 where the harness failed, which its `error` tells."""
        if SCORES not in state:
            return 0.0
        worth = [self._worth(one) for one in _scores(state)]
        return min(worth) if self._reward == 'session' else sum(worth) / len(worth)

    def _worth(self, score: StepScore) -> float:
        """The reward of a step."""
        if self._reward == 'graded':
            return graded(score, self._sessions.profile)
        return float(score.outcome == 'correct')

    @vf.teardown
    async def close(self) -> None:
        """Stop the kernels that are ready."""
        await self._shared.close()


def graded(score: StepScore, profile: Profile) -> float:
    """Grade a step from 0 to 1: the mean of the metrics that decide it; 0 where its code did not run."""
    if score.outcome not in ('correct', 'wrong'):
        return 0.0
    deciding = [metric.name for metric in profile.metrics if metric.decides(score.kind)]
    own = [score.values[name] for name in deciding if name in score.values]
    return sum(own) / len(own) if own else float(score.outcome == 'correct')


def _row(experiment: Experiment, sessions: Sessions) -> dict[str, Any]:
    """An experiment as a row of the data set: its opening prompt and its id."""
    protocol, language = sessions.settings.agent.protocol, experiment.language
    opening = [*protocol.opening(language), *protocol.ask(protocol.named(experiment.steps[0], language), language)]
    info = {'experiment': experiment.id, 'steps': len(experiment.steps)}
    return {'prompt': merge(opening), 'info': json.dumps(info), 'answer': ''}


def _metric(name: str) -> Callable[[State], float]:
    """A mean over a session's steps as a metric of verifiers; 0 where the harness failed."""

    def metric(state: State) -> float:
        return values_of(_scores(state))[name] if SCORES in state else 0.0

    metric.__name__ = name
    return metric


def _scores(state: State) -> list[StepScore]:
    return [StepScore.model_validate(one) for one in state[SCORES]]


def _to_verifiers(messages: list[Message]) -> Messages:
    return normalize_messages([*map(_one, messages)])


def _one(message: Message) -> dict[str, Any]:
    """Translate a message: reasoning stands beside the content."""
    reasoning = [part['text'] for part in parts_of(message['content']) if part['type'] == 'reasoning']
    if not reasoning:
        return dict(message)
    return {**message, 'content': text_of(message['content']), 'reasoning_content': '\n'.join(reasoning)}


def _reply(response: Response, stop: list[str]) -> Reply:
    """Translate an answer."""
    message, usage = response.message, response.usage
    calls = [ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in message.tool_calls or []]
    return Reply(
        text=cut(_text(message.content), stop),
        reasoning=message.reasoning_content or '',
        tool_calls=calls,
        finish_reason=message.finish_reason or 'stop',
        tokens_in=usage.prompt_tokens if usage else None,
        tokens_out=usage.completion_tokens if usage else None,
    )


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ''
    return ''.join(part.text for part in content if part.get('type') == 'text')
