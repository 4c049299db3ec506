"""Models whose server the harness starts: a server for each command, shared by all tasks, stopped with this process.

A server runs below a supervisor (`supervisor.py`), whose standard input is a pipe that the harness holds open. However
the harness ends, the pipe closes, and the supervisor ends the server and all processes that the server started.
"""

import asyncio
import atexit
import contextlib
import logging
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Self
from weakref import WeakValueDictionary

import httpx
import psutil

from cibench_eval.models.base import Tools, Turn, Wrapper
from cibench_eval.models.connections import TIMEOUT
from cibench_eval.models.http_model import OpenAICompatible
from cibench_eval.schema import GenerationConfig, HarnessError, Message, Reply

logger = logging.getLogger(__name__)
SUPERVISOR = Path(__file__).with_name('supervisor.py')
HEALTH_INTERVAL = 0.05
"""Seconds between two health checks of a server that is starting."""
PROGRESS_INTERVAL = 5.0
"""Seconds between two log lines about a server that is starting."""
GRACE = 5.0
"""Seconds that a server gets to end before it is killed."""
STOP_TIME = 2 * GRACE
"""Seconds after which a supervisor that has not ended its server is killed with it."""
HEALTH_TIMEOUT = 1.0
"""Seconds that a health check may take; after each check the end of the server would be noticed."""
PORTS = 5
"""Ports that are tried: another process can take a port before the server does."""
TAIL = 64 * 2**10
"""Bytes at the end of a log in which the cause of an end is searched."""
LINE = 300
"""Characters that are shown of a line of a log."""
CAUSE = re.compile(r'(?!.*\b(INFO|WARNING|DEBUG)\b).*(\b\w*(Error|Exception)\b *:|\berror: |[\d.]+ E )')
"""A line of a log that tells why a server ended: of Python, of a command line, of llama.cpp."""
CHECK_INTERVAL = 1.0
"""Seconds between two checks that the server of a request still runs."""
ENDING = 10.0
"""Seconds that a server gets to end after its connection was lost; if it ends, that was the cause."""


@dataclass(eq=False)
class Served(Wrapper, ABC):
    """Base of backends with a server of their own; a subclass adds its `command`."""

    path: str
    """The model's name at the server."""
    _: KW_ONLY
    generation_kwargs: GenerationConfig | None = None
    """Sampling settings."""
    startup_timeout: float = 60.0
    """Seconds that the server may take to load the model."""
    timeout: float = TIMEOUT
    """Seconds that one try of a request may take."""

    def __post_init__(self) -> None:
        settings, timeout = self.generation_kwargs, self.timeout
        self._client = OpenAICompatible(self.path, 'http://127.0.0.1', generation_kwargs=settings, timeout=timeout)
        super().__init__(self._client)
        self._server: Server | None = None

    @abstractmethod
    def command(self) -> list[str]:
        """The command of the server, with `{port}` for its port; a `CibenchError` where what it needs is missing."""

    def environment(self) -> Mapping[str, str] | None:
        """The environment variables of the server; None gives the variables of the harness."""
        return None

    def check(self) -> None:
        super().check()
        self.command()

    async def __aenter__(self) -> Self:
        self._server = await serve(self.path, self.command(), self.startup_timeout, self.environment())
        self._client.base_url = self._server.base_url
        return await super().__aenter__()

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        asking = asyncio.create_task(super().chat(messages, turn, stop, tools))
        try:
            while not asking.done() and self._may_answer():
                await asyncio.wait([asking], timeout=CHECK_INTERVAL)
            if asking.done():
                return asking.result()
        except HarnessError as error:
            if isinstance(error.__cause__, httpx.RequestError) and self._server:
                await self._server.end(ENDING)
            if self._may_answer():
                raise
        finally:
            asking.cancel()
        assert self._server is not None
        raise HarnessError(f'model {self.path}: {self._server.exit_message()}')

    def _may_answer(self) -> bool:
        """Whether the server runs, or was never started: then the request itself raises the error."""
        return self._server is None or self._server.running


class PortTakenError(HarnessError):
    """Another process has the port that a server was given."""


