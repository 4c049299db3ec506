"""The smaller tables: given that the code ran, several runs of an experiment, whose opinion failures stand on."""

import pytest
from rich.cells import cell_len

from cibench_eval.reports.rows import aggregate, gaps_of
from cibench_eval.reports.summary import to_markdown
from cibench_eval.reports.tables import leaderboard_table, tables_of
from tests.reports.rows import MODES, PUBLISHED, absent, failure, notes, printed, records, result, step
from tests.reports.rows import table as part
from tests.support.soak import many

FURTHER, GIVEN_RAN = "Beside the paper's metrics", 'Given that the code ran'
PASSES, FAILURES = 'Several runs of each experiment', 'How steps ended, and why they failed'


def scores(values, failing=(), metric='numeric_correct', kind='num', first=0):
    """Steps of these scores, two to an experiment; those named in `failing` did not run."""
    return [
        step(
            first + index % 2,
            f'x/{index // 2}',
            index not in failing,
            kind,
            'correct' if value == 1 else 'wrong',
            **{metric: value},
        )
        for index, value in enumerate(values)
    ]


def strict(steps, **fields):
    return result(steps=steps, profile='strict', **fields)


def test_epochs_are_averaged_inside_the_step_and_are_one_row():
    """In the second of two epochs one session is lost: its steps count by the other run, and once."""
    (row,) = aggregate([strict(scores([1, 1, 0, 1])), strict(scores([0, 1]), epoch=2, harness_errors=['x/1'])])
    numeric = row.score('end_to_end', 'numeric_correct')
    assert (row.epochs, row.experiments, numeric.steps) == (2, 2, 4)
    assert numeric.value == pytest.approx(100 * (0.5 + 1 + 0 + 1) / 4)
    assert (row.outcomes, row.harness_errors) == ({'end_to_end': {'correct': 4, 'wrong': 2}}, 1)
    assert '2 experiments, 4 steps, 2 epochs' in printed([row])
    assert 'Counted over all epochs.' in printed([row])
    assert 'Counted over' not in printed(aggregate([strict(scores([1, 0]))]))


def test_epochs_of_rows_that_differ_in_them_are_said_of_each():
    two = [strict(scores([1, 1]), epoch=epoch, dataset='d') for epoch in (1, 2)]
    rows = aggregate([*two, strict(scores([1, 1]), model='once', dataset='d')])
    assert part(rows).title == 's: 1 experiment, 2 steps, scoring profile strict'
    assert {'m: run in 2 epochs', 'once: run in 1 epoch'} <= {*notes(rows)}


def test_an_epoch_without_results_is_named():
    (row,) = aggregate([strict(scores([1, 1])), absent('end_to_end', dataset='d_end_to_end@2', epoch=2)])
    assert row.missing == {'end_to_end': ['d_end_to_end@2']}
    assert 'm: no results for d_end_to_end@2' in printed([row])
    lost = [absent(dataset='d'), absent(dataset='d@2', epoch=2), absent(dataset='e@2', epoch=2)]
    assert [line.partition(': ')[0] for line in gaps_of(lost)] == ['m/d in 2 epochs, m/e@2']


def test_one_epoch_has_the_figures_that_it_had():
    (row,) = aggregate([strict(scores([1, 0, 0.5], failing=[1]))])
    assert {name: score.value for name, score in row.scores.items()} == pytest.approx(
        {
            'end_to_end tool_rate': 100,
            'end_to_end executable': 200 / 3,
            'end_to_end numeric_correct': 50,
            'end_to_end numeric_correct_ran': 75,
            'end_to_end whole_sessions': 0,
            'whole_sessions': 0,
        }
    )
    assert part([row], PASSES) is None
    assert records([row])[0]['epochs'] == '1'


def test_passes_by_experiment():
    """x/0 passes in both runs, x/1 in one, x/2 in none; x/3 has lost a run, and does not count."""
    runs = [scores([1, 1, 1, 1, 0, 1, 1, 1]), scores([1, 1, 1, 0.9, 0, 0])]
    rows = aggregate([strict(those, epoch=epoch) for epoch, those in enumerate(runs, 1)])
    table = part(rows, PASSES)
    assert table.header == ['Model', '', 'Exps', 'pass@1', 'pass@2', 'pass^2']
    ((model, mode, number, *figures),) = table.lines
    assert (model.text, mode.text, number.text) == ('m', 'E', '3')
    assert [figure.text for figure in figures] == ['50.0', '66.7', '33.3']
    for figure in figures:
        assert figure.bounds.low < float(figure.text) < figure.bounds.high
    (record,) = records(rows)
    assert (record['end_to_end_pass_at_2'], record['end_to_end_pass_hat_2']) == ('66.7', '33.3')
    assert float(record['end_to_end_pass_at_1_low']) < 50 < float(record['end_to_end_pass_at_1_high'])
    assert f'### {PASSES}' in to_markdown(rows)
    assert part(rows, PASSES).note in ' '.join(printed(rows).split())


