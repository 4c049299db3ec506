"""`strict` Vis over all triples: plots described in real kernels, right answers in other dresses above wrong ones."""

import asyncio

import pytest

from tests.support import triples

SEEN_EACH, HELD_OUT_EACH = 30, 11
"""Of how many files one is drawn; `python -m tests.support.triples` describes all."""
FEWEST = 250
"""Right answers, and wrong ones, that are not held out; triples are many times as many."""
ORDERED, HIGH, LOW = 0.98, 0.97, 0.95
"""The shares that are to be as they should be: of triples, of right answers, of wrong ones."""


@pytest.fixture(scope='module')
def golds():
    """All golds with the scores of their answers; the report is printed."""
    seen = [file for file in triples.files() if triples.HELD_OUT not in file.parts]
    held_out = [file for file in triples.files() if triples.HELD_OUT in file.parts]
    drawn = asyncio.run(triples.draw_all([*seen[::SEEN_EACH], *held_out[::HELD_OUT_EACH]]))
    print(triples.report(drawn))
    return drawn


def of(golds, held_out):
    return triples.Shares.of([gold for gold in golds if (triples.HELD_OUT in gold.file.parts) is held_out])


@pytest.mark.kernel
@pytest.mark.parametrize('held_out', [False, True], ids=['seen', 'held out'])
@pytest.mark.soak
def test_right_plots_in_any_dress_score_high_and_above_wrong_ones(golds, held_out):
    found = of(golds, held_out)
    assert found.ordered >= ORDERED
    assert found.high >= HIGH
    assert found.low >= LOW


@pytest.mark.kernel
def test_what_looks_nearly_alike_is_told_apart():
    golds = asyncio.run(triples.draw(triples.FOLDER / 'lookalikes.py'))
    assert triples.Shares.of(golds).high == triples.Shares.of(golds).low == 1, triples.report(golds)


def test_there_are_enough_and_every_gold_has_both():
    read = [gold for file in triples.files() for gold in triples.read(file)[1]]
    assert all(gold.of(True) and gold.of(False) for gold in read)
    seen = triples.Shares.of([gold for gold in read if triples.HELD_OUT not in gold.file.parts])
    assert min(seen.right, seen.wrong) >= FEWEST


def test_a_file_is_read_as_it_says(tmp_path):
    file = tmp_path / 'bars.py'
    file.write_text(
        '# %% setup\nx = [1, 2]\n'
        '# %% gold: two bars\nplt.bar([0, 1], x)\nplt.show()\n'
        '# %% right: more of it\nplt.bar(range(2), x)\nplt.show()\n'
        '# %% wrong, before: negative\nx = [-1, -2]\n'
        '# %% wrong, before show: y axis inverted\nplt.gca().invert_yaxis()\n'
        '# %% wrong, changed: to places 1 and 2\n#- plt.bar([0, 1], x)\nplt.bar(x, x)\n'
    )
    setup, (gold,) = triples.read(file)
    assert setup.endswith('x = [1, 2]\n')
    own = {answer.why: answer.code for answer in gold.answers if answer.why not in triples.DRESSES}
    assert own == {
        'more of it': 'plt.bar(range(2), x)\nplt.show()',
        'negative': 'x = [-1, -2]\nplt.bar([0, 1], x)\nplt.show()',
        'y axis inverted': 'plt.bar([0, 1], x)\nplt.gca().invert_yaxis()\nplt.show()',
        'to places 1 and 2': 'plt.bar(x, x)\nplt.show()',
    }
    assert [answer.right for answer in gold.answers] == [True, False, False, False, True, True, True]


def test_a_line_that_is_no_cell_is_refused(tmp_path):
    file = tmp_path / 'bars.py'
    file.write_text('# %% gold: a\nplt.show()\n# %% rihgt: b\nplt.show()\n')
    with pytest.raises(AssertionError, match=r'bars\.py: no cell: # %% rihgt: b'):
        triples.read(file)
