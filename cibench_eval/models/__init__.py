"""messages -> reply: one file for each backend, all behind `ChatModel` (`base.py`).

A backend is imported when its name is first used, so that a gold replay waits for no HTTP client.
"""

import importlib
from typing import Any

BACKENDS = {
    'Anthropic': 'cibench_eval.models.anthropic',
    'Gemini': 'cibench_eval.models.gemini',
    'GoldReplay': 'cibench_eval.models.replay',
    'NoModel': 'cibench_eval.models.replay',
    'LiteLLM': 'cibench_eval.models.litellm',
    'LlamaCpp': 'cibench_eval.models.llama_cpp',
    'OpenAICompatible': 'cibench_eval.models.http_model',
    'OpenAIResponses': 'cibench_eval.models.responses',
    'ScriptReplay': 'cibench_eval.models.scripts',
    'TraceReplay': 'cibench_eval.models.replay',
    'VLLM': 'cibench_eval.models.vllm',
}
"""The backends that configs name, and their modules."""


def __getattr__(name: str) -> Any:
    if name not in BACKENDS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(BACKENDS[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *BACKENDS])
