"""What the documentation tells people to type: every command line is understood, and is run where it can be here."""

import re
import shlex
import sys
from itertools import pairwise
from pathlib import Path

import pytest
import typer

from cibench_eval import cli
from cibench_eval.config.assembly import assembled
from cibench_eval.config.checks import check_list_file
from cibench_eval.config.config_files import read
from cibench_eval.config.recorded import as_data
from cibench_eval.config.session_tasks import run_of
from cibench_eval.evaluators.metrics import BY_NAME
from cibench_eval.qwen_ci import program as qwen_ci
from cibench_eval.run.arguments import parser
from cibench_eval.run.main import main
from tests.support.documented import BLOCK, file_in
from tests.support.notebooks import config_folder, small_set
from tests.support.viewer_runs import two_models

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / 'README.md', *sorted((ROOT / 'docs').glob('*.md')), ROOT / 'distributions/interpreter/README.md']
INLINE = re.compile(r'`((?:cibench|python run\.py|python -m cibench_eval\.\w+) [^`\n]+)`')
PROGRAMS = ('cibench ', 'python run.py', 'python -m cibench_eval.')


def lines_of(page):
    """The command lines in a page's blocks, without comments and without `…`, which is what was said before."""
    blocks = '\n'.join(BLOCK.findall(page.read_text(encoding='utf-8')))
    for line in blocks.splitlines():
        for part in re.sub(r'(^|\s)#\s.*$', '', line.removeprefix('$ ').strip()).split('&&'):
            command = part.split('|')[-1].strip()
            if command.startswith(PROGRAMS):
                yield (
                    re.sub(r'\s*(\.\.\.|…)(?=\s|$)', '', command).replace('[flags]', '').replace('[CONFIG]', '').strip()
                )


def names_of(page):
    """The commands that its sentences name, which may lack what has to stand behind them."""
    return {line for line in INLINE.findall(page.read_text(encoding='utf-8')) if line.startswith('cibench ')}


COMMANDS = sorted({line for page in PAGES for line in lines_of(page)})
NAMED = sorted({line for page in PAGES for line in names_of(page)} - set(COMMANDS))
CIBENCH = [line for line in COMMANDS if line.startswith('cibench ') and '/' not in line.split()[1]]
RUN_PY = [line for line in COMMANDS if line.startswith('python run.py ')]


def test_there_are_commands():
    assert len(CIBENCH) > 40 and len(RUN_PY) > 8 and len(NAMED) > 20


@pytest.mark.parametrize('page', PAGES, ids=[page.name for page in PAGES])
def test_extras_are_installed_into_the_clone_that_is_there(page):
    """Without `-e` a copy takes the place of what `make setup` has installed, and later edits change nothing."""
    assert not re.search(r"pip install '?\.(\[|\s)", page.read_text(encoding='utf-8'))


def understood(line):
    """Whether a command is there, and so is every flag. Values that a reader fills in stand as they are."""
    words = [word for word in shlex.split(line)[1:] if word not in ('[PATH', '…]')]
    command, context = typer.main.get_command(cli.app), None
    while hasattr(command, 'get_command') and words:
        context = typer.Context(command, info_name='cibench', parent=context)
        name, *words = words
        found = command.get_command(context, name)
        assert found is not None, f'{line}: no command {name}'
        command = found
    if words:
        command.make_context('cibench', words)


@pytest.mark.parametrize('line', CIBENCH)
def test_every_line_of_cibench_is_understood(line, tmp_path, monkeypatch):
    config = tmp_path / 'outputs/demo/20260101_000000/configs/run.json'
    config.parent.mkdir(parents=True)
    config.touch()
    monkeypatch.chdir(tmp_path)
    understood(line)


@pytest.mark.parametrize('line', NAMED)
def test_every_command_that_a_sentence_names_is_understood(line):
    try:
        understood(line)
    except typer.TyperException as error:
        assert 'Missing' in str(error), line


@pytest.mark.parametrize('line', RUN_PY)
def test_every_line_of_run_py_is_understood(line):
    """Its flags are there, and the files of `configs/` that it names; `my_model` and `mine` are the reader's own."""
    found = parser().parse_args(shlex.split(line)[2:])
    for kind in ('models', 'datasets', 'agents'):
        for name in getattr(found, kind):
            file = ROOT / 'configs' / kind / f'{name.partition("/")[0]}.py'
            assert name in ('my_model', 'mine') or file.exists(), f'{line}: no {file.name} in configs/{kind}'
    assert found.config in (None, 'CONFIG') or (ROOT / found.config).exists(), line


@pytest.mark.parametrize('line', [line for line in COMMANDS if line.startswith('python -m cibench_eval.qwen_ci ')])
def test_every_line_of_qwen_ci_is_understood(line):
    qwen_ci.parser().parse_args(shlex.split(line)[3:])


@pytest.mark.parametrize('line', [line for line in CIBENCH if 'outputs/demo/' in line and '--dataset ' in line])
def test_a_line_about_the_demo_names_a_model_and_a_dataset_of_the_demo(line):
    words = shlex.split(line)
    model, dataset = (words[words.index(flag) + 1] for flag in ('--model', '--dataset'))
    run = run_of(as_data(assembled(parser().parse_args([str(ROOT / 'configs/eval_demo.py')]))))
    assert (model, dataset) in {(task.model_name, task.dataset_name) for task in run.tasks}


# --- Run them ----------------------------------------------------------------------------------------------------


