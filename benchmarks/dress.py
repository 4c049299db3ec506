"""Whether `strict` Vis sees what a plot shows, or its layout: the plots of the built-in set, dressed up and falsified.

    python benchmarks/dress.py [--only 'cibench_template/seaborn/*' ...] [--environment modern] [--at-once 2]
    python benchmarks/dress.py --show        and each plot whose score is not as it should be

The gold code of each experiment runs in a sandboxed kernel. That of a step with a figure runs several times: as it is
(which is the gold here, whatever machine made that of the notebooks), in each dress, and with each sort of wrong data.

- A dress is code that runs before the gold's own or before it shows its figure: habits that no question forbids.
- Wrong data are drawn because the plotting calls of the kernel are patched (`wrong_data.py`); the code stays as it is.

The table has the mean score × 100 by kind of plot. Goals: right dress at least 95, wrong data at most 40. A plot that
is the same with other data, as a symmetrical one in reverse, or that cannot be drawn so, is not counted. A step is
drawn nine times; `--only` takes `<split>/<id>` of experiments, or patterns of them.
"""

import argparse
import asyncio
import os
import re
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from cibench_eval.datasets import load_experiments  # noqa: E402
from cibench_eval.datasets.builtin_sets import builtin_folder  # noqa: E402
from cibench_eval.interpreter import Interpreter, KernelSettings  # noqa: E402
from cibench_eval.interpreter.pool import KernelPool  # noqa: E402
from cibench_eval.schema import CibenchError, Execution, Experiment  # noqa: E402
from tests.support.triples import score  # noqa: E402

SPLITS = ('cibench_generation', 'cibench_template')
DRESSES = {
    'tight': ('', 'plt.tight_layout()'),
    'grid': ('', 'for _axes in plt.gcf().axes:\n    _axes.grid(True)'),
    'dpi': ('', 'plt.gcf().set_dpi(120)'),
    'style': ("plt.style.use('ggplot')", ''),
    'all four': (
        "plt.style.use('ggplot')",
        'for _axes in plt.gcf().axes:\n    _axes.grid(True)\nplt.gcf().set_dpi(120)\nplt.tight_layout()',
    ),
}
"""Code before the gold's, and before it shows its figure."""
CHANGES = ('negate', 'reverse', 'permute')
HIGH, LOW = 95, 40
"""Goals: the least of a right dress, the most of wrong data."""
KINDS = {
    'image': r'\.imshow\(|heatmap\(|matshow\(',
    'box': r'boxplot\(',
    'pie': r'\.pie\(',
    'histogram': r'\.hist\(|histplot\(',
    'density': r'kdeplot\(',
    'bars': r'\.barh?\(|barplot\(|countplot\(',
    'scatter': r'scatter(plot)?\(|regplot\(',
    'area': r'fill_between\(|stackplot\(|axvspan\(',
    'line': r'\.plot\(|\.step\(|lineplot\(|pointplot\(',
}
"""A plot is of the first kind whose call is in its code."""
MODULE = '_wrong_data'
START = f"""\
import sys, types
import matplotlib.pyplot as plt
sys.modules['{MODULE}'] = types.ModuleType('{MODULE}')
exec({(REPO / 'benchmarks' / 'wrong_data.py').read_text()!r}, vars(sys.modules['{MODULE}']))
"""
SHOW = 'plt.show()'
RUN = """\
with plt.rc_context():
    sys.modules['{module}'].change = {change!r}
    try:
        exec({code!r})
    finally:
        sys.modules['{module}'].change = ''
        plt.close('all')
"""


@dataclass(frozen=True)
class Found:
    """The score of one plot drawn in one way; None where it is the gold's picture, or there is none."""

    place: str
    kind: str
    way: str
    score: float | None
    detail: str

    @property
    def as_it_should_be(self) -> bool:
        if self.score is None:
            return True
        return self.score * 100 >= HIGH if self.way in DRESSES else self.score * 100 <= LOW


def experiments(environment: str, only: list[str]) -> list[tuple[str, Experiment]]:
    """Those with figures, by `<split>/<id>`."""
    root = builtin_folder('builtin', environment)
    named = [(f'{split}/{one.id}', one) for split in SPLITS for one in load_experiments(root / split)]
    chosen = [(name, one) for name, one in named if not only or any(fnmatchcase(name, pattern) for pattern in only)]
    if not chosen:
        raise CibenchError(f'--only: {only} match none of {len(named)} experiments, such as {named[0][0]}')
    return [(name, one) for name, one in chosen if any(step.kind == 'vis' for step in one.steps)]


