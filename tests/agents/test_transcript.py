"""The conversation: every request can be made again from the trace; what is left out of one that is too long."""

import copy

import pytest

from cibench_eval.agents import AgentSettings, CodeBlock, InternLMReAct, LlamaReAct, QwenReAct, ReAct, ToolCalls
from cibench_eval.agents.transcript import request_of
from cibench_eval.models.base import Stateless
from cibench_eval.schema import CibenchError, HarnessError, Reply, Step, Trace
from cibench_eval.traces import TraceStore
from tests.support.sessions import experiment, play, play_stored, request
from tests.support.soak import many

LEFT_OUT = '[left out]'


def attempt(number):
    return [{'role': 'assistant', 'content': f'code{number}'}, {'role': 'user', 'content': f'output{number}'}]


def requested(*numbers, without=0):
    """The request after past steps with so many attempts each, numbered through, and a current step with one."""
    attempts = iter(attempt(number) for number in range(sum(numbers)))
    past = [
        ([{'role': 'user', 'content': f'question{index}'}], [next(attempts) for _ in range(number)])
        for index, number in enumerate(numbers)
    ]
    current = ([{'role': 'user', 'content': 'now'}], [attempt(9)])
    opening = [{'role': 'system', 'content': 'rules'}]
    return request(*past, current, without=without, opening=opening, left_out=LEFT_OUT)


def kept(messages, what):
    text = str(messages)
    return [index for index in range(10) if f'{what}{index}' in text]


def test_oldest_outputs_go_first_then_oldest_steps_and_never_the_current_step():
    for without in range(5):
        messages = requested(1, 2, 1, without=without)
        assert kept(messages, 'output') == [*range(without, 4), 9]
        assert kept(messages, 'question') == [0, 1, 2]
        assert kept(messages, 'code') == [0, 1, 2, 3, 9]
        assert str(messages).count(LEFT_OUT) == without
    assert kept(requested(1, 2, 1, without=5), 'question') == [1, 2]
    assert kept(requested(1, 2, 1, without=6), 'code') == [3, 9]
    last = requested(1, 2, 1, without=4 + 3)
    assert (kept(last, 'question'), kept(last, 'output')) == ([], [9])
    assert [message['role'] for message in last] == ['system', 'user', 'assistant', 'user']
    assert 'now' in last[1]['content']


