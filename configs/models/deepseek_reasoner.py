"""DeepSeek, thinking between its calls (`--agents tool_calls`); DEEPSEEK_API_KEY holds the key."""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='deepseek-reasoner',
        path='deepseek-reasoner',
        base_url='https://api.deepseek.com/v1',
        key='DEEPSEEK_API_KEY',
        generation_kwargs=dict(),
        send_reasoning='reasoning_content',
        stream=True,
        max_out_len=16384,
        batch_size=16,
    )
]
