"""Whole sessions against an endpoint of fixed latency: how far a run is from the fastest that it could be.

    python benchmarks/throughput.py [--latency 300] [--sessions 32] [--at-once 8] [--steps 10] [--rounds 1]
    python benchmarks/throughput.py --part queue [--queue 1000]      memory while sessions wait
    python benchmarks/throughput.py --part command                   `python run.py`, start-up included
    python benchmarks/throughput.py --profile                        where the harness spends its time

The endpoint is a process of its own that answers every request after exactly the latency, however many there are.
Its answers are what a good model says: a cell that computes and prints something. Kernels, their pool, the client, the
traces and journals are the real ones.

No run can be faster than its bound, the largest of three:

- the longest session: its steps one after the other, each the latency and a cell; the first cell waits for a kernel,
  and the last of the kernels that are started together is there when the cores have done the work of all;
- all sessions, by how many run at once;
- the CPU time of all kernels and their cells, by cores.

What a kernel and a cell take is measured first, in kernels that nobody disturbs. The harness takes nothing in the
bound: what it takes is what the ratio of wall time to bound shows. The process that kernels are forked from is started
beforehand, once, and shown apart.

Harness time a step is given in two ways: CPU, of the harness process alone, by steps (what a request takes of it is
measured first); and wait, the time beyond the
bound by the steps that one place for sessions had to do. "others" is the CPU time, in cores, that processes took which
have nothing to do with it: figures of a machine that is not idle are too high.
"""

import argparse
import asyncio
import cProfile
import json
import os
import platform
import pstats
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks.interpreter import Clock, cpu_clock, seconds_of_machine  # noqa: E402
from cibench_eval.agents.runner import Batch, run_sessions  # noqa: E402
from cibench_eval.agents.settings import SessionSettings  # noqa: E402
from cibench_eval.agents.slots import SessionSlots  # noqa: E402
from cibench_eval.interpreter.environments import KernelEnvironment  # noqa: E402
from cibench_eval.interpreter.forkserver import close_all, fork_server  # noqa: E402
from cibench_eval.interpreter.interpreter import Interpreter  # noqa: E402
from cibench_eval.interpreter.sandboxes import choose  # noqa: E402
from cibench_eval.interpreter.settings import KernelSettings  # noqa: E402
from cibench_eval.models.base import Turn  # noqa: E402
from cibench_eval.models.http_model import OpenAICompatible  # noqa: E402
from cibench_eval.schema import Experiment, Message, Step  # noqa: E402
from cibench_eval.traces import TraceStore  # noqa: E402
from tests.support.chat_server import completion  # noqa: E402
from tests.support.notebooks import add_endpoint, config_folder, notebook  # noqa: E402

LATENCIES, SESSIONS = (0, 300, 2000), (1, 8, 32)
CELL = 'print(sum(n * n for n in range(1000)))'
REPLY = f'Thought: I compute it.\nAction: IPythonInterpreter\nAction Input:\n```python\n{CELL}\n```'
KERNELS, CELLS, REQUESTS = 10, 50, 200
"""Kernels and cells that are started and run to find out what one takes."""
CORES = len(os.sched_getaffinity(0))
RATIO, OVERHEAD, MEMORY = 1.15, 10.0, 1.5e9
"""What is aimed at: wall / bound, ms a step (300 ms, 32 sessions); bytes of the harness with 1,000 in the queue."""
DATASET = """
from cibench_eval.opencompass import CIBenchDataset, ExperimentRetriever, SessionEvaluator, SessionInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate

bench_datasets = [
    dict(
        abbr='bench',
        type=CIBenchDataset,
        path={path!r},
        reader_cfg=dict(input_columns=['questions'], output_column='references'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template='{{questions}}'),
            retriever=dict(type=ExperimentRetriever),
            inferencer=dict(type=SessionInferencer, mode='end_to_end', max_sessions={at_once}),
        ),
        eval_cfg=dict(evaluator=dict(type=SessionEvaluator)),
    )
]
"""


@dataclass(frozen=True)
class Cost:
    """What the machine takes where nobody disturbs it: seconds, and CPU seconds of all but the harness."""

    start: float
    """From asking for a kernel until it has run its first cell."""
    start_cpu: float
    cell: float
    cell_cpu: float
    request_cpu: float
    """Of this process, for one request of the client that models use."""


