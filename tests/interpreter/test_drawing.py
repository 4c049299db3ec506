"""Kernels draw what stock matplotlib draws, to the byte: plain ipykernel in the same environment is the standard.

The only setting of ours is the font of glyphs that matplotlib's own has not.
"""

import asyncio
import base64

import pytest

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.environments import KernelEnvironment
from tests.interpreter.plain import by_plain_ipykernel
from tests.support import triples

pytestmark = pytest.mark.kernel
START = """\
import numpy as np
import pandas as pd
import matplotlib as mpl
import matplotlib.pyplot as plt
x = np.linspace(-5, 5, 60)
frame = pd.DataFrame({'a': [-3, -1, 2, 4], 'b': [1, -2, 3, -4], 'c': list('wxyz')})
"""
OWN_FONTS = """
from pathlib import Path
from matplotlib import font_manager
ours = Path(mpl.get_data_path()).resolve()
manager = font_manager.fontManager
manager.ttflist = [font for font in manager.ttflist if ours in Path(ours, font.fname).resolve().parents]
"""
"""Stock matplotlib on a machine without fonts: seaborn's theme takes the machine's Arial where there is one."""
NEGATIVE = 'plt.plot(x, x**3)\n'
FIGURES = {
    'negative ticks': NEGATIVE,
    'a minus in words': "plt.plot(x)\nplt.title('−5 to -5, a − b')\nplt.xlabel('x − mean')",
    'ascii minus chosen': f"plt.rcParams['axes.unicode_minus'] = False\n{NEGATIVE}",
    'log': 'plt.loglog([1e-4, 1, 1e4], [1e-3, 1, 1e5])',
    'mathematics': r'plt.plot(x)' '\n' r"plt.title(r'$\alpha - \beta = -\frac{1}{2}\sum_i x_i^{-2}$ − m²')",
    'mathematics in serifs': "plt.rcParams['mathtext.fontset'] = 'stix'\nplt.plot(x)\nplt.title(r'$-x^{-1}$')",
    'regular mathematics': "plt.rcParams['mathtext.default'] = 'regular'\nplt.plot(x)\nplt.title(r'$-x_{min}$ − y')",
    'serifs': f"plt.rcParams['font.family'] = 'serif'\n{NEGATIVE}plt.title('Serif −1')",
    'another sans-serif': f"plt.rcParams['font.sans-serif'] = ['DejaVu Sans Mono']\n{NEGATIVE}plt.title('Mono −1')",
    'one that is not there': f"plt.rcParams['font.sans-serif'] = ['SimHei']\n{NEGATIVE}plt.title('Latin −1')",
    'a family that is not there': f"plt.rcParams['font.family'] = 'SimHei'\n{NEGATIVE}plt.title('Latin −1')",
    'one that is not there, then one that is': (
        f"plt.rcParams['font.sans-serif'] = ['SimHei', 'STIXGeneral']\n{NEGATIVE}plt.title('STIX −1')"
    ),
    'bold and italic': "plt.plot(x)\nplt.title('Bold −1', weight='bold')\nplt.xlabel('Italic', style='italic')",
    'light': "plt.plot(x)\nplt.title('Light −1', weight='light')\nplt.text(3, 0, 'heavy', weight=900)",
    'a text of its own family': "plt.plot(x)\nplt.title('−1', family='cursive')\nplt.text(3, 0, 'a', family='serif')",
    'defaults': f'plt.rcdefaults()\n{NEGATIVE}',
    'bmh': f"plt.style.use('bmh')\n{NEGATIVE}plt.title('Serifs')",
    'classic': f"plt.style.use('classic')\n{NEGATIVE}",
    'xkcd': f'with plt.xkcd():\n    {NEGATIVE}    plt.show()',
    'seaborn': "import seaborn as sns\nsns.set_theme()\nsns.boxplot(data=frame[['a', 'b']])",
    'other letters': "plt.plot(x)\nplt.title('Größe Ελληνικά Кириллица ± µ × ≤')",
}
"""What chooses fonts for text that has glyphs in matplotlib's own. Kinds of plots: those of the benchmark, below."""
CHINESE = {
    'title': "plt.plot(x, x**3)\nplt.title('各省人口：−5 至 5')\nplt.xlabel('年')",
    'bold': "plt.plot(x, x**3)\nplt.title('各省人口', weight='bold')\nplt.ylabel('人口（万）')",
    'ticks': "plt.bar(['北京', '上海', '广州'], [-3, 4, -1])",
    'legend': "plt.plot(-x, label='负数')\nplt.legend(title='图例')",
    'pandas': "frame.set_axis(['甲', '乙', 'c'], axis=1).plot(x='c', kind='bar', title='柱状图')",
    'image': "plt.imshow(np.outer(x, x))\nplt.colorbar(label='数值')\nplt.title('热图')",
}
SIMHEI = "plt.rcParams['font.sans-serif'] = ['SimHei']\nplt.rcParams['axes.unicode_minus'] = False\n"
"""How code in Chinese mostly begins."""
SETUP, STOCK = 'setup of', 'setup of stock matplotlib'
"""How names of cells begin that draw nothing, and of those among them that are not for a kernel of ours."""
ONE = "with plt.rc_context():\n    exec({code!r}, dict(globals()))\nplt.close('all')"
WITH_FONT = """
from matplotlib import font_manager
font_manager.fontManager.addfont({font!r})
plt.rcParams['font.family'] = ['DejaVu Sans', 'WenQuanYi Micro Hei']
"""
"""Stock matplotlib, told of the two fonts."""


