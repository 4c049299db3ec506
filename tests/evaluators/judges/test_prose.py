"""Prose in other words than the gold's: exact words are the floor, and the verdict of a judge stands above them."""

import pytest

from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.judges.base import Judgement
from cibench_eval.evaluators.judges.store import Verdict, VerdictStore, judged_step
from cibench_eval.evaluators.work import works_of
from cibench_eval.run.scoring import Recorded
from cibench_eval.traces import TraceStore
from tests.support.sessions import Script, call, experiment, play

pytestmark = pytest.mark.kernel


def gold():
    made = experiment("print('No outliers.')", "print('Normal')")
    steps = [made.steps[0].model_copy(update={'kind': 'text', 'text': 'No outliers.\n'})]
    steps += [made.steps[1].model_copy(update={'kind': 'text', 'text': 'Normal\n', 'listed': True})]
    return made.model_copy(update={'steps': steps})


@pytest.fixture(scope='module')
def sat():
    """The gold, and sessions that say it in the gold's words, and in others."""
    said = {
        'same': ("print('no outliers')", "print('normal')"),
        'other': ("print('There are no outliers')", "print('usual')"),
    }
    return gold(), {name: play(Script(*map(call, codes)), gold()) for name, codes in said.items()}


def scored(folder, experiment, trace, *verdicts):
    """The scores of a session with verdicts (score, and whether it is on this answer)."""
    store = VerdictStore(folder / 'a.judge.jsonl')
    step = judged_step(experiment, experiment.steps[0], trace.steps[0], folder)
    for score, here in verdicts:
        about = step if here else step.model_copy(update={'answer': 'Something else'})
        store.append(Verdict.of(about, 'jury', 'text', 'asked', Judgement(score=score)))
    traces = TraceStore(folder / 'a.traces.jsonl')
    works = works_of(trace.steps, traces.figures)
    recorded = Recorded(traces, {experiment.id: trace}, [experiment], [works], [])
    return recorded.with_verdicts(score_session(works, experiment, find_profile('strict')), store.path)


def test_the_golds_words_need_no_judge(tmp_path, sat):
    experiment, traces = sat
    first, second = scored(tmp_path, experiment, traces['same'], (0.0, True))
    assert [one.values['text_score'] for one in (first, second)] == [1, 1]
    assert not first.for_judge and not first.judged_by


def test_other_words_wait_for_a_judge(tmp_path, sat):
    experiment, traces = sat
    prose, names = scored(tmp_path, experiment, traces['other'])
    assert prose.for_judge and prose.values['text_score'] == 0
    assert not names.for_judge  # names are what they are


@pytest.mark.parametrize(
    ('verdicts', 'value', 'judge'),
    [
        ([(1.0, True)], 1, 'jury'),
        ([(0.0, True)], 0, 'jury'),
        ([(0.0, True), (1.0, True)], 1, 'jury'),  # the last one counts
        ([(1.0, False)], 0, ''),  # on another answer
        ([(None, True)], 0, ''),  # the judge gave no verdict
    ],
)
def test_a_verdict_on_this_answer_is_its_score(tmp_path, sat, verdicts, value, judge):
    experiment, traces = sat
    prose, names = scored(tmp_path, experiment, traces['other'], *verdicts)
    assert (prose.values['text_score'], prose.judged_by, prose.for_judge) == (value, judge, not judge)
    assert names.values['text_score'] == 0
