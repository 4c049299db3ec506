"""Variables after a step, gold against answer: which of them are right, and what is wrong with the others.

The content counts. A list, a tuple, an array and a Series of the same values are the same, and so are a table
with a column as its index and one without. The rules and their reasons are in `docs/metrics.md`.
"""

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, cast

from cibench_eval.evaluators.comparing.numbers import Margin
from cibench_eval.evaluators.comparing.questions import asks_no_order, asks_order
from cibench_eval.evaluators.comparing.spans import at_ends, interval, rewritten
from cibench_eval.states import Column, State, Token, changed_in_part

NOISE = 1e-6
"""Largest rounding error, as a share of the size of a column's numbers."""
KEPT = 60
"""Characters that every description has of a longer text, whose hash is of all of it."""
COUNTED = 10_000
"""Most whole numbers whose sum has to be the gold's: in an image, a few pixels may be rounded otherwise."""
LEARNT = 1e-3
"""Relative tolerance for the parameters that a model has learnt."""
MINOR = (
    *('n_jobs', 'verbose', 'copy', 'copy_X', 'copy_x', 'warm_start', 'cache_size', 'max_iter', 'tol', 'random_state'),
    *('svd_solver', 'algorithm', 'leaf_size'),
)
"""Parameters of how a model is computed, which count only where the question names them or the gold's value."""
CATEGORY = re.compile('categor|类别|分类类型', re.IGNORECASE)
"""Words by which a question asks for categories."""
WHOLE = r'(?:\bint(?:eger)?s?\d*\b|whole numbers?|整数|整型)'
"""Words by which it asks for whole numbers, beside the name of a variable or column."""
DISTINCT = re.compile(r'(?<!number of )\b(?:distinct|unique)\b|去重|不重复', re.IGNORECASE)
"""Words by which it asks for values that have no order of their own."""
AND = '(?:(?:,? (?:and|of) |, ?| ?[、和与] ?)`[^`]+`)*'
"""Further names in a row."""
TYPES: dict[str, Callable[[State], bool]] = {
    'DataFrame|数据框': lambda state: state.type == 'DataFrame',
    'dict|dictionary|字典': lambda state: state.kind == 'mapping' or state.type not in ('DataFrame', 'Series'),
    'set|集合': lambda state: state.kind == 'set',
    'tensor|张量': lambda state: 'Tensor' in state.type or 'Variable' in state.type,
}
"""Types by the words for them, which count where a question has them beside the name of a variable."""
PARTS = {(False, 'number')}, {(True, 'number')}
"""What both values are if they are compared as real numbers, or as pairs of these."""
RESET = ('index', 'level_0')
"""Names that pandas gives to a column made of an unnamed index."""
Side = Literal['values', 'sorted']


@dataclass(frozen=True)
class StateQuestion:
    """What a step asks for, besides its gold state."""

    question: str = ''
    code: str = ''
    margin: Margin = field(default_factory=Margin)
    """How far numbers may differ; whole numbers only if the margin is the step's own, or at least 1."""

    def ordered(self, gold: State) -> bool:
        """Whether the question may be about the order of rows, or asks for one, which a dictionary seldom has."""
        if gold.kind == 'mapping' or 'dict' in gold.type:
            return asks_order(self.question)
        return bool(self.question) and not asks_no_order(self.question)

    def distinct(self, gold: State, answer: State) -> bool:
        """Whether the question asks for distinct values, and the answer is a set of them or has them sorted."""
        if not (DISTINCT.search(self.question) and asks_no_order(self.question) and gold.columns and answer.columns):
            return False
        values, others = gold.columns[0].values, answer.columns[0].values
        if gold.shape != [len({*values})] or len({*map(type, [*values, *others])}) != 1:
            return False
        return answer.kind == 'set' or others == sorted(cast(list[str], others))

    def names(self, parameter: str, gold: State) -> bool:
        """Whether the question names a parameter, or the word that is its value in the gold."""
        values = gold.columns[0].values[:1] if gold.columns else []
        words = [parameter, *(str(one) for one in values if isinstance(one, str) and one != 'auto')]
        said = '|'.join(re.escape(word).replace('_', '[ _]') for word in words if word)
        return bool(re.search(rf'(?<!\w)(?:{said})(?!\w)', self.question))

    def form(self, form: str, name: str) -> bool:
        """Whether the question asks for values of a form: categories anywhere, whole numbers beside a name."""
        if form == 'category':
            return bool(CATEGORY.search(self.question))
        quoted = rf'`+{re.escape(name)}`+'
        after, before = rf'{quoted}{AND}(?: ?(?:[(（]|to )`(?:\w+\.)?)?[^`.。]*?{WHOLE}', rf'{WHOLE}`? ?\w* ?{quoted}'
        return form == 'int' and bool(re.search(f'{after}|{before}', self.question))

    def rows(self, name: str) -> bool:
        """Whether the question keeps rows under a name, which may have a helper column beside their own."""
        quoted = rf'`+{re.escape(name)}`+'
        english = rf'[Kk]eep the rows\b(?:(?!column|\.(?!\w)).)* in (?:\w+ ){{0,2}}{quoted}'
        return bool(re.search(rf'{english}|保留[^。列]*行[^。列`]*{quoted}', self.question))

    def wrong_type(self, name: str, gold: State, answer: State) -> str:
        """Why a variable lacks the type that the question asks for; empty unless the gold has that type."""
        quoted = rf'`+{re.escape(name)}`+'
        for words, fits in TYPES.items():
            said = rf'\b(?:{words})s? (?:named |called )?{quoted}|(?:{words}) ?{quoted}|{quoted} 的 ?(?:{words})'
            if fits(gold) and not fits(answer) and re.search(said, self.question, re.IGNORECASE):
                return f'it is of type {answer.type}, where the question says {words.split("|")[0]}'
        return ''


