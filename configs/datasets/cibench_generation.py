"""CIBench's generated notebooks, one dataset a library.

`cibench data fetch cibench` (or `cibench data add cibench_dataset.zip` without internet) puts the notebooks
into `data/cibench_dataset/cibench_generation/`. `cibench_generation_datasets` is end-to-end,
`cibench_generation_oracle_datasets` oracle; `--datasets cibench_generation` takes both. The gold outputs
are those of the kernel environment `paper`, which `eval_cibench_*.py` ask for.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, generation_libraries, official, oracle

notebooks = dict(path='data/cibench_dataset/cibench_generation', split='generation', eval_cfg=official)
cibench_generation_datasets = [
    dict(end_to_end, **notebooks, abbr=f'cibench_generation/{library}', experiments=[f'{library}/*'])
    for library in generation_libraries
]
cibench_generation_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'cibench_generation_oracle/{library}', experiments=[f'{library}/*'])
    for library in generation_libraries
]
