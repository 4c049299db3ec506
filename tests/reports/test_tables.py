"""Results as tables: the leaderboard's own arithmetic, and nothing lost on the way to the reader."""

import csv
import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.cells import cell_len

import cibench_eval.reports
from cibench_eval.models.limits import Usage, money
from cibench_eval.reports.rows import aggregate, published
from cibench_eval.reports.summary import SCALES, to_markdown
from cibench_eval.reports.tables import differing, leaderboard_table, shared, tables_of
from tests.reports.rows import (
    KINDS,
    MODES,
    PUBLISHED,
    absent,
    failure,
    notes,
    printed,
    records,
    result,
    step,
    steps_of,
    table,
)

LEADERBOARD = Path(cibench_eval.reports.__file__).parent / 'published' / 'cibench_leaderboard.csv'
FURTHER, PARTS = "Beside the paper's metrics", 'By module category and library'
COLUMNS = [f'{mode}-{name}' for mode in 'EO' for name in ('Tool', 'Exe', 'Num', 'Text', 'Vis')]


def both(figures=(100, 90, 50, 40, 30), **fields):
    return [result(mode, steps_of(figures), **fields) for mode in MODES]


def cells(row):
    """The figures of a row in the main table."""
    return [cell.text for cell in table([row]).lines[0][1:]]


def value(row, mode, metric):
    return row.score(mode, metric).value


def leaderboard():
    return list(csv.DictReader(io.StringIO(LEADERBOARD.read_text(encoding='utf-8'))))


def published_results():
    """Every model of the leaderboard as one dataset a mode."""
    return [
        result(mode, steps_of([float(line[name]) for name in names]), model=line['Model'])
        for line in leaderboard()
        for mode, names in zip(MODES, (COLUMNS[:5], COLUMNS[5:]), strict=True)
    ]


def test_average_is_the_published_one_for_every_model():
    expected = {line['Model']: float(line['Avg']) for line in leaderboard()}
    assert len(expected) == 24
    for rows in (published(), aggregate(published_results())):
        assert {row.model: row.average for row in rows} == pytest.approx(expected, abs=0.1)


def test_rows_stand_in_the_order_of_splits_then_of_averages():
    results = [
        *both((1, 1, 10, 10, 10), model='low'),
        *both(model='unknown')[:1],
        *both((1, 1, 90, 90, 90), model='high'),
        *both(model='low', split='first by name'),
    ]
    rows = aggregate(results)
    assert [(row.split, row.model) for row in rows] == [
        ('s', 'high'),
        ('s', 'low'),
        ('s', 'unknown'),
        ('first by name', 'low'),
    ]
    assert rows[2].average is None


def test_datasets_of_a_split_weigh_by_their_steps():
    small = result(steps=steps_of((100, 100, 100, 100, 100), (1, 2, 3), 'x/small'), dataset='small')
    large = result(steps=steps_of((0, 50, 20, 40, 0), (3, 6, 1), 'x/large'), dataset='large')
    (row,) = aggregate([small, large])
    means = {name: value(row, 'end_to_end', name) for name in PUBLISHED}
    expected = (100 * 6 / 16, (100 * 6 + 50 * 10) / 16, 40, 55, 75)
    assert means == pytest.approx(dict(zip(PUBLISHED, expected, strict=True)))
    steps = [row.score('end_to_end', name).steps for name in PUBLISHED]
    assert (steps, row.steps, row.experiments) == ([16, 16, 4, 8, 4], 16, 2)


def test_metric_that_only_one_dataset_has_is_of_that_one():
    images = result('oracle', [step(0, kind='vis', vis_sim=0.8)], dataset='i')
    numbers = result('oracle', [step(1, kind='exec', ran=False)], dataset='n')
    (row,) = aggregate([images, numbers])
    assert cells(row) == ['100.0', '50.0', '80.0']


def test_dataset_that_only_another_model_has_is_missing():
    rows = aggregate([*both(), *both(model='other')[:1]])
    assert [(row.model, row.missing) for row in rows] == [('m', {}), ('other', {'oracle': ['d_oracle']})]


def test_experiments_that_only_another_model_has_are_told():
    more = result('oracle', [*steps_of(), *steps_of(experiment='x/1')], model='other')
    rows = aggregate([*both(), both(model='other')[0], more])
    assert [(row.model, row.missing) for row in rows] == [('other', {}), ('m', {'oracle': ['some of d_oracle']})]
    assert notes(rows)[-1:] == ['m: no results for some of d_oracle; the figures (*) are of the rest']


