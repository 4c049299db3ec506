"""Tables as LaTeX."""

import re

from cibench_eval.reports.layout import Cell, Table, for_latex
from cibench_eval.reports.rows import published
from cibench_eval.reports.scores import Bounds
from cibench_eval.reports.tables import main_table


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


def test_nothing_in_a_text_means_anything():
    text = for_latex('\\input{x} $a^b$ ~ – ≥')
    assert not re.search(r'(?<!\\)[&%#_]|\\input', text) and r'\textbackslash{}' in text


def test_the_published_table_is_whole():
    lines = main_table(published()).latex()
    assert sum(line.endswith(r'\\') for line in lines) == 25  # the header and 24 models
