"""Places in which the programs of a file run."""

import pytest

from tests.interpreter.programs import places


@pytest.fixture(scope='module')
def place_at(tmp_path_factory):
    with places(tmp_path_factory) as at:
        yield at
