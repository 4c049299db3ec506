"""Real sessions in many datasets: what a run takes beside the same sessions in one dataset, and beside its bound.

    python benchmarks/datasets.py [--latency 2000 ...] [--libraries pandas seaborn ...] [--sessions 64]

An endpoint on loopback answers each question of the built-in set with its gold code, after a fixed latency. `python
run.py` asks it in four ways, in turn: each library a dataset or all of them in one, with as many sessions at once as it
chooses itself or as `--sessions` says. Times are of the whole command. The bound is the longest session's latency; what
start-up, kernels and cells take comes on top, and shows in the run without latency.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402

from cibench_eval.datasets import load_experiments  # noqa: E402
from cibench_eval.datasets.builtin_sets import builtin_folder  # noqa: E402
from cibench_eval.schema import Experiment  # noqa: E402
from tests.support.chat_server import chat_server  # noqa: E402
from tests.support.notebooks import add_endpoint, config_folder  # noqa: E402

SPLIT = 'cibench_template'
LATENCIES = [0, 300, 2000]
LIBRARIES = ['pandas', 'seaborn', 'matplotlib', 'scipy', 'sklearn', 'opencv']
REPLY = 'Thought: I compute it.\nAction: IPythonInterpreter\nAction Input:\n```python\n{code}\n```'
DATASETS = """
from mmengine.config import read_base

with read_base():
    from ._base import end_to_end, strict

notebooks = dict(builtin='builtin', environment='modern', path={path!r}, split='bench', eval_cfg=strict)
{name}_datasets = [
    dict(end_to_end, **notebooks, abbr=f'{name}/{{number}}', experiments=experiments)
    for number, experiments in enumerate({patterns!r})
]
"""


def chosen(libraries: list[str]) -> list[Experiment]:
    """The experiments of some libraries."""
    every = load_experiments(builtin_folder('builtin', 'modern') / SPLIT)
    return [one for one in every if one.id.partition('/')[0] in libraries]


def seconds(folder: Path, dataset: str, number: int | None) -> float:
    """Seconds of a whole run, every session of which has to go well."""
    more = [] if number is None else ['--max-sessions', str(number)]
    argv = [sys.executable, str(REPO / 'run.py'), '--models', 'mine', '--datasets', dataset, '-m', 'infer', *more]
    started = time.monotonic()
    done = subprocess.run([*argv, '-w', str(folder / 'out')], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return time.monotonic() - started


def measure(latency: float, libraries: list[str], number: int) -> list[float]:
    """Seconds of the four ways: six datasets and one, as they are and with `number` sessions at once."""
    experiments = chosen(libraries)

    def answer(messages: list[dict[str, str]]) -> str:
        """The gold code of the question, in the experiment whose first question was asked first."""
        time.sleep(latency)
        said = '\n'.join(one['content'] for one in messages)
        steps = next(one.steps for one in experiments if one.steps[0].question in said)
        code = next(step.code for step in reversed(steps) if step.question in messages[-1]['content'])
        return REPLY.format(code=code)

    with chat_server(answer) as server, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        configs = config_folder(folder, folder)
        # The runtime that users have: that of the tests has other limits.
        (configs / 'runtimes/local.py').write_text((REPO / 'configs/runtimes/local.py').read_text())
        patterns = [[f'{library}/*'] for library in libraries]
        for dataset, parts in (('many', patterns), ('one', [[f'{library}/*' for library in libraries]])):
            (configs / f'datasets/{dataset}.py').write_text(DATASETS.format(path=SPLIT, name=dataset, patterns=parts))
        add_endpoint(configs, 'mine', server.base_url)
        return [seconds(folder, dataset, at_once) for at_once in (None, number) for dataset in ('many', 'one')]


def main() -> None:
    """Measure and print a table."""
    made = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    made.add_argument('--latency', type=int, nargs='+', default=LATENCIES, metavar='MS')
    made.add_argument('--libraries', nargs='+', default=LIBRARIES)
    made.add_argument('--sessions', type=int, default=64, help='at once, where the run does not choose itself')
    options = made.parse_args()
    experiments = chosen(options.libraries)
    longest = max(len(one.steps) for one in experiments)
    steps = sum(len(one.steps) for one in experiments)
    table = Table(title=f'{len(experiments)} sessions, {steps} steps: seconds of `python run.py`')
    every = f'{len(options.libraries)} datasets'
    for name in (
        'ms',
        'bound',
        every,
        'one',
        f'{every}, {options.sessions} at once',
        f'one, {options.sessions} at once',
    ):
        table.add_column(name, justify='right')
    for latency in options.latency:
        found = measure(latency / 1000, options.libraries, options.sessions)
        table.add_row(str(latency), f'{longest * latency / 1000:.1f}', *(f'{one:.1f}' for one in found))
        print(f'{latency} ms: {", ".join(f"{one:.1f} s" for one in found)}', flush=True)
    Console(width=None if sys.stdout.isatty() else 120).print(table)


if __name__ == '__main__':
    main()
