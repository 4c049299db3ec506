"""CIBench, whole: three splits, end-to-end and oracle."""

from mmengine.config import read_base

with read_base():
    from .cibench_generation import cibench_generation_datasets, cibench_generation_oracle_datasets
    from .cibench_template import cibench_template_datasets, cibench_template_oracle_datasets
    from .cibench_template_cn import cibench_template_cn_datasets, cibench_template_cn_oracle_datasets
