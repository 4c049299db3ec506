"""Draw the figures beside this file: eight plots, each as it should be and in variants of it.

    ~/.cache/cibench-eval/kernels/modern-*/bin/python tests/evaluators/comparing/pixels/draw.py

They were drawn once, in the kernel environment `modern`, and are kept as small PNGs of 32 colours.
"""

import io
from pathlib import Path

import matplotlib

matplotlib.use('agg')

import matplotlib.pyplot as plt
import numpy as np
import seaborn as sns
from PIL import Image

HERE = Path(__file__).parent
NAMES = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir']


def line(axes, data, color, part):
    x = np.linspace(0, 10, 60)[: int(60 * part)]
    axes.plot(x, np.sin(x * (1 + data)) * np.exp(-x / 8) + data, color=color or 'tab:blue')


def bars(axes, data, color, part):
    heights = np.random.default_rng(5 + data).integers(3, 20, 5)
    axes.bar(NAMES[: int(5 * part)], heights[: int(5 * part)], color=color or 'tab:blue')


def scatter(axes, data, color, part):
    points = np.random.default_rng(1 + data).normal(size=(80, 2))[: int(80 * part)]
    axes.scatter(*points.T, color=color or 'tab:blue')


def histogram(axes, data, color, part):
    draw = np.random.default_rng(2 + data)
    values = np.concatenate([draw.normal(0, 1 + data, 400), draw.normal(4 - 3 * data, 0.7, 200)])[: int(600 * part)]
    axes.hist(values, bins=24, color=color or 'tab:blue', edgecolor='black')


def heat(axes, data, color, part):
    table = np.random.default_rng(3 + data).uniform(size=(6, 6))
    table[int(6 * part) :] = np.nan
    sns.heatmap(table, ax=axes, cmap='Reds' if color else 'viridis', annot=True, fmt='.1f', annot_kws={'size': 6})


def pie(axes, data, color, part):
    shares = np.random.default_rng(4 + data).integers(5, 30, 5)[: int(5 * part)]
    axes.pie(shares, labels=NAMES[: int(5 * part)], colors=color and sns.color_palette('pastel'))


def boxes(axes, data, color, part):
    draw = np.random.default_rng(6 + data)
    sns.boxplot([draw.normal(n * (1 - 2 * data), 1 + n / 3, 60) for n in range(int(5 * part))], ax=axes, color=color)


def regression(axes, data, color, part):
    draw = np.random.default_rng(7 + data)
    x = draw.uniform(0, 10, 50)[: int(50 * part)]
    y = (3 - 5 * data) * x + draw.normal(0, 4, 50)[: len(x)]
    sns.regplot(x=x, y=y, ax=axes, color=color, ci=None)


PLOTS = {plot.__name__: plot for plot in (line, bars, scatter, histogram, heat, pie, boxes, regression)}


def figure(plot, *, data=0, color=None, part=1.0, title='Results', size=(4, 3), empty=False):
    """A plot as an image: 320 × 240 pixels at the default size (inches)."""
    made, axes = plt.subplots(figsize=size, dpi=80)
    if not empty:
        plot(axes, data, color, part)
    axes.set_title(title)
    file = io.BytesIO()
    made.savefig(file)
    plt.close(made)
    return Image.open(file).convert('RGB')


def variants(plot):
    gold = figure(plot)
    width, height = gold.size
    return {
        'gold': gold,
        'untitled': figure(plot, title=''),
        'recoloured': figure(plot, color='tab:orange'),
        'larger': figure(plot, size=(5, 3.75)),
        'part': figure(plot, part=0.6),
        'other_data': figure(plot, data=1),
        'empty': figure(plot, empty=True),
        'cropped': gold.crop((0, 0, width, height * 2 // 3)),
    }


if __name__ == '__main__':
    for name, plot in PLOTS.items():
        for variant, image in variants(plot).items():
            small = image.quantize(32, dither=Image.Dither.NONE)
            small.save(HERE / f'{name}_{variant}.png', optimize=True)
