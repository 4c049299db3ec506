"""How many sessions run at once, in which order, and what happens when memory is short."""

import asyncio
import resource
import time

import pytest

from cibench_eval.agents import Batch, Session, SessionSettings, run_sessions
from cibench_eval.agents import slots as module
from cibench_eval.agents.progress import Progress
from cibench_eval.agents.slots import SessionSlots
from cibench_eval.agents.widening import Widening
from cibench_eval.interpreter import Interpreter, KernelPool
from cibench_eval.models import GoldReplay
from cibench_eval.schema import HarnessError
from cibench_eval.traces import TraceStore
from tests.support.sessions import KERNELS, experiment, play, taught


class Gate(GoldReplay):
    """Answers nobody until so many are waiting for an answer, or until its patience, in turns of the loop, is over."""

    def __init__(self, wanted):
        self.wanted, self.waiting, self.most, self.order = wanted, 0, 0, []
        self.full = asyncio.Event()

    async def chat(self, messages, turn, stop=(), tools=()):
        self.order.append((turn.experiment, turn.step))
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        if self.waiting == self.wanted:
            self.full.set()
        await self.full.wait()
        self.waiting -= 1
        return await super().chat(messages, turn, stop, tools)


@pytest.mark.kernel
def test_steps_of_an_oracle_session_run_side_by_side():
    model = Gate(4)
    gold = experiment('n = 1', 'n += 1', 'n += 1', 'print(n)')
    trace = play(taught(model, gold), gold, mode='oracle', slots=SessionSlots(4))
    assert model.most == 4
    assert trace.steps[3].attempts[0].execution.stdout == '3\n'


@pytest.mark.kernel
def test_steps_of_oracle_sessions_run_side_by_side_only_in_slots_that_no_session_waits_for():
    long, short = experiment('n = 1', 'n += 1', 'print(n)', name='m/long'), experiment('1', '2', name='m/short')
    ended = asyncio.Event()

    class Model(Gate):
        async def chat(self, messages, turn, stop=(), tools=()):
            if turn.experiment == 'm/short':
                return await GoldReplay.chat(self, messages, turn, stop, tools)
            if turn.step == 0:
                assert not self.order
                await ended.wait()
                return await GoldReplay.chat(self, messages, turn, stop, tools)
            return await super().chat(messages, turn, stop, tools)

    async def both():
        model = taught(Model(2), long, short)
        slots, settings = SessionSlots(2), SessionSettings(kernels=KERNELS, mode='oracle')
        sessions = [Session(one, model, settings, slots=slots) for one in (long, short)]
        running = asyncio.create_task(sessions[0].run())
        await sessions[1].run()
        assert not model.order  # no slot was spare for a second step of the long one
        ended.set()
        await running
        return model

    assert asyncio.run(both()).most == 2


@pytest.mark.kernel
def test_a_session_in_one_slot_hands_its_kernel_on_from_step_to_step(monkeypatch):
    ran = []

    async def run(self, code):
        ran.append(code)
        return await stock(self, code)

    stock = Interpreter.run
    monkeypatch.setattr(Interpreter, 'run', run)
    gold = experiment('n = 1', 'n += 1', 'print(n)')
    play(taught(GoldReplay(), gold), gold, mode='oracle', slots=SessionSlots(1))
    assert ran == ['n = 1', 'n += 1', 'print(n)']


@pytest.mark.kernel
def test_code_blocks_wait_for_a_place_without_using_up_their_time():
    settings = KERNELS.model_copy(update={'max_concurrent_cells': 1, 'timeout': 20.0})

    async def both():
        async with KernelPool(settings) as pool, Interpreter(settings, pool) as one, Interpreter(settings, pool) as two:
            await one.ready()
            await two.ready()
            return await asyncio.gather(
                one.run('import time; began = time.time(); time.sleep(0.5); (began, time.time())'),
                two.run('import time; (time.time(), time.time())'),
            )

    first, second = (eval(execution.result) for execution in asyncio.run(both()))
    assert first[1] <= second[0] or second[1] <= first[0]


@pytest.fixture
def memory(monkeypatch):
    """The machine's memory as the test says, in parts of its total."""
    free = [1.0]
    monkeypatch.setattr(module, 'total_memory', lambda: 100)
    monkeypatch.setattr(module, 'available_memory', lambda: 100 * free[0])
    monkeypatch.setattr(module, 'MEMORY_POLL', 0)
    return free


