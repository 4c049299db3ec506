"""Visualization of Qwen-Agent's Code Interpreter Benchmark: `easy` questions carry the first call, `hard` ones do not.

`cibench data fetch qwen_ci` puts the data into `data/qwen_ci/` (`cibench data add FILE.zip` without internet). Whether
figures are right, a judge says: `cibench judge RUN --metric qwen --config configs/judges/gpt_4_vision_preview.py`.
"""

from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, qwen_ci

qwen_ci_visualization_datasets = [
    dict(
        end_to_end,
        abbr=f'qwen_ci/{group}',
        split=f'qwen_ci/{group}',
        format='qwen_ci',
        path='data/qwen_ci',
        experiments=[f'{group}/*'],
        eval_cfg=qwen_ci,
    )
    for group in ('visualization_hard', 'visualization_easy')
]