OF_DATA = ('data export', 'data list')
HERE = ('analyse', 'compare', 'doctor', 'exec', 'export', 'kernel list', 'leaderboard', 'score', 'show', *OF_DATA)
"""Commands that are run here; the others have tests of their own, or need a model, the internet, or minutes."""
RUNS = ('outputs/demo/TIMESTAMP', 'outputs/demo/EARLIER', 'outputs/*/TIMESTAMP', 'RUN1', 'RUN2', 'RUN')
NAMES = {'smollm2-135m': 'good', 'gold-replay': 'evil', 'gpt-4o': 'good', 'grouping_penguins:3': 'penguins:3'}
NAMES |= {'pandas/grouping_penguins:3': 'pandas/penguins:3', 'demo_slice': 'examples'}


OWN = ('--to wandb-offline',)
"""What needs packages that the environment of the tests has not; tests/integrations runs it elsewhere."""


def typed(line):
    """The words of a command, with the names that are here."""
    words = [NAMES.get(word, 'run' if word in RUNS else word) for word in shlex.split(line)[1:]]
    return ['examples' if (before, word) == ('--dataset', 'demo') else word for before, word in pairwise(['', *words])]


def runnable():
    """Each command once, however a page names the run."""
    for line in CIBENCH:
        command = line.removeprefix('cibench ')
        if command.startswith(HERE) and command not in HERE and not line.endswith(OWN):
            yield ' '.join(typed(line)).replace('outputs/demo/latest', 'run'), line


@pytest.fixture(scope='module')
def place(tmp_path_factory):
    """A folder with what the documentation's readers have: a run, a script, a table of other benchmarks."""
    folder = tmp_path_factory.mktemp('reader')
    (folder / 'outputs/demo').mkdir(parents=True)
    run = two_models(folder)
    for name in ('run', 'outputs/demo/20260101_000000'):
        (folder / name).symlink_to(run)
    (folder / 'my_profile.py').write_text(file_in('metrics.md', 'my_profile.py'))
    (folder / 'analysis.py').write_text('print(6 * 7)')
    (folder / 'my_data').mkdir()
    (folder / 'others.csv').write_text('model,GSM8K\ngood,1\n')
    yield folder
    BY_NAME.pop('short_code', None)  # the metric of that profile


@pytest.mark.kernel
@pytest.mark.soak
@pytest.mark.parametrize('line', dict(runnable()).values())
def test_what_can_be_run_here_runs(line, place, monkeypatch, capsys):
    monkeypatch.chdir(place)
    monkeypatch.setattr(sys, 'stdin', type('Text', (), {'read': staticmethod(lambda *_: 'print(1)')}))
    code = cli.main(typed(line))
    said = capsys.readouterr()
    assert code in (0, 1), f'{line}: {said.err}'
    assert 'Traceback' not in said.err


@pytest.mark.kernel
@pytest.mark.soak
@pytest.mark.parametrize('line', [line for line in RUN_PY if '--datasets' in line and not line.endswith(' mine')])
def test_every_run_of_named_datasets_can_be_begun(line, tmp_path, monkeypatch, capsys):
    """All but asking the model: the data are there. tests/opencompass/test_configs.py begins the runs of configs."""
    words = [{'my_model': 'gold_replay'}.get(word, word) for word in shlex.split(line)[2:]]
    monkeypatch.chdir(ROOT)
    assert main([*words, '--dry-run', '-w', str(tmp_path)]) == 0, capsys.readouterr()


@pytest.mark.kernel
def test_a_set_and_an_agent_of_the_readers_own_run_as_they_are_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    small_set(tmp_path / 'my_notebooks').rename(tmp_path / 'my_notebooks/cibench_template')
    configs = config_folder(tmp_path, 'my_notebooks/cibench_template')
    (configs / 'datasets/mine.py').write_text(file_in('datasets.md', 'configs/datasets/mine.py'))
    for name in ('mine', 'my_react'):
        (configs / f'agents/{name}.py').write_text(file_in('agents.md', f'configs/agents/{name}.py'))
    (tmp_path / 'my_agent.py').write_text(file_in('agents.md', 'my_agent.py'))
    words = ['--models', 'gold_replay', '--datasets', 'mine']
    assert main([*words, '--agents', 'my_react', '-w', 'out']) == 0
    assert main([*words, '--agents', 'mine', '--dry-run']) == 0


def test_judges_of_the_readers_own_are_as_they_are_written(tmp_path):
    path = tmp_path / 'mine.py'
    path.write_text(file_in('metrics.md', 'configs/judges/mine.py'))
    check_list_file(read(path), path, 'judges')


# --- The site ----------------------------------------------------------------------------------------------------


@pytest.mark.soak
def test_the_site_is_built_without_a_warning_and_fetches_nothing(tmp_path, monkeypatch):
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    monkeypatch.chdir(ROOT)
    config = load_config(str(ROOT / 'mkdocs.yml'), site_dir=str(tmp_path / 'site'))
    build(config)
    site = tmp_path / 'site'
    shown = {page: page.read_text(encoding='utf-8') for page in site.rglob('*.html')}
    assert 'Quick start' in shown[site / 'index.html']
    assert 'KernelSettings' in shown[site / 'api/interpreter.html']
    assert 'cibench data check' in shown[site / 'commands.html']
    for page, text in shown.items():
        fetched = re.findall(r'<(?:script|img|link)[^>]+(?:src|href)="(https?:[^"]+)"', text)
        assert not fetched, f'{page.name}: {fetched}'
