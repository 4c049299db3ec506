"""How far the sessions of a run are. Whoever shows it reads it; whoever runs sessions writes it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from cibench_eval.agents.slots import SessionSlots
from cibench_eval.schema import StepTrace, Trace


@dataclass
class Progress:
    """Counts of the sessions of one or more batches that run side by side.

    Args:
        title: whose they are: the model and the dataset where there is one.
        sessions: of all batches.
        steps: of all these sessions.
        slots: those of each model.
    """

    title: str
    sessions: int
    steps: int
    slots: list[SessionSlots]
    sessions_done: int = 0
    sessions_failed: int = 0
    """By a fault of the harness or the machine."""
    steps_done: int = 0
    steps_reused: int = 0
    """Of these, those that an earlier run had finished."""
    errors: int = 0
    """Attempts of this run whose code failed or was none."""
    tokens: int = 0
    """In requests and replies of this run."""
    began: float = field(default_factory=time.monotonic)

    @property
    def running(self) -> int:
        """Slots in use: sessions, or steps of oracle mode."""
        return sum(slots.taken for slots in self.slots)

    @property
    def at_once(self) -> int:
        """Slots in all."""
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
        """By the speed so far; None before the first step."""
        return (self.steps - self.steps_done) / self.steps_a_second if self.steps_a_second else None

    def reused(self, steps: int) -> None:
        """Steps that need not be run again."""
        self.steps_done += steps
        self.steps_reused += steps

    def step(self, step: StepTrace) -> None:
        """A step of this run is over."""
        self.steps_done += 1
        answered = any(attempt.execution and attempt.execution.status == 'ok' for attempt in step.attempts)
        for attempt in step.attempts:
            reply = attempt.reply
            self.tokens += (reply.tokens_in or 0) + (reply.tokens_out or 0) if not reply.cached else 0
            ran = attempt.execution.status == 'ok' if attempt.execution else attempt.action.final and answered
            self.errors += not ran


class Observer:
    """Is told what happens to the sessions of a run; this one does nothing with it."""

    def begin(self, progress: Progress) -> None:
        """They begin; `progress` is kept up to date until `end`."""

    def session(self, progress: Progress, trace: Trace) -> None:
        """A session has been finished and filed."""

    def end(self, progress: Progress) -> None:
        """They are over, whatever came of them."""
