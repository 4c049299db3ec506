"""Records that tell of their own damage."""

import json

import pytest

from cibench_eval.sealed import read_records, sealed, unsealed

RECORD = {'a': 'ä{"}', 'b': [1, {'c': None}], 'd': 0.1}


@pytest.mark.parametrize('indent', [None, 1])
def test_a_seal_is_a_field_more(indent):
    text = json.dumps(RECORD, indent=indent)
    line = sealed(text)
    assert {**RECORD, 'seal': json.loads(line)['seal']} == json.loads(line)
    assert json.loads(unsealed(line.encode())) == RECORD
    assert unsealed(text.encode()) == text.encode(), 'what has none is taken as it is'


def test_no_flipped_bit_passes():
    line = sealed(json.dumps(RECORD)).encode()
    for place in range(len(line) * 8):
        flipped = bytearray(line)
        flipped[place // 8] ^= 1 << place % 8
        try:
            assert json.loads(unsealed(bytes(flipped))).keys() != RECORD.keys()
        except ValueError:
            continue


def test_the_owner_of_a_file_moves_damaged_lines_out_of_it(tmp_path, caplog):
    path = tmp_path / 'x.judge.jsonl'
    good, bad = sealed('{"a": 1}').encode(), b'\0\0'
    path.write_bytes(good + b'\n' + bad + b'\n' + b'[' * 200_000 + b'\n' + good + b'\n' + b'{"torn')
    assert read_records(path, json.loads, 'mend it', owner=False) == [{'a': 1}] * 2
    named = [line.partition(': ')[0] for line in caplog.messages]
    assert named == [f'{path}, line 2', f'{path}, line 3', f'{path}']
    assert caplog.messages[1].endswith('damaged (it is nested too deep); mend it')
    assert read_records(path, json.loads, 'mend it', owner=True) == [{'a': 1}] * 2
    assert path.read_bytes() == (good + b'\n') * 2
    assert (tmp_path / 'x.judge.damaged.jsonl').read_bytes() == bad + b'\n' + b'[' * 200_000 + b'\n'
