"""What the core costs: its installation into an empty environment, its imports; and reading configs, beside mmengine.

    python benchmarks/core.py [--python python3.12 python3.13]

The installation takes the packages from uv's cache where they are there. Sizes are those on the disk, without compiled
modules. Configs are all of this repository's and every third of OpenCompass's.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from cibench_eval.config import language  # noqa: E402
from cibench_eval.config.config_files import upstream  # noqa: E402
from cibench_eval.uv_install import install  # noqa: E402

IMPORTS = ('cibench_eval', 'cibench_eval.cli', 'cibench_eval.interpreter')
TIMED = 'import time; t = time.perf_counter(); import {}; print(f"{{time.perf_counter() - t:.2f}}")'


def installed(python: str, folder: Path) -> None:
    """Install the core for an interpreter, and print seconds, megabytes and the seconds of imports."""
    subprocess.run([sys.executable, '-m', 'uv', 'venv', '-q', '--python', python, folder], check=True)
    own = folder / 'bin/python'
    command, environment = install(['-q', '--python', str(own), str(REPO / 'distributions/core')])
    began = time.monotonic()
    subprocess.run(command, env=environment, check=True)
    seconds = time.monotonic() - began
    size = sum(file.lstat().st_blocks * 512 for file in folder.rglob('*')) / 1e6
    print(f'{python}: installed in {seconds:.0f} s, {size:.0f} MB')
    for module in IMPORTS:
        done = subprocess.run([own, '-P', '-c', TIMED.format(module)], cwd=folder, capture_output=True, text=True)
        print(f'  import {module}: {done.stdout.strip()} s, the first time')


def read_all(read: Callable[[Path], Any], paths: list[Path]) -> tuple[float, int]:
    """CPU seconds, and the number of configs that can be read."""
    began, readable = time.process_time(), 0
    for path in paths:
        try:
            read(path)
            readable += 1
        except Exception:  # noqa: BLE001  (a config is a program, which can raise anything)
            continue
    return time.process_time() - began, readable


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--python', nargs='*', default=[sys.executable])
    for python in parser.parse_args().python:
        with tempfile.TemporaryDirectory() as folder:
            installed(python, Path(folder) / 'venv')
    theirs = upstream()
    if theirs is not None:
        from mmengine.config import Config

        paths = [*sorted((REPO / 'configs').rglob('*.py')), *sorted(theirs.rglob('*.py'))[::3]]
        for name, read in (('mmengine', lambda path: Config.fromfile(str(path)).to_dict()), ('ours', language.run)):
            seconds, readable = read_all(read, paths)
            print(f'{name}: {readable} of {len(paths)} configs in {seconds:.1f} CPU-s')


if __name__ == '__main__':
    main()
