"""The texts that judges ask with: our own (`prompts.yaml`), and the paper's, read from the installed OpenCompass."""

import functools
from pathlib import Path
from typing import Any, Literal

import yaml

from cibench_eval.schema import Language, Record
from cibench_eval.syntax import published_text

PUBLISHED: dict[Language, str] = {'en': 'JUDGE_PROMPT', 'cn': 'JUDGE_PROMPT_CN'}
"""Constants of `opencompass.datasets.cibench`."""
Form = Literal['points', 'right']


class JudgePrompts(Record):
    """The texts of our judges in one language."""

    points: str
    right_figure: str
    right_answer: str
    figure: str
    gold_figure: str
    answer: str
    gold_answer: str
    form: dict[Form, str]
    """The required last line: the end of every question, and the follow-up to a reply without a verdict."""


class FailurePrompts(Record):
    """The prompt about a failed step, and the form that an answer must have."""

    prompt: str
    form: str


@functools.cache
def _file() -> Any:
    return yaml.safe_load(Path(__file__).with_name('prompts.yaml').read_text(encoding='utf-8'))


@functools.cache
def own_prompts(language: Language) -> JudgePrompts:
    """Our own texts."""
    return JudgePrompts.model_validate(_file()[language])


@functools.cache
def failure_prompts() -> FailurePrompts:
    return FailurePrompts.model_validate(_file()['failures'])


def published_prompt(language: Language) -> str:
    """The paper's prompt, read from the source of OpenCompass; a `CibenchError` where that is not installed."""
    return published_text('opencompass.datasets.cibench', PUBLISHED[language])
