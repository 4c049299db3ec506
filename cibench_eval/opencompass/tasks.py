"""The two kinds of task for OpenCompass's program: `python -m cibench_eval.opencompass.tasks KIND CONFIG` runs one."""

import logging
import shlex
import sys
from pathlib import Path
from typing import Any

from cibench_eval.cluster.cutting import Share
from cibench_eval.config import language
from cibench_eval.config.building import build, plain
from cibench_eval.config.session_tasks import SessionTask, task_of
from cibench_eval.run.run_tasks import EvalTask, InferTask, RunTask
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import log_to_stderr

logger = logging.getLogger(__name__)


class _OfConfig(RunTask):
    """The members that OpenCompass's runners expect of a task, made from its config."""

    cfg: Any
    model = None
    """OpenCompass's local runner takes it from a task when it debugs; a model of ours is not handed on."""

    @property
    def model_cfg(self) -> dict[str, Any]:
        """The model's config, which OpenCompass's local runner takes, too."""
        return self.parts[0].model.config

    @property
    def num_gpus(self) -> int:
        return self.parts[0].model.num_gpus if self.stage == 'infer' else 0

    def get_command(self, cfg_path: str, template: str) -> str:
        """The shell command that runs this task in a process of its own."""
        command = shlex.join([sys.executable, '-m', __name__, self.stage, cfg_path])
        return template.replace('{task_cmd}', command)

    def get_log_path(self, file_extension: str = 'json') -> str:
        return str(self.log.with_name(f'{self.log.name.removesuffix(".out")}.{file_extension}'))

    def get_output_paths(self, file_extension: str = 'json') -> list[str]:
        """The files that are there when it is done."""
        paths = [part.files.predictions if self.stage == 'infer' else part.results_file for part in self.parts]
        return [str(path.with_name(f'{path.name.removesuffix(".json")}.{file_extension}')) for path in paths]


class SessionInferTask(InferTask, _OfConfig):
    """Runs the sessions of a model on a dataset: `predictions/<model>/<dataset>.json` and its traces."""

    def __init__(self, cfg: Any) -> None:
        self.cfg = cfg
        share = Share.model_validate_json(cfg['share']) if cfg.get('share') else None
        super().__init__(_parts(cfg), share, cfg.get('name', ''))

    def run(self, **_: Any) -> None:
        """Run what is missing; OpenCompass's debug mode passes arguments that have no meaning here."""
        super().run()


class SessionEvalTask(EvalTask, _OfConfig):
    """Scores sessions: `results/<model>/<dataset>.json` with every step's score and why."""

    def __init__(self, cfg: Any) -> None:
        self.cfg = cfg
        super().__init__(_parts(cfg))

    def run(self, **_: Any) -> None:
        """Score what there is; OpenCompass's debug mode passes arguments that have no meaning here."""
        super().run()


def _parts(cfg: Any) -> list[SessionTask]:
    """The sessions of the config of a task; a `CibenchError` where their inferencer takes no such options."""
    whole = plain(cfg)
    parts = [
        task_of(Path(whole['work_dir']), model, dataset)
        for model, datasets in zip(whole['models'], whole['datasets'], strict=True)
        for dataset in datasets
    ]
    for part in parts:
        build(part.inferencer_config, f'dataset {part.dataset_name}: inferencer', model=None)
    return parts


def main(arguments: list[str]) -> int:
    """Run one task from its config file; the exit code says whether it is done."""
    kind, config = arguments
    log_to_stderr('%(asctime)s %(levelname)s %(message)s', logging.INFO)
    task = {'infer': SessionInferTask, 'eval': SessionEvalTask}[kind](language.run(Path(config)))
    try:
        task.run()
    except CibenchError as error:
        logger.error('%s: %s', task.name, error)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
