"""Shell-style patterns of names such as `cibench_template/pandas/grouping`; the first folder may be left out."""

import difflib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from cibench_eval.schema import CibenchError

NAMED = 3
"""How many names an error lists."""


def matches(name: str, pattern: str) -> bool:
    """Whether the pattern matches a name, or the part after its first folder."""
    return fnmatchcase(name, pattern) or fnmatchcase(name.partition('/')[2], pattern)


def select(names: Sequence[str], pattern: str | None, place: Path, what: str) -> list[str]:
    """The names that a pattern matches, or all names without a pattern.

    Raises:
        CibenchError: the pattern matches none; the message names `place` and the closest names.
    """
    kept = [name for name in names if pattern is None or matches(name, pattern)]
    if pattern is not None and not kept:
        raise CibenchError(f'{place}: no {what} {pattern!r} here; there is {closest(pattern, names)}')
    return kept


def closest(pattern: str, names: Sequence[str]) -> str:
    """The names that are closest to a pattern without a match, in words."""
    shorter = {name if pattern.count('/') >= name.count('/') else name.partition('/')[2]: name for name in names}
    close = difflib.get_close_matches(pattern, shorter, n=NAMED, cutoff=0)
    more = f' and {len(names) - len(close)} more' if len(names) > len(close) else ''
    return ', '.join(shorter[name] for name in close) + more
