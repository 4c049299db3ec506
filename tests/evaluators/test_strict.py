"""The `strict` profile as a whole: which output is the answer, what a step and a session get, parsing of results."""

import base64
import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.formats.notebooks import load_experiment
from cibench_eval.evaluators.answers import answers, blocks
from cibench_eval.evaluators.predictions import actions_of, works_read
from cibench_eval.opencompass.evaluator import SessionEvaluator
from cibench_eval.rendering import render
from cibench_eval.schema import (
    INTERPRETER,
    Action,
    Attempt,
    CibenchError,
    Execution,
    Experiment,
    Figure,
    HarnessError,
    Output,
    Reply,
    Step,
    StepTrace,
)
from tests.support.notebooks import EXAMPLES
from tests.support.scoring import score_experiment, score_step, summarize
from tests.support.soak import many

NOWHERE = Path('/nowhere')
TITLES = ('stdout', 'stderr', 'execute_result', 'display_data')


def png(seed=0):
    file = io.BytesIO()
    noise = np.random.default_rng(seed).integers(0, 256, (6, 8, 3), dtype=np.uint8)
    Image.fromarray(noise).resize((40, 30)).save(file, 'png')
    return file.getvalue()


def block(title, text):
    return f'{title}:\n\n```\n{text}\n```'


def call(text='', image_path='', errmsg=None, **fields):
    result = {'text': text, 'image_path': image_path}
    return {'type': INTERPRETER, 'result': None if errmsg else result, 'errmsg': errmsg, **fields}


def step(kind, gold=None, index=0, **fields):
    content = {'figure': Figure.of(gold)} if kind == 'vis' and gold else {'text': gold}
    return Step(index=index, question='?\n', code='', kind=kind, **content, **fields)


def score(kind, gold, *actions, figures=NOWHERE, **fields):
    return score_step(list(actions), step(kind, gold, **fields), 'a/b', figures)


def shows(folder, *pictures):
    for number, data in enumerate(pictures):
        (folder / f'{number}.png').write_bytes(data)
    return call(image_path='\n\n'.join(f'![fig-{n + 1:03d}]({folder}/{n}.png)' for n in range(len(pictures))))


# --- results as text


@pytest.mark.parametrize(
    ('shown', 'expected'),
    [
        ('', []),
        ('The code ran and showed nothing.', []),
        (block('stdout', '7\n'), [('stdout', '7\n')]),
        (block('stdout', '```\nx\n```'), [('stdout', '```\nx\n```')]),
        (block('stdout', 'stdout:\n\n7'), [('stdout', 'stdout:\n\n7')]),
        (block('stderr', 'w') + '\n\n' + block('stdout', '7'), [('stderr', 'w'), ('stdout', '7')]),
        ('\n\n' + block('stdout', '7') + '\n\n![fig-001](/tmp/a.png)', [('stdout', '7')]),
        (
            block('stdout', '7') + '\n\n![fig-001](/tmp/a.png)\n\n' + block('execute_result', '8'),
            [('stdout', '7'), ('execute_result', '8')],
        ),
        ('![fig-001](/tmp/a.png)\n\n' + block('stdout', '7'), [('stdout', '7')]),
        ('stdout:\n\n```\n7\n8......', [('stdout', '7\n8......')]),
        ('stdout:\n\n```\n', [('stdout', '')]),
        ('stdout:\n\n```\n\n```', [('stdout', '')]),
    ],
)
def test_blocks_of_a_result(shown, expected):
    assert blocks(shown) == expected


pieces = [
    '\n',
    '```',
    'stdout:',
    '\n\n',
    'execute_result:',
    '\n```\n\nstdout:\n\n```\n',
    '![fig-001](a.png)',
    '7',
    'é ',
]
texts = st.lists(st.sampled_from(pieces), min_size=1, max_size=8).map(''.join)
outputs = st.lists(st.tuples(st.sampled_from(TITLES), texts), max_size=4)


