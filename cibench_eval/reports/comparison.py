"""Compare runs on the same steps: two, by differences with intervals and the steps that changed; or several models, by
ranks, experiments and telling steps.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import repeat
from math import floor
from typing import NamedTuple

from cibench_eval.analysis.comparison import FEWEST, Comparison, Rank, compare, holm, rank_groups
from cibench_eval.analysis.results import WHOLE
from cibench_eval.analysis.steps import Aligned, StepTable, align, sessions_of, shared_shares, table_of
from cibench_eval.datasets.libraries import part_of
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.grouping import grouped
from cibench_eval.reports.layout import Cell, Table, counted, rounded, signed, starred
from cibench_eval.reports.scores import AVERAGE, AVERAGED, Bounds
from cibench_eval.schema import CibenchError, StepScore

RIGHT = 'right'
"""The share of steps that ended right, a measure of every set."""
NOTE = (
    'Right: steps that ended right. Whole: sessions in which every scored step did. B − A is paired step by step, its '
    '95 % interval and p-value by experiments.'
)
ALONE = ' p is of each line by itself: of 20 lines without a difference, one is below 0.05.'
TOO_FEW = f' Fewer than {FEWEST} experiments tell nothing apart.'
EPOCHS = ' Each epoch counts.'
STARRED = ' *: a run lacks sessions; n has those that both have in some epoch.'
MOST_FLIPS = 30
"""The largest number of steps in the table of flips."""


def measures() -> dict[str, str]:
    """Measure -> its name in tables."""
    return {RIGHT: 'Right', WHOLE: 'Whole', AVERAGE: 'Avg', **{one.name: one.short for one in known_metrics()}}


class Flip(NamedTuple):
    """A step that ended right in one of the two runs."""

    split: str
    mode: str
    experiment: str
    step: int
    """Counted from 1."""
    epoch: int
    better: bool
    """Whether it is right in B."""
    why: str
    """How it ended in the other run."""


@dataclass(frozen=True)
class Difference:
    """A measure of both runs, `a` and `b`, × 100."""

    split: str
    name: str
    a: float
    b: float
    steps: int
    """The number of steps behind each value; experiments for Whole."""
    comparison: Comparison

    @property
    def points(self) -> float:
        """B minus A, in points of 100."""
        return 100 * self.comparison.difference.mean

    @property
    def bounds(self) -> Bounds | None:
        """The interval of the difference, in points of 100, if it is known."""
        return Bounds.of(self.comparison.difference)

    def cells(self, name: str) -> list[Cell]:
        """The cells of a line of this name."""
        points = Cell(signed(self.points), self.bounds)
        texts = _p_text(self.comparison.p), str(self.steps)
        return [Cell(name), Cell(rounded(self.a)), Cell(rounded(self.b)), points, *map(Cell, texts)]


def _p_text(p: float | None) -> str:
    """A p-value with three decimals, or four where three would not tell on which side of 0.05 it is."""
    if p is None:
        return '–'
    text = f'{p:.3f}'
    return f'{floor(p * 1e4) / 1e4:.4f}' if text == '0.050' else text.replace('0.000', '<0.001')


@dataclass(frozen=True)
class PairOfRuns:
    """Two models, or one model in two runs: split -> scores, for each."""

    a: Mapping[str, list[StepScore]]
    b: Mapping[str, list[StepScore]]

    @property
    def splits(self) -> list[str]:
        """The splits that both have; a `CibenchError` where there are none."""
        both = [split for split in self.a if split in self.b]
        if not both:
            raise CibenchError(f'nothing to compare: A has {", ".join(self.a)}, B has {", ".join(self.b)}')
        return both

    def unshared(self, split: str) -> tuple[int, int]:
        """How many sessions of a split only A has, and how many only B has. Differences do not count them."""
        a, b = (sessions_of(scores.get(split, ())) for scores in (self.a, self.b))
        return len(a - b), len(b - a)

    def lost(self, split: str, planned: Set[tuple[str, int]] = frozenset()) -> int:
        """How many sessions of a split A has and B lacks: altogether, or in an epoch that B has in part.

        Args:
            planned: modes and epochs that B's config has.
        """
        a, b = ({(one.mode, one.epoch, one.experiment) for one in scores.get(split, ())} for scores in (self.a, self.b))
        epochs, sessions = planned | {one[:2] for one in b}, {(mode, experiment) for mode, _, experiment in b}
        return len({(m, e) for m, epoch, e in a - b if (m, epoch) in epochs or (m, e) not in sessions})

    def differences(self) -> Iterator[Difference]:
        """The difference in each split and measure that both runs have."""
        for split in self.splits:
            tables = table_of(with_right(self.a[split])), table_of(with_right(self.b[split]))
            yield from _whole(split, self.a[split], self.b[split])
            for name in (RIGHT, AVERAGE, *(one.name for one in known_metrics())):
                yield from _of_metric(split, name, *tables)

    def parts(self) -> Iterator[Difference]:
        """The difference in right steps by module category, for splits with several categories."""
        for split in self.splits:
            a, b = table_of(with_right(self.a[split])), table_of(with_right(self.b[split]))
            names = dict.fromkeys(part_of(cell.experiment) for cell in [*a.cells, *b.cells])
            for name in names if len(names) > 1 else ():
                yield from _of_metric(split, RIGHT, _of_part(a, name), _of_part(b, name), called=name)

    def flips(self) -> list[Flip]:
        """The steps that are right in one run only, in epochs that both have."""
        found = []
        for split in self.splits:
            ends = [_ends(scores[split]) for scores in (self.a, self.b)]
            for key in (key for key in ends[0] if key in ends[1]):
                one, other = ends[0][key], ends[1][key]
                if (one == 'correct') != (other == 'correct'):
                    better = other == 'correct'
                    mode, epoch, experiment, index = key
                    found.append(Flip(split, mode, experiment, index + 1, epoch, better, one if better else other))
        return found


def difference_table(differences: Sequence[Difference], title: str, lacking: Collection[str] = ()) -> Table:
    """A line for each measure; a star marks splits of which a run lacks sessions."""
    lines = [
        one.cells(starred(f'{one.split}: {measures().get(one.name, one.name)}', whole=one.split not in lacking))
        for one in differences
    ]
    note = NOTE + ALONE
    note += TOO_FEW if any(one.comparison.difference.clusters < FEWEST for one in differences) else ''
    note += STARRED if lacking else ''
    return Table(title, ['', 'A', 'B', 'B − A', 'p', 'n'], lines, note)


def flip_table(flips: Sequence[Flip]) -> Table:
    """The steps that changed; steps that got worse stand first."""
    worse, better = [one for one in flips if not one.better], [one for one in flips if one.better]
    lines = [
        [Cell(f'{one.split} {one.experiment}:{one.step} ({_run_of(one)})'), Cell('better' if one.better else one.why)]
        for one in [*worse, *better][:MOST_FLIPS]
    ]
    rest = len(flips) - len(lines)
    note = f'Right in A alone: {counted(len(worse), "step")}, in B alone: {len(better)}.'
    note += EPOCHS if any(one.epoch > 1 for one in flips) else ''
    note += f' {rest} not shown.' if rest else ''
    return Table('Steps that changed', ['Step', 'In B'], lines, note)


def _run_of(flip: Flip) -> str:
    return flip.mode if flip.epoch < 2 else f'{flip.mode}, epoch {flip.epoch}'


def models_table(
    pairs: Sequence[tuple[str, PairOfRuns, Sequence[Difference], Collection[str]]],
    name: str,
    alone: Collection[str] = (),
) -> Table:
    """A line for each model and split: one measure in both runs.

    Args:
        pairs: each model, it in both runs, its differences, and the splits of which a run lacks sessions.
        alone: models that only one run has.
    """
    found = [
        (starred(f'{one.split}: {model}', whole=one.split not in lacking), pair, one)
        for model, pair, those, lacking in pairs
        for one in those
        if one.name == name
    ]
    lines = []
    for (label, pair, _), one in zip(found, jointly([one for *_, one in found]), strict=True):
        flips = [flip for flip in pair.flips() if flip.split == one.split]
        better = sum(flip.better for flip in flips)
        counts = [Cell(str(number)) for number in (len(flips) - better, better)]
        lines.append([*one.cells(label), *counts])
    note = f'{NOTE} p is for all lines together (Holm), an interval for its line alone.'
    note += ' A only, B only: steps that are right in one run alone.'
    note += EPOCHS if any(flip.epoch > 1 for _, pair, _ in found for flip in pair.flips()) else ''
    note += TOO_FEW if any(one.comparison.difference.clusters < FEWEST for *_, one in found) else ''
    note += STARRED if any(lacking for *_, lacking in pairs) else ''
    note += f' In one run alone: {", ".join(alone)}.' if alone else ''
    title = f'{measures().get(name, name)}: each model, B against A'
    return Table(title, ['', 'A', 'B', 'B − A', 'p', 'n', 'A only', 'B only'], lines, note)


def jointly(differences: Sequence[Difference]) -> list[Difference]:
    """Differences with the p-values that they have all together (Holm)."""
    adjusted = iter(holm([p for one in differences if (p := one.comparison.p) is not None]).tolist())
    found = []
    for one in differences:
        p = None if one.comparison.p is None else next(adjusted)
        found.append(replace(one, comparison=one.comparison.model_copy(update={'p': p})))
    return found


def with_right(scores: Iterable[StepScore]) -> Iterator[StepScore]:
    """Scores with RIGHT as a value where something decides; steps without a known end are left out."""
    for score in scores:
        if score.outcome:
            right = {} if score.right is None else {RIGHT: float(score.right)}
            yield score.model_copy(update={'values': score.values | right})


def _of_metric(split: str, name: str, a: StepTable, b: StepTable, called: str = '') -> Iterator[Difference]:
    wanted = AVERAGED if name == AVERAGE else (name,)
    parts = {'A': a.only(metrics=wanted), 'B': b.only(metrics=wanted)}
    if {*parts['A'].cells}.isdisjoint(parts['B'].cells):
        return
    both = align(parts)
    if name == AVERAGE and len({*both.strata}) < 2 * len(AVERAGED):
        return
    strata = both.strata if name == AVERAGE else None
    found = compare(both.values[1], both.values[0], both.clusters, strata)
    means = [_mean(row, strata) for row in both.values]
    yield Difference(split, called or name, 100 * means[0], 100 * means[1], len(both.clusters), found)


def _mean(values: Iterable[float], strata: Iterable[str] | None) -> float:
    """The mean, or the mean of the means of strata."""
    pairs = zip(values, repeat('') if strata is None else strata, strict=False)
    groups = grouped(pairs, lambda pair: pair[1]).values()
    return sum(sum(value for value, _ in group) / len(group) for group in groups) / len(groups)


def _whole(split: str, a: Sequence[StepScore], b: Sequence[StepScore]) -> Iterator[Difference]:
    shares = shared_shares([a, b])
    if names := [*shares[0]]:
        first, second = ([*own.values()] for own in shares)
        means = [100 * sum(column) / len(names) for column in (first, second)]
        yield Difference(split, WHOLE, means[0], means[1], len(names), compare(second, first, names))


def _of_part(table: StepTable, name: str) -> StepTable:
    return table.where(lambda cell: part_of(cell.experiment) == name)


def _ends(scores: Iterable[StepScore]) -> dict[tuple[str, int, str, int], str]:
    return {
        (one.mode, one.epoch, one.experiment, one.index): str(one.outcome) for one in scores if one.right is not None
    }


RANKS_NOTE = (
    'Of the n steps that all have; Whole: of their experiments. Rank: the places that a model may have, by all pairs '
    'together (Holm). − best: paired with the first one step by step, with its 95 % interval by experiments; which one '
    'is first was chosen by its result, so let the ranks decide. *: it lacks sessions.'
)
SHORT_NAME = 8
"""The longest name of a model that heads a column; longer ones are called by their places: `#1`, `#2`, …"""
MOST_STEPS = 30
"""The largest number of steps in the table of telling steps."""


@dataclass(frozen=True)
class SideBySide:
    """Models on one split."""

    split: str
    scores: Mapping[str, Sequence[StepScore]]
    """Name -> scores of each model, two or more."""
    ranked: bool = True
    """Whether the best stands first; else they stand as `scores` has them."""

    @cached_property
    def _tables(self) -> dict[str, StepTable]:
        return {name: table_of(with_right(own)).only(metrics=[RIGHT]) for name, own in self.scores.items()}

    @property
    def decided(self) -> bool:
        """Whether something decides on steps that all have."""
        return bool(set.intersection(*(set(table.cells) for table in self._tables.values())))

    @cached_property
    def _ranks(self) -> list[Rank]:
        both = align(self._tables)
        ranks = rank_groups(both.values, both.clusters, both.models)
        if not self.ranked:
            return sorted(ranks, key=lambda rank: both.models.index(rank.model))
        return sorted(ranks, key=lambda rank: (-rank.mean, rank.model.endswith('*')))  # what lacks sessions last

    @cached_property
    def _common(self) -> Aligned:
        """All models on the steps that all have, in the order of `_ranks`."""
        return align({rank.model: self._tables[rank.model] for rank in self._ranks})

    @property
    def _heads(self) -> list[str]:
        """The headings of columns: the names of models if they are short, else their places."""
        names = [rank.model for rank in self._ranks]
        return names if max(map(len, names)) <= SHORT_NAME else [f'#{place}' for place, _ in enumerate(names, 1)]

    def ranking(self) -> Table:
        """A line for each model, the best first."""
        both, shares = self._common, shared_shares([self.scores[rank.model] for rank in self._ranks])
        lines: list[list[Cell]] = []
        for number, rank, values, own in zip(self._heads, self._ranks, both.values, shares, strict=True):
            behind = compare(values, both.values[0], both.clusters).difference
            less = Cell(signed(100 * behind.mean), Bounds.of(behind)) if lines else Cell('')
            name = rank.model if number == rank.model else f'{number} {rank.model}'
            whole = 100 * sum(own.values()) / len(own)
            lines.append([*map(Cell, [name, f'{100 * rank.mean:.1f}', rank.text, f'{whole:.1f}']), less])
        title = f'{self.split}: right steps of {len(both.models)} models, n = {len(both.clusters)}'
        return Table(title, ['Model', 'Right', 'Rank', 'Whole', '− best'], lines, RANKS_NOTE)

    def experiments(self) -> Table:
        """The share of right steps by experiment, the one on which models differ most first."""
        both, lines = self._common, []
        for name in dict.fromkeys(both.clusters.tolist()):
            means = both.values[:, both.clusters == name].mean(1).tolist()
            lines.append((max(means) - min(means), name, means))
        lines.sort(key=lambda line: (-line[0], line[1]))
        return Table(
            f'{self.split}: right steps by experiment',
            ['Experiment', *self._heads, 'Spread'],
            [[Cell(name), *(Cell(f'{100 * one:.1f}') for one in [*means, spread])] for spread, name, means in lines],
        )

    def telling(self) -> Table:
        """The steps on which models differ, those that part them most evenly first."""
        shares, cells = self._common.values, self._common.cells
        spread = shares.var(0).round(9).tolist()  # the mean of equal thirds may be none of them
        order = sorted((at for at, one in enumerate(spread) if one > 0), key=lambda at: (-spread[at], cells[at]))
        lines = [[Cell(text) for text in self._of_step(at)] for at in order[:MOST_STEPS]]
        right = sum(shares[0, at] == 1 for at, one in enumerate(spread) if not one)
        note = (
            f'{len(order)} of {len(spread)} steps tell these models apart; right for all: {right}. '
            'They were chosen by results, so they prove nothing of who is better.'
        )
        if ((shares > 0) & (shares < 1)).any():
            note += ' A number is the share of its runs that are right, in %.'
        note += f' {len(order) - len(lines)} not shown.' if len(order) > len(lines) else ''
        return Table(f'{self.split}: steps that tell these models apart', ['Step', *self._heads], lines, note)

    def _of_step(self, at: int) -> Iterator[str]:
        cell = self._common.cells[at]
        yield f'{cell.experiment}:{cell.step + 1} ({cell.mode})'
        yield from (
            {1.0: 'right', 0.0: '·'}.get(one, f'{100 * one:.0f}') for one in self._common.values[:, at].tolist()
        )
