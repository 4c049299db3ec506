"""The interpreter in the hands of lagent: its executor, its results, its errors."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from cibench_eval.interpreter import KernelSettings

pytestmark = pytest.mark.kernel


@pytest.fixture
def action(tmp_path):
    pytest.importorskip('lagent.actions')
    from cibench_eval.agents.lagent_action import IPythonAction

    made = IPythonAction(KernelSettings(sandbox='auto', preload=()), figures=tmp_path)
    yield made
    made.close()


def test_an_executor_holds_it(action):
    from lagent.actions import ActionExecutor

    executor = ActionExecutor([action])
    assert executor.action_names() == ['IPythonInterpreter']
    first = executor('IPythonInterpreter', {'command': '```python\nx = 6\nprint(x)\n```'})
    assert (first.state, first.type, first.format_result()) == (0, 'IPythonInterpreter', 'stdout:\n\n```\n6\n\n```')
    assert executor('IPythonInterpreter', {'command': 'x * 7'}).format_result() == 'execute_result:\n\n```\n42\n```'


def test_figures_are_files(action, tmp_path):
    done = action.run('from PIL import Image\nImage.new("RGB", (9, 2))')
    image = next(item['content'] for item in done.result if item['type'] == 'image')
    assert [str(path) for path in tmp_path.glob('*.png')] == [image]


def test_an_error_is_a_state_with_the_traceback_and_reset_forgets(action):
    action.run('x = 1')
    failed = action.run('1 / 0')
    assert (failed.state, 'ZeroDivisionError' in failed.errmsg) == (-1002, True)
    action.reset()
    assert 'NameError' in action.run('x').errmsg


def test_calls_at_the_same_time_run_one_after_the_other(action):
    action.run('x = 0')
    with ThreadPoolExecutor(4) as threads:
        done = list(threads.map(action.run, ['x += 1'] * 4))
    assert [one.errmsg for one in done] == [None] * 4
    assert action.run('x').format_result() == 'execute_result:\n\n```\n4\n```'
