"""What plots show: plots drawn in a real kernel against others, and the way of a score into a summary."""

import asyncio
import shutil
from types import SimpleNamespace

import pytest

from cibench_eval.analysis import agreement
from cibench_eval.evaluators import find_profile, notebook_profiles
from cibench_eval.evaluators.comparing.plots.comparison import similarity
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.plots import Plot
from cibench_eval.schema import Figure, Step
from cibench_eval.traces import TraceStore
from tests.support.scoring import (
    attempted,
    gold_experiment,
    score_experiment,
    session_trace,
    shown,
    step_trace,
    summarize,
)

PLOT_SIZE = 400_000

PIXELS = 'by pixels'
pytestmark = pytest.mark.kernel
LIBRARIES = ('pandas', 'matplotlib.pyplot', 'seaborn')
DESCRIBE = """
import matplotlib.pyplot as plt, numpy as np, pandas as pd, seaborn as sns

def describe():
    bundle, _ = get_ipython().display_formatter.mimebundle_formatter(plt.gcf())
    print(*bundle.values())
    plt.close('all')

noise = np.random.default_rng(0).normal(size=(3, 90))
names = np.repeat(['a', 'b', 'c'], 30)
frame = pd.DataFrame({'x': noise[0], 'y': noise[1], 'name': names})
"""
"""What happens to a figure that is shown, without the time that drawing takes."""
WRONG_LINE = 'data × 0.00 (line 0 % right), view right, texts right'
RIGHT, WRONG = (0.9, 1), (0, 0.6)
DATES = (
    "dates = pd.date_range('2020', periods=8, freq='QS'); values = pd.Series([1, 3, 2, 5, 7, 4, 6, 8], index=dates);"
)
PAIRS = {
    'series in another order': (
        "plt.plot([1, 2, 4], label='a'); plt.plot([3, 3, 1], label='b'); plt.legend();",
        "plt.plot([3, 3, 1], label='b'); plt.plot([1, 2, 4], label='a'); plt.legend();",
        RIGHT,
    ),
    'names of series swapped': (
        "plt.plot([1, 2, 4], label='a'); plt.plot([3, 3, 1], label='b'); plt.legend();",
        "plt.plot([1, 2, 4], label='b'); plt.plot([3, 3, 1], label='a'); plt.legend();",
        WRONG,
    ),
    'one of two series': ('plt.plot([1, 2, 4]); plt.plot([3, 3, 1]);', 'plt.plot([1, 2, 4]);', WRONG),
    'points instead of a line': ('plt.plot([1, 2, 4]);', 'plt.scatter([0, 1, 2], [1, 2, 4]);', WRONG),
    'points by another call': ("plt.plot([1, 2, 4], 'o');", 'plt.scatter([2, 0, 1], [4, 1, 2]);', RIGHT),
    'lying bars': ("plt.bar(['a', 'b'], [1, 2]);", "plt.barh(['a', 'b'], [1, 2]);", WRONG),
    'bars in another order': ("plt.bar(['a', 'b'], [1, 2]);", "plt.bar(['b', 'a'], [2, 1]);", RIGHT),
    'bars under the wrong names': ("plt.bar(['甲', '乙'], [1, 2]);", "plt.bar(['乙', '甲'], [1, 2]);", WRONG),
    'bars by another library': (
        "plt.bar(['a', 'b'], [1, 2]);",
        "import pandas as pd; pd.Series([1, 2], index=['a', 'b']).plot(kind='bar', width=0.5);",
        RIGHT,
    ),
    'boxes by another library': (
        "plt.boxplot([[1, 2, 3, 9], [2, 3, 4, 6]]); plt.xticks([1, 2], ['a', 'b']);",
        "import seaborn as sns; sns.boxplot(x=['a'] * 4 + ['b'] * 4, y=[1, 2, 3, 9, 2, 3, 4, 6], color='red');",
        RIGHT,
    ),
    'a heat map by another library': (
        'import numpy as np, seaborn as sns; sns.heatmap(np.arange(6.0).reshape(2, 3), annot=True);',
        "plt.imshow([[0, 1, 2], [3, 4, 5]], cmap='Reds'); plt.colorbar();"
        "plt.xticks([0, 1, 2], ['0', '1', '2']); plt.yticks([0, 1], ['0', '1']);",
        RIGHT,
    ),
    'a turned image': ('plt.imshow([[0, 1, 2], [3, 4, 5]]);', 'plt.imshow([[0, 3], [1, 4], [2, 5]]);', WRONG),
    'shares in another order': (
        "plt.pie([1, 3, 4], labels=['a', 'b', 'c']);",
        "plt.pie([4, 1, 3], labels=['c', 'a', 'b'], explode=[0, 0.1, 0]);",
        RIGHT,
    ),
    'shares under the wrong names': (
        "plt.pie([1, 3], labels=['a', 'b']);",
        "plt.pie([3, 1], labels=['a', 'b']);",
        WRONG,
    ),
    'Chinese words': (
        "plt.plot([1, 2]); plt.title('各省人口'); plt.xlabel('年'); plt.ylabel('人口');",
        "plt.plot([1, 2]); plt.title('各省人口'); plt.ylabel('人口');",
        WRONG,
    ),
    'title of the whole figure': ("plt.plot([1, 2]); plt.title('A');", "plt.plot([1, 2]); plt.suptitle('A');", RIGHT),
    'another scale': ('plt.semilogy([1, 10]);', 'plt.plot([1, 10]);', WRONG),
    'two axes, the other way round': (
        '_, (a, b) = plt.subplots(1, 2); a.plot([1, 2]); b.hist([1, 1, 2]);',
        '_, (a, b) = plt.subplots(2, 1); b.plot([1, 2]); a.hist([1, 1, 2]);',
        RIGHT,
    ),
    'one of two axes': (
        '_, (a, b) = plt.subplots(1, 2); a.plot([1, 2]); b.hist([1, 1, 2]);',
        "plt.plot([1, 2], color='red');",
        WRONG,
    ),
    'twin axes': (
        '_, a = plt.subplots(); a.plot([1, 2]); a.twinx().bar([0, 1], [5, 6]);',
        '_, a = plt.subplots(); a.plot([1, 2]); a.bar([0, 1], [5, 6]);',
        WRONG,
    ),
    'last digits': ('plt.plot([1, 2, 3]);', 'plt.plot([1.00001, 2, 3]);', RIGHT),
    'another value of three': ('plt.plot([1, 2, 3]);', 'plt.plot([1, 2.1, 3]);', WRONG),
    'the same line through other points': ('plt.plot([1, 2, 3, 4]);', 'plt.plot([0, 1.5, 3], [1, 2.5, 4]);', RIGHT),
    'the same curve through one more point': (
        'import numpy as np; x = np.linspace(0, 10, 1000); plt.plot(x, np.sin(x));',
        'x = np.linspace(0, 10, 1001); plt.plot(x, np.sin(x));',
        RIGHT,
    ),
    'another curve through the same ends': (
        'x = np.linspace(0, 1, 1000); plt.plot(x, x ** 2);',
        'x = np.linspace(0, 1, 1001); plt.plot(x, x ** 3);',
        WRONG,
    ),
    'a line with a gap': ("plt.plot([1, float('nan'), 3, 4]);", 'plt.plot([1, 2, 3, 4]);', WRONG),
    'in space': (
        "plt.figure().add_subplot(projection='3d').plot([1, 2], [3, 4], [5, 6]);",
        "plt.figure().add_subplot(projection='3d').plot([1, 2], [3, 4], [5, 7]);",
        WRONG,
    ),
    'one call for all groups': (
        "for name in 'abc': plt.scatter('x', 'y', data=frame[names == name], label=name)\nplt.legend();",
        "sns.scatterplot(frame, x='x', y='y', hue='name').set(xlabel='', ylabel='');",
        RIGHT,
    ),
    'one call for all groups, names exchanged': (
        "for name in 'abc': plt.scatter('x', 'y', data=frame[names == name], label=name)\nplt.legend();",
        "sns.scatterplot(frame, x='x', y='y', hue=frame['name'].map({'a': 'b', 'b': 'a', 'c': 'c'}));",
        WRONG,
    ),
    'groups by colour alone': (
        "plt.scatter('x', 'y', c=pd.factorize(names)[0], data=frame);",
        "for name in 'abc': plt.scatter('x', 'y', data=frame[names == name]);",
        RIGHT,
    ),
    'other groups by colour alone': (
        "plt.scatter('x', 'y', c=pd.factorize(names)[0], data=frame);",
        "plt.scatter('x', 'y', c=np.arange(90) % 3, data=frame);",
        WRONG,
    ),
    'areas that say something': (
        "plt.scatter('x', 'y', s=20 + np.arange(90), data=frame);",
        "plt.scatter('x', 'y', s=20 + np.arange(90)[::-1], data=frame);",
        WRONG,
    ),
    'one of many points far off': (
        'plt.scatter(*noise[:2]);',
        'noise[1, 40] = 30; plt.scatter(*noise[:2]); noise[1, 40] = 0;',
        WRONG,
    ),
    'one of 5000 points of a line far off': (
        'wave = np.sin(np.arange(5000)); plt.plot(wave);',
        'wave[2003] = 4; plt.plot(wave);',
        WRONG,
    ),
    'bars of error that nobody asked for': (
        "plt.bar(['a', 'b'], [2, 3]);",
        "sns.barplot(x=['a', 'a', 'b', 'b'], y=[1, 3, 2, 4], capsize=0.1, seed=0);",
        RIGHT,
    ),
    'bars of error left out': ("plt.bar(['a', 'b'], [2, 3], yerr=[1, 1]);", "plt.bar(['a', 'b'], [2, 3]);", WRONG),
    'other bars of error': (
        "plt.bar(['a', 'b'], [2, 3], yerr=[1, 1]);",
        "plt.bar(['a', 'b'], [2, 3], yerr=[1, 0.9]);",
        WRONG,
    ),
    'the outline of a histogram': (
        'plt.hist(noise[0], bins=9);',
        "plt.hist(noise[0], bins=9, histtype='step');",
        RIGHT,
    ),
    'the outline of another histogram': (
        'plt.hist(noise[0], bins=9);',
        "plt.hist(noise[1], bins=9, histtype='step');",
        WRONG,
    ),
    'stairs': ('plt.hist(noise[0], bins=9);', 'plt.stairs(*np.histogram(noise[0], bins=9), fill=True);', RIGHT),
    'notched boxes': (
        'plt.boxplot(list(noise));',
        'plt.boxplot(list(noise), notch=True, patch_artist=True, widths=0.8);',
        RIGHT,
    ),
    'one of three bars missing': ("plt.bar(list('abc'), [1, 2, 3]);", "plt.bar(list('ab'), [1, 2]);", WRONG),
    'an inverted axis': ('plt.plot([1, 2, 4]);', 'plt.plot([1, 2, 4]); plt.gca().invert_yaxis();', WRONG),
    'a logarithmic axis': ('plt.plot([1, 2, 4]);', "plt.plot([1, 2, 4]); plt.yscale('log');", WRONG),
    'data cut off': ('plt.plot([1, 2, 4]);', 'plt.plot([1, 2, 4]); plt.ylim(0, 2);', WRONG),
    'data in a corner': ('plt.plot([1, 2, 4]);', 'plt.plot([1, 2, 4]); plt.ylim(0, 100);', WRONG),
    'other limits': ('plt.plot([1, 2, 4]);', 'plt.plot([1, 2, 4]); plt.ylim(0, 6);', RIGHT),
    'a line at 0': ('plt.plot([1, -2, 4]);', "plt.plot([1, -2, 4]); plt.axhline(0, color='k');", RIGHT),
    'a line elsewhere': (
        'plt.plot([1, -2, 4]); plt.axvline(1);',
        'plt.plot([1, -2, 4]); plt.axvline(1.5);',
        WRONG,
    ),
    'a line across by another call': (
        'plt.plot([1, -2, 4]); plt.axhline(1);',
        'plt.plot([1, -2, 4]); plt.hlines(1, -0.1, 2.1);',
        RIGHT,
    ),
    'Spearman for Pearson': (
        'sns.heatmap(frame[["x", "y"]].assign(z=frame.x ** 3).corr(), annot=True);',
        'sns.heatmap(frame[["x", "y"]].assign(z=frame.x ** 3).corr("spearman"), annot=True);',
        WRONG,
    ),
    'an image with its rows the other way round': (
        'plt.imshow(np.arange(12).reshape(3, 4));',
        "plt.imshow(np.arange(12).reshape(3, 4), origin='lower');",
        WRONG,
    ),
    'an image drawn from below with its rows turned': (
        'plt.imshow(np.arange(12).reshape(3, 4));',
        "plt.imshow(np.arange(12).reshape(3, 4)[::-1], origin='lower', cmap='gray');",
        RIGHT,
    ),
    'a large image that differs in one place': (
        'large = np.add.outer(np.arange(300), np.arange(200)) % 256; plt.imshow(large);',
        'large[100:160, 50:90] = 0; plt.imshow(large);',
        WRONG,
    ),
    'grey in three channels': (
        "grey = np.arange(900).reshape(30, 30) % 256; plt.imshow(grey, cmap='gray');",
        'plt.imshow(np.dstack([grey] * 3));',
        RIGHT,
    ),
    'sizes of drawn shapes': (
        'plt.gca().add_patch(plt.Circle((0.5, 0.5), 0.2));',
        'plt.gca().add_patch(plt.Circle((0.5, 0.5), 0.3));',
        WRONG,
    ),
    'the right words and other data': (
        "plt.plot([1, 2, 4]); plt.title('A'); plt.xlabel('b'); plt.ylabel('c');",
        "plt.plot([4, 2, 1]); plt.title('A'); plt.xlabel('b'); plt.ylabel('c');",
        WRONG,
    ),
    'another title': ("plt.plot([1, 2]); plt.title('A');", "plt.plot([1, 2]); plt.title('B');", WRONG),
    'no legend': ("plt.plot([1, 2], label='a'); plt.legend();", "plt.plot([1, 2], label='a');", WRONG),
    'a legend that nobody asked for': ('plt.plot([1, 2]);', "plt.plot([1, 2], label='a'); plt.legend();", RIGHT),
    'an area from below': (
        'plt.fill_between([1, 2, 3], [2, 1, 3]);',
        'plt.fill_between([1, 2, 3], 0, [2, 1, 3]); plt.plot([1, 2, 3], [2, 1, 3]);',
        RIGHT,
    ),
    'a band around a line': (
        'plt.plot([1, 2, 3]);',
        'plt.plot([1, 2, 3]); plt.fill_between([0, 1, 2], [0, 1, 2], [2, 3, 4], alpha=0.2);',
        RIGHT,
    ),
    'steps': ("plt.step([1, 2, 3], [1, 3, 2], where='post');", 'plt.plot([1, 2, 3], [1, 3, 2]);', WRONG),
    'steps by another call': (
        "plt.step([1, 2, 3], [1, 3, 2], where='post');",
        "plt.plot([1, 2, 3], [1, 3, 2], drawstyle='steps-post');",
        RIGHT,
    ),
    'dates as periods': (
        "days = pd.date_range('2020-01-01', periods=9, freq='MS'); plt.plot(days, range(9));",
        'pd.Series(range(9), days).plot();',
        RIGHT,
    ),
    'Mondays as periods': (
        "days = pd.date_range('2024-01-01', periods=9, freq='7D'); plt.plot(days, range(9));",
        'pd.Series(range(9), days).plot();',
        RIGHT,
    ),
    'Mondays as periods a week later': (
        "days = pd.date_range('2024-01-01', periods=9, freq='7D'); plt.plot(days, range(9));",
        'pd.Series(range(9), days + pd.Timedelta(days=7)).plot();',
        WRONG,
    ),
    'ends of quarters as periods': (
        "days = pd.date_range('2024-01-01', periods=9, freq='QS') - pd.Timedelta(days=1); plt.plot(days, range(9));",
        'pd.Series(range(9), days).plot();',
        RIGHT,
    ),
    'ends of months that are periods': (
        "pd.Series(range(9), pd.date_range('2024-01-01', periods=9, freq='MS') - pd.Timedelta(days=1)).plot();",
        "plt.plot(pd.date_range('2024-01-01', periods=9, freq='MS') - pd.Timedelta(days=1), range(9));",
        RIGHT,
    ),
    'a pie without names': (
        "plt.pie([1, 2, 4], labels=['a', 'b', 'c'], autopct='%.0f');",
        "plt.pie([1, 2, 4], autopct='%.0f');",
        WRONG,
    ),
    'a pie with its names in a legend': (
        "plt.pie([1, 2, 4], labels=['a', 'b', 'c']);",
        "plt.pie([1, 2, 4]); plt.legend(['a', 'b', 'c']);",
        RIGHT,
    ),
    'a pie whose names say more': (
        "plt.pie([1, 2, 4], labels=['a', 'b', 'c']);",
        "plt.pie([1, 2, 4], labels=['A (14 %)', 'B (29 %)', 'C (57 %)']);",
        RIGHT,
    ),
    'a pie whose names say more, exchanged': (
        "plt.pie([1, 2, 4], labels=['a', 'b', 'c']);",
        "plt.pie([1, 2, 4], labels=['B (14 %)', 'A (29 %)', 'C (57 %)']);",
        WRONG,
    ),
    'a line across through a marked point': (
        "plt.plot([1, 2, 3], [0.2, 0.9, 0.4], marker='o'); plt.axvline(2);",
        "plt.plot([1, 2, 3], [0.2, 0.9, 0.4], marker='o'); ends = plt.ylim(); plt.plot([2, 2], ends); plt.ylim(ends);",
        RIGHT,
    ),
    'a line across through another point': (
        "plt.plot([1, 2, 3], [0.2, 0.9, 0.4], marker='o'); plt.axvline(2);",
        "plt.plot([1, 2, 3], [0.2, 0.9, 0.4], marker='o'); plt.axvline(3);",
        WRONG,
    ),
    'names at other places': (
        "plt.plot([1, 3, 2, 5]); plt.xticks([0, 1, 2, 3], ['a', 'b', 'c', 'd']);",
        "plt.plot([1, 3, 2, 5]); plt.xticks([1, 2, 3, 4], ['a', 'b', 'c', 'd']); plt.xlim(0, 3);",
        WRONG,
    ),
    'names that moved with the points': (
        "plt.plot([1, 3, 2, 5]); plt.xticks([0, 1, 2, 3], ['a', 'b', 'c', 'd']);",
        "plt.plot([1, 2, 3, 4], [1, 3, 2, 5]); plt.xticks([1, 2, 3, 4], ['a', 'b', 'c', 'd']);",
        RIGHT,
    ),
    'two names exchanged': (
        "plt.plot([1, 3, 2, 5]); plt.xticks([0, 1, 2, 3], ['a', 'b', 'c', 'd']);",
        "plt.plot([1, 3, 2, 5]); plt.xticks([0, 1, 2, 3], ['a', 'c', 'b', 'd']);",
        WRONG,
    ),
    'every second name, by pandas': (
        "plt.plot(range(1, 9), [1, 3, 2, 5, 4, 6, 8, 7]); plt.xticks(range(1, 9), list('abcdefgh'));",
        "pd.Series([1, 3, 2, 5, 4, 6, 8, 7], index=list('abcdefgh')).plot();",
        RIGHT,
    ),
    'spans, points and lines over dates drawn by pandas': (
        f'{DATES} plt.plot(dates, values); plt.axvspan(dates[1], dates[2]); plt.scatter(dates[3], 9); '
        'plt.axhline(4); plt.axvline(dates[4]); plt.vlines(dates[:2], 2, 3);',
        f'{DATES} a = values.plot(); a.axvspan(dates[1], dates[2]); a.scatter(dates[3:4], [9]); '
        'a.axhline(4); a.axvline(dates[4]); a.vlines(dates[:2], 2, 3);',
        RIGHT,
    ),
    'another span over dates drawn by pandas': (
        f'{DATES} plt.plot(dates, values); plt.axvspan(dates[1], dates[2]);',
        f'{DATES} values.plot().axvspan(dates[1], dates[3]);',
        WRONG,
    ),
    'a ray from the centre': (
        'plt.polar([0, 1, 2], [3, 4, 5]); plt.plot([2, 2], [0, 5]); plt.ylim(0, 6);',
        'plt.polar([0, 1, 2], [3, 4, 5]); plt.plot([0, 2], [0, 5]); plt.ylim(0, 6);',
        RIGHT,
    ),
    'a ray elsewhere': (
        'plt.polar([0, 1, 2], [3, 4, 5]); plt.plot([2, 2], [0, 5]); plt.ylim(0, 6);',
        'plt.polar([0, 1, 2], [3, 4, 5]); plt.plot([0, 1], [0, 5]); plt.ylim(0, 6);',
        WRONG,
    ),
    'an image with something over it': (
        "sns.heatmap([[1, 2], [4, 5]], xticklabels=['a', 'b']); plt.plot([0.5, 1.5], [0.5, 1.5], 'r');",
        "plt.imshow([[1, 2], [4, 5]]); plt.xticks([0, 1], ['a', 'b']); plt.yticks([0, 1]); plt.plot([0, 1], [0, 1]);",
        RIGHT,
    ),
    'an image with two names exchanged': (
        "sns.heatmap(np.arange(8.0).reshape(2, 4), xticklabels=['a', 'b', 'c', 'd']);",
        "plt.imshow(np.arange(8.0).reshape(2, 4)); plt.xticks([0, 1, 2, 3], ['a', 'c', 'b', 'd']); plt.yticks([0, 1]);",
        WRONG,
    ),
    'years at the second of four quarters': (
        "plt.bar(range(12), range(3, 15)); plt.xticks([0, 4, 8], ['1990', '1991', '1992']);",
        "plt.bar(range(12), range(3, 15)); plt.xticks([1, 5, 9], ['1990', '1991', '1992']);",
        WRONG,
    ),
    'an image with shifted names': (
        "plt.imshow([[1, 2, 3], [2, 5, 3]]); plt.xticks([0, 1, 2], ['a', 'b', 'c']);",
        "plt.imshow([[1, 2, 3], [2, 5, 3]]); plt.xticks([1, 2, 3], ['a', 'b', 'c']); plt.xlim(-0.5, 2.5);",
        WRONG,
    ),
    'an image without its numbers': (
        'plt.imshow([[1, 2, 3], [2, 5, 3]]); plt.xticks([0, 1, 2], [1, 2, 3]);',
        'plt.imshow([[1, 2, 3], [2, 5, 3]]);',
        WRONG,
    ),
    'an image between its numbers': (
        'plt.imshow([[1, 2, 3], [2, 5, 3]]); plt.xticks([0, 1, 2], [1, 2, 3]);',
        'plt.imshow([[1, 2, 3], [2, 5, 3]], extent=(0.5, 3.5, 1.5, -0.5));',
        RIGHT,
    ),
    'an image from below': (
        "plt.imshow([[1, 2], [4, 5]]); plt.yticks([0, 1], ['a', 'b']);",
        "plt.pcolormesh([[4, 5], [1, 2]]); plt.yticks([0.5, 1.5], ['b', 'a']);",
        RIGHT,
    ),
    'a table': (
        "plt.axis('off'); plt.table([['1', '2']], loc='center');",
        "plt.axis('off'); plt.table([['1', '3']], loc='center');",
        WRONG,
    ),
    'what no series describes': (
        'plt.plot([1, 2]); plt.gca().inset_axes([0.1, 0.5, 0.4, 0.4]).plot([1, 3, 2]);',
        "plt.figure(figsize=(9, 5)); plt.plot([1, 2], 'r'); plt.grid(); plt.title('more');"
        'plt.gca().inset_axes([0.1, 0.5, 0.4, 0.4]).plot([1, 3, 2]);',
        RIGHT,
    ),
    'something else that no series describes': (
        'plt.plot([1, 2]); plt.gca().inset_axes([0.1, 0.5, 0.4, 0.4]).plot([1, 3, 2]);',
        'plt.plot([1, 2]); plt.gca().inset_axes([0.1, 0.5, 0.4, 0.4]).pie([3, 2]);',
        WRONG,
    ),
}
"""What is changed: gold, answer, whether it is the same plot in another dress."""


