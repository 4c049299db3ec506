"""What happened in a step decides, and not the text that was made of it."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cibench_eval.evaluators.predictions import actions_of, works_read
from cibench_eval.evaluators.work import CallResult, works_of
from cibench_eval.schema import INTERPRETER, Action, Call, Execution, ExecutionError, Figure, Output
from tests.support.scoring import attempted, call, gold_step, printed, score_step, shown, step_trace

SILENT = 'The code ran and showed nothing.'

FIGURES = Path('figures')
OK, FAILED = Execution(status='ok'), Execution(status='error', error=ExecutionError(name='E', value='v'))
FIGURE = Figure.of(b'png')
FENCE = '```'


def ran(*outputs):
    return Execution(status='ok', outputs=[Output(type=kind, text=text) for kind, text in outputs])


CODE = Action(tool=INTERPRETER, argument='x', code='x')
STEPS = {
    'nothing': [],
    'no call': [attempted(argument='It is 3.', problem='There is no code.')],
    'an answer': [attempted(shown('3\n')), attempted(argument='It is 3.', final=True)],
    'a call without code': [attempted(tool=INTERPRETER, problem='There is no code.')],
    'another tool': [attempted(tool='Browser', argument='x', problem='There is no such tool.')],
    'silence': [attempted(OK)],
    'a result': [attempted(ran(('stdout', '1\n'), ('execute_result', '2'), ('execute_result', '3')))],
    'stdout in two parts': [attempted(ran(('stdout', '1\n'), ('stderr', 'careful\n'), ('stdout', '3\n')))],
    'an error, then a result': [attempted(FAILED), attempted(shown('3', type='execute_result'))],
    'a result, then an error': [attempted(shown('3', type='execute_result')), attempted(FAILED)],
    'several calls': [attempted(FAILED).model_copy(update={'others': [Call(action=CODE, execution=shown('3\n'))]})],
    'a time-out': [attempted(Execution(status='timeout', seconds=2.0))],
    'displays': [attempted(ran(('display_data', '1'), ('display_data', '<Axes: >'), ('display_data', '2')))],
    'what has no text': [attempted(ran(('stdout', '7\n'), ('execute_result', ''), ('stdout', '')))],
    'figures': [attempted(shown(None, FIGURE))],
    'a figure as result': [
        attempted(Execution(status='ok', outputs=[Output(type='execute_result', text='<Image>', figure=FIGURE)]))
    ],
}


def seen(work):
    """All that a metric may look at."""
    results = [(result.text or SILENT, result.answers, result.figures) for result in work.results]
    return [call.failed for call in work.calls], results, work.said, work.described, work.has_states


@pytest.mark.parametrize('name', STEPS)
@pytest.mark.parametrize('state', [None, {'n': {'kind': 'scalar'}}])
def test_a_session_is_the_same_from_its_trace_and_from_its_predictions(name, state):
    step = step_trace(*STEPS[name], state=state if STEPS[name] else None)
    (own,), (read,) = works_of([step], FIGURES.absolute()), works_read([actions_of(step, FIGURES)], 'a/b', FIGURES)
    assert seen(own) == seen(read)


PIECES = (
    '\n',
    '```',
    'stdout:',
    '\n\n',
    'execute_result:',
    '\n```\n\nstdout:\n\n```\n',
    '![fig-001](a.png)',
    '7',
    'é ',
)
TEXTS = st.lists(st.sampled_from(PIECES), min_size=1, max_size=8).map(''.join)
OUTPUTS = st.lists(
    st.tuples(st.sampled_from(('stdout', 'stderr', 'execute_result', 'display_data')), TEXTS), max_size=4
)


@settings(derandomize=True, max_examples=200, deadline=None)
@given(OUTPUTS)
def test_results_are_read_back_from_their_text(outputs):
    """All of them, but for text that has in it what stands between two blocks."""
    step = step_trace(attempted(ran(*outputs)))
    (own,), (read,) = works_of([step], FIGURES.absolute()), works_read([actions_of(step, FIGURES)], 'a/b', FIGURES)
    if not any('```\n\n' in text or text.endswith(('```', '\n')) or '![fig' in text for _, text in outputs):
        assert seen(own) == seen(read)


@pytest.mark.parametrize(
    'text', [f'junk 1\n{FENCE}\n\nexecute_result:\n\n{FENCE}\n42', f'7\n{FENCE}\n\nstdout:\n\n{FENCE}\n42\n']
)
def test_what_looks_like_a_block_and_is_printed_is_text(text):
    assert printed('42', text).score == 0
    read = call(f'stdout:\n\n{FENCE}\n{text}\n{FENCE}')
    assert score_step([read], gold_step('num', '42')).score == 1, 'another program records no more than the text'


def test_what_stands_on_stderr_is_left_out_and_what_looks_like_it_is_text():
    printed_block = 'stderr:\n\n```\n5\n```'
    outputs = [Output(type='stdout', text=printed_block), Output(type='stderr', text='since 3.12')]
    result = CallResult.of(Execution(status='ok', outputs=outputs), Path())
    assert '5' in result.shown and '3.12' not in result.shown and '3.12' in result.text
