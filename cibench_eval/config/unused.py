"""Finds names at the top of a config file that have no meaning, such as typing errors."""

import ast
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path

from cibench_eval.config.problems import unknown_key
from cibench_eval.config.signatures import statements
from cibench_eval.syntax import parse

UNUSED = 'nothing uses it; take it out'
IMPORTED = 'nothing in this file uses it; take it out of the import'
TAKEN = ('_datasets', '_models', '_model', '_agents', '_summary_groups')
"""Ends of names that OpenCompass's configs gather: `sum((v for k, v in locals().items() if k.endswith(…)), [])`."""


def unused_names(path: Path, known: Collection[str], otherwise: str) -> list[str]:
    """Names of a config file that are neither known nor used in the file, a line each.

    Files of which it takes all names are looked at, too. Names that begin with `_` are its own.

    Args:
        known: names that are taken from it.
        otherwise: what to say of a name that is like none of these.
    """
    tree = parse(path.read_bytes())
    read = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    lines = [
        f'{path}: {unknown_key(name, known, IMPORTED if imported else otherwise)}'
        for name, imported in _names(tree).items()
        if not (name in read or name in known or name.startswith('_') or name.endswith(TAKEN))
    ]
    below = {*known, *read}
    return lines + [line for base in _bases(tree, path) for line in unused_names(base, below, otherwise)]


def _names(tree: ast.Module) -> dict[str, bool]:
    """The names that a file assigns, or takes from its base files: whether it does the latter."""
    found: dict[str, bool] = {}
    for node in statements(tree):
        if isinstance(node, ast.Assign):
            found |= {target.id: False for target in _targets(node.targets)}
        elif isinstance(node, ast.AnnAssign | ast.AugAssign):
            found |= {target.id: False for target in _targets([node.target])}
    for node in _based_on(tree):
        found |= {alias.asname or alias.name: True for alias in node.names if alias.name != '*'}
    return found


def _targets(targets: Iterable[ast.expr]) -> Iterator[ast.Name]:
    for target in targets:
        if isinstance(target, ast.Name):
            yield target
        elif isinstance(target, ast.Tuple | ast.List):
            yield from _targets(target.elts)


def _based_on(tree: ast.Module) -> Iterator[ast.ImportFrom]:
    """The imports in `with read_base():`."""
    for node in tree.body:
        if isinstance(node, ast.With):
            yield from (line for line in node.body if isinstance(line, ast.ImportFrom))


def _bases(tree: ast.Module, path: Path) -> Iterator[Path]:
    """The base files from which a config takes all names."""
    for node in _based_on(tree):
        if node.level and node.module and any(alias.name == '*' for alias in node.names):
            yield path.parent.joinpath(*['..'] * (node.level - 1), *node.module.split('.')).with_suffix('.py')
