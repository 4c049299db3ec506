"""Sessions as an OpenCompass inferencer: it writes the predictions file, and the traces beside it."""

from __future__ import annotations

import asyncio
import json
import logging
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Batch, Work, run_batches
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.cache import cache_dir
from cibench_eval.cluster.parts import PartStore
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.files import whole_file
from cibench_eval.interpreter.environments import names
from cibench_eval.interpreter.settings import read_settings
from cibench_eval.models.base import ChatModel, Wrapper
from cibench_eval.models.identity import digest, model_identity, model_of_epoch
from cibench_eval.models.limits import Limits, Price
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.replay import Golds, Replay
from cibench_eval.opencompass.build import build, plain
from cibench_eval.opencompass.dataset import CIBenchDataset, ExperimentRetriever
from cibench_eval.opencompass.model import OpenCompassModel
from cibench_eval.reports.live import LiveDisplay
from cibench_eval.schema import CibenchError, Experiment, Mode, Trace, problem
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)
TRACES = 'traces'
"""The field of a session in a predictions file that names the file of its trace."""
READS_DATA = re.compile(r'[\'"](?:\./)?data/')
RecordT = TypeVar('RecordT', bound=BaseModel)


class SessionInferencer:
    """Runs the sessions of a dataset with a model.

    Args:
        model: a ChatModel, or an object of any of OpenCompass's model classes; inferencers whose sessions run side by
            side may share it (`SharedModel`).
        mode: `end_to_end` or `oracle`.
        agent: config of the agent: `protocol` (a dict with `type`), `max_attempts`, `history`.
        kernels: fields of KernelSettings.
        limits: fields of Limits.
        reply_cache: whether replies are kept and used again, beyond this run: `True` for models that are asked with
            temperature 0, `'sampled'` for all.
        max_sessions: sessions at the same time; None is some for each core, more while these idle, and no more than the
            model's `batch_size`.
        max_out_len: tokens of a reply, at most; None leaves it to the model.
        batch_size: requests that the model takes at the same time; None is any number.
        model_config: what the model was made of; sessions of one run must agree in it. Its `price` is what a
            million tokens cost: `dict(input=…, output=…)`.
        epoch: which of several runs of the sessions this is; `epochs` of a config counts it.
        min_out_len, max_seq_len, dump_res_length, dump_only_message_path: what OpenCompass's own task adds for its own
            inferencers; without effect here.
    """

    def __init__(
        self,
        model: Any,
        mode: Mode = 'end_to_end',
        agent: dict[str, Any] | None = None,
        kernels: dict[str, Any] | None = None,
        limits: dict[str, Any] | None = None,
        reply_cache: bool | Literal['sampled'] = False,
        max_sessions: int | None = None,
        max_out_len: int | None = None,
        batch_size: int | None = None,
        model_config: dict[str, Any] | None = None,
        epoch: int = 1,
        min_out_len: Any = None,
        max_seq_len: Any = None,
        dump_res_length: Any = None,
        dump_only_message_path: Any = None,
    ) -> None:
        if mode not in get_args(Mode):
            raise CibenchError(f'inferencer: mode is {mode!r}; it must be {" or ".join(get_args(Mode))}')
        self.mode: Mode = mode
        self.epoch = epoch
        self.model_config = {**model_of_epoch(model_config or {}, epoch), 'max_out_len': max_out_len}
        self.agent = agent_settings(agent or {})
        self.kernels = read_settings(plain(kernels or {}), 'in the config')
        self.limits = read_record(Limits, limits, 'limits')
        self.price = read_record(Price, self.model_config.get('price'), 'models: price')
        if reply_cache not in (False, True, 'sampled'):
            raise CibenchError(f"reply_cache is {reply_cache!r}; it must be False, True or 'sampled'")
        self.reply_cache = reply_cache
        self.max_sessions = max_sessions or min(batch_size or default_sessions(), default_sessions())
        self.most_sessions = max_sessions or batch_size or sys.maxsize
        self.model = as_chat_model(model, batch_size, max_out_len)

    def check(self, dataset: CIBenchDataset) -> None:
        """See that experiments have their data, and that kernels are of the environment of the gold outputs.

        Raises:
            CibenchError: there is no data folder, or the notebooks name another environment.
        """
        runs = self.kernels.environment
        for experiment in dataset.experiments:
            if experiment.datasources is None and any(READS_DATA.search(step.code) for step in experiment.steps):
                raise CibenchError(
                    f'dataset {dataset.abbr}: {experiment.path}: its code reads data/…, but there is no datasources/ '
                    'folder beside or above it; put it there, or set `datasources` in the dataset'
                )
            if experiment.environment not in (None, runs) and runs in names():
                raise CibenchError(
                    f'dataset {dataset.abbr}: its gold outputs are of the kernel environment {experiment.environment}, '
                    f"kernels run in {runs}; set environment='{experiment.environment}' in kernels"
                    f" (or, in a dataset with `builtin`, environment='{runs}')"
                )

    def inference(
        self,
        retriever: ExperimentRetriever,
        ice_template: Any = None,
        prompt_template: Any = None,
        output_json_filepath: str = '.',
        output_json_filename: str = 'predictions.json',
    ) -> None:
        """Run what is missing and write `output_json_filename`; traces and figures stand beside it."""
        path = Path(output_json_filepath) / output_json_filename
        slots = SessionSlots(self.max_sessions, most=self.most_sessions)
        run_works([self.work(retriever.dataset, path, slots)])

    def work(self, dataset: CIBenchDataset, path: Path, slots: SessionSlots, attempt: str = '') -> Work:
        """The sessions of a dataset, as they are run side by side with others; `path` is its predictions file.

        Args:
            dataset: the sessions; with `attempt`, those of its share alone.
            path: the predictions file of the whole dataset.
            slots: what the sessions wait for.
            attempt: of a task of many, which writes a part of the traces (`cluster/parts.py`) and no predictions.

        Raises:
            CibenchError: see `check`.
        """
        self.check(dataset)
        store = TraceStore(path.with_suffix('.traces.jsonl'))
        if isinstance(self._innermost, Replay):
            protocol = self.agent.protocol
            self._innermost.learn(self._golds(dataset), protocol.closing if protocol.explore else None)
        self._reseed()
        batch = self.batch(dataset, path, attempt)
        if attempt:
            return Work(batch, PartStore(model_folder(path, dataset.abbr), dataset.abbr, attempt), slots)
        return Work(batch, store, slots, lambda traces: file_sessions(path, dataset.experiments, traces))

    @property
    def _innermost(self) -> ChatModel:
        return self.model.innermost if isinstance(self.model, Wrapper) else self.model

    def batch(self, dataset: CIBenchDataset, path: Path, attempt: str = '') -> Batch:
        """The sessions whose predictions belong at `path`; `attempt` as in `work`."""
        folder = model_folder(path, dataset.abbr)
        settings = SessionSettings(
            agent=self.agent,
            kernels=self.kernels,
            mode=self.mode,
            model_name=folder.name,
            dataset_name=dataset.abbr,
            epoch=self.epoch,
            limits=self.limits,
            price=self.price,
            model_config=self.model_config,
        )
        return Batch(dataset.experiments, self._wrapped(folder.parent, attempt), settings, self.max_sessions)

    def _golds(self, dataset: CIBenchDataset) -> Golds:
        """The gold replies of a dataset, for models that answer from them."""
        gold = self.agent.protocol.gold
        return {(one.id, step.index): gold(step) for one in dataset.experiments for step in one.steps if step.code}

    def _reseed(self) -> None:
        """Models in this process draw from torch, which begins with the same seed in every process."""
        torch = sys.modules.get('torch')
        if self.epoch > 1 and torch and isinstance(self._innermost, OpenCompassModel):
            torch.manual_seed(self.epoch)

    def _wrapped(self, predictions: Path, attempt: str) -> ChatModel:
        """The model behind the run's limits, and those behind the reply cache: what is cached costs nothing."""
        ledger = Ledger(predictions / 'usage.jsonl', attempt)
        metered = MeteredModel(self.model, self.limits, self.price, ledger)
        temperature = (self.model_config.get('generation_kwargs') or {}).get('temperature', 0)
        if isinstance(self._innermost, Replay) or not (
            self.reply_cache == 'sampled' or (self.reply_cache and not temperature)
        ):
            return metered
        from cibench_eval.models.reply_cache import CachedModel

        # The cache outlives the run: by then another model may have the same name at another address.
        identity = digest([model_identity(self.model_config), self.model_config.get('base_url'), self.epoch])
        return CachedModel(metered, cache_dir() / 'replies', identity)


