"""What plots show: plots drawn in a real kernel against others, and the way of a score into a summary."""

import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from cibench_eval.analysis import agreement
from cibench_eval.evaluators import find_profile, notebook_profiles
from cibench_eval.evaluators.comparing.plots.comparison import similarity
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.plots import Plot
from cibench_eval.schema import Figure, Step
from cibench_eval.traces import TraceStore
from tests.support.scoring import (
    attempted,
    gold_experiment,
    read_cases,
    score_experiment,
    session_trace,
    shown,
    step_trace,
    summarize,
)

PLOT_SIZE = 400_000

PIXELS = 'by pixels'
pytestmark = pytest.mark.kernel
WRONG_LINE = 'data × 0.00 (line 0 % right), view right, texts right'
RIGHT, WRONG = 0.9, 0.6
READ = read_cases(Path(__file__).with_name('plots') / 'cases.txt')
CASES = {name: case for name, *case in READ}
"""What is changed -> gold, answer, whether it is the same plot in another dress."""
assert len(CASES) == len(READ), 'a name stands twice'


@pytest.fixture(scope='module')
def pairs(plots_of):
    """Name of a pair -> the descriptions of gold and answer."""
    codes = [code for gold, answer, _ in CASES.values() for code in (gold, answer)]
    found = plots_of(*codes)
    return dict(zip(CASES, zip(found[::2], found[1::2], strict=True), strict=True))


@pytest.fixture(scope='module')
def figures(run):
    """Two lines, one of them alone, nothing but words."""
    codes = ('plt.plot([1, 2, 4]); plt.plot([3, 3, 1]);', 'plt.plot([1, 2, 4]);', "plt.title('only words');")
    return [run(code).figures[0] for code in codes]


def score(gold, answer):
    return similarity([gold], [answer])[0]


@pytest.mark.parametrize('name', CASES)
def test_the_same_plot_scores_high_and_another_one_low(pairs, name):
    gold, answer = pairs[name]
    assert score(gold, gold) == score(answer, answer) == 1
    found, why = similarity([gold], [answer])
    assert found >= RIGHT if CASES[name][2] else found <= WRONG, why


def test_texts_that_the_question_does_not_name_cost_little(pairs):
    gold, answer = pairs['Chinese words']
    assert similarity([gold], [answer], question='标题为 `各省人口`，横轴为 `年`。')[0] == 0.5
    assert similarity([gold], [answer], question='标题为 `各省人口`，画图。')[0] == 0.9


def test_a_score_is_explained_in_words(pairs):
    gold, answer = pairs['Chinese words']
    question = '标题为 `各省人口`，横轴为 `年`。'
    said = similarity([gold], [answer], question=question)[1]
    assert said == "data right, view right, texts × 0.50 (no x label '年')"
    other = answer.model_copy(update={'title': '', 'axes': [answer.axes[0].model_copy(update={'title': 'A' * 50})]})
    said = similarity([gold], [other], question=question)[1]
    assert said == f"data right, view right, texts × 0.25 (title '{'A' * 40}…', not '各省人口', no x label '年')"
    steep = many(1, 1, [[0, 1], [0, 5]])
    mixed = gold.model_copy(update={'axes': [*many(2, 1).axes, *steep.axes]})
    assert similarity([many(3, 1)], [mixed]) == (0.6, 'at most 0.6, because one of the axes is wrong; ' + WRONG_LINE)


def test_plots_of_a_step_are_matched(pairs):
    line, bars = pairs['points instead of a line'][0], pairs['lying bars'][0]
    pie = pairs['shares in another order'][0]
    assert similarity([line, bars], [bars, line])[0] == 1
    assert similarity([line], [bars, pie, line]) == (0.3, '3 plots, the gold has 1')
    assert similarity([line, bars], [line])[0] == pytest.approx(0.4)
    assert similarity([line, bars], [line, pie])[0] <= 0.6


def many(axes, series, columns=((0, 1), (0, 1))):
    one = {
        'kind': 'line',
        'fields': ['x', 'y'],
        'size': len(columns[0]),
        'columns': [list(column) for column in columns],
    }
    return Plot.of({'axes': [{'x': {}, 'y': {}, 'series': [one] * series}] * axes})


