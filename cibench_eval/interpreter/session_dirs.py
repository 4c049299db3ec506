"""The folders of one session: their paths inside and for the harness, copying files into them, and the environment
variables of its kernel.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.files import ways_out
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.scratch import remove_tree, scratch
from cibench_eval.schema import CibenchError, HarnessError

SOCKET_PATH_LIMIT = 107
"""Longest path of a unix socket on Linux, without the final zero byte."""
CONNECTION_FILE = 'connection.json'
"""Jupyter's connection file, beside the sockets; a kernel reads it when it starts."""


@dataclass(frozen=True)
class Layout:
    """The paths of a session's folders, inside the session."""

    work: str
    """Working directory, with the session's own copy of the data."""
    home: str
    tmp: str
    sockets: str
    """Connection file and sockets."""


INSIDE = Layout('/session/workspace', '/session/home', '/session/tmp', '/session/sockets')
"""The folders of a session with its own file system."""


def environ_of(environment: KernelEnvironment, layout: Layout, threads: int) -> dict[str, str]:
    """All environment variables of a kernel; none is taken from the harness."""
    counts = [f'{name}_NUM_THREADS' for name in ('OMP', 'OPENBLAS', 'MKL', 'NUMEXPR')]
    counts += ['LOKY_MAX_CPU_COUNT', 'OPENCV_FOR_THREADS_NUM', 'TF_NUM_INTRAOP_THREADS', 'TF_NUM_INTEROP_THREADS']
    return {
        'PATH': f'{environment.python.parent}:/usr/bin:/bin',
        'HOME': layout.home,
        'TMPDIR': layout.tmp,
        'USER': 'agent',
        'LANG': 'C.UTF-8',
        'TZ': 'UTC',
        'IPYTHONDIR': f'{layout.home}/ipython',
        'MPLBACKEND': 'module://matplotlib_inline.backend_inline',
        'MPLCONFIGDIR': f'{layout.home}/matplotlib',
        'XDG_DATA_HOME': str(environment.share or layout.home),
        **({'NLTK_DATA': str(environment.nltk_data)} if environment.nltk_data else {}),
        'PYTHONHASHSEED': '0',
        'PYTHONDONTWRITEBYTECODE': '1',
        'OMP_WAIT_POLICY': 'PASSIVE',
        **dict.fromkeys(counts, str(threads)),
        'TF_CPP_MIN_LOG_LEVEL': '3',
        'TF_ENABLE_ONEDNN_OPTS': '0',
        'CUDA_VISIBLE_DEVICES': '',
        'PIP_RETRIES': '1',  # without network, pip's own five tries only wait
        'PIP_DISABLE_PIP_VERSION_CHECK': '1',
    }


@dataclass(frozen=True)
class SessionDirs:
    """The folders of one session."""

    layout: Layout
    """Their paths inside the session."""
    prefix: str = ''
    """Where the harness finds these paths: the root of the session's file system, or empty."""
    uid: int | None = None
    """Owner of the files that are copied into them; None is the harness's own user."""
    host_folder: Path | None = None
    """The folder that `remove` deletes; None where the folders end with the session's file system."""

    @classmethod
    def on_host(cls) -> SessionDirs:
        """New folders in the scratch folder of this process."""
        root = new_folder()
        layout = Layout(*(str(root / name) for name in ('work', 'home', 'tmp', 'sockets')))
        for path in (layout.work, layout.home, layout.tmp, layout.sockets):
            Path(path).mkdir(mode=0o700)
        return cls(layout, host_folder=root)

    @property
    def sockets(self) -> Path:
        """The folder of the sockets, by its path for the harness."""
        return self.outside(self.layout.sockets)

    def outside(self, path: str) -> Path:
        """The harness's path of the session's `path`."""
        return Path(self.prefix + path)

    def write_config(self, environment: KernelEnvironment) -> None:
        """Copy matplotlib's settings into the home folder, because its cache has to be writable.

        Raises:
            HarnessError: they cannot be copied.
        """
        if config := environment.matplotlib_config:
            try:
                self.copy(config, f'{self.layout.home}/matplotlib')
            except shutil.Error as error:
                raise HarnessError(f'kernel: {config} cannot be copied into a session: {_cause(error)}') from error

    def copy_data(self, datasources: Path) -> None:
        """Copy the data into the working directory.

        Raises:
            CibenchError: it is no folder, is larger than a session may write, or has links that lead out of it.
        """
        if not datasources.is_dir():
            raise CibenchError(f'datasources: {datasources} is not a folder; give the one that holds data/')
        for place in ways_out(datasources):
            raise CibenchError(f'datasources: {place} leads out of the folder, or is no file; put a copy in its place')
        try:
            self.copy(datasources, self.layout.work)
        except shutil.Error as error:
            raise CibenchError(
                f'datasources: {datasources} cannot be copied into a session: {_cause(error)}'
            ) from error

    def copy(self, source: Path, target: str) -> None:
        """Copy the content of folder `source` into folder `target` of the session.

        Raises:
            shutil.Error: parts of it could not be copied.
        """
        copied = shutil.copytree(source, self.outside(target), dirs_exist_ok=True)
        if self.uid is not None:
            for folder, _, files in os.walk(copied):
                for name in ('', *files):
                    os.chown(Path(folder, name), self.uid, self.uid, follow_symlinks=False)

    def remove(self) -> None:
        if self.host_folder is not None:
            remove_tree(self.host_folder)


def _cause(error: shutil.Error) -> str:
    return str(error.args[0][0][2])


def new_folder() -> Path:
    """A new scratch folder; a `CibenchError` where the path of a socket in it would be too long."""
    folder = Path(tempfile.mkdtemp(dir=scratch()))
    if len(str(folder / 'sockets/k-5')) > SOCKET_PATH_LIMIT:
        shutil.rmtree(folder)
        raise CibenchError(f'TMPDIR: {tempfile.gettempdir()} is too long for socket paths; set a shorter one')
    return folder
