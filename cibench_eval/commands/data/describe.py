"""`cibench data describe`: what gold figures show and gold variables hold, written beside the notebooks."""

from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._kernel_options import Environment, Sandbox, pattern
from cibench_eval.construction.notebook_file import store_outputs
from cibench_eval.sets.describe import describe_set


def describe(
    path: Annotated[
        str, typer.Argument(metavar='PATH', help='Folder of notebooks, one notebook, or name of a built-in set.')
    ],
    environment: Environment = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    only: Annotated[str | None, pattern('Experiments to describe')] = None,
    outputs: Annotated[
        bool, typer.Option('--outputs', help='First store in the notebooks what their code shows here.')
    ] = False,
) -> int:
    """Run the gold code of a set twice and write what it came to beside the notebooks.

    Scores of plots and of variables (Vis and State of `strict`) need it. Exit code 0 if every notebook has its
    descriptions now, 1 if one has not, 2 for bad input.
    """
    if outputs:
        store_outputs(path, environment, sandbox, only, log)
    files, problems = describe_set(path, environment, sandbox, only, log)
    for file in files:
        typer.echo(file)
    for problem in problems:
        log(problem)
    return int(bool(problems))
