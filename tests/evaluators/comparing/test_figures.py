"""Figures in the `strict` profile: SSIM itself, the blank canvas, every mode, the order a person would choose.

The PNGs in `pixels/` were drawn once, in 32 colours, in the kernel environment `modern`; what drew them is
`tests/evaluators/comparing/pixels/draw.py` at commit a95feafd.
"""

import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from skimage.metrics import structural_similarity

from cibench_eval.evaluators.comparing.figures import Target, similarity
from tests.support.pngs import MODES, stored
from tests.support.pngs import noise_image as noise
from tests.support.scoring import gold_step, links, score_step
from tests.support.soak import many

TRIPLES = Path(__file__).parent / 'pixels'
PLOTS = ('line', 'bars', 'scatter', 'histogram', 'heat', 'pie', 'boxes', 'regression')
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
ORDERED = [(plot, better, worse) for plot in PLOTS for better, worse in BETTER_WORSE]
"""(gold, better, worse): 64 triples in the order that a person would choose."""
WRONG = {
    ('bars', 'recoloured', 'other_data'),
    ('heat', 'recoloured', 'other_data'),
    ('heat', 'recoloured', 'other_plot'),
    ('boxes', 'part', 'empty'),
}
"""Those in which SSIM does not choose so: areas of another colour weigh more than what the plot shows."""


def png(image, form='PNG'):
    return stored(image, form=form)


def pixels(image):
    return np.asarray(image.convert('RGB'))


def plot(name):
    return (TRIPLES / f'{name}.png').read_bytes()


def variant(name, what):
    if what == 'other_plot':
        return plot(f'{PLOTS[PLOTS.index(name) - 1]}_gold')
    if what == 'blank':
        return png(Image.new('RGB', (320, 240), 'white'))
    return plot(f'{name}_{what}')


@pytest.fixture(scope='module')
def scores():
    """(plot, variant) -> its score."""
    names = {name for pair in BETTER_WORSE for name in pair} | {'gold', 'cropped'}
    return {(p, v): similarity([plot(f'{p}_gold')], [variant(p, v)])[0] for p in PLOTS for v in names}


@pytest.mark.parametrize(('name', 'better', 'worse'), ORDERED)
def test_figures_are_ordered_as_a_person_would(scores, name, better, worse):
    assert (scores[name, better] > scores[name, worse] + 0.01) == ((name, better, worse) not in WRONG)


def test_scores_of_variants_are_spread_over_the_scale(scores):
    for name in PLOTS:
        assert scores[name, 'gold'] == 1
        assert scores[name, 'untitled'] > 0.9
        assert scores[name, 'larger'] > 0.5
        assert scores[name, 'cropped'] < 0.3
        assert scores[name, 'other_plot'] < 0.05
        assert scores[name, 'blank'] == 0


@pytest.mark.parametrize(
    'colour', many(['white', 'black', 'lightgrey', '#1f77b4', '#eaeaf2', '#7f7f7f', '#440154'], ['white', 'black'])
)
@pytest.mark.parametrize('name', PLOTS)
def test_a_blank_canvas_is_worth_nothing_whatever_its_colour(name, colour):
    gold, blank = plot(f'{name}_gold'), Image.new('RGB', (200, 300), colour)
    assert similarity([gold], [png(blank)]) == (0, 'a blank figure')
    blank.putpixel((0, 0), (1, 2, 3))
    assert similarity([gold], [png(blank)])[0] < 0.002


def test_official_gives_a_blank_canvas_what_it_gives(tmp_path):
    """What the baseline is for; the figures in docs/metrics.md."""
    (tmp_path / 'blank.png').write_bytes(variant('line', 'blank'))
    blank = links(tmp_path / 'blank.png')
    found = [score_step([blank], gold_step('vis', plot(f'{name}_gold')), profile='official').score for name in PLOTS]
    print('blank under official:', ' '.join(f'{value:.3f}' for value in found))
    assert max(found) > 0.8


@pytest.mark.parametrize('size', [(40, 30), (7, 7), (8, 31), (320, 240)])
def test_ssim_is_that_of_scikit_image(size):
    for seed in range(3):
        gold, other = pixels(noise(seed, size)), pixels(noise(seed + 1, size))
        expected = structural_similarity(gold, other, channel_axis=-1)
        assert Target.of(png(noise(seed, size))).ssim(other) == pytest.approx(expected, abs=2e-6)
    for name in PLOTS[:3]:
        gold, other = (pixels(Image.open(io.BytesIO(plot(f'{name}_{what}')))) for what in ('gold', 'part'))
        expected = structural_similarity(gold, other, channel_axis=-1)
        assert Target.of(plot(f'{name}_gold')).ssim(other) == pytest.approx(expected, abs=2e-6)


