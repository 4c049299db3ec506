"""Descriptions of figures: how they leave the kernel, that they change nothing, and what hostile code can do."""

import io
import json
import math
import tracemalloc

import pytest
from PIL import Image

from cibench_eval.evaluators.comparing.plots.comparison import similarity
from cibench_eval.interpreter.messages import KernelMessage
from cibench_eval.interpreter.outputs import OutputCollector
from cibench_eval.plots import Plot
from tests.interpreter import programs

PLOT_SIZE = 400_000
PLOT_MIME = 'application/vnd.cibench.plot+json'

pytestmark = pytest.mark.kernel
LIBRARIES = ('pandas', 'matplotlib.pyplot', 'seaborn')
SETUP = """
import matplotlib.pyplot as plt, numpy as np, pandas as pd, seaborn as sns
table = pd.DataFrame({'a': [1, 5, 2, 8], 'b': [2, 3, 9, 4]}, index=list('pqrs'))
"""
WITHOUT = """
formatter = get_ipython().display_formatter.mimebundle_formatter
formatter.deferred_printers.clear()
"""
PLOTS = {
    'line': "plt.plot([1, 2], label='甲'); plt.title('图'); plt.xlabel('x'); plt.legend();",
    'scatter': 'plt.scatter([2, 1], [3, 4], c=[1, 2]); plt.colorbar();',
    'bar': 'table.plot(kind="bar");',
    'barh': "plt.barh(['u', 'v'], [1, 2]);",
    'hist': 'plt.hist([1, 2, 2, 3], bins=3); plt.xlim(0, 5);',
    'pie': "plt.pie([1, 3], labels=['u', 'v']);",
    'image': 'plt.imshow(np.arange(6).reshape(2, 3));',
    'box': 'sns.boxplot(table);',
    'boxh': "sns.boxplot(table, orient='h');",
    'heat': 'sns.heatmap(table, annot=True);',
    'contour': 'plt.contourf(np.arange(9).reshape(3, 3));',
    'surface': "plt.figure().add_subplot(projection='3d').plot_surface(*np.mgrid[:3, :3], np.eye(3));",
    'subplots': '_, axes = plt.subplots(2, 2, layout="tight"); axes[0, 1].plot([1, 2]); axes[1, 0].bar([1], [2]);',
    'twin': '_, a = plt.subplots(); a.loglog([1, 10], [2, 20]); a.twinx().plot(["x", "y"], [3, 4], "o");',
    'dates': 'plt.plot(pd.date_range("2020-01-01", periods=3), [1, 2, 3]); plt.fill_between([1], [2]);',
    'inset': '_, a = plt.subplots(); a.plot([1, 2]); a.inset_axes([0.1, 0.5, 0.4, 0.4]).pie([1, 2]);',
    'table': "_, a = plt.subplots(); a.axis('off'); a.table([['u', '1']], loc='center');",
    'objects': "import seaborn.objects as so; so.Plot(x=['u', 'v'], y=[1, 2]).add(so.Bar())",
    'others': 'plt.errorbar([1], [3], yerr=1, label="e"); plt.stem([1, 2]); plt.axhline(1); plt.violinplot([1, 2]);',
}


def run(*codes, **settings):
    """The executions of code blocks in one fresh session, none of which fails."""
    found = programs.run(*codes, **{'preload': LIBRARIES, **settings})
    assert [execution.status for execution in found] == ['ok'] * len(found)
    return found


@pytest.fixture(scope='module')
def figures():
    """Name of a plot -> its figure, from a forked kernel."""
    return dict(zip(PLOTS, (found.figures[0] for found in run(SETUP, *PLOTS.values())[1:]), strict=True))


def kinds(figure):
    return [[series.kind for series in axes.series] for axes in figure.plot.axes]


