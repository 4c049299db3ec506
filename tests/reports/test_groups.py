"""OpenCompass's `summary_groups` and `dataset_abbrs`: the installed ones, and what they come to."""

import runpy
from pathlib import Path

import opencompass
import pytest

from cibench_eval.opencompass import CIBenchSummarizer
from cibench_eval.schema import CibenchError
from tests.reports.rows import config_of, result, step, write_run

CONFIGS = Path(opencompass.__file__).parent / 'configs' / 'summarizers'


def dataset(name, model='m', mode='end_to_end', **values):
    return result(mode, [step(0, f'{name}/a', kind='num', **values)], model=model, dataset=name)


@pytest.fixture
def named(tmp_path, capsys):
    """The lines of the table that a summarizer with these options makes of results, its header first."""

    def lines(results, **options):
        run = write_run(tmp_path / 'run', results)
        CIBenchSummarizer({**config_of(results), 'work_dir': str(run)}, **options).summarize('now')
        text = (run / 'summary' / 'summary_now.md').read_text().partition('Figures that the config names')[2]
        found = [line.strip('| ').split(' | ') for line in text.splitlines() if line.startswith(('|', '–'))]
        return [line for line in found if not line[0].startswith(':--')]

    return lines


def test_a_group_is_a_weighted_mean_of_figures(named):
    results = [dataset('a', numeric_correct=1.0), dataset('b', numeric_correct=0.0), dataset('c', text_score=0.5)]
    both, mixed = [['a', 'numeric_correct'], ['b', 'numeric_correct']], [['a', 'numeric_correct'], ['c', 'text_score']]
    gone = [['a', 'numeric_correct'], ['b', 'text_score']]
    groups = [
        dict(name='plain', subsets=both),
        dict(name='heavy', subsets=[*both, ['c', 'text_score']], weights={'a': 3, 'b': 1}),
        dict(name='by metric', subsets=mixed, weights={'a@numeric_correct': 1, 'c@text_score': 1}),
        dict(name='without', subsets=gone, weights={'a': 1, 'b': 0}),
        dict(name='lacking', subsets=gone),
        dict(name='of groups', subsets=['plain', 'heavy']),
    ]
    assert named(results, summary_groups=groups) == [
        ['Name', 'm'],
        ['plain', '50.0'],
        ['heavy', '75.0'],
        ['by metric', '75.0'],
        ['without', '100.0'],
        ['lacking', '–'],
        ['of groups', '62.5'],
    ]


def test_a_group_of_names_is_of_first_metrics_and_has_those_in_common(named):
    results = [
        dataset('a', tool_rate=1.0, executable=0.5, numeric_correct=0.2),
        dataset('b', tool_rate=1.0, executable=1.0, text_score=0.4),
    ]
    group = {'name': 'both', 'subsets': ['a', 'b'], 'weights': {'a@executable': 3, 'b@executable': 1}}
    wanted = [
        'a',
        ['both', 'weighted_average'],
        ['both', 'executable'],
        ['other', 'tool_rate'],
        ['other', 'text_score'],
    ]
    groups = [group, {'name': 'other', 'subsets': ['a', 'b']}]
    assert named(results, summary_groups=groups, dataset_abbrs=wanted)[1:] == [
        ['a', '50.0'],
        ['both weighted_average', '62.5'],
        ['both executable', '62.5'],
        ['other tool_rate', '100.0'],
        ['other text_score', '–'],
    ]


def test_the_table_has_what_the_config_names_in_its_order(named):
    part = result(steps=[step(0, numeric_correct=0.0)], model='n', dataset='a', harness_errors=['b'])
    results = [dataset('a', numeric_correct=1.0), part]
    wanted = ['### Numbers ###', ['a', 'numeric_correct'], 'all', 'gone', 'outer']
    groups = [{'name': 'all', 'subsets': [['a', 'numeric_correct']]}, {'name': 'part', 'subsets': ['a', 'lost']}]
    groups += [{'name': 'outer', 'subsets': ['part', 'light'], 'weights': {'part': 1}}]
    assert named(results, summary_groups=groups, dataset_abbrs=wanted) == [
        ['Name', 'm', 'n'],
        ['Numbers'],
        [r'a numeric_correct \*', '100.0', '0.0'],
        [r'all \*', '100.0', '0.0'],
        ['gone', '–', '–'],
        [r'outer \*', '–', '–'],
        ['–: the run has no dataset gone, lost'],
    ]


def test_the_groups_of_the_installed_opencompass_are_read_and_have_its_figures(named):
    groups = runpy.run_path(str(CONFIGS / 'groups' / 'cibench.py'))['cibench_summary_groups']
    assert len(groups) == 42
    libraries = ('matplotlib', 'pandas', 'pytorch', 'seaborn', 'opencv', 'scipy')
    results = [
        dataset(f'cibench_generation/{name}', numeric_correct=index / 10) for index, name in enumerate(libraries)
    ]
    figures = {name.replace('\\', ''): figure for name, *figure in named(results, summary_groups=groups)}
    weights = {'matplotlib': 2, 'pandas': 45, 'pytorch': 0, 'seaborn': 0, 'opencv': 21, 'scipy': 94}
    expected = sum(weights[name] * index * 10 for index, name in enumerate(libraries)) / sum(weights.values())
    assert float(figures['cibench_generation:numeric_correct'][0]) == pytest.approx(expected, abs=0.05)
    assert figures['cibench_generation:tool_rate'] == ['100.0']
    assert figures['cibench_template:tool_rate'] == ['–']


@pytest.mark.parametrize('group', ['all', {'name': 'a'}, {'name': 'a', 'subsets': []}, {'name': 'a', 'subsets': [5]}])
def test_what_is_no_group_is_said(group):
    with pytest.raises(CibenchError, match=r'^summarizer: summary_groups\[0\]'):
        CIBenchSummarizer({**config_of([dataset('a')]), 'work_dir': 'out'}, summary_groups=[group])
