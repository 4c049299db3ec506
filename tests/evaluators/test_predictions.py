"""Traces as OpenCompass's prediction files, and executions as the text in them."""

from pathlib import Path

import pytest

from cibench_eval.evaluators.predictions import prediction_of
from cibench_eval.schema import Action, Attempt, Execution, ExecutionError, Figure, Output, Reply
from tests.support.scoring import gold_experiment, gold_step, session_trace, step_trace

SILENT = 'The code ran and showed nothing.'

CALL = Action(thought='I try', tool='IPythonInterpreter', argument='```python\nx\n```', code='x')
FIELDS = {'type', 'args', 'result', 'thought', 'state', 'errmsg', 'valid'}
BOOM = ExecutionError(name='ValueError', value='boom')
DEATH = ExecutionError(name='KernelDied', value='out of memory; a new kernel starts empty')


@pytest.fixture
def codes():
    """lagent's own, imported here because every process of the tests reads every test file."""
    from lagent.schema import ActionStatusCode, ActionValidCode

    return {**ActionStatusCode.__members__, **ActionValidCode.__members__}


def ran(*outputs, status='ok', action=CALL, **fields):
    execution = Execution(status=status, outputs=list(outputs), **fields)
    return Attempt(reply=Reply(text='r'), action=action, execution=execution)


def said(**action):
    return Attempt(reply=Reply(text='r'), action=Action(**action))


def shown(text, kind='stdout', **fields):
    return Output(type=kind, text=text, **fields)


def predict(*steps, figures=Path('figures')):
    """The predictions entry of a session with one list of attempts a step."""
    golds = [
        gold_step('exec', index=i).model_copy(update={'code': f'c{i}', 'thought': f't{i}'}) for i in range(len(steps))
    ]
    traces = [step_trace(*attempts, index=i, question=f'q{i}') for i, attempts in enumerate(steps)]
    return prediction_of(session_trace(*traces), gold_experiment(*golds), figures)


def action_of(attempt, figures=Path('figures')):
    (((action,),),) = [predict([attempt], figures=figures)['steps']]
    return action


def test_session_is_one_entry_with_a_list_of_actions_a_step():
    entry = predict([ran(status='error', error=BOOM), ran(shown('5'))], [], [said(problem='no call')])
    assert set(entry) == {'prediction', 'origin_prompt', 'steps', 'gold'}
    assert [len(actions) for actions in entry['steps']] == [2, 0, 1]
    assert all(set(action) == FIELDS for actions in entry['steps'] for action in actions)
    assert entry['origin_prompt'] == ['q0', 'q1', 'q2']
    assert entry['gold'] == ['t0**split**c0', 't1**split**c1', 't2**split**c2']
    assert entry['prediction'] == ['stdout:\n\n```\n5\n```', '', '']


def test_code_that_ran_is_a_call_with_a_result(codes):
    assert action_of(ran(shown('5'))) == {
        'type': 'IPythonInterpreter',
        'args': {'text': '```python\nx\n```', 'extract_code': 'x'},
        'result': {'text': 'stdout:\n\n```\n5\n```', 'image_path': ''},
        'thought': 'I try',
        'state': codes['SUCCESS'],
        'errmsg': None,
        'valid': codes['OPEN'],
    }


@pytest.mark.parametrize('status', ['error', 'timeout', 'kernel_died'])
def test_code_that_failed_has_an_error_and_no_result(codes, status):
    action = action_of(ran(shown('so far'), status=status, error=BOOM if status == 'error' else None))
    assert action['result'] is None
    assert (action['state'], action['valid']) == (codes['API_ERROR'], codes['OPEN'])
    assert action['errmsg'].startswith('stdout:\n\n```\nso far\n```\n\nerror:')


def test_final_answer_finishes(codes):
    action = action_of(said(final=True, argument='It is 5.', thought='done'))
    assert (action['type'], action['valid']) == ('FinishAction', codes['FINISH'])
    assert (action['state'], action['errmsg']) == (codes['SUCCESS'], None)
    assert action['result'] == {'text': 'It is 5.', 'image_path': ''}
    assert predict([said(final=True, argument='It is 5.')])['prediction'] == ['It is 5.']


@pytest.mark.parametrize(('tool', 'kind'), [(None, 'NoAction'), ('Calculator', 'InvalidAction')])
def test_reply_without_a_usable_call_is_no_call(codes, tool, kind):
    action = action_of(said(tool=tool, problem='call the interpreter'))
    assert (action['type'], action['result'], action['errmsg']) == (kind, None, 'call the interpreter')
    assert (action['state'], action['valid']) == (codes['API_ERROR'], codes['INVALID'])


def test_call_without_code_is_a_call_with_an_error():
    action = action_of(said(tool='IPythonInterpreter', problem='no code'))
    assert (action['type'], action['errmsg'], action['args']['extract_code']) == ('IPythonInterpreter', 'no code', '')


def test_figures_are_numbered_absolute_paths():
    first, second = Figure.of(b'1'), Figure.of(b'2')
    outputs = [shown('', 'display_data', figure=first), shown('text'), shown('a', 'execute_result', figure=second)]
    result = action_of(ran(*outputs), figures=Path('here'))['result']
    folder = Path.cwd() / 'here'
    assert result['image_path'] == f'![fig-001]({folder}/{first.filename})\n\n![fig-002]({folder}/{second.filename})'


def test_outputs_are_rendered_in_their_order():
    outputs = [shown('2', 'execute_result'), shown('w', 'stderr'), shown('1\n'), shown('')]
    assert action_of(ran(*outputs))['result']['text'] == (
        'execute_result:\n\n```\n2\n```\n\nstderr:\n\n```\nw\n```\n\nstdout:\n\n```\n1\n\n```'
    )


def test_displayed_figures_are_not_rendered():
    figure = Figure.of(b'1')
    outputs = [shown('<Figure>', 'display_data', figure=figure), shown('<b>', 'display_data')]
    assert action_of(ran(*outputs))['result']['text'] == 'display_data:\n\n```\n<b>\n```'
    assert action_of(ran(*outputs[:1]))['result']['text'] == SILENT


@pytest.mark.parametrize(
    ('fields', 'last'),
    [
        ({'status': 'error', 'error': BOOM}, 'ValueError: boom'),
        ({'status': 'error', 'error': BOOM.model_copy(update={'traceback': 'Traceback\nx'})}, 'Traceback\nx'),
        ({'status': 'timeout', 'seconds': 61.2}, 'Timeout. No end after 61 seconds.'),
        ({'status': 'kernel_died', 'error': DEATH}, 'KernelDied: out of memory; a new kernel starts empty'),
        ({'status': 'kernel_died'}, 'KernelDied: the kernel process ended'),
    ],
)
def test_error_is_the_last_block(fields, last):
    rendered = action_of(ran(shown('1'), shown('w', 'stderr'), **fields))['errmsg']
    titles = [line[:-1] for line in rendered.splitlines() if line.endswith(':')]
    assert titles == ['stdout', 'stderr', 'error']
    assert rendered.endswith(f'\n\nerror:\n\n```\n{last}\n```')


def test_code_that_failed_without_a_word_has_an_error_all_the_same():
    """An empty message would make it count as code that ran."""
    action = action_of(ran(status='error'))
    assert (action['result'], action['errmsg']) == (None, 'error')


def test_whatever_a_protocol_calls_the_tool_code_that_was_run_is_a_call_of_the_interpreter(codes):
    action = action_of(ran(shown('5'), action=CALL.model_copy(update={'tool': 'python'})))
    assert (action['type'], action['valid']) == ('IPythonInterpreter', codes['OPEN'])
