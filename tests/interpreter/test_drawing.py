"""Kernels draw what stock matplotlib draws, to the byte: plain ipykernel in the same environment is the standard.

The only setting of ours is the font of glyphs that matplotlib's own has not.
"""

import asyncio
import base64

import pytest
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.interpreter.environments import KernelEnvironment
from tests.support import triples
from tests.support.soak import many

pytestmark = pytest.mark.kernel
START = """\
import numpy as np
import pandas as pd
import matplotlib as mpl
import matplotlib.pyplot as plt
from mpl_toolkits.mplot3d import axes3d
rng = np.random.default_rng(0)
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
    'negative ticks, large': f"plt.rcParams['font.size'] = 18\n{NEGATIVE}",
    'negative ticks outside': "plt.plot(-x * 1e6, -x / 1e6)\nplt.ticklabel_format(style='sci', scilimits=(0, 0))",
    'a minus in words': "plt.plot(x)\nplt.title('−5 to -5, a − b')\nplt.xlabel('x − mean')",
    'ascii minus chosen': f"plt.rcParams['axes.unicode_minus'] = False\n{NEGATIVE}",
    'bar with negative heights': "plt.bar(['a', 'b', 'c'], [-3, 4, -1])\nplt.bar_label(plt.gca().containers[0])",
    'barh': "plt.barh(frame['c'], frame['a'])",
    'scatter': "plt.scatter(*rng.normal(size=(2, 50)), c=rng.random(50))\nplt.colorbar(label='°C')",
    'histogram': 'plt.hist(rng.normal(size=500), bins=30)',
    'histogram of two': 'plt.hist2d(*rng.normal(size=(2, 500)), bins=12)\nplt.colorbar()',
    'hexbin': 'plt.hexbin(*rng.normal(size=(2, 500)), gridsize=12)',
    'box': 'plt.boxplot(rng.normal(size=(30, 4)))',
    'violin': 'plt.violinplot(rng.normal(size=(30, 4)))',
    'errors': "plt.errorbar(range(5), [-2, -1, 0, 1, 2], yerr=0.4, capsize=4, fmt='o')",
    'pie': "plt.pie([1, 2, 3], labels=['a', 'b', 'c'], autopct='%.1f%%')",
    'image': "plt.imshow(rng.random((8, 8)), cmap='magma')\nplt.colorbar()",
    'image in colours': 'plt.imshow(rng.random((8, 8, 3)))',
    'matrix': 'plt.matshow(np.corrcoef(rng.normal(size=(4, 9))))',
    'mesh': "plt.pcolormesh(x, x, np.outer(x, x), shading='auto')",
    'contours with labels': 'plt.clabel(plt.contour(x, x, np.outer(x, x)))',
    'filled contours': 'plt.contourf(x, x, np.outer(x, x))',
    'areas': 'plt.fill_between(x, np.sin(x), where=np.sin(x) < 0)',
    'stack': "plt.stackplot(range(5), rng.random((3, 5)), labels=['a', 'b', 'c'])\nplt.legend()",
    'steps': "plt.step(x, np.round(x), where='mid')",
    'stems': 'plt.stem(x[::6], np.sin(x[::6]))',
    'arrows': 'plt.quiver(*rng.normal(size=(4, 20)))',
    'streams': 'plt.streamplot(x, x, np.outer(x, x), np.add.outer(x, x), density=0.5)',
    'log': 'plt.loglog([1e-4, 1, 1e4], [1e-3, 1, 1e5])',
    'symlog': "plt.plot(x, x**3)\nplt.yscale('symlog')",
    'logit': "plt.plot([0.01, 0.5, 0.99])\nplt.yscale('logit')",
    'polar': "plt.subplot(projection='polar').plot(x, np.abs(x))",
    'dates': "plt.plot(pd.date_range('2020-01-31', periods=9, freq='ME'), range(-4, 5))\nplt.xticks(rotation=45)",
    'surface in space': "plt.axes(projection='3d').plot_surface(*np.meshgrid(x, x), np.outer(x, x))",
    'points in space': "plt.axes(projection='3d').scatter(*rng.normal(size=(3, 30)))",
    'mathematics': r'plt.plot(x)' '\n' r"plt.title(r'$\alpha - \beta = -\frac{1}{2}\sum_i x_i^{-2}$ − m²')",
    'mathematics in serifs': "plt.rcParams['mathtext.fontset'] = 'stix'\nplt.plot(x)\nplt.title(r'$-x^{-1}$')",
    'regular mathematics': "plt.rcParams['mathtext.default'] = 'regular'\nplt.plot(x)\nplt.title(r'$-x_{min}$ − y')",
    'serifs': f"plt.rcParams['font.family'] = 'serif'\n{NEGATIVE}plt.title('Serif −1')",
    'monospaced': f"plt.rcParams['font.family'] = 'monospace'\n{NEGATIVE}plt.title('Mono −1')",
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
    'defaults as a style': f"plt.style.use('default')\n{NEGATIVE}",
    'ggplot': f"plt.style.use('ggplot')\n{NEGATIVE}",
    'bmh': f"plt.style.use('bmh')\n{NEGATIVE}plt.title('Serifs')",
    'dark': f"plt.style.use('dark_background')\n{NEGATIVE}",
    'fivethirtyeight': f"plt.style.use('fivethirtyeight')\n{NEGATIVE}plt.title('Bold')",
    'classic': f"plt.style.use('classic')\n{NEGATIVE}",
    'xkcd': f'with plt.xkcd():\n    {NEGATIVE}    plt.show()',
    'seaborn': "import seaborn as sns\nsns.set_theme()\nsns.boxplot(data=frame[['a', 'b']])",
    'seaborn, a paper': "import seaborn as sns\nsns.set_theme('paper')\nsns.heatmap(frame[['a', 'b']], annot=True)",
    'seaborn, three panels': 'import seaborn as sns\nsns.pairplot(frame)',
    'pandas': "frame.plot(x='c', kind='bar', title='−1')",
    'pandas, two panels': 'frame.plot(subplots=True, figsize=(6, 6))',
    'panels': "_, (a, b) = plt.subplots(1, 2, layout='constrained')\na.plot(-x)\nb.hist(x)\nb.set_title('−1')",
    'twins': 'plt.plot(-x)\nplt.twinx().plot(x**2)\nplt.tight_layout()',
    'dots': 'plt.figure(dpi=150, figsize=(3, 2))\nplt.plot(-x)',
    'a table': "plt.table([['−1', '2'], ['a', 'b']], loc='center')",
    'annotations': "plt.plot(-x)\nplt.annotate('−2', (5, 0), (20, 2), arrowprops={'arrowstyle': '->'})",
    'other letters': "plt.plot(x)\nplt.title('Größe Ελληνικά Кириллица ± µ × ≤')",
}
"""What draws a figure whose text has glyphs in matplotlib's own fonts."""
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
ONE = "with plt.rc_context():\n    exec({code!r}, dict(globals()))\nplt.close('all')"
WITH_FONT = """
from matplotlib import font_manager
font_manager.fontManager.addfont({font!r})
plt.rcParams['font.family'] = ['DejaVu Sans', 'WenQuanYi Micro Hei']
"""
"""Stock matplotlib, told of the two fonts."""


