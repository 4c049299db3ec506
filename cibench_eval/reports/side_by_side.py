"""Several models, of one run or of many, on the steps that all of them have: ranks, experiments, telling steps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from cibench_eval.analysis.steps import (
    Aligned,
    Measurement,
    Scored,
    StepTable,
    align,
    only_sessions,
    passes_of,
    sessions_of,
    table_of,
)
from cibench_eval.reports.comparison import RIGHT, with_right
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.scores import Bounds

if TYPE_CHECKING:
    from cibench_eval.analysis.comparison import Rank

NOTE = (
    'Of the n steps that all have; Whole: of their experiments. Rank: the places that a model may have, by all pairs '
    'together (Holm). − best: paired with the first one step by step, with its 95 % interval by experiments; which one '
    'is first was chosen by its result, so let the ranks decide. *: it lacks sessions.'
)
SHORT = 8
"""The longest name of a model that heads a column; longer ones are called by their places: `#1`, `#2`, …"""
MOST_STEPS = 30
"""The largest number of steps in the table of telling steps."""


@dataclass(frozen=True)
class SideBySide:
    """Models on one split.

    Args:
        scores: name -> scores of each model, two or more.
    """

    split: str
    scores: Mapping[str, Sequence[Scored]]

    @cached_property
    def _tables(self) -> dict[str, StepTable]:
        return {name: table_of(with_right(runs)).only(metrics=[RIGHT]) for name, runs in self.scores.items()}

    @cached_property
    def _cells(self) -> list[Measurement]:
        """The columns of `_common`."""
        return sorted(set.intersection(*(set(table.cells) for table in self._tables.values())))

    @property
    def decided(self) -> bool:
        """Whether something decides on steps that all have."""
        return bool(self._cells)

    @cached_property
    def _ranks(self) -> list[Rank]:
        from cibench_eval.analysis.comparison import rank_groups

        both = align(self._tables)
        return rank_groups(both.values, both.clusters, both.models)

    @cached_property
    def _common(self) -> Aligned:
        """All models on the steps that all have, in the order of `_ranks`."""
        return align({rank.model: self._tables[rank.model] for rank in self._ranks})

    @property
    def _heads(self) -> list[str]:
        """The headings of columns: the names of models if they are short, else their places."""
        names = [rank.model for rank in self._ranks]
        return names if max(map(len, names)) <= SHORT else [f'#{place}' for place, _ in enumerate(names, 1)]

    def ranking(self) -> Table:
        """A line for each model, the best first."""
        from cibench_eval.analysis.comparison import compare

        both, whole = self._common, self._whole()
        lines: list[list[Cell]] = []
        for number, rank, values in zip(self._heads, self._ranks, both.values, strict=True):
            behind = compare(values, both.values[0], both.clusters).difference
            less = Cell(f'{100 * behind.mean:+.1f}', Bounds.of(behind)) if lines else Cell('')
            name = rank.model if number == rank.model else f'{number} {rank.model}'
            texts = [name, f'{100 * rank.mean:.1f}', rank.text, f'{100 * whole[rank.model]:.1f}']
            lines.append([*map(Cell, texts), less])
        title = f'{self.split}: right steps of {len(both.models)} models, n = {len(both.clusters)}'
        return Table(title, ['Model', 'Right', 'Rank', 'Whole', '− best'], lines, NOTE)

    def _whole(self) -> dict[str, float]:
        """The share of whole sessions of each model, on the experiments that all have."""
        both = set.intersection(*map(sessions_of, self.scores.values()))
        passes = {name: passes_of(only_sessions(runs, both)) for name, runs in self.scores.items()}
        shares = {name: dict(zip(one.clusters, one.shares, strict=True)) for name, one in passes.items()}
        names = set.intersection(*(set(own) for own in shares.values()))
        return {model: sum(own[name] for name in names) / len(names) for model, own in shares.items()}

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
        shares = self._common.values
        spread = shares.var(0).tolist()
        order = sorted((at for at, one in enumerate(spread) if one > 0), key=lambda at: (-spread[at], self._cells[at]))
        lines = [[Cell(text) for text in self._of_step(at)] for at in order[:MOST_STEPS]]
        right = sum(shares[0, at] == 1 for at, one in enumerate(spread) if not one)
        note = (
            f'{len(order)} of {len(spread)} steps tell these models apart; {right} are right for all. '
            'They were chosen by results, so they prove nothing of who is better.'
        )
        note += f' {len(order) - len(lines)} not shown.' if len(order) > len(lines) else ''
        return Table(f'{self.split}: steps that tell these models apart', ['Step', *self._heads], lines, note)

    def _of_step(self, at: int) -> Iterator[str]:
        cell = self._cells[at]
        yield f'{cell.experiment}:{cell.step + 1} ({cell.mode})'
        yield from (
            {1.0: 'right', 0.0: '·'}.get(one, f'{100 * one:.0f}') for one in self._common.values[:, at].tolist()
        )
