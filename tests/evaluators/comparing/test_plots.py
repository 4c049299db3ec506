"""`vis_objects`: plots drawn in a real kernel against variants of themselves, and the way of a score into a summary."""

import asyncio
import itertools
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from cibench_eval.analysis.agreement import _scored
from cibench_eval.evaluators import Options, profile_names
from cibench_eval.evaluators.comparing import plots as plot_objects
from cibench_eval.evaluators.comparing.plots import describes, similarity
from cibench_eval.evaluators.metrics import EMPTY, UNDESCRIBED
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.schema import (
    PLOT_SIZE,
    Action,
    Attempt,
    Execution,
    Experiment,
    Figure,
    Output,
    Plot,
    Reply,
    Step,
    StepTrace,
    Trace,
    plot_file,
)
from cibench_eval.traces import TraceStore
from tests.support.scoring import score_experiment, summarize

pytestmark = pytest.mark.kernel
DRAW = (Path(__file__).parent / 'triples' / 'draw.py').read_text().partition('\nimport matplotlib.pyplot')
START = f"""
import io
from pathlib import Path
import matplotlib.pyplot{DRAW[2].replace('HERE = Path(__file__).parent', '').partition('def figure(')[0]}

def show(plot, *, data=0, color=None, part=1.0, title='Results', size=(4, 3), empty=False):
    _, axes = plt.subplots(figsize=size, dpi=40)
    if not empty:
        PLOTS[plot](axes, data, color, part)
    axes.set_title(title)
    describe()
"""
"""The plots of the triples, described instead of saved."""
DESCRIBE = """
import matplotlib.pyplot as plt

def describe():
    bundle, _ = get_ipython().display_formatter.mimebundle_formatter(plt.gcf())
    print(*bundle.values())
    plt.close('all')
"""
"""What happens to a figure that is shown, without the time that drawing takes."""
KINDS = ('line', 'bars', 'scatter', 'histogram', 'heat', 'pie', 'boxes', 'regression')
VARIANTS = {
    'gold': '',
    'untitled': "title=''",
    'recoloured': "color='tab:orange'",
    'larger': 'size=(5, 3.75)',
    'part': 'part=0.6',
    'other_data': 'data=1',
    'empty': 'empty=True',
}
BETTER_WORSE = (
    ('untitled', 'part'),
    ('untitled', 'other_data'),
    ('larger', 'other_data'),
    ('larger', 'other_plot'),
    ('recoloured', 'other_data'),
    ('recoloured', 'other_plot'),
    ('part', 'empty'),
    ('part', 'blank'),
)
"""The triples of `test_strict_figures.py`."""
WRONG = {('line', 'untitled', 'part'), ('scatter', 'untitled', 'part')}
"""Those that a person would order otherwise."""
PAIRS = {
    'series in another order': (
        "plt.plot([1, 2, 4], label='a'); plt.plot([3, 3, 1], label='b'); plt.legend();",
        "plt.plot([3, 3, 1], label='b'); plt.plot([1, 2, 4], label='a'); plt.legend();",
        1,
    ),
    'names of series swapped': (
        "plt.plot([1, 2, 4], label='a'); plt.plot([3, 3, 1], label='b'); plt.legend();",
        "plt.plot([1, 2, 4], label='b'); plt.plot([3, 3, 1], label='a'); plt.legend();",
        0.4,
    ),
    'one of two series': ('plt.plot([1, 2, 4]); plt.plot([3, 3, 1]);', 'plt.plot([1, 2, 4]);', 2 / 3),
    'points instead of a line': ('plt.plot([1, 2, 4]);', 'plt.scatter([0, 1, 2], [1, 2, 4]);', 0),
    'points by another call': ("plt.plot([1, 2, 4], 'o');", 'plt.scatter([2, 0, 1], [4, 1, 2]);', 1),
    'lying bars': ("plt.bar(['a', 'b'], [1, 2]);", "plt.barh(['a', 'b'], [1, 2]);", 0),
    'bars in another order': ("plt.bar(['a', 'b'], [1, 2]);", "plt.bar(['b', 'a'], [2, 1]);", 0.9),
    'bars under the wrong names': ("plt.bar(['甲', '乙'], [1, 2]);", "plt.bar(['乙', '甲'], [1, 2]);", 0.3),
    'bars by another library': (
        "plt.bar(['a', 'b'], [1, 2]);",
        "import pandas as pd; pd.Series([1, 2], index=['a', 'b']).plot(kind='bar', width=0.5);",
        1,
    ),
    'boxes by another library': (
        "plt.boxplot([[1, 2, 3, 9], [2, 3, 4, 6]]); plt.xticks([1, 2], ['a', 'b']);",
        "import seaborn as sns; sns.boxplot(x=['a'] * 4 + ['b'] * 4, y=[1, 2, 3, 9, 2, 3, 4, 6], color='red');",
        1,
    ),
    'a heat map by another library': (
        'import numpy as np, seaborn as sns; sns.heatmap(np.arange(6.0).reshape(2, 3), annot=True);',
        "plt.imshow([[0, 1, 2], [3, 4, 5]], cmap='Reds'); plt.colorbar();"
        "plt.xticks([0, 1, 2], ['0', '1', '2']); plt.yticks([0, 1], ['0', '1']);",
        1,
    ),
    'a turned image': ('plt.imshow([[0, 1, 2], [3, 4, 5]]);', 'plt.imshow([[0, 3], [1, 4], [2, 5]]);', 0.25),
    'shares in another order': (
        "plt.pie([1, 3, 4], labels=['a', 'b', 'c']);",
        "plt.pie([4, 1, 3], labels=['c', 'a', 'b'], explode=[0, 0.1, 0]);",
        1,
    ),
    'shares under the wrong names': (
        "plt.pie([1, 3], labels=['a', 'b']);",
        "plt.pie([3, 1], labels=['a', 'b']);",
        0.4,
    ),
    'Chinese words': (
        "plt.plot([1, 2]); plt.title('各省人口'); plt.xlabel('年'); plt.ylabel('人口');",
        "plt.plot([1, 2]); plt.title('各省人口'); plt.ylabel('人口');",
        0.8 + 0.2 * 2 / 3,
    ),
    'title of the whole figure': ("plt.plot([1, 2]); plt.title('A');", "plt.plot([1, 2]); plt.suptitle('A');", 1),
    'another scale': ('plt.semilogy([1, 10]);', 'plt.plot([1, 10]);', 0.8),
    'two axes, the other way round': (
        '_, (a, b) = plt.subplots(1, 2); a.plot([1, 2]); b.hist([1, 1, 2]);',
        '_, (a, b) = plt.subplots(2, 1); b.plot([1, 2]); a.hist([1, 1, 2]);',
        1,
    ),
    'one of two axes': (
        '_, (a, b) = plt.subplots(1, 2); a.plot([1, 2]); b.hist([1, 1, 2]);',
        "plt.plot([1, 2], color='red');",
        2 / 3,
    ),
    'twin axes': (
        '_, a = plt.subplots(); a.plot([1, 2]); a.twinx().bar([0, 1], [5, 6]);',
        '_, a = plt.subplots(); a.plot([1, 2]); a.bar([0, 1], [5, 6]);',
        4 / 9,
    ),
    'last digits': ('plt.plot([1, 2, 3]);', 'plt.plot([1.00001, 2, 3]);', 1),
    'another value of three': ('plt.plot([1, 2, 3]);', 'plt.plot([1, 2.1, 3]);', 0.75),
    'the same line through other points': ('plt.plot([1, 2, 3, 4]);', 'plt.plot([0, 1.5, 3], [1, 2.5, 4]);', 1),
    'the same curve through one more point': (
        'import numpy as np; x = np.linspace(0, 10, 1000); plt.plot(x, np.sin(x));',
        'x = np.linspace(0, 10, 1001); plt.plot(x, np.sin(x));',
        1,
    ),
    'another curve through the same ends': (
        'x = np.linspace(0, 1, 1000); plt.plot(x, x ** 2);',
        'x = np.linspace(0, 1, 1001); plt.plot(x, x ** 3);',
        0.265,
    ),
    'a line with a gap': ("plt.plot([1, float('nan'), 3, 4]);", 'plt.plot([1, 2, 3, 4]);', 0.8125),
    'in space': (
        "plt.figure().add_subplot(projection='3d').plot([1, 2], [3, 4], [5, 6]);",
        "plt.figure().add_subplot(projection='3d').plot([1, 2], [3, 4], [5, 7]);",
        0.625,
    ),
}
"""What is changed: gold, answer, score."""


