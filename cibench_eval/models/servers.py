"""Model servers that the harness starts: one process each, shared by all tasks of this process, stopped with it.

A server's standard input is a pipe that the harness holds open and never writes to: however the harness
ends, the pipe closes, and a server that reads it ends too.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from typing import IO

import httpx

from cibench_eval.schema import HarnessError

HEALTH_INTERVAL = 0.05
"""Seconds between questions to a server that is starting."""


@dataclass
class Server:
    """A running server process, or one that is coming up."""

    name: str
    argv: list[str]
    port: int
    startup_timeout: float
    log: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    process: subprocess.Popen[bytes] | None = None

    @property
    def base_url(self) -> str:
        return f'http://127.0.0.1:{self.port}/v1'

    def start(self) -> None:
        try:
            self.process = subprocess.Popen(self.argv, stdin=subprocess.PIPE, stdout=self.log, stderr=subprocess.STDOUT)
        except OSError as error:
            raise HarnessError(f'model server {self.name}: {self.argv[0]} cannot be started: {error}') from error

    async def ready(self) -> None:
        """Wait until it is healthy.

        Raises:
            HarnessError: it ended, or is not healthy within its start-up time.
        """
        deadline = time.monotonic() + self.startup_timeout
        async with httpx.AsyncClient(timeout=5.0) as client:
            while not await self._healthy(client):
                if self.process is None or self.process.poll() is not None:
                    code = self.process.returncode if self.process else None
                    raise self._fault(f'ended with code {code} before it was ready')
                if time.monotonic() > deadline:
                    raise self._fault(f'not ready within {self.startup_timeout:g} s')
                await asyncio.sleep(HEALTH_INTERVAL)

    async def _healthy(self, client: httpx.AsyncClient) -> bool:
        try:
            answer = await client.get(f'http://127.0.0.1:{self.port}/health')
        except httpx.TransportError:
            return False
        return answer.status_code == httpx.codes.OK

    def _fault(self, cause: str) -> HarnessError:
        self.stop()
        return HarnessError(f'model server {self.name}: {cause}; the end of its log: {self.last_words()}')

    def last_words(self, lines: int = 3) -> str:
        self.log.seek(0)
        said = [line.strip() for line in self.log.read().decode(errors='replace').splitlines() if line.strip()]
        return ' | '.join(said[-lines:]) or '(empty)'

    def stop(self) -> None:
        if self.process is None:
            return
        if self.process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
        self.process.terminate()
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


_running: dict[tuple[str, ...], Server] = {}


async def serve(name: str, argv: list[str], startup_timeout: float) -> Server:
    """The server that `argv` starts (`{port}` in it stands for a free port), started at the first call."""
    key = tuple(argv)
    if key not in _running:
        port = free_port()
        server = Server(name, [part.format(port=port) for part in argv], port, startup_timeout)
        server.start()
        _running[key] = server
    server = _running[key]
    try:
        await server.ready()
    except HarnessError:
        _running.pop(key, None)
        raise
    return server


@atexit.register
def stop_all() -> None:
    """Stop every server that this process started."""
    while _running:
        _running.popitem()[1].stop()


def free_port() -> int:
    """A loopback port that nothing listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return int(probe.getsockname()[1])
