"""`strict` Vis over triples: plots described in real kernels, right answers in other dresses, and wrong ones."""

import asyncio

import pytest

from tests.support import triples
from tests.support.soak import many

SEEN = [file for file in triples.files() if triples.HELD_OUT not in file.parts]
DRAWN = many(SEEN, SEEN[::12])
HELD_OUT = [file for file in triples.files() if triples.HELD_OUT in file.parts]
HELD_OUT_EACH = 11
"""Of how many files one is drawn; `python -m tests.support.triples` describes all."""
FEWEST = 100
"""Right answers, and wrong ones, that are not held out."""
ORDERED, HIGH, LOW = 0.98, 0.97, 0.95
"""The shares that are to be as they should be: of triples, of right answers, of wrong ones."""


@pytest.mark.kernel
def test_every_answer_is_judged_as_it_should_be():
    golds = asyncio.run(triples.draw_all(DRAWN))
    assert triples.faults(golds) == []


@pytest.mark.kernel
@pytest.mark.soak
def test_held_out_right_plots_in_any_dress_score_high_and_above_wrong_ones():
    golds = asyncio.run(triples.draw_all(HELD_OUT[::HELD_OUT_EACH]))
    found, report = triples.Shares.of(golds), triples.report(golds)
    assert found.ordered >= ORDERED, report
    assert found.high >= HIGH, report
    assert found.low >= LOW, report


def test_there_are_enough_and_every_gold_has_both():
    read = {file: triples.read(file)[1] for file in [*SEEN, *HELD_OUT]}
    assert all(gold.of(True) and gold.of(False) for golds in read.values() for gold in golds)
    seen = triples.Shares.of([gold for file in SEEN for gold in read[file]])
    assert min(seen.right, seen.wrong) >= FEWEST


def test_a_line_that_is_no_cell_is_refused(tmp_path):
    file = tmp_path / 'bars.py'
    file.write_text('# %% gold: a\nplt.plot([1])\n# %% rihgt: b\nplt.plot([2])\n')
    with pytest.raises(AssertionError, match=r'bars\.py: no cell: # %% rihgt: b'):
        triples.read(file)
