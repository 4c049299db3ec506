"""`cibench configs`: the configs that came with the package."""

import ast
import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from cibench_eval.commands import log, new_app, new_console
from cibench_eval.config import defaults
from cibench_eval.config.config_files import shipped
from cibench_eval.schema import CibenchError

app = new_app()


@app.callback()
def configs() -> None:
    """The configs that came with the package; `cibench run NAME` takes them where there is no folder `configs`."""


@app.command('list')
def list_configs(
    part: Annotated[str, typer.Argument(metavar='[FOLDER]', help='models, datasets, agents, …: those alone.')] = '',
) -> None:
    """List them, with what each is for."""
    known = sorted(path.name for path in shipped().iterdir() if path.is_dir() and path.name.isalpha())
    if part and part not in known:
        raise CibenchError(f'configs list: there is no folder {part}; there is {", ".join(known)}')
    paths = [path for path in (shipped() / part).rglob('*.py') if not path.name.startswith('_')]
    names = {str(path.relative_to(shipped()).with_suffix('')): _says(path) for path in paths}
    table = Table(box=None, pad_edge=False)
    table.add_column('Config', min_width=max(map(len, names)))  # a name that is cut cannot be copied
    table.add_column('What it is')
    for name in sorted(names, key=lambda name: (name.rpartition('/')[0], name)):
        table.add_row(name, names[name])
    new_console().print(table)


@app.command()
def copy(
    folder: Annotated[Path, typer.Argument(metavar='[DIR]', help='New folder to write.')] = Path(defaults.CONFIGS),
) -> None:
    """Copy them all into a folder, to change them; `cibench run` takes `configs` of the folder where it is called."""
    if folder.exists():
        raise CibenchError(f'{folder}: is there already; name another folder, or take it away')
    shutil.copytree(shipped(), folder, ignore=shutil.ignore_patterns('__pycache__'))
    log(f'{folder}: {len(list(folder.rglob("*.py")))} configs')


def _says(path: Path) -> str:
    """The first paragraph of a config's docstring."""
    return (ast.get_docstring(ast.parse(path.read_bytes())) or '').partition('\n\n')[0].replace('\n', ' ')
