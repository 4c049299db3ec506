"""One experiment of the demo, for models that are small or slow."""

from mmengine.config import read_base

with read_base():
    from .demo import demo_datasets as whole

demo_slice_datasets = [
    dict(
        dataset,
        abbr=dataset['abbr'].replace('demo', 'demo_slice'),
        split='demo_slice',
        experiments=['cibench_template/pandas/grouping_penguins'],
    )
    for dataset in whole
]
