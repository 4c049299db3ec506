"""ROUGE-L F (Lin 2004) over words, Chinese characters and values.

A Chinese character is a token of its own, as in LCSTS (Hu et al. 2015): that needs no dictionary, is the same on every
machine, and gives a word that is right in part its part. Values (see `numbers.py`) match within the tolerance,
whatever their format; punctuation and case are no tokens.
"""

from __future__ import annotations

from collections.abc import Sequence

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin, Value, clean, equal, lex

Word = str | Value


def tokenize(text: str) -> list[Word]:
    """Words in lower case, Chinese characters and values, in order."""
    return [token for kind, token in lex(clean(text)) if kind in ('word', 'value')]


def rouge_l(gold: str, answer: str, tolerance: float = TOLERANCE) -> float:
    """F1 of the longest common subsequence of tokens: 2 × its length / (tokens of the gold + tokens of the answer).

    A gold output without any token (only punctuation) asks for itself: 1 for the same text, else 0.
    """
    golds, answers = tokenize(gold), tokenize(answer)
    if not golds:
        return float(gold.strip() == answer.strip())
    return 2 * common(golds, answers, tolerance) / (len(golds) + len(answers))


def common(golds: Sequence[Word], answers: Sequence[Word], tolerance: float | Margin) -> int:
    """Length of the longest common subsequence.

    Bit-parallel (Hyyrö 2004): bit i of `state` is 0 where the sequence grows at token i of the gold, so that the time
    is that of `len(answers)` additions of `len(golds)` bits, and any rule may say which tokens match.
    """
    places, margin = places_of(golds), Margin.of(tolerance)
    matches: dict[Word, int] = {}
    state = full = (1 << len(golds)) - 1
    for token in answers:
        if token not in matches:
            matches[token] = matching(token, places, margin)
        grown = state & matches[token]
        state = ((state + grown) | (state - grown)) & full
    return len(golds) - state.bit_count()


def places_of(golds: Sequence[Word]) -> dict[Word, int]:
    """Map each token of the gold to its places, as bits."""
    places: dict[Word, int] = {}
    for place, token in enumerate(golds):
        places[token] = places.get(token, 0) | 1 << place
    return places


def matching(token: Word, places: dict[Word, int], margin: Margin) -> int:
    """The places of the gold's tokens that match a token of the answer, as bits."""
    if isinstance(token, str):
        return places.get(token, 0)
    bits = 0
    for gold, those in places.items():
        if isinstance(gold, Value) and equal(gold, token, margin):
            bits |= those
    return bits
