"""verifiers: its own package runs our notebooks to the scores of `run.py`, and gets rewards of them."""

import itertools
import json
import os
import shutil
import subprocess
import threading
from collections import defaultdict
from contextlib import ExitStack

import pytest

from cibench_eval import cli
from cibench_eval.datasets import load_experiments
from cibench_eval.uv_install import install
from tests.integrations.test_harbor import check_read, exported
from tests.support.chat_server import Body, chat_server, completion
from tests.support.integrations import CALL, ONLY, RIGHT, answering, by_run_py, core, gold, new_python, told, wrong
from tests.support.notebooks import EXAMPLES, REPO
from tests.support.pythons import python_of

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = REPO / 'tests/integrations/verifiers_program.py'
PENGUINS = {'path': str(EXAMPLES), 'only': 'pandas/penguins', 'protocol': 'react'}
SEEDED = {'path': None, 'only': 'pandas/grouping'}
BOTH = '[ps]*/[po]*s*'


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    """A Python with verifiers, its reader of Harbor's tasks, and the core."""
    folder = tmp_path_factory.mktemp('verifiers')
    try:
        python = new_python(folder / 'venv', 'verifiers[harbor]>=0.4,<0.5', base=python_of('3.12'))
    except subprocess.CalledProcessError:
        pytest.skip('verifiers cannot be installed here')
    command, environment = install(['-q', '--python', str(python), core(folder, 'verifiers')])
    subprocess.run(command, env=environment, check=True)
    return python


def job(agent=None, tasks=10, times=1, **taskset):
    return [PENGUINS | taskset, agent or {}, tasks, times]


@pytest.fixture(scope='module')
def played(python, tmp_path_factory):
    """By the name of a job: what each of its rollouts says, and the requests of its endpoint.

    One process runs them all, since to import verifiers takes its time, and so do its time limits.
    """
    folder, over = tmp_path_factory.mktemp('played'), threading.Event()
    copied = leaning(folder / 'leaning')
    jobs = [
        (answering(ONLY, wrong), dict(steps=job())),
        (answering(ONLY, wrong), {kind: job(reward=kind) for kind in ('session', 'graded', 'distance')}),
        (calling(answering(ONLY, wrong, reply='{}')), dict(called=job(protocol='tool_calls'))),
        (answering(ONLY, wrong), dict(final=job(history='final'), leaning=job(reward='distance', path=copied))),
        (answering(ONLY, gold), dict(few=job({'max_turns': 2}), kernel=job(environment='/nowhere/bin/python'))),
        (after(2, answering(ONLY, gold), over.wait), dict(slow=job({'timeout': {'rollout': 90}}))),
        (
            after(2, answering(ONLY, gold), lambda: 500),
            dict(endpoint=job(), unasked=job({'timeout': {'rollout': 0.01}})),
        ),
        (after(3, answering(ONLY, gold), lambda: Body(json.dumps(TOO_LONG).encode())), dict(short=job())),
        (seed_three(folder / 'seed3'), dict(endless=job(tasks=2, **SEEDED, seed=3, made=str(folder / 'made')))),
        (answering(ONLY, wrong, (RIGHT,)), dict(both=job(times=2, only=BOTH), oracle=job(only=BOTH, mode='oracle'))),
    ]
    with ExitStack() as stack:
        stack.callback(over.set)
        servers = [(stack.enter_context(chat_server(answer)), of) for answer, of in jobs]
        words = {name: [server.base_url, *one] for server, of in servers for name, one in of.items()}
        found = told(python, PROGRAM, json.dumps(words))
    return {name: (found[name], server.requests) for server, of in servers for name in of}


def after(number, answer, then):
    """An endpoint that does something else after some requests."""
    served = itertools.count()
    return lambda messages: answer(messages) if next(served) < number else then()


def calling(answer):
    """An endpoint that calls the interpreter with what another answers, and that knows no reasoning."""

    def call(messages):
        if any('reasoning_content' in message for message in messages):
            return 400
        function = {'name': 'IPythonInterpreter', 'arguments': json.dumps({'code': answer(messages)})}
        said = completion('')
        said['choices'][0]['message']['tool_calls'] = [{'id': 'any', 'type': 'function', 'function': function}]
        return json.dumps(said).encode()

    return call


