"""`cibench score`: the sessions of a run scored again, without running anything."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import log, new_app
from cibench_eval.evaluators.profiles import profile_names
from cibench_eval.opencompass.rescore import rescore

app = new_app()


@app.command()
def score(
    run_folder: Annotated[
        Path, typer.Argument(metavar='RUN', help='A run folder, wherever it is now: outputs/…/TIMESTAMP.')
    ],
    profile: Annotated[
        str | None,
        typer.Option(
            metavar='NAME', help=f'Scoring profile: {", ".join(profile_names())}.', show_default="the run's own"
        ),
    ] = None,
) -> int:
    """Score the sessions of a run again, without running anything. Exit code 1 if something could not be scored."""
    failed = rescore(run_folder, profile)
    for line in failed:
        log(f'cibench: not scored: {line}')
    return int(bool(failed))
