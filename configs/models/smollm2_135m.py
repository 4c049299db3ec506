"""The embedded model, SmolLM2-135M-Instruct (Q4_1), through a llama.cpp server that the harness starts."""

from cibench_eval.models import LlamaCpp

models = [
    dict(
        type=LlamaCpp,
        abbr='smollm2-135m',
        path='embedded',
        max_seq_len=4096,
        max_out_len=128,
        batch_size=1,  # one request at a time: replies then do not depend on what else is in the batch
        parallel=1,
        generation_kwargs=dict(temperature=0.0, seed=0),
    )
]
