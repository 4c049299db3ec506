"""Whether other benchmarks put models in the same order: correlations of their scores with ours."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from cibench_eval.reports.analyses.drawing import COLOURS, MARKERS
from cibench_eval.reports.analyses.study import Analysis, LackingError, Study
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.rows import Row
from cibench_eval.schema import CibenchError

ENOUGH = 4
"""Models below which a correlation says nothing."""
NOTE = (
    'Of the average of a split with the scores of other benchmarks, over the models; 95 % intervals by resampling them.'
)


def read_benchmarks(path: Path) -> dict[str, dict[str, float]]:
    """A table of other benchmarks: a row for each model, `model` and one column for each benchmark.

    Returns:
        Benchmark -> model -> score. Empty fields are left out.

    Raises:
        CibenchError: the file is not there, has no column `model`, or a field that is no number.
    """
    try:
        lines = list(csv.DictReader(path.read_text(encoding='utf-8').splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise CibenchError(f'{path}: {error}') from error
    if not lines or 'model' not in lines[0]:
        raise CibenchError(f'{path}: no column `model`; the first line names the columns: model,GSM8K,HumanEval')
    found: dict[str, dict[str, float]] = {}
    for number, line in enumerate(lines, 2):
        for name, text in line.items():
            if name in (None, 'model') or not text:
                continue
            try:
                found.setdefault(name, {})[line['model']] = float(text)
            except ValueError as error:
                raise CibenchError(f'{path}, line {number}: {name} is {text!r}, not a number') from error
    return found


def benchmarks(study: Study) -> Analysis:
    """Pearson's and Spearman's correlation with other benchmarks (paper, §3.4).

    Raises:
        LackingError: no other benchmark has enough models of a split.
    """
    if not study.benchmarks:
        raise LackingError('no other benchmark: name a table with --benchmarks FILE.csv')
    pairs = [
        (split, name, _common(rows, scores))
        for split, rows in _splits(study.rows).items()
        for name, scores in study.benchmarks.items()
    ]
    pairs = [(split, name, both) for split, name, both in pairs if len(both) >= ENOUGH]
    if not pairs:
        raise LackingError(f'no other benchmark has {ENOUGH} models with an average of the same split')
    lines = [_line(f'{split}: {name}', both) for split, name, both in pairs]
    table = Table('Other benchmarks', ['', 'Pearson', 'Spearman', 'models'], lines, NOTE)
    return Analysis('benchmarks', table, partial(_draw, pairs))


def _splits(rows: Sequence[Row]) -> dict[str, list[Row]]:
    found: dict[str, list[Row]] = {}
    for row in rows:
        if row.average is not None:
            found.setdefault(row.split, []).append(row)
    return found


def _common(rows: Sequence[Row], scores: Mapping[str, float]) -> list[tuple[float, float]]:
    """Average and score of the models that both have; names are compared without regard to case."""
    known = {name.casefold(): score for name, score in scores.items()}
    return [(row.average or 0.0, known[row.model.casefold()]) for row in rows if row.model.casefold() in known]


def _line(name: str, both: Sequence[tuple[float, float]]) -> list[Cell]:
    import numpy as np

    from cibench_eval.analysis.agreement import estimate, pearson, spearman

    columns = np.array([one for one, _ in both]), np.array([other for _, other in both])
    models = [str(number) for number in range(len(both))]
    cells = []
    for statistic in (pearson, spearman):
        one = estimate(statistic, columns, models)
        span = '' if one.low is None or one.high is None else f'{one.low:.2f}–{one.high:.2f}'
        cells.append(Cell('–' if one.value is None else f'{one.value:.2f}', below=span))
    return [Cell(name), *cells, Cell(str(len(both)))]


def _draw(pairs: Sequence[tuple[str, str, list[tuple[float, float]]]], axes: Any) -> None:
    for number, (split, name, both) in enumerate(pairs):
        axes.scatter(
            [average for average, _ in both],
            [score for _, score in both],
            s=24,
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            label=f'{split}: {name}',
        )
    axes.set_xlabel('average here')
    axes.set_ylabel('score there')
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8, frameon=False, loc='upper left', bbox_to_anchor=(1.0, 1.0))
