"""Qwen-7B-Chat (Tongyi Qianwen licence) on vLLM: one GPU of 24 GB.

Its tokenizer comes without a chat template, so its format stands here.
"""

from cibench_eval.models import VLLM

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m['role'] + '\\n' + m['content'] + '<|im_end|>\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"
)

models = [
    dict(
        type=VLLM,
        abbr='qwen-7b-chat-vllm',
        path='Qwen/Qwen-7B-Chat',
        arguments=dict(max_model_len=8192, dtype='auto', trust_remote_code=True, chat_template=CHATML),
        generation_kwargs=dict(temperature=0.0, extra_body=dict(stop_token_ids=[151645])),  # <|im_end|>
        max_out_len=1024,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
