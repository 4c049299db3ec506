"""Formats of experiments on disk, a file each: a module `NAME.py` here defines `FORMAT`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.registry import find_part
from cibench_eval.schema import Experiment, Language


@dataclass(frozen=True)
class Format:
    """How experiments lie on disk. Both functions raise a `CibenchError` at what is not there or is malformed.

    Args:
        ids: the ids of the experiments at a path, in their order, and at least one; reads no more than that needs.
        load: the experiment of an id at a path; called for each of them, so what one file holds is best kept
            (`functools.lru_cache`). A language of its questions, and a folder that holds `data/`, are those
            of the files, or those that are given.
    """

    ids: Callable[[Path], list[str]]
    load: Callable[[Path, str, Language | None, Path | None], Experiment]


def find_format(name: str) -> Format:
    """A format by its name, or by the dotted name of one of your own (`my_module.FORMAT`).

    Raises:
        CibenchError: there is none.
    """
    return find_part(name, __name__, 'FORMAT', Format, 'format of datasets')
