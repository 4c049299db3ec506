"""`cibench data fetch`: a published archive, downloaded and unpacked."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

from cibench_eval.commands import log
from cibench_eval.commands.data import AcceptNew, To
from cibench_eval.schema import CibenchError
from cibench_eval.sets.archives.fetching import Watch
from cibench_eval.sets.archives.published import ARCHIVES
from cibench_eval.sets.archives.store import Store

Url = Annotated[str | None, typer.Option(metavar='URL', help='Take it from this address instead of the published one.')]
Mirror = Annotated[
    str | None,
    typer.Option(
        metavar='URL', help='Folder with the files of the published addresses, or an address with {url} in it.'
    ),
]
Proxy = Annotated[
    str | None, typer.Option(metavar='URL', help='By default that of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY.')
]


def fetch(
    name: Annotated[str, typer.Argument(metavar='NAME', help=', '.join(ARCHIVES))],
    url: Url = None,
    mirror: Mirror = None,
    proxy: Proxy = None,
    to: To = Path('data'),
    accept_new: AcceptNew = False,
) -> None:
    """Download a published archive and unpack it.

    What was cut off is gone on with. The content is recorded when it comes for the first time, and later it must be
    the same. What is there and intact is not asked for again.
    """
    if name not in ARCHIVES:
        raise CibenchError(f'{name}: no published archive; there are {", ".join(ARCHIVES)}')
    if url and mirror:
        raise CibenchError('--url and --mirror: give one of them')
    with progress(name) as watch:
        store = Store(to, log, watch, proxy, accept_new)
        folder = store.fetch(name, url, mirror)
    typer.echo(folder)


@contextmanager
def progress(name: str) -> Iterator[Watch]:
    """How far a download is: a bar on a terminal, a line each tenth of it where there is none."""
    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _lines(name)
        return
    columns = (TextColumn('{task.description}'), BarColumn(24), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(name, total=None, start=True, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _lines(name: str) -> Watch:
    last = -1

    def watch(done: int, total: int | None) -> None:
        nonlocal last
        tenth = done * 10 // total if total else done // 10_000_000
        if tenth != last:
            last = tenth
            of = f' of {total / 1e6:,.1f}' if total else ''
            log(f'{name}: {done / 1e6:,.1f}{of} MB')

    return watch
