"""`cibench data fetch`, `add` and `list`: the published archives, and what is there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cibench_eval.sets.archives.published import ARCHIVES

if TYPE_CHECKING:
    from cibench_eval.sets.archives.fetching import Watch


def add_commands(commands: Any) -> None:
    """Add `fetch`, `add` and `list` to the sub-commands of `cibench data`."""
    fetch = commands.add_parser(
        'fetch',
        help='download a published archive and unpack it',
        description='What was cut off is gone on with. The content is recorded when it comes for the first time, and '
        'later it must be the same. What is there and intact is not asked for again.',
    )
    fetch.add_argument('name', choices=tuple(ARCHIVES), help='which archive')
    address = fetch.add_mutually_exclusive_group()
    address.add_argument('--url', help='take it from this address instead of the published one')
    address.add_argument(
        '--mirror',
        metavar='URL',
        help='folder with the files of the published addresses, or an address with {url} in it',
    )
    fetch.add_argument('--proxy', metavar='URL', help='by default that of HTTPS_PROXY, HTTP_PROXY, ALL_PROXY')
    _add_folder_options(fetch)
    fetch.set_defaults(run=_fetch)
    add = commands.add_parser('add', help='take in an archive or a folder that is on this machine')
    add.add_argument(
        'path', type=Path, metavar='FILE', help='zip archive, folder with its content, or GSM8K test.jsonl'
    )
    add.add_argument('--name', help='name of the set; published archives are recognised by their layout')
    _add_folder_options(add)
    add.set_defaults(run=_add)
    listing = commands.add_parser(
        'list',
        help='sets that are there: experiments, steps, kinds',
        description='Exit code 1 when a notebook is malformed or files of an archive are damaged.',
    )
    listing.add_argument('paths', nargs='*', metavar='PATH', help='folders or built-in sets (default: all, and data/)')
    listing.add_argument('--json', action='store_true', help='print it as JSON')
    listing.set_defaults(run=_list)


def _add_folder_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument('--to', type=Path, default=Path('data'), metavar='DIR', help='folder of sets (default: data)')
    parser.add_argument('--accept-new', action='store_true', help='take content that is not what was recorded')


def say(line: str) -> None:
    """Tell people how far it is; what a command answers goes to stdout."""
    print(line, file=sys.stderr, flush=True)


def _fetch(options: argparse.Namespace) -> int:
    from cibench_eval.sets.archives.fetching import Connection
    from cibench_eval.sets.archives.store import Store

    with progress(options.name) as watch:
        store = Store(options.to, say, watch, Connection(options.proxy), options.accept_new)
        folder = store.fetch(options.name, options.url, options.mirror)
    print(folder)
    return 0


def _add(options: argparse.Namespace) -> int:
    from cibench_eval.sets.archives.store import Store

    print(Store(options.to, say, accept_new=options.accept_new).add(options.path, options.name))
    return 0


def _list(options: argparse.Namespace) -> int:
    from cibench_eval.commands.listing import show
    from cibench_eval.sets.archives.catalog import find_sets

    sets = find_sets(options.paths)
    show(sets, as_json=options.json)
    return int(any(found.problems for found in sets))


@contextmanager
def progress(name: str) -> Iterator[Watch]:
    """How far a download is: a bar on a terminal, a line each tenth of it where there is none."""
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn, TransferSpeedColumn

    console = Console(stderr=True)
    if not console.is_terminal or console.is_dumb_terminal:
        yield _lines(name)
        return
    columns = (TextColumn('{task.description}'), BarColumn(24), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, TimeRemainingColumn(), console=console, transient=True) as bar:
        task = bar.add_task(name, total=None, start=True, visible=False)
        yield lambda done, total: bar.update(task, completed=done, total=total, visible=True)


def _lines(name: str) -> Watch:
    said = -1

    def watch(done: int, total: int | None) -> None:
        nonlocal said
        tenth = done * 10 // total if total else done // 10_000_000
        if tenth != said:
            said = tenth
            of = f' of {total / 1e6:,.1f}' if total else ''
            say(f'{name}: {done / 1e6:,.1f}{of} MB')

    return watch
