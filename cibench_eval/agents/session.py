"""The session loop: one experiment, one model, one way to run it -> one trace."""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cached_property

from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.protocols.base import said
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.agents.transcript import Exchange, Transcript
from cibench_eval.concurrency import run_all
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.models.metering import over
from cibench_eval.schema import Action, Attempt, Execution, Experiment, Message, Reply, Step, StepTrace, Trace
from cibench_eval.traces import Journal

logger = logging.getLogger(__name__)
OVERFLOW = 'context_overflow'
TOO_LONG = 'The conversation is longer than the context window of the model.'


class OtherStateError(Exception):
    """A replay reached another state than the steps that it repeats: the session starts over."""


class Session:
    """One experiment, on its way to a trace.

    Args:
        experiment: what is asked, and the gold.
        model: who is asked.
        settings: how.
        slots: places that it shares with other sessions; a kernel in use has one.
        pool: kernels that are ready; None starts one when it is needed.
        journal: the steps that an earlier, interrupted run of this session has finished, and where new ones are kept.
    """

    def __init__(
        self,
        experiment: Experiment,
        model: ChatModel,
        settings: SessionSettings,
        *,
        slots: SessionSlots | None = None,
        pool: KernelPool | None = None,
        journal: Journal | None = None,
    ) -> None:
        self.experiment, self.settings = experiment, settings
        self._model, self._pool = model, pool
        self._agent, self._protocol = settings.agent, settings.agent.protocol
        self._slots = slots or SessionSlots(1)
        self._journal = journal or Journal()
        self._gold = list(self._journal.gold)
        self._began: tuple[datetime, float] | None = None

    async def run(self) -> Trace:
        """Run the session to its end.

        Raises:
            HarnessError: a fault of the machine or of ours; no trace is made of it.
        """
        end_to_end = self.settings.mode == 'end_to_end'
        return self._trace(await (self._end_to_end() if end_to_end else self._oracle()))

    async def _end_to_end(self) -> list[StepTrace]:
        """Every step goes on from what the model itself did."""
        async with self._slots.slot():
            self._begin()
            try:
                return await self._from_the_start()
            except OtherStateError as error:
                logger.warning('%s: %s; it starts over', self.experiment.id, error)
                self._journal.clear()
                return await self._from_the_start()

    async def _from_the_start(self) -> list[StepTrace]:
        done: list[StepTrace] = []
        past: list[Exchange] = []
        async with Interpreter(self._kernels, self._pool) as interpreter:
            for step in self.experiment.steps:
                finished = await self._replay_step(step, interpreter)
                done.append(finished or await self._run_step(step, past, done, interpreter))
                past.append(Exchange.of(done[-1].asked, done[-1].attempts, self._agent.history))
        return done

    async def _replay_step(self, step: Step, interpreter: Interpreter) -> StepTrace | None:
        """A step that an earlier run has finished, after its code has brought this kernel to the same state.

        All its code runs again, also what took its time limit or its kernel: that is how the state came about.

        Raises:
            OtherStateError: it ends in another way than it did.
        """
        finished = self._journal.step(step.index)
        for attempt in finished.attempts if finished else []:
            if attempt.execution:
                again = await interpreter.run(attempt.action.code or '')
                if again.status != attempt.execution.status:
                    raise OtherStateError(
                        f'step {step.index + 1} ended in {attempt.execution.status} before the run was interrupted, '
                        f'and in {again.status} now'
                    )
        return finished

    async def _oracle(self) -> list[StepTrace]:
        """Every step goes on from the gold answers to the steps before it, in the state that they leave.

        Steps do not depend on each other, so they run side by side; in order if the session has limits, which
        must not end one step or another depending on which was faster.
        """
        codes = [step.code for step in self.experiment.steps]
        async with GoldStates(self._kernels, codes, self._pool) as states:
            if not self.settings.limits.of_sessions:
                return await run_all(self._from_gold(step, states, []) for step in self.experiment.steps)
            done: list[StepTrace] = []
            for step in self.experiment.steps:
                done.append(await self._from_gold(step, states, done))
            return done

    async def _from_gold(self, step: Step, states: GoldStates, done: list[StepTrace]) -> StepTrace:
        if finished := self._journal.step(step.index):
            return finished
        async with self._slots.slot(), states.at(step.index) as (interpreter, executions):
            self._begin()
            return await self._run_step(step, self._gold_past(executions), done, interpreter)

    def _gold_past(self, executions: Sequence[Execution]) -> list[Exchange]:
        """The gold steps that `executions` come from, as if a model had done them.

        Their turns are made once, of the first kernel in which they ran: what code shows can differ between kernels,
        and all steps of a session, also of one that was interrupted, are to see the same.
        """
        for step, execution in list(zip(self.experiment.steps, executions, strict=False))[len(self._gold) :]:
            parsed = self._protocol.parse(self._protocol.gold(step))
            turns = self._protocol.exchange(parsed, execution, self.experiment.language)
            self._gold.append(turns)
            self._journal.add_gold(turns)
        shown = self._gold[: len(executions)]
        return [
            Exchange(self._question(step), [turns]) for step, turns in zip(self.experiment.steps, shown, strict=False)
        ]

    async def _run_step(
        self, step: Step, past: list[Exchange], done: list[StepTrace], interpreter: Interpreter
    ) -> StepTrace:
        """Ask until code ran, the model gave up, or attempts or limits are used up; then keep the step."""
        asked, tried = self._question(step), list[Attempt]()
        ended = self._used_up(done, tried)
        while len(tried) < self._agent.max_attempts and not ended:
            current = Exchange.of(asked, tried, 'all')
            transcript = Transcript(self._opening, past, current, self._left_out)
            turn = Turn(self.experiment.id, step.index, len(tried), self._protocol.gold(step))
            tried.append(await self._attempt(transcript, turn, interpreter))
            if _is_last(tried[-1]):
                break
            ended = self._used_up(done, tried)
        finished = StepTrace(index=step.index, question=step.question, asked=asked, attempts=tried, ended=ended)
        return self._journal.add(finished)

    async def _attempt(self, transcript: Transcript, turn: Turn, interpreter: Interpreter) -> Attempt:
        reply, without = await self._ask(transcript, turn)
        if reply.finish_reason == OVERFLOW:
            return Attempt(reply=reply, action=Action(problem=TOO_LONG), messages=[said('')], without=without)
        parsed = self._protocol.parse(reply)
        action = parsed.action
        execution = None if action.code is None else await interpreter.run(action.code)
        messages = self._protocol.exchange(parsed, execution, self.experiment.language)
        return Attempt(reply=parsed.reply, action=action, execution=execution, messages=messages, without=without)

    async def _ask(self, transcript: Transcript, turn: Turn) -> tuple[Reply, int]:
        """The reply, and how many parts of the conversation had to be left out for it: none, 1, 2, 4, … or all."""
        without, most = 0, transcript.parts if self._agent.overflow == 'trim' else 0
        while True:
            reply = await self._model.chat(transcript.request(without), turn, self._protocol.stop, self._tools)
            if reply.finish_reason != OVERFLOW or without == most:
                return reply, without
            without = min(2 * without or 1, most)

    def _used_up(self, done: list[StepTrace], tried: list[Attempt]) -> str:
        return over(self.settings.limits, self.settings.price, done, tried)

    def _question(self, step: Step) -> list[Message]:
        return self._protocol.ask(step.question, self.experiment.language)

    @cached_property
    def _opening(self) -> list[Message]:
        return self._protocol.opening(self.experiment.language)

    @cached_property
    def _tools(self) -> list[dict[str, object]]:
        return list(self._protocol.tools(self.experiment.language))

    @property
    def _left_out(self) -> str:
        return self._protocol.templates(self.experiment.language).left_out

    @property
    def _kernels(self) -> KernelSettings:
        return self.settings.kernels.model_copy(update={'datasources': self.experiment.datasources})

    def _begin(self) -> None:
        """The session has its first slot, which can be long after it was queued; further calls do nothing."""
        self._began = self._began or (datetime.now(UTC), time.monotonic())

    def _trace(self, steps: list[StepTrace]) -> Trace:
        settings = self.settings
        started, since = self._began or (datetime.now(UTC), time.monotonic())
        return Trace(
            experiment=self.experiment.id,
            model=settings.model_name,
            dataset=settings.dataset_name,
            mode=settings.mode,
            protocol=self._protocol.name,
            max_attempts=self._agent.max_attempts,
            epoch=settings.epoch,
            opening=self._opening,
            tools=self._tools,
            history=self._agent.history,
            left_out=self._left_out,
            gold=self._gold,
            steps=steps,
            started=started.isoformat(timespec='seconds'),
            seconds=time.monotonic() - since,
            provenance=settings.kernels.provenance(),
            identity=identity_of(settings, self.experiment),
        )


def _is_last(attempt: Attempt) -> bool:
    """Whether nothing is left to try at a step after this attempt."""
    ran = attempt.execution is not None and attempt.execution.status == 'ok'
    return ran or attempt.action.final or attempt.reply.finish_reason == OVERFLOW
