"""Formats of experiments on disk: each module of this package defines a `FORMAT`."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.registry import find_part
from cibench_eval.schema import Experiment, Language


@dataclass(frozen=True)
class Format:
    """How experiments are read. Both functions raise a `CibenchError` where a file is missing or malformed."""

    ids: Callable[[Path], list[str]]
    """The ids of the experiments at a path, in order, at least one; it reads no more than the ids need."""
    load: Callable[[Path, str, Language | None, Path | None], Experiment]
    """The experiment with an id at a path. The language and the folder that holds `data/`, if given, override what the
    files say. It is called once for each id, so cache a file that holds many (`functools.lru_cache`)."""


def find_format(name: str) -> Format:
    """The format with a name, or with the dotted name of your own (`my_module.FORMAT`).

    Raises:
        CibenchError: there is no such format.
    """
    return find_part(name, __name__, 'FORMAT', Format, 'format of datasets')
