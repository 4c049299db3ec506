"""Run folders of strangers: nothing that one holds acts, whatever command reads it; each of its wrongs is a line."""

import json
import os
import shutil
from base64 import b64encode
from functools import reduce
from operator import getitem
from pathlib import Path

import pytest

from cibench_eval import cli
from cibench_eval.analysis.results import Results
from tests.support import runs
from tests.support.notebooks import change_config, forge, notebook
from tests.support.pngs import noise
from tests.support.runs import SMALL, run_here
from tests.support.scoring import links

pytestmark = pytest.mark.kernel
JUDGES = """
from cibench_eval.evaluators.judges import FailureJudge
from cibench_eval.models import ScriptReplay

judges = [dict(abbr='why', type=FailureJudge, model=dict(type=ScriptReplay, abbr='j', replies=[]))]
"""
READERS = {
    'status': [['status', '{run}']],
    'show': [['show', '{run}'], ['show', '{run}', 'math/a', '--dataset', 'small'], ['show', '{run}', '--json']],
    'view': [['view', '{run}', '--no-open']],
    'leaderboard': [['leaderboard', '{run}']],
    'analyse': [['analyse', '{run}']],
    'compare': [['compare', '{run}', '{run}']],
    'export': [['export', '{run}', '--to', form] for form in ('notebooks', 'inspect', 'csv')],
    'score': [['score', '{run}'], ['score', '{run}', '--profile', 'strict'], ['score', '{run}', '--replay']],
    'judge': [['judge', '{run}', '--config', '{run}/../judges.py', '--metric', 'errors']],
    'agreement': [['agreement', '{run}']],
}
NO_READERS = {
    *('run', 'configs', 'doctor', 'kernel', 'exec', 'model', 'server', 'data', 'construct', 'serve', 'env'),
    'trust',  # which executes what it is told to
}
COMMANDS = [words for many in READERS.values() for words in many]
EVIL = """
from pathlib import Path
Path({mark!r}).touch()
class Evil:
    def __init__(self, **options): Path({mark!r}).touch()
PROFILE = FORMAT = None
"""


@pytest.fixture
def run(finished, tmp_path, monkeypatch):
    """The folder as a stranger may send it: what it says is not what was written here."""
    copy = shutil.copytree(finished, tmp_path / 'theirs' / 'run')
    (tmp_path / 'theirs' / 'judges.py').write_text(JUDGES)
    evil = tmp_path / 'modules' / 'evil_module.py'
    evil.parent.mkdir()
    evil.write_text(EVIL.format(mark=str(tmp_path / 'mark')))
    monkeypatch.syspath_prepend(evil.parent)
    change_config(copy, lambda cfg: cfg.update(work_dir='elsewhere'))
    return copy


def cibench(run, words):
    done = runs.cibench(*(word.format(run=run) for word in words))
    return done.returncode, done.stderr


def around(run):
    """What is beside the run, where no reader has any business."""
    place = run.parents[1]
    return {
        str(path): path.read_bytes() if path.is_file() else b''
        for path in place.rglob('*')
        if run not in (path, *path.parents) and '__pycache__' not in path.parts
    }


def refused(run, *said, commands=COMMANDS):
    """Every command ends in one line, and has done nothing."""
    before = around(run)
    for words in commands:
        code, err = cibench(run, words)
        assert code == 2, (words, err)
        assert len(err.splitlines()) == 1, (words, err)
        assert all(one in err for one in said), (words, err)
        assert around(run) == before, words


def read(run):
    """Every command that runs no code does its work; nothing is judged, so nothing agrees."""
    for words in COMMANDS:
        if words[0] != 'agreement' and '--replay' not in words:
            code, err = cibench(run, words)
            assert code == 0, (words, err)


def test_every_command_is_known_to_read_runs_or_not():
    assert {*READERS, *NO_READERS} == {*cli.COMMANDS}


