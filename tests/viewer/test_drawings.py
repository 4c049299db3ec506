"""The charts of the overview: what they count, by hand."""

import re

from cibench_eval.viewer.drawings import Drawings
from cibench_eval.viewer.listing import Listing, SessionRow, StepMark, StepRow


def listing(*sessions):
    """Sessions of (split, epoch, outcomes of their steps)."""
    found = Listing()
    for number, (split, epoch, outcomes) in enumerate(sessions):
        found.sessions.append(SessionRow('x.html', number, 'm', epoch, split, 'end_to_end', 'x/0', 0, 0.0))
        for place, outcome in enumerate(outcomes, 1):
            found.steps.append(
                StepRow(number, place, 'num', 1, 0, {'strict': StepMark(outcome, '', '', '', False, {})})
            )
    return found


def said(chart):
    """What stands under the pointer."""
    return re.findall(r'<title>([^<]*)</title>', str(chart.svg))


def test_steps_count_once_and_epochs_are_averaged_in_them():
    """Step 1 right in both epochs, step 2 in one of two, step 3 in the only one."""
    drawn = Drawings(listing(('a', 1, ['correct', 'wrong', 'correct']), ('a', 2, ['correct', 'correct'])), 'strict')
    assert list(drawn.right().values()) == [1.0, 0.5, 1.0]


def test_steps_of_unknown_end_are_nobodys_fault():
    one = listing(('a', 1, ['correct', 'not scored', 'harness_error']), ('b', 1, ['wrong', 'correct']))
    drawn = Drawings(one, 'strict')
    assert any('1 of 1 steps right' in text for text in said(drawn.splits()))
    assert any('1 of 2 steps right' in text for text in said(drawn.splits()))
    assert Drawings(listing(('a', 1, ['not scored'])), 'strict').charts([]) == []