@pytest.mark.parametrize(
    ('question', 'gold', 'wrong'),
    [
        ('the area in `salmon`', ['salmon'], ['steelblue']),
        ('bars in `salmon` and `khaki`', ['khaki', 'salmon'], ['salmon', 'khaki']),
        ('points in `tomato` and `teal`', ['tomato', 'teal'] * 9, ['teal'] * 18),
        ('the outliers are points in red', ['red', *['navy'] * 17], ['red'] * 18),
        ('a pie with one part in red, the other in blue', ['red', 'blue'], ['red', 'red']),
        ('points in `tomato` and `teal`', ['tomato', 'teal'] * 9, ['teal', 'tomato'] * 9),
        ('gains in `seagreen`, losses in `crimson`', ['seagreen', 'crimson'] * 100, ['crimson', 'seagreen'] * 100),
        ('two boxes, one in `seagreen` and one in red', ['seagreen', 'red'], ['red', 'seagreen']),
    ],
)
def test_colours_are_asked_for_by_their_names_in_css(plots_of, question, gold, wrong):
    def drawn(colours):
        heights = [*range(1, len(colours) + 1)]
        if len(colours) == 1:
            return f'plt.fill_between([0, 1], [2, 3], color={colours})'
        if 'pie' in question:
            return f'plt.pie([1, 2], colors={colours})'
        if 'boxes' in question:
            hue = f"['a'] * 4, order=['a'], hue=list('ppqq'), hue_order={['p', 'q'][:: 1 if colours == gold else -1]}"
            return f"sns.boxplot(y=[1, 2, 4, 6], x={hue}, palette=['seagreen', 'red']).set(xlabel='', ylabel='')"
        call = 'scatter' if 'points' in question else 'bar'
        return f'plt.{call}({heights}, {heights}, color={colours})'

    own, other = plots_of(drawn(gold), drawn(wrong))
    assert similarity([own], [other], question=question)[1] == 'data right, view × 0.50 (other colours), texts right'
    assert similarity([own], [other], question='bars of the tan function, salmon and wheat')[0] == 1


