"""Sessions a second as rollouts of verifiers, beside those of `python run.py`, in turn and against one endpoint.

    python benchmarks/verifiers_throughput.py PYTHON [--latency 300] [--sessions 32] [--at-once 8] [--rounds 3]

PYTHON is that of an environment that has verifiers (`pip install './distributions/core[verifiers]'`). Both run the same
notebooks, each in a process of its own, with the same protocol, kernels, sandbox and number of sessions at once, and
score them. Every step must come out right in both. "whole" is the time of the process, start-up included; "rollouts" is
the time of sessions and scores alone, of `run.py` as it says itself. The endpoint is that of `throughput.py`.
"""

import argparse
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from benchmarks.throughput import CELL, DATASET, Load, endpoint, set_sandbox  # noqa: E402
from cibench_eval.interpreter.sandboxes import choose  # noqa: E402
from tests.support.notebooks import add_endpoint, config_folder, notebook  # noqa: E402

STAGES = re.compile(r'(?:infer|eval): \d+ tasks? in ([\d.]+) s')
ROLLOUTS = """
import asyncio, json, sys, time
import verifiers.v1 as vf
from verifiers.v1.utils.loaders import load_environment, resolve_env_config
path, url, at_once, sandbox = sys.argv[1:]
options = {'id': 'cibench-eval', 'path': path, 'protocol': 'react', 'sandbox': sandbox}
environment = load_environment(resolve_env_config({'taskset': options}))
endpoint = vf.EvalClientConfig(base_url=url, api_key_var='ANY_KEY')
context = vf.ModelContext(client=endpoint, model='any', sampling=vf.SamplingConfig())
async def run():
    async with environment.serving():
        gate = asyncio.Semaphore(int(at_once))
        slots = [slot for task in environment.taskset for slot in environment.slots(task)]
        return await asyncio.gather(*(environment.run_slot(slot, context, gate) for slot in slots))
started = time.monotonic()
found = asyncio.run(run())
print(json.dumps([time.monotonic() - started, [one.traces[0].reward for one in found]]))
"""


@dataclass(frozen=True)
class Found:
    """What sessions took, in seconds."""

    whole: float
    rollouts: float


def write_notebooks(folder: Path, load: Load) -> Path:
    """As many notebooks as there are sessions."""
    steps = [('num', f'Compute number {n} and print it.', CELL, '332833500\n') for n in range(load.steps)]
    made = folder / 'data/bench'
    made.mkdir(parents=True)
    for number in range(load.sessions):
        (made / f'{number}.ipynb').write_text(json.dumps(notebook(*steps)))
    return made


def by_run_py(folder: Path, notebooks: Path, url: str, load: Load, sandbox: str, python: str) -> Found:
    """Run a load through `python run.py`."""
    configs = config_folder(folder, notebooks)
    set_sandbox(configs / 'runtimes/local.py', sandbox)
    (configs / 'datasets/bench.py').write_text(DATASET.format(path=str(notebooks), at_once=load.at_once))
    add_endpoint(configs, 'mine', url)
    argv = [sys.executable, str(REPO / 'run.py'), '--models', 'mine', '--datasets', 'bench', '-w', 'out']
    started = time.monotonic()
    done = subprocess.run([*argv, '--agents', 'react'], cwd=folder, capture_output=True, text=True, check=True)
    whole = time.monotonic() - started
    (results,) = folder.glob('out/*/results/mine/bench.json')
    assert json.loads(results.read_text())['numeric_correct'] == 100
    return Found(whole, sum(map(float, STAGES.findall(done.stdout + done.stderr))))


def by_verifiers(folder: Path, notebooks: Path, url: str, load: Load, sandbox: str, python: str) -> Found:
    """Run a load as rollouts."""
    argv = [python, '-c', ROLLOUTS, str(notebooks), url, str(load.at_once), sandbox]
    variables = os.environ | {'ANY_KEY': 'any'}
    started = time.monotonic()
    done = subprocess.run(argv, cwd=folder, env=variables, capture_output=True, text=True, check=True)
    whole = time.monotonic() - started
    rollouts, rewards = json.loads(done.stdout.splitlines()[-1])
    assert rewards == [1.0] * load.sessions
    return Found(whole, rollouts)


WAYS = {'run.py': by_run_py, 'verifiers': by_verifiers}


def measure(load: Load, sandbox: str, rounds: int, python: str) -> dict[str, list[Found]]:
    """Both ways in turn, each round in another order."""
    found: dict[str, list[Found]] = {name: [] for name in WAYS}
    with endpoint(load.latency) as url:
        for number in range(rounds):
            for name in list(WAYS)[:: -1 if number % 2 else 1]:
                with tempfile.TemporaryDirectory() as made:
                    folder = Path(made)
                    found[name].append(WAYS[name](folder, write_notebooks(folder, load), url, load, sandbox, python))
    return found


def table(load: Load, found: dict[str, list[Found]]) -> Table:
    """The medians of a load, with every round."""
    made = Table(
        title=f'{load.sessions} sessions of {load.steps} steps, {load.at_once} at once, {load.latency:g} s a reply'
    )
    for name in ('', 'rollouts, s', 'sessions/s', 'whole, s', 'sessions/s, whole', 'rounds, s'):
        made.add_column(name, justify='right' if name else 'left')
    for name, those in found.items():
        rollouts, whole = (statistics.median(getattr(one, part) for one in those) for part in ('rollouts', 'whole'))
        rounds = ' '.join(f'{one.rollouts:.1f}' for one in those)
        rates = (f'{load.sessions / seconds:.2f}' for seconds in (rollouts, whole))
        made.add_row(name, f'{rollouts:.1f}', next(rates), f'{whole:.1f}', next(rates), rounds)
    return made


def main() -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('python', help='that of an environment with verifiers')
    parser.add_argument('--latency', type=int, action='append', metavar='MS')
    parser.add_argument('--sessions', type=int, default=32)
    parser.add_argument('--at-once', type=int, help='sessions at the same time (default: all)')
    parser.add_argument('--steps', type=int, default=10)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--sandbox', choices=('bubblewrap', 'auto', 'none'), default='auto')
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    console.print(f'{len(os.sched_getaffinity(0))} cores, sandbox {choose(options.sandbox).name}')
    for latency in options.latency or (0, 300):
        load = Load(latency / 1000, options.sessions, options.at_once or options.sessions, options.steps)
        console.print(table(load, measure(load, options.sandbox, options.rounds, options.python)))


if __name__ == '__main__':
    main()
