"""The tables of a split, a function each, listed in TABLES (a table without lines is left out), and its leaderboard.

On the leaderboard a condition that all rows share is said below the table; one in which they differ has a column.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product
from typing import NamedTuple, get_args

from cibench_eval.analysis.results import RAN, WHOLE, Results
from cibench_eval.evaluators.failures.categories import CATEGORIES
from cibench_eval.evaluators.metrics import known_metrics, metric
from cibench_eval.reports.layout import Cell, Table, counted, starred
from cibench_eval.reports.rows import COLUMNS, Row, SplitPart
from cibench_eval.reports.scores import AVERAGE, MODES, Pass, Score, key_of
from cibench_eval.schema import NO_FAILURE, Mode, StepOutcome

PREFIX = {'end_to_end': 'E', 'oracle': 'O'}
ENDS: dict[StepOutcome, str] = {
    'correct': 'Right',
    'wrong': 'Wrong',
    'ran': 'Ran',
    'exec_error': 'Error',
    'timeout': 'Slow',
    'no_tool': 'NoCall',
    'kernel_died': 'Died',
}
"""How steps ended, in the order of columns."""
if ENDS.keys() != set(get_args(StepOutcome)):
    raise TypeError('ENDS: an outcome of a step has no column')
FURTHER = "Beside the paper's metrics"
GIVEN_RAN = 'Given that the code ran'
PARTS = 'By module category and library'
PASSES = 'Several runs of each experiment'
FAILURES = 'How steps ended, and why they failed'
GIVEN_RAN_NOTE = (
    'Only steps whose code ran count here. A model that fails on hard steps keeps the easy ones, so compare models by '
    'the first table.'
)
PASSES_NOTE = (
    'An experiment passes if all its scored steps end right: in one of k runs (pass@k), in all of k (pass^k). '
    'Only experiments that have all runs count.'
)
UNREAD = 'Answers in which nothing was read'
UNREAD_NOTE = (
    'In % of the steps whose code ran: no variable, value, text or figure of the asked form was found. It scores 0, '
    'and says nothing about what the model knows.'
)
FAILURES_NOTE = (
    'Ran: code on which nothing decides; Slow: over its time limit; NoCall: no code was called; Died: the kernel died. '
    'Why steps failed: '
    f'{", ".join(f"{short} {name}" for name, short in CATEGORIES.items())}; Foll: followed from an earlier '
    'step, as `cibench score RUN --replay` found by running it again, else a guess.'
)


def main_table(rows: list[Row]) -> Table:
    """The paper's Table 3: model × mode × metric and the average, and the share of whole sessions."""
    columns = main_columns(rows)
    names = [Cell(row.label, below=f' rank {row.rank}' if row.rank else '') for row in rows]
    lines = [[name, *_scores(row.scores, columns)] for name, row in zip(names, rows, strict=True)]
    return Table(title(rows), ['Model', *columns.values()], lines, tall=True, level=2)


def main_columns(rows: list[Row]) -> dict[str, str]:
    """Name of a score -> its column, of those that a row has; all of the paper's where none has any."""
    columns = {key_of(*column): short(*column) for column in COLUMNS} | {AVERAGE: 'Avg'}
    known = {name for row in rows for name in row.scores}
    return {name: column for name, column in (columns | {WHOLE: 'Whole'}).items() if name in known} or columns


def _scores(scores: dict[str, Score], columns: Iterable[str]) -> list[Cell]:
    return [Cell.of(scores.get(name)) for name in columns]


def further(rows: list[Row]) -> Table:
    """Metrics that the paper does not have, with the number of their steps."""
    names = [one.name for one in known_metrics() if not one.published]
    columns = [(mode, name) for mode in MODES for name in names if any(row.score(mode, name) for row in rows)]
    header = ['Model', *(text for column in columns for text in (short(*column), 'Steps'))]
    known = [row for row in rows if any(row.score(*column) for column in columns)]
    lines = [[Cell(row.label), *(cell for column in columns for cell in _counted(row, *column))] for row in known]
    shown = dict.fromkeys(metric(name) for _, name in columns)
    about = '; '.join(f'{one.short}: {one.about}' for one in shown)
    return Table(FURTHER, header, lines, f'{about}. No part of Avg.')


def _counted(row: Row, mode: Mode, name: str) -> tuple[Cell, Cell]:
    score = row.score(mode, name)
    return Cell.of(score), Cell(str(score.steps if score else 0))


def given_ran(rows: list[Row]) -> Table:
    """Each metric of outputs over the steps whose last call ran."""
    names = [one.name for one in known_metrics() if one.of_outputs]
    columns = [(mode, name) for mode in MODES for name in names if any(row.score(mode, name + RAN) for row in rows)]
    known = [row for row in rows if any(row.score(mode, name + RAN) for mode, name in columns)]
    lines = [[Cell(row.label), *(Cell.of(row.score(mode, name + RAN)) for mode, name in columns)] for row in known]
    return Table(GIVEN_RAN, ['Model', *(short(*column) for column in columns)], lines, GIVEN_RAN_NOTE)


