"""`cibench view`: runs as pages that a browser opens from disk."""

import os
import sys
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._progress import progress
from cibench_eval.commands._runs import Runs, inside_latest
from cibench_eval.terminal import say
from cibench_eval.viewer.report import write_report


def view(
    runs: Runs,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar='DIR',
            file_okay=False,
            callback=inside_latest,
            help='Folder of the pages.',
            show_default='view, in the first run',
        ),
    ] = None,
    no_open: Annotated[bool, typer.Option('--no-open', help='Write the pages and open none.')] = False,
) -> None:
    """Write runs as pages with tables, charts, every step and every session, and open them in the browser.

    Several runs stand side by side. The pages need no server and no network; nothing that a model wrote runs in them.
    """
    folder = out or runs[0] / 'view'
    with progress('writing', 'wrote') as observe:
        # A line for each of 2,000 pages would say nothing in a log.
        page = write_report(runs, folder, log, observe if sys.stderr.isatty() else None)
    say(str(page))
    if not no_open and has_screen():
        webbrowser.open(page.absolute().as_uri())


def has_screen() -> bool:
    """Whether a browser could open a window: without one, Python starts a browser that draws in the terminal."""
    return sys.platform in ('darwin', 'win32') or bool(os.environ.get('DISPLAY') or os.environ.get('WAYLAND_DISPLAY'))
