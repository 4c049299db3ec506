"""Kernel environments: the Python environments in which model code runs, never the harness's own.

`cibench_eval.environments` builds each once from a lock in `locks/`. The marker also lists the fonts and data
(`assets.py`) of the environment, which a later build can add.
"""

from __future__ import annotations

import os
import platform
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from cibench_eval.environments import (
    LockedEnvironment,
    Marker,
    Progress,
    failed_imports,
    python_version,
    run_python,
    sha256_of,
    software,
)
from cibench_eval.interpreter import assets
from cibench_eval.schema import CibenchError

LOCKS = Path(__file__).parent / 'locks'
TORCH = {'modern': 'cpu'}
"""Builds of torch; the lock of `paper` pins the packages of the CUDA build."""

MODULES = ('pandas', 'matplotlib', 'seaborn', 'scipy', 'sklearn', 'lightgbm', 'torch', 'tensorflow', 'nltk', 'cv2')
"""The ten modules that a built environment has to import."""

_DISTRIBUTIONS = {
    'sklearn': 'scikit-learn',
    'tensorflow': 'tensorflow(-cpu|-gpu)?',
    'cv2': 'opencv(-contrib)?-python(-headless)?',
}
"""Patterns for the distributions of modules whose names differ."""

_LACKING = (
    'import sys\nfrom importlib.util import find_spec\n'
    'print(*(name for name in sys.argv[1:] if name not in sys.modules and not find_spec(name)))'
)


def names() -> list[str]:
    """Names of the environments whose locks come with the package."""
    return sorted(lock.stem for lock in LOCKS.glob('*.txt'))