LIBRARIES = ('pandas', 'matplotlib.pyplot', 'seaborn')


def figures_of(*codes):
    """The figures that code blocks show, each block's first or None, in one kernel."""

    async def session():
        async with Interpreter(KernelSettings(sandbox='auto', preload=LIBRARIES)) as interpreter:
            found = [await interpreter.run(code) for code in codes]
        assert [execution.error for execution in found] == [None] * len(found)
        return [(execution.figures or [None])[0] for execution in found]

    return asyncio.run(session())


def plots_of(*codes):
    """The descriptions of what code blocks draw."""

    async def session():
        async with Interpreter(KernelSettings(sandbox='auto', preload=LIBRARIES)) as interpreter:
            return [await interpreter.run(code) for code in codes]

    found = asyncio.run(session())
    assert [execution.error for execution in found] == [None] * len(found)
    return [Plot.read(line) for execution in found for line in execution.stdout.splitlines()]


@pytest.fixture(scope='module')
def plots():
    """(plot, variant) -> its description."""
    names = [(kind, variant) for kind in KINDS for variant in VARIANTS]
    drawn = '\n'.join(f'show({kind!r}, {VARIANTS[variant]})' for kind, variant in names)
    found = dict(zip(names, plots_of(DESCRIBE, START, drawn), strict=True))
    others = {(kind, 'other_plot'): found[KINDS[place - 1], 'gold'] for place, kind in enumerate(KINDS)}
    blank = {(kind, 'blank'): Plot(axes=[]) for kind in KINDS}
    return found | others | blank


