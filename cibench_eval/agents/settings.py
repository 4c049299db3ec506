"""How sessions are run: what a config says of the agent, and what all sessions of a batch share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from cibench_eval.agents.protocols.base import AgentProtocol
from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.limits import Limits, Price
from cibench_eval.schema import CibenchError, History, Mode

Overflow = Literal['trim', 'end']


@dataclass(frozen=True)
class AgentSettings:
    """How the agent works: one of the three axes of a config.

    Args:
        protocol: prompt, reply grammar and observation format.
        max_attempts: replies a model may give at a step (3 in the paper, §4.1).
        history: of an earlier step, later ones see the `final` attempt (as the paper's harness) or `all`.
        overflow: where a conversation is longer than the model's window, `trim` leaves out the oldest outputs, then
            the oldest steps, until it fits (`Transcript`); `end` ends the step, as does what cannot be trimmed.
        runs_code: whether the model's code is run; without it a step ends with the first reply.
    """

    protocol: AgentProtocol = field(default_factory=ReAct)
    max_attempts: int = 3
    history: History = 'final'
    overflow: Overflow = 'trim'
    runs_code: bool = True

    def __post_init__(self) -> None:
        if self.history not in get_args(History):
            raise CibenchError(f"agents: history is {self.history!r}; it must be 'final' or 'all'")
        if self.overflow not in get_args(Overflow):
            raise CibenchError(f"agents: overflow is {self.overflow!r}; it must be 'trim' or 'end'")
        if self.protocol.explore and self.history != 'all':
            raise CibenchError("agents: history must be 'all' with explore=True: a step's last attempt has no code")
        if not isinstance(self.max_attempts, int) or self.max_attempts < 1:
            raise CibenchError(f'agents: max_attempts is {self.max_attempts!r}; it must be a whole number, at least 1')


@dataclass(frozen=True)
class SessionSettings:
    """How a session is run, apart from its experiment and its model: the same for all sessions of a batch.

    Args:
        agent: how the agent works.
        kernels: how code is run; its `datasources` are taken from the experiment.
        mode: what each step goes on from.
        model_name, dataset_name: under which results are filed.
        epoch: which of several runs of the session this is; `dataset_name` names it, too.
        limits, price: what a session may use; those of a run are the model's own (`MeteredModel`).
        model_config: what the model was made of, for the identity of sessions.
    """

    agent: AgentSettings = field(default_factory=AgentSettings)
    kernels: KernelSettings = field(default_factory=KernelSettings)
    mode: Mode = 'end_to_end'
    model_name: str = 'model'
    dataset_name: str = 'dataset'
    epoch: int = 1
    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    model_config: dict[str, Any] = field(default_factory=dict)
