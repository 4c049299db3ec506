"""Python's syntax trees, one at a time, and texts that are read in the source of installed packages.

CPython 3.11 and 3.12 count the depth of a tree for all threads at once: two threads that make trees at the same time
now and then get `SystemError: AST constructor recursion depth mismatch`
(https://github.com/python/cpython/issues/106905).
"""

import ast
import functools
import importlib.util
import threading
import warnings
from pathlib import Path
from typing import Any, Literal

from cibench_eval.schema import CibenchError

_ONE = threading.Lock()
LOCK = 'requirements/harness.lock'


def parse(source: str | bytes, mode: Literal['exec', 'eval'] = 'exec') -> Any:
    """The tree of a program (`ast.Module`), or of an expression (`ast.Expression`).

    Raises:
        SyntaxError, ValueError: as `ast.parse`; a SyntaxError, too, where its parser has no room left.
    """
    with _ONE, warnings.catch_warnings():
        warnings.simplefilter('ignore')  # of invalid escapes in what models write, which CPython 3.12 shows
        try:
            return ast.parse(source, mode=mode)
        except (RecursionError, MemoryError) as error:
            raise SyntaxError('deeper than any program that a person writes') from error


def literal_value(text: str) -> Any:
    """The value that a literal stands for.

    Raises:
        SyntaxError, ValueError, TypeError, RecursionError: as `parse` and `ast.literal_eval`.
    """
    return ast.literal_eval(parse(text.lstrip(' \t'), 'eval'))


@functools.cache
def published_text(module: str, name: str) -> str:
    """The text that the source of an installed module assigns to `name`; nothing is imported.

    Raises:
        CibenchError: the module is not installed, or has no such assignment.
    """
    package, *rest = module.split('.')
    spec = importlib.util.find_spec(package)
    folders = list(spec.submodule_search_locations or []) if spec else []
    path = Path(*folders[:1], *rest).with_suffix('.py')
    if not folders or not path.is_file():
        raise CibenchError(
            f'{module}: not installed, and a published prompt stands in it; install {LOCK}, or name another prompt'
        )
    for node in parse(path.read_text(encoding='utf-8')).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return str(ast.literal_eval(node.value))
    raise CibenchError(f'{path}: has no {name}, which is a published prompt; install {LOCK}, or name another')
