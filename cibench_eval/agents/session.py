"""The session loop: one experiment, one model, one mode, one protocol -> one trace."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from cibench_eval.agents.protocols.base import AgentProtocol
from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.agents.slots import Lanes
from cibench_eval.agents.transcript import Conversation
from cibench_eval.concurrency import run_all
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.models.limits import Limits, Price, over
from cibench_eval.schema import (
    INTERPRETER,
    Action,
    Attempt,
    CibenchError,
    Execution,
    Experiment,
    Mode,
    Reply,
    Step,
    StepTrace,
    Trace,
)
from cibench_eval.traces import Journal

logger = logging.getLogger(__name__)
OVERFLOW = 'context_overflow'


@dataclass(frozen=True)
class AgentSettings:
    """How the agent works: one of the three axes of a config.

    Args:
        protocol: prompt, reply grammar and observation format.
        max_attempts: replies a model may give at a step (3 in the paper, §4.1).
        history: of an earlier step, later ones see the `final` attempt (as the paper's harness) or `all`.
        overflow: where a conversation is longer than the model's window, `trim` leaves out the oldest outputs, then
            the oldest steps, until it fits (`Conversation`); `end` ends the step, as does what cannot be trimmed.
    """

    protocol: AgentProtocol = field(default_factory=ReAct)
    max_attempts: int = 3
    history: Literal['final', 'all'] = 'final'
    overflow: Literal['trim', 'end'] = 'trim'

    def __post_init__(self) -> None:
        if self.history not in ('final', 'all'):
            raise CibenchError(f"agents: history is {self.history!r}; it must be 'final' or 'all'")
        if self.overflow not in ('trim', 'end'):
            raise CibenchError(f"agents: overflow is {self.overflow!r}; it must be 'trim' or 'end'")
        if not isinstance(self.max_attempts, int) or self.max_attempts < 1:
            raise CibenchError(f'agents: max_attempts is {self.max_attempts!r}; it must be a whole number, at least 1')


class _OtherState(Exception):  # noqa: N818 - no error, but a reason to start over
    """Steps that are to go on from where they were left would stand on another state."""


class Clock:
    """When a session began to run, which is later than when it was queued."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC)
        self._since: float | None = None

    def start(self) -> None:
        """The session has its first place; further calls do nothing."""
        if self._since is None:
            self.started, self._since = datetime.now(UTC), time.monotonic()

    @property
    def seconds(self) -> float:
        return 0.0 if self._since is None else time.monotonic() - self._since


@dataclass(frozen=True)
class Session:
    """What a session is made of; `run_session` runs it."""

    experiment: Experiment
    model: ChatModel
    agent: AgentSettings
    kernels: KernelSettings
    """`datasources` is taken from the experiment."""
    pool: KernelPool | None = None
    journal: Journal = field(default_factory=Journal)
    """Steps that an earlier, interrupted run of this session has finished, and where new ones are written."""
    lanes: Lanes = field(default_factory=lambda: Lanes(1))
    """Places that this session shares with others; a kernel in use has one."""
    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    clock: Clock = field(default_factory=Clock)

    @property
    def _kernels(self) -> KernelSettings:
        return self.kernels.model_copy(update={'datasources': self.experiment.datasources})

    async def end_to_end(self) -> list[StepTrace]:
        """Every step goes on from what the model itself did."""
        async with self.lanes.lane():
            self.clock.start()
            try:
                return await self._through()
            except _OtherState as error:
                logger.warning('%s: %s; it starts over', self.experiment.id, error)
                self.journal.remove()
                return await self._through()

    async def _through(self) -> list[StepTrace]:
        done: list[StepTrace] = []
        async with Interpreter(self._kernels, self.pool) as interpreter:
            for step in self.experiment.steps:
                past = [self._remembered(earlier) for earlier in done]
                again = await self._again(step, interpreter)
                done.append(again or await self._finish(step, past, done, interpreter))
        return done

    async def oracle(self) -> list[StepTrace]:
        """Every step goes on from the gold answers to the steps before it, in the state that they leave.

        Steps do not depend on each other, so they run side by side; in order if the session has limits, which
        must not end one step or another depending on which was faster.
        """
        codes = [step.code for step in self.experiment.steps]
        async with GoldStates(self._kernels, codes, self.pool) as states:
            if not self.limits.of_sessions:
                return await run_all(self._from_gold(step, states, []) for step in self.experiment.steps)
            done: list[StepTrace] = []
            for step in self.experiment.steps:
                done.append(await self._from_gold(step, states, done))
            return done

    async def _from_gold(self, step: Step, states: GoldStates, done: list[StepTrace]) -> StepTrace:
        if earlier := self.journal.step(step.index):
            return earlier
        async with self.lanes.lane(), states.at(step.index) as (interpreter, executions):
            self.clock.start()
            return await self._finish(step, self._gold_past(executions), done, interpreter)

    async def _again(self, step: Step, interpreter: Interpreter) -> StepTrace | None:
        """A step that an earlier run has finished, after its code has brought this kernel to the same state.

        All its code runs again, also what took its time limit or its kernel: that is how the state came about.

        Raises:
            _OtherState: it ends in another way than it did.
        """
        earlier = self.journal.step(step.index)
        for attempt in earlier.attempts if earlier else []:
            if attempt.execution:
                again = await interpreter.run(attempt.action.code or '')
                if again.status != attempt.execution.status:
                    raise _OtherState(
                        f'step {step.index + 1} ended in {attempt.execution.status} before the run was interrupted, '
                        f'and in {again.status} now'
                    )
        return earlier

    async def _finish(
        self, step: Step, past: list[StepTrace], done: list[StepTrace], interpreter: Interpreter
    ) -> StepTrace:
        """Ask until code ran, the model gave up, or attempts or limits are used up; then keep the step."""
        tried: list[Attempt] = []
        ended = over(self.limits, self.price, done, tried)
        while len(tried) < self.agent.max_attempts and not ended:
            tried.append(await self._attempt(step, past, tried, interpreter))
            if _last(tried[-1]):
                break
            ended = over(self.limits, self.price, done, tried)
        finished = StepTrace(index=step.index, question=step.question, attempts=tried, ended=ended)
        self.journal.add(finished)
        return finished

    async def _attempt(
        self, step: Step, past: list[StepTrace], tried: list[Attempt], interpreter: Interpreter
    ) -> Attempt:
        protocol, language = self.agent.protocol, self.experiment.language
        turn = Turn(self.experiment.id, step.index, len(tried))
        reply, without = await self._ask(Conversation(protocol, language, past, step.question, tried), turn)
        if reply.finish_reason == OVERFLOW:
            problem = 'The conversation is longer than the context window of the model.'
            return Attempt(reply=reply, action=Action(problem=problem), without=without)
        action = protocol.parse(reply)
        execution = None if action.code is None else await interpreter.run(action.code)
        observation = protocol.observe(action, execution, language)
        return Attempt(reply=reply, action=action, execution=execution, observation=observation, without=without)

    async def _ask(self, conversation: Conversation, turn: Turn) -> tuple[Reply, int]:
        """The reply, and how many parts of the conversation had to be left out for it: none, 1, 2, 4, … or all."""
        protocol, without = self.agent.protocol, 0
        stop, tools = protocol.stop, protocol.tools(self.experiment.language)
        most = conversation.parts if self.agent.overflow == 'trim' else 0
        while True:
            reply = await self.model.chat(conversation.messages(without), turn, stop, tools)
            if reply.finish_reason != OVERFLOW or without == most:
                return reply, without
            without = min(2 * without or 1, most)

    def _remembered(self, step: StepTrace) -> StepTrace:
        """What later steps see of a step that is over."""
        return step if self.agent.history == 'all' else step.model_copy(update={'attempts': step.attempts[-1:]})

    def _gold_past(self, executions: list[Execution]) -> list[StepTrace]:
        """The gold steps that `executions` come from, as if a model had done them."""
        protocol, language = self.agent.protocol, self.experiment.language
        past: list[StepTrace] = []
        for step, execution in zip(self.experiment.steps, executions, strict=False):
            action = Action(thought=step.thought, tool=INTERPRETER, argument=step.code, code=step.code)
            observation = protocol.observe(action, execution, language)
            attempt = Attempt(reply=protocol.gold(step), action=action, execution=execution, observation=observation)
            past.append(StepTrace(index=step.index, question=step.question, attempts=[attempt]))
        return past


def _last(attempt: Attempt) -> bool:
    """Whether nothing is left to try at a step after this attempt."""
    ran = attempt.execution is not None and attempt.execution.status == 'ok'
    return ran or attempt.action.final or attempt.reply.finish_reason == OVERFLOW


async def run_session(
    session: Session,
    *,
    model: str,
    dataset: str,
    mode: Mode,
    identity: dict[str, str] | None = None,
    epoch: int = 1,
) -> Trace:
    """Run a session to its end.

    Args:
        session: its parts.
        model, dataset: the names under which its results are filed.
        mode: what each step goes on from.
        identity: hashes of what it is run with (`identity_of`).
        epoch: which of several runs of it this is.

    Raises:
        HarnessError: a fault of the machine or of ours; no trace is made of it.
    """
    steps = await (session.end_to_end() if mode == 'end_to_end' else session.oracle())
    return Trace(
        experiment=session.experiment.id,
        model=model,
        dataset=dataset,
        mode=mode,
        protocol=session.agent.protocol.name,
        max_attempts=session.agent.max_attempts,
        epoch=epoch,
        steps=steps,
        started=session.clock.started.isoformat(timespec='seconds'),
        seconds=session.clock.seconds,
        provenance=session.kernels.provenance(),
        identity=identity or {},
    )