def executions_of(*codes):
    """What code blocks do, in one kernel."""

    async def session():
        async with Interpreter(KernelSettings(sandbox='auto', preload=LIBRARIES)) as interpreter:
            return [await interpreter.run(code) for code in codes]

    found = asyncio.run(session())
    assert [execution.error for execution in found] == [None] * len(found)
    return found


def plots_of(*codes):
    """The descriptions of what code blocks draw."""
    return [Plot.read(line) for execution in executions_of(*codes) for line in execution.stdout.splitlines()]


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
    return [one.figures[0] for one in executions_of('import matplotlib.pyplot as plt', *codes)[1:]]


def score(gold, answer):
    return similarity([gold], [answer])[0]


@pytest.mark.parametrize('name', PAIRS)
def test_the_same_plot_scores_high_and_another_one_low(pairs, name):
    gold, answer = pairs[name]
    low, high = PAIRS[name][2]
    assert score(gold, gold) == score(answer, answer) == 1
    assert low <= score(gold, answer) <= high, similarity([gold], [answer])[1]


def test_texts_that_the_question_does_not_name_cost_little(pairs):
    gold, answer = pairs['Chinese words']
    assert similarity([gold], [answer], question='标题为 `各省人口`，横轴为 `年`。')[0] == 0.5
    assert similarity([gold], [answer], question='标题为 `各省人口`，画图。')[0] == 0.9


