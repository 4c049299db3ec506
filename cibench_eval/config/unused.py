"""Finds names at the top of a config file that have no meaning, such as typing errors."""

import ast
from collections.abc import Collection
from pathlib import Path

from cibench_eval.config.problems import unknown_key
from cibench_eval.config.signatures import statements
from cibench_eval.syntax import parse

TAKEN = ('_datasets', '_models', '_model', '_agents', '_summary_groups')
"""Ends of names that OpenCompass's configs gather: `sum((v for k, v in locals().items() if k.endswith(…)), [])`."""


def unused_names(path: Path, known: Collection[str], otherwise: str) -> list[str]:
    """Names that a config file assigns and that are neither known nor used in the file, a line each.

    Names that begin with `_` are its own, and so are those that it takes from other files or counts loops with.

    Args:
        known: names that are taken from it.
        otherwise: what to say of a name that is like none of these.
    """
    tree = parse(path.read_bytes())
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    assigned = {
        node.id: None
        for line in statements(tree)
        if isinstance(line, ast.Assign | ast.AnnAssign | ast.AugAssign)
        for target in (line.targets if isinstance(line, ast.Assign) else [line.target])
        for node in ast.walk(target)
        if isinstance(node, ast.Name)
    }
    return [
        f'{path}: {unknown_key(name, known, otherwise)}'
        for name in assigned
        if not (name in used or name in known or name.startswith('_') or name.endswith(TAKEN))
    ]
