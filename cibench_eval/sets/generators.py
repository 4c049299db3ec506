"""Data that a source generates: `NAME.data.py` beside `NAME.py`, for faulty tables, several files, or hidden labels.

    def make(rng, **parameters):
        return files, held_out

`rng` is a numpy Generator, seeded by the instance's parameter `seed` and the name of the source; `parameters` are the
other parameters of the instance. `files` maps names to contents (text, or bytes in any encoding); the code of the
experiment finds them in the folder `{{ data }}`. `held_out` maps names to lists of labels that no code ever sees; a
step with `held_out="name"` in its header is scored on them. The same parameters make the same bytes.
"""

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
    """The output of a generator: files below `data/`, and lists of labels."""

    files: dict[str, bytes] = field(default_factory=dict)
    held_out: dict[str, list[float] | list[str]] = field(default_factory=dict)


NOTHING = Made()


def make(source: Path, parameters: dict[str, Any]) -> Made:
    """Run the generator of a source, if it has one, in this process; it is a part of the set.

    Args:
        parameters: the parameters of one instance, `seed` among them.

    Raises:
        CibenchError: there is no `make` or no `seed`, or `make` returns something else than files and labels.
    """
    path = source.with_suffix(SUFFIX)
    if not path.is_file():
        return NOTHING
    function: Callable[..., Any] | None = runpy.run_path(str(path)).get('make')
    if function is None:
        raise CibenchError(f'{path}: no function `make`; define make(rng, **parameters)')
    given = dict(parameters)
    seed = given.pop('seed', None)
    if not isinstance(seed, int):
        raise CibenchError(f'{path}: the instance has no `seed`; give each a whole number')
    made = function(np.random.default_rng([seed, zlib.crc32(source.stem.encode())]), **given)
    if not isinstance(made, tuple) or len(made) != 2 or not all(isinstance(part, dict) for part in made):
        raise CibenchError(f'{path}: make() must return two dicts: files, and held-out labels')
    files, held_out = made
    if outside := [one for one in files if not one or '..' in PurePosixPath(one).parts or one.startswith('/')]:
        raise CibenchError(f'{path}: {outside[0]!r}: no name of a file; files stand in a folder of the experiment')
    contents = {one: text.encode() if isinstance(text, str) else bytes(text) for one, text in files.items()}
    return Made(contents, {one: list(labels) for one, labels in held_out.items()})
