"""`cibench data vary`: a private variant of the template experiments, on fresh data."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._kernel_options import Environment, pattern
from cibench_eval.sets.vary import vary_set


def vary(
    name: Annotated[str, typer.Argument(metavar='[NAME]', help='Name of the set.', show_default=True)] = 'builtin',
    *,
    seed: Annotated[int, typer.Option(metavar='N', help='Another seed is another variant.')],
    out: Annotated[Path, typer.Option(metavar='DIR', help='New folder to write the set into.')],
    environment: Environment = 'modern',
    only: Annotated[str | None, pattern('Templates to vary')] = None,
) -> None:
    """Make a private variant of the template experiments on fresh data."""
    for path in vary_set(seed, out, environment, only, log, name):
        typer.echo(path)