def difference(name: str, gold: State, answer: State | None, asked: StateQuestion) -> str:
    """Say what is wrong with a variable; empty where it is right."""
    if answer is None:
        return 'there is none'
    if gold.kind == 'unknown' or not gold.whole:
        return ''
    if answer.kind == 'unknown':
        return f'it could not be read ({" ".join(filter(None, (answer.type, answer.why)))})'
    wrong = asked.wrong_type(name, gold, answer)
    return wrong or _Comparison(asked, name).of(gold, answer)


def settled(gold: State, again: State | None) -> State:
    """Cut a gold state down to type, shape and names of columns where another run of its code disagrees with it.

    What a model has learnt is left out fact by fact.
    """
    gold = gold if again is None else _learnt_twice(gold, again)
    if again is not None and not _Comparison(StateQuestion()).of(gold, again):
        return gold
    columns = [Column(name=column.name, dtype=column.dtype) for column in gold.columns]
    shape = gold.shape if again and again.shape == gold.shape else []
    return State(kind=gold.kind, type=gold.type, shape=shape, columns=columns, settled=False)


def _learnt_twice(gold: State, again: State) -> State:
    """A state without the facts of its models in which another run disagrees."""
    compare = _Comparison(StateQuestion())
    fitted = {name: part for name, part in gold.fitted.items() if not compare.learnt(name, gold, again)}
    both = gold.items.keys() & again.items.keys()
    items = {
        name: _learnt_twice(part, again.items[name]) if name in both else part for name, part in gold.items.items()
    }
    return gold.model_copy(update={'items': items, 'fitted': fitted})


