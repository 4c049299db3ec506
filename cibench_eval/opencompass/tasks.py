"""The two kinds of task: run sessions, score predictions. `python -m cibench_eval.opencompass.tasks KIND CONFIG`.

They are OpenCompass tasks that import nothing of OpenCompass but its base class, unless the config names
one of its models.
"""

from __future__ import annotations

import json
import logging
import shlex
import sys
from abc import abstractmethod
from pathlib import Path
from typing import Any, ClassVar

from cibench_eval.agents.store import TraceStore
from cibench_eval.opencompass.build import build, build_dataset, build_evaluator, build_model, plain
from cibench_eval.opencompass.dataset import CIBenchDataset, ExperimentRetriever
from cibench_eval.opencompass.deferred import defer
from cibench_eval.opencompass.inferencer import SessionInferencer, write_json
from cibench_eval.schema import CibenchError

defer()
from mmengine.config import Config, ConfigDict  # noqa: E402
from opencompass.tasks.base import BaseTask  # noqa: E402

logger = logging.getLogger(__name__)


class _SessionTask(BaseTask):
    """What both kinds share: one model on one or more datasets."""

    kind: ClassVar[str]

    def __init__(self, cfg: ConfigDict) -> None:
        super().__init__(cfg)
        run_cfg = self.model_cfgs[0].get('run_cfg', {})
        self.num_gpus: int = run_cfg.get('num_gpus', 0) if self.kind == 'infer' else 0
        self.model_cfg = self.model_cfgs[0]
        self.model = None
        """OpenCompass's local runner takes both from a task when it debugs; a model of ours is not handed on."""

    def get_command(self, cfg_path: str, template: str) -> str:
        """The shell command that runs this task in a process of its own."""
        command = shlex.join([sys.executable, '-m', __name__, self.kind, cfg_path])
        return template.replace('{task_cmd}', command)

    def run(self, **_: Any) -> None:
        """Do what is missing; OpenCompass's debug mode passes arguments that have no meaning here."""
        for model_cfg, dataset_cfgs in zip(self.model_cfgs, self.dataset_cfgs, strict=True):
            for dataset_cfg in dataset_cfgs:
                path = self.output(model_cfg, dataset_cfg)
                if not path.exists():
                    self.run_one(model_cfg, dataset_cfg, path)

    def output(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, folder: str = '') -> Path:
        name = f'{dataset_cfg["abbr"]}.json'
        return Path(self.work_dir, folder or self.output_subdir, model_cfg['abbr'], name)

    @abstractmethod
    def run_one(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path) -> None:
        """Write what belongs at `path` for one model and one dataset."""


class SessionInferTask(_SessionTask):
    """Runs the sessions of a model on a dataset: `predictions/<model>/<dataset>.json` and its traces."""

    kind = 'infer'
    name_prefix = 'SessionInfer'
    log_subdir = 'logs/infer'
    output_subdir = 'predictions'

    def run_one(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path) -> None:
        dataset = build_dataset(dataset_cfg)
        inferencer = build_inferencer(model_cfg, dataset_cfg, build_model(model_cfg))
        inferencer.inference(
            ExperimentRetriever(dataset),
            output_json_filepath=str(path.parent),
            output_json_filename=path.name,
        )


def build_inferencer(model_cfg: ConfigDict, dataset_cfg: ConfigDict, model: Any) -> SessionInferencer:
    """The inferencer that a dataset's config names, with the defaults that the model's config gives it."""
    cfg = plain(dataset_cfg['infer_cfg']['inferencer'])
    for key in ('max_out_len', 'batch_size'):
        cfg.setdefault(key, model_cfg.get(key))
    return build(cfg, f'dataset {dataset_cfg["abbr"]}: inferencer', model=model)


class SessionEvalTask(_SessionTask):
    """Scores predictions: `results/<model>/<dataset>.json` with every step's score and why."""

    kind = 'eval'
    name_prefix = 'SessionEval'
    log_subdir = 'logs/eval'
    output_subdir = 'results'

    def run_one(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path) -> None:
        predictions_path = self.output(model_cfg, dataset_cfg, 'predictions')
        dataset: CIBenchDataset = build_dataset(dataset_cfg)
        evaluator = build_evaluator(dataset_cfg)
        predictions = read_predictions(predictions_path, len(dataset.experiments))
        steps = [prediction['steps'] for prediction in predictions]
        store = TraceStore(predictions_path.with_suffix('.traces.jsonl'))
        results = evaluator.results(steps, dataset.experiments, store.figures)
        write_json(path, {**results, 'provenance': provenance(store)})


def provenance(store: TraceStore) -> dict[str, list[str]]:
    """What the sessions say that their figures depend on: each key with all its values."""
    pairs = sorted({pair for trace in store.load().values() for pair in trace.provenance.items()})
    return {key: [value for name, value in pairs if name == key] for key, _ in pairs}


def read_predictions(path: Path, experiments: int) -> list[dict[str, Any]]:
    """The predictions of a dataset, one per experiment.

    Raises:
        CibenchError: the file is missing, broken, or of another number of experiments.
    """
    try:
        content = json.loads(path.read_text(encoding='utf-8'))
    except FileNotFoundError as error:
        raise CibenchError(f'{path}: not there, so there is nothing to score; run with -m infer first') from error
    except json.JSONDecodeError as error:
        raise CibenchError(f'{path}: broken JSON ({error}); delete it and run again with -r') from error
    if len(content) != experiments:
        raise CibenchError(f'{path}: {len(content)} sessions, but the dataset has {experiments} experiments')
    return [content[str(index)] for index in range(experiments)]


def main(arguments: list[str]) -> int:
    """Run one task from its config file; the exit code says whether it is done."""
    kind, config = arguments
    logging.basicConfig(level=logging.INFO, format='%(asctime)s %(levelname)s %(message)s')
    task = {'infer': SessionInferTask, 'eval': SessionEvalTask}[kind](Config.fromfile(config))
    try:
        task.run()
    except CibenchError as error:
        logger.error('%s: %s', task.name, error)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
