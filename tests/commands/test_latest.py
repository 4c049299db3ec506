"""Run folders that are named by their work dir: `latest`, and what is said of a folder that only holds runs."""

import shutil

import pytest

from cibench_eval import cli
from tests.support.viewer_runs import two_models

pytestmark = pytest.mark.kernel
EARLIER, LATER = '20260101_000000', '20260102_000000'


@pytest.fixture(scope='module')
def work_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp('latest')
    run = two_models(folder)
    place = folder / 'outputs/demo'
    for name in (EARLIER, LATER):
        shutil.copytree(run, place / name)
    (place / '20260103_000000').mkdir()  # no run: nothing was begun in it
    return place


@pytest.mark.parametrize('command', ['status', 'show', 'leaderboard', 'compare', 'analyse', 'export'])
def test_latest_is_the_newest_run(command, work_dir, capsys):
    compared = [str(work_dir / EARLIER), '--model-a', 'good', '--model-b', 'good']
    more = {'compare': compared, 'export': ['--to', 'csv']}.get(command, [])
    assert cli.main([command, str(work_dir / 'latest'), *more]) == 0
    said = capsys.readouterr().out
    assert cli.main([command, str(work_dir / LATER), *more]) == 0
    assert said == capsys.readouterr().out != ''


def test_a_folder_of_runs_is_told_from_one_run(work_dir, capsys):
    assert cli.main(['show', str(work_dir)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    runs = ', '.join(str(work_dir / name) for name in (LATER, EARLIER))
    assert line == (
        f'cibench: error: {work_dir}: no run folder, but it has some: name one of {runs}, or {work_dir / "latest"}'
    )


def test_latest_of_nothing_is_said(work_dir, tmp_path, capsys):
    outputs = work_dir.parent
    assert cli.main(['show', str(outputs / 'latest')]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(f'there is no run in {outputs}; name {work_dir / "latest"}')
    assert cli.main(['view', str(tmp_path / 'latest')]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line == (
        f'cibench: error: {tmp_path / "latest"}: there is no run in {tmp_path}; '
        'name the folder that runs were given with -w, as in outputs/demo/latest'
    )
    assert cli.main(['view', str(tmp_path / 'nowhere/latest')]) == 2
    assert 'there is no run in' in capsys.readouterr().err


def test_what_is_written_into_latest_is_in_the_newest_run(work_dir, capsys):
    latest = work_dir / 'latest'
    assert cli.main(['export', str(latest), '--to', 'csv', '--out', str(latest / 'new/steps.csv')]) == 0
    assert (work_dir / LATER / 'new/steps.csv').is_file()
    assert not latest.exists()
    latest.mkdir()  # as others may have made it
    assert cli.main(['show', str(latest)]) == 0
