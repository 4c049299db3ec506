"""A small part of the built-in set, of every split and in both languages, end-to-end and oracle."""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict

notebooks = dict(
    builtin='builtin',
    environment='modern',
    split='demo',
    experiments=[
        'cibench_generation/pandas/titanic',
        'cibench_template/matplotlib/lines_sunspots',
        'cibench_template/pandas/grouping_penguins',
        'cibench_template/scipy/signals_heartbeat',
        'cibench_template_chinese/opencv/colors_coffee',
        'cibench_template_chinese/sklearn/regression_carseats',
    ],
    eval_cfg=strict,
)
demo_datasets = [
    dict(end_to_end, **notebooks, abbr='demo'),
    dict(oracle, **notebooks, abbr='demo_oracle'),
]
