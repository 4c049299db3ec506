"""The tables as a reader sees them, whole."""

import pytest

from cibench_eval.evaluators import find_profile
from cibench_eval.reports.rows import aggregate
from cibench_eval.reports.summary import to_markdown
from tests.reports.rows import MODES, absent, notes, printed, result, steps_of, table


def results(model, *figures, modes=MODES, split='demo', **fields):
    """Of a model on one experiment a mode; the same figures in both."""
    counts = [12, 7, 9][: len(figures) - 2] + [0] * (5 - len(figures))
    steps = steps_of([*figures, 0, 0][:5], counts)
    return [result(mode, steps, model, f'demo_{mode}', split, **fields) for mode in modes]


def demo():
    """A perfect model, a small one without a sandbox, and one whose oracle mode has no results."""
    half = results('half', 90, 80, 70, 60, 50, modes=('end_to_end',))
    small = results('small', 60, 40.04, 33.333, 0, 15.55, sandbox='none')
    lost = absent(model='half', dataset='demo_oracle', split='demo')
    return aggregate([*half, lost, *small, *results('gold', 100, 100, 100, 100, 99.99)])


AT_EIGHTY = """
demo: 1 experiment, 28 steps, scoring profile official
          E-    E-    E-    E-    E-    O-    O-    O-    O-    O-
Model   Tool   Exe   Num  Text   Vis  Tool   Exe   Num  Text   Vis   Avg
────────────────────────────────────────────────────────────────────────
gold   100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0
small   60.0  40.0  33.3   0.0  15.6  60.0  40.0  33.3   0.0  15.6  16.3
half *  90.0  80.0  70.0  60.0  50.0     –     –     –     –     –     –
small: model code ran without a sandbox
half: no results for demo_oracle; the figures (*) are of the rest
E end-to-end, O oracle; Avg is the mean of Num, Text and Vis over both modes; –
is no such step or no result."""


def test_table_at_eighty_columns():
    assert printed(demo(), 80) == AT_EIGHTY


def test_table_at_a_hundred_columns_is_the_same_but_for_line_breaks():
    assert printed(demo(), 100).split() == AT_EIGHTY.split()
    assert len(printed(demo(), 100).splitlines()) == len(AT_EIGHTY.splitlines())


def test_narrow_terminal_gets_every_figure_whole():
    assert '…' not in printed(demo(), 60)
    assert any(line.split() == ['gold', *['100.0'] * 11] for line in printed(demo(), 60).splitlines())


def test_markdown_of_the_same_rows():
    assert to_markdown(demo()).splitlines() == [
        '## demo: 1 experiment, 28 steps, scoring profile official',
        '',
        '| Model | E-Tool | E-Exe | E-Num | E-Text | E-Vis | O-Tool | O-Exe | O-Num | O-Text | O-Vis | Avg |',
        '| :-- | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: | --: |',
        '| gold | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 | 100.0 |',
        '| small | 60.0 | 40.0 | 33.3 | 0.0 | 15.6 | 60.0 | 40.0 | 33.3 | 0.0 | 15.6 | 16.3 |',
        '| half \\* | 90.0 | 80.0 | 70.0 | 60.0 | 50.0 | – | – | – | – | – | – |',
        '',
        '- small: model code ran without a sandbox',
        '- half: no results for demo_oracle; the figures (\\*) are of the rest',
        '',
        'E end-to-end, O oracle; Avg is the mean of Num, Text and Vis over both modes; – is no such step or no result.',
    ]


@pytest.mark.parametrize('name', ['[red]model[/red]', 'org/a|b*c', ':smile:'])
def test_names_are_shown_as_they_are(name):
    rows = aggregate(results(name, 100, 100, 100, 100, 100, split='[i]s'))
    assert f'\n{name}' in printed(rows, 100)
    assert '\n[i]s: 1 experiment' in printed(rows, 100)
    (line,) = [line for line in to_markdown(rows).splitlines() if '100.0' in line]
    assert line.startswith('| ' + name.replace('|', '\\|').replace('*', '\\*') + ' | 100.0')


def test_what_an_average_lacks_is_told_once_for_all_models():
    rows = aggregate([*results('a', 100, 90, 80), *results('b', 100, 90, 80)])
    assert notes(rows) == ['a, b: no Avg, which needs E-Text, E-Vis, O-Text, O-Vis']


def test_rows_of_several_profiles_say_which_is_whose():
    rows = aggregate([*results('a', 1, 2, 3, 4, 5), *results('b', 1, 2, 3, 4, 5, profile='strict')])
    scales = 'Scores by different profiles or options are on different scales, and are not ranked.'
    assert notes(rows) == ['a: scored by profile official', 'b: scored by profile strict', scales]


def test_what_a_profile_says_of_its_scores_stands_below_every_table():
    rows = aggregate(
        [*results('a', 1, 2, 3, 4, 5, profile='open_form'), *results('b', 1, 2, 3, 4, 5, profile='strict')]
    )
    assert notes(rows)[-1] == find_profile('open_form').note
    assert [line for line in to_markdown(rows).splitlines() if 'judged wrong' in line]
    assert not find_profile('strict').note


def test_table_shows_itself_in_a_notebook():
    shown = table(demo()).text(80)._repr_mimebundle_([], [])
    assert 'small' in shown['text/html']
