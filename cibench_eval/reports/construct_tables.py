"""The results of a construction for people: topics and coverage, the result of each experiment and its cause."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from cibench_eval.construction.names import Coverage
from cibench_eval.construction.parameters import Parameter
from cibench_eval.construction.review import ReviewCount
from cibench_eval.construction.tasks import ConstructionReport, Outcome
from cibench_eval.construction.topics import Topics
from cibench_eval.construction.translating import Translation
from cibench_eval.construction.verifying import Verified
from cibench_eval.reports.layout import counted, open_table

AREAS = 12
"""The number of areas of a module that have lines of their own."""
FAULTS = 3
"""The number of faults that are listed for an instance of a template."""
COLOURS = {'clean': 'green', 'refined': 'green', 'given_up': 'red', 'malformed': 'red'}
WORDS = {'given_up': 'given up'}


def topics_table(topics: Sequence[Topics]) -> Table:
    """Topics and coverage of modules, by area."""
    made = open_table('Module', 'Area', 'Names', 'In topics', '%', right=('Names', 'In topics', '%'))
    for one in topics:
        label = f'{one.module} {one.version}'.strip()
        made.add_row(Text(label, 'bold'), Text(_of_topics(one)), *_share(one.coverage))
        for area, *cells in _areas(one.coverage):
            made.add_row('', Text(area), *cells)
    return made


def _of_topics(one: Topics) -> str:
    said = [counted(len(one.topics), 'topic')]
    said += [f'{len(one.dropped)} dropped as the same'] if one.dropped else []
    said += [f'{counted(one.unknown_names, "name")} that it has not'] if one.unknown_names else []
    said += [one.problem] if one.problem else []
    return ', '.join(said)


def _share(found: Sequence[Coverage]) -> tuple[str, str, str]:
    names, covered = sum(one.names for one in found), sum(one.covered for one in found)
    return f'{names:,}', f'{covered:,}', f'{100 * covered / names:.1f}' if names else '–'


def _areas(found: Sequence[Coverage]) -> list[tuple[str, str, str, str]]:
    shown = [(one.area, *_share([one])) for one in found[:AREAS]]
    rest = found[AREAS:]
    return [*shown, *([(f'({len(rest)} smaller areas)', *_share(rest))] if rest else [])]


def print_report(
    report: ConstructionReport, covered: Mapping[str, Sequence[Coverage]], folder: Path, console: Console
) -> None:
    """Print the result of each topic, the causes of failures, and a summary."""
    made = open_table('Experiment', 'Result', 'Steps', 'Versions', 'Faults', right=('Steps', 'Versions'))
    for one in report.outcomes:
        made.add_row(Text(one.id), Text(WORDS.get(one.result, one.result), COLOURS[one.result]), *_cells(one))
    console.print(made, *_causes(report), *_summary(report, covered, folder), sep='\n')


def _cells(one: Outcome) -> tuple[str, str, Any]:
    counts = [', '.join(f'{code} {number}' for code, number in faults.items()) or 'none' for faults in one.history]
    cause = one.cause.partition(';')[0]  # all of it stands below the table
    return str(one.steps or '–'), str(one.versions), Text(' → '.join(counts) or cause)


def _causes(report: ConstructionReport) -> list[Text]:
    """The faults of experiments that were given up, and why there is no later version."""
    lines = []
    for one in report.outcomes:
        if one.result in ('clean', 'refined'):
            continue
        lines.append(Text(f'\n{one.id}: {one.topic}', 'bold'))
        for fault in one.faults:
            step = f'step {fault.step}: ' if fault.step else ''
            lines.append(Text(f'  {step}{fault.code}: {fault.text}'))
        if one.cause:
            lines.append(Text(f'  {one.cause}'))
    return lines


def _summary(report: ConstructionReport, covered: Mapping[str, Sequence[Coverage]], folder: Path) -> list[Text]:
    results = Counter(one.result for one in report.outcomes)
    steps = sum(one.steps for one in report.good)
    share = 100 * len(report.good) / len(report.outcomes) if report.outcomes else 0
    counts = ', '.join(f'{number} {WORDS.get(result, result)}' for result, number in results.items())
    made = f'{len(report.good)} of {len(report.outcomes)} experiments ({share:.0f} %), {steps} steps'
    lines = [f'\n{made}, by {report.model}: {counts}']
    for module, found in covered.items():
        names, hit, percent = _share(found)
        lines.append(f'{module}: the gold code uses {hit} of {names} documented names ({percent} %)')
    lines.append(f'{folder}: nothing in it is reviewed yet but what its review.jsonl says')
    return [Text(line) for line in lines]


def parameters_table(title: str, parameters: Sequence[Parameter]) -> Table:
    """The parameters of a template, and the steps that have them."""
    made = open_table('Parameter', 'Kind', 'Value', 'In questions', 'In code', title=title)
    for one in parameters:
        steps = (', '.join(map(str, sorted(those))) or '–' for those in (one.asked, one.coded))
        made.add_row(Text(one.name), one.kind, Text(str(one.value)), *steps)
    return made


def filled_table(filled: Mapping[str, Verified]) -> Table:
    """The results of the instances of templates."""
    made = open_table('Experiment', 'Result', 'Steps', 'Faults', right=('Steps',))
    for name, one in filled.items():
        counts = Counter(fault.code for fault in one.faults)
        state = Text('clean', 'green') if one.clean else Text('left out', 'red')
        said = ', '.join(f'{code} {number}' for code, number in counts.items()) or 'none'
        made.add_row(Text(name), state, str(len(one.outputs)), said)
    made.add_section()
    made.add_row(f'{sum(one.clean for one in filled.values())} of {len(filled)} are clean')
    return made


def filled_causes(filled: Mapping[str, Verified]) -> list[Text]:
    """The faults of instances that were left out; failing code stands first, since other faults follow from it."""
    lines = []
    for name, one in filled.items():
        faults = sorted(one.faults, key=lambda fault: (fault.code != 'fails', fault.step or 0))
        for fault in faults[:FAULTS]:
            step = f'step {fault.step}, ' if fault.step else ''
            lines.append(Text(f'{name}, {step}{fault.code}: {fault.text}'))
        if len(faults) > FAULTS:
            lines.append(Text(f'{name}: {len(faults) - FAULTS} more'))
    return lines


def translation_table(found: Mapping[str, Translation]) -> Table:
    """The result of the twin of each experiment."""
    made = open_table('Experiment', 'Twin', 'Steps', 'The same', 'Rounds', right=('Steps', 'The same', 'Rounds'))
    for name, one in found.items():
        state = Text('written', 'green') if one.whole and not one.cause else Text('none', 'red')
        counts = len(one.steps), len(one.steps) - len(one.differing), len(one.rounds)
        made.add_row(Text(name), state, *map(str, counts))
    written = sum(one.whole and not one.cause for one in found.values())
    made.add_section()
    made.add_row(f'{written} of {len(found)} have their twin')
    return made


def translation_causes(found: Mapping[str, Translation]) -> list[Text]:
    """The causes why experiments have no twin."""
    lines = []
    for name, one in found.items():
        if one.cause:
            lines.append(Text(f'{name}: {one.cause}'))
        for step in one.differing:
            lines.append(Text(f'{name}, step {step.number}: {step.why}'))
    return lines


def review_table(counts: Sequence[ReviewCount]) -> Table:
    """The progress of the review of each experiment."""
    numbers = ('Steps', 'Accepted', 'Rejected', 'Open')
    made = open_table('Experiment', *numbers, right=numbers)
    for one in counts:
        left = one.steps - one.accepted - one.rejected
        style = 'green' if one.done else 'red' if one.rejected else ''
        made.add_row(Text(one.notebook, style), *map(str, (one.steps, one.accepted, one.rejected, left)))
    steps, taken, refused = (sum(getattr(one, key) for one in counts) for key in ('steps', 'accepted', 'rejected'))
    whole = f'{sum(one.done for one in counts)} of {len(counts)} accepted whole'
    made.add_section()
    made.add_row(whole, *map(str, (steps, taken, refused, steps - taken - refused)))
    return made
