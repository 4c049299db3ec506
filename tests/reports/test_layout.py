"""Tables on a terminal, in Markdown and as LaTeX: those of a run whose figures have intervals of every form."""

import csv
import re
import sys

import pytest

from cibench_eval import cli
from tests.reports.rows import KINDS, MODES, result, step, write_run

SCORES = {
    'gold-replay': ([1] * 10, [1] * 10),
    'a-rather-long-model-name-2026--tool_calls': ([1] * 9 + [0.5], [0.5] + [1] * 9),
    '[a_b & c 50% #1 ~ – ≥ a^b': ([0.5, 0.6] * 5, [0.6, 0.5] * 5),
    'late': ([0] * 9 + [0.3], [1] * 10),
}
"""What each model scores in ten experiments, in both modes."""


@pytest.fixture(scope='module')
def run(tmp_path_factory):
    """The last one of the models is scored by another version."""
    results = [
        result(mode, [*steps(values)], name, mode, scorer='1' if name == 'late' else '')
        for name, both in SCORES.items()
        for mode, values in zip(MODES, both, strict=True)
    ]
    return write_run(tmp_path_factory.mktemp('board') / 'run', results)


def steps(values):
    for place, (metric, kind) in enumerate(KINDS.items()):
        for number, value in enumerate(values):
            yield step(place, f'x/{number}', kind=kind, outcome='wrong', **{metric: value})


@pytest.fixture
def shown(run, monkeypatch, capsys):
    """The lines that a command prints of the run, on a terminal of a width or into a file."""

    def lines(command, *words, width=None):
        monkeypatch.setattr(sys.stdout, 'isatty', lambda: width is not None)
        monkeypatch.setenv('COLUMNS', str(width or 80))
        assert cli.main([command, str(run), *map(str, words)]) < 2
        return re.sub(r'\x1b\[[\d;]*m', '', capsys.readouterr().out).splitlines()

    return lines


NARROW = """
Model  Tool   Exe   Num  Text   Vis  Tool   Exe   Num  Text   Vis   Avg Whole
─────────────────────────────────────────────────────────────────────────────
gold-replay (scored by official)  rank 1–3
      100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0   0.0
        ≥78   ≥78   ≥73   ≥73   ≥73   ≥78   ≥78   ≥73   ≥73   ≥73   ≥73   ≤27
a-rather-long-model-name-2026--tool_calls (scored by official)  rank 1–2
      100.0 100.0  95.0  95.0  95.0 100.0 100.0  95.0  95.0  95.0  95.0   0.0
        ≥78   ≥78   ≥68   ≥68   ≥68   ≥78   ≥78   ≥68   ≥68   ≥68   ≥68   ≤27"""
WIDER = """
Model        Tool   Exe   Num  Text   Vis  Tool   Exe   Num  Text   Vis   Avg Whole    Scored by
────────────────────────────────────────────────────────────────────────────────────────────────
gold-replay 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0 100.0   0.0     official
 rank 1–3     ≥78   ≥78   ≥73   ≥73   ≥73   ≥78   ≥78   ≥73   ≥73   ≥73   ≥73   ≤27
a-rather-long-model-name-2026--tool_calls  rank 1–2
            100.0 100.0  95.0  95.0  95.0 100.0 100.0  95.0  95.0  95.0  95.0   0.0     official"""


@pytest.mark.parametrize(('width', 'board'), [(80, NARROW), (100, WIDER)])
def test_names_and_remarks_stand_above_figures_where_there_is_no_room(shown, width, board):
    assert board in '\n'.join(shown('leaderboard', width=width))


@pytest.mark.parametrize('width', [80, 100, 130])
def test_no_table_breaks_a_name_or_leaves_out_a_figure(shown, width):
    lines = shown('leaderboard', width=width)
    lines = lines[: next(number for number, line in enumerate(lines) if line.startswith('Agent '))]
    assert max(map(len, lines)) <= width and not [line for line in lines if line != line.rstrip()]
    assert sum(line.count('100.0') for line in lines) == 11 + 4 + 4 + 7
    assert all(sum(line.startswith(name) for line in lines) == 1 for name in SCORES)


@pytest.mark.parametrize('words', [('leaderboard',), ('analyse', '--only', 'oracle_gain'), ('compare',)])
def test_names_stand_beside_figures_in_files(shown, words):
    assert any(re.search(r'^(#\d )?a-rather-long-model-name-2026--tool_calls .*\d\.\d', line) for line in shown(*words))


def test_an_interval_is_whole_in_files(shown):
    (line,) = [line for line in shown('leaderboard', '--to', 'markdown') if line.startswith('| late (rank ')]
    assert line.endswith('| 100.0 [73.3, 100.0] | 51.5 [37.7, 64.8] | 0.0 [0.0, 26.7] | official (1) |')


def test_each_note_is_a_paragraph_of_markdown(shown):
    lines = shown('leaderboard', '--to', 'markdown')
    notes = [number for number, line in enumerate(lines) if line and not line.startswith(('|', '#'))]
    assert len(notes) > 1 and not any(lines[number - 1] for number in notes)


def test_an_interval_of_a_difference_says_both_ends_and_a_heading_spans_its_table(shown, tmp_path):
    lines = shown('analyse', '--published', '--only', 'oracle_gain', '--out', tmp_path, width=130)
    at = next(number for number, line in enumerate(lines) if line.startswith('late'))
    assert re.split(' {3,}', lines[at]) == ['late', '+0.0', '+0.0', '+97.0', '+97.0', '+97.0']
    assert re.split(' {2,}', lines[at + 1].strip()) == [
        '-30.8 to 30.8 -30.8 to 30.8',
        '86.9–100.0',
        '86.9–100.0',
        '86.9–100.0',
    ]
    with (tmp_path / 'oracle_gain.csv').open(encoding='utf-8') as file:
        (late,) = [line for line in csv.reader(file) if line[0] == 'late']
    assert late[2:4] == ['+0.0 [-30.8, 30.8]', '+97.0 [86.9, 100.0]']
    assert r'\multicolumn{6}{l}{published} \\' in (tmp_path / 'oracle_gain.tex').read_text().splitlines()


def test_a_table_is_a_tabular_in_which_no_name_means_anything(shown):
    lines = shown('leaderboard', '--to', 'latex')
    about = [line for line in lines if line.startswith('% ')]
    begin, top, head, middle, *rows, bottom, end, last = lines[len(about) :]
    assert about[0] == '% s: 10 experiments, 30 steps' and about[1].startswith('% Agent ReAct, ')
    assert (begin, end, last) == (r'\begin{tabular}{lrrrrrrrrrrrrr}', r'\end{tabular}', '')
    assert (top, middle, bottom) == (r'\toprule', r'\midrule', r'\bottomrule')
    assert head.startswith('Model & E-Tool & E-Exe & E-Num & ') and head.endswith(r' & Whole & Scored by \\')
    odd = next(row for row in rows if '50' in row)
    assert odd.startswith(
        r'{}[a\_b \& c 50\% \#1 \textasciitilde{} -- $\geq$ a\textasciicircum{}b (rank 2--4) & 100.0 [78.6, '
    )
    assert odd.endswith(r' & 0.0 [0.0, 26.7] & official \\')


def test_the_published_table_is_whole(shown):
    lines = shown('leaderboard', '--published', '--to', 'latex')
    assert sum(line.endswith(r'\\') for line in lines[lines.index('') :]) == 25  # the header and 24 models
