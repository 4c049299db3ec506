"""`cibench analyse` over real runs: two models in both modes, scored by both profiles."""

import csv
import json
import shutil

import pytest

from cibench_eval import cli
from cibench_eval.reports.analyses import ANALYSES
from cibench_eval.reports.rows import published
from tests.support.chat_server import chat_server
from tests.support.notebooks import DATASETS, add_endpoint, config_folder, notebook, small_set
from tests.support.runs import run_here
from tests.support.sessions import call
from tests.support.viewer_runs import two_models

pytestmark = pytest.mark.kernel


JUDGE = """
from cibench_eval.evaluators.judges import VisionJudge
from cibench_eval.models import OpenAICompatible

model = dict(type=OpenAICompatible, abbr='eye', path='any', base_url={url!r}, retries=0)
judges = [dict(abbr='eye', type=VisionJudge, rubric='own', model=model)]
"""


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    folder = two_models(tmp_path_factory.mktemp('run'))
    assert cli.main(['score', str(folder), '--profile', 'official']) == 0
    return folder


def test_every_analysis_is_printed_and_written_or_left_out_with_a_reason(run, tmp_path, capsys):
    others = tmp_path / 'others.csv'
    others.write_text('model,GSM8K\ngood,1\nevil,2\n')
    out = tmp_path / 'out'
    assert cli.main(['analyse', str(run), '--out', str(out), '--benchmarks', str(others)]) == 0
    shown = capsys.readouterr()
    left_out = {line.partition(':')[0] for line in shown.err.splitlines() if ': left out: ' in line}
    assert left_out == {'language', 'benchmarks', 'distance', 'leaning', 'forecasts'}
    for name in ANALYSES.keys() - left_out:
        assert {path.suffix for path in out.glob(f'{name}.*')} == {'.md', '.csv', '.tex', '.png', '.svg'}
    with (out / 'attempts.csv').open(encoding='utf-8') as file:
        rows = {line[0]: line[1:] for line in csv.reader(file)}
    assert rows['good E: right'][0].startswith('100.0')
    first, second = (float(share.split()[0]) for share in rows['evil E: ran'][:2])
    assert first < second  # its first step runs at the second attempt
    with (out / 'measures.csv').open(encoding='utf-8') as file:
        lines = list(csv.reader(file))
        measures = {line[0] for line in lines}
    assert {'good: strict', 'good: official'} <= measures
    assert next(line[-1] for line in lines if line[0] == 'strict and official') == '11', 'one of 12 steps drew nothing'
    assert 'Why steps failed' in shown.out and 'good' not in (out / 'errors.csv').read_text()


def test_languages_are_paired_over_real_runs(tmp_path, capsys):
    """A model that computes what it is asked in English, and says one thing in Chinese."""
    configs = config_folder(tmp_path, small_set(tmp_path / 'en'))
    twin = small_set(tmp_path / 'cn')
    for path in twin.glob('*/*.ipynb'):
        steps = [('exec', '把 n 设为 20。', 'n = 20', ''), ('num', '打印 n 加 1.5。', 'print(n + 1.5)', '21.5\n')]
        path.write_text(json.dumps(notebook(*steps, language='cn')))
    (configs / 'datasets' / 'small_cn.py').write_text(DATASETS.replace('small', 'small_cn').format(path=str(twin)))
    with chat_server(lambda said: call('print(1)' if '打印' in str(said) else 'print(21.5)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        run = run_here(tmp_path, '--models', 'model', '--datasets', 'small', 'small_cn')
    assert cli.main(['analyse', str(run), '--only', 'language', '--out', str(tmp_path / 'found')]) == 0
    assert 'Chinese against English' in capsys.readouterr().out
    with (tmp_path / 'found' / 'language.csv').open(encoding='utf-8') as file:
        lines = {line[0]: line[1:] for line in csv.reader(file)}
    english, chinese, difference, *_ = lines['model small: Num']
    assert (english, chinese) == ('100.0', '0.0') and difference.startswith('-100.0 [')


def test_a_judge_is_a_third_measure_of_figures(run, tmp_path, monkeypatch, capsys):
    """One that finds every figure right."""
    monkeypatch.setattr('cibench_eval.run.judged.cache_dir', lambda: tmp_path / 'cache')
    copy, config = shutil.copytree(run, tmp_path / 'judged'), tmp_path / 'eye.py'
    with chat_server(lambda said: '评分：10' if '评分' in str(said) else 'Verdict: 10') as server:
        config.write_text(JUDGE.format(url=server.base_url))
        assert cli.main(['judge', str(copy), '--config', str(config)]) == 0
    assert server.requests
    assert cli.main(['analyse', str(copy), '--only', 'measures', '--out', str(tmp_path)]) == 0
    with (tmp_path / 'measures.csv').open(encoding='utf-8') as file:
        lines = {line[0]: line[1:] for line in csv.reader(file)}
    assert lines['good: eye'][0] == lines['evil: eye'][0] == '100.0'
    assert float(lines['evil: strict'][0]) < 100
    assert {'strict and official', 'strict and eye', 'official and eye'} <= set(lines)
    assert lines['strict and eye'][1] == '–', 'nothing goes up and down with what is always the same'


def test_published_scores_beside_other_benchmarks(tmp_path, capsys):
    others = tmp_path / 'others.csv'
    others.write_text('model,Ours\n' + ''.join(f'{row.model},{row.average}\n' for row in published()[:6]))
    words = ['--published', '--only', 'benchmarks', '--benchmarks', str(others), '--out', str(tmp_path)]
    assert cli.main(['analyse', *words]) == 0
    with (tmp_path / 'benchmarks.csv').open(encoding='utf-8') as file:
        assert list(csv.reader(file))[1] == ['published: Ours', '1.00 [1.00, 1.00]', '1.00 [1.00, 1.00]', '6']


def test_published_alone_and_one_analysis(capsys):
    assert cli.main(['analyse', '--published', '--only', 'oracle_gain']) == 0
    assert '+9.8 +11.9  +8.7' in capsys.readouterr().out


def test_the_same_model_of_two_runs_is_told_apart(run, tmp_path, capsys):
    again = tmp_path / 'again'
    shutil.copytree(run, again)
    assert cli.main(['analyse', str(run), str(again), '--only', 'places']) == 0
    assert 'good (again) E' in capsys.readouterr().out


@pytest.mark.parametrize(
    ('words', 'says'),
    [
        ([], 'no run: name run folders, or --published'),
        (['--published', '--only', 'errorz'], '--only errorz: no such analysis; there is errors, '),
        (['nowhere'], 'nowhere'),
    ],
)
def test_bad_input_is_one_line(words, says, capsys):
    assert cli.main(['analyse', *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
