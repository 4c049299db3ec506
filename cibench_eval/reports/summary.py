"""All tables of a run on a terminal, in a notebook, as Markdown and as CSV."""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.text import Text

from cibench_eval.analysis.results import RAN, WHOLE
from cibench_eval.evaluators import find_profile
from cibench_eval.evaluators.failures.categories import BY_RULES
from cibench_eval.evaluators.failures.execution_rules import SESSION_OVER
from cibench_eval.evaluators.metrics import known_metrics
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import money
from cibench_eval.reports.layout import Table, clock, counted, csv_text, escape, rounded
from cibench_eval.reports.rows import COLUMNS, Row, SplitPart
from cibench_eval.reports.scores import AVERAGE, AVERAGED, MODES, Pass, Score, key_of
from cibench_eval.reports.tables import PARTS, pass_kinds, profiles, short, tables_of, versions
from cibench_eval.schema import NO_FAILURE, StepOutcome
from cibench_eval.terminal import new_console

LEGEND = 'E end-to-end, O oracle; Avg is the mean of Num, Text and Vis over both modes; – is no such step or no result.'
WHOLE_LEGEND = 'Whole is the share of sessions in which every scored step ended right, over both modes.'
SPANS = 'With each figure stands its 95 % interval, estimated from how much the experiments differ.'
SCALES = 'Scores by different profiles or options are on different scales, and are not ranked.'
RANKS = 'rank: the places by Avg that a model may have among those with intervals, as small differences may be chance.'
WIDTH = 80
"""Characters that a table needs. A narrower terminal breaks its lines, but cuts no score."""
IN_FILES = 100
"""Characters of a line in a file or a pipe, so that names of models are rarely broken."""
OF_WORDS = ('prompt', 'limits')
"""Conditions whose values may have blanks."""
FOR_PLAIN_CODE = ('code_block', 'tool_calls')
"""Agents that ask for code as chat models write it by themselves."""
MAX_LINES = 40
"""The largest number of lines of a table by parts on a terminal; a longer table stands in the files only."""


def print_tables(rows: list[Row], console: Console | None = None) -> None:
    """Print the tables of each split with its footnotes; in a notebook, show them."""
    console = console or (new_console() if sys.stdout.isatty() else new_console(width=IN_FILES))
    for those in by_split(rows):
        for number, table in enumerate(tables_of(those)):
            console.print()
            if table.title == PARTS and len(table.lines) > MAX_LINES:
                console.print(Text(f'{PARTS}: {len(table.lines)} lines, in the files named below.', style='dim'))
                continue
            print_table(table, console)
            for line in marks(those) if number == 0 else ():
                console.print(Text(line, style='dim'))
        for note in footnotes(those):
            console.print(Text(note, style='yellow'))
        for line in used(those):
            console.print(Text(line, style='dim'))
    console.print(Text(legend(rows), style='dim'))


def print_table(table: Table, console: Console) -> None:
    console.print(Text(table.title), style='italic')
    console.print(table.text(max(console.width, WIDTH)), soft_wrap=True)
    if table.note:
        console.print(Text(table.note, style='dim'))


def to_markdown(rows: list[Row]) -> str:
    """The tables and footnotes as Markdown."""
    lines: list[str] = []
    for those in by_split(rows):
        lines += [line for table in tables_of(those) for line in table.markdown()]
        lines += [*(f'- {escape(note)}' for note in [*marks(those), *footnotes(those), *used(those)]), '']
    return '\n'.join([*lines, legend(rows), ''])


def marks(rows: Sequence[Row]) -> list[str]:
    """What the marks beside figures and names of these rows mean: intervals, ranks."""
    spans = [SPANS] if any(score.bounds for row in rows for score in row.scores.values()) else []
    return spans + ([RANKS] if any(row.rank for row in rows) else [])


def legend(rows: list[Row]) -> str:
    """What the columns of the main table mean."""
    return ' '.join([LEGEND, *([WHOLE_LEGEND] if any(WHOLE in row.scores for row in rows) else [])])


