"""Qwen-Agent's Code Interpreter Benchmark (version 20231206), whole: mathematics, visualization, general.

    python run.py configs/eval_qwen_ci.py --models vllm_qwen_14b_chat
    python run.py configs/eval_qwen_ci.py --models vllm_codellama_13b_instruct --agents qwen_ci_llama
    python run.py configs/eval_qwen_ci.py --datasets qwen_ci_general

Then a judge looks at the figures, and the tables are printed again:

    cibench judge RUN --metric qwen --config configs/judges/gpt_4_vision_preview.py
    python run.py configs/eval_qwen_ci.py --models vllm_qwen_14b_chat -m viz -r

`python -m cibench_eval.qwen_ci` does all of it with the benchmark's own flags.
"""

from mmengine.config import read_base

with read_base():
    from .agents.qwen_ci_qwen import agents
    from .datasets.qwen_ci_general import qwen_ci_general_datasets
    from .datasets.qwen_ci_math import qwen_ci_math_datasets
    from .datasets.qwen_ci_visualization import qwen_ci_visualization_datasets
    from .models.vllm_qwen_7b_chat import models
    from .runtimes.local import eval, infer, kernels
    from .summarizers.qwen_ci import summarizer

datasets = [*qwen_ci_math_datasets, *qwen_ci_visualization_datasets, *qwen_ci_general_datasets]
work_dir = 'outputs/qwen_ci'
