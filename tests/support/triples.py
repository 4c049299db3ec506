"""Triples of plots: a gold, a right answer in another dress, a wrong answer; drawn in kernels and scored.

    python -m tests.support.triples [FILE ...]        (default: all files of tests/evaluators/comparing/triples)

A file is named by the kind of its plots and has plotting code in cells:

    # %% setup                                what all cells use, beside `plt`, `np`, `pd`, `sns` and `data/`
    # %% gold: the mean of each species       code that draws one plot, which is shown behind it
    # %% right: bars drawn by pandas          other code for the same plot, in a dress that no question forbids
    # %% right, before: a style sheet         code that runs before the gold's
    # %% right, before show: a grid           code that runs before the gold's plot is shown
    # %% wrong: median for mean               other code for another plot
    # %% wrong, changed: median for mean      the gold's code with other lines for those that stand behind `#-`
    # %% wrong, before: data reversed
    # %% wrong, before show: y axis inverted

The answers that follow a gold are answers to it. What a cell assigns, no other cell sees. Beside its own right answers
each gold has one of the DRESSES, in turn, and DRESSES_EACH of them in the folder `held_out`, which is reported apart.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import cibench_eval.datasets
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.plots import Plot
from cibench_eval.schema import Figure, Step
from tests.support.scoring import LIBRARIES, Graded, links, score_step

FOLDER = Path(__file__).parents[1] / 'evaluators' / 'comparing' / 'triples'
HELD_OUT = 'held_out'
DATASOURCES = Path(cibench_eval.datasets.__file__).parent / 'builtin' / 'datasources'
RIGHT, WRONG = 0.9, 0.6
"""A right answer scores at least RIGHT, a wrong one at most WRONG."""
CELL = re.compile(r'^# %% (setup|gold|right|wrong)(?:, (before|before show|changed))?(?:: (.+))?\n', re.MULTILINE)
CHANGE = re.compile(r'((?:^#- .*\n)+)((?:^(?!#- ).*\n?)*)', re.MULTILINE)
IMPORTS = 'import matplotlib.pyplot as plt\nimport numpy as np\nimport pandas as pd\nimport seaborn as sns\n'
SHOW = 'plt.show()'
DRESSES = {
    'tight layout': ('', 'plt.tight_layout()'),
    'a larger figure': ('', 'plt.gcf().set_size_inches(10, 6)'),
    'a grid': ('', 'plt.grid(True, alpha=0.4)'),
    'more dots an inch': ('', 'plt.gcf().set_dpi(120)'),
    'a style sheet': ("plt.style.use('ggplot')", ''),
    'a larger font': ("plt.rcParams['font.size'] = 14", ''),
    'a theme of seaborn': ("import seaborn\nseaborn.set_theme(style='darkgrid')", ''),
    'a larger title': ('', "plt.title(plt.gca().get_title(), fontsize=16, fontweight='bold', pad=15)"),
    'turned labels': ('', "plt.tick_params(axis='x', labelrotation=45)"),
    'no frame': ('', 'for spine in plt.gca().spines.values():\n    spine.set_visible(False)'),
    'a dark background': ("plt.style.use('dark_background')", ''),
    'a constrained layout': ("plt.rcParams['figure.constrained_layout.use'] = True", ''),
    'other margins of the figure': ('', 'plt.subplots_adjust(left=0.2, bottom=0.2, right=0.8)'),
}
"""Code before a gold's code, and before it shows the figure: habits that do not change what is plotted."""
DRESSES_EACH = 3
SETUP = """\
import matplotlib.pyplot as plt

def show():
    for number in plt.get_fignums():
        bundle, _ = get_ipython().display_formatter.mimebundle_formatter(plt.figure(number))
        print(*bundle.values())

plt.show = show
"""
"""Figures are described as those that are shown, without the time that drawing takes."""
RUN = """\
with plt.rc_context():
    exec(compile({code!r}, {why!r}, 'exec'), dict(globals()))
plt.close('all')
"""


@dataclass
class Answer:
    """An answer's code, whether it is right, and why; with its score once it is drawn."""

    why: str
    right: bool
    code: str
    score: float = 0.0
    detail: str = ''


@dataclass
class Gold:
    """A gold's code and the answers to it."""

    file: Path
    name: str
    code: str
    answers: list[Answer] = field(default_factory=list)

    def of(self, right: bool) -> list[Answer]:
        """The right answers, or the wrong ones."""
        return [answer for answer in self.answers if answer.right is right]


def files(folder: Path = FOLDER) -> list[Path]:
    """All files of triples, those in `held_out` too."""
    return sorted(folder.rglob('*.py'))


def read(file: Path) -> tuple[str, list[Gold]]:
    """A file's setup and its golds with their answers.

    Raises:
        AssertionError: a line looks like the head of a cell and is none.
    """
    text = file.read_text()
    strange = [line for line in text.splitlines() if line.startswith('# %%') and not CELL.match(f'{line}\n')]
    assert not strange, f'{file.name}: no cell: {strange[0]}'
    parts = CELL.split(text)[1:]
    setup, golds = IMPORTS, list[Gold]()
    for what, place, why, code in zip(*(parts[start::4] for start in range(4)), strict=True):
        if what == 'setup':
            setup += code
        elif what == 'gold':
            golds.append(Gold(file, why, f'{code.strip()}\n{SHOW}'))
        else:
            golds[-1].answers.append(Answer(why, what == 'right', _code(golds[-1].code, place, code.strip())))
    each = DRESSES_EACH if HELD_OUT in file.parts else 1
    for number, gold in enumerate(golds):
        gold.answers += _dressed(gold.code, number + sum(map(ord, file.stem)), each)
    return setup, golds


