"""`cibench configs`: the configs that `cibench run` finds by name, and a copy of those that came with the package."""

import ast
import shutil
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from cibench_eval.commands import log, new_app, new_console
from cibench_eval.config import defaults
from cibench_eval.config.config_files import by_name, shipped
from cibench_eval.reports.layout import counted
from cibench_eval.schema import CibenchError

app = new_app(
    help='The configs that `cibench run` finds by name: those in the folder `configs`, and those that came with it.'
)


@app.command('list')
def list_configs(
    part: Annotated[str, typer.Argument(metavar='[FOLDER]', help='models, datasets, agents, …: those alone.')] = '',
) -> None:
    """List them, with what each is for."""
    paths = by_name()
    known = sorted({name.partition('/')[0] for name in paths if '/' in name})
    if part and part not in known:
        raise CibenchError(f'configs list: there is no folder {part}; there is {", ".join(known)}')
    names = {name: _says(path) for name, path in paths.items() if name.startswith(f'{part}/' if part else '')}
    table = Table(box=None, pad_edge=False)
    table.add_column('Config', no_wrap=True)  # a name that is cut cannot be copied
    table.add_column('What it is')
    for name in sorted(names, key=lambda name: (name.rpartition('/')[0], name)):
        table.add_row(name, names[name])
    new_console().print(table)


@app.command()
def copy(
    folder: Annotated[Path, typer.Argument(metavar='[DIR]', help='What it has stays.')] = Path(defaults.CONFIGS),
) -> None:
    """Copy what came with the package into a folder, to change it; `cibench run` takes the `configs` that it finds."""
    missing = [path for path in sorted(shipped().rglob('*.py')) if not (folder / path.relative_to(shipped())).exists()]
    for path in missing:
        place = folder / path.relative_to(shipped())
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    log(f'{folder}: {counted(len(missing), "config")} copied; what was there stays as it was')


def _says(path: Path) -> str:
    """The first paragraph of a config's docstring."""
    try:
        text = ast.get_docstring(ast.parse(path.read_bytes())) or ''
    except (SyntaxError, ValueError) as error:
        return f'{path}: no Python: {error.args[0]}'
    return text.partition('\n\n')[0].replace('\n', ' ')
