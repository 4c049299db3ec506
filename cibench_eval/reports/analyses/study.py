"""The input of analyses (steps and rows of some runs) and their output (a table and a figure)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from cibench_eval.analysis.agreement import Coefficient, MeasuredStep
from cibench_eval.analysis.intervals import mean_interval
from cibench_eval.analysis.steps import over_epochs
from cibench_eval.evaluators.failures.categories import ErrorTag
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Usage
from cibench_eval.reports.layout import Cell, Table, rounded, starred
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import Bounds, Score
from cibench_eval.reports.tables import PREFIX
from cibench_eval.schema import Forecast, Mode


class LackingError(Exception):
    """The runs lack something that an analysis needs; the text says what."""


class StepRecord(NamedTuple):
    """A step of a session, scored by the run's own profile."""

    model: str
    split: str
    mode: Mode
    epoch: int
    experiment: str
    step: int
    """Counted from 1."""
    right: bool | None
    """None where nothing decides."""
    attempts: int
    ran_at: int | None
    """The first attempt whose code ran without error, if there is one."""
    usage: Usage
    failure: ErrorTag | None
    """Why the step failed, if it did."""
    without: int = 0
    """Parts of the conversation that were left out of its last request."""
    read: int = 0
    """Tokens of its last request; 0 where the endpoint does not say."""
    depends: tuple[int, ...] = ()
    """The earlier steps on which its answer rests; empty where they are not known."""
    asks_forecast: bool = False
    """Whether its question asks how sure the answer is."""
    forecasts: tuple[Forecast, ...] = ()
    """The probabilities that its answer gives, beside what the gold has."""


@dataclass(frozen=True)
class StudiedRuns:
    steps: Sequence[StepRecord] = ()
    """All steps whose end is known."""
    rows: Sequence[Row] = ()
    """The rows of the runs' tables, and published rows on request."""
    benchmarks: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Other benchmark -> model -> score."""
    figures: Sequence[MeasuredStep] = ()
    """Several measures of the same `vis` steps."""
    replays: frozenset[str] = frozenset()
    """Models that answer with the gold; their figures have no intervals."""

    @property
    def partial(self) -> set[str]:
        """The models that lack a session, of another model or of their run: their shares are of other steps."""
        sessions = grouped(self.steps, lambda step: step.model)
        found = {name: {(one.split, one.mode, one.experiment) for one in own} for name, own in sessions.items()}
        every = set().union(*found.values())
        lacking = {name for name, own in found.items() if own != every}
        return lacking | {row.model for row in self.rows if row.label != row.model}

    def groups(self, steps: Iterable[StepRecord] | None = None) -> dict[str, list[StepRecord]]:
        """The steps of each model and mode, by its name in tables; the mode is a part of it if there are several, and a
        star if the model is partial.

        Args:
            steps: those that count; by default all.

        Raises:
            LackingError: there is no step.
        """
        found = grouped(self.steps if steps is None else steps, lambda step: (step.model, step.mode))
        if not found:
            raise LackingError('there is no scored step')
        several, partial = len({mode for _, mode in found}) > 1, self.partial
        return {
            starred(f'{model} {PREFIX[mode]}' if several else model, whole=model not in partial): own
            for (model, mode), own in found.items()
        }

    def share(self, steps: Iterable[StepRecord], holds: Callable[[StepRecord], bool | None]) -> Score | None:
        """The share of steps for which `holds` is true, of those where it tells; epochs are averaged in each step.

        None where it tells of none.
        """
        those = [*steps]
        ends = [((one.split, one.experiment, one.step, one.mode), holds(one)) for one in those]
        cells = over_epochs((name, held) for name, held in ends if held is not None)
        if not cells:
            return None
        values = [*cells.values()]
        interval = mean_interval(values, [f'{split}/{experiment}' for split, experiment, _, _ in cells])
        bounds = None if those[0].model in self.replays else Bounds.of(interval)
        return Score(100 * sum(values) / len(values), len(values), bounds)


@dataclass(frozen=True)
class Analysis:
    table: Table
    draw: Callable[[Any], None]
    """Draws the figure on axes of matplotlib."""
    height: float = 3.6
    """The height of the figure in inches; it is 7 wide."""


def correlation(one: Coefficient, clusters: int) -> Cell:
    """A correlation with its interval over so many experiments, or models."""
    if one.value is None:
        return Cell('–')
    bounds = None if one.low is None or one.high is None else Bounds(one.low, one.high, clusters)
    return Cell(rounded(one.value, 2), bounds, digits=2)
