"""Harbor: tasks in its format, whose verifier gives the scores of `run.py`.

No container runs here. The verifier runs as its script says, and in the soak with nothing but the packages and the
archive that its image gets; Harbor's own package reads the tasks there.
"""

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.integrations.harbor_verifier import AnswerFiles
from cibench_eval.integrations.sessions import PROTOCOLS
from cibench_eval.models.base import Turn
from tests.support.integrations import WRONG, by_run_py, harbor_python, solved, verified, verifier_python, wrong
from tests.support.notebooks import EXAMPLES

pytestmark = pytest.mark.kernel


def exported(out, notebooks=EXAMPLES, *words):
    assert cli.main(['data', 'export', str(notebooks), '--to', 'harbor', '--out', str(out), *words]) == 0
    return out


@pytest.fixture(scope='module')
def tasks(tmp_path_factory):
    return exported(tmp_path_factory.mktemp('harbor') / 'tasks')


def missing(code, index, _=None):
    """What `wrong` says in the end: the second step fails, the third shows too much."""
    return wrong(code, index, 2)


def spoiled(answers):
    for index, path in enumerate(sorted(answers.iterdir())):
        path.write_text(missing(path.read_text(), index))
    return answers


def test_a_task_asks_every_question_and_keeps_gold_from_the_agent(tasks):
    experiments = load_experiments(EXAMPLES)
    assert sorted(path.name for path in tasks.iterdir()) == sorted(one.id.replace('/', '-') for one in experiments)
    for experiment in experiments:
        task = tasks / experiment.id.replace('/', '-')
        config = tomllib.loads((task / 'task.toml').read_text(encoding='utf-8'))
        assert (config['metadata']['experiment'], config['metadata']['steps']) == (experiment.id, len(experiment.steps))
        assert (config['verifier']['environment_mode'], config['artifacts']) == ('separate', ['/app/answers'])
        told = (task / 'instruction.md').read_text(encoding='utf-8')
        assert all(step.question.strip() in told for step in experiment.steps)
        assert ('请按顺序' in told) is (experiment.language == 'cn') and '`data/…`' in told
        seen = {path for path in (task / 'environment').rglob('*') if path.is_file()}
        with zipfile.ZipFile(task / 'environment/cibench_eval.zip') as archive:
            names = archive.namelist()
        assert {'cibench_eval/cli.py', 'cibench_eval/datasets/builtin_sets.py'} <= set(names)
        assert not [name for name in names if 'sets/' in name and name.endswith('/drawing.py')]
        assert not [name for name in [*names, *map(str, seen)] if name.endswith('.ipynb') or 'held_out/' in name]
        longest = max((step.code for step in experiment.steps), key=len).encode()
        assert not [path for path in (*seen, task / 'instruction.md') if longest in path.read_bytes()]


def test_the_images_of_all_tasks_share_their_layers_and_files_are_on_the_disk_once(tasks):
    tails = {'environment': 'COPY workspace/ /app/\n', 'tests': 'COPY . /tests\n'}
    files = {part: [task / part / 'Dockerfile' for task in tasks.iterdir()] for part in tails}
    assert {len({file.read_text() for file in found}) for found in files.values()} == {1}
    bases = [files[part][0].read_text().partition('ENV PATH')[0].partition(tail)[0] for part, tail in tails.items()]
    assert bases[0] == bases[1]
    for name in ('cibench_eval.zip', 'requirements.txt'):
        assert len({path.read_bytes() for path in tasks.glob(f'*/*/{name}')}) == 1
    assert len({path.stat().st_ino for path in tasks.rglob('penguins.csv')}) == 1


@pytest.fixture(scope='module')
def labelled(tmp_path_factory):
    (task,) = exported(tmp_path_factory.mktemp('labelled') / 'tasks', 'hard', '--only', '*/invoices_autumn').iterdir()
    return task


@pytest.fixture
def bare(tmp_path):
    """A PATH with what a task's script needs, and without bubblewrap."""
    (tmp_path / 'bin').mkdir()
    for name in ('sh', 'dirname', 'cp', 'rm'):
        (tmp_path / 'bin' / name).symlink_to(shutil.which(name))
    return tmp_path / 'bin'


@pytest.mark.soak
def test_the_verifier_gives_the_scores_of_run_py(tasks, tmp_path):
    """With nothing but the packages and the archive of its image."""
    python = verifier_python(tmp_path, tasks / 'pandas-penguins')
    for name in ('pandas-penguins', 'opencv-camera'):
        done, reward, _ = verified(tasks / name, solved(tasks / name, tmp_path / name), tmp_path / f'{name}-1', python)
        assert (done.returncode, reward['reward'], reward['whole_sessions']) == (0, 1, 1), done.stderr
    done, reward, scores = verified(
        tasks / 'pandas-penguins', spoiled(tmp_path / 'pandas-penguins'), tmp_path / 'wrong', python
    )
    expected = by_run_py(tmp_path).of(WRONG)
    assert scores == [one.model_dump(mode='json') for one in expected]
    right = [one.right for one in expected if one.right is not None]
    assert reward['reward'] == pytest.approx(sum(right) / len(right))
    assert 0 < sum(right) < len(right)
    chinese = tasks / 'matplotlib-weather_cn'
    answers = spoiled(solved(chinese, tmp_path / 'chinese'))
    _, *found = verified(chinese, answers, tmp_path / 'there', python)
    _, *expected = verified(chinese, answers, tmp_path / 'here')
    assert found == expected and 0 < found[0]['reward'] < 1


