"""SmolLM2-135M-Instruct through OpenCompass's own Hugging Face class, in the harness's process.

Before the first run: `cibench model export outputs/models/smollm2-135m`.
"""

from opencompass.models import HuggingFacewithChatTemplate

models = [
    dict(
        type=HuggingFacewithChatTemplate,
        abbr='smollm2-135m-hf',
        path='outputs/models/smollm2-135m',
        max_seq_len=4096,
        max_out_len=64,
        batch_size=4,  # prompts of concurrent sessions that are answered in one call
        run_cfg=dict(num_gpus=0),
    )
]
