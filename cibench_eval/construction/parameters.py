"""The parameters of a template: what other data would change, and how to find it in an experiment and its tables.

They are read off the data: the files that the code reads, the columns and the texts in cells of CSV files that the code
names, and numbers that stand once in a question and once in its code.
"""

import io
import keyword
import math
import os
import re
import token
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from cibench_eval.construction.notebook_file import StepText
from cibench_eval.sets.checking.twins import NUMBER

LEVELS = 30
"""The largest number of different texts in a column whose texts are values."""


@dataclass(frozen=True)
class DataTable:
    """A file that code reads. A file that is no CSV file has no frame, no columns and no values."""

    frame: Any = None
    """A pandas data frame, or None."""
    columns: list[str] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    """Text in a cell -> its column."""


Tables = dict[str, DataTable]
"""Name below `data/` -> content of the file."""


def tables_of(texts: Sequence[StepText], datasources: Path | None) -> Tables:
    """The files and folders below `datasources/data/` that strings of the code name, if they are there."""
    below = (datasources or Path()) / 'data'
    strings = (one.string for text in texts for one in tokens_of(text.code) if one.type == token.STRING)
    named = [name for string in strings for name in FILE.findall(string)]
    names = dict.fromkeys(
        one for name in named for one in (name, name.partition(' ')[0]) if Path(one).name not in ('', '..')
    )
    return {one: _table(below / one) for one in names if os.path.exists(below / one)}  # noqa: PTH110 - of any length


def _table(path: Path) -> DataTable:
    import pandas as pd

    if path.suffix not in ('.csv', '.tsv'):
        return DataTable()
    try:
        frame = pd.read_csv(path, sep='\t' if path.suffix == '.tsv' else ',')
    except (OSError, ValueError, pd.errors.ParserError):  # a folder, or no table
        return DataTable()
    names = [str(name) for name in frame.columns if str(name).strip()]
    values: dict[str, str] = {}
    for name in frame.columns:
        if not pd.api.types.is_numeric_dtype(frame[name]):
            levels = [str(one) for one in frame[name].dropna().unique()]
            if len(levels) <= LEVELS:
                values.update({one: str(name) for one in levels if len(one) > 1 and one not in names})
    return DataTable(frame, names, values)


def distribution_of(values: Any) -> dict[str, Any]:
    """The distribution of a column, roughly, in the vocabulary of `sets/fresh.py`; empty without finite values."""
    import pandas as pd

    values = values.replace([math.inf, -math.inf], math.nan)
    there = values.dropna()
    if there.empty:
        return {}
    gaps = round(float(values.isna().mean()), 3)
    missing = {'gaps': gaps} if gaps else {}
    if not pd.api.types.is_numeric_dtype(there):
        dates = pd.to_datetime(there, errors='coerce', format='ISO8601', utc=True)
        if dates.notna().all():
            return {'days': dates.min().date().isoformat()}
        return {'words': max(2, min(there.nunique(), 8)), **missing}
    spread = float(there.std()) if len(there) > 1 else 1.0
    if not math.isfinite(float(there.max()) - float(there.min()) + spread):
        return {}
    if len(there) > 2 and there.is_monotonic_increasing and there.is_unique:
        return {'order': float(f'{(there.iloc[-1] - there.iloc[0]) / (len(there) - 1):.3g}')}
    if (there % 1 == 0).all():
        return {'integers': [int(there.min()), int(there.max())], **missing}
    digits = max((len(f'{one:.10g}'.partition('.')[2]) for one in there.head(100)), default=2)
    scale = 10 ** (2 - math.floor(math.log10(spread))) if spread > 0 else 100
    mean, sd = (round(float(one) * scale) / scale for one in (there.mean(), spread))
    return {'normal': [mean, sd], 'digits': min(digits, 6), **missing}


Kind = Literal['file', 'column', 'value', 'number']
RESERVED = {'cn', 'data', 'false', 'language', 'loop', 'no', 'none', 'null', 'off', 'on', 'seed', 'true', 'yes'}
FILE = re.compile(r'data/([^\'"`{}\n]+)')
SMALL = 3
"""The least whole number that is a parameter; smaller ones are too frequent."""