@settings(derandomize=True, max_examples=many(1000, 200), deadline=None)
@given(outputs)
def test_blocks_are_rendering_backwards(outputs):
    """All of it, but for text that has in it what stands between two blocks; that renders the same all the same."""
    rendered = render(Execution(status='ok', outputs=[Output(type=title, text=text) for title, text in outputs]))
    found = blocks(rendered)
    if not any('```\n\n' in text or text.endswith(('```', '\n')) or '![fig' in text for _, text in outputs):
        assert found == outputs
    if not any('![fig' in text for _, text in outputs):
        assert '\n\n'.join(block(title, text) for title, text in found) == rendered


@pytest.mark.parametrize(
    ('shown', 'expected'),
    [
        ('', []),
        (block('stderr', '7'), []),
        (block('stdout', '7'), ['7']),
        (block('stdout', '8') + '\n\n' + block('execute_result', '7'), ['7']),
        (block('execute_result', '8') + '\n\n' + block('execute_result', '7'), ['7']),
        ('\n\n'.join([block('stdout', 'a'), block('stderr', 'w'), block('stdout', 'b')]), ['ab', 'b']),
    ],
)
def test_the_answer_is_the_last_result_else_stdout(shown, expected):
    assert answers(shown) == expected


# --- steps


@pytest.mark.parametrize(
    ('kind', 'gold', 'text', 'expected'),
    [
        ('num', '7\n', block('stdout', '7.0\n'), 1),
        ('num', '7', block('stderr', 'UserWarning: 8') + '\n\n' + block('stdout', '7'), 1),
        ('num', '7', block('stdout', 'loading 3 files') + '\n\n' + block('execute_result', '7'), 1),
        ('num', '7', block('execute_result', '8') + '\n\n' + block('stdout', '7'), 0),
        ('num', '1', block('stdout', '10'), 0),
        ('num', '7', '7', 0),
        ('general', '7', block('stdout', 'seven is 7'), 1),
        ('general', 'Adelie', block('execute_result', "'Adelie'"), 1),
        ('text', 'the cat', block('stderr', 'warning') + '\n\n' + block('stdout', 'the cat'), 1),
        ('text', 'the cat', block('stderr', 'the cat'), 0),
        ('text', '平均温度', block('stdout', '平均温度'), 1),
    ],
)
def test_steps_of_text(kind, gold, text, expected):
    scored = score(kind, gold, call(text))
    assert scored.score == expected
    assert scored.metric == {'num': 'numeric_correct', 'general': 'general_correct', 'text': 'text_score'}[kind]


def test_reasons():
    assert score('num', '7', call(block('stdout', '7 8'))).detail == "2 values, the gold has 1; answer '7 8'"
    assert score('num', '7', call('nothing')).detail == 'no result and no stdout'
    assert score('num', '7').detail == 'the interpreter was not called'
    assert score('num', '7', call(errmsg='x')).detail == 'no code ran without error'
    assert score('text', 'a', call(block('stdout', 'a \ud800'))).detail == r"answer 'a \ud800'"


def test_the_last_call_with_a_result_decides():
    seven, silent, failed = call(block('stdout', '7')), call('The code ran.'), call(errmsg='x')
    assert score('num', '7', seven, silent, failed).score == 1
    assert score('num', '7', seven, call(block('stdout', '8'))).score == 0
    assert score('exec', None, seven, failed).executable is False


def test_steps_of_figures(tmp_path):
    a, b = png(1), png(2)
    assert score('vis', a, shows(tmp_path, a)).score == 1
    assert score('vis', a, shows(tmp_path, b)).score < 0.3
    assert score('vis', a, shows(tmp_path, b, a), more_figures=[Figure.of(b)]).score == 1
    assert score('vis', a, shows(tmp_path, a), more_figures=[Figure.of(b)]).score == pytest.approx(2 / 3)
    assert score('vis', a, call(block('stdout', '7'))).detail == 'no figure'
    assert score('vis', a, shows(tmp_path, b'x')).detail.startswith(
        'by pixels (no description of the gold); the figure cannot be read'
    )


def test_figures_are_found_where_the_run_folder_was_moved_to(tmp_path):
    moved = call(image_path='![fig-001](/old/0.png)')
    shows(tmp_path, png())
    assert score('vis', png(), moved, figures=tmp_path).score == 1
    with pytest.raises(HarnessError, match=r'^a/b, step 1: figure /old/0.png is gone'):
        score('vis', png(), moved)


