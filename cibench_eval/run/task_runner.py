"""What all runners have in common: they run typed tasks, or the configs of tasks that OpenCompass's program gives."""

import logging
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.config.building import resolve
from cibench_eval.config.records import Ignored
from cibench_eval.run.run_tasks import RunTask
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class TaskRunner:
    """A runner, as OpenCompass calls one: `runner(task configs)`. Its fields are its options in a config."""

    task: dict[str, Any]
    """Config of the tasks, with their `type`."""
    debug: bool = False
    """Show what libraries log, too."""
    lark_bot_url: str | None = None
    """Where OpenCompass's own reporter says what has failed."""
    keep_tmp_file: Ignored = None
    """An option of OpenCompass's own runners, without effect here."""

    def __post_init__(self) -> None:
        self.causes: dict[str, CibenchError] = {}
        """Why tasks failed, by their names."""

    @abstractmethod
    def run(self, tasks: Sequence[RunTask]) -> list[tuple[str, int]]:
        """Run tasks: name and exit code, 0 or 1, of each."""

    def launch(self, tasks: list[Any]) -> list[tuple[str, int]]:
        """Run the tasks that OpenCompass's program gives as configs."""
        kind = resolve(self.task['type'], 'runner: task')
        made = [kind(task) for task in tasks]
        return self.run([task if isinstance(task, RunTask) else _OtherTask(task) for task in made])

    def __call__(self, tasks: list[Any]) -> None:
        status = self.launch(tasks)
        for name in [name for name, code in status if code]:
            logger.error('%s failed', name)
        self.summarize(status)

    def summarize(self, status: Sequence[tuple[str, int]]) -> None:
        """Report how tasks ended where `lark_bot_url` says."""
        if self.lark_bot_url:
            failed = [name for name, code in status if code]
            said = '\n'.join([f'{len(status) - len(failed)} tasks succeeded, {len(failed)} failed.', *failed])
            resolve('opencompass.utils.lark.LarkReporter', 'lark_bot_url')(self.lark_bot_url).post(said, 'cibench-eval')


class _OtherTask(RunTask):
    """A task of another package, which OpenCompass's program has given."""

    def __init__(self, task: Any) -> None:
        super().__init__([])
        self._task = task

    @property
    def name(self) -> str:
        return str(self._task.name)

    @property
    def log(self) -> Path:
        return Path(self._task.get_log_path('out'))

    def run(self) -> None:
        self._task.run()
