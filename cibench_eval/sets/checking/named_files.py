"""The data files that gold code names: paths below `data/` in its syntax tree."""

import ast
import re
from collections.abc import Iterator
from contextlib import suppress
from glob import glob
from pathlib import Path

from cibench_eval.evaluators.failures.code_facts import called, parse
from cibench_eval.schema import Experiment

DATA = re.compile(r'(?:\./)?data/(?:\S*|.*\.\w{1,5})')
"""A path below `data/`; a text with blanks is a path only if it ends in a suffix."""
WRITER = re.compile(r'to_\w+|save\w*|imwrite|dump|write\w*|mkdir|makedirs|touch')
OF_THE_PATH = {'write_text', 'write_bytes', 'mkdir', 'touch'}
"""Methods of a path that write the path itself."""
COPIERS = re.compile(r'copy\w*|move|rename')
"""Functions that read their first path and write the others."""
OPENERS = re.compile(r'open|\w*File')
WRITING = re.compile(r'(?=.*[wax])[rwaxbt+]{1,3}')
"""A mode of `open` that writes."""
PATTERN = re.compile(r'[*?\[]')


class NamedFiles(ast.NodeVisitor):
    """Paths that code reads, in order, and paths that it writes, each once."""

    def __init__(self) -> None:
        self.read: dict[str, None] = {}
        self.written: set[str] = set()

    def visit(self, node: ast.AST) -> None:
        """Take a path, however it is joined; else visit the children."""
        path = _path(node)
        if path is None:
            super().visit(node)
        elif DATA.fullmatch(path):
            self.read[path.removeprefix('./')] = None

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Skip the constant pieces of an f-string; its expressions may name paths."""
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part.value)

    def visit_Call(self, node: ast.Call) -> None:
        written = _written(node)
        self.written |= {(_path(part) or '').removeprefix('./') for part in written}
        for part in [node.func, *node.args, *(keyword.value for keyword in node.keywords)]:
            if part not in written and not (isinstance(part, ast.Attribute) and part.value in written):
                self.visit(part)


def named_files(code: str) -> NamedFiles:
    """The paths below `data/` in a block of code; none if it is no Python.

    Joined paths count if all parts are written out (`Path('data') / 'x.csv'`); computed paths do not.
    """
    found = NamedFiles()
    tree = parse(code) if 'data' in code else None  # a whole set is looked at before each run
    if tree is not None:
        with suppress(RecursionError):  # ast.parse takes code that is nested deeper than NodeVisitor can go
            found.visit(tree)
    return found


def data_files(datasources: Path, name: str) -> list[Path]:
    """The files and folders below `datasources` that match `name`, which may be a pattern.

    Code in a session has a copy of `datasources`, so files outside, or behind a link that leads out, do not count.
    """
    inside = datasources.resolve()
    try:
        found = sorted(glob(name, root_dir=inside, recursive=True)) if PATTERN.search(name) else [name]  # noqa: PTH207
        places = [(inside / path).resolve() for path in found]
        return [place for place in places if place.is_relative_to(inside) and place.exists()]
    except (OSError, ValueError, RuntimeError):  # an impossible name of a file, or a loop of links
        return []


def missing_files(experiment: Experiment) -> Iterator[tuple[int, str]]:
    """Data files that gold code reads although they are not there and no earlier step has written them.

    Yields:
        The index of the step, and the name of the file.
    """
    folder, written = experiment.datasources, set[str]()
    for step in experiment.steps:
        files = named_files(step.code)
        written |= files.written
        for name in files.read:
            if not (folder and data_files(folder, name)) and not _is_written(name, written, folder):
                yield step.index, name


def leftover_files(experiment: Experiment) -> Iterator[tuple[int, str]]:
    """The index of a step and each file that it writes although no step so far reads it, and that is there already."""
    folder, read = experiment.datasources, set[str]()
    for step in experiment.steps:
        files = named_files(step.code)
        made = [(name, place) for name in sorted(files.written - read) for place in data_files(folder or Path(), name)]
        yield from ((step.index, name) for name, place in made if folder and place.is_file())
        read |= {*files.read, *files.written}


def _is_written(name: str, written: set[str], folder: Path | None) -> bool:
    """Whether gold code has written the file: by its name, with a suffix added, or in a folder of this name."""
    folders = {path for path in written if folder and any(place.is_dir() for place in data_files(folder, path))}
    made = {path.rstrip('/') for path in written - folders}
    return any(name == path or name.startswith((f'{path}/', f'{path}.')) for path in made)


def _path(node: ast.AST) -> str | None:
    """The path that an expression spells out, if it does."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div):
        return _joined([node.left, node.right])
    if isinstance(node, ast.Call) and called(node) in ('Path', 'join') and not node.keywords:
        return _joined(node.args)
    return None


def _joined(parts: list[ast.expr]) -> str | None:
    texts = [_path(part) for part in parts]
    return '/'.join(text for text in texts if text is not None) if texts and None not in texts else None


def _written(node: ast.Call) -> list[ast.expr]:
    name = called(node)
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    paths = [part for part in given if _path(part) is not None]
    if name in OF_THE_PATH and isinstance(node.func, ast.Attribute) and _path(node.func.value) is not None:
        return [node.func.value]
    if COPIERS.fullmatch(name):
        return paths[1:]
    if OPENERS.fullmatch(name) and any(WRITING.fullmatch(_path(part) or '') for part in given):
        return paths[:1]
    return paths if WRITER.fullmatch(name) else []
