"""Files of JSON that cannot be read: one line each, which names the file, the cause and the mend."""

import pytest

from cibench_eval.json_files import parse_json, read_json
from cibench_eval.schema import CibenchError

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


@pytest.mark.parametrize(('content', 'cause'), DAMAGE.values(), ids=DAMAGE)
def test_a_file_that_is_no_json_is_a_line(tmp_path, content, cause):
    path = tmp_path / 'some.json'
    path.write_bytes(content)
    with pytest.raises(CibenchError) as raised:
        read_json(path, 'make it again')
    line = str(raised.value)
    assert line.startswith(f'{path}: {cause}')
    assert line.endswith('; make it again')
    assert len(line.splitlines()) == 1


def test_what_is_no_file_is_a_line(tmp_path):
    with pytest.raises(CibenchError, match=r'some\.json: No such file or directory; make it again'):
        read_json(tmp_path / 'some.json', 'make it again')
    with pytest.raises(CibenchError, match='is no file; make it again'):
        read_json(tmp_path, 'make it again')


def test_what_is_json_is_read(tmp_path):
    path = tmp_path / 'some.json'
    path.write_text('{"a": ["ä", 1, null]}', encoding='utf-8')
    assert read_json(path, '') == {'a': ['ä', 1, None]}
    assert parse_json(b'[1]', 'line 3', '') == [1]
