"""The `strict` profile as a whole: which output is the answer, what a step and a session get, gold of notebooks."""

import base64

import pytest

from cibench_eval.datasets import load_experiments
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.opencompass import SessionEvaluator
from cibench_eval.schema import CibenchError, Figure
from tests.support.cells import code, figure, markdown, stdout, write
from tests.support.notebooks import EXAMPLES
from tests.support.pngs import noise
from tests.support.scoring import (
    NOWHERE,
    block,
    call,
    gold_experiment,
    gold_step,
    links,
    printed,
    score_experiment,
    score_step,
    summarize,
)


def score(kind, gold, *actions, figures=NOWHERE, **fields):
    return score_step(actions, gold_step(kind, gold, **fields), figures=figures)


def save(folder, *pictures):
    """A call that showed these pictures, as files of a folder."""
    paths = [folder / f'{number}.png' for number in range(len(pictures))]
    for path, data in zip(paths, pictures, strict=True):
        path.write_bytes(data)
    return links(*paths)


# --- results as text

MEANINGLESS = (
    'array([<Axes: title={0: 7}>,\n       <Axes: >], dtype=object)',
    "HBox(children=(IntProgress(value=0), Label(value='')))",
    'IntProgress(value=0)',
    '  0%|          | 0/10 [00:00<?, ?it/s]',
    '0it [00:00, ?it/s]',
    '<VegaLite 5 object>\n\nIf you see this message, read 5 pages.\n',
)


@pytest.mark.parametrize(
    ('text', 'answers'),
    [
        ('', []),
        ('The code ran and showed nothing.', []),
        (block('stdout', '7\n'), ['7\n']),
        (block('stdout', '```\nx\n```'), ['```\nx\n```']),
        (block('stdout', 'stdout:\n\n7'), ['stdout:\n\n7']),
        (block('stderr', 'w') + '\n\n' + block('stdout', '7'), ['7']),
        ('\n\n' + block('stdout', '7') + '\n\n![fig-001](/tmp/a.png)', ['7']),
        (block('stdout', '7') + '\n\n![fig-001](/tmp/a.png)\n\n' + block('execute_result', '8'), ['8']),
        ('stdout:\n\n```\n7\n8......', ['7\n8......']),
        ('stdout:\n\n```\n', []),
        ('stdout:\n\n```\n\n```', []),
        (block('stderr', '7'), []),
        (block('stdout', '8') + '\n\n' + block('execute_result', '7'), ['7']),
        (block('execute_result', '8') + '\n\n' + block('execute_result', '7'), ['7']),
        ('\n\n'.join([block('stdout', 'a'), block('stderr', 'w'), block('stdout', 'b')]), ['ab', 'b']),
        ('\n\n'.join([block('display_data', 'a'), block('display_data', 'b')]), ['a\nb\n']),
        ('\n\n'.join([block('stdout', 'a'), block('display_data', 'b')]), ['a', 'ab\n', 'b\n']),
        ('\n\n'.join([block('display_data', '7'), block('execute_result', '8')]), ['8']),
        ('\n\n'.join([block('display_data', ''), block('display_data', '<Axes: title={0: 7}>')]), []),
        ('\n\n'.join(block('display_data', text) for text in (*MEANINGLESS, '7', '<NA>')), ['7\n<NA>\n']),
    ],
)
def test_the_answer_is_the_last_result_else_what_is_printed_and_displayed(text, answers):
    (work,) = works_read([[call(text)]], 'a/b', NOWHERE)
    assert work.results[0].answers == answers


# --- steps


