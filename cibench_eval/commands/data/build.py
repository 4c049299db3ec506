"""`cibench data build`: the sources of a built-in set, executed into notebooks."""

from __future__ import annotations

from typing import Annotated

import typer

from cibench_eval.commands import log, new_app
from cibench_eval.commands._kernel_options import Environment
from cibench_eval.sets.build import build_set

app = new_app()


@app.command()
def build(
    name: Annotated[str, typer.Argument(metavar='NAME', help='Name of the set: builtin, builtin_hard.')],
    environment: Environment = 'modern',
    only: Annotated[
        str | None, typer.Option(metavar='PATTERN', help='Sources to build, as pandas/*.', show_default='all')
    ] = None,
) -> None:
    """Execute the sources of a built-in set into notebooks."""
    for path in build_set(name, environment, only, log):
        typer.echo(path)
