"""Paired differences: what the gold of earlier steps is worth, and a split against its Chinese twin."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from cibench_eval.analysis.comparison import compare
from cibench_eval.analysis.results import WHOLE
from cibench_eval.evaluators.metrics import metric
from cibench_eval.grouping import grouped
from cibench_eval.reports.analyses.drawing import points
from cibench_eval.reports.analyses.study import Analysis, LackingError, StudiedRuns
from cibench_eval.reports.comparison import ALONE, RIGHT, Difference, PairOfRuns, difference_table, measures
from cibench_eval.reports.layout import Cell, Table, signed, starred
from cibench_eval.reports.rows import PUBLISHED, Row, scores_in
from cibench_eval.reports.scores import MODES, Bounds, Score

NOTE = (
    "Oracle less end-to-end, in points of 100. A model's own interval is by experiments, its steps paired; that of a "
    'mean is by models. Replays of gold are not in the mean, for they have nothing to gain.'
)


def oracle_gain(study: StudiedRuns) -> Analysis:
    """The points that a model gains in oracle mode (paper, §4.2)."""
    gains = {(row.split, row.model): found for row in study.rows if (found := _gains(study, row))}
    if not gains:
        raise LackingError('no model has both modes')
    labels = {(row.split, row.model): row.label for row in study.rows}
    names = [metric(name).short for name in PUBLISHED]
    splits = grouped(gains, lambda key: key[0])
    body: list[list[Cell]] = []
    series: dict[str, list[Score | None]] = {}
    for split, keys in splits.items():
        own = {model: [gains[split, model].get(name) for name in PUBLISHED] for _, model in keys}
        counted = [shares for model, shares in own.items() if model not in study.replays]
        body += [[Cell(split)]] if len(splits) > 1 else []
        body += [[Cell(labels[split, model]), *map(_cell, shares)] for model, shares in own.items()]
        if len(counted) > 1:
            means = [_mean(shares) for shares in zip(*counted, strict=True)]
            body.append([Cell(f'mean of {len(counted)} models'), *map(_cell, means)])
            series[f'{split}, mean of {len(counted)}'] = means
        else:
            series |= {f'{labels[split, model]}, {split}': shares for model, shares in own.items()}
    table = Table('What the gold of earlier steps is worth', ['', *names], body, NOTE)
    draw = partial(points, names=names, series=series, label='points of 100 gained in oracle mode')
    return Analysis(table, draw, 3.0)


def _gains(study: StudiedRuns, row: Row) -> dict[str, Score]:
    """The gain of a row in each metric, with its interval if the steps of its runs are there."""
    scores = scores_in(row.results)
    own, gold = ([one.model_copy(update={'mode': MODES[0]}) for one in scores if one.mode == mode] for mode in MODES)
    if own and gold:
        found = [one for one in PairOfRuns({'': own}, {'': gold}).differences() if one.name in PUBLISHED]
        replayed = row.model in study.replays
        return {one.name: Score(one.b - one.a, one.steps, None if replayed else one.bounds) for one in found}
    pairs = {name: (row.score('end_to_end', name), row.score('oracle', name)) for name in PUBLISHED}
    return {name: Score(then.value - before.value) for name, (before, then) in pairs.items() if before and then}


def _mean(shares: Sequence[Score | None]) -> Score | None:
    """The mean over the models that have the metric; each model is one observation."""
    gains = [share.value / 100 for share in shares if share]
    if not gains:
        return None
    found = compare(gains, [0.0] * len(gains), range(len(gains))).difference
    return Score(100 * found.mean, len(gains), Bounds.of(found))


def _cell(share: Score | None) -> Cell:
    return Cell(signed(share.value), share.bounds) if share else Cell('–')


CHINESE = '_cn'
"""The end of the name of a Chinese split; the rest is the name of its twin."""
MEASURES = (RIGHT, WHOLE, 'numeric_correct', 'text_score', 'vis_sim')
LANGUAGE_NOTE = (
    'A: the split; B: its Chinese twin. B − A is paired step by step, on the experiments that both have; its 95 % '
    'interval and p-value are by experiments.' + ALONE
)


def language(study: StudiedRuns) -> Analysis:
    """Scores in Chinese against English (paper, §4.3)."""
    lacking = {(row.model, row.split.removesuffix(CHINESE)) for row in study.rows if row.label != row.model}
    found = [
        replace(one, split=starred(f'{model} {one.split}', whole=(model, one.split) not in lacking))
        for model in dict.fromkeys(row.model for row in study.rows)
        for one in _of(study, model)
    ]
    if not found:
        raise LackingError(f'no model has a split and its Chinese twin (…{CHINESE})')
    table = replace(difference_table(found, 'Chinese against English'), note=LANGUAGE_NOTE)
    return Analysis(table, partial(_draw_languages, found))


def _of(study: StudiedRuns, model: str) -> Iterator[Difference]:
    runs = {row.split: own for row in study.rows if row.model == model and (own := scores_in(row.results))}
    for split in runs:
        if split + CHINESE in runs:
            pair = PairOfRuns({split: runs[split]}, {split: runs[split + CHINESE]})
            found = [one for one in pair.differences() if one.name in MEASURES]
            yield from map(_without_interval, found) if model in study.replays else found


def _without_interval(one: Difference) -> Difference:
    """A difference without interval and p-value, for replays of gold, which are no samples."""
    unknown = one.comparison.difference.model_copy(update={'low': None, 'high': None, 'se': None})
    return replace(one, comparison=one.comparison.model_copy(update={'difference': unknown, 'p': None}))


def _draw_languages(found: list[Difference], axes: Any) -> None:
    shares = {(one.split, one.name): Score(one.points, one.steps, one.bounds) for one in found}
    names = [name for name in MEASURES if any(name == of for _, of in shares)]
    series = {who: [shares.get((who, name)) for name in names] for who in dict.fromkeys(who for who, _ in shares)}
    points(axes, [measures()[name] for name in names], series, 'Chinese less English, points of 100')
