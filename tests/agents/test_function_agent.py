"""A user's own agent in the place of a protocol: functions, classes, blocking ones, lagent's; limits and faults."""

import asyncio
import re
import textwrap
from concurrent.futures import ThreadPoolExecutor

import pytest

from cibench_eval.agents import FunctionAgent
from cibench_eval.agents.session import Session
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.models.base import Stateless
from cibench_eval.models.limits import Limits, Price, usage_of
from cibench_eval.schema import CibenchError, HarnessError, Reply, Trace
from cibench_eval.traces import TraceStore, figures_of
from tests.support.scoring import outcomes_of
from tests.support.sessions import experiment, play, play_stored, settings_of

pytestmark = pytest.mark.kernel
GOLD = ['x = 20', 'print(x + 1)', 'y = x * 2\nprint(y)']
DRAW = 'from PIL import Image\nImage.new("RGB", (9, 2))'


@pytest.fixture
def agent(tmp_path, monkeypatch, request):
    """Write a module and make the agent that it has."""
    monkeypatch.chdir(tmp_path)
    name = f'agent_{abs(hash(request.node.name))}'

    def make(code, function='solve', **settings):
        (tmp_path / f'{name}.py').write_text('from cibench_eval.agents import Task\n' + textwrap.dedent(code))
        return FunctionAgent(path=f'{name}:{function}', **settings)

    return make


class Codes(Stateless):
    """Answers with the code for the step, in as many words as it is told.

    Args:
        codes: by step.
        gone: the step at which its endpoint is gone.
    """

    def __init__(self, codes=GOLD, form='{}', gone=None):
        self.codes, self.form, self.gone, self.asked = codes, form, gone, []

    async def chat(self, messages, turn, stop=(), tools=()):
        if turn.step == self.gone:
            raise HarnessError('endpoint gone')
        self.asked.append(messages)
        return Reply(
            text=self.form.format(self.codes[turn.step]), tokens_in=10, tokens_out=5, cached_tokens=4, seconds=1.0
        )


def run(protocol, model=None, mode='end_to_end', **settings):
    return play(model or Codes(), experiment(*GOLD), protocol, mode=mode, **settings)


def shown(trace):
    return [
        [attempt.execution.stdout if attempt.execution else None for attempt in step.attempts] for step in trace.steps
    ]


ASKS = """
async def solve(task):
    reply = await task.ask(task.messages)
    await task.run(reply.text)
"""


@pytest.mark.parametrize('mode', ['end_to_end', 'oracle'])
def test_a_function_gets_the_question_the_model_and_the_interpreter(agent, mode):
    model = Codes()
    trace = run(agent(ASKS), model, mode)
    assert shown(trace) == [[''], ['21\n'], ['40\n']]
    last = max(model.asked, key=len)
    assert [message['role'] for message in last] == ['user', 'assistant', 'user', 'assistant', 'user']
    assert last[-1]['content'].endswith('question 2')
    assert '21' in last[-1]['content']
    assert 'x = 20' in last[1]['content']
    replies = [attempt.reply for step in trace.steps for attempt in step.attempts]
    assert [(reply.tokens_in, reply.tokens_out) for reply in replies] == [(10, 5)] * 3


def test_code_is_taken_out_of_a_reply_and_figures_are_seen(agent):
    solves = ASKS.replace('reply.text', 'task.code_of(reply)')
    trace = run(agent(solves), Codes([DRAW] * 3, 'I draw.\n```python\n{}\n```\nDone.'))
    assert [step.attempts[0].action.code for step in trace.steps] == [DRAW] * 3
    assert len([*figures_of(trace)]) == 3


def test_a_blocking_function_and_a_class_with_a_memory(agent):
    code = """
    class Agent:
        def __init__(self):
            self.seen = []

        def solve(self, task):
            self.seen.append(task.question)
            execution = task.run(f'print({len(self.seen)}, {task.number}, {task.steps})')
            assert execution.stdout in task.shown(execution)
            assert task.attempts_left == 2
    """
    assert shown(run(agent(code, 'Agent'))) == [['1 1 3\n'], ['2 2 3\n'], ['3 3 3\n']]
    assert shown(run(agent(code, 'Agent'), mode='oracle')) == [['1 1 3\n'], ['1 2 3\n'], ['1 3 3\n']]