BARS = "plt.bar(['a', 'b', 'c'], [1, 2, 3])", "plt.bar(['c', 'b', 'a'], [3, 2, 1])"
LYING = [code.replace('bar', 'barh') for code in BARS]
LINE = 'plt.plot([1, 2, 3], [2, 5, 1], {})'
PANELS = 'one, other = plt.subplots({})[1]; one.plot([1, 2]); other.plot([2, 1])'
RING = "plt.pie([1, 2], wedgeprops={'width': 0.4})"
RINGS = '画圆环图', '画甜甜圈图', '画空心饼图', 'a hollow pie', 'a pie as rings', 'a pie with a hole'
HOLES = ("plt.Circle((0, 0), 0.5, fc='w')", "plt.matplotlib.patches.Wedge((0, 0), 0.5, 0, 360, fc='w')")
NO_HOLES = (
    'plt.Circle((0, 0), 0.5, fill=False)',
    "plt.Circle((1, 1), 0.1, fc='w')",
    "plt.Circle((0, 0), 1, fc='w', zorder=0)",
)
SEXES = "plt.plot([1, 3], label='{}'); plt.plot([2, 1], label='{}'); plt.legend()"
PIE = "plt.pie([2, 1, 4], labels=['a', 'b', 'c'], startangle={})"
TURNED = [PIE.format(one) for one in ('90, counterclock=False', '0')]
STACK = (
    "plt.barh(['a', 'b'], [1, 2], left={}, label='p'); plt.barh(['a', 'b'], [3, 5], left={}, label='q'); plt.legend()"
)
STACKS = STACK.format('0', '[1, 2]'), STACK.format('[3, 5]', '0')
NOTED = "plt.plot([1, 2, 9, 3]); plt.annotate('peak', (2, 9), (0.5, 7){})"
NOTES = NOTED.format(", arrowprops={'arrowstyle': '->'}"), NOTED.format('')
ARROW = "plt.bar({}); plt.annotate('{}', ({}, 9), (1, 9), arrowprops={{}})"
TO_THE_LARGEST = ARROW.format("['a', 'b', 'c'], [9, 1, 2]", 'peak', 0)
IN_THE_CORNER = "plt.bar(['a', 'b'], [9, 1]); plt.annotate('peak', (0, 1), (0.5, 0.5), 'axes fraction', arrowprops={})"
LABELS = "plt.bar(['a', 'b'], [1, 2]); plt.xlabel('{}'); plt.ylabel('{}')"
MONTHS = "plt.plot(['{}', '{}', '{}'], [3, 9, 4])"
IN_2024 = MONTHS.format('2024-01', '2024-02', '2024-04')
NAMED = "sns.heatmap(np.arange(8.0).reshape(2, 4), xticklabels=['a', 'b', 'c', 'd'])"
THINNED = "plt.imshow(np.arange(8.0).reshape(2, 4)); plt.xticks([0, 2], ['a', 'c']); plt.yticks([0, 1])"
ROWS = "sns.heatmap(np.arange(6.0).reshape(2, 3), xticklabels=['a', 'b', 'c'], yticklabels=['p', 'q'])"
FROM_BELOW = (
    "plt.pcolor(np.arange(6.0).reshape(2, 3)); plt.xticks([0.5, 1.5, 2.5], ['a', 'b', 'c']); plt.yticks([0.5, 1.5], {})"
)
GREEK = 'Draw a line with the x label `λ` and the ticks `0`, `π` and `2π`.'
SLATE = "plt.bar(['a', 'b'], [1, 2], color='slategray')", "sns.barplot(x=['a', 'b'], y=[1, 2], color='slategray')"
DOLLARS = r"plt.bar([r'\$', r'\$\$', r'\$\$\$'], [5, 3, 2])", r"plt.bar([r'\$\$\$', r'\$\$', r'\$'], [5, 3, 2])"
SLASHES = r"plt.bar([r'a\b', 'ab'], [1, 4])", r"plt.bar(['ab', r'a\b'], [1, 4])"
TICKS = "plt.plot([10, 20]); plt.yticks([10, 20], ['{0}10', '{0}20'])"
FORMULA = "plt.plot([10, 20]); plt.title(r'$e^{{{}$')"
LETTERS = "plt.plot([1, 2, 4]); plt.xticks([0, 1, 2], ['{}', '{}', '{}']); plt.xlabel('{}')"