@pytest.mark.parametrize('more', [{}, {'more_figures': [Figure.of(b'x')]}])
def test_an_unreadable_gold_is_an_error_that_names_the_step(tmp_path, more):
    gold = png() if more else b'x'
    with pytest.raises(CibenchError, match=r'^a/b, step 1: the gold figure cannot be read'):
        score('vis', gold, shows(tmp_path, png()), **more)
    with pytest.raises(CibenchError, match=r'^a/b, step 1: a .num. step without gold output'):
        score('num', None, call())


@pytest.mark.parametrize('result', [[{'type': 'text', 'content': '7'}], {'text': None, 'image_path': None}, '7'])
@pytest.mark.parametrize(('kind', 'gold'), [('num', '7'), ('text', '7'), ('vis', png())])
def test_results_of_another_shape_are_zero(kind, gold, result):
    scored = score(kind, gold, call(block('stdout', '7')), call(result=result))
    assert scored.score == 0.0
    assert scored.detail.startswith('the result has no ')


# --- sessions


def replay(step, figures):
    """The actions of a step that shows its own gold output."""
    shown = [Output(type='stdout', text=step.text)] if step.text else []
    for figure in step.figures:
        figure.save(figures)
        shown.append(Output(type='display_data', figure=figure))
    action = Action(tool=INTERPRETER, argument=step.code, code=step.code)
    attempt = Attempt(reply=Reply(text=''), action=action, execution=Execution(status='ok', outputs=shown))
    return actions_of(StepTrace(index=step.index, question=step.question, attempts=[attempt]), figures)


@pytest.mark.parametrize('experiment', load_experiments(EXAMPLES), ids=lambda experiment: experiment.id)
def test_gold_outputs_score_one(experiment, tmp_path):
    steps = [replay(step, tmp_path) for step in experiment.steps]
    scores = score_experiment(steps, experiment, profile='strict', figures=tmp_path)
    assert {scored.score for scored in scores} == {None, 1.0}
    assert all(scored.executable for scored in scores)


@pytest.mark.parametrize('answer', ['', ' ', '0', 'None', '{dump}', '{question}', '{code}', '{gold} {dump}'])
def test_answers_that_are_none_score_next_to_nothing(answer):
    dump = ' '.join(map(str, range(300)))
    for experiment in load_experiments(EXAMPLES):
        for step in experiment.steps:
            if step.kind in ('num', 'text'):
                said = answer.format(dump=dump, question=step.question, code=step.code, gold=step.text)
                scored = score_step([call(block('stdout', said))], step, experiment.id, NOWHERE)
                # Of a list, the entries before what does not belong to it are in their places; it is not correct.
                most = 0.75 if step.listed and '{gold}' in answer else 0.36
                assert scored.score == 0 if step.kind == 'num' else scored.score <= most, (step, scored)


def experiment(*steps):
    return Experiment(id='a/b', path=Path('b.ipynb'), language='en', steps=steps, typed=True)


def test_missing_steps_score_zero():
    gold = experiment(step('num', '7'), step('num', '7', 1), step('exec', None, 2))
    scores = score_experiment([[call(block('stdout', '7'))]], gold, profile='strict', figures=NOWHERE)
    assert [scored.score for scored in scores] == [1, 0, None]
    with pytest.raises(CibenchError, match='a/b: 4 steps in the session, 3 in the notebook'):
        score_experiment([[]] * 4, gold, profile='strict', figures=NOWHERE)


def test_summary_given_that_the_code_ran():
    seven, eight, failed = ([call(block('stdout', text))] for text in '78x')
    failed[0] |= {'errmsg': 'x', 'result': None}
    late = [*seven, *failed]
    gold = experiment(*(step('num', '7', index) for index in range(4)), step('text', 'a', 4))
    scores = score_experiment([seven, eight, failed, late, failed], gold, profile='strict', figures=NOWHERE)
    summary = summarize(scores)
    assert (summary['numeric_correct'], summary['numeric_correct_ran']) == (50, 50)
    assert summary['counts'] == {
        'tool_rate': 5,
        'executable': 5,
        'numeric_correct': 4,
        'numeric_correct_ran': 2,
        'text_score': 1,
    }
    assert 'text_score_ran' not in summary
    assert not any('_ran' in name for name in summarize(scores, 'official'))


