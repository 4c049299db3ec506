"""The session loop with scripted replies on real kernels."""

import pytest

from cibench_eval.agents import ReAct
from cibench_eval.models import GoldReplay
from cibench_eval.schema import CibenchError, HarnessError
from cibench_eval.traces import TraceStore
from tests.support.sessions import Script, call, experiment, play, play_stored, taught

pytestmark = pytest.mark.kernel


def session(model, *codes, **settings):
    gold = experiment(*codes)
    return play(taught(model, gold), gold, **settings)


def test_gold_replay_runs_every_step_once_in_both_modes():
    for mode in ('end_to_end', 'oracle'):
        trace = session(GoldReplay(), 'n = 0', 'n += 1', 'print(n)', mode=mode)
        assert [len(step.attempts) for step in trace.steps] == [1, 1, 1]
        assert trace.steps[2].attempts[0].execution.stdout == '1\n'
        assert trace.provenance['sandbox'] in ('bubblewrap', 'none')


def test_a_final_answer_and_the_last_attempt_end_a_step():
    trace = session(Script('Final Answer: 4', 'nothing', 'nothing', call('1')), 'x', 'y', 'z', max_attempts=2)
    assert [[attempt.execution is not None for attempt in step.attempts] for step in trace.steps] == [
        [False],
        [False, False],
        [True],
    ]
    assert trace.steps[0].attempts[0].action.final


@pytest.mark.parametrize(('history', 'seen'), [('final', False), ('all', True)])
def test_failed_attempts_in_later_history(history, seen):
    model = Script(call('first_try'), call('1'), call('2'))
    session(model, 'x', 'y', history=history)
    assert ('first_try' in str(model.asked[2])) is seen


def test_oracle_steps_do_not_stand_on_what_the_model_did():
    model = Script(call('n = 50'), call('n += 1; print(n)'), call('print(n)'))
    trace = session(model, 'n = 0', 'n += 1', 'print(n)', mode='oracle')
    assert [s.attempts[0].execution.stdout for s in trace.steps] == ['', '1\n', '1\n']
    assert 'n = 50' not in str(model.asked[1])


@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_a_reply_is_read_once_however_long_the_session(mode, monkeypatch):
    read, replies = ReAct.read, []
    monkeypatch.setattr(ReAct, 'read', lambda self, reply: replies.append(reply.text) or read(self, reply))
    codes = [f'print({number})' for number in range(6)]
    session(Script(*map(call, codes)), *[f'print(-{number})' for number in range(6)], mode=mode)
    assert sorted(reply for reply in replies if '-' not in reply) == sorted(map(call, codes))
    gold = [reply for reply in replies if '-' in reply]
    assert len(gold) == len(set(gold)) == (5 if mode == 'oracle' else 0)


def stored(store, model=None):
    one = experiment('1')
    return play_stored(taught(model or GoldReplay(), one), one, store)


def test_what_cannot_be_written_is_one_line_and_no_traceback(tmp_path):
    """A file stands where the folder of finished steps belongs."""
    (tmp_path / 'd.unfinished').touch()
    with pytest.raises(HarnessError, match=r'Not a directory: .*/d\.unfinished'):
        stored(TraceStore(tmp_path / 'd.traces.jsonl'))


def test_finished_sessions_start_nothing(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    first = stored(store)

    class Closed(GoldReplay):
        async def __aenter__(self):
            raise AssertionError('opened for nothing')

    assert stored(store, Closed()) == first


def test_traces_of_another_version_are_refused(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    store.path.write_text('{"experiment": "a"}\n')
    with pytest.raises(CibenchError, match=r'd\.traces\.jsonl: no trace of this version in it'):
        store.load()


def test_torn_last_line_is_cut_off(tmp_path, caplog):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    stored(store)
    whole = store.path.read_bytes()
    store.path.write_bytes(whole + whole[:50])
    torn = store.path.read_bytes()
    assert set(store.load()) == {'m/x'}
    assert store.path.read_bytes() == torn  # another process may be writing it
    assert set(store.index(fix=True)) == {'m/x'}
    assert 'torn' in caplog.text
    assert store.path.read_bytes() == whole
