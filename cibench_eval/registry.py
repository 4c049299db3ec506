"""Parts that are a file each in a package, and are found by the file's name."""

import importlib
import pkgutil
import sys
import sysconfig
import traceback
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from cibench_eval.schema import CibenchError

PartT = TypeVar('PartT')
PACKAGE = Path(__file__).parent
STANDARD_LIBRARY = Path(sysconfig.get_path('stdlib'))
SITES = {'site-packages', 'dist-packages'}
"""Names of the folders that packages are installed into."""


def part_names(package: str) -> list[str]:
    """The files of a package."""
    return sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__))


def own_module(module: str, what: str) -> ModuleType:
    """Import a module of the user's own, which is also looked for in the current folder.

    Args:
        what: what errors call that for which it is imported.

    Raises:
        ModuleNotFoundError: it, or a module that it imports, is not there.
        CibenchError: its code fails.
    """
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError:
        raise
    except (Exception, SystemExit) as error:  # a user's code can fail in any way, or end the program
        raise CibenchError(f'{what}: {module} cannot be imported: {origin_of(error)}: {error}') from error


def origin_of(error: BaseException) -> str:
    """The name of an exception, and the last place on its way that is no library's: ours, or a user's own."""
    if isinstance(error, SyntaxError):  # it says itself where it is
        return type(error).__name__
    frames = [one for one in traceback.extract_tb(error.__traceback__) if not _is_installed(Path(one.filename))]
    file, last = Path(frames[-1].filename), frames[-1]
    place = f'{file.stem}.{last.name}' if PACKAGE in file.parents else f'{file.name}, line {last.lineno}'
    return f'{type(error).__name__} in {place}'


def _is_installed(file: Path) -> bool:
    """Whether code is of Python or of a library: compiled code names no whole path."""
    if PACKAGE in file.parents:
        return False
    return not file.is_absolute() or STANDARD_LIBRARY in file.parents or not SITES.isdisjoint(file.parts)


def find_part(name: str, package: str, attribute: str, kind: type[PartT], what: str) -> PartT:
    """What the file `name` of a package calls `attribute`; a dotted name is of a part of one's own.

    Modules of one's own are also looked for in the current folder, as agents are: users name them on the command line
    or in a config, and those that a stranger's run folder names are refused before (`config/recorded.py`).

    Args:
        name: of a file in the package, or `my_module.ATTRIBUTE`.
        package: dotted name of the package.
        attribute: what such a file defines.
        kind: of what type it is.
        what: what errors call it.

    Raises:
        CibenchError: there is none, its file cannot be imported or lacks it, or it is of another type.
    """
    module, _, own = name.rpartition('.') if '.' in name else (f'{package}.{name}', '.', attribute)
    try:
        imported = own_module(module, f'{what} {name!r}') if '.' in name else importlib.import_module(module)
        found = getattr(imported, own, None)
    except (ImportError, SyntaxError) as error:
        missing = getattr(error, 'name', None) or ''
        if isinstance(error, ModuleNotFoundError) and f'{module}.'.startswith(f'{missing}.'):
            known = f'there is {", ".join(part_names(package))}, or name your own: my_module.{attribute}'
            why = f'no module {missing}; start where {missing.replace(".", "/")}.py is, or install it'
            raise CibenchError(f'{what} {name!r}: {why}' if '.' in name else f'no {what} {name!r}; {known}') from error
        raise CibenchError(f'{what} {name!r}: {module} cannot be imported: {error}') from error
    if not isinstance(found, kind):
        raise CibenchError(f'{what} {name!r}: {module} has no {own} that is a {kind.__name__} of {kind.__module__}')
    return found
