"""Parts that are a file each in a package, and are found by the file's name."""

import importlib
import pkgutil
import sys
from pathlib import Path
from typing import TypeVar

from cibench_eval.schema import CibenchError

PartT = TypeVar('PartT')


def part_names(package: str) -> list[str]:
    """The files of a package."""
    return sorted(module.name for module in pkgutil.iter_modules(importlib.import_module(package).__path__))


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
    if '.' in name and (here := str(Path.cwd())) not in sys.path:
        sys.path.append(here)
    try:
        found = getattr(importlib.import_module(module), own, None)
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