@dataclass(frozen=True)
class KernelEnvironment:
    """A Python environment that can run kernels."""

    name: str
    python: Path
    """Its interpreter, a path inside the environment (symbolic links not resolved)."""
    root: Path
    share: Path | None
    """Folder with `fonts/`, `matplotlib/` (configuration) and `nltk_data/`; None in a user's own environment."""

    @classmethod
    def find(cls, name_or_python_path: str) -> KernelEnvironment:
        """The built environment of that name, or the user's own, given by the path of a python with ipykernel.

        Raises:
            CibenchError: there is none; the message says where it was looked for and how to build it.
        """
        if os.sep in name_or_python_path:
            python = Path(name_or_python_path).expanduser()
            return _users_own(python.parent.resolve() / python.name)  # sandboxes show the folder by its own name
        locked = _locked(name_or_python_path)
        root = locked.complete_root()
        if root is None:
            raise CibenchError(
                f'kernel environment {name_or_python_path!r} is not built (looked in {locked.folder}): '
                f'run `{locked.build_command}`'
            )
        return _at(name_or_python_path, root.resolve())  # as with a python's path, below

    @property
    def nltk_data(self) -> Path | None:
        """Folder for the variable NLTK_DATA; None without NLTK data."""
        folder = assets.nltk_folder(self.share) if self.share else None
        return folder if folder and folder.is_dir() else None

    @property
    def matplotlib_config(self) -> Path | None:
        """Folder with matplotlib's settings; None without them."""
        folder = self.share / 'matplotlib' if self.share else None
        return folder if folder and folder.is_dir() else None

    def fingerprint(self, threads: int) -> dict[str, str]:
        """What the outcome of code depends on, in short; `threads` is the number of threads that kernels get.

        Raises:
            CibenchError: the environment's python does not run.
        """
        return _fingerprint(self) | {'threads': str(threads), 'cpu': _cpu(), 'machine': platform.machine()}

    def failed_imports(self, modules: tuple[str, ...] | None = None) -> list[str]:
        """One line for each of the ten modules (or of `modules`) that this environment cannot import."""
        return failed_imports(self.python, MODULES if modules is None else modules, self._variables())

    def lacking(self, modules: Iterable[str]) -> list[str]:
        """The names of top-level modules that are not installed here. None of them is imported."""
        return self._run_code(_LACKING, *sorted(modules)).stdout.split()

    def _run_code(self, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run code in the environment's python, with the environment's own fonts."""
        return run_python(self.python, '-c', code, *arguments, env=self._variables())

    def _variables(self) -> dict[str, str]:
        variables = {k: v for k, v in os.environ.items() if not k.startswith('PYTHON')}
        if self.share:
            variables |= {'XDG_DATA_HOME': str(self.share), 'MPLCONFIGDIR': str(self.share / 'matplotlib')}
        return variables | {'TF_CPP_MIN_LOG_LEVEL': '3'}


def build(name: str, *, python: str | None = None, progress: Progress = print) -> KernelEnvironment:
    """Build environment `name` from its lock (`LockedEnvironment.build`).

    A complete environment only gets missing fonts and data.

    Raises:
        CibenchError: unknown name, unusable python, packages that uv refuses or that do not import.
    """

    def finish(root: Path, marker: Marker, new: bool) -> Marker:
        environment = _at(name, root)
        assert environment.share is not None
        there = assets.add_missing(environment.share, marker['packages'], environment._run_code, progress)
        if new:
            progress(f'kernel environment {name}: importing {len(MODULES)} modules')
            if failed := environment.failed_imports():
                raise CibenchError(f'kernel environment {name}: does not import {"; ".join(failed)}')
        return marker | {'assets': there}

    environment = _at(name, _locked(name).build(python, progress, finish))
    _fingerprint.cache_clear()
    return environment


def chinese_font() -> Path | None:
    """The font in which kernels draw Chinese; None where their environment is not built, or has none."""
    root = _locked('modern').complete_root()
    share = root and _at('modern', root).share
    font = share and share / assets.FONTS / assets.FONT_FILE
    return font if font and font.exists() else None


def _at(name: str, root: Path) -> KernelEnvironment:
    return KernelEnvironment(name, root / 'bin' / 'python', root, root / 'share' / 'cibench')


def _users_own(python: Path) -> KernelEnvironment:
    if not os.access(python, os.X_OK) or python.is_dir():
        raise CibenchError(f'kernel environment {python}: there is no python executable at this path')
    _check_users_own(python, python.stat().st_mtime_ns)
    return KernelEnvironment(str(python), python, python.parent.parent, None)


@cache
def _check_users_own(python: Path, changed: int) -> None:
    """Refuse a python that cannot run kernels; the cache asks again only when the file has changed."""
    python_version(str(python))
    if run_python(python, '-c', 'import ipykernel').returncode:
        raise CibenchError(f'kernel environment {python}: it has no ipykernel: run `{python} -m pip install ipykernel`')


def _locked(name: str) -> LockedEnvironment:
    if name not in names():
        raise CibenchError(
            f'unknown kernel environment {name!r}: give one of {", ".join(names())}; a python of your own needs no '
            'build: name its path where the environment is asked for'
        )
    return LockedEnvironment('kernel', LOCKS / f'{name}.txt', TORCH.get(name, ''))


@cache
def _fingerprint(environment: KernelEnvironment) -> dict[str, str]:
    """The environment's part of a fingerprint; a user's own environment uses the machine's fonts and data."""
    version, packages = software(f'kernel environment {environment.name}', environment.python)
    share = environment.share
    return {
        'environment': environment.root.name,
        'python': version,
        'packages': sha256_of('\n'.join(sorted(f'{name}=={version}' for name, version in packages.items())))[:12],
        'libraries': _libraries(packages),
        'fonts': assets.fonts_digest(share) if share else "the machine's",
        'nltk_data': (', '.join(assets.nltk_names(share)) or 'none') if share else "the machine's",
    }


def _libraries(packages: dict[str, str]) -> str:
    """The packages that contain the ten modules, with their versions."""
    names = {re.sub(r'[-_.]+', '-', name).lower(): name for name in packages}
    patterns = (_DISTRIBUTIONS.get(module, module) for module in MODULES)
    wanted = (name for pattern in patterns for name in sorted(names) if re.fullmatch(pattern, name))
    return ', '.join(f'{name} {packages[names[name]]}' for name in wanted)


@cache
def _cpu() -> str:
    """Model of the processor: its vector instructions change last digits."""
    try:
        found = re.search(r'^model name\s*:\s*(.+)$', Path('/proc/cpuinfo').read_text(), re.MULTILINE)
    except OSError:
        found = None
    return found[1].strip() if found else platform.processor() or 'unknown'
