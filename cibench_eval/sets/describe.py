"""Describe gold: run all gold code of a set twice, in fresh kernels, and file its figures and variables.

Where the two runs differ, an answer has to agree in type and shape alone: see `docs/metrics.md`, State.
"""

import asyncio
import itertools
import os
from collections.abc import Iterable
from pathlib import Path

from cibench_eval.datasets.descriptions import Descriptions, StepDescription, hash_of, write_descriptions
from cibench_eval.evaluators.comparing.states import settled
from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from cibench_eval.rendering import failure_of
from cibench_eval.schema import CibenchError, Execution, Experiment, Step
from cibench_eval.sets.checking.static import load_set, resolve
from cibench_eval.sets.preload import preload_of
from cibench_eval.states import States, asked_names, plain_states
from cibench_eval.terminal import Log


class UndescribedError(CibenchError):
    """Gold code fails here, so it cannot be described."""


GoldStep = tuple[Execution, States]
"""What a step showed, and what its variables held then."""
Described = tuple[list[Path], list[str]]
"""The files of descriptions that were written, and a problem for each notebook that has none."""


def describe_set(path: str, environment: str, sandbox: str, only: str | None, log: Log) -> Described:
    """Write descriptions beside the notebooks of a set; the problems tell of notebooks that cannot be read, too.

    Args:
        path: a folder, a notebook, or the name of a built-in set.
        sandbox: as in `KernelSettings`. A stranger's code runs without a sandbox only on request.
        only: shell-style pattern of the experiments to describe.
        log: gets a line for each experiment that is done.

    Raises:
        CibenchError: there is nothing to describe, or its folder cannot be written to.
        HarnessError: kernels cannot be started.
    """
    found = load_set(*resolve(path, environment), only, described=False)
    experiments = [member.experiment for member in found.members]
    check_writable(experiments)
    files, problems = describe_experiments(experiments, environment, sandbox, log)
    return files, found.malformed + problems


def check_writable(experiments: Iterable[Experiment]) -> None:
    """Raise a `CibenchError` where a folder of notebooks cannot be written to."""
    for folder in {experiment.path.parent for experiment in experiments}:
        if not os.access(folder, os.W_OK):
            raise CibenchError(f'{folder}: cannot be written to; copy the set to where it can, and describe it there')


def describe_experiments(
    experiments: list[Experiment], environment: str, sandbox: str = 'auto', log: Log = lambda line: None
) -> Described:
    """Run the gold code of experiments and write descriptions beside their notebooks."""
    preload = preload_of(step.code for experiment in experiments for step in experiment.steps)
    settings = KernelSettings(environment=environment, sandbox=sandbox, preload=preload)
    return asyncio.run(_describe_all(experiments, settings, log))


async def _describe_all(experiments: list[Experiment], settings: KernelSettings, log: Log) -> Described:
    slots, count = asyncio.Semaphore(len(os.sched_getaffinity(0))), itertools.count(1)

    async def one(experiment: Experiment) -> Path | str:
        try:
            async with slots:
                made = await _describe(experiment, settings, pool)
        except UndescribedError as error:
            return str(error)
        finally:
            log(f'described {next(count)}/{len(experiments)} {experiment.id}')
        return write_descriptions(experiment.path, made)

    async with KernelPool(settings) as pool:
        done = await asyncio.gather(*map(one, experiments))
    return [it for it in done if isinstance(it, Path)], [it for it in done if isinstance(it, str)]


async def _describe(experiment: Experiment, settings: KernelSettings, pool: KernelPool) -> Descriptions:
    runs = [await _run(experiment, settings, pool) for _ in range(2)]
    return Descriptions(
        environment=settings.environment,
        code=hash_of(step.code for step in experiment.steps),
        steps=[describe_step(step, *golds) for step, *golds in zip(experiment.steps, *runs, strict=True)],
    )


async def _run(experiment: Experiment, settings: KernelSettings, pool: KernelPool) -> list[GoldStep]:
    """Run the gold code once, in a fresh kernel."""
    done = []
    of_data = settings.model_copy(update={'datasources': experiment.datasources})
    async with Interpreter(of_data, pool) as interpreter:
        for step in experiment.steps:
            execution = await interpreter.run(step.code)
            if execution.status != 'ok':
                why = failure_of(execution).splitlines()[0][:200]
                raise UndescribedError(f'{experiment.path}: step {step.index + 1} fails here ({why})')
            done.append((execution, await interpreter.describe(asked_names(step.question, step.code))))
    return done


def describe_step(step: Step, first: GoldStep, again: GoldStep) -> StepDescription:
    """The description of a gold step: the plots of the first run, and the values in which both runs agree."""
    (execution, held), (_, held_again) = first, again
    read = {name: state for name, state in held.items() if state.kind != 'unknown'}
    states = {name: settled(state, held_again.get(name)) for name, state in read.items()}
    drawn = [
        output.figure.plot
        for kind in ('display_data', 'execute_result')  # the loader's order
        for output in (execution.outputs if step.kind == 'vis' else [])
        if output.figure and output.type == kind
    ]
    plots = [plot.model_dump(mode='json', exclude_defaults=True) if plot else None for plot in drawn]
    return StepDescription(plots=plots if any(plots) else [], state=plain_states(states) or None)
