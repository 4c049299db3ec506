"""The smaller tables: given that the code ran, several runs of an experiment, whose opinion failures stand on."""

import csv
import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from cibench_eval.evaluators import summarize
from cibench_eval.reports.parts import FAILURES, GIVEN_RAN, PASSES, PLOTS, parts_of
from cibench_eval.reports.results import METRICS, MODES, DatasetResult, aggregate
from cibench_eval.reports.tables import print_table, to_csv, to_markdown
from cibench_eval.reports.uncertainty import with_uncertainty
from cibench_eval.schema import StepScore


def scores(values, executable=(), metric='numeric_correct'):
    """Steps of these scores, two to an experiment; those named in `executable` did not run."""
    return [
        StepScore(
            experiment=f'x/{index // 2}',
            index=index % 2,
            kind='num',
            tool_rate=True,
            executable=index not in executable,
            outcome='correct' if value == 1 else 'wrong',
            metric=metric,
            score=value,
        )
        for index, value in enumerate(values)
    ]


def result(those, epoch=1, mode='end_to_end', model='m', **fields):
    summary = summarize(those, ran=True)
    counts = summary['counts']
    base = f'd_{mode}'
    return DatasetResult(
        model=model,
        dataset=base if epoch == 1 else f'{base}@{epoch}',
        split='s',
        mode=mode,
        epoch=epoch,
        profile='strict',
        metrics={name: summary[name] for name in counts},
        counts=counts,
        experiments=summary['experiments'],
        scores=those,
        **fields,
    )


def rows_of(*results):
    return with_uncertainty(aggregate(list(results)), results)


def printed(rows, width=100):
    console = Console(width=width, record=True, file=io.StringIO(), highlight=False)
    print_table(rows, console)
    return console.export_text()


def records(rows):
    return list(csv.DictReader(to_csv(rows).splitlines()))


def part(rows, title):
    return next((one for one in parts_of(rows) if one.title == title), None)


def test_epochs_are_averaged_inside_the_step_and_are_one_row():
    """In the second of two epochs one session is lost: its steps count by the other run, and once."""
    first, second = scores([1, 1, 0, 1]), scores([0, 1])
    (row,) = rows_of(
        result(first, outcomes={'correct': 3, 'wrong': 1}),
        result(second, 2, outcomes={'correct': 1, 'wrong': 1}, harness_errors=1),
    )
    assert (row.epochs, row.experiments, row.counts['end_to_end']['numeric_correct']) == (2, 2, 4)
    assert row.metrics['end_to_end']['numeric_correct'] == pytest.approx(100 * (0.5 + 1 + 0 + 1) / 4)
    assert (row.outcomes, row.harness_errors) == ({'end_to_end': {'correct': 4, 'wrong': 2}}, 1)
    assert '2 experiments, 4 steps, 2 epochs' in printed([row])
    assert 'Counted over all epochs.' in printed([row])


def test_an_epoch_without_results_is_named():
    absent = DatasetResult(model='m', dataset='d_end_to_end@2', split='s', mode='end_to_end', epoch=2)
    (row,) = rows_of(result(scores([1, 1])), absent)
    assert row.missing == {'end_to_end': ['d_end_to_end@2']}
    assert 'm: no results for d_end_to_end@2' in printed([row])


def test_one_epoch_has_the_figures_that_it_had():
    (row,) = rows_of(result(scores([1, 0, 0.5], executable=[1])))
    assert row.metrics['end_to_end'] == pytest.approx(
        {'tool_rate': 100, 'executable': 200 / 3, 'numeric_correct': 50, 'numeric_correct_ran': 75}
    )
    assert part([row], PASSES) is None
    assert records([row])[0]['epochs'] == '1'


def test_passes_by_experiment():
    """x/0 passes in both runs, x/1 in one, x/2 in none; x/3 has lost a run, and does not count."""
    runs = [scores([1, 1, 1, 1, 0, 1, 1, 1]), scores([1, 1, 1, 0.9, 0, 0])]
    rows = rows_of(*(result(those, epoch) for epoch, those in enumerate(runs, 1)))
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
    assert 'pass@2' in printed(rows)


def test_k_goes_up_in_powers_of_two_and_to_all_runs():
    rows = rows_of(*(result(scores([1, 1, 0, 0]), epoch) for epoch in range(1, 6)))
    assert [(one.k, one.every) for one in rows[0].passes] == [
        *((k, False) for k in (1, 2, 4, 5)),
        *((k, True) for k in (2, 4, 5)),
    ]


def test_given_that_the_code_ran_stands_in_a_table_of_its_own():
    those = [
        *scores([1, 0, 1, 1, 0, 1], executable=[1]),
        *(s.model_copy(update={'index': 5}) for s in scores([0.5], metric='text_score')),
    ]
    rows = rows_of(result(those), result(scores([0, 0], executable=[0, 1]), mode='oracle'))
    table = part(rows, GIVEN_RAN)
    assert table.header == ['Model', 'E-Num', 'E-Text']
    assert [cell.text for cell in table.lines[0]] == ['m', '80.0', '50.0']
    assert table.lines[0][1].bounds.clusters == 3
    (record,) = records(rows)
    assert (record['end_to_end_numeric_correct_ran'], record['end_to_end_numeric_correct_ran_steps']) == ('80.0', '5')
    assert record['oracle_numeric_correct_ran'] == ''
    assert 'E-Num' in printed(rows).partition(GIVEN_RAN)[2]
    assert '80.0 [' in to_markdown(rows).partition(GIVEN_RAN)[2]


def test_nothing_ran_to_a_right_end_is_no_gap():
    rows = rows_of(result(scores([0, 0, 0, 0])))
    assert [cell.text for cell in part(rows, GIVEN_RAN).lines[0]] == ['m', '0.0']


def test_whose_opinion_a_category_is_stands_below():
    ends = {'correct': 1, 'wrong': 3}
    rows = rows_of(result(scores([1, 0, 0, 0]), outcomes=ends, failures={'code': 3}, judged={'gpt': 2}))
    note = '2 of 3 failures have the category that gpt gave them'
    assert note in printed(rows)
    assert note in to_markdown(rows)


@pytest.mark.parametrize(
    'name', ['x', 'a-model-with-a-name-of-thirty-c--and-an-agent', '一个名字很长的中文模型一个名字很长']
)
def test_all_tables_fit_eighty_columns(name):
    kinds = {'numeric_correct': 0, 'text_score': 20, 'vis_sim': 40}
    those = [
        score.model_copy(update={'index': score.index + offset, 'vis_objects': 0.7 if metric == 'vis_sim' else None})
        for metric, offset in kinds.items()
        for score in scores([1, 0.5, 1, 1, 0.25, 1, 1, 1], executable=[3], metric=metric)
    ]
    ends = dict.fromkeys(('correct', 'wrong', 'exec_error', 'timeout', 'no_tool', 'kernel_died'), 123)
    rows = rows_of(
        *(
            result(those, epoch, mode, model, outcomes=ends, failures={'code': 99})
            for epoch in range(1, 9)
            for mode in MODES
            for model in (name, 'other')
        )
    )
    lines = printed(rows, 80).splitlines()
    assert [table.title for table in parts_of(rows)] == [PLOTS, GIVEN_RAN, PASSES, FAILURES]
    assert not any('…' in line for line in lines)
    tables = [line for line in lines if not line.endswith('.')]
    assert max(cell_len(line.rstrip()) for line in tables) <= 80
    assert set(METRICS) < set(rows[0].metrics['oracle'])
