"""What is wrong with one part of a config, in words."""

import difflib
import math
from collections.abc import Collection, Iterable, Iterator
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model
from pydantic_core import ErrorDetails
from typing_extensions import is_typeddict as is_any_typeddict  # typing's knows its own alone

from cibench_eval.config.abbrs import short
from cibench_eval.config.records import WITHOUT_EFFECT
from cibench_eval.config.signatures import Signature
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.models.limits import Limits
from cibench_eval.schema import unicode_text

WORDS = {
    'bool_type': 'True or False',
    'bool_parsing': 'True or False',
    'dict_type': 'a dict',
    'float_parsing': 'a number',
    'float_type': 'a number',
    'int_parsing': 'a whole number',
    'int_type': 'a whole number',
    'list_type': 'a list',
    'model_type': 'a dict',
    'string_type': 'a text',
    'too_short': 'a list with something in it',
    'tuple_type': 'a list',
}
"""pydantic's error type -> what the value must be."""
HINTS = {
    'dataset_abbrs': 'set it in `summarizer`',
    'max_seq_len': 'the window is that of the endpoint; take it out',
    **dict.fromkeys(('partitioner', 'runner'), 'set it in `infer`: infer = dict(partitioner=dict(…), runner=dict(…))'),
    'summary_groups': 'set it in `summarizer`',
    'test_range': "choose by the dataset's `experiments`",
    'train_range': "choose by the dataset's `experiments`",
    **dict.fromkeys(KernelSettings.model_fields, 'set it in `kernels`'),
    **dict.fromkeys(Limits.model_fields, 'set it in `limits`'),
}
"""Misplaced key -> where it belongs."""
MANY = 12
"""How many known names a message lists."""
MISSPELT = 0.8
"""Similarity from which an unknown key counts as a misspelt key of another level."""
Place = tuple[Any, ...]
"""Keys and indices from the outermost to the innermost."""


def unknown_key(key: object, known: Iterable[str], otherwise: str = '') -> str:
    """The message for an unknown key; `otherwise` is its end if no known key is similar."""
    names = sorted(known)
    near = _near(key, names)
    more = f' and {len(names) - MANY} more' if len(names) > MANY else ''
    others = otherwise or f'there is {", ".join(names[:MANY])}{more}'
    return f'{key}: unknown; {HINTS.get(str(key)) or (f"did you mean {near[0]}?" if near else others)}'


def _near(key: object, names: Collection[str], cutoff: float = 0.6) -> list[str]:
    """The name that a key is most like, if it is like any."""
    return difflib.get_close_matches(str(key), names, n=1, cutoff=cutoff)


def with_arguments(record: type[BaseModel], arguments: Signature, given: Iterable[str] = ()) -> type[BaseModel]:
    """A record with a field for each argument of a class, except those that the harness supplies."""
    left_out = {*record.model_fields, *given}
    fields: dict[str, Any] = {
        f'argument_{index}': (_argument(kind), Field(... if name in arguments.required else None, alias=name))
        for index, (name, kind) in enumerate(arguments.types.items())
        if name not in left_out
    }
    options = ConfigDict(extra='allow') if arguments.more else ConfigDict()
    base = type(record.__name__, (record,), {'model_config': options, '__module__': __name__})
    return create_model(record.__name__, __base__=base, **fields)


def _argument(kind: Any) -> Any:
    """The type of an argument; numbers must be 0 or more."""
    kind = _checkable(kind)
    numbers = [part for part in get_args(kind) or [kind] if part in (int, float)]
    return Annotated[kind, AfterValidator(_at_least_0)] if numbers else kind


def _at_least_0(value: Any) -> Any:
    if isinstance(value, int | float) and value < 0:
        raise ValueError('0 or more')
    return value


def _checkable(kind: Any) -> Any:
    """A type that pydantic can check values against."""
    if is_typeddict(kind):
        fields: dict[str, Any] = {name: (hint | None, None) for name, hint in get_type_hints(kind).items()}
        return create_model(kind.__name__, __config__=ConfigDict(extra='allow', strict=True), **fields)
    if get_origin(kind) in (Union, UnionType):
        return Union[tuple(_checkable(part) for part in get_args(kind))]  # noqa: UP007 - made of values
    return kind


def errors_of(record: type[BaseModel], value: Any) -> list[str]:
    """Why a value does not fit a record: a line for each bad field."""
    try:
        record.model_validate(value)
    except ValidationError as error:
        found: dict[Place, list[ErrorDetails]] = {}
        for one in error.errors(include_url=False):
            found.setdefault(_place(one, value), []).append(one)
        above = {place[:length] for place in found for length in range(len(place))}  # of a type that was tried, too
        return [_words(place, errors, record) for place, errors in found.items() if place not in above]
    return []


