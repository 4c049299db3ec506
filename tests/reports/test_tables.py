"""Results as tables: the leaderboard's own arithmetic, and nothing lost on the way to the reader."""

import csv
import io
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

import cibench_eval.reports
from cibench_eval.models.limits import Usage
from cibench_eval.reports.parts import CATEGORIES, ENDS
from cibench_eval.reports.results import AVERAGED, METRICS, MODES, Bounds, DatasetResult, aggregate, published
from cibench_eval.reports.tables import figures, footnotes, print_table, to_csv, to_markdown, used
from cibench_eval.reports.uncertainty import with_uncertainty
from cibench_eval.schema import StepScore

PUBLISHED = Path(cibench_eval.reports.__file__).parent / 'published' / 'cibench_leaderboard.csv'
COLUMNS = [f'{mode}-{name}' for mode in 'EO' for name in ('Tool', 'Exe', 'Num', 'Text', 'Vis')]


def result(mode='end_to_end', figures=(100, 90, 50, 40, 30), counts=(10, 10, 4, 2, 3), **fields):
    """Of model m on dataset d, with the paper's five metrics."""
    return DatasetResult(
        **{'model': 'm', 'dataset': f'd_{mode}', 'split': 's', 'profile': 'official', **fields},
        mode=mode,
        metrics=dict(zip(METRICS, figures, strict=True)),
        counts=dict(zip(METRICS, counts, strict=True)),
    )


def both(**fields):
    return [result(mode, **fields) for mode in MODES]


def absent(**fields):
    return DatasetResult(**{'model': 'm', 'dataset': 'lost', 'split': 's', 'mode': 'oracle', **fields})


def cells(row):
    return [figure.text for figure in figures(row)]


def printed(rows, width=80):
    console = Console(width=width, record=True, file=io.StringIO(), highlight=False)
    print_table(rows, console)
    return console.export_text()


def leaderboard():
    return list(csv.DictReader(io.StringIO(PUBLISHED.read_text(encoding='utf-8'))))