def test_while_memory_is_short_only_one_session_runs(memory, caplog):
    async def run():
        slots, most = SessionSlots(4), 0
        memory[0] = 0.05

        async def session():
            nonlocal most
            async with slots.slot():
                most = max(most, slots.taken)
                for _ in range(5):
                    await asyncio.sleep(0)

        await asyncio.gather(*(session() for _ in range(8)))
        short, most = most, 0
        memory[0] = 0.5
        await asyncio.gather(*(session() for _ in range(8)))
        return short, most, slots.taken

    assert asyncio.run(run()) == (1, 4, 0)
    assert caplog.text.count('memory is short') == 1


def test_a_place_is_given_back_after_a_fault_and_a_cancelled_wait():
    async def run():
        slots = SessionSlots(1)
        with pytest.raises(ValueError, match='x'):
            async with slots.slot():
                waiting = asyncio.create_task(slots.slot().__aenter__())
                await asyncio.sleep(0)
                waiting.cancel()
                raise ValueError('x')
        async with asyncio.timeout(5), slots.slot():
            return slots.taken

    assert asyncio.run(run()) == 1


def test_memory_is_that_of_the_container(monkeypatch, tmp_path):
    monkeypatch.setattr(module, 'CGROUP', tmp_path)
    machine = module.total_memory()
    (tmp_path / 'memory.max').write_text('max\n')
    assert module.total_memory() == machine
    (tmp_path / 'memory.max').write_text('1000000\n')
    (tmp_path / 'memory.current').write_text('700000\n')
    (tmp_path / 'memory.stat').write_text('anon 1\ninactive_file 200000\n')
    assert (module.total_memory(), module.available_memory()) == (1000000, 500000)
    assert module.default_sessions() == 1


def test_too_few_open_files_are_one_line_before_anything_starts(tmp_path, monkeypatch):
    monkeypatch.setattr(resource, 'getrlimit', lambda limit: (1024, 1024))
    monkeypatch.setattr(resource, 'setrlimit', lambda limit, values: None)
    experiments = [experiment('1', name=f'm/{number}') for number in range(80)]
    store = TraceStore(tmp_path / 'd.traces.jsonl')
    made = Batch(experiments, GoldReplay(), SessionSettings(kernels=KERNELS), store, SessionSlots(70))
    with pytest.raises(HarnessError, match=r'70 sessions at once need about 1,248 open files.* --max-sessions 56'):
        asyncio.run(run_sessions(made))
    assert not [*tmp_path.iterdir()]
    assert module.default_sessions() <= 56


@pytest.mark.parametrize(
    ('in_use', 'steps', 'taken', 'most', 'free', 'files', 'number'),
    [
        (0.2, 5, 4, 100, 1e12, 10**5, 6),  # cores idle, and every slot is taken
        (0.2, 5, 4, 5, 1e12, 10**5, 5),  # no more than the model takes
        (0.9, 5, 4, 100, 1e12, 10**5, 4),  # cells compute
        (0.2, 0, 4, 100, 1e12, 10**5, 4),  # nothing has come to its end: kernels are still being started
        (0.2, 5, 3, 100, 1e12, 10**5, 4),  # a slot is free
        (0.2, 5, 4, 100, 1.0, 10**5, 4),  # memory is short
        (0.2, 5, 4, 100, 1e12, 200, 4),  # open files are
    ],
)
def test_a_model_gets_more_slots_while_cores_idle(memory, monkeypatch, in_use, steps, taken, most, free, files, number):
    slots = SessionSlots(4, most=most)
    slots.taken = taken
    progress = Progress(title='m d', sessions=9, steps=99, slots=[slots], steps_done=steps)
    memory[0] = free
    monkeypatch.setattr(resource, 'getrlimit', lambda limit: (files, files))
    Widening(progress).look(in_use, now=time.monotonic() + 1)
    assert slots.number == number


def test_a_model_gets_more_slots_only_as_long_as_they_pay(memory):
    memory[0] = 1e12
    slots = SessionSlots(4, most=100)
    progress = Progress(title='m d', sessions=9, steps=999, slots=[slots])
    widening, now = Widening(progress), time.monotonic()
    numbers = []
    for steps in (10, 15, 15, 15):  # in ten seconds each
        slots.taken, progress.steps_done, now = slots.number, progress.steps_done + steps, now + 10
        widening.look(0.2, now)
        numbers.append(slots.number)
    assert numbers == [6, 9, 9, 9]
