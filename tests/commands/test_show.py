"""`cibench show` on a run of two datasets, of which the model solves the first step and fails at the second."""

import json
import re
import shlex
import shutil
import sys

import pytest

from cibench_eval import cli
from cibench_eval.reports.rows import UNFINISHED
from tests.support.chat_server import chat_server
from tests.support.hostile_text import on_terminal
from tests.support.notebooks import add_endpoint, config_folder, replace_in_config, small_set
from tests.support.runs import SMALL, run_here

pytestmark = pytest.mark.kernel

ESCAPE = '\x1b]0;owned\x07'
CALL = 'Action: IPythonInterpreter\nAction Input:\n```python\n{}\n```'
SECOND = ['print(m + 1.5)', f'print(n)  # {ESCAPE}']
"""What the model says at the second step: an error, then a wrong number, and what would rename a terminal."""


CAUSE = 'instruction/other_task, uncertain: has nothing of what the question names'


def solve(messages):
    steps = [message['content'] for message in messages if message['role'] == 'user']
    if 'Print n' not in str(steps):
        return CALL.format('n = 20')
    return CALL.format(SECOND['NameError' in str(messages)]) if '20' not in steps[-1] else 'Final Answer: 20'


@pytest.fixture(scope='module')
def finished(tmp_path_factory):
    """The run folder, and every request that the model got."""
    project = tmp_path_factory.mktemp('project')
    config_folder(project, small_set(project / 'data', ('a', 'b')))
    requests = []

    def answer(messages):
        requests.append(messages)
        return solve(messages)

    with chat_server(answer) as server:
        add_endpoint(project / 'configs', 'mine', server.base_url)
        return run_here(project, '--models', 'mine', '--datasets', 'small'), requests


@pytest.fixture
def run(finished):
    return finished[0]


@pytest.fixture
def show(capsys):
    def call(*words):
        assert cli.call(['show', *map(str, words)]) == 0
        return capsys.readouterr().out

    return call


def test_every_step_is_listed_with_its_scores_and_why_it_failed(run, show):
    assert show(run, '--dataset', 'small').splitlines() == [
        'mine/small (end-to-end, profile official)',
        '  math/a',
        '   1  exec    ran         1 attempt',
        f'   2  num     wrong       2 attempts Num 0.00            {CAUSE}',
        '  math/b',
        '   1  exec    ran         1 attempt',
        f'   2  num     wrong       2 attempts Num 0.00            {CAUSE}',
        '',
        f'look at the first: cibench show {run} a:1 --dataset small',
    ]


def test_only_what_failed(run, show):
    lines = show(run, '--failed').splitlines()
    assert [line.split()[:3] for line in lines if line.startswith('   ')] == [['2', 'num', 'wrong']] * 4


def test_where_nothing_failed_that_is_said(run, show):
    gold = run_here(run.parents[1], *SMALL, out='gold')
    assert show(gold, '--failed').splitlines()[-1] == 'no step failed'


def test_the_list_ends_with_a_command_that_shows_its_first_step(run, show):
    *_, last = show(run, '--failed', '--dataset', '*oracle').splitlines()
    _, _, *words = shlex.split(last.removeprefix('look at the first: '))
    assert words == [str(run), 'a:2', '--dataset', 'small_oracle']
    assert 'math/a: mine/small_oracle, oracle mode' in show(*words)


@pytest.mark.soak
def test_lines_fit_a_terminal(run):
    """Where its size is not known: 80 columns."""
    command = [sys.executable, '-m', 'cibench_eval.cli', 'show', str(run), '--failed', '--dataset', 'small']
    lines = on_terminal(command)[0].splitlines()
    plain = [re.sub(r'\x1b\[[0-9;]*m', '', line) for line in lines]
    assert plain[2:5] == ['   2  num     wrong       2 attempts Num 0.00', f'      {CAUSE}', '  math/b']
    assert max(map(len, plain[:-1])) <= 80


def test_the_list_for_programs(run, show):
    records = [json.loads(line) for line in show(run, '--json').splitlines()]
    assert len(records) == 8
    second, values = records[1], {'tool_rate': 1.0, 'executable': 1.0, 'numeric_correct': 0.0}
    assert (second['model'], second['dataset'], second['experiment'], second['step']) == ('mine', 'small', 'math/a', 2)
    assert (second['values'], second['failure']['category']) == (values, 'instruction')


@pytest.mark.parametrize('dataset', ['small', 'small_oracle'])
def test_requests_are_what_the_model_was_sent(finished, show, dataset):
    run, sent = finished
    records = [json.loads(line) for line in show(run, 'a', '--dataset', dataset, '--json').splitlines()]
    requests = [request for record in records for request in record['requests']]
    assert len(requests) == 3 and all(request in sent for request in requests)
    only = show(run, 'math/a:2', '--dataset', dataset, '--json')
    assert [json.loads(line) for line in only.splitlines()] == records[1:]