def test_python_is_never_executed(run, tmp_path):
    """Beside data it is passed over, alone it is refused."""
    (data,) = (run / 'configs').glob('*.json')
    python = data.with_suffix('.py')
    python.write_text(EVIL.format(mark=str(tmp_path / 'mark')) + python.read_text())
    data.with_name('20990101_000000_1.py').write_text(python.read_text())
    read(run)
    data.unlink()
    refused(run, 'cibench trust')
    assert not (tmp_path / 'mark').exists()


def names_a_model(cfg):
    for model in cfg['models']:
        model.update(type='evil_module.Evil', key='HOME', base_url='http://127.0.0.1:9')


def names_an_agent(cfg):
    for part in (cfg['agents'][0]['protocol'], *(one['infer_cfg']['inferencer'] for one in cfg['datasets'])):
        part['type'] = 'evil_module.Evil'


def names_no_agent(cfg):
    del cfg['agents'][0]['abbr']


@pytest.mark.parametrize('edit', [names_a_model, names_an_agent, names_no_agent])
def test_what_runs_sessions_is_never_built(run, tmp_path, edit):
    change_config(run, edit)
    read(run)
    assert not (tmp_path / 'mark').exists()


def of_datasets(*place, **values):
    def edit(cfg):
        for part in cfg['datasets']:
            reduce(getitem, place, part).update(values)

    return edit


EDITS = {
    'dataset': (of_datasets(type='evil_module.Evil'), "type 'evil_module.Evil' is not of this package"),
    'builtin function': (of_datasets(type='builtins.exec'), "type 'builtins.exec' is not of this package"),
    'program': (of_datasets(type='subprocess.run', args=['touch', 'mark']), 'subprocess.run'),
    'own class of another kind': (of_datasets(type='cibench_eval.opencompass.SlurmRunner'), 'SlurmRunner'),
    'own module': (of_datasets(type='cibench_eval.start.main'), 'start.main'),
    'format': (of_datasets(format='evil_module.FORMAT'), "format 'evil_module.FORMAT' is not of this package"),
    'evaluator': (of_datasets('eval_cfg', 'evaluator', type='evil_module.Evil'), 'is not of this package'),
    'profile': (of_datasets('eval_cfg', 'evaluator', profile='evil_module.PROFILE'), 'is not of this package'),
    'summarizer': (lambda cfg: cfg['summarizer'].update(type='evil_module.Evil'), 'summarizer: type '),
    'pairs': (
        lambda cfg: cfg.update(
            model_dataset_combinations=[
                {'models': cfg['models'], 'datasets': [{**cfg['datasets'][0], 'type': 'evil_module.Evil'}]}
            ]
        ),
        'is not of this package',
    ),
    'name of a model': (lambda cfg: cfg['models'][0].update(abbr='../../x'), "models[0]: abbr is '../../x'"),
    'name of a dataset': (of_datasets(abbr='/tmp/x'), "datasets[0]: abbr is '/tmp/x'"),
    'name of an agent': (lambda cfg: cfg['agents'][0].update(abbr='../x'), "agents[0]: abbr is '../x'"),
    'a profile that is a number': (of_datasets('eval_cfg', 'evaluator', profile=5), 'profile'),
    'folder of results': (of_datasets('eval_cfg', folder='../../x'), "folder is '../../x'"),
}


@pytest.mark.parametrize('edit', EDITS)
def test_what_is_not_of_this_package_is_refused_before_it_is_imported(run, tmp_path, edit):
    makes, said = EDITS[edit]
    change_config(run, makes)
    refused(run, said)
    assert not (tmp_path / 'mark').exists()


def test_what_no_reader_takes_is_of_no_type(run):
    change_config(run, lambda cfg: cfg['summarizer'].update(format=5))
    assert cibench(run, ['status', '{run}'])[0] == 0


@pytest.mark.parametrize('content', ['{"a": 1}', '['])
def test_what_is_no_config_cannot_be_trusted(run, content):
    (data,) = (run / 'configs').glob('*.json')
    data.write_text(content)
    code, said = cibench(run, ['trust', '{run}'])
    assert (code, str(data) in said) == (2, True)


def link_out(run, tmp_path):
    shutil.rmtree(run / 'results')
    (run / 'results').symlink_to(tmp_path)


