"""The built-in claims: what do studies show whose notes say what is wrong with some of them? One dataset a language.

`builtin_claims_datasets` and `builtin_claims_cn_datasets` are end-to-end, `builtin_claims_oracle_datasets` and
`builtin_claims_cn_oracle_datasets` oracle; `--datasets builtin_claims` takes all. The gold outputs are those of the
kernel environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict

levels = ('level1', 'level2')
notebooks = dict(builtin='builtin_claims', environment='modern', eval_cfg=strict)
english = dict(notebooks, path='claims', split='builtin_claims')
chinese = dict(notebooks, path='claims_chinese', split='builtin_claims_cn')
builtin_claims_datasets = [
    dict(end_to_end, **english, abbr=f'builtin_claims/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_claims_oracle_datasets = [
    dict(oracle, **english, abbr=f'builtin_claims_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_claims_cn_datasets = [
    dict(end_to_end, **chinese, abbr=f'builtin_claims_cn/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_claims_cn_oracle_datasets = [
    dict(oracle, **chinese, abbr=f'builtin_claims_cn_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
