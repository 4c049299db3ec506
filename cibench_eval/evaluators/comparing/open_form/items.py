"""Values in the nesting of their brackets, and the comparison of two such sequences."""

from __future__ import annotations

from typing import Any

from cibench_eval.evaluators.comparing.numbers import Margin, Token, Value, equal

DEPTH = 16
"""Deepest nesting that is followed; deeper brackets are read as flat."""

Items = list[Any]
"""Values, and lists of items where brackets or lines matter; `...` where a display was cut."""


def other_items(gold: Items, answer: Items, margin: Margin, name: str = 'value') -> str:
    pairs = paired(gold, answer)
    if pairs is None:
        return f'{len(answer)} {name}s, the gold has {len(gold)}'
    for number, (expected, shown) in enumerate(pairs, 1):
        if isinstance(expected, list) and isinstance(shown, list):
            if found := other_items(expected, shown, margin):
                return f'row {number}: {found}'
        elif isinstance(expected, list) or isinstance(shown, list):
            return 'an array of another shape'
        elif expected != shown and not _same_token(expected, shown, margin):
            return f'{name} {number} is {shown}, the gold has {expected}'
    return ''


def _same_token(gold: Value | str, answer: Value | str, margin: Margin) -> bool:
    return isinstance(gold, Value) and isinstance(answer, Value) and equal(gold, answer, margin)


def paired(gold: Items, answer: Items) -> list[tuple[Any, Any]] | None:
    """Pair items to compare: all, or those around the gold's `...`; None where the answer lacks some."""
    if ... not in gold:
        return list(zip(gold, answer, strict=True)) if len(gold) == len(answer) and ... not in answer else None
    head, tail = gold.index(...), gold[::-1].index(...)
    hidden = ... in answer
    before, after = (answer.index(...), answer[::-1].index(...)) if hidden else (len(answer), len(answer))
    if before < head or after < tail or len(answer) < head + tail:
        return None
    return [*zip(gold[:head], answer, strict=False), *zip(gold[::-1][:tail], answer[::-1], strict=False)]


def items_of(tokens: list[Token]) -> Items:
    """Nest values where brackets matter: matrices, and arrays with `...`."""
    stack: list[tuple[str, Items]] = [('', [])]
    for kind, token in tokens:
        if kind == 'open' and len(stack) < DEPTH:
            stack.append((str(token), []))
        elif kind == 'close' and len(stack) > 1:
            _close(stack)
        elif kind in ('value', 'word', 'dots'):
            stack[-1][1].append(... if kind == 'dots' else token)
    while len(stack) > 1:
        _close(stack)
    return [item for item in _dissolved(stack[0][1]) if item is not ...]


def _close(stack: list[tuple[str, Items]]) -> None:
    """Close the innermost bracket: it becomes a list in the one around it, or dissolves if it has words."""
    bracket, group = stack.pop()
    around = stack[-1][1]
    if not all(item is ... or isinstance(item, list) for item in group):
        named = any(isinstance(item, str) for item in group)
        group = _dissolved(group)
        if named:
            around += group
            return
    if group:
        around.append(group[0] if bracket == '(' and len(group) == 1 and isinstance(group[0], list) else group)


def _dissolved(group: Items) -> Items:
    """Drop words, and dissolve plain lists."""
    found: Items = []
    for item in group:
        plain = isinstance(item, list) and ... not in item and not any(isinstance(inner, list) for inner in item)
        found += item if plain else [] if isinstance(item, str) else [item]
    return found


def leaves(items: Items) -> Items:
    """The innermost lists."""
    lists = [item for item in items if isinstance(item, list)]
    return [leaf for item in lists for leaf in leaves(item)] if lists else [items]


def flat(items: Items) -> list[Value]:
    """The values in nested items, in order."""
    found: list[Value] = []
    for item in items:
        found += flat(item) if isinstance(item, list) else [item] if isinstance(item, Value) else []
    return found