@pytest.mark.soak
def test_every_kind_of_plot_is_described(figures):
    assert {name: kinds(figure) for name, figure in figures.items()} == {
        'line': [['line']],
        'scatter': [['scatter']],
        'bar': [['bar', 'bar']],
        'barh': [['barh']],
        'hist': [['bar']],
        'pie': [['pie']],
        'image': [['image']],
        'box': [['box']],
        'boxh': [['boxh']],
        'heat': [['image']],
        'contour': [['field']],
        'surface': [['surface']],
        'subplots': [[], ['line'], ['bar'], []],
        'twin': [['line'], ['scatter']],
        'dates': [['line', 'fill']],
        'inset': [['line']],
        'table': [[]],
        'objects': [['bar']],
        'others': [['line', 'level', 'scatter', 'error', 'segments', 'fill', 'segments', 'segments', 'segments']],
    }


def test_what_is_said_of_a_plot(figures):
    (axes,) = figures['line'].plot.axes
    (line,) = axes.series
    assert (axes.title, axes.x.label, axes.legend, line.label) == ('图', 'x', ['甲'], '甲')
    assert (line.size, line.columns) == (2, [[0, 1], [1, 2]])
    (bars,) = figures['bar'].plot.axes
    assert (bars.x.tick_labels, bars.legend, bars.series[1].columns[1]) == (list('pqrs'), ['a', 'b'], [2, 3, 9, 4])
    (boxes,) = figures['boxh'].plot.axes[0].series
    assert boxes.columns == [[0, 1], [1, 2], [1.75, 2.75], [3.5, 3.5], [5.75, 5.25], [8, 9], [1, 2], [8, 9]]
    assert figures['heat'].plot.axes[0].series[0].shape == [4, 2]
    assert figures['pie'].plot.axes[0].series[0].names == ['u', 'v']
    assert figures['twin'].plot.axes[0].x.scale == 'log'
    assert figures['objects'].plot.axes[0].y.scale == 'linear'


AREAS = {
    'plt.fill_between(range(8), [3, 5, 5, 0, 0, 8, 3, 5])': 'x',
    'plt.fill_between(range(8), [0, 0, -1, -3, -3, -1, 0, 0], color="r")': 'x',
    'plt.fill_between(range(8), [1, 1, 2, 2, 2, 7, 7, 9])': 'x',
    'plt.fill_between(range(8), [3, 5, 5, 0, 0, 8, 3, 5], step="post")': '',
    'plt.fill_between(range(8), 0, rises, where=[1, 0, 1, 1, 1, 0, 1, 1])': 'x',
    'plt.fill_between(range(8), 2, [1, 4, 1, 1, 1, 3, 3, 0], where=np.arange(8) % 4 > 0, interpolate=True)': 'x',
    'plt.stackplot(range(8), [3, 5, 5, 0, 0, 8, 3, 5])': 'x',
    'pd.Series([0, 0, -1, -3, -3, -1, 0, 0]).plot.area()': 'x',
    'sns.kdeplot([1, 2, 2, 3, 4, 4, 8], fill=True)': 'x',
    'sns.violinplot(y=["a"] * 7, x=[1, 2, 2, 3, 4, 4, 8], inner=None)': 'x',
    'plt.fill_betweenx(range(8), [3, 5, 5, 0, 0, 8, 3, 5])': 'y',
    'plt.fill_betweenx(range(8), rises)': 'y',
    'plt.fill_betweenx(range(8), 0, [1, 2, 4, 7, 6, 5, 3, 0])': 'y',
    'sns.violinplot([1, 2, 2, 3, 4, 4, 8], inner=None)': 'y',
    'plt.violinplot([1, 2, 2, 3, 4, 4, 8], showextrema=False)': 'y',
}
"""Code that draws an area -> the axis along which it goes; none where an outline is told."""


@pytest.mark.soak
def test_areas_are_described_along_their_axis_whatever_their_values():
    _, *drawn = run(SETUP + 'rises = [0, 1, 2, 4, 5, 7, 8, 9]', *(f'{code};' for code in AREAS))
    areas = [[one for one in shown.figures[0].plot.axes[0].series if one.kind == 'fill'] for shown in drawn]
    assert {code: one.fields for code, (one,) in zip(AREAS, areas, strict=True)} == {
        code: [along, 'low', 'high'] if along else ['x', 'y'] for code, along in AREAS.items()
    }
    assert areas[1][0].columns == [[*range(8)], [0, 0, -1, -3, -3, -1, 0, 0], [0] * 8]


