"""Runs tasks one after the other in this process, so that nothing is imported twice and servers are shared."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from cibench_eval.models.identity import model_identity
from cibench_eval.models.servers import stop_all
from cibench_eval.opencompass.build import plain, resolve
from cibench_eval.opencompass.deferred import defer
from cibench_eval.schema import CibenchError, HarnessError, UnreachableError
from cibench_eval.terminal import VisibleFormatter, quiet

defer()
from opencompass.runners.base import BaseRunner  # noqa: E402

logger = logging.getLogger(__name__)


class SessionRunner(BaseRunner):
    """The local runner. The sessions of a task run side by side; tasks run in order.

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
        self._unreachable: dict[str, str] = {}
        """Why the endpoint of a model cannot be reached, by the model's address and identity."""

    def launch(self, tasks: list[Any]) -> list[tuple[str, int]]:
        """Run every task, also after one has failed: (name, 0 or 1) of each.

        Where the endpoint of a model cannot be reached, its further tasks are not tried. Servers are stopped when a
        task of another model comes: it may need the memory that they hold.
        """
        kind = resolve(self.task_cfg['type'], 'runner: task')
        status, before = [], None
        try:
            for task in tasks:
                model = _model(task)
                if before not in (None, model):
                    stop_all()
                status.append(self._run(kind(task), model))
                before = model
        finally:
            stop_all()
        return status

    def _run(self, task: Any, model: str) -> tuple[str, int]:
        if model in self._unreachable:
            self.causes[task.name] = self._unreachable[model]
            return task.name, 1
        try:
            with _logged(Path(task.get_log_path('out'))):
                return self._tried(task, model)
        except HarnessError as error:  # of the log
            self.causes[task.name] = str(error)
            return task.name, 1

    def _tried(self, task: Any, model: str) -> tuple[str, int]:
        try:
            task.run()
        except CibenchError as error:
            logger.error('%s: %s', task.name, error)
            self.causes[task.name] = str(error)
            if isinstance(error, UnreachableError):
                self._unreachable[model] = str(error)
            return task.name, 1
        return task.name, 0


def _model(task: Any) -> str:
    """What a task's model is made of and where it is, by whatever name (each agent gives it another)."""
    model = plain(task['models'][0])
    return f'{model.get("base_url", "")} {model_identity(model)}'


@contextmanager
def _logged(path: Path) -> Iterator[None]:
    """Everything that is logged goes into `path`, too.

    Raises:
        HarnessError: there can be no file.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handler = quiet(logging.FileHandler(path, encoding='utf-8'))
    except OSError as error:
        raise HarnessError(f'{path}: no log can be written ({error.strerror})') from error
    handler.setFormatter(VisibleFormatter('%(asctime)s %(levelname)s %(name)s: %(message)s'))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        with suppress(OSError):  # of a full disk; what was to be written is lost in any case
            handler.close()
