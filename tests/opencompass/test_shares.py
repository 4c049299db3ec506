"""However the sessions of a run are cut into tasks, it ends in the same files and the same scores."""

import json
import re
import sys

import pytest

from cibench_eval.traces import TraceStore
from tests.support.notebooks import add_endpoint, config_folder, endpoint, notebook, small_set, solve
from tests.support.runs import MINE, SMALL, change, one_line, outcome, results, run_folder
from tests.support.sessions import call

pytestmark = pytest.mark.kernel


@pytest.fixture
def project(tmp_path):
    """As everywhere, with more notebooks."""
    config_folder(tmp_path, small_set(tmp_path / 'data', tuple('abcdefgh')))
    return tmp_path


@pytest.mark.soak
def test_a_run_in_seven_tasks_ends_as_a_run_in_one(project, here):
    """With a figure, whose files the tasks share."""
    drawn = ('exec', 'Draw a line in i.', 'import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()', '')
    (project / 'data/small/math/i.ipynb').write_text(json.dumps(notebook(drawn)))
    assert here(*SMALL).returncode == 0
    whole = run_folder(project)
    both = 'gold-replay', ('small', 'small_oracle')
    expected = outcome(whole, *both)
    provenance = results(whole, model='gold-replay')['provenance']
    assert '.png' in str(expected)
    whole.rename(project / 'whole')
    done = here(*SMALL, '--max-tasks', '7')
    assert done.returncode == 0, done.stderr
    folder = run_folder(project)
    assert outcome(folder, *both) == expected
    assert results(folder, model='gold-replay')['provenance'] == provenance
    assert len([*folder.glob('logs/infer/shares/*.out')]) == 7
    of_model = sorted(path.name for path in (folder / 'predictions/gold-replay').iterdir())
    written = [f'{name}.{ending}' for name in ('small', 'small_oracle') for ending in ('json', 'traces.jsonl')]
    assert of_model == ['figures', *written]


@pytest.mark.soak
def test_dry_run_says_what_is_left(project, here):
    def last(*words):
        return here(*SMALL, *words, '--dry-run').stdout.splitlines()[-1]

    asked = last()
    sessions, steps, requests = (int(word) for word in re.findall(r'\d+', asked.partition(': ')[2]))
    assert 0 < sessions < steps and requests == 3 * steps
    assert (
        last('--epochs', '2')
        == f'gold-replay: {2 * sessions} sessions, {2 * steps} steps, at most {6 * steps} requests'
    )
    assert here(*SMALL).returncode == 0
    assert last('-r') == 'gold-replay: 0 sessions, 0 steps, at most 0 requests'


def test_dry_run_says_what_it_will_take(project, here):
    """The endpoint counts 7 tokens a request and 5 a reply, and needs two requests for half of the steps."""

    def answer(messages):
        question = messages[-1]['content']
        return solve(messages) if 'Set n' in question or 'failed' in question else call('failed')

    def lines(*words):
        return here(*MINE, *words, '--dry-run').stdout.splitlines()[-3:]

    with endpoint(project, answer) as server:
        change(project / 'configs/models/mine.py', 'type=', 'price=dict(input=1e6, output=2e6), type=')
        _, asked, gold = lines()
        steps = int(re.search(r'(\d+) steps', asked)[1])
        assert gold.startswith(f'  as the gold answers: about {steps} requests, ') and 'cost ' in gold
        assert here(*MINE, '-m', 'infer').returncode == 0
    requests = len(server.requests)
    *_, measured = lines('--epochs', '2')
    assert re.match(rf'  as in \S+ \({steps} steps\): about {2 * requests} requests, ', measured)
    assert f'cost {2 * requests * 17:,}.00, time ' in measured


@pytest.mark.soak
def test_dry_run_tells_the_tokens_and_the_time_of_a_model_that_answers_as_the_gold(project, here):
    """A token is about four bytes of a request; of 100 epochs, two sessions run at once."""
    with endpoint(project, solve) as server:
        change(project / 'configs/models/mine.py', 'type=', 'price=dict(input=1e6, output=0), type=')
        gold = here(*MINE, '--dry-run').stdout.splitlines()[-1]
        assert here(*MINE, '-m', 'infer').returncode == 0
    said = [one['content'] for request in server.requests for one in request['messages']]
    told = float(gold.rpartition('cost ')[2].replace(',', ''))
    assert told == pytest.approx(len(''.join(said).encode()) / 4, rel=0.01)
    stores = map(TraceStore, run_folder(project).glob('predictions/mine/*.traces.jsonl'))
    took = sum(trace.seconds for store in stores for trace in store.read(store.index().values()))
    again = here(*MINE, '--epochs', '100', '--max-sessions', '2', '--dry-run').stdout.splitlines()[-1]
    hours, minutes, seconds = map(int, again.rpartition('time ')[2].split(':'))
    assert 3600 * hours + 60 * minutes + seconds == pytest.approx(100 * took / 2, abs=1)


