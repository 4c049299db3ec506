"""Passages of a set that other texts have: a table, a list and CSV."""

from collections.abc import Iterator, Sequence

from cibench_eval.construction.contamination import Contamination, TextOverlap
from cibench_eval.grouping import grouped
from cibench_eval.rendering import shorten
from cibench_eval.reports.layout import Cell, Table, counted, csv_text

COLUMNS = ('notebook', 'step', 'kind', 'ngrams', 'elsewhere', 'common', 'share', 'longest', 'file', 'passage')
LISTED = 10
"""The number of passages that are listed."""
SHOWN = 300
"""The number of characters of a passage that are shown."""


def contamination_table(result: Contamination) -> Table:
    """For each experiment with a hit, the share of its n-grams found elsewhere, and its longest passage in words."""
    of_notebook = grouped(result.found, lambda one: one.notebook)
    hit = {name: those for name, those in of_notebook.items() if any(one.longest for one in those)}
    lines = [_line(name, those) for name, those in hit.items()]
    lines.append(_line(f'all {len(of_notebook)} experiments', result.found))
    note = (
        f'{len(of_notebook) - len(hit)} of {len(of_notebook)} experiments have nothing that stands elsewhere. '
        f'Share of the {result.words}-grams of words that stand in {counted(result.files, "file")} '
        f'({result.characters / 1e6:,.1f} million characters); common phrases, which are in more than ten files, do '
        f'not count. – is no text of {result.words} words.'
    )
    if copied := sum(0 < one.ngrams == one.common for one in result.found):
        note += f' Whole in more than ten files, as a set that is copied often: {counted(copied, "text")} (--to csv).'
    header = ['Experiment', 'Steps', 'Questions %', 'Code %', 'Longest']
    return Table('What stands elsewhere', header, lines, note)


def _line(name: str, those: Sequence[TextOverlap]) -> list[Cell]:
    kinds = [[one for one in those if one.kind == kind] for kind in ('question', 'code')]
    longest = max((one.longest.words for one in those if one.longest), default=0)
    shares = [_share(one) for one in kinds]
    return [Cell(name), Cell(str(len(kinds[0]))), *shares, Cell(str(longest or '–'))]


def _share(those: Sequence[TextOverlap]) -> Cell:
    ngrams = sum(one.ngrams for one in those)
    return Cell(f'{100 * sum(one.elsewhere for one in those) / ngrams:.1f}' if ngrams else '–')


def passages(result: Contamination) -> Iterator[str]:
    """The longest passages with their files, in lines."""
    there = [(one, one.longest) for one in result.found if one.longest]
    for one, longest in sorted(there, key=lambda pair: -pair[1].words)[:LISTED]:
        share = f'{100 * one.share:.0f} % of it elsewhere'
        yield f'{one.notebook} step {one.step}, {one.kind}: {longest.words} words in {longest.file} ({share})'
        yield f'  {shorten(longest.text, SHOWN)}'
    if len(there) > LISTED:
        yield f'{len(there) - LISTED} more texts have passages that stand elsewhere: --to csv'
    for line in result.unread[:LISTED]:
        yield f'not read: {line}'


def to_csv(result: Contamination) -> str:
    """A line for the question and one for the code of each step."""
    return csv_text([_record(one) for one in result.found])


def _record(one: TextOverlap) -> dict[str, object]:
    longest = (one.longest.words, one.longest.file, one.longest.text) if one.longest else (0, '', '')
    counts = (one.ngrams, one.elsewhere, one.common, f'{one.share:.4f}')
    return dict(zip(COLUMNS, (one.notebook, one.step, one.kind, *counts, *longest), strict=True))