def shown(code):
    return ONE.format(code=code if 'plt.show()' in code else f'{code}\nplt.show()')


async def by_kernel(codes):
    """What a kernel makes of codes as it has those of models."""
    settings = KernelSettings(sandbox='auto', datasources=triples.DATASOURCES, preload=('pandas', 'seaborn', 'sklearn'))
    async with Interpreter(settings) as interpreter:
        return [await interpreter.run(code) for code in codes]


def check(start, cells, home):
    """Hold the PNGs of cells against those of plain ipykernel; what ours does."""

    async def both():
        env = {'HOME': str(home), 'PATH': '/usr/bin:/bin'}
        stock = by_plain_ipykernel([start, *cells.values()], triples.DATASOURCES, env)
        ours = ['' if name.startswith(STOCK) else code for name, code in cells.items()]
        return await asyncio.gather(stock, by_kernel([start, *ours]))

    notebook, (_, *done) = asyncio.run(both())
    expected = [[base64.b64decode(png) for png in map(_png, outputs) if png] for outputs in notebook[1:]]
    assert [execution.error for execution in done] == [None] * len(done)
    silent = [name for name in cells if name.startswith(SETUP)]
    assert [name for name, pngs in zip(cells, expected, strict=True) if not pngs] == silent
    found = [[figure.data for figure in execution.figures] for execution in done]
    assert [name for name, one, other in zip(cells, expected, found, strict=True) if one != other] == []
    return done


def _png(output):
    return output.get('data', {}).get('image/png')


@pytest.mark.soak
def test_figures_are_those_of_stock_matplotlib(tmp_path):
    """Chinese is drawn without a warning, as by stock matplotlib that is told of the font."""
    (font,) = (KernelEnvironment.find('modern').share / 'fonts').iterdir()
    cells = {f'{STOCK}: its fonts': OWN_FONTS, **{name: shown(code) for name, code in FIGURES.items()}}
    chinese = {before + code: shown(before + code) for before in ('', SIMHEI) for code in CHINESE.values()}
    done = check(START, {**cells, f'{STOCK}: ours': WITH_FONT.format(font=str(font)), **chinese}, tmp_path)
    assert [execution.stderr for execution in done[-len(chinese) :]] == [''] * len(chinese)


@pytest.mark.soak
def test_plots_of_the_benchmark_are_those_of_stock_matplotlib(tmp_path):
    cells = {}
    for file in triples.files():
        if triples.HELD_OUT not in file.parts:
            setup, golds = triples.read(file)
            cells |= {f'{SETUP} {file.stem}': setup, **{f'{file.stem}: {one.name}': shown(one.code) for one in golds}}
    check('', cells, tmp_path)
