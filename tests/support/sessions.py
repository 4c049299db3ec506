"""Experiments of a few lines, and a model that says what it was told to."""

from pathlib import Path

from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.interpreter import KernelSettings
from cibench_eval.models.base import Stateless
from cibench_eval.models.replay import Replay
from cibench_eval.schema import Experiment, Reply, Step

KERNELS = KernelSettings(sandbox='auto', preload=())


def experiment(*codes, name='m/x'):
    steps = [
        Step(index=index, question=f'question {index}', code=code, thought='think', kind='exec')
        for index, code in enumerate(codes)
    ]
    return Experiment(id=name, path=Path(f'{name}.ipynb'), language='en', steps=steps, typed=True)


def taught(model, *experiments):
    """`model`; if it is a replay, it knows the gold replies of these experiments."""
    if isinstance(model, Replay):
        model.learn({(one.id, step.index): ReAct().gold(step) for one in experiments for step in one.steps})
    return model


def call(code):
    return f'Thought: t\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


class Script(Stateless):
    """Says what stands in its list, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        return Reply(text=self.replies.pop(0))
