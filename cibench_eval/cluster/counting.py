"""How far a run is, counted in the files that its tasks write: traces, parts of them, and journals of sessions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.cluster.parts import part_files, unfinished_files
from cibench_eval.traces import TraceStore


@dataclass
class Tally:
    """Of one model."""

    sessions: int = 0
    sessions_done: int = 0
    sessions_begun: int = 0
    """That are not done."""
    steps: int = 0
    steps_done: int = 0


@dataclass(frozen=True)
class Expected:
    """A model on a dataset: where its sessions are filed, and how many steps each of them has."""

    model: str
    store: TraceStore
    steps: Mapping[str, int]
    """By experiment."""


class Counts:
    """Counts again whenever it is asked, and reads of each file only what is new in it."""

    def __init__(self, expected: Iterable[Expected]) -> None:
        self._expected = list(expected)
        self._read: dict[Path, int] = {}
        self._done: dict[Path, set[str]] = {one.store.path: set() for one in self._expected}

    def look(self) -> dict[str, Tally]:
        """How far every model is."""
        found: dict[str, Tally] = {}
        for one in self._expected:
            self._count(one, found.setdefault(one.model, Tally()))
        return found

    def _count(self, one: Expected, tally: Tally) -> None:
        done = self._done[one.store.path]
        for path in [one.store.path, *part_files(one.store)]:
            done.update(experiment for experiment in self._new(path) if experiment in one.steps)
        names = {experiment.replace('/', '__'): experiment for experiment in one.steps}
        begun = {
            names[path.stem]: _steps(path)
            for path in unfinished_files(one.store)
            if path.stem in names and names[path.stem] not in done
        }
        tally.sessions += len(one.steps)
        tally.steps += sum(one.steps.values())
        tally.sessions_done += len(done)
        tally.sessions_begun += len(begun)
        tally.steps_done += sum(one.steps[experiment] for experiment in done) + sum(begun.values())

    def _new(self, path: Path) -> Iterator[str]:
        """Experiments of the lines that were added to a file; a file that is gone has been merged."""
        try:
            with path.open('rb') as file:
                file.seek(self._read.get(path, 0))
                for line in file:
                    if not line.endswith(b'\n'):
                        break
                    self._read[path] = self._read.get(path, 0) + len(line)
                    yield str(json.loads(line)['experiment'])
        except FileNotFoundError:
            return


def _steps(journal: Path) -> int:
    """The steps that a journal has."""
    try:
        lines = journal.read_bytes().splitlines()[1:]
    except FileNotFoundError:
        return 0
    return sum(not line.startswith(b'{"gold"') for line in lines)