def hostile(answers, notebook):
    """Put in the place of answers what would hand on the gold, or never ends."""
    links, pipe = {2: notebook, 3: '/proc/self/mem', 4: 'step_04.py'}, answers / 'step_05.py'
    for number, to in links.items():
        (answers / f'step_{number:02}.py').unlink()
        (answers / f'step_{number:02}.py').symlink_to(to)
    pipe.unlink()
    os.mkfifo(pipe)


@pytest.mark.soak
def test_links_pipes_and_files_that_are_missing_or_too_large_get_no_reward(tasks, tmp_path):
    task, answers = tasks / 'pandas-penguins', solved(tasks / 'pandas-penguins', tmp_path / 'answers')
    hostile(answers, task / 'tests/set/pandas/penguins.ipynb')
    (answers / 'step_03.py').unlink()
    (answers / 'step_04.py').unlink()
    with (answers / 'step_04.py').open('wb') as file:
        file.truncate(10**9)
    done, reward, scores = verified(task, answers, tmp_path / 'logs')
    assert (done.returncode, reward['reward']) == (0, 0), done.stderr
    assert [one['outcome'] for one in scores] == ['ran', *['no_tool'] * 4]


def test_links_and_pipes_are_no_answers(tmp_path):
    """Neither in the place of a file nor of the folder is a link followed."""
    experiment = next(one for one in load_experiments(EXAMPLES) if one.id == 'pandas/penguins')
    answers = tmp_path / 'answers'
    answers.mkdir()
    for number in range(1, 6):
        (answers / f'step_{number:02}.py').write_text('x = 1', encoding='utf-8-sig')
    (tmp_path / 'link').symlink_to('answers')

    def replies(folder):
        model = AnswerFiles(folder, experiment, PROTOCOLS['code_block']())
        found = [asyncio.run(model.chat([], Turn(experiment.id, step, attempt=0))).text for step in range(5)]
        return ['\nx = 1' in text if text else None for text in found]

    assert replies(answers) == [True] * 5
    hostile(answers, experiment.path)
    assert replies(answers) == [True, *[None] * 4]
    (answers / 'step_05.py').unlink()
    (answers / 'step_05.py').write_text('x = 1')
    assert replies(answers) == [True, *[None] * 3, True]
    assert replies(tmp_path / 'link') == replies(answers / 'step_01.py') == replies(tmp_path / 'none') == [None] * 5


def test_tasks_whose_names_are_chinese_have_names_of_their_own(tmp_path):
    notebooks = tmp_path / '数据'
    notebooks.mkdir()
    for name in ('甲', '乙'):
        shutil.copyfile(EXAMPLES / 'matplotlib/weather_cn.ipynb', notebooks / f'{name}.ipynb')
    out = exported(tmp_path / 'out', notebooks, '--images', 'x.org/me')
    told = [path.read_text(encoding='utf-8') for path in out.glob('*/task.toml')]
    assert len({re.search('^name = .*', text, re.M)[0] for text in told}) == 2
    assert len({name for text in told for name in re.findall('^docker_image = .*', text, re.M)}) == 4


def test_a_fault_leaves_no_reward(tasks, tmp_path):
    task = shutil.copytree(tasks / 'pandas-penguins', tmp_path / 'task')
    (task / 'tests/set/pandas/penguins.ipynb').write_text('{')
    done, *found = verified(task, solved(task, tmp_path / 'answers'), tmp_path / 'logs')
    assert (done.returncode, found) == (2, [])
    assert 'harbor_verifier: error: ' in done.stderr


def test_what_cannot_be_written_is_one_line(tasks, tmp_path, capsys):
    words = ['data', 'export', str(EXAMPLES), '--to', 'harbor', '--out', str(tasks)]
    assert cli.main(words) == 2
    assert f'{tasks}: not empty; give a new folder' in ' '.join(capsys.readouterr().err.split())
    assert cli.main([*words[:-1], str(tmp_path / 'new'), '--environment', sys.executable]) == 2
    assert 'images are built of modern or paper alone' in ' '.join(capsys.readouterr().err.split())
    assert cli.main([*words[:-1], str(tmp_path / 'new'), '--images', 'Me/cibench:1/']) == 2
    assert 'images=Me/cibench:1/: no name of an image' in ' '.join(capsys.readouterr().err.split())