def test_roles_alternate_whatever_is_left_out():
    for without in range(5 + 3 + 1):
        roles = [message['role'] for message in requested(2, 0, 3, without=without)][1:]
        assert roles == ['user', 'assistant'] * (len(roles) // 2) + ['user']


def test_parts_of_neighbours_are_joined():
    image = {'type': 'image_url', 'image_url': {'url': 'data:image/png;base64,'}}
    asked = [{'role': 'user', 'content': 'look \n'}, {'role': 'user', 'content': [image]}]
    assert request((asked, []), max_images=1) == [
        {'role': 'user', 'content': [{'type': 'text', 'text': 'look'}, image]}
    ]


class Recorder(Stateless):
    """Answers with code by step and attempt; keeps what it was asked.

    Args:
        window: characters that it takes.
        gone: the step at which its endpoint is gone; None is never.
    """

    def __init__(self, protocol, codes, window=10**6, gone=None):
        self.protocol, self.codes, self.window, self.gone = protocol, codes, window, gone
        self.asked, self.requests = {}, 0

    async def chat(self, messages, turn, stop=(), tools=()):
        if turn.step == self.gone:
            raise HarnessError('endpoint gone')
        self.requests += 1
        self.asked[turn.step, turn.attempt] = copy.deepcopy(messages)
        if sum(len(message['content']) for message in messages) > self.window:
            return Reply(text='', finish_reason='context_overflow')
        code = self.codes[turn.step][turn.attempt]
        said = self.protocol.gold(Step(index=turn.step, question='', code=code, thought='I try.', kind='exec'))
        return said.model_copy(update={'text': f'<think>How?</think>{said.text}'})


NOW = 'import time\nprint(time.time_ns(), "x" * 300)'
CODES = [[NOW], ['1 / 0', 'nothing', NOW], [f'{NOW}\nboom', NOW], [NOW]]
PAPER = ReAct(prompt='paper', prompt_language='en')
PROTOCOLS = [ReAct(), PAPER, CodeBlock(), QwenReAct(), InternLMReAct(), LlamaReAct(), ToolCalls()]


def roomy(protocol):
    """Characters that hold the opening and not all of four steps."""
    return sum(len(message['content']) for message in protocol.opening('en')) + 1300


def check(trace, asked):
    """Every request can be made again from the trace, also when it has been written and read."""
    trace = Trace.model_validate_json(trace.model_dump_json())
    attempts = [(step.index, number) for step in trace.steps for number in range(len(step.attempts))]
    assert set(attempts) == set(asked)
    for step, number in attempts:
        assert request_of(trace, step, number) == asked[step, number]


@pytest.mark.kernel
@pytest.mark.parametrize(
    ('protocol', 'history', 'mode'),
    [
        *((protocol, 'all', 'end_to_end') for protocol in many(PROTOCOLS, [CodeBlock(), ToolCalls()])),
        *((protocol, 'final', 'oracle') for protocol in many(PROTOCOLS, [PAPER])),
        (ReAct(), 'final', 'end_to_end'),
        *many([(ReAct(), 'all', 'oracle')], []),
    ],
    ids=lambda one: one if isinstance(one, str) else one.name + one.prompt,
)
def test_every_request_can_be_made_again_from_the_trace(tmp_path, protocol, history, mode):
    """Although what gold code shows differs each time that it runs, the run is interrupted, and the window is small."""
    store, gold = TraceStore(tmp_path / 'd.traces.jsonl'), experiment(*[NOW] * 4)

    def run(model):
        return play_stored(model, gold, store, protocol, history=history, mode=mode)

    first = Recorder(protocol, CODES, roomy(protocol), gone=2)
    with pytest.raises(HarnessError, match='endpoint gone'):
        run(first)
    second = Recorder(protocol, CODES, roomy(protocol))
    trace = run(second)
    assert {step for step, _ in second.asked} <= {2, 3}
    check(trace, first.asked | second.asked)
    assert any(attempt.without for step in trace.steps for attempt in step.attempts)
    if mode == 'oracle':
        shown = [turns[-1]['content'] for turns in trace.gold]
        assert len(set(shown)) == 3
        last = str(request_of(trace, 3, 0))
        assert repr(shown[-1])[1:-1] in last or trace.left_out in last


def session(model, mode, **agent):
    gold = experiment(*(f'print("x" * 900, {index})' for index in range(4)))
    return play(model, gold, ReAct(example=False), mode=mode, **agent)


class Window(Recorder):
    """Takes so many characters, and answers with code that prints a lot."""

    def __init__(self, characters):
        super().__init__(ReAct(), [[f'print("x" * 900, {index})'] for index in range(4)], characters)


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_a_conversation_is_trimmed_until_it_fits(mode):
    model = Window(2500)
    trace = session(model, mode)
    assert [[attempt.without for attempt in step.attempts] for step in trace.steps] == [[0], [0], [1], [2]]
    assert all(step.attempts[0].execution.status == 'ok' for step in trace.steps)
    check(trace, model.asked)


@pytest.mark.kernel
def test_what_one_attempt_had_to_leave_out_the_next_leaves_out_at_once():
    model = Window(2500)
    model.codes[3] = ['1 / 0', 'print("x")']
    trace = session(model, 'end_to_end')
    first, second = trace.steps[3].attempts
    assert second.without >= first.without > 0
    one_each, learned = 1 + 1 + 2, 3  # requests for steps 0 to 2, and until the first attempt at step 3 fits
    assert model.requests == one_each + learned + 1
    check(trace, model.asked)


@pytest.mark.kernel
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
@pytest.mark.parametrize(('characters', 'agent', 'asked'), [(2500, {'overflow': 'end'}, 4), (100, {}, 4 + 2 + 3 + 4)])
def test_what_cannot_be_trimmed_is_the_models_failure(characters, agent, asked, mode):
    model = Window(characters)
    trace = session(model, mode, **agent)
    last = trace.steps[3].attempts
    assert [(a.reply.finish_reason, a.execution) for a in last] == [('context_overflow', None)]
    assert 'context window' in last[0].action.problem
    assert model.requests == asked
    check(trace, model.asked)


@pytest.mark.parametrize(
    'setting', [{'overflow': 'drop'}, {'history': 'none'}, {'max_attempts': 0}, {'max_attempts': '3'}]
)
def test_a_wrong_setting_is_refused(setting):
    ((name, value),) = setting.items()
    with pytest.raises(CibenchError, match=f'agents: {name} is {value!r}; it must be'):
        AgentSettings(**setting)