def test_what_no_series_describes_is_drawn_alone_under_one_layout(figures):
    code = "plt.figure(figsize=(9, 3)); plt.title('t'); plt.plot([1, 2]); plt.grid()"
    inset = 'inset = plt.gca().inset_axes([0.1, 0.5, 0.4, 0.4]); inset.pie([1, 2]); plt.show()'
    (gold,) = figures['inset'].plot.axes
    *_, shown, after = run(
        SETUP,
        f'{code}; axes = plt.gca(); before = axes.get_position().bounds; {inset}',
        'axes.get_position().bounds == before',
    )
    (axes,) = shown.figures[0].plot.axes
    assert (gold.others, axes.others, axes.texts) == (1, 1, [])
    assert len(gold.picture) > 500
    other = Plot(axes=[gold.model_copy(update={'picture': axes.picture})])
    assert similarity([figures['inset'].plot], [other]) == (1, '')
    assert after.result == 'True'
    assert [one.plot.axes[0].picture for one in (figures['line'], figures['heat'])] == ['', '']
    assert figures['table'].plot.axes[0].texts == ['u', '1']


@pytest.mark.soak
def test_figures_are_the_same_bytes_without_their_descriptions(figures):
    """In a kernel of the other start mode, from which the hook has been taken."""
    _, *bare = run(WITHOUT + SETUP, *PLOTS.values(), start='spawn')
    assert {name: found.figures[0].data for name, found in zip(PLOTS, bare, strict=True)} == {
        name: figure.data for name, figure in figures.items()
    }
    assert [found.figures[0].plot for found in bare] == [None] * len(PLOTS)


def test_all_ways_to_show_a_figure_and_what_a_kernel_without_figures_imports():
    silent, shown, displayed, result, twice = run(
        "import sys\n'matplotlib' in sys.modules",
        'import matplotlib.pyplot as plt\nplt.plot([1]); plt.show()\nplt.bar([1], [2])',
        'figure, axes = plt.subplots(); axes.pie([1]); plt.close(); display(figure)',
        'figure',
        'import seaborn.objects as so\nso.Plot(x=[1, 2], y=[3, 4]).add(so.Line()).on(plt.subplots()[1])',
        start='spawn',
    )
    assert silent.result == 'False'
    assert [kinds(figure) for figure in shown.figures] == [[['line']], [['bar']]]
    assert [kinds(figure) for figure in (*displayed.figures, *result.figures)] == [[['pie']], [['pie']]]
    assert [figure.plot and kinds(figure) for figure in twice.figures] == [None, [['line']]]


@pytest.mark.soak
def test_figures_in_other_formats_and_of_any_size_are_kept():
    draw = 'plt.figure(figsize=(16, 14), dpi={dpi}); plt.plot([1, 2]); plt.show()'
    chosen = '%config InlineBackend.figure_format = {format!r}\n'
    _, large, vector, dense, usual = run(
        'import matplotlib.pyplot as plt',
        draw.format(dpi=300),
        chosen.format(format='svg') + draw.format(dpi=300),
        chosen.format(format='retina') + draw.format(dpi=150),
        chosen.format(format='png') + draw.format(dpi=50),
    )
    for found in (large, vector, dense, usual):
        (figure,) = found.figures
        assert kinds(figure) == [['line']] and not found.truncated
    sizes = [math.prod(Image.open(io.BytesIO(found.figures[0].data)).size) for found in (usual, dense)]
    assert sizes[0] < 800 * 700 < sizes[1] < 10_000_000