def to_csv(rows: list[Row]) -> str:
    """A line for each model and split, and for each of its parts, with the steps behind each score."""
    return csv_text([line for row in rows for line in _records(row, rows)])


def _records(row: Row, rows: list[Row]) -> Iterator[dict[str, str | int | float]]:
    names = _score_names(rows)
    head = {'split': row.split, 'model': row.model}
    yield {**head, 'part': '', 'star': _star(row), **_columns(row.scores, names), **_about(row, rows)}
    names = [name for name in names if not name.endswith(RAN)]  # which parts do not have
    for part in (one for category in row.parts for one in (category, *category.libraries)):
        yield {**head, 'part': part.name, 'star': _star(part), **_columns(part.scores, names)}


def _star(of: Row | SplitPart) -> str:
    return '' if of.whole else '*'


def _score_names(rows: list[Row]) -> list[str]:
    """The names of the columns: the scores of the paper's table, and other scores that a row has."""
    paper = [key_of(mode, name) for mode, name in COLUMNS]
    order = [key_of(mode, metric.name + end) for end in ('', RAN) for mode in MODES for metric in known_metrics()]
    there = {name for row in rows for name in row.scores}
    order += [key_of(mode, WHOLE) for mode in MODES]
    return [*paper, AVERAGE, WHOLE, *(name for name in order if name in there and name not in paper)]


def _columns(scores: dict[str, Score], names: list[str]) -> dict[str, str | int | float]:
    made: dict[str, str | int | float] = {}
    for name in names:
        made |= _column(name.replace(' ', '_'), scores.get(name))
    return made


def _column(name: str, score: Score | None) -> dict[str, str | int | float]:
    low, high = map(rounded, score.bounds[:2]) if score and score.bounds else ('', '')
    steps = {} if name == AVERAGE or name.endswith(WHOLE) else {f'{name}_steps': score.steps if score else 0}
    return {name: rounded(score.value) if score else '', **steps, f'{name}_low': low, f'{name}_high': high}


def _about(row: Row, rows: list[Row]) -> dict[str, str | int | float]:
    """The columns of a row that are no scores, and its passes."""
    made: dict[str, str | int | float] = {
        'rank': row.rank,
        'experiments': row.experiments,
        'epochs': row.epochs,
        'missing': ', '.join(name for names in row.missing.values() for name in names),
        'harness_errors': row.harness_errors,
        **{name: value if name == 'cost' else round(value, 4) for name, value in row.usage.model_dump().items()},
        **{name: (', ' if name in OF_WORDS else ' ').join(values) for name, values in row.stated.items()},
    }
    for one in (Pass(mode, *kind) for mode in MODES for kind in pass_kinds(rows)):
        made |= _column(one.name.replace('/', '_'), row.passes.get(one))
    return made


def footnotes(rows: list[Row]) -> list[str]:
    """Notes about the scores of a split; models with the same note share it."""
    mixed, several = len({scale for row in rows for scale in row.scales}) > 1, len(versions(rows)) > 1
    epochs = len({row.epochs for row in rows}) > 1
    models: dict[str, list[str]] = {}
    for row in rows:
        for note in [*_gaps(row), *_conditions(row, mixed, several, epochs), *_silence(row)]:
            models.setdefault(note, []).append(row.model)
    known = [find_profile(name).note for name in profiles(rows)]
    told = [f'{", ".join(those)}: {note}' for note, those in models.items()]
    return [*told, *([SCALES] if mixed else []), *filter(None, known)]


