"""One experiment, one model, one way to run it -> one trace: in both modes, the state in which each step begins."""

import asyncio
import logging
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial

from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.protocols.function import FunctionAgent
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.agents.step import StepLoop
from cibench_eval.agents.task import FunctionLoop
from cibench_eval.agents.transcript import Exchange
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.models.base import ChatModel
from cibench_eval.rendering import failure_of
from cibench_eval.schema import SET_VERSION, CibenchError, Execution, Experiment, HarnessError, Step, StepTrace, Trace
from cibench_eval.traces import Journal

logger = logging.getLogger(__name__)


class OtherStateError(Exception):
    """A replay reached another state than before; the session starts over."""


class Session:
    """One session: runs an experiment and makes a trace.

    Args:
        slots: shared with other sessions; each kernel in use holds one.
        pool: ready kernels; None starts a kernel when it is needed.
        journal: holds the finished steps, also of an earlier, interrupted run of this session.
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
        self._slots = SessionSlots(1) if slots is None else slots
        self._journal = Journal() if journal is None else journal
        self._gold = list(self._journal.gold)
        self._began: tuple[datetime, float] | None = None

    async def run(self) -> Trace:
        """Run the session to its end; a `HarnessError`, and no trace, where the machine or the harness failed."""
        end_to_end = self.settings.mode == 'end_to_end'
        if self.experiment.setup and not end_to_end:
            raise CibenchError(f"{self.experiment.id}: it has no oracle mode; set mode='end_to_end'")
        return self._trace(await (self._end_to_end() if end_to_end else self._oracle()))

    async def _end_to_end(self) -> list[StepTrace]:
        """Every step begins in the state that the model's own code has left."""
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
            await self._set_up(interpreter)
            for step in self.experiment.steps:
                finished = await self._replay_step(step, interpreter)
                done.append(finished or await self._journal.add(await self._loop.run(step, past, done, interpreter)))
                past.append(Exchange.of(done[-1].asked, done[-1].attempts, self.settings.agent.history))
        return done

    async def _set_up(self, interpreter: Interpreter) -> None:
        if not self.experiment.setup:
            return
        execution = await interpreter.run(self.experiment.setup)
        if execution.status != 'ok':
            raise HarnessError(
                f'{self.experiment.id}: what it needs before its first step fails in the kernel environment '
                f'{self.settings.kernels.environment} ({failure_of(execution)}); run it in one that has the libraries'
            )

    async def _replay_step(self, step: Step, interpreter: Interpreter) -> StepTrace | None:
        """A step that an earlier run has finished, or None. Its code runs again, to bring the kernel to the same state.

        All of its code runs, also code that ran into a time limit or killed its kernel. If some of it ends in another
        way than before, that is an OtherStateError.
        """
        finished = self._journal.step(step.index)
        if finished:
            await self._loop.give(step, interpreter)
        for code, execution in finished.runs if finished else []:
            again = await interpreter.run(code)
            if again.status != execution.status:
                raise OtherStateError(
                    f'step {step.index + 1} ended in {execution.status} before the run was interrupted, '
                    f'and in {again.status} now'
                )
        return finished

    async def _oracle(self) -> list[StepTrace]:
        """Every step begins in the state that the gold answers to the steps before have left.

        Steps are independent, so they can run side by side. But not if the session has limits: which step a limit ends
        must not depend on which one is faster.
        """
        codes = [step.code for step in self.experiment.steps]
        done = [kept for step in self.experiment.steps if (kept := self._journal.step(step.index))]
        left = [step for step in self.experiment.steps if not self._journal.step(step.index)]
        async with GoldStates(self._kernels, codes, self._pool) as states:
            beside = not self.settings.limits.of_sessions
            await run_steps(left, partial(self._from_gold, states, done), self._slots, beside=beside)
        return sorted(done, key=lambda step: step.index)

    async def _from_gold(self, states: GoldStates, done: list[StepTrace], step: Step) -> None:
        async with states.at(step.index) as (interpreter, executions):
            self._begin()
            asked = await self._loop.run(step, self._gold_past(executions), done, interpreter)
            done.append(await self._journal.add(asked))

    def _gold_past(self, executions: Sequence[Execution]) -> list[Exchange]:
        """The gold steps of `executions`, as if a model had answered them.

        The output of gold code can differ each time. All steps of a session, even of an interrupted one, see the output
        of the first time.
        """
        steps = self.experiment.steps[: len(executions)]
        for step, execution in list(zip(steps, executions, strict=True))[len(self._gold) :]:
            self._gold.append([*self._loop.gold_turns(step, execution), *self._loop.closing()])
            self._journal.add_gold(self._gold[-1])
        gold = self._gold[: len(executions)]
        return [Exchange(self._loop.question(step), [turns]) for step, turns in zip(steps, gold, strict=True)]

    @cached_property
    def _loop(self) -> StepLoop:  # made only when the session has a slot
        kind = FunctionLoop if isinstance(self.settings.agent.protocol, FunctionAgent) else StepLoop
        return kind(self.experiment, self._model, self.settings, self._journal)

    @property
    def _kernels(self) -> KernelSettings:
        return self.settings.kernels.model_copy(update={'datasources': self.experiment.datasources})

    def _begin(self) -> None:
        """Note the time at which the session got its first slot; later calls do nothing."""
        self._began = self._began or (datetime.now(UTC), time.monotonic())

    def _trace(self, steps: list[StepTrace]) -> Trace:
        settings, agent = self.settings, self.settings.agent
        version = self.experiment.version
        started, since = self._began or (datetime.now(UTC), time.monotonic())
        return Trace(
            experiment=self.experiment.id,
            model=settings.model_name,
            dataset=settings.dataset_name,
            mode=settings.mode,
            protocol=agent.protocol.name,
            max_attempts=self._loop.most,
            epoch=settings.epoch,
            opening=self._loop.opening,
            tools=self._loop.tools,
            history=agent.history,
            left_out=self._loop.left_out,
            max_images=agent.protocol.max_images,
            gold=self._gold,
            steps=steps,
            started=started.isoformat(timespec='seconds'),
            seconds=time.monotonic() - since,
            provenance=settings.kernels.provenance() | ({SET_VERSION: version} if version else {}),
            identity=identity_of(settings, self.experiment),
        )


async def run_steps(
    steps: Iterable[Step], work: Callable[[Step], Awaitable[None]], slots: SessionSlots, *, beside: bool
) -> None:
    """Run every step, in one or more lanes. With several lanes a fault ends only its step, else it ends all steps.

    The first lane keeps its slot until no step is left. Each step that begins opens another lane if a slot is spare. So
    many sessions have one lane each, in which a kernel is passed on from step to step, and few sessions have as many
    lanes as there are slots.

    Args:
        steps: in the order in which they begin.
        beside: whether there may be a second lane.

    Raises:
        HarnessError: the first fault.
    """
    left, faults = deque(steps), list[HarnessError]()

    async def first() -> None:
        async with slots.slot():
            while left:
                await run_next()

    async def spare() -> None:
        while left and slots.spare:
            async with slots.slot():
                await run_next()

    async def run_next() -> None:
        step = left.popleft()
        if beside:
            group.create_task(spare())
        try:
            slots.check()
            await work(step)
        except HarnessError as error:
            faults.append(error)
            if not beside:
                left.clear()

    try:
        async with asyncio.TaskGroup() as group:
            if left:
                group.create_task(first())
    except ExceptionGroup as group_of_faults:
        raise group_of_faults.exceptions[0] from None
    if faults:
        raise faults[0]