def test_names_at_ticks_may_be_thinned_out_where_nobody_asks_for_all():
    cells = 'np.arange(8.0).reshape(2, 4)'
    named = f"sns.heatmap({cells}, xticklabels=['a', 'b', 'c', 'd'])"
    thinned = f"plt.imshow({cells}); plt.xticks([0, 2], ['a', 'c']); plt.yticks([0, 1])"
    gold, answer = plots_of(DESCRIBE, f'{named}\ndescribe()\n{thinned}\ndescribe()')
    free, asked = (
        similarity([gold], [answer], question=one)[0] for one in ('a heat map', 'columns `a`, `b`, `c`, `d`')
    )
    assert asked < 0.9 <= free < 1


def test_named_rows_of_an_image_may_be_drawn_from_below_where_nobody_says_what_is_above():
    ticks = "plt.xticks([0.5, 1.5, 2.5], ['a', 'b', 'c']); plt.yticks([0.5, 1.5], {})"
    cells = 'np.arange(6.0).reshape(2, 3)'
    named = f"sns.heatmap({cells}, xticklabels=['a', 'b', 'c'], yticklabels=['p', 'q'])"
    below = f'plt.pcolor({cells}); {ticks.format(["p", "q"])}'
    exchanged = f'plt.pcolor({cells}); {ticks.format(["q", "p"])}'
    gold, right, wrong = plots_of(DESCRIBE, '\n'.join(f'{code}\ndescribe()' for code in (named, below, exchanged)))
    for question in ('a heat map', 'a heat map with `p` on top', 'a heat map of p and q in this order', ''):
        found = similarity([gold], [right], question=question)[0]
        assert found == 1 if question == 'a heat map' else found < 0.6
        assert similarity([gold], [wrong], question=question)[0] < 0.6


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
def test_colours_are_asked_for_by_their_names_in_css(question, gold, wrong):
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

    own, other = plots_of(DESCRIBE, '\n'.join(f'{drawn(colours)}\ndescribe()' for colours in (gold, wrong)))
    assert similarity([own], [other], question=question)[1] == 'data right, view × 0.50 (other colours), texts right'
    assert similarity([own], [other], question='bars of the tan function, salmon and wheat')[0] == 1


