"""A leaderboard in one file: sortable tables, in which different sets of notebooks never mix."""

from collections.abc import Sequence
from dataclasses import replace

from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.reports import tables
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import MODES
from cibench_eval.reports.summary import LEGEND, WHOLE_LEGEND, by_split, footnotes, marks
from cibench_eval.viewer.pages import asset, for_page, page

OFFICIAL = ('generation', 'template', 'template_cn')
"""The splits of the published archive."""
SOURCE = (
    'Published: as the authors of CIBench print it (arXiv 2407.10499), on the official notebooks, by another harness; '
    'Avg is computed from the columns.'
)
OWN = 'Own rows are of the split that they name, and ranked in it.'
ELSEWHERE = 'No row above is of these notebooks, so none can be compared with them.'
OTHER_PROFILE = (
    'Own rows of {split} are scored by the profile {names}, published ones by the rules of the profile official: the '
    'same answers would get other scores.'
)


class Board:
    """A table of rows on the same notebooks, or rows that name their notebooks."""

    def __init__(self, name: str, own: Sequence[Row], published: Sequence[Row], notes: list[str]) -> None:
        self.rows = sorted([*own, *published], key=lambda row: (row.average is None, -(row.average or 0.0)))
        """The row of each line; published ones have no results."""
        self.several = len({row.split for row in self.rows}) > 1
        """Whether the rows have to name their notebooks."""
        self.table = for_page(replace(tables.leaderboard_table(self.rows), title=name))
        every = [(mode, one) for mode in MODES for one in known_metrics()]
        about = {tables.short(mode, one.name): f'{one.about}, {mode.replace("_", "-")}' for mode, one in every}
        self.about = about | dict.fromkeys(tables.pass_columns(self.rows), tables.PASS_NOTE)
        """Column -> its meaning."""
        self.notes = [*filter(None, [tables.shared(self.rows)]), *notes]


def leaderboard_page(rows: Sequence[Row], published: Sequence[Row] = ()) -> str:
    """The page, which needs no other file; `published` are others' rows on the official notebooks."""
    boards = boards_of(rows, published)
    whole = [WHOLE_LEGEND] if any('Whole' in board.table.header for board in boards) else []
    legend = ' '.join([LEGEND, *whole, *marks(rows)])
    return page('leaderboard.html', 'leaderboard.js', asset('style.css'), boards=boards, legend=legend)


def boards_of(rows: Sequence[Row], published: Sequence[Row]) -> list[Board]:
    """A board for each split of own notebooks, and one for the official splits and the published rows."""
    official = [row for row in rows if row.split in OFFICIAL]
    others = by_split([row for row in rows if row.split not in OFFICIAL])
    boards = [Board(tables.size_of(those), those, (), footnotes(those)) for those in others]
    if official:
        notes = [f'{those[0].split}: {note}' for those in by_split(official) for note in footnotes(those)]
        about = _about(official) if published else []
        boards.append(Board('The official notebooks', official, published, [*about, *notes]))
    elif published:
        boards.append(Board('Published', (), published, [SOURCE, *([ELSEWHERE] if others else [])]))
    return boards


def _about(official: list[Row]) -> list[str]:
    """Notes for a comparison of own rows with published ones."""
    found = {
        those[0].split: [name for name in tables.profiles(those) if name != 'official'] for those in by_split(official)
    }
    said = [OTHER_PROFILE.format(split=split, names=' and '.join(names)) for split, names in found.items() if names]
    return [SOURCE, OWN, *said]
