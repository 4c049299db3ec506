"""Step scores as columns: the epochs of a step averaged, models set side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cibench_eval.analysis.clusters import Floats
from cibench_eval.evaluators import values_of
from cibench_eval.schema import CibenchError, Mode, StepScore

Strings: TypeAlias = NDArray[np.str_]


class Scored(NamedTuple):
    """What one results file holds: the scores of a model's steps in one mode and one epoch."""

    mode: Mode
    scores: Iterable[StepScore]
    epoch: int = 0


class Cell(NamedTuple):
    """What a figure is taken of: a step, in a mode, by a metric."""

    experiment: str
    step: int
    mode: Mode
    metric: str


@dataclass(frozen=True)
class StepTable:
    """One model's scores in columns: a row for each step, mode and metric, whatever the number of epochs."""

    cells: list[Cell]
    values: Floats
    """Means over epochs, in [0, 1]."""

    @property
    def clusters(self) -> Strings:
        """The experiment of each row."""
        return np.array([cell.experiment for cell in self.cells], dtype=np.str_)

    @property
    def strata(self) -> Strings:
        """Mode and metric of each row, e.g. `oracle vis_sim`."""
        return np.array([f'{cell.mode} {cell.metric}' for cell in self.cells], dtype=np.str_)

    def only(self, mode: Mode | None = None, metrics: Iterable[str] | None = None) -> StepTable:
        """The rows of a mode and of some metrics; of all where they are not given."""
        wanted = None if metrics is None else set(metrics)
        keep = [mode in (None, cell.mode) and (wanted is None or cell.metric in wanted) for cell in self.cells]
        cells = [cell for cell, kept in zip(self.cells, keep, strict=True) if kept]
        return StepTable(cells, self.values[keep])


@dataclass(frozen=True)
class Aligned:
    """Several models on the rows that all of them have."""

    models: list[str]
    values: Floats
    """A row for each model, a column for each step, mode and metric."""
    clusters: Strings
    strata: Strings


class Ratio(NamedTuple):
    """A figure that is a ratio of sums over steps: for each step its part of the numerator and of the denominator."""

    numerators: Floats
    denominators: Floats
    clusters: Strings

    @property
    def steps(self) -> int:
        """Steps that count."""
        return int((self.denominators > 0).sum())

    @property
    def value(self) -> float:
        """In [0, 1] for a share; there has to be a step that counts."""
        return float(self.numerators.sum() / self.denominators.sum())


def table_of(results: Iterable[Scored]) -> StepTable:
    """One model's results as columns. Epochs are averaged inside the step, so that a step counts once.

    Raises:
        CibenchError: a step has two scores of one mode, metric and epoch.
    """
    seen: dict[Cell, dict[int, float]] = {}
    for mode, scores, epoch in results:
        for score in scores:
            for metric, value in values_of(score).items():
                runs = seen.setdefault(Cell(score.experiment, score.index, mode, metric), {})
                if epoch in runs:
                    raise CibenchError(
                        f'{score.experiment}: step {score.index} scored twice in {mode}, epoch {epoch}; experiments of '
                        'a split need ids of their own: give their datasets one `path` and choose by `experiments`'
                    )
                runs[epoch] = value
    cells = sorted(seen)
    return StepTable(cells, np.array([sum(seen[cell].values()) / len(seen[cell]) for cell in cells]))


def given_ran(results: Iterable[Scored], metric: str) -> Ratio:
    """A metric of one model in one mode over the runs of steps whose last call ran, epochs averaged inside the step.

    A step that ran in one of four epochs weighs a quarter of one that always ran.
    """
    runs: dict[tuple[str, int], list[tuple[float, float]]] = {}
    for _, scores, _ in results:
        for score in scores:
            value = values_of(score).get(metric)
            if value is not None:
                ran = float(score.executable)
                runs.setdefault((score.experiment, score.index), []).append((value * ran, ran))
    means = np.array([np.mean(those, axis=0) for those in runs.values()]).reshape(-1, 2)
    return Ratio(means[:, 0], means[:, 1], np.array([experiment for experiment, _ in runs], dtype=np.str_))


def align(tables: Mapping[str, StepTable]) -> Aligned:
    """Models (name -> table) on the steps that all of them have, which is what a paired comparison needs.

    Raises:
        CibenchError: there is no such step.
    """
    scores = {model: dict(zip(table.cells, table.values, strict=True)) for model, table in tables.items()}
    common = sorted(set.intersection(*(set(cells) for cells in scores.values()))) if scores else []
    if not common:
        raise CibenchError(f'no step that all of {", ".join(tables) or "no models"} have; compare runs of one split')
    values = np.array([[cells[cell] for cell in common] for cells in scores.values()])
    shared = StepTable(common, values[0])
    return Aligned(list(tables), values, shared.clusters, shared.strata)