def published_results():
    """Every model of the leaderboard as one dataset a mode."""
    return [
        result(mode, [float(line[name]) for name in names], model=line['Model'])
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
        *both(model='low', figures=(1, 1, 10, 10, 10)),
        *both(model='unknown')[:1],
        *both(model='high', figures=(1, 1, 90, 90, 90)),
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
    small = result(figures=(100, 100, 100, 100, 100), counts=(10, 10, 1, 2, 3), dataset='small')
    large = result(figures=(0, 50, 20, 40, 0), counts=(30, 10, 3, 6, 1), dataset='large')
    (row,) = aggregate([small, large])
    assert row.metrics == {'end_to_end': pytest.approx(dict(zip(METRICS, (25, 75, 40, 55, 75), strict=True)))}
    assert row.counts == {'end_to_end': dict(zip(METRICS, (40, 20, 4, 8, 4), strict=True))}
    assert row.steps == 40


def test_metric_that_only_one_dataset_has_is_of_that_one():
    images = DatasetResult(
        model='m', dataset='i', split='s', mode='oracle', metrics={'vis_sim': 80}, counts={'vis_sim': 2}
    )
    numbers = images.model_copy(update={'dataset': 'n', 'metrics': {'tool_rate': 10}, 'counts': {'tool_rate': 9}})
    (row,) = aggregate([images, numbers])
    assert row.metrics == {'oracle': {'vis_sim': 80, 'tool_rate': 10}}
    assert cells(row) == ['–'] * 5 + ['10.0', '–', '–', '–', '80.0', '–']


def test_missing_dataset_leaves_no_average_and_is_told():
    (row,) = aggregate([*both(), absent()])
    assert (row.missing, row.average) == ({'oracle': ['lost']}, None)
    assert cells(row) == ['100.0', '90.0', '50.0', '40.0', '30.0'] * 2 + ['–']
    (note,) = footnotes([row])
    assert note.startswith('m: no results for lost')
    for text in (to_markdown([row]), printed([row], width=120)):
        assert note.replace('*', '') in text.replace('\\', '').replace('*', '')


def test_dataset_that_only_another_model_has_is_missing():
    rows = aggregate([*both(), *both(model='other')[:1]])
    assert [(row.model, row.missing) for row in rows] == [('m', {}), ('other', {'oracle': ['d_oracle']})]


def test_sessions_lost_to_the_harness_leave_no_average_and_are_told():
    (row,) = aggregate([result(), result('oracle', harness_errors=2)])
    assert (row.harness_errors, row.average) == (2, None)
    (note,) = footnotes([row])
    assert note.startswith('m: 2 sessions failed by a fault of the harness')


def test_whole_row_has_an_average_and_no_footnote():
    (row,) = aggregate(both())
    assert (row.missing, row.average, footnotes([row])) == ({}, pytest.approx(40), [])


def test_code_without_a_sandbox_is_told():
    rows = aggregate([*both(sandbox='bubblewrap', model='boxed'), *both(sandbox='bubblewrap none', model='bare')])
    (note,) = footnotes(rows)
    assert note.startswith('bare: ')
    assert note.endswith('without a sandbox')


def test_csv_says_what_the_rows_say():
    rows = aggregate([*published_results(), *both(model='a, "b"', split='t'), absent(model='a, "b"', split='t')])
    lines = list(csv.DictReader(io.StringIO(to_csv(rows))))
    assert [(line['split'], line['model']) for line in lines] == [(row.split, row.model) for row in rows]
    for line, row in zip(lines, rows, strict=True):
        for mode in MODES:
            for metric in METRICS:
                assert float(line[f'{mode}_{metric}']) == pytest.approx(row.metrics[mode][metric], abs=0.051)
                assert int(line[f'{mode}_{metric}_steps']) == row.counts[mode][metric]
        assert line['average'] == ('' if row.average is None else f'{row.average:.1f}')
        assert line['profile'] == 'official'
    assert (lines[-1]['missing'], lines[-1]['average']) == ('lost', '')
    assert {line['missing'] for line in lines[:-1]} == {''}


def test_markdown_is_one_table_a_split_with_the_papers_columns():
    text = to_markdown(aggregate([*both(), *both(split='t', model='n')]))
    lines = [line.strip('| ').split(' | ') for line in text.splitlines() if line.startswith('|')]
    assert [line for line in lines if line[0] == 'Model'] == [['Model', *COLUMNS, 'Avg']] * 2
    assert {len(line) for line in lines} == {12}
    assert lines[2] == ['m', *['100.0', '90.0', '50.0', '40.0', '30.0'] * 2, '40.0']
    assert [line for line in text.splitlines() if line.startswith('#')] == [
        '## s: 10 steps, scoring profile official',
        '## t: 10 steps, scoring profile official',
    ]


@pytest.mark.parametrize('name', ['x', 'a-model-with-a-name-of-thirty-c', '一个名字很长的中文模型一个名字很长'])
def test_terminal_table_fits_eighty_columns_with_every_figure_whole(name):
    rows = aggregate([*both(model=name, figures=[100.0] * 5), *both(model='other', figures=(98.7, 65.4, 3.2, 1, -0.1))])
    lines = printed(rows).splitlines()
    assert max(cell_len(line.rstrip()) for line in lines) <= 80
    assert not any('…' in line for line in lines)
    whole = [line.split() for line in lines]
    for row in rows:
        assert any(line[1:] == cells(row) for line in whole), cells(row)
    shown = ''.join(line[0] for line in whole if line)
    assert name in shown


def scored(model, values, mode='end_to_end', per_experiment=4):
    """A result of numeric steps with these scores, so many to an experiment."""
    scores = [
        StepScore(
            experiment=f'x/{index // per_experiment}',
            index=index % per_experiment,
            kind='num',
            tool_rate=True,
            executable=True,
            metric=metric,
            score=value,
        )
        for metric in AVERAGED
        for index, value in enumerate(values)
    ]
    figures = {metric: 100 * sum(values) / len(values) for metric in AVERAGED}
    return DatasetResult(
        model=model,
        dataset=f'd_{mode}',
        split='s',
        mode=mode,
        metrics=figures | {'tool_rate': 100, 'executable': 100},
        counts=dict.fromkeys(METRICS, len(values)),
        scores=[s.model_copy(update={'index': 100 * k + s.index}) for k, s in enumerate(scores)],
    )


def test_figures_have_intervals_of_whole_experiments_and_ranks_that_data_separate():
    models = {
        'good': [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0] * 5,
        'like it': [1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0] * 5,
        'bad': [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0] * 5,
    }
    results = [scored(model, values, mode) for model, values in models.items() for mode in MODES]
    rows = {row.model: row for row in with_uncertainty(aggregate(results), results)}
    assert {name: row.rank for name, row in rows.items()} == {'good': '1–2', 'like it': '1–2', 'bad': '3'}
    bounds = rows['good'].intervals['end_to_end numeric_correct']
    assert bounds.clusters == 10
    assert 70 < bounds.low < 87.5 < bounds.high < 100
    text = printed(list(rows.values()))
    assert 'rank 1–2' in text
    assert '95 % interval' in text
    assert max(map(cell_len, text.splitlines())) <= 120
    (record, *_) = csv.DictReader(to_csv(list(rows.values())).splitlines())
    assert float(record['end_to_end_numeric_correct_low']) < 87.5
    assert '87.5 [' in to_markdown(list(rows.values()))


def test_one_experiment_has_figures_and_no_interval():
    results = [scored('m', [1.0, 0.0]), scored('m', [1.0, 1.0], 'oracle')]
    (row,) = with_uncertainty(aggregate(results), results)
    assert row.intervals == {}
    assert row.average == 75


@pytest.mark.parametrize(
    ('low', 'high', 'text'), [(57.2, 64.9, '57–65'), (95.8, 100, '≥96'), (0, 4.2, '≤4'), (0, 100, '≥0')]
)
def test_intervals_in_five_characters(low, high, text):
    row = aggregate(both())[0].model_copy(update={'intervals': {'average': Bounds(low=low, high=high, clusters=9)}})
    assert figures(row)[-1].span == text
    assert len(text) <= 5


def test_how_steps_ended_and_why_they_failed():
    ends = {'correct': 4, 'exec_error': 3, 'no_tool': 2}
    rows = aggregate(both(outcomes=ends, failures={'code': 2, 'instruction': 2, 'followed': 1}))
    lines = printed(rows).splitlines()
    (header,) = [line for line in lines if line.startswith('Model') and 'NoCall' in line]
    (first, second) = [line.split() for line in lines if line.startswith('m ') and line.split()[1] in 'EO']
    assert header.split()[1:] == [*ENDS.values(), *CATEGORIES.values(), 'Foll']
    assert max(map(cell_len, lines)) <= 80
    legend = ' '.join(printed(rows).split()).partition('Slow: ')[2]
    assert 'Instr instruction, Halluc hallucination, Reason reasoning, Code code; Foll: ' in legend
    assert first == ['m', 'E', '4', '·', '3', '·', '2', '·', '2', '·', '·', '2', '1']
    assert second[1:] == ['O', *first[2:]]
    assert 'NoCall' not in printed(aggregate(both(outcomes={'correct': 9})))


def test_usage_is_told_where_tokens_were_counted():
    usage = Usage(replies=3, cached=1, tokens_in=1200, tokens_out=34, model_seconds=75, cost=0.5)
    (line,) = used(aggregate(both(usage=usage)))
    assert line == (
        'm: 6 replies, 2,400 tokens in, 68 out, 0:02:30 in the model, 0:00:00 in kernels, '
        '2 replies from the cache, cost 1.00'
    )
    assert used(aggregate(both())) == []


def test_what_plots_show_has_a_table_of_its_own_and_no_part_in_the_average():
    bare, known = both(profile='strict'), both(profile='strict', model='other')
    known = [
        one.model_copy(
            update={'metrics': one.metrics | {'vis_objects': 12.3}, 'counts': one.counts | {'vis_objects': 2}}
        )
        for one in known
    ]
    rows = aggregate([*bare, *known])
    assert len({row.average for row in rows}) == 1
    text = printed(rows)
    assert 'What the plots show' in text
    assert ['other', '12.3', '2', '12.3', '2'] in [line.split() for line in text.splitlines()]
    assert max(map(cell_len, text.splitlines())) <= 80
    assert '| other | 12.3 | 2 | 12.3 | 2 |' in to_markdown(rows)
    records = {record['model']: record for record in csv.DictReader(io.StringIO(to_csv(rows)))}
    assert (records['other']['oracle_vis_objects'], records['other']['oracle_vis_objects_steps']) == ('12.3', '2')
    assert (records['m']['oracle_vis_objects'], records['m']['oracle_vis_objects_steps']) == ('', '0')
    assert 'vis_objects' not in to_csv(aggregate(bare))
    assert 'What the plots show' not in printed(aggregate(bare))
