"""`cibench run` and `cibench configs`: what a clone has, without one."""

import pytest
from rich.console import Console

from cibench_eval import cli
from tests.support.notebooks import REPO

pytestmark = pytest.mark.kernel


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize('name', ['eval_demo', 'eval_demo.py', 'configs/eval_demo.py'])
def test_a_config_of_the_package_is_run_by_its_name(name, capsys):
    assert cli.main(['run', name, '--models', 'gold_replay', '--dry-run']) == 0
    assert '  gold-replay × demo' in capsys.readouterr().out


def test_files_of_the_package_are_named_as_in_a_clone(capsys):
    assert cli.main(['run', '--models', 'gold_replay', '--datasets', 'demo_slice', '--dry-run']) == 0
    assert '  gold-replay × demo_slice' in capsys.readouterr().out


@pytest.mark.parametrize('name', ['eval_biltin', 'configs/eval_biltin.py'])
def test_a_name_that_is_nearly_one_is_told(name, capsys):
    assert cli.main(['run', name]) == 2
    assert 'eval_biltin.py: no such config file; there is eval_builtin' in capsys.readouterr().err


def test_a_path_of_another_folder_is_that_file_or_none(elsewhere, capsys):
    assert cli.main(['run', 'own/configs/eval_builtin.py']) == 2
    assert capsys.readouterr().err.startswith('error: own/configs/eval_builtin.py: no such config file')


@pytest.mark.parametrize('words', [['--no-such-flag'], ['eval_builtin', '-m', 'x']])
def test_a_wrong_flag_is_one_line_that_names_the_help(words, capsys):
    assert cli.main(['run', *words]) == 2
    said = capsys.readouterr().err
    assert said.endswith('see cibench run --help\n')
    assert said.count('\n') == 1


def test_the_command_that_goes_on_is_the_one_that_was_typed(capsys, monkeypatch):
    words = ['--models', 'gold_replay', '--datasets', 'demo_slice', '-w', 'out']
    monkeypatch.setattr('cibench_eval.run.stages.STAGES', {'infer': interrupted})
    assert cli.main(['run', *words]) == 130
    assert f'go on with: cibench run {" ".join(words)} -r ' in capsys.readouterr().err


def interrupted(*_):
    raise KeyboardInterrupt


def test_copied_configs_are_those_that_are_run(elsewhere, capsys):
    assert cli.main(['configs', 'copy']) == 0
    own = elsewhere / 'configs/eval_builtin.py'
    assert {path.name for path in (REPO / 'configs').rglob('*.py')} == {path.name for path in own.parent.rglob('*.py')}
    own.write_text(own.read_text() + '\nwork = 1\n')
    assert cli.main(['run', 'eval_builtin', '--dry-run']) == 2
    assert 'configs/eval_builtin.py: work: unknown' in capsys.readouterr().err
    (own.parent / 'eval_demo.py').unlink()
    assert cli.main(['configs', 'copy']) == 0
    assert 'configs: 1 config copied;' in capsys.readouterr().err and 'work = 1' in own.read_text()


def test_every_config_is_listed_with_a_sentence(capsys):
    assert cli.main(['configs', 'list']) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    paths = [path for path in (REPO / 'configs').rglob('*.py') if path.name[0] != '_']
    assert len(lines) == len(paths)
    assert all(len(line.split(maxsplit=1)) == 2 for line in lines)
    assert cli.main(['configs', 'list', 'agents']) == 0
    assert all(line.startswith('agents/') for line in capsys.readouterr().out.splitlines()[1:])


def test_a_narrow_terminal_cuts_no_name_of_a_config_and_no_word_of_a_sentence(capsys, monkeypatch):
    monkeypatch.setattr('cibench_eval.commands.configs.new_console', lambda: Console(width=80))
    assert cli.main(['configs', 'list']) == 0
    lines = capsys.readouterr().out.splitlines()
    names = {f'models/{path.stem}' for path in (REPO / 'configs/models').glob('[a-z]*.py')}
    assert names <= {line.partition(' ')[0] for line in lines}
    said = ' '.join(line[44:].strip() for line in lines)
    assert 'English and Chinese, end-to-end and oracle, scored by the `strict` profile.' in said


def test_a_runtime_that_is_like_no_other_is_told_all_that_there_are(capsys):
    assert cli.main(['run', '--models', 'gold_replay', '--datasets', 'demo_slice', '--runtime', 'foo']) == 2
    assert 'no file foo.py; there is local.py, paper.py, slurm.py' in capsys.readouterr().err


def test_a_folder_that_there_is_not_is_told_with_those_that_there_are(capsys):
    assert cli.main(['configs', 'list', 'model']) == 2
    assert 'there is no folder model; there is agents, datasets' in capsys.readouterr().err


def test_configs_of_ones_own_are_listed_too(elsewhere, capsys):
    models = elsewhere / 'configs/models'
    models.mkdir(parents=True)
    (models / 'mine.py').write_text('"""Mine.\n\nMore."""\nmodels = []\n')
    (models / 'gpt_4.py').write_text('models = [\n')
    (elsewhere / 'configs/eval_mine.py').write_text('"""My evaluation."""\n')
    assert cli.main(['configs', 'list']) == 0
    lines = [' '.join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert 'models/mine Mine.' in lines and 'eval_mine My evaluation.' in lines
    assert any(line.startswith('models/gpt_4 configs/models/gpt_4.py: no Python: ') for line in lines)
    names = {line.partition(' ')[0] for line in lines}
    assert {'models/gpt_4o', 'eval_demo'} <= names
    assert cli.main(['run', 'eval_demo', '--models', 'gold_replay', '--dry-run']) == 0
    assert '  gold-replay × demo' in capsys.readouterr().out
