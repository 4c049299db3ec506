"""Run folders of the version before conversations were recorded: what can still be done with them, and what cannot.

`data/format_1` is what that version wrote: two finished sessions (`react` and, in oracle mode, `tools`) and one that
was interrupted (`cut`).
"""

import json
import shutil
from pathlib import Path

import pytest

from cibench_eval.agents.runner import Batch
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.transcript import request_of
from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.models import TraceReplay
from cibench_eval.schema import CibenchError
from cibench_eval.traces import TraceStore
from tests.support.sessions import KERNELS, Script, call, experiment

FOLDER = Path(__file__).parent / 'data' / 'format_1'
EXPERIMENT = experiment('n = 1', 'n = 3', 'print(n)')


def store(name):
    return TraceStore(FOLDER / f'{name}.traces.jsonl')


def batch():
    return Batch([EXPERIMENT], Script(), SessionSettings(kernels=KERNELS))


def test_messages_are_made_of_replies_and_observations():
    trace = store('react').load()['m/x']
    assert (trace.version, trace.opening, trace.identity['agent'] != '') == (1, [], True)
    first, second, third = trace.steps
    assert first.asked == [{'role': 'user', 'content': 'question 0'}]
    assert first.attempts[0].messages == [
        {'role': 'assistant', 'content': call('n = 1\nprint(n)')},
        {'role': 'user', 'content': 'Response: stdout:\n\n```\n1\n\n```'},
    ]
    assert [attempt.execution.status for attempt in second.attempts] == ['error', 'ok']
    assert third.attempts[0].messages == [{'role': 'assistant', 'content': 'Final Answer: 30'}]
    roles = [message['role'] for message in request_of(trace, 2, 0)]
    assert roles == ['user', 'assistant', 'user', 'assistant', 'user']


def test_calls_keep_their_answers():
    trace = store('tools').load()['m/x']
    said, answer = trace.steps[1].attempts[0].messages
    assert [made['function']['arguments'] for made in said['tool_calls']] == ['{"code": "n = 3"}', '{"code": "n = 4"}']
    assert (answer['role'], answer['tool_call_id']) == ('tool', 'c0')


def test_sessions_can_be_scored_and_replayed():
    trace = store('react').load()['m/x']
    steps = prediction_of(trace, EXPERIMENT, FOLDER / 'figures')['steps']
    assert [[action['type'] for action in step] for step in steps] == [
        ['IPythonInterpreter'],
        ['IPythonInterpreter', 'IPythonInterpreter'],
        ['FinishAction'],
    ]
    TraceReplay(str(FOLDER / 'react.traces.jsonl')).check()


@pytest.mark.parametrize(
    ('name', 'change'),
    [
        ('react', 'the version of cibench-eval of 1 of 1 finished sessions (-m eval scores them)'),
        ('cut', 'the version of cibench-eval of 1 unfinished sessions'),
        ('none', None),
    ],
)
def test_a_run_of_it_is_not_gone_on_with(name, change):
    assert batch().changes(store(name)) == ([change] if change else [])


@pytest.mark.parametrize(
    'line',
    [
        'null',
        '[]',
        '{}',
        '{"experiment": "m/x"}',
        '{"steps": [1]}',
        '{"steps": [{"attempts": [{}]}]}',
        '{"version": 3}',
        '{',
    ],
)
def test_a_line_of_no_format_is_named(tmp_path, line, caplog):
    path = tmp_path / 'd.traces.jsonl'
    shutil.copy(FOLDER / 'react.traces.jsonl', path)
    with path.open('a') as file:
        file.write(f'{line}\n')
    assert list(TraceStore(path).load()) == ['m/x'], 'it costs itself alone'
    assert f'{path}, line 2: damaged (' in caplog.text


def test_a_file_of_another_program_is_refused_in_a_line(tmp_path):
    path = tmp_path / 'd.traces.jsonl'
    path.write_text('{"experiment": "m/x"}\n{"version": 3}\n')
    with pytest.raises(CibenchError, match=r'd\.traces\.jsonl: no trace of this version in it \('):
        TraceStore(path).load()


def test_what_is_written_again_is_of_it_still(tmp_path):
    trace = store('react').load()['m/x']
    again = TraceStore(tmp_path / 'd.traces.jsonl')
    again.append(trace)
    assert json.loads(again.path.read_text())['version'] == 1
    assert again.load()['m/x'] == trace
