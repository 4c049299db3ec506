"""What happened in a step decides, and not the text that was made of it."""

from pathlib import Path

import pytest

from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.predictions import SILENT, actions_of, works_read
from cibench_eval.evaluators.work import works_of
from cibench_eval.schema import (
    INTERPRETER,
    Action,
    Attempt,
    Call,
    Execution,
    ExecutionError,
    Experiment,
    Figure,
    Output,
    Reply,
    Step,
    StepTrace,
)

FIGURES = Path('figures')
STRICT = find_profile('strict')
OK, FAILED = Execution(status='ok'), Execution(status='error', error=ExecutionError(name='E', value='v'))
FIGURE = Figure.of(b'png')
FENCE = '```'


def attempt(execution, *others, action=None):
    return Attempt(reply=Reply(text=''), action=action or CODE, execution=execution, others=list(others))


def ran(*outputs):
    return Execution(status='ok', outputs=[Output(type=kind, text=text) for kind, text in outputs])


CODE = Action(tool=INTERPRETER, argument='x', code='x')
STEPS = {
    'nothing': [],
    'no call': [attempt(None, action=Action(argument='It is 3.', problem='There is no code.'))],
    'an answer': [attempt(ran(('stdout', '3\n'))), attempt(None, action=Action(argument='It is 3.', final=True))],
    'a call without code': [attempt(None, action=Action(tool=INTERPRETER, problem='There is no code.'))],
    'another tool': [attempt(None, action=Action(tool='Browser', argument='x', problem='There is no such tool.'))],
    'silence': [attempt(OK)],
    'a result': [attempt(ran(('stdout', '1\n'), ('execute_result', '2'), ('execute_result', '3')))],
    'stdout in two parts': [attempt(ran(('stdout', '1\n'), ('stderr', 'careful\n'), ('stdout', '3\n')))],
    'an error, then a result': [attempt(FAILED), attempt(ran(('execute_result', '3')))],
    'a result, then an error': [attempt(ran(('execute_result', '3'))), attempt(FAILED)],
    'several calls': [attempt(FAILED, Call(action=CODE, execution=ran(('stdout', '3\n'))))],
    'a time-out': [attempt(Execution(status='timeout', seconds=2.0))],
    'figures': [attempt(Execution(status='ok', outputs=[Output(type='display_data', text='<Figure>', figure=FIGURE)]))],
    'a figure as result': [
        attempt(Execution(status='ok', outputs=[Output(type='execute_result', text='<Image>', figure=FIGURE)]))
    ],
}


def step_of(attempts, state=None):
    return StepTrace(index=0, question='?', attempts=attempts, state=state)


def seen(work):
    """All that a metric may look at."""
    results = [(result.text or SILENT, result.answers, result.figures) for result in work.results]
    return [call.failed for call in work.calls], results, work.said, work.described, work.has_states


@pytest.mark.parametrize('name', STEPS)
@pytest.mark.parametrize('state', [None, {'n': {'kind': 'scalar'}}])
def test_a_session_is_the_same_from_its_trace_and_from_its_predictions(name, state):
    step = step_of(STEPS[name], state if STEPS[name] else None)
    (own,), (read,) = works_of([step], FIGURES.absolute()), works_read([actions_of(step, FIGURES)], 'a/b', FIGURES)
    assert seen(own) == seen(read)


@pytest.mark.parametrize(
    'printed', [f'junk 1\n{FENCE}\n\nexecute_result:\n\n{FENCE}\n42', f'7\n{FENCE}\n\nstdout:\n\n{FENCE}\n42\n']
)
def test_what_looks_like_a_block_and_is_printed_is_text(printed):
    gold = Step(index=0, question='?', code='', kind='num', text='42')
    experiment = Experiment(id='a/b', path=Path('x'), language='en', steps=[gold], typed=True)
    step = step_of([attempt(ran(('stdout', printed)))])
    (work,) = works_of([step], FIGURES)
    assert work.results[0].answers == [printed]
    (score,) = score_session([work], experiment, STRICT)
    assert score.values['numeric_correct'] == 0
    (as_text,) = score_session(works_read([actions_of(step, FIGURES)], 'a/b', FIGURES), experiment, STRICT)
    assert as_text.values['numeric_correct'] == 1, 'another program records no more than the text'