def test_tolerance_of_the_profile_and_of_a_step():
    shown = call(block('stdout', '101.0'))
    assert score('num', '100.0', shown).score == 0
    assert score('num', '100.0', shown, tolerance=0.01).score == 1
    assert score_step([shown], step('num', '100.0'), 'a/b', NOWHERE, tolerance=0.02).score == 1
    assert score_step([shown], step('num', '100.0', tolerance=0.0), 'a/b', NOWHERE, tolerance=0.02).score == 0


@pytest.mark.parametrize(
    ('gold', 'margin', 'right', 'wrong'),
    [
        ('125', {'tolerance': 0.02}, ('124.9', '125.3', '126', '125.0'), ('128', '122.1')),
        ('125', {'absolute': 0.5}, ('124.9', '125.3'), ('126', '125.6')),
        ('125', {}, ('125.0',), ('124.9', '126', '125.01')),
        ('0.56 125 247.2', {'tolerance': 0.02}, ('0.56 124.9 247', '0.56 125.3 247.2'), ('0.56 121.9 247.2',)),
        ('101.1 192', {'tolerance': 0.01}, ('101.9 192', '101.1 192.0'), ('101.1 191', '101.1 193', '101.1 191.0')),
    ],
)
def test_a_tolerance_of_the_step_holds_for_whole_numbers_that_are_no_counts(gold, margin, right, wrong):
    """Beside other numbers a whole one for a whole one is a count."""
    scored = {one: score('num', gold, call(block('stdout', one)), **margin).score for one in (*right, *wrong)}
    assert scored == {one: float(one in right) for one in (*right, *wrong)}


def test_the_evaluator_hands_the_tolerance_on_and_keeps_it_in_the_results():
    gold, steps = [experiment(step('num', '100.0'))], [works_read([[call(block('stdout', '101.0'))]], 'a/b', NOWHERE)]
    close, far = SessionEvaluator(profile='strict', tolerance=0.02), SessionEvaluator(profile='strict')
    assert close.scores(steps, gold)[0].values['numeric_correct'] == 1
    assert close.set_options == {'tolerance': 0.02}
    assert far.scores(steps, gold)[0].values['numeric_correct'] == 0
    assert far.set_options == {'tolerance': 1e-4}
    assert SessionEvaluator().set_options == {}
    amount = SessionEvaluator(profile='strict', absolute=1.5)
    assert amount.scores(steps, gold)[0].values['numeric_correct'] == 1
    assert amount.set_options == {'tolerance': 1e-4, 'absolute': 1.5}


def test_a_fault_in_one_session_ends_the_evaluation():
    gold = experiment(step('vis', png()))
    gone = works_read([[call(image_path='![fig-001](/old/0.png)')]], 'a/b', NOWHERE)
    with pytest.raises(HarnessError, match=r'^a/b, step 1: figure /old/0.png is gone'):
        SessionEvaluator(profile='strict').scores([gone] * 9, [gold] * 9)


@pytest.mark.parametrize(
    'options',
    [
        {'tolerance': 0.1},
        {'profile': 'strict', 'tolerance': 1},
        {'absolute': 0.1},
        {'profile': 'strict', 'absolute': -1},
        {'profile': 'kind'},
    ],
)
def test_the_evaluator_refuses_what_it_cannot_do(options):
    with pytest.raises(CibenchError, match=r'^evaluator: |^no scoring profile'):
        SessionEvaluator(**options)


# --- notebooks


def notebook(folder, outputs, **metadata):
    cells = [
        {'cell_type': 'markdown', 'metadata': {}, 'source': 'Plot it.\n\nThought: I do.'},
        {'cell_type': 'code', 'metadata': {}, 'source': 'plot()', 'outputs': outputs},
    ]
    path = folder / 'a.ipynb'
    path.write_text(json.dumps({'cells': cells, 'metadata': metadata, 'nbformat': 4, 'nbformat_minor': 5}))
    return load_experiment(path, folder).steps[0]


