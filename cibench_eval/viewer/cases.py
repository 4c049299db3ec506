"""Runs -> cases: one experiment in one mode, with all its sessions side by side."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cibench_eval.analysis.results import Results
from cibench_eval.evaluators.judges.store import Verdict, verdicts_by_step
from cibench_eval.reports.sessions import SessionView
from cibench_eval.run.run_folder import RecordedDataset, labels_of, recorded_datasets, rescored_folders, run_names
from cibench_eval.schema import Experiment, Mode
from cibench_eval.terminal import Log

MOST_SESSIONS = 20
"""The largest number of sessions on a page; an experiment with more has several pages."""
NOT_OF_GOLD = ('abbr', 'split', 'infer_cfg', 'eval_cfg', 'reader_cfg')
"""Keys of a dataset's config that do not change its gold."""


@dataclass(frozen=True)
class ReportedRun:
    """A run folder, its name in the report, and model -> its label, which names the run if several have the model."""

    folder: Path
    name: str
    labels: Mapping[str, str]

    @cached_property
    def datasets(self) -> list[RecordedDataset]:
        return recorded_datasets(self.folder)

    @cached_property
    def scored(self) -> list[str | None]:
        """The folders of its scores: its own (None) first, then the folders of other profiles."""
        return [None, *rescored_folders(self.folder)]


def runs_of(folders: list[Path]) -> list[ReportedRun]:
    """Runs with short and distinct names; a `CibenchError` where a folder is named twice."""
    labels = labels_of(folders)
    return [
        ReportedRun(run, name, {model: label for (own, model), label in labels.items() if own == run})
        for run, name in run_names(folders).items()
    ]


@dataclass(frozen=True)
class ScoredDataset:
    """A dataset of a run with all its scores."""

    run: ReportedRun
    label: str
    """The model; it includes the name of the run if several runs have the model."""
    dataset: RecordedDataset
    gold: dict[str, Experiment]

    @cached_property
    def results(self) -> list[Results | None]:
        """The results by each profile, the run's own first; a single None if there are none."""
        found = [self.dataset.results(folder) for folder in self.run.scored]
        by_profile = {results.profile: results for results in reversed(found) if results}
        return [*reversed(by_profile.values())] or [None]

    @cached_property
    def verdicts(self) -> dict[str, dict[int, list[Verdict]]]:
        """Experiment -> step -> the verdicts of judges."""
        return verdicts_by_step(self.dataset.verdicts)


class FiledSession(NamedTuple):
    """A finished session, by its place in the traces."""

    source: ScoredDataset
    offset: int
    """The offset of its line."""

    @property
    def name(self) -> str:
        """A name that no other session of its case has."""
        epoch = self.source.dataset.epoch
        return self.source.label if epoch == 1 else f'{self.source.label}, epoch {epoch}'

    def views(self, experiment: str) -> list[SessionView]:
        """The session with its scores, once for each profile."""
        store = self.source.dataset.traces
        (trace,) = store.read([self.offset])
        store.is_whole(trace)  # logs what is damaged; the session is shown all the same
        gold = self.source.gold.get(experiment)
        said = self.source.verdicts.get(experiment)
        return [SessionView(trace, store.figures, results, gold, said) for results in self.source.results]


@dataclass(frozen=True)
class Case:
    """An experiment in one mode, with its sessions, or as many of them as a page may have."""

    split: str
    mode: Mode
    experiment: str
    sessions: list[FiledSession]


def cases_of(runs: list[ReportedRun], log: Log) -> list[Case]:
    """Each experiment of some runs in each mode: by dataset in the order of configs, then by name.

    Raises:
        CibenchError: a folder is no run, or has no finished session.
    """
    found: dict[tuple[str, Mode, str], list[FiledSession]] = defaultdict(list)
    for source in _sources(runs, log):
        dataset = source.dataset
        for experiment, offset in sorted(dataset.traces.index().items()):
            found[dataset.split, dataset.mode, experiment].append(FiledSession(source, offset))
    cases = []
    for key, sessions in found.items():
        sessions.sort(key=lambda session: session.source.dataset.epoch)  # so that models stand side by side
        starts = range(0, len(sessions), MOST_SESSIONS)
        cases += [Case(*key, sessions[start : start + MOST_SESSIONS]) for start in starts]
    return cases


def _sources(runs: list[ReportedRun], log: Log) -> Iterator[ScoredDataset]:
    """All datasets; each notebook of gold is read once."""
    golds = dict[str, dict[str, Experiment]]()
    for run in runs:
        for dataset in run.datasets:
            config = dataset.dataset.config.items()
            key = repr(sorted((name, value) for name, value in config if name not in NOT_OF_GOLD))
            if key not in golds:
                golds[key] = dataset.golds(log)
            yield ScoredDataset(run, run.labels[dataset.model_name], dataset, golds[key])
