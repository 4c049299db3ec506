"""The leaderboard's page: what stands in which table, what is said of it, and that it is one safe file."""

import base64
import hashlib
import re

from cibench_eval.terminal import visible
from tests.support.viewer_runs import EVIL
from tests.viewer.boards import boards_of, write_board
from tests.viewer.pages import Page


def values(board, column):
    return [line.cells[board.columns.index(column)] for line in board.lines]


def test_each_split_has_a_table_and_published_rows_are_with_official_ones_alone(tmp_path):
    path = write_board(tmp_path / 'board.html', builtin_hard='strict', template='official', other='official')
    hard, other, official = boards_of(path)
    text = Page(path).text
    assert text.index('builtin_hard: 3 experiments') < text.index('other: 3') < text.index('The official notebooks')
    assert not any(line.published for line in [*hard.lines, *other.lines]) and 'Notebooks' not in hard.columns
    assert set(values(official, 'Notebooks')) == {'template', 'official'}
    assert sum(line.published for line in official.lines) == 24
    *averages, last = values(official, 'Avg')
    averages = [float(one) for one in averages]
    assert round(averages[0]) == 90 and averages == sorted(averages, reverse=True) and last == ''
    assert [line.cells[0] for line in official.lines if not line.published] == ['strong', 'even', 'weak *']
    assert 'weak: no results for oracle0' in text
    assert 'rank 1' in text and 'rank: the places by Avg that a model may have' in text


def test_published_rows_beside_other_notebooks_stand_apart_and_say_so(tmp_path):
    path = write_board(tmp_path / 'board.html', builtin_hard='official')
    assert [len(board.lines) for board in boards_of(path)] == [3, 24]
    text = Page(path).text
    assert 'Published: as the authors' in text and 'No row above is of these notebooks' in text


def test_without_the_published_rows_there_are_none(tmp_path):
    path = write_board(tmp_path / 'board.html', published=False, template='official')
    assert [len(board.lines) for board in boards_of(path)] == [3]


def test_own_rows_by_another_profile_are_said_not_to_compare(tmp_path):
    path = write_board(tmp_path / 'board.html', template='strict', generation='official')
    assert 'Own rows of template are scored by the profile strict, ' in Page(path).text
    assert 'Own rows of generation are' not in Page(path).text


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