@pytest.mark.soak
def test_dry_run_counts_what_an_agent_is_asked_that_makes_its_own_requests(project, here):
    add_endpoint(project / 'configs', 'mine', 'http://127.0.0.1:9/v1')
    said = [here(*MINE, '--agents', agent, '--dry-run').stdout.splitlines() for agent in ('react', 'lagent_react')]
    assert said[1][-1] == said[0][-2]


def test_dry_run_finds_what_vllm_does_not_know(project, here):
    """The server is a parser of vLLM's kind: it changes words and leaves the rest to argparse."""
    server = project / 'vllm/entrypoints/openai/api_server.py'
    server.parent.mkdir(parents=True)
    server.write_text(
        'import argparse\n'
        'class Parser(argparse.ArgumentParser):\n'
        '    def parse_args(self, args=None, namespace=None):\n'
        '        return super().parse_args(args, namespace)\n'
        'parser = Parser()\n'
        'for name in ("model", "host", "served-model-name"):\n'
        '    parser.add_argument(f"--{name}")\n'
        'for name in ("port", "max-model-len"):\n'
        '    parser.add_argument(f"--{name}", type=int)\n'
        'parser.parse_args()\n'
        'raise SystemExit("it would start now")\n'
    )
    variables = f'dict(PYTHONPATH={str(project)!r})'

    def tried(arguments):
        (project / 'configs/models/mine.py').write_text(
            'from cibench_eval.models import VLLM\n'
            f"models = [dict(type=VLLM, abbr='mine', path='some/model', python={sys.executable!r}, "
            f'variables={variables}, arguments=dict({arguments}), max_out_len=8, batch_size=1)]\n'
        )
        return here(*MINE, '--dry-run')

    assert tried('max_model_len=512').returncode == 0
    one_line(tried('max_modl_len=512'), 'some/model: arguments: vLLM says: unrecognized arguments: --max-modl-len 512')
    one_line(tried("max_model_len='all'"), 'vLLM says: argument --max-model-len: invalid int value', 'correct them')


@pytest.mark.soak
def test_what_is_finished_is_not_cut_again(project, here):
    """The endpoint breaks; the run goes on with the sessions that are missing, cut anew, and with their steps."""
    broken = {'c', 'f'}

    def answer(messages):
        question = messages[-1]['content']
        lost = 'Print n' in question and any(f'in {name}.' in question for name in broken)
        return 500 if lost else solve(messages)

    words = (*MINE, '--max-tasks', '4')
    with endpoint(project, answer) as server:
        failed = here(*words)
        assert failed.returncode == 1
        assert 'SessionInfer[mine/share-' in failed.stderr
        assert len(json.loads((run_folder(project) / 'results/mine/small.json').read_text())['harness_errors']) == 2
        broken.clear()
        server.requests.clear()
        done = here(*words, '-r')
        assert done.returncode == 0, done.stderr
        assert len(server.requests) == 4  # one step of two sessions in two datasets
    assert len(json.loads((run_folder(project) / 'predictions/mine/small.json').read_text())) == 8
    (ledger,) = (run_folder(project) / 'predictions').glob('usage*')
    assert len(ledger.read_text().splitlines()) == 32, 'what each task has paid for is in one file'


def test_tasks_have_one_limit_together(project, here):
    """A reply costs 12 tokens; each of the tasks may have one more on its way."""
    runtime = project / 'configs/runtimes/local.py'
    runtime.write_text(runtime.read_text() + '\nlimits = dict(run_tokens=30)\n')
    with endpoint(project, lambda _: 'Final Answer: 1') as server:
        done = here(*MINE, '--max-tasks', '4', '-m', 'infer')
    assert done.returncode == 1 and 'run_tokens 30 used up' in done.stderr
    assert 3 <= len(server.requests) < 4 * 3
