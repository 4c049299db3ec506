"""Fingerprints of the values of variables: their number, type and moments, and some values at fixed places.

It runs in the kernel and imports nothing of the package. It calls no method of a user's class and copies no large
array: long arrays are read at evenly spaced places.
"""

import datetime
import decimal
import fractions
import hashlib
import math
import sys
import types
import zlib
from collections.abc import Iterable, Sequence
from typing import Any

MOST_TEXTS = 20_000
"""Most values of a column that are read one by one."""
MOST_NUMBERS = 1_000_000
"""Most numbers of an array from which moments are computed."""
LONGEST = 60
"""Most characters of a text; its hash is of the whole text."""
LONGEST_ALONE = 400
"""Most characters of a variable that is a text, where there is room for it."""
EXACT = 10**15
"""Smaller integers are exact as floating-point numbers."""
NOISE = 1e-9
"""Largest rounding error in complex numbers, as a share of the largest of them."""
NAME = 120
"""Most characters of a name."""
WIDEST = 100
"""Most scalars of a tuple, in a set or as a key, that is read."""
OTHER = object()
"""Stands for a value that is no scalar."""

Described = dict[str, Any]


def loaded(module: str) -> Any:
    """A module if it has been imported, else None."""
    return sys.modules.get(module)


def is_one(kind: type, *known: Any) -> bool:
    """Whether a class is one of `known`; unlike `in`, this calls no method of the class."""
    return any(one is kind for one in known)


def derives(kind: type, base: Any) -> bool:
    """Whether a class has a base, by `type` itself, because a metaclass can lie."""
    return is_one(base, *type.__dict__['__mro__'].__get__(kind))


def class_name(kind: type) -> str:
    """The name of a class, from `type` itself, because a metaclass can lie."""
    return type.__dict__['__qualname__'].__get__(kind)[:NAME]


def is_of_library(kind: type) -> bool:
    """Whether a class really is in the module that it names."""
    module = type.__dict__['__module__'].__get__(kind)
    place = loaded(module) if type(module) is str else None
    return module != '__main__' and type(place) is types.ModuleType and vars(place).get(class_name(kind)) is kind


def token(value: Any) -> Any:
    """A scalar for JSON: None if missing, text for dates, OTHER if it is no scalar."""
    kind = type(value)
    if value is None or kind is bool or kind is str:
        return value
    if kind is int and abs(value) >= EXACT:
        return float(value) if abs(value) < 10**300 else f'an integer of {value.bit_length()} bits'
    if kind is int:
        return value
    if kind is float:
        return None if value != value else value if math.isfinite(value) else str(value)
    read = next((read for known, read in READERS.items() if known is kind), None)
    return read(value) if read else _of_library(value, kind)


def _moment(value: datetime.datetime) -> str:
    if type(value.tzinfo) is datetime.timezone:
        value = value.astimezone(datetime.UTC)
    return value.replace(tzinfo=None).isoformat()


READERS: dict[type, Any] = {
    bytes: lambda value: value.decode('utf-8', 'replace'),
    complex: lambda value: f'{value.real:.9g}{value.imag:+.9g}j',
    datetime.datetime: _moment,
    datetime.date: lambda value: f'{value.isoformat()}T00:00:00',
    datetime.time: lambda value: value.replace(tzinfo=None).isoformat(),
    datetime.timedelta: lambda value: value.total_seconds(),
    decimal.Decimal: lambda value: token(float(value)),
    fractions.Fraction: lambda value: token(float(value)),
}


def _of_library(value: Any, kind: type) -> Any:
    np, pd = loaded('numpy'), loaded('pandas')
    if np is not None and is_one(kind, np.datetime64, np.timedelta64):
        return None if np.isnat(value) else time_texts(np.asarray(value).reshape(1))[0]
    if np is not None and derives(kind, np.generic) and not derives(kind, np.void):
        plain = value.item()
        return token(plain if type(plain) is not kind else float(value))  # a type without equivalent in Python
    if pd is not None and (value is pd.NA or value is pd.NaT):
        return None
    if pd is not None and kind is pd.Timestamp:
        return time_texts(np.asarray([value.to_datetime64()]))[0]
    if pd is not None and kind is pd.Timedelta:
        return value.total_seconds()
    if pd is not None and is_one(kind, pd.Interval, pd.Period):
        return str(value)
    sympy = loaded('sympy.core.numbers')
    if sympy is not None and vars(sympy).get(class_name(kind)) is kind and derives(kind, sympy.Number):
        return token(int(value) if derives(kind, sympy.Integer) else float(value))
    return OTHER


