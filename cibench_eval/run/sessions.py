"""The sessions of a dataset as a config says that they are run, and the predictions file that is made of them."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Batch, run_batches
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.cache import cache_dir
from cibench_eval.cluster.parts import PartStore
from cibench_eval.config.building import resolve, samples
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.files import whole_file
from cibench_eval.interpreter.environments import names
from cibench_eval.models.base import ChatModel, innermost
from cibench_eval.models.identity import reply_identity
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.replay import Replay
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.reports.live import LiveDisplay
from cibench_eval.run_paths import SessionFiles
from cibench_eval.schema import CibenchError, Experiment, Trace
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)
TRACES_FIELD = 'traces'
"""The field of a session in a predictions file that names the file of its trace."""
READS_DATA = re.compile(r'[\'"](?:\./)?data/')
OF_OPENCOMPASS = 'cibench_eval.opencompass.chat_model.OpenCompassModel'
"""What makes a chat model of an object of OpenCompass's model classes."""


def slots_of(task: SessionTask) -> tuple[int, int]:
    """Sessions at the same time: how many at first, and how many there may become while the machine idles."""
    wanted = task.dataset.max_sessions
    first = wanted or min(task.batch_size or default_sessions(), default_sessions())
    return first, wanted or task.batch_size or sys.maxsize


def check_sessions(task: SessionTask, experiments: Sequence[Experiment]) -> None:
    """Check that experiments have their data, and that kernels are of the environment of the gold outputs.

    Raises:
        CibenchError: there is no data folder, or the notebooks name another environment.
    """
    dataset, runs = task.dataset_name, task.kernels.environment
    for experiment in experiments:
        folder = experiment.datasources
        there = folder is not None and (folder / 'data').is_dir()
        if not there and any(READS_DATA.search(step.code) for step in experiment.steps):
            lacks = f'{folder} holds no data/' if folder else 'there is no datasources/ folder beside or above it'
            raise CibenchError(
                f'dataset {dataset}: {experiment.path}: its code reads data/…, but {lacks}; '
                'put it there, or set `datasources` in the dataset to the folder that holds data/'
            )
        made_in = experiment.environment
        if made_in not in (None, runs) and runs in names():
            mend = (
                f"kernels run in {runs}; set environment='{made_in}' in kernels (or, in a dataset with `builtin`, "
                f"environment='{runs}')"
                if made_in in names()
                else f'none of ours; name {" or ".join(names())} in its metadata, or a python that you trust in kernels'
            )
            where = f'dataset {dataset}: {experiment.path}'
            raise CibenchError(f'{where}: its gold outputs are of the kernel environment {made_in}, {mend}')


def batch_of(
    task: SessionTask, model: ChatModel, experiments: list[Experiment], slots: SessionSlots, attempt: str = ''
) -> Batch:
    """The sessions of a task, as they are run side by side with others.

    Args:
        model: tasks whose sessions run side by side may share it (`SharedModel`).
        experiments: all of the dataset; with `attempt`, the experiments of its share.
        slots: what the sessions wait for.
        attempt: of a task of many, which writes a part of the traces (`cluster/parts.py`) and no predictions.

    Raises:
        CibenchError: the config says what cannot be, or see `check_sessions`.
    """
    check_sessions(task, experiments)
    files, settings, asked = task.files, task.settings, innermost(model)
    if isinstance(asked, Replay):
        protocol = settings.agent.protocol
        golds = {(one.id, step.index): protocol.gold(step) for one in experiments for step in one.steps if step.code}
        asked.learn(golds, protocol.closing if protocol.explore else None)
    if task.epoch > 1 and (reseed := getattr(asked, 'reseed', None)):
        reseed(task.epoch)  # a model in this process, whose random states are the same in every process
    model = _wrapped(task, model, attempt)
    if attempt:
        return Batch(experiments, model, settings, PartStore(files.model_folder, files.dataset, attempt), slots)
    store = TraceStore(files.traces)
    return Batch(experiments, model, settings, store, slots, lambda traces: file_sessions(files, experiments, traces))


def _wrapped(task: SessionTask, model: ChatModel, attempt: str) -> ChatModel:
    """The model with the run's limits, and before them the reply cache: cached replies cost nothing."""
    made_of, kept = task.settings.model_config, task.dataset.reply_cache
    metered = MeteredModel(model, task.settings.limits, task.settings.price, Ledger(task.files.usage, attempt))
    if isinstance(innermost(model), Replay) or not (kept == 'sampled' or (kept and not samples(made_of))):
        return metered
    return CachedModel(metered, cache_dir() / 'replies', reply_identity(made_of, task.epoch))


def run_together(batches: Sequence[Batch]) -> None:
    """Run sessions, showing how far they are; raises the `CibenchError` of the first batch that failed."""
    failures = [failure for failure in failures_of(batches) if failure]
    for failure in failures[1:]:
        logger.error('%s', failure)
    if failures:
        raise failures[0]


def failures_of(batches: Sequence[Batch], observer: Observer | None = None) -> list[CibenchError | None]:
    """Run sessions, showing how far they are, or telling `observer`; see `run_batches`."""
    return asyncio.run(run_batches(_with_libraries(batches), observer or LiveDisplay())) if batches else []


def _with_libraries(batches: Sequence[Batch]) -> list[Batch]:
    """Batches whose kernels are forked with all that gold code imports, unless their config names modules."""
    experiments = [one for batch in batches for one in batch.experiments]
    preload = preload_of({code for one in experiments for code in (one.setup, *(step.code for step in one.steps))})
    made = []
    for batch in batches:
        settings = batch.settings
        if settings.kernels.preload is None:
            settings = replace(settings, kernels=settings.kernels.model_copy(update={'preload': preload}))
        made.append(replace(batch, settings=settings))
    return made


def as_chat_model(model: Any, batch_size: int | None, max_out_len: int | None) -> ChatModel:
    """A chat model, made of one or of an object of OpenCompass's model classes."""
    made: ChatModel = model if hasattr(model, 'chat') else resolve(OF_OPENCOMPASS, 'model')(model, batch_size or 1)
    if max_out_len is not None:
        made.max_out_len = max_out_len
    return made


def file_sessions(files: SessionFiles, experiments: Sequence[Experiment], traces: Iterable[Trace]) -> None:
    """Write the predictions file of a dataset from the traces of its experiments, in their order.

    It names the file of the traces, so that they are missed if they are gone; a file of another program names none.
    """
    figures = TraceStore(files.traces).figures
    made = (prediction_of(trace, one, figures) for trace, one in zip(traces, experiments, strict=True))
    write_predictions(files.predictions, ({**session, TRACES_FIELD: files.traces.name} for session in made))


def write_predictions(path: Path, sessions: Iterable[dict[str, Any]]) -> None:
    """Write the sessions of a dataset, by their numbers, as one JSON object: only one of them is in memory."""
    with whole_file(path) as file:
        file.write(b'{')
        for index, session in enumerate(sessions):
            text = json.dumps(session, ensure_ascii=False, indent=1).replace('\n', '\n ')
            file.write(f'{"," if index else ""}\n "{index}": {text}'.encode())
        file.write(b'\n}')
