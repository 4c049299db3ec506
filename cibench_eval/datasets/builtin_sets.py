"""The folders of the built-in sets: `<set>/<kernel environment>/`, because gold outputs belong to an environment.

A set of rows (`datasets/formats/qwen_ci.py`) has no gold outputs and lies in `<set>/` for every environment.
"""

from pathlib import Path

from cibench_eval.datasets.formats import qwen_ci
from cibench_eval.datasets.formats.notebooks import has_notebooks
from cibench_eval.schema import CibenchError, SetGoneError

SETS = Path(__file__).parent
VERSIONS = {'builtin': '3', 'builtin_hard': '2', 'builtin_long': '2', 'builtin_claims': '2', 'builtin_rules': '3'}
"""The version of each set that has one. It is raised when questions or gold outputs change, so that scores of two
versions are never taken for scores of one set. 2: questions name the variables of their answers; those of
`builtin_long` say how exact they are. 3: questions of `builtin` that had two readings have one, and a gold
has no helper column; amounts of `builtin_rules` may be rounded to two decimals."""


def builtin_sets() -> dict[str, dict[str, Path]]:
    """The sets of notebooks: name -> kernel environment -> folder."""
    return {
        sources.parent.name: {
            folder.name: folder
            for folder in sorted(sources.parent.iterdir())
            if folder.is_dir() and has_notebooks(folder)
        }
        for sources in sorted(SETS.glob('*/sources'))
    }


def row_sets() -> dict[str, Path]:
    """The sets of rows: name -> folder."""
    return {file.parent.name: file.parent for file in sorted(SETS.glob(f'*/{qwen_ci.ROWS}'))}


def builtin_folder(name: str, environment: str) -> Path:
    """The folder of a set's rows, or of its notebooks with the gold outputs of a kernel environment.

    Raises:
        CibenchError: there is no such set, or it has no gold outputs of this environment.
    """
    if folder := row_sets().get(name):
        return folder
    sets = builtin_sets()
    if name not in sets:
        raise CibenchError(f'{name}: no such set; there is {", ".join(sets)}')
    if environment not in sets[name]:
        known = ', '.join(sets[name]) or 'none'
        raise SetGoneError(
            f'{name}: no gold outputs of the kernel environment {environment!r}; there is {known}'
            f' (cibench data build {name} --environment {environment})'
        )
    return sets[name][environment]