def run_works(works: Sequence[Work]) -> None:
    """Run sessions, showing how far they are.

    Raises:
        CibenchError: why the first batch is not whole that is not.
    """
    failures = [failure for failure in failures_of(works) if failure]
    for failure in failures[1:]:
        logger.error('%s', failure)
    if failures:
        raise failures[0]


def failures_of(works: Sequence[Work], observer: Observer | None = None) -> list[CibenchError | None]:
    """Run sessions, showing how far they are, or telling `observer`; see `run_batches`."""
    return asyncio.run(run_batches(_with_libraries(works), observer or LiveDisplay())) if works else []


def _with_libraries(works: Sequence[Work]) -> list[Work]:
    """The same, with kernels forked from a process with what gold code imports, where the config names no modules."""
    experiments = [one for work in works for one in work.batch.experiments]
    preload = preload_of({code for one in experiments for code in (one.setup, *(step.code for step in one.steps))})
    made = []
    for work in works:
        settings = work.batch.settings
        if settings.kernels.preload is None:
            settings = replace(settings, kernels=settings.kernels.model_copy(update={'preload': preload}))
        made.append(replace(work, batch=replace(work.batch, settings=settings)))
    return made


def as_chat_model(model: Any, batch_size: int | None, max_out_len: int | None) -> ChatModel:
    """A model that sessions can ask, from one or from an object of OpenCompass's model classes."""
    made: ChatModel = model if hasattr(model, 'chat') else OpenCompassModel(model, batch_size or 1)
    if max_out_len is not None:
        made.max_out_len = max_out_len
    return made