def _code(gold: str, place: str | None, code: str) -> str:
    """The code of an answer given whole, as code before the gold's or before its figure is shown, or as changes."""
    if place == 'before':
        return f'{code}\n{gold}'
    if place == 'before show':
        body, show, _ = gold.rpartition(SHOW)
        return f'{body}{code}\n{show}'
    if place == 'changed':
        for old, new in CHANGE.findall(f'{code}\n'):
            before, found, behind = f'{gold}\n'.rpartition(old.replace('#- ', ''))
            assert found, f'not in the gold: {old}'
            gold = f'{before}{new}{behind}'.strip()
        return gold
    return f'{code}\n{SHOW}'


def _dressed(gold: str, number: int, each: int) -> list[Answer]:
    """The gold in so many of the dresses, others for each number."""
    names = [*DRESSES] * 2
    first = number * each % len(DRESSES)
    chosen = names[first : first + each]
    return [
        Answer(name, True, _code(f'{DRESSES[name][0]}\n{gold}', 'before show', DRESSES[name][1])) for name in chosen
    ]


async def draw(file: Path) -> list[Gold]:
    """The golds of a file, with each answer's score."""
    setup, golds = read(file)
    settings = KernelSettings(sandbox='auto', datasources=DATASOURCES, preload=LIBRARIES)
    async with Interpreter(settings) as interpreter:
        started = await interpreter.run(SETUP + setup)
        assert not started.error, f'{file.name}: setup: {started.error}'

        async def run(code: str, why: str) -> list[Figure]:
            done = await interpreter.run(RUN.format(code=code, why=f'{file.name}: {why}'))
            assert not done.error, f'{file}: {why}: {done.error.name}: {done.error.value}'
            plots = [Plot.read(line) for line in done.stdout.splitlines()]
            assert plots and all(plots), f'{file}: {why}: no figure, or none that is described'
            return [Figure.of(b'%d' % number, plot) for number, plot in enumerate(plots)]

        for gold in golds:
            target = await run(gold.code, gold.name)
            for answer in gold.answers:
                found = score(target, await run(answer.code, f'{gold.name}: {answer.why}'), gold.name)
                answer.score, answer.detail = float(found.score or 0), found.detail
    return golds


def score(gold: list[Figure], answer: list[Figure], question: str) -> Graded:
    """The score of a step whose gold output are these figures, as `strict` has it."""
    step = Step(index=0, question=question, code='', kind='vis', figure=gold[0], more_figures=gold[1:])
    with tempfile.TemporaryDirectory() as folder:
        return score_step([links(*(figure.save(Path(folder)) for figure in answer))], step, figures=folder)


async def draw_all(those: list[Path], at_once: int = 2) -> list[Gold]:
    """The golds of all these files."""
    slots = asyncio.Semaphore(at_once)

    async def one(file: Path) -> list[Gold]:
        async with slots:
            return await draw(file)

    return [gold for golds in await asyncio.gather(*map(one, those)) for gold in golds]


@dataclass(frozen=True)
class Shares:
    """Numbers of right and wrong answers and triples, and the shares of them that score as they should."""

    right: int
    wrong: int
    triples: int
    high: float
    """Of right answers: at least RIGHT."""
    low: float
    """Of wrong answers: at most WRONG."""
    ordered: float
    """Of triples: the right answer scores more than the wrong one."""

    @classmethod
    def of(cls, golds: list[Gold]) -> Shares:
        rights = [answer.score for gold in golds for answer in gold.of(True)]
        wrongs = [answer.score for gold in golds for answer in gold.of(False)]
        pairs = [(one.score, other.score) for gold in golds for one in gold.of(True) for other in gold.of(False)]
        return cls(
            len(rights),
            len(wrongs),
            len(pairs),
            _share(value >= RIGHT for value in rights),
            _share(value <= WRONG for value in wrongs),
            _share(right > wrong for right, wrong in pairs),
        )

    def __str__(self) -> str:
        counts = f'{self.right:6} {self.wrong:6} {self.triples:8}'
        return f'{counts} {self.ordered:9.1%} {self.high:11.1%} {self.low:11.1%}'


def _share(those) -> float:
    found = list(those)
    return sum(found) / len(found) if found else 1.0


def report(golds: list[Gold]) -> str:
    """A table by kind of plot, with held-out files apart, and a line for each misjudged answer."""
    lines = [f'{"":16} {"right":>6} {"wrong":>6} {"triples":>8} {"in order":>9} {"right high":>11} {"wrong low":>11}']
    for apart in (False, True):
        part = [gold for gold in golds if (HELD_OUT in gold.file.parts) is apart]
        for kind in dict.fromkeys(gold.file.stem for gold in part):
            lines.append(f'{kind:16} {Shares.of([gold for gold in part if gold.file.stem == kind])}')
        if part:
            lines.append(f'{"held out" if apart else "all":16} {Shares.of(part)}\n')
    return '\n'.join([*lines, *faults(golds)])


def faults(golds: list[Gold]) -> list[str]:
    """A line for each misjudged answer, which names it."""
    return [_fault(gold, answer) for gold in golds for answer in gold.answers if _wrong(answer)]


def _wrong(answer: Answer) -> bool:
    return answer.score < RIGHT if answer.right else answer.score > WRONG


def _fault(gold: Gold, answer: Answer) -> str:
    what = 'right' if answer.right else 'wrong'
    return f'{what} {answer.score:.2f}  {gold.file.stem}: {gold.name}: {answer.why}  [{answer.detail}]'


if __name__ == '__main__':
    parser = argparse.ArgumentParser(description=__doc__.partition('\n')[0])
    parser.add_argument('files', nargs='*', type=Path)
    print(report(asyncio.run(draw_all(parser.parse_args().files or files()))))
