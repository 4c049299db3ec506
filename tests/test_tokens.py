"""The token of a server: whom it lets in, and what is printed of it."""

from base64 import b64encode

import pytest

from cibench_eval.schema import CibenchError
from cibench_eval.tokens import Token


def basic(text):
    return f'Basic {b64encode(text.encode()).decode()}'


@pytest.mark.parametrize(
    ('authorization', 'admitted'),
    [
        ('Bearer s:crét', True),
        ('Bearer s:crét'.encode().decode('ascii', 'surrogateescape'), True),
        ('Bearer \udcff', False),
        ('Basic \udcff', False),
        ('bearer s:crét', True),
        (basic('any:s:crét'), True),
        (basic(':s:crét'), True),
        (basic('s:crét'), False),
        ('Basic s:crét', False),
        ('Basic /w==', False),
        ('s:crét', False),
        ('Bearer', False),
        ('', False),
    ],
)
def test_it_admits_its_bearers_and_passwords(authorization, admitted):
    assert Token('s:crét').admits(authorization) is admitted


def test_what_was_made_is_printed_and_what_was_given_is_not(monkeypatch):
    monkeypatch.setenv('MINE', 'secret')
    made, given = Token.of(None, 'env'), Token.of('MINE', 'env')
    assert made.admits(made.said.removeprefix('Authorization: ')) and len(made.value) >= 32
    assert made.value not in repr(made) and made.value != Token.of(None, 'env').value
    assert given.admits('Bearer secret') and given.said == 'Authorization: Bearer $MINE'
    monkeypatch.setenv('MINE', '')
    with pytest.raises(CibenchError, match='env: --token: the environment variable MINE is not set'):
        Token.of('MINE', 'env')
