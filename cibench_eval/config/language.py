"""The language of configs: Python in which `read_base` reads other configs and other imports are names, not modules.

OpenCompass reads the same files, by mmengine. A file is a program, and reading it runs it. Only modules of Python's
standard library are really imported; any other import makes a name: `type=OpenAI` is 'opencompass.models.OpenAI'.
"""

from __future__ import annotations

import ast
import codecs
import copy
import importlib.util
import inspect
import pprint
import sys
from pathlib import Path
from typing import Any

READ_BASE = 'read_base'
OWN = frozenset(sys.stdlib_module_names)
"""Modules that are imported: Python's own."""


class BadConfigError(Exception):
    """A config says what this language cannot."""


class DottedName:
    """What a config imports: a dotted name that is not looked up."""

    def __init__(self, dotted: str) -> None:
        self._dotted = dotted

    def __getattr__(self, name: str) -> DottedName:
        if name.startswith('__'):
            raise AttributeError(name)
        return DottedName(f'{self._dotted}.{name}')

    def __call__(self, *values: Any, **named: Any) -> None:
        raise BadConfigError(f'it calls {self._dotted}; a config names classes, and computes with plain Python alone')

    def __str__(self) -> str:
        return self._dotted

    def __deepcopy__(self, memo: dict[int, Any]) -> DottedName:
        return self