def test_a_colour_between_grey_and_blue_has_both_names():
    codes = "plt.bar(['a', 'b'], [1, 2], color='slategray')", "sns.barplot(x=['a', 'b'], y=[1, 2], color='slategray')"
    gold, answer = plots_of(DESCRIBE, '\n'.join(f'{code}\ndescribe()' for code in codes))
    assert similarity([gold], [answer], question='bars in `slategray`') == (1, '')


def test_a_pie_runs_as_the_question_says():
    pies = ('startangle=90', 'startangle=90, counterclock=False', 'startangle=0', 'startangle=90, explode=[0, 0, 0.1]')
    codes = [f"plt.pie([2, 1, 4], labels=['a', 'b', 'c'], {pie})\ndescribe()" for pie in pies]
    gold, clockwise, from_right, exploded = plots_of(DESCRIBE, '\n'.join(codes))
    for question in ('a pie, counterclockwise from the top (`startangle=90`)', '从正北开始，按逆时针画饼图'):
        assert [similarity([gold], [one], question=question)[0] for one in (clockwise, from_right)] == [0.5, 0.5]
        assert similarity([gold], [exploded], question=question)[0] == 1
    assert all(similarity([gold], [one], question='a pie')[0] == 1 for one in (clockwise, from_right))


@pytest.mark.parametrize(
    'question', ['each row a bar, its columns stacked in their order', '每行一个条形，各列按顺序堆叠']
)
def test_the_order_of_a_stack_counts_where_the_question_gives_it(question):
    lower, upper = "plt.barh(['a', 'b'], {}, left={}, label='p')", "plt.barh(['a', 'b'], {}, left={}, label='q')"
    codes = [
        f'{lower.format([1, 2], 0)}; {upper.format([3, 5], [1, 2])}',
        f'{lower.format([1, 2], [3, 5])}; {upper.format([3, 5], 0)}',
    ]
    gold, other = plots_of(DESCRIBE, '\n'.join(f'{code}; plt.legend()\ndescribe()' for code in codes))
    assert similarity([gold], [gold], question=question)[0] == similarity([gold], [other], question='stacks')[0] == 1
    assert similarity([gold], [other], question=question)[0] <= 0.6


def test_an_arrow_is_there_where_the_question_asks_for_one():
    noted = "plt.plot([1, 2, 9, 3]); plt.annotate('peak', (2, 9), (0.5, 7){})\ndescribe()"
    gold, bare = plots_of(DESCRIBE, noted.format(", arrowprops={'arrowstyle': '->'}") + '\n' + noted.format(''))
    for question in ('Write `peak` at the highest point, with an arrow.', '为最高点添加注释 `peak`，并带箭头。'):
        assert similarity([gold], [gold], question=question)[0] == 1
        assert similarity([gold], [bare], question=question)[0] <= 0.5


def test_one_forged_point_does_not_stand_for_a_sampled_series():
    gold, point = many(1, 1, [range(200)] * 2), many(1, 1, [[0], [0]])
    forged = Plot.model_validate_json(point.model_dump_json().replace('"size":1', '"size":200'))
    assert score(gold, forged) < 0.3


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
    said = dict(metric='vis', score=0.5, replies=('5',))
    verdicts = SimpleNamespace(load=lambda: {('j', 'a', 0): SimpleNamespace(**said)})
    options = find_profile('strict').defaults
    judged = SimpleNamespace(
        model='m', traces=store, experiments=[experiment(gold)], options=options, verdicts=verdicts
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
