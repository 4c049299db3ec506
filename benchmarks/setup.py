"""Seconds of `make setup` from empty caches: an earlier commit beside the present one.

    python benchmarks/setup.py OLD_REF [--runs 1] [--folder DIR]

Each is a fresh clone with caches of its own (pip's, uv's, ours), all empty, in the same round, so that the ratio
holds when the machine's speed drifts. CPU seconds say what a set-up costs where other work takes the cores. What is
not committed is not measured. A round needs 16 GB of disk.
"""

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parents[1]


def clone(ref: str, folder: Path) -> None:
    """Clone what `ref` names in this repository."""
    found = subprocess.run(['git', '-C', str(REPO), 'rev-parse', ref], check=True, capture_output=True, text=True)
    subprocess.run(['git', 'clone', '--quiet', '--shared', str(REPO), str(folder)], check=True)
    subprocess.run(['git', '-C', str(folder), 'checkout', '--quiet', '--detach', found.stdout.strip()], check=True)


def empty_caches(folder: Path) -> dict[str, str]:
    """The environment of a set-up that finds nothing: no cache, and no environment that is active."""
    names = ('PIP_CACHE_DIR', 'UV_CACHE_DIR', 'XDG_CACHE_HOME', 'CIBENCH_CACHE')
    inherited = {name: value for name, value in os.environ.items() if name != 'VIRTUAL_ENV'}
    return inherited | {name: str(folder / name.lower()) for name in names}


def cpu_seconds() -> float:
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(ref: str, folder: Path) -> tuple[float, float]:
    """Set a clone of `ref` up in `folder`, and delete it: seconds and CPU seconds."""
    clone(ref, folder / 'clone')
    started, used = time.monotonic(), cpu_seconds()
    subprocess.run(['make', 'setup'], cwd=folder / 'clone', env=empty_caches(folder), check=True, stdout=sys.stderr)
    figures = time.monotonic() - started, cpu_seconds() - used
    shutil.rmtree(folder)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('old', metavar='OLD_REF', help='commit to compare with')
    parser.add_argument('--runs', type=int, default=1, help='rounds, each one of both (default: 1)')
    parser.add_argument('--folder', type=Path, help='where clones and caches are made (default: a temporary folder)')
    given = parser.parse_args()
    new = subprocess.run(['git', '-C', str(REPO), 'rev-parse', 'HEAD'], check=True, capture_output=True, text=True)
    figures: dict[str, list[tuple[float, float]]] = {given.old: [], new.stdout.strip(): []}
    with tempfile.TemporaryDirectory(dir=given.folder) as temporary:
        for run in range(given.runs):
            for number, ref in enumerate(figures):
                figures[ref].append(measure(ref, Path(temporary, f'{run}-{number}')))
                print('{:.12}: {:.0f} s, {:.0f} CPU-s'.format(ref, *figures[ref][-1]), flush=True)
    for kind, name in enumerate(('s', 'CPU-s')):
        before, after = (statistics.median(row[kind] for row in rows) for rows in figures.values())
        print(f'make setup: {before:.0f} {name} before, {after:.0f} {name} now, ratio {after / before:.2f}')


if __name__ == '__main__':
    main()
