"""`cibench export`: notebooks that Jupyter opens and runs, and tables of steps, of a real run; what a run lacks."""

import asyncio
import json
import resource
import shutil

import pytest
from pyarrow import csv, parquet

from cibench_eval import cli
from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.reports.rows import UNFINISHED
from cibench_eval.run.main import main
from cibench_eval.schema import Action, Call, Reply
from tests.reports.rows import MODES, result, step, write_run
from tests.support.chat_server import chat_server
from tests.support.notebooks import add_endpoint, config_folder, small_set
from tests.support.pngs import noise
from tests.support.runs import change, run_folder, run_here
from tests.support.scoring import attempted, session_trace, shown, step_trace
from tests.support.sessions import call

pytestmark = pytest.mark.kernel
CODES = ["import IPython.display as d\nprint('a')\nx = 41", '1 / 0', 'x + 1']


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """A run of a model that fails once, then answers the same each time."""
    folder = tmp_path_factory.mktemp('run')
    configs = config_folder(folder, small_set(folder / 'data', ('a', 'b')))
    said = [0]

    def answer(messages):
        said[0] += 1
        return call(CODES[min(said[0] - 1, 2)])

    with chat_server(answer) as server:
        add_endpoint(configs, 'model', server.base_url)
        return run_here(folder, '--models', 'model', '--datasets', 'small', '--max-sessions', '1')


def export(*words):
    return cli.main(['export', *map(str, words)])


def cells_of(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == 'code']


def test_a_session_is_a_notebook_that_runs(run, tmp_path, capsys):
    import nbformat

    assert export(run, '--to', 'notebooks', '--out', tmp_path) == 0
    files = sorted(tmp_path.rglob('*.ipynb'))
    assert f'{len(files)} notebooks' in capsys.readouterr().out and len(files) == 4  # two experiments, both modes
    first = next(file for file in files if cells_of(nbformat.read(file, 4))[0].source == CODES[0])
    notebook = nbformat.read(first, 4)
    nbformat.validate(notebook)
    question = next(cell for cell in notebook.cells if 'cibench' in cell.metadata and cell.cell_type == 'markdown')
    assert question.metadata.cibench['step'] == 1 and question.metadata.cibench['values']['tool_rate'] == 1
    failing = next(cell for cell in cells_of(notebook) if cell.source == '1 / 0')
    assert failing.metadata.tags == ['raises-exception'] and failing.outputs[0].ename == 'ZeroDivisionError'
    assert again(notebook) == [text_of(cell) for cell in cells_of(notebook)]


def text_of(cell):
    shown = [output.get('text') or output.get('data', {}).get('text/plain') for output in cell.outputs]
    return ''.join(text for text in shown if text)


def again(notebook):
    """What its cells show when all of them are run, in a fresh kernel."""

    async def everything():
        async with Interpreter(KernelSettings(sandbox='auto', preload=())) as interpreter:
            return [await interpreter.run(cell.source) for cell in cells_of(notebook)]

    return [''.join(output.text for output in one.outputs) for one in asyncio.run(everything())]


@pytest.mark.parametrize(('form', 'read'), [('csv', csv.read_csv), ('parquet', parquet.read_table)])
def test_steps_are_a_table(run, tmp_path, form, read):
    path = tmp_path / f'steps.{form}'
    assert export(run, '--to', form, '--out', path) == 0
    rows = read(path).to_pylist()
    assert {row['mode'] for row in rows} == {'end_to_end', 'oracle'}
    assert {'model', 'experiment', 'step', 'kind', 'outcome', 'numeric_correct', 'tokens_out', 'code'} <= rows[0].keys()
    assert {row['tool_rate'] for row in rows} == {1.0}
    exec_rows = [row for row in rows if row['kind'] == 'exec']
    assert exec_rows and all(row['numeric_correct'] is None for row in exec_rows)


def test_labels_of_people_are_not_overwritten(run, tmp_path, capsys):
    path = tmp_path / 'steps.csv'
    assert export(run, '--to', 'csv', '--out', path) == 0
    path.write_text(labelled := path.read_text().replace('"model"', '"Label_Anna","model"', 1))
    capsys.readouterr()
    assert export(run, '--to', 'csv', '--out', path) == 2
    assert capsys.readouterr().err.endswith(
        'steps.csv: people have labelled it (columns label_…); name another file with --out\n'
    )
    assert path.read_text() == labelled


def test_it_goes_into_the_run_by_default(run):
    assert export(run, '--to', 'csv') == 0
    assert (run / 'export' / 'steps.csv').is_file()


@pytest.mark.parametrize(
    ('form', 'out', 'problem'),
    [
        ('csv', '.', '--out {}: is a folder, and csv is written to a file; name another'),
        ('csv', 'file', '--out {}: a file of csv ends in .csv; name one'),
        ('notebooks', 'file', '--out {}: is a file, and notebooks is written to a folder; name another'),
    ],
)
def test_a_file_in_the_place_of_a_folder_and_the_reverse(run, tmp_path, capsys, form, out, problem):
    (tmp_path / 'file').touch()
    assert export(run, '--to', form, '--out', tmp_path / out) == 2
    assert capsys.readouterr().err == f'cibench: error: {problem.format(tmp_path / out)}\n'


