"""What a command takes at an earlier commit and now, in turns: seconds, and CPU seconds with all its children.

    python benchmarks/paired.py OLD_REF [--rounds 5] -- benchmarks/scoring.py --part steps
    python benchmarks/paired.py OLD_REF -- benchmarks/throughput.py --part sessions --latency 0 --sessions 32
    python benchmarks/paired.py OLD_REF -- run.py configs/eval_demo.py --models gold_replay -w outputs/paired

Each commit runs its own copy of the script, with the Python that runs this. Printed are the medians and the median of
the ratios within the rounds, which holds when the machine's speed drifts. What is not committed is not measured.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from benchmarks.setup import clone, cpu_seconds  # noqa: E402


def measure(folder: Path, command: list[str]) -> tuple[float, float]:
    """Run a command of the clone in `folder`: seconds and CPU seconds."""
    started, used = time.monotonic(), cpu_seconds()
    env = {**os.environ, 'PYTHONPATH': str(folder)}
    subprocess.run([sys.executable, *command], cwd=folder, env=env, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started, cpu_seconds() - used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('old', metavar='OLD_REF', help='commit to compare with')
    parser.add_argument('--rounds', type=int, default=5, help='each one of both, after one that does not count')
    parser.add_argument('command', nargs='+', help='after --: a script and its arguments')
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folders = [Path(name, which) for which in ('before', 'now')]
        for folder, ref in zip(folders, (given.old, 'HEAD'), strict=True):
            clone(ref, folder)
        rounds = [[measure(folder, given.command) for folder in folders] for _ in range(given.rounds + 1)][1:]
    for place, what in enumerate(('seconds', 'CPU seconds')):
        before, now = ([one[which][place] for one in rounds] for which in (0, 1))
        ratio = statistics.median(new / old for old, new in zip(before, now, strict=True))
        print(f'{what}: {statistics.median(before):.2f} before, {statistics.median(now):.2f} now, ratio {ratio:.3f}')


if __name__ == '__main__':
    main()
