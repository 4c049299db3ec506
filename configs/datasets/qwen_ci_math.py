"""Mathematics of Qwen-Agent's Code Interpreter Benchmark: GSM8K, and questions of its own.

`cibench data fetch gsm8k` and `cibench data fetch qwen_ci` put the data into `data/gsm8k/` and `data/qwen_ci/`
(`cibench data add FILE` without internet).
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, qwen_ci

qwen_ci_math_datasets = [
    dict(
        end_to_end,
        abbr='qwen_ci/gsm8k',
        split='qwen_ci/gsm8k',
        format='gsm8k',
        path='data/gsm8k',
        eval_cfg=qwen_ci,
    ),
    dict(
        end_to_end,
        abbr='qwen_ci/math',
        split='qwen_ci/math',
        format='qwen_ci',
        path='data/qwen_ci',
        experiments=['math/*'],
        eval_cfg=qwen_ci,
    ),
]
