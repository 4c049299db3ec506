"""What variables hold after a step, as far as the kernel could tell, and which variables of a step are asked for.

A description is made by the process in which the code ran, so it is what the code says of its variables. It is read
within bounds (`read_states`), and compared by `evaluators/comparing/states.py`.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from cibench_eval.syntax import parse

STATE_SIZE = 32_000
"""Bytes of the description of a step's variables."""
MOST_NAMES = 24
"""Variables of a step that are asked for."""
QUOTED = re.compile(r'`+([^`\n]+?)`+')
IN_PLACE = (
    *('append', 'extend', 'insert', 'remove', 'pop', 'clear', 'sort', 'reverse', 'update', 'add', 'discard'),
    *('setdefault', 'fit', 'partial_fit', 'compile', 'add_module', 'load_state_dict', 'fill_', 'zero_'),
)
"""Methods that change the object that they are called on."""

MOST = 10**15
"""The greatest whole number that is told as one, and values that a variable has at most."""

Name = Annotated[str, Field(max_length=200)]
Finite = Annotated[float, Field(allow_inf_nan=False)]
Token = Annotated[str, Field(max_length=400)] | bool | Annotated[int, Field(ge=-MOST, le=MOST)] | Finite | None
Hash = Annotated[str, Field(max_length=32)]
Size = Annotated[int, Field(ge=0, le=MOST)]


class StateRecord(BaseModel):
    """Base of what a kernel says: unknown fields are refused."""

    model_config = ConfigDict(extra='forbid', frozen=True, strict=True)


class Column(StateRecord):
    """Values in a row: of an array, a list, a column of a table."""

    name: Name = ''
    dtype: Name
    """`number`, `bool`, `text`, `date`, `mixed`, `empty` (nothing but missing values) or `other` (objects)."""
    form: Name = ''
    """What sort of those: `int`, `float`, `category`, `timedelta`."""
    missing: Size = 0
    moments: list[Finite] = Field(default=[], max_length=4)
    """Mean, standard deviation, least and greatest of the numbers, where they are finite."""
    values: list[Token] = Field(default=[], max_length=64)
    """Some, at even distances; dates are text, None is a missing value."""
    sorted: list[Token] | None = Field(default=None, max_length=64)
    """The same of the rows of a table in order of their content; None where they are too many to be sorted."""
    digest: Hash = ''
    """Hash of texts in their order."""
    bag: Hash = ''
    """Hash of the same texts in any order."""


class State(StateRecord):
    """What one variable holds."""

    kind: Name
    """`scalar`, `array` (lists, too), `set`, `table` (named columns or an index: frames, dictionaries of scalars),
    `items` and `mapping` (containers of anything), `model`, `network`, `function`, `class`, `module`, `object`;
    `unknown` where it could not be read."""
    type: Name = ''
    """Name of the class."""
    why: Name = ''
    """Name of the exception for which it could not be read."""
    shape: list[Size] = Field(default=[], max_length=64)
    index: list[Column] = Field(default=[], max_length=130)
    """Of a table: what the rows are called, where it is more than their number."""
    columns: list[Column] = Field(default=[], max_length=130)
    flat: Column | None = None
    """Of a table of numbers: all of them, row by row, as if it were an array."""
    items: dict[Name, State] = Field(default={}, max_length=130)
    """Some elements of a container, the parameters of a model, the arrays of a network."""
    fitted: dict[Name, State] = Field(default={}, max_length=130)
    """Of a model: what it has learnt."""
    settled: bool = True
    """Of a gold: whether two runs agreed. Where they did not, type and shape alone are asked for."""

    @property
    def whole(self) -> bool:
        """Whether it has what its kind needs to be compared: a process may say anything."""
        shapes, columns = WHOLE.get(self.kind, (SIDES, SIDES))
        fits = len(self.shape) in shapes and len(self.columns) in columns
        return fits and math.prod(self.shape) <= MOST