@pytest.mark.parametrize(
    ('question', 'gold', 'answer', 'worth'),
    [
        ('从数据中得到目前一共三类的召回率，画柱状图，颜色依次为 `red`', *BARS, 1),
        ('从最高到最低画柱状图', *BARS, 0.5),
        ('从贵到便宜画柱状图，刻度依次标为名称', *BARS, 0.5),
        ('画水平条形图，列出各类在测试集上的召回率', *LYING, 1),
        ('画水平条形图，最大的画在图的上方', *LYING, 0.5),
        ('画折线，颜色为red', LINE.format("'r'"), LINE.format("'b'"), 0.5),
        ('画红虚线', LINE.format("'r--'"), LINE.format("'b--'"), 0.5),
        ("标题为'销量'，", "plt.plot([1, 2]); plt.title('销量')", "plt.plot([1, 2]); plt.title('走势')", 0.5),
        ('为 x 轴和 y 轴添加标签', "plt.plot([1, 2]); plt.xlabel('月')", 'plt.plot([1, 2])', 0.5),
        ('共1行，每行2列的子图', PANELS.format('1, 2'), PANELS.format('2, 1'), 0.5),
        ('画男和女的变化，加图例', SEXES.format('男', '女'), SEXES.format('男性', '女性'), 1),
        ('画男和女的变化，加图例', SEXES.format('男', '女'), SEXES.format('女性', '男性'), 0),
        ('画两个月，加图例', SEXES.format('1月', '2月'), SEXES.format('11月', '12月'), 0.9),
        ('画饼图', 'plt.pie([1, 2])', RING, 1),
        *((asked, RING, 'plt.pie([1, 2])', 0.5) for asked in RINGS),
        *(('画圆环图', RING, f'plt.pie([1, 2]); plt.gca().add_artist({disc})', 1) for disc in HOLES),
        *(('画圆环图', RING, f'plt.pie([1, 2]); plt.gca().add_artist({disc})', 0.5) for disc in NO_HOLES),
        ('画圆环图', RING, "plt.pie([1, 2], wedgeprops={'width': 1})", 0.5),
        *(('a pie, counterclockwise from the top (`startangle=90`)', PIE.format(90), one, 0.5) for one in TURNED),
        *(('从正北开始，按逆时针画饼图', PIE.format(90), one, 0.5) for one in TURNED),
        *(('a pie', PIE.format(90), one, 1) for one in TURNED),
        ('a pie, counterclockwise from the top', PIE.format(90), PIE.format('90, explode=[0, 0, 0.1]'), 1),
        ('each row a bar, its columns stacked in their order', *STACKS, 0),
        ('每行一个条形，各列按顺序堆叠', *STACKS, 0),
        ('the number of orders of each kind as stacked bars', *STACKS, 1),
        ('Write `peak` at the highest point, with an arrow.', *NOTES, 0.5),
        ('为最高点添加注释 `peak`，并带箭头。', *NOTES, 0.5),
        ('bars, an arrow to the largest', TO_THE_LARGEST, ARROW.format("['c', 'b', 'a'], [2, 1, 9]", 'peak', 2), 1),
        ('bars, an arrow to the largest', TO_THE_LARGEST, ARROW.format("['c', 'b', 'a'], [2, 1, 9]", 'peak', 0), 0.5),
        ('bars, an arrow to the largest', TO_THE_LARGEST, ARROW.format("['a', 'b', 'c'], [9, 1, 2]", 'top', 2), 0.45),
        ('bars, an arrow to the largest', IN_THE_CORNER, IN_THE_CORNER, 1),
        ('the mean `tip` for each `day`', LABELS.format('day', 'tip'), LABELS.format('日', '小费'), 0.9),
        ('with the labels `day` and `tip`', LABELS.format('day', 'tip'), LABELS.format('日', '小费'), 0.25),
        ('the mean `tip` for each `day`', LABELS.format('day', 'tip'), LABELS.format('tip', 'day'), 0.25),
        ('the totals by month as a line', IN_2024, MONTHS.format('2025-01', '2025-02', '2025-04'), 0.5),
        ('the totals by month as a line', IN_2024, MONTHS.format('Feb 2024', 'Mar 2024', 'May 2024'), 0.5),
        ('the totals by month as a line', IN_2024, MONTHS.format('Jan 2024', 'Feb 2024', 'Apr 2024'), 1),
        ('a heat map', NAMED, THINNED, 0.95),
        ('columns `a`, `b`, `c`, `d`', NAMED, THINNED, 0.75),
        ('a heat map', ROWS, FROM_BELOW.format(['p', 'q']), 1),
        ('a heat map', ROWS, FROM_BELOW.format(['q', 'p']), 0),
        ('a heat map with `p` on top', ROWS, FROM_BELOW.format(['p', 'q']), 0),
        ('a heat map of p and q in this order', ROWS, FROM_BELOW.format(['p', 'q']), 0),
        ('', ROWS, FROM_BELOW.format(['p', 'q']), 0),
        (GREEK, LETTERS.format('0', 'π', '2π', 'λ'), LETTERS.format('$0$', r'$\\pi$', r'$2\\pi$', r'$\\lambda$'), 1),
        (GREEK, LETTERS.format('0', 'π', '2π', 'λ'), LETTERS.format('$0$', r'$2\\pi$', r'$\\pi$', r'$\\lambda$'), 0.5),
        (GREEK, LETTERS.format('0', 'π', '2π', 'λ'), LETTERS.format('$0$', r'$\\pi$', r'$2\\pi$', r'$\\mu$'), 0.5),
        ('bars in `slategray`', *SLATE, 1),
        ('', *DOLLARS, 0.2),
        ('', *SLASHES, 0),
        ('', TICKS.format('$'), TICKS.format('€'), 0.5),
        ('', FORMULA.format('-x}y'), FORMULA.format('-xy}'), 0.5),
    ],
)
def test_what_a_question_asks_for_counts_in_both_languages(plots_of, question, gold, answer, worth):
    found = similarity(plots_of(gold), plots_of(answer), question=question)
    assert found[0] == pytest.approx(worth, abs=0.02), found[1]


