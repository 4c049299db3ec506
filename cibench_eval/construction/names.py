"""The documented names of a module in a kernel environment, and their coverage."""

import ast
import asyncio
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from cibench_eval.grouping import grouped
from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from cibench_eval.rendering import failure_of
from cibench_eval.schema import CibenchError, Record

MODULE = re.compile(r'[A-Za-z_]\w*(?:\.\w+)*')
LIST_NAMES = Path(__file__).with_name('list_names.txt')
"""Code that makes a dictionary `made` of the names of MODULE."""
SHOWN = 60
"""Names of an area in a request."""
LARGEST = 10_000_000
"""Most characters of a module's names, as JSON."""


class ModuleNames(Record):
    """The documented names of a module: `read_csv`, or `DataFrame.groupby` for a method."""

    module: str
    version: str
    areas: dict[str, list[str]]
    """Area (a submodule; empty for the module itself) -> names in it."""

    @property
    def all(self) -> dict[str, str]:
        """Name -> its area; the first area, if several have the name."""
        return {name: area for area, names in reversed(self.areas.items()) for name in reversed(names)}

    def known(self, names: Iterable[str]) -> list[str]:
        """The documented names that `names` refer to in any spelling, each once."""
        all_ = self.all
        by_end: dict[str, str] = {}
        for name in all_:
            by_end.setdefault(name.rpartition('.')[2], name)
        found = (
            next((end for end in _ends(name) if end in all_), by_end.get(name.rpartition('.')[2])) for name in names
        )
        return list(dict.fromkeys(name for name in found if name))

    def left(self, covered: Iterable[str]) -> list[dict[str, Any]]:
        """Areas with uncovered names, the largest first, and at most `SHOWN` names of each."""
        gone = set(covered)
        left = {area: [name for name in names if name not in gone] for area, names in self.areas.items()}
        ordered = sorted(((area, names) for area, names in left.items() if names), key=lambda one: -len(one[1]))
        return [{'name': area or self.module, 'names': names[:SHOWN]} for area, names in ordered]


def _ends(name: str) -> list[str]:
    """The ends of a dotted name, the longest first: `pd.DataFrame.groupby`, `DataFrame.groupby`, `groupby`."""
    parts = name.strip().removesuffix('()').split('.')
    return ['.'.join(parts[start:]) for start in range(len(parts))]


def module_names(module: str, settings: KernelSettings) -> ModuleNames:
    """The names that a module and its submodules document, listed in a sandboxed kernel.

    Raises:
        CibenchError: the kernel cannot import the module.
        HarnessError: kernels cannot be started.
    """
    if not MODULE.fullmatch(module):
        raise CibenchError(f'module {module!r}: no name of a Python module; give what `import` takes, as sklearn')
    return asyncio.run(_module_names(module, settings))


async def _module_names(module: str, settings: KernelSettings) -> ModuleNames:
    settings = settings.model_copy(update={'output_limit': LARGEST})
    async with KernelPool(settings) as pool, Interpreter(settings, pool) as interpreter:
        done = await interpreter.run(LIST_NAMES.read_text(encoding='utf-8').replace('MODULE', repr(module)))
        if why := failure_of(done):
            raise CibenchError(f'module {module!r} in {settings.environment}: {why.splitlines()[0]}; choose another')
        listed = await interpreter.run('print(json.dumps(made))')
    return _parsed(module, listed.stdout)


def _parsed(module: str, text: str) -> ModuleNames:
    try:
        made = json.loads(text)
        found = grouped(made['names'], lambda one: one[0])
        areas = {area: [name for _, _, name in those] for area, those in found.items()}
        return ModuleNames(module=module, version=made['version'], areas=areas)
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise CibenchError(f'module {module!r}: its names cannot be listed ({error}); choose another') from error


def used_names(codes: Iterable[str], names: ModuleNames) -> list[str]:
    """The documented names that code uses as attributes or imports, by their last part.

    Code alone does not tell the class of a method, so a method counts for each class that has it.
    """
    used: set[str] = set()
    for code in codes:
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Attribute):
                used.add(node.attr)
            elif isinstance(node, ast.ImportFrom):
                used |= {alias.name for alias in node.names}
    return [name for name in names.all if name.rpartition('.')[2] in used]


class Coverage(Record):
    area: str
    covered: int
    names: int


def coverage(names: ModuleNames, covered: Iterable[str]) -> list[Coverage]:
    """The coverage of each area, the largest first; areas of less than three names form `(other)`."""
    hit = set(covered)
    counts: dict[str, tuple[int, int]] = {}
    for area, inside in names.areas.items():
        label = (area or names.module) if len(inside) > 2 else '(other)'
        done, all_ = counts.get(label, (0, 0))
        counts[label] = done + sum(name in hit for name in inside), all_ + len(inside)
    ordered = sorted(counts.items(), key=lambda one: (one[0] == '(other)', -one[1][1], one[0]))
    return [Coverage(area=area, covered=done, names=all_) for area, (done, all_) in ordered]
