"""What a finished session leaves behind in memory: nothing, however many there are."""

import asyncio
import gc
import tracemalloc

import pytest

from cibench_eval.agents import Batch, SessionSettings, run_sessions
from cibench_eval.agents.progress import Observer
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.models.base import Stateless
from cibench_eval.schema import Reply
from cibench_eval.traces import TraceStore
from tests.support.sessions import KERNELS, call, experiment

SESSIONS, WARM = 36, 10
OUTPUT = 50_000
"""Characters that each session prints; its trace has them more than once."""


class Printer(Stateless):
    """Answers every question with code that prints a lot."""

    async def chat(self, messages, turn, stop=(), tools=()):
        return Reply(text=call(f'print("x" * {OUTPUT})'))


class Watch(Observer):
    """Measures the memory in blocks of the size of an output or a trace, when some sessions are over and when all are.

    What is imported meanwhile, by whichever thread, is smaller.
    """

    def __init__(self):
        self.bytes = []

    def session(self, progress, trace):
        if progress.sessions_done in (WARM, SESSIONS):
            self.measure()

    def measure(self):
        gc.collect()
        self.bytes.append(sum(one.size for one in tracemalloc.take_snapshot().traces if one.size >= OUTPUT))


@pytest.mark.soak
@pytest.mark.kernel
def test_memory_does_not_grow_with_the_sessions(tmp_path):
    experiments = [experiment('1', name=f'm/{number}') for number in range(SESSIONS)]
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    batch = Batch(experiments, Printer(), SessionSettings(kernels=KERNELS), store, SessionSlots(8))
    watch = Watch()
    tracemalloc.start()
    try:
        for trace in asyncio.run(run_sessions(batch, watch)):
            assert len(trace.steps[0].attempts[0].execution.stdout) == OUTPUT + 1
        watch.measure()
        largest = [*map(str, tracemalloc.take_snapshot().statistics('lineno')[:5])]
    finally:
        tracemalloc.stop()
    warm, *later = watch.bytes
    assert max(later) - warm < 20 * OUTPUT, largest
