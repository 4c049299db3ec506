"""The built-in set, whole: three splits, end-to-end and oracle."""

from mmengine.config import read_base

with read_base():
    from .builtin_generation import builtin_generation_datasets, builtin_generation_oracle_datasets
    from .builtin_template import builtin_template_datasets, builtin_template_oracle_datasets
    from .builtin_template_cn import builtin_template_cn_datasets, builtin_template_cn_oracle_datasets
