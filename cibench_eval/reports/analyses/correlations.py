"""Correlations: of our scores with other benchmarks, and of several measures of the same figures with each other."""

import csv
import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from cibench_eval.analysis.agreement import Agreement, MeasuredStep, agreements, estimate, levels, pearson, spearman
from cibench_eval.grouping import grouped
from cibench_eval.reports.analyses.drawing import scattered
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns, correlation
from cibench_eval.reports.layout import Cell, Table, starred
from cibench_eval.reports.rows import Row
from cibench_eval.schema import CibenchError

ENOUGH = 4
"""The least number of models for a correlation."""
UNKNOWN = [Cell('–')] * 3
NOTE = (
    'Of the average of a split with the scores of other benchmarks, over the models; 95 % intervals by resampling them.'
)


def read_benchmarks(path: Path) -> dict[str, dict[str, float]]:
    """A table of other benchmarks: a row for each model, `model` and one column for each benchmark.

    Returns:
        Benchmark -> model -> score. Empty fields are left out.

    Raises:
        CibenchError: the file is missing or has no column `model`, or a model occurs twice, a line has too many fields,
            or a field is no number.
    """
    try:
        lines = list(csv.DictReader(path.read_text(encoding='utf-8-sig').splitlines()))
    except OSError as error:
        raise CibenchError(f'{path}: {error.strerror}') from error
    except (UnicodeDecodeError, csv.Error) as error:
        raise CibenchError(f'{path}: {error}') from error
    if not lines or 'model' not in lines[0]:
        raise CibenchError(f'{path}: no column `model`; the first line names the columns: model,GSM8K,HumanEval')
    found: dict[str, dict[str, float]] = {}
    seen: set[str] = set()
    for number, line in enumerate(lines, 2):
        place, model = f'{path}, line {number}', line.pop('model') or ''
        if None in line:
            raise CibenchError(f'{place}: more fields than columns; decimals are written with a point')
        if model.casefold() in seen:
            raise CibenchError(f'{place}: {model} is there already; keep one line a model')
        seen.add(model.casefold())
        for name, text in line.items():
            if text:
                found.setdefault(name, {})[model] = _number(text, f'{place}: {name}')
    return found


def _number(text: str, place: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise CibenchError(f'{place} is {text!r}, not a number; leave the field empty where there is none')
    return value


def benchmarks(study: StudiedRuns) -> Analysis:
    """Pearson's and Spearman's correlation with other benchmarks (paper, §3.4)."""
    if not study.benchmarks:
        raise LackingError('no other benchmark: name a table with --benchmarks FILE.csv')
    averaged = [row for row in study.rows if row.average is not None]
    pairs = {
        f'{split}: {name}': both
        for split, rows in grouped(averaged, lambda row: row.split).items()
        for name, scores in study.benchmarks.items()
        if len(both := _common(rows, scores)) >= ENOUGH
    }
    if not pairs:
        raise LackingError(f'no other benchmark has {ENOUGH} models with an average of the same split')
    lines = [_line(*pair) for pair in pairs.items()]
    table = Table('Other benchmarks', ['', 'Pearson', 'Spearman', 'models'], lines, NOTE + _unknown(study))
    return Analysis(table, partial(_draw, pairs))


def _unknown(study: StudiedRuns) -> str:
    """A note on models of the file that have no row, perhaps by a typing error."""
    known = {row.model.casefold() for row in study.rows}
    named = dict.fromkeys(model for scores in study.benchmarks.values() for model in scores)
    unknown = [model for model in named if model.casefold() not in known]
    return f' Not among the models here: {", ".join(unknown)}.' if unknown else ''


def _common(rows: Sequence[Row], scores: Mapping[str, float]) -> list[tuple[float, float]]:
    """Average and score of each model that both have, whatever the case of its name."""
    known = {name.casefold(): score for name, score in scores.items()}
    return [(row.average or 0.0, known[row.model.casefold()]) for row in rows if row.model.casefold() in known]


def _line(name: str, both: Sequence[tuple[float, float]]) -> list[Cell]:
    columns = np.array([one for one, _ in both]), np.array([other for _, other in both])
    models = [str(number) for number in range(len(both))]
    cells = [correlation(estimate(one, columns, models), len(both)) for one in (pearson, spearman)]
    return [Cell(name), *cells, Cell(str(len(both)))]


def _draw(pairs: Mapping[str, list[tuple[float, float]]], axes: Any) -> None:
    scattered(axes, pairs, ('average of the split, in %', 'score in the other benchmark'), s=24)
    axes.grid(alpha=0.3)


MEASURES_NOTE = (
    'Of each measure the mean × 100 over the steps that all of them have, and how far two of them go together: '
    'correlations, and Krippendorff’s α, which asks for the same values; 95 % intervals by experiments. There, replays '
    'of gold do not count. `official` is SSIM, `strict` what the plots show; others are judges.'
)


def measures(study: StudiedRuns) -> Analysis:
    """Scores of figures by several measures, step by step (paper, §4.2)."""
    names = list(dict.fromkeys(name for one in study.figures for name in one.values))
    pairs = [pair for pair in combinations(names, 2) if any({*pair} <= one.values.keys() for one in study.figures)]
    if not pairs:
        raise LackingError('figures have one measure: score the run by the other profile, or let a model judge it')
    lacking = study.partial
    lines = [
        [
            Cell(starred(f'{level.model}: {name}', whole=level.model not in lacking)),
            Cell(f'{mean:.1f}'),
            *UNKNOWN,
            Cell(str(level.steps)),
        ]
        for level in levels(study.figures, names)
        for name, mean in level.means.items()
    ]
    of_models = [one for one in study.figures if one.model not in study.replays]  # gold is right by construction
    found = {(one.a, one.b): one for one in agreements(of_models, names)}
    lines += [[Cell(' and '.join(pair)), Cell('–'), *_together(found.get(pair))] for pair in pairs]
    table = Table('Measures of figures', ['', 'Mean', 'Pearson', 'Spearman', 'α', 'n'], lines, MEASURES_NOTE)
    return Analysis(table, partial(_draw_measures, pairs, list(study.figures)))


def _together(one: Agreement | None) -> list[Cell]:
    if one is None:
        return [*UNKNOWN, Cell('0')]
    both = (correlation(each, one.experiments) for each in (one.pearson, one.spearman, one.alpha))
    return [*both, Cell(str(one.steps))]


def _draw_measures(pairs: Sequence[tuple[str, str]], figures: Sequence[MeasuredStep], axes: Any) -> None:
    """Draw steps by the first and the second measure of each pair; equal values lie on the diagonal."""
    axes.plot([0, 1], [0, 1], color='#999999', linewidth=0.8)
    both = {
        f'{first} → {second}': [
            (one.values[first], one.values[second]) for one in figures if {first, second} <= one.values.keys()
        ]
        for first, second in pairs
    }
    scattered(axes, both, ('score of a step by the first measure, 0 to 1', 'by the second, 0 to 1'), s=18, alpha=0.6)
