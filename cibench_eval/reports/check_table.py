"""The report of a check for people: a table of findings by notebook, and a summary."""

from collections.abc import Iterator

from rich.table import Table
from rich.text import Text

from cibench_eval.reports.layout import counted, open_table
from cibench_eval.schema import StepKind
from cibench_eval.sets.checking.findings import AuditReport, CheckFinding, CheckReport
from cibench_eval.terminal import new_console

COLOURS = {'defect': 'red', 'note': 'yellow'}
NARROW = 60
"""The least width of the table in characters; a narrower terminal cuts its lines."""


def print_check(report: CheckReport) -> None:
    """Print the findings and the summary of a check."""
    console = new_console()
    listed = [finding for finding in report.findings if not _weakness(finding)]
    if listed:
        made = table(listed)
        made.width = NARROW if console.width < NARROW else None
        console.print(made, crop=False)
        console.print()
    fixes = {(finding.code, finding.fix): finding.severity for finding in [*listed, *report.defects]}
    for (code, fix), severity in fixes.items():
        console.print(Text.assemble((code, COLOURS[severity]), f': {fix}'))
    if report.audit:
        console.print(audit_table(report.audit), crop=False)
        console.print()
    for line in summary(report):
        console.print(Text(line))
    number = len(report.defects)
    verdict = f'{number} defect{"s" * (number > 1)}' if number else 'no defect'
    console.print(Text(verdict, 'bold red' if report.defects else 'bold green'))


def _weakness(finding: CheckFinding) -> bool:
    """Whether a finding concerns a scoring profile more than a step; there may be one for every figure."""
    return finding.code == 'trivial' and finding.severity == 'note'


def table(findings: list[CheckFinding]) -> Table:
    """The findings by notebook; notes stand in parentheses, and notes of one code share a line."""
    made = open_table()
    made.add_column('Step', overflow='fold', max_width=12)
    made.add_column('Finding', no_wrap=True)
    made.add_column('What', overflow='fold', ratio=1)
    last = ''
    for steps, finding in _merged(findings):
        name = f'{finding.set}: {finding.notebook or "the whole set"}'
        if name != last:
            made.add_row('', '', '') if last else None
            made.add_row('', Text(''), Text(name, 'bold'))
        last = name
        code = finding.code if finding.severity == 'defect' else f'({finding.code})'
        made.add_row(steps, Text(code, COLOURS[finding.severity]), Text(finding.text))
    return made


def audit_table(audit: AuditReport) -> Table:
    """How many steps of each library were answered without data."""
    numbers = ('steps', 'need data', 'answered', '%')
    made = open_table(Text(f'{audit.model} without data'), *numbers, right=numbers)
    for part in audit.parts:
        share = '–' if part.share is None else f'{part.share:.1f}'
        place = Text(f'{part.set}/{part.library}'.rstrip('/'))
        made.add_row(place, str(part.scored), str(part.need_data), str(part.answered), share)
    return made


def _merged(findings: list[CheckFinding]) -> Iterator[tuple[str, CheckFinding]]:
    """Findings with the numbers of their steps; the first note of a code in a notebook stands for all of them."""
    groups: dict[tuple[str, ...], list[CheckFinding]] = {}
    for number, finding in enumerate(findings):
        alone = '' if finding.severity == 'note' else str(number)
        groups.setdefault((finding.set, finding.notebook, finding.code, finding.severity, alone), []).append(finding)
    for those in groups.values():
        steps = ', '.join(str(finding.step) for finding in those if finding.step is not None)
        more = f' (step {those[0].step}; the others alike)' if len(those) > 1 else ''
        yield steps, those[0].model_copy(update={'text': those[0].text + more})


def summary(report: CheckReport) -> list[str]:
    """The check in a few lines."""
    kinds = ', '.join(f'{number} {kind}' for kind, number in report.kinds.items())
    notes = len(report.findings) - len(report.defects)
    return [
        report.path,
        f'{counted(report.experiments, "experiment")}, {counted(report.steps, "step")} ({kinds or "none"})',
        f'{report.clean} of {report.experiments} without a defect, {counted(notes, "note")}',
        f'{counted(report.repeats, "run")} of each step in {report.environment}, sandbox {report.sandbox}: '
        f'{report.seconds:.0f} s',
        *(_audited(report.audit) if report.audit else []),
        *_weak(report),
        *(_baseline(profile, scores) for profile, scores in report.baseline.items() if scores),
    ]


def _audited(audit: AuditReport) -> list[str]:
    need, answered = sum(part.need_data for part in audit.parts), sum(part.answered for part in audit.parts)
    share = f' ({100 * answered / need:.1f} %)' if need else ''
    partly = sum(not step.answered for step in audit.steps)
    return [
        f'{audit.model} answers {answered} of {need} steps{share} without the data that the gold code needs, '
        f'{partly} more in part ({audit.profile}); its sessions: {audit.folder}'
    ]


def _weak(report: CheckReport) -> list[str]:
    steps = {(finding.set, finding.notebook, finding.step) for finding in report.findings if _weakness(finding)}
    words = f'a trivial answer passes by a profile other than {report.profile}: {counted(len(steps), "step")}'
    return [f'{words} (notes, not in the table)'] if steps else []


def _baseline(profile: str, scores: dict[StepKind, float]) -> str:
    words = ', '.join(f'{kind} {score:.1f} %' for kind, score in scores.items())
    return f'no-question baseline: {words} ({profile})'