def test_a_file_that_cannot_be_written_is_one_line(run, tmp_path, capsys):
    assert export(run, '--to', 'csv', '--out', '/proc/steps.csv') == 2
    mend = 'name another place, or mend that one'
    assert capsys.readouterr().err == f'cibench: error: /proc/steps.csv: No such file or directory; {mend}\n'
    size = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, size[1]))  # as on a full disk, the write fails and not the opening
    try:
        assert export(run, '--to', 'every_eval_ever', '--out', tmp_path) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, size)
    said = capsys.readouterr().err
    assert said.startswith(f'cibench: error: {tmp_path}/') and 'File too large' in said


@pytest.mark.soak
def test_a_session_whose_figure_is_gone_is_named_and_the_others_are_written(tmp_path, caplog):
    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a', 'b')))
    show = f'import IPython.display as d\nd.display(d.Image({noise()!r}))'
    with chat_server(lambda said: call(show if ' in a.' in str(said) else 'n = 20')) as server:
        add_endpoint(configs, 'model', server.base_url)
        run = run_here(tmp_path, '--models', 'model', '--datasets', 'small')
    (figure,) = run.glob('predictions/model/figures/*.png')
    figure.unlink()
    for form, ending in (('notebooks', 'ipynb'), ('atif', 'json')):
        assert export(run, '--to', form, '--out', tmp_path / form) == 1
        written = {path.relative_to(tmp_path / form).as_posix() for path in (tmp_path / form).rglob('*.*')}
        assert written == {f'model/{name}/math/b.{ending}' for name in ('small', 'small_oracle')}
    assert f'math/a: {figure}' in caplog.text
    assert export(run, '--to', 'inspect', '--out', tmp_path / 'logs') == 1
    ends = [
        [one['id'] for one in json.loads(log.read_text())['samples'] if not one.get('error')]
        for log in (tmp_path / 'logs').iterdir()
    ]
    assert ends == [['math/b'], ['math/b']], 'the session is one that was lost'


@pytest.fixture(scope='module')
def lossy(tmp_path_factory):
    """A run of one split as two datasets; the endpoint fails in `b` of the first, and the second is not scored."""
    folder = tmp_path_factory.mktemp('lossy')
    configs = config_folder(folder, small_set(folder / 'data', ('a', 'b', 'c')))
    path = configs / 'datasets/small.py'
    path.write_text(path.read_text().replace("('small_oracle', 'oracle')", "('hard', 'end_to_end')"))
    change(path, "split='small',", "split='small', experiments=['math/c'] if abbr == 'hard' else ['math/a', 'math/b'],")
    with chat_server(lambda said: 500 if ' in b.' in str(said) else call('print(21.5)')) as server:
        add_endpoint(configs, 'model', server.base_url)
        words = ['--models', 'model', '--datasets', 'small', '--config-dir', str(configs), '-w', str(folder / 'out')]
        assert main(words) == 1
    return run_folder(folder)


def test_a_log_names_planned_sessions_that_are_not_there(lossy, tmp_path, caplog):
    assert export(lossy, '--to', 'inspect', '--out', tmp_path) == 1
    assert 'failed by a fault of the harness); go on with -r: math/b' in caplog.text
    logs = [json.loads(path.read_text()) for path in tmp_path.iterdir()]
    log = next(one for one in logs if one['eval']['task'] == 'small')
    assert (log['status'], log['error']['message']) == ('error', '1 of 2 sessions are not there: math/b')
    assert (log['results']['total_samples'], log['results']['completed_samples']) == (2, 1)
    assert {one['unscored_samples'] for one in log['results']['scores']} == {1}
    assert log['eval']['dataset']['sample_ids'] == ['math/a', 'math/b']
    lost = log['samples'][1]
    assert (lost['id'], lost['scores']) == ('math/b', {}) and 'Set n to 20 in b.' in lost['input']
    assert 'no session: a fault of the harness has lost it' in lost['error']['message']


def test_the_log_of_a_later_epoch_has_one_epoch(tmp_path):
    results = [result(steps=[step(0, outcome='wrong')], dataset='d', epoch=epoch) for epoch in (1, 2)]
    session = session_trace(step_trace(), experiment='x/0')
    traces = [session.model_copy(update={'dataset': one.dataset, 'epoch': one.epoch}) for one in results]
    assert export(write_run(tmp_path / 'run', results, traces), '--to', 'inspect', '--out', tmp_path / 'logs') == 0
    logs = [json.loads(path.read_text()) for path in (tmp_path / 'logs').iterdir()]
    assert sorted((log['eval']['task'], log['eval']['config']['epochs']) for log in logs) == [('d', 1), ('d@2', 1)]


