"""What sessions of single questions have besides: a setup, files, a given call, fewer attempts, no second chance."""

from pathlib import Path

import pytest

from cibench_eval.agents import FunctionAgent, InternLMReAct, LlamaReAct, QwenReAct, ToolCalls
from cibench_eval.agents.transcript import request_of
from cibench_eval.schema import CibenchError, Experiment, HarnessError, Step
from cibench_eval.traces import TraceStore
from tests.support.sessions import Script, play

pytestmark = pytest.mark.kernel
QWEN = QwenReAct(explore=True, retries=False, calls_solution=True)
BAD, GOOD = 'Action: code_interpreter\nAction Input:\n```py\n1/0\n```', 'Action: x\nAction Input:\n```py\nx + y\n```'


def question(**more):
    own = {key: more.pop(key) for key in ('files', 'given') if key in more}
    step = Step(index=0, question='What is it?', code='x + y', kind='exec', **own)
    return Experiment(id='q/1', path=Path('q'), language='en', steps=[step], typed=True, **more)


def run(experiment, *replies, protocol=QWEN, journal=None, **agent):
    model = Script(*replies)
    return play(model, experiment, protocol, history='all', journal=journal, **agent), model


def results(trace):
    return [attempt.execution and attempt.execution.result for attempt in trace.steps[0].attempts]


def test_setup_and_given_call_run_before_the_model_is_asked():
    given = dict(thought='Look first.', code='y = 2\ny')
    trace, model = run(question(setup='x = 40', given=given), GOOD, 'Final Answer: 42')
    assert results(trace) == ['42', None]
    asked = model.asked[0]
    assert [message['role'] for message in asked] == ['system', 'user', 'assistant', 'user']
    assert 'Look first.' in asked[2]['content'] and 'y = 2' in asked[2]['content']
    assert asked[3]['content'].startswith('Observation: ') and '2' in asked[3]['content']
    assert 'x = 40' not in str(asked)
    assert request_of(trace, 0, 0) == asked  # the trace tells what was asked
    assert len(trace.steps[0].attempts) == 2  # what is given is no attempt


def test_a_session_goes_on_after_a_kill_with_what_was_given(tmp_path):
    more = Step(index=1, question='And then?', code='y', kind='exec')
    one = question(setup='x = 40', given=dict(code='y = 2'))
    two = one.model_copy(update={'steps': [*one.steps, more]})
    store = TraceStore(tmp_path / 'a.traces.jsonl')
    with pytest.raises(IndexError):  # the model dies at the second step
        run(two, GOOD, 'Final Answer: 42', journal=store.journal(two.id, {}))
    trace, _ = run(two, GOOD, 'Final Answer: 42', journal=store.journal(two.id, {}))
    assert [step.attempts[0].execution.result for step in trace.steps] == ['42', '42']


def test_no_second_chance_after_an_error_or_a_reply_without_code():
    assert results(run(question(), BAD, GOOD)[0]) == [None]
    assert results(run(question(), 'It is 42.', GOOD)[0]) == [None]
    again = QwenReAct(explore=True)
    assert results(run(question(setup='x, y = 40, 2'), BAD, GOOD, 'Final Answer: 42', protocol=again)[0]) == [
        None,
        '42',
        None,
    ]


def test_a_benchmark_may_allow_fewer_attempts():
    trace, _ = run(question(setup='x, y = 40, 2', max_attempts=1), GOOD, 'Final Answer: 42')
    assert results(trace) == ['42']


def test_code_is_only_generated():
    given = question(given=dict(code='1 + 1'))
    trace, model = run(given, GOOD, GOOD, runs_code=False)
    (attempt,) = trace.steps[0].attempts
    assert 'Observation' in model.asked[0][-1]['content']  # what the question comes with is run and shown
    assert attempt.execution is None and 'x + y' in attempt.reply.text


@pytest.mark.parametrize(
    ('protocol', 'language', 'one', 'two'),
    [
        (QwenReAct(), 'en', '[Upload file a.csv]Q', '[Upload file a.csv, b.csv]Q'),
        (QwenReAct(), 'cn', '[上传文件a.csv]Q', '[上传文件a.csv, b.csv]Q'),
        (LlamaReAct(), 'en', 'File `a.csv`. Q', 'Files `a.csv`, `b.csv`. Q'),
        (InternLMReAct(), 'cn', '文件`a.csv`，Q', '文件`a.csv`, `b.csv`，Q'),
        (ToolCalls(), 'en', 'File `a.csv`. Q', 'Files `a.csv`, `b.csv`. Q'),
    ],
    ids=repr,
)
def test_files_are_named_as_the_family_names_them(protocol, language, one, two):
    step = Step(index=0, question='Q', code='', kind='exec')
    for files, said in ((['a.csv'], one), (['a.csv', 'b.csv'], two), ([], 'Q')):
        assert protocol.named(step.model_copy(update={'files': files}), language) == said


def test_an_agent_of_ones_own_gets_files_and_given_calls():
    one = question(setup='x = 40', given=dict(code='y = 2\ny'), files=['a.csv'], max_attempts=1)
    agent = FunctionAgent(path='tests.agents.test_single_questions:solve')
    trace, _ = run(one, protocol=agent)
    assert results(trace) == ['42']


async def solve(task):
    assert task.question == 'File `a.csv`. What is it?' and task.attempts_left == 1
    assert 'y = 2' in str(task.messages)
    await task.run('x + y')


def test_a_setup_that_fails_is_no_score():
    with pytest.raises(HarnessError, match=r'q/1: what it needs before its first step fails .*ModuleNotFoundError'):
        run(question(setup='import no_such_module'), GOOD)


def test_there_is_no_oracle_mode():
    with pytest.raises(CibenchError, match='q/1: it has no oracle mode'):
        run(question(setup='x = 1'), mode='oracle')
