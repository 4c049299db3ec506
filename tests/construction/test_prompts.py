"""The prompts are copied to be edited; what is misspelt in them is said."""

import pytest

from cibench_eval import cli
from tests.construction.test_pipeline import call, write_config
from tests.support.chat_server import chat_server


def test_all_prompts_are_copied_once(tmp_path, capsys):
    assert cli.main(['construct', 'prompts', str(tmp_path / 'mine')]) == 0
    assert {path.name for path in (tmp_path / 'mine').iterdir()} >= {
        'topics.j2',
        'task.j2',
        'refine.j2',
        'malformed.j2',
    }
    assert cli.main(['construct', 'prompts', str(tmp_path / 'mine')]) == 2
    assert 'there already' in capsys.readouterr().err


@pytest.mark.kernel
def test_ones_own_prompt_is_used_and_what_is_misspelt_is_said(tmp_path):
    """The model never answers in the form that it has to."""
    prompts = tmp_path / 'prompts'
    assert cli.main(['construct', 'prompts', str(prompts)]) == 0
    words = ['construct', 'topics', tmp_path / 'made', 'statistics', '-n', 2, '--sandbox', 'auto', '--yes']
    with chat_server(lambda messages: '[]' if messages[1:] else 'x') as server:
        words += ['--model', write_config(tmp_path, server), '--prompts', prompts]
        (prompts / 'malformed.j2').write_text('Mine:\n{{ problem }}')
        assert "/malformed.j2, line 2: 'problem' is undefined; correct the prompt" in call(*words).err
        (prompts / 'malformed.j2').write_text('Mine: {% include "format.j2" %}')
        (prompts / 'format.j2').write_text('\n\n{{ form }}')
        assert "/format.j2, line 3: 'form' is undefined; correct the prompt" in call(*words).err
        for wrong in ('{# x', '{% raw %}x', '{{ x y }}'):
            (prompts / 'malformed.j2').write_text('Mine: {% include "mine.txt" %}')
            (prompts / 'mine.txt').write_text(f'\n{wrong}')
            assert '/mine.txt, line 2: ' in call(*words).err
        server.requests.clear()
        (prompts / 'malformed.j2').write_text('Mine: {{ reason }}')
        said = call(*words).err
        assert 'no reply could be read in 3 tries; the first, no JSON list (' in said
        assert "): 'x'; the last: an empty list" in said
        assert server.requests[0]['messages'][-1]['content'].startswith('Mine: no JSON list')
