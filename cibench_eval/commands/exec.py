"""`cibench exec`: a person's code through the very same interpreter as a model's, and what it did."""

import asyncio
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.commands._kernel_options import Sandbox
from cibench_eval.interpreter import Interpreter
from cibench_eval.interpreter.settings import read_settings
from cibench_eval.notebook_libraries import jupytext, nbformat
from cibench_eval.schema import CibenchError, Execution
from cibench_eval.terminal import json_line, say, visible

COLOURS = {
    'ok': 'green',
    'error': 'red',
    'timeout': 'yellow',
    'kernel_died': 'red',
    'stderr': 'red',
    'figure': 'magenta',
}
LATE = ', over its limit of {:g} s (its wait for a processor is not counted)'
STDIN = '-'

Option = typer.Option


def exec_(
    file: Annotated[
        str,
        typer.Argument(metavar='FILE', help='FILE.py (`# %%` starts a step), FILE.ipynb, or - for standard input.'),
    ],
    environment: Annotated[str, Option(metavar='NAME', help='Kernel environment, or path of a python.')] = 'modern',
    sandbox: Sandbox = 'bubblewrap',
    start: Annotated[Literal['spawn', 'fork'], Option(help='How the kernel is started.')] = 'spawn',
    datasources: Annotated[str | None, Option(metavar='DIR', help='Copied into the working directory.')] = None,
    timeout: Annotated[
        float, Option(metavar='SECONDS', help='Of each step; its wait for a processor is not counted.')
    ] = 60,
    network: Annotated[bool, Option('--network', help='Let the code reach other machines.')] = False,
    figures: Annotated[Path | None, Option(metavar='DIR', help='Write figures there.')] = None,
    as_json: Annotated[bool, Option('--json', help='Print one Execution a line, as JSON.')] = False,
) -> int:
    """Run a script or notebook as the code of a model is run.

    Exit code 0 if every step ran without error, 1 if one did not.
    """
    given = {
        'environment': environment,
        'sandbox': sandbox,
        'start': start,
        'datasources': datasources,
        'timeout': timeout,
        'network': network,
    }
    settings, cells = read_settings(given, 'on the command line'), cells_of(file)
    if not cells:
        raise CibenchError(f'{file}: there is no code in it')

    async def run() -> bool:
        """Whether every step ran without error."""
        good = True
        async with Interpreter(settings) as interpreter:
            for number, cell in enumerate(cells, 1):
                execution = await interpreter.run(cell)
                good &= execution.status == 'ok'
                if figures:
                    for figure in execution.figures:
                        figure.save(figures)
                if as_json:
                    say(json_line({'step': number} | execution.model_dump(mode='json')))
                else:
                    show(number, execution, figures, settings.timeout)
        return good

    return int(not asyncio.run(run()))


def cells_of(name: str) -> list[str]:
    """The code cells of a notebook, of a script (`# %%` starts a cell), or of standard input (`-`, a script).

    Raises:
        CibenchError: the file is not there, is no notebook, or has the ending of something else.
    """
    if Path(name).suffix not in ('', '.py', '.ipynb'):
        raise CibenchError(f'{name}: is no .py and no .ipynb; give one, or - and the code on standard input')
    try:
        text = sys.stdin.read() if name == STDIN else Path(name).read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        raise CibenchError(f'{name}: cannot be read: {getattr(error, "strerror", "it is not UTF-8 text")}') from error
    notebook = _notebook(name, text) if Path(name).suffix == '.ipynb' else jupytext.reads(text, fmt='py:percent')
    return [cell.source for cell in notebook.cells if cell.cell_type == 'code' and cell.source.strip()]


def _notebook(name: str, text: str) -> nbformat.NotebookNode:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter('ignore', nbformat.warnings.MissingIDFieldWarning)  # nothing here needs the ids
            return nbformat.reads(text, as_version=4)
    except (ValueError, nbformat.ValidationError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise CibenchError(f'{name}: is not a Jupyter notebook of nbformat 4 or older; give one, or a .py') from error


def show(number: int, execution: Execution, figures: Path | None, limit: float) -> None:
    """Print what a step did, on a terminal in colours. Control characters of the step are made visible, not obeyed."""
    terminal = sys.stdout.isatty()
    for text, kind in _lines(number, execution, figures, limit):
        print(typer.style(visible(text), fg=COLOURS.get(kind)) if terminal else visible(text), flush=True)


def _lines(number: int, execution: Execution, figures: Path | None, limit: float) -> Iterator[tuple[str, str]]:
    """Texts to print, each with what it is."""
    late = LATE.format(limit) if execution.status == 'timeout' else ''
    cut = ', output cut' if execution.truncated else ''
    yield f'step {number}: {execution.status}, {execution.seconds:.2f} s{late}{cut}', execution.status
    for output in execution.outputs:
        if output.figure:
            place = figures / output.figure.filename if figures else '(--figures DIR keeps it)'
            yield f'figure, {len(output.figure.data):,} bytes: {place}', 'figure'
        elif output.text:
            yield output.text.rstrip('\n'), output.type
    if execution.error:
        yield execution.error.text, 'error'
