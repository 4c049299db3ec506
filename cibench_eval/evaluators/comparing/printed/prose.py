"""Whether an answer says the gold's words; case, blanks, punctuation and a label in front do not count."""

import re

from cibench_eval.evaluators.comparing.numbers import CJK
from cibench_eval.evaluators.comparing.printed.lists import rows_of
from cibench_eval.evaluators.comparing.printed.values import clean

LABEL = re.compile(r'[^:,;\n]{1,100}:(?:\s+|(?!\d))')
ITEMS = re.compile(r'(?<=[\'"]),\s+(?=[\'"])')
BORDER = rf'(?<=[{CJK}])(?![{CJK}])|(?<![{CJK}])(?=[{CJK}])'
SIGNS = re.compile(rf'[^\w\s.,<>=+*/%-]+|(?<!\d)[.,]|[.,](?!\d)|(?<!\w)[-*](?!\d)|-(?=\s)|{BORDER}')
"""Punctuation: what is no part of a number; and where Chinese begins or ends, with a blank or without."""


def same_words(gold: str, answer: str) -> bool:
    """Whether the answer is the gold, or the gold after labels."""
    shown, said = clean(gold), clean(answer)
    golds, found = ([_lines(one), _lines(LABEL.sub('', one))] for one in (shown, said))
    for listed in (ITEMS.sub('\n', one) for one in (said, LABEL.sub('', said, count=1))):
        found += [_lines('\n'.join(rows_of(listed)))] if '\n' in listed else []
    others = _labelled(said)
    if any(others.get(label, words) != words for label, words in _labelled(shown).items()):
        del golds[1]
    return shown == said or any(lines in golds for lines in found if lines)


def _labelled(text: str) -> dict[str, list[str]]:
    """Label -> the words after it in its line."""
    _, *parts = re.split(f'({LABEL.pattern})', text)
    return {' '.join(_lines(a)): _lines(b.partition('\n')[0]) for a, b in zip(parts[::2], parts[1::2], strict=True)}


def _lines(text: str) -> list[str]:
    return [words for line in text.split('\n') if (words := ' '.join(SIGNS.sub(' ', line.casefold()).split()))]
