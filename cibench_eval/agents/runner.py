"""Runs many sessions of one or more batches on one event loop, the longest first; each is stored when it ends."""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, ExitStack
from contextvars import Context, copy_context
from dataclasses import dataclass, field, replace

from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.progress import Observer, Progress
from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots, check_open_files
from cibench_eval.agents.widening import Widening
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.models.base import ChatModel
from cibench_eval.run_paths import without_epoch
from cibench_eval.schema import (
    CibenchError,
    Experiment,
    HarnessError,
    Mode,
    RunOverError,
    SessionsError,
    Trace,
    one_cause,
    some_of,
)
from cibench_eval.traces import FileJournal, TraceStore

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Batch:
    """The sessions of one model on one dataset, one per experiment."""

    experiments: list[Experiment]
    model: ChatModel
    settings: SessionSettings
    store: TraceStore
    """Holds finished sessions."""
    slots: SessionSlots = field(default_factory=lambda: SessionSlots(1))
    """Each session needs one; batches of one model share slots. By default there is one."""
    file: Callable[[Iterator[Trace]], None] = lambda traces: None
    """Called with the traces of all experiments, in order and read one by one, when the last session is over."""
    context: Context = field(default_factory=copy_context)
    """The context variables of its sessions: those with which it is made."""


async def run_sessions(batch: Batch, observer: Observer | None = None) -> Iterator[Trace]:
    """Run the sessions that are not stored yet; return all traces in the order of experiments, read one by one.

    Raises:
        HarnessError: at least one session failed; the message names failed sessions by cause.
    """
    traces: list[Iterator[Trace]] = []
    (failure,) = await run_batches([replace(batch, file=traces.append)], observer)
    if failure:
        raise failure
    return traces[0]


async def run_batches(batches: Sequence[Batch], observer: Observer | None = None) -> list[CibenchError | None]:
    """Run the sessions of several batches that are not stored yet, the longest of all first.

    A session with a fault of the harness does not stop the others, which are stored; a bug, whose traceback is logged,
    is such a fault, too. A failed write (a full disk) ends everything at once.

    Returns:
        For each batch, why it is incomplete, by the causes of its sessions; None if it is complete.
    """
    steps = sum(len(experiment.steps) for batch in batches for experiment in batch.experiments)
    try:
        check_open_files(min(steps, sum(slots.number for slots in _all_slots(batches))))
    except HarnessError as error:
        return [error for _ in batches]
    observer = observer or Observer()
    progress = Progress(title=_title(batches), sessions=0, steps=0, slots=_all_slots(batches))
    parts, pools = [_Part(batch, progress, observer) for batch in batches], dict[str, KernelPool]()
    async with AsyncExitStack() as opened:
        for part in parts:
            await part.open(opened, pools)
        observer.begin(progress)
        widening = asyncio.create_task(Widening(progress).run())
        try:
            await _run_all(parts, progress)
        finally:
            widening.cancel()
            observer.end(progress)
    return [part.failure for part in parts]


async def _run_all(parts: list[_Part], progress: Progress) -> None:
    queue = [(part, experiment) for part in parts for experiment in part.missing]
    queue.sort(key=lambda one: -len(one[1].steps))
    try:
        for those in _rounds(queue, progress):
            async with asyncio.TaskGroup() as group:
                for part, experiment in those:
                    group.create_task(part.run(experiment), context=part.batch.context)
    except* OSError as faults:
        for part in parts:
            part.stopped(faults.exceptions[0])


def _rounds(queue: list[tuple[_Part, Experiment]], progress: Progress) -> list[list[tuple[_Part, Experiment]]]:
    """Sessions that may be open together. With a single slot those in oracle mode come behind all others.

    They show gold, and one agent with a memory may sit all sessions.
    """
    if [slots.most for slots in progress.slots] != [1]:
        return [queue]
    modes: tuple[Mode, ...] = ('end_to_end', 'oracle')
    return [[one for one in queue if one[0].batch.settings.mode == mode] for mode in modes]


