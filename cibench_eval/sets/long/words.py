"""The words of a long session in a language, and the error that draws another question.

The names of definitions say nothing: what a name means is what the session has said.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import yaml

from cibench_eval.schema import Language
from cibench_eval.sets.long.domains import Domain

T = TypeVar('T')
_LINES = Path(__file__).with_name('names.txt').read_text(encoding='utf-8').splitlines()
TEXTS: dict[str, dict[Language, str | list[str]]] = yaml.safe_load(
    Path(__file__).with_name('words.yaml').read_text(encoding='utf-8')
)
CHINESE = dict(line.split() for line in _LINES)
STATES = ('dawn', 'noon', 'dusk', 'north', 'south', 'harbour', 'summit')
"""Names of saved states and branches."""
CHINESE_STATES = dict(zip(STATES, ('黎明', '正午', '黄昏', '北方', '南方', '港湾', '山顶'), strict=True))


class DoubtfulError(Exception):
    """The answer would depend on rounding, or there is no answer: another question has to be drawn."""


def a(name: str) -> str:
    """An English name with its article."""
    return f'{"an" if name[0] in "aeiou" else "a"} {name}'


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

    def say(self, text: str, wording: int = 0, **values: Any) -> str:
        """A text of `words.yaml`, in one of its wordings if it has several, with its values filled in."""
        said = TEXTS[text][self.language]
        template = said if isinstance(said, str) else said[wording % len(said)]
        return template.format(row=self.row, rows=self.rows, **values)

    def column(self, role: str) -> str:
        return f'`{self.domain.columns[role]}`'

    def name(self, name: str) -> str:
        return name if self.language == 'en' else {**CHINESE, **CHINESE_STATES}[name]

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
