"""Many sessions on one event loop: the longest first, some at a time, each filed as soon as it ends."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from cibench_eval.agents.identity import identity_of
from cibench_eval.agents.progress import Observer, Progress
from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.models.base import ChatModel
from cibench_eval.models.metering import RunLimitError
from cibench_eval.schema import CibenchError, Experiment, HarnessError, Message, StepTrace, Trace
from cibench_eval.traces import VERSION, FileJournal, Journal, TraceStore

NAMED = 3
"""Sessions that are named of those that failed for the same reason."""


@dataclass(frozen=True)
class Batch:
    """The sessions of one model on one dataset.

    Args:
        experiments: one a session.
        model: who is asked.
        settings: how.
        max_sessions: at the same time.
    """

    experiments: list[Experiment]
    model: ChatModel
    settings: SessionSettings
    max_sessions: int = 1

    def changes(self, store: TraceStore) -> list[str]:
        """What is not as it was when the sessions in `store` were run: one phrase for each part that differs."""
        now = {experiment.id: identity_of(self.settings, experiment) for experiment in self.experiments}
        index = store.index()
        old, differing = 0, Counter[str]()
        for trace in store.read(index.values()):
            old += trace.version < VERSION
            then = trace.identity
            differing.update(
                part for part, value in now.get(trace.experiment, {}).items() if then.get(part, value) != value
            )
        if old:
            return [f'the version of cibench-eval of {old} of {len(index)} finished sessions (-m eval scores them)']
        if old := store.old_journals():
            return [f'the version of cibench-eval of {old} unfinished sessions']
        return [f'the {part} of {number} of {len(index)} finished sessions' for part, number in differing.items()]


async def run_sessions(batch: Batch, store: TraceStore, observer: Observer | None = None) -> Iterator[Trace]:
    """Run what is not in `store` yet; then give the traces of all experiments in their order, read one by one.

    The longest experiments begin first, so that none is left over at the end. A session that fails by a fault of
    the harness does not stop the others; what they did is filed.

    Args:
        batch: what to run.
        store: where finished sessions are and go.
        observer: is told what happens.

    Raises:
        HarnessError: at least one session failed; the text names them by their causes.
    """
    with store.owned():
        offsets = store.index(fix=True)
        missing = [experiment for experiment in batch.experiments if experiment.id not in offsets]
        if missing:
            missing.sort(key=lambda experiment: -len(experiment.steps))
            run = _Run(batch, store, observer or Observer(), len(batch.experiments) - len(missing))
            offsets |= await run.all(missing)
    return store.read(offsets[experiment.id] for experiment in batch.experiments)


class _Run:
    """One call of `run_sessions`. Of a session that is over it keeps only where its trace is."""

    def __init__(self, batch: Batch, store: TraceStore, observer: Observer, before: int) -> None:
        self._batch, self._store, self._observer = batch, store, observer
        self._slots = SessionSlots(batch.max_sessions)
        self._pool = KernelPool(batch.settings.kernels)
        self._faults: dict[str, list[str]] = defaultdict(list)
        self._offsets: dict[str, int] = {}
        self._progress = Progress(
            title=f'{batch.settings.model_name} {batch.settings.dataset_name}',
            sessions=len(batch.experiments),
            steps=sum(len(experiment.steps) for experiment in batch.experiments),
            slots=self._slots,
            sessions_done=before,
        )

    async def all(self, missing: list[Experiment]) -> dict[str, int]:
        """Run every session to its end; then say which failed by the harness' fault.

        What cannot be written (the disk is full) ends the run at once. So does a bug, which shows its traceback.

        Returns:
            Where the traces are, by experiment id.
        """
        self._progress.reused(self._progress.steps - sum(len(experiment.steps) for experiment in missing))
        self._observer.begin(self._progress)
        try:
            async with self._batch.model, self._pool, asyncio.TaskGroup() as group:
                for experiment in missing:
                    group.create_task(self._one(experiment))
        except ExceptionGroup as group:
            faults, bugs = group.split(OSError)
            if bugs or not faults:
                raise
            cause = f'{self._store.path.parent}: {faults.exceptions[0]}'
            raise HarnessError(f'{cause}; fix that and go on with -r: what was filed is kept') from group
        finally:
            self._observer.end(self._progress)
        if self._faults:
            raise HarnessError(self._failure(len(missing)))
        return self._offsets

    async def _one(self, experiment: Experiment) -> None:
        journal = self._store.journal(experiment.id, identity_of(self._batch.settings, experiment))
        watched = _WatchedJournal(journal, self._progress)
        try:
            trace = await Session(
                experiment, self._batch.model, self._batch.settings, slots=self._slots, pool=self._pool, journal=watched
            ).run()
        except CibenchError as error:
            self._failed(experiment, error)
            return
        self._offsets[experiment.id] = self._store.append(trace)
        journal.clear()
        self._progress.sessions_done += 1
        self._observer.session(self._progress, trace)

    def _failed(self, experiment: Experiment, error: CibenchError) -> None:
        if isinstance(error, RunLimitError):
            self._slots.close(error)
        self._faults[str(error)].append(experiment.id)
        self._progress.sessions_failed += 1

    def _failure(self, number: int) -> str:
        """How many of `number` sessions failed, and which, by their causes."""
        failed = sum(map(len, self._faults.values()))
        causes = [f'{_names(sessions)}: {cause}' for cause, sessions in self._faults.items()]
        return f'{failed} of {number} sessions failed: ' + '; '.join(causes)


class _WatchedJournal(Journal):
    """A journal that tells the progress of its session, too."""

    def __init__(self, journal: FileJournal, progress: Progress) -> None:
        self._journal, self._progress = journal, progress
        self.gold = journal.gold
        progress.reused(len(journal))

    def step(self, index: int) -> StepTrace | None:
        return self._journal.step(index)

    def add(self, step: StepTrace) -> StepTrace:
        kept = self._journal.add(step)
        self._progress.step(kept)
        return kept

    def add_gold(self, turns: list[Message]) -> None:
        self._journal.add_gold(turns)

    def clear(self) -> None:
        self._progress.reused(-len(self._journal))
        self._journal.clear()


def _names(sessions: list[str]) -> str:
    more = len(sessions) - NAMED
    return ', '.join(sessions[:NAMED]) + (f' and {more} more' if more > 0 else '')
