"""Sessions on disk: `*.traces.jsonl` has the finished ones, a line each; a journal the steps of an unfinished one."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import fcntl
import json
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any, NamedTuple

from pydantic import TypeAdapter

from cibench_eval.files import append_line, cut_torn_line, lines_at, sync_folder, whole_lines
from cibench_eval.run_paths import TRACES, UNFINISHED
from cibench_eval.schema import (
    MEND,
    CibenchError,
    DamageError,
    Figure,
    HarnessError,
    Message,
    StepTrace,
    Trace,
    figure_hash,
)
from cibench_eval.sealed import Damage, records, say_damage, sealed, set_aside, unsealed

logger = logging.getLogger(__name__)
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What file systems say, some of networks among them, that lock no files."""
VERSION = 2
"""Version of the format of traces and journals."""
MESSAGES = TypeAdapter(list[Message])


class TraceStore:
    """An append-only `*.traces.jsonl` and, beside it, the folder of its figures."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures = path.parent / 'figures'
        self.unfinished = path.with_name(f'{path.name.removesuffix(TRACES)}{UNFINISHED}')
        self._scan: _Scan | None = None

    @property
    def _lock_file(self) -> Path:
        """It is there while somebody runs these sessions, or did so until the machine or its process was stopped."""
        return self.path.with_name(f'.{self.path.name}.lock')

    @contextmanager
    def owned(self) -> Iterator[None]:
        """While the block runs, nobody else runs these sessions; a `HarnessError` where another process does."""
        path = self._lock_file
        path.parent.mkdir(parents=True, exist_ok=True)
        with self._lock(path):
            try:
                yield
            finally:
                with contextlib.suppress(OSError):  # what cannot be removed harms nobody
                    path.unlink()
                    self.unfinished.rmdir()

    @property
    def in_use(self) -> bool:
        """Whether somebody runs these sessions now; where files have no locks, whether somebody has begun to."""
        try:
            with self._lock_file.open() as lock:
                return not _lockable(lock, fcntl.LOCK_SH)
        except FileNotFoundError:
            return False
        except OSError as error:
            if error.errno not in NO_LOCKS:
                raise
            return True

    def _lock(self, path: Path) -> IO[str]:
        """The file at `path`, made and locked."""
        while True:
            lock = path.open('a+')  # NFS gives both kinds of lock to a file that is open for both alone
            try:
                locked = _lockable(lock, fcntl.LOCK_EX)
                if not locked and not _lockable(lock, fcntl.LOCK_SH):  # else it was looked at for a moment (`in_use`)
                    lock.close()
                    raise HarnessError(f'{self.path}: another process runs these sessions; wait for it, or end it')
            except OSError as error:
                if error.errno not in NO_LOCKS:
                    raise
                logger.warning('%s: this file system has no locks; see that no other process runs these sessions', path)
                return lock
            with contextlib.suppress(FileNotFoundError):
                if locked and os.path.samestat(os.fstat(lock.fileno()), path.stat()):
                    return lock
            lock.close()  # else its owner has removed it since it was opened, so it keeps nobody out

    def index(self, *, fix: bool = False) -> dict[str, int]:
        """Where each finished session stands: the offset of its last line, by experiment id; `fix` as in `finished`."""
        return {name: session.offset for name, session in self.finished(fix=fix).items()}

    def finished(self, *, fix: bool = False) -> dict[str, Finished]:
        """The finished sessions by experiment id. The file is read again only if it has changed.

        Damaged lines are named in the log, as errors.

        Args:
            fix: cut a torn last line off, and move lines aside that are damaged or whose figures are: nobody is writing
                the file any more (`owned`).

        Raises:
            CibenchError: the file is of another program or version.
        """
        if fix:
            self._fix()
        return dict(self._scanned(say=not fix).sessions)

    def whole(self) -> set[str]:
        """The finished sessions whose figures are what was written. Damage is named in the log, as an error."""
        scan = self._scanned()
        for name, problem in scan.damaged.items():
            logger.error('%s: %s', name, problem)
        return scan.sessions.keys() - scan.damaged.keys()

    def load(self) -> dict[str, Trace]:
        """The finished sessions by experiment id. What is damaged, lines or figures, is named in the log, as an error.

        Raises:
            CibenchError: as `finished`.
        """
        damage, torn = Damage(), list[bytes]()
        found = {trace.experiment: trace for _, trace in self._records(damage, torn)}
        self._say(damage, torn)
        return {name: trace for name, trace in found.items() if self.is_whole(trace)}

    def is_whole(self, trace: Trace) -> bool:
        """Whether the figures of a session are what was written; what is not is named in the log, as an error."""
        if problem := damage_of(figures_of(trace), self.figures):
            logger.error('%s: %s', trace.experiment, problem)
        return not problem

    def read(self, offsets: Iterable[int]) -> Iterator[Trace]:
        """The sessions at `offsets` (of `index` or `append`), each when it is asked for: only that one is in memory."""
        for offset in offsets:
            with self.path.open('rb') as file:
                file.seek(offset)
                yield Trace.model_validate_json(unsealed(file.readline()))

    def append(self, trace: Trace) -> int:
        """Write a finished session, its figures first so that no line names a missing one; return its line's offset."""
        save_figures(figures_of(trace), self.figures)
        return append_line(self.path, sealed(json.dumps(trace.model_dump(mode='json'), ensure_ascii=True)))

    def journal(self, experiment: str, identity: dict[str, str]) -> FileJournal:
        """Where the steps of a session are that is not finished."""
        return FileJournal(self._journal(experiment), self.figures, identity)

    def begun(self, experiment: str) -> bool:
        """Whether there is a journal of a session."""
        return self._journal(experiment).exists()

    def _journal(self, experiment: str) -> Path:
        return self.unfinished / f'{experiment.replace("/", "__")}.jsonl'

    def _scanned(self, *, say: bool = True) -> _Scan:
        """What the file holds now; with `say` its damage is named when it is read."""
        stamp = _stamp(self.path)
        if self._scan is None or self._scan.stamp != stamp:
            damage, torn = Damage(), list[bytes]()
            found = {
                trace.experiment: Finished(offset, trace.identity, tuple(figures_of(trace)))
                for offset, trace in self._records(damage, torn)
            }
            self._scan = _Scan(stamp, self.figures, found, damage, torn)
            if say:
                self._say(damage, torn)
        return self._scan

    def _say(self, damage: Damage, torn: list[bytes]) -> None:
        say_damage(self.path, damage, MEND)
        if torn and not self._lock_file.exists():
            logger.error('%s: its end is missing; %s', self.path, MEND)

    def _records(self, damage: Damage, torn: list[bytes]) -> Iterator[tuple[int, Trace]]:
        """The sessions with the offsets of their lines; `damage` and `torn` get the others."""
        ours = False
        for offset, trace in records(self.path, Trace.model_validate_json, damage, torn):
            ours = True
            if self._holds(trace):
                yield offset, trace
        if not ours and any(_is_record(line) for _, line in lines_at(self.path)):
            raise CibenchError(
                f'{self.path}: no trace of this version in it ({damage[0]}); move the file away to start over'
            )

    def _holds(self, trace: Trace) -> bool:
        """Whether a session in the file is one of these."""
        return True

    def _fix(self) -> None:
        if self._scanned(say=False).torn:
            cut_torn_line(self.path)
        scan = self._scanned(say=False)
        set_aside(self.path, {**scan.damage, **{scan.sessions[name].offset: why for name, why in scan.damaged.items()}})