def link_a_file(run, tmp_path):
    (tmp_path / '.bashrc').touch()
    (run / 'results/gold-replay/small.replay.jsonl').symlink_to('../../../../.bashrc')


def make_a_pipe(run, tmp_path):
    (run / 'predictions/gold-replay/small.json').unlink()
    os.mkfifo(run / 'predictions/gold-replay/small.json')


@pytest.mark.parametrize('make', [link_out, link_a_file, make_a_pipe])
def test_links_out_of_the_folder_and_pipes_are_refused(run, tmp_path, make):
    make(run, tmp_path)
    refused(run, 'leads out of the run folder, or is no file', 'cibench trust')


def named(run, *said, commands):
    """Every command names what it does not take, and has done nothing else."""
    before = around(run)
    for words in commands:
        _, err = cibench(run, words)
        assert all(one in err for one in said), (words, err)
        assert around(run) == before, words


@pytest.mark.parametrize('wrong', ['../../../../math/a', '/tmp/math/a', 'math/\\u0000'])
def test_the_id_of_an_experiment_leads_out_of_no_folder(run, wrong):
    path = run / 'predictions/gold-replay/small.traces.jsonl'
    forge(path, '"math/a"', f'"{wrong}"')
    named(run, 'experiment: ', 'it leads out of a folder', commands=READERS['export'])


@pytest.fixture
def drawn(run, tmp_path):
    """How the run is scored if another program's predictions name a figure at a path: what is said, and the scores."""
    picture = {'output_type': 'display_data', 'metadata': {}, 'data': {'image/png': b64encode(noise()).decode()}}
    content = notebook(('vis', 'Draw.', 'draw()', ''))
    content['cells'][1]['outputs'] = [picture]
    (tmp_path / 'set/math').mkdir(parents=True)
    (tmp_path / 'set/math/a.ipynb').write_text(json.dumps(content))
    change_config(run, of_datasets(path=str(tmp_path / 'set')))
    for path in run.rglob('*.traces.jsonl'):
        path.unlink()

    def score(figure):
        for path in run.glob('predictions/*/*.json'):
            path.write_text(json.dumps({'0': {'steps': [[links(figure)]]}}))
        return cibench(run, ['score', '{run}'])[1], Results.read(run / 'results/gold-replay/small.json').steps

    return score


@pytest.mark.parametrize(
    'figure', ['/proc/kmsg', '{run}/../x.png', '{run}/none/../../x.png', '{here}/x.png', '{near}/x.png']
)
def test_a_figure_that_predictions_name_leads_out_of_no_folder(run, drawn, figure):
    """`/proc/kmsg` has no end; `{near}` begins as the run's own name does. None is opened, and none is scored."""
    places = {'run': run, 'here': os.path.relpath(run.parent), 'near': f'{run}s'}
    Path(f'{run}s').mkdir()
    for path in (run.parent / 'x.png', Path(f'{run}s/x.png')):
        path.write_bytes(noise())
    _, before = drawn(run / 'none.png')
    err, after = drawn(figure.format(**places))
    assert 'leads out of the run folder, which `cibench trust` allows' in ' '.join(err.split())
    assert after == before


def test_a_figure_that_predictions_name_is_found_in_the_folder_and_where_the_reader_trusts_it(run, drawn):
    for place in (run / 'more/a.png', run / 'predictions/gold-replay/figures/b.png', run.parent / 'c.png'):
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(noise())
    for figure in (run / 'more/a.png', os.path.relpath(run / 'more/a.png'), '/old/place/b.png'):
        assert drawn(figure)[1][0].values['vis_sim'] > 0.99
    assert 'leads out' in drawn(run.parent / 'c.png')[0]
    assert cibench(run, ['trust', '{run}'])[0] == 0
    assert drawn(run.parent / 'c.png')[1][0].values['vis_sim'] > 0.99
    assert drawn('/proc/kmsg')[1][0].values['vis_sim'] == 0  # and is not waited for
    with (run / 'large.png').open('wb') as file:
        file.truncate(10**12)
    assert '100000000 are allowed' in ' '.join(drawn(run / 'large.png')[0].split())