def test_a_blocking_function_takes_no_thread_of_the_kernels_and_does_not_keep_the_program(agent):
    protocol = agent("""
    import threading

    def solve(task):
        assert threading.current_thread().daemon
        task.run('import os; os._exit(1)')
        task.run('print(7)')
    """)

    async def with_one_thread():
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
        return await Session(experiment('x = 20'), Codes(), settings_of(protocol)).run()

    assert [step[1] for step in shown(asyncio.run(with_one_thread()))] == ['7\n']


def test_every_execution_is_an_attempt_and_there_are_no_more_than_the_config_says(agent):
    trace = run(
        agent("""
        async def solve(task):
            number = 0
            while True:
                try:
                    number += 1
                    await task.run(f'print({number})')
                except Exception:
                    raise SystemExit('not reached')
        """),
        max_attempts=2,
    )
    assert shown(trace) == [['1\n', '2\n']] * 3
    assert not any(step.ended for step in trace.steps)


def test_blank_code_is_an_attempt_that_runs_nothing(agent):
    protocol = agent("""
    async def solve(task):
        execution = await task.run(' \\n')
        assert (execution.status, task.attempts_left) == ('error', 2)
        assert 'There was no code; give some.' in task.shown(execution)
        if task.number == 2:
            await task.run('print(21)')
            await task.run('')
    """)
    trace = run(protocol)
    assert [step.ended for step in trace.steps] == [''] * 3
    assert shown(trace) == [[None], [None, '21\n', None], [None]]
    attempt = trace.steps[0].attempts[0]
    assert (attempt.action.tool, attempt.action.code) == (None, None), 'a blank call is no call'
    assert 'give some' in attempt.messages[-1]['content']
    assert outcomes_of(trace, experiment(*GOLD)) == ['no_tool', 'ran', 'no_tool']


def test_several_replies_before_an_attempt_are_counted_together(agent):
    trace = run(
        agent("""
        async def solve(task):
            for _ in range(3):
                reply = await task.ask(task.messages)
            await task.run(reply.text)
            await task.ask(task.messages)
        """)
    )
    (attempt,) = trace.steps[1].attempts
    assert (attempt.reply.tokens_in, attempt.reply.tokens_out, attempt.reply.seconds) == (40, 20, 4.0)
    assert attempt.reply.cached_tokens == 16
    assert usage_of(trace.steps, Price()).replies == 12
    assert attempt.execution.stdout == '21\n'


def test_replies_that_did_not_fit_are_counted_one_by_one(agent):
    class Narrow(Codes):
        async def chat(self, messages, turn, stop=(), tools=()):
            fits = not self.asked
            reply = await super().chat(messages, turn)
            return reply if fits else Reply(text='', finish_reason='context_overflow')

    code = """
    async def solve(task):
        await task.ask(task.messages)
        await task.run((await task.ask(task.messages)).text)
    """
    usage = usage_of(run(agent(code), Narrow()).steps, Price())
    assert (usage.replies, usage.overflowed, usage.unmeasured) == (6, 5, 4)


def test_code_that_no_file_can_hold_is_run_with_a_mark_in_its_place(agent):
    trace = run(
        agent("async def solve(task):\n    await task.run('print(\\'a\\\\ud800\\')'.encode().decode('unicode_escape'))")
    )
    assert shown(trace) == [['a\ufffd\n']] * 3


def test_who_asks_no_model_has_no_empty_replies(agent):
    trace = run(agent('async def solve(task):\n    if task.number < 3:\n        await task.run("x = 1")'))
    assert usage_of(trace.steps, Price()).empty == 1


def test_limits_end_its_steps(agent):
    trace = run(agent(ASKS), limits=Limits(session_tokens=20))
    assert shown(trace) == [[''], [None], [None]] or shown(trace) == [[''], ['21\n'], [None]]
    assert trace.steps[2].ended == 'session_tokens 20 used up'


