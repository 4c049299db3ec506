"""Runs tasks in this process, so that nothing is imported twice and servers are shared."""

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from pydantic import PositiveInt

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Batch
from cibench_eval.config.building import model_address, resolve
from cibench_eval.config.records import WITHOUT_EFFECT, Ignored
from cibench_eval.models.identity import model_identity
from cibench_eval.models.servers import stop_all
from cibench_eval.run.run_tasks import InferTask, RunTask, SharedModels, failures_of
from cibench_eval.run.task_runner import TaskRunner
from cibench_eval.schema import CibenchError, HarnessError, cause_of
from cibench_eval.terminal import VisibleFormatter, filtering, quiet

logger = logging.getLogger(__name__)
LOG: ContextVar[Path | None] = ContextVar('LOG', default=None)
"""The log of the task for which something is done."""


@dataclass(eq=False)
class SessionRunner(TaskRunner):
    """The local runner. The sessions of all tasks of a model run side by side, and so do models behind different
    endpoints; scoring goes task by task.
    """

    max_num_workers: Annotated[PositiveInt | None, WITHOUT_EFFECT] = None
    """An option of OpenCompass's local runner, without effect here; so is the next one."""
    max_workers_per_gpu: Ignored = None

    def __post_init__(self) -> None:
        super().__post_init__()
        self.observer: Observer | None = None
        """Watches how far sessions are, in place of the live line."""

    @filtering(lambda record: not getattr(record, 'known', False))  # on a terminal alone: logs of tasks open later
    def run(self, tasks: Sequence[RunTask]) -> list[tuple[str, int]]:
        """Run every task, also after one has failed: (name, 0 or 1) of each.

        Servers are stopped before tasks of another model begin: those may need the memory that the servers hold.
        """
        infer = [task for task in tasks if isinstance(task, InferTask)]
        others = [task for task in tasks if not isinstance(task, InferTask)]
        for group in _groups(infer):
            with ExitStack() as stack:
                stack.callback(stop_all)
                self._run_together([(task, context) for task in group if (context := self._log(task, stack))])
        for task in others:
            with ExitStack() as stack:
                if context := self._log(task, stack):
                    self._attempt(task, context, task.run)
        return [(task.name, int(task.name in self.causes)) for task in tasks]

    def _run_together(self, tasks: list[tuple[InferTask, Context]]) -> None:
        """Run the sessions of tasks side by side."""
        models = SharedModels()
        batches: list[tuple[InferTask, Batch]] = []
        for task, context in tasks:
            found: list[Batch] = self._attempt(task, context, partial(task.batches, models)) or []
            batches += [(task, batch) for batch in found]
        failures = failures_of([batch for _, batch in batches], self.observer)
        for (task, batch), failure in zip(batches, failures, strict=True):
            if failure:
                batch.context.run(self._failed, task, failure)

    def _attempt(self, task: RunTask, context: Context, do: Callable[[], Any]) -> Any:
        try:
            return context.run(do)
        except CibenchError as error:
            return context.run(self._failed, task, error)

    def _failed(self, task: RunTask, error: CibenchError) -> None:
        known = cause_of(error) in map(cause_of, self.causes.values())  # else all tasks of a model say so
        logger.error('%s: %s', task.name, error, extra={'known': known})
        self.causes.setdefault(task.name, error)

    def _log(self, task: RunTask, stack: ExitStack) -> Context | None:
        """The context in which a task is run, whose log records go into its log; None if the log cannot be written."""
        context = copy_context()
        context.run(LOG.set, task.log)
        try:
            stack.enter_context(_logged(task.log))
        except HarnessError as error:
            self.causes[task.name] = error
            return None
        return context


def _groups(tasks: list[InferTask]) -> list[list[InferTask]]:
    """The tasks whose sessions run side by side: tasks of one model, or of models behind different endpoints."""
    groups: list[list[InferTask]] = []
    endpoints: dict[str, str] = {}
    """Address -> identity of each model in the last group."""
    for task in tasks:
        place, model = model_address(task.parts[0].model.config), _model(task)
        if groups and (endpoints.get(place) == model or (place and '' not in endpoints and place not in endpoints)):
            groups[-1].append(task)
        else:
            groups.append([task])
            endpoints = {}
        endpoints[place] = model
    return groups


def _model(task: InferTask) -> str:
    """The identity of a task's model, whatever its name.

    Epochs of OpenCompass's own classes go one after the other, because they draw from this process's random generator.
    """
    model = task.parts[0].model
    ours = hasattr(resolve(model.type, f'model {model.abbr}'), 'chat')
    epochs = [] if ours else [part.epoch for part in task.parts]
    return f'{model_identity(model.config)} {epochs}'


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Write log records of the task whose log is at `path`, and records of no task, into that log.

    Raises:
        HarnessError: there can be no file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = quiet(logging.FileHandler(path, encoding='utf-8'))
    except OSError as error:
        raise HarnessError(f'{path}: no log can be written ({error.strerror})') from error
    handler.setFormatter(VisibleFormatter('%(asctime)s %(levelname)s %(name)s: %(message)s'))
    handler.addFilter(lambda record: LOG.get() in (None, path))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        with suppress(OSError):  # of a full disk; what was to be written is lost in any case
            handler.close()
