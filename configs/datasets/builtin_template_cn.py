"""The built-in set, split template_cn: the templates in Chinese, one dataset a library.

`builtin_template_cn_datasets` is end-to-end, `builtin_template_cn_oracle_datasets` oracle;
`--datasets builtin_template_cn` takes both. The gold outputs are those of the kernel environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict, template_libraries

notebooks = dict(
    builtin='builtin',
    environment='modern',
    path='cibench_template_chinese',
    split='builtin_template_cn',
    eval_cfg=strict,
)
builtin_template_cn_datasets = [
    dict(end_to_end, **notebooks, abbr=f'builtin_template_cn/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
builtin_template_cn_oracle_datasets = [
    dict(oracle, **notebooks, abbr=f'builtin_template_cn_oracle/{library}', experiments=[f'{library}/*'])
    for library in template_libraries
]