def leaning(folder):
    """A copy of the examples in which steps of PENGUINS say on which others they lean."""
    shutil.copytree(EXAMPLES.parent, folder)
    copied = folder / EXAMPLES.name
    notebook = copied / 'pandas/penguins.ipynb'
    content = json.loads(notebook.read_text(encoding='utf-8'))
    content['metadata']['depends'] = [[], [1], [1, 2], [], [1, 3]]
    notebook.write_text(json.dumps(content), encoding='utf-8')
    return str(copied)


def seed_three(out):
    """An endpoint that knows the gold of seed 3 of a template."""
    assert cli.main(['data', 'vary', '--seed', '3', '--out', str(out), '--only', SEEDED['only']]) == 0
    steps = [step for one in load_experiments(out / 'cibench_template') for step in one.steps]

    def answer(messages):
        said = '\n'.join(str(message['content']) for message in messages)
        step = max(steps, key=lambda one: said.rfind(one.question))
        return CALL.format(step.code if step.question in said else 'print(0)')

    return answer


def by_step(scores):
    return {(one['experiment'], one['index']): (one['outcome'], one['values'], one['details']) for one in scores}


def scores(rollout):
    return [step['score'] for step in rollout['info']['steps']]


def test_the_same_replies_have_the_scores_of_run_py(played, tmp_path):
    found, ours = [played[name][0] for name in ('both', 'oracle')], by_run_py(tmp_path).scores
    assert [len(of_mode) for of_mode in found] == [4, 2]
    for of_run_py, theirs in zip((ours['end_to_end'], ours['oracle']), found, strict=True):
        expected = by_step(one.model_dump(mode='json') for one in of_run_py)
        rights = defaultdict(list)
        for one in of_run_py:
            rights[one.experiment].append(one.right)
        assert {one['task'] for one in theirs} == {*rights} == {*ONLY}
        for rollout in theirs:
            own, every = by_step(scores(rollout)), rights[rollout['task']]
            assert own == {key: expected[key] for key in own}
            assert (rollout['ok'], rollout['error'], len(own)) == ([True, True], None, len(every))
            right = [one for one in every if one is not None]
            assert rollout['rewards'] == {'reward': pytest.approx(sum(right) / len(right))}
            assert rollout['metrics']['whole_sessions'] == all(right) == (rollout['task'] == RIGHT)


def test_each_request_begins_with_the_one_before_it(played):
    ((last,), _) = played['final']
    assert len(last['branches']) > 1
    for name in ('steps', 'called'):
        (whole,), requests = played[name]
        assert (len(whole['branches']), len(whole['sampled'])) == (1, 8)
        asked = [request['messages'] for request in requests]
        assert len(asked) == 8 and all(later[: len(sooner)] == sooner for sooner, later in itertools.pairwise(asked))


def test_rewards_of_steps_of_sessions_and_by_degrees(played):
    steps, session, graded = (played[name][0][0] for name in ('steps', 'session', 'graded'))
    assert session['rewards']['reward'] == 0 < steps['rewards']['reward'] <= graded['rewards']['reward'] < 1
    rewards = [float(one['outcome'] == 'correct') if one['decided'] else None for one in scores(steps)]
    turns = steps['info']['turns']
    assert [(turn['step'], turn['reward']) for turn in turns] == [(n, rewards[n]) for n in (0, 1, 1, 1, 2, 3, 3, 4)]
    assert [turn['node'] for turn in turns] == steps['sampled']


def test_a_reward_by_distance_counts_a_step_as_often_as_the_steps_since_what_it_leans_on(played):
    known, unknown = (played[name][0][0] for name in ('leaning', 'distance'))
    assert [one['outcome'] == 'correct' for one in scores(known) if one['decided']] == [False, False, True, True]
    assert known['rewards']['reward'] == pytest.approx((1 + 2) / (1 + 1 + 1 + 2))
    assert unknown['rewards']['reward'] == pytest.approx(2 / 4)