@dataclass
class Parameter:
    """An open place of a template; `value` is its value in the original experiment."""

    name: str
    kind: Kind
    value: Any
    step: int | None = None
    """The step of a number, from 0."""
    asked: set[int] = field(default_factory=set)
    """Steps whose question or thought has it, from 1."""
    coded: set[int] = field(default_factory=set)
    """Steps whose code has it, from 1."""


def tokens_of(code: str) -> list[tokenize.TokenInfo]:
    """The tokens of code; none if it is no Python."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(code).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def parameters_of(texts: Sequence[StepText], tables: Tables) -> list[Parameter]:
    """The parameters of an experiment: each file with the columns and values that the code names, then numbers."""
    strings = [one.string for text in texts for one in tokens_of(text.code) if one.type == token.STRING]
    attributes = {name for text in texts for name in attributes_of(text.code)}
    taken: set[str] = set()
    found: list[Parameter] = []

    def take(kind: Kind, value: Any, name: str, step: int | None = None) -> None:
        found.append(Parameter(_free(name, taken), kind, value, step))

    for file, table in tables.items():
        take('file', file, 'file')
        for column in table.columns:
            if column in attributes or any(_stands_in(column, one) for one in strings):
                take('column', column, column)
        for value in table.values:
            if any(unquoted(one) == value for one in strings):
                take('value', value, value)
    for index, text in enumerate(texts):
        for number, name in _numbers(text):
            take('number', number, name, index)
    first: dict[tuple[Any, ...], Parameter] = {}
    for one in found:
        first.setdefault((str(one.value), one.step), one)
    return list(first.values())


def _free(name: str, taken: set[str]) -> str:
    """An identifier like `name` that is not taken yet."""
    plain = re.sub(r'\W+', '_', name).strip('_').lower()[:24].strip('_') or 'value'
    if not plain.isidentifier():
        plain = f'value_{plain}'
    if plain in RESERVED or keyword.iskeyword(plain):
        plain += '_'
    number, unique = 2, plain
    while unique in taken:
        unique, number = f'{plain}_{number}', number + 1
    taken.add(unique)
    return unique


def unquoted(string: str) -> str:
    """The text between the quotes of a string literal."""
    return string.strip('rRuUbBfF').strip('\'"')


def _stands_in(column: str, string: str) -> bool:
    """Whether a string literal has the name as a word; a single letter must be the whole literal."""
    return bool(whole_word(column).search(string)) if len(column) > 1 else unquoted(string) == column


def whole_word(name: str) -> re.Pattern[str]:
    return re.compile(rf'(?<!\w){re.escape(name)}(?!\w)')


def attributes_of(code: str) -> Iterator[str]:
    """Names after a dot that are neither called nor names of pandas: `df.price`, but not `dates.year`."""
    import pandas as pd

    tokens = tokens_of(code)
    for before, one, following in zip(tokens, tokens[1:], tokens[2:], strict=False):
        own = hasattr(pd.DataFrame, one.string) or hasattr(pd.Timestamp, one.string)
        if before.string == '.' and one.type == token.NAME and following.string != '(' and not own:
            yield one.string


def _numbers(text: StepText) -> Iterator[tuple[int | float, str]]:
    """Numbers that stand once in the code and once in the question, each with a name."""
    tokens = tokens_of(text.code)
    coded = [one.string for one in tokens if one.type == token.NUMBER]
    asked = NUMBER.findall(text.question)
    for place, one in enumerate(tokens):
        if one.type != token.NUMBER or coded.count(one.string) != 1 or asked.count(one.string) != 1:
            continue
        if re.search(rf'\b{re.escape(one.string)} (?:decimal|digit)', text.question):
            continue
        names = [before.string for before in tokens[:place] if before.type == token.NAME]
        number = yaml.safe_load(one.string)
        whole = isinstance(number, int) and number >= SMALL and str(number) == one.string
        if names[-1:] != ['figsize'] and (whole or isinstance(number, float)):
            yield number, _name_of(tokens, place)


def _name_of(tokens: Sequence[tokenize.TokenInfo], place: int) -> str:
    """A name for a number: `bins` for `bins=20`, `head` for `head(5)`."""
    if place >= 2 and tokens[place - 1].string in ('=', '(') and tokens[place - 2].type == token.NAME:
        return tokens[place - 2].string
    return 'number'
