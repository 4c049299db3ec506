"""`cibench exec`: a person's code through the very same interpreter as a model's, and what it did."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
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
    notebook = jupytext.reads(sys.stdin.read(), fmt='py:percent') if name == STDIN else _read(Path(name))
    return [cell.source for cell in notebook.cells if cell.cell_type == 'code' and cell.source.strip()]


def _read(path: Path) -> nbformat.NotebookNode:
    try:
        text = path.read_text(encoding='utf-8')
    except (OSError, UnicodeDecodeError) as error:
        raise CibenchError(f'{path}: cannot be read: {getattr(error, "strerror", "it is not UTF-8 text")}') from error
    if path.suffix != '.ipynb':
        return jupytext.reads(text, fmt='py:percent')
    try:
        return nbformat.reads(text, as_version=4)
    except (nbformat.reader.NotJSONError, nbformat.ValidationError, KeyError, AttributeError) as error:
        raise CibenchError(f'{path}: is not a Jupyter notebook') from error


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
    failed = False

    def show(number: int, execution: Execution) -> None:
        nonlocal failed
        failed |= execution.status != 'ok'
        if figures:
            for figure in execution.figures:
                figure.save(figures)
        if as_json:
            print(execution.model_dump_json(), flush=True)
        else:
            _print(out, number, execution, figures)

    asyncio.run(_run(cells, settings, show))
    return int(failed)


async def _run(cells: list[str], settings: KernelSettings, show: Callable[[int, Execution], None]) -> None:
    async with Interpreter(settings) as interpreter:
        async for number, execution in _executions(interpreter, cells):
            show(number, execution)


async def _executions(interpreter: Interpreter, cells: list[str]) -> AsyncIterator[tuple[int, Execution]]:
    for number, cell in enumerate(cells, 1):
        yield number, await interpreter.run(cell)


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
