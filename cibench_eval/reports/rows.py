"""Results of datasets -> rows of tables: one row for each model and split, with its parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

from cibench_eval.analysis.results import WHOLE, Results
from cibench_eval.analysis.steps import StepTable, placed, sessions_of, table_of
from cibench_eval.datasets.libraries import CATEGORIES, category_of, library_of
from cibench_eval.evaluators import find_profile
from cibench_eval.evaluators.metrics import METRICS
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Usage
from cibench_eval.reports.layout import starred
from cibench_eval.reports.published import published_lines
from cibench_eval.reports.scores import (
    AVERAGE,
    AVERAGED,
    MODES,
    Pass,
    Score,
    key_of,
    passes_of_runs,
    ranks_of,
    scores_of,
    whole_sessions,
)
from cibench_eval.run_paths import without_epoch
from cibench_eval.schema import SET_VERSION, Mode, StepOutcome, StepScore

Key = TypeVar('Key')
PUBLISHED = tuple(metric.name for metric in METRICS if metric.published)
"""The metrics in the paper's Table 3 (arXiv 2407.10499), in its order."""
COLUMNS = tuple((mode, metric) for mode in MODES for metric in PUBLISHED)
NOT_SCORED = 'no results: go on with the run (-r), or, if all sessions are filed, cibench score RUN'
UNFINISHED = (
    'left out, because not finished (running, stopped, damaged, or failed by a fault of the harness); go on with -r'
)


def gaps_of(results: Iterable[DatasetResult]) -> list[str]:
    """A line for each cause for which models are not scored on datasets or have unfinished sessions."""
    causes: dict[str, list[DatasetResult]] = {}
    for one in results:
        if one.results is None or one.problem:
            causes.setdefault(f'not scored: {one.problem or NOT_SCORED}', []).append(one)
        elif lost := one.results.harness_errors:
            causes.setdefault(f'{UNFINISHED}: {", ".join(lost)}', []).append(one)
    return [
        f'{", ".join(names_of((one.model, one.base, one.dataset) for one in those))}: {cause}'
        for cause, those in causes.items()
    ]


