"""The charts of the overview: what they count, by hand."""

import re
from types import SimpleNamespace

from cibench_eval.viewer.drawings import Drawings

ENDS = {True: 'correct', False: 'wrong', None: 'not scored'}


def listing(*sessions):
    """Sessions of (split, epoch, whether their steps are right)."""
    rows = [
        SimpleNamespace(label='m', split=split, mode='end_to_end', experiment='x/0', epoch=epoch)
        for split, epoch, _ in sessions
    ]
    steps = [
        SimpleNamespace(
            session=session,
            number=number,
            marks={'strict': SimpleNamespace(outcome=ENDS[right], right=right, cause='')},
        )
        for session, (_, _, ends) in enumerate(sessions)
        for number, right in enumerate(ends, 1)
    ]
    return SimpleNamespace(labels=['m'], sessions=rows, steps=steps)


def said(chart):
    """What stands under the pointer."""
    return re.findall(r'<title>([^<]*)</title>', str(chart.svg))


def test_steps_count_once_and_epochs_are_averaged_in_them():
    """Step 1 right in both epochs, step 2 in one of two, step 3 in the only one."""
    drawn = Drawings(listing(('a', 1, [True, False, True]), ('a', 2, [True, True])), 'strict')
    assert list(drawn.right().values()) == [1.0, 0.5, 1.0]


def test_steps_of_unknown_end_are_not_counted():
    one = listing(('a', 1, [True, None, None]), ('b', 1, [False, True]))
    drawn = Drawings(one, 'strict')
    assert any('1 of 1 steps right' in text for text in said(drawn.splits()))
    assert any('1 of 2 steps right' in text for text in said(drawn.splits()))
    assert Drawings(listing(('a', 1, [None])), 'strict').charts([]) == []
