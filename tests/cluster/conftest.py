"""Runs on a Slurm that is a few scripts."""

import pytest

from tests.opencompass.conftest import here, project
from tests.support.stand_in_slurm import StandIn

__all__ = ['here', 'project']


@pytest.fixture
def slurm(project, monkeypatch):
    made = StandIn(project)
    monkeypatch.setenv('PATH', f'{made.folder}:/usr/bin:/bin')
    return made
