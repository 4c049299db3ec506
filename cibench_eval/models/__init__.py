"""messages -> reply: one file a backend, all behind `ChatModel`.

Importing this package costs nothing: each backend is imported when its name is first used, so a gold
replay never waits for the SDK of an API.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cibench_eval.models.llama_cpp import LlamaCpp
    from cibench_eval.models.openai_compatible import OpenAICompatible
    from cibench_eval.models.replay import GoldReplay, TraceReplay
    from cibench_eval.models.scripts import ScriptReplay
    from cibench_eval.models.vllm import VLLM

BACKENDS = {
    'GoldReplay': 'cibench_eval.models.replay',
    'LlamaCpp': 'cibench_eval.models.llama_cpp',
    'OpenAICompatible': 'cibench_eval.models.openai_compatible',
    'ScriptReplay': 'cibench_eval.models.scripts',
    'TraceReplay': 'cibench_eval.models.replay',
    'VLLM': 'cibench_eval.models.vllm',
}
__all__ = ['VLLM', 'GoldReplay', 'LlamaCpp', 'OpenAICompatible', 'ScriptReplay', 'TraceReplay']


def __getattr__(name: str) -> Any:
    if name not in BACKENDS:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(BACKENDS[name]), name)
