"""The embedded model as a Hugging Face folder."""

import importlib.util

import pytest

from cibench_eval import cli
from cibench_eval.models.export import export
from cibench_eval.schema import CibenchError

GGUF = importlib.util.find_spec('gguf') is not None


def test_without_gguf_the_mend_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: None)
    with pytest.raises(CibenchError, match='pip install gguf==') as error:
        export(tmp_path / 'new')
    assert '\n' not in str(error.value)


def test_a_folder_in_use_is_left_alone(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(importlib.util, 'find_spec', lambda name: 'there')
    (tmp_path / 'mine').write_text('x')
    assert cli.main(['model', 'export', str(tmp_path)]) == 2
    assert 'it is not empty' in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ['mine']


@pytest.mark.soak
@pytest.mark.server
@pytest.mark.skipif(not GGUF, reason='the package gguf is not installed')
def test_the_exported_model_answers_and_ends_where_it_should(tmp_path):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = export(tmp_path / 'new')
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    assert (tokenizer.bos_token, tokenizer.eos_token) == ('<|im_start|>', '<|im_end|>')
    text = 'x = 1\n  def f(): # 123'
    assert tokenizer.decode(tokenizer(text).input_ids) == text
    chat = [{'role': 'user', 'content': 'What is the capital of France?'}]
    asked = tokenizer.apply_chat_template(chat, add_generation_prompt=True, return_tensors='pt', return_dict=True)
    said = model.generate(**asked, max_new_tokens=20, do_sample=False)[0][asked['input_ids'].shape[1] :]
    assert 'Paris' in tokenizer.decode(said)
    assert said[-1] == tokenizer.eos_token_id
