"""ROUGE-L F (Lin 2004) over words, numbers and Chinese characters.

A Chinese character is a token of its own, as in LCSTS (Hu et al. 2015): that needs no dictionary, is the same on every
machine, and gives a word that is right in part its part. Punctuation and case are no tokens.
"""

import re

from cibench_eval.evaluators.comparing.numbers import CJK, DECIMAL, WIDE

TOKEN = re.compile(rf'{DECIMAL}|[{CJK}]|[^\W{CJK}]+')


def rouge_l(gold: str, answer: str) -> float:
    """F1 of the longest common subsequence of tokens: 2 × its length / (tokens of the gold + tokens of the answer).

    A text without any token (only punctuation) asks for itself: 1 for the same text, else 0.
    """
    golds, answers = (TOKEN.findall(text.translate(WIDE).casefold()) for text in (gold, answer))
    if not golds:
        return float(gold.strip() == answer.strip())
    return 2 * _common(golds, answers) / (len(golds) + len(answers))


def _common(golds: list[str], answers: list[str]) -> int:
    """Length of the longest common subsequence.

    Bit-parallel (Hyyrö 2004): bit i of `state` is 0 where the sequence grows at token i of the gold, so that it
    takes `len(answers)` additions of `len(golds)` bits.
    """
    places: dict[str, int] = {}
    for place, token in enumerate(golds):
        places[token] = places.get(token, 0) | 1 << place
    state = full = (1 << len(golds)) - 1
    for token in answers:
        grown = state & places.get(token, 0)
        state = ((state + grown) | (state - grown)) & full
    return len(golds) - state.bit_count()
