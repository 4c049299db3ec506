"""Sessions a second through the environment server, beside the same sessions in one process, in turn.

    python benchmarks/env_throughput.py [--at-once 1 16 64] [--steps 10] [--rounds 3]

Both play as many sessions as run at once, whose agent answers without thinking, each step with a cell that computes and
prints something; kernels, places and scores are the same. "here" is `integrations.episodes` in this process alone;
"server" is `cibench env` in a process of its own, asked by this one over a connection a session. Every step must come
out right. A session of each is played before the clock starts, so that the process that forks kernels is there.
"""

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

REPO = Path(__file__).parents[1]
sys.path.insert(0, str(REPO))

from rich.console import Console  # noqa: E402
from rich.table import Table  # noqa: E402
from websockets.asyncio.client import connect  # noqa: E402

from benchmarks.throughput import CELL  # noqa: E402
from cibench_eval.integrations.episodes import Episode, EpisodeAction, Episodes, Reset  # noqa: E402
from cibench_eval.integrations.sessions import sessions_of  # noqa: E402
from tests.support.env_server import TOKEN, env_server  # noqa: E402
from tests.support.notebooks import notebook  # noqa: E402

Play = Callable[[], Awaitable[float]]
"""Plays a session; its share of right steps."""


def write_notebook(folder: Path, steps: int) -> Path:
    """A set of one notebook."""
    cells = [('num', f'Compute number {n} and print it.', CELL, '332833500\n') for n in range(steps)]
    (folder / 'data/bench').mkdir(parents=True)
    (folder / 'data/bench/one.ipynb').write_text(json.dumps(notebook(*cells)))
    return folder / 'data/bench'


async def all_of(play: Play, at_once: int) -> float:
    """Seconds of so many sessions at once."""
    assert await play() == 1
    started = time.monotonic()
    assert set(await asyncio.gather(*(play() for _ in range(at_once)))) == {1}
    return time.monotonic() - started


async def here(notebooks: Path, at_once: int) -> float:
    """Seconds in this process."""
    async with Episodes(sessions_of(notebooks, history='all', sandbox='auto'), at_once, 60) as episodes:

        async def play() -> float:
            episode = Episode(episodes, Reset())
            try:
                seen = await episode.begin()
                while not seen.done:
                    seen = await episode.act(EpisodeAction(code=CELL))
            finally:
                await episode.close()
            return seen.score['right']

        return await all_of(play, at_once)


async def through_server(notebooks: Path, at_once: int) -> float:
    """Seconds through a server."""
    with env_server('--max-sessions', str(at_once), '--wait', '60', notebooks=notebooks) as server:
        address = server.url.replace('http://', f'ws://any:{TOKEN}@') + '/ws'

        async def play() -> float:
            async with connect(address, proxy=None) as socket:
                seen = await _asked(socket, 'reset', {})
                while not seen['done']:
                    seen = await _asked(socket, 'step', {'code': CELL})
            found: float = seen['observation']['score']['right']
            return found

        return await all_of(play, at_once)


async def _asked(socket: Any, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    await socket.send(json.dumps({'type': kind, 'data': data}))
    answer = json.loads(await socket.recv())
    assert answer['type'] == 'observation', answer
    found: dict[str, Any] = answer['data']
    return found


WAYS = {'here': here, 'server': through_server}


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or '').partition('\n')[0])
    parser.add_argument('--at-once', type=int, nargs='+', default=[1, 16, 64])
    parser.add_argument('--steps', type=int, default=10)
    parser.add_argument('--rounds', type=int, default=3)
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    table = Table(title=f'sessions of {options.steps} steps, {cores} cores, medians of {options.rounds} rounds')
    for name in ('at once', 'here, s', 'server, s', 'here, steps/s', 'server, steps/s', 'ratio of seconds'):
        table.add_column(name, justify='right')
    with tempfile.TemporaryDirectory() as name:
        notebooks = write_notebook(Path(name), options.steps)
        for at_once in options.at_once:
            found: dict[str, list[float]] = {way: [] for way in WAYS}
            for number in range(options.rounds):
                for way in list(WAYS)[:: -1 if number % 2 else 1]:
                    found[way].append(asyncio.run(WAYS[way](notebooks, at_once)))
            medians = [statistics.median(seconds) for seconds in found.values()]
            rates = [f'{at_once * options.steps / seconds:.0f}' for seconds in medians]
            ratio = statistics.median(there / own for own, there in zip(*found.values(), strict=True))
            table.add_row(str(at_once), *(f'{one:.2f}' for one in medians), *rates, f'{ratio:.2f}')
    Console(width=None if sys.stdout.isatty() else 120).print(table)


if __name__ == '__main__':
    main()
