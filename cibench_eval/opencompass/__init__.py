"""What OpenCompass builds from configs: thin classes of its interfaces over `config/` and `run/`.

Name them in configs as `cibench_eval.opencompass.NAME`. Importing this package imports neither them nor OpenCompass, so
a config can be read at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from cibench_eval.config.classes import MODULES

if TYPE_CHECKING:
    from cibench_eval.opencompass.dataset import CIBenchDataset, ExperimentRetriever
    from cibench_eval.opencompass.evaluator import SessionEvaluator
    from cibench_eval.opencompass.inferencer import SessionInferencer
    from cibench_eval.opencompass.partitioner import SessionPartitioner
    from cibench_eval.opencompass.tasks import SessionEvalTask, SessionInferTask
    from cibench_eval.qwen_ci.summarizer import QwenCISummarizer
    from cibench_eval.run.local_runner import SessionRunner
    from cibench_eval.run.slurm_runner import SlurmRunner
    from cibench_eval.run.summarizer import CIBenchSummarizer
    from cibench_eval.run.worker_runner import WorkerRunner

__all__ = [
    'CIBenchDataset',
    'CIBenchSummarizer',
    'ExperimentRetriever',
    'QwenCISummarizer',
    'SessionEvalTask',
    'SessionEvaluator',
    'SessionInferTask',
    'SessionInferencer',
    'SessionPartitioner',
    'SessionRunner',
    'SlurmRunner',
    'WorkerRunner',
]


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(MODULES[name]), name)
