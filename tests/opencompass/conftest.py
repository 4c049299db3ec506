"""A small set with the project's configs, and runs of it in the process of the tests."""

import pytest

from cibench_eval.run.main import main
from tests.support.held import held_model
from tests.support.notebooks import config_folder, small_set
from tests.support.runs import SMALL, in_process, run_here


@pytest.fixture
def project(tmp_path):
    """A folder with configs and a small set; runs go into its `out`."""
    config_folder(tmp_path, small_set(tmp_path / 'data'))
    return tmp_path


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """The folder of a run of the gold replay; tests copy it."""
    project = tmp_path_factory.mktemp('project')
    config_folder(project, small_set(project / 'data'))
    return run_here(project, *SMALL)


@pytest.fixture
def model():
    """A model whose answers may wait."""
    with held_model() as made:
        yield made


@pytest.fixture
def here(project, monkeypatch):
    """`run` in this process: no time goes into its start."""
    monkeypatch.chdir(project)
    return lambda *words: in_process(lambda: main([*words, '-w', str(project / 'out')]))