@pytest.mark.parametrize(
    ('kind', 'gold', 'text', 'expected'),
    [
        ('num', '7\n', block('stdout', '7.0\n'), 1),
        ('num', '1', block('stdout', '10'), 0),
        ('num', '7', block('stdout', '7') + '\n\n' + block('display_data', 'x 8'), 1),
        ('num', '640', block('display_data', '<Figure size 640x480 with 1 Axes>'), 0),
        ('num', '7', '7', 0),
        ('general', '7', block('stdout', 'seven is 7'), 1),
        ('general', 'Adelie', block('execute_result', "'Adelie'"), 1),
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
    assert score('num', '7', call('nothing')).detail == 'no text that may be an answer'
    assert score('num', '7').detail == 'the interpreter was not called'
    assert score('num', '7', call(errmsg='x')).detail == 'no code ran without error'
    assert score('text', 'a', call(block('stdout', 'a \ud800'))).detail == r"answer 'a \ud800'"


def test_steps_of_figures(tmp_path):
    a, b = noise(1), noise(2)
    assert score('vis', a, save(tmp_path, a)).score == 1
    assert score('vis', a, save(tmp_path, b)).score < 0.3
    assert score('vis', a, save(tmp_path, b, a), more_figures=[Figure.of(b)]).score == 1
    assert score('vis', a, save(tmp_path, a), more_figures=[Figure.of(b)]).score == pytest.approx(2 / 3)
    assert score('vis', a, call(block('stdout', '7'))).detail == 'no figure'
    assert score('vis', a, save(tmp_path, a), call(block('stdout', '7'))).score == 1
    assert score('vis', a, save(tmp_path, b'x')).detail.startswith(
        'by pixels (no description of the gold); the figure cannot be read'
    )


@pytest.mark.parametrize('more', [{}, {'more_figures': [Figure.of(b'x')]}])
def test_an_unreadable_gold_is_an_error_that_names_the_step(tmp_path, more):
    gold = noise() if more else b'x'
    with pytest.raises(CibenchError, match=r'^a/b, step 1: the gold figure cannot be read'):
        score('vis', gold, save(tmp_path, noise()), **more)


# --- sessions


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


def test_summary_given_that_the_code_ran():
    seven, eight, failed = ([call(block('stdout', text))] for text in '78x')
    failed[0] |= {'errmsg': 'x', 'result': None}
    late = [*seven, *failed]
    gold = gold_experiment(*(gold_step('num', '7', index) for index in range(4)), gold_step('text', 'a', 4))
    scores = score_experiment([seven, eight, failed, late, failed], gold)
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
    assert summarize([]) == {'counts': {}, 'experiments': 0}


@pytest.mark.parametrize(
    ('answer', 'of_step', 'of_profile', 'right'),
    [
        ('101.0', {}, {}, 0),
        ('101.0', {'tolerance': 0.01}, {}, 1),
        ('101.0', {}, {'tolerance': 0.02}, 1),
        ('101.0', {'tolerance': 0.0}, {'tolerance': 0.02}, 0),
        ('100.4', {'absolute': 0.5}, {}, 1),
        ('100.4', {'absolute': 0.3}, {'tolerance': 0.02}, 0),
    ],
)
def test_tolerance_of_the_profile_and_of_a_step(answer, of_step, of_profile, right):
    assert printed('100.0', answer, options=of_profile, **of_step).score == right


@pytest.mark.parametrize(
    ('gold', 'margin', 'right', 'wrong'),
    [
        ('125', {'tolerance': 0.02}, ('124.9', '125.3', '126', '125.0'), ('128', '122.1')),
        ('125', {'absolute': 0.5}, ('124.9', '125.3'), ('126', '125.6')),
        ('125', {}, ('125.0',), ('124.9', '126', '125.01')),
        ('125', {'tolerance': 0.001}, ('125.1',), ('125.4',)),
        ('3 125.5', {'absolute': 2}, ('4 126',), ('6 125.5',)),
        ('0.56 125 247.2', {'tolerance': 0.02}, ('0.56 124.9 247', '0.56 125.3 247.2'), ('0.56 121.9 247.2',)),
        ('101.1 192', {'tolerance': 0.01}, ('101.9 192', '101.1 192.0'), ('101.1 191', '101.1 193', '101.1 191.0')),
    ],
)
def test_a_tolerance_of_the_step_holds_for_whole_numbers_that_are_no_counts(gold, margin, right, wrong):
    """Beside other numbers a whole one for a whole one is a count."""
    scored = {one: printed(gold, one, **margin).score for one in (*right, *wrong)}
    assert scored == {one: float(one in right) for one in (*right, *wrong)}


def test_the_evaluator_hands_the_tolerance_on_and_keeps_it_in_the_results():
    gold = [gold_experiment(gold_step('num', '100.0'))]
    steps = [works_read([[call(block('stdout', '101.0'))]], 'a/b', NOWHERE)]
    close, far = SessionEvaluator(profile='strict', tolerance=0.02), SessionEvaluator(profile='strict')
    assert close.scores(steps, gold)[0].values['numeric_correct'] == 1
    assert close.set_options == {'tolerance': 0.02}
    assert far.scores(steps, gold)[0].values['numeric_correct'] == 0
    assert far.set_options == {'tolerance': 1e-4}
    assert SessionEvaluator().set_options == {}
    amount = SessionEvaluator(profile='strict', absolute=1.5)
    assert amount.scores(steps, gold)[0].values['numeric_correct'] == 1
    assert amount.set_options == {'tolerance': 1e-4, 'absolute': 1.5}


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


def displayed(data, kind='display_data'):
    return figure(base64.b64encode(data).decode(), kind)


def loaded_step(folder, *outputs, **metadata):
    """The step of a notebook of one step with these outputs and metadata."""
    write(folder, markdown(), code(*outputs), **metadata)
    ((step,),) = [one.steps for one in load_experiments(folder)]
    return step


def test_every_figure_of_a_gold_cell_is_loaded(tmp_path):
    cell = displayed(noise(3), 'execute_result'), displayed(noise(1)), displayed(noise(2))
    loaded = loaded_step(tmp_path, *cell, step_types=['vis'])
    assert [figure.data for figure in loaded.figures] == [noise(1), noise(2), noise(3)]
    assert {'more_figures', 'tolerance'}.isdisjoint(loaded.model_dump())


@pytest.mark.parametrize(
    ('metadata', 'tolerance', 'absolute', 'listed'),
    [
        ({}, None, 0.0, False),
        ({'tolerances': [0.01]}, 0.01, 0.0, False),
        ({'tolerances': [None]}, None, 0.0, False),
        ({'tolerances': [{'absolute': 0.5}], 'lists': [True]}, None, 0.5, True),
    ],
)
def test_tolerances_and_lists_of_a_notebook(tmp_path, metadata, tolerance, absolute, listed):
    loaded = loaded_step(tmp_path, stdout(), step_types=['text'], **metadata)
    assert (loaded.tolerance, loaded.absolute, loaded.listed) == (tolerance, absolute, listed)
    assert {'absolute', 'listed'}.isdisjoint(loaded.model_dump())


@pytest.mark.parametrize(
    'metadata',
    [
        *({'lists': one} for one in ([True, True], ['true'], [1], [None], {'a': True}, True)),
        *({'tolerances': one} for one in ([0.1, 0.1], ['0.1'], [1], [-0.1], [True], {'a': 1}, 5, [float('nan')])),
        *({'tolerances': [one]} for one in ({'absolute': 0}, {'absolute': '1'}, {'relative': 0.1}, {})),
        {'tolerances': [{'absolute': float('inf')}]},
    ],
    ids=str,
)
def test_tolerances_and_lists_that_are_none_are_refused(tmp_path, metadata):
    with pytest.raises(CibenchError, match=next(iter(metadata))):
        loaded_step(tmp_path, stdout(), step_types=['num'], **metadata)
