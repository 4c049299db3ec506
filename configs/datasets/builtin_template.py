"""The built-in set, split template: the same questions on several data sources, one dataset a library.

`builtin_template_datasets` is end-to-end, `builtin_template_oracle_datasets` oracle;
`--datasets builtin_template` takes both. The gold outputs are those of the kernel environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict, template_libraries

notebooks = dict(
    builtin='builtin', environment='modern', path='cibench_template', split='builtin_template', eval_cfg=strict
)
builtin_template_datasets = [
    dict(end_to_end, **notebooks, abbr=f'builtin_template/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
builtin_template_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'builtin_template_oracle/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