@dataclass(frozen=True)
class _Comparison:
    """Compares one variable; the gold's runs with each other where it has no name."""

    asked: StateQuestion
    name: str = ''
    noise: float = 0.0
    """Largest rounding error in numbers that are nearly 0 beside others."""

    def of(self, gold: State, answer: State) -> str:
        parts = _real(gold), _real(answer)
        if {(one.form == 'complex', one.dtype) for state in parts for one in state.columns} in PARTS:
            gold, answer = parts
        compare = {
            'array': self._array,
            'set': self._set,
            'table': self._table,
            'items': self._items,
            'mapping': self._items,
            'model': self._model,
            'network': self._network,
        }.get(gold.kind)
        if not gold.settled:
            return self._outline(gold, answer)
        if not answer.whole:
            return 'it could not be read'
        if compare is not None:
            return compare(gold, answer)
        if gold.kind == 'object':  # whatever a newer version reads of an answer
            return '' if gold.type == answer.type else _is_not(gold, answer)
        if gold.kind != answer.kind:
            return _is_not(gold, answer)
        if not gold.columns or not answer.columns:
            return '' if gold.columns == answer.columns else _is_not(gold, answer)
        return self._column(gold.columns[0], answer.columns[0], 1, 'values')

    def _outline(self, gold: State, answer: State) -> str:
        """Compare kind, shape and names of columns: all else differs from run to run."""
        same = gold.kind == answer.kind and gold.shape in ([], answer.shape)
        names = {column.name for column in gold.columns} - {column.name for column in answer.columns + answer.index}
        return '' if same and not (names and gold.kind == 'table') else _is_not(gold, answer)

    # Values in a row.

    def _array(self, gold: State, answer: State) -> str:
        if answer.kind == 'table' and answer.shape[1:] == [1] and len(gold.shape) == 1:
            answer = State(kind='array', type=answer.type, shape=answer.shape[:1], columns=answer.columns)
        elif answer.kind == 'table' and answer.flat:
            answer = State(kind='array', type=answer.type, shape=answer.shape, columns=[answer.flat])
        if self.asked.distinct(gold, answer):
            return self._set(gold, answer)
        if answer.kind != 'array':
            return _is_not(gold, answer)
        if gold.shape != answer.shape:
            return f'its shape is {_shape(answer)}, not {_shape(gold)}'
        if gold.lengths and answer.lengths and gold.lengths != answer.lengths:
            return f'its elements have {listed(answer.lengths)} values, not {listed(gold.lengths)}'
        if not gold.columns or not answer.columns:
            return '' if gold.columns == answer.columns else _is_not(gold, answer)
        size = math.prod(gold.shape) or sum(gold.lengths)
        return self._column(gold.columns[0], answer.columns[0], size, 'values')

    def _set(self, gold: State, answer: State) -> str:
        if answer.kind not in ('set', 'array') or len(answer.shape) != 1 or not answer.columns:
            return _is_not(gold, answer)
        if gold.shape != answer.shape:
            return f'it has {answer.shape[0]} elements, not {gold.shape[0]}'
        return self._column(_in_order(gold), _in_order(answer), gold.shape[0], 'sorted')

    def _items(self, gold: State, answer: State) -> str:
        if gold.labelled and answer.kind == 'table':  # a Series of lists, of which a frame's description has none
            return self._table(gold.labelled, answer)
        if answer.kind != gold.kind:
            return _is_not(gold, answer)
        if gold.shape != answer.shape:
            return f'it has {_shape(answer)} elements, not {_shape(gold)}'
        for key, element in gold.items.items():
            if key not in answer.items:
                return f'it has no {key!r}'
            if wrong := self.of(element, answer.items[key]):
                return f'{key!r}: {wrong}'
        return ''

    # Tables.

    def _table(self, gold: State, answer: State) -> str:
        answer = answer.labelled or answer
        if answer.kind != 'table':
            return _is_not(gold, answer)
        if gold.shape[:1] != answer.shape[:1]:
            return f'it has {answer.shape[0]} rows, not {gold.shape[0]}'
        in_place = self._columns(gold, answer, 'values')
        if not in_place or self.asked.ordered(gold):
            return in_place
        return in_place if self._columns(gold, answer, 'sorted') else ''

    def _columns(self, gold: State, answer: State, side: Side) -> str:
        """Compare tables column by column, with rows as they stand or sorted by their content."""
        rows, left = gold.shape[0], [*answer.columns, *answer.index]
        for column in gold.columns:
            found = self._partner(column, gold, answer, left, side)
            if found is None:
                return f'it has no column {column.name!r}'
            if wrong := self._column(column, found, rows, side):
                return f'{column.name!r}: {wrong}' if column.name else wrong
            left.remove(found)
        left += [answer.labels] if answer.labels and side == 'values' else []
        for column in gold.index:
            found = next((one for one in left if self._labels(column, one, answer, rows, side)), None)
            if found is None:
                return f'its rows are not called as those of the gold ({column.name or "index"})'
            left.remove(found)
        more = [one.name for one in left if one in answer.columns and one.name not in RESET]
        if more and not changed_in_part(self.asked.code, self.name) and not self.asked.rows(self.name):
            return f'it has a column {more[0]!r} too many'
        return ''

    def _partner(self, column: Column, gold: State, answer: State, left: list[Column], side: Side) -> Column | None:
        """The column of the same name, or the only one beside labels where the question gives no name."""
        unnamed = [] if column.name else answer.index  # a Series without a name has values, not an index without one
        same = next((one for one in left if one.name == column.name and one not in unnamed), None)
        labels = [
            one
            for one in answer.columns
            for index in gold.index
            if one.name == index.name or self._labels(index, one, answer, gold.shape[0], side)
        ]
        values = [one for one in answer.columns if one not in labels] or answer.columns
        if same is None and len(gold.columns) == len(values) == 1:
            named = gold.type == 'DataFrame' and f'`{column.name}`' in self.asked.question
            return None if named else values[0]
        return same

    def _labels(self, column: Column, other: Column, answer: State, rows: int, side: Side) -> bool:
        """Whether another column has the labels of an index."""
        named = other.name == column.name or other not in answer.columns or not column.name
        texts, dates = (column, other) if other.dtype == 'date' else (other, column)
        if named and (texts.dtype, dates.dtype) == ('text', 'date') and at_ends(_texts(texts, dates, rows, side)):
            return True
        return named and not self._column(column, other, rows, side)

    def _column(self, gold: Column, answer: Column, size: int, side: Side) -> str:
        """Say what is wrong with a column or array of `size` values."""
        if (wanted := _dtype(gold)) != (found := _dtype(answer)):
            return f'its values are {found}, not {wanted}'
        if gold.missing != answer.missing:
            return f'{answer.missing} values are missing, not {gold.missing}'
        if gold.form != answer.form and self.asked.form(gold.form, gold.name or self.name):
            return f'its values are not of type {gold.form}'
        exact = gold.form == 'int' and not self.asked.margin.own and self.asked.margin.absolute < 1
        if wrong := self._moments(gold, answer, size - gold.missing if exact else 0):
            return wrong
        hashes = {one.digest if side == 'values' else one.bag for one in (gold, answer)}
        pairs = _texts(gold, answer, size, side)
        told = wanted not in ('number', 'empty') and not (len(pairs) == size and rewritten(pairs))
        others = 'its values are others' if told and len(hashes) > 1 else ''
        return self._example(gold, answer, size, side, exact) or others

    def _moments(self, gold: Column, answer: Column, exact: int) -> str:
        """Say which moment of the numbers differs; of up to COUNTED that are `exact`, whether their sum does."""
        names = ('mean', 'standard deviation', 'least value', 'greatest value')
        if len(gold.moments) != len(answer.moments):
            return 'its numbers are not finite, or those of the gold are not'
        size = _size(gold)
        for name, one, other in zip(names, gold.moments, answer.moments, strict=False):
            scale = size if name in names[:2] else one
            if abs(one - other) > self.asked.margin.most_apart(scale) + max(self.noise, NOISE * size):
                return f'its {name} is {other:.6g}, not {one:.6g}'
        if exact <= COUNTED and gold.moments and abs(gold.moments[0] - answer.moments[0]) * exact > 0.5:
            return f'its sum is {answer.moments[0] * exact:.15g}, not {gold.moments[0] * exact:.15g}'
        return ''

    def _example(self, gold: Column, answer: Column, size: int, side: Side, exact: bool) -> str:
        """Name the first value that both descriptions have and that differs."""
        if not size and len(gold.values) != len(answer.values):  # of lists that tell no lengths, at other places
            return ''
        one, other = _placed(gold, size, side), _placed(answer, size, side)
        for place in sorted(one.keys() & other.keys()):
            if not self._same(one[place], other[place], exact, _size(gold)):
                return f'value {place + 1} is {other[place]!r}, not {one[place]!r}'
        return ''

    def _same(self, gold: Token, answer: Token, exact: bool, size: float) -> bool:
        if _is_number(gold) and _is_number(answer):
            assert gold is not None and answer is not None
            apart = abs(float(gold) - float(answer))
            most = self.asked.margin.most_apart(float(gold)) + max(self.noise, NOISE * size)
            return not apart if exact else apart <= most
        if isinstance(gold, str) and isinstance(answer, str):
            return gold[:KEPT] == answer[:KEPT] or interval(gold) == interval(answer)
        return type(gold) is type(answer) and gold == answer

    # Models.

    def _model(self, gold: State, answer: State) -> str:
        if gold.kind != answer.kind or gold.type != answer.type:
            return _is_not(gold, answer)
        if gold.type == 'Pipeline':  # its parts count, whatever they are called
            parts, others = list(_parts(gold)), list(_parts(answer))
            if len(parts) != len(others):
                return f'it has {len(others)} parts, not {len(parts)}'
            return next(filter(None, map(self.of, parts, others)), '') or self._learnt(gold, answer)
        for name, wanted in gold.items.items():
            minor = name in MINOR and not self.asked.names(name, wanted)
            if not minor and name in answer.items and (wrong := self.of(wanted, answer.items[name])):
                return f'parameter {name}: {wrong}'
        return self._learnt(gold, answer)

    def _learnt(self, gold: State, answer: State) -> str:
        told = (name for name in gold.fitted if not _is_dropped(name, gold))
        return next(filter(None, (self.learnt(name, gold, answer) for name in told)), '')

    def learnt(self, name: str, model: State, answer: State) -> str:
        """Compare a fact of what models have learnt, whatever the order of the rows and columns."""
        gold, found = model.fitted[name], answer.fitted.get(name)
        if found is None:
            return f'it has no {name}'
        whole = any(column.form == 'int' for column in gold.columns)
        margin = Margin(relative=0.0 if whole else max(LEARNT, self.asked.margin.relative), own=True)
        noise = 0.0 if whole else margin.noise * _magnitude(model)
        compare = _Comparison(StateQuestion(code=self.asked.code, margin=margin), self.name, noise)
        size = math.prod(gold.shape)
        if not all(one.kind in ('array', 'scalar') and one.columns for one in (gold, found)):
            wrong = compare.of(gold, found)
        elif math.prod(found.shape) != size:
            wrong = f'its shape is {_shape(found)}, not {_shape(gold)}'
        else:
            wrong = compare._column(gold.columns[0], found.columns[0], size, 'sorted')
        return wrong and f'{name}: {wrong}'

    def _network(self, gold: State, answer: State) -> str:
        """Compare the shapes of a network's parameters, not the trained values."""
        shapes = [[part.shape for part in state.items.values()] for state in (gold, answer)]
        return '' if answer.kind == gold.kind and shapes[0] == shapes[1] else _is_not(gold, answer)


