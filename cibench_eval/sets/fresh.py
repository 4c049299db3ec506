"""Fresh data: tables, texts and pictures that are new, made from a seed and a description.

The `varied` of a template maps each parameter to a description. Parameters are made in this order.

- `{table: 160}`: a CSV file of 160 rows; the value is its name below `data/`. The columns that follow belong to it:
  `{words: 4}` text of 4 levels; `{shares: {a: 0.5, b: 0.3, c: 0.2}}` text by share; `{faker: name}` a provider of the
  library Faker; `{normal: [mean, sd]}`; `{lognormal: [mean, sd]}` of the logarithm; `{poisson: mean}`;
  `{uniform: [low, high]}`; `{integers: [low, high]}`; `{days: 2021-03-01}` one row a day; `{order: 0.1}` 0, 0.1, 0.2,
  …; `{sine: [30, 50], scale: 3}` with a period of so many rows; `{follows: {column: factor, …}, noise: sd}`;
  `{classes: [column, …], of: 3}` text, by the size of the columns' sum. Numbers take `digits` (2), `by: column`
  (another mean at each level of a text column) and `gaps` (share of missing values). The value is the column's name.
- `{prose: 12}`: a text file of 12 English sentences; `{image: [height, width]}`: a PNG of shapes on a gradient.
- `{level_of: column}` one value of a text column; `{levels_of: column}` all of them, sorted;
  `{quantile_of: column, q: 0.75}`; `{columns: [parameter, …]}` the names of columns; `{pick: [a, b, …]}`;
  `{between: [low, high]}` an integer.
"""

import io
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from cibench_eval.packages import require
from cibench_eval.rendering import as_csv
from cibench_eval.schema import CibenchError, unicode_text

WORDS_FILE = Path(__file__).with_name('fresh_words.txt').read_text(encoding='utf-8')
WORDS = {kind: words.split() for kind, words in (line.split(': ') for line in WORDS_FILE.splitlines())}
"""Kind -> words: `nouns` name columns and files, `names` are levels of text columns, the others make sentences."""
SENTENCES = (
    'The {adjective} {person} {verb} the {noun} near the {other}.',
    'A {adjective} {noun} was {verb} by the {person}.',
    'Every {person} in the town {verb} a {adjective} {noun}.',
    'Nobody {verb} the {noun} because the {other} was {adjective}.',
)
Column: TypeAlias = NDArray[Any]


