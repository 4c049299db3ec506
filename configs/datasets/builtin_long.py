"""The built-in long set: sessions of 40 to 60 steps that lean on each other, one dataset a level and language.

`builtin_long_datasets` and `builtin_long_cn_datasets` are end-to-end, `builtin_long_oracle_datasets` and
`builtin_long_cn_oracle_datasets` oracle; `--datasets builtin_long` takes all. The gold outputs are those of the kernel
environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, levels, oracle, strict

notebooks = dict(builtin='builtin_long', environment='modern', eval_cfg=strict)
english = dict(notebooks, path='long', split='builtin_long')
chinese = dict(notebooks, path='long_chinese', split='builtin_long_cn')
builtin_long_datasets = [
    dict(end_to_end, **english, abbr=f'builtin_long/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_long_oracle_datasets = [
    dict(oracle, **english, abbr=f'builtin_long_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_long_cn_datasets = [
    dict(end_to_end, **chinese, abbr=f'builtin_long_cn/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_long_cn_oracle_datasets = [
    dict(oracle, **chinese, abbr=f'builtin_long_cn_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