def _real(state: State) -> State:
    """Complex numbers as numbers, as pairs of these where any has an imaginary part; any other state as it is."""
    if state.kind not in ('array', 'scalar') or state.flat is None:
        return state
    kind, shape = ('array', [*state.shape, 2]) if state.flat.form == 'complex' else (state.kind, state.shape)
    return state.model_copy(update={'kind': kind, 'shape': shape, 'columns': [state.flat]})


def _is_dropped(name: str, gold: State) -> bool:
    """Whether a fact is of columns that the model leaves out: how many a ColumnTransformer was given."""
    path = name.removesuffix('n_features_in_')
    return path != name and any(other.startswith(f'{path}transformers_.') for other in gold.fitted)


def _magnitude(model: State) -> float:
    """The size of the data that a model has learnt from, as its facts tell it; variances among them are squares."""
    columns = (column for fact in model.fitted.values() for column in fact.columns if column.form == 'float')
    largest = max(map(_size, columns), default=0.0)
    return min(largest, math.sqrt(largest))


def _parts(pipeline: State) -> Iterator[State]:
    steps = pipeline.items.get('steps')
    for pair in steps.items.values() if steps else ():
        yield from [part for key, part in pair.items.items() if key == '1']


def _is_not(gold: State, answer: State) -> str:
    if gold.shape and (gold.type, gold.shape) == (answer.type, answer.shape):
        return 'it has elements of another kind'
    return f'it is {answer.type} {_shape(answer)}, not {gold.type} {_shape(gold)}'.replace(' ,', ',').strip()


