"""InternLM-Chat-20B (code Apache-2.0, weights by application) on vLLM: one GPU of 80 GB.

Its tokenizer comes without a chat template, so the config names one.
"""

from mmengine.config import read_base

from cibench_eval.models import VLLM

with read_base():
    from ._chat_templates import INTERNLM

models = [
    dict(
        type=VLLM,
        abbr='internlm-chat-20b-vllm',
        path='internlm/internlm-chat-20b',
        arguments=dict(max_model_len=4096, dtype='auto', trust_remote_code=True, chat_template=INTERNLM),
        generation_kwargs=dict(temperature=0.0, extra_body=dict(stop_token_ids=[103028])),  # <eoa>
        max_out_len=512,
        batch_size=32,
        run_cfg=dict(num_gpus=1),
    )
]
