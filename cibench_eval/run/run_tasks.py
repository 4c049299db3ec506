"""The tasks of a run: some of its sessions to run, or to score, and where what is logged of it goes."""

import os
import platform
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from cibench_eval.agents.runner import Batch
from cibench_eval.cluster.cutting import Share, cut
from cibench_eval.cluster.parts import Done, finished
from cibench_eval.config.session_tasks import CutOptions, Run, SessionTask
from cibench_eval.run import scoring
from cibench_eval.run.sessions import batch_of, run_together, slots_of
from cibench_eval.run.shared_models import SharedModels
from cibench_eval.run.shares import Taken, missing_pieces
from cibench_eval.run_paths import share_log
from cibench_eval.schema import CibenchError


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
        model, slots = models.model(part), models.slots(part, *slots_of(part))
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
