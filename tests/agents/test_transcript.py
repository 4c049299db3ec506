"""What is left out of a conversation that is too long for the model's window, and when a step ends for it."""

import asyncio

import pytest

from cibench_eval.agents.protocols.react import ReAct
from cibench_eval.agents.session import AgentSettings, Session, run_session
from cibench_eval.agents.transcript import LEFT_OUT, Conversation
from cibench_eval.models.base import Stateless
from cibench_eval.schema import Action, Attempt, CibenchError, Reply, StepTrace
from tests.support.sessions import KERNELS, call, experiment


def attempt(index):
    action = Action(tool='IPythonInterpreter', code=f'code{index}')
    return Attempt(reply=Reply(text=call(f'code{index}')), action=action, observation=f'Response: output{index}')


def past(*numbers):
    """A step for each number, with that many attempts; attempts are numbered through."""
    attempts = iter(attempt(index) for index in range(sum(numbers)))
    return [
        StepTrace(index=index, question=f'question{index}', attempts=[next(attempts) for _ in range(number)])
        for index, number in enumerate(numbers)
    ]


def conversation(*numbers):
    return Conversation(ReAct(example=False), 'en', past(*numbers), 'now', [attempt(9)])


def kept(messages, what):
    text = str(messages)
    return [index for index in range(10) if f'{what}{index}' in text]


def test_oldest_outputs_go_first_then_oldest_steps_and_never_the_current_step():
    whole = conversation(1, 2, 1)
    assert whole.parts == 4 + 3
    for without in range(5):
        messages = whole.messages(without)
        assert kept(messages, 'output') == [*range(without, 4), 9]
        assert kept(messages, 'question') == [0, 1, 2]
        assert kept(messages, 'code') == [0, 1, 2, 3, 9]
        assert str(messages).count(LEFT_OUT['en']) == without
    assert kept(whole.messages(5), 'question') == [1, 2]
    assert kept(whole.messages(6), 'code') == [3, 9]
    last = whole.messages(7)
    assert (kept(last, 'question'), kept(last, 'output')) == ([], [9])
    assert [message['role'] for message in last] == ['system', 'user', 'assistant', 'user']
    assert 'now' in last[1]['content']


def test_roles_alternate_whatever_is_left_out():
    whole = conversation(2, 0, 3)
    for without in range(whole.parts + 1):
        roles = [message['role'] for message in whole.messages(without)][1:]
        assert roles == ['user', 'assistant'] * (len(roles) // 2) + ['user']


class Window(Stateless):
    """A model that takes so many characters, and answers with code that prints a lot."""

    def __init__(self, characters):
        self.characters = characters
        self.asked = []

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        if sum(len(message['content']) for message in messages) > self.characters:
            return Reply(text='', finish_reason='context_overflow')
        return Reply(text=call(f'print("x" * 900, {turn.step})'))


def session(model, mode, **agent):
    gold = experiment(*(f'print("x" * 900, {index})' for index in range(4)))
    made = Session(gold, model, AgentSettings(protocol=ReAct(example=False), **agent), KERNELS)
    return asyncio.run(run_session(made, model='m', dataset='d', mode=mode))


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_a_conversation_is_trimmed_until_it_fits(mode):
    trace = session(Window(2500), mode)
    assert [[attempt.without for attempt in step.attempts] for step in trace.steps] == [[0], [0], [1], [2]]
    assert all(step.attempts[0].execution.status == 'ok' for step in trace.steps)


@pytest.mark.kernel
@pytest.mark.parametrize(('characters', 'agent', 'asked'), [(2500, {'overflow': 'end'}, 4), (100, {}, 4 + 2 + 3 + 4)])
def test_what_cannot_be_trimmed_is_the_models_failure(characters, agent, asked):
    model = Window(characters)
    trace = session(model, 'oracle', **agent)
    last = trace.steps[3].attempts
    assert [(a.reply.finish_reason, a.execution) for a in last] == [('context_overflow', None)]
    assert 'context window' in last[0].action.problem
    assert len(model.asked) == asked


@pytest.mark.parametrize(
    'setting', [{'overflow': 'drop'}, {'history': 'none'}, {'max_attempts': 0}, {'max_attempts': '3'}]
)
def test_a_wrong_setting_is_refused(setting):
    ((name, value),) = setting.items()
    with pytest.raises(CibenchError, match=f'agents: {name} is {value!r}; it must be'):
        AgentSettings(**setting)
