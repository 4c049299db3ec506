"""Tables as LaTeX, and on a terminal."""

import re

import pytest

from cibench_eval.reports.layout import Cell, Table
from cibench_eval.reports.rows import published
from cibench_eval.reports.scores import Bounds
from tests.reports.rows import table as table_of


def test_a_table_is_a_tabular():
    table = Table('t', ['Model', 'E-Num'], [[Cell('a_b & c')], [Cell('50% #1'), Cell('12.0', Bounds(10, 14, 5))]])
    assert table.latex() == [
        '% t',
        r'\begin{tabular}{lr}',
        r'\toprule',
        r'Model & E-Num \\',
        r'\midrule',
        r'\multicolumn{2}{l}{a\_b \& c} \\',
        r'50\% \#1 & 12.0 [10.0, 14.0] \\',
        r'\bottomrule',
        r'\end{tabular}',
        '',
    ]


@pytest.mark.parametrize(
    ('cell', 'span', 'whole'),
    [
        (Cell('12.0', Bounds(10.4, 14.2, 5)), '10–14', '12.0 [10.4, 14.2]'),
        (Cell('99.0', Bounds(95.8, 100, 5)), '≥96', '99.0 [95.8, 100.0]'),
        (Cell('50.0', Bounds(0, 100, 5)), '≥0', '50.0 [0.0, 100.0]'),
        (Cell('12.0', Bounds(0.2, 14.2, 5)), '≤14', '12.0 [0.2, 14.2]'),
        (Cell('+7.0', Bounds(-0.2, 14.2, 5)), '0–14', '+7.0 [-0.2, 14.2]'),  # no difference is at least 0
        (Cell('+0.0', Bounds(-39.3, 39.3, 5)), '-39 to 39', '+0.0 [-39.3, 39.3]'),
        (Cell('-7.0', Bounds(-100, -3.4, 5)), '-100 to -3', '-7.0 [-100.0, -3.4]'),
        (Cell('0.97', Bounds(-0.1, 0.994, 5), digits=2), '-0.10 to 0.99', '0.97 [-0.10, 0.99]'),
    ],
)
def test_an_interval_is_short_on_a_terminal_and_whole_in_files(cell, span, whole):
    assert (cell.span, cell.whole) == (span, whole)


def test_nothing_in_a_text_means_anything():
    (line,) = (
        one for one in Table('t', [''], [[Cell('\\input{x} $a^b$ ~ – ≥ & % # _')] * 2]).latex() if 'input' in one
    )
    assert len(re.findall(r'(?<!\\)&', line)) == 1 and not re.search(r'(?<!\\)[%#_]|\\input', line)
    assert r'\textbackslash{}' in line


def test_the_published_table_is_whole():
    lines = table_of(published()).latex()
    assert sum(line.endswith(r'\\') for line in lines) == 25  # the header and 24 models


NAMES = ['gold-replay', 'a-rather-long-model-name-2026--tool_calls', 'manipulation', '  visualization']


@pytest.mark.parametrize('width', [80, 100, 120])
def test_no_table_breaks_a_name_or_leaves_out_a_figure(width):
    cells = [Cell('100.0', Bounds(60, 100, 5))] * 12
    table = Table(
        't', ['Model', *(f'E-Num{i}' for i in range(12))], [[Cell(name), *cells] for name in NAMES], tall=True
    )
    lines = table.text(width).plain.splitlines()
    assert max(map(len, lines)) <= width and not [line for line in lines if line != line.rstrip()]
    assert sum(line.count('100.0') for line in lines) == 12 * len(NAMES)
    assert all(sum(line.startswith(name) for line in lines) == 1 for name in NAMES)


def with_remarks(width):
    cells = [Cell('100.0', Bounds(60, 100, 5))] * 3
    lines = [[Cell(name, below=' rank 1–2'), *cells, Cell(agent)] for name, agent in (('a', 'react'), ('b', 'tools'))]
    lines.append([Cell('a heading')])
    table = Table('t', ['Model', 'Num', 'Text', 'Vis', 'Agent'], lines, remarks=1)
    return table.text(width).plain.splitlines()


def test_remarks_are_columns_where_there_is_room():
    assert with_remarks(80)[:4] == [
        'Model       Num  Text   Vis Agent',
        '─────────────────────────────────',
        'a         100.0 100.0 100.0 react',
        ' rank 1–2   ≥60   ≥60   ≥60',
    ]


def test_else_they_stand_behind_the_names_as_ranks_do():
    assert with_remarks(26) == [
        'Model   Num  Text   Vis',
        '───────────────────────',
        'a (agent react)  rank 1–2',
        '      100.0 100.0 100.0',
        '        ≥60   ≥60   ≥60',
        'b (agent tools)  rank 1–2',
        '      100.0 100.0 100.0',
        '        ≥60   ≥60   ≥60',
        'a heading',
    ]