@pytest.mark.soak
def test_what_cannot_be_described_is_shown_all_the_same():
    broken = """
import matplotlib.pyplot as plt
class Odd:
    def get_text(self):
        raise ValueError
figure = plt.figure(); figure.add_subplot().plot([1]); figure._suptitle = Odd(); plt.show()
"""
    many = '_, axes = plt.subplots(1, 2)\nfor one in axes: one.plot(*np.random.rand(2, 300, 50));'
    odd, large = run(broken, 'import numpy as np\n' + many)
    assert [figure.plot for figure in odd.figures] == [None]
    (plot,) = (figure.plot for figure in large.figures)
    assert (plot.axes[0].series[0].size, len(plot.axes[0].series[0].columns[0])) == (300, 75)
    assert len(plot.model_dump_json()) < PLOT_SIZE


def test_long_series_are_sampled_the_same_way_every_time():
    points = 'import numpy as np, matplotlib.pyplot as plt\npoints = np.random.default_rng(0).normal(size=(2, 5000))'
    one, other = (
        found.figures[0].plot.axes[0].series[0]
        for found in run(points, 'plt.scatter(*points);', 'plt.scatter(*points[:, ::-1], color="red");')[1:]
    )
    assert (one.tints, other.tints) == (['#1f77b4'], ['#ff0000'])
    assert one == other.model_copy(update={'tints': one.tints})
    assert (one.size, len(one.columns[0])) == (5000, 400)


DESCRIBE = """
import math, tracemalloc
import matplotlib.pyplot as plt, numpy as np
from matplotlib.ticker import FixedFormatter, FixedLocator

figure, axes = plt.subplots()
axes.plot([1, 2])
axes.xaxis.set_major_locator(FixedLocator([0, math.nan, 1]))
axes.xaxis.set_major_formatter(FixedFormatter(['a', 'b', 'c']))
describe = get_ipython().display_formatter.mimebundle_formatter
print(*describe(figure)[0].values())
axes.imshow(np.arange(3_000_000, dtype=np.uint8).reshape(1000, 1000, 3))
tracemalloc.start()
print(*describe(figure)[0].values())
print(tracemalloc.get_traced_memory()[1])
plt.close()
"""


def test_ticks_nowhere_are_left_out_and_a_large_image_is_not_copied():
    (found,) = run(DESCRIBE)
    ticks, image, peak = found.stdout.splitlines()
    (axes,) = Plot.read(ticks).axes
    assert (axes.x.ticks, axes.x.tick_labels) == ([0, 1], ['a', 'c'])
    drawn = Plot.read(image).axes[0].series[1]
    assert (drawn.kind, drawn.size, drawn.columns[0][-1]) == ('image', 1_000_000, (3_000_000 - 3) % 256)
    assert int(peak) < 3_000_000


def described(values, number='1.0'):
    """JSON of a plot of so many values, all the same; of 60,000 and more it is as long as the largest."""
    lengths = [min(500, values - done) for done in range(0, values, 500)]
    columns = [f'[{",".join([number] * length)}]' for length in lengths]
    image = '{"kind":"image","size":1,"shape":[1,1],"columns":['
    series = [f'{image}{",".join(columns[at : at + 8])}]}}' for at in range(0, len(columns), 8)]
    return f'{{"axes":[{{"x":{{}},"y":{{}},"series":[{",".join(series)}]}}]}}'


HOSTILE = {
    'longer as it is written': described(190_000, '1'),
    'no JSON': '{',
    'deep': '[' * 100_000,
    'deep below': '{"axes": [{"x": ' * 1000,
    'not a number': '{"axes":[{"x":{},"y":{},"series":[{"kind":"line","size":1,"columns":[[NaN]]}]}]}',
    'infinite': '{"axes":[{"x":{},"y":{},"series":[{"kind":"line","size":1,"columns":[[1e999]]}]}]}',
    'a long integer': '{"axes":[{"x":{},"y":{},"series":[{"kind":"line","size":%s,"columns":[]}]}]}' % ('9' * 5000),
    'axes of nothing': '{"axes": [{}]}',
    'a long number': '1' * 5000,
    'an infinite title': '{"title": 1e999, "axes": []}',
    'many axes': json.dumps({'axes': [{'x': {}, 'y': {}, 'series': []}] * 21}),
    'a long text': json.dumps({'title': 'x' * 201, 'axes': []}),
    'too large': json.dumps({'axes': []}) + ' ' * PLOT_SIZE,
    'an unknown field': json.dumps({'axes': [], 'score': 1}),
    'half a character': '{"title": "\\ud800", "axes": []}',
    'a mapping': {'axes': []},
    'a list': [[]] * 1000,
    'a number': 7,
}


