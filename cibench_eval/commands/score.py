"""`cibench score`: the sessions of a run scored again."""

from contextlib import nullcontext
from typing import Annotated

import typer

from cibench_eval.commands import log
from cibench_eval.commands._progress import progress
from cibench_eval.commands._runs import Run
from cibench_eval.evaluators.profiles import profile_names
from cibench_eval.run.rescore import rescore


def score(
    run_folder: Run,
    profile: Annotated[
        str | None,
        typer.Option(
            metavar='NAME', help=f'Scoring profile: {", ".join(profile_names())}.', show_default="the run's own"
        ),
    ] = None,
    replay: Annotated[
        bool,
        typer.Option(
            '--replay',
            help='Run the code of failed steps again from gold states, to find which follow from earlier ones.',
        ),
    ] = False,
) -> int:
    """Score the sessions of a run again; code runs only with --replay. Exit code 1 if something cannot."""
    with progress('running again', 'ran again') if replay else nullcontext() as observe:
        failed = rescore(run_folder, profile, observe)
    for line in failed:
        log(f'cibench: {line}')
    return int(bool(failed))
