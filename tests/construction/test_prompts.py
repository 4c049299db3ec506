"""The prompts are copied to be edited; what is misspelt in them is said."""

import pytest

from cibench_eval import cli
from cibench_eval.construction.prompts import Prompts
from cibench_eval.schema import CibenchError


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


def test_ones_own_prompt_is_used_and_what_is_misspelt_is_said(tmp_path):
    (tmp_path / 'malformed.j2').write_text('Mine: {{ problem }}')
    with pytest.raises(CibenchError, match=r'malformed\.j2.*problem'):
        Prompts(tmp_path).render('malformed', reason='x')
    assert Prompts(tmp_path).render('malformed', problem='late') == 'Mine: late\n'
