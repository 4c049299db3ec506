"""Runs tasks in this process, so that nothing is imported twice and servers are shared."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import Context, ContextVar, copy_context
from dataclasses import replace
from pathlib import Path
from typing import Any

from cibench_eval.agents.progress import Observer
from cibench_eval.agents.runner import Work
from cibench_eval.models.identity import model_identity
from cibench_eval.models.servers import stop_all
from cibench_eval.opencompass.build import plain, resolve
from cibench_eval.opencompass.deferred import defer
from cibench_eval.opencompass.inferencer import failures_of
from cibench_eval.opencompass.partitioner import epoch_of
from cibench_eval.opencompass.shared import SharedModels
from cibench_eval.schema import CibenchError, HarnessError
from cibench_eval.terminal import VisibleFormatter, quiet

defer()
from opencompass.runners.base import BaseRunner  # noqa: E402

logger = logging.getLogger(__name__)
LOG: ContextVar[Path | None] = ContextVar('LOG', default=None)
"""The log of the task for which something is done."""


class SessionRunner(BaseRunner):
    """The local runner. The sessions of all tasks of a model run side by side, and so do models behind different
    endpoints; scoring goes task by task.

    Args:
        task: config of the task, with its `type`.
        debug: show what libraries log, too.
        lark_bot_url: where OpenCompass reports what has failed.
        max_num_workers, max_workers_per_gpu, keep_tmp_file: of OpenCompass's local runner; without effect here.
    """

    def __init__(
        self,
        task: Any,
        debug: bool = False,
        lark_bot_url: str | None = None,
        max_num_workers: Any = None,
        max_workers_per_gpu: Any = None,
        keep_tmp_file: Any = None,
    ) -> None:
        super().__init__(task=task, debug=debug, lark_bot_url=lark_bot_url)
        self.causes: dict[str, str] = {}
        """Why tasks failed, by their names."""
        self.observer: Observer | None = None
        """Is told how far sessions are, instead of a live line."""

    def launch(self, tasks: list[Any]) -> list[tuple[str, int]]:
        """Run every task, also after one has failed: (name, 0 or 1) of each.

        Servers are stopped before tasks of another model begin: those may need the memory that the servers hold.
        """
        kind = resolve(self.task_cfg['type'], 'runner: task')
        made = [kind(task) for task in tasks]
        together = hasattr(kind, 'works')
        for group in _groups(made) if together else [made]:
            with ExitStack() as stack:
                stack.callback(stop_all)
                contexts = [self._log(task, stack) for task in group]
                ready = [(task, context) for task, context in zip(group, contexts, strict=True) if context]
                if together:
                    self._run_together(ready)
                    continue
                for task, context in ready:
                    self._attempt(task, context, task.run)
        return [(task.name, int(task.name in self.causes)) for task in made]

    def _run_together(self, tasks: list[tuple[Any, Context]]) -> None:
        """Run the sessions of tasks side by side."""
        models = SharedModels()
        works: list[tuple[Any, Work]] = []
        for task, context in tasks:
            found = self._attempt(task, context, lambda task=task: task.works(models)) or []
            works += [(task, replace(work, context=context)) for work in found]
        failures = failures_of([work for _, work in works], self.observer)
        for (task, work), failure in zip(works, failures, strict=True):
            if failure:
                work.context.run(self._failed, task, failure)

    def _attempt(self, task: Any, context: Context, do: Any) -> Any:
        try:
            return context.run(do)
        except CibenchError as error:
            return context.run(self._failed, task, error)

    def _failed(self, task: Any, error: CibenchError) -> None:
        if str(error) not in self.causes.values():  # else all tasks of a model that is gone would say so
            logger.error('%s: %s', task.name, error)
        self.causes.setdefault(task.name, str(error))

    def _log(self, task: Any, stack: ExitStack) -> Context | None:
        """The context in which a task is run: what is logged there goes into its log. None where none can be."""
        path = Path(task.get_log_path('out'))
        context = copy_context()
        context.run(LOG.set, path)
        try:
            stack.enter_context(_logged(path))
        except HarnessError as error:
            self.causes[task.name] = str(error)
            return None
        return context


def _groups(tasks: list[Any]) -> list[list[Any]]:
    """The tasks whose sessions run side by side: those of one model, and of models behind different endpoints."""
    groups: list[list[Any]] = []
    endpoints: dict[str, str] = {}
    """Of the last group: where a model is, and what it is."""
    for task in tasks:
        place, model = _place(task), _model(task)
        if groups and (endpoints.get(place) == model or (place and '' not in endpoints and place not in endpoints)):
            groups[-1].append(task)
        else:
            groups.append([task])
            endpoints = {}
        endpoints[place] = model
    return groups


def _place(task: Any) -> str:
    return place_of(task.model_cfg)


def place_of(config: Any) -> str:
    """The address of a model; empty where it takes this machine's memory and processors."""
    model = plain(config)
    remote = getattr(resolve(model.get('type'), f'model {model.get("abbr", "?")}'), 'remote', False)
    return str(model.get('base_url', '')) if remote else ''


def _model(task: Any) -> str:
    """What a task's model is made of, by whatever name (each agent gives it another).

    Epochs of OpenCompass's own classes go one after the other, because they draw from this process's random generator.
    """
    model = plain(task.model_cfg)
    here = not hasattr(resolve(model.get('type'), f'model {model.get("abbr", "?")}'), 'chat')
    epochs = [epoch_of(dataset) for dataset in task.dataset_cfgs[0]] if here else []
    return f'{model_identity(model)} {epochs}'


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """What is logged for the task whose log is at `path`, and what is logged for none, goes there, too.

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
