"""The built-in hard set: judgement on messy data, in English and Chinese, one dataset a domain.

`builtin_hard_datasets` and `builtin_hard_cn_datasets` are end-to-end, `builtin_hard_oracle_datasets` and
`builtin_hard_cn_oracle_datasets` oracle; `--datasets builtin_hard` takes all. The gold outputs are those of the kernel
environment `modern`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, hard_domains, oracle, strict

notebooks = dict(builtin='builtin_hard', environment='modern', eval_cfg=strict)
english = dict(notebooks, path='hard', split='builtin_hard')
chinese = dict(notebooks, path='hard_chinese', split='builtin_hard_cn')
builtin_hard_datasets = [
    dict(end_to_end, **english, abbr=f'builtin_hard/{domain}', experiments=[f'{domain}/*']) for domain in hard_domains
]
builtin_hard_oracle_datasets = [
    dict(oracle, **english, abbr=f'builtin_hard_oracle/{domain}', experiments=[f'{domain}/*'])
    for domain in hard_domains
]
builtin_hard_cn_datasets = [
    dict(end_to_end, **chinese, abbr=f'builtin_hard_cn/{domain}', experiments=[f'{domain}/*'])
    for domain in hard_domains
]
builtin_hard_cn_oracle_datasets = [
    dict(oracle, **chinese, abbr=f'builtin_hard_cn_oracle/{domain}', experiments=[f'{domain}/*'])
    for domain in hard_domains
]
