"""The folders of one session, as its code names them and as the harness reaches them, and what is put into them."""

from __future__ import annotations

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.scratch import remove_tree, scratch
from cibench_eval.schema import CibenchError

SOCKET_PATH_LIMIT = 107
"""Longest path of a unix socket on Linux, without its closing zero byte."""


@dataclass(frozen=True)
class Layout:
    """Where a session finds its folders."""

    work: str
    """Working directory, with the session's own copy of the data."""
    home: str
    tmp: str
    wire: str
    """Connection file and sockets."""


@dataclass(frozen=True)
class Room:
    """The folders of one session.

    Args:
        layout: their paths, as the session sees them.
        prefix: what the harness puts before them: the root folder behind the walls, or nothing.
        uid: who owns what is put into them, None for the harness's own user.
        host_folder: what `remove` deletes; None where the folders are gone with the walls around them.
    """

    layout: Layout
    prefix: str = ''
    uid: int | None = None
    host_folder: Path | None = None

    @classmethod
    def on_host(cls) -> Room:
        """Folders without walls, in the scratch folder of this process."""
        root = Path(tempfile.mkdtemp(dir=scratch()))
        layout = Layout(*(str(root / name) for name in ('work', 'home', 'tmp', 'wire')))
        if len(f'{layout.wire}/k-5') > SOCKET_PATH_LIMIT:
            shutil.rmtree(root)
            raise CibenchError(f'TMPDIR: {tempfile.gettempdir()} is too long for socket paths; set a shorter one')
        for path in (layout.work, layout.home, layout.tmp, layout.wire):
            Path(path).mkdir(mode=0o700)
        return cls(layout, host_folder=root)

    @classmethod
    def within(cls, layout: Layout, root: int, uid: int | None) -> Room:
        """Folders behind walls, where descriptor `root` is the root folder."""
        return cls(layout, f'/proc/self/fd/{root}', uid)

    def outside(self, path: str) -> Path:
        """The path under which the harness reaches `path` of the session."""
        return Path(self.prefix + path)

    def furnish(self, environment: KernelEnvironment) -> None:
        """Put matplotlib's settings into the home folder: its cache has to be writable."""
        share = environment.share
        if share and (share / 'matplotlib').is_dir():
            self._copy(share / 'matplotlib', f'{self.layout.home}/matplotlib')

    def fill(self, datasources: Path) -> None:
        """Copy the data into the working directory.

        Raises:
            CibenchError: it is no folder, or larger than a session may write.
        """
        if not datasources.is_dir():
            raise CibenchError(f'datasources: {datasources} is not a folder; give the one that holds data/')
        try:
            self._copy(datasources, self.layout.work)
        except shutil.Error as error:
            cause = error.args[0][0][2]
            raise CibenchError(f'datasources: {datasources} cannot be copied into a session: {cause}') from error

    def _copy(self, source: Path, target: str) -> None:
        copied = shutil.copytree(source, self.outside(target), dirs_exist_ok=True)
        if self.uid is not None:
            for folder, _, files in os.walk(copied):
                for name in ('', *files):
                    os.chown(Path(folder, name), self.uid, self.uid, follow_symlinks=False)

    def remove(self) -> None:
        if self.host_folder is not None:
            remove_tree(self.host_folder)
