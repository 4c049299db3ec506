"""The sentences that loaders and builders append to a question; `APPENDED` finds them."""

import re

from cibench_eval.schema import Language

MODULES: dict[Language, tuple[str, str]] = {
    'en': ('Please use {} modules.', ' and '),
    'cn': ('请用 {} 模块.', ' 和 '),
}
"""What names the modules of a step, and what stands between two."""
LEAVE: dict[Language, str] = {'en': 'Leave the answer in the {}.', 'cn': '将答案存入{}。'}
"""What says in which variables an answer is wanted, each with its form in brackets."""


def _pattern(template: str, filling: str) -> str:
    return filling.join(map(re.escape, template.split('{}')))


_NAMES = r'(?:(?!Please use |请用 )[^\n]){1,200}?'
_ENDING = '|'.join(_pattern(template, _NAMES) for template, _ in MODULES.values())
_ANYWHERE = '|'.join(_pattern(template, r'(?:variables? |变量 )`[^\n]+?[)）]') for template in LEAVE.values())
APPENDED = re.compile(rf'(?:{_ENDING})\s*\Z|{_ANYWHERE}')
"""These sentences in a question, that of the modules at its end alone: elsewhere it is its author's own."""


def modules_sentence(modules: list[str], language: Language) -> str:
    """The sentence that upstream's loader and this one append to a question."""
    if not modules:
        return ''
    sentence, between = MODULES[language]
    return sentence.format(between.join(modules))