@pytest.fixture(scope='module')
def pairs():
    """Name of a pair -> the descriptions of gold and answer."""
    codes = [code for gold, answer, _ in PAIRS.values() for code in (gold, answer)]
    found = plots_of(DESCRIBE, '\n'.join(f'{code}\ndescribe()' for code in codes))
    return dict(zip(PAIRS, zip(found[::2], found[1::2], strict=True), strict=True))


@pytest.fixture(scope='module')
def figures():
    """Two lines, one of them alone, nothing but words."""
    codes = ('plt.plot([1, 2, 4]); plt.plot([3, 3, 1]);', 'plt.plot([1, 2, 4]);', "plt.title('only words');")
    return figures_of('import matplotlib.pyplot as plt', *codes)[1:]


def score(gold, answer):
    return similarity([gold], [answer])[0]


@pytest.mark.parametrize('kind', KINDS)
def test_plots_are_ordered_as_a_person_would(plots, kind):
    scores = {variant: score(plots[kind, 'gold'], plots[kind, variant]) for of, variant in plots if of == kind}
    print(kind, {name: round(value, 2) for name, value in scores.items()})
    wrong = {(kind, better, worse) for better, worse in BETTER_WORSE if scores[better] <= scores[worse] + 0.01}
    assert wrong == {triple for triple in WRONG if triple[0] == kind}
    assert scores['gold'] == scores['recoloured'] == scores['larger'] == 1
    assert scores['empty'] == scores['blank'] == 0
    assert 0.8 <= round(scores['untitled'], 9) < 1
    assert scores['other_data'] <= 0.5
    assert scores['other_plot'] < 0.3


@pytest.mark.parametrize('name', PAIRS)
def test_what_a_change_costs(pairs, name):
    gold, answer = pairs[name]
    assert score(gold, gold) == score(answer, answer) == 1
    assert score(gold, answer) == pytest.approx(PAIRS[name][2], abs=0.005), similarity([gold], [answer])[1]


def test_plots_of_a_step_are_matched(plots):
    line, bars, pie = (plots[kind, 'gold'] for kind in ('line', 'bars', 'pie'))
    assert similarity([line, bars], [bars, line])[0] == 1
    assert similarity([line], [bars, pie, line]) == (0.5, '3 plots, the gold has 1; kinds 1.00, data 1.00, words 1.00')
    assert similarity([line, bars], [line])[0] == pytest.approx(2 / 3)


