"""`cibench kernel`: environments in which model code runs."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.commands import new_app
from cibench_eval.interpreter import BlockingInterpreter, KernelSettings, environments
from cibench_eval.interpreter.container_engine import OTHER, Command, Engine
from cibench_eval.interpreter.container_image import make_kernel_image
from cibench_eval.interpreter.environments import MODULES, KernelEnvironment
from cibench_eval.schema import CibenchError

app = new_app(help='Environments in which model code runs.')

Name = Annotated[str, typer.Argument(metavar='NAME', help='Name, or path of a python.')]


@app.command('list')
def list_() -> None:
    """All environments and where they are."""
    for name in environments.names():
        try:
            typer.echo(f'{name:<8} {KernelEnvironment.find(name).root}')
        except CibenchError:
            typer.echo(f'{name:<8} not built (cibench kernel build {name})')


@app.command()
def build(
    name: Annotated[str, typer.Argument(metavar='NAME', help='modern or paper')],
    python: Annotated[
        str | None,
        typer.Option(help='Interpreter to build with.', show_default='CPython 3.11, else that of cibench'),
    ] = None,
) -> None:
    """Build one from its lock, unless it is complete."""
    environment = environments.build(name, python=python, progress=typer.echo)
    typer.echo(f'kernel environment {environment.name}: {environment.root}')


@app.command()
def check(name: Name) -> int:
    """Import the ten modules in one, and start a kernel. Exit code 1 if a module does not import."""
    settings = KernelSettings(environment=name, sandbox='auto')
    provenance, failed = settings.provenance(), KernelEnvironment.find(name).failed_imports()
    for line in failed:
        typer.echo(f'does not import: {line}')
    typer.echo(f'kernel environment {name}: {len(MODULES) - len(failed)} of {len(MODULES)} modules import')
    for key, value in provenance.items():
        typer.echo(f'  {key}: {value}')
    with BlockingInterpreter(settings) as interpreter:
        typer.echo(f'a forked kernel answers in this sandbox: {interpreter.run("6 * 7").status}')
    return int(bool(failed))


@app.command()
def path(name: Name) -> None:
    """Print the path of one's python."""
    typer.echo(KernelEnvironment.find(name).python)


@app.command()
def image(
    name: Name,
    command: Annotated[Command, typer.Option(help='Engine that keeps the image.')] = 'docker',
    tag: Annotated[
        str, typer.Option(metavar='IMAGE', help="The image's name.", show_default='cibench-eval/kernel:FOLDER')
    ] = '',
    root: Annotated[
        Path,
        typer.Option(metavar='DIR', help='Folder of the operating system in the image.', show_default="this machine's"),
    ] = Path('/'),
) -> None:
    """Make an image of one for containers, without a registry."""
    environment, engine = KernelEnvironment.find(name), Engine(command)
    if problem := engine.problem():
        raise CibenchError(f'{problem} (`--command {OTHER[command]}` for {OTHER[command].capitalize()})')
    tag = tag or f'cibench-eval/kernel:{environment.root.name}'
    make_kernel_image(engine, environment, tag, root, typer.echo)
    typer.echo(f'{tag}: made')
