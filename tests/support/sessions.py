"""Experiments of a few lines, and a model that says what it was told to."""

import asyncio
from pathlib import Path

from cibench_eval.agents import AgentSettings, Batch, ReAct, Session, SessionSettings, run_sessions
from cibench_eval.agents.transcript import request_of
from cibench_eval.interpreter import KernelSettings
from cibench_eval.models.base import Stateless
from cibench_eval.models.limits import Limits
from cibench_eval.schema import Action, Attempt, Experiment, Reply, Step
from tests.support.scoring import session_trace, step_trace

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
    """The trace of one session; `settings_of` takes the `settings`."""
    session = Session(gold, model, settings_of(*protocol, **settings), journal=journal, slots=slots)
    return asyncio.run(session.run())


def play_stored(model, gold, store, *protocol, **settings):
    """The trace of one session whose steps are kept in a store, so that a further call goes on with it."""
    (trace,) = asyncio.run(run_sessions(Batch([gold], model, settings_of(*protocol, **settings), store)))
    return trace


def request(*steps, without=0, **conversation):
    """The request that follows steps; a step is the messages of its question and of each attempt at it.

    Args:
        without: parts that are left out of it.
        conversation: fields of the trace, as `opening`.
    """
    attempts = [[Attempt(reply=Reply(text=''), action=Action(), messages=one) for one in tried] for _, tried in steps]
    attempts[-1].append(Attempt(reply=Reply(text=''), action=Action(), without=without))
    made = [
        step_trace(*tried, index=index, asked=asked)
        for index, ((asked, _), tried) in enumerate(zip(steps, attempts, strict=True))
    ]
    trace = session_trace(*made).model_copy(update={'history': 'all', **conversation})
    return request_of(trace, len(steps) - 1, len(attempts[-1]) - 1)


class Script(Stateless):
    """Says what stands in its list, and keeps what it was asked."""

    def __init__(self, *replies):
        self.replies = list(replies)
        self.asked = []

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        return Reply(text=self.replies.pop(0))