@dataclass(frozen=True)
class Load:
    """What is run.

    Args:
        latency: of the endpoint, seconds.
        sessions: in all.
        at_once: sessions at the same time.
        steps: of each session.
    """

    latency: float
    sessions: int
    at_once: int
    steps: int

    @property
    def together(self) -> int:
        return min(self.at_once, self.sessions)

    def bound(self, cost: Cost) -> float:
        """Seconds below which no run can be."""
        kernels = self.together * cost.start_cpu / CORES
        step = self.latency + cost.cell
        longest = max(self.latency, cost.start, kernels) + cost.cell + (self.steps - 1) * step
        work = self.sessions * (cost.start_cpu + self.steps * cost.cell_cpu) / CORES
        return max(longest, self.sessions * self.steps * step / self.together, work)


@dataclass(frozen=True)
class Found:
    """What it took, in seconds and bytes."""

    load: Load
    bound: float
    wall: float
    cpu: float | None
    """Seconds of the harness process; None where it cannot be told from those of the processes that it starts."""
    others: float
    """CPU seconds of processes that have nothing to do with it."""
    memory: float | None
    """The most bytes that the harness process had at any moment."""

    @property
    def steps(self) -> int:
        return self.load.sessions * self.load.steps

    @property
    def ratio(self) -> float:
        return self.wall / self.bound

    @property
    def waited(self) -> float:
        """Seconds beyond the bound, by the steps that one place for sessions has to do."""
        return (self.wall - self.bound) / (self.steps / self.load.together)


# The endpoint.


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, latency: float) -> None:
    """One connection: requests of chat completions, one after the other."""
    body = json.dumps(completion(REPLY)).encode()
    head = f'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n'.encode()
    try:
        while True:
            said = await reader.readuntil(b'\r\n\r\n')
            fields = dict(line.lower().split(b': ', 1) for line in said.split(b'\r\n')[1:-2])
            await reader.readexactly(int(fields.get(b'content-length', 0)))  # none where it asks if anybody is there
            await asyncio.sleep(latency)
            writer.write(head + body)
    except (asyncio.IncompleteReadError, ConnectionError):
        writer.close()


