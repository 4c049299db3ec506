"""The words of a long session's domain in a language, and the error that draws another question."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from cibench_eval.schema import Language
from cibench_eval.sets.long.domains import Domain
from cibench_eval.sets.long.names import said

T = TypeVar('T')


class DoubtfulError(Exception):
    """The answer would depend on rounding, or there is no answer: another question has to be drawn."""


def one_of(rng: Random, values: Sequence[T]) -> T:
    """One of some values; a `DoubtfulError` where there is none."""
    if not values:
        raise DoubtfulError
    return rng.choice(values)


@dataclass(frozen=True)
class Words:
    """The words of a domain in a language."""

    domain: Domain
    language: Language

    def pick(self, english: str, chinese: str) -> str:
        return english if self.language == 'en' else chinese

    def column(self, role: str) -> str:
        return f'`{self.domain.columns[role]}`'

    def name(self, name: str) -> str:
        return said(name, self.language)

    def listed(self, values: Sequence[str], last: str = 'or') -> str:
        if self.language == 'cn':
            return '、'.join(values)
        return f' {last} '.join(filter(None, [', '.join(values[:-1]), *values[-1:]]))

    @property
    def row(self) -> str:
        return self.domain.row[self.language]

    @property
    def rows(self) -> str:
        return self.domain.rows[self.language]
