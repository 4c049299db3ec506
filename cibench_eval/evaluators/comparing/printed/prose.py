"""Whether an answer says the gold's words: but for case, blanks, punctuation and a label in front."""

from __future__ import annotations

import re

from cibench_eval.evaluators.comparing.numbers import Margin
from cibench_eval.evaluators.comparing.printed.values import clean

LABEL = re.compile(r'[^:\n]{1,100}:\s+(?=\S)')
HEADING = re.compile(r'[^\n]{1,100}:\s*\n')
SIGNS = re.compile(r'[^\w\s.,<>=+*/%-]+|(?<!\d)[.,]|[.,](?!\d)|(?<!\w)[-*](?!\d)|-(?=\s)')
"""Punctuation: what is no part of a number."""


def same_words(gold: str, answer: str) -> bool:
    """Whether the answer is the gold, or the gold behind labels."""
    golds = [_lines(gold), _lines(LABEL.sub('', clean(gold)))]
    said = clean(answer)
    shorn = HEADING.sub('', said + '\n', count=1)
    found = (said, LABEL.sub('', said), shorn, LABEL.sub('', shorn))
    return any(lines in golds for lines in map(_lines, found) if lines)


def likeness(gold: str, answer: str, margin: Margin, question: str = '') -> float:
    """1 for the gold's words, else 0: other words for the same are a judge's affair."""
    return float(same_words(gold, answer))


def _lines(text: str) -> list[str]:
    return [words for line in clean(text).split('\n') if (words := ' '.join(SIGNS.sub(' ', line.casefold()).split()))]
