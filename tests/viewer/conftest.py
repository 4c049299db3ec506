"""A run of two models, and its report."""

import pytest

from tests.support.viewer_runs import two_models
from tests.viewer.pages import write_report


@pytest.fixture(scope='session')
def run(tmp_path_factory):
    return two_models(tmp_path_factory.mktemp('project'))


@pytest.fixture(scope='session')
def report(run, tmp_path_factory):
    """Its folder."""
    folder = tmp_path_factory.mktemp('report') / 'view'
    write_report([run], folder)
    return folder
