"""What a run shows of itself while it runs."""

import asyncio
import io
import logging

import pytest
from rich.console import Console

from cibench_eval.agents.progress import Progress
from cibench_eval.agents.runner import Batch, run_sessions
from cibench_eval.agents.settings import SessionSettings
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.reports.live import LiveDisplay, render
from cibench_eval.schema import Action, Attempt, Execution, HarnessError, Reply, StepTrace
from cibench_eval.traces import TraceStore
from tests.support.sessions import KERNELS, Script, call, experiment


def progress(**fields):
    return Progress(**{'title': 'm d', 'sessions': 4, 'steps': 40, 'slots': [SessionSlots(8)], **fields})


def shown(state, width=120):
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(render(state, width))
    return console.export_text()


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
    words, wide = ([word for word in shown(state, w).split() if '━' not in word] for w in (width, 300))
    assert words == wide and '1 harness errors' in ' '.join(words)


@pytest.mark.kernel
def test_a_terminal_gets_a_line_and_a_file_gets_log_lines(tmp_path, caplog):
    def run(console):
        settings = SessionSettings(kernels=KERNELS, model_name='m', dataset_name='d')
        batch = Batch([experiment('1', '2')], Script(call('1'), call('2')), settings)
        store = TraceStore(tmp_path / f'{console.is_terminal}.traces.jsonl')
        asyncio.run(run_sessions(batch, store, LiveDisplay(console)))
        return console.file.getvalue()

    caplog.set_level(logging.INFO)
    assert 'steps' in run(Console(file=io.StringIO(), force_terminal=True, width=150))
    assert 'm d: 1/1 sessions; m/x ran code in 2 of 2 steps' in caplog.text
    caplog.clear()
    assert run(Console(file=io.StringIO())) == ''
    assert 'm d: 1 sessions, 2 steps, 1 at once' in caplog.text
    assert 'm d: over after' in caplog.text


@pytest.mark.kernel
def test_the_display_is_taken_down_after_a_fault(tmp_path):
    class Gone(Script):
        async def chat(self, messages, turn, stop=(), tools=()):
            raise HarnessError('endpoint gone')

    console = Console(file=io.StringIO(), force_terminal=True, width=150)
    batch = Batch([experiment('1')], Gone(), SessionSettings(kernels=KERNELS))
    with pytest.raises(HarnessError, match='1 of 1 sessions failed'):
        asyncio.run(run_sessions(batch, TraceStore(tmp_path / 'd.traces.jsonl'), LiveDisplay(console)))
    assert console._live_stack == [] if hasattr(console, '_live_stack') else console._live is None