def _silence(row: Row) -> list[str]:
    """What is said where half of the steps or replies came to nothing: scores tell of endpoint or agent first."""
    usage, ends, agents = row.usage, _ends(row), row.stated['agent']
    over = sum(one.cause == SESSION_OVER for _, results in row.scored for one in results.failures)
    others = ' or '.join(name for name in FOR_PLAIN_CODE if name not in agents)
    served = 'mcp' in agents  # there is no model to ask
    empty = 0 if served else usage.empty
    advised = others and agents and not served
    said = [
        (usage.agent_failures, ends.total(), 'steps ended because the agent raised; see cibench show RUN --failed'),
        (
            over,
            ends.total(),
            'steps ended before any code ran, because the limits of the session were used up or its agent failed; '
            'see cibench show RUN --failed',
        ),
        (empty, usage.replies, 'replies were empty; look at its chat template and its max_out_len'),
        (usage.filtered, usage.replies, 'replies were stopped by a content filter of its endpoint'),
        (
            usage.overflowed,
            usage.replies,
            'requests did not fit into its window; look at the length that its server was given',
        ),
        (
            ends['no_tool'] - over if advised else 0,
            ends.total(),
            f'steps called no code in the form that the agent {" or ".join(agents)} asks for; '
            f'if the model writes code in another, try --agents {others}',
        ),
    ]
    return [f'{number} of {whole} {words}' for number, whole, words in said if number and 2 * number >= whole][:1]


def _ends(row: Row) -> Counter[StepOutcome]:
    """How steps of both modes ended."""
    return sum(row.outcomes.values(), Counter())


def used(rows: list[Row]) -> list[str]:
    """The usage of each model that was asked; replays have neither tokens nor seconds."""
    asked = (row for row in rows if row.usage.tokens_in + row.usage.tokens_out + row.usage.model_seconds)
    return [f'{row.model}: {_usage(row)}' for row in asked]


def _usage(row: Row) -> str:
    usage = row.usage
    parts = [
        counted(usage.replies, 'reply'),
        f'{usage.tokens_in:,} tokens in',
        f'{usage.tokens_out:,} out',
        f'{clock(usage.model_seconds)} in the model',
        f'{clock(usage.kernel_seconds)} in kernels',
        *([f'{counted(usage.cached, "reply")} from the cache'] if usage.cached else []),
        *([f'{counted(usage.unmeasured, "reply")} without a count of tokens'] if usage.unmeasured else []),
        *([f'cost {money(usage.cost)}'] if usage.cost else []),
    ]
    return ', '.join(parts)


def _gaps(row: Row) -> Iterator[str]:
    if row.missing:
        names = ', '.join(name for names in row.missing.values() for name in names)
        mend = 'go on with -r, or score it: cibench score RUN'
        yield f'no results for {names}; ' + ('the figures (*) are of the rest' if row.scores else mend)
    yield from (f'not scored: {problem}' for problem in row.problems)
    if row.harness_errors:
        left_out = ', left out of the figures (*)' if row.scores else ''
        yield f'{counted(row.harness_errors, "session")} not finished{left_out}; go on with -r'
    if row.average is None and row.whole:
        lacking = [short(mode, name) for mode in MODES for name in AVERAGED if row.score(mode, name) is None]
        yield f'no Avg, which needs {", ".join(lacking)}'


def _conditions(row: Row, mixed: bool, several: bool, epochs: bool) -> Iterator[str]:
    """Notes on unusual conditions of a row, or conditions in which rows differ."""
    failed = sum(number for end, number in _ends(row).items() if end not in NO_FAILURE)
    steps = [step for _, results in row.scored for step in results.steps]
    judged = Counter(one.judged_by for _, results in row.scored for one in results.failures)
    for judge, number in judged.most_common():
        if judge != BY_RULES:
            yield f'{number} of {failed} failures have the category that {judge} gave them'
    for judge, number in Counter(step.judged_by for step in steps if step.judged_by).items():
        yield f'{counted(number, "answer")} in prose, scored by the verdict of {judge}'
    if for_judge := sum(step.for_judge for step in steps):
        yield (
            f'{counted(for_judge, "answer")} in prose, in other words than the gold: counted as wrong; '
            'a judge can tell what says the same (cibench judge)'
        )
    if 'none' in row.stated['sandbox']:
        yield 'model code ran without a sandbox'
    if mixed and row.scales:
        yield f'scored by profile {" and ".join(row.scales)}'
    if epochs and row.scores:
        yield f'run in {counted(row.epochs, "epoch")}'
    if several and row.scores:
        version = ' and '.join(row.stated['set_version']) or '1'
        yield f'run on version {version} of the set; compare models on one version'


def by_split(rows: list[Row]) -> list[list[Row]]:
    return [*grouped(rows, lambda row: row.split).values()]
