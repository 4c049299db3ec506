"""Readable sources -> executed notebooks: how a built-in set gets its gold outputs.

A source is a Python file in jupytext's percent format. A markdown cell is a question and, after a line
`Thought: `, the gold thought; its header says `kind` and `modules`; the code cell after it is the gold code.
A YAML header may set `language`. The notebooks are the same bytes on every run in one kernel environment.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import jupytext
import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from cibench_eval.datasets.notebooks import THOUGHT, parse_experiment
from cibench_eval.schema import CibenchError, Execution, Output

Execute = Callable[[list[str]], list[Execution]]
"""Runs the code cells of one notebook, in order, in a fresh kernel."""
SETS = Path(__file__).parent


def build_set(name: str, environment: str) -> list[Path]:
    """Build the built-in set `name` into `<set>/<environment>/` and return its notebooks.

    Raises:
        CibenchError: there is no such set, or a source is malformed, fails, or lacks its output.
    """
    folder = SETS / name
    if not (folder / 'sources').is_dir():
        known = ', '.join(sorted(path.parent.name for path in SETS.glob('*/sources')))
        raise CibenchError(f'{name}: no such set; there is {known}')
    return build(
        folder / 'sources',
        folder / environment,
        lambda codes: asyncio.run(_run(codes, environment, folder / 'datasources')),
        environment,
    )


async def _run(codes: list[str], environment: str, datasources: Path) -> list[Execution]:
    from cibench_eval.interpreter import Interpreter, KernelSettings

    settings = KernelSettings(environment=environment, datasources=datasources, sandbox='auto')
    async with Interpreter(settings) as interpreter:
        return [await interpreter.run(code) for code in codes]


def build(sources: Path, out: Path, execute: Execute, environment: str) -> list[Path]:
    """Build `sources/<lib>/<name>.py` into `out/<lib>/<name>.ipynb`; nothing is written unless all are sound.

    Args:
        sources: folder of percent sources, searched recursively.
        out: folder of the notebooks.
        execute: runs the code cells of one source.
        environment: name of the kernel environment that `execute` runs in; kept in the notebooks.

    Raises:
        CibenchError: a source is malformed, a cell fails or warns, or an output its kind needs is missing.
    """
    files = sorted(sources.rglob('*.py'))
    if not files:
        raise CibenchError(f'{sources}: no sources (*.py); give the folder that holds them')
    texts = {
        out / file.relative_to(sources).with_suffix('.ipynb'): _executed(file, execute, environment) for file in files
    }
    return [_write(path, text) for path, text in texts.items()]


def _executed(source: Path, execute: Execute, environment: str) -> str:
    """The notebook of a source, as the content of its file."""
    questions, golds, language = _read(source)
    executions = execute([cell.source for cell in golds])
    notebook = new_notebook(metadata=_metadata(questions, language, environment))
    steps = zip(questions, golds, executions, strict=True)
    for number, (question, gold, execution) in enumerate(steps, start=1):
        _check(source, number, execution)
        notebook.cells += _cells(number, question.source, gold.source, execution)
    text = cast(str, nbformat.writes(notebook)) + '\n'
    parse_experiment(json.loads(text), source, source.parent)
    return text


def _cells(number: int, question: str, code: str, execution: Execution) -> list[Any]:
    outputs = [_output(output, number) for output in execution.outputs]
    return [
        new_markdown_cell(_question(question), id=f'step-{number}-question'),
        new_code_cell(code, id=f'step-{number}-code', execution_count=number, outputs=outputs),
    ]


def _read(source: Path) -> tuple[list[Any], list[Any], str]:
    """Question cells, gold code cells and the language of a source."""
    document = jupytext.read(source, fmt='py:percent')
    questions, golds = document.cells[::2], document.cells[1::2]
    types = [cell.cell_type for cell in document.cells]
    if not golds or types != ['markdown', 'code'] * len(golds):
        raise CibenchError(f'{source}: cells are {", ".join(types)}; alternate markdown and code')
    for step, cell in enumerate(questions, start=1):
        if not {'kind', 'modules'} <= cell.metadata.keys():
            raise CibenchError(f'{source}: cell {2 * step - 1}: its header lacks kind="…" or modules="…"')
    return questions, golds, document.metadata.get('language', 'en')


def _metadata(questions: list[Any], language: str, environment: str) -> dict[str, Any]:
    return {
        'kernelspec': {'display_name': 'Python 3', 'language': 'python', 'name': 'python3'},
        'language_info': {'name': 'python'},
        'kernel_environment': environment,
        'language': language,
        'modules': [cell.metadata['modules'] for cell in questions],
        'step_types': [cell.metadata['kind'] for cell in questions],
    }


def _question(markdown: str) -> str:
    """The markdown with the question closed by a line end, so that the modules sentence starts a line."""
    question, separator, thought = markdown.strip().partition(THOUGHT)
    return f'{question}\n{separator}{thought}' if separator else question


def _check(source: Path, step: int, execution: Execution) -> None:
    """Gold code runs to its end, shows all it has to show, and warns of nothing."""
    if problem := _problem(execution):
        raise CibenchError(f'{source}: cell {2 * step}: {problem}; gold code must run clean')


def _problem(execution: Execution) -> str | None:
    if execution.error:
        return f'{execution.error.name}: {execution.error.value}'.splitlines()[0]
    if execution.status != 'ok':
        return f'{execution.status} after {execution.seconds:.1f} s'
    if execution.truncated:
        return 'its output is over the cap'
    if warning := execution.stderr.strip():
        return f'it writes on stderr: {warning.splitlines()[-1]}'
    return None


def _output(output: Output, step: int) -> Any:
    """A Jupyter output; the count of its cell is the step's number, whatever the kernel counted."""
    if output.type in ('stdout', 'stderr'):
        return new_output('stream', name=output.type, text=output.text)
    data = {
        'text/plain': output.text,
        **({'text/html': output.html} if output.html else {}),
        **({'image/png': base64.b64encode(output.figure.data).decode()} if output.figure else {}),
    }
    count = {'execution_count': step} if output.type == 'execute_result' else {}
    return new_output(output.type, data=data, **count)


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix('.part')
    part.write_text(text, encoding='utf-8')
    return part.replace(path)