def test_k_goes_up_in_powers_of_two_and_to_all_runs():
    rows = aggregate([strict(scores([1, 1, 0, 0]), epoch=epoch) for epoch in range(1, 6)])
    assert [(one.k, one.every) for one in rows[0].passes] == [
        *((k, False) for k in (1, 2, 4, 5)),
        *((k, True) for k in (2, 4, 5)),
    ]


def test_a_leaderboard_has_one_column_of_passes_a_mode_for_all_numbers_of_epochs():
    epochs = {'two': 2, 'three': 3, 'one': 1}
    rows = aggregate([strict(scores([1]), model=name, epoch=n + 1) for name, k in epochs.items() for n in range(k)])
    board = leaderboard_table(rows)
    assert board.header[-2:] == ['E-pass^k', 'Epochs']
    assert sorted(' '.join(cell.text for cell in line[-2:]) for line in board.lines) == ['100.0 2', '100.0 3', '– 1']
    lost = absent('end_to_end', 'm', 'd@3', epoch=3)
    board = leaderboard_table(aggregate([*(strict(scores([1]), epoch=epoch) for epoch in (1, 2)), lost]))
    assert not board.header[-1].startswith('E-pass'), 'of three epochs one is lost: no session has all'
    some = strict(scores([1]), epoch=2, model='m', harness_errors=['x/1'])
    board = leaderboard_table(aggregate([strict(scores([1, 1, 1]), model='m'), some]))
    assert not board.header[-1].startswith('E-pass'), 'of two sessions one has lost an epoch'


def test_given_that_the_code_ran_stands_in_a_table_of_its_own():
    those = [*scores([1, 0, 1, 1, 0, 1], failing=[1]), *scores([0.5], metric='text_score', kind='text', first=5)]
    rows = aggregate([strict(those), strict(scores([0, 0], failing=[0, 1]), mode='oracle')])
    table = part(rows, GIVEN_RAN)
    assert table.header == ['Model', 'E-Num', 'E-Text']
    assert [cell.text for cell in table.lines[0]] == ['m', '80.0', '50.0']
    assert table.lines[0][1].bounds.clusters == 3
    (record,) = records(rows)
    assert (record['end_to_end_numeric_correct_ran'], record['end_to_end_numeric_correct_ran_steps']) == ('80.0', '5')
    assert record.get('oracle_numeric_correct_ran', '') == ''
    both = [step(0, f'{name}/a', outcome='correct', numeric_correct=1.0) for name in ('pandas', 'seaborn')]
    _, first, *_ = records(aggregate([strict(both)]))
    name = 'end_to_end_numeric_correct'
    assert first['part'] and first[f'{name}_steps'] and not first[f'{name}_ran_steps'], 'parts do not have it'
    assert 'E-Num' in printed(rows).partition(GIVEN_RAN)[2]
    assert '80.0 [' in to_markdown(rows).partition(GIVEN_RAN)[2]


def test_nothing_ran_to_a_right_end_is_no_gap():
    rows = aggregate([strict(scores([0, 0, 0, 0]))])
    assert [cell.text for cell in part(rows, GIVEN_RAN).lines[0]] == ['m', '0.0']


def test_whose_opinion_a_category_is_stands_below():
    failures = [failure('code', index, judged_by='gpt' if index < 2 else 'rules') for index in range(3)]
    rows = aggregate([strict(scores([1, 0, 0, 0]), failures=failures)])
    note = '2 of 3 failures have the category that gpt gave them'
    assert note in printed(rows)
    assert note in to_markdown(rows)


@pytest.mark.parametrize(
    'name', [*many(['x'], []), 'a-model-with-a-name-of-thirty-c--and-an-agent', '一个名字很长的中文模型一个名字很长']
)
def test_all_tables_fit_eighty_columns(name):
    kinds = {'numeric_correct': ('num', 0), 'text_score': ('text', 20), 'vis_sim': ('vis', 40)}
    those = [
        one
        for metric, (kind, first) in kinds.items()
        for one in scores([1, 0.5, 1, 1, 0.25, 1, 1, 1], [3], metric, kind, first)
    ]
    those += [
        one.model_copy(update={'index': one.index + 60}) for one in scores([0.7] * 8, (), 'general_correct', 'general')
    ]
    ends = dict.fromkeys(('correct', 'wrong', 'exec_error', 'timeout', 'no_tool', 'kernel_died'), 123)
    rows = aggregate(
        [
            strict(those, epoch=epoch, mode=mode, model=model, outcomes=ends, failures=[failure('code')] * 99)
            for epoch in range(1, 9)
            for mode in MODES
            for model in (name, 'other')
        ]
    )
    lines = printed(rows, 80).splitlines()
    assert [table.title for table in tables_of(rows)][1:] == [FURTHER, GIVEN_RAN, PASSES, FAILURES]
    assert not any('…' in line for line in lines)
    tables = [line for line in lines if not line.endswith('.')]
    assert max(cell_len(line.rstrip()) for line in tables) <= 80
    assert all(rows[0].score('oracle', name) for name in PUBLISHED)
    for row, line in zip(rows, part(rows, '').lines, strict=True):
        assert any(words.split()[-12:] == [cell.text for cell in line[1:]] for words in lines), row.model
    assert 'Whole' in part(rows, '').header
