"""Output in locales that know few characters, hostile text in every place that shows text, logs on full disks."""

import io
import json
import logging
import os
import subprocess
import sys

import pytest
from rich.text import Text

from cibench_eval import cli, terminal
from cibench_eval.agents.progress import Progress
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.commands import doctor, log
from cibench_eval.commands.doctor import Check
from cibench_eval.reports import live
from cibench_eval.reports.check_table import print_check
from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.summary import print_table
from cibench_eval.run import main, stages
from cibench_eval.schema import CibenchError
from cibench_eval.sets.checking.findings import CheckFinding, CheckReport
from cibench_eval.terminal import VisibleFormatter, accept_any_text, json_line, new_console, quiet, visible
from tests.support.hostile_text import HOSTILE, harmless


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


def test_what_commands_a_terminal_or_hides_is_spelled_out():
    assert harmless(visible(HOSTILE))
    assert visible('\x1b[31m\x9b2J\r\u202ea\u200b') == r'\x1b[31m\x9b2J\r\u202ea\u200b'
    plain = 'tabs\tand\nlines, 数据, naïve, ½, 🙂, e\u0301'
    assert visible(plain) == plain


def test_json_hides_nothing_and_says_the_same():
    line = json_line({HOSTILE: [HOSTILE, '数']})
    assert harmless(line)
    assert '数' in line
    assert json.loads(line) == {HOSTILE: [HOSTILE, '数']}


def test_log_lines_command_nothing():
    record = logging.LogRecord('x', logging.INFO, 'x.py', 1, 'said: %s', (HOSTILE,), None)
    assert harmless(VisibleFormatter('%(message)s').format(record))


def hostile_report():
    finding = CheckFinding(set=HOSTILE, notebook=HOSTILE, code='fails', text=HOSTILE, fix=HOSTILE)
    fields = dict(path=HOSTILE, environment=HOSTILE, sandbox='none', repeats=1, seed=0, slow=1, profile='strict')
    counts = dict(provenance={}, experiments=1, clean=0, kinds={}, baseline={}, seconds=1, findings=[finding], runs=[])
    return CheckReport(**fields, **counts)


def a_table(console):
    print_table(Table(HOSTILE, [HOSTILE, HOSTILE], [[Cell(HOSTILE), Cell(HOSTILE)]], HOSTILE), console)


def a_run(console):
    console.print(live.render(Progress(title=HOSTILE, sessions=1, steps=1, slots=[SessionSlots(1)]), 1000))


def the_doctor(console):
    console.print(doctor.table([Check(HOSTILE, 'optional', HOSTILE, HOSTILE)]))


def a_check(console):
    print_check(hostile_report(), console)


@pytest.mark.parametrize('show', [a_table, a_run, the_doctor, a_check])
@pytest.mark.parametrize('on_terminal', [True, False])
def test_tables_command_nothing(show, on_terminal):
    """Neither by what stands in their cells nor by markup, from which rich would make links."""
    out = io.StringIO()
    show(new_console(file=out, force_terminal=on_terminal, color_system=None, width=1000))
    assert harmless(out.getvalue())
    assert '\\x1b]52' in out.getvalue().replace('\n', '')
    assert '[link=http' in out.getvalue().replace('\n', '')


def test_colours_of_our_own_are_kept():
    out = io.StringIO()
    new_console(file=out, force_terminal=True, color_system='standard', width=80).print(Text('\x1b]0;x\x07', 'red'))
    assert out.getvalue() == '\x1b[31m\\x1b]0;x\x1b[0m\n'


def test_lines_about_what_went_wrong_command_nothing(capsys):
    cli.fail(HOSTILE)
    log(HOSTILE)
    terminal.say(HOSTILE)
    stages.report({f'Infer[{HOSTILE}]': CibenchError(HOSTILE)}, [HOSTILE], 'again')
    main.main([f'{HOSTILE}.py'.replace('\0', '')])
    shown = capsys.readouterr()
    assert harmless(shown.out + shown.err)
    assert shown.err.count('x1b]52') >= 5


def test_a_warning_of_a_command_commands_nothing():
    """Through the logging that `cibench` sets up, in a process of its own."""
    code = (
        'import logging, sys; from cibench_eval import cli; cli.main([]); logging.getLogger("a").warning(sys.argv[1])'
    )
    done = subprocess.run([sys.executable, '-c', code, HOSTILE], capture_output=True, text=True)
    assert 'x1b]52' in done.stderr
    assert harmless(done.stderr)
