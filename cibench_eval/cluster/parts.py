"""Parts of a traces file: what each task of many has run of a dataset, and how that becomes one file.

A task writes a file that only it writes, named by its attempt (a job that is queued again is another attempt). So no
lock is needed, which network file systems break, and a task that a lost node still runs spoils nobody's file. Parts
are there while a run goes on; `gather` makes one file of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from cibench_eval.files import append_line, lines_at
from cibench_eval.schema import CibenchError
from cibench_eval.traces import FileJournal, TraceStore

TRACES, UNFINISHED = '.traces.jsonl', '.unfinished'


class PartStore(TraceStore):
    """Where one attempt of one task files its sessions of a dataset; figures go where all of the dataset go.

    Args:
        whole: of the dataset.
        attempt: whose part it is; no other process has this name, ever.
    """

    def __init__(self, whole: TraceStore, attempt: str) -> None:
        super().__init__(parts_folder(whole) / f'{attempt}{TRACES}')
        self.figures = whole.figures
        self._whole = whole

    @contextmanager
    def owned(self) -> Iterator[None]:
        """Nobody else has its name."""
        yield
        with suppress(OSError):  # it is not empty, or has never been there
            self.unfinished.rmdir()

    def journal(self, experiment: str, identity: dict[str, str]) -> FileJournal:
        """Its own file, in which an earlier attempt's is gone on with. The longest is taken, if there are several."""
        made = super().journal(experiment, identity)
        found = [path for path in unfinished_files(self._whole) if path.name == made.path.name and path != made.path]
        if not found or made.path.exists():
            return made
        made.path.parent.mkdir(parents=True, exist_ok=True)
        max(found, key=lambda path: path.stat().st_size).replace(made.path)
        return super().journal(experiment, identity)


def parts_folder(store: TraceStore) -> Path:
    """Where the parts of a traces file are while a run goes on."""
    return store.path.with_suffix('').with_suffix('.parts')


class Done(NamedTuple):
    """What a finished session has taken."""

    steps: int
    seconds: float


def finished(store: TraceStore) -> dict[str, Done]:
    """The finished sessions of a dataset, in its file and in parts, by their experiments."""
    found: dict[str, Done] = {}
    for path in [store.path, *part_files(store)]:
        for experiment, done, _ in _lines(path):
            found.setdefault(experiment, done)
    return found


def gather(store: TraceStore) -> int:
    """Move what parts hold into the traces file, and unfinished sessions where a run without parts looks for them.

    Call it when no task runs sessions of the dataset any more. Sessions that stand in the file are not added again, so
    that a run that is killed meanwhile can do it once more.

    Returns:
        How many sessions were added.
    """
    folder = parts_folder(store)
    if not folder.exists():
        return 0
    with store.owned():
        known, added = set(store.index(fix=True)), 0
        for path in part_files(store):
            for experiment, _, line in _lines(path):
                if experiment not in known:
                    append_line(store.path, line)
                    known.add(experiment)
                    added += 1
            path.unlink()
        for path in unfinished_files(store):
            _move_journal(path, store)
        for empty in [*folder.glob(f'*{UNFINISHED}'), folder]:
            empty.rmdir()
    return added


def part_files(store: TraceStore) -> list[Path]:
    """The parts of a traces file."""
    return sorted(parts_folder(store).glob(f'*{TRACES}'))


def unfinished_files(store: TraceStore) -> list[Path]:
    """The journals of sessions that are not finished, wherever they were begun."""
    return [*store.unfinished.glob('*.jsonl'), *parts_folder(store).glob(f'*{UNFINISHED}/*.jsonl')]


def _move_journal(path: Path, store: TraceStore) -> None:
    place = store.unfinished / path.name
    if path == place:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    if not place.exists() or place.stat().st_size < path.stat().st_size:
        path.replace(place)
    else:
        path.unlink()
    with suppress(OSError):
        path.parent.rmdir()


def _lines(path: Path) -> Iterator[tuple[str, Done, str]]:
    """Experiment, what it has taken and line of each finished session in a file.

    Raises:
        CibenchError: a whole line is not a trace.
    """
    for number, (_, line) in enumerate(lines_at(path), 1):
        try:
            trace = json.loads(line)
            yield trace['experiment'], Done(len(trace['steps']), float(trace['seconds'])), line.decode()
        except (ValueError, KeyError, TypeError) as error:
            raise CibenchError(f'{path}, line {number}: not a trace ({error}); move the file away') from error
