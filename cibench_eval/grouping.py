"""Things in groups, which stand in the order of their first members."""

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

T = TypeVar('T')
KeyT = TypeVar('KeyT', bound=Hashable)


def grouped(things: Iterable[T], key: Callable[[T], KeyT]) -> dict[KeyT, list[T]]:
    """Key -> the things that have it, in their order."""
    found: dict[KeyT, list[T]] = {}
    for one in things:
        found.setdefault(key(one), []).append(one)
    return found
