"""Sandboxes: each is a file `sandboxes/<name>.py` with a `SANDBOX`, found by the name in the config."""

import functools
import os
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from cibench_eval.interpreter.sandboxes.base import WATCHDOG, Sandbox
from cibench_eval.registry import find_part, part_names
from cibench_eval.schema import CibenchError, problem
from cibench_eval.terminal import say

AUTO = 'auto'
"""PREFERRED where it works, else FALLBACK."""
PREFERRED, FALLBACK = 'bubblewrap', 'none'
WITHOUT_GROUPS = (
    'the memory of a session is looked at four times a second and not limited, what pipes hold is not seen, and one '
    "session can take the others' processors"
)
GROUPS_FIX = (
    'start the command by `systemd-run --user --scope -p Delegate=yes`, or in a container that may make control groups'
)


def names() -> list[str]:
    """The names of all sandboxes."""
    return [name for name in part_names(__name__) if name != 'base']


def choices() -> list[str]:
    """The values of `sandbox` in a config."""
    return [AUTO, *names()]


def choose(name: str, options: Mapping[str, Any] | None = None) -> Sandbox:
    """The sandbox that a choice means on this machine.

    Args:
        name: one of `choices()`.
        options: fields of the sandbox.

    Raises:
        CibenchError: there is none of that name, it has no such option, or it cannot be used here.
    """
    try:
        os.close(os.pidfd_open(os.getpid()))
    except OSError as error:
        raise CibenchError(f'kernels need Linux 5.3 or newer, for pidfd_open: {error.strerror}') from error
    sandbox = _auto(options) if name == AUTO else load(name, options)
    if name != AUTO and (why := sandbox.problem()):
        raise CibenchError(
            f'sandbox={name!r}: {why}; fix that, or run without a sandbox by sandbox={FALLBACK!r} in the config'
        )
    if sandbox.limiter() == WATCHDOG:
        _warn(f'NO CONTROL GROUP: {WITHOUT_GROUPS}; {GROUPS_FIX}')
    return sandbox


def load(name: str, options: Mapping[str, Any] | None = None) -> Sandbox:
    """The sandbox called `name`, usable here or not; a `CibenchError` where there is none, or it has no such option."""
    if name not in names():
        raise CibenchError(f'sandbox={name!r}: there is none of that name; there are {", ".join(choices())}')
    kind: type[Sandbox] = find_part(name, __name__, 'SANDBOX', type, 'sandbox')
    try:
        return kind.model_validate(dict(options or {}))
    except ValidationError as error:
        known = ', '.join(kind.model_fields) or 'none'
        raise CibenchError(f'sandbox_options of {name}: {problem(error)} (its options: {known})') from error


def _auto(options: Mapping[str, Any] | None) -> Sandbox:
    if options:
        raise CibenchError(f'sandbox_options: sandbox={AUTO!r} takes none; name the sandbox whose options they are')
    preferred = load(PREFERRED)
    if not (why := preferred.problem()):
        return preferred
    why = ' '.join(why.split())
    _warn(f'NO SANDBOX: code runs with all rights of this user, because {PREFERRED} cannot run: {why}')
    return load(FALLBACK)


@functools.cache
def _warn(text: str) -> None:
    """Say it once; not by logging, which a program may have turned off."""
    say(text, error=True)