def test_many_points_that_are_close_do_not_stand_for_others():
    def plot(*columns):
        axes = {'x': {}, 'y': {}, 'series': [{'kind': 'scatter', 'size': len(columns[0]), 'columns': columns}]}
        return Plot.model_validate({'axes': [axes]})

    gold = plot([0, 1, 2], [0, 0, 1])
    dense = [value / 40 for value in range(100)]
    assert score(gold, plot(dense, dense)) < 0.3
    assert score(gold, plot([0, 1, 2], [0, None, 1])) == pytest.approx(0.75)
    assert score(plot([None], [None]), plot([1], [1])) == 0.25


def test_the_same_series_is_the_same_in_a_figure_that_leaves_it_fewer_points():
    draw = "a.plot(*np.random.default_rng(0).normal(size=(2, 300)), '{}'); describe()"
    alone = '_, a = plt.subplots(); '
    among = '_, (a, b, c) = plt.subplots(1, 3); [one.plot(*np.random.rand(2, 300, 45)) for one in (b, c)]; '
    codes = [figure + draw.format(mark) for mark in '-o' for figure in (alone, among)]
    line, few_lines, dots, few_dots = plots_of(DESCRIBE + 'import numpy as np', '\n'.join(codes))
    for whole, figure in ((line, few_lines), (dots, few_dots)):
        shortened = Plot(axes=figure.axes[:1])
        assert [len(plot.axes[0].series[0].columns[0]) for plot in (whole, shortened)] == [200, 50]
        assert score(whole, shortened) == score(shortened, whole) == 1


def many(axes, series, columns=((0, 1), (0, 1))):
    one = {'kind': 'line', 'size': len(columns[0]), 'columns': [list(column) for column in columns]}
    return Plot.of({'axes': [{'x': {}, 'y': {}, 'series': [one] * series}] * axes})


def test_one_forged_point_does_not_stand_for_a_sampled_series():
    gold, point = many(1, 1, [range(200)] * 2), many(1, 1, [[0], [0]])
    forged = Plot.model_validate_json(point.model_dump_json().replace('"size":1', '"size":200'))
    assert score(gold, forged) < 0.3


def test_an_answer_of_far_too_many_series_is_not_compared():
    assert similarity([many(1, 3)], [many(20, 50)]) == (0, '1000 series, the gold has 3')
    assert similarity([many(1, 3)], [many(2, 50)])[0] > 0
    assert similarity([many(20, 50)], [many(1, 3)])[0] > 0


def test_two_axes_are_compared_once(monkeypatch):
    found = []
    compare = plot_objects._parts
    monkeypatch.setattr(plot_objects, '_parts', lambda *given: found.append(given) or compare(*given))
    assert similarity([many(2, 1)], [many(3, 1)])[0] == pytest.approx(0.8)
    assert len(found) == 2 * 3


# From a kernel to a summary.


def steps_of(*outputs):
    """A session of one step, one attempt after the other."""
    reply, action = Reply(text=''), Action(tool='IPythonInterpreter', code='x')
    figures = [one if isinstance(one, list) else [one] if one else [] for one in outputs]
    shown = [[Output(type='display_data', figure=figure) for figure in those] for those in figures]
    executions = [Execution(status='ok', outputs=those) for those in shown]
    attempts = [Attempt(reply=reply, action=action, execution=execution) for execution in executions]
    return [StepTrace(index=0, question='', attempts=attempts)]


def experiment(figure, **fields):
    step = Step(index=0, question='?', code='', kind='vis', figure=figure, **fields)
    return Experiment(id='a', path=Path('a.ipynb'), language='en', steps=[step], typed=True)


def scored(gold, folder, *outputs, moved=None, **fields):
    actions = [actions_of(step, folder) for step in steps_of(*outputs)]
    return score_experiment(actions, experiment(gold, **fields), profile='strict', figures=moved or folder)[0]


