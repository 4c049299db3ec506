"""The session loop: one experiment, one model, one mode, one protocol -> one trace."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

from cibench_eval.agents.base import AgentProtocol, merge, turns
from cibench_eval.agents.react import ReAct
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.schema import (
    Action,
    Attempt,
    CibenchError,
    Execution,
    Experiment,
    Message,
    Mode,
    Step,
    StepTrace,
    Trace,
)


@dataclass(frozen=True)
class AgentSettings:
    """How the agent works: one of the three axes of a config.

    Args:
        protocol: prompt, reply grammar and observation format.
        max_attempts: replies a model may give at a step (3 in the paper, §4.1).
        history: of an earlier step, later ones see the `final` attempt (as the paper's harness) or `all`.
    """

    protocol: AgentProtocol = field(default_factory=ReAct)
    max_attempts: int = 3
    history: Literal['final', 'all'] = 'final'

    def __post_init__(self) -> None:
        if self.history not in ('final', 'all'):
            raise CibenchError(f"agents: history is {self.history!r}; it must be 'final' or 'all'")
        if self.max_attempts < 1:
            raise CibenchError(f'agents: max_attempts is {self.max_attempts}; it must be at least 1')


@dataclass(frozen=True)
class Session:
    """What a session is made of; `run_session` runs it."""

    experiment: Experiment
    model: ChatModel
    agent: AgentSettings
    kernels: KernelSettings
    """`datasources` is taken from the experiment."""

    @property
    def _kernels(self) -> KernelSettings:
        return self.kernels.model_copy(update={'datasources': self.experiment.datasources})

    async def end_to_end(self) -> list[StepTrace]:
        """Every step goes on from what the model itself did."""
        history: list[Message] = []
        steps: list[StepTrace] = []
        async with Interpreter(self._kernels) as interpreter:
            for step in self.experiment.steps:
                steps.append(await self._solve(step, history, interpreter))
                history += self._remember(steps[-1])
        return steps

    async def oracle(self) -> list[StepTrace]:
        """Every step goes on from the gold answers to the steps before it, in the state that they leave."""
        steps: list[StepTrace] = []
        async with GoldStates(self._kernels, [step.code for step in self.experiment.steps]) as states:
            for step in self.experiment.steps:
                interpreter, executions = await states.at(step.index)
                steps.append(await self._solve(step, self._gold_history(executions), interpreter))
        return steps

    async def _solve(self, step: Step, history: list[Message], interpreter: Interpreter) -> StepTrace:
        """Ask until code ran, the model gave up, or the attempts are used up."""
        conversation = [*self._opening(), *history, *turns(step.question)]
        attempts: list[Attempt] = []
        while len(attempts) < self.agent.max_attempts:
            attempt = await self._attempt(step, len(attempts), conversation, interpreter)
            attempts.append(attempt)
            if attempt.action.final or (attempt.execution and attempt.execution.status == 'ok'):
                break
            conversation += _exchange(attempt)
        return StepTrace(index=step.index, question=step.question, attempts=attempts)

    async def _attempt(self, step: Step, number: int, conversation: list[Message], interpreter: Interpreter) -> Attempt:
        protocol = self.agent.protocol
        turn = Turn(self.experiment.id, step.index, number, protocol.gold(step))
        reply = await self.model.chat(merge(conversation), turn, protocol.stop)
        action = protocol.parse(reply.text)
        execution = None if action.code is None else await interpreter.run(action.code)
        observation = protocol.observe(action, execution, self.experiment.language)
        return Attempt(reply=reply, action=action, execution=execution, observation=observation)

    def _opening(self) -> list[Message]:
        return self.agent.protocol.opening(self.experiment.language)

    def _remember(self, step: StepTrace) -> list[Message]:
        """What later steps see of a step that is done."""
        kept = step.attempts if self.agent.history == 'all' else step.attempts[-1:]
        return turns(step.question) + [message for attempt in kept for message in _exchange(attempt)]

    def _gold_history(self, executions: list[Execution]) -> list[Message]:
        protocol, language = self.agent.protocol, self.experiment.language
        history: list[Message] = []
        for step, execution in zip(self.experiment.steps, executions, strict=False):
            history += turns(step.question, protocol.gold(step), protocol.observe(Action(), execution, language))
        return history


def _exchange(attempt: Attempt) -> list[Message]:
    """A reply and what the model was shown of it; a final answer is shown nothing."""
    said: Message = {'role': 'assistant', 'content': attempt.reply.text}
    return [said] if attempt.action.final else [said, {'role': 'user', 'content': attempt.observation}]


async def run_session(session: Session, *, model: str, dataset: str, mode: Mode) -> Trace:
    """Run a session to its end.

    Args:
        session: its parts.
        model, dataset: the names under which its results are filed.
        mode: what each step goes on from.

    Raises:
        HarnessError: a fault of the machine or of ours; no trace is made of it.
    """
    started, clock = datetime.now(UTC), time.monotonic()
    steps = await (session.end_to_end() if mode == 'end_to_end' else session.oracle())
    return Trace(
        experiment=session.experiment.id,
        model=model,
        dataset=dataset,
        mode=mode,
        protocol=session.agent.protocol.name,
        max_attempts=session.agent.max_attempts,
        steps=steps,
        started=started.isoformat(timespec='seconds'),
        seconds=time.monotonic() - clock,
        provenance=session.kernels.provenance(),
    )
