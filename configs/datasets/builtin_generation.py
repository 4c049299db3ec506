"""The built-in set, split generation: long experiments, from easy to hard, one dataset a library.

`builtin_generation_datasets` is end-to-end, `builtin_generation_oracle_datasets` oracle;
`--datasets builtin_generation` takes both. The gold outputs are those of the kernel environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, generation_libraries, oracle, strict

notebooks = dict(
    builtin='builtin', environment='modern', path='cibench_generation', split='builtin_generation', eval_cfg=strict
)
builtin_generation_datasets = [
    dict(end_to_end, **notebooks, abbr=f'builtin_generation/{library}', experiments=[f'{library}/*'])
    for library in generation_libraries
]
builtin_generation_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'builtin_generation_oracle/{library}', experiments=[f'{library}/*'])
    for library in generation_libraries
]
