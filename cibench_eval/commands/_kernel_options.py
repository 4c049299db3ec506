"""Options of commands that run code in kernels, or choose what is run."""

from typing import Annotated, Any

import typer

from cibench_eval.interpreter.sandboxes import choices

Environment = Annotated[str, typer.Option(metavar='NAME', help='Kernel environment.')]
Sandbox = Annotated[
    str,
    typer.Option(
        metavar='NAME',
        help=f'{", ".join(choices())}; auto is none where bubblewrap cannot run.',
    ),
]


def pattern(what: str) -> Any:
    """The option for a pattern of experiments or sources."""
    return typer.Option(metavar='PATTERN', help=f'{what}, as pandas/*.', show_default='all')
