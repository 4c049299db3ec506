"""Step tables -> scores: means with intervals, passes of several runs, ranks that the data separate.

The parts of scipy are imported at the first call, not with the module.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cibench_eval.analysis.comparison import rank_groups
from cibench_eval.analysis.intervals import Interval, mean_interval, pass_at_k, pass_hat_k, ratio_interval
from cibench_eval.analysis.results import RAN, WHOLE
from cibench_eval.analysis.steps import StepTable, align, passes_of, whole_shares
from cibench_eval.evaluators.metrics import METRICS, known_metrics
from cibench_eval.schema import Mode, StepScore

MODES: tuple[Mode, ...] = ('end_to_end', 'oracle')
AVERAGED = tuple(metric.name for metric in METRICS if metric.averaged)
AVERAGE = 'average'


class Bounds(NamedTuple):
    """The 95 % interval of a score × 100, and the number of experiments behind it."""

    low: float
    high: float
    clusters: int

    @classmethod
    def of(cls, interval: Interval) -> Bounds | None:
        """The bounds of an interval, if it has some."""
        if interval.low is None or interval.high is None:
            return None
        return cls(100 * interval.low, 100 * interval.high, interval.clusters)


class Score(NamedTuple):
    """The value of a row for one metric in one mode."""

    value: float
    """× 100."""
    steps: int = 0
    """Steps behind it."""
    bounds: Bounds | None = None
    """None for a single experiment, and for replays of gold, which are right by construction (`Row.with_bounds`)."""


class Pass(NamedTuple):
    """What is asked of several runs of each experiment; a run passes if each scored step ends `correct`."""

    mode: Mode
    every: bool
    """Whether all of k runs pass (pass^k), or at least one (pass@k)."""
    k: int

    @property
    def name(self) -> str:
        """What it is called in other programs, as `end_to_end/pass_at_2`."""
        return f'{self.mode}/pass_{"hat" if self.every else "at"}_{self.k}'


def key_of(mode: Mode, metric: str) -> str:
    """The name of a score in a row."""
    return f'{mode} {metric}'


def scores_of(table: StepTable, *, given_ran: bool, average: bool = True) -> dict[str, Score]:
    """The scores of a model: for each mode and metric, and the leaderboard's average.

    Args:
        given_ran: whether to add metrics of outputs over the steps whose last call ran (`<metric>_ran`).
        average: whether the table is complete, so that its average has a meaning.
    """
    found: dict[str, Score] = {}
    for mode in MODES:
        for metric in known_metrics():
            part = table.only(mode, [metric.name])
            if not part.cells:
                continue
            found[key_of(mode, metric.name)] = _score(
                part.mean, len(part.cells), mean_interval(part.values, part.clusters)
            )
            steps = int((part.ran > 0).sum())
            if given_ran and metric.of_outputs and steps:
                mean = float(part.values_ran.sum() / part.ran.sum())
                interval = ratio_interval(part.values_ran, part.ran, part.clusters)
                found[key_of(mode, metric.name + RAN)] = _score(mean, steps, interval)
    six = [found.get(key_of(mode, name)) for mode in MODES for name in AVERAGED]
    if average and all(six):
        those = table.only(metrics=AVERAGED)
        interval = mean_interval(those.values, those.clusters, those.strata)
        mean = sum(score.value for score in six if score) / len(six) / 100
        found[AVERAGE] = _score(mean, len(those.cells), interval)
    return found


def _score(mean: float, steps: int, interval: Interval) -> Score:
    return Score(100 * mean, steps, Bounds.of(interval))


def whole_sessions(scores: Sequence[StepScore]) -> dict[str, Score]:
    """The share of sessions in which each scored step ends `correct`: over all sessions, and by mode.

    An experiment counts once: its modes and epochs are averaged first.
    """
    parts = {WHOLE: scores, **{key_of(mode, WHOLE): [one for one in scores if one.mode == mode] for mode in MODES}}
    found: dict[str, Score] = {}
    for name, those in parts.items():
        if shares := whole_shares(those):
            interval = mean_interval([*shares.values()], [*shares])
            found[name] = _score(interval.mean, sum(map(len, passes_of(those).values())), interval)
    return found


def passes_of_runs(scores: Sequence[StepScore]) -> dict[Pass, Score]:
    """pass@k and pass^k by mode, for k = 1, 2, 4, … and all runs; pass^1 is pass@1.

    All of them count the experiments that have all runs (`steps` of the score), so they can be compared: pass@k never
    falls with k.
    """
    found = {}
    for mode in MODES:
        sessions = passes_of(score for score in scores if score.mode == mode)
        most = max(map(len, sessions.values()), default=0)
        right = {experiment: sum(own.values()) for experiment, own in sessions.items() if len(own) == most}
        sizes = [*(2**power for power in range(most.bit_length()) if 2**power < most), *([most] if most else [])]
        for every, k in [(every, k) for every in (False, True) for k in sizes if not (every and k == 1)]:
            chances = (pass_hat_k if every else pass_at_k)([*right.values()], [most] * len(right), k)
            interval = mean_interval(chances, [*right])
            found[Pass(mode, every, k)] = _score(interval.mean, interval.clusters, interval)
    return found


def ranks_of(tables: Mapping[str, StepTable]) -> dict[str, str]:
    """Model -> its possible ranks by the leaderboard's average (`2–4`); empty for fewer than two models."""
    if len(tables) < 2:
        return {}
    shared = align({model: table.only(metrics=AVERAGED) for model, table in tables.items()})
    ranks = rank_groups(shared.values, shared.clusters, shared.models, shared.strata)
    return {rank.model: rank.text for rank in ranks}
