"""Readable sources -> executed notebooks: how a built-in set gets its gold outputs.

`templates.py` describes the sources. In one kernel environment every build gives the same bytes.
"""

import asyncio
import itertools
import json
import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, cast

from cibench_eval.datasets import held_out
from cibench_eval.datasets.builtin_sets import SETS, VERSIONS
from cibench_eval.datasets.cells import THOUGHT
from cibench_eval.datasets.descriptions import delete_notebook, hash_of
from cibench_eval.datasets.formats.notebooks import parse_experiment, read_json
from cibench_eval.datasets.naive import NaiveAnswer, NaiveAnswers, naive_file
from cibench_eval.files import write_whole
from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from cibench_eval.interpreter.settings import read_settings
from cibench_eval.rendering import failure_of, jupyter_output
from cibench_eval.schema import CibenchError, Execution
from cibench_eval.sets.describe import describe_experiments
from cibench_eval.sets.preload import preload_of
from cibench_eval.sets.sources import sources_of
from cibench_eval.sets.templates import Draft, HeldOutStep
from cibench_eval.terminal import Log

Execute = Callable[[list[list[str]]], list[list[Execution]]]
"""Runs the code cells of experiments, each in a fresh kernel: `execute` with its settings, or a stand-in."""
CANARY = 'CANARY'


def build_set(name: str, environment: str, only: str | None = None, log: Log = lambda line: None) -> list[Path]:
    """Build the built-in set `name`, or the sources that `only` matches, and return the notebooks.

    They go into `<set>/<environment>/`. A build of the whole set deletes notebooks that have no source.

    Raises:
        CibenchError: there is no such set, or a source is malformed, fails, or lacks its output.
    """
    drafts = [draft for source in sources_of(name, only) for draft in source.drafts()]
    folder = SETS / name
    built = write_set(drafts, folder / environment, environment, folder, log)
    if only is None:
        for left in set((folder / environment).rglob('*.ipynb')) - set(built):
            delete_notebook(left)
    return built


def write_made(drafts: list[Draft], folder: Path) -> None:
    """Write the output of generators: data for kernels, and labels that no kernel gets."""
    for draft in drafts:
        for name, content in draft.made.files.items():
            path = folder / 'datasources/data' / draft.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content)
        for name, labels in draft.made.held_out.items():
            path = folder / held_out.FOLDER / _labels_file(draft, name)
            path.parent.mkdir(exist_ok=True)
            write_whole(path, json.dumps({**_canary(folder), 'labels': labels}) + '\n')


def _labels_file(draft: Draft, name: str) -> str:
    return f'{draft.folder}.{name}.json'


def _canary(folder: Path) -> dict[str, str]:
    """The text of a set's file CANARY, if it has one, which marks files that must not be used for training."""
    path = folder / CANARY
    return {'canary': path.read_text(encoding='utf-8').strip()} if path.is_file() else {}


def write_set(drafts: list[Draft], out: Path, environment: str, folder: Path, log: Log) -> list[Path]:
    """Execute drafts into notebooks below `out`, as `build` does, and write their descriptions beside them.

    Raises:
        CibenchError: as `build`, or gold code fails when it runs again.
    """
    run = partial(execute, environment=environment, datasources=folder / 'datasources', log=log)
    built = build(drafts, out, run, environment, folder)
    experiments = [parse_experiment(read_json(path), path, out) for path in built]
    _, problems = describe_experiments(experiments, environment, log=log)
    if problems:
        raise CibenchError(f'{problems[0]}; gold code must run each time')
    return built


def execute(
    experiments: list[list[str]],
    environment: str,
    datasources: Path | None,
    log: Log = lambda line: None,
    sandbox: str = 'auto',
    timeout: float | None = None,
) -> list[list[Execution]]:
    """Run the code cells of experiments in sandboxed kernels, as many experiments at once as there are cores.

    Args:
        datasources: working folder of the cells; None is an empty one.
        log: gets a line for each experiment that is done.
        sandbox: as in `KernelSettings`. Code of a model runs without a sandbox only on request.
        timeout: seconds of a cell; by default the limit of `KernelSettings`.
    """
    preload = preload_of(code for codes in experiments for code in codes)
    fields = {'environment': environment, 'datasources': datasources, 'sandbox': sandbox, 'preload': preload}
    limit = {} if timeout is None else {'timeout': timeout}
    return asyncio.run(_run(experiments, read_settings({**fields, **limit}, 'kernels'), log))


async def _run(experiments: list[list[str]], settings: KernelSettings, log: Log) -> list[list[Execution]]:
    slots, done = asyncio.Semaphore(os.cpu_count() or 1), itertools.count(1)

    async def run(codes: list[str], pool: KernelPool) -> list[Execution]:
        async with slots, Interpreter(settings, pool) as interpreter:
            executions = [await interpreter.run(code) for code in codes]
        log(f'executed {next(done)}/{len(experiments)}')
        return executions

    async with KernelPool(settings) as pool:
        return await asyncio.gather(*(run(codes, pool) for codes in experiments))


