"""`cibench construct review`: a page on which a person decides on every step of a set."""

import getpass
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._kernel_options import Environment, Sandbox
from cibench_eval.terminal import say

PORT = 'Of 127.0.0.1; 0 is any that is free.'


def review(
    folder: Annotated[Path, typer.Argument(metavar='SET', help='Folder of notebooks beside datasources/.')],
    by: Annotated[str | None, typer.Option(metavar='NAME', help='Who decides.', show_default='your login')] = None,
    port: Annotated[int | None, typer.Option(metavar='N', min=0, max=65535, help=PORT, show_default='8733')] = None,
    browser: Annotated[bool, typer.Option(help='Open the page in a browser.')] = True,
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    repeats: Annotated[int, typer.Option(metavar='N', min=1, help='Runs of every step in the check.')] = 2,
    slow: Annotated[float, typer.Option(metavar='SECONDS', min=0.1, help='That a step may take.')] = 60,
) -> int:
    """Check a set, and open a page on which a person accepts, edits or rejects each step.

    The page is served on this machine alone, to whoever has its address. Decisions stand in SET/review.jsonl; an
    interrupt (Ctrl-C) ends the program, and the same command goes on.
    """
    from cibench_eval.construction.review_desk import ReviewDesk
    from cibench_eval.construction.review_server import ReviewServer
    from cibench_eval.construction.verifying import Verifier
    from cibench_eval.sets.checking import Thresholds

    verifier = Verifier(environment, sandbox, repeats, thresholds=Thresholds(slow))
    desk = ReviewDesk(folder, verifier, by if by is not None else _login(), log)
    server = ReviewServer(desk, port)
    desk.check()
    say(server.url)
    if browser:
        webbrowser.open(server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        log(f'review: decisions are in {folder}/review.jsonl')
    return 0


def _login() -> str:
    """The login name, empty where the machine knows none."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ''
