"""The stages of a run, sessions and scoring: its tasks, run by its runner, and why those failed that did."""

import logging
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cibench_eval.cluster.jobs import Job, last_error, taken
from cibench_eval.cluster.plan import fold
from cibench_eval.config.building import build
from cibench_eval.config.session_tasks import Run, Stage
from cibench_eval.reports.layout import counted
from cibench_eval.run.estimate import estimates
from cibench_eval.run.run_tasks import EvalTask, InferTask, RunTask, eval_tasks, infer_tasks
from cibench_eval.run.share_runner import ShareRunner
from cibench_eval.run.shares import gather_run, set_run_damage_aside
from cibench_eval.run.slurm_runner import SlurmRunner, alive_jobs
from cibench_eval.run.task_runner import TaskRunner
from cibench_eval.run_paths import PREDICTIONS, RESULTS
from cibench_eval.schema import CibenchError, cause_of, some_of
from cibench_eval.terminal import say

logger = logging.getLogger(__name__)
FOLDERS = {'infer': PREDICTIONS, 'eval': RESULTS}
"""Stage -> its folder of a run."""
Causes = dict[str, CibenchError]
"""Name of a task that failed -> why."""


def print_tasks(run: Run) -> None:
    """Say which tasks there would be, and what each model would be asked, at which cost."""
    said = {'infer': [*map(_in_words, infer_tasks(run))], 'eval': [*map(_in_words, eval_tasks(run))]}
    if said['infer'] == said['eval']:
        said = {'infer, eval': said['infer']}
    for stages, lines in said.items():
        print(f'{stages}: {counted(len(lines), "task")}', *lines, sep='\n  ')
    for line in estimates(run):
        print(line)


def _in_words(task: RunTask) -> str:
    """A task in a line."""
    share = task.share if isinstance(task, InferTask) else None
    if not share:
        return ', '.join(f'{part.model_name} × {part.dataset_name}' for part in task.parts)
    size = f'{counted(share.number, "session")}, {counted(share.steps, "step")}'
    return f'{share.model}: {size} of {", ".join(share.sessions)}; about {share.seconds / 60:.1f} min'


def infer(run: Run, args: Namespace) -> Causes:
    """Run the sessions that are missing, and join the files of shares into one."""
    stage, runner = _stage(run, 'infer', args)
    alive = _in_the_queue(run, runner)
    set_run_damage_aside(run, taken(alive))
    gather_run(run, taken(alive))
    tasks = [task for task in infer_tasks(run, taken(alive)) if task.missing()] if stage.is_ours else None
    causes = _launch(run, stage, runner, tasks, bool(alive))
    left = alive_jobs(run.folder)
    gather_run(run, taken(left))
    if not left:
        fold(run.folder)
    return causes


def evaluate(run: Run, args: Namespace) -> Causes:
    """Score the sessions. Tasks that failed in `infer` do not fail again."""
    stage, runner = _stage(run, 'eval', args)
    tasks: list[EvalTask] | None = eval_tasks(run) if stage.is_ours else None
    if tasks and args.mode == 'all':
        tasks = [task for task in tasks if task.has_sessions]
    return _launch(run, stage, runner, tasks, False)


STAGES = {'infer': infer, 'eval': evaluate}


def _stage(run: Run, name: str, args: Namespace) -> tuple[Stage, Any]:
    stage = run.stage(name)
    return stage, build({**stage.runner, 'debug': args.debug}, f'{name}: runner')


def _launch(run: Run, stage: Stage, runner: Any, tasks: Sequence[RunTask] | None, watches: bool) -> Causes:
    """Run tasks; without typed tasks, run the tasks that OpenCompass's partitioner makes.

    Args:
        tasks: typed ones; None where its partitioner, its runner or its task is not of this package.
        watches: whether the runner has something to do without tasks.
    """
    if tasks is None:
        out = str(run.folder / FOLDERS[stage.name])
        given: Sequence[Any] = list(build(stage.partitioner, f'{stage.name}: partitioner', out_dir=out)(run.config))
    else:
        given = tasks
    started = time.monotonic()
    status = list(runner.run(given) if tasks is not None else runner.launch(given)) if given or watches else []
    if isinstance(runner, TaskRunner):
        runner.summarize(status)
    logger.info('%s: %s in %.1f s', stage.name, counted(len(given), 'task'), time.monotonic() - started)
    causes = runner.causes if isinstance(runner, TaskRunner) else {}
    logs = run.folder / 'logs' / stage.name
    return {name: causes.get(name) or CibenchError(logged_cause(logs, name)) for name, code in status if code != 0}


def _in_the_queue(run: Run, runner: Any) -> list[Job]:
    """The Slurm jobs of a run that are not over; its runner is told of them.

    Raises:
        CibenchError: there are some, and the runner would run their sessions, too.
    """
    alive = alive_jobs(run.folder)
    if isinstance(runner, ShareRunner):
        runner.whole_run = run
    if isinstance(runner, SlurmRunner):
        runner.alive = alive
    elif alive:
        ids = ' '.join(sorted({job.state.id.partition('_')[0] for job in alive if job.state}))
        raise CibenchError(
            f'{run.folder}: Slurm jobs of this run in the queue: {len(alive)}; watch them with --slurm -p PARTITION '
            f'-r, or cancel them first: scancel {ids}'
        )
    return alive


def logged_cause(logs: Path, task: str) -> str:
    """Why a task `Kind[model/dataset]` failed that ran in a process of its own: the last error in its log."""
    log = logs / f'{task.partition("[")[2].removesuffix("]")}.out'
    return f'{last_error(log)} (logs: {logs})'


def report(failed: Causes, lost: list[str], again: str) -> None:
    """Say which tasks failed, under each cause, or which sessions are not finished, and how to go on."""
    tasks = defaultdict(list)
    for name, error in failed.items():
        tasks[cause_of(error)].append(name)
    if failed:
        say(f'{len(failed)} task{"s" if len(failed) > 1 else ""} failed:', error=True)
    for cause, names in tasks.items():
        say(f'  {cause} ({some_of(names)})', error=True)
    for line in lost:
        say(line, error=True)
    say(f'fix the cause and go on with: {again}', error=True)
