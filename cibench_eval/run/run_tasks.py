"""The tasks of a run: some of its sessions to run, as its config says, or to score."""

import asyncio
import logging
import os
import platform
import sys
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Batch, run_batches
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.cache import cache_dir
from cibench_eval.cluster.cutting import Share, cut
from cibench_eval.cluster.parts import Done, PartStore, finished
from cibench_eval.config.building import build_model, resolve, samples
from cibench_eval.config.session_tasks import CutOptions, Run, SessionTask
from cibench_eval.evaluators.predictions import file_sessions
from cibench_eval.models.base import ChatModel, Wrapper, innermost
from cibench_eval.models.identity import digest, reply_identity
from cibench_eval.models.metering import Ledger, MeteredModel
from cibench_eval.models.replay import GoldReplay, Replay
from cibench_eval.models.reply_cache import CachedModel
from cibench_eval.reports.live import LiveDisplay
from cibench_eval.run import scoring
from cibench_eval.run.preflight import check_sessions
from cibench_eval.run.shares import Taken, missing_pieces
from cibench_eval.run_paths import share_log
from cibench_eval.schema import CibenchError, Experiment
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)
OF_OPENCOMPASS = 'cibench_eval.opencompass.chat_model.OpenCompassModel'
"""What makes a chat model of an object of OpenCompass's model classes."""


class SharedModel(Wrapper):
    """A chat model that several users may open at the same time: the first opens it, the last closes it."""

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self._users = 0

    async def __aenter__(self) -> Self:
        self._users += 1
        try:
            await self.open_once()
        except BaseException:
            self._users -= 1
            raise
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._users -= 1
        if not self._users:
            self._opening = None
            await self._model.__aexit__(*error)


class SharedModels:
    """The models of tasks that run together."""

    def __init__(self) -> None:
        self._models: dict[str, SharedModel] = {}
        self._slots: dict[str, SessionSlots] = {}

    def model(self, task: SessionTask) -> ChatModel:
        """The model of a task. A replay is its own: what it answers belongs to its dataset."""
        key = _key(task)
        if key not in self._models:
            built = as_chat_model(build_model(task.model.config), task.batch_size, task.max_out_len)
            if isinstance(built, Replay):
                return built
            self._models[key] = SharedModel(built)
        return self._models[key]

    def slots(self, task: SessionTask) -> SessionSlots:
        """Slots for a task: a part of the slots of its model, of which there are more while the machine idles."""
        wanted = task.dataset.max_sessions
        number = wanted or min(task.batch_size or default_sessions(), default_sessions())
        most = wanted or task.batch_size or sys.maxsize
        whole = self._slots.setdefault(_key(task), SessionSlots(number, most=most))
        whole.widen(number)
        whole.most = max(whole.most, most)
        return SessionSlots(most, whole)


def _key(task: SessionTask) -> str:
    """A key that is equal for tasks with the same model, whatever its name.

    Epochs do not tell models apart: a seed is of a request (`Turn.epoch`).
    """
    model = {name: value for name, value in task.model.config.items() if name != 'abbr'}
    return digest([model, task.batch_size, task.max_out_len])


class RunTask:
    """A unit of work for a runner: sessions of one model on one or more datasets."""

    kind: ClassVar[str]
    """The prefix of its name."""
    stage: ClassVar[str]

    def __init__(self, parts: Sequence[SessionTask]) -> None:
        self.parts = list(parts)

    @property
    def name(self) -> str:
        return f'{self.kind}[{",".join(part.name for part in self.parts)}]'

    @property
    def log(self) -> Path:
        return self.parts[0].files.log(self.stage)

    @abstractmethod
    def run(self) -> None:
        """Do what is left to do; a `CibenchError` where some of it cannot be done."""


