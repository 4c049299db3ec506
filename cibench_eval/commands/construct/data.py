"""`cibench construct data`: tables with given columns and distributions."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.terminal import say


def data(
    description: Annotated[Path, typer.Argument(metavar='TABLES.yaml', help='File name -> rows and columns.')],
    to: Annotated[Path, typer.Option(metavar='DIR', help='New folder for the CSV files.')],
    seed: Annotated[int, typer.Option(metavar='N', min=0, help='Another seed makes other rows.')] = 0,
) -> None:
    """Make tables with given columns, distributions, correlations and gaps; the same seed makes the same bytes."""
    from cibench_eval.construction.tables import write_tables

    for path in write_tables(description, to, seed):
        say(str(path))