def test_ssim_below_0_has_a_place_in_the_table():
    scores = [step(0, 'x/0', kind='vis', vis_sim=-0.2), step(0, 'x/1', kind='vis', vis_sim=0.9)]
    found = aggregate([result(mode, scores) for mode in MODES])[0].scores['end_to_end vis_sim']
    low, high, experiments = found.bounds
    assert (round(found.value, 9), experiments) == (35, 2) and -20 < low < 35 < high < 100
    (row,) = aggregate([result(steps=[step(0, kind='vis', vis_sim=-0.0004)])])
    assert cells(row)[-1] == records([row])[0]['end_to_end_vis_sim'] == '0.0'


def test_a_profile_without_a_metric_of_calls_that_ran():
    known = step(0, outcome='correct', numeric_correct=1.0)
    (row,) = aggregate([result(steps=[known.model_copy(update={'values': {'numeric_correct': 1.0}})])])
    assert row.scores['end_to_end numeric_correct'].value == 100


def test_a_session_that_another_epoch_has_leaves_an_average():
    first = [result(mode, steps_of(), harness_errors=['x/1']) for mode in MODES]
    second = [result(mode, [*steps_of(), *steps_of(experiment='x/1')], epoch=2) for mode in MODES]
    (row,) = aggregate([*first, *second])
    assert (row.average, row.label) == (40, 'm *')
    (row,) = aggregate([*first, *second[:1], absent('oracle', dataset='d_oracle@2', epoch=2)])
    assert row.average is None, 'in oracle mode no epoch has it'


def test_sessions_lost_to_the_harness_leave_no_average_and_are_told():
    lost = result('oracle', steps_of(), harness_errors=['x/1', 'x/2'])
    (row,) = aggregate([both()[0], lost])
    assert (row.harness_errors, row.average) == (2, None)
    (note,) = notes([row])
    assert note.startswith('m: 2 sessions not finished, left out of the figures (*); go on with -r')


def test_a_model_without_scores_differs_in_no_condition():
    lost = result('oracle', [], model='gone', harness_errors=['x/1'], dataset='d')
    rows = aggregate([*both(), lost])
    assert shared(rows) == 'Scored by profile official, epochs: 1.' and not differing(rows)
    assert 'gone: 1 session not finished; go on with -r' in notes(rows)


def test_code_without_a_sandbox_is_told():
    rows = aggregate([*both(sandbox='bubblewrap', model='boxed'), *both(sandbox='bubblewrap none', model='bare')])
    (note,) = notes(rows)
    assert note.startswith('bare: ')
    assert note.endswith('without a sandbox')


def test_one_version_of_the_set_stands_above_the_table_and_two_are_told_apart():
    alone = aggregate(both(version='2'))
    assert 'version 2 of the set' in printed(alone, width=120)
    assert notes(alone) == []
    mixed = aggregate([*both(version='2', model='new'), *both(model='old')])
    assert 'version 1 and 2 of the set' in printed(mixed, width=120)
    assert {note.split(':')[0]: 'version 1 ' in note for note in notes(mixed)} == {'new': False, 'old': True}
    lost = aggregate([*both(version='2', model='new'), absent(model='lost')])
    assert 'version 2 of the set' in printed(lost, width=120)
    assert not any('on one version' in note for note in notes(lost))


def test_what_was_not_read_is_a_share_of_the_steps_whose_code_ran():
    steps = steps_of((100, 100, 0, 0, 0), counts=(4, 0, 1))
    steps[0] = steps[0].model_copy(update={'unread': ['numeric_correct']})
    rows = aggregate([result(steps=steps, model='a'), result(steps=steps_of(), model='b')])
    (table,) = [table for table in tables_of(rows) if table.title == 'Answers in which nothing was read']
    assert [[cell.text for cell in line] for line in table.lines] == [['a', 'E', '25.0']]
    assert 'Answers in which nothing was read' not in printed(aggregate(both()), width=120)


