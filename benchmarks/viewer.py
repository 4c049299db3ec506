"""A report of thousands of sessions: how long it takes to write, in how much memory, and how a browser opens it.

    python benchmarks/viewer.py RUN [--sessions 2000] [--out DIR]

The large run is made of the records of a real one: its notebooks, sessions, scores and figures, copied under other
names (figures with other bytes, so that none is shared) until there are as many sessions. Shown are seconds and the
most memory of `cibench view`, the size of the report and, where Chromium and Playwright are there, of the overview and
of the largest page: seconds until something is painted, until it is loaded, and the memory of the whole browser.
"""

import argparse
import hashlib
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

import psutil  # noqa: E402

from cibench_eval.config import recorded  # noqa: E402
from cibench_eval.config.building import plain  # noqa: E402
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets  # noqa: E402
from tests.support.chromium import OPTIONS, chromium  # noqa: E402

NOT_KEPT = ('builtin', 'environment', 'experiments', 'format', 'datasources')
"""Keys of a dataset's config that say which notebooks of which set are meant."""
SUMMARIZER = {'type': 'cibench_eval.opencompass.CIBenchSummarizer'}
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0"


def enlarge(run: Path, folder: Path, sessions: int) -> Path:
    """A run folder with at least so many sessions, made of those of `run`."""
    datasets = recorded_datasets(run)
    times = -(-sessions // sum(len(dataset.traces.index()) for dataset in datasets))
    large = folder / 'large'
    configs = [_copied(dataset, folder, large, times) for dataset in datasets]
    models = {dataset.model_name for dataset in datasets}
    combinations = [
        {
            'models': [{'abbr': model, 'type': 'cibench_eval.models.OpenAICompatible'}],
            'datasets': [
                config for dataset, config in zip(datasets, configs, strict=True) if dataset.model_name == model
            ],
        }
        for model in sorted(models)
    ]
    config = {'models': [], 'datasets': [], 'model_dataset_combinations': combinations, 'summarizer': SUMMARIZER}
    recorded.write(config, large / 'configs' / '20260101_000000.json')
    return large


def _copied(dataset: RecordedDataset, folder: Path, large: Path, times: int) -> dict[str, Any]:
    """Copy a dataset with its notebooks, sessions and scores so often; return the config of the copy."""
    notebooks = folder / 'sets' / dataset.base / 'notebooks'
    for experiment in dataset.experiments:
        for path in experiment.path.parent.glob(f'{experiment.path.stem}.*'):
            for number in range(times):
                copy = notebooks / f'{experiment.id}_{number}{path.name.removeprefix(experiment.path.stem)}'
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
    traces = large / 'predictions' / dataset.model_name / f'{dataset.dataset_name}.traces.jsonl'
    traces.parent.mkdir(parents=True, exist_ok=True)
    with traces.open('w') as file:
        for line in dataset.traces.path.read_text().splitlines():
            for number in range(times):
                file.write(_other_figures(_renamed(line, number), dataset.traces.figures, traces.parent, number) + '\n')
    scores = large / 'results' / dataset.model_name / f'{dataset.dataset_name}.json'
    scores.parent.mkdir(parents=True, exist_ok=True)
    scores.write_text(json.dumps(_scores(dataset, times)))
    config = {key: value for key, value in plain(dataset.dataset.config).items() if key not in NOT_KEPT}
    return {**config, 'path': str(notebooks)}


def _renamed(line: str, number: int) -> str:
    trace = json.loads(line)
    return json.dumps({**trace, 'experiment': f'{trace["experiment"]}_{number}'})


def _other_figures(line: str, source: Path, folder: Path, number: int) -> str:
    """The line with names of figures that hold something else after their end."""
    (folder / 'figures').mkdir(exist_ok=True)
    for name in set(re.findall(r'"sha256": "([0-9a-f]{64})"', line)):
        content = (source / f'{name}.png').read_bytes() + b'\0' * number
        other = hashlib.sha256(content).hexdigest()
        (folder / 'figures' / f'{other}.png').write_bytes(content)
        line = line.replace(name, other)
    return line


def _scores(dataset: RecordedDataset, times: int) -> dict[str, Any]:
    results = dataset.results()
    assert results, 'score the run first'
    content = results.model_dump(mode='json')
    for key in ('steps', 'failures'):
        content[key] = [
            {**one, 'experiment': f'{one["experiment"]}_{number}'} for one in content[key] for number in range(times)
        ]
    return content


def write(large: Path, out: Path) -> None:
    """Time `cibench view` in a process of its own."""
    started = time.monotonic()
    command = [sys.executable, '-m', 'cibench_eval.cli', 'view', str(large), '--out', str(out), '--no-open']
    subprocess.run(command, check=True, cwd=REPO, stdout=subprocess.DEVNULL)
    took = time.monotonic() - started
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, memory = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024
    sizes = [path.stat().st_size for path in out.rglob('*') if path.is_file()]
    print(f'written in {took:.1f} s ({seconds:.1f} s of a processor) with at most {memory / 1e6:.0f} MB of memory')
    print(f'{len(sizes):,} files, {sum(sizes) / 1e6:.0f} MB')


def browse(out: Path) -> None:
    """Open the overview and the largest page, and print what that takes."""
    from playwright.sync_api import sync_playwright

    largest = max((out / 'sessions').iterdir(), key=lambda path: path.stat().st_size)
    with sync_playwright() as play:
        for path in (out / 'index.html', largest):
            browser = play.chromium.launch(executable_path=chromium(), args=OPTIONS)
            empty = sum(_memory())
            page = browser.new_page(viewport={'width': 1440, 'height': 1000})
            page.goto(path.absolute().as_uri())
            loaded = page.evaluate('performance.now()')
            painted = page.wait_for_function(PAINT).json_value()
            memory = sum(_memory()) - empty
            heap = page.evaluate('performance.memory.usedJSHeapSize')
            print(
                f'{path.name} ({path.stat().st_size / 1e6:.1f} MB): painted after {painted / 1e3:.2f} s, '
                f'loaded after {loaded / 1e3:.2f} s, {memory / 1e6:.0f} MB more than an empty browser '
                f'(heap {heap / 1e6:.0f} MB)'
            )
            browser.close()


def _memory() -> Iterator[int]:
    """Of each process of the browser, what is its own (USS)."""
    for process in psutil.Process().children(recursive=True):
        if 'chrom' in process.name():
            yield process.memory_full_info().uss


def main() -> None:
    """Make the run, write its report, open it."""
    made = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument('run', type=Path)
    made.add_argument('--sessions', type=int, default=2000)
    made.add_argument('--out', type=Path, help='keep the report here')
    options = made.parse_args()
    with tempfile.TemporaryDirectory() as name:
        large = enlarge(options.run, Path(name), options.sessions)
        datasets = recorded_datasets(large)
        sessions = sum(len(dataset.traces.index()) for dataset in datasets)
        steps = sum(len(results.steps) for dataset in datasets if (results := dataset.results()))
        print(f'{sessions:,} sessions, {steps:,} steps')
        out = options.out or Path(name) / 'view'
        write(large, out)
        if chromium():
            browse(out)
        else:
            print('no chromium: what a browser takes is not measured')


if __name__ == '__main__':
    main()
