"""The names of definitions, in both languages. They say nothing: what a name means is what the session has said."""

from pathlib import Path

from cibench_eval.schema import Language

_LINES = Path(__file__).with_name('names.txt').read_text(encoding='utf-8').splitlines()
CHINESE = dict(line.split() for line in _LINES)
STATES = ('dawn', 'noon', 'dusk', 'north', 'south', 'harbour', 'summit')
"""Names of saved states and branches."""
CHINESE_STATES = dict(zip(STATES, ('黎明', '正午', '黄昏', '北方', '南方', '港湾', '山顶'), strict=True))


def said(name: str, language: Language) -> str:
    """A name as a question of this language has it."""
    return name if language == 'en' else {**CHINESE, **CHINESE_STATES}[name]


def a(name: str) -> str:
    """An English name with its article."""
    return f'{"an" if name[0] in "aeiou" else "a"} {name}'
