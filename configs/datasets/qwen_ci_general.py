"""General problem solving of Qwen-Agent's Code Interpreter Benchmark: does the code run?

`cibench data fetch qwen_ci` puts the data into `data/qwen_ci/` (`cibench data add FILE.zip` without internet).
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, qwen_ci

qwen_ci_general_datasets = [
    dict(
        end_to_end,
        abbr='qwen_ci/general',
        split='qwen_ci/general',
        format='qwen_ci',
        path='data/qwen_ci',
        experiments=['general/*'],
        eval_cfg=qwen_ci,
    )
]
