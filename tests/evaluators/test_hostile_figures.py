"""Figures that are made to cost: none is decoded that is too large, none stops the scoring."""

import base64
import json

import pytest
from PIL import Image, ImageFile

from cibench_eval.agents import ReAct
from cibench_eval.evaluators.comparing.plots.comparison import similarity
from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError, Figure, Reply
from tests.support.pngs import HOSTILE, LARGE, SMALL, black, header, noise, png
from tests.support.scoring import gold_step, links, score_step, shown

PICTURE_SIZE = 20_000
MOST_PIXELS = 10_000_000

GOLD = png(SMALL, black(40, 30))


MOST = 100_000
"""Pixels of the picture of an axes."""


def scored(path, gold=GOLD, profile='strict'):
    return score_step([links(path)], gold_step('vis', gold), profile=profile)


@pytest.fixture
def decoded(monkeypatch):
    """The pixels of each image that is decoded, in order."""
    pixels, load = [], ImageFile.ImageFile.load

    def counted(image):
        if image.tile:
            pixels.append(image.width * image.height)
        return load(image)

    monkeypatch.setattr(ImageFile.ImageFile, 'load', counted)
    return pixels


@pytest.mark.parametrize('name', HOSTILE)
def test_no_hostile_figure_is_decoded_beyond_the_bound_or_stops_a_scorer(name, tmp_path, decoded):
    data, path = HOSTILE[name], tmp_path / 'figure.png'
    path.write_bytes(data)
    scores = [scored(path, profile=profile) for profile in ('strict', 'official')]
    done = [shown(None, Figure.of(data))]
    ReAct(figures='image', figure_side=1024).exchange(ReAct().parse(Reply(text='')), done, 'en')
    assert max(decoded, default=0) <= MOST_PIXELS
    assert all(0 <= one.score <= 1 for one in scores)
    too_large = ['pixels, over 10,000,000' in one.detail or 'DecompressionBomb' in one.detail for one in scores]
    assert too_large == [name in LARGE] * 2
    assert name not in LARGE or [one.score for one in scores] == [0, 0]


def test_a_figure_of_a_large_screen_is_decoded(tmp_path):
    (tmp_path / 'figure.png').write_bytes(png(header(3840, 2160), black(3840, 2160)))
    assert scored(tmp_path / 'figure.png').score == 1


def test_many_large_figures_are_not_all_decoded(decoded, tmp_path):
    """Twenty figures of 8 million pixels: as many as fit into five of the largest."""
    large = [png(header(4000, 2000 + number), black(4000, 2000 + number)) for number in range(20)]
    paths = [tmp_path / f'{number}.png' for number in range(21)]
    for path, data in zip(paths, [*large, noise()], strict=True):
        path.write_bytes(data)
    found = score_step([links(*paths)], gold_step('vis', noise()))
    assert 4 * MOST_PIXELS < sum(decoded) <= 5 * MOST_PIXELS
    assert found.score == pytest.approx(2 / 22)
    assert '21 figures, the gold has 1' in found.detail


def test_memory_that_runs_out_is_a_figure_that_cannot_be_read(monkeypatch, tmp_path):
    def exhausted(image, *mode):
        if image.size == (50, 40):
            raise MemoryError
        return convert(image, *mode)

    convert, path = Image.Image.convert, tmp_path / 'figure.png'
    path.write_bytes(noise(size=(50, 40)))
    monkeypatch.setattr(Image.Image, 'convert', exhausted)
    assert scored(path).detail.endswith('the figure cannot be read (MemoryError: )')


@pytest.mark.parametrize('gold', [HOSTILE['many pixels'], HOSTILE['a second header']])
def test_a_gold_that_is_too_large_is_bad_input(gold, tmp_path):
    path = tmp_path / 'figure.png'
    path.write_bytes(GOLD)
    for profile in ('strict', 'official'):
        with pytest.raises(
            CibenchError, match=r'the gold figure cannot be read \(6,000 × 6,000 pixels, over 10,000,000'
        ):
            scored(path, gold, profile)


# Descriptions.


LINE = {'kind': 'line', 'size': 1, 'columns': [[0], [1]], 'fields': ['x', 'y']}


def described(**fields):
    """A plot of one axes with two bars, or what is given of it."""
    bars = {'kind': 'bar', 'size': 2, 'columns': [[0, 1], [3, 4], [0, 0]]}
    axes = {'x': {'view': [-1, 2]}, 'y': {'view': [0, 5]}, 'series': [bars]} | fields
    return Plot.read(json.dumps({'axes': [axes]}))


@pytest.mark.parametrize(
    'series',
    [
        {'kind': 'bar', 'size': 1, 'columns': [[0], [1]]},
        {'kind': 'what', 'size': 1, 'columns': [[0], [1]]},
        LINE | {'columns': [[0], []]},
        LINE | {'columns': [[], []], 'size': 0},
        LINE | {'size': 0},
        LINE | {'fields': ['x']},
        LINE | {'fields': []},
        LINE | {'columns': [[0], [1], [2]]},
        LINE | {'stats': [[0, 1]]},
        LINE | {'groups': [0], 'group_labels': ['a']},
        LINE | {'tints': ['#ff0000', '#00ff00']},
        LINE | {'kind': 'scatter', 'groups': [3], 'group_labels': ['a']},
        LINE | {'kind': 'scatter', 'columns': [[0], [1], [None]], 'fields': ['x', 'y', 'area']},
        {'kind': 'pie', 'size': 1, 'columns': [[1]]},
        {'kind': 'image', 'size': 4, 'columns': [[1, 2, 3, 4]], 'shape': [4]},
        {'kind': 'field', 'size': 4, 'columns': [[1, 2, 3, 4]], 'shape': [2, 3], 'extent': [0, 1, 0, 1]},
        {'kind': 'field', 'size': 4, 'columns': [[1, 2, 3, 4]], 'shape': [2, 2], 'extent': [0, 1]},
    ],
)
def test_a_description_that_does_not_fit_together_is_none(series):
    assert described(series=[LINE]) is not None
    assert described(series=[series]) is None


@pytest.mark.parametrize(
    'fields',
    [
        {'x': {'view': [0]}},
        {'x': {'ticks': [0, 1], 'tick_labels': ['a']}},
        {'place': [0, 1]},
        {'turn': [1]},
        {'texts': ['a', 'b'], 'text_places': [[0, 1]]},
        {'texts': ['a'], 'text_places': [[1]]},
        {'texts': ['a'], 'arrows': [200]},
        {'series': [LINE | {'extent': [0, 1]}]},
        {'series': [LINE | {'kind': 'scatter'}] * 2},
    ],
)
def test_axes_that_do_not_fit_together_are_none(fields):
    assert described(**fields) is None


@pytest.mark.parametrize('name', HOSTILE)
def test_no_hostile_picture_of_an_axes_is_decoded_or_stops_a_scorer(name, decoded):
    gold = described(others=1, picture=base64.b64encode(GOLD).decode())
    assert similarity([gold], [gold])[0] == 1
    shown = base64.b64encode(HOSTILE[name]).decode()
    answer = described(others=1, picture=shown)
    if answer is not None:
        assert similarity([gold], [answer])[0] <= 1
    assert described(picture='A' * (PICTURE_SIZE + 1)) is None
    assert similarity([gold], [described(others=1, picture='no base64')])[0] < 1
    assert max(decoded, default=0) <= MOST