def model_folder(predictions: Path, dataset: str) -> Path:
    """`…/<model>` of `…/<model>/<dataset>.json` (a dataset's abbr may hold slashes)."""
    return Path(str(predictions).removesuffix(f'/{dataset}.json'))


def agent_settings(cfg: dict[str, Any]) -> AgentSettings:
    """Build the agent axis of a config."""
    fields = {key: value for key, value in plain(cfg).items() if key != 'abbr'}
    if 'protocol' in fields:
        fields['protocol'] = build(fields['protocol'], 'agents: protocol')
    return build({'type': AgentSettings, **fields}, 'agents')


def read_record(kind: type[RecordT], fields: dict[str, Any] | None, place: str) -> RecordT:
    """A record from a config.

    Raises:
        CibenchError: a field is unknown or has a value that it cannot have.
    """
    try:
        return kind.model_validate(plain(fields or {}))
    except ValidationError as error:
        raise CibenchError(f'{place}: {problem(error)}; fields: {", ".join(kind.model_fields)}') from error


def file_sessions(path: Path, experiments: Sequence[Experiment], traces: Iterable[Trace]) -> None:
    """Write the predictions file of a dataset from the traces of its experiments, in their order.

    It names the file of the traces, so that they are missed if they are gone; a file of another program names none.
    """
    store = TraceStore(path.with_suffix('.traces.jsonl'))
    made = (prediction_of(trace, one, store.figures) for trace, one in zip(traces, experiments, strict=True))
    write_predictions(path, ({**session, TRACES: store.path.name} for session in made))


def write_predictions(path: Path, sessions: Iterable[dict[str, Any]]) -> None:
    """Write the sessions of a dataset, by their numbers, as one JSON object: only one of them is in memory."""
    with whole_file(path) as file:
        file.write(b'{')
        for index, session in enumerate(sessions):
            text = json.dumps(session, ensure_ascii=False, indent=1).replace('\n', '\n ')
            file.write(f'{"," if index else ""}\n "{index}": {text}'.encode())
        file.write(b'\n}')
