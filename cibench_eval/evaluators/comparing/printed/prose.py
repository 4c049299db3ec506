"""Whether an answer says the gold's words; case, blanks, punctuation and a label in front do not count."""

import re

from cibench_eval.evaluators.comparing.printed.values import clean

LABEL = re.compile(r'[^:\n]{1,100}:(?:\s+|(?!\d))(?=\S)')
SIGNS = re.compile(r'[^\w\s.,<>=+*/%-]+|(?<!\d)[.,]|[.,](?!\d)|(?<!\w)[-*](?!\d)|-(?=\s)')
"""Punctuation: what is no part of a number."""


def same_words(gold: str, answer: str) -> bool:
    """Whether the answer is the gold, or the gold after labels."""
    shown, said = clean(gold), clean(answer)
    golds = [_lines(shown), _lines(LABEL.sub('', shown))]
    found = [_lines(said), _lines(LABEL.sub('', said))]
    fewer, labels = sorted(([_lines(label) for label in LABEL.findall(text)] for text in (shown, said)), key=len)
    rest = iter(labels)
    if any(label in labels for label in fewer) and not all(label in rest for label in fewer):  # in another order
        del golds[1]
    return shown == said or any(lines in golds for lines in found if lines)


def _lines(text: str) -> list[str]:
    return [words for line in text.split('\n') if (words := ' '.join(SIGNS.sub(' ', line.casefold()).split()))]
