"""Files of JSON that cannot be read: one line each, which names the file, the cause and the mend."""

import pytest

from cibench_eval import cli

DAMAGE = {
    'empty': (b'', 'is empty'),
    'cut off': (b'{"a": [1,', 'is no JSON'),
    'zeros': (b'\0' * 64, 'is no JSON'),
    'two values': (b'{}{}', 'is no JSON'),
    'not UTF-8': (b'{"a": "\xff"}', 'is not in UTF-8 (byte 7)'),
    'UTF-16': ('{"a": 1}'.encode('utf-16'), 'is not in UTF-8 (byte 0)'),
    'brackets': (b'[' * 200_000 + b']' * 200_000, 'is nested too deep'),
    'braces': (b'{"a":' * 200_000, 'is nested too deep'),
    'digits': (b'9' * 20_000, 'is no JSON'),
}


@pytest.fixture
def said(tmp_path, capsys):
    """What a command says of a run folder with this config, and how the line begins."""

    def look(content):
        path = tmp_path / 'configs/20260101_000000_1.json'
        path.parent.mkdir()
        path.write_bytes(content)
        assert cli.main(['status', str(tmp_path)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        return line.removeprefix(f'cibench: error: {path}: ')

    return look


@pytest.mark.parametrize(('content', 'cause'), DAMAGE.values(), ids=DAMAGE)
def test_a_file_that_is_no_json_is_a_line(said, content, cause):
    line = said(content)
    assert line.startswith(cause)
    assert '; copy the run folder again' in line


def test_what_is_json_is_read_and_held_against_what_it_should_be(said):
    assert 'JSON' not in said('{"a": ["ä", 1, null]}'.encode())
