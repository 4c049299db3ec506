"""Jobs of Slurm: python run.py … --runtime slurm -p PARTITION. Copy it, and say what your site needs."""

from mmengine.config import read_base

from cibench_eval.opencompass import SessionInferTask, SessionPartitioner, SlurmRunner

with read_base():
    from .local import eval, kernels

infer = dict(
    partitioner=dict(type=SessionPartitioner, target_minutes=60),
    runner=dict(
        type=SlurmRunner,
        task=dict(type=SessionInferTask),
        max_num_workers=32,
        cpus_per_task=8,
        memory='64G',
        time='04:00:00',
        gpus_per_node=8,
    ),
)
