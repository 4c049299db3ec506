"""Facts of a block of code, read off its syntax tree: names, literals, calls, figures.

They say what is written, not what it does. Code that does not parse has no facts.
"""

import ast
import builtins
import functools
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from cibench_eval import syntax
from cibench_eval.evaluators.comparing.numbers import CJK, DECIMAL, EXPONENT

PLOTS = {
    'plot', 'bar', 'barh', 'hist', 'hist2d', 'hexbin', 'scatter', 'pie', 'boxplot', 'violinplot', 'imshow', 'contour',
    'contourf', 'heatmap', 'fill_between', 'stackplot', 'step', 'stem', 'errorbar', 'pcolormesh', 'plot_surface',
    'axvline', 'axhline', 'matshow', 'pairplot', 'kdeplot', 'density', 'area',
}  # fmt: skip
"""Calls that draw, by their names in matplotlib."""
SAME_PLOT = {
    'box': 'boxplot', 'barplot': 'bar', 'countplot': 'bar', 'histplot': 'hist', 'lineplot': 'plot', 'line': 'plot',
    'scatterplot': 'scatter', 'kde': 'kdeplot', 'displot': 'hist', 'matshow': 'imshow', 'vlines': 'axvline',
    'hlines': 'axhline', 'regplot': 'scatter',
}  # fmt: skip
PANDAS_PLOTS = {'box', 'line', 'kde'}
"""Names of figures that count only after `.plot`."""
READERS = re.compile(r'read_\w+|imread|open|load\w*|genfromtxt')
BUILTINS = frozenset(dir(builtins))

LONGEST = 100_000
"""Most characters of code that is read: a second's work, and longer than any program of a person."""
COLLECTIONS = (ast.List, ast.Tuple, ast.Set, ast.Dict)

Constant = str | float
"""A string or a number; whole numbers are floats, so that `2` and `2.0` are one."""


@dataclass(frozen=True)
class CodeFacts:
    """Facts of one block of code."""

    parsed: bool = False
    """Whether it is Python (after IPython's magics are taken out)."""
    bound: frozenset[str] = frozenset()
    """Names that it gives a value, functions and classes included."""
    aliases: frozenset[str] = frozenset()
    """The imported names."""
    modules: frozenset[str] = frozenset()
    """Imported top-level packages."""
    loaded: frozenset[str] = frozenset()
    """Names that it uses without binding them before, builtins left out."""
    literals: frozenset[Constant] = frozenset()
    """Strings and numbers, also in formats of f-strings."""
    attributes: frozenset[str] = frozenset()
    """Names after dots."""
    calls: frozenset[str] = frozenset()
    """Called functions, each by the last part of its name."""
    made_columns: frozenset[str] = frozenset()
    """Columns that it assigns to, as in `table['new'] = …`."""
    plots: frozenset[str] = frozenset()
    """Kinds of figure that it draws."""
    read: frozenset[str] = frozenset()
    """Strings that it passes to functions that read files."""
    options: frozenset[tuple[str, Constant | None]] = frozenset()
    """Names of arguments, each with the string or number passed, or None for something else."""
    collections: tuple[frozenset[Constant], ...] = ()
    """Strings and numbers of each outermost list, tuple, set or dict with at least three of them."""

    @property
    def data(self) -> frozenset[str]:
        """Names that are bound to anything but imports."""
        return self.bound - self.aliases

    @property
    def words(self) -> frozenset[str]:
        """All names."""
        return self.bound | self.loaded | self.attributes | self.calls


@functools.lru_cache(maxsize=4096)
def facts_of(code: str) -> CodeFacts:
    """The facts of a block of code; none (`parsed` False) if it is no Python, or longer than LONGEST."""
    tree = parse(code) if len(code) <= LONGEST else None
    if tree is None:
        return CodeFacts()
    try:
        return _facts(tree)
    except RecursionError:  # deeper than any program a person writes; ast.parse took it
        return CodeFacts()


def parse(code: str) -> ast.Module | None:
    """The tree of a block of code without IPython's magics and shell escapes; None if it is no Python."""
    lines = [re.sub(r'^(\s*)[%!].*', r'\1pass', line) for line in code.split('\n')]
    for source in (code, '\n'.join(lines)):
        try:
            return syntax.parse(source)
        except (SyntaxError, ValueError):
            continue
    return None


