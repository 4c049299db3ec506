"""Seconds of `make setup` from empty caches: an earlier commit beside the present one.

    python benchmarks/setup.py OLD_REF [--runs 1] [--folder DIR]

Each is a fresh clone with caches of its own (pip's, uv's, ours), all empty, in the same round, so that the ratio
holds when the machine's speed drifts. What is not committed is not measured. A round needs 16 GB of disk.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parents[1]


def clone(ref: str, folder: Path) -> None:
    subprocess.run(['git', 'clone', '--quiet', '--shared', str(REPO), str(folder)], check=True)
    subprocess.run(['git', '-C', str(folder), 'checkout', '--quiet', '--detach', ref], check=True)


def empty_caches(folder: Path) -> dict[str, str]:
    """The environment of a set-up that finds nothing: no cache, and no environment that is active."""
    names = ('PIP_CACHE_DIR', 'UV_CACHE_DIR', 'XDG_CACHE_HOME', 'CIBENCH_CACHE')
    inherited = {name: value for name, value in os.environ.items() if name != 'VIRTUAL_ENV'}
    return inherited | {name: str(folder / name.lower()) for name in names}


def seconds_of_setup(ref: str, folder: Path) -> float:
    """Set a clone of `ref` up in `folder`, and delete it."""
    commit = subprocess.run(['git', '-C', str(REPO), 'rev-parse', ref], check=True, capture_output=True, text=True)
    clone(commit.stdout.strip(), folder / 'clone')
    started = time.monotonic()
    subprocess.run(['make', 'setup'], cwd=folder / 'clone', env=empty_caches(folder), check=True, stdout=sys.stderr)
    seconds = time.monotonic() - started
    shutil.rmtree(folder)
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('old', metavar='OLD_REF', help='commit to compare with')
    parser.add_argument('--runs', type=int, default=1, help='rounds, each one of both (default: 1)')
    parser.add_argument('--folder', type=Path, help='where clones and caches are made (default: a temporary folder)')
    given = parser.parse_args()
    seconds: dict[str, list[float]] = {given.old: [], 'HEAD': []}
    with tempfile.TemporaryDirectory(dir=given.folder) as temporary:
        for run in range(given.runs):
            for number, ref in enumerate(seconds):
                seconds[ref].append(seconds_of_setup(ref, Path(temporary, f'{run}-{number}')))
                print(f'{ref}: {seconds[ref][-1]:.0f} s', flush=True)
    old, new = (statistics.median(measured) for measured in seconds.values())
    print(f'make setup: {given.old} {old:.0f} s, HEAD {new:.0f} s, ratio {new / old:.2f}')


if __name__ == '__main__':
    main()
