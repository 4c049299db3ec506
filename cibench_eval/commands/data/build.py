"""`cibench data build`: the sources of a built-in set, executed into notebooks."""

from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._kernel_options import Environment, pattern
from cibench_eval.datasets.builtin_sets import builtin_sets, row_sets
from cibench_eval.sets.build import build_set
from cibench_eval.sets.qwen_rows import build_rows


def build(
    name: Annotated[str, typer.Argument(metavar='NAME', help=f'The set: {", ".join(builtin_sets())}.')],
    environment: Environment = 'modern',
    only: Annotated[str | None, pattern('Sources to build')] = None,
) -> None:
    """Execute the sources of a built-in set into notebooks, or into rows."""
    rows = row_sets().get(name)
    for path in build_rows(rows) if rows else build_set(name, environment, only, log):
        typer.echo(path)