def test_a_record_is_of_a_whole_split_and_names_lost_sessions(lossy, tmp_path, capsys, caplog):
    assert export(lossy, '--to', 'every_eval_ever', '--out', tmp_path / 'whole') == 1
    capsys.readouterr()
    (path,) = tmp_path.glob('whole/data/*/*/*/*.json')
    details = json.loads(path.read_text())['evaluation_results'][0]['generation_config']['additional_details']
    lost = f'model/small: {UNFINISHED}: math/b'
    assert (details['harness_errors'], details['left_out']) == ('1', lost)
    run = shutil.copytree(lossy, tmp_path / 'run')
    (run / 'results/model/hard.json').unlink()
    assert export(run, '--to', 'every_eval_ever', '--out', tmp_path / 'part') == 2
    says = '0 records, and none of model on small (hard): that is not scored'
    assert capsys.readouterr().err == f'cibench: error: {tmp_path}/part: {says}\n'
    assert 'model/hard: not scored: no results' in caplog.text
    assert not (tmp_path / 'part').exists()


def test_a_record_has_passes_and_what_each_session_took(tmp_path):
    """Of two experiments in two epochs, one is right in both and the other in the first."""
    reply = Reply(text='', tokens_in=40, tokens_out=5, cached_tokens=30, reasoning_tokens=2, seconds=1.5, cached=True)
    made = {'reply': reply, 'others': [Call(action=Action())], 'messages': [{'role': 'assistant', 'content': ''}]}
    trace = session_trace(step_trace(attempted(shown('1')).model_copy(update=made)))
    scored, sessions = [], []
    for epoch, ends in ((1, ('correct', 'correct')), (2, ('correct', 'wrong'))):
        steps = [step(0, f'x/{n}', outcome=end, numeric_correct=float(end == 'correct')) for n, end in enumerate(ends)]
        scored.append(result(steps=steps, dataset='d', epoch=epoch))
        named = {'dataset': scored[-1].dataset, 'epoch': epoch, 'seconds': 4.0}
        sessions += [trace.model_copy(update=named | {'experiment': f'x/{n}'}) for n in range(2)]
    model = {'abbr': 'm', 'type': 'cibench_eval.models.OpenAICompatible', 'price': {'input': 1000}}
    run = write_run(tmp_path / 'run', scored, sessions, models=[model])
    assert export(run, '--to', 'atif', '--out', tmp_path / 'atif') == 0
    told = (tmp_path / 'atif/m/d/x/0.json').read_text()
    assert '"total_prompt_tokens": 40' in told and '"cost"' not in told, 'a cached reply is not paid for'
    assert export(run, '--to', 'every_eval_ever', '--out', tmp_path / 'out') == 0
    (path,) = tmp_path.glob('out/data/*/*/*/*_samples.jsonl')
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert [[*row['evaluation'].values()] for row in rows] == [[100, True, 1, 2]] * 3 + [[0, False, 1, 2]]
    assert [*rows[0]['token_usage'].values()] == [40, 5, 45, 30, 2]
    assert [*rows[0]['performance'].values()][:2] == [4000, 1500]
    record = json.loads(path.with_name(path.name.replace('_samples.jsonl', '.json')).read_text())
    found = {one['metric_config']['metric_name']: one['score_details'] for one in record['evaluation_results']}
    assert (found['E-pass@2']['score'], found['E-pass^2']['score'], found['E-Num']['score']) == (100, 50, 75)
    interval = found['E-Num']['uncertainty']['confidence_interval']
    assert interval['lower'] < 75 < interval['upper'] and found['E-Num']['uncertainty']['num_samples'] == 2


def test_a_record_says_that_ssim_may_be_below_0(tmp_path):
    metrics = {'vis': 'vis_sim', 'num': 'numeric_correct', 'text': 'text_score'}
    steps = [
        step(index, kind=kind, outcome='wrong', **{name: -0.5 * (kind == 'vis')})
        for index, (kind, name) in enumerate(metrics.items())
    ]
    session = session_trace(*(step_trace(index=index) for index in range(3)), experiment='x/0')
    sessions = [session.model_copy(update={'dataset': f'd_{mode}', 'mode': mode}) for mode in MODES]
    scored = [result(mode, steps, dataset=f'd_{mode}', split='d') for mode in MODES]
    run = write_run(tmp_path / 'run', scored, sessions)
    assert export(run, '--to', 'every_eval_ever', '--out', tmp_path / 'out') == 0
    (path,) = tmp_path.glob('out/data/*/*/*/*.json')
    found = [
        (one['metric_config'], one['score_details']['score'])
        for one in json.loads(path.read_text())['evaluation_results']
    ]
    assert {about['min_score'] for about, _ in found} == {0, -100}
    assert all(about['min_score'] <= score for about, score in found)
    assert [score < 0 for about, score in found if about['metric_id'] == 'cibench.average'] == [True]