SIDES = range(131)
WHOLE = {'scalar': ((0,), (1,)), 'array': (SIDES, (0, 1)), 'set': ((1,), (1,)), 'table': ((2,), SIDES)}
"""How many numbers a shape may have, and how many columns there may be."""
States = dict[str, State]
"""The variables of a step by name; one that is not there has no entry, one that could not be read is `unknown`."""
Describe = Callable[[list[str]], Awaitable[States]]
"""Asks a kernel what variables hold (`Interpreter.describe`)."""
_ADAPTER: TypeAdapter[States] = TypeAdapter(States)


def read_states(text: bytes | str) -> States | None:
    """Descriptions from the JSON of a kernel or a file, None where it is none or over STATE_SIZE."""
    if len(text) > STATE_SIZE:
        return None
    try:
        return _ADAPTER.validate_json(text)
    except ValidationError:
        return None


def states_of(content: Any) -> States | None:
    """Descriptions from what `json` makes of their JSON, None where it is none."""
    try:
        return _ADAPTER.validate_python(content)
    except ValidationError:
        return None


def unread(names: list[str], why: str) -> States:
    """Variables that could not be asked for: they may be there or not."""
    return {name: State(kind='unknown', why=why) for name in names}


def plain_states(states: States) -> dict[str, Any]:
    """Descriptions as `json` has them, without what says nothing."""
    return _ADAPTER.dump_python(states, mode='json', exclude_defaults=True)


def asked_names(question: str, code: str) -> list[str]:
    """The variables that are asked for after a step: those that the question names and the gold code makes.

    A name stands in back-ticks, alone (`df`), with others (`x, y`), or with what is asked of it (`df['a']`, `area(r)`).
    No name that the question does not say is among them, so that a kernel learns nothing of the gold from them.
    """
    bound = bound_names(code)
    return [name for name in dict.fromkeys(_named(question)) if name in bound][:MOST_NAMES]


async def asked_states(question: str, code: str, describe: Describe) -> dict[str, Any] | None:
    """What those variables hold now, as `json` has it; None where none is asked for."""
    names = asked_names(question, code)
    return plain_states(await describe(names)) if names else None


def changed_in_part(code: str, name: str) -> bool:
    """Whether the code sets items of a variable (`df['x'] = …`) and never the variable itself."""
    try:
        return name not in set(_bindings(parse(code), whole=True))
    except (SyntaxError, ValueError, RecursionError):
        return False


def bound_names(code: str) -> set[str]:
    """The variables that code makes or changes at its top level, as far as its text shows it."""
    try:
        return set(_bindings(parse(_without_magics(code)), whole=False))
    except (SyntaxError, ValueError, RecursionError):
        return set()


def _without_magics(code: str) -> str:
    """Code whose lines of IPython alone do nothing."""
    return re.sub(r'^(\s*)[%!].*$', r'\1pass', code, flags=re.MULTILINE)


def _named(question: str) -> Iterator[str]:
    for quoted in QUOTED.findall(question):
        try:
            body = parse(quoted.strip()).body
        except (SyntaxError, ValueError, RecursionError):
            continue
        if len(body) == 1:
            yield from _said(body[0])


def _said(statement: ast.stmt) -> Iterator[str]:
    """The variables that a quoted piece of code is about."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    whole = [statement.value] if isinstance(statement, ast.Expr) else targets
    for node in whole:
        for part in node.elts if isinstance(node, ast.Tuple) else [node]:
            yield from _root(part.func if isinstance(part, ast.Call) else part, ast.Subscript)


def _bindings(tree: ast.AST, whole: bool) -> Iterator[str]:
    """Names that are bound, and unless only `whole` ones count, those that are changed in part or in place.

    What stands in functions and classes is not looked at: it is bound there. Nor are the variables that a loop counts
    with: nobody asks for what they hold at its end.
    """
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
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
    """The variable that a node changes without binding it."""
    if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del) and not whole:
        yield from _root(node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in IN_PLACE and not whole:
            yield from _root(node.func)
        if any(word.arg == 'inplace' for word in node.keywords):
            yield from _root(node.func)


def _root(node: ast.expr, *through: type[ast.Subscript | ast.Attribute]) -> Iterator[str]:
    """The variable at the root of `a.b[c]`; with kinds of node given, only of what consists of those."""
    while isinstance(node, through or (ast.Attribute, ast.Subscript)):
        node = node.value
    if isinstance(node, ast.Name):
        yield node.id