def build(drafts: list[Draft], out: Path, run: Execute, environment: str, folder: Path) -> list[Path]:
    """Execute drafts into notebooks below `out`; nothing is written unless all are sound.

    Args:
        environment: the kernel environment of `run`, which the notebooks name.
        folder: the folder of the set, with its `datasources/`.

    Raises:
        CibenchError: a source is malformed, a cell fails or warns, or lacks the output that its kind needs.
    """
    write_made(drafts, folder)
    executions = run([draft.codes for draft in drafts])
    texts = {
        out / draft.target: _executed(draft, done, environment, folder)
        for draft, done in zip(drafts, executions, strict=True)
    }
    for path, text in texts.items():
        write_whole(path, text)
    for draft in drafts:
        write_naive_of(draft, out / draft.target, folder)
    return list(texts)


def write_naive_of(draft: Draft, notebook: Path, folder: Path) -> None:
    """Write the naive answers of a draft beside its notebook, if it has some."""
    answers = [
        NaiveAnswer(step=index, trap=one.trap, sessions=list(one.sessions), code=one.code)
        for index, step in enumerate(draft.steps)
        for one in step.naive
    ]
    file = naive_file(notebook)
    if answers:
        naive = NaiveAnswers(canary=_canary(folder).get('canary', ''), code=hash_of(draft.codes), answers=answers)
        write_whole(file, naive.model_dump_json(indent=1) + '\n')
    else:
        file.unlink(missing_ok=True)


def _executed(draft: Draft, executions: list[Execution], environment: str, folder: Path) -> str:
    for number, execution in enumerate(executions, start=1):
        if problem := _problem(execution):
            where = f'{draft.source}: {draft.target.stem}: step {number}'
            raise CibenchError(f'{where}: {problem}; gold code must run clean')
    version = {'set_version': VERSIONS[folder.name]} if folder.name in VERSIONS else {}
    text = notebook_text(draft, executions, environment, {**_canary(folder), **version})
    place = draft.source / draft.target.name
    parse_experiment(json.loads(text), place, draft.source.parent, datasources=folder / 'datasources')
    return text


def notebook_text(
    draft: Draft, executions: list[Execution], environment: str, more: Mapping[str, Any] | None = None
) -> str:
    """The content of a notebook's file from a draft and its executions; `more` is further metadata."""
    from cibench_eval.notebook_libraries import nbformat

    notebook = nbformat.v4.new_notebook(metadata=_metadata(draft, environment) | dict(more or {}))
    for number, (step, execution) in enumerate(zip(draft.steps, executions, strict=True), start=1):
        outputs = [jupyter_output(output, number) for output in execution.outputs]
        notebook.cells += [
            nbformat.v4.new_markdown_cell(_question(draft.question(step)), id=f'step-{number}-question'),
            nbformat.v4.new_code_cell(step.code, id=f'step-{number}-code', execution_count=number, outputs=outputs),
        ]
    return cast(str, nbformat.writes(notebook)) + '\n'


def _metadata(draft: Draft, environment: str) -> dict[str, Any]:
    kinds = [step.kind for step in draft.steps]
    annotations: dict[str, list[Any]] = {
        'modules': [step.modules for step in draft.steps],
        'step_types': [] if {*kinds} == {'general'} else kinds,
        'tolerances': [{'absolute': step.absolute} if step.absolute else step.tolerance for step in draft.steps],
        'lists': [step.listed for step in draft.steps],
        'answers': [step.answer or None for step in draft.steps],
        'depends': [[*step.depends] for step in draft.steps],
        held_out.FOLDER: [_held_out(draft, step.held_out) if step.held_out else None for step in draft.steps],
    }
    return {
        'kernelspec': {'display_name': 'Python 3', 'language': 'python', 'name': 'python3'},
        'language_info': {'name': 'python'},
        'kernel_environment': environment,
        'language': draft.language,
        **{key: entries for key, entries in annotations.items() if any(entries)},
    }


def _held_out(draft: Draft, given: HeldOutStep) -> dict[str, Any]:
    """The entry of a notebook's metadata for a step that is scored on held-out labels."""
    if given.labels not in draft.made.held_out:
        known = ', '.join(draft.made.held_out) or 'none'
        raise CibenchError(f'{draft.source}: held_out="{given.labels}": its generator makes other labels: {known}')
    try:
        bound = float(given.bound)
    except ValueError as error:
        raise CibenchError(f'{draft.source}: bound="{given.bound}"; it must be a number') from error
    return {'labels': _labels_file(draft, given.labels), 'metric': given.metric, 'bound': bound}


def _question(markdown: str) -> str:
    """The markdown, with a line end after the question so that the modules sentence starts a line."""
    question, separator, thought = markdown.strip().partition(THOUGHT)
    return f'{question}\n{separator}{thought}' if separator else question


def check_empty(folder: Path) -> None:
    """Raise a `CibenchError` where a folder that is to be written has something in it."""
    if folder.exists() and any(folder.iterdir()):
        raise CibenchError(f'{folder}: not empty; give a new folder')


def _problem(execution: Execution) -> str | None:
    """Why an execution is no clean run of gold code."""
    if execution.error:
        return failure_of(execution).splitlines()[0]
    if execution.status != 'ok':
        return f'{execution.status} after {execution.seconds:.1f} s'
    if execution.truncated:
        return 'its output is over the cap'
    if warning := execution.stderr.strip():
        return f'it writes on stderr: {warning.splitlines()[-1]}'
    return None
