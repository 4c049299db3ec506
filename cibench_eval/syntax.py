"""Python's syntax trees, one at a time: CPython 3.11 and 3.12 count the depth of a tree for all threads at once.

Two threads that make trees at the same time now and then get `SystemError: AST constructor recursion depth mismatch`
(https://github.com/python/cpython/issues/106905).
"""

import ast
import threading
from typing import Any, Literal

_ONE = threading.Lock()


def parse(source: str | bytes, mode: Literal['exec', 'eval'] = 'exec') -> Any:
    """The tree of a program (`ast.Module`), or of an expression (`ast.Expression`).

    Raises:
        SyntaxError, ValueError, RecursionError, MemoryError: as `ast.parse`.
    """
    with _ONE:
        return ast.parse(source, mode=mode)


def literal_value(text: str) -> Any:
    """The value that a literal stands for.

    Raises:
        SyntaxError, ValueError, TypeError, RecursionError, MemoryError: as `ast.literal_eval`.
    """
    return ast.literal_eval(parse(text.lstrip(' \t'), 'eval'))
