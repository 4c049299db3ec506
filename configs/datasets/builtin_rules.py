"""The built-in rules: what does a manual of rates, exceptions and circulars make of a ledger? One dataset a language.

`builtin_rules_datasets` and `builtin_rules_cn_datasets` are end-to-end, `builtin_rules_oracle_datasets` and
`builtin_rules_cn_oracle_datasets` oracle; `--datasets builtin_rules` takes all. The gold outputs are those of the
kernel environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, oracle, strict

levels = ('level1', 'level2')
notebooks = dict(builtin='builtin_rules', environment='modern', eval_cfg=strict)
english = dict(notebooks, path='rules', split='builtin_rules')
chinese = dict(notebooks, path='rules_chinese', split='builtin_rules_cn')
builtin_rules_datasets = [
    dict(end_to_end, **english, abbr=f'builtin_rules/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_rules_oracle_datasets = [
    dict(oracle, **english, abbr=f'builtin_rules_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_rules_cn_datasets = [
    dict(end_to_end, **chinese, abbr=f'builtin_rules_cn/{level}', experiments=[f'{level}/*']) for level in levels
]
builtin_rules_cn_oracle_datasets = [
    dict(oracle, **chinese, abbr=f'builtin_rules_cn_oracle/{level}', experiments=[f'{level}/*']) for level in levels
]
