"""`cibench serve`: a run whose agent is an MCP client, such as a coding agent."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cibench_eval import __version__
from cibench_eval.commands import log, new_app
from cibench_eval.config.abbrs import name_problem
from cibench_eval.packages import require
from cibench_eval.run.arguments import parser
from cibench_eval.schema import CibenchError
from cibench_eval.tokens import Token

if TYPE_CHECKING:
    from mcp.server.mcpserver import MCPServer

app = new_app()
PATH = '/mcp'
MODEL = """from cibench_eval.models import NoModel

models = [dict(type=NoModel, abbr={name!r})]
"""
TAKEN = {'--models', '--agents', '--max-sessions', '--slurm', '-h', '--help'}
"""Flags of `run.py` that this command sets itself, or that make no sense with it."""

LAST_ANSWER = 1
"""Seconds for which the last answer may be on its way to the client."""

Option = typer.Option


@app.command(context_settings={'allow_extra_args': True, 'ignore_unknown_options': True})
def serve(
    context: typer.Context,
    name: Annotated[str, Option(metavar='NAME', help='What the agent is called in tables.')] = 'mcp-client',
    http: Annotated[int | None, Option(metavar='PORT', help='Serve HTTP on 127.0.0.1; 0 is any free port.')] = None,
    token: Annotated[
        str | None, Option(metavar='VARIABLE', help='Environment variable with the token of HTTP; else one is made.')
    ] = None,
    figures: Annotated[bool, Option('--figures/--no-figures', help='Whether the agent is shown figures.')] = True,
) -> int:
    """Let a coding agent that speaks MCP sit the benchmark, over stdio or HTTP.

    What else stands on the line are the flags of `run.py` that say what is run and where to: --datasets demo -w DIR.
    Sessions are sat one after the other; the run folder, its scores and tables are those of every run, and -r goes on.
    """
    words = _flags(context.args)
    if problem := name_problem(name):
        raise CibenchError(f'serve: --name {problem}')
    require('serve', 'mcp')
    from cibench_eval.agents.mcp_server import DESK, Tools, new_server

    secret = Token.of(token, 'serve')
    listener = None if http is None else _listener(http)
    run = partial(_run, [*words, '--agents', 'mcp', '--max-sessions', '1'], name, DESK.close)
    taken = asyncio.Event()
    server = new_server(Tools(DESK, figures), __version__, taken)
    serving = server.run_stdio_async() if listener is None else _http(server, listener, secret, taken, DESK.close)
    try:
        return asyncio.run(_until_either(serving, taken, run, DESK.close, stays=listener is None))
    except KeyboardInterrupt:
        return 130


def _run(words: list[str], name: str, over: Callable[[], None]) -> int:
    """Run `run.py` to its end, beside the server; the desk then closes.

    What it prints goes to standard error: standard output may be the client's.
    """
    from contextlib import redirect_stdout

    from cibench_eval.run.main import main

    try:
        with tempfile.TemporaryDirectory() as folder, redirect_stdout(sys.stderr):
            path = Path(folder, 'model.py')
            path.write_text(MODEL.format(name=name), encoding='utf-8')
            return main([*words, '--models', str(path)], 'cibench serve', 'the same command with -r')
    finally:
        over()


async def _until_either(
    serving: Any, taken: asyncio.Event, run: Callable[[], int], close: Callable[[], None], *, stays: bool
) -> int:
    """Serve until the run is over (over stdio: until the client is gone), and let the run come to its end.

    The run moves standard output, so it begins when the server has `taken` its own. Returns its exit code.
    """
    server = asyncio.create_task(serving)
    waiting = asyncio.create_task(taken.wait())
    await asyncio.wait([server, waiting], return_when=asyncio.FIRST_COMPLETED)
    if server.done():
        waiting.cancel()
        await server
        return 1
    ended = asyncio.create_task(asyncio.to_thread(run))
    try:
        await asyncio.wait([server, ended], return_when=asyncio.FIRST_COMPLETED)
        if ended.done() and stays and not ended.exception() and ended.result() == 0:
            await server  # the client still gets its last answer, and then leaves
        elif ended.done():
            await asyncio.sleep(LAST_ANSWER)
            server.cancel()
            with suppress(asyncio.CancelledError):
                await server
    finally:
        close()  # the run comes to its end also where this is interrupted
    return await ended


def _listener(port: int) -> socket.socket:
    """A socket that listens on a port of this machine alone."""
    try:
        return socket.create_server(('127.0.0.1', port))
    except (OSError, OverflowError) as error:
        raise CibenchError(f'serve: port {port} of 127.0.0.1 cannot be had; name another with --http') from error


async def _http(
    server: MCPServer[Any], listener: socket.socket, token: Token, taken: asyncio.Event, close: Any
) -> None:
    import uvicorn

    from cibench_eval.agents.mcp_server import guarded

    class Listening(uvicorn.Server):
        def handle_exit(self, _: int, frame: Any) -> None:
            close()  # first, since it waits for the answer to code that runs
            super().handle_exit(signal.SIGINT, frame)  # raised again at the end; asyncio ends in order at no other

    application = guarded(server.streamable_http_app(streamable_http_path=PATH), token)
    config = uvicorn.Config(application, log_level='warning', timeout_graceful_shutdown=LAST_ANSWER)
    listening = Listening(config)
    serving = asyncio.create_task(listening.serve([listener]))
    taken.set()
    log(f'MCP server: http://127.0.0.1:{listener.getsockname()[1]}{PATH}\n{token.said}')
    try:
        await asyncio.shield(serving)
    finally:
        listening.should_exit = True
        await serving


def _flags(words: Sequence[str]) -> list[str]:
    for word in words:
        if word.partition('=')[0] in TAKEN:
            raise CibenchError(f'serve: {word}: not with this command, whose agent is the client (see its --help)')
    if '--datasets' not in words and (not words or words[0].startswith('-')):
        raise CibenchError('serve: name what is sat: --datasets, or a config file')
    parser('cibench serve').parse_args(words)  # before a client is there
    return list(words)
