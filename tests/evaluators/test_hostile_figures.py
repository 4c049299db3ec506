"""Figures that are made to cost: none is decoded that is too large, none stops the scoring."""

import base64
import io
import json

import pytest
from PIL import Image, ImageFile

from cibench_eval.evaluators.comparing.figures import similarity
from cibench_eval.evaluators.comparing.plots.comparison import similarity as plot_similarity
from cibench_eval.evaluators.comparing.plots.pictures import MOST, same_picture
from cibench_eval.evaluators.profiles.official import ssim
from cibench_eval.images import presentable, read_image
from cibench_eval.plots import PICTURE_SIZE, Plot
from cibench_eval.png import MOST_PIXELS, png_pixels
from cibench_eval.schema import CibenchError
from tests.support.pngs import HOSTILE, LARGE, SMALL, black, header, png

GOLD = png(SMALL, black(40, 30))


def noise(width, height):
    file = io.BytesIO()
    Image.effect_noise((width, height), 60).convert('RGB').save(file, 'PNG')
    return file.getvalue()


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
    scores = [similarity([GOLD], [data]), ssim(path, GOLD)]
    presentable.__wrapped__(data, 1024)
    assert max(decoded, default=0) <= MOST_PIXELS
    assert all(0 <= score <= 1 for score, _ in scores)
    if name in LARGE:
        assert [score for score, _ in scores] == [0, 0]
        assert all('pixels, over 10,000,000' in why or 'DecompressionBomb' in why for _, why in scores)


def test_a_figure_of_a_large_screen_is_decoded():
    screen = png(header(3840, 2160), black(3840, 2160))
    assert png_pixels(screen) == 3840 * 2160
    assert read_image(screen)[0].size == (3840, 2160)


def test_many_large_figures_are_not_all_decoded(decoded):
    """Twenty figures of 8 million pixels: as many as fit into five of the largest."""
    figures = [noise(40 + number, 30) for number in range(3)]
    large = [png(header(4000, 2000 + number), black(4000, 2000 + number)) for number in range(20)]
    score, why = similarity([figures[0]], [*large, figures[0]])
    assert 4 * MOST_PIXELS < sum(decoded) <= 5 * MOST_PIXELS
    assert score == pytest.approx(2 / 22)
    assert '21 figures, the gold has 1' in why


def test_memory_that_runs_out_is_a_figure_that_cannot_be_read(monkeypatch, tmp_path):
    def exhausted(*_, **__):
        raise MemoryError

    data, path = noise(50, 40), tmp_path / 'figure.png'
    path.write_bytes(data)
    monkeypatch.setattr('PIL.Image.Image.convert', exhausted)
    assert read_image(data) == (None, 'MemoryError: ')


@pytest.mark.parametrize('gold', [HOSTILE['many pixels'], HOSTILE['a second header']])
def test_a_gold_that_is_too_large_is_bad_input(gold, tmp_path):
    path = tmp_path / 'figure.png'
    path.write_bytes(GOLD)
    with pytest.raises(CibenchError, match=r'the gold figure cannot be read \(6,000 × 6,000 pixels, over 10,000,000'):
        ssim(path, gold)
    with pytest.raises(ValueError, match='6,000 × 6,000 pixels'):
        similarity([gold], [GOLD])


@pytest.mark.parametrize('data', [b'', b'\x89PNG', SMALL, GOLD[:20], b'\x89PNG\r\n\x1a\n' + b'\0' * 40])
def test_what_does_not_begin_as_a_png_has_no_pixels(data):
    assert png_pixels(data) == 0


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
        {'series': [LINE | {'kind': 'scatter'}] * 2},
    ],
)
def test_axes_that_do_not_fit_together_are_none(fields):
    assert described(**fields) is None


@pytest.mark.parametrize('name', HOSTILE)
def test_no_hostile_picture_of_an_axes_is_decoded_or_stops_a_scorer(name, decoded):
    gold = described(others=1, picture=base64.b64encode(GOLD).decode())
    assert plot_similarity([gold], [gold])[0] == 1
    shown = base64.b64encode(HOSTILE[name]).decode()
    answer = described(others=1, picture=shown)
    if answer is not None:
        assert plot_similarity([gold], [answer])[0] <= 1
    assert described(picture='A' * (PICTURE_SIZE + 1)) is None
    assert not same_picture(gold.axes[0].picture, 'no base64')
    same_picture(gold.axes[0].picture, shown)
    assert max(decoded, default=0) <= MOST
