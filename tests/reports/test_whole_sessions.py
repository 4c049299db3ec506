"""Sessions in which every scored step is right, in every table and file; replays of gold have no interval."""

from itertools import product

import pytest

from cibench_eval.analysis.results import Results
from cibench_eval.reports.rows import aggregate
from cibench_eval.reports.summary import to_markdown
from tests.reports.rows import KINDS, MODES, printed, records, result, step, table

WHOLE = 'whole_sessions'


def session(experiment, right):
    """Three steps, the last of them right or wrong."""
    ends = ['correct', 'correct', 'correct' if right else 'wrong']
    kinds = zip(ends, KINDS.items(), strict=True)
    return [
        step(index, experiment, kind=kind, outcome=end, **{name: float(end == 'correct')})
        for index, (end, (name, kind)) in enumerate(kinds)
    ]


def sessions(rights, **fields):
    """A session of each of some experiments, whole or not."""
    steps = [one for number, right in enumerate(rights) for one in session(f'pandas/{number}', right)]
    return result(fields.pop('mode', 'end_to_end'), steps, **fields)


@pytest.mark.parametrize('profile', ['official', 'strict'])
def test_a_session_is_whole_if_every_step_of_it_is_right(profile):
    (row,) = aggregate(
        [sessions([1, 1, 0, 0], profile=profile), sessions([1, 0, 0, 0], profile=profile, mode='oracle')]
    )
    shares = {name: score.value for name, score in row.scores.items() if WHOLE in name}
    assert shares == {WHOLE: 37.5, f'end_to_end {WHOLE}': 50.0, f'oracle {WHOLE}': 25.0}
    assert row.scores[WHOLE].bounds.clusters == 4
    assert row.scores[WHOLE].steps == 8


def test_epochs_are_averaged_in_the_experiment():
    one = aggregate([sessions([1, 0, 1, 0])])[0].scores[WHOLE]
    copies = aggregate([sessions([1, 0, 1, 0], epoch=epoch) for epoch in (1, 2, 3)])[0].scores[WHOLE]
    assert (copies.value, copies.bounds) == (one.value, one.bounds)
    mixed = aggregate([sessions(rights, epoch=epoch) for epoch, rights in enumerate(([1, 0], [0, 0]), 1)])
    assert mixed[0].scores[WHOLE].value == 25


def test_a_lost_session_does_not_make_the_other_mode_weigh_more():
    both = [sessions([0, 0]), sessions([0, 0], epoch=2), sessions([1, 1], mode='oracle')]
    assert aggregate(both)[0].scores[WHOLE].value == 50


def test_sessions_without_outcomes_do_not_count():
    some = [*sessions([1, 0]).results.steps, step(0, 'pandas/9')]
    assert aggregate([result(steps=some)])[0].scores[WHOLE].value == 50
    (row,) = aggregate([result(steps=[step(0, numeric_correct=1.0)])])
    assert WHOLE not in row.scores
    assert 'Whole' not in table([row]).header


def test_every_table_and_file_has_it_beside_the_average(tmp_path):
    runs = [sessions([1, 1, 0, 0], mode=mode, model=model) for mode, model in product(MODES, 'ab')]
    other = [*session('scipy/0', 1)]
    runs += [result(mode, other, model=model, dataset=f'more_{mode}') for mode, model in product(MODES, 'ab')]
    rows = aggregate(runs)
    assert table(rows).header[-2:] == ['Avg', 'Whole']
    text = printed(rows, 120)
    assert text.count('Whole\n') == 2  # the main table and the parts
    assert 'Whole is the share of sessions' in ' '.join(text.split())
    record = records(rows)[0]
    assert (record[WHOLE], record[f'end_to_end_{WHOLE}']) == ('60.0', '60.0')
    assert float(record[f'{WHOLE}_low']) < 60 < float(record[f'{WHOLE}_high'])
    parts = {line['part']: line[WHOLE] for line in records(rows) if line['model'] == 'a'}
    assert parts == {'': '60.0', 'manipulation': '50.0', 'mathematics': '100.0'}
    assert '| 60.0 [' in to_markdown(rows)
    runs[0].results.write(tmp_path / 'results.json')
    content = runs[0].results.content
    assert (content[WHOLE], content['counts'][WHOLE]) == (50.0, 4)
    assert Results.read(tmp_path / 'results.json') == runs[0].results


def test_a_replay_of_gold_shows_no_interval_and_no_rank():
    """It is right by construction: neither tells anything of other experiments."""
    rights = {'gold': [1] * 8, 'good': [1, 0] * 4, 'bad': [0] * 8}
    runs = [
        sessions(those, mode=mode, model=model, replays_gold=model == 'gold')
        for mode in MODES
        for model, those in rights.items()
    ]
    rows = {row.model: row for row in aggregate(runs)}
    assert not any(score.bounds for score in rows['gold'].scores.values())
    assert (rows['gold'].rank, rows['gold'].average) == ('', 100.0)
    assert all(score.bounds for score in rows['good'].scores.values())
    assert rows['good'].rank
    assert {line['whole_sessions_low'] for line in records([rows['gold']])} == {''}


def test_rows_without_an_average_stand_in_the_order_of_whole_sessions():
    """In one mode, or of a set without figures; a model that lacks sessions is behind the others."""
    rights = {'bad': [0, 0, 0], 'lacks': [1, 1], 'good': [1, 1, 0]}
    rows = aggregate([sessions(those, model=model) for model, those in rights.items()])
    assert [row.model for row in rows] == ['good', 'bad', 'lacks']
