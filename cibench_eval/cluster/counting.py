"""How far a run is, counted in the files that its tasks write: traces, parts of them, and journals of sessions."""

import json
import logging
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.cluster.parts import begun, part_files, store_of
from cibench_eval.files import lines_at

logger = logging.getLogger(__name__)


@dataclass
class Tally:
    """How far one model is."""

    sessions: int = 0
    sessions_done: int = 0
    sessions_begun: int = 0
    """That are not done."""
    steps: int = 0
    steps_done: int = 0


@dataclass(frozen=True)
class Expected:
    """What a model is to run, and where it files it."""

    model: str
    folder: Path
    steps: Mapping[str, Mapping[str, int]]
    """By dataset and experiment."""


class Counts:
    """Counts again whenever it is asked, and reads of each file only what is new in it."""

    def __init__(self, expected: Iterable[Expected]) -> None:
        self._expected = list(expected)
        self._read: dict[Path, int] = {}
        self._done: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))

    @property
    def in_use(self) -> bool:
        """Whether a process runs sessions of a traces file; jobs file their sessions elsewhere."""
        return any(store_of(one.folder, dataset).in_use for one in self._expected for dataset in one.steps)

    def look(self) -> dict[str, Tally]:
        """How far every model is."""
        return {one.model: self._tally(one) for one in self._expected}

    def _tally(self, one: Expected) -> Tally:
        done, tally = self._done[one.model], Tally()
        for path in [*(store_of(one.folder, dataset).path for dataset in one.steps), *part_files(one.folder)]:
            for dataset, experiment in self._new(path):
                if experiment in one.steps.get(dataset, ()):
                    done[dataset].add(experiment)
        journals = begun(one.folder, one.steps)
        for dataset, steps in one.steps.items():
            open_ones = {name.replace('/', '__') for name in steps if name not in done[dataset]}
            current = [path for name, path in journals[dataset].items() if name in open_ones]
            tally.sessions += len(steps)
            tally.steps += sum(steps.values())
            tally.sessions_done += len(done[dataset])
            tally.sessions_begun += len(current)
            tally.steps_done += sum(steps[name] for name in done[dataset]) + sum(map(_steps, current))
        return tally

    def _new(self, path: Path) -> Iterator[tuple[str, str]]:
        """Dataset and experiment of the lines that were added to a file; one that is gone has been merged."""
        for offset, line in lines_at(path, offset=self._read.get(path, 0)):
            self._read[path] = offset + len(line) + 1
            try:
                trace = json.loads(line)
                yield str(trace['dataset']), str(trace['experiment'])
            except (ValueError, LookupError, TypeError, RecursionError):
                logger.warning('%s: a line of it is no trace; not counted', path)


def _steps(journal: Path) -> int:
    try:
        lines = journal.read_bytes().splitlines()[1:]
    except FileNotFoundError:
        return 0
    return sum(not line.startswith(b'{"gold"') for line in lines)
