"""The sentences that loaders and builders append to a question, and the question without them."""

from typing import get_args

from cibench_eval.datasets.declared import sentence
from cibench_eval.schema import Language, Step


def modules_sentence(modules: list[str], language: Language) -> str:
    """The sentence that upstream's loader and this one append to a question."""
    if not modules:
        return ''
    if language == 'cn':
        return f'请用 {" 和 ".join(modules)} 模块.'
    return f'Please use {" and ".join(modules)} modules.'


def asked_in(step: Step) -> str:
    """The question of a step in its author's words alone."""
    question = step.question.strip()
    for language in get_args(Language):
        if step.modules:
            question = question.removesuffix(modules_sentence(step.modules, language)).strip()
        if step.answers:
            question = question.replace(sentence(step.answers, language), '').strip()
    return question
