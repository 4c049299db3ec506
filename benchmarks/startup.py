"""Seconds from starting a run to the first model call: `run.py` beside OpenCompass's own program.

    python benchmarks/startup.py [--runs 3]

Both run the same config against the same loopback endpoint, in turn, so that the ratio holds when the
machine's speed drifts. The import of OpenCompass's packages alone is measured in the same run. `a worker` is the
process of a share, from its own start on: what runs on each of several GPUs, and as a job of Slurm.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import psutil

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from tests.support.chat_server import chat_server  # noqa: E402
from tests.support.notebooks import add_endpoint, config_folder, small_set  # noqa: E402

CONFIG = """
from mmengine.config import read_base

with read_base():
    from .agents.react import agents
    from .datasets.small import small_datasets as datasets
    from .models.mine import models
    from .runtimes.local import eval, infer, kernels
    from .summarizers.cibench import summarizer
"""
STOCK = 'import sys; from opencompass.cli.main import main; sys.argv[0] = "opencompass"; main()'
IMPORT = 'import opencompass.tasks'


def seconds_to_first_call(command: list[str], folder: Path, called: list[float]) -> float:
    """Start `command` and return when the endpoint was first asked."""
    called.clear()
    started = time.monotonic()
    env = {**os.environ, 'PYTHONPATH': str(REPO)}
    subprocess.run(command, cwd=folder, env=env, capture_output=True, check=True)
    return called[0] - started


def seconds_of_worker(command: list[str], folder: Path, called: list[float]) -> float:
    """Start `command` for two GPUs and return how long a worker of it was there when the endpoint was first asked."""
    called.clear()
    env = {**os.environ, 'PYTHONPATH': str(REPO), 'CUDA_VISIBLE_DEVICES': '0,1'}
    running = subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    workers: list[float] = []
    while running.poll() is None:
        with suppress(psutil.Error):  # one that is over
            children = psutil.Process(running.pid).children()
            workers += [one.create_time() for one in children if 'cibench_eval.run.job' in one.cmdline()]
        time.sleep(0.05)
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)
    offset = time.time() - time.monotonic()
    return called[0] + offset - min(workers)


def seconds(command: list[str]) -> float:
    started = time.monotonic()
    subprocess.run(command, capture_output=True, check=True)
    return time.monotonic() - started


def measure(folder: Path, runs: int) -> dict[str, list[float]]:
    """The figures of `runs` rounds, each round one of every kind."""
    called: list[float] = []

    def answer(_: list[dict[str, str]]) -> str:
        called.append(time.monotonic())
        return 'Final Answer: none'

    configs = config_folder(folder, small_set(folder / 'data'))
    (configs / 'eval_first.py').write_text(CONFIG)
    ours = [sys.executable, str(REPO / 'run.py'), 'configs/eval_first.py', '-m', 'infer', '-w']
    stock = [sys.executable, '-c', STOCK, 'configs/eval_first.py', '-m', 'infer', '-w']
    figures: dict[str, list[float]] = {name: [] for name in ('run.py', 'a worker', 'opencompass', IMPORT)}
    on_gpus = [*ours[:2], 'configs/eval_gpus.py', *ours[3:]]
    with chat_server(answer) as server:
        add_endpoint(configs, 'mine', server.base_url)
        needs = '\nmodels = [dict(models[0], run_cfg=dict(num_gpus=1))]\n'
        (configs / 'eval_gpus.py').write_text(CONFIG + needs)
        for number in range(runs):
            figures['run.py'].append(seconds_to_first_call([*ours, f'a{number}'], folder, called))
            figures['a worker'].append(seconds_of_worker([*on_gpus, f'c{number}'], folder, called))
            figures['opencompass'].append(seconds_to_first_call([*stock, f'b{number}'], folder, called))
            figures[IMPORT].append(seconds([sys.executable, '-c', IMPORT]))
    return figures


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--runs', type=int, default=3)
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(Path(folder), parser.parse_args().runs)
    print(f'{os.cpu_count()} cores; seconds to the first model call, min / median / max')
    for name, values in figures.items():
        print(f'{name:>26}  {min(values):6.2f} {statistics.median(values):6.2f} {max(values):6.2f}')
    ratios = [b / a for a, b in zip(figures['run.py'], figures['opencompass'], strict=True)]
    print(f'{"opencompass / run.py":>26}  {min(ratios):6.2f} {statistics.median(ratios):6.2f} {max(ratios):6.2f}')


if __name__ == '__main__':
    main()