def time_texts(array: Any) -> list[Any]:
    """Points in time as text, spans in seconds."""
    if array.dtype.kind == 'm':
        return [None if value != value else value for value in (array / loaded('numpy').timedelta64(1, 's')).tolist()]
    texts = array.astype('datetime64[us]').astype(str).tolist()
    return [None if text == 'NaT' else text.removesuffix('.000000') for text in texts]


def places(size: int, most: int) -> range | list[int]:
    """At most `most` evenly spaced places, including the first and the last."""
    if size <= most:
        return range(size)
    return [round(number * (size - 1) / (most - 1)) for number in range(most)] if most > 1 else [0][:most]


def flat(array: Any, most: int) -> Any:
    """The values of an array in order, or `most` evenly spaced ones."""
    np = loaded('numpy')
    if array.size <= most:
        return array.reshape(-1)
    chosen = np.linspace(0, array.size - 1, most).astype(np.int64)
    return array[np.unravel_index(chosen, array.shape)]


def of_array(array: Any, count: int) -> Described:
    if array.dtype.kind in 'iuf':
        with loaded('numpy').errstate(all='ignore'):  # code may let numpy or warnings raise errors
            return _numbers(array, count)
    few = flat(array, MOST_TEXTS)
    if array.dtype.kind in 'Mm':
        found = _tokens(time_texts(few), 'date' if array.dtype.kind == 'M' else 'number', count)
    elif array.dtype.kind in 'bcUSO':
        found = of_list(few.tolist(), count)
    else:
        return {'dtype': 'other'}
    return {**found, 'form': FORMS.get(array.dtype.kind, '')}


FORMS = {'i': 'int', 'u': 'int', 'f': 'float', 'b': 'bool', 'M': 'date', 'm': 'timedelta'}


def _numbers(array: Any, count: int) -> Described:
    np = loaded('numpy')
    kept = flat(array, MOST_NUMBERS)
    values = kept.astype(np.float64, copy=False)
    finite = values[np.isfinite(values)]
    chosen = [token(value) for value in _at(kept, count)]
    return {
        'dtype': 'number',
        'form': FORMS[array.dtype.kind],
        'missing': int(np.isnan(values).sum()),
        'moments': moments(finite.mean(), finite.std(), finite.min(), finite.max()) if finite.size else [],
        'values': chosen,
    }


