"""Finds and reads config files of users. Reading one executes it; configs of runs are data (`recorded.py`)."""

import difflib
import importlib.util
import logging
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import cibench_eval
from cibench_eval.config import defaults, language
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
ZOO = {'datasets': ('datasets', 'dataset_collections')}
"""Axis -> folders of OpenCompass's own configs, where their names differ from ours."""


def read(path: Path) -> dict[str, Any]:
    """A config file as plain values; classes are dotted names, and no class is imported.

    Raises:
        CibenchError: it is not there, is no Python, imports what is not there, or fails.
    """
    if path.is_dir():
        raise CibenchError(f'{path}: is a folder; name a config in it{_similar("", path.glob("*.py"))}')
    if not path.is_file():
        raise CibenchError(f'{path}: no such config file{_similar(path.name, path.parent.glob("*.py"))}')
    if path.suffix != '.py':
        raise CibenchError(f'{path}: no Python file; configs are Python files (*.py)')
    try:
        return language.run(path)
    except (Exception, SystemExit) as error:  # a config is a program, which can raise anything
        raise CibenchError(f'{path}: cannot be read as a config: {_cause(error, path)}') from error


def _cause(error: BaseException, path: Path) -> str:
    """The error that a config raised, and its line in the config or in one that it reads."""
    if isinstance(error, SyntaxError):
        file, line, text = error.filename or str(path), error.lineno, error.msg
    else:
        kind = '' if isinstance(error, language.BadConfigError) else f'{type(error).__name__}: '
        text = ' '.join(f'{kind}{error}'.split())[:500]
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.name == '<module>']
        file, line = (frames[-1].filename, frames[-1].lineno) if frames else (str(path), None)
    places = [file] if file != str(path) else []
    return ': '.join([', '.join([*places, *([f'line {line}'] if line else [])]), text]).removeprefix(': ')


def shipped() -> Path:
    """The configs that came with the package: inside it where it is installed, beside it in a clone."""
    package = Path(cibench_eval.__file__).parent
    inside = package / defaults.CONFIGS
    return inside if inside.is_dir() else package.parent / defaults.CONFIGS


def folder() -> Path:
    """The folder of configs: the one here, else the shipped one."""
    here = Path(defaults.CONFIGS)
    return here if here.is_dir() else shipped()


def by_name() -> dict[str, Path]:
    """The configs that a command line can name: `models/gpt_4` -> its file. Those here come before shipped ones."""
    found: dict[str, Path] = {}
    for root in (shipped(), folder()):
        paths = (path for path in root.rglob('*.py') if not path.name.startswith('_'))
        found |= {path.relative_to(root).with_suffix('').as_posix(): path for path in paths}
    return found


def evaluation(name: str, folder: Path) -> Path:
    """The config file that a command line names: a path, or one that stands in the folder of configs.

    `configs/eval_demo.py`, `eval_demo.py` and `eval_demo` name the same file, in a clone and without one. Where the
    folder lacks it, they name the one that came with the package.
    """
    path = Path(name)
    if path.is_dir():
        return path  # reading it says what is wrong
    if (path.is_file() and path.suffix) or path.parent not in (Path(), Path(defaults.CONFIGS)):
        return path
    own, other = (root / f'{path.name.removesuffix(".py")}.py' for root in (folder, shipped()))
    return other if other.is_file() and not own.is_file() else own


def find(folder: Path, axis: str, name: str) -> Path:
    """The config file that a word names: a drop-in file below `folder/axis`, a shipped or OpenCompass's own, or a path.

    Raises:
        CibenchError: there is none; the text names what is close.
    """
    file = name if name.endswith('.py') else f'{name}.py'
    own = _drop_ins(folder, axis)
    if found := [path for path in (*own, *_drop_ins(shipped(), axis)) if path.name == file]:
        return found[0]
    if found := [path for path in _zoo(axis) if path.name == file]:
        if len(found) > 1:
            logger.warning('%s: OpenCompass has %d files of this name; %s is taken', name, len(found), found[0])
        return found[0]
    path = Path(name).expanduser()
    if '/' in name or path.is_file():
        return path if path.is_file() or path.suffix else path.with_suffix('.py')  # reading it says what is wrong
    if ',' in name:
        raise CibenchError(f'{name}: one name; write several apart: {" ".join(name.split(","))}')
    there = next(folder.rglob(file), None)
    hint = f'; there is {there}' if there else _similar(file, own)
    raise CibenchError(f'{folder / axis}: no file {file}{hint}')


def _drop_ins(folder: Path, axis: str) -> list[Path]:
    """The drop-in files of an axis; files with a leading underscore are parts of others."""
    return sorted(path for path in (folder / axis).rglob('*.py') if not path.name.startswith('_'))


def is_upstream(path: Path) -> bool:
    """Whether a config is one of OpenCompass's own."""
    root = upstream()
    return root is not None and path.resolve().is_relative_to(root)


def _zoo(axis: str) -> list[Path]:
    """The files of OpenCompass's own configs."""
    root = upstream()
    return [path for folder in ZOO.get(axis, (axis,)) for path in sorted((root / folder).rglob('*.py'))] if root else []


def upstream() -> Path | None:
    """The folder of OpenCompass's own configs, found without importing it; None where it is not installed."""
    spec = importlib.util.find_spec('opencompass')
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(spec.submodule_search_locations[0], 'configs').resolve()


def _similar(name: str, paths: Iterable[Path]) -> str:
    """A hint that lists files with names similar to a missing one."""
    names = {path.stem: path.name for path in sorted(paths)}  # what all end in makes nothing similar
    close = difflib.get_close_matches(Path(name).stem, names, n=3, cutoff=0.5) or [*names][:8]
    return f'; there is {", ".join(names[stem] for stem in close)}' if close else '; cibench configs list names all'