class Finished(NamedTuple):
    """A finished session without its steps."""

    offset: int
    """Where its line begins."""
    identity: dict[str, str]
    """What it was run with."""
    figures: tuple[Figure, ...]
    """Without their content."""


@dataclass
class _Scan:
    """What a file of traces held when it was read."""

    stamp: object
    """Tells whether the file has changed since."""
    figures: Path
    """The folder of the figures."""
    sessions: dict[str, Finished]
    """The last finished one of each experiment."""
    damage: Damage
    """Lines that cannot be used."""
    torn: list[bytes]
    """The last line, if its end is missing."""

    @cached_property
    def damaged(self) -> dict[str, str]:
        """Experiments whose figures are not what was written, with the cause."""
        problems = {name: damage_of(one.figures, self.figures) for name, one in self.sessions.items()}
        return {name: problem for name, problem in problems.items() if problem}


def _lockable(file: IO[str], kind: int) -> bool:
    """Lock a file, if nobody else has done so in a way that excludes it."""
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _stamp(path: Path) -> object:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


def damage_of(figures: Iterable[Figure], folder: Path) -> str:
    """What is wrong with the files of figures, empty where they are what was written."""
    try:
        for figure in {figure.sha256: figure for figure in figures}.values():
            figure.check(folder)
    except DamageError as error:
        return str(error)
    return ''


def _is_record(line: bytes) -> bool:
    """Whether it is a whole record, though perhaps none of ours."""
    try:
        return isinstance(json.loads(unsealed(line)), dict)
    except (ValueError, RecursionError):
        return False


def figures_of(trace: Trace) -> Iterator[Figure]:
    """Every figure of a session, in the order in which they were shown."""
    return (figure for step in trace.steps for figure in step.figures)