def kind_of(code: str) -> str:
    return next((kind for kind, pattern in KINDS.items() if re.search(pattern, code)), 'other')


def dressed(code: str, before: str, after: str) -> str:
    """The gold's code with what runs before it, and before it shows its figure."""
    body, show, rest = code.rpartition(SHOW)
    return '\n'.join([before, body, after, show + rest])


def ways(code: str) -> Iterator[tuple[str, str]]:
    """Each way to draw a plot: its name and what the kernel runs."""
    for name, (before, after) in DRESSES.items():
        yield name, RUN.format(module=MODULE, change='', code=dressed(code, before, after))
    for change in CHANGES:
        yield change, RUN.format(module=MODULE, change=change, code=code)


async def replay(name: str, experiment: Experiment, interpreter: Interpreter) -> list[Found]:
    """A session of an experiment's gold code, the figures drawn in all ways."""
    await _run(interpreter, START, name)
    found: list[Found] = []
    for step in experiment.steps:
        place = f'{name} {step.index}'
        gold = await _run(interpreter, step.code, place)
        if step.kind == 'vis':
            for way, code in ways(step.code):
                done = await interpreter.run(code)
                found.append(Found(place, kind_of(step.code), way, *compared(gold, done, step.question)))
    return found


async def _run(interpreter: Interpreter, code: str, place: str) -> Execution:
    done = await interpreter.run(code)
    if done.error:
        raise CibenchError(f'{place}: {done.error.name}: {done.error.value}')
    return done


def compared(gold: Execution, answer: Execution, question: str) -> tuple[float | None, str]:
    """The score of an answer's figures, and why."""
    if answer.error:
        return None, f'{answer.error.name}: {answer.error.value}'
    if [one.sha256 for one in answer.figures] == [one.sha256 for one in gold.figures]:
        return None, 'the same picture'
    graded = score(gold.figures, answer.figures, question)
    return float(graded.score or 0), graded.detail


async def measure(chosen: list[tuple[str, Experiment]], environment: str, at_once: int) -> list[Found]:
    """All experiments, some sessions at a time."""
    settings = KernelSettings(environment=environment, sandbox='auto', datasources=chosen[0][1].datasources)
    slots = asyncio.Semaphore(at_once)

    async def session(name: str, experiment: Experiment) -> list[Found]:
        async with slots, Interpreter(settings, pool) as interpreter:
            found = await replay(name, experiment, interpreter)
        Console(stderr=True).print(f'{name}: {len(found)} plots', highlight=False)
        return found

    async with KernelPool(settings) as pool:
        return [one for found in await asyncio.gather(*(session(*pair) for pair in chosen)) for one in found]


def table(found: list[Found]) -> Table:
    """Mean scores by kind of plot and way of drawing it, with the number of plots."""
    shown = Table('kind of plot', 'plots', *DRESSES, 'right dress', *CHANGES, 'wrong data', box=None)
    by_kind: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        by_kind[one.kind].append(one)
    for kind, those in [*sorted(by_kind.items()), ('all', found)]:
        places = {one.place for one in those}
        groups = [*([way] for way in DRESSES), DRESSES, *([way] for way in CHANGES), CHANGES]
        columns = [mean(those, group) for group in groups]
        shown.add_row(kind, str(len(places)), *columns)
    return shown


def mean(found: list[Found], ways: Collection[str]) -> str:
    """The mean × 100 of what is drawn in some ways."""
    scores = [one.score for one in found if one.score is not None and one.way in ways]
    return f'{100 * sum(scores) / len(scores):.1f}' if scores else '–'


def main() -> None:
    made = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    made.add_argument('--only', nargs='+', default=[], help='<split>/<id>, or patterns of them')
    made.add_argument('--environment', default='modern')
    made.add_argument('--at-once', type=int, default=len(os.sched_getaffinity(0)), help='sessions')
    made.add_argument('--show', action='store_true', help='each plot that is not scored as it should be')
    args = made.parse_args()
    found = asyncio.run(measure(experiments(args.environment, args.only), args.environment, args.at_once))
    console = Console(width=160)
    console.print(table(found))
    left_out = sum(one.score is None for one in found)
    console.print(f'goals: right dress at least {HIGH}, wrong data at most {LOW}; {left_out} drawings not counted')
    for one in found:
        if args.show and (not one.as_it_should_be or one.score is None):
            value = '–' if one.score is None else f'{100 * one.score:.0f}'
            console.print(f'{one.way} {value} {one.place} ({one.kind}): {one.detail}', highlight=False, soft_wrap=True)


if __name__ == '__main__':
    main()