class _Part:
    """One batch of a run. After a session, it keeps only the place of its trace."""

    def __init__(self, batch: Batch, progress: Progress, observer: Observer) -> None:
        self.missing: list[Experiment] = []
        self.failure: CibenchError | None = None
        self.batch = batch
        self._progress, self._observer = progress, observer
        self._offsets: dict[str, int] = {}
        self._journals: dict[str, FileJournal] = {}
        """Journals of sessions that an earlier run began and this one has not, by experiment."""
        self._faults: dict[str, list[str]] = defaultdict(list)
        self._left = 0
        """Number of sessions that are not over."""
        self._filed = False
        self._pool: KernelPool | None = None
        self._owned = ExitStack()

    async def open(self, opened: AsyncExitStack, pools: dict[str, KernelPool]) -> None:
        """Find missing sessions and open what they need; a complete batch is filed at once.

        Batches with the same settings share one of the `pools`, which are known by their settings in JSON.
        """
        opened.callback(self._owned.close)
        try:
            self._owned.enter_context(self.batch.store.owned())
            self._offsets = self.batch.store.index(fix=True)
            missing = [one for one in self.batch.experiments if one.id not in self._offsets]
            if missing:
                await opened.enter_async_context(self.batch.model)
                kernels = self.batch.settings.kernels
                key = kernels.model_dump_json()
                if key not in pools:
                    pools[key] = await opened.enter_async_context(KernelPool(kernels))
                self._pool = pools[key]
                self._journals = {one.id: self._journal(one) for one in missing if self.batch.store.begun(one.id)}
            else:
                self._end()
        except CibenchError as error:
            self.failure = error
            return
        except OSError as error:
            self.failure = self._of_the_disk(error)
            return
        self._count(missing)
        self.missing, self._left = missing, len(missing)

    def _count(self, missing: list[Experiment]) -> None:
        experiments, progress = self.batch.experiments, self._progress
        steps = sum(len(one.steps) for one in experiments)
        progress.sessions += len(experiments)
        progress.sessions_done += len(experiments) - len(missing)
        progress.steps += steps
        progress.reused(steps - sum(len(one.steps) for one in missing))
        progress.reused(sum(map(len, self._journals.values())))

    def _journal(self, experiment: Experiment) -> FileJournal:
        return self.batch.store.journal(experiment.id, identity_of(self.batch.settings, experiment))

    async def run(self, experiment: Experiment) -> None:
        """Run one session to its end."""
        batch, progress = self.batch, self._progress
        begun = self._journals.pop(experiment.id, None)
        journal = self._journal(experiment) if begun is None else begun
        journal.on_step, journal.on_clear = progress.step, lambda steps: progress.reused(-steps)
        slots = SessionSlots(batch.slots.most, batch.slots)
        session = Session(experiment, batch.model, batch.settings, slots=slots, pool=self._pool, journal=journal)
        progress.open[slots] = batch.settings.mode
        try:
            trace = await session.run()
        except CibenchError as error:
            self._failed(experiment, error)
        except Exception as error:
            if isinstance(error, OSError) and error.errno and not isinstance(error, ConnectionError | TimeoutError):
                raise  # of the disk, which all sessions are stored on; others come from a model's connections
            fault = HarnessError(f'a fault of cibench-eval: {error!r}')
            if one_cause(str(fault)) not in self._faults:
                logger.exception('%s: a fault of cibench-eval', experiment.id)
            self._failed(experiment, fault)
        else:
            self._offsets[experiment.id] = batch.store.append(trace)
            journal.path.unlink(missing_ok=True)
            progress.sessions_done += 1
            self._observer.session(progress, trace)
        finally:
            del progress.open[slots]
        self._left -= 1
        if not self._left:
            self._end()

    def _failed(self, experiment: Experiment, error: CibenchError) -> None:
        if isinstance(error, RunOverError):
            (self.batch.slots.shared or self.batch.slots).close(error)
        self._faults[one_cause(str(error))].append(experiment.id)
        self._progress.sessions_failed += 1

    def _end(self) -> None:
        """All sessions are over: file the batch, or report the failed ones."""
        if self._faults:
            self.failure = SessionsError(self._causes(), '; '.join(self._faults))
        else:
            self.batch.file(self.batch.store.read(self._offsets[one.id] for one in self.batch.experiments))
            self._filed = True
        self._owned.close()

    def stopped(self, error: Exception) -> None:
        """A write has failed, so no more sessions are run."""
        if not self._filed:
            self.failure = self._of_the_disk(error)

    def _of_the_disk(self, error: Exception) -> HarnessError:
        return HarnessError(
            f'{self.batch.store.path.parent}: {error}; fix that and go on with -r: what was filed is kept'
        )

    def _causes(self) -> str:
        """How many sessions failed, and which ones, by cause."""
        failed = sum(map(len, self._faults.values()))
        causes = [f'{some_of(sessions)}: {cause}' for cause, sessions in self._faults.items()]
        return f'{failed} of {len(self.missing)} sessions failed: ' + '; '.join(causes)


def _all_slots(batches: Sequence[Batch]) -> list[SessionSlots]:
    return list({id(root): root for batch in batches if (root := batch.slots.shared or batch.slots)}.values())


def _title(batches: Sequence[Batch]) -> str:
    settings = [batch.settings for batch in batches]
    names = {one.model_name for one in settings}
    models = {str(one.model_config.get('abbr') or one.model_name) for one in settings}
    datasets = {without_epoch(one.dataset_name, one.epoch) for one in settings}
    model = _one_or_number(names) if len(names) == 1 else _one_or_number(models, 'models')
    agents = f' with {len(names) // len(models)} agents' if len(models) < len(names) else ''
    return f'{model}{agents}, {_one_or_number(datasets, "datasets")}'


def _one_or_number(names: set[str], kind: str = '') -> str:
    return f'{len(names)} {kind}' if len(names) > 1 else ''.join(names)
