"""Runs on a real vLLM, where it is built: guided decoding keeps a small model to the form, as text and as calls."""

import threading

import psutil
import pytest

from cibench_eval import cli
from cibench_eval.models import VLLM, servers
from cibench_eval.run.main import main
from cibench_eval.schema import INTERPRETER, CibenchError
from cibench_eval.traces import TraceStore
from tests.support.notebooks import config_folder, small_set

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
FORM = r'Thought: easy\nAction: IPythonInterpreter\nAction Input:\n```python\nprint\([0-9]{1,3}\)\n```'
MODEL = """
from cibench_eval.models import VLLM

models = [
    dict(
        type=VLLM,
        abbr={abbr!r},
        path={path!r},
        arguments=dict(
            max_model_len=4096,
            dtype='bfloat16',
            enforce_eager=True,
            enable_auto_tool_choice=True,
            tool_call_parser='hermes',
        ),
        max_out_len=96,
        batch_size=4,
        generation_kwargs=dict(temperature=0.0, seed=0, extra_body={guide!r}),
    )
]
"""


@pytest.fixture(scope='module')
def weights(tmp_path_factory):
    """The embedded model in the Hugging Face format."""
    try:
        VLLM('on/hub').check()
    except CibenchError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp('model') / 'weights'
    assert cli.main(['model', 'export', str(folder)]) == 0
    return folder


@pytest.fixture
def run(weights, tmp_path):
    """Run the small set with an agent and a guide: the exit code, and the attempts of all sessions."""
    configs = config_folder(tmp_path, small_set(tmp_path / 'data', ('a',)))

    def start(agent, *words, **guide):
        (configs / 'models/guided.py').write_text(MODEL.format(abbr=agent, path=str(weights), guide=guide))
        axes = ['--models', 'guided', '--datasets', 'small', '--agents', agent, '--config-dir', str(configs)]
        code = main([*axes, '-w', str(tmp_path / agent), *words])
        stores = [TraceStore(path) for path in (tmp_path / agent).glob('*/predictions/*/*.traces.jsonl')]
        steps = [step for store in stores for trace in store.load().values() for step in trace.steps]
        return code, [attempt for step in steps for attempt in step.attempts]

    return start


def test_a_small_model_writes_the_form_that_it_is_guided_to(run):
    code, attempts = run('react', structured_outputs={'regex': FORM})
    assert code == 0
    assert len(attempts) >= 4
    assert all(one.action.code.startswith('print(') and one.execution.status == 'ok' for one in attempts)


def test_its_calls_are_parsed_and_a_killed_server_costs_no_session(run):
    over = threading.Event()

    def kill():
        """End the first server as soon as it answers."""
        while not over.wait(0.05):
            for server in list(servers._running.values()):
                for process in psutil.Process(server.process.pid).children(recursive=True):
                    process.kill()
                return

    killer = threading.Thread(target=kill)
    killer.start()
    code, _ = run('tool_calls', tool_choice='required')
    over.set()
    killer.join()
    assert code == 1
    code, attempts = run('tool_calls', '-r', tool_choice='required')
    assert code == 0
    assert len(attempts) >= 4
    assert {call.name for one in attempts for call in one.reply.tool_calls} == {INTERPRETER}