def shown(code):
    return ONE.format(code=code if 'plt.show()' in code else f'{code}\nplt.show()')


async def by_plain_ipykernel(environment, start, codes, home):
    """The PNGs of each code, all in one kernel without anything of ours: neither variables nor settings."""
    from nbclient import NotebookClient
    from nbformat.v4 import new_code_cell, new_notebook

    manager = AsyncKernelManager()
    argv = [str(environment.python), '-m', 'ipykernel_launcher', '-f', '{connection_file}']
    manager._kernel_spec = KernelSpec(argv=argv, display_name='Python', language='python')
    cells = [new_code_cell(code) for code in (start, *codes)]
    resources = {'metadata': {'path': str(triples.DATASOURCES)}}
    notebook = new_notebook(cells=cells)
    client = NotebookClient(notebook, km=manager, resources=resources)
    await client.async_execute(env={'HOME': str(home), 'PATH': '/usr/bin:/bin'})
    return [[base64.b64decode(png) for png in _pngs(cell)] for cell in notebook.cells[1:]]


def _pngs(cell):
    return [output.data['image/png'] for output in cell.outputs if 'image/png' in output.get('data', {})]


async def by_kernel(environment, start, codes):
    """The PNGs of each code, all in one kernel as code of models has it, and what came on stderr."""
    settings = KernelSettings(environment=environment.name, sandbox='auto', datasources=triples.DATASOURCES)
    async with Interpreter(settings) as interpreter:
        done = [await interpreter.run(code) for code in (start, *codes)]
    assert [execution.error for execution in done] == [None] * len(done)
    return [[figure.data for figure in execution.figures] for execution in done[1:]], [one.stderr for one in done[1:]]


def drawn(start, codes, home, plain=''):
    """PNGs by plain ipykernel, where `plain` runs after the start, and by a kernel of ours, with its stderr."""
    environment = KernelEnvironment.find('modern')
    codes = list(map(shown, codes))
    expected = asyncio.run(by_plain_ipykernel(environment, start + plain, codes, home))
    found, stderr = asyncio.run(by_kernel(environment, start, codes))
    assert all(expected)
    return expected, found, stderr


def different(names, expected, found):
    return [name for name, one, other in zip(names, expected, found, strict=True) if one != other]


@pytest.mark.soak
def test_figures_are_those_of_stock_matplotlib(tmp_path):
    assert len(FIGURES) >= 40
    figures = dict(list(FIGURES.items())[:: many(2, 5)])
    expected, found, _ = drawn(START, figures.values(), tmp_path, OWN_FONTS)
    assert different(figures, expected, found) == []


@pytest.mark.soak
@pytest.mark.parametrize(
    'file', [file for file in triples.files() if '_' not in file.stem and file.parent == triples.FOLDER]
)
def test_plots_of_the_benchmark_are_those_of_stock_matplotlib(file, tmp_path):
    setup, golds = triples.read(file)
    expected, found, _ = drawn(setup, [gold.code for gold in golds], tmp_path)
    assert different([gold.name for gold in golds], expected, found) == []


@pytest.mark.soak
def test_chinese_is_drawn_without_a_warning_as_stock_matplotlib_would_by_the_font(tmp_path):
    (font,) = (KernelEnvironment.find('modern').share / 'fonts').iterdir()
    codes = [before + code for before in ('', SIMHEI) for code in CHINESE.values()]
    expected, found, stderr = drawn(START, codes, tmp_path, WITH_FONT.format(font=str(font)))
    assert different(codes, expected, found) == []
    assert stderr == [''] * len(codes)
