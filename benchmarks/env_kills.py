"""Rollouts through the environment server while clients, kernels and the server itself are killed, and what is left.

    python benchmarks/env_kills.py [--seconds 600] [--at-once 64] [--clients 8] [--every 10] [--server-every 150]

Rollouts answer a notebook by a script, right or wrong step by step, and hold what they are given against what is due:
the reward of each step, or none where the session is no result or its connection is lost. Every few seconds a client
process or a kernel is killed, and now and then the server, which is started again at its address. Each session starts a
process that sleeps, by which its kernel is found. After the server's death, and at the end, none of them may be there,
and no process that the server had started. The exit code is 1 if one is, or if a reward was another than due.
"""

import argparse
import asyncio
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

import psutil  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402
from websockets.exceptions import ConnectionClosed, InvalidHandshake  # noqa: E402

from benchmarks.env_throughput import write_notebook  # noqa: E402
from benchmarks.throughput import CELL  # noqa: E402
from tests.support.env_server import TOKEN, Server, env_server, sleeper, sleeping  # noqa: E402

STEPS = 6
FAULT = 'fault'
GONE = 60
"""Seconds that processes get to be gone."""
TRY_AGAIN = 0.5
"""Seconds until a client looks again for a server that is being started."""


async def rollouts(address: str, number: int) -> None:
    """Play session after session; print how each ended."""
    while True:
        right = [random.random() < 0.5 for _ in range(STEPS)]
        try:
            async with connect(address, proxy=None, open_timeout=GONE) as socket:
                _say(await _played(socket, right, sleeper(number)))
        except ConnectionClosed:
            _say('lost with the server')
        except (InvalidHandshake, OSError):
            await asyncio.sleep(TRY_AGAIN)


def _say(end: str) -> None:
    os.write(sys.stdout.fileno(), f'{end}\n'.encode())


async def _played(socket: Any, right: list[bool], first: str) -> str:
    """How a session ended whose steps are right or wrong."""
    seen = await _asked(socket, 'reset', {})
    if seen['type'] == 'error':
        return str(seen['data']['code'])
    for step, good in enumerate(right):
        code = ('' if step else first) + (CELL if good else 'print(1)')
        data = (await _asked(socket, 'step', {'code': code}))['data']
        if data['observation']['invalid']:
            return 'no result' if data['reward'] is None and data['done'] else f'{FAULT}: a reward without a result'
        if data['reward'] != good:
            return f'{FAULT}: {data["reward"]} where {good} is due: {data["observation"]["scores"]}'
    told = data['observation']['score'].get('right')
    return 'scored' if told == sum(right) / STEPS else f'{FAULT}: {told} where {sum(right) / STEPS} is due'


async def _asked(socket: Any, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    await socket.send(json.dumps({'type': kind, 'data': data}))
    found: dict[str, Any] = json.loads(await socket.recv())
    return found


@contextmanager
def client(address: str, at_once: int, number: int, into: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process with so many rollouts at once, which appends how they end to a file."""
    command = [sys.executable, __file__, '--address', address, '--at-once', str(at_once), '--number', str(number)]
    with into.open('ab') as file, subprocess.Popen(command, stdout=file) as process:
        try:
            yield process
        finally:
            process.kill()


def left_of(below: list[psutil.Process], number: int) -> list[psutil.Process]:
    """Which of a dead server's processes, and of those of its sessions, are there after a while."""
    return psutil.wait_procs([*below, *sleeping(number)], timeout=GONE)[1]


def play(options: argparse.Namespace, notebooks: Path, ends: Path) -> Counter[str]:
    """Run everything; what was killed, what was left."""
    found, number = Counter[str](), os.getpid() * 1000
    words = ['--max-sessions', str(options.at_once), '--wait', '60']
    share, finish, server_due = options.at_once // options.clients, time.monotonic() + options.seconds, 0.0
    port, server, servers, clients = '0', None, ExitStack(), list[tuple[ExitStack, subprocess.Popen[bytes]]]()
    with servers, ExitStack() as all_clients:
        while time.monotonic() < finish or server is None:
            if server is None or time.monotonic() > server_due:
                found['left over'] += _killed(server, servers, number, found)
                server = servers.enter_context(env_server(*words, '--http', port, notebooks=notebooks))
                port, server_due = server.url.rpartition(':')[2], time.monotonic() + options.server_every
            while len(clients) < options.clients:
                one = all_clients.enter_context(ExitStack())
                address = server.url.replace('http://', f'ws://any:{TOKEN}@') + '/ws'
                clients.append((one, one.enter_context(client(address, share, number, ends))))
            time.sleep(options.every)
            if random.random() < 0.5 and (those := sleeping(number)):
                with suppress(psutil.NoSuchProcess):  # its session may end just now
                    random.choice(those).parents()[0].kill()
                    found['kernels killed'] += 1
            else:
                clients.pop(random.randrange(len(clients)))[0].close()
                found['clients killed'] += 1
        all_clients.close()
        assert server is not None
        psutil.wait_procs(sleeping(number), timeout=GONE)
        found['left over'] += len(sleeping(number))
        below = psutil.Process(server.process.pid).children(recursive=True)
        servers.close()
        found['left over'] += len(left_of(below, number))
    return found


def _killed(server: Server | None, servers: ExitStack, number: int, found: Counter[str]) -> int:
    """Kill a server: how many of its processes are left."""
    if server is None:
        return 0
    below = psutil.Process(server.process.pid).children(recursive=True)
    server.process.send_signal(signal.SIGKILL)
    servers.close()
    found['servers killed'] += 1
    return len(left_of(below, number))


def main() -> int:
    """Run, and print how sessions ended and what was left."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--seconds', type=float, default=600)
    parser.add_argument('--at-once', type=int, default=64)
    parser.add_argument('--clients', type=int, default=8)
    parser.add_argument('--every', type=float, default=10)
    parser.add_argument('--server-every', type=float, default=150)
    parser.add_argument('--address', help=argparse.SUPPRESS)
    parser.add_argument('--number', type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.address:
        asyncio.run(_all(options))
    with tempfile.TemporaryDirectory() as name:
        ends = Path(name, 'ends')
        found = play(options, write_notebook(Path(name), STEPS), ends)
        sessions = Counter(ends.read_text().splitlines())
    print(f'sessions: {dict(sessions)}\n{dict(found)}')
    return int(found['left over'] > 0 or any(end.startswith(FAULT) for end in sessions))


async def _all(options: argparse.Namespace) -> None:
    await asyncio.gather(*(rollouts(options.address, options.number) for _ in range(options.at_once)))


if __name__ == '__main__':
    sys.exit(main())