def of_complex(array: Any, count: int) -> Described:
    """Complex numbers as their real parts, or as both where any imaginary one is more than a rounding error."""
    np, kept = loaded('numpy'), flat(array, MOST_NUMBERS // 2)
    finite = kept[np.isfinite(kept)]
    with np.errstate(all='ignore'):
        if len(finite) and abs(kept.imag).max() <= NOISE * abs(finite).max():
            return of_array(kept.real, count)
    return {**of_array(np.stack([kept.real, kept.imag], -1).reshape(-1), count), 'form': 'complex'}


def of_parts(values: list[Any], count: int) -> Described:
    """Few complex numbers of a list as `of_complex` has them; empty if any value is another."""
    np = loaded('numpy')
    if np is None or not 0 < len(values) <= MOST_TEXTS:
        return {}
    known = all(is_one(type(value), complex, np.complex64, np.complex128) for value in values)
    return {'flat': of_complex(np.array(values), count)} if known else {}


def _at(array: Any, count: int) -> list[Any]:
    return array[list(places(len(array), count))].tolist() if len(array) else []


def moments(*found: Any) -> list[Any]:
    """Mean, standard deviation, least and greatest; empty unless all are finite."""
    made = [float(value) for value in found]
    return made if all(map(math.isfinite, made)) else []


def of_list(values: Sequence[Any], count: int) -> Described:
    """A column of scalars; other objects are only counted."""
    few = [values[place] for place in places(len(values), MOST_TEXTS)]
    tokens = [token(value) for value in few]
    kinds = {kind_of(value, made) for value, made in zip(few, tokens, strict=True) if made is not None}
    dtype = kinds.pop() if len(kinds) == 1 else 'mixed' if kinds else 'empty'
    found = _tokens([None if made is OTHER else made for made in tokens], dtype, count)
    if dtype == 'date':
        return {**found, **_days(few, tokens, count)}
    if dtype != 'number':
        return found
    return {**found, 'form': 'int' if all(map(is_whole, few, tokens)) else 'float'}


def _days(values: list[Any], tokens: list[Any], count: int) -> Described:
    """The days of points in time that all are midnights of their zone, where that is not UTC's."""
    kinds = datetime.datetime, getattr(loaded('pandas'), 'Timestamp', None)
    if not all(is_one(type(value), *kinds) and value.tzinfo is not None for value in values):
        return {}
    days = [datetime.date.isoformat(value) for value in values]  # calls nothing of the zone, which may be the code's
    midnights = all(datetime.datetime.time(value) == datetime.time() for value in values)
    if not midnights or tokens == [f'{day}T00:00:00' for day in days]:
        return {}
    return {'days': [days[place] for place in places(len(days), count)]}


def is_whole(value: Any, made: Any) -> bool:
    """Whether a scalar is a whole number by its type or its token."""
    return type(made) is int or 'int' in type(value).__name__


def are_labels(keys: list[Any]) -> bool:
    """Whether few keys are tuples of as many scalars, as those of a Series with several labels for each row."""
    if len(keys) > MOST_TEXTS or any(type(key) is not tuple for key in keys) or len({*map(len, keys)}) != 1:
        return False
    return 1 < len(keys[0]) < WIDEST and all(token(part) is not OTHER for key in keys for part in key)


def kind_of(value: Any, made: Any) -> str:
    """The kind of a scalar, by its type and its token."""
    if made is OTHER:
        return 'other'
    if type(made) is bool:
        return 'bool'
    if type(made) in (int, float) or type(value) is float or 'float' in type(value).__name__:
        return 'number'
    return 'date' if type(value).__name__ in DATES else 'text'


DATES = ('datetime', 'date', 'Timestamp', 'datetime64')


def _tokens(tokens: list[Any], dtype: str, count: int) -> Described:
    known = [made for made in tokens if made is not None]
    numbers = [made for made in known if type(made) in (int, float)]
    return {
        'dtype': dtype,
        'missing': len(tokens) - len(known),
        'moments': _moments(numbers),
        'values': [short(tokens[place]) for place in places(len(tokens), count)],
        **({} if dtype == 'number' else hashes(made for made in tokens if type(made) not in (int, float))),
    }


def _moments(numbers: list[Any]) -> list[Any]:
    if not numbers:
        return []
    try:
        mean = math.fsum(numbers) / len(numbers)
        spread = math.sqrt(math.fsum((value - mean) ** 2 for value in numbers) / len(numbers))
    except OverflowError:  # a square is beyond the range of floats
        return []
    return moments(mean, spread, min(numbers), max(numbers))


def short(made: Any) -> Any:
    return made[:LONGEST] if type(made) is str else made


def hashes(values: Iterable[Any]) -> Described:
    """Hashes of texts and similar values: one of their order, and one that ignores the order."""
    ordered, bag = hashlib.sha256(), 0
    for value in values:
        data = f'{value}\0'.encode('utf-8', 'surrogatepass')
        ordered.update(data)
        bag += zlib.crc32(data) << 32 | zlib.adler32(data)
    return {'digest': ordered.hexdigest()[:16], 'bag': f'{bag % 2**64:x}'}


def rows_in_order(columns: list[Described], tokens: list[list[Any]]) -> list[int]:
    """The places of a table's rows, sorted by content.

    Numbers come last, with six digits, because two machines can differ in the last digits.
    """
    ranked = sorted(range(len(columns)), key=lambda one: (columns[one]['dtype'] == 'number', columns[one]['name']))
    keys = [list(map(_key, tokens[one])) for one in ranked]
    return sorted(range(len(tokens[0]) if tokens else 0), key=lambda row: [key[row] for key in keys])


def _key(made: Any) -> tuple[int, Any]:
    if type(made) in (int, float):
        return 0, made if type(made) is int else float(f'{made:.6g}')
    return (2, '') if made is None else (1, str(made))
