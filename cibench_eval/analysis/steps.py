"""The step table: scores as rows, epochs averaged inside the step. Every mean that is reported is taken here."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from cibench_eval.analysis.clusters import Floats
from cibench_eval.grouping import grouped
from cibench_eval.schema import CibenchError, Mode, StepScore

Strings: TypeAlias = NDArray[np.str_]
StepName = TypeVar('StepName', bound=Hashable)


def placed(scores: Iterable[StepScore], mode: Mode, epoch: int) -> list[StepScore]:
    """Scores of a file, each with the mode and the epoch that the file is of."""
    return [score.model_copy(update={'mode': mode, 'epoch': epoch}) for score in scores]


def sessions_of(scores: Iterable[StepScore]) -> set[tuple[Mode, str]]:
    """The sessions that have scores, by mode and experiment, whatever the epoch."""
    return {(score.mode, score.experiment) for score in scores}


class Measurement(NamedTuple):
    """What one score is of: a step, in a mode, by a metric."""

    experiment: str
    step: int
    mode: Mode
    metric: str


@dataclass(frozen=True)
class Measured:
    """Steps in modes, by metrics."""

    cells: list[Measurement]

    @property
    def clusters(self) -> Strings:
        """The experiment of each cell."""
        return np.array([cell.experiment for cell in self.cells], dtype=np.str_)

    @property
    def strata(self) -> Strings:
        """Mode and metric of each cell, e.g. `oracle vis_sim`."""
        return np.array([f'{cell.mode} {cell.metric}' for cell in self.cells], dtype=np.str_)


@dataclass(frozen=True)
class StepTable(Measured):
    """One model's scores in columns: a row for each step, mode and metric, whatever the number of epochs."""

    values: Floats
    """Means over epochs, in [0, 1]; SSIM may be below."""
    ran: Floats
    """Share of the epochs in which the step's last call ran; in means over the code that ran, the step weighs that
    much."""
    values_ran: Floats
    """Means over epochs of the value where the last call ran, and of 0 where it did not."""

    @property
    def experiments(self) -> list[str]:
        return list(dict.fromkeys(cell.experiment for cell in self.cells))

    def only(self, mode: Mode | None = None, metrics: Iterable[str] | None = None) -> StepTable:
        """The rows of a mode and of some metrics; None for all."""
        wanted = None if metrics is None else set(metrics)
        return self.where(lambda cell: mode in (None, cell.mode) and (wanted is None or cell.metric in wanted))

    def where(self, keep: Callable[[Measurement], bool]) -> StepTable:
        """The rows whose cells are kept."""
        kept = [keep(cell) for cell in self.cells]
        cells = [cell for cell, wanted in zip(self.cells, kept, strict=True) if wanted]
        return StepTable(cells, self.values[kept], self.ran[kept], self.values_ran[kept])

    @property
    def mean(self) -> float:
        """The mean of all rows, in [0, 1]; there has to be one."""
        return sum(self.values.tolist()) / len(self.cells)


def table_of(scores: Iterable[StepScore]) -> StepTable:
    """Arrange one model's scores in columns. Epochs are averaged inside the step, so that a step counts once.

    Raises:
        CibenchError: a step has two scores of one mode, metric and epoch.
    """
    seen: dict[Measurement, dict[int, tuple[float, bool]]] = {}
    for score in scores:
        for metric, value in score.values.items():
            epochs = seen.setdefault(Measurement(score.experiment, score.index, score.mode, metric), {})
            if score.epoch in epochs:
                raise CibenchError(
                    f'{score.experiment}: step {score.index} scored twice in {score.mode}, epoch {score.epoch}; '
                    'experiments of a split need ids of their own: give their datasets one `path` and choose by '
                    '`experiments`'
                )
            epochs[score.epoch] = value, score.ran
    columns = np.array([_over_epochs(list(epochs.values())) for epochs in seen.values()], float).reshape(-1, 3)
    return StepTable(list(seen), *columns.T)


def _over_epochs(epochs: list[tuple[float, bool]]) -> tuple[float, float, float]:
    """The means over a step's epochs of its value, of whether it ran, and of its value where it ran."""
    values, ran = [value for value, _ in epochs], [float(ran) for _, ran in epochs]
    both = [value * there for value, there in zip(values, ran, strict=True)]
    return sum(values) / len(epochs), sum(ran) / len(epochs), sum(both) / len(epochs)


def over_epochs(ends: Iterable[tuple[StepName, bool]]) -> dict[StepName, float]:
    """The share of epochs in which something holds, by step, however steps are named."""
    found = grouped(ends, lambda end: end[0])
    return {step: sum(holds for _, holds in epochs) / len(epochs) for step, epochs in found.items()}


def whole_shares(scores: Iterable[StepScore]) -> dict[str, float]:
    """Experiment -> the share of its sessions that are whole: over the epochs of each mode, then over the modes.

    So a lost session does not make the other mode weigh more.
    """
    found = {}
    for experiment, own in passes_of(scores).items():
        modes = grouped(own.items(), lambda session: session[0][0]).values()
        found[experiment] = sum(sum(right for _, right in those) / len(those) for those in modes) / len(modes)
    return found


def shared_shares(models: Sequence[Sequence[StepScore]]) -> list[dict[str, float]]:
    """The `whole_shares` of several models, of the sessions and the experiments that all of them have."""
    shared = set.intersection(*map(sessions_of, models))
    shares = [whole_shares(one for one in scores if (one.mode, one.experiment) in shared) for scores in models]
    names = [name for name in shares[0] if all(name in own for own in shares)]
    return [{name: own[name] for name in names} for own in shares]


def passes_of(scores: Iterable[StepScore]) -> dict[str, dict[tuple[Mode, int], bool]]:
    """Experiment -> mode and epoch -> whether a model's session is whole: every scored step ends `correct`.

    Sessions without known outcomes are left out.
    """
    found: dict[str, dict[tuple[Mode, int], bool]] = {}
    for score in scores:
        if score.right is not None:
            own, session = found.setdefault(score.experiment, {}), (score.mode, score.epoch)
            own[session] = own.get(session, True) and score.right
    return found


@dataclass(frozen=True)
class Aligned(Measured):
    """Several models on the cells that they have in common."""

    models: list[str]
    values: Floats
    """A row for each model, a column for each cell."""


def align(tables: Mapping[str, StepTable]) -> Aligned:
    """Cut models (name -> table) to the steps that they have in common, for paired comparisons.

    Raises:
        CibenchError: they have no step in common.
    """
    scores = {model: dict(zip(table.cells, table.values, strict=True)) for model, table in tables.items()}
    common = sorted(set.intersection(*(set(cells) for cells in scores.values()))) if scores else []
    if not common:
        raise CibenchError(f'no step that all of {", ".join(tables) or "no models"} have; compare runs of one split')
    return Aligned(common, list(tables), np.array([[cells[cell] for cell in common] for cells in scores.values()]))
