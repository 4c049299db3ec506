"""The classes of this package that configs name as `cibench_eval.opencompass.NAME`, and where they are defined."""

PACKAGE = 'cibench_eval.opencompass'
MODULES = {
    'CIBenchDataset': f'{PACKAGE}.dataset',
    'CIBenchSummarizer': 'cibench_eval.run.summarizer',
    'ExperimentRetriever': f'{PACKAGE}.dataset',
    'QwenCISummarizer': 'cibench_eval.qwen_ci.summarizer',
    'SessionEvalTask': f'{PACKAGE}.tasks',
    'SessionEvaluator': f'{PACKAGE}.evaluator',
    'SessionInferTask': f'{PACKAGE}.tasks',
    'SessionInferencer': f'{PACKAGE}.inferencer',
    'SessionPartitioner': f'{PACKAGE}.partitioner',
    'SessionRunner': 'cibench_eval.run.local_runner',
    'SlurmRunner': 'cibench_eval.run.slurm_runner',
    'WorkerRunner': 'cibench_eval.run.worker_runner',
}


def names_of(*classes: str) -> frozenset[str]:
    """The dotted names by which a config may name any of these classes."""
    return frozenset(f'{place}.{name}' for name in classes for place in (PACKAGE, MODULES[name]))
