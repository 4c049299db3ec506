"""Scoring profiles, a file each: a module `NAME.py` here defines `PROFILE`."""

from __future__ import annotations

import importlib
import pkgutil

from cibench_eval.evaluators.engine import Profile
from cibench_eval.schema import CibenchError


def profile_names() -> list[str]:
    """The profiles that come with the package."""
    return sorted(module.name for module in pkgutil.iter_modules(__path__))


def find_profile(name: str) -> Profile:
    """A profile by its name, or by the dotted name of one of your own (`my_module.PROFILE`).

    Raises:
        CibenchError: there is none.
    """
    module, _, attribute = name.rpartition('.') if '.' in name else (f'{__name__}.{name}', '.', 'PROFILE')
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise CibenchError(
            f'no scoring profile {name!r}; there is {", ".join(profile_names())}, or name your own: my_module.PROFILE'
        ) from error
    if not isinstance(found, Profile):
        raise CibenchError(f'scoring profile {name!r}: it is no Profile of cibench_eval.evaluators')
    return found