class Fresh:
    """The `parameters` that `varied` describes, and their `files` below `data/`, for one seed.

    Columns have drawn names or, if they are `named`, the names of their parameters.

    Raises:
        CibenchError: a description is unknown, or names a column that is not made before it.
    """

    def __init__(self, varied: dict[str, Any], name: str, seed: int, *, named: bool = False) -> None:
        self._random = np.random.default_rng([seed, zlib.crc32(name.encode())])
        self._nouns = [str(noun) for noun in self._random.permutation(WORDS['nouns'])]
        self._tables: list[FreshTable] = []
        self._by_parameter: dict[str, Column] = {}
        self._name, self._named = name, named
        self.parameters: dict[str, Any] = {}
        self.files: dict[str, bytes] = {}
        for parameter, description in varied.items():
            self.parameters[parameter] = self._make(parameter, description)
        self.files.update({table.file: table.csv() for table in self._tables})

    def _make(self, parameter: str, description: Any) -> Any:
        try:
            if (kind := next(iter(description))) in ('table', 'prose', 'image'):
                return getattr(self, f'_{kind}')(description[kind])
            if kind in CHOICES:
                return CHOICES[kind](self, description)
            self._by_parameter[parameter] = column = self._column(kind, description)
            name = parameter if self._named else self._nouns.pop()
            self._tables[-1].columns[name] = self._with_gaps(column, description)
            return name
        except (AttributeError, ArithmeticError, LookupError, TypeError, ValueError, StopIteration) as error:
            raise CibenchError(f'{self._name}: varied: {parameter}: {description} ({error!r}); see fresh.py') from error

    def _file(self, suffix: str) -> str:
        return f'{self._nouns.pop()}-{self._nouns.pop()}.{suffix}'

    def _table(self, rows: int) -> str:
        self._tables.append(FreshTable(self._file('csv'), rows))
        return self._tables[-1].file

    def _prose(self, sentences: int) -> str:
        name = self._file('txt')
        lines = [self._sentence() for _ in range(sentences)]
        self.files[name] = (' '.join(lines) + '\n').encode()
        return name

    def _sentence(self) -> str:
        noun, other = self._random.choice(WORDS['nouns'], 2, replace=False)
        words = {kind: self._random.choice(WORDS[f'{kind}s']) for kind in ('adjective', 'verb')}
        person = self._random.choice(WORDS['people'])
        return str(self._random.choice(SENTENCES)).format(**words, person=person, noun=noun, other=other)

    def _image(self, size: list[int]) -> str:
        height, width = size
        name, slope = self._file('png'), self._random.uniform(10, 60, 3)
        gradient = np.linspace(0, 1, width)[None, :, None] * slope + self._random.uniform(20, 80, 3)
        picture = Image.fromarray(np.repeat(gradient, height, axis=0).astype(np.uint8))
        draw = ImageDraw.Draw(picture)
        for index in range(7):
            left, top = (int(self._random.uniform(0, side * 0.8)) for side in (width, height))
            wide, high = (int(self._random.uniform(0.1, 0.3) * side) for side in (width, height))
            colour = tuple(int(value) for value in self._random.integers(0, 256, 3))
            shape = draw.ellipse if index % 2 else draw.rectangle
            shape((left, top, left + wide, top + high), fill=colour)
        data = io.BytesIO()
        picture.save(data, 'PNG')
        self.files[name] = data.getvalue()
        return name

    def _column(self, kind: str, description: dict[str, Any]) -> Column:
        rows = self._tables[-1].rows
        if kind in TEXTS:
            return np.asarray(TEXTS[kind](self, description, rows))
        values = NUMBERS[kind](self, description, rows)
        if by := description.get('by'):
            values = values + self._offsets(self._by_parameter[by], float(np.std(values)))
        if kind in ('integers', 'poisson'):
            return np.rint(values).astype(int)
        return np.round(values, description.get('digits', 2))

    def _with_gaps(self, column: Column, description: dict[str, Any]) -> Column:
        if 'gaps' not in description:
            return column
        gap = '' if column.dtype.kind == 'U' else np.nan
        return np.where(self._random.random(len(column)) < description['gaps'], gap, column)

    def _offsets(self, levels: Column, spread: float) -> Column:
        """An offset for each level; the levels lie far enough apart to be told from each other."""
        names = [str(name) for name in np.unique(levels)]
        steps = self._random.permutation(len(names)) * 0.8 * spread
        return np.asarray([steps[names.index(str(level))] for level in levels])

    def _words(self, description: dict[str, Any], rows: int) -> Column:
        levels = self._random.choice(WORDS['names'], description['words'], replace=False)
        return np.asarray(self._random.permutation(np.resize(levels, rows)))

    def _shares(self, description: dict[str, Any], rows: int) -> Column:
        shares = np.asarray([*description['shares'].values()], dtype=float)
        levels = [str(level) for level in description['shares']]
        return np.asarray(self._random.choice(levels, rows, p=shares / shares.sum()))

    def _faker(self, description: dict[str, Any], rows: int) -> list[str]:
        require(self._name, 'faker')
        from faker import Faker

        faker = Faker(description.get('locale', 'en_US'))
        faker.seed_instance(int(self._random.integers(2**32)))
        make = getattr(faker, str(description['faker']), None)
        if not callable(make):
            raise ValueError(f'Faker makes no {description["faker"]!r}')
        return [str(make()).replace('\n', ', ') for _ in range(rows)]

    def _days(self, description: dict[str, Any], rows: int) -> list[str]:
        first = date.fromisoformat(str(description['days']))
        return [(first + timedelta(days=day)).isoformat() for day in range(rows)]

    def _classes(self, description: dict[str, Any], rows: int) -> Column:
        columns = [self._by_parameter[name] for name in description['classes']]
        total = sum(((column - column.mean()) / column.std() for column in columns), np.zeros(rows))
        edges = np.quantile(total, np.arange(1, description['of']) / description['of'])
        levels = self._random.choice(WORDS['names'], description['of'], replace=False)
        return np.asarray(levels[np.digitize(total, edges)])

    def _sine(self, description: dict[str, Any], rows: int) -> Column:
        period, phase = self._random.uniform(*description['sine']), self._random.random()
        noise = self._random.normal(0, description.get('noise', 0.1), rows)
        return description.get('scale', 1) * np.sin(2 * np.pi * (np.arange(rows) / period + phase)) + noise

    def _follows(self, description: dict[str, Any], rows: int) -> Column:
        noise = self._random.normal(0, description.get('noise', 1), rows)
        return sum((self._by_parameter[name] * factor for name, factor in description['follows'].items()), noise)

    def _levels(self, column: str) -> list[str]:
        return sorted({str(level) for level in self._by_parameter[column]})

    def _quantile(self, description: dict[str, Any]) -> float:
        value = np.nanquantile(self._by_parameter[description['quantile_of']], description.get('q', 0.5))
        return round(float(value), description.get('digits', 1))


@dataclass
class FreshTable:
    """A CSV file in the making."""

    file: str
    rows: int
    columns: dict[str, Column] = field(default_factory=dict)

    def csv(self) -> bytes:
        rows = zip(*self.columns.values(), strict=True)
        text = as_csv([self.columns, *(['' if value != value else value for value in row] for row in rows)])
        return unicode_text(text).encode()


Make = Callable[[Fresh, dict[str, Any], int], Any]
TEXTS: dict[str, Make] = {
    'words': Fresh._words,
    'shares': Fresh._shares,
    'classes': Fresh._classes,
    'days': Fresh._days,
    'faker': Fresh._faker,
}
NUMBERS: dict[str, Make] = {
    'normal': lambda self, given, rows: self._random.normal(*given['normal'], rows),
    'uniform': lambda self, given, rows: self._random.uniform(*given['uniform'], rows),
    'lognormal': lambda self, given, rows: self._random.lognormal(*given['lognormal'], rows),
    'poisson': lambda self, given, rows: self._random.poisson(given['poisson'], rows).astype(float),
    'integers': lambda self, given, rows: self._random.integers(*given['integers'], rows, endpoint=True).astype(float),
    'order': lambda self, given, rows: np.arange(rows) * given['order'],
    'sine': Fresh._sine,
    'follows': Fresh._follows,
}
CHOICES: dict[str, Callable[[Fresh, dict[str, Any]], Any]] = {
    'level_of': lambda self, given: str(self._random.choice(self._levels(given['level_of']))),
    'levels_of': lambda self, given: self._levels(given['levels_of']),
    'quantile_of': Fresh._quantile,
    'columns': lambda self, given: [self.parameters[name] for name in given['columns']],
    'pick': lambda self, given: given['pick'][int(self._random.integers(len(given['pick'])))],
    'between': lambda self, given: int(self._random.integers(*given['between'], endpoint=True)),
}