def test_an_agent_that_does_nothing_or_fails_has_no_score_and_the_next_step_is_asked(agent, caplog):
    protocol = agent("""
    async def solve(task):
        if task.number == 1:
            return
        if task.number == 2:
            raise ValueError('I cannot')
        await task.run('y = 40\\nprint(y)')
    """)
    trace = run(protocol)
    assert shown(trace) == [[None], [None], ['40\n']]
    (failed,) = filter(None, (step.ended for step in trace.steps))
    assert re.fullmatch(r'the agent failed: ValueError: I cannot \(\w+\.py, line 7\)', failed)
    assert trace.steps[0].attempts[0].action.problem == 'The agent ran no code.'
    assert f'm/x, step 2: {failed}' in caplog.text
    assert usage_of(trace.steps, Price()).agent_failures == 1
    assert outcomes_of(trace, experiment(*GOLD))[:2] == ['no_tool', 'no_tool']


@pytest.mark.parametrize(
    ('code', 'said'),
    [
        ("async def solve(task):\n    raise ValueError('no\\nnever')", r'ValueError: no never \(\w+\.py, line 3\)'),
        ('async def solve(task):\n    raise SystemExit(3)', r'RuntimeError: SystemExit: 3 \(\w+\.py, line 3\)'),
        ('def solve(task):\n    raise SystemExit(3)', r'RuntimeError: SystemExit: 3 \(\w+\.py, line 3\)'),
        ('def solve(task):\n    next(iter([]))', r'RuntimeError: StopIteration \(agent_\w+\.py, line 3\)'),
        (
            'import asyncio\nasync def solve(task):\n    asyncio.current_task().cancel()\n    await asyncio.sleep(9)',
            r'CancelledError \(.*\)',
        ),
        (
            'async def solve(task):\n    await task.run(None)',
            r'TypeError: task.run takes code as a text, not NoneType \(agent_\w+\.py, line 3\)',
        ),
        (
            "class solve:\n    def __init__(self):\n        raise OSError('no key')\n    def solve(self, task): pass",
            r'OSError: no key \(\w+\.py, line 4\)',
        ),
        (
            'async def work(task): pass\nsolve = lambda task, loudly=True: work(task)',
            r'TypeError: it returned a coroutine without having run; make it an `async def` \(.*\)',
        ),
        ('class Panic(BaseException): pass\nasync def solve(task):\n    raise Panic', r'Panic \(\w+\.py, line 4\)'),
    ],
)
def test_however_an_agent_fails_its_step_is_over_in_one_line_and_the_next_is_asked(agent, code, said):
    trace = run(agent(code))
    assert len(trace.steps) == 3
    assert all(re.fullmatch(f'the agent failed: {said}', step.ended) for step in trace.steps), trace.steps[0].ended


def test_runs_at_the_same_time_take_turns_and_none_comes_after_its_step(agent):
    trace = run(
        agent("""
        import asyncio

        kept = []


        async def solve(task):
            kept.append(task)
            if task.number == 1:
                await asyncio.gather(*(task.run(f'print({n})') for n in range(3)))
            elif task.number == 2:
                kept.append(asyncio.create_task(task.run('print(7)')))
                await asyncio.sleep(0)
            else:
                await kept[0].run('print(9)')
        """),
        max_attempts=3,
    )
    assert shown(trace) == [['0\n', '1\n', '2\n'], ['7\n'], [None]]


@pytest.mark.parametrize('swallows', [True, False])
def test_a_fault_of_the_endpoint_is_no_failure_of_the_agent(agent, swallows):
    code = """
    async def solve(task):
        try:
            reply = await task.ask(task.messages)
        except BaseException:
            if not SWALLOWS:
                raise
    """.replace('SWALLOWS', str(swallows))
    with pytest.raises(HarnessError, match='endpoint gone'):
        run(agent(code), Codes(gone=1))


