"""One experiment of the demo, for models that are small or slow."""

from mmengine.config import read_base

with read_base():
    from .demo import demo_datasets as whole

part = dict(split='demo_slice', experiments=['cibench_template/pandas/grouping_penguins'])
demo_slice_datasets = [
    dict(whole[0], **part, abbr='demo_slice'),
    dict(whole[1], **part, abbr='demo_slice_oracle'),
]
