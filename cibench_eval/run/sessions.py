"""The sessions of a dataset as a config says that they are run, and the predictions file that is made of them."""

import asyncio
import json
import logging
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Batch, run_batches
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.cache import cache_dir
from cibench_eval.cluster.parts import PartStore
from cibench_eval.config import defaults
from cibench_eval.config.building import build, plain, read_record, resolve, samples
from cibench_eval.config.entries import agent_settings
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.files import whole_file
from cibench_eval.interpreter.environments import names
from cibench_eval.interpreter.settings import read_settings
from cibench_eval.models.base import ChatModel, innermost
from cibench_eval.models.identity import model_of_epoch, reply_identity
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.replay import Golds, Replay
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.reports.live import LiveDisplay
from cibench_eval.run_paths import SessionFiles
from cibench_eval.schema import CibenchError, Experiment, Mode, Trace
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)
TRACES = 'traces'
"""The field of a session in a predictions file that names the file of its trace."""
READS_DATA = re.compile(r'[\'"](?:\./)?data/')
OF_OPENCOMPASS = 'cibench_eval.opencompass.chat_model.OpenCompassModel'
"""What makes a chat model of an object of OpenCompass's model classes."""


@dataclass(eq=False)
class DatasetSessions:
    """The sessions of a dataset with a model. The fields are their options in a config."""

    model: Any
    """A ChatModel, or an object of any of OpenCompass's model classes. Datasets whose sessions run side by side may
    share it (`SharedModel`)."""
    mode: Mode = defaults.MODE
    agent: dict[str, Any] | None = None
    """The agent's config: `protocol` (a dict with `type`), `max_attempts`, `history`, …"""
    kernels: dict[str, Any] | None = None
    """Fields of KernelSettings."""
    limits: dict[str, Any] | None = None
    """Fields of Limits."""
    reply_cache: bool | Literal['sampled'] = False
    """Whether replies are kept and used again, beyond this run: `True` for models that are asked with temperature 0,
    `'sampled'` for all."""
    max_sessions: int | None = None
    """Sessions at the same time; None is some for each core, more while these idle, and no more than the model's
    `batch_size`."""
    max_out_len: int | None = None
    """Tokens of a reply, at most; None leaves it to the model."""
    batch_size: int | None = None
    """Requests that the model takes at the same time; None is any number."""
    model_config: dict[str, Any] | None = None
    """What the model was made of; sessions of one run must agree in it. Its `price` is what a million tokens cost:
    `dict(input=…, output=…)`."""
    epoch: int = 1
    """Which of several runs of the sessions this is; `epochs` of a config counts it."""

    def __post_init__(self) -> None:
        if self.mode not in get_args(Mode):
            raise CibenchError(f'inferencer: mode is {self.mode!r}; it must be {" or ".join(get_args(Mode))}')
        if self.reply_cache not in (False, True, 'sampled'):
            raise CibenchError(f"reply_cache is {self.reply_cache!r}; it must be False, True or 'sampled'")
        made_of = {**model_of_epoch(self.model_config or {}, self.epoch), 'max_out_len': self.max_out_len}
        self.settings = SessionSettings(
            agent=agent_settings(plain(self.agent or {})),
            kernels=read_settings(plain(self.kernels or {}), 'in the config'),
            mode=self.mode,
            epoch=self.epoch,
            limits=read_record(Limits, self.limits, 'limits'),
            price=read_record(Price, made_of.get('price'), 'models: price'),
            model_config=made_of,
        )
        self.chat_model = as_chat_model(self.model, self.batch_size, self.max_out_len)

    def slots(self) -> tuple[int, int]:
        """Sessions at the same time: how many at first, and how many there may become while the machine idles."""
        first = self.max_sessions or min(self.batch_size or default_sessions(), default_sessions())
        return first, self.max_sessions or self.batch_size or sys.maxsize

    def check(self, dataset: str, experiments: Sequence[Experiment]) -> None:
        """Check that experiments have their data, and that kernels are of the environment of the gold outputs.

        Raises:
            CibenchError: there is no data folder, or the notebooks name another environment.
        """
        runs = self.settings.kernels.environment
        for experiment in experiments:
            if experiment.datasources is None and any(READS_DATA.search(step.code) for step in experiment.steps):
                raise CibenchError(
                    f'dataset {dataset}: {experiment.path}: its code reads data/…, but there is no datasources/ '
                    'folder beside or above it; put it there, or set `datasources` in the dataset'
                )
            if experiment.environment not in (None, runs) and runs in names():
                raise CibenchError(
                    f'dataset {dataset}: its gold outputs are of the kernel environment {experiment.environment}, '
                    f"kernels run in {runs}; set environment='{experiment.environment}' in kernels"
                    f" (or, in a dataset with `builtin`, environment='{runs}')"
                )

    def batch(
        self, files: SessionFiles, experiments: list[Experiment], slots: SessionSlots, attempt: str = ''
    ) -> Batch:
        """The sessions of experiments, as they are run side by side with others.

        Args:
            experiments: all of the dataset; with `attempt`, the experiments of its share.
            slots: what the sessions wait for.
            attempt: of a task of many, which writes a part of the traces (`cluster/parts.py`) and no predictions.

        Raises:
            CibenchError: see `check`.
        """
        self.check(files.dataset, experiments)
        model = innermost(self.chat_model)
        if isinstance(model, Replay):
            protocol = self.settings.agent.protocol
            model.learn(self._golds(experiments), protocol.closing if protocol.explore else None)
        if self.epoch > 1 and (reseed := getattr(model, 'reseed', None)):
            reseed(self.epoch)  # a model in this process, whose random states are the same in every process
        store = PartStore(files.model_folder, files.dataset, attempt) if attempt else TraceStore(files.traces)
        batch = replace(self.filed(files, experiments, store), model=self._wrapped(files, attempt), slots=slots)
        return batch if attempt else replace(batch, file=lambda traces: file_sessions(files, experiments, traces))

    def filed(self, files: SessionFiles, experiments: list[Experiment], store: TraceStore) -> Batch:
        """The sessions of experiments under the names that they are filed by."""
        settings = replace(self.settings, model_name=files.model, dataset_name=files.dataset)
        return Batch(experiments, self.chat_model, settings, store)

    def _golds(self, experiments: Iterable[Experiment]) -> Golds:
        """The gold replies of a dataset, for models that answer from them."""
        gold = self.settings.agent.protocol.gold
        return {(one.id, step.index): gold(step) for one in experiments for step in one.steps if step.code}

    def _wrapped(self, files: SessionFiles, attempt: str) -> ChatModel:
        """The model with the run's limits, and before them the reply cache: cached replies cost nothing."""
        made_of = self.settings.model_config
        metered = MeteredModel(self.chat_model, self.settings.limits, self.settings.price, Ledger(files.usage, attempt))
        if isinstance(innermost(self.chat_model), Replay) or not (
            self.reply_cache == 'sampled' or (self.reply_cache and not samples(made_of))
        ):
            return metered
        return CachedModel(metered, cache_dir() / 'replies', reply_identity(made_of, self.epoch))


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


def sessions_of(task: SessionTask, model: Any) -> DatasetSessions:
    """How the sessions of a task are run, by the class that its config names; a `CibenchError` where that cannot be."""
    return build(task.inferencer, f'dataset {task.dataset_name}: inferencer', model=model)


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
    write_predictions(files.predictions, ({**session, TRACES: files.traces.name} for session in made))


def write_predictions(path: Path, sessions: Iterable[dict[str, Any]]) -> None:
    """Write the sessions of a dataset, by their numbers, as one JSON object: only one of them is in memory."""
    with whole_file(path) as file:
        file.write(b'{')
        for index, session in enumerate(sessions):
            text = json.dumps(session, ensure_ascii=False, indent=1).replace('\n', '\n ')
            file.write(f'{"," if index else ""}\n "{index}": {text}'.encode())
        file.write(b'\n}')
