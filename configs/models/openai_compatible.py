"""Any OpenAI-compatible endpoint (vLLM, SGLang, llama.cpp, a gateway): put in its model name and URL.

For one that wants a key add `key=`, the NAME of the environment variable that holds it.
"""

from cibench_eval.models import OpenAICompatible

models = [
    dict(
        type=OpenAICompatible,
        abbr='my-model',
        path='name-at-the-endpoint',
        base_url='http://127.0.0.1:8000/v1',
        generation_kwargs=dict(temperature=0.0),
        max_out_len=2048,
        batch_size=32,
    )
]
