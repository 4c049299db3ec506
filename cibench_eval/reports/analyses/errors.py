"""Why steps failed: the paper's four categories (§3.3), their causes, and failures that followed from others."""

from __future__ import annotations

from collections import Counter
from functools import partial

from cibench_eval.evaluators.failures.categories import CATEGORIES, CAUSES
from cibench_eval.reports.analyses.drawing import stacks
from cibench_eval.reports.analyses.study import Analysis, LackingError, Study, names_of
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.schema import Mode

FOLLOWED = 'followed from an earlier step'
WIDE = 40
"""Characters that fit into the heads of all columns."""
NOTE = (
    'In % of the failed steps of a column. Causes count the steps whose failure is their own; those that followed '
    'from an earlier step are a guess where `cibench score RUN --replay` has not run them again.'
)


def errors(study: Study) -> Analysis:
    """The share of failed steps by category and cause; failures that followed from others count apart (paper, §4.3)."""
    groups = {key: [step for step in steps if step.failure] for key, steps in study.groups().items()}
    groups = {key: steps for key, steps in groups.items() if steps}
    if not groups:
        raise LackingError('no step has failed')
    names = names_of(groups)
    roots = {
        key: [s.failure for s in steps if s.failure and s.failure.propagated_from is None]
        for key, steps in groups.items()
    }
    counts = {key: Counter(str(one.category) for one in found) for key, found in roots.items()}
    causes = {key: Counter(one.cause for one in found) for key, found in roots.items()}
    sizes = {key: len(steps) for key, steps in groups.items()}

    def line(name: str, found: dict[tuple[str, Mode], int]) -> list[Cell]:
        return [Cell(name), *(Cell(f'{100 * found[key] / sizes[key]:.1f}' if found[key] else '·') for key in groups)]

    lines = [[Cell('failed steps'), *(Cell(str(size)) for size in sizes.values())]]
    for category in CATEGORIES:
        lines.append(line(category, {key: found[category] for key, found in counts.items()}))
        own = [name for name, (of, _) in CAUSES.items() if of == category and any(f[name] for f in causes.values())]
        lines += [line(f'  {name}', {key: found[name] for key, found in causes.items()}) for name in own]
    followed = {key: sizes[key] - counts[key].total() for key in groups}
    lines.append(line(FOLLOWED, followed))
    header, note = _columns(list(names.values()))
    table = Table('Why steps failed', ['', *header], lines, NOTE + note)
    pieces = {category: [100 * counts[key][category] / sizes[key] for key in groups] for category in CATEGORIES} | {
        FOLLOWED: [100 * followed[key] / sizes[key] for key in groups]
    }
    draw = partial(stacks, names=list(names.values()), series=pieces, label='% of failed steps')
    return Analysis('errors', table, draw, 1.6 + 0.35 * len(groups))


def _columns(names: list[str]) -> tuple[list[str], str]:
    """The heads of columns and a note: names, or numbers if the names are too wide for a terminal."""
    if sum(map(len, names)) <= WIDE:
        return names, ''
    return [str(number) for number in range(1, len(names) + 1)], ''.join(
        f' {number}: {name}.' for number, name in enumerate(names, 1)
    )
