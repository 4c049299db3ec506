"""`cibench construct prompts`: the prompts as files that can be edited."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.terminal import say


def prompts(
    folder: Annotated[Path, typer.Argument(metavar='DIR', help='Folder for them, which is made.')],
) -> None:
    """Copy the prompts into a folder, to be edited there and used with --prompts."""
    from cibench_eval.construction.prompts import copy_prompts

    for file in copy_prompts(folder):
        say(str(file))