def parts(rows: list[Row]) -> Table:
    """Each module category of the paper, and the libraries of categories that have several."""
    columns = main_columns(rows)
    found: dict[tuple[str, str], list[tuple[str, SplitPart]]] = defaultdict(list)
    for row in rows:
        for part in row.parts:
            found['', part.name].append((row.model, part))
            for library in part.libraries:
                found['  ', library.name].append((row.model, library))
    lines = []
    for (indent, name), those in found.items():
        if len(rows) > 1:
            lines.append([Cell(f'{indent}{name}')])
        for model, part in those:
            label = starred(name if len(rows) == 1 else f'  {model}', whole=part.whole)
            cells = (Cell(cell.text) for cell in _scores(part.scores, columns))  # few experiments: no intervals
            lines.append([Cell(f'{indent}{label}'), *cells])
    return Table(PARTS, ['Part', *columns.values()], lines, tall=True)


def passes(rows: list[Row]) -> Table:
    """pass@k and pass^k of rows with several epochs."""
    kinds = pass_kinds(rows)
    names = [f'pass{"^" if every else "@"}{k}' for every, k in kinds]
    lines = []
    for row, mode in product(rows, MODES):
        if sizes := [score.steps for one, score in row.passes.items() if one.mode == mode]:
            scores = (row.passes.get(Pass(mode, *kind)) for kind in kinds)
            lines.append([Cell(row.label), Cell(PREFIX[mode]), Cell(str(max(sizes))), *map(Cell.of, scores)])
    return Table(PASSES, ['Model', '', 'Exps', *names], lines, PASSES_NOTE)


def pass_kinds(rows: list[Row]) -> list[tuple[bool, int]]:
    """(`Pass.every`, k) of the columns."""
    return sorted({(one.every, one.k) for row in rows for one in row.passes})


def unread(rows: list[Row]) -> Table:
    """How many answers have nothing of the asked form: such an answer is unread, not wrong."""
    found = [(row, mode, _unread(those)) for row in rows for mode, those in row.by_mode.items()]
    names = [one.name for one in known_metrics() if any(one.name in shares for *_, shares in found)]
    lines = [
        [Cell(row.label), Cell(PREFIX[mode]), *(Cell.of(shares.get(name, Score(0.0))) for name in names)]
        for row, mode, shares in found
        if shares
    ]
    return Table(UNREAD, ['Model', '', *(metric(name).short for name in names)], lines, UNREAD_NOTE)


def _unread(runs: list[Results]) -> dict[str, Score]:
    """Metric -> the share of steps whose code ran in which it found nothing of the asked form, where there are some."""
    steps = [step for results in runs for step in results.steps if step.ran]
    counts = Counter(name for step in steps for name in step.unread)
    sizes = Counter(name for step in steps for name in step.values)
    return {name: Score(100 * count / sizes[name], sizes[name]) for name, count in counts.items()}


def failures(rows: list[Row]) -> Table:
    """How the steps of each model ended, and the categories of their errors."""
    seen = {end for row in rows for ends in row.outcomes.values() for end in ends}
    note = f'Counted over all epochs. {FAILURES_NOTE}' if any(row.epochs > 1 for row in rows) else FAILURES_NOTE
    header = ['Model', '', *ENDS.values(), *CATEGORIES.values(), 'Foll']
    return Table(FAILURES, header, list(_endings(rows)) if seen.difference(NO_FAILURE) else [], note)


def _endings(rows: list[Row]) -> Iterator[list[Cell]]:
    for row in rows:
        for mode, ends in row.outcomes.items():
            failed = [one for results in row.by_mode[mode] for one in results.failures]
            own = Counter(str(one.category) for one in failed if one.propagated_from is None)
            counts = [*(ends[end] for end in ENDS), *(own[name] for name in CATEGORIES), len(failed) - own.total()]
            yield [Cell(row.label), Cell(PREFIX[mode]), *(Cell(str(count or '·')) for count in counts)]


TABLES: tuple[Callable[[list[Row]], Table], ...] = (main_table, further, given_ran, parts, passes, unread, failures)


def tables_of(rows: list[Row]) -> list[Table]:
    """The tables of a split that have lines."""
    return [table for make in TABLES if (table := make(rows)).lines]


