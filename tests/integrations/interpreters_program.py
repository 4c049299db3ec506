"""Run by a Python that has smolagents and langchain-core: `smolagents URL` runs an agent, `langchain` a tool."""

import json
import sys
from pathlib import Path

from cibench_eval.interpreter import BlockingInterpreter, KernelSettings

SETTINGS = KernelSettings(preload=())


def smolagents(url):
    from smolagents import CodeAgent, OpenAIModel, tool

    from cibench_eval.integrations.smolagents_executor import SandboxExecutor

    @tool
    def double(number: int) -> int:
        """Double a number.

        Args:
            number: the number.
        """
        return 2 * number

    model = OpenAIModel('any', api_base=url, api_key='any')
    executor = SandboxExecutor(SETTINGS)
    with CodeAgent(tools=[double], model=model, executor=executor, verbosity_level=0) as agent:
        answer = agent.run('What is it?', additional_args={'start': [20, 1]})
        return {
            'answer': answer,
            'seen': [getattr(step, 'observations', None) for step in agent.memory.steps],
            'errors': [str(getattr(step, 'error', None)) for step in agent.memory.steps],
            'again': agent.run('And before?', reset=False, max_steps=1),
        }


def langchain():
    from cibench_eval.integrations.langchain_tool import interpreter_tool

    def called(code):
        message = tool.invoke({'type': 'tool_call', 'id': 'a', 'name': tool.name, 'args': {'code': code}})
        return [message.content, [one[:4].hex() for one in message.artifact]]

    figure = 'import matplotlib.pyplot as plt\nplt.plot([x, 2])\nplt.show()'
    with BlockingInterpreter(SETTINGS) as interpreter:
        tool = interpreter_tool(interpreter)
        file = Path(__file__)
        codes = ['x = 41', 'print(x)\nx + 1', figure, '1 / 0', f'open({str(file)!r})']
        return {'name': tool.name, 'args': tool.args, 'said': [called(code) for code in codes]}


if __name__ == '__main__':
    print(json.dumps(smolagents(sys.argv[2]) if sys.argv[1] == 'smolagents' else langchain()))