class BaseDict(dict[str, Any]):
    """A dict of a base, with what OpenCompass's configs do with it: keys as attributes, and copies."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = _entries(value)

    def copy(self) -> BaseDict:
        return BaseDict(self)

    def deepcopy(self) -> BaseDict:
        return copy.deepcopy(self)


def run(path: Path) -> dict[str, Any]:
    """Run a config.

    Returns:
        Its variables, without imports, functions and classes of its own; imported classes are dotted names.

    Raises:
        Exception: whatever the program raises.
    """
    program = _Program(path, {})
    return {name: _plain(value) for name, value in program.run().items() if program.is_value(name)}


def as_python(cfg: dict[str, Any]) -> str:
    """Plain values as a config."""
    return ''.join(f'{name} = {pprint.pformat(value, width=120, sort_dicts=False)}\n' for name, value in cfg.items())


class _Program(ast.NodeTransformer):
    """A config file, whose imports are turned into calls.

    `programs` has all programs of one reading, by their files: each is run once, and none reads itself.
    """

    def __init__(self, path: Path, programs: dict[Path, _Program]) -> None:
        self._path, self._programs = path, programs
        programs[path.resolve()] = self
        self._runs = False
        self._imported: set[str] = set()
        self._readers: set[str] = set()
        """Names of `read_base` here."""
        self._values: dict[str, Any] = {
            '__file__': str(path),
            '__name__': path.stem,
            '__cibench_base__': self._base,
            '__cibench_name__': DottedName,
        }

    def run(self) -> dict[str, Any]:
        """Run it, unless that has been done, and return all names that it sets."""
        if '__builtins__' not in self._values:
            text = self._path.read_bytes()
            if text.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
                raise BadConfigError('it is in UTF-16; save it as UTF-8')
            tree = ast.parse(text, str(self._path))
            names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
            code = compile(self.visit(tree), str(self._path), 'exec', dont_inherit=True)
            self._imported -= {name.id for name in names if isinstance(name.ctx, ast.Store)}
            self._runs = True
            exec(code, self._values)
            self._runs = False
        return {name: value for name, value in self._values.items() if not name.startswith('__')}

    def is_value(self, name: str) -> bool:
        """Whether a name is of no import, and of no function or class of the config's own."""
        value = self._values[name]
        code = inspect.isroutine(value) or inspect.ismodule(value) or inspect.isclass(value)
        return not code and name not in self._imported

    def _base(self, level: int, module: str, names: list[tuple[str, str]]) -> None:
        """Read another config and take copies of what it sets; `*` takes all."""
        path = self._file_of(level, module)
        base = self._programs.get(path.resolve()) or _Program(path, self._programs)
        if base._runs:
            raise BadConfigError(f'it reads {path}, which reads it')
        values = base.run()
        taken = {own: name for name, own in names if name != '*'}
        if len(taken) < len(names):
            taken = {name: name for name in values} | taken
        for own, name in taken.items():
            if name not in values:
                raise BadConfigError(f'{path} sets no {name}; it sets {", ".join(values) or "nothing"}')
            self._values[own] = _entries(values[name])
            if not base.is_value(name):
                self._imported.add(own)

    def _file_of(self, level: int, module: str) -> Path:
        """The file of a base: beside this one, or in a package, which is not imported."""
        package, *below = module.split('.')
        if level:
            root = self._path.parent.joinpath(*['..'] * (level - 1), package)
        else:
            spec = importlib.util.find_spec(package)
            if spec is None or not spec.submodule_search_locations:
                raise BadConfigError(f'it reads {module}, and there is no package {package} here')
            root = Path(spec.submodule_search_locations[0])
        path = root.joinpath(*below)
        path = path.with_name(f'{path.name}.py')
        if not path.is_file():
            raise BadConfigError(f'it reads {path}, which does not exist; cibench configs copy brings the shipped ones')
        return path

    # Statements.

    def visit_With(self, node: ast.With) -> Any:
        called = {ast.unparse(item.context_expr).removesuffix('()') for item in node.items}
        if called & {READ_BASE, *self._readers}:
            return [self._base_of(statement) for statement in node.body]
        return self.generic_visit(node)

    def _base_of(self, node: ast.stmt) -> ast.stmt:
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            raise _syntax(self._path, node, f'in `with {READ_BASE}():` stands only `from .other_config import name`')
        names = [(alias.name, alias.asname or alias.name) for alias in node.names]
        return _statement(f'__cibench_base__({node.level}, {node.module!r}, {names!r})', node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> Any:
        names = {alias.asname or alias.name: alias.name for alias in node.names}
        if not node.level and (node.module or '').split('.')[0] in OWN:
            self._imported |= names.keys()
            return node
        self._readers |= {own for own, name in names.items() if name == READ_BASE}
        if node.level or '*' in names:
            raise _syntax(self._path, node, f'other configs are read in `with {READ_BASE}():`')
        return self._named(node, {own: f'{node.module}.{name}' for own, name in names.items()})

    def visit_Import(self, node: ast.Import) -> Any:
        own = [alias for alias in node.names if alias.name.split('.')[0] in OWN]
        others = [alias for alias in node.names if alias not in own]
        named = {alias.asname or alias.name.split('.')[0]: alias for alias in others}
        names = {name: alias.name if alias.asname else name for name, alias in named.items()}
        self._imported |= {alias.asname or alias.name.split('.')[0] for alias in own}
        return [*([ast.copy_location(ast.Import(own), node)] if own else []), *self._named(node, names)]

    def _named(self, node: ast.stmt, names: dict[str, str]) -> list[ast.stmt]:
        """Assignments of dotted names."""
        self._imported |= names.keys()
        return [_statement(f'{own} = __cibench_name__({dotted!r})', node) for own, dotted in names.items()]


def _statement(code: str, place: ast.stmt) -> ast.stmt:
    """A statement that stands where another did."""
    (made,) = ast.parse(code).body
    for node in ast.walk(made):
        ast.copy_location(node, place)
    return made


def _syntax(path: Path, node: ast.stmt, says: str) -> SyntaxError:
    return SyntaxError(says, (str(path), node.lineno, node.col_offset, ast.unparse(node)))


def _entries(value: Any) -> Any:
    if isinstance(value, dict):
        return BaseDict({key: _entries(inner) for key, inner in value.items()})
    if type(value) in (list, tuple):
        return type(value)(_entries(inner) for inner in value)
    return value


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(inner) for key, inner in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_plain(inner) for inner in value)
    return str(value) if isinstance(value, DottedName) else value
