"""Executions as text, for models and for the `official` profile; outputs in the form of notebooks; rows as CSV."""

from __future__ import annotations

import base64
import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from cibench_eval.png import png_size
from cibench_eval.schema import Execution, Figure, HarnessError, Output

if TYPE_CHECKING:
    from nbformat import NotebookNode

LEFT_OUT = '\n[… {left_out} characters left out …]\n'
"""The mark at a cut."""
QUOTED = 200
"""Most characters of a reply in a message."""


def render(execution: Execution) -> str:
    """The outputs in the form of upstream's interpreter: a titled fenced block each, in order, an error last.

    Figures are left out with the texts that stand for them, because upstream keeps them apart from the text.
    """
    shown = [one for one in execution.outputs if one.text and not (one.figure and one.type == 'display_data')]
    blocks = [_block(output.type, output.text) for output in shown]
    if execution.status == 'timeout':
        blocks.append(_block('error', f'Timeout. No end after {execution.seconds:.0f} seconds.'))
    elif execution.error:
        blocks.append(_block('error', execution.error.text))
    elif execution.status == 'kernel_died':
        blocks.append(_block('error', 'KernelDied: the kernel process ended'))
    return '\n\n'.join(blocks)


def as_csv(rows: Iterable[Iterable[object]]) -> str:
    """Rows as CSV, the header first."""
    text = io.StringIO()
    csv.writer(text, lineterminator='\n').writerows(rows)
    return text.getvalue()


def failure_of(execution: Execution) -> str:
    """Why an execution failed: its error, else its status; empty where it did not fail."""
    if execution.error:
        return execution.error.summary
    return '' if execution.status == 'ok' else execution.status


def name_figures(execution: Execution, template: str) -> list[str]:
    """A line for each figure: `template` with `{number}` (from 1), `{width}` and `{height}` (in pixels) filled in."""
    return [
        fill(template, number=number, width=width, height=height)
        for number, figure in enumerate(execution.figures, 1)
        for width, height in [png_size(figure.data)]
    ]


def fill(template: str, **values: object) -> str:
    """`template` with each `{name}` of `values` replaced; all other braces are text."""
    for name, value in values.items():
        template = template.replace(f'{{{name}}}', str(value))
    return template


def quote(reply: str) -> str:
    """The beginning of a model's reply in one line, for messages."""
    words = ' '.join(reply.split())
    return repr(words if len(words) <= QUOTED else f'{words[:QUOTED]}…') if words else 'an empty one'


def shorten(text: str, limit: int, *, head: int | None = None, tail: int | None = None, mark: str = LEFT_OUT) -> str:
    """`text` if it has at most `limit` characters, else its head and its tail.

    Args:
        head: characters kept of its beginning; by default two thirds of the limit.
        tail: characters kept of its end; by default the rest of the limit.
        mark: added between head and tail; `{left_out}` in it is the number of characters left out.
    """
    if len(text) <= limit:
        return text
    head = limit * 2 // 3 if head is None else head
    tail = limit - head if tail is None else tail
    return f'{text[:head]}{fill(mark, left_out=len(text) - head - tail)}{text[len(text) - tail :]}'


def _block(title: str, text: str) -> str:
    return f'{title}:\n\n```\n{text}\n```'


def jupyter_output(output: Output, count: int, figures: Path | None = None) -> NotebookNode:
    """An output in the form of a notebook's cell; `figures` is the folder of figures that are not in memory.

    Raises:
        HarnessError: a figure is missing.
    """
    from cibench_eval.notebook_libraries import nbformat

    if output.type in ('stdout', 'stderr'):
        return nbformat.v4.new_output('stream', name=output.type, text=output.text)
    data = {
        'text/plain': output.text,
        **({'text/html': output.html} if output.html else {}),
        **({'image/png': base64.b64encode(png_of(output.figure, figures)).decode()} if output.figure else {}),
    }
    numbered = {'execution_count': count} if output.type == 'execute_result' else {}
    return nbformat.v4.new_output(output.type, data=data, **numbered)


def png_of(figure: Figure, folder: Path | None) -> bytes:
    """A figure's PNG; `folder` has those that are not in memory, and a `HarnessError` where one is missing."""
    if figure.data or folder is None:
        return figure.data
    try:
        return (folder / figure.filename).read_bytes()
    except OSError as error:
        raise HarnessError(f'figure {folder / figure.filename} is gone; put the run folder together again') from error