def test_a_fault_of_the_harness_below_an_agent_is_raised_and_no_failure_of_the_agent(agent, monkeypatch):
    async def broken(self, code):
        raise KeyError('a fault of ours')

    monkeypatch.setattr(Interpreter, 'run', broken)
    with pytest.raises(KeyError, match='a fault of ours'):
        run(agent('async def solve(task):\n    try:\n        await task.run("1")\n    except KeyError:\n        pass'))


def test_an_interrupted_session_goes_on(agent, tmp_path):
    protocol = agent(ASKS)
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    with pytest.raises(HarnessError, match='endpoint gone'):
        play_stored(Codes(gone=2), experiment(*GOLD), store, protocol)
    second = Codes()
    trace = play_stored(second, experiment(*GOLD), store, protocol)
    assert shown(Trace.model_validate_json(trace.model_dump_json())) == [[''], ['21\n'], ['40\n']]
    assert len(second.asked) == 1 and '21' in second.asked[0][-1]['content']


@pytest.mark.parametrize(
    ('path', 'says'),
    [
        ('', "path is ''; it must be 'module:function'"),
        ('solve', "path is 'solve'; it must be 'module:function'"),
        ('no_such_module:solve', "No module named 'no_such_module'; start the run where no_such_module.py is"),
        ('json:solve', 'json has no function solve'),
        ('json:JSONDecoder', 'json has no function JSONDecoder, nor a class with solve'),
        ('os:getcwd', 'it must take one argument, the task: too many positional arguments'),
    ],
)
def test_a_path_that_names_no_agent_is_refused(path, says):
    with pytest.raises(CibenchError, match='agents: path') as raised:
        FunctionAgent(path=path)
    assert says in str(raised.value)


@pytest.mark.parametrize(
    ('code', 'says'),
    [
        ('def solve(task', r"SyntaxError: '\(' was never closed"),
        ('nothing', r"NameError in \1\.py, line \d+: name 'nothing' is not defined"),
        ('from cibench_eval.agents import Tsk', r"ImportError in \1\.py, line \d+: cannot import name 'Tsk'"),
        ('raise SystemExit', r'SystemExit in \1\.py, line \d+'),
    ],
)
def test_code_that_cannot_be_imported_is_named(agent, code, says):
    start = r"agents: path '(agent_\d+):solve': \1 cannot be imported: "
    with pytest.raises(CibenchError, match=start + says):
        agent(code)


def test_its_code_is_part_of_what_a_run_must_agree_in(agent):
    first = agent(ASKS)
    before = first.identity('en')
    agent(ASKS + '# changed')
    assert first.identity('en') != before


def test_lagents_react_agent(tmp_path):
    pytest.importorskip('lagent.agents')
    form = 'Thought: I run it.\nAction: IPythonInterpreter\nAction Input:\n```python\n{}\n```\nResponse: made up'

    class Model(Codes):
        async def chat(self, messages, turn, stop=(), tools=()):
            if turn.attempt:
                assert messages[-1]['role'] == 'user' and messages[-1]['content'].startswith('Response:')
                return Reply(text='Thought: done\nFinal Answer: that')
            return await super().chat(messages, turn, stop, tools)

    model = Model(form=form)
    trace = run(FunctionAgent(path='cibench_eval.agents.lagent_agent:react'), model)
    assert not any(step.ended for step in trace.steps), trace.steps[0].ended
    assert [attempts[0] for attempts in shown(trace)] == ['', '21\n', '40\n']
    assert 'IPythonInterpreter' in model.asked[0][0]['content']


def test_lagents_agent_runs_no_code_that_was_cut():
    pytest.importorskip('lagent.agents')
    half = 'Thought: I run it.\nAction: IPythonInterpreter\nAction Input:\n```python\nprint(21)'

    class Model(Codes):
        async def chat(self, messages, turn, stop=(), tools=()):
            self.asked.append(messages)
            return Reply(text=half, finish_reason='length')

    model = Model()
    trace = run(FunctionAgent(path='cibench_eval.agents.lagent_agent:react'), model)
    assert not any(attempt.execution for step in trace.steps for attempt in step.attempts)
    assert 'write less' in model.asked[1][-1]['content']
