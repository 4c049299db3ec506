"""`cibench analyse` over real runs: two models in both modes, scored by both profiles."""

import csv
import shutil
import xml.etree.ElementTree

import pytest
from PIL import Image

from cibench_eval import cli
from cibench_eval.reports.analyses import ANALYSES
from cibench_eval.reports.rows import published
from tests.reports.rows import result, step, write_run
from tests.support.chat_server import chat_server
from tests.support.scoring import attempted, session_trace, shown, step_trace
from tests.support.soak import many
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
    out.mkdir()
    (out / 'language.svg').touch()  # of runs that could say it
    assert cli.main(['analyse', str(run), '--benchmarks', str(others)]) == 0
    shown = capsys.readouterr()
    written = many([*ANALYSES], ['attempts', 'errors', 'language', 'measures'])
    chosen = [word for name in written for word in ('--only', name)]
    assert cli.main(['analyse', str(run), '--out', str(out), '--benchmarks', str(others), *chosen]) == 0
    left_out = {line.partition(':')[0] for line in shown.err.splitlines() if ': left out: ' in line}
    assert left_out == {'language', 'benchmarks', 'distance', 'leaning', 'forecasts', 'window'}
    assert 'builtin_claims' in shown.err and not list(out.glob('language.*'))
    for name in {*written} - left_out:
        assert {path.suffix for path in out.glob(f'{name}.*')} == {'.md', '.csv', '.tex', '.png', '.svg'}
        with Image.open(out / f'{name}.png') as image:
            assert image.width == 1050 and image.convert('L').getextrema()[0] < 100
        assert xml.etree.ElementTree.parse(out / f'{name}.svg').getroot().tag.endswith('svg')
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


def benchmarks(folder, text):
    """Analyse the published scores beside a table; the lines of what is found, and its note."""
    (folder / 'others.csv').write_text(text)
    words = ['--published', '--only', 'benchmarks', '--benchmarks', str(folder / 'others.csv'), '--out', str(folder)]
    assert cli.main(['analyse', *words]) == 0
    with (folder / 'benchmarks.csv').open(encoding='utf-8') as file:
        return {line[0]: line[1:] for line in csv.reader(file)}, (folder / 'benchmarks.md').read_text()


@pytest.mark.soak
def test_published_scores_beside_other_benchmarks(tmp_path, capsys):
    lines = [f'{row.model.upper()},{row.average},{-row.average},' for row in published()]
    found, note = benchmarks(tmp_path, '\ufeffmodel,Same,\\input{opposite},Empty\n' + '\n'.join(lines))
    assert found['published: Same'] == ['1.00', '1.00', '24']
    assert found['published: \\input{opposite}'][0].startswith('-1.00') and 'published: Empty' not in found
    assert '-1.00' in capsys.readouterr().out
    assert r'published: \textbackslash{}input\{opposite\} & -1.00 ' in (tmp_path / 'benchmarks.tex').read_text()
    assert 'Not among' not in note
    named = [f'{row.model},{number}' for number, row in enumerate(published()[:4])]
    found, note = benchmarks(tmp_path, '\n'.join(['model,GSM8K', *named, 'GPT4,9']))
    assert 'Not among the models here: GPT4.' in note


@pytest.mark.parametrize(
    ('text', 'says'),
    [
        ('name,GSM8K\nx,1', 'no column `model`'),
        ('model,GSM8K\nx,high', "line 2: GSM8K is 'high', not a number"),
        ('model,GSM8K\nx,nan', "line 2: GSM8K is 'nan', not a number; leave the field empty"),
        ('model,GSM8K\nx,12,5', 'line 2: more fields than columns'),
        ('model,GSM8K\nx,12\nX,13', 'line 3: X is there already'),
        (None, 'No such file'),
    ],
)
def test_a_table_that_cannot_be_read_is_said(tmp_path, capsys, text, says):
    if text is not None:
        (tmp_path / 'others.csv').write_text(text)
    assert cli.main(['analyse', '--published', '--benchmarks', str(tmp_path / 'others.csv')]) == 2
    assert says in capsys.readouterr().err


def test_what_a_run_lacks_is_said_of_each_analysis(tmp_path, capsys):
    empty = write_run(tmp_path / 'run', [result(steps=[], dataset='d')])
    assert cli.main(['analyse', str(empty)]) == 1
    lines = [line.split(': left out: ') for line in capsys.readouterr().err.splitlines() if ': left out: ' in line]
    said = dict(lines)
    assert said.keys() == ANALYSES.keys() and all(said.values())
    assert 'builtin_long does' in said['distance'] and 'how many tokens' in said['cost']


def test_models_of_other_sessions_have_a_star(tmp_path, capsys):
    """Shares of one model over two experiments, and of another one over one of them."""
    runs = []
    for model, names in (('all', ('a', 'b')), ('some', ('a',))):
        traces = [
            session_trace(step_trace(attempted(shown('1'))), experiment=f'x/{name}').model_copy(update={'model': model})
            for name in names
        ]
        steps = [step(0, trace.experiment, outcome='correct', numeric_correct=1) for trace in traces]
        split = 's' if model == 'all' else 'part'
        runs.append(write_run(tmp_path / model, [result(steps=steps, model=model, dataset='d', split=split)], traces))
    assert cli.main(['analyse', *map(str, runs), '--only', 'places']) == 0
    said = capsys.readouterr().out
    assert 'some *' in said and '*: it lacks sessions, of its run or of another model' in ' '.join(said.split())
    assert cli.main(['analyse', str(runs[0]), '--only', 'places']) == 0
    assert '*' not in capsys.readouterr().out


@pytest.mark.filterwarnings('error:Glyph')
def test_the_same_model_of_two_runs_is_told_apart(run, tmp_path, capsys):
    again = tmp_path / '再次'
    shutil.copytree(run, again)
    assert cli.main(['analyse', str(run), str(again), '--only', 'places', '--out', str(tmp_path)]) == 0
    assert 'good (再次) E' in capsys.readouterr().out


@pytest.mark.soak
def test_a_figure_is_as_high_as_its_legend(tmp_path):
    trace = session_trace(step_trace(attempted(shown('1'))), experiment='x/0')
    heights = []
    for count in (3, 40):
        names = [f'model {number}' for number in range(count)]
        results = [result(steps=[step(0, outcome='correct')], dataset='d', model=name) for name in names]
        traces = [trace.model_copy(update={'model': name}) for name in names]
        run = write_run(tmp_path / f'{count}', results, traces)
        assert cli.main(['analyse', str(run), '--only', 'places', '--out', str(run)]) == 0
        with Image.open(run / 'places.png') as image:
            heights.append(image.height)
    assert heights[0] == 540 and heights[1] > 40 * 25


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
