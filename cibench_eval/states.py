"""Descriptions of variables after a step, and the variables that a step asks for.

A description comes out of the process that ran the code, so that the code may have forged it. It is read within bounds
(`read_states`), and compared by `evaluators/comparing/states.py`.
"""

from __future__ import annotations

import ast
import functools
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from cibench_eval.schema import Record
from cibench_eval.syntax import parse

STATE_SIZE = 32_000
"""Most bytes of the description of a step's variables."""
MOST_NAMES = 24
"""Most variables that a step asks for."""
QUOTED = re.compile(r'(?<!`)`+([^`\n]+?)`+')
IN_PLACE = (
    *('append', 'extend', 'insert', 'remove', 'pop', 'clear', 'sort', 'reverse', 'update', 'add', 'discard'),
    *('setdefault', 'fit', 'partial_fit', 'compile', 'add_module', 'load_state_dict', 'fill_', 'zero_'),
)
"""Methods that change their object."""

UNREADABLE = '?'
"""Stands for the hash of a variable that could not be read."""
MOST = 10**15
"""The greatest whole number in a description, and the most values of a variable."""

Name = Annotated[str, Field(max_length=200)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Token = Annotated[str, Field(max_length=400)] | bool | Annotated[int, Field(ge=-MOST, le=MOST)] | Finite | None
Hash = Annotated[str, Field(max_length=32)]
Size = Annotated[int, Field(ge=0, le=MOST)]


class Column(Record, strict=True):
    """Values in a row: of an array, a list, a column of a table."""

    name: Name = ''
    dtype: Name
    """`number`, `bool`, `text`, `date`, `mixed`, `empty` (nothing but missing values) or `other` (objects)."""
    form: Name = ''
    """The form of its values: `int`, `float`, `category`, `timedelta`."""
    missing: Size = 0
    moments: list[Finite] = Field(default=[], max_length=4)
    """Mean, standard deviation, least and greatest of its numbers, if finite."""
    values: list[Token] = Field(default=[], max_length=64)
    """Some of its values, at even distances; dates are text, None is a missing value."""
    days: list[Token] = Field(default=[], max_length=64)
    """The days of the same values, if all are midnights of a time zone other than UTC."""
    sorted: list[Token] | None = Field(default=None, max_length=64)
    """Likewise after sorting a table's rows by their content; None for too many rows to sort."""
    digest: Hash = ''
    """Hash of all texts in order."""
    bag: Hash = ''
    """Hash of all texts in any order."""


class State(Record, strict=True):
    """The description of one variable."""

    kind: Name
    """`scalar`, `array` (lists, too), `set`, `table` (named columns or an index: frames, dictionaries of scalars),
    `items` and `mapping` (containers of anything), `model`, `network`, `function`, `class`, `module`, `object`;
    `unknown` where it could not be read, `hash` where only a hash of it was asked for."""
    type: Name = ''
    """Name of the class."""
    why: Name = ''
    """Name of the exception for which it could not be read."""
    shape: list[Size] = Field(default=[], max_length=64)
    """Its dimensions; of a list of lists, 0 for one along which these are of unequal length."""
    lengths: list[Size] = Field(default=[], max_length=64)
    """How many values are in each element of such a list; empty for a list of many elements."""
    index: list[Column] = Field(default=[], max_length=130)
    """The index of a table, unless it is the default one."""
    columns: list[Column] = Field(default=[], max_length=130)
    flat: Column | None = None
    """All numbers of a numeric table, row by row, as if it were an array. Of complex numbers, whose column is text, the
    real parts, or both parts of each (form `complex`) where any has an imaginary one."""
    labelled: State | None = None
    """A Series as a table with its index, which is whole numbers without a name and may be labels, such as years; a
    dictionary with tuples as keys as a table with as many labels for each row."""
    labels: Column | None = None
    """Such an index of a frame."""
    items: dict[Name, State] = Field(default={}, max_length=130)
    """Some elements of a container, the parameters of a model, the arrays of a network."""
    fitted: dict[Name, State] = Field(default={}, max_length=130)
    """The learnt parameters of a model."""
    settled: bool = True
    """Whether two runs of the gold agreed; if not, only type and shape are compared."""

    @property
    def whole(self) -> bool:
        """Whether it has all that its kind needs to be compared: a process may send anything."""
        shapes, columns = WHOLE.get(self.kind, (SIDES, SIDES))
        fits = len(self.shape) in shapes and len(self.columns) in columns
        return fits and math.prod(self.shape) <= MOST


SIDES = range(131)
WHOLE = {'scalar': ((0,), (1,)), 'array': (SIDES, (0, 1)), 'set': ((1,), (1,)), 'table': ((2,), SIDES)}
"""Allowed numbers of dimensions and of columns by kind."""
States = dict[str, State]
"""The variables of a step by name; a missing one has no entry, an unreadable one is `unknown`."""
Describe = Callable[[list[str]], Awaitable[States]]
"""Asks a kernel what variables hold (`Interpreter.describe`)."""
_ADAPTER: TypeAdapter[States] = TypeAdapter(States)


def read_states(text: bytes | str) -> States | None:
    """Read descriptions from JSON; None if invalid or over STATE_SIZE."""
    if len(text) > STATE_SIZE:
        return None
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError:
        return None


def states_of(content: Any) -> States | None:
    """Read descriptions from parsed JSON; None if invalid."""
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError:
        return None


def unread(names: list[str], why: str) -> States:
    """Descriptions of variables that could not be asked for, whether they exist or not."""
    return {name: State(kind='unknown', why=why) for name in names}


def plain_states(states: States) -> dict[str, Any]:
    """Descriptions as JSON values, without defaults."""
    return _ADAPTER.dump_python(states, mode='json', exclude_defaults=True)


def asked_names(question: str, code: str) -> list[str]:
    """The variables that are asked for after a step: the question names them and the gold code makes them.

    A name stands in back-ticks, alone (`df`), with others (`x, y`), or in an expression (`df['a']`, `area(r)`). Names
    that the question lacks are never asked for, so that a kernel learns nothing about the gold.
    """
    bound = bound_names(code)
    return [name for name in dict.fromkeys(_named(question)) if name in bound][:MOST_NAMES]


async def hashes_of(names: Iterable[str], describe: Describe) -> dict[str, str]:
    """Ask a kernel for a hash of what each variable holds now.

    It is empty where there is no such variable, UNREADABLE where it cannot be read. Of many names the last ones are
    asked for.
    """
    asked = [*dict.fromkeys(names)][-MOST_NAMES:]
    found = await describe(asked) if asked else {}
    return {name: _hash_in(found[name]) if name in found else '' for name in asked}


def _hash_in(state: State) -> str:
    return state.columns[0].digest if state.kind == 'hash' and state.columns else UNREADABLE


async def asked_states(question: str, code: str, describe: Describe) -> dict[str, Any] | None:
    """Ask a kernel what these variables hold now, as JSON values; None if the step asks for none."""
    names = asked_names(question, code)
    return plain_states(await describe(names)) if names else None


def changed_in_part(code: str, name: str) -> bool:
    """Whether the code sets items of a variable (`df['x'] = …`) and never the variable itself."""
    try:
        return name not in set(_bindings(parse(code), whole=True))
    except (SyntaxError, ValueError, RecursionError):
        return False


@functools.lru_cache(maxsize=4096)  # both languages and both modes have the same gold code
def bound_names(code: str) -> frozenset[str]:
    """The variables that code visibly makes or changes at its top level."""
    try:
        return frozenset(_bindings(parse(_without_magics(code)), whole=False))
    except (SyntaxError, ValueError, RecursionError):
        return frozenset()


def _without_magics(code: str) -> str:
    """Replace IPython's own lines by `pass`, and what its commands give (`files = !ls`) by `None`; `%time` goes."""
    code = re.sub(r'^([ \t]*)%time\s+(?=\S)', r'\1', code, flags=re.MULTILINE)
    code = re.sub(r'^([ \t]*)(?:[%!?].*|[\w.]+\?{1,2})$', r'\1pass', code, flags=re.MULTILINE)
    return re.sub(r'^([ \t]*+[\w, ]+=[ \t]*)[%!].*$', r'\1None', code, flags=re.MULTILINE)


def _named(question: str) -> Iterator[str]:
    for quoted in QUOTED.findall(question):
        try:
            body = parse(quoted.strip()).body
        except (SyntaxError, ValueError, RecursionError):
            continue
        if len(body) == 1:
            yield from _said(body[0])


def _said(statement: ast.stmt) -> Iterator[str]:
    """Yield the variables that a quoted piece of code is about."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    whole = [statement.value] if isinstance(statement, ast.Expr) else targets
    for node in whole:
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            yield from _root(part.func if isinstance(part, ast.Call) else part, ast.Subscript)


def _bindings(tree: ast.AST, whole: bool) -> Iterator[str]:
    """Yield names that are bound and, unless `whole`, names that are changed in part or in place.

    Bodies of functions and classes bind names of their own, except those that they call `global`. Loop variables are
    skipped: no question asks for their last value.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
            yield from (name for part in ast.walk(node) if isinstance(part, ast.Global) for name in part.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            yield node.id
        elif isinstance(node, ast.For | ast.AsyncFor):
            for part in (*node.body, *node.orelse):
                yield from _bindings(ast.Module([part], []), whole)
        elif isinstance(node, ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            continue
        else:
            yield from _changed(node, whole)
            yield from _bindings(node, whole)


def _changed(node: ast.AST, whole: bool) -> Iterator[str]:
    """Yield the variable that a node changes without binding it."""
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del) and not whole:
        yield from _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in IN_PLACE and not whole:
            yield from _root(node.func)
        if any(word.arg == 'inplace' for word in node.keywords):
            yield from _root(node.func)


def _root(node: ast.expr, *through: type[ast.Subscript | ast.Attribute]) -> Iterator[str]:
    """Yield the variable at the root of `a.b[c]`; `through` restricts the kinds of node on the way."""
    while isinstance(node, through or (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