def shown(data, kind='display_data'):
    return {'output_type': kind, 'data': {'image/png': base64.b64encode(data).decode()}, 'metadata': {}}


def test_every_figure_of_a_gold_cell_is_loaded(tmp_path):
    loaded = notebook(tmp_path, [shown(png(3), 'execute_result'), shown(png(1)), shown(png(2))], step_types=['vis'])
    assert loaded.figure.data == png(1)
    assert [figure.data for figure in loaded.more_figures] == [png(2), png(3)]
    assert {'more_figures', 'tolerance'}.isdisjoint(loaded.model_dump())


def test_tolerances_of_a_notebook(tmp_path):
    printed = [{'output_type': 'stream', 'name': 'stdout', 'text': '7.5\n'}]
    assert notebook(tmp_path, printed, step_types=['num']).tolerance is None
    assert notebook(tmp_path, printed, step_types=['num'], tolerances=[0.01]).tolerance == 0.01
    assert notebook(tmp_path, printed, step_types=['num'], tolerances=[None]).tolerance is None


def test_absolute_tolerances_and_lists_of_a_notebook(tmp_path):
    printed = [{'output_type': 'stream', 'name': 'stdout', 'text': 'a, b\n'}]
    loaded = notebook(tmp_path, printed, step_types=['text'], tolerances=[{'absolute': 0.5}], lists=[True])
    assert (loaded.tolerance, loaded.absolute, loaded.listed) == (None, 0.5, True)
    assert {'absolute', 'listed'}.isdisjoint(loaded.model_dump())
    plain = notebook(tmp_path, printed, step_types=['text'])
    assert (plain.absolute, plain.listed) == (0.0, False)


@pytest.mark.parametrize('lists', [[True, True], ['true'], [1], [None], {'a': True}, True])
def test_lists_that_are_none_are_refused(tmp_path, lists):
    printed = [{'output_type': 'stream', 'name': 'stdout', 'text': 'a, b\n'}]
    with pytest.raises(CibenchError, match='`lists`'):
        notebook(tmp_path, printed, step_types=['text'], lists=lists)


def test_an_absolute_tolerance_of_a_step():
    shown = call(block('stdout', '100.4'))
    assert score_step([shown], step('num', '100.0', absolute=0.5), 'a/b', NOWHERE).score == 1
    assert score_step([shown], step('num', '100.0', absolute=0.3), 'a/b', NOWHERE, tolerance=0.02).score == 0


def test_a_list_scores_by_entries_in_place():
    gold = step('text', 'Oslo, Bergen, Tromso, Bodo', listed=True)

    def worth(said):
        return score_step([call(block('stdout', said))], gold, 'a/b', NOWHERE).score

    assert worth("['Oslo', 'Bergen', 'Tromso', 'Bodo']") == 1
    assert worth('From north to south: Oslo, Bergen, Tromso, Bodo') == 1
    assert worth('I have sorted the cities.\nOslo, Bergen, Tromso, Bodo') == pytest.approx(0.95)
    assert worth('Oslo, Bergen, Bodo, Tromso') == 0.5
    assert worth('Bodo, Oslo, Bergen, Tromso') == 0
    assert worth('Oslo, Bergen, Tromso, Rome') == 0.75
    assert worth('Oslo, Bergen') == 0.5


@pytest.mark.parametrize(
    'tolerances',
    [
        *([0.1, 0.1], ['0.1'], [1], [-0.1], [True], {'a': 1}, 5, [float('nan')]),
        *([{'absolute': 0}], [{'absolute': '1'}], [{'relative': 0.1}], [{'absolute': float('inf')}], [{}]),
    ],
)
def test_tolerances_that_are_none_are_refused(tmp_path, tolerances):
    printed = [{'output_type': 'stream', 'name': 'stdout', 'text': '7.5\n'}]
    with pytest.raises(CibenchError, match='tolerances'):
        notebook(tmp_path, printed, step_types=['num'], tolerances=tolerances)