def test_a_conversation_has_all_that_was_said_run_and_scored(run, show):
    text = show(run, 'math/a', '--dataset', 'small')
    for piece in (
        'math/a: mine/small, end-to-end mode, react',
        'Set n to 20 in a.',
        'attempt 1 of 3: reply (stop',
        "NameError: name 'm' is not defined",
        'attempt 2 of 3',
        r'\x1b]0;owned\x07',
        'scores by official: wrong',
        'print(n + 1.5)',
    ):
        assert piece in text
    for words in ((), ('--json',)):
        assert '\x1b' not in show(run, 'math/a', '--dataset', 'small', *words)
    step = show(run, 'math/a:2', '--dataset', 'small')
    assert 'Set n to 20 in a.' in step, 'what the model was sent for a step has the steps before it'
    assert 'step 1 of 2' not in step


@pytest.mark.soak
def test_what_could_move_a_cursor_is_spelled_out_on_a_terminal(run):
    command = [sys.executable, '-m', 'cibench_eval.cli', 'show', str(run), 'math/a', '--dataset', 'small']
    shown, code = on_terminal(command)
    assert code == 0
    assert r'\x1b]0;owned\x07' in shown
    assert ESCAPE not in shown


@pytest.mark.parametrize(
    ('words', 'said'),
    [
        (['--model', 'yours'], 'there is mine/small, mine/small_oracle'),
        (['c'], 'c: no finished session of that name; there is math/a, math/b'),
        (['a'], 'a: there are 2; choose with --dataset small or --dataset small_oracle'),
        (['a:3', '--dataset', 'small'], 'no step 3; the session has steps 1 to 2'),
        (['a:x', '--dataset', 'small'], 'no step x'),
        (['a:²', '--dataset', 'small'], 'no step ²'),
    ],
)
def test_what_is_not_there_is_said_in_one_line(run, capsys, words, said):
    assert cli.main(['show', str(run), *words]) == 2
    error = capsys.readouterr().err
    assert said in error and error.count('\n') == 1


@pytest.mark.soak
def test_a_choice_has_the_options_and_the_name_that_it_needs(tmp_path, capsys):
    """A run of two agents on a set in which two notebooks have one name."""
    notebooks = small_set(tmp_path / 'data', ('a',))
    shutil.copytree(notebooks / 'math', notebooks / 'stats')
    config_folder(tmp_path, notebooks)
    run = run_here(tmp_path, '--models', 'gold_replay', '--agents', 'react', 'code_block', '--datasets', 'small')
    assert cli.main(['show', str(run)]) == 0
    last = capsys.readouterr().out.splitlines()[-1]
    assert last.endswith(f' show {run} math/a:1 --model gold-replay--react --dataset small')
    assert cli.main(['show', str(run), 'a', '--dataset', 'small', '--model', '*react']) == 2
    assert 'a: there are 2; choose with math/a or stats/a\n' in capsys.readouterr().err
    assert cli.main(['show', str(run), 'math/a', '--dataset', 'small']) == 2
    said = 'math/a: there are 2; choose with --model gold-replay--react or --model gold-replay--code_block\n'
    assert said in capsys.readouterr().err


def test_what_is_not_scored_and_has_no_gold_any_more_is_shown_all_the_same(run, tmp_path, capsys):
    copy = shutil.copytree(run, tmp_path / 'run')
    shutil.rmtree(copy / 'results')
    replace_in_config(copy, str(run.parents[1] / 'data'), str(tmp_path / 'gone'))
    assert cli.main(['show', str(copy), 'a', '--dataset', 'small']) == 0
    said = capsys.readouterr()
    assert 'gold is not shown: ' in said.err and said.err.count('\n') == 1
    assert 'not scored: run `cibench score RUN`' in said.out
    assert cli.main(['show', str(copy), '--failed']) == 0
    listed = capsys.readouterr().out
    assert listed.count('not scored') == 10, 'of two datasets with four steps each'
    assert listed.splitlines()[-1] == f'score it: cibench score {copy}'


@pytest.mark.parametrize('scored', [True, False])
@pytest.mark.parametrize('command', ['show', 'view'])
def test_sessions_that_are_not_finished_are_named(run, tmp_path, caplog, command, scored):
    copy = shutil.copytree(run, tmp_path / 'run')
    traces = copy / 'predictions/mine/small.traces.jsonl'
    lines = traces.read_text().splitlines(keepends=True)
    traces.write_text(''.join(line for line in lines if json.loads(line)['experiment'] == 'math/a'))
    if scored:
        assert cli.main(['score', str(copy)]) == 1
    else:
        shutil.rmtree(copy / 'results')
    caplog.clear()
    assert cli.main([command, str(copy), *(['--no-open'] if command == 'view' else [])]) == int(command == 'view')
    assert caplog.messages[-1] == f'mine/small: {UNFINISHED}: math/b'
