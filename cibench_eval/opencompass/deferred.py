"""OpenCompass's base classes without the six seconds that its packages take to import.

The `__init__` of `opencompass.runners`, `.tasks` and `.partitioners` imports every model and dataset there is, that of
`.utils` imports torch. Importing one light module of them (`opencompass.tasks.base`) needs none of that. `defer()` puts
packages in their place whose `__init__` runs when a name is asked for that no light module of theirs has: the same
modules and the same classes, only later.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

PACKAGES: dict[str, tuple[str, ...]] = {
    'opencompass.utils': ('abbr', 'lark', 'logging'),
    'opencompass.partitioners': (),
    'opencompass.runners': (),
    'opencompass.tasks': (),
}
"""Packages, and those of their modules in which the names that base classes use are looked for first."""


class _DeferredPackage(ModuleType):
    """A package whose `__init__` runs at the first request for a name that it and its light modules do not have."""

    def __getattr__(self, name: str) -> Any:
        spec: ModuleSpec | None = self.__dict__['__spec__']
        if (name.startswith('__') and name != '__all__') or spec is None or spec.loader is None:
            raise AttributeError(name)
        for light in (importlib.import_module(f'{spec.name}.{part}') for part in PACKAGES[spec.name]):
            if name in vars(light):
                return vars(light)[name]
        self.__class__ = ModuleType  # type: ignore[assignment]
        spec.loader.exec_module(self)
        return getattr(self, name)


def defer() -> None:
    """Defer those of PACKAGES that are not imported yet. Harmless to call again."""
    for name in PACKAGES:
        if name in sys.modules:
            continue
        spec = importlib.util.find_spec(name)
        if spec is None:
            raise ModuleNotFoundError(f'{name} is not installed', name=name)
        module = importlib.util.module_from_spec(spec)
        module.__class__ = _DeferredPackage
        sys.modules[name] = module
        setattr(sys.modules['opencompass'], name.rpartition('.')[2], module)
    if 'torch' not in sys.modules:
        _make_logger()


def _make_logger() -> None:
    """Make OpenCompass's logger without torch, which MMEngine imports to ask for ranks and devices if it is there."""
    sys.modules['torch'] = None  # type: ignore[assignment]  # says that it cannot be imported
    try:
        importlib.import_module('opencompass.utils.logging').get_logger()
    finally:
        del sys.modules['torch']
