"""The sources of a built-in set: templates (`templates.py`) and levels of long sessions (`long/source.py`)."""

from __future__ import annotations

from cibench_eval.datasets.builtin_sets import SETS
from cibench_eval.datasets.patterns import select
from cibench_eval.schema import CibenchError
from cibench_eval.sets.long.source import SUFFIX, LongSource
from cibench_eval.sets.templates import TemplateSource, read_sources


def sources_of(name: str, only: str | None = None) -> list[TemplateSource] | list[LongSource]:
    """The sources of a built-in set, or those that the shell-style pattern `only` matches.

    Raises:
        CibenchError: there is no such set, the pattern matches nothing, or a source is malformed.
    """
    folder = SETS / name / 'sources'
    if not folder.is_dir():
        known = ', '.join(sorted(path.parent.name for path in SETS.glob('*/sources')))
        raise CibenchError(f'{name}: no such set; there is {known}')
    levels = {file.relative_to(folder).with_suffix('').as_posix(): file for file in sorted(folder.rglob(f'*{SUFFIX}'))}
    if not levels:
        return read_sources(folder, only)
    return [LongSource.read(levels[level], folder) for level in select([*levels], only, folder, 'level')]
