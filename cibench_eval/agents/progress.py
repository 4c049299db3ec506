"""The progress of a run: the runner writes it, displays read it."""

import time
from collections import Counter
from dataclasses import dataclass, field

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.models.base import TRIED_AGAIN
from cibench_eval.schema import Mode, StepTrace, Trace


@dataclass
class Progress:
    """Counts over all batches that run side by side; `title` names the model and the dataset, or says how many."""

    title: str
    sessions: int
    steps: int
    slots: list[SessionSlots]
    """The slots of the models."""
    open: dict[SessionSlots, Mode] = field(default_factory=dict)
    """The slots of each session that is not over."""
    sessions_done: int = 0
    sessions_failed: int = 0
    """Sessions with a fault of the harness or the machine."""
    steps_done: int = 0
    steps_reused: int = 0
    """Steps among `steps_done` that an earlier run had finished."""
    errors: int = 0
    """Attempts of this run whose code failed or was missing."""
    tokens: int = 0
    """Tokens in requests and replies of this run."""
    before: Counter[str] = field(default_factory=TRIED_AGAIN.copy)
    """`TRIED_AGAIN` when the sessions began."""
    began: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> int:
        """Sessions that have a slot."""
        return sum(slots.taken > 0 for slots in self.open)

    @property
    def oracle_steps(self) -> int:
        """Steps of oracle mode that run; several of one session may."""
        return sum(slots.taken for slots, mode in self.open.items() if mode == 'oracle')

    @property
    def tried_again(self) -> Counter[str]:
        """Requests that were sent again, by what the endpoint answered."""
        return TRIED_AGAIN - self.before

    @property
    def at_once(self) -> int:
        """Number of slots."""
        return sum(slots.number for slots in self.slots)

    @property
    def sessions_queued(self) -> int:
        return max(0, self.sessions - self.sessions_done - self.sessions_failed - self.running)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    @property
    def steps_a_second(self) -> float:
        return (self.steps_done - self.steps_reused) / max(self.seconds, 1e-9)

    @property
    def tokens_a_second(self) -> float:
        return self.tokens / max(self.seconds, 1e-9)

    @property
    def seconds_left(self) -> float | None:
        """An estimate from the speed so far; None before the first step."""
        return (self.steps - self.steps_done) / self.steps_a_second if self.steps_a_second else None

    def reused(self, steps: int) -> None:
        """Count steps that need not be run again."""
        self.steps_done += steps
        self.steps_reused += steps

    def step(self, step: StepTrace) -> None:
        """Count a finished step of this run."""
        self.steps_done += 1
        answered = any(one.ran for one in step.attempts)  # a final answer fails where no code of the step ran
        for one in step.attempts:
            ends = answered and one.action.final and one.execution is None
            self.errors += not (one.ran or ends)
        paid = [attempt.reply for attempt in step.attempts if not attempt.reply.cached]
        self.tokens += sum((reply.tokens_in or 0) + (reply.tokens_out or 0) for reply in paid)


class Observer:
    """Callbacks for the events of a run. The methods here do nothing."""

    def begin(self, progress: Progress) -> None:
        """The sessions begin; `progress` is kept up to date until `end`."""

    def session(self, progress: Progress, trace: Trace) -> None:
        """A session has been finished and stored."""

    def end(self, progress: Progress) -> None:
        """All sessions are over, successful or not."""
