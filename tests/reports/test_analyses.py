"""The paper's analyses: figures that are counted by hand, what is left out and why, and files that can be opened."""

import math
from dataclasses import replace

import pytest
from scipy import stats

from cibench_eval.analysis.agreement import MeasuredStep
from cibench_eval.models.limits import Usage
from cibench_eval.reports.analyses import ANALYSES, LackingError, StudiedRuns
from cibench_eval.reports.analyses.study import StepRecord
from cibench_eval.reports.rows import aggregate, published
from tests.reports.rows import absent, failure, result, step


def record(number, right=True, attempts=1, ran_at=1, cause=None, followed=None, experiment='pandas/a', **more):
    why = [failure(cause[0], number, followed, cause=cause[1])] if cause else []
    known = {'model': 'm', 'split': 's', 'mode': 'end_to_end', 'epoch': 1, 'usage': Usage()} | more
    known['failure'] = next(iter(result(failures=why).results.failures), None)
    return StepRecord(experiment=experiment, step=number, right=right, attempts=attempts, ran_at=ran_at, **known)


def forecasts(probability, true):
    """What an answer says of one thing, as a scored step has it."""
    return tuple(step(0, forecasts=[{'probability': probability, 'true': true}]).forecasts)


def drawn(name, study):
    """The axes on which an analysis has drawn its figure."""
    from matplotlib.figure import Figure  # here, for it takes a second: every process of the tests reads this

    axes = Figure().add_subplot()
    ANALYSES[name](study).draw(axes)
    return axes


def table(name, study):
    """The lines of a table by their first cell."""
    found = ANALYSES[name](study).table
    return {line[0].text.strip(): [cell.text for cell in line[1:]] for line in found.lines}


CODE, REASON = ('code', 'syntax'), ('reasoning', 'wrong_value')
FAILED = [
    record(1, right=False, cause=CODE),
    record(2, right=False, cause=REASON),
    record(3, right=False, cause=REASON, followed=1),
    record(4, right=False, cause=('reasoning', 'wrong_shape')),  # as older files have it
    record(5),
]


def test_errors_are_shares_of_failed_steps_with_roots_apart():
    lines = table('errors', StudiedRuns(FAILED))
    assert lines['failed steps'] == ['4']
    assert lines['reasoning'] == ['50.0']
    assert lines['wrong_value'] == lines['wrong_shape'] == lines['code'] == ['25.0']
    assert lines['followed from an earlier step'] == ['25.0']
    assert lines['hallucination'] == ['·'] and 'undefined_name' not in lines


def test_heads_of_many_columns_are_numbers():
    names = ('a-model-of-some-length', 'a-model-of-some-length v2')
    steps = [record(1, right=False, cause=CODE, model=name) for name in names]
    found = ANALYSES['errors'](StudiedRuns([*steps, record(1, model=names[1], experiment='pandas/b')])).table
    assert found.header == ['', '1', '2'] and found.note.endswith(f' 1: {names[0]} *. 2: {names[1]}.')


def test_success_within_so_many_attempts():
    steps = [
        record(1),
        record(2, attempts=2, ran_at=2),
        record(3, attempts=3, ran_at=1),
        record(4, right=False, attempts=3, ran_at=None),
    ]
    lines = table('attempts', StudiedRuns(steps))
    assert lines['m: ran'] == ['50.0', '75.0', '75.0']
    assert lines['m: right'] == ['25.0', '50.0', '75.0']


def test_epochs_are_averaged_inside_the_step():
    """A step with one run, right, and one with two, of which one is: 75, not two of three."""
    steps = [record(1), record(2), record(2, right=False, epoch=2)]
    assert table('attempts', StudiedRuns(steps))['m: right'] == ['75.0']