def names_of(datasets: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    """`model/dataset` of each model, dataset without its epoch, and with it; epochs of one are named together."""
    for (model, base), those in grouped(datasets, lambda one: one[:2]).items():
        yield f'{model}/{base} in {len(those)} epochs' if len(those) > 1 else f'{model}/{those[0][2]}'


@dataclass(frozen=True)
class DatasetResult:
    """The results of one model on one dataset in one mode and epoch."""

    model: str
    dataset: str
    """The name of its files, which includes the epoch: `demo`, `demo@2`."""
    split: str
    mode: Mode
    epoch: int = 1
    results: Results | None = None
    """None where there is no file of results, or it cannot be used."""
    replays_gold: bool = False
    """Whether the model answers with the gold code, so that its figures are no estimates."""
    problem: str = ''
    """Why the file of results cannot be used."""
    agent: str = ''
    prompt: str = ''
    """Whose words the agent's prompt has: the `default` ones, or others."""
    max_attempts: int | None = None
    limits: str = ''
    """The limits of its sessions."""

    @property
    def base(self) -> str:
        """The dataset's name without its epoch."""
        return without_epoch(self.dataset, self.epoch)


def scores_in(results: Iterable[DatasetResult]) -> list[StepScore]:
    """The scores of those that are scored."""
    return [score for one in results if one.results for score in placed(one.results.steps, one.mode, one.epoch)]


@dataclass(frozen=True)
class SplitPart:
    """The scores of one model on a part of a split: a library, or one of the paper's module categories."""

    name: str
    scores: dict[str, Score]
    libraries: tuple[SplitPart, ...] = ()
    """The libraries of a category that has several."""
    whole: bool = True
    """Whether no session of it is missing."""


@dataclass(frozen=True)
class Row:
    """One model on one split."""

    model: str
    split: str
    scores: dict[str, Score]
    """`<mode> <metric>`, `<mode> <metric>_ran`, WHOLE, `<mode> <WHOLE>` or AVERAGE -> score."""
    results: Sequence[DatasetResult] = ()
    """The results that it should have: one for each dataset, mode and epoch. Scores are means over epochs in each step;
    usage, outcomes and failures are sums."""
    parts: tuple[SplitPart, ...] = ()
    experiments: int = 0
    missing: dict[Mode, list[str]] = field(default_factory=dict)
    """Datasets of the model's run, or of another model of the split in its first epoch, of which it lacks all
    experiments, or some (`some of demo`)."""
    passes: dict[Pass, Score] = field(default_factory=dict)
    """Empty for a single epoch."""
    rank: str = ''
    """Possible ranks by the average, `2–4`; empty where there is nothing to rank, or scores are on several scales."""

    @cached_property
    def scored(self) -> list[tuple[DatasetResult, Results]]:
        """The datasets that have scores, with them."""
        return [(one, one.results) for one in self.results if one.results and one.results.steps]

    @cached_property
    def by_mode(self) -> dict[Mode, list[Results]]:
        """The results that have scores, of the modes that have some."""
        runs = {mode: [results for one, results in self.scored if one.mode == mode] for mode in MODES}
        return {mode: those for mode, those in runs.items() if those}

    @cached_property
    def stated(self) -> dict[str, list[str]]:
        """How its scores came about: each condition, named as in the CSV, with all its values.

        `options` of the profile are those that are not its defaults (`tolerance=0.5`). `set_version` is empty where no
        session states one; beside others, a session that states none is of 1.
        """
        versions = self._recorded(SET_VERSION, '')
        found: dict[str, set[Any]] = {
            'profile': {results.profile for _, results in self.scored},
            'options': {option for _, results in self.scored for option in _options(results)},
            'environment': self._recorded('environment'),
            'sandbox': self._recorded('sandbox'),
            'set_version': {version or '1' for version in versions} if any(versions) else set(),
            'scored_by': {results.scorer for _, results in self.scored},
            'agent': {one.agent for one, _ in self.scored},
            'prompt': {one.prompt for one, _ in self.scored},
            'max_attempts': {one.max_attempts for one, _ in self.scored},
            'limits': {one.limits for one, _ in self.scored},
        }
        return {name: [str(value) for value in sorted(filter(None, values))] for name, values in found.items()}

    def _recorded(self, key: str, *unknown: str) -> set[str]:
        """What its sessions record under a key, and `unknown` for those that do not."""
        return {value for _, results in self.scored for value in results.provenance.get(key) or unknown}

    @property
    def scales(self) -> list[str]:
        """Each profile of its datasets with the options of `stated`."""
        return sorted({', '.join([results.profile, *_options(results)]) for _, results in self.scored})

    @property
    def epochs(self) -> int:
        """Planned runs of each session."""
        return max((one.epoch for one in self.results), default=1)

    @property
    def problems(self) -> list[str]:
        """Why results of some datasets cannot be used."""
        return [one.problem for one in self.results if one.problem]

    @property
    def harness_errors(self) -> int:
        """Its unfinished sessions."""
        return sum(len(one.results.harness_errors) for one in self.results if one.results)

    @property
    def usage(self) -> Usage:
        return sum((results.usage for _, results in self.scored), Usage())

    @property
    def outcomes(self) -> dict[Mode, Counter[StepOutcome]]:
        """How its steps ended."""
        return {
            mode: Counter(step.outcome for results in those for step in results.steps if step.outcome)
            for mode, those in self.by_mode.items()
        }

    @property
    def average(self) -> float | None:
        """Mean of numeric, text and visual score over both modes: the leaderboard's own formula.

        It reproduces the published Average of all 24 models (`published/cibench_leaderboard.csv`). None where one of
        the six scores is missing or covers only a part of the split.
        """
        score = self.scores.get(AVERAGE)
        return score.value if score else None

    @property
    def whole(self) -> bool:
        """Whether each dataset has results and no session is left out."""
        return not self.missing and not self.harness_errors and not self.problems

    @property
    def label(self) -> str:
        """The name of the model in tables."""
        return starred(self.model, whole=self.whole or not self.scores)

    @property
    def steps(self) -> int:
        """The number of steps of the split in one mode."""
        return max((score.steps for mode in MODES if (score := self.score(mode, 'tool_rate'))), default=0)

    def score(self, mode: Mode, metric: str) -> Score | None:
        """The score of a metric, if there is one."""
        return self.scores.get(key_of(mode, metric))

    @property
    def replays_gold(self) -> bool:
        """Whether replies are the gold code, so that figures are no estimates."""
        return any(one.replays_gold for one in self.results)

    def with_bounds(self, scores: dict[Key, Score]) -> dict[Key, Score]:
        """The scores, without intervals where the replies are replays of the gold."""
        return {key: score._replace(bounds=None) for key, score in scores.items()} if self.replays_gold else scores


def aggregate(results: list[DatasetResult]) -> list[Row]:
    """One row for each model and split, by split in their given order, then by average. Rows without an average follow:
    first those that lack nothing, then the others, each by the share of whole sessions.

    The metric of a split is the mean over the steps of its datasets. A dataset without results is named in
    `Row.missing`; the row has no average if an experiment has no scores in any epoch.
    """
    rows = []
    for those in grouped(results, lambda result: result.split).values():
        models = grouped(those, lambda result: result.model)
        scores = {model: scores_in(own) for model, own in models.items()}
        tables = {model: table_of(own) for model, own in scores.items()}
        made = [_row(scores[model], tables[model], own, those) for model, own in models.items()]
        sure = [row for row in made if AVERAGE in row.scores and row.scores[AVERAGE].bounds]
        scales = {(one, set_) for row in sure for one in row.scales for set_ in row.stated['set_version'] or ['1']}
        ranks = ranks_of({row.model: tables[row.model] for row in sure}) if len(scales) == 1 else {}
        rows += sorted((replace(row, rank=ranks.get(row.model, '')) for row in made), key=_place)
    return rows


def published() -> list[Row]:
    """The leaderboard of CIBench as its authors published it: 24 models, scores without step counts."""
    rows = []
    for line in published_lines('cibench_leaderboard.csv'):
        model, *values = [*line.values()][:11]  # ten scores in the order of COLUMNS
        scores = {key_of(*column): Score(float(value)) for column, value in zip(COLUMNS, values, strict=True)}
        averaged = [scores[key_of(mode, name)].value for mode in MODES for name in AVERAGED]
        rows.append(Row(model, 'published', scores | {AVERAGE: Score(sum(averaged) / len(averaged))}))
    return rows


def _place(row: Row) -> tuple[bool, float, bool, float]:
    whole = row.scores.get(WHOLE)
    return row.average is None, -(row.average or 0.0), not row.whole, -(whole.value if whole else 0.0)


def _row(own: list[StepScore], table: StepTable, planned: list[DatasetResult], everyone: list[DatasetResult]) -> Row:
    """The row of a model, given its scores, the results that it should have, and those of all models on the split."""
    row = Row(planned[0].model, planned[0].split, {}, planned)
    wanted = [*planned, *(one for one in everyone if one.epoch == 1)]
    missing = _missing(row.scored, wanted)
    lost = {library_of(name) for one in planned if one.results for name in one.results.harness_errors}
    given_ran = any(find_profile(results.profile).given_ran for _, results in row.scored)
    scores = scores_of(table, given_ran=given_ran, average=not row.problems and _covers(row.scored, wanted))
    return replace(
        row,
        scores=row.with_bounds(scores | whole_sessions(own)),
        parts=_parts(row, own, everyone, None if missing or row.problems else lost),
        experiments=len(table.experiments),
        missing=missing,
        passes=row.with_bounds(passes_of_runs(own)) if row.epochs > 1 else {},
    )


def _options(results: Results) -> list[str]:
    defaults = find_profile(results.profile).defaults.model_dump()
    return [f'{name}={value:g}' for name, value in results.options.items() if value != defaults.get(name)]


def _parts(
    row: Row, scored: list[StepScore], everyone: list[DatasetResult], lacking: Collection[str] | None
) -> tuple[SplitPart, ...]:
    """The categories and libraries of a model's experiments, if those of the split are of several libraries.

    `lacking` names libraries with missing experiments; None means that any library may lack some.
    """
    libraries = {library_of(experiment) for _, experiment in sessions_of(scored)}
    if len({library_of(name) for one in everyone if one.results for name in _experiments(one.results)}) < 2:
        return ()

    def part(name: str, those: set[str], libraries: tuple[SplitPart, ...] = ()) -> SplitPart:
        own = [one for one in scored if library_of(one.experiment) in those]
        scores = row.with_bounds(scores_of(table_of(own), given_ran=False) | whole_sessions(own))
        return SplitPart(name, scores, libraries, whole=lacking is not None and those.isdisjoint(lacking))

    def category(name: str) -> SplitPart:
        there = [library for library in CATEGORIES[name] if library in libraries]
        parts = tuple(part(library, {library}) for library in there) if len(there) > 1 else ()
        return part(name, set(CATEGORIES[name]), parts)

    categories = [name for name in CATEGORIES if any(category_of(library) == name for library in libraries)]
    others = sorted(library for library in libraries if library and not category_of(library))
    return (*map(category, categories), *(part(other, {other}) for other in others))


def _missing(own: list[tuple[DatasetResult, Results]], planned: list[DatasetResult]) -> dict[Mode, list[str]]:
    """By mode, the datasets that a model lacks, or of which it has fewer experiments than other models."""
    there = {(result.mode, result.dataset): _experiments(results) for result, results in own}
    wanted: dict[tuple[Mode, str], set[str]] = {}
    for one in planned:
        wanted.setdefault((one.mode, one.dataset), set()).update(_experiments(one.results) if one.results else ())
    lacks = [key for key, experiments in wanted.items() if key not in there or experiments - there[key]]
    said = {key: f'some of {key[1]}' if key in there else key[1] for key in lacks}
    lists = {mode: [name for key, name in said.items() if key[0] == mode] for mode in MODES}
    return {mode: names for mode, names in lists.items() if names}


def _covers(own: list[tuple[DatasetResult, Results]], planned: list[DatasetResult]) -> bool:
    """Whether each planned session has scores in some epoch."""
    datasets = {(one.mode, one.base) for one, _ in own}
    there = {(one.mode, name) for one, results in own for name in results.of_experiment}
    wanted = {(one.mode, name) for one in planned if one.results for name in _experiments(one.results)}
    return wanted <= there and all((one.mode, one.base) in datasets for one in planned)


def _experiments(results: Results) -> set[str]:
    return {*results.of_experiment, *results.harness_errors}
