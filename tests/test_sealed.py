"""Records that tell of their own damage."""

import json

import pytest

from cibench_eval.sealed import sealed, unsealed

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
