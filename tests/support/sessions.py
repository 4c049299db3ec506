"""Experiments of a few lines, and a model that says what it was told to."""

import asyncio
from pathlib import Path

from cibench_eval.agents import AgentSettings, Batch, ReAct, Session, SessionSettings, run_sessions
from cibench_eval.interpreter import KernelSettings
from cibench_eval.models.base import Stateless
from cibench_eval.models.limits import Limits
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
    if hasattr(model, 'learn'):
        model.learn({(one.id, step.index): ReAct().gold(step) for one in experiments for step in one.steps})
    return model


def call(code):
    return f'Thought: t\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'


def settings_of(protocol=None, mode='end_to_end', kernels=KERNELS, limits=None, **agent):
    """The settings of a session, of a protocol and other fields of its agent."""
    return SessionSettings(AgentSettings(protocol or ReAct(), **agent), kernels, mode, limits=limits or Limits())


def play(model, gold, *protocol, journal=None, slots=None, **settings):
    """The trace of one session; `settings` are those of `settings_of`."""
    session = Session(gold, model, settings_of(*protocol, **settings), journal=journal, slots=slots)
    return asyncio.run(session.run())


def play_stored(model, gold, store, *protocol, **settings):
    """The trace of one session whose steps are kept in a store, so that a further call goes on with it."""
    (trace,) = asyncio.run(run_sessions(Batch([gold], model, settings_of(*protocol, **settings)), store))
    return trace


class Script(Stateless):
    """Says what stands in its list, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        return Reply(text=self.replies.pop(0))
