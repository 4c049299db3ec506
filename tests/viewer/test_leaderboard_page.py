"""The leaderboard's page: what stands in which table, what is said of it, and that it is one safe file."""

import base64
import hashlib
import re

import pytest

from cibench_eval.reports.rows import published
from cibench_eval.terminal import visible
from cibench_eval.viewer.leaderboard_page import boards_of
from tests.support.viewer_runs import EVIL
from tests.viewer.boards import rows_of, write_board
from tests.viewer.pages import Page


def names(board):
    return [line.model for line in board.lines if not line.published]


def test_each_split_has_a_table_and_published_rows_are_with_official_ones_alone():
    rows = [*rows_of('builtin_hard', 'strict'), *rows_of('template'), *rows_of('other')]
    hard, other, official = boards_of(rows, published())
    assert hard.title.startswith('builtin_hard: 3 experiments') and other.title.startswith('other')
    assert not any(line.published for line in [*hard.lines, *other.lines]) and not hard.several
    assert {line.notebooks for line in official.lines} == {'template', 'official'} and official.several
    assert sum(line.published for line in official.lines) == 24
    averages = [line.cells[list(official.columns).index('Avg')][1] for line in official.lines]
    assert averages[0] == pytest.approx(90) and averages[-1] is None
    assert averages[:-1] == sorted(averages[:-1], reverse=True)
    assert names(official) == ['strong', EVIL, 'weak *']


def test_published_rows_beside_other_notebooks_stand_apart_and_say_so():
    hard, others = boards_of(rows_of('builtin_hard'), published())
    assert len(hard.lines) == 3 and len(others.lines) == 24
    assert others.notes[0].startswith('Published: as the authors') and others.notes[1].startswith(
        'No row above is of these notebooks'
    )
    assert [len(board.lines) for board in boards_of(rows_of('template'), [])] == [3]


def test_own_rows_by_another_profile_are_said_not_to_compare():
    (board,) = boards_of([*rows_of('template', 'strict'), *rows_of('generation')], published())
    (said,) = [note for note in board.notes if 'would get other scores' in note]
    assert said.startswith('Own rows of template are scored by the profile strict, ')
    (board,) = boards_of(rows_of('template'), published())
    assert not any('would get other scores' in note for note in board.notes)


def test_what_is_missing_is_said():
    (board,) = boards_of(rows_of('builtin_hard'), [])
    assert any(note.startswith('weak: no results for oracle0, ') for note in board.notes)


def test_it_is_one_file_in_which_nothing_else_runs(tmp_path):
    path = write_board(tmp_path / 'board.html')
    page, text = Page(path), path.read_text(encoding='utf-8')
    assert {tag for tag, _ in page.elements} & {'link', 'img', 'iframe', 'object', 'embed', 'base', 'a'} == {'a'}
    assert [one['href'] for one in page.all('a')] == ['#main']
    (policy,) = [meta['content'] for meta in page.all('meta') if meta.get('http-equiv') == 'Content-Security-Policy']
    assert policy.startswith("default-src 'none'; ") and 'unsafe' not in policy and 'self' not in policy
    for tag in ('script', 'style'):
        (content,) = re.findall(f'<{tag}>(.*?)</{tag}>', text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    for tag, attributes in page.elements:
        assert not [key for key in attributes if key.startswith('on') or key == 'style'], tag
    assert visible(EVIL) in page.text
    assert 'content="cibench view"' not in text, 'a folder that has it is no report, which may be written anew'