def test_hostile_descriptions_are_no_descriptions(figures):
    assert [name for name, value in HOSTILE.items() if Plot.read(value) is not None] == []
    collector = OutputCollector(1000, 20, 10**6)
    for value in HOSTILE.values():
        text = str(value)
        parts = {'image/png': b'\x89PNG\r\n\x1a\n', PLOT_MIME: text.encode('utf-8', 'surrogatepass')}
        list(collector.steps(KernelMessage('display_data', {}, parts)))
    assert [output.figure.plot for output in collector.outputs] == [None] * len(HOSTILE)


@pytest.mark.soak
def test_descriptions_take_no_more_memory_than_they_are_long():
    collector, text = OutputCollector(1000, 20, 10**6), described(97_000)
    display = KernelMessage('display_data', {}, {'image/png': b'\x89PNG\r\n\x1a\n', PLOT_MIME: text.encode()})
    tracemalloc.start()
    for _ in range(20):
        list(collector.steps(display))
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [output.figure.described for output in collector.outputs] == [text.encode()] * 20
    assert held < 21 * PLOT_SIZE


def test_code_that_forges_messages_gets_no_further():
    forge = f"""
from IPython.display import display
for value in ('[' * 10**6, {{'axes': []}}, 'x' * 10**8, '\\ud800', None):
    display({{'image/png': 'iVBORw0KGgo=', '{PLOT_MIME}': value, 'text/plain': 'x'}}, raw=True)
"""
    (found,) = run(forge)
    assert [(figure.plot, len(figure.data)) for figure in found.figures] == [(None, 8)] * 5


def test_descriptions_stand_beside_their_figures_and_in_no_record(figures, tmp_path):
    figure = figures['bar']
    path = figure.save(tmp_path)
    assert path.with_suffix('.plot.json').read_bytes() == figure.described
    assert Plot.read(figure.described) == figure.plot
    assert figure.model_dump() == {'sha256': figure.sha256}
    assert sorted(file.name for file in tmp_path.iterdir()) == [f'{figure.sha256}.plot.json', f'{figure.sha256}.png']


def test_texts_say_which_places_they_are_about():
    code = """
bars = plt.bar(['p', 'q'], [3, 4])
plt.bar_label(bars, label_type='center')
plt.text('q', 5, 'at'); plt.text(0.5, 0.5, 'free', transform=plt.gca().transAxes)
plt.annotate('to', ('p', 3), (0.5, 4), arrowprops={}); plt.text(0, 0, 'hidden', alpha=0)
"""
    dated = 'plt.plot(pd.date_range("2020-01-01", periods=3), [1, 2, 3]); plt.text(pd.Timestamp("2020-01-02"), 2, "a");'
    period = (
        'pd.Series([1, 2, 3], pd.period_range("2020-01", periods=3, freq="M")).plot(); plt.text("2020-02", 2, "a");'
    )
    found = [done.figures[0].plot.axes[0] for done in run(SETUP, code, dated, period)[1:]]
    bars = {'3': [0, 1.5], '4': [1, 2]}
    others = {'at': [1, 5], 'free': [], 'to': [0, 3]}
    assert dict(zip(found[0].texts, map(pytest.approx, found[0].text_places), strict=True)) == bars | others
    assert [found[0].texts[place] for place in found[0].arrows] == ['to']
    assert [one.text_places for one in found[1:]] == [[[18263, 2]], [[18293, 2]]]
