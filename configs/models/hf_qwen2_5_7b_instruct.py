"""Qwen2.5-7B-Instruct (Apache-2.0) in OpenCompass's own Hugging Face class: one GPU of 40 GB."""

from opencompass.models import HuggingFacewithChatTemplate

models = [
    dict(
        type=HuggingFacewithChatTemplate,
        abbr='qwen2.5-7b-instruct-hf',
        path='Qwen/Qwen2.5-7B-Instruct',
        generation_kwargs=dict(do_sample=False),
        max_seq_len=32768,
        max_out_len=2048,
        batch_size=8,  # prompts of sessions that are answered in one call
        run_cfg=dict(num_gpus=1),
    )
]