def test_one_forged_point_does_not_stand_for_a_sampled_series():
    gold, point = many(1, 1, [range(200)] * 2), many(1, 1, [[0], [0]])
    forged = Plot.model_validate_json(point.model_dump_json().replace('"size":1', '"size":200'))
    assert score(gold, forged) < 0.3


@pytest.mark.soak
def test_an_answer_of_far_too_many_series_is_not_compared():
    assert similarity([many(1, 3)], [many(20, 50)]) == (0, '1000 series, the gold has 3')
    assert similarity([many(1, 3)], [many(2, 50)])[0] > 0
    assert similarity([many(20, 50)], [many(1, 3)])[0] > 0


def test_axes_are_matched_and_their_numbers_count():
    assert similarity([many(2, 1)], [many(3, 1)])[0] == pytest.approx(0.6 * 0.8)


# From a kernel to a summary.


def step_of(*figures):
    """A step that showed figures."""
    return step_trace(attempted(shown(None, *figures)))


def experiment(figure, **fields):
    return gold_experiment(Step(index=0, question='?', code='', kind='vis', figure=figure, **fields), name='a')


def scored(gold, folder, *figures, moved=None, **fields):
    actions = [actions_of(step_of(*figures), folder)]
    return score_experiment(actions, experiment(gold, **fields), figures=moved or folder)[0]


def test_a_score_is_that_of_the_figures_files_wherever_they_are(figures, tmp_path):
    gold, answer, _ = figures
    for figure in (gold, answer):
        figure.save(tmp_path / 'then')
    shutil.move(tmp_path / 'then', tmp_path / 'now')
    same = scored(gold, tmp_path / 'then', gold, moved=tmp_path / 'now')
    part = scored(gold, tmp_path / 'then', answer, moved=tmp_path / 'now')
    assert (same.score, same.detail) == (1, '')
    assert part.score == pytest.approx(0.3)
    assert part.detail == 'data × 0.30 (line 50 % right), view right, texts right'
    part.step = part.step.model_copy(update={'index': 1})
    assert summarize([same, part])['vis_sim'] == pytest.approx(65)
    assert type(same.step).model_validate_json(same.step.model_dump_json()) == same.step


def test_no_figure_is_zero_and_of_an_undescribed_one_pixels_decide(figures, tmp_path):
    gold, other, _ = figures
    bare, bare_other = (Figure.of(figure.data) for figure in (gold, other))
    for figure in (gold, bare, bare_other):
        figure.save(tmp_path)
    assert scored(gold, tmp_path).score == 0
    same, another = scored(gold, tmp_path, bare), scored(gold, tmp_path, bare_other)
    assert (same.score, same.detail) == (1, f'{PIXELS} (no description of the figure)')
    assert another.detail.startswith(f'{PIXELS} (no description of the figure); SSIM 0.')
    assert scored(bare, tmp_path, gold).detail == f'{PIXELS} (no description of the gold)'


def test_a_picture_that_is_not_the_same_gets_no_more_than_a_wrong_figure(run, tmp_path):
    bars = "plt.bar(['a', 'b', 'c'], [3, 5, 4])"
    gold, less = (run(code).figures[0] for code in (f'{bars}; plt.text(0, 3, "3");', f'{bars};'))
    for figure in (gold, bare := Figure.of(gold.data), other := Figure.of(less.data)):
        figure.save(tmp_path)
    wrong = scored(gold, tmp_path, other)
    assert wrong.score == 0.6
    assert wrong.detail.startswith(f'{PIXELS} (no description of the figure); SSIM 0.9')
    assert wrong.detail.endswith('; at most 0.6, because it is not the same picture')
    assert scored(bare, tmp_path, other).score > 0.9


