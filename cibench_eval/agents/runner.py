"""Many sessions on one event loop: the longest first, some at a time, each filed as soon as it ends."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from cibench_eval.agents.identity import Identity, identity_of
from cibench_eval.agents.progress import Observer, Progress
from cibench_eval.agents.session import AgentSettings, Session, run_session
from cibench_eval.agents.slots import Lanes
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.base import ChatModel
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import RunLimitError
from cibench_eval.schema import CibenchError, Experiment, HarnessError, Mode, StepTrace, Trace
from cibench_eval.traces import FileJournal, Journal, TraceStore

NAMED = 3
"""Sessions that are named of those that failed for the same reason."""


@dataclass(frozen=True)
class Batch:
    """The sessions of one model on one dataset.

    Args:
        max_sessions: sessions at the same time.
        model_config: what the model was made of, for the identity of its sessions.
        limits, price: what a session may use; those of a run are the model's own (`MeteredModel`).
        epoch: which run of the sessions this is; `dataset_name` names it, too.
    """

    experiments: list[Experiment]
    model: ChatModel
    agent: AgentSettings
    kernels: KernelSettings
    mode: Mode
    model_name: str
    dataset_name: str
    max_sessions: int
    model_config: dict[str, Any] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)
    price: Price = field(default_factory=Price)
    epoch: int = 1

    def identity(self, experiment: Experiment) -> Identity:
        """What the session of an experiment is run with."""
        limits = {**self.limits.of_sessions}
        if 'session_cost' in limits:
            limits |= self.price.model_dump()
        return identity_of(self.model_config, self.agent, self.kernels, self.mode, experiment, limits)

    def changes(self, store: TraceStore) -> list[str]:
        """What is not as it was when the sessions in `store` were run: one phrase for each part that differs."""
        done = store.load()
        differing = Counter(
            part
            for experiment in self.experiments
            if experiment.id in done
            for part, value in self.identity(experiment).items()
            if done[experiment.id].identity.get(part, value) != value
        )
        return [f'the {part} of {number} of {len(done)} finished sessions' for part, number in differing.items()]


async def run_sessions(batch: Batch, store: TraceStore, observer: Observer | None = None) -> list[Trace]:
    """Run what is not in `store` yet and return the traces of all experiments, in their order.

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
        done = store.load(mend=True)
        missing = [experiment for experiment in batch.experiments if experiment.id not in done]
        if missing:
            missing.sort(key=lambda experiment: -len(experiment.steps))
            run = _Run(batch, store, observer or Observer(), len(batch.experiments) - len(missing))
            done |= await run.all(missing)
    return [done[experiment.id] for experiment in batch.experiments]


class _Run:
    """One call of `run_sessions`."""

    def __init__(self, batch: Batch, store: TraceStore, observer: Observer, before: int) -> None:
        self._batch, self._store, self._observer = batch, store, observer
        self._lanes = Lanes(batch.max_sessions)
        self._pool = KernelPool(batch.kernels)
        self._faults: dict[str, list[str]] = defaultdict(list)
        self._finished: dict[str, Trace] = {}
        self._progress = Progress(
            title=f'{batch.model_name} {batch.dataset_name}',
            sessions=len(batch.experiments),
            steps=sum(len(experiment.steps) for experiment in batch.experiments),
            lanes=self._lanes,
            sessions_done=before,
        )

    async def all(self, missing: list[Experiment]) -> dict[str, Trace]:
        """Run every session to its end; then say which failed by the harness' fault.

        What cannot be written (the disk is full) ends the run at once. So does a bug, which shows its traceback.
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
            told = f'{self._store.path.parent}: {faults.exceptions[0]}; mend that and go on: what was filed is kept'
            raise HarnessError(told) from group
        finally:
            self._observer.end(self._progress)
        if self._faults:
            raise HarnessError(self._complaint(len(missing)))
        return self._finished

    async def _one(self, experiment: Experiment) -> None:
        batch, progress = self._batch, self._progress
        identity = batch.identity(experiment)
        journal = self._store.journal(experiment.id, identity)
        session = Session(
            experiment=experiment,
            model=batch.model,
            agent=batch.agent,
            kernels=batch.kernels,
            pool=self._pool,
            journal=_Watched(journal, progress),
            lanes=self._lanes,
            limits=batch.limits,
            price=batch.price,
        )
        names = {'model': batch.model_name, 'dataset': batch.dataset_name}
        try:
            trace = await run_session(session, **names, mode=batch.mode, identity=identity, epoch=batch.epoch)
        except CibenchError as error:
            if isinstance(error, RunLimitError):
                self._lanes.close(error)
            self._faults[str(error)].append(experiment.id)
            progress.sessions_failed += 1
            return
        self._finished[experiment.id] = self._store.append(trace)
        journal.remove()
        progress.sessions_done += 1
        self._observer.session(progress, self._finished[experiment.id])

    def _complaint(self, number: int) -> str:
        failed = sum(map(len, self._faults.values()))
        causes = [f'{_names(sessions)}: {cause}' for cause, sessions in self._faults.items()]
        return f'{failed} of {number} sessions failed: ' + '; '.join(causes)


class _Watched(Journal):
    """A journal that tells the progress of its session, too."""

    def __init__(self, journal: FileJournal, progress: Progress) -> None:
        self._journal, self._progress = journal, progress
        progress.reused(len(journal))

    def step(self, index: int) -> StepTrace | None:
        return self._journal.step(index)

    def add(self, step: StepTrace) -> None:
        self._journal.add(step)
        self._progress.step(step)

    def remove(self) -> None:
        self._progress.reused(-len(self._journal))
        self._journal.remove()


def _names(sessions: list[str]) -> str:
    more = len(sessions) - NAMED
    return ', '.join(sessions[:NAMED]) + (f' and {more} more' if more > 0 else '')
