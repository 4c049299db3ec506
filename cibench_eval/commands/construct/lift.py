"""`cibench construct lift`: experiments as templates that other data can fill."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import new_console
from cibench_eval.reports.construct_tables import parameters_table
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say


def lift(
    notebooks: Annotated[list[Path], typer.Argument(metavar='NOTEBOOK…', help='SPLIT/LIBRARY/NAME.ipynb of a set.')],
    to: Annotated[Path, typer.Option(metavar='DIR', help='Folder for the templates.')],
) -> None:
    """Make a template of each notebook, and show what is open in it: files, columns, values, numbers.

    Edit the template before it is filled: its header has the values, its text their places. What a person should look
    at is said below the table.
    """
    from cibench_eval.construction.lifting import lift as lifted_from
    from cibench_eval.construction.lifting import write_template

    console, problems = new_console(), list[str]()
    for notebook in notebooks:
        try:
            lifted = lifted_from(notebook)
            path = write_template(notebook, lifted, to)
        except CibenchError as error:
            problems.append(str(error))
            continue
        console.print(parameters_table(str(path), lifted.parameters))
        for doubt in lifted.doubts:
            say(f'  look at: {doubt}')
        if not lifted.varied:
            say('  no `varied`: fresh data cannot be described for it; for --seeds, write `varied` yourself')
    if problems:
        raise CibenchError('\n'.join(problems))
