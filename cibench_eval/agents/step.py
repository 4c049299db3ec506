"""The loop at one step: ask, parse, run, show, until code ran, the model gave up, or attempts or limits are used up."""

import asyncio
import logging
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from cibench_eval.agents.figures import fetched, put_away
from cibench_eval.agents.protocols.base import ParsedReply, assistant
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.transcript import Exchange, Transcript
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.models.limits import usage_of
from cibench_eval.schema import (
    Action,
    Attempt,
    Call,
    Execution,
    Experiment,
    Message,
    ReasoningPart,
    Reply,
    Step,
    StepTrace,
    parts_of,
)
from cibench_eval.states import asked_names, asked_states, hashes_of
from cibench_eval.traces import Journal

logger = logging.getLogger(__name__)
LONG = 10_000
"""Characters from which on a reply is read in a thread, so that other sessions need not wait."""
OVERFLOW = 'context_overflow'
"""The finish reason of a request that was longer than the model's window."""
TOO_LONG = 'The conversation is longer than the context window of the model.'


class StepLoop:
    """Asks a model the steps of an experiment, each in a given conversation and interpreter."""

    def __init__(
        self, experiment: Experiment, model: ChatModel, settings: SessionSettings, journal: Journal | None = None
    ) -> None:
        self.experiment, self.model = experiment, model
        self._settings = settings
        self._journal = Journal() if journal is None else journal
        self._protocol, self._language = settings.agent.protocol, experiment.language
        self.opening = self._protocol.opening(self._language)
        self.tools = list(self._protocol.tools(self._language))
        self.left_out = self._protocol.templates(self._language).left_out

    async def run(self, step: Step, past: list[Exchange], done: list[StepTrace], interpreter: Interpreter) -> StepTrace:
        """Ask a step.

        Args:
            past: the steps before it, as the model sees them.
            done: the steps that count towards the limits of the session.
            interpreter: runs code, in the state in which the step begins.
        """
        asked = [*self.question(step), *await self.give(step, interpreter)]
        tried, ended = await self._tried(step, asked, past, done, interpreter)
        return StepTrace(
            index=step.index,
            question=step.question,
            asked=asked,
            attempts=tried,
            ended=ended,
            state=await asked_states(step.question, step.code, interpreter.describe),
            hashes=await self._hashes(step, interpreter),
        )

    async def _hashes(self, step: Step, interpreter: Interpreter) -> dict[str, str]:
        """Hashes of all variables asked for so far, without answers, which no later step needs.

        There are none in oracle mode, where each step begins in the gold's state.
        """
        if self._settings.mode == 'oracle':
            return {}
        past = self.experiment.steps[: step.index + 1]
        names = [name for one in past for name in asked_names(one.question, one.code) if name not in one.answers]
        return await hashes_of(names, partial(interpreter.describe, hashed=True))

    async def give(self, step: Step, interpreter: Interpreter) -> list[Message]:
        """Make the call that a question comes with; return its messages."""
        if step.given is None:
            return []
        execution = await interpreter.run(step.given.code)
        if execution.status != 'ok':
            logger.warning('%s: the call that its question comes with fails here', self.experiment.id)
        return self.gold_turns(step.model_copy(update=step.given.model_dump()), execution)

    async def _tried(
        self, step: Step, asked: list[Message], past: list[Exchange], done: list[StepTrace], interpreter: Interpreter
    ) -> tuple[list[Attempt], str]:
        """The attempts at a step that was put as `asked`, and the limit that ended it, if any."""
        tried = list[Attempt]()
        ended = self.used_up(done, tried)
        while len(tried) < self.most and not ended:
            current = Exchange.of(asked, tried, 'all')
            turn = self.turn(step.index, len(tried))
            transcript = Transcript(self.opening, past, current, self.left_out, self._protocol.max_images)
            without = tried[-1].without if tried else 0
            attempt = await self._attempt(transcript, without, turn, interpreter)
            # Where there are stop texts, one may have cut off the whole reply.
            may_be_silent = self._protocol.explore and not self._protocol.stop
            if may_be_silent and attempt.reply.silent and any(one.ran for one in tried):
                attempt = attempt.model_copy(update={'action': Action(final=True), 'messages': attempt.messages[:1]})
            tried.append(attempt)
            if self._is_last(attempt):
                break
            ended = self.used_up(done, tried)
        return tried, ended

    def _is_last(self, attempt: Attempt) -> bool:
        """Whether an attempt ends its step, by the settings of the protocol."""
        goes_on = self._protocol.explore if attempt.ran else self._protocol.retries
        return not goes_on or attempt.action.final or attempt.reply.finish_reason == OVERFLOW

    def turn(self, step: int, attempt: int) -> Turn:
        """The place of a request in the run."""
        return Turn(self.experiment.id, step, attempt, self._settings.epoch)

    def question(self, step: Step) -> list[Message]:
        """The question as it is put to the model."""
        return self._protocol.ask(self._protocol.named(step, self._language), self._language)

    @property
    def most(self) -> int:
        """Most attempts at a step."""
        return min(self._settings.agent.max_attempts, self.experiment.max_attempts or sys.maxsize)

    def gold_turns(self, step: Step, execution: Execution) -> list[Message]:
        """The messages of an attempt that answered with the gold, whose execution is given."""
        parsed = self._protocol.parse(self._protocol.gold(step))
        return self._exchange(parsed, [execution])

    def closing(self) -> list[Message]:
        """The messages that end a step which was answered with the gold."""
        return [assistant(self._protocol.closing.text)] if self._protocol.explore else []

    async def _attempt(self, transcript: Transcript, without: int, turn: Turn, interpreter: Interpreter) -> Attempt:
        reply, without = await self._ask(transcript, without, turn)
        if reply.finish_reason == OVERFLOW:
            return Attempt(reply=reply, action=Action(problem=TOO_LONG), messages=[assistant('')], without=without)
        parsed = await self._parsed(reply)
        if not self._settings.agent.runs_code:
            parsed = replace(parsed, actions=[Action(argument=reply.text, final=True)])
        executions = await parsed.run(interpreter)
        calls = [Call(action=one, execution=done) for one, done in zip(parsed.actions, executions, strict=True)]
        counts = calls.pop(parsed.counts)
        return Attempt(
            reply=parsed.reply,
            action=counts.action,
            execution=counts.execution,
            others=calls,
            messages=self._exchange(parsed, executions),
            without=without,
        )

    def _exchange(self, parsed: ParsedReply, executions: Sequence[Execution | None]) -> list[Message]:
        """The messages of an attempt, with the model's thinking where the model wants it back."""
        turn, *answers = self._protocol.exchange(parsed, executions, self._language)
        reply = parsed.reply
        if self.model.wants_reasoning and (reply.reasoning or reply.reasoning_blocks):
            thought: ReasoningPart = {'type': 'reasoning', 'text': reply.reasoning}
            if reply.reasoning_blocks:
                thought['blocks'] = reply.reasoning_blocks
            turn = {**turn, 'content': [thought, *parts_of(turn['content'])]}
        return put_away([turn, *answers], self._journal)

    async def _parsed(self, reply: Reply) -> ParsedReply:
        if sum(map(len, [reply.text, *(call.arguments for call in reply.tool_calls)])) < LONG:
            return self._protocol.parse(reply)
        return await asyncio.to_thread(self._protocol.parse, reply)

    async def _ask(self, transcript: Transcript, without: int, turn: Turn) -> tuple[Reply, int]:
        """The reply, and how many parts of the conversation had to be left out for it: none, 1, 2, 4, … or all.

        `without` is the number at the attempt before: a conversation only gets longer.
        """
        most = transcript.parts if self._settings.agent.overflow == 'trim' else 0
        while True:
            messages = fetched(transcript.request(without), self._journal)
            reply = await self.model.chat(messages, turn, self._protocol.stop, self.tools)
            if reply.finish_reason != OVERFLOW or without == most:
                return reply, without
            without = min(2 * without or 1, most)

    def used_up(self, done: list[StepTrace], tried: list[Attempt]) -> str:
        """The session's limit that finished steps and attempts at the current one have used up; empty if none is."""
        limits = self._settings.limits
        if not limits.of_sessions:
            return ''
        current = StepTrace(index=0, question='', attempts=tried)
        used = usage_of([*done, current], self._settings.price, with_cached=True)
        return limits.used_up(
            {
                'session_tokens': used.tokens_in + used.tokens_out,
                'session_seconds': used.model_seconds + used.kernel_seconds,
                'session_cost': used.cost,
            }
        )
