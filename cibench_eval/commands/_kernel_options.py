"""Options that commands have which run code in kernels."""

from __future__ import annotations

from typing import Annotated

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
