"""`cibench model`: the embedded model."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import new_app
from cibench_eval.models import embedded

app = new_app(help='The embedded model.')


@app.command()
def fetch() -> None:
    """Download it into the cache."""
    typer.echo(f'embedded model: {embedded.fetch_embedded_model(progress=typer.echo)}')


@app.command()
def path() -> None:
    """Print the path of its file."""
    typer.echo(embedded.embedded_model())


@app.command()
def export(folder: Annotated[Path, typer.Argument(metavar='DIR', help='New folder to write.')]) -> None:
    """Write it in the Hugging Face format, for vLLM and transformers."""
    typer.echo(f'embedded model: {embedded.export(folder)}')