def test_a_score_is_that_of_the_figures_files_wherever_they_are(figures, tmp_path):
    gold, answer, _ = figures
    for figure in (gold, answer):
        figure.save(tmp_path / 'then')
    shutil.move(tmp_path / 'then', tmp_path / 'now')
    same = scored(gold, tmp_path / 'then', gold, moved=tmp_path / 'now')
    part = scored(gold, tmp_path / 'then', gold, answer, moved=tmp_path / 'now')
    assert (same.vis_objects, same.vis_objects_detail) == (1, 'kinds 1.00, data 1.00')
    assert part.vis_objects == pytest.approx(2 / 3)
    part.step = part.step.model_copy(update={'index': 1})
    assert summarize([same, part])['vis_objects'] == pytest.approx(100 * 5 / 6)
    assert summarize([same, part])['counts']['vis_objects_ran'] == 2
    assert type(same.step).model_validate_json(same.step.model_dump_json()) == same.step


def test_no_figure_is_zero_and_an_undescribed_one_is_not_known(figures, tmp_path):
    gold = figures[0]
    bare = Figure.of(gold.data)
    bare.save(tmp_path)
    assert scored(gold, tmp_path, None).vis_objects == 0
    unknown = scored(gold, tmp_path, bare)
    assert (unknown.vis_objects, unknown.vis_objects_detail) == (None, UNDESCRIBED)
    assert 'vis_objects' not in summarize([unknown])
    assert (unknown.score, scored(bare, tmp_path, bare).vis_objects_detail) == (1, '')
    assert scored(gold, tmp_path).vis_objects == 0


@pytest.mark.parametrize('content', [b'{"axes": ', b'\xff', b'{"axes":[]}' + b' ' * PLOT_SIZE])
def test_a_description_that_cannot_be_read_is_none(figures, tmp_path, content):
    gold = figures[0]
    plot_file(gold.save(tmp_path)).write_bytes(content)
    found = scored(gold, tmp_path, gold)
    assert (found.score, found.vis_objects, found.vis_objects_detail) == (1, None, UNDESCRIBED)


def test_figures_with_nothing_drawn_count_neither_in_the_gold_nor_in_an_answer(figures, tmp_path):
    gold, _, words = figures
    for figure in (gold, words):
        figure.save(tmp_path)
    found = scored(gold, tmp_path, [gold, words], more_figures=[words])
    assert (found.vis_objects, found.vis_objects_detail) == (1, 'kinds 1.00, data 1.00')
    empty = scored(gold, tmp_path, words)
    assert (empty.vis_objects, empty.vis_objects_detail) == (0, EMPTY)


def test_a_gold_without_anything_drawn_is_not_compared(figures, tmp_path):
    gold, _, words = figures
    gold.save(tmp_path)
    assert not describes(words.plot)
    assert scored(words, tmp_path, gold).vis_objects is None
    both = scored(gold, tmp_path, gold, more_figures=[words])
    assert both.vis_objects == 1


def test_object_checks_are_a_measure_beside_judges_and_structural_similarity(figures, tmp_path):
    gold, part, _ = figures
    store = TraceStore(tmp_path / 'demo.traces.jsonl')
    store.append(
        Trace(
            experiment='a',
            model='m',
            dataset='demo',
            mode='end_to_end',
            protocol='react',
            max_attempts=3,
            steps=steps_of(part),
            started='2026-01-01T00:00:00',
            seconds=1,
        )
    )
    dataset = SimpleNamespace(traces=store, experiments=[experiment(gold)], options=Options())
    ((metric, key, values),) = _scored(dataset, {('a', 0)})
    assert (metric, key, sorted(values)) == ('vis_sim', ('a', 0), [*profile_names(), 'vis_objects'])
    assert values['vis_objects'] == pytest.approx(2 / 3)


def test_points_on_a_curve_are_those_within_a_tolerance_of_one_of_its_pieces():
    """As looked for one by one."""

    def on(point, begin, end):
        along = end - begin
        part = np.clip((point - begin) @ along / max(along @ along, 1e-12), 0, 1)
        return (np.abs(begin + part * along - point) <= 1 + 1e-9).all()

    rng = np.random.default_rng(1)
    for _ in range(200):
        curve = np.cumsum(rng.normal(scale=rng.choice((1, 30)), size=(9, 2)), axis=0)
        points = np.concatenate([curve + rng.normal(size=curve.shape), rng.normal(scale=30, size=(9, 2))])
        slow = [any(on(point, *piece) for piece in itertools.pairwise(curve)) for point in points]
        assert plot_objects._on_curve(points, curve).tolist() == slow
