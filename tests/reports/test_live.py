"""What a run shows of itself while it runs."""

import asyncio
import io
import logging
import re

import pytest
from rich.console import Console

from cibench_eval.agents import Batch, SessionSettings, run_sessions
from cibench_eval.agents.progress import Progress
from cibench_eval.agents.runner import run_batches
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.models import OpenAICompatible
from cibench_eval.reports.live import LiveDisplay, render
from cibench_eval.schema import Action, Attempt, Execution, HarnessError, Reply, StepTrace
from cibench_eval.traces import TraceStore
from tests.support.chat_server import chat_server
from tests.support.sessions import KERNELS, Script, call, experiment


def progress(**fields):
    return Progress(**{'title': 'm d', 'sessions': 4, 'steps': 40, 'slots': [SessionSlots(8)], **fields})


def shown(state, width=300):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(state, width))
    return console.export_text()


def facts(state):
    """What the line says, but for the title and the bar."""
    return [fact.strip() for fact in re.split('·|━+', shown(state))[1:]]


def step(status='ok', **reply):
    execution = Execution(status=status, seconds=1)
    attempt = Attempt(reply=Reply(text='x', **reply), action=Action(code='x'), execution=execution)
    return StepTrace(index=0, question='q', attempts=[attempt])


def test_speeds_and_the_time_left_leave_out_what_was_done_before():
    state = progress()
    state.reused(20)
    assert state.seconds_left is None
    state.step(step(tokens_in=70, tokens_out=30))
    state.step(step(status='error', tokens_in=500, cached=True))
    state.began -= 100
    assert state.steps_a_second == pytest.approx(0.02, rel=0.05)
    assert state.tokens_a_second == pytest.approx(1, rel=0.05)
    assert state.seconds_left == pytest.approx(18 / 0.02, rel=0.05)
    assert (state.errors, state.steps_done, state.sessions_queued) == (1, 22, 4)


@pytest.mark.parametrize('width', [200, 80, 60])
def test_nothing_of_the_line_is_lost_on_a_narrow_terminal(width):
    state = progress(sessions_failed=1)
    words, wide = ([word for word in shown(state, w).split() if word.strip('·━')] for w in (width, 300))
    assert words == wide and '1 session failed' in ' '.join(words)


def test_no_fact_is_broken_by_the_end_of_a_line():
    state = progress(title='a-model with 3 agents, 2 datasets', errors=9, tokens=7, sessions_failed=3)
    lines = shown(state, 60).splitlines()
    assert all(any(fact in line for line in lines) for fact in facts(state) if 'tokens' not in fact)


def test_it_is_told_that_no_step_is_done():
    state = progress()
    assert 'no step done yet' not in facts(state)
    state.began -= 30
    assert 'no step done yet' in facts(state)
    state.step(step())
    assert 'no step done yet' not in facts(state)


def test_of_what_is_over_nothing_is_left(caplog):
    state = progress()
    state.step(step())
    assert facts(state)[-1].endswith(' left') and '4 queued' in facts(state)
    caplog.set_level(logging.INFO)
    LiveDisplay(Console(file=io.StringIO())).end(state)
    assert 'over after' in caplog.text and not re.search('left|queued', caplog.text)


def test_steps_of_oracle_mode_are_no_sessions():
    async def count():
        whole, state = SessionSlots(8), progress()
        state.open = {
            SessionSlots(8, whole): 'oracle',
            SessionSlots(8, whole): 'end_to_end',
            SessionSlots(8, whole): 'oracle',
        }
        one, other, _ = state.open
        async with one.slot(), one.slot(), one.slot(), other.slot():
            return facts(state), state.sessions_queued

    words, queued = asyncio.run(count())
    assert '2 running' in words and '3 oracle steps at once' in words and queued == 2


@pytest.mark.kernel
def test_requests_that_are_sent_again_are_no_failed_code(tmp_path, caplog):
    refusals = iter([429, 429, 429])
    caplog.set_level(logging.INFO)
    for _ in range(2):
        with chat_server(lambda _: next(refusals, call('1/0'))) as server:
            model = OpenAICompatible(path='m', base_url=server.base_url, retries=3)
            settings = SessionSettings(kernels=KERNELS, model_name='m', dataset_name='d')
            store = TraceStore(tmp_path / f'{server.base_url[-9:-3]}.traces.jsonl')
            batch = Batch([experiment('1')], model, settings, store)
            asyncio.run(run_sessions(batch, LiveDisplay(Console(file=io.StringIO()))))
    first, second = (line for line in caplog.text.splitlines() if 'over after' in line)
    assert 'code failed or missing in 3 attempts, requests sent again: 3 × HTTP 429' in first
    assert 'code failed' in second and 'sent again' not in second, 'those of earlier sessions'


@pytest.mark.kernel
def test_a_terminal_gets_a_line_and_a_file_gets_log_lines(tmp_path, caplog):
    def run(console):
        settings = SessionSettings(kernels=KERNELS, model_name='m', dataset_name='d')
        store = TraceStore(tmp_path / f'{console.is_terminal}.traces.jsonl')
        batch = Batch([experiment('1', '2')], Script(call('1'), call('2')), settings, store)
        asyncio.run(run_sessions(batch, LiveDisplay(console)))
        return console.file.getvalue()

    caplog.set_level(logging.INFO)
    assert 'steps' in run(Console(file=io.StringIO(), force_terminal=True, width=150))
    assert '1/1 sessions: m d: m/x: code ran in 2 of 2 steps' in caplog.text
    caplog.clear()
    assert run(Console(file=io.StringIO())) == ''
    assert 'm, d: 1 session, 2 steps, 1 at once' in caplog.text
    assert 'm, d: over after' in caplog.text


@pytest.mark.kernel
def test_the_display_is_taken_down_after_a_fault(tmp_path):
    class Gone(Script):
        async def chat(self, messages, turn, stop=(), tools=()):
            raise HarnessError('endpoint gone')

    console = Console(file=io.StringIO(), force_terminal=True, width=150)
    batch = Batch([experiment('1')], Gone(), SessionSettings(kernels=KERNELS), TraceStore(tmp_path / 'd.traces.jsonl'))
    with pytest.raises(HarnessError, match='1 of 1 sessions failed'):
        asyncio.run(run_sessions(batch, LiveDisplay(console)))
    assert console._live_stack == [] if hasattr(console, '_live_stack') else console._live is None


@pytest.mark.kernel
def test_one_model_with_several_agents_is_one_model(tmp_path, caplog):
    def batch(name, dataset, epoch):
        settings = SessionSettings(
            kernels=KERNELS, model_name=name, dataset_name=dataset, epoch=epoch, model_config={'abbr': 'm'}
        )
        return Batch(
            [experiment('1')], Script(call('1')), settings, TraceStore(tmp_path / f'{name}{dataset}.traces.jsonl')
        )

    caplog.set_level(logging.INFO)
    batches = [batch('m--react', 'd', 1), batch('m--tool_calls', 'd', 1), batch('m--react', 'd@2', 2)]
    assert asyncio.run(run_batches(batches, LiveDisplay(Console(file=io.StringIO())))) == [None] * 3
    assert 'm with 2 agents, d: over after' in caplog.text
