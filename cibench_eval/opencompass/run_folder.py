"""What a run folder holds, by the newest config in it: the datasets of each model, their traces and results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.evaluators.judges.store import VerdictStore, verdicts_by_step
from cibench_eval.models.limits import Price
from cibench_eval.opencompass.build import build_dataset
from cibench_eval.opencompass.configs import last_written, read
from cibench_eval.opencompass.partitioner import epoch_of, expand
from cibench_eval.opencompass.rescore import KEPT
from cibench_eval.opencompass.summarizer import dataset_results, mode_of, split_of
from cibench_eval.opencompass.tasks import results_folder
from cibench_eval.reports.rows import DatasetResult
from cibench_eval.reports.sessions import SessionView
from cibench_eval.schema import CibenchError, Experiment, Mode
from cibench_eval.traces import TraceStore


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
        path = self.run / (scored or results_folder(self.config)) / self.model / f'{self.name}.json'
        return Results.read(path) if path.exists() else None

    def views(
        self, offsets: Iterable[int] | None = None, gold: Mapping[str, Experiment] | None = None
    ) -> Iterator[SessionView]:
        """Finished sessions with the scores of the run's own profile, one by one.

        Args:
            offsets: of their lines in the traces; None for all.
            gold: by experiment, where it is wanted.
        """
        results, said, store = self.results(), verdicts_by_step(self.verdicts), self.traces
        for trace in store.read(store.index().values() if offsets is None else offsets):
            name = trace.experiment
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
    found = [dataset for dataset in _configured(run) if dataset.traces.path.exists()]
    if not found:
        raise CibenchError(f'{run}: no finished sessions in predictions/; run them first')
    return found


def rescored_folders(run: Path) -> list[str]:
    """Where a run folder has results of other profiles (`cibench score RUN --profile NAME`)."""
    return [f'{KEPT}/{path.parent.name}/results' for path in sorted((run / KEPT).glob('*/results'))]


def results_of(run: Path, scored: str | None = None) -> list[DatasetResult]:
    """What every model got on every dataset that the run was to have: what its tables are made of.

    Args:
        run: its folder.
        scored: one of `rescored_folders`; None is the run's own scores.
    """
    return dataset_results(expand(read(last_written(run))), run, scored)


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
    """What every model got in several runs, by the names of `labels_of`.

    Raises:
        CibenchError: none of them is scored.
    """
    labels = labels_of(runs)
    found = [replace(one, model=labels[run, one.model]) for run in runs for one in results_of(run) if one.results]
    if not found:
        raise CibenchError(f'{", ".join(map(str, runs))}: nothing is scored; run cibench score RUN')
    return found


def _configured(run: Path) -> Iterator[RecordedDataset]:
    for pair in expand(read(last_written(run)))['model_dataset_combinations']:
        for model in pair['models']:
            for dataset in pair['datasets']:
                yield RecordedDataset(run, model['abbr'], dataset, Price(**(model.get('price') or {})))
