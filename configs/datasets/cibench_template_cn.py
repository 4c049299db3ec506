"""CIBench's template notebooks in Chinese, one dataset a library.

`cibench data fetch cibench` (or `cibench data add cibench_dataset.zip` without internet) puts the notebooks
into `data/cibench_dataset/cibench_template_chinese/`. `cibench_template_cn_datasets` is end-to-end,
`cibench_template_cn_oracle_datasets` oracle; `--datasets cibench_template_cn` takes both. The gold outputs
are those of the kernel environment `paper`, which `eval_cibench_*.py` ask for.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, official, oracle, template_libraries

notebooks = dict(
    path='data/cibench_dataset/cibench_template_chinese', split='template_cn', language='cn', eval_cfg=official
)
cibench_template_cn_datasets = [
    dict(end_to_end, **notebooks, abbr=f'cibench_template_chinese/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
cibench_template_cn_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'cibench_template_oracle_chinese/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