def test_prose_that_waits_for_a_judge_is_told_and_so_is_a_verdict():
    waiting, told = (one.model_copy(update={'kind': 'text'}) for one in steps_of(counts=(0, 2, 0)))
    waiting = waiting.model_copy(update={'for_judge': True})
    told = told.model_copy(update={'judged_by': 'jury'})
    said = ' '.join(notes(aggregate([result(steps=[waiting, told])])))
    assert '1 answer in prose, scored by the verdict of jury' in said
    assert '1 answer in prose, in other words than the gold: counted as wrong' in said


def test_csv_says_what_the_rows_say():
    rows = aggregate([*published_results(), *both(model='a, "b"', split='t'), absent(model='a, "b"', split='t')])
    lines = records(rows)
    assert [(line['split'], line['model']) for line in lines] == [(row.split, row.model) for row in rows]
    for line, row in zip(lines, rows, strict=True):
        for mode in MODES:
            for metric in PUBLISHED:
                assert float(line[f'{mode}_{metric}']) == pytest.approx(value(row, mode, metric), abs=0.051)
                assert int(line[f'{mode}_{metric}_steps']) == row.score(mode, metric).steps
        assert line['average'] == ('' if row.average is None else f'{row.average:.1f}')
        assert line['profile'] == 'official'
    assert (lines[-1]['missing'], lines[-1]['average']) == ('lost', '')
    assert {line['missing'] for line in lines[:-1]} == {''}


MIXED = [(model, mode, (model == 'a') == (mode == MODES[0])) for model in 'ab' for mode in MODES]


def separable(model, values, mode='end_to_end', per_experiment=4, **more):
    """A result of steps of all three kinds with these scores, so many to an experiment."""
    steps = [
        step(100 * number + index % per_experiment, f'x/{index // per_experiment}', kind=kind, **{name: score})
        for number, (name, kind) in enumerate(KINDS.items())
        for index, score in enumerate(values)
    ]
    return result(mode, steps, model=model, **more)


def test_figures_have_intervals_of_whole_experiments_and_ranks_that_data_separate():
    models = {
        'good': [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0] * 5,
        'like it': [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0] * 5,
        'bad': [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0] * 5,
    }
    rows = aggregate([separable(model, values, mode) for model, values in models.items() for mode in MODES])
    assert {row.model: row.rank for row in rows} == {'good': '1–2', 'like it': '1–2', 'bad': '3'}
    good = next(row for row in rows if row.model == 'good')
    bounds = good.score('end_to_end', 'numeric_correct').bounds
    assert bounds.clusters == 10
    assert 65 < bounds.low < 87.5 < bounds.high < 100
    text = printed(rows)
    assert 'rank 1–2' in text
    assert '95 % interval' in text
    assert max(map(cell_len, text.splitlines())) <= 120
    assert float(records(rows)[0]['end_to_end_numeric_correct_low']) < 87.5
    markdown = to_markdown(rows)
    assert '87.5 [' in markdown and '| bad (rank 3) |' in markdown and '- With each figure' in markdown
    assert 'bad (rank 3) & ' in '\n'.join(leaderboard_table(rows).latex())
    agents = aggregate([result(model='m--react')])
    assert 'm-{}-react & ' in '\n'.join(leaderboard_table(agents).latex()), 'two hyphens are a dash to LaTeX'


@pytest.mark.parametrize('other', [dict(profile='strict'), dict(options={'tolerance': 0.5}), dict(version='2')])
def test_scores_on_two_scales_have_no_ranks(other):
    both = [separable('a', [1.0] * 40, mode) for mode in MODES] + [
        separable('b', [0.0] * 40, mode, **other) for mode in MODES
    ]
    assert [row.rank for row in aggregate(both)] == ['', '']
    assert [row.rank for row in aggregate(both[:2] + [replace(one, model='c') for one in both[:2]])] == ['1–2', '1–2']
    mixed = [separable(model, [1.0] * 40, mode, **(other if on else {})) for model, mode, on in MIXED]
    assert [row.rank for row in aggregate(mixed)] == ['', ''], 'each is on both'


HEADER = 'Right Wrong Ran Error Slow NoCall Died Instr Halluc Reason Code Foll'


