"""Our interpreter in smolagents and LangChain: their own packages run code in it."""

from pathlib import Path

import pytest

from tests.support.chat_server import chat_server
from tests.support.integrations import core, new_python, told
from tests.support.pythons import python_of

pytestmark = [pytest.mark.kernel, pytest.mark.soak]
PROGRAM = Path(__file__).with_name('interpreters_program.py')
CODES = [
    'total = double(start[0])\nprint(total)\ntotal + 1',
    '1 / 0',
    'final_answer({"value": total + 2})',
    'final_answer(total)',
]


@pytest.fixture(scope='module')
def python(tmp_path_factory):
    folder = tmp_path_factory.mktemp('interpreters')
    packages = ['smolagents[openai]==1.26.0', 'langchain-core>=1.8,<2']
    return new_python(folder / 'venv', core(folder), *packages, base=python_of('3.12'))


def test_a_code_agent_of_smolagents_runs_its_code_tools_and_answer_in_it(python):
    def answer(messages):
        done = sum(message['role'] == 'assistant' for message in messages)
        return f'Thought: so.\n<code>\n{CODES[done]}\n</code>'

    with chat_server(answer) as server:
        found = told(python, PROGRAM, 'smolagents', server.base_url)
    assert (found['answer'], found['again']) == ({'value': 42}, 40)
    assert 'Execution logs:\n40\nLast output from code snippet:\n41' in found['seen']
    assert [error for error in found['errors'] if 'ZeroDivisionError' in error]


def test_a_tool_of_langchain_keeps_its_variables_and_has_figures_for_artifacts(python):
    found = told(python, PROGRAM, 'langchain')
    assert (found['name'], [*found['args']]) == ('IPythonInterpreter', ['code'])
    nothing, values, figure, error, host = found['said']
    assert nothing == ['no output', []]
    assert '41\n' in values[0] and '42' in values[0]
    assert figure == ['no output', ['89504e47']]
    assert 'ZeroDivisionError: division by zero' in error[0]
    assert 'FileNotFoundError' in host[0]
