"""A table of the figures that OpenCompass's `summary_groups` and `dataset_abbrs` of a summarizer's config name.

A group is a mean of datasets' figures, weighted if it has `weights` (by `dataset` or `dataset@metric`). A weight of 0
leaves a figure out; a group with a missing figure has no value. A group of names alone is the mean of each one's first
metric, and has the mean of every metric that all of them have, too. Our own tables weigh by the steps that they count
and need no groups; these are for users who have such configs.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, ValidationError

from cibench_eval.analysis.steps import table_of
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.reports.layout import Cell, Table, starred
from cibench_eval.reports.rows import DatasetResult, scores_in
from cibench_eval.reports.scores import Score
from cibench_eval.schema import CibenchError, Record, problem, some_of

TITLE = 'Figures that the config names'
LAST = 'tool_rate'
"""The last metric of a result of OpenCompass; its first one is `executable`."""
Figures = Mapping[str, Mapping[str, float]]
"""Dataset or group -> metric -> its figure × 100."""


def _pair(item: Any) -> Any:
    """A pair of dataset and metric; a name alone means the first metric of the dataset."""
    return (item, '') if isinstance(item, str) else item


Subset = Annotated[tuple[str, str], BeforeValidator(_pair)]
"""Dataset (or group) and metric; an empty metric means its first one."""


class SummaryGroup(Record):
    """One entry of `summary_groups`."""

    name: str
    subsets: list[Subset] = Field(min_length=1)
    weights: dict[str, float] = Field(default_factory=dict)
    metric: str = ''
    """The name of its figure; by default the name that OpenCompass gives it."""

    @property
    def figure_name(self) -> str:
        return self.metric or ('weighted_average' if self.weights else 'naive_average')


def read_groups(groups: Iterable[Any]) -> list[SummaryGroup]:
    """The groups of a config; a `CibenchError` where a group is malformed."""
    found = []
    for number, group in enumerate(groups):
        try:
            found.append(SummaryGroup.model_validate(group))
        except ValidationError as error:
            raise CibenchError(f'summarizer: summary_groups[{number}]: {problem(error)}') from error
    return found


def named_figures(
    results: Sequence[DatasetResult], groups: Sequence[SummaryGroup], wanted: Sequence[Subset] | None
) -> Table:
    """The table of all groups, or of the names and headings in `wanted` (`dataset_abbrs`), in their order."""
    models = list(dict.fromkeys(result.model for result in results))
    figures = {model: _with_groups(_of_datasets(model, results), groups) for model in models}
    rows = wanted if wanted is not None else [(group.name, '') for group in groups]
    lacking = {one.base for one in results if not one.results or one.results.harness_errors or one.problem}
    for group in groups:
        if any(name in lacking for name, _ in group.subsets):
            lacking.add(group.name)
    lines = [
        _line(name, metric, [figures[model] for model in models], whole=name not in lacking) for name, metric in rows
    ]
    empty = [name for (name, _), (_, *cells) in zip(rows, lines, strict=True) if {*cells} == {Cell.of(None)}]
    absent = _parts(empty, groups) - {'', *(result.base for result in results), *(group.name for group in groups)}
    note = f'–: the run has no dataset {some_of(sorted(absent))}' if absent else ''
    return Table(TITLE, ['Name', *models], lines, note)


def _parts(names: Iterable[str], groups: Sequence[SummaryGroup]) -> set[str]:
    """The datasets of which the figures of datasets and groups are made."""
    found: dict[str, set[str]] = {}
    for group in groups:
        weighed = {key.partition('@')[0] for key, weight in group.weights.items() if weight}
        counted = [name for name, _ in group.subsets if not weighed or name in weighed]
        found[group.name] = {part for name in counted for part in found.get(name, {name})}
    return {part for name in names for part in found.get(name, {name})}


def read_wanted(items: Iterable[Any] | None) -> list[Subset] | None:
    """`dataset_abbrs` of a config: names, or pairs of a name and a metric."""
    return None if items is None else [(item, '') if isinstance(item, str) else (item[0], item[1]) for item in items]


def _line(name: str, metric: str, figures: list[Figures], *, whole: bool) -> list[Cell]:
    if name.startswith(('#', '-')) and not any(name in one for one in figures):
        return [Cell(name.strip('#- '))]  # a heading
    values = [_value(one, name, metric) for one in figures]
    shown = starred(f'{name} {metric}'.strip(), whole=whole)
    return [Cell(shown), *(Cell.of(None if value is None else Score(value)) for value in values)]


def _value(figures: Figures, name: str, metric: str) -> float | None:
    known = figures.get(name, {})
    return known.get(metric) if metric else next(iter(known.values()), None)


def _of_datasets(model: str, results: Sequence[DatasetResult]) -> dict[str, dict[str, float]]:
    """The figures of a model's datasets; epochs are averaged in each step."""
    found: dict[str, dict[str, float]] = {}
    for name in dict.fromkeys(result.base for result in results if result.model == model):
        table = table_of(scores_in(result for result in results if result.model == model and result.base == name))
        names = sorted((metric.name for metric in known_metrics()), key=LAST.__eq__)
        parts = {name: table.only(metrics=[name]) for name in names}
        found[name] = {metric: 100 * part.mean for metric, part in parts.items() if part.cells}
    return found


def _with_groups(figures: dict[str, dict[str, float]], groups: Sequence[SummaryGroup]) -> Figures:
    """The figures of datasets and of groups, which may contain groups that stand before them."""
    for group in groups:
        wanted = {group.figure_name: group.subsets}
        if not any(metric for _, metric in group.subsets):
            every = [figures.get(name, {}) for name, _ in group.subsets]
            common = [metric for metric in every[0] if metric not in wanted and all(metric in one for one in every)]
            wanted |= {metric: [(name, metric) for name, _ in group.subsets] for metric in common}
        for metric, subsets in wanted.items():
            value = _mean(subsets, group.weights, figures)
            if value is not None:
                figures.setdefault(group.name, {})[metric] = value
    return figures


def _mean(subsets: Sequence[Subset], by: Mapping[str, float], figures: Figures) -> float | None:
    total, weights = 0.0, 0.0
    for name, metric in subsets:
        named = metric or next(iter(figures.get(name, {})), '')
        weight = by.get(f'{name}@{named}', by.get(name, 0.0)) if by else 1.0
        value = _value(figures, name, metric)
        if weight and value is None:
            return None
        total += weight * (value or 0.0)
        weights += weight
    return total / weights if weights else None
