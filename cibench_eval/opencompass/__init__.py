"""The glue: the classes that OpenCompass builds from configs, and nothing else.

Name them in configs as `cibench_eval.opencompass.NAME`. Importing this package imports neither them nor
OpenCompass, so a config can be read at once.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cibench_eval.opencompass.dataset import CIBenchDataset, ExperimentRetriever
    from cibench_eval.opencompass.evaluator import SessionEvaluator
    from cibench_eval.opencompass.inferencer import SessionInferencer
    from cibench_eval.opencompass.partitioner import SessionPartitioner
    from cibench_eval.opencompass.qwen_ci import QwenCISummarizer
    from cibench_eval.opencompass.runner import SessionRunner
    from cibench_eval.opencompass.slurm_runner import SlurmRunner
    from cibench_eval.opencompass.summarizer import CIBenchSummarizer
    from cibench_eval.opencompass.tasks import SessionEvalTask, SessionInferTask
    from cibench_eval.opencompass.worker_runner import WorkerRunner

PLACES = {
    'CIBenchDataset': 'dataset',
    'CIBenchSummarizer': 'summarizer',
    'ExperimentRetriever': 'dataset',
    'QwenCISummarizer': 'qwen_ci',
    'SessionEvalTask': 'tasks',
    'SessionEvaluator': 'evaluator',
    'SessionInferTask': 'tasks',
    'SessionInferencer': 'inferencer',
    'SessionPartitioner': 'partitioner',
    'SessionRunner': 'runner',
    'SlurmRunner': 'slurm_runner',
    'WorkerRunner': 'worker_runner',
}
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
    if name not in PLACES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(f'{__name__}.{PLACES[name]}'), name)
