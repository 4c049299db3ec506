"""`cibench data add`: an archive or a folder that is on this machine, taken in."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands.data import AcceptNew, To
from cibench_eval.sets.archives.store import Store


def add(
    path: Annotated[
        Path, typer.Argument(metavar='FILE', help='Zip archive, folder with its content, or GSM8K test.jsonl.')
    ],
    name: Annotated[
        str | None, typer.Option(help='Name of the set; published archives are recognised by their layout.')
    ] = None,
    to: To = Path('data'),
    accept_new: AcceptNew = False,
) -> None:
    """Take in an archive or a folder that is on this machine."""
    added = Store(to, log, accept_new=accept_new).add(path, name)
    if name is None:
        log(f'{path}: taken for the published {added.name} by its layout; a set of your own needs --name')
    typer.echo(added)