def _shape(state: State) -> str:
    return ' × '.join(map(str, state.shape))


def listed(lengths: list[int]) -> str:
    """The lengths of lists in words, the first of them if they are many."""
    return ', '.join(map(str, lengths[:6])) + (', …' if len(lengths) > 6 else '')


def _dtype(column: Column) -> str:
    """The type of a column's values; `empty` where all of them are missing."""
    return 'empty' if column.dtype == 'number' and not column.moments and not any(column.values) else column.dtype


def _size(column: Column) -> float:
    """The root mean square of a column's numbers."""
    return math.hypot(*column.moments[:2])


def _is_number(value: Token) -> bool:
    return type(value) in (int, float)


def _in_order(state: State) -> Column:
    """The values of a set or list, sorted where all of them are known."""
    column = state.columns[0]
    known = sorted(column.values, key=lambda value: (not _is_number(value), value if _is_number(value) else str(value)))
    return column.model_copy(update={'sorted': known if len(known) == state.shape[0] else []})


def _placed(column: Column, size: int, side: Side) -> dict[int, Token]:
    """The values that a description keeps of a column of `size` values, 0 if unknown, by their places."""
    values = column.values if side == 'values' else column.sorted or []
    last = max(1, len(values) - 1)
    known = not size or len(values) == size
    places = range(len(values)) if known else [round(at * (size - 1) / last) for at in range(len(values))]
    return dict(zip(places, values, strict=True))


def _texts(gold: Column, answer: Column, size: int, side: Side) -> list[tuple[str, str]]:
    """The texts and dates at places that both descriptions tell."""
    one, other = _placed(gold, size, side), _placed(answer, size, side)
    return [(str(one[place]), str(other[place])) for place in sorted(one.keys() & other.keys())]