async def serve(latency: float) -> None:
    """Say the port and answer until the process is ended."""
    server = await asyncio.start_server(lambda r, w: answer(r, w, latency), '127.0.0.1', 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def endpoint(latency: float) -> Iterator[str]:
    """The URL of an endpoint in a process of its own."""
    argv = [sys.executable, __file__, '--serve', str(latency)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f'http://127.0.0.1:{int(process.stdout.readline())}/v1'
        finally:
            process.terminate()


# What is measured.


def experiments(load: Load) -> list[Experiment]:
    steps = [
        Step(index=n, question=f'Compute number {n} and print it.', code=CELL, kind='num') for n in range(load.steps)
    ]
    return [
        Experiment(id=f'bench/{n}', path=Path(f'{n}.ipynb'), language='en', steps=steps, typed=True)
        for n in range(load.sessions)
    ]


def batch(load: Load, url: str, kernels: KernelSettings, store: TraceStore) -> Batch:
    settings = SessionSettings(kernels=kernels, model_name='bench', dataset_name='bench')
    model = OpenAICompatible('any', url, retries=0)
    return Batch(experiments(load), model, settings, store, SessionSlots(load.at_once))


def run(load: Load, kernels: KernelSettings, cost: Cost, clock: Clock) -> Found:
    """Run a load through `run_sessions`."""
    with endpoint(load.latency) as url, tempfile.TemporaryDirectory() as folder:
        store = TraceStore(Path(folder) / 'bench.traces.jsonl')
        forget_peak()
        wall, cpu, others = time.monotonic(), time.process_time(), of_others(clock)
        traces = asyncio.run(run_sessions(batch(load, url, kernels, store)))
        times = (time.monotonic() - wall, time.process_time() - cpu, of_others(clock) - others)
        found = Found(load, load.bound(cost), *times, peak())
        for attempts in [step.attempts for trace in traces for step in trace.steps]:
            assert [attempt.execution.status for attempt in attempts if attempt.execution] == ['ok']
    return found


def run_command(load: Load, sandbox: str, cost: Cost, clock: Clock) -> Found:
    """Run a load through `python run.py`; its start, and that of the process that forks, are part of it."""
    steps = [('num', f'Compute number {n} and print it.', CELL, '332833500\n') for n in range(load.steps)]
    with endpoint(load.latency) as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / 'data/bench').mkdir(parents=True)
        for number in range(load.sessions):
            (folder / f'data/bench/{number}.ipynb').write_text(json.dumps(notebook(*steps)))
        configs = config_folder(folder, folder / 'data/bench')
        set_sandbox(configs / 'runtimes/local.py', sandbox)
        (configs / 'datasets/bench.py').write_text(
            DATASET.format(path=str(folder / 'data/bench'), at_once=load.at_once)
        )
        add_endpoint(configs, 'mine', url)
        argv = [sys.executable, str(REPO / 'run.py'), '--models', 'mine', '--datasets', 'bench', '-m', 'infer']
        started, others = time.monotonic(), of_others(clock)
        subprocess.run([*argv, '-w', 'out'], cwd=folder, capture_output=True, check=True)
        wall, others = time.monotonic() - started, of_others(clock) - others
    return Found(load, load.bound(cost), wall, None, others, None)


def set_sandbox(runtime: Path, sandbox: str) -> None:
    runtime.write_text(runtime.read_text().replace("sandbox='auto'", f'sandbox={sandbox!r}'))


def of_others(clock: Clock) -> float:
    """CPU seconds of the machine that `clock` does not count."""
    return seconds_of_machine() - clock()


async def cost_of_kernels(kernels: KernelSettings, clock: Clock) -> Cost:
    """Start kernels one after the other, and run cells in the last."""

    def cpu() -> float:
        return clock() - time.process_time()

    starts: list[float] = []
    before = cpu()
    for _ in range(KERNELS):
        started = time.monotonic()
        async with Interpreter(kernels) as interpreter:
            await interpreter.run(CELL)
            starts.append(time.monotonic() - started)
    start_cpu = (cpu() - before) / KERNELS
    async with Interpreter(kernels) as interpreter:
        await interpreter.run(CELL)
        before = cpu()
        cells = [(await interpreter.run(CELL)).seconds for _ in range(CELLS)]
        cell_cpu = (cpu() - before) / CELLS
    return Cost(statistics.median(starts), start_cpu, statistics.median(cells), cell_cpu, await cost_of_request())


async def cost_of_request() -> float:
    """CPU seconds of this process for a request and its answer, as the model of `batch` makes it."""
    with endpoint(0) as url:
        async with OpenAICompatible('any', url, retries=0) as model:
            await model.chat([Message(role='user', content='Begin.')], Turn('bench', 0, 1))
            before = time.process_time()
            for number in range(REQUESTS):
                await model.chat([Message(role='user', content=f'Compute number {number}.')], Turn('bench', number, 1))
            return (time.process_time() - before) / REQUESTS


def seconds_of_fork_server(kernels: KernelSettings) -> float:
    """Start the process that forks; it is there from now on."""
    started = time.monotonic()
    fork_server(KernelEnvironment.find(kernels.environment), kernels.threads, kernels.preload)
    return time.monotonic() - started


def forget_peak() -> None:
    """Let the kernel forget the most memory that this process had."""
    Path('/proc/self/clear_refs').write_text('5')


def peak() -> float:
    """Bytes: the most memory that this process had since `forget_peak`."""
    lines = dict(line.split(':', 1) for line in Path('/proc/self/status').read_text().splitlines())
    return 1024 * float(lines['VmHWM'].split()[0])


# What is shown.


def table(found: list[Found], title: str) -> Table:
    made = Table(title=title)
    names = 'ms|sessions|at once|steps|wall, s|bound, s|ratio|steps/s|CPU ms/step|wait ms/step|others|peak, MB'
    for name in names.split('|'):
        made.add_column(name, justify='right')
    for one in found:
        load = one.load
        counts = (f'{load.latency * 1000:.0f}', str(load.sessions), str(load.at_once), str(one.steps))
        times = (f'{one.wall:.2f}', f'{one.bound:.2f}', f'{one.ratio:.2f}', f'{one.steps / one.wall:.1f}')
        cpu = '' if one.cpu is None else f'{one.cpu / one.steps * 1000:.1f}'
        memory = '' if one.memory is None else f'{one.memory / 1e6:.0f}'
        costs = (cpu, f'{one.waited * 1000:.1f}', f'{one.others / one.wall:.1f}', memory)
        made.add_row(*counts, *times, *costs)
    return made


def targets(found: list[Found]) -> Iterator[tuple[str, float, float]]:
    """(what, at most, found) of what was measured here."""
    for one in found:
        load = one.load
        if (load.latency, load.sessions, load.at_once) == (0.3, 32, 32):
            yield 'wall / bound, 300 ms, 32 sessions', RATIO, one.ratio
        if (load.latency, load.sessions, load.at_once) == (0.3, 32, 32) and one.cpu is not None:
            yield 'harness CPU, ms a step, 300 ms, 32 sessions', OVERHEAD, one.cpu / one.steps * 1000
        if load.sessions >= 1000 and one.memory is not None:
            yield f'peak memory of the harness, MB, {load.sessions} sessions', MEMORY / 1e6, one.memory / 1e6


def target_table(found: list[Found]) -> Table:
    made = Table(title='Targets')
    for name in ('what', 'at most', 'found', ''):
        made.add_column(name, justify='left' if name == 'what' else 'right')
    for what, bound, value in targets(found):
        made.add_row(what, f'{bound:g}', f'{value:.2f}', 'met' if value <= bound else 'missed')
    return made


def show(found: dict[str, list[Found]], heading: str) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(f'\n{heading}')
    for title, those in found.items():
        console.print(table(those, title))
    console.print(target_table(found.get(LOADS, []) + found.get(QUEUE, [])))


LOADS, QUEUE, COMMAND = 'run_sessions', 'run_sessions, a long queue', 'python run.py, start-up included'


def measure(options: argparse.Namespace, kernels: KernelSettings, cost: Cost, clock: Clock) -> dict[str, list[Found]]:
    """Every part that was asked for."""
    found: dict[str, list[Found]] = {}
    if options.part in ('all', 'sessions'):
        found[LOADS] = [log(run(load, kernels, cost, clock)) for load in loads(options)]
    if options.part in ('all', 'queue'):
        found[QUEUE] = [log(run(Load(0, options.queue, 32, 2), kernels, cost, clock))]
    if options.part in ('all', 'command'):
        chosen = loads(options) if options.sessions else [Load(0.3, 32, 32, 10)]
        found[COMMAND] = [log(run_command(load, options.sandbox, cost, clock)) for load in chosen]
    return found


def loads(options: argparse.Namespace) -> list[Load]:
    return [
        Load(latency / 1000, sessions * options.rounds, options.at_once or sessions, options.steps)
        for latency in options.latency or LATENCIES
        for sessions in options.sessions or SESSIONS
    ]


def log(found: Found) -> Found:
    load = found.load
    print(f'{load.latency * 1000:.0f} ms, {load.sessions} sessions: {found.wall:.1f} s', flush=True)
    return found


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    made.add_argument('--part', choices=('all', 'sessions', 'queue', 'command'), default='all')
    made.add_argument('--latency', type=int, action='append', metavar='MS')
    made.add_argument('--sessions', type=int, action='append')
    made.add_argument('--at-once', type=int, help='sessions at the same time (default: all)')
    made.add_argument('--steps', type=int, default=10)
    made.add_argument('--rounds', type=int, default=1, help='times as many sessions as --sessions says')
    made.add_argument('--queue', type=int, default=1000, help='sessions in the queue')
    made.add_argument('--sandbox', choices=('bubblewrap', 'auto', 'none'), default='auto')
    made.add_argument('--profile', action='store_true')
    made.add_argument('--json', type=Path, metavar='FILE')
    made.add_argument('--serve', type=float, metavar='SECONDS', help=argparse.SUPPRESS)
    return made


def main() -> None:
    """Measure and print the tables."""
    options = parser().parse_args()
    if options.serve is not None:
        asyncio.run(serve(options.serve))
        return
    kernels = KernelSettings(sandbox=options.sandbox, start='fork')
    profile = cProfile.Profile()
    with cpu_clock() as (clock, method):
        start = seconds_of_fork_server(kernels)
        cost = asyncio.run(cost_of_kernels(kernels, clock))
        arguments = (options, kernels, cost, clock)
        found = profile.runcall(measure, *arguments) if options.profile else measure(*arguments)
        close_all()
    machine = f'{os.cpu_count()} cores, CPython {platform.python_version()}, sandbox {choose(options.sandbox).name}'
    heading = (
        f'a kernel takes {cost.start * 1000:.0f} ms ({cost.start_cpu * 1000:.0f} of CPU), '
        f'a cell {cost.cell * 1000:.1f} ms ({cost.cell_cpu * 1000:.1f}), a request {cost.request_cpu * 1000:.1f} ms of '
        f"the harness's CPU; the process that forks starts in {start:.1f} s"
    )
    show(found, f'{machine}; {heading}\nCPU time of all: {method}')
    if options.profile:
        pstats.Stats(profile).sort_stats('tottime').print_stats(30)
    if options.json:
        report: dict[str, Any] = {title: [asdict(one) for one in those] for title, those in found.items()}
        options.json.write_text(json.dumps({**report, 'machine': machine, 'cost': asdict(cost)}, indent=1))


if __name__ == '__main__':
    main()
