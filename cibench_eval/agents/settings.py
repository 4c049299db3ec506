"""The settings of sessions: the agent of a config, and everything else that the sessions of a batch share."""

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
    """How the agent works: one of the three axes of a config."""

    protocol: AgentProtocol = field(default_factory=ReAct)
    """Prompt, reply grammar and observation format."""
    max_attempts: int = 3
    """Most replies of a model at a step (3 in the paper, §4.1)."""
    history: History = 'final'
    """What later steps see of a step: the `final` attempt (as in the paper's harness) or `all`."""
    overflow: Overflow = 'trim'
    """If a conversation is longer than the model's window, `trim` leaves out the oldest outputs, then the oldest steps,
    until it fits (`Transcript`), and ends the step if it never fits; `end` ends it at once."""
    runs_code: bool = True
    """Whether the model's code is run; if not, a step ends with the first reply."""

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
    """The settings that all sessions of a batch share.

    Args:
        kernels: how code is run; `datasources` is replaced by the experiment's own.
        mode: whether steps begin in the model's own state or in the gold state.
        model_name, dataset_name: names in the results.
        epoch: number of this run of the session; `dataset_name` contains it, too.
        limits, price: what a session may use; limits of a run belong to the model (`MeteredModel`).
        model_config: the config of the model, for the identity of sessions.
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
