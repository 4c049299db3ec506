"""The arguments of classes that configs name.

A class of this package is imported and asked. The source of any other class is read without importing it: OpenCompass's
packages take many seconds to import.
"""

import ast
import difflib
import importlib
import importlib.util
import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_type_hints

from cibench_eval.schema import CibenchError
from cibench_eval.syntax import parse

PACKAGE_NAME = 'cibench_eval'
DEEPEST = 10
"""How many imports are followed from module to module."""


@dataclass(frozen=True)
class Signature:
    """The keyword arguments of a class.

    `types` has the annotation of each argument, Any where it is not known. `more` says that it takes any other, too.
    """

    types: dict[str, Any] = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    more: bool = False


UNKNOWN = Signature(more=True)


class NoClassError(CibenchError):
    """A `type` names no class; `names` are the classes that exist in the place where it was looked for."""

    def __init__(self, message: str, name: str = '', names: Iterable[str] = ()) -> None:
        near = difflib.get_close_matches(name, sorted(names), n=1)
        super().__init__(f'{message}; did you mean {near[0]}?' if near else message)


def is_imported(kind: str) -> bool:
    """Whether a class may be imported to read its arguments."""
    return kind.partition('.')[0] in (PACKAGE_NAME, 'builtins')


def imported(kind: str) -> type:
    """The class with a dotted name; a `NoClassError` where there is none."""
    module, _, name = kind.rpartition('.')
    try:
        place = importlib.import_module(module)
    except ImportError as error:
        raise NoClassError(f'cannot be imported: {error}') from error
    value = getattr(place, name, None)
    if not isinstance(value, type):
        known = {*getattr(place, '__all__', ()), *dir(place)}
        raise NoClassError(f'there is no class {name} in {module}', name, known)
    return value


def arguments_of(kind: str) -> Signature:
    """The arguments of the class with a dotted name; UNKNOWN if they cannot be determined.

    Raises:
        NoClassError: there is no such class.
    """
    return _asked(imported(kind)) if is_imported(kind) else _read(kind)


def _asked(kind: type) -> Signature:
    try:
        parameters = list(inspect.signature(kind).parameters.values())
    except ValueError:  # of a class that is written in C
        return UNKNOWN
    hints = get_type_hints(kind if is_dataclass(kind) else kind.__init__, include_extras=True)  # type: ignore[misc]
    named = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)]
    return Signature(
        types={p.name: hints.get(p.name, Any) for p in named},
        required=frozenset(p.name for p in named if p.default is p.empty),
        more=any(p.kind is p.VAR_KEYWORD for p in parameters),
    )


@cache
def _read(kind: str) -> Signature:
    """The arguments of a class, read from its source."""
    module, _, name = kind.rpartition('.')
    found = _find(module, name)
    return _stated(*found) if found else UNKNOWN


def _stated(module: str, tree: ast.ClassDef) -> Signature:
    """The arguments of a class definition, or of the first class above it that states some."""
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == '__init__':
            return _of_function(node.args)
    if tree.keywords or any('dataclass' in ast.unparse(decorator) for decorator in tree.decorator_list):
        return UNKNOWN
    for base in tree.bases:
        if isinstance(base, ast.Name) and (found := _find(module, base.id)):
            return _stated(*found)
        return UNKNOWN
    return Signature()


def _of_function(given: ast.arguments) -> Signature:
    plain, only = [*given.posonlyargs, *given.args][1:], given.kwonlyargs
    without = plain[: max(0, len(plain) - len(given.defaults))]
    required = [*without, *(arg for arg, default in zip(only, given.kw_defaults, strict=True) if default is None)]
    return Signature(
        types={arg.arg: Any for arg in [*plain, *only]},
        required=frozenset(arg.arg for arg in required),
        more=given.kwarg is not None,
    )


def _find(module: str, name: str, depth: int = 0) -> tuple[str, ast.ClassDef] | None:
    """The module and definition of a class; None if its source does not tell.

    Raises:
        NoClassError: neither the module nor one that it takes its names from has it.
    """
    file = _file(module)
    if file is None or depth > DEEPEST:
        return None
    names = _ModuleNames(parse(file.read_bytes()))
    if name in names.classes:
        return module, names.classes[name]
    if name in names.imports:
        place, original = names.imports[name]
        return _find(_absolute(place, module, file), original, depth + 1)
    if name in names.others or names.open:
        return None
    for place in names.stars:
        with suppress(NoClassError):
            return _find(_absolute(place, module, file), name, depth + 1)
    raise NoClassError(f'there is no class {name} in {module}', name, [*names.classes, *names.imports])


class _ModuleNames:
    """The names that the top level of a module defines."""

    def __init__(self, tree: ast.Module) -> None:
        self.classes: dict[str, ast.ClassDef] = {}
        self.imports: dict[str, tuple[str, str]] = {}
        """Name -> module, with the dots of a relative one, and the name there."""
        self.others: set[str] = set()
        self.stars: list[str] = []
        """Modules from which all names are imported."""
        self.open = False
        """Whether the module has a `__getattr__`."""
        for node in statements(tree):
            self._add(node)

    def _add(self, node: ast.stmt) -> None:
        if isinstance(node, ast.ClassDef):
            self.classes[node.name] = node
        elif isinstance(node, ast.ImportFrom):
            module = '.' * node.level + (node.module or '')
            self.stars += [module for alias in node.names if alias.name == '*']
            self.imports.update({alias.asname or alias.name: (module, alias.name) for alias in node.names})
        elif isinstance(node, ast.FunctionDef):
            self.others.add(node.name)
            self.open = self.open or node.name == '__getattr__'
        elif isinstance(node, ast.Assign | ast.AnnAssign | ast.Import):
            self.others |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module, also in `if` and `try`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If | ast.Try | ast.ExceptHandler | ast.With):
            yield from statements(node)
        elif isinstance(node, ast.stmt):
            yield node


def _file(module: str) -> Path | None:
    """The source file of a module, found without importing its packages; None if it has none.

    Raises:
        NoClassError: there is no such module.
    """
    package, *parts = module.split('.')
    spec = None if package == '__main__' else importlib.util.find_spec(package)
    if spec is None:
        raise NoClassError(f'there is no package {package!r} here; install it or correct the name')
    if not spec.submodule_search_locations:
        return Path(spec.origin) if spec.origin and spec.origin.endswith('.py') and not parts else None
    for root in spec.submodule_search_locations:
        place = Path(root, *parts)
        for file in (place / '__init__.py', place.with_suffix('.py')):
            if file.is_file():
                return file
        if place.is_dir() or list(place.parent.glob(f'{place.name}.*')):
            return None  # a namespace package, or an extension module
    raise NoClassError(f'there is no module {module}')


def _absolute(module: str, here: str, file: Path) -> str:
    """The full name of a module that is imported in the module `here`."""
    level = len(module) - len(module.lstrip('.'))
    if not level:
        return module
    parts = here.split('.')
    kept = parts[: len(parts) - level + (file.name == '__init__.py')]
    return '.'.join([*kept, *filter(None, [module[level:]])])
