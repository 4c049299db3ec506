"""CIBench's template notebooks in English, one dataset a library.

`cibench data fetch cibench` (or `cibench data add cibench_dataset.zip` without internet) puts the notebooks
into `data/cibench_dataset/cibench_template/`. `cibench_template_datasets` is end-to-end,
`cibench_template_oracle_datasets` oracle; `--datasets cibench_template` takes both. The gold outputs
are those of the kernel environment `paper`, which `eval_cibench_*.py` ask for.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, official, oracle, template_libraries

notebooks = dict(path='data/cibench_dataset/cibench_template', split='template', eval_cfg=official)
cibench_template_datasets = [
    dict(end_to_end, **notebooks, abbr=f'cibench_template/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
cibench_template_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'cibench_template_oracle/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