def test_how_steps_ended_and_why_they_failed():
    ends = {'correct': 4, 'ran': 5, 'exec_error': 3, 'no_tool': 2}
    why = [failure(name, index) for index, name in enumerate(['code', 'code', 'instruction', 'instruction'])]
    rows = aggregate(both(outcomes=ends, failures=[*why, failure('code', 9, propagated_from=1)]))
    lines = printed(rows).splitlines()
    (header,) = [line for line in lines if line.startswith('Model') and 'NoCall' in line]
    (first, second) = [line.split() for line in lines if line.startswith('m ') and line.split()[1] in 'EO']
    assert header.split()[1:] == HEADER.split()
    assert max(map(cell_len, lines)) <= 80
    legend = ' '.join(printed(rows).split()).partition('Slow: ')[2]
    assert 'Instr instruction, Halluc hallucination, Reason reasoning, Code code; Foll: ' in legend
    assert first == ['m', 'E', '4', '·', '5', '3', '·', '2', '·', '2', '·', '·', '2', '1']
    assert second[1:] == ['O', *first[2:]]
    assert 'NoCall' not in printed(aggregate(both(outcomes={'correct': 9, 'ran': 1})))


def test_steps_that_were_over_before_code_ran_are_no_matter_of_form():
    ends = {'correct': 2, 'no_tool': 3}
    why = [failure('instruction', index, cause='session_limit') for index in range(2)]
    whole = [failure('instruction', index, cause='session_limit') for index in range(3)]
    few, all_ = (
        notes(aggregate([replace(one, agent='react') for one in both(outcomes=ends, failures=those)]))
        for those in (why, whole)
    )
    assert few == []
    assert all_[0].startswith('m: 6 of 10 steps ended before any code ran, because the limits of the session were used')


@pytest.mark.parametrize(
    ('agent', 'kind', 'said', 'told'),
    [
        ('react', 'empty', 'replies were empty', 1),
        ('mcp', 'empty', 'replies were empty', 0),
        ('react', 'overflowed', 'requests did not fit into its window', 1),
    ],
)
def test_silence_is_told_of_models_that_were_asked(agent, kind, said, told):
    silent = both(usage=Usage(replies=3, **{kind: 2}))
    rows = aggregate([replace(one, agent=agent) for one in silent])
    assert len([note for note in notes(rows) if f'4 of 6 {said}' in note]) == told


def test_an_agent_that_raises_is_told_of():
    (note,) = notes(aggregate(both(usage=Usage(agent_failures=1), outcomes={'wrong': 2})))
    assert note == 'm: 2 of 4 steps ended because the agent raised; see cibench show RUN --failed'


def test_usage_is_told_of_models_that_were_asked():
    usage = Usage(replies=3, cached=1, tokens_in=1200, tokens_out=34, model_seconds=75, kernel_seconds=50_000, cost=0.5)
    (line,) = notes(aggregate(both(usage=usage)))
    assert line == (
        'm: 6 replies, 2,400 tokens in, 68 out, 0:02:30 in the model, 27:46:40 in kernels, '
        '2 replies from the cache, cost 1.00'
    )
    rows = aggregate(both(usage=usage.model_copy(update={'cost': 1.2345e-5})))
    assert notes(rows)[0].endswith(', cost 0.0000247') and records(rows)[0]['cost'] == '2.469e-05'
    one = result(usage=Usage(replies=1, tokens_in=1), outcomes={'correct': 1})
    assert notes(aggregate([one]))[-1].startswith('m: 1 reply, ')
    uncounted = result(usage=Usage(replies=1, unmeasured=1, model_seconds=0.1), outcomes={'correct': 1})
    assert notes(aggregate([uncounted]))[-1].endswith('1 reply without a count of tokens')


def test_a_cost_is_rounded_before_its_digits_are_counted():
    costs = {0: '0.00', 0.9999: '1.00', 0.0999999: '0.100', 0.00999999: '0.0100', 1234.5: '1,234.50'}
    assert {cost: money(cost) for cost in costs} == costs
    assert len(money(1e-300)) == len('0.') + 12
    assert notes(aggregate(both())) == []


def test_metrics_that_the_paper_does_not_have_stand_in_a_table_of_their_own():
    general = [step(index, kind='general', general_correct=0.123) for index in (10, 11)]
    known = [result(mode, [*steps_of((100, 100, 50, 40, 30)), *general], model='other') for mode in MODES]
    bare = [result(mode, steps_of((100, 100, 50, 40, 30))) for mode in MODES]
    rows = aggregate([*bare, *known])
    assert len({row.average for row in rows}) == 1
    text = printed(rows)
    assert FURTHER in text
    assert ['other', '12.3', '2', '12.3', '2'] in [line.split() for line in text.splitlines()]
    assert max(map(cell_len, text.splitlines())) <= 80
    assert '| other | 12.3 | 2 | 12.3 | 2 |' in to_markdown(rows)
    of_model = {record['model']: record for record in records(rows)}
    assert (of_model['other']['oracle_general_correct'], of_model['other']['oracle_general_correct_steps']) == (
        '12.3',
        '2',
    )
    assert (of_model['m']['oracle_general_correct'], of_model['m']['oracle_general_correct_steps']) == ('', '0')
    assert not any('general_correct' in name for name in records(aggregate(bare))[0])
    assert FURTHER not in printed(aggregate(bare))


