"""Data that a source makes itself: `NAME.data.py` beside `NAME.py`, for tables that lie, several files, hidden labels.

    def make(rng, **parameters):
        return files, held_out

`rng` is a numpy Generator, seeded by the instance's parameter `seed` and the name of the source; `parameters` are
those of the instance. `files` maps names to contents (text, or bytes in any encoding); the code of the experiment finds
them in the folder `{{ data }}`. `held_out` maps names to lists of labels that no code ever sees: a step is scored on
them (`held_out="name"` in its header). The same parameters make the same bytes.
"""

from __future__ import annotations

import runpy
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from cibench_eval.schema import CibenchError

SUFFIX = '.data.py'


@dataclass(frozen=True)
class Made:
    """What a generator has made: files below `data/`, and lists of labels."""

    files: dict[str, bytes] = field(default_factory=dict)
    held_out: dict[str, list[float] | list[str]] = field(default_factory=dict)


NOTHING = Made()


def generator_of(source: Path) -> Path | None:
    """The generator of a source, None where it has none."""
    path = source.with_suffix(SUFFIX)
    return path if path.is_file() else None


def make(path: Path, name: str, parameters: dict[str, Any]) -> Made:
    """Run a generator; it is a part of the set and runs in this process.

    Args:
        path: its file.
        name: of the source, a part of the seed.
        parameters: of one instance, `seed` among them.

    Raises:
        CibenchError: there is no `make` or no `seed`, or what it gives is not what it should be.
    """
    function: Callable[..., Any] | None = runpy.run_path(str(path)).get('make')
    if function is None:
        raise CibenchError(f'{path}: no function `make`; define make(rng, **parameters)')
    given = dict(parameters)
    seed = given.pop('seed', None)
    if not isinstance(seed, int):
        raise CibenchError(f'{path}: the instance has no `seed`; give each a whole number')
    made = function(np.random.default_rng([seed, zlib.crc32(name.encode())]), **given)
    if not isinstance(made, tuple) or len(made) != 2 or not all(isinstance(part, dict) for part in made):
        raise CibenchError(f'{path}: make() must return two dicts: files, and held-out labels')
    files, held_out = made
    if outside := [one for one in files if not one or '..' in PurePosixPath(one).parts or one.startswith('/')]:
        raise CibenchError(f'{path}: {outside[0]!r}: no name of a file; files stand in a folder of the experiment')
    contents = {one: text.encode() if isinstance(text, str) else bytes(text) for one, text in files.items()}
    return Made(contents, {one: list(labels) for one, labels in held_out.items()})
