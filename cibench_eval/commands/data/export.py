"""`cibench data export`: a set in the form of another framework."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.commands._kernel_options import Environment, pattern
from cibench_eval.integrations.harbor import write_tasks
from cibench_eval.integrations.sessions import builtin_split, sessions_of
from cibench_eval.reports.layout import counted
from cibench_eval.terminal import say


def export(
    path: Annotated[str, typer.Argument(metavar='SET', help='Folder of notebooks, or split of a built-in set.')],
    to: Annotated[Literal['harbor'], typer.Option(help='harbor: a folder for each notebook, as `harbor run` takes.')],
    out: Annotated[Path, typer.Option(metavar='DIR', help='New folder to write into.')],
    environment: Environment = 'modern',
    only: Annotated[str | None, pattern('Experiments to write')] = None,
    profile: Annotated[str, typer.Option(metavar='NAME', help='By which answers are scored.')] = 'strict',
    images: Annotated[
        str,
        typer.Option(
            metavar='NAME',
            help='Where images are kept, as ghcr.io/me/cibench: `docker_image` of each task.',
            show_default='none',
        ),
    ] = '',
    base: Annotated[
        str,
        typer.Option(
            metavar='IMAGE',
            help='Image to build those of tasks from, as `cibench kernel image` makes.',
            show_default='python:3.11-slim-bookworm',
        ),
    ] = '',
) -> None:
    """Write the notebooks of a set as tasks of Harbor, gold and verifier included."""
    folder = path if Path(path).is_dir() else builtin_split(path, environment)
    sessions = sessions_of(folder, only=only, environment=environment, profile=profile)
    say(f'{out}: {counted(len(write_tasks(sessions, out, images, base)), "task")}; harbor run -p {out} -a oracle')
