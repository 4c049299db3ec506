"""What a run folder holds, by the newest config in it: the datasets of each model, their traces and results."""

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

from cibench_eval.analysis.results import Results
from cibench_eval.config.recorded import recorded_run
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.evaluators.judges.store import VerdictStore, verdicts_by_step
from cibench_eval.reports.rows import NOT_SCORED, UNFINISHED, DatasetResult, gaps_of, names_of
from cibench_eval.reports.sessions import SessionView
from cibench_eval.run.scoring import has_lost_traces
from cibench_eval.run.summarizer import read_results, run_results
from cibench_eval.run_paths import RESCORED, RESULTS, results_folder
from cibench_eval.schema import MEND, CibenchError, Experiment
from cibench_eval.terminal import Log

logger = logging.getLogger(__name__)


class RecordedDataset(SessionTask):
    """A task of a run whose sessions have been run, as their files tell."""

    def has_traces(self) -> bool:
        """Whether there is a traces file. A missing one is named in the log, as an error."""
        if self.traces.path.exists():
            return True
        if has_lost_traces(self.files.predictions):
            logger.error('%s: gone; %s', self.traces.path, MEND)
        return False

    @property
    def verdicts(self) -> VerdictStore:
        """The verdicts of judges (`cibench judge`)."""
        return VerdictStore(self.files.verdicts)

    def results(self, scored: str | None = None) -> Results | None:
        """The scores of the run's own profile, or of the folder `scored`; None if it is not scored.

        Those that cannot be used are named in the log, as an error, and are None, too.
        """
        try:
            return read_results(self, scored)
        except CibenchError as error:
            logger.error('%s: not scored: %s', self.name, error)
            return None

    def views(
        self, offsets: Iterable[int] | None = None, gold: Mapping[str, Experiment] | None = None, *, whole: bool = False
    ) -> Iterator[SessionView]:
        """Finished sessions with the scores of the run's own profile, one by one.

        Damaged figures are named in the log, as errors; the sessions that have them are shown all the same, unless only
        `whole` ones are wanted.

        Args:
            offsets: of their lines in the traces; None for all.
            gold: by experiment, where it is wanted.
        """
        results, said, store = self.results(), verdicts_by_step(self.verdicts), self.traces
        for trace in store.read(store.index().values() if offsets is None else offsets):
            name = trace.experiment
            if store.is_whole(trace) or not whole:
                yield SessionView(trace, store.figures, results, (gold or {}).get(name), said.get(name))

    def golds(self, log: Log = lambda line: None) -> dict[str, Experiment]:
        """The gold by experiment; none, and a line in the log, where the set is gone: what was recorded is there."""
        try:
            return {one.id: one for one in self.experiments}
        except CibenchError as error:
            log(f'{self.dataset_name}: gold is not shown: {error}')
            return {}


def recorded_datasets(run: Path) -> list[RecordedDataset]:
    """The datasets of a run that have finished sessions; a `CibenchError` where there are none, or it is no run."""
    tasks = recorded_run(run).tasks
    found = [RecordedDataset(**{one.name: getattr(task, one.name) for one in fields(task)}) for task in tasks]
    found = [one for one in found if one.has_traces()]
    if not found:
        raise CibenchError(
            f'{run}: no finished sessions in predictions/; go on with the run: the same words and -r {run.name}'
        )
    return found


def rescored_folders(run: Path) -> list[str]:
    """The folders of a run with results of other profiles (`cibench score RUN --profile NAME`)."""
    return [results_folder(path.parent.name) for path in sorted((run / RESCORED).glob(f'*/{RESULTS}'))]


def results_of(run: Path, scored: str | None = None, model: str | None = None) -> list[DatasetResult]:
    """The results of every model, or one, on every dataset of a run, from which its tables are made.

    What is not scored, and which sessions are not finished, is named in the log, as errors.

    Args:
        scored: one of `rescored_folders`; None is the run's own scores.
        model: None is all.
    """
    found = [one for one in run_results(recorded_run(run), scored) if model in (None, one.model)]
    for line in gaps_of(found):
        logger.error('%s', line)
    return found


def say_unfinished(datasets: Iterable[RecordedDataset]) -> None:
    """Warn of the sessions that are not finished, also where nothing is scored yet."""
    for one in datasets:
        results, there = one.results(), one.traces.index()
        if lost := [name for name in (results.harness_errors if results else one.golds()) if name not in there]:
            logger.warning('%s: %s: %s', one.name, UNFINISHED, ', '.join(lost))


def say_absent(tasks: Iterable[SessionTask]) -> None:
    """Warn of the tasks of a run that have no sessions yet."""
    absent = [one for one in tasks if not (one.traces.path.exists() or has_lost_traces(one.files.predictions))]
    if names := [*names_of((one.model_name, one.base, one.dataset_name) for one in absent)]:
        logger.warning('%s: %s: no sessions filed yet', absent[0].run, ', '.join(names))


def run_names(runs: Sequence[Path]) -> dict[Path, str]:
    """Run -> the name of its folder, after as many of those above it as tell the runs apart.

    Two runs that began in the same second have folders of one name.
    """
    parts = {run: run.absolute().parts for run in runs}
    for number in range(1, max(map(len, parts.values()), default=1)):
        names = {run: '/'.join(those[-number:]) for run, those in parts.items()}
        if len(set(names.values())) == len(parts):
            return names
    return {run: str(run) for run in runs}


def labels_of(runs: Sequence[Path]) -> dict[tuple[Path, str], str]:
    """Run and model -> the model's label among several runs; it names the run if labels would be equal.

    Raises:
        CibenchError: a run is named twice.
    """
    for run, number in Counter(run.absolute() for run in runs).items():
        if number > 1:
            raise CibenchError(f'{run}: named twice; name each run once')
    models = {run: dict.fromkeys(task.model_name for task in recorded_run(run).tasks) for run in runs}
    times, called = Counter(name for names in models.values() for name in names), run_names(runs)
    return {
        (run, name): f'{name} ({called[run]})' if times[name] > 1 else name
        for run, names in models.items()
        for name in names
    }


def scored_results(runs: Sequence[Path]) -> list[DatasetResult]:
    """The results of all scored models of several runs, under the labels of `labels_of`.

    Raises:
        CibenchError: none of them is scored.
    """
    labels = labels_of(runs)
    everything = [replace(one, model=labels[run, one.model]) for run in runs for one in results_of(run)]
    scored = {one.model for one in everything if one.results}
    if not scored:
        why = '; '.join(dict.fromkeys(one.problem for one in everything if one.problem))
        raise CibenchError(f'{", ".join(map(str, runs))}: nothing is scored; {why or NOT_SCORED}')
    return [one for one in everything if one.model in scored]
