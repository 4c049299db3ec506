"""`cibench data list`: the sets that are there, as tables for a terminal or as JSON."""

from collections.abc import Iterable, Iterator
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from cibench_eval.commands import new_console
from cibench_eval.reports.layout import counted
from cibench_eval.sets.archives.catalog import KINDS, InstalledSet, SetCounts, find_sets, total
from cibench_eval.sets.archives.published import ARCHIVES
from cibench_eval.terminal import json_line, say

MOST_PROBLEMS = 20
"""How many are shown of a set."""
STATES = {'damaged': 'red', 'not recorded': 'yellow', 'intact': 'green'}


def list_(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar='[PATH]...', help='Folders or built-in sets.', show_default='all, and data/'),
    ] = None,
    as_json: Annotated[bool, typer.Option('--json', help='Print it as JSON.')] = False,
) -> int:
    """Sets that are there: experiments, steps, kinds.

    Exit code 1 when a notebook is malformed or files of an archive are damaged.
    """
    sets = find_sets(paths or [])
    if as_json:
        say(json_line({'sets': [found.as_json() for found in sets]}, indent=1))
    else:
        _show(sets)
    return int(any(found.problems for found in sets))


def _show(sets: list[InstalledSet]) -> None:
    out = new_console()
    for found in sets:
        _show_set(out, found)
    if statistics := _statistics(sets):
        out.print(Text('Statistics by split; kinds of gold output in % of the steps', 'bold'), statistics, sep='\n')
    there = {found.path.name for found in sets}
    missing = [name for name, archive in ARCHIVES.items() if archive.folder not in there]
    if missing and any(found.state == 'built in' for found in sets):
        out.print(f'[dim]not here: {", ".join(missing)} (cibench data fetch NAME, or add FILE)[/]')


def _show_set(out: Console, found: InstalledSet) -> None:
    place = '' if found.state == 'built in' else f'{found.path}  '
    state = (found.state, STATES.get(found.state, 'dim'))
    out.print(Text.assemble((found.name, 'bold'), '  ', place, state), soft_wrap=True)
    for line in _origin(found):
        out.print(Text(f'  {line}', 'dim'), soft_wrap=True)
    if found.splits:
        out.print(_libraries(found))
    if found.rows:
        out.print(_groups(found))
    for note in found.notes:
        out.print(f'  [yellow]note:[/] {escape(note)}', soft_wrap=True)
    for problem in found.problems[:MOST_PROBLEMS]:
        out.print(f'  [red]problem:[/] {escape(problem)}', soft_wrap=True)
    if (more := len(found.problems) - MOST_PROBLEMS) > 0:
        out.print(f'  [red]and {more} more[/] (--json has all)')
    out.print()


def _origin(found: InstalledSet) -> Iterator[str]:
    if found.record:
        yield f'{found.record.url}, {found.record.date[:10]}'
        yield f'sha256 {found.record.sha256}, {len(found.record.files):,} files'
    if found.data_files:
        yield f'datasources: {counted(found.data_files, "file")}, {found.data_size / 1e6:,.1f} MB'


def _table(first: str, *numbers: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=0, show_edge=False)
    table.add_column(first, overflow='fold')
    for name in numbers:
        table.add_column(name, justify='right', no_wrap=True)
    return table


def _kinds(counts: Iterable[SetCounts]) -> list[str]:
    """The kinds to show. `general` (steps without a stated kind) is shown only where there are such steps."""
    whole = total(counts)
    return [kind for kind in KINDS if kind != 'general' or whole.kinds[kind]]


def _libraries(found: InstalledSet) -> Table:
    totals = found.totals()
    kinds = _kinds(totals.values())
    table = _table('split, library', 'exper.', 'steps', *kinds, 'modules', 'lang.')
    for split, whole in totals.items():
        table.add_row(split, *_cells(whole, kinds), style='bold')
        for library, counts in found.splits[split].items():
            table.add_row(f'  {library}', *_cells(counts, kinds))
        table.add_section()
    return table


def _cells(counts: SetCounts, kinds: list[str]) -> list[str]:
    steps = [str(counts.kinds[kind] or '-') for kind in kinds]
    modules = f'{counts.modules_each:.1f}' if counts.modules else '-'
    return [str(counts.experiments), str(counts.steps), *steps, modules, ' '.join(sorted(counts.languages))]


def _groups(found: InstalledSet) -> Table:
    languages = sorted({language for counts in found.rows.values() for language in counts})
    table = _table('rows', *languages, *(['all'] if len(languages) > 1 else []))
    for group, counts in found.rows.items():
        sums = [str(counts.total())] if len(languages) > 1 else []
        table.add_row(group, *(str(counts[language] or '-') for language in languages), *sums)
    return table


def _statistics(sets: list[InstalledSet]) -> Table | None:
    """Sizes and kinds of output of every split, as the paper's statistics of its data set have them."""
    sets = [found for found in sets if found.splits]
    kinds = _kinds(counts for found in sets for counts in found.totals().values())
    kinds = [*(kind for kind in kinds if kind != 'exec'), 'exec']
    heads = [kind if kind != 'exec' else 'none' for kind in kinds]
    table = _table('set, split', 'exper.', 'steps', 'each', *heads)
    for found in sets:
        table.add_row(found.name, style='bold')
        for split, counts in found.totals().items():
            each = f'{min(counts.lengths)}–{max(counts.lengths)}'
            shares = [f'{100 * counts.kinds[kind] / counts.steps:.0f}' if counts.kinds[kind] else '-' for kind in kinds]
            table.add_row(f'  {split}', str(counts.experiments), str(counts.steps), each, *shares)
    return table if sets else None