def test_a_profile_that_results_name_is_not_imported(run, tmp_path):
    path = run / 'results/gold-replay/small.json'
    forge(path, '"profile": "official"', '"profile": "evil_module.PROFILE"')
    names = ('show', 'view', 'leaderboard', 'analyse', 'compare', 'export')
    commands = [words for name in names for words in READERS[name]]
    named(run, "profile 'evil_module.PROFILE' is not of this package", commands=commands)
    assert not (tmp_path / 'mark').exists()


def test_code_is_run_again_only_of_a_trusted_run(run):
    refused(run, '--replay runs the code that the folder holds', 'cibench trust', commands=READERS['score'][2:])
    change_config(run, of_datasets('infer_cfg', 'inferencer', kernels={'sandbox': 'none', 'environment': '/bin/sh'}))
    refused(run, '--replay runs the code that the folder holds', 'cibench trust', commands=READERS['score'][2:])


def test_a_run_of_ones_own_is_trusted_wherever_it_is(finished, tmp_path):
    copy = shutil.copytree(finished, tmp_path / 'copy')
    assert cibench(copy, ['score', '{run}', '--replay'])[0] == 0


def test_an_old_run_is_read_when_its_reader_trusts_it(run):
    """Of a version that wrote Python alone."""
    (data,) = (run / 'configs').glob('*.json')
    data.unlink()
    assert cibench(run, ['trust', '{run}'])[0] == 0
    assert cibench(run, ['score', '{run}', '--replay'])[0] == 0
    assert cibench(run, ['show', '{run}'])[0] == 0


DAMAGE = {
    'nested': (b'{"models":' + b'[' * 400 + b']' * 400 + b'}', 'is nested too deep'),
    'a list': (b'[1]', 'no config of a run: it is [1]'),
    'no models': (b'{}', 'no config of a run: '),
    'texts': (b'{"models": "x", "datasets": "y", "summarizer": 3}', 'no config of a run: '),
}


@pytest.mark.parametrize('damage', DAMAGE)
def test_a_config_that_is_damaged_is_a_line(run, damage):
    content, cause = DAMAGE[damage]
    (path,) = (run / 'configs').glob('*.json')
    path.write_bytes(content)
    refused(run, f'{path}: {cause}', '; copy the run folder again')


def test_a_folder_in_the_place_of_a_config_is_a_line(run):
    (path,) = (run / 'configs').glob('*.json')
    path.unlink()
    path.mkdir()
    refused(run, f'{path}: is no file')


WRONG = {
    'epochs': lambda cfg: cfg.update(epochs='many'),
    'mode': of_datasets('infer_cfg', 'inferencer', mode=['oracle']),
    'tolerance': of_datasets('eval_cfg', 'evaluator', tolerance='small'),
    'experiments': of_datasets(experiments=[1]),
    'price': lambda cfg: cfg['models'][0].update(price='cheap'),
    'agents': lambda cfg: cfg.update(agents=7),
    'pairs': lambda cfg: cfg.update(model_dataset_combinations=[7]),
    'limits': lambda cfg: cfg.update(limits={'session_tokens': 'many'}),
    'abbr': of_datasets(abbr=7),
    'groups': lambda cfg: cfg['summarizer'].update(summary_groups=7),
    'path': of_datasets(path={}),
}


@pytest.mark.parametrize('edit', WRONG.values(), ids=WRONG)
def test_a_config_of_another_shape_is_a_line(run, edit):
    change_config(run, edit)
    refused(run, 'json: ', '; copy the run folder again')


def test_what_runs_write_is_read_by_runs(finished, tmp_path, monkeypatch, capsys):
    """The file of data is all that `-r` needs."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(finished.parents[1], tmp_path / 'project')
    (run,) = Path('project/out').iterdir()
    for path in (run / 'configs').glob('*.py'):
        path.write_text('raise SystemExit')
    run_here(Path('project'), *SMALL, '-r')
    assert f'run folder: {run}' in capsys.readouterr().out