def save_figures(figures: Iterable[Figure], folder: Path) -> None:
    """Write figures into `folder`, so that a line may name them that is written next.

    Those that were read from a file are there, and have no content to write.
    """
    written = [figure.save(folder) for figure in figures if figure.data]
    if written:
        sync_folder(folder)


class Journal:
    """What has been finished of one session. This one is in memory alone: an interrupted session starts over."""

    gold: tuple[list[Message], ...] = ()
    """In oracle mode, what stood for the gold steps (`Trace.gold`) in the requests of an earlier run."""

    def __init__(self) -> None:
        self.finished: list[StepTrace] = []
        """The steps that have been added; those of a `FileJournal` are in its file."""
        self._kept: dict[str, Figure] = {}

    def step(self, index: int) -> StepTrace | None:
        """The step as an earlier run finished it, None if it did not."""
        return None

    def keep(self, figure: Figure) -> None:
        """Keep a figure that the conversation shows."""
        self._kept[figure.filename] = figure

    def kept(self, name: str) -> bytes:
        """The content of such a figure, by the name of its file; a `HarnessError` where it is not there any more."""
        return self._kept[name].data

    async def add(self, step: StepTrace) -> StepTrace:
        """Keep a step that has been finished; return it as it can be read again, without the figures' content."""
        self.finished.append(step)
        return step

    def add_gold(self, turns: list[Message]) -> None:
        """Keep what stands for the next gold step."""

    def clear(self) -> None:
        """Forget everything: the session is filed, or starts over."""
        self.finished.clear()


class FileJournal(Journal):
    """A session's journal in a file: a line that says what it was run with, one a step, one a gold step.

    A line that is torn or damaged, and all after it, is forgotten; so is a journal of a session that was run with
    anything else than `identity`, or whose first line is torn.
    """

    def __init__(self, path: Path, figures: Path, identity: dict[str, str]) -> None:
        super().__init__()
        self.path = path
        self._figures = figures
        self._head = json.dumps({'version': VERSION, 'identity': identity}, separators=(',', ':'))
        self._steps: dict[int, StepTrace] = {}
        self.on_step: Callable[[StepTrace], None] = lambda step: None
        """Called with each step that is added."""
        self.on_clear: Callable[[int], None] = lambda steps: None
        """Called with the number of forgotten steps."""
        self._read()

    def __len__(self) -> int:
        """How many steps an earlier run has finished."""
        return len(self._steps)

    def step(self, index: int) -> StepTrace | None:
        return self._steps.get(index)

    def keep(self, figure: Figure) -> None:
        figure.save(self._figures)

    def kept(self, name: str) -> bytes:
        path = self._figures / name
        try:
            content = path.read_bytes()
        except OSError as error:
            raise HarnessError(f'{path}: {error.strerror}; the conversation shows it, so the run needs it') from error
        if figure_hash(content) != path.stem:
            raise DamageError(f'{path}: it is not what was written; the conversation shows it, so the run needs it')
        return content

    async def add(self, step: StepTrace) -> StepTrace:
        """Append a step, its figures first: in a thread, because others have something to do until a disk has them."""
        if step.figures:
            await asyncio.to_thread(save_figures, step.figures, self._figures)
        line = step.model_dump_json()
        self._append(line)
        kept = StepTrace.model_validate_json(line)
        self.on_step(kept)
        return kept

    def add_gold(self, turns: list[Message]) -> None:
        self._append(json.dumps({'gold': turns}))

    def clear(self) -> None:
        self.on_clear(len(self))
        self._steps.clear()
        self.gold = ()
        self.path.unlink(missing_ok=True)

    def _append(self, line: str) -> None:
        # Not fsynced: it survives a killed harness. After a crash of the machine, what is not whole is asked again.
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open('a', encoding='utf-8') as file:
            if file.tell() == 0:
                file.write(f'{self._head}\n')
            file.write(f'{sealed(line)}\n')

    def _read(self) -> None:
        """Take in the file; what cannot be used is cut off it."""
        lines = whole_lines(self.path)
        if not lines or lines[0] != self._head.encode():
            self.path.unlink(missing_ok=True)
            return
        end = len(lines[0]) + 1
        for line in lines[1:]:
            try:
                self._take(json.loads(unsealed(line)))
            except (ValueError, RecursionError):
                break
            end += len(line) + 1
        os.truncate(self.path, end)

    def _take(self, content: Any) -> None:
        if isinstance(content, dict) and content.keys() == {'gold'}:
            self.gold += (MESSAGES.validate_python(content['gold']),)
        else:
            step = StepTrace.model_validate(content)
            self._steps[step.index] = step
