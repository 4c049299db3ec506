"""Many sessions on one event loop: started in order, some at a time, each filed as soon as it ends."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from cibench_eval.agents.session import AgentSettings, Session, run_session
from cibench_eval.agents.store import TraceStore
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.base import ChatModel
from cibench_eval.schema import Experiment, HarnessError, Mode, Trace


@dataclass(frozen=True)
class Batch:
    """The sessions of one model on one dataset.

    Args:
        max_sessions: sessions at the same time.
    """

    experiments: list[Experiment]
    model: ChatModel
    agent: AgentSettings
    kernels: KernelSettings
    mode: Mode
    model_name: str
    dataset_name: str
    max_sessions: int


def default_sessions() -> int:
    """One session a core that this process may use."""
    return len(os.sched_getaffinity(0))


async def run_sessions(
    batch: Batch, store: TraceStore, progress: Callable[[Trace, int, int], None] | None = None
) -> list[Trace]:
    """Run what is not in `store` yet and return the traces of all experiments, in their order.

    A session that fails by a fault of the harness does not stop the others; what they did is filed.

    Args:
        batch: what to run.
        store: where finished sessions are and go.
        progress: called with each new trace, the number of finished sessions and that of all.

    Raises:
        HarnessError: at least one session failed; the text names each with its cause.
    """
    done = store.load()
    missing = [experiment for experiment in batch.experiments if experiment.id not in done]
    limit = asyncio.Semaphore(batch.max_sessions)

    async def run(experiment: Experiment) -> None:
        async with limit:
            session = Session(experiment, batch.model, batch.agent, batch.kernels)
            trace = await run_session(session, model=batch.model_name, dataset=batch.dataset_name, mode=batch.mode)
        store.append(trace)
        done[experiment.id] = trace
        if progress:
            progress(trace, len(done), len(batch.experiments))

    if missing:
        async with batch.model:
            await _all(missing, run)
    return [done[experiment.id] for experiment in batch.experiments]


async def _all(experiments: list[Experiment], run: Callable[[Experiment], Awaitable[None]]) -> None:
    """Run every session to its end; then say which failed by the harness' fault.

    Another exception than HarnessError is a bug: it ends the run at once and shows its traceback.
    """
    faults: list[str] = []

    async def guarded(experiment: Experiment) -> None:
        try:
            await run(experiment)
        except HarnessError as error:
            faults.append(f'{experiment.id}: {error}')

    async with asyncio.TaskGroup() as group:
        for experiment in experiments:
            group.create_task(guarded(experiment))
    if faults:
        raise HarnessError(f'{len(faults)} of {len(experiments)} sessions failed: ' + '; '.join(faults))