def _facts(tree: ast.Module) -> CodeFacts:
    nodes = list(ast.walk(tree))
    imported = [entry for node in nodes for entry in _imports(node)]
    aliases = frozenset(name for name, _ in imported)
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    listed = [frozenset(one for part in ast.walk(node) for one in _literals(part)) for node in _outermost(tree)]
    return CodeFacts(
        parsed=True,
        bound=frozenset(name for node in nodes for name in _bound(node)) | aliases,
        aliases=aliases,
        modules=frozenset(module.split('.')[0] for _, module in imported),
        loaded=frozenset(_loaded(tree)) - BUILTINS,
        literals=frozenset(literal for node in nodes for literal in _literals(node)),
        attributes=frozenset(node.attr for node in nodes if isinstance(node, ast.Attribute)),
        calls=frozenset(called(node) for node in calls),
        made_columns=frozenset(column for node in nodes for column in _made_columns(node)),
        plots=frozenset(kind for node in calls for kind in _plots(node)),
        read=frozenset(name for node in calls for name in _read(node)),
        options=frozenset(
            (word.arg, next(iter(_literals(word.value)), None)) for node in calls for word in node.keywords if word.arg
        ),
        collections=tuple(found for found in listed if len(found) > 2),
    )


def _imports(node: ast.AST) -> list[tuple[str, str]]:
    if isinstance(node, ast.Import):
        return [(name.asname or name.name.split('.')[0], name.name) for name in node.names]
    if isinstance(node, ast.ImportFrom):
        module = node.module or ''
        return [(name.asname or name.name, f'{module}.{name.name}') for name in node.names]
    return []


def _bound(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        return [node.id]
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    return []


def _loaded(tree: ast.Module) -> set[str]:
    """Names from outside: used in a statement, and bound neither before it nor, in a loop, inside it."""
    bound: set[str] = set()
    free: set[str] = set()
    for statement in tree.body:
        nodes = list(ast.walk(statement))
        here = {name for node in nodes for name in (*_bound(node), *(alias for alias, _ in _imports(node)))}
        free |= _used(nodes) - bound - (here if hasattr(statement, 'body') else set())
        bound |= here
    return free


def _used(nodes: list[ast.AST]) -> set[str]:
    """Used names, without the names of arguments and comprehensions, which never come from outside."""
    local = {node.arg for node in nodes if isinstance(node, ast.arg)}
    for node in nodes:
        if isinstance(node, ast.comprehension):
            local |= {name.id for name in ast.walk(node.target) if isinstance(name, ast.Name)}
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)} - local


def _literals(node: ast.AST) -> list[Constant]:
    if isinstance(node, ast.FormattedValue) and node.format_spec is not None:
        return [float(number) for number in re.findall(r'\d+', ast.unparse(node.format_spec))]
    if not isinstance(node, ast.Constant) or isinstance(node.value, bool):
        return []
    if isinstance(node.value, str):
        return [node.value]
    if isinstance(node.value, int | float):
        return [float(node.value)] if abs(node.value) < 1e300 else []
    return []


def called(node: ast.Call) -> str:
    """The last part of the called name."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ''


def _made_columns(node: ast.AST) -> list[str]:
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Store):
        return []
    return [text for part in ast.walk(node.slice) for text in _literals(part) if isinstance(text, str)]


def _plots(node: ast.Call) -> list[str]:
    name = called(node)
    kind = next((word.value for word in node.keywords if word.arg == 'kind'), None)
    by_pandas = isinstance(node.func, ast.Attribute) and getattr(node.func.value, 'attr', '') == 'plot'
    if name == 'plot' and isinstance(kind, ast.Constant):
        name, by_pandas = str(kind.value), True
    if by_pandas or name not in PANDAS_PLOTS:
        name = SAME_PLOT.get(name, name)
    return [name] if name in PLOTS else []


def _read(node: ast.Call) -> list[str]:
    if not READERS.fullmatch(called(node)):
        return []
    return [text for part in node.args[:1] for text in _literals(part) if isinstance(text, str)]


def _outermost(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the lists, tuples, sets and dicts that are in no other."""
    left = deque[ast.AST]([tree])
    while left:
        node = left.popleft()
        if isinstance(node, COLLECTIONS):
            yield node
        else:
            left.extend(ast.iter_child_nodes(node))


numbers_of = re.compile(rf'(?<![^\W{CJK}]|\.)[-+]?{DECIMAL}{EXPONENT}').findall
"""The numbers of a text, as written."""
tokens_of = re.compile(rf'[-+]?{DECIMAL}|[^\W\d_]+').findall
"""The words and numbers of a text without its layout."""


def rounded(gold: list[str], shown: list[str]) -> bool:
    """Whether two lists are the same numbers, some with more or fewer decimal places."""
    return len(gold) == len(shown) and gold != shown and all(map(_rounded, gold, shown))


def _rounded(gold: str, shown: str) -> bool:
    places = min(_places(gold), _places(shown))
    if places == 0 and gold != shown and abs(float(gold)) < 10:
        return False
    return abs(float(gold) - float(shown)) <= 0.5000001 * 10.0**-places


def _places(number: str) -> int:
    return len(number.partition('.')[2]) if 'e' not in number.lower() else 0