class InferTask(RunTask):
    """Runs the sessions that are missing: `predictions/<model>/<dataset>.json` and its traces.

    Args:
        share: what of their sessions it runs; None is all.
        attempt: the name of the parts that a share writes: no other process has it.
    """

    kind, stage = 'SessionInfer', 'infer'

    def __init__(
        self, parts: Sequence[SessionTask], share: Share | None = None, share_name: str = '', attempt: str = ''
    ) -> None:
        super().__init__(parts)
        self.share, self.share_name = share, share_name
        self._attempt = attempt or f'{share_name}-{platform.node()}-{os.getpid()}'

    @property
    def name(self) -> str:
        return f'{self.kind}[{self.share.model}/{self.share_name}]' if self.share else super().name

    @property
    def log(self) -> Path:
        return share_log(self.parts[0].run, self.share_name) if self.share else super().log

    @cached_property
    def _finished(self) -> dict[str, dict[str, Done]]:
        """The finished sessions of a share's datasets at the first call."""
        return finished(self.parts[0].files.model_folder, [part.dataset_name for part in self.parts])

    def missing(self) -> list[SessionTask]:
        """The parts that are not finished."""
        return [part for part in self.parts if not self._done(part)]

    def _done(self, part: SessionTask) -> bool:
        """Whether the file is there with all experiments that the config names now, or a share's sessions are."""
        if self.share:
            return self._finished[part.dataset_name].keys() >= set(self.share.sessions[part.dataset_name])
        path, store = part.files.predictions, part.traces
        if not path.exists():
            return False
        if not store.path.exists():
            return scoring.can_be_read(path) and not scoring.has_lost_traces(path)
        there = store.whole()
        return scoring.can_be_read(path) and all(one.id in there for one in part.experiments)

    def run(self) -> None:
        run_together(self.batches(SharedModels()))

    def batches(self, models: SharedModels) -> list[Batch]:
        """The sessions that are missing; tasks that run together share `models`.

        Raises:
            CibenchError: something in the config is wrong, or the notebooks need other data or kernels.
        """
        return [self._batch(part, models) for part in self.missing()]

    def _batch(self, part: SessionTask, models: SharedModels) -> Batch:
        model, slots = models.model(part), models.slots(part)
        if not self.share:
            return batch_of(part, model, part.experiments, slots)
        missing = set(self.share.sessions[part.dataset_name]) - self._finished[part.dataset_name].keys()
        chosen = [one for one in part.experiments if one.id in missing]
        return batch_of(part, model, chosen, slots, self._attempt)


class EvalTask(RunTask):
    """Scores sessions: `results/<model>/<dataset>.json` with every step's score and why."""

    kind, stage = 'SessionEval', 'eval'

    @property
    def has_sessions(self) -> bool:
        """Whether there is something to score: predictions, or traces where some sessions have failed."""
        return all(part.files.predictions.exists() or part.files.traces.exists() for part in self.parts)

    def run(self) -> None:
        """Score what there is. What cannot be scored keeps nothing else from it."""
        problems = [problem for part in self.parts if (problem := scoring.score(part))]
        if problems:
            raise CibenchError('; '.join(problems))


def infer_tasks(run: Run, taken: Taken = frozenset(), cut_into: CutOptions | None = None) -> list[InferTask]:
    """The tasks that run the sessions of a run, without those that a job has (`taken`).

    `cut_into` says how they are cut, None as in the config.
    """
    how = cut_into or run.stage('infer').cut
    if not how.shares:
        return [InferTask(parts) for parts in _datasets_of_models(run, how.n)]
    shares = cut(missing_pieces(run, taken), how.max_tasks, how.target_minutes)
    return [share_task(run, share, f'share-{at}') for at, share in enumerate(shares)]


def share_task(run: Run, share: Share, name: str, attempt: str = '') -> InferTask:
    """The task of a share; its log is called `name`. `attempt` names this process where several run the share."""
    parts = [task for task in run.tasks if task.model_name == share.model and task.dataset_name in share.sessions]
    return InferTask(parts, share, name, attempt)


def eval_tasks(run: Run) -> list[EvalTask]:
    """The tasks that score the sessions of a run."""
    return [EvalTask(parts) for parts in _datasets_of_models(run, run.stage('eval').cut.n)]


def _datasets_of_models(run: Run, size: int) -> list[list[SessionTask]]:
    """The tasks of a run, up to `size` datasets of one model together."""
    return [own[at : at + size] for _, own in run.by_model() for at in range(0, len(own), size)]


def shares_of(tasks: Sequence[RunTask]) -> list[Share]:
    return [task.share for task in tasks if isinstance(task, InferTask) and task.share]


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
    if isinstance(asked, GoldReplay):
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
