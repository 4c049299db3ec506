"""Qwen2.5-Coder-7B-Instruct (Apache-2.0), 4 bits, on llama.cpp: 10 GB of memory; put the GGUF file into models/.

The file is published as Qwen/Qwen2.5-Coder-7B-Instruct-GGUF.
"""

from cibench_eval.models import LlamaCpp

models = [
    dict(
        type=LlamaCpp,
        abbr='qwen2.5-coder-7b-instruct-q4_k_m',
        path='models/qwen2.5-coder-7b-instruct-q4_k_m.gguf',
        max_seq_len=8192,
        max_out_len=1024,
        batch_size=2,
        parallel=2,
        threads=4,
        generation_kwargs=dict(temperature=0.0, seed=0),
    )
]
