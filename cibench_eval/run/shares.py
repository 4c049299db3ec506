"""Shares of a run: which sessions are cut into shares, and one file with the results of all shares."""

import logging
from collections.abc import Iterable, Iterator, Set

from cibench_eval.cluster.counting import Expected
from cibench_eval.cluster.cutting import Piece, seconds_a_step
from cibench_eval.cluster.parts import Done, finished, gather, set_damage_aside
from cibench_eval.config.session_tasks import Run, SessionTask
from cibench_eval.evaluators.predictions import file_sessions
from cibench_eval.models.metering import gather as gather_ledger
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
Taken = Set[tuple[str, str, str]]
"""Model, dataset and experiment of sessions that a job has."""


def missing_pieces(run: Run, taken: Taken) -> list[Piece]:
    """The unfinished sessions of a run, without those `taken`, each with its expected duration.

    Finished sessions of the same model tell how fast it is.
    """
    made: list[Piece] = []
    for name, tasks in run.by_model():
        first = tasks[0]
        there = finished(first.files.model_folder, [task.dataset_name for task in tasks])
        a_step = _measured(there.values()) or seconds_a_step([first.model.path, name])
        for task in tasks:
            for one in task.experiments:
                if one.id not in there[task.dataset_name] and (name, task.dataset_name, one.id) not in taken:
                    seconds = len(one.steps) * a_step / task.at_once
                    made.append(Piece(name, task.dataset_name, one.id, len(one.steps), seconds))
    return made


def gather_run(run: Run, alive: Taken = frozenset()) -> None:
    """Merge what shares have filed into one traces file a dataset, and write the predictions of whole datasets.

    Models of which jobs still have sessions (`alive`) are left for later.
    """
    for tasks in _idle_models(run, alive):
        gather(tasks[0].files.model_folder, [task.dataset_name for task in tasks])
        for task in tasks:
            _file_whole(task)
    if not alive:
        gather_ledger(run.tasks[0].files.usage)


def set_run_damage_aside(run: Run, alive: Taken = frozenset()) -> None:
    """Move damaged sessions aside so that they run again; `alive` as in `gather_run`."""
    for tasks in _idle_models(run, alive):
        set_damage_aside(task.traces for task in tasks)


def expected(run: Run, *, whole: bool = False) -> Iterator[Expected]:
    """All that a run will have in the end: each model's datasets, with the steps of their experiments.

    Where a set cannot be read, it is what is finished, and the log has a warning.

    Raises:
        CibenchError: a set cannot be read, and the `whole` is wanted.
    """
    gone = set[str]()
    for name, tasks in run.by_model():
        yield Expected(name, tasks[0].files.model_folder, {task.dataset_name: _steps(task, gone) for task in tasks})
    for why in sorted(gone):
        if whole:
            raise CibenchError(f'sessions that are not finished cannot be counted: {why}')
        logger.warning('sessions that are not finished are not counted: %s', why)


def _steps(task: SessionTask, gone: set[str]) -> dict[str, int]:
    """The number of steps of each experiment; of each finished one where no set can be read: `gone` gets the cause."""
    try:
        return {one.id: len(one.steps) for one in task.experiments}
    except (CibenchError, OSError) as error:
        gone.add(str(error))
        there = finished(task.files.model_folder, [task.dataset_name])
        return {name: done.steps for name, done in there[task.dataset_name].items()}


def _idle_models(run: Run, alive: Taken) -> Iterator[list[SessionTask]]:
    """The tasks of each model that no job is running."""
    busy = {model for model, *_ in alive}
    yield from (tasks for name, tasks in run.by_model() if name not in busy)


def _file_whole(task: SessionTask) -> None:
    """Write the predictions file, if all sessions are there and it is not, or is older than they are."""
    store, path = task.traces, task.files.predictions
    if not store.path.exists() or (path.exists() and path.stat().st_mtime_ns >= store.path.stat().st_mtime_ns):
        return
    offsets = store.index()
    if all(one.id in offsets for one in task.experiments):
        file_sessions(task.files, task.experiments, store.read(offsets[one.id] for one in task.experiments))


def _measured(there: Iterable[dict[str, Done]]) -> float | None:
    """Mean seconds of a step in the finished sessions of a model; None if there are none."""
    done = [one for sessions in there for one in sessions.values()]
    steps = sum(one.steps for one in done)
    return sum(one.seconds for one in done) / steps if steps else None
