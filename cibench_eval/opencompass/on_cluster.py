"""What a command line says of tasks and of Slurm, put into the config."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from cibench_eval.opencompass.build import plain
from cibench_eval.schema import CibenchError

CUTS = ('max_tasks', 'target_minutes')
TARGET_MINUTES = 60
"""What a job of Slurm should last where nobody says how the sessions are cut."""
SLURM = f'{__package__}.SlurmRunner'
OURS = (SLURM, f'{__package__}.slurm_runner.SlurmRunner')
OF_SLURM = ('partition', 'qos', 'quotatype', 'max_num_workers', 'retry', 'detach')
"""Flags that are arguments of the runner, too, and take the place of those in the config."""


def apply(args: Namespace, cfg: Any) -> None:
    """Put it into `cfg`.

    Raises:
        CibenchError: it does not fit together.
    """
    partitioner = cfg['infer']['partitioner']
    if said := {key: getattr(args, key) for key in CUTS if getattr(args, key)}:
        for key in CUTS:
            partitioner.pop(key, None)
        partitioner.update(said)
    runner = plain(cfg['infer']['runner'])
    if args.slurm and runner['type'] not in OURS:
        runner = {'type': SLURM, 'task': runner['task']}
    if runner['type'] not in OURS:
        if args.detach:
            raise CibenchError('--detach: only jobs of Slurm go on by themselves; give --slurm -p PARTITION, too')
        return
    runner.update({key: value for key in OF_SLURM if (value := getattr(args, key)) not in (None, False)})
    if not runner.get('partition'):
        raise CibenchError("--slurm: name the partition with -p, or as the runner's `partition`")
    cfg['infer']['runner'] = runner
    if not any(partitioner.get(key) for key in CUTS):
        partitioner['target_minutes'] = TARGET_MINUTES
