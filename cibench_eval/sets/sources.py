"""The sources of a built-in set: templates (`templates.py`), and levels of sessions that are drawn (`levels.py`)."""

from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.datasets.patterns import select
from cibench_eval.schema import CibenchError
from cibench_eval.sets.claims.source import ClaimsLevel
from cibench_eval.sets.levels import SUFFIX, Level, LevelSource
from cibench_eval.sets.long.source import LongLevel
from cibench_eval.sets.rules.source import RulesLevel
from cibench_eval.sets.templates import TemplateSource, read_sources

LEVELS: dict[str, type[Level]] = {'long': LongLevel, 'claims': ClaimsLevel, 'rules': RulesLevel}
"""The folder of levels -> what a level says."""


def sources_of(name: str, only: str | None = None) -> list[TemplateSource] | list[LevelSource]:
    """The sources of a built-in set, or those that the shell-style pattern `only` matches.

    Raises:
        CibenchError: there is no such set, the pattern matches nothing, or a source is malformed.
    """
    folder = SETS / name / 'sources'
    if not folder.is_dir():
        known = ', '.join(sorted(path.parent.name for path in SETS.glob('*/sources')))
        raise CibenchError(f'{name}: no such set; there is {known}')
    files = sorted(file for kind in LEVELS for file in folder.glob(f'{kind}/*{SUFFIX}'))
    if not files:
        return read_sources(folder, only)
    levels = {file.relative_to(folder).with_suffix('').as_posix(): file for file in files}
    chosen = [levels[level] for level in select([*levels], only, folder, 'level')]
    return [LevelSource.read(file, folder, LEVELS[file.parent.name]) for file in chosen]
