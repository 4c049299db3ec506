"""`cibench env`: an environment server, for training and for agents of other frameworks."""

import asyncio
import signal
from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.agents.protocols.base import Figures
from cibench_eval.agents.settings import AgentSettings
from cibench_eval.agents.slots import check_open_files, default_sessions
from cibench_eval.commands import log
from cibench_eval.commands._kernel_options import Environment, Sandbox, pattern
from cibench_eval.integrations.episodes import Episodes
from cibench_eval.integrations.sessions import builtin_split, sessions_of
from cibench_eval.packages import require
from cibench_eval.schema import CibenchError
from cibench_eval.tokens import Token

Option = typer.Option


def env(
    path: Annotated[str, typer.Argument(metavar='SET', help='Folder of notebooks, or split of a built-in set.')],
    http: Annotated[str, Option(metavar='[HOST:]PORT', help='Where it listens; 0 is any free port.')] = '127.0.0.1:0',
    token: Annotated[
        str | None, Option(metavar='VARIABLE', help='Environment variable with the token; else one is made.')
    ] = None,
    max_sessions: Annotated[
        int | None, Option(metavar='N', min=1, help='Sessions at the same time.', show_default='by cores and memory')
    ] = None,
    wait: Annotated[float, Option(metavar='SECONDS', min=0, help='For which a reset waits for a free place.')] = 30,
    only: Annotated[str | None, pattern('Experiments')] = None,
    attempts: Annotated[int, Option(metavar='N', min=1, help='At each step.')] = AgentSettings.max_attempts,
    explore: Annotated[bool, Option('--explore', help='A step goes on after code that ran.')] = False,
    protocol: Annotated[
        Literal['tool_calls', 'react', 'code_block'], Option(help='Of instructions, outputs and replies as text.')
    ] = 'tool_calls',
    figures: Annotated[Figures, Option(help='What the agent sees of figures.')] = 'name',
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    profile: Annotated[str, Option(metavar='NAME', help='By which answers are scored.')] = 'strict',
) -> None:
    """Serve sessions over HTTP: reset, step, state and close, for the clients of OpenEnv and for TRL.

    Without the token a client is refused. A session is a notebook, run and scored as `run.py` runs and scores it.
    """
    require('env', 'websockets')
    host, port = _address(http)
    secret = Token.of(token, 'env')
    places = max_sessions or default_sessions()
    check_open_files(places)
    sessions = sessions_of(
        path if Path(path).is_dir() else builtin_split(path, environment),
        only=only,
        protocol=protocol,
        max_attempts=attempts,
        explore=explore,
        history='all',  # what an agent has been sent cannot be changed any more
        figures=figures,
        environment=environment,
        sandbox=sandbox,
        profile=profile,
    )
    asyncio.run(_serve(Episodes(sessions, places, wait), host, port, secret))


async def _serve(episodes: Episodes, host: str, port: int, token: Token) -> None:
    """Serve until the process is interrupted or asked to end."""
    from cibench_eval.integrations.env_server import serving

    ended = asyncio.Event()
    for one in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(one, ended.set)
    async with episodes, serving(episodes, host, port, token) as port:
        name = f'[{host}]' if ':' in host else host
        log(f'environment server: http://{name}:{port}\n{token.said}')
        await ended.wait()


def _address(given: str) -> tuple[str, int]:
    """Host and port of `[HOST:]PORT`; without a host it is this machine alone."""
    host, _, port = given.rpartition(':')
    if not port.isdecimal() or int(port) > 65535:
        raise CibenchError(f'env: --http: {given!r} is no [HOST:]PORT; give 8000, or 127.0.0.1:8000')
    return host.strip('[]') or '127.0.0.1', int(port)
