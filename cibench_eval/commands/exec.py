"""`cibench exec`: a person's code through the very same interpreter as a model's, and what it did."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import jupytext
import nbformat
from rich.console import Console
from rich.markup import escape
from rich.text import Text

from cibench_eval.interpreter import Interpreter, KernelSettings
from cibench_eval.schema import CibenchError, Execution

COLOURS = {'ok': 'green', 'error': 'red', 'timeout': 'yellow', 'kernel_died': 'bold red'}
STYLES = {'stderr': 'red', 'execute_result': 'bold'}
STDIN = '-'


def cells_of(name: str) -> list[str]:
    """The code cells of a notebook, of a script (`# %%` starts a cell), or of standard input (`-`, a script).

    Raises:
        CibenchError: the file is not there or is no notebook.
    """
    try:
        text = sys.stdin.read() if name == STDIN else Path(name).read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        raise CibenchError(f'{name}: cannot be read: {getattr(error, "strerror", "it is not UTF-8 text")}') from error
    notebook = _notebook(name, text) if Path(name).suffix == '.ipynb' else jupytext.reads(text, fmt='py:percent')
    return [cell.source for cell in notebook.cells if cell.cell_type == 'code' and cell.source.strip()]


def _notebook(name: str, text: str) -> nbformat.NotebookNode:
    try:
        return nbformat.reads(text, as_version=4)
    except (ValueError, nbformat.ValidationError, KeyError, AttributeError, TypeError, RecursionError) as error:
        raise CibenchError(f'{name}: is not a Jupyter notebook of nbformat 4 or older; give one, or a .py') from error


def execute(
    name: str,
    settings: KernelSettings,
    *,
    as_json: bool = False,
    figures: Path | None = None,
    console: Console | None = None,
) -> int:
    """Run the cells of `name` in one session and print each Execution when it is there.

    Args:
        name: a file, or `-` for standard input.
        settings: how they are run.
        as_json: one Execution a line, as traces have them.
        figures: folder into which figures are written.
        console: where to, by default standard output.

    Returns:
        0 if every cell ran without error, else 1.

    Raises:
        CibenchError: the file cannot be read, or no kernel can be had.
    """
    cells = cells_of(name)
    if not cells:
        raise CibenchError(f'{name}: there is no code in it')
    out = console or Console(highlight=False)

    async def run() -> bool:
        """Whether every cell ran without error."""
        good = True
        async with Interpreter(settings) as interpreter:
            for number, cell in enumerate(cells, 1):
                execution = await interpreter.run(cell)
                good &= execution.status == 'ok'
                if figures:
                    for figure in execution.figures:
                        figure.save(figures)
                if as_json:
                    print(execution.model_dump_json(), flush=True)
                else:
                    _print(out, number, execution, figures)
        return good

    return int(not asyncio.run(run()))


def _print(console: Console, number: int, execution: Execution, figures: Path | None) -> None:
    status = f'[{COLOURS[execution.status]}]{execution.status}[/]'
    cut = ', output cut' if execution.truncated else ''
    console.rule(f'cell {number}: {status}, {execution.seconds:.2f} s{cut}', align='left', style='dim')
    for output in execution.outputs:
        if output.figure:
            place = figures / output.figure.filename if figures else '(--figures DIR keeps it)'
            console.print(f'[magenta]figure, {len(output.figure.data):,} bytes[/] {escape(str(place))}')
        elif output.text:
            console.print(Text(output.text.rstrip('\n'), STYLES.get(output.type, '')))
    if execution.error:
        error = execution.error
        console.print(Text(error.traceback or f'{error.name}: {error.value}', 'red'))
