"""What each task of many has run of a model, in a file of its own, and how that becomes the files of the run.

A task writes one file, for all its datasets, that only it writes: it is named by its attempt (a job that is queued
again is another attempt). So no lock is needed, which network file systems break, and a task that a lost node still
runs spoils no other task's file. Parts are there while a run goes on; `gather` puts their lines into the traces files.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from cibench_eval.files import append_line, seen_now
from cibench_eval.run_paths import TRACES, UNFINISHED
from cibench_eval.schema import MEND, HarnessError, Trace
from cibench_eval.sealed import Damage, records, say_damage, sealed, set_aside
from cibench_eval.traces import FileJournal, TraceStore

PARTS = '.parts'


class PartStore(TraceStore):
    """Where one attempt of one task files its sessions of a dataset; figures go where all of the dataset go.

    Args:
        folder: of the model, in `predictions`.
        attempt: whose part it is; no other process has this name, ever.
    """

    def __init__(self, folder: Path, dataset: str, attempt: str) -> None:
        super().__init__(folder / PARTS / f'{attempt}{TRACES}')
        self.figures = store_of(folder, dataset).figures
        self._folder, self._dataset = folder, dataset

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Nobody else has its name."""
        yield
        with suppress(OSError):  # it is not empty, or has never been there
            self.unfinished.rmdir()

    def journal(self, experiment: str, identity: dict[str, str]) -> FileJournal:
        """Its own file, in which an earlier attempt's is gone on with. The longest is taken, if there are several."""
        made = self.unfinished / f'{self._dataset}~{experiment}.jsonl'.replace('/', '__')
        own = store_of(self._folder, self._dataset).unfinished / f'{experiment.replace("/", "__")}.jsonl'
        others = [path / made.name for path in (self._folder / PARTS).glob(f'*{UNFINISHED}')]
        found = [path for path in [own, *others] if path != made and path.exists()]
        if found and not made.exists():
            made.parent.mkdir(parents=True, exist_ok=True)
            max(found, key=_size_now).replace(made)
        return FileJournal(made, self.figures, identity)

    def begun(self, experiment: str) -> bool:
        return experiment.replace('/', '__') in self._begun

    @cached_property
    def _begun(self) -> Collection[str]:
        """What any attempt had begun when it was first asked for: a listing, because there may be many sessions."""
        return begun(self._folder, [self._dataset])[self._dataset]

    def _holds(self, trace: Trace) -> bool:
        return trace.dataset == self._dataset


class Done(NamedTuple):
    """What a finished session has taken."""

    steps: int
    seconds: float


def store_of(folder: Path, dataset: str) -> TraceStore:
    """The traces of a dataset, below the folder of its model."""
    return TraceStore(folder / f'{dataset}{TRACES}')


def finished(folder: Path, datasets: Collection[str]) -> dict[str, dict[str, Done]]:
    """The finished sessions of a model by dataset and experiment, in traces files and in parts."""
    found: dict[str, dict[str, Done]] = {dataset: {} for dataset in datasets}
    for path in [*(store_of(folder, dataset).path for dataset in datasets), *part_files(folder)]:
        damage: Damage = {}
        for _, line in records(path, _line, damage):
            if line.dataset in found:
                found[line.dataset].setdefault(line.experiment, line.done)
        say_damage(path, damage, MEND)
    return found


def set_damage_aside(stores: Iterable[TraceStore]) -> None:
    """Move the damaged lines of traces files aside, and those whose figures are, so that their sessions run again.

    Call it when no task runs sessions of the model any more.
    """
    for store in stores:
        if store.path.exists():
            with suppress(HarnessError), store.owned():  # who owns it now does that itself
                store.finished(fix=True)


def gather(folder: Path, datasets: Collection[str]) -> None:
    """Move what parts hold into traces files, and unfinished sessions where a run without parts looks for them.

    Call it when no task runs sessions of the model any more. Sessions that stand in a file are not added again, so that
    a run that is killed meanwhile can do it once more. What is of none of `datasets` stays.
    """
    parts = part_files(folder)
    stores = {dataset: store_of(folder, dataset) for dataset in datasets}
    if not (folder / PARTS).exists():
        return
    with ExitStack() as owned:
        known: dict[str, set[str]] = {}
        for path in parts:
            left, damage = False, Damage()
            for _, (dataset, experiment, _, line) in records(seen_now(path), _line, damage):
                if dataset not in stores:
                    left = True
                    continue
                if dataset not in known:
                    owned.enter_context(stores[dataset].owned())
                    known[dataset] = set(stores[dataset].index(fix=True))
                if experiment not in known[dataset]:
                    append_line(stores[dataset].path, line)
                    known[dataset].add(experiment)
            set_aside(path, damage)
            if not left:
                path.unlink()
    for dataset, store in stores.items():
        _gather_journals(folder, dataset, store)
    for empty in [*(folder / PARTS).glob(f'*{UNFINISHED}'), folder / PARTS]:
        with suppress(OSError):  # something of other datasets is in it
            empty.rmdir()


def part_files(folder: Path) -> list[Path]:
    """The parts of a model's traces."""
    return sorted((folder / PARTS).glob(f'*{TRACES}'))


def begun(folder: Path, datasets: Collection[str]) -> dict[str, dict[str, Path]]:
    """The journals of all sessions that are begun, by dataset and by their experiments with `__` for `/`."""
    found: dict[str, dict[str, Path]] = defaultdict(dict)
    names = {dataset.replace('/', '__'): dataset for dataset in datasets}
    for dataset in datasets:
        found[dataset].update({path.stem: path for path in store_of(folder, dataset).unfinished.glob('*.jsonl')})
    for path in _journals(folder):
        dataset, _, experiment = path.stem.partition('~')
        if dataset in names:
            found[names[dataset]][experiment] = path
    return found


def _journals(folder: Path) -> Iterator[Path]:
    for path in (folder / PARTS).glob(f'*{UNFINISHED}'):
        with suppress(FileNotFoundError):  # its task, which has just ended, has removed the folder
            yield from list(path.glob('*.jsonl'))


def _gather_journals(folder: Path, dataset: str, store: TraceStore) -> None:
    """Leave one journal of each unfinished session, the longest, where `TraceStore` looks for it."""
    start = f'{dataset}~'.replace('/', '__')
    found = [path for path in _journals(folder) if path.name.startswith(start)]
    for path in sorted(found, key=_size_now):
        place = store.unfinished / path.name.removeprefix(start)
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.exists() and _size_now(place) >= _size_now(path):
            path.unlink()
        else:
            path.replace(place)


def _size_now(path: Path) -> int:
    return seen_now(path).stat().st_size


class _PartLine(NamedTuple):
    """A finished session in a file."""

    dataset: str
    experiment: str
    done: Done
    text: str


def _line(content: bytes) -> _PartLine:
    try:
        trace = json.loads(content)
        done = Done(len(trace['steps']), float(trace['seconds']))
        return _PartLine(str(trace['dataset']), str(trace['experiment']), done, sealed(content.decode()))
    except (KeyError, TypeError) as error:
        raise ValueError(f'not a trace: {error!r}') from error
