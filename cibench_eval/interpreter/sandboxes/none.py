"""No sandbox: for machines where nothing else runs, and only where the config says so."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import psutil

from cibench_eval.interpreter.host_paths import TOOLS_HERE
from cibench_eval.interpreter.sandboxes.base import KernelPlan, LocalSession, Sandbox, SessionSpec, encode, kill_process
from cibench_eval.interpreter.session_dirs import SessionDirs


class NoSandbox(Sandbox):
    """A process of the harness's own user, with clean environment variables and resource limits."""

    name: ClassVar[str] = 'none'
    can_fork: ClassVar[bool] = True

    def problem(self) -> str:
        return ''

    def open(self, spec: SessionSpec) -> BareSession:
        return BareSession(spec)


SANDBOX = NoSandbox


class BareSession(LocalSession):
    """A session in folders of this machine; its processes are the kernel and its descendants."""

    def __init__(self, spec: SessionSpec) -> None:
        self._dirs = SessionDirs.on_host()
        self.layout = self._dirs.layout
        self.die_with = os.getpid()
        super().__init__(spec)

    async def spawn(self, plan: KernelPlan, status: int) -> None:
        command = [str(self.spec.environment.python), str(TOOLS_HERE / 'bootstrap.py')]
        process = self.popen(command, stdin=encode(plan), stdout=status, cwd=self.layout.work)
        self.adopt(process.pid, os.pidfd_open(process.pid))

    async def prepare(self, limits: dict[str, int]) -> None:
        """A forked kernel stays where the fork server is: there is nothing to enter."""

    def reach(self) -> SessionDirs:
        self.count_time_of(Path(f'/proc/{self.pid}'))
        return self._dirs

    async def kill(self) -> None:
        """Processes that are no longer descendants end by the control group alone, or with the fork server."""
        for folder in self.processes():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(folder.name), signal.SIGKILL)
        if self.pid:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)
        if self.alive:  # the kernel may not have made its process group yet
            kill_process(self.pidfd)
        await super().kill()

    async def close(self) -> None:
        await super().close()
        await asyncio.to_thread(self._dirs.remove)

    def processes(self) -> Iterable[Path]:
        try:
            kernel = psutil.Process(self.pid)
            return [Path(f'/proc/{process.pid}') for process in (kernel, *kernel.children(recursive=True))]
        except psutil.NoSuchProcess:
            return ()

    def disk_folder(self) -> Path | None:
        return self._dirs.host_folder