def title(rows: list[Row]) -> str:
    """The split, its size and its conditions."""
    epochs = {row.epochs for row in rows}
    said = [f'{max(epochs)} epochs'] if len(epochs) == 1 and max(epochs) > 1 else []  # else footnotes say it
    if stated := versions(rows):
        said.append(f'version {" and ".join(stated)} of the set')
    if names := profiles(rows):
        said.append(f'scoring profile {" and ".join(names)}')
    size = size_of(rows)
    return f'{size}{", " if ": " in size else ": "}{", ".join(said)}' if said else size


def size_of(rows: list[Row]) -> str:
    """The split and its size, taken from the row with the most experiments and steps."""
    sizes = {'experiment': max(row.experiments for row in rows), 'step': max(row.steps for row in rows)}
    said = [counted(size, what) for what, size in sizes.items() if size]
    return f'{rows[0].split}: {", ".join(said)}' if said else rows[0].split


def profiles(rows: list[Row]) -> list[str]:
    return sorted({profile for row in rows for profile in row.stated['profile']})


def versions(rows: list[Row]) -> list[str]:
    """The versions of the set; `1` stands for scored sessions that state none where others do."""
    stated = {tuple(row.stated['set_version']) or ('',) for row in rows if row.scores} or {('',)}
    return sorted({version or '1' for those in stated for version in those}) if stated != {('',)} else []


def short(mode: Mode, name: str) -> str:
    """The name of a column: `E-Num`."""
    return f'{PREFIX[mode]}-{metric(name).short}'


PASS_NOTE = 'pass^k: all of k runs of a session are right in every scored step; k is how many runs the row has.'


class RowCondition(NamedTuple):
    """A condition of a row: the name of its column, its value, empty if it is not known, and how it is said."""

    name: str
    of: Callable[[Row], str]
    said: str
    unstated: str = ''
    """The value of rows that state none beside rows that do."""

    def shown(self, row: Row) -> str:
        """Its cell where rows differ in it."""
        return (self.of(row) or self.unstated if row.scored else '') or '–'


def _scored(row: Row) -> str:
    return ' '.join([' and '.join(row.scales), *(f'({version})' for version in row.stated['scored_by'])])


CONDITIONS = (
    RowCondition('Set', lambda row: ' and '.join(row.stated['set_version']), 'version {} of the set', '1'),
    RowCondition('Scored by', _scored, 'scored by profile {}'),
    RowCondition('Kernels', lambda row: ' and '.join(row.stated['environment']), 'kernel environment {}'),
    RowCondition('Agent', lambda row: ' and '.join(row.stated['agent']), 'agent {}'),
    RowCondition('Prompt', lambda row: ' and '.join(row.stated['prompt']), 'prompt: {}'),
    RowCondition('Attempts', lambda row: ' and '.join(row.stated['max_attempts']), 'at most {} attempts'),
    RowCondition('Limits', lambda row: ' and '.join(row.stated['limits']), 'limits: {}'),
    RowCondition('Epochs', lambda row: str(row.epochs), 'epochs: {}'),
)


def shared(rows: list[Row]) -> str:
    """The conditions that all rows share, in a sentence; empty if none is known."""
    alike = [(one.said, *values) for one in CONDITIONS if len(values := _values(one, rows)) == 1]
    said = ', '.join(words.format(value) for words, value in alike if value)
    return f'{said[0].upper()}{said[1:]}.' if said else ''


def differing(rows: list[Row]) -> list[RowCondition]:
    """The conditions in which rows differ."""
    return [one for one in CONDITIONS if len(_values(one, rows)) > 1]


def _values(condition: RowCondition, rows: list[Row]) -> set[str]:
    found = {condition.of(row) for row in rows if row.scored}
    return found if found == {''} else {value or condition.unstated for value in found}


def pass_columns(rows: list[Row]) -> dict[str, Mode]:
    """Columns of pass^k -> mode; k is a number where it is that of all rows with several runs."""
    every = {row.epochs for row in rows if row.passes}
    k = every.pop() if len(every) == 1 else 'k'
    return {f'{PREFIX[mode]}-pass^{k}': mode for mode in MODES if any(passed(row, mode) for row in rows)}


def passed(row: Row, mode: Mode) -> Score | None:
    """The pass^k of a row in all its runs, if it has one and lacks no session."""
    return row.passes.get(Pass(mode, True, row.epochs)) if row.whole else None


def leaderboard_table(rows: list[Row]) -> Table:
    """The board of a split."""
    board, columns, conditions = main_table(rows), pass_columns(rows), differing(rows)
    more = [
        [Cell.of(passed(row, mode)) for mode in columns.values()] + [Cell(one.shown(row)) for one in conditions]
        for row in rows
    ]
    return replace(
        board,
        title=size_of(rows),
        header=[*board.header, *columns, *(one.name for one in conditions)],
        lines=[[*line, *cells] for line, cells in zip(board.lines, more, strict=True)],
        note=' '.join(filter(None, [shared(rows), PASS_NOTE if columns else ''])),
        remarks=len(conditions),
    )