@pytest.mark.soak
def test_a_built_in_set_takes_its_labels_and_its_mark_along(labelled, bare, tmp_path):
    assert [path.name for path in (labelled / 'tests/held_out').iterdir()] == ['invoices_autumn.days.json']
    assert (labelled / 'instruction.md').read_text(encoding='utf-8').startswith('<!-- ')
    assert 'canary GUID' in (labelled / 'task.toml').read_text(encoding='utf-8').splitlines()[0]
    done, reward, _ = verified(labelled, solved(labelled, tmp_path / 'answers'), tmp_path / 'logs', path=bare)
    assert (done.returncode, reward['reward']) == (0, 1), done.stderr


GOLD = """
import json, pathlib
found = [*pathlib.Path({tests!r}).glob('set/**/*.*'), *pathlib.Path({tests!r}).glob('held_out/*')]
assert found
for path in found:
    if path.suffix == '.ipynb':
        cells = [cell for cell in json.loads(path.read_text())['cells'] if cell['cell_type'] == 'code']
        exec(''.join(cells[{index}]['source']), globals())
"""
MEMORY = """
for process in pathlib.Path('/proc').glob('[0-9]*'):
    if b'harbor_verifier\\0{tests}\\0' in (process / 'cmdline').read_bytes():
        (process / 'mem').open('rb').close()
"""


@pytest.mark.soak
def test_answers_that_look_for_the_gold_find_none_where_no_sandbox_hides_it(labelled, bare, tmp_path):
    """The files are away while they run, and there again for the next; the verifier's memory is its own."""
    answers, logs = solved(labelled, tmp_path / 'answers'), tmp_path / 'logs'
    before = {path: path.read_bytes() for path in (labelled / 'tests').rglob('*') if path.is_file()}
    for index, path in enumerate(sorted(answers.iterdir())):
        looking = GOLD.format(tests=f'{labelled}/tests', index=index)
        path.write_text(MEMORY.format(tests=f'{labelled}/tests') if index == 1 else looking)
    unable = [shutil.which('setpriv'), '--bounding-set=-all', '--inh-caps=-all'] if not os.getuid() else []
    done, reward, scores = verified(labelled, answers, logs, path=bare, under=unable)
    assert (done.returncode, reward['reward']) == (0, 0), done.stderr
    assert {one['outcome'] for one in scores} == {'exec_error'}
    assert {path: path.read_bytes() for path in before} == before


def test_gold_that_cannot_be_taken_away_leaves_no_reward(tasks, bare, tmp_path):
    task = tasks / 'pandas-penguins'
    answers = solved(task, tmp_path / 'answers')
    read_only = [shutil.which('bwrap'), '--dev-bind', '/', '/', '--ro-bind', task / 'tests', task / 'tests']
    done, *found = verified(task, answers, tmp_path / 'logs', path=bare, under=read_only)
    assert (done.returncode, found) == (2, [])
    (line,) = [line for line in done.stderr.splitlines() if 'error' in line]
    assert 'penguins' in line and f'mount {task}/tests writable, or let bubblewrap work here' in line


READ = """
import asyncio, importlib.util, json, pathlib, sys
from harbor.models.job.config import DatasetConfig
from harbor.models.task.task import Task
from harbor.models.task.verifier_mode import resolve_verifier_environment_definition
for number, one in enumerate(asyncio.run(DatasetConfig(path=pathlib.Path(sys.argv[1])).get_task_configs())):
    task = Task(one.path)
    verifier = resolve_verifier_environment_definition(task.config, task.paths)
    images = [task.config.environment.docker_image, verifier.config.docker_image]
    if images[0] and importlib.util.find_spec('verifiers'):
        from verifiers.v1.tasksets.harbor.taskset import HarborConfig, parse_task
        data = parse_task(one.path, number, HarborConfig())
        assert [data.image, data.verifier_image] == images
    print(json.dumps([task.name, verifier.bundled_tests, verifier.config.network_mode.value, *images]))
"""


def check_read(python, folder, image=None):
    """Hold tasks against what Harbor's reader of task sets makes of them, and that of verifiers where it is."""
    done = subprocess.run([python, '-P', '-c', READ, folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    told = {name: rest for name, *rest in map(json.loads, done.stdout.splitlines())}
    assert sorted(told) == [f'cibench/modern__{path.name}' for path in sorted(folder.iterdir())]
    images = [image and f'{image}/modern-pandas-penguins-{part}' for part in ('agent', 'verifier')]
    assert told['cibench/modern__pandas-penguins'] == [True, 'no-network', *images]


@pytest.mark.soak
def test_harbor_reads_the_tasks(tasks, tmp_path):
    check_read(harbor_python(tmp_path), tasks)
    check_read(harbor_python(tmp_path), exported(tmp_path / 'tasks', EXAMPLES, '--images', 'x.org/me'), 'x.org/me')
