"""A stand-in for the data of Qwen-Agent's Code Interpreter Benchmark: original questions in its very formats."""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, qwen_ci

rows = dict(builtin='builtin_qwen_ci', eval_cfg=qwen_ci)
builtin_qwen_ci_datasets = [
    dict(
        end_to_end,
        **rows,
        abbr='builtin_qwen_ci/gsm8k',
        split='builtin_qwen_ci/gsm8k',
        format='gsm8k',
        path='gsm8k',
    ),
    *(
        dict(
            end_to_end,
            **rows,
            abbr=f'builtin_qwen_ci/{group}',
            split=f'builtin_qwen_ci/{group}',
            format='qwen_ci',
            experiments=[f'{group}/*'],
        )
        for group in ('math', 'visualization_hard', 'visualization_easy', 'general')
    ),
]
