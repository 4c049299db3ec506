"""Where the sets are that come with the package: `<set>/<kernel environment>/`, because gold outputs belong to one.

A set of rows (`datasets/formats/qwen_ci.py`) has no gold outputs, and is `<set>/` in every environment.
"""

from __future__ import annotations

from pathlib import Path

from cibench_eval.datasets.formats import qwen_ci
from cibench_eval.datasets.formats.notebooks import has_notebooks
from cibench_eval.schema import CibenchError

SETS = Path(__file__).parent


def builtin_sets() -> dict[str, dict[str, Path]]:
    """Name -> kernel environment -> folder of the notebooks."""
    return {
        sources.parent.name: {
            folder.name: folder
            for folder in sorted(sources.parent.iterdir())
            if folder.is_dir() and has_notebooks(folder)
        }
        for sources in sorted(SETS.glob('*/sources'))
    }


def row_sets() -> dict[str, Path]:
    """The sets of rows, by name."""
    return {file.parent.name: file.parent for file in sorted(SETS.glob(f'*/{qwen_ci.ROWS}'))}


def builtin_folder(name: str, environment: str) -> Path:
    """The folder of a set's notebooks with the gold outputs of a kernel environment, or of a set's rows.

    Raises:
        CibenchError: there is no such set, or it has no outputs of this environment.
    """
    sets = builtin_sets()
    if name in row_sets():
        return row_sets()[name]
    if name not in sets:
        raise CibenchError(f'{name}: no such set; there is {", ".join(sets)}')
    if environment not in sets[name]:
        known = ', '.join(sets[name]) or 'none'
        raise CibenchError(
            f'{name}: no gold outputs of the kernel environment {environment!r}; there is {known}'
            f' (cibench data build {name} --environment {environment})'
        )
    return sets[name][environment]
