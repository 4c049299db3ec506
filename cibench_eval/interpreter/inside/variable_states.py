"""Describes variables as JSON within bounds: types, shapes, names of columns, fingerprints of values.

It runs in the kernel and imports nothing of the package; `states.py` of the package explains the fields. Known types
are read; of other objects only the name of the class is given. No method of a user's class is called, neither `repr`
nor `len` nor an attribute. Objects of classes derived from Python's own containers are read as those containers.
"""

import collections
import functools
import hashlib
import itertools
import json
import time
import types
from typing import Any

from variable_models import LIBRARIES, facts_of, is_fitted, parameters
from variable_values import (
    LONGEST_ALONE,
    MOST_NUMBERS,
    MOST_TEXTS,
    NAME,
    OTHER,
    WIDEST,
    Described,
    are_labels,
    class_name,
    derives,
    is_of_library,
    is_one,
    is_whole,
    kind_of,
    loaded,
    of_array,
    of_complex,
    of_list,
    of_parts,
    places,
    rows_in_order,
    short,
    time_texts,
    token,
)

REQUEST, REPLY, PART = 'describe_request', 'describe_reply', 'variables'
SIZE = 32_000
"""Most characters of the description of a step's variables."""
SECONDS = 1.5
"""Seconds of processor time after which no further value is described."""
COUNTS = (48, 16, 4, 0)
"""Most values of a column: the first of these numbers with which the description is within SIZE."""
VALUES = 640
"""Most values of a table."""
ITEMS, COLUMNS, DEPTH, ELEMENTS = 24, 120, 4, 400
"""Most elements of a container, columns of a table, levels of nested containers, and elements of all containers
together."""
UNSAID: tuple[tuple[str, Any], ...] = (('missing', 0), ('values', []), ('form', ''))
"""Fields with the values that they have where nothing is said."""
SEQUENCES: tuple[Any, ...] = (list, tuple, range, collections.deque, *map(type, ({}.keys(), {}.values(), {}.items())))


class LateError(Exception):
    """The time is used up."""


def attach(app: Any) -> None:
    """Let a kernel answer requests for the state of variables."""
    app.kernel.shell_handlers[REQUEST] = functools.partial(reply, app)


def reply(app: Any, stream: Any, ident: Any, message: Any) -> None:
    """Answer a request, even if the code has changed the kernel."""
    try:
        content = message['content']
        text = (hashes if content['hashed'] else describe)(app.shell.user_ns, content['names'])
    except BaseException:  # noqa: BLE001  (an interrupt, or whatever the variables of the code raise)
        text = '{}'
    app.kernel.session.send(stream, REPLY, {'status': 'ok', PART: text}, message, ident)


def describe(namespace: dict[str, Any], names: list[str]) -> str:
    """JSON of the existing variables: name -> description."""
    until = time.thread_time() + SECONDS
    there = [name for name in names if dict.__contains__(namespace, name)]
    text = ''
    for count in COUNTS:
        found = {name: _safely(Describer(count, until), dict.__getitem__(namespace, name)) for name in there}
        text = json.dumps(_told(found), allow_nan=False, separators=(',', ':'))
        if len(text) <= SIZE:
            return text
    return json.dumps({name: {'kind': 'unknown', 'type': 'too large'} for name in there})[:SIZE]


def _told(described: Any) -> Any:
    """A description without what is so where nothing is said."""
    if isinstance(described, dict):
        return {name: _told(value) for name, value in described.items() if (name, value) not in UNSAID}
    return [_told(value) for value in described] if isinstance(described, list) else described


def hashes(namespace: dict[str, Any], names: list[str]) -> str:
    """JSON of the existing variables: name -> hash of its description, whatever is described beside it."""
    until = time.thread_time() + SECONDS
    there = {name: dict.__getitem__(namespace, name) for name in names if dict.__contains__(namespace, name)}
    found = {name: _safely(Describer(COUNTS[0], until), value) for name, value in there.items()}
    for name, described in found.items():
        if described['kind'] != 'unknown':
            digest = hashlib.sha256(json.dumps(described, sort_keys=True).encode()).hexdigest()[:16]
            found[name] = {'kind': 'hash', 'columns': [{'dtype': 'other', 'digest': digest}]}
    return json.dumps(found)


def _safely(describer: 'Describer', value: Any) -> Described:
    try:
        return describer.of(value)
    except BaseException as error:  # noqa: BLE001  (an interrupt, or whatever the values of the code raise)
        return {'kind': 'unknown', 'type': class_name(type(value)), 'why': class_name(type(error))}


