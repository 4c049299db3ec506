"""Load experiments of any format, selected by patterns of their ids."""

from fnmatch import fnmatchcase
from pathlib import Path

from cibench_eval.datasets.formats import find_format
from cibench_eval.datasets.patterns import closest
from cibench_eval.schema import CibenchError, Experiment, Language

NOTEBOOKS = 'notebooks'
"""The official format."""
Loaded = dict[tuple[str, Path, str, Language | None, Path | None], Experiment]
"""Experiments by all that says which they are; datasets that share it read each file once."""


def load_experiments(
    path: Path | str,
    *,
    format: str = NOTEBOOKS,
    language: Language | None = None,
    datasources: Path | None = None,
    include: list[str] | None = None,
    loaded: Loaded | None = None,
) -> list[Experiment]:
    """The experiments at a path, in their order.

    Args:
        path: what the format reads; for notebooks, their folder.
        format: the name of a file in `formats/`, or the dotted name of your own format.
        include: ids or shell-style patterns of ids to keep; each must match something.
        loaded: what has been loaded before, which is taken; it gets the others.

    Raises:
        CibenchError: there is no such format, nothing at the path, a pattern matches nothing, a file is malformed.
    """
    if datasources is not None and not datasources.is_dir():
        raise CibenchError(f'{datasources}: no such folder; `datasources` is the folder that holds `data/`')
    form, root, known = find_format(format), Path(path), {} if loaded is None else loaded
    keys = [(format, root, id_, language, datasources) for id_ in _select(form.ids(root), include, root)]
    for key in keys:
        if key not in known:
            known[key] = form.load(*key[1:])
    return [known[key] for key in keys]


def _select(names: list[str], include: list[str] | None, root: Path) -> list[str]:
    if include is None:
        return names
    for pattern in include:
        if not any(fnmatchcase(name, pattern) for name in names):
            raise CibenchError(f'{root}: no experiment {pattern!r} here; there is {closest(pattern, names)}')
    return [name for name in names if any(fnmatchcase(name, pattern) for pattern in include)]
