"""The demo: the ceiling of this machine on a part of the built-in set, and a real small model on a slice of it."""

from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.demo import demo_datasets
    from .datasets.demo_slice import demo_slice_datasets
    from .models.gold_replay import models as gold_replay
    from .models.smollm2_135m import models as smollm2
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer

kernels = dict(kernels, sandbox='auto')
models = [*gold_replay, *smollm2]
datasets = [*demo_datasets, demo_slice_datasets[0]]  # the slice end-to-end alone: the small model takes its time
model_dataset_combinations = [
    dict(models=gold_replay, datasets=datasets),
    dict(models=smollm2, datasets=[demo_slice_datasets[0]]),
]
work_dir = 'outputs/demo'