def vf_eval(python, folder, url, **taskset):
    options = {f'env.taskset.{name}': value for name, value in {**PENGUINS, 'sandbox': 'auto', **taskset}.items()}
    options |= {'client.base-url': url, 'client.api-key-var': 'ANY_KEY', 'output-dir': str(folder)}
    words = [word for name, value in options.items() for word in (f'--{name}', value)]
    return subprocess.run(
        [python.with_name('vf-eval'), 'cibench-eval', '-m', 'any', '-r', '2', '--no-push', '--no-rich', *words],
        env=os.environ | {'ANY_KEY': 'any'},
        cwd=folder,
        capture_output=True,
        text=True,
    )


def test_its_own_program_tells_a_wrong_option_in_one_line(python, tmp_path):
    done = vf_eval(python, tmp_path, 'http://127.0.0.1:1', only='nope/*')
    assert done.returncode == 1 and done.stderr.startswith('cibench: error: ') and done.stderr.count('\n') == 1


def test_its_own_program_finds_the_task_set(python, tmp_path):
    with chat_server(answering(ONLY, wrong)) as server:
        done = vf_eval(python, tmp_path, server.base_url)
    assert done.returncode == 0, done.stderr
    (records,) = tmp_path.rglob('traces.jsonl')
    found = [json.loads(line)['traces'][0] for line in records.read_text().splitlines()]
    assert [(one['ok'], one['rewards']['reward']['score'], one['metrics']['right']) for one in found] == [
        (True, 0.5, 0.5)
    ] * 2


def test_a_rollout_that_verifiers_cuts_short_is_scored(played):
    few, slow = (played[name][0][0] for name in ('few', 'slow'))
    for rollout, stop in ((few, 'max_turns'), (slow, 'agent_timeout')):
        assert (rollout['stop'], rollout['ok'], len(rollout['sampled'])) == (stop, [True, True], 2)
        outcomes = [one['outcome'] for one in scores(rollout)]
        assert outcomes == ['ran', 'correct', 'no_tool', 'no_tool', 'no_tool']
        assert rollout['rewards']['reward'] == pytest.approx(1 / 4)


def test_an_invalid_rollout_has_a_reason_and_no_reward(played):
    """The endpoint fails after two steps, no kernel can be started, or time is over before the first request."""
    found = [played[name][0][0] for name in ('endpoint', 'kernel', 'unasked')]
    endpoint, kernel, unasked = found
    assert [(one['ok'], one['rewards'], one['metrics']) for one in found] == [([False, False], {}, {})] * 3
    assert endpoint['error'][0] == 'ProviderError' and 'upstream 500' in endpoint['error'][1]
    assert kernel['error'][0] == 'HarnessError' and '/nowhere/bin/python' in kernel['error'][1]
    assert unasked['error'] == ['HarnessError', 'verifiers ended the session before its first request']
    assert not any('steps' in one['info'] for one in found)


def test_a_conversation_that_is_too_long_ends_the_session(played):
    (short,), requests = played['short']
    assert (short['stop'], short['ok']) == ('context_overflow', [True, True])
    asked = len(short['sampled'])
    assert len(requests) == asked + 1, 'nothing is asked after the refusal'
    assert short['rewards']['reward'] == pytest.approx((asked - 1) / 4), 'nothing decides on the first step'


def test_notebooks_by_seed_without_end(played):
    found, _ = played['endless']
    assert [one['seed'] for one in found] == [3, 4]
    assert found[0]['task'] != found[1]['task']
    assert found[0]['rewards']['reward'] == 1 > found[1]['rewards']['reward']


def test_its_reader_takes_tasks_of_harbor_whose_images_have_names(python, tmp_path):
    check_read(python, exported(tmp_path / 'tasks', EXAMPLES, '--images', 'x.org/me'), 'x.org/me')


TOO_LONG = {
    'error': {
        'message': "This model's maximum context length is 100 tokens. Please reduce the length of the messages.",
        'type': 'invalid_request_error',
        'code': 'context_length_exceeded',
    }
}
