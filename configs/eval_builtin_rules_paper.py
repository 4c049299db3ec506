"""The built-in rules in the kernel environment `paper`, against the gold outputs of that environment."""

from mmengine.config import read_base

with read_base():
    from .eval_builtin_rules import *

kernels = dict(kernels, environment='paper')
datasets = [dict(dataset, environment='paper') for dataset in datasets]
work_dir = 'outputs/builtin_rules_paper'
