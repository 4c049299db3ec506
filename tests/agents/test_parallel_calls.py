"""Several calls in one reply, on real kernels: all run, in their order; all are answered; the last one counts."""

import json

import pytest

from cibench_eval.agents import ToolCalls
from cibench_eval.agents.transcript import request_of
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.schema import INTERPRETER, Reply, ToolCall
from cibench_eval.traces import TraceStore, figures_of
from tests.support.sessions import Script, experiment, play

pytestmark = pytest.mark.kernel
DRAW = 'from PIL import Image\nImage.new("RGB", (9, 2))'


class Caller(Script):
    """Makes the calls in its list; a tuple has the calls of one reply."""

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        codes = self.replies.pop(0)
        calls = [
            ToolCall(id=f'{len(self.asked)}{n}', name=INTERPRETER, arguments=json.dumps({'code': code}))
            for n, code in enumerate(codes)
        ]
        return Reply(text='' if calls else 'Done.', tool_calls=calls, finish_reason='tool_calls' if calls else 'stop')


def run(*replies, steps=1, journal=None, **protocol):
    model = Caller(*replies)
    return play(model, experiment(*['x'] * steps), ToolCalls(**protocol), history='all', journal=journal), model


def test_calls_of_a_reply_run_in_their_order_in_one_session():
    trace, model = run(('x = 1', 'x += 1\nx', 'x * 10'), ('x',), steps=2)
    attempt = trace.steps[0].attempts[0]
    assert len(trace.steps[0].attempts) == 1
    assert [code for code, _ in attempt.runs] == ['x = 1', 'x += 1\nx', 'x * 10']
    assert [execution.result for _, execution in attempt.runs] == [None, '2', '20']
    assert attempt.execution.result == '20'
    said, *answers = model.asked[1][-5:-1]
    assert [made['id'] for made in said['tool_calls']] == [one['tool_call_id'] for one in answers] == ['10', '11', '12']
    assert ['2' in answers[1]['content'], '20' in answers[2]['content']] == [True, True]
    assert request_of(trace, 1, 0) == model.asked[1]
    used = usage_of(trace.steps, Price()).kernel_seconds
    assert used == pytest.approx(sum(one.seconds + one.recovery for step in trace.steps for _, one in step.runs))


def test_a_call_that_fails_does_not_hold_up_the_next_and_the_last_one_decides():
    trace, model = run(('1 / 0', 'print(5)'), ())
    assert [one.status for _, one in trace.steps[0].attempts[0].runs] == ['error', 'ok']
    assert len(trace.steps[0].attempts) == 1
    trace, model = run(('print(5)', '1 / 0'), ('print(6)',))
    assert [attempt.execution.status for attempt in trace.steps[0].attempts] == ['error', 'ok']
    assert 'ZeroDivisionError' in model.asked[1][-1]['content']


def test_figures_of_every_call_are_kept_and_shown(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    other = DRAW.replace('2)', '3)')
    trace, model = run((DRAW, other, 'x = 1'), (), figures='image', explore=True)
    store.append(trace)
    assert len(list(figures_of(trace))) == len(list(store.figures.glob('*.png'))) == 2
    images = [part for part in model.asked[1][-1]['content'] if part['type'] == 'image_url']
    assert len(images) == 2
    actions = actions_of(trace.steps[0], store.figures)
    assert [action['args']['extract_code'] for action in actions[:3]] == [DRAW, other, 'x = 1']


def test_a_killed_session_goes_on_after_all_calls_of_its_steps(tmp_path):
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    with pytest.raises(IndexError):
        run(('x = 1', 'y = x + 1'), steps=2, journal=store.journal('m/x', {}))
    trace, _ = run(('x + y',), steps=2, journal=store.journal('m/x', {}))
    assert trace.steps[1].attempts[0].execution.result == '3'


def test_what_calls_showed_is_left_out_where_the_window_is_small():
    trace, _ = run(('print("a" * 99)', 'print("b" * 99)'), ('1',), steps=2)
    asked = [one['content'] for one in request_of(trace, 1, 0) if one['role'] == 'tool']
    assert ['a' * 99 in asked[0], 'b' * 99 in asked[1]] == [True, True]
    attempts = [one.model_copy(update={'without': 1}) for one in trace.steps[1].attempts]
    steps = [trace.steps[0], trace.steps[1].model_copy(update={'attempts': attempts})]
    short = request_of(trace.model_copy(update={'steps': steps}), 1, 0)
    assert [one['content'] for one in short if one['role'] == 'tool'] == [trace.left_out] * 2