class Server:
    """A server that was started on a port of its own, running or not.

    Args:
        name: of the model, for messages.
        argv: the command; `{port}` in it stands for the port.
        variables: environment variables; None gives the variables of the harness.
    """

    def __init__(self, name: str, argv: list[str], variables: Mapping[str, str] | None) -> None:
        self.name = name
        self.port = free_port()
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 - open while its end may be shown
        command = [part.replace('{port}', str(self.port)) for part in argv]
        self.process = subprocess.Popen(
            [sys.executable, '-P', str(SUPERVISOR), str(GRACE), *command],
            stdin=subprocess.PIPE,
            stdout=self._log,
            stderr=subprocess.STDOUT,
            env=variables,
            start_new_session=True,  # Ctrl-C must reach the harness alone, which stops its servers last
        )
        """The supervisor: it leads the server's process group and ends with the server's exit code."""

    @property
    def base_url(self) -> str:
        return f'http://127.0.0.1:{self.port}/v1'

    @property
    def running(self) -> bool:
        return self.process.poll() is None

    async def ready(self, within: float) -> None:
        """Wait until the server is healthy, and log its progress.

        Raises:
            PortTakenError: another process listens on its port.
            HarnessError: it ended, or is not healthy `within` that many seconds.
        """
        begun = time.monotonic()
        logged = begun
        async with httpx.AsyncClient(timeout=HEALTH_TIMEOUT, trust_env=False) as client:
            while not await self._healthy(client):
                now = time.monotonic()
                if not self.running:
                    raise self._ended_early()
                if now - begun > within:
                    raise HarnessError(self._message(f'not ready within {within:g} s'))
                if now - logged >= PROGRESS_INTERVAL:
                    logged = now
                    logger.info('model server %s: %.0f s, not ready: %s', self.name, now - begun, self.log_tail(1))
                await asyncio.sleep(HEALTH_INTERVAL)
        logger.info('model server %s: ready after %.0f s on port %d', self.name, time.monotonic() - begun, self.port)

    async def _healthy(self, client: httpx.AsyncClient) -> bool:
        try:
            answer = await client.get(f'http://127.0.0.1:{self.port}/health')
        except httpx.TransportError:
            return False
        if not self._listens():
            raise PortTakenError(f'model server {self.name}: another process listens on port {self.port}')
        return answer.status_code == httpx.codes.OK

    def _listens(self) -> bool:
        """Whether the server itself listens on its port; True where its sockets cannot be seen."""
        for process in psutil.Process(self.process.pid).children(recursive=True):
            try:
                connections = process.net_connections('tcp')
            except psutil.NoSuchProcess:  # a helper process that has just ended
                continue
            except psutil.AccessDenied:
                return True
            if any(c.status == psutil.CONN_LISTEN and c.laddr.port == self.port for c in connections):
                return True
        return False

    def _ended_early(self) -> HarnessError:
        if _taken(self.port):
            return PortTakenError(f'model server {self.name}: port {self.port} was taken')
        return HarnessError(self._message(f'ended with code {self.process.returncode} before it was ready'))

    async def end(self, within: float) -> None:
        """Wait for the server's end, at most `within` seconds."""
        deadline = time.monotonic() + within
        while self.running and time.monotonic() < deadline:
            await asyncio.sleep(HEALTH_INTERVAL)

    def exit_message(self) -> str:
        """How and why the server ended while it was in use, in one line."""
        return self._message(f'ended with code {self.process.returncode} in the middle of the run')

    def _message(self, cause: str) -> str:
        return f'model server {self.name}: {cause}; the end of its log: {self.log_tail()}'

    def log_tail(self, lines: int = 3) -> str:
        """The end of the log in one line: the first line that may tell the cause, and the last lines."""
        log = self._log.fileno()
        start = max(0, os.fstat(log).st_size - TAIL)
        end = os.pread(log, TAIL, start)  # a seek would also move where the server writes
        logged = [line.strip()[:LINE] for line in end.decode(errors='replace').splitlines() if line.strip()]
        before, last = logged[:-lines], logged[-lines:]
        cause = next((line for line in before if CAUSE.match(line)), None) if lines > 1 else None
        return ' | '.join([cause, '…', *last] if cause else last) or '(empty)'

    def stop(self) -> None:
        """End the server and every process that it started."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(timeout=STOP_TIME)
        if self.process.returncode is None or self.process.returncode < 0:  # stuck or killed, so it has ended nothing
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


_running: dict[tuple[str, ...], Server] = {}
_starting: WeakValueDictionary[tuple[str, ...], asyncio.Lock] = WeakValueDictionary()


async def serve(
    name: str, argv: list[str], startup_timeout: float, variables: Mapping[str, str] | None = None
) -> Server:
    """The server of a command, in which `{port}` stands for a free port; the first call starts it.

    Raises:
        HarnessError: it does not start; the text has the end of its log.
    """
    key = (*argv, *(f'{name}={value}' for name, value in (variables or {}).items()))
    async with _starting.setdefault(key, asyncio.Lock()):
        if key in _running and not _running[key].running:
            _running.pop(key).stop()
        if key not in _running:
            _running[key] = await _start(name, argv, startup_timeout, variables)
        return _running[key]


async def _start(name: str, argv: list[str], startup_timeout: float, variables: Mapping[str, str] | None) -> Server:
    tried = 0
    while True:
        server = Server(name, argv, variables)
        tried += 1
        try:
            await server.ready(startup_timeout)
            return server
        except PortTakenError:
            server.stop()
            if tried == PORTS:
                raise
            logger.info('model server %s: port %d was taken by another process; trying another', name, server.port)
        except BaseException:
            server.stop()
            raise


@atexit.register
def stop_all() -> None:
    """Stop every server that this process started."""
    while _running:
        _running.popitem()[1].stop()


def free_port() -> int:
    """A loopback port that is free at this moment."""
    with socket.create_server(('127.0.0.1', 0)) as probe:
        return int(probe.getsockname()[1])


def _taken(port: int) -> bool:
    try:
        socket.create_server(('127.0.0.1', port)).close()
    except OSError:
        return True
    return False