def test_difficulty_places_and_categories():
    steps = [record(n, right=n < 5, experiment=name) for n in range(1, 7) for name in ('pandas/a', 'finance/b')]
    steps += [record(1, right=False, mode='oracle')]
    study = StudiedRuns(steps)
    assert table('difficulty', study) == {'m E': ['100.0', '100.0', '0.0'], 'm O': ['0.0', '–', '–']}
    assert table('places', study)['m E'] == ['100.0'] * 4 + ['0.0'] * 2
    found = ANALYSES['categories'](study).table
    assert found.header == ['', 'manipulation', 'finance']
    long = StudiedRuns([record(n, right=n < 11) for n in range(1, 16)])
    assert ANALYSES['places'](long).table.header == ['', '1–5', '6–10', '11–15']
    assert table('places', long)['m'] == ['100.0', '100.0', '0.0']


def test_steps_by_what_they_lean_on():
    steps = [record(n, right=n < 20, depends=(1, 2) if n % 2 else (1, n - 1)) for n in range(3, 31)]
    study = StudiedRuns([*steps, record(40)])  # of the last it is not known
    assert table('distance', study)['m'] == ['62.5', '100.0', '80.0', '0.0', '–']
    assert table('leaning', study)['m'] == ['60.7', *['–'] * 4]


def test_how_sure_answers_are():
    said = [(0.9, True), (0.8, False), (0.3, True), (0.1, False), (0.5, True)]
    steps = [record(n, forecasts=forecasts(sure, true)) for n, (sure, true) in enumerate(said, 1)]
    steps += [record(n, model='silent', asks_forecast=n < 3) for n in (1, 2, 9)]  # the last asks for no forecast
    score = sum(map(math.log2, (0.9, 0.2, 0.3, 0.9, 0.5))) / 5
    brier = (0.01 + 0.64 + 0.49 + 0.01 + 0.25) / 5
    found = table('forecasts', StudiedRuns(steps))
    assert found['m'] == [f'{score:.2f}', f'{brier:.3f}', '50.0', '66.7', '5', '0']
    assert found['silent'] == ['–', '–', '–', '–', '0', '2']
    assert len(drawn('forecasts', StudiedRuns(steps)).lines) == 3