def test_blank_is_the_best_that_any_single_colour_gets():
    gold = noise(3)
    target = Target.of(png(gold))
    each = [
        [
            structural_similarity(np.asarray(gold)[..., channel], np.full((30, 40), value, np.uint8))
            for value in range(256)
        ]
        for channel in range(3)
    ]
    assert target.blank == pytest.approx(np.mean(np.max(each, axis=1)), abs=1e-4)


@pytest.mark.parametrize('mode', MODES)
def test_the_same_picture_is_one_in_any_mode(mode):
    image = noise(1)
    picture = stored(image, mode)
    assert similarity([picture], [picture]) == (1, '')
    again = stored(Image.open(io.BytesIO(picture)), compress_level=1)
    assert similarity([picture], [again])[0] == pytest.approx(1, abs=1e-6)
    if mode not in ('1', 'P'):
        grey = image.convert('L')
        assert similarity([png(grey.convert('RGB'))], [stored(grey, mode)])[0] == pytest.approx(1, abs=1e-6)


def test_cmyk_is_read_as_rgb():
    grey = noise(1, (320, 240)).convert('L')
    gold = png(grey.convert('RGB'))
    assert similarity([gold], [png(grey.convert('RGB').convert('CMYK'), 'JPEG')])[0] > 0.95


def test_transparent_pixels_are_white():
    picture = noise(1).convert('RGBA')
    clear = picture.copy()
    clear.paste((255, 0, 0, 0), (0, 0, 20, 30))
    white = picture.copy()
    white.paste('white', (0, 0, 20, 30))
    assert similarity([png(white.convert('RGB'))], [png(clear)])[0] == pytest.approx(1, abs=1e-6)
    key = Image.new('P', (40, 30), 0)
    key.putpalette([255, 0, 0, 0, 0, 255])
    key.paste(1, (5, 5, 20, 20))
    shown = Image.new('RGB', (40, 30), 'white')
    shown.paste('blue', (5, 5, 20, 20))
    assert similarity([png(shown)], [stored(key, transparency=0)])[0] == pytest.approx(1, abs=1e-6)


def test_another_size_or_channel_order_is_compared_all_the_same():
    image = noise(2, (320, 240))
    assert similarity([png(image)], [png(image.resize((640, 480)))])[0] > 0.9
    red, green, blue = image.split()
    assert similarity([png(image)], [png(Image.merge('RGB', (blue, green, red)))])[0] < 0.7


def test_figures_of_a_step_are_matched_best():
    a, b, c = (plot(f'{name}_gold') for name in PLOTS[:3])
    assert similarity([a, b], [b, a])[0] == 1
    assert similarity([a, b], [a])[0] == pytest.approx(2 / 3)
    assert similarity([a], [c, a])[0] == pytest.approx(2 / 3)
    assert similarity([a, b], [c, b])[0] == pytest.approx(0.5, abs=0.02)
    score, detail = similarity([a], [c, a, b])
    assert score == 0.5
    assert detail == '3 figures, the gold has 1'


def test_no_figure_is_matched_twice():
    """Taking the nearest for each gold figure would give both the same."""
    first, second = plot('line_gold'), plot('line_untitled')
    both, one = similarity([first, second], [first, plot('line_part')])[0], similarity([second], [first])[0]
    assert both < (1 + one) / 2


def test_the_same_picture_twice_is_one():
    a, b = plot('line_gold'), plot('bars_gold')
    assert similarity([a], [a, a])[0] == 1
    assert similarity([a, a, b], [b, a])[0] == 1


def test_very_many_figures_are_worth_next_to_nothing():
    gold = plot('line_gold')
    many = [png(noise(seed, (16, 12))) for seed in range(99)]
    assert similarity([gold], [gold, *many])[0] == pytest.approx(2 / 101)
    assert similarity([gold], [*many, gold])[0] < 2 / 101


def test_a_gold_of_one_colour_asks_for_itself():
    grey = png(Image.new('RGB', (40, 30), 'grey'))
    assert similarity([grey], [png(Image.new('RGB', (20, 20), 'grey'))])[0] == 1
    assert similarity([grey], [png(Image.new('RGB', (40, 30), 'white'))])[0] == 0
    assert similarity([grey], [png(noise())])[0] == 0


@pytest.mark.parametrize('data', [b'', b'GIF89a', png(noise())[:300], png(noise(), 'BMP')])
def test_unreadable_figures_are_zero_and_say_why(data):
    score, detail = similarity([png(noise())], [data])
    assert score == 0
    assert detail.startswith('the figure cannot be read (')
    with pytest.raises(ValueError):
        similarity([data], [png(noise())])


def test_an_unreadable_figure_costs_as_one_too_many():
    gold = png(noise())
    assert similarity([gold], [b'x', gold])[0] == pytest.approx(2 / 3)


def test_a_gold_below_the_window_is_refused():
    with pytest.raises(ValueError, match='40 × 6 pixels are below the window of 7'):
        similarity([png(noise(0, (40, 6)))], [png(noise())])