class Describer:
    """Describes values until the thread's processor time is `until`: at most `count` values of a column and `left`
    elements of containers.
    """

    def __init__(self, count: int, until: float, left: int = ELEMENTS) -> None:
        self._count, self._until, self._left = count, until, left
        self._depth = 0

    def _check(self) -> None:
        if time.thread_time() > self._until:
            raise LateError

    def of(self, value: Any, depth: int = 0) -> Described:
        self._check()
        self._depth = depth
        kind = type(value)
        named = {'type': class_name(kind)}
        if (made := token(value)) is not OTHER:
            form = 'int' if is_whole(value, made) else 'float' if 'float' in kind.__name__ else ''
            column = {**of_list([value], 1), 'form': form}
            if type(made) is str and not depth and self._count == COUNTS[0]:
                column['values'] = [made[:LONGEST_ALONE]]
            return {'kind': 'scalar', **named, 'columns': [column], **of_parts([value], 2)}
        for known, describe_it in self._known().items():
            if kind is known:
                return {**named, **describe_it(value)}
        return {**named, **self._other(value, kind, depth)}

    def _known(self) -> dict[Any, Any]:
        """Methods that describe objects of numpy, pandas and torch, by exact type."""
        np, pd, torch = loaded('numpy'), loaded('pandas'), loaded('torch')
        known: dict[Any, Any] = {}
        if np is not None:
            known |= dict.fromkeys((np.ndarray, np.memmap, np.matrix), self._array)
            known[np.ma.MaskedArray] = self._masked
        if pd is not None:
            known |= {pd.DataFrame: self._frame, pd.Series: self._series, pd.Categorical: self._values}
            known |= dict.fromkeys(_indexes(pd), self._index)
            # What `unique` and `values` of a Series may give, besides numpy's arrays.
            arrays = [one for name, one in vars(pd.arrays).items() if name != 'Categorical' and isinstance(one, type)]
            known |= dict.fromkeys(arrays, lambda values: self._series(pd.Series(values)))
        if torch is not None and hasattr(torch, 'Tensor'):
            known |= {torch.Tensor: self._tensor, torch.nn.Parameter: self._tensor}
        return known

    def _other(self, value: Any, kind: type, depth: int) -> Described:
        if derives(kind, dict):
            return self._mapping(value, depth)
        for base in (set, frozenset):
            if derives(kind, base):
                return self._set(list(base.__iter__(value)))
        for base in SEQUENCES:
            if derives(kind, base):
                return self._sequence(list(base.__iter__(value)) if base is not range else value, depth)
        for scalar in (str, int, float):
            if derives(kind, scalar):
                return {'kind': 'scalar', 'columns': [of_list([scalar.__getnewargs__(value)[0]], 1)]}
        return self._object(value, kind, depth)

    # Numbers and texts in a row.

    def _array(self, array: Any) -> Described:
        np = loaded('numpy')
        plain = np.ndarray.view(array, np.ndarray)
        if plain.dtype.kind == 'O' and plain.ndim and plain.size <= MOST_TEXTS:
            return self._sequence(plain.tolist(), 1)
        if plain.ndim == 0:
            return {'kind': 'scalar', 'columns': [of_array(plain.reshape(1), 1)]}
        described = {'kind': 'array', 'shape': list(plain.shape), 'columns': [of_array(plain, self._count)]}
        return {**described, 'flat': of_complex(plain, self._count)} if plain.dtype.kind == 'c' else described

    def _masked(self, array: Any) -> Described:
        np = loaded('numpy')
        plain, mask = np.ndarray.view(array, np.ndarray), vars(array).get('_mask')
        if type(mask) is not np.ndarray or plain.dtype.kind == 'V':
            return self._array(plain)
        if plain.size > MOST_NUMBERS:  # no large array is copied
            return {'kind': 'array', 'shape': list(plain.shape), 'columns': []}
        form = float if plain.dtype.kind in 'iu' else plain.dtype if plain.dtype.kind in 'fMm' else object
        plain = plain.astype(form)
        plain[mask] = None
        return self._array(plain)

    def _tensor(self, tensor: Any) -> Described:
        torch = loaded('torch')
        if tensor.layout is not torch.strided or tensor.dtype in (torch.bfloat16,):
            return {'kind': 'array', 'shape': list(tensor.shape), 'columns': []}
        return self._array(torch.Tensor.detach(tensor).cpu().resolve_conj().resolve_neg().numpy())

    def _values(self, values: Any) -> Described:
        """A sequence of which `list` would give the values."""
        size = len(values)
        few = [values[place] for place in places(size, MOST_TEXTS)]
        return {'kind': 'array', 'shape': [size], 'columns': [of_list(few, self._count)]}

    def _sequence(self, values: Any, depth: int) -> Described:
        """A list or similar: of scalars, of rows of scalars, or of anything."""
        shape, flat = [len(values)], values
        lengths: list[int] = []
        while len(flat) and len(flat) <= MOST_TEXTS and len(shape) < DEPTH and _rows(flat):
            widths = [len(row) for row in flat]
            shape.append(widths[0] if len({*widths}) == 1 else 0)
            left = iter(widths)
            lengths = [sum(itertools.islice(left, count)) for count in lengths] or widths
            flat = [value for row in flat for value in row]
        column = of_list(flat, self._count)
        if column['dtype'] in ('other', 'mixed') and len(flat) <= MOST_TEXTS:
            flat = self._plain(flat)
            column = of_list(flat, self._count)
        if column['dtype'] not in ('other', 'mixed') or all(token(value) is not OTHER for value in flat[:MOST_TEXTS]):
            uneven = len(flat) and 0 in shape and len(lengths) <= self._count
            more = {'lengths': lengths} if uneven else of_parts(flat, self._count)
            return {'kind': 'array', 'shape': shape, 'columns': [column], **more}
        return {'kind': 'items', 'shape': [len(values)], 'items': self._items(enumerate(values), len(values), depth)}

    def _plain(self, values: list[Any]) -> list[Any]:
        """Values in a row, with the numbers of 0-d arrays and tensors in the places of these."""
        arrays = [kind for kind, read in self._known().items() if read in (self._array, self._tensor)]
        return [self._number(value, arrays) if token(value) is OTHER else value for value in values]

    def _number(self, value: Any, arrays: list[Any]) -> Any:
        kind = type(value)
        if not (is_one(kind, *arrays) or _is_tensorflow(kind)) or len(value.shape):
            return value
        one = loaded('numpy').asarray(value.numpy()) if _is_tensorflow(kind) else value
        number = one.item()  # of a time, a count of nanoseconds
        return (
            number if type(number) in (bool, int, float) and getattr(one.dtype, 'kind', '') not in ('m', 'M') else value
        )

    def _items(self, pairs: Any, size: int, depth: int) -> dict[str, Described]:
        chosen = min(size, ITEMS)
        if depth >= DEPTH or self._left < chosen:
            return {}
        self._left -= chosen
        listed = list(pairs) if size <= MOST_TEXTS else []
        return {str(listed[at][0])[:NAME]: self.of(listed[at][1], depth + 1) for at in places(len(listed), ITEMS)}

    def _set(self, values: list[Any]) -> Described:
        if len(values) <= MOST_TEXTS:
            values = [_as_text(value) for value in values]
        ordered = sorted(values, key=lambda value: (kind_of(value, token(value)), str(token(value))))
        numbers = sorted((value for value in ordered if type(token(value)) in (int, float)), key=token)
        others = [value for value in ordered if type(token(value)) not in (int, float)]
        return {'kind': 'set', 'shape': [len(values)], 'columns': [of_list([*numbers, *others], self._count)]}

    # Tables.

    def _index(self, index: Any) -> Described:
        if index.nlevels > 1:
            return self._sequence(index.tolist(), 1)
        return {'kind': 'array', 'shape': [len(index)], 'columns': [_column(index, self._count)[0]]}

    def _series(self, series: Any) -> Described:
        columns, index = [('' if series.name is None else series.name, series)], _labels(series.index)
        objects = getattr(series.dtype, 'kind', 'O') == 'O' and len(series) <= MOST_TEXTS
        if objects and _column(series, 0)[0]['dtype'] == 'other':  # lists and the like
            labelled = {'labelled': self._table(index, columns, len(series))} if index else {}
            return {**self._of_lists(series, self._depth), **labelled}
        if index:
            return self._table(index, columns, len(series))
        if getattr(series.dtype, 'kind', 'O') == 'c':
            return self._array(series.to_numpy())
        described = {'kind': 'array', 'shape': [len(series)], 'columns': [_column(series, self._count)[0]]}
        if not self._may_label(series.index):
            return described
        return {**described, 'labelled': self._table([('', series.index)], columns, len(series))}

    def _may_label(self, index: Any) -> bool:
        """Whether an index is few whole numbers without a name that do not only number the rows."""
        return not _labels(index) and len(index) <= self._count and {*index.tolist()} != {*range(len(index))}

    def _of_lists(self, series: Any, depth: int) -> Described:
        """A Series of lists and the like: a dictionary, or a list where it has no labels, many, or some twice."""
        values = series.tolist()
        keys = [str(_key(label))[:NAME] for label in series.index.tolist()] if _labels(series.index) else []
        named = dict(zip(keys, values, strict=False))
        if not named or len(named) < len(values) or len(named) > ITEMS:
            return self._sequence(values, depth)
        return {'kind': 'mapping', 'shape': [len(named)], 'items': self._items(named.items(), len(named), depth)}

    def _frame(self, frame: Any) -> Described:
        columns = [(name, frame.iloc[:, at]) for at, name in enumerate(frame.columns[:COLUMNS])]
        made = self._table(_labels(frame.index), columns, len(frame))
        flat = {}
        numbers = all(getattr(values.dtype, 'kind', 'O') in 'iuf' for _, values in columns)
        if columns and numbers and len(frame) * len(columns) <= MOST_NUMBERS:
            flat = {'flat': of_array(frame.to_numpy(), self._count)}
        labels = {'labels': _column(frame.index, self._count)[0]} if self._may_label(frame.index) else {}
        return {**made, **flat, **labels, 'shape': [len(frame), frame.shape[1]]}

    def _table(self, index: list[Any], columns: list[Any], rows: int) -> Described:
        """Named columns, with the index if it says something; `sorted` has their values in the order of the content."""
        count = min(self._count, VALUES // max(1, len(index) + len(columns)))
        described, tokens = [], []
        for name, values in [*index, *columns]:
            self._check()
            column, read = _column(values, count)
            described.append({'name': _name(name), **column})
            tokens.append(read)
        if rows <= MOST_TEXTS:
            order = rows_in_order(described, tokens)
            for column, read in zip(described, tokens, strict=True):
                column['sorted'] = [short(read[order[place]]) for place in places(rows, count)]
        shape, split = [rows, len(columns)], len(index)
        return {'kind': 'table', 'shape': shape, 'index': described[:split], 'columns': described[split:]}

    def _mapping(self, mapping: Any, depth: int) -> Described:
        pairs = list(dict.items(mapping))
        keys, values = [key for key, _ in pairs], [value for _, value in pairs]
        if len(pairs) <= MOST_TEXTS:
            values = self._plain(values)
        if all(token(one) is not OTHER for one in [*keys[:MOST_TEXTS], *values[:MOST_TEXTS]]):
            return self._table([('', keys)], [('', values)], len(pairs))
        named = [(str(_key(key)), value) for key, value in pairs[:MOST_TEXTS]]
        if len(named) > ITEMS:  # so that two descriptions keep the same ones
            named.sort(key=lambda pair: pair[0])
        described = {'kind': 'mapping', 'shape': [len(pairs)], 'items': self._items(named, len(named), depth)}
        if not are_labels(keys) or any(token(value) is OTHER for value in values):
            return described
        levels = [('', [*level]) for level in zip(*keys, strict=True)]
        return {**described, 'labelled': self._table(levels, [('', values)], len(keys))}

    # Objects of libraries.

    def _object(self, value: Any, kind: type, depth: int) -> Described:
        torch, sparse = loaded('torch'), loaded('scipy.sparse')
        if is_one(kind, types.FunctionType, types.BuiltinFunctionType, functools.partial):
            return {'kind': 'function'}
        if derives(kind, type) or kind is types.ModuleType:
            return {'kind': 'class' if derives(kind, type) else 'module'}
        if torch is not None and derives(kind, torch.nn.Module):
            return self._network(value, torch)
        if not is_of_library(kind):
            return {'kind': 'object'}
        root = kind.__module__.partition('.')[0]
        if sparse is not None and sparse.issparse(value):
            return {'kind': 'array', 'shape': list(value.shape), 'columns': [of_array(value.tocsr().data, 0)]}
        if root in LIBRARIES and kind.__name__ != 'Dataset':
            return self._estimator(value, depth)
        if _is_tensorflow(kind):
            return self._array(loaded('numpy').asarray(value.numpy()))
        if root == 'keras' and isinstance(vars(value).get('_layers'), list):
            return self._shapes([list(weight.shape) for weight in value.weights])
        if root == 'torch' and 'defaults' in vars(value):
            return {'kind': 'model', 'items': self._parameters(vars(value)['defaults'], depth)}
        return {'kind': 'object'}

    def _estimator(self, value: Any, depth: int) -> Described:
        of_moments, facts = Describer(0, self._until, self._left), facts_of(value, self._check)
        told = {name[:NAME]: of_moments.of(one, depth + 1) for name, one in itertools.islice(facts, COLUMNS)}
        fitted = {**told, 'fitted': self.of(is_fitted(value), depth + 1)}
        return {'kind': 'model', 'items': self._parameters(parameters(value), depth), 'fitted': fitted}

    def _parameters(self, given: dict[str, Any], depth: int) -> dict[str, Described]:
        if depth >= DEPTH:
            return {}
        return {str(name)[:NAME]: self.of(value, depth + 1) for name, value in list(given.items())[: 2 * ITEMS]}

    def _network(self, module: Any, torch: Any) -> Described:
        """A torch network: the shapes of its parameters, in order, from attributes that its class cannot hide."""
        shapes: list[list[int]] = []
        waiting = [module]
        while waiting and len(shapes) < COLUMNS:
            fields = torch.nn.Module.__dict__['__dict__'].__get__(waiting.pop(0))
            shapes += [list(one.shape) for one in fields['_parameters'].values() if type(one) is torch.nn.Parameter]
            waiting = [*(one for one in fields['_modules'].values() if one is not None), *waiting]
        return self._shapes(shapes)

    def _shapes(self, shapes: list[list[int]]) -> Described:
        return {'kind': 'network', 'items': {str(at): {'kind': 'array', 'shape': one} for at, one in enumerate(shapes)}}


def _is_tensorflow(kind: type) -> bool:
    """Whether a class is of TensorFlow's tensors and variables with values."""
    named = class_name(kind) in ('EagerTensor', 'ResourceVariable')
    return named and is_of_library(kind) and kind.__module__.partition('.')[0] == 'tensorflow'


def _rows(values: Any) -> bool:
    return all(is_one(type(value), list, tuple) for value in values)


def _as_text(value: Any) -> Any:
    """A tuple or frozenset of scalars, in a set, as the text of these; any other value as it is."""
    kind = type(value)
    if not is_one(kind, tuple, frozenset) or len(value) > WIDEST:
        return value
    parts = [token(part) for part in value]
    if any(part is OTHER for part in parts):
        return value
    texts = [repr(part) if type(part) is not float else f'{part:.6g}' for part in parts]
    return f'({", ".join(texts)})' if kind is tuple else f'{{{", ".join(sorted(texts))}}}'


def _indexes(pd: Any) -> list[Any]:
    names = ('Index', 'RangeIndex', 'MultiIndex', 'DatetimeIndex', 'CategoricalIndex', 'IntervalIndex', 'PeriodIndex')
    older = ('TimedeltaIndex', 'Int64Index', 'Float64Index', 'UInt64Index')
    return [getattr(pd, name) for name in (*names, *older) if name in vars(pd)]


def _labels(index: Any) -> list[Any]:
    """The columns of an index; none if it only numbers the rows."""
    if index.nlevels > 1:
        return [(name, index.get_level_values(level)) for level, name in enumerate(index.names)]
    numbered = index.name is None and index.dtype.kind in 'iu'
    return [] if numbered else [(index.name, index)]


def _name(name: Any) -> str:
    parts = name if type(name) is tuple else (name,)
    return ' | '.join(str(_key(part)) for part in parts if part is not None and part != '')[:NAME]


def _key(key: Any) -> Any:
    """A scalar or text in place of any name or key."""
    made = token(key)
    if made is OTHER and type(key) is tuple:
        return ', '.join(str(_key(part)) for part in key)
    return class_name(type(key)) if made is OTHER else made


def _column(values: Any, count: int) -> tuple[Described, list[Any]]:
    """A column of a table or an index, and its values, if they are few enough."""
    size = len(values)
    if type(values) is list:
        tokens = [token(value) for value in values] if size <= MOST_TEXTS else []
        return of_list(values, count), [None if made is OTHER else made for made in tokens]
    kind = getattr(values.dtype, 'kind', 'O')
    if size > MOST_TEXTS and kind not in 'iuf':
        values = values.take(list(places(size, MOST_TEXTS)))
    array = values.to_numpy()
    form = {'form': 'category'} if str(values.dtype) == 'category' else {}
    if array.dtype.kind == 'O':
        listed = array.tolist()
        tokens = [token(value) for value in listed] if size <= MOST_TEXTS else []
        return {**of_list(listed, count), **form}, [None if made is OTHER else made for made in tokens]
    return {**of_array(array, count), **form}, _listed(array) if size <= MOST_TEXTS else []


def _listed(array: Any) -> list[Any]:
    return time_texts(array) if array.dtype.kind in 'Mm' else [token(value) for value in array.tolist()]