def test_what_the_window_left_out():
    steps = [record(n, right=n < 7, without=n // 5, read=100 * n) for n in range(1, 9)]
    assert table('window', StudiedRuns([*steps, record(1, experiment='y/b')]))['m'] == [
        f'{100 * 4 / 9:.1f}', '1.0', '50.0', '100.0', '150', '750',
    ]  # fmt: skip
    with pytest.raises(LackingError, match='every step was asked with its whole conversation'):
        table('window', StudiedRuns([record(1)]))


def test_sessions_without_a_miss():
    whole = [record(n, experiment='x/whole') for n in range(1, 9)]
    late = [record(n, right=n != 5, experiment='x/late') for n in range(8, 0, -1)]
    first = [record(n, right=n != 1, experiment='x/first') for n in range(1, 9)]
    assert table('unbroken', StudiedRuns([*whole, *late, *first]))['m'] == ['66.7', '66.7', '33.3', '33.3']
    undecided = [record(number, right=None, experiment='pandas/d') for number in (1, 2)]
    assert table('unbroken', StudiedRuns([*whole, *late, *first, *undecided]))['m'] == ['66.7', '66.7', '33.3', '33.3']


def test_a_figure_has_an_interval_over_experiments_unless_it_is_a_replay_of_gold():
    steps = [record(1, experiment=f'pandas/{n}') for n in range(5)]
    (line,) = ANALYSES['places'](StudiedRuns(steps)).table.lines
    assert line[1].bounds is not None and line[1].bounds.clusters == 5
    (line,) = ANALYSES['places'](StudiedRuns(steps, replays=frozenset({'m'}))).table.lines
    assert line[1].bounds is None


def test_a_bar_without_an_interval_has_no_bar_of_error():
    """One of no length would say that nothing is uncertain."""
    steps = [record(1, experiment=f'pandas/{n}') for n in range(5)] + [record(1, experiment='scipy/a')]
    (bar,) = (one for one in drawn('categories', StudiedRuns(steps)).containers if hasattr(one, 'patches'))
    _, _, (lines,) = bar.errorbar.lines
    assert [len(segment) for segment in lines.get_segments()] == [2, 0]


def test_languages_are_paired_by_step():
    def of(split, rights):
        steps = [
            step(n, experiment=f'x/{n}', outcome='correct' if right else 'wrong', numeric_correct=float(right))
            for n, right in enumerate(rights)
        ]
        return result(steps=steps, split=split, dataset=split)

    results = [of('template', [1, 1, 1, 0]), of('template_cn', [1, 0, 0, 0]), of('other', [1, 1, 1, 1])]
    study = StudiedRuns(rows=aggregate(results))
    assert 'p is of each line by itself' in ANALYSES['language'](study).table.note
    lines = table('language', study)
    assert lines['m template: Num'][:3] == ['75.0', '25.0', '-50.0']
    assert lines['m template: Right'][:3] == ['75.0', '25.0', '-50.0']
    assert not any('other' in name for name in lines)
    axes = drawn('language', study)
    assert [text.get_text() for text in axes.get_yticklabels()] == ['Right', 'Whole', 'Num']
    assert [bars.lines[0].get_xdata().tolist() for bars in axes.containers] == [[-50, -50, -50]]
    (low, high), *_ = (part.get_segments()[1][:, 0] for part in axes.containers[0].lines[2])
    assert low < -50 < high
    (line, *_) = ANALYSES['language'](replace(study, replays=frozenset({'m'}))).table.lines
    assert line[3].text == '-50.0' and line[3].bounds is None and line[4].text == '–'


def test_the_published_oracle_gains():
    """What the paper's table supports: Num +9.8, Text +11.9, Vis +8.7 over its 24 models."""
    lines = table('oracle_gain', StudiedRuns(rows=published()))
    assert lines['mean of 24 models'][2:] == ['+9.8', '+11.9', '+8.7']
    assert lines['GPT-4-1106-preview'][2:] == ['-0.3', '+2.7', '+9.1']


def test_the_mean_of_gains_has_an_interval_over_models():
    """Num of the 24 models: Student's t with 23 degrees of freedom."""
    gains = [
        row.score('oracle', 'numeric_correct').value - row.score('end_to_end', 'numeric_correct').value
        for row in published()
    ]
    expected = stats.ttest_1samp(gains, 0).confidence_interval()
    found = ANALYSES['oracle_gain'](StudiedRuns(rows=published())).table.lines[-1][3]
    assert (found.bounds.low, found.bounds.high) == pytest.approx((expected.low, expected.high))
    assert found.bounds.clusters == 24 and found.span == '6.6–13.0'


def modes(model='m', gold=0.75, **more):
    """A model that gets 0.25 in end-to-end mode, on six experiments."""
    return [
        result(
            mode,
            [step(0, f'x/{n}', numeric_correct=value + 0.01 * n, outcome='wrong') for n in range(6)],
            model,
            **more,
        )
        for mode, value in (('end_to_end', 0.25), ('oracle', gold))
    ]


def test_oracle_gain_of_a_run():
    results = [*modes(), *modes('n', 0.65), *modes('gold', 0.25, replays_gold=True)]
    study = StudiedRuns(rows=aggregate(results), replays=frozenset({'gold'}))
    lines = table('oracle_gain', study)
    assert lines['m'] == ['+0.0', '+0.0', '+50.0', '–', '–']
    assert lines['gold'][2] == '+0.0'
    assert lines['mean of 2 models'][2] == '+45.0'  # a replay of gold has nothing to gain
    lacking = StudiedRuns(rows=aggregate([*modes(), *modes(split='t'), absent(split='t')]))
    names = [line[0].text for line in ANALYSES['oracle_gain'](lacking).table.lines]
    assert names == ['s', 'm', 't', 'm *'], 'a star is of a split'
    own = {line[0].text: line[3].bounds for line in ANALYSES['oracle_gain'](study).table.lines}
    assert own['m'].low < 50 < own['m'].high and own['m'].clusters == 6 and own['gold'] is None


@pytest.mark.soak
def test_measures_of_figures_by_model_and_in_pairs():
    figures = [
        MeasuredStep(model='m', experiment=f'x/{n}', values={'official': n / 10, 'strict': n / 10, 'judge': 1 - n / 10})
        for n in range(11)
    ]
    lines = table('measures', StudiedRuns(figures=figures))
    assert lines['m: official'][0] == lines['m: judge'][0] == '50.0'
    assert lines['official and strict'][1:3] == ['1.00', '1.00']
    assert lines['official and judge'][1] == '-1.00'


@pytest.mark.parametrize('replays', [(), ('gold',)])
def test_measures_that_never_vary_agree_neither_well_nor_badly(replays):
    """A figure that is drawn twice differs by less than tables show, in all places; that is no disagreement."""
    figures = [
        MeasuredStep(model='gold', experiment=f'x/{n}', values={'strict': 1.0, 'official': 0.9998 + n / 1e5})
        for n in range(11)
    ]
    study = StudiedRuns(figures=figures, replays=frozenset(replays))
    lines = table('measures', study)
    assert lines['gold: strict'][0] == lines['gold: official'][0] == '100.0'
    assert lines['strict and official'] == ['–', '–', '–', '–', '0' if replays else '11']
    drawn('measures', study)


@pytest.mark.soak
def test_replays_of_gold_do_not_count_where_measures_are_compared():
    """All measures give them 1."""
    figures = [
        MeasuredStep(model=model, experiment=f'x/{n}', values={'strict': n / 10, 'official': (7 * n % 11) / 10})
        for n in range(11)
        for model in ('m', 'other')
    ]
    gold = [MeasuredStep(model='gold', experiment='x/0', values={'strict': 1.0, 'official': 1.0})] * 50
    alone = table('measures', StudiedRuns(figures=figures))
    with_gold = table('measures', StudiedRuns(figures=[*figures, *gold], replays=frozenset({'gold'})))
    assert with_gold['strict and official'] == alone['strict and official'] and with_gold['gold: strict'][0] == '100.0'


def spending(model, right, out, cost=0.0, **more):
    """Four steps of two sessions, some right, and what each took."""
    used = Usage(tokens_in=100, tokens_out=out, model_seconds=2, kernel_seconds=1, cost=cost)
    return [record(n % 2, right=n < right, experiment=f'x/{n // 2}', model=model, usage=used, **more) for n in range(4)]


def test_cost_of_a_session_and_of_a_right_step():
    study = StudiedRuns([*spending('a', 2, 30, 0.5), *spending('b', 1, 20, 0.25)])
    assert ANALYSES['cost'](study).table.header[1:6] == ['Right', 'S-In', 'S-Out', 'S-Cost', 'S-Sec']
    session, right = ['200', '60', '1.00', '6.0'], ['200', '60', '1.00', '6.0']
    assert table('cost', study)['a'] == ['50.0', *session, *right, 'yes']
    assert table('cost', study)['b'][5:] == ['400', '80', '1.00', '12.0', 'yes']
    assert table('cost', StudiedRuns(spending('c', 4, 20, 1.2345e-6)))['c'][3] == '0.00000247'
    undecided = [one._replace(right=one.right or None) for one in spending('d', 1, 20)]
    assert table('cost', StudiedRuns(undecided))['d'][4:] == ['400', '80', '12.0']


def test_the_front_is_of_those_that_nobody_beats_for_less():
    steps = [
        *spending('cheap', 1, 5, 1),
        *spending('worse', 1, 9, 2),
        *spending('best', 3, 1, 3),
        *spending('s', 2, 9, 4),
    ]
    other = [*spending('s', 0, 90, 9, split='t'), *spending('gold', 4, 1, split='t')]  # of another set
    study = StudiedRuns([*steps, *other], replays=frozenset({'gold'}))
    fronts = {name: line[-1] for name, line in table('cost', study).items()}
    assert fronts == {'cheap, s': 'yes', 'worse, s': '·', 'best, s': 'yes', 's, s': '·', 's, t': 'yes'}
    axes = drawn('cost', study)
    assert axes.get_xlabel() == 'cost a session'
    first, second = (line.get_xydata().tolist() for line in axes.lines[:2])
    assert (first, second) == ([[2, 25], [6, 75]], [[18, 0]])


def test_models_of_one_cost_and_one_score_are_both_on_the_front_whatever_their_intervals():
    apart = [one._replace(right=one.step == 0) for one in spending('apart', 2, 5, 1)]
    found = table('cost', StudiedRuns([*spending('together', 2, 5, 1), *apart]))
    assert [line[-1] for line in found.values()] == ['yes', 'yes']


def test_without_a_price_of_each_model_tokens_are_the_axis():
    study = StudiedRuns([*spending('cheap', 1, 5, 1), *spending('free', 1, 50), *spending('silent', 4, 0)])
    found = ANALYSES['cost'](study)
    assert drawn('cost', study).get_xlabel() == 'tokens written a session'
    assert found.table.note.endswith('there is no price of free, silent.')
    assert table('cost', study)['free'][3:5] == ['–', '6.0']
    assert [line[-1] for line in table('cost', study).values()] == ['yes', '·', '·']


def test_tokens_that_nobody_counted_are_said():
    steps = [one._replace(usage=one.usage.model_copy(update={'unmeasured': 2})) for one in spending('a', 2, 5)]
    note = ANALYSES['cost'](StudiedRuns([*steps, *spending('b', 2, 5)])).table.note
    assert '8 replies of a have no count of tokens: In, Out and Cost are too low.' in note and ' of b ' not in note


def everything():
    steps = [one for mode in ('end_to_end', 'oracle') for n in range(3) for one in _session(mode, n)]
    both = [result(mode, [step(0, numeric_correct=0.5, outcome='wrong')]) for mode in ('end_to_end', 'oracle')]
    twins = [result(steps=[step(0, outcome='correct')], split=f't{end}', dataset=f't{end}') for end in ('', '_cn')]
    figures = [MeasuredStep(model='m', experiment=f'x/{n}', values={'a': n / 5, 'b': n / 6}) for n in range(5)]
    scores = {'GSM8K < 9': {row.model: row.average or 0 for row in published()}}
    return StudiedRuns(steps, [*aggregate([*both, *twins]), *published()], scores, figures)


USED = Usage(tokens_in=9, tokens_out=5, model_seconds=2)


def _session(mode, number):
    return [
        one._replace(
            mode=mode,
            experiment=f'{library}/{number}',
            depends=(1, number + 1),
            forecasts=forecasts(0.8, True),
            usage=USED,
            without=number,
        )
        for one in FAILED
        for library in ('pandas', 'scipy')
    ]


def test_many_models_can_be_told_apart():
    axes = drawn('places', StudiedRuns([record(1, model=f'_model {n}') for n in range(64)]))
    assert len(axes.get_legend().get_texts()) == 64
    assert len({(bars.lines[0].get_color(), bars.lines[0].get_marker()) for bars in axes.containers}) == 64


@pytest.mark.parametrize('name', ANALYSES)
def test_each_has_a_figure_and_a_table(name):
    study = everything()
    found, rows = ANALYSES[name](study), [replace(row, missing={'oracle': ['d']}) for row in study.rows]
    lacking = ANALYSES[name](replace(study, rows=rows)).table
    assert '*' not in str(found.table) and ('*' in str(lacking)) is (name != 'benchmarks')
    assert drawn(name, everything()).has_data()
    assert found.table.title and found.table.note and found.table.markdown()
    body = [line.replace('$<$', '') for line in found.table.latex() if not line.startswith('%')]
    assert all(line.isascii() and '<' not in line for line in body), 'LaTeX has to know every letter'
