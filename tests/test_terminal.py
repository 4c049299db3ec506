"""Output in locales that know few characters, and logs on disks that are full."""

import io
import logging
import os
import subprocess
import sys

from cibench_eval.terminal import accept_any_text, quiet


def ascii_stream(monkeypatch, name):
    stream = io.TextIOWrapper(io.BytesIO(), encoding='ascii')
    monkeypatch.setattr(sys, name, stream)
    return stream


def test_what_an_encoding_lacks_is_shown_by_the_nearest_character(monkeypatch):
    out, err = ascii_stream(monkeypatch, 'stdout'), ascii_stream(monkeypatch, 'stderr')
    accept_any_text()
    print('96.1 – ≥61 … a × b \ud800 表')
    print('“why”', file=sys.stderr)
    for stream, text in ((out, b'96.1 - >61 . a x b ? ?\n'), (err, b'"why"\n')):
        stream.flush()
        assert stream.buffer.getvalue() == text


def test_the_command_line_shows_names_that_its_locale_lacks():
    command = [sys.executable, '-m', 'cibench_eval.cli', 'data', 'list', '/nowhere/数据']
    done = subprocess.run(command, capture_output=True, env={**os.environ, 'PYTHONIOENCODING': 'ascii'})
    assert (done.returncode, done.stderr.count(b'\n')) == (2, 1), done.stderr
    assert b'/nowhere/??: no such folder' in done.stderr


def test_streams_that_are_no_files_are_left_alone(monkeypatch):
    monkeypatch.setattr(sys, 'stdout', io.StringIO())
    accept_any_text()
    print('–')
    assert sys.stdout.getvalue() == '–\n'


def test_a_log_that_cannot_be_written_says_nothing(capsys):
    handler = quiet(logging.FileHandler('/dev/full'))
    record = logging.LogRecord('x', logging.INFO, 'x.py', 1, 'text', (), None)
    handler.handle(record)
    assert capsys.readouterr().err == ''
    handler.handle(logging.LogRecord('x', logging.INFO, 'x.py', 1, 'text %d', ('no number',), None))
    assert 'no number' in capsys.readouterr().err, 'a bug is not hushed up'