def test_parts_are_the_papers_categories_with_their_libraries():
    """Libraries of a category of several stand below it; one that the paper does not have stands last."""
    scores = {'pandas/a': 100, 'matplotlib/b': 50, 'seaborn/c': 0, 'scipy/d': 20, 'mine/e': 70}
    results = [result('end_to_end', [s for e, v in scores.items() for s in steps_of((v, v, v, v, v), experiment=e)])]
    (row,) = aggregate(results)
    assert [(part.name, [library.name for library in part.libraries]) for part in row.parts] == [
        ('manipulation', []),
        ('visualization', ['matplotlib', 'seaborn']),
        ('mathematics', []),
        ('mine', []),
    ]
    lines = printed([row]).partition(PARTS)[2].splitlines()
    words = [line.split() for line in lines if len(line.split()) > 5]
    shown = {' '.join(line[:-5]): line[-5] for line in words}
    assert shown['visualization'] == '25.0'
    assert shown['seaborn'] == '0.0'
    assert max(map(cell_len, lines)) <= 80
    of_part = {record['part']: record for record in records([row])}
    assert (of_part['matplotlib']['end_to_end_vis_sim'], of_part['']['end_to_end_vis_sim']) == ('50.0', '48.0')
    assert f'### {PARTS}' in to_markdown([row])


def test_parts_of_several_models_stand_below_each_other():
    experiments = ('pandas/a', 'scipy/b')
    steps = [one for experiment in experiments for one in steps_of(experiment=experiment)]
    text = printed(aggregate([result(steps=steps), result(steps=steps, model='other')])).partition(PARTS)[2]
    heads = [line.rstrip() for line in text.splitlines() if line.rstrip() in ('manipulation', 'mathematics')]
    assert heads == ['manipulation', 'mathematics']
    below = [line.split()[0] for line in text.splitlines() if line.startswith('  ') and '100.0' in line]
    assert below == ['m', 'other'] * 2


def test_parts_are_starred_that_lack_a_session():
    """Of two libraries one has lost a session: its row and its category's are starred, those of the other are not."""
    steps = [*steps_of(experiment='pandas/a'), *steps_of(experiment='seaborn/a')]
    lost = result(steps=steps, harness_errors=['pandas/b'])
    (row,) = aggregate([lost, result('oracle', steps)])
    assert [(part.name, part.whole) for part in row.parts] == [('manipulation', False), ('visualization', True)]
    assert row.label == 'm *'
    assert [line['star'] for line in records([row])] == ['*', '*', '']
    (row,) = aggregate([result(steps=steps), absent('oracle')])
    found = [(part.name, part.whole) for part in row.parts]
    assert found == [('manipulation', False), ('visualization', False)], 'a dataset may be of any'
    pandas = result('oracle', steps[:3], model='part', dataset='d_oracle')
    (row,) = [row for row in aggregate([result('oracle', steps), pandas]) if row.model == 'part']
    found = [(part.name, part.whole) for part in row.parts]
    assert found == [('manipulation', False)], 'another model has the other library'


def test_scored_sessions_without_a_version_are_of_version_1():
    rows = aggregate([*both(model='a'), *both(model='b', version='1')])
    assert not differing(rows) and shared(rows).startswith('Version 1 of the set')
    rows = aggregate([*both(model='a'), *both(model='b', version='2')])
    (condition,) = differing(rows)
    assert {row.model: condition.shown(row) for row in rows} == {'a': '1', 'b': '2'}


def test_a_model_of_several_profiles_is_on_several_scales():
    found = [result('end_to_end', steps_of()), result('oracle', steps_of(), profile='strict', dataset='o')]
    assert notes(aggregate(found))[-2:] == ['m: scored by profile official and strict', SCALES]
