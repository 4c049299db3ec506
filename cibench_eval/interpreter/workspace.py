"""The private folders of one session, and the environment variables its kernel gets."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.sandbox import Place, Room
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.schema import CibenchError

BOOTSTRAP = Path(__file__).with_name('bootstrap.py')
SOCKET_PATH_LIMIT = 107
"""Longest path of a unix socket on Linux, without its closing zero byte."""


class Workspace:
    """Folders of a session in the scratch folder of this process; `fill` them once, `remove` deletes them."""

    def __init__(self, environment: KernelEnvironment, datasources: Path | None) -> None:
        if datasources is not None and not datasources.is_dir():
            raise CibenchError(f'datasources: {datasources} is not a folder; give the one that holds data/')
        self.root = Path(tempfile.mkdtemp(dir=scratch()))
        if len(f'{self.root}/wire/k-5') > SOCKET_PATH_LIMIT:
            self.remove()
            raise CibenchError(f'TMPDIR: {tempfile.gettempdir()} is too long for socket paths; set a shorter one')
        self.room = Room(self.root / 'work', self.root / 'home', self.root / 'wire', _readable(environment))
        self.room.home.mkdir()
        self.room.wire.mkdir(mode=0o700)
        self._environment = environment
        self._datasources = datasources

    def fill(self) -> None:
        """Copy the data and matplotlib's settings, whose font cache has to be writable: each session has its own."""
        share = self._environment.share
        if share and (share / 'matplotlib').is_dir():
            shutil.copytree(share / 'matplotlib', self.room.home / 'matplotlib')
        if self._datasources is None:
            self.room.work.mkdir()
        else:
            shutil.copytree(self._datasources, self.room.work)

    def remove(self) -> None:
        shutil.rmtree(self.root, ignore_errors=True)


def _readable(environment: KernelEnvironment) -> tuple[Path, ...]:
    """The environment's folder, the Python it was made from, and the bootstrap; none inside another."""
    base = _base_prefix(environment)
    paths = [environment.root, BOOTSTRAP]
    if not base.is_relative_to('/usr') and not base.is_relative_to(environment.root):
        paths.append(base)
    return tuple(paths)


def _base_prefix(environment: KernelEnvironment) -> Path:
    """Prefix of the Python that a virtual environment was made from; its own root where it is none."""
    settings = environment.root / 'pyvenv.cfg'
    if not settings.exists():
        return environment.root
    fields = dict(line.partition('=')[::2] for line in settings.read_text().splitlines())
    home = next(value for key, value in fields.items() if key.strip() == 'home')
    return Path(home.strip()).resolve().parent


def variables(environment: KernelEnvironment, place: Place, threads: int) -> dict[str, str]:
    """The whole environment of a kernel: nothing of the harness's own goes in."""
    names = ['OMP', 'OPENBLAS', 'MKL', 'NUMEXPR']
    return {
        'PATH': f'{environment.python.parent}:/usr/bin:/bin',
        'HOME': place.home,
        'USER': 'agent',
        'LANG': 'C.UTF-8',
        'TZ': 'UTC',
        'IPYTHONDIR': f'{place.home}/ipython',
        'MPLCONFIGDIR': f'{place.home}/matplotlib',
        'XDG_DATA_HOME': str(environment.share or place.home),
        'PYTHONHASHSEED': '0',
        'PYTHONDONTWRITEBYTECODE': '1',
        'OMP_WAIT_POLICY': 'PASSIVE',
        **{f'{name}_NUM_THREADS': str(threads) for name in names},
        'TF_NUM_INTRAOP_THREADS': str(threads),
        'TF_NUM_INTEROP_THREADS': str(threads),
        'TF_CPP_MIN_LOG_LEVEL': '3',
        'TF_ENABLE_ONEDNN_OPTS': '0',
        'CUDA_VISIBLE_DEVICES': '',
    }
