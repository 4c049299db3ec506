"""The texts that judges ask with: our own (`prompts.yaml`), and the paper's, read from the installed OpenCompass."""

import functools
from pathlib import Path
from typing import Literal

import yaml

from cibench_eval.schema import Language
from cibench_eval.syntax import published_text

PUBLISHED: dict[Language, str] = {'en': 'JUDGE_PROMPT', 'cn': 'JUDGE_PROMPT_CN'}
"""Constants of `opencompass.datasets.cibench`."""


@functools.cache
def own_prompts(about: Language | Literal['failures']) -> dict[str, str]:
    """Our own texts by their names in `prompts.yaml`: in a language, or about failures."""
    texts: dict[str, dict[str, str]] = yaml.safe_load(
        Path(__file__).with_name('prompts.yaml').read_text(encoding='utf-8')
    )
    return texts[about]


def published_prompt(language: Language) -> str:
    """The paper's prompt, read from the source of OpenCompass; a `CibenchError` where that is not installed."""
    return published_text('opencompass.datasets.cibench', PUBLISHED[language])