def ignored(record: type[BaseModel], value: dict[str, Any]) -> list[str]:
    """The keys of a part that have no effect here."""
    fields = {info.alias or name: info for name, info in record.model_fields.items()}
    return [name for name, info in fields.items() if name in value and WITHOUT_EFFECT in info.metadata]


def _place(error: ErrorDetails, value: Any) -> Place:
    """The place of an error in the value, without pydantic's names of the types that it tried."""
    place: list[Any] = []
    for part in error['loc']:
        if isinstance(value, dict | list) and part in (value if isinstance(value, dict) else range(len(value))):
            value = value[part]  # type: ignore[index]
            place.append(part)
        elif error['type'] == 'missing' and part == error['loc'][-1]:
            place.append(part)
    return tuple(place)


def _words(place: Place, errors: list[ErrorDetails], record: type[BaseModel]) -> str:
    """The message for one place; several errors come from several types that would be allowed there."""
    if errors[0]['type'] == 'extra_forbidden':
        said = _elsewhere(place, record) or unknown_key(place[-1], _fields(_inner(record, place[:-1])))
        return ': '.join(filter(None, [_joined(place[:-1]), said]))
    if errors[0]['type'] == 'missing':
        return f'{_joined(place)} is missing'
    if errors[0]['type'] == 'unknown':  # raised by `records`; its message stands alone
        return ': '.join(filter(None, [_joined(place), errors[0]['msg']]))
    wanted = ' or '.join(dict.fromkeys(map(_wanted, errors)))
    return f'{_joined(place) or "it"} is {short(errors[0]["input"])}; it must be {wanted}'


def _joined(place: Place) -> str:
    return ''.join(f'[{part}]' if isinstance(part, int) else f': {part}' for part in place).removeprefix(': ')


def _elsewhere(place: Place, record: type[BaseModel]) -> str:
    """Where an unknown key belongs if that is a level further up or down; empty if it is not."""
    *above, key = place
    if str(key) in HINTS:
        return ''
    here = _fields(_inner(record, tuple(above)))
    inside = {inner: name for name, kind in here.items() for one in _records(kind) for inner in _fields(one)}
    down = [str(key)] if str(key) in inside else [] if _near(key, here) else _near(key, inside, MISSPELT)
    if down:
        return f'{key}: unknown here; did you mean {inside[down[0]]}=dict({down[0]}=…)?'
    if above and str(key) in _fields(_inner(record, tuple(above[:-1]))):
        return f'{key}: unknown here; it stands beside {above[-1]}, not in it'
    return ''


def _inner(record: type[BaseModel], place: Place) -> Any:
    """The record type at a place inside another record type, or the type of a dict with known keys."""
    found: Any = record
    for part in place:
        found = next(_records(_fields(found).get(str(part))), found)
    return found


def _records(kind: Any) -> Iterator[Any]:
    """The records that a type names, and the dicts with known keys."""
    if is_any_typeddict(kind) or (isinstance(kind, type) and issubclass(kind, BaseModel)):
        yield kind
    for part in get_args(kind):
        yield from _records(part)


def _fields(kind: Any) -> dict[str, Any]:
    """The keys of a record or of a dict with known keys, each with its type."""
    if is_any_typeddict(kind):
        return get_type_hints(kind)
    return {info.alias or name: info.annotation for name, info in kind.model_fields.items()}


def _wanted(error: ErrorDetails) -> str:
    words = WORDS.get(error['type'])
    return words or error['msg'].removeprefix('Input should be ').removeprefix('Value error, ')


def unwritable_values(value: Any, place: Place = ()) -> Iterator[str]:
    """The values of a config that cannot be written to a file and read back."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str):
                yield from unwritable_values(inner, (*place, key))
            else:
                yield f'{_joined((*place, short(key)))}: a key must be a text'
    elif isinstance(value, list | tuple):
        for index, inner in enumerate(value):
            yield from unwritable_values(inner, (*place, index))
    elif problem := _strange(value):
        yield f'{_joined(place)} {problem}'


def _strange(value: Any) -> str:
    if isinstance(value, float) and not math.isfinite(value):
        return f'is {value}; it must be a finite number'
    if isinstance(value, str) and unicode_text(value) != value:
        return f'is {short(value)}, which no file can hold; correct it'
    if value is not None and not isinstance(value, str | int | float):
        return f'is {short(value)}; a config holds texts, numbers, lists and dicts'
    return ''
