"""What a run folder holds, by the newest config in it: the datasets of each model, their traces and results."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.evaluators.judges.store import VerdictStore, verdicts_by_step
from cibench_eval.models.limits import Price
from cibench_eval.opencompass.build import build_dataset
from cibench_eval.opencompass.partitioner import epoch_of, expand
from cibench_eval.opencompass.recorded import recorded
from cibench_eval.opencompass.rescore import KEPT
from cibench_eval.opencompass.summarizer import dataset_results, mode_of, read_results, split_of
from cibench_eval.opencompass.tasks import has_lost_traces
from cibench_eval.reports.rows import DatasetResult, gaps_of
from cibench_eval.reports.sessions import SessionView
from cibench_eval.schema import MEND, CibenchError, Experiment, Mode
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class RecordedDataset:
    """One model on one dataset (and epoch) of a run."""

    run: Path
    model: str
    config: Any
    """The dataset's."""
    price: Price
    """What the model's config says that tokens cost."""

    @property
    def name(self) -> str:
        """Of its files, with that of the epoch: `demo`, `demo@2`."""
        return str(self.config['abbr'])

    @property
    def base(self) -> str:
        """Of the dataset without its epoch: epochs have the same notebooks."""
        return self.name if self.epoch == 1 else self.name.rpartition('@')[0]

    @property
    def traces(self) -> TraceStore:
        return TraceStore(self.run / 'predictions' / self.model / f'{self.name}.traces.jsonl')

    def has_traces(self) -> bool:
        """Whether there is a file of them. One that is gone is named in the log, as an error."""
        path = self.traces.path
        if path.exists():
            return True
        if has_lost_traces(path.with_name(f'{path.name.removesuffix(".traces.jsonl")}.json')):
            logger.error('%s: gone; %s', path, MEND)
        return False

    @property
    def verdicts(self) -> VerdictStore:
        """What judges have said (`cibench judge`)."""
        return VerdictStore(self.run / 'results' / self.model / f'{self.name}.judge.jsonl')

    @property
    def epoch(self) -> int:
        return epoch_of(self.config)

    @property
    def split(self) -> str:
        return split_of(self.config)

    @property
    def mode(self) -> Mode:
        return mode_of(self.config)

    def results(self, scored: str | None = None) -> Results | None:
        """The scores of the run's own profile, or those in the folder `scored`; None where it is not scored."""
        return read_results(self.run, self.model, self.config, scored)

    def views(
        self, offsets: Iterable[int] | None = None, gold: Mapping[str, Experiment] | None = None
    ) -> Iterator[SessionView]:
        """Finished sessions with the scores of the run's own profile, one by one.

        Damaged figures are named in the log, as errors; the sessions that have them are shown all the same.

        Args:
            offsets: of their lines in the traces; None for all.
            gold: by experiment, where it is wanted.
        """
        results, said, store = self.results(), verdicts_by_step(self.verdicts), self.traces
        for trace in store.read(store.index().values() if offsets is None else offsets):
            name = trace.experiment
            store.is_whole(trace)
            yield SessionView.of(trace, store.figures, results, (gold or {}).get(name), said.get(name))

    def experiments(self) -> list[Experiment]:
        """The gold notebooks.

        Raises:
            CibenchError: they are gone.
        """
        found: list[Experiment] = build_dataset(self.config).experiments
        return found


def recorded_datasets(run: Path) -> list[RecordedDataset]:
    """Those that have finished sessions.

    Raises:
        CibenchError: it is no run folder, or has no sessions.
    """
    found = [dataset for dataset in _configured(run) if dataset.has_traces()]
    if not found:
        raise CibenchError(f'{run}: no finished sessions in predictions/; run them first')
    return found


def rescored_folders(run: Path) -> list[str]:
    """Where a run folder has results of other profiles (`cibench score RUN --profile NAME`)."""
    return [f'{KEPT}/{path.parent.name}/results' for path in sorted((run / KEPT).glob('*/results'))]


def results_of(run: Path, scored: str | None = None, model: str | None = None) -> list[DatasetResult]:
    """What every model, or one, got on every dataset that the run was to have: what its tables are made of.

    What cannot be read, and which sessions are lost, is named in the log, as errors.

    Args:
        run: its folder.
        scored: one of `rescored_folders`; None is the run's own scores.
        model: None is all.
    """
    found = [one for one in dataset_results(expand(recorded(run)), run, scored) if model in (None, one.model)]
    _say_gaps(one for one in found if one.results or one.problem)
    return found


def _say_gaps(results: Iterable[DatasetResult]) -> None:
    for line in gaps_of(results):
        logger.error('%s', line)


def labels_of(runs: Sequence[Path]) -> dict[tuple[Path, str], str]:
    """Run and model -> what the model is called among several runs: by its run, too, where another one has its name."""
    models = {run: list(dict.fromkeys(one.model for one in results_of(run))) for run in runs}
    times = Counter(name for names in models.values() for name in names)
    return {
        (run, name): f'{name} ({run.name})' if times[name] > 1 else name
        for run, names in models.items()
        for name in names
    }


def scored_results(runs: Sequence[Path]) -> list[DatasetResult]:
    """What every model got in several runs, by the names of `labels_of`, of those models that have any scores.

    What is not scored is named in the log, as an error.

    Raises:
        CibenchError: none of them is scored.
    """
    labels = labels_of(runs)
    everything = [replace(one, model=labels[run, one.model]) for run in runs for one in results_of(run)]
    scored = {one.model for one in everything if one.results}
    if not scored:
        why = '; '.join(dict.fromkeys(one.problem for one in everything if one.problem))
        raise CibenchError(f'{", ".join(map(str, runs))}: nothing is scored; {why or "run cibench score RUN"}')
    _say_gaps(one for one in everything if not one.results)
    return [one for one in everything if one.model in scored]


def _configured(run: Path) -> Iterator[RecordedDataset]:
    for pair in expand(recorded(run))['model_dataset_combinations']:
        for model in pair['models']:
            for dataset in pair['datasets']:
                yield RecordedDataset(run, model['abbr'], dataset, Price(**(model.get('price') or {})))