@pytest.mark.parametrize('content', [b'{"axes": ', b'\xff', b'{"axes":[]}' + b' ' * PLOT_SIZE])
def test_a_description_that_cannot_be_read_is_none(figures, tmp_path, content):
    gold = figures[0]
    gold.save(tmp_path).with_suffix('.plot.json').write_bytes(content)
    found = scored(gold, tmp_path, gold)
    assert (found.score, found.detail) == (1, f'{PIXELS} (no description of the figure)')


def test_figures_with_nothing_drawn_count_neither_in_the_gold_nor_in_an_answer(figures, tmp_path):
    gold, _, words = figures
    for figure in (gold, words):
        figure.save(tmp_path)
    found = scored(gold, tmp_path, gold, words, more_figures=[words])
    assert (found.score, found.detail) == (1, '')
    empty = scored(gold, tmp_path, words)
    assert (empty.score, empty.detail) == (0, 'nothing is drawn')


def test_a_gold_without_anything_drawn_is_compared_by_pixels(figures, tmp_path):
    words = figures[2]
    words.save(tmp_path)
    assert scored(words, tmp_path, words).detail.startswith(PIXELS)


def test_both_profiles_are_measures_beside_judges(figures, tmp_path):
    gold, part, _ = figures
    store = TraceStore(tmp_path / 'demo.traces.jsonl')
    store.append(session_trace(step_of(part), experiment='a'))
    part.save(store.figures)
    said = dict(judge='j', experiment='a', index=0, on_failure=False, score=0.5, replies=('5',))
    options = find_profile('strict').defaults
    judged = SimpleNamespace(
        model='m',
        traces=store,
        experiments=[experiment(gold)],
        options=options,
        current=lambda: [SimpleNamespace(**said)],
    )
    ((metric, (one,)),) = agreement.observations_of([judged]).items()
    assert (metric, one.experiment, sorted(one.values)) == ('vis_sim', 'a', sorted([*notebook_profiles(), 'j']))
    assert one.values['strict'] == pytest.approx(0.3)


def test_what_a_description_does_not_say_is_not_compared(pairs):
    """Those made before places of panels and texts, styles and colours were described still serve as gold."""
    (axes,) = pairs['a line with a gap'][1].axes
    (line,) = axes.series
    question = 'Draw it as a red dashed line in the left panel of a 1 x 2 grid.'
    dashed = line.model_copy(update={'tints': ['#ff0000'], 'style': 'dashed'})
    before = line.model_copy(update={'tints': [], 'style': ''})
    golds = [axes.model_copy(update={'series': [one]}) for one in (dashed, before)]
    found = [similarity([Plot(axes=[gold])], [Plot(axes=[axes])], question=question)[0] for gold in golds]
    assert found[0] <= 0.6 < found[1] == 1
    written = axes.model_copy(update={'texts': ['a', 'b'], 'text_places': [[0, 1], [3, 4]]})
    turned, unplaced = (written.model_copy(update={'text_places': places}) for places in ([[3, 4], [0, 1]], []))
    found = [similarity([Plot(axes=[gold])], [Plot(axes=[turned])])[0] for gold in (written, unplaced)]
    assert found[0] <= 0.6 < found[1] == 1
    bare = axes.model_copy(update={'place': []})
    assert similarity([Plot(axes=[bare, bare])], [Plot(axes=[axes, axes])], question=question)[0] == 1


def test_outliers_count_where_both_descriptions_tell_of_them(plots_of):
    whole, bare = plots_of('plt.boxplot([1, 2, 3, 5, 50])', 'plt.boxplot([1, 2, 3, 5, 50], showfliers=False)')
    boxes = whole.axes[0].series[0]
    former = boxes.model_copy(update={'columns': boxes.columns[:6], 'stats': boxes.stats[:6]})
    known = whole.model_copy(update={'axes': [whole.axes[0].model_copy(update={'series': [former]})]})
    assert score(whole, bare) <= WRONG
    assert score(known, bare) == score(known, whole) == 1
