"""Why steps failed: the paper's four categories (§3.3), their causes, and failures that followed from others."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

from cibench_eval.evaluators.failures.categories import CATEGORIES, CAUSES
from cibench_eval.reports.analyses.drawing import stacks
from cibench_eval.reports.analyses.study import Analysis, LackingError, StepRecord, StudiedRuns
from cibench_eval.reports.layout import Cell, Table

FOLLOWED = 'followed from an earlier step'
WIDE = 40
"""Characters that fit into the heads of all columns."""
NOTE = (
    'In % of the failed steps of a column. Causes count the steps whose failure is their own; those that followed '
    'from an earlier step are a guess where `cibench score RUN --replay` has not run them again.'
)


def errors(study: StudiedRuns) -> Analysis:
    """The share of failed steps by category and cause; failures that followed from others count apart (paper, §4.3)."""
    failed = [step for step in study.steps if step.failure]
    if study.steps and not failed:
        raise LackingError('no step has failed')
    groups = study.groups(failed)
    counts = [_counted(steps) for steps in groups.values()]
    sizes = [len(steps) for steps in groups.values()]

    def shares(name: str) -> list[float]:
        return [100 * found[name] / size for found, size in zip(counts, sizes, strict=True)]

    lines = [[Cell('failed steps'), *(Cell(str(size)) for size in sizes)]]
    there = {name for found in counts for name in found}
    of_cause = {name: of for name, (of, _) in CAUSES.items()}
    of_cause |= {tag.cause: tag.category for step in failed if (tag := step.failure)}  # older files have other causes
    causes = {of: [name for name, own in of_cause.items() if own == of and name in there] for of in CATEGORIES}
    for name in (*(one for category in CATEGORIES for one in (category, *causes[category])), FOLLOWED):
        label = f'  {name}' if name in of_cause else name
        lines.append([Cell(label), *(Cell(f'{share:.1f}' if share else '·') for share in shares(name))])
    header, note = _columns(list(groups))
    table = Table('Why steps failed', ['', *header], lines, NOTE + note)
    pieces = {name: shares(name) for name in (*CATEGORIES, FOLLOWED)}
    draw = partial(stacks, names=list(groups), series=pieces, label='% of failed steps')
    return Analysis(table, draw, 1.6 + 0.35 * len(groups))


def _counted(steps: Iterable[StepRecord]) -> Counter[str]:
    """Failures of the steps' own by category and by cause, and those that followed from others."""
    tags = [step.failure for step in steps if step.failure]
    own = [(str(tag.category), tag.cause) if tag.propagated_from is None else (FOLLOWED,) for tag in tags]
    return Counter(name for names in own for name in names)


def _columns(names: list[str]) -> tuple[list[str], str]:
    """The heads of columns and a note: names, or numbers if the names are too wide for a terminal."""
    if sum(map(len, names)) <= WIDE:
        return names, ''
    return [str(number) for number in range(1, len(names) + 1)], ''.join(
        f' {number}: {name}.' for number, name in enumerate(names, 1)
    )
