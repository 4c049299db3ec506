"""Puts the flags for tasks, GPUs and Slurm into a config."""

from argparse import Namespace
from typing import Any

from cibench_eval.cluster.gpus import visible_gpus, workers_for
from cibench_eval.config.classes import PACKAGE, names_of
from cibench_eval.schema import CibenchError

CUTS = ('max_tasks', 'target_minutes')
TARGET_MINUTES = 60
"""Target length of a Slurm job if neither config nor flags say how the sessions are cut."""
SLURM_RUNNERS = names_of('SlurmRunner')
SESSION_RUNNERS = names_of('SessionRunner')
WORKER_RUNNERS = names_of('WorkerRunner')
OF_SLURM = ('partition', 'qos', 'quotatype', 'max_num_workers', 'retry', 'detach')
"""Flags that override arguments of the runner."""
ONLY_SLURM = ('detach', 'partition', 'qos', 'quotatype')
"""Flags that only jobs of Slurm can have."""


def apply(args: Namespace, cfg: Any) -> None:
    """Put the flags into `cfg`; a `CibenchError` where it does not fit together."""
    partitioner = cfg['infer']['partitioner']
    if said := {key: getattr(args, key) for key in CUTS if getattr(args, key)}:
        for key in CUTS:
            partitioner.pop(key, None)
        partitioner.update(said)
    runner = dict(cfg['infer']['runner'])
    if args.slurm and runner['type'] not in SLURM_RUNNERS:
        runner = {'type': f'{PACKAGE}.SlurmRunner', 'task': runner['task']}
    if runner['type'] not in SLURM_RUNNERS:
        if only := [f'--{name}' for name in ONLY_SLURM if getattr(args, name)]:
            raise CibenchError(f'{only[0]}: only jobs of Slurm have that; give --slurm -p PARTITION, too')
        if runner['type'] in SESSION_RUNNERS | WORKER_RUNNERS and not args.debug:
            _use_gpus(args, cfg, runner)
        return
    runner.update({key: value for key in OF_SLURM if (value := getattr(args, key)) is not None and value is not False})
    if not runner.get('partition'):
        raise CibenchError("--slurm: name the partition with -p, or as the runner's `partition`")
    cfg['infer']['runner'] = runner
    if not any(partitioner.get(key) for key in CUTS):
        partitioner['target_minutes'] = TARGET_MINUTES


def _use_gpus(args: Namespace, cfg: Any, runner: dict[str, Any]) -> None:
    """Let models run side by side where this machine has GPUs for several at once."""
    pairs = cfg.get('model_dataset_combinations') or [cfg]
    needs = {
        model['abbr']: int((model.get('run_cfg') or {}).get('num_gpus', 0))
        for pair in pairs
        for model in pair['models']
    }
    most = args.max_num_workers or runner.get('max_num_workers')
    gpus = visible_gpus() if any(needs.values()) else []
    workers = workers_for(needs, gpus, most) if gpus else 1
    if workers < 2 and runner['type'] not in WORKER_RUNNERS:
        return
    options = {key: value for key, value in runner.items() if key in ('task', 'gpus', 'lark_bot_url')}
    cfg['infer']['runner'] = {
        'type': f'{PACKAGE}.WorkerRunner',
        **options,
        **({'max_num_workers': most} if most else {}),
    }
    partitioner = cfg['infer']['partitioner']
    if not any(partitioner.get(key) for key in CUTS):
        partitioner['max_tasks'] = workers
