"""Steps at which a model may look at the data first: they end with an answer without code, or with the last attempt."""

import pytest

from cibench_eval.agents import AgentSettings, CodeBlock, QwenReAct, ReAct, ToolCalls
from cibench_eval.models import GoldReplay
from cibench_eval.models.base import Stateless
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.schema import CibenchError, Reply, Step
from tests.support.scoring import outcomes_of
from tests.support.sessions import experiment, play

pytestmark = pytest.mark.kernel
PROTOCOLS = [protocol(explore=True) for protocol in (ReAct, CodeBlock, ToolCalls, QwenReAct)]
by_protocol = pytest.mark.parametrize('protocol', PROTOCOLS, ids=lambda protocol: protocol.name)


class Looking(Stateless):
    """Says what it is told of each attempt at a step: code, or `None` for the end of the step."""

    def __init__(self, protocol, *codes):
        self.protocol, self.codes, self.asked = protocol, codes, []

    async def chat(self, messages, turn, stop=(), tools=()):
        self.asked.append(messages)
        code = self.codes[turn.step][turn.attempt]
        if code is None:
            return self.protocol.closing
        return self.protocol.gold(Step(index=turn.step, question='', code=code, thought='Hm.', kind='exec'))


def run(protocol, model, mode='end_to_end', attempts=4, gold=('x = 41', 'print(x + 1)')):
    return play(model, experiment(*gold), protocol, mode=mode, max_attempts=attempts, history='all')


@by_protocol
def test_a_step_goes_on_until_the_model_says_that_it_is_done(protocol):
    model = Looking(protocol, ['x = 40', '1 / 0', 'x += 1', None], ['print(x)', 'print(x + 1)', None])
    trace = run(protocol, model)
    first, second = trace.steps
    assert [attempt.execution and attempt.execution.status for attempt in first.attempts] == ['ok', 'error', 'ok', None]
    assert second.attempts[-1].action.final and second.attempts[1].execution.stdout == '42\n'
    text = str(model.asked[-1])
    assert 'ZeroDivisionError' in text and 'x += 1' in text  # later steps see what was tried
    gold = experiment('x = 41', 'print(x + 1)')
    printed = gold.steps[1].model_copy(update={'kind': 'num', 'text': '42\n'})
    assert outcomes_of(trace, gold.model_copy(update={'steps': [gold.steps[0], printed]})) == ['ran', 'correct']


def test_the_last_attempt_ends_it_too():
    protocol = PROTOCOLS[0]
    trace = run(protocol, Looking(protocol, ['x = 1', 'x = 2', None], ['print(x)', 'print(x)', 'print(x)']), attempts=3)
    assert [len(step.attempts) for step in trace.steps] == [3, 3]


@by_protocol
@pytest.mark.parametrize('thought', ['', 'Half a th'])
def test_an_empty_reply_after_code_that_ran_ends_it_where_nothing_can_have_cut_it(protocol, thought):
    class Quiet(Looking):
        async def chat(self, messages, turn, stop=(), tools=()):
            reply = await super().chat(messages, turn, stop, tools)
            return Reply(text='', reasoning=thought) if reply == self.protocol.closing else reply

    trace = run(protocol, Quiet(protocol, ['x = 41', None, 'x = 41', 'x'], [None, 'print(x + 1)', None, 'x']))
    done = not thought and protocol.name == 'tool_calls'
    assert [len(step.attempts) for step in trace.steps] == ([2, 3] if done else [4, 4])
    assert [step.attempts[-1].action.final for step in trace.steps] == [done, done]
    assert usage_of(trace.steps, Price()).empty == (1 if done else 3)


@by_protocol
def test_gold_steps_end_in_the_words_that_end_a_step(protocol):
    model = Looking(protocol, ['x = 40', None], ['print(x)', None])
    run(protocol, model, 'oracle')
    closing = {'role': 'assistant', 'content': protocol.closing.text}
    assert [asked.count(closing) for asked in sorted(model.asked, key=len)] == [0, 0, 1, 1]


@by_protocol
@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_the_gold_runs_once(protocol, mode):
    model, gold = GoldReplay(), experiment('x = 41', 'x += 1\nprint(x)')
    model.learn({(gold.id, step.index): protocol.gold(step) for step in gold.steps}, protocol.closing)
    trace = run(protocol, model, mode, gold=['x = 41', 'x += 1\nprint(x)'])
    assert [len(step.attempts) for step in trace.steps] == [2, 2]
    assert trace.steps[1].attempts[0].execution.stdout == '42\n'


@by_protocol
def test_the_model_is_told(protocol):
    for language, words in (
        ('en', 'several times at a question' if protocol.name != 'code_block' else 'several blocks'),
        ('cn', '次'),
    ):
        told = protocol.opening(language)[0]['content'] + protocol.opening(language)[-1]['content']
        assert words in told and '{' not in told.replace('{"', '')


def test_a_text_without_a_block_is_an_answer_there_alone():
    said = Reply(text='It is done.')
    assert CodeBlock(explore=True).parse(said).action.final
    assert CodeBlock().parse(said).action.problem
    assert CodeBlock(explore=True).parse(Reply(text='```python\nx = 1', finish_reason='length')).action.problem


def test_later_steps_must_see_more_than_the_last_attempt():
    with pytest.raises(CibenchError, match="history must be 'all' with explore=True"):
        AgentSettings(ReAct(explore=True))
