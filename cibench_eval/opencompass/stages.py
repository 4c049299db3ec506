"""The stages of a run, sessions and scoring: a config's tasks, run by its runner, and why those failed that did."""

from __future__ import annotations

import logging
import re
import time
from argparse import Namespace
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from opencompass.utils import get_logger

from cibench_eval.cluster.cutting import Share
from cibench_eval.cluster.jobs import Job, taken
from cibench_eval.cluster.logs import last_error
from cibench_eval.cluster.plan import fold
from cibench_eval.opencompass.build import build
from cibench_eval.opencompass.partitioner import expand
from cibench_eval.opencompass.share_runner import ShareRunner
from cibench_eval.opencompass.shares import Taken, gather_run, set_run_damage_aside
from cibench_eval.opencompass.slurm_runner import SlurmRunner, alive_jobs
from cibench_eval.opencompass.tasks import SessionInferTask
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say

logger = logging.getLogger(__name__)
STAGES = {'infer': 'predictions', 'eval': 'results'}
"""Stage -> its folder of a run."""
WHICH_SESSIONS = re.compile(r'^\d+ of \d+ sessions failed: .*?: ')
"""How the cause of a failed task begins; what follows is the same where tasks fail for one reason."""


def partition(stage: str, cfg: Any, taken: Taken = frozenset()) -> list[Any]:
    """The tasks of a stage; sessions that are `taken` are in none that is a share."""
    get_logger().setLevel('DEBUG' if logger.isEnabledFor(logging.DEBUG) else 'WARNING')
    folder = str(Path(cfg['work_dir'], STAGES[stage]))
    made = build(cfg[stage]['partitioner'], f'{stage}: partitioner', out_dir=folder)
    made.taken = taken
    return list(made(cfg))


def print_tasks(cfg: Any) -> None:
    """Say which tasks there would be."""
    for stage in STAGES:
        tasks = partition(stage, cfg)
        print(f'{stage}: {len(tasks)} tasks')
        for task in tasks:
            print(f'  {_in_words(task)}')


def _in_words(task: Any) -> str:
    """What a task runs, in a line."""
    if not task.get('share'):
        return f'{task["models"][0]["abbr"]} × {task["datasets"][0][0]["abbr"]}'
    share = Share.model_validate_json(task['share'])
    return (
        f'{share.model}: {share.number} sessions, {share.steps} steps of {", ".join(share.sessions)}; '
        f'about {share.seconds / 60:.1f} min'
    )


def run_stage(stage: str, cfg: Any, args: Namespace) -> dict[str, str]:
    """Run the tasks of a stage; why those failed that did. What failed to run is not failed again in scoring."""
    runner = build({**cfg[stage]['runner'], 'debug': args.debug}, f'{stage}: runner')
    alive = _in_the_queue(cfg, runner) if stage == 'infer' else []
    if stage == 'infer':
        set_run_damage_aside(expand(cfg)['model_dataset_combinations'], Path(cfg['work_dir']), taken(alive))
        _gather(cfg, alive)
    tasks = partition(stage, cfg, taken(alive))
    if stage == 'infer':
        tasks = [task for task in tasks if not SessionInferTask(task).all_done()]
    elif args.mode == 'all':
        tasks = [task for task in tasks if _has_sessions(task)]
    started = time.monotonic()
    status = list(runner.launch(tasks)) if tasks or alive else []
    if stage == 'infer':
        _gather(cfg, left := alive_jobs(Path(cfg['work_dir'])))
        if not left:
            fold(Path(cfg['work_dir']))
    get_logger().disabled = True  # it would name the failed tasks a second time
    runner.summarize(status)
    get_logger().disabled = False
    logger.info('%s: %d tasks in %.1f s', stage, len(tasks), time.monotonic() - started)
    causes = getattr(runner, 'causes', {})  # runners of OpenCompass have none
    logs = Path(cfg['work_dir'], 'logs', stage)
    return {name: causes.get(name) or logged_cause(logs, name) for name, code in status if code != 0}


def _in_the_queue(cfg: Any, runner: Any) -> list[Job]:
    """The Slurm jobs of a run that are not over, made known to its runner.

    Raises:
        CibenchError: there are some, and the runner would run their sessions, too.
    """
    run = Path(cfg['work_dir'])
    alive = alive_jobs(run)
    if isinstance(runner, ShareRunner):
        runner.run = run
        runner.combinations = expand(cfg)['model_dataset_combinations']
    if isinstance(runner, SlurmRunner):
        runner.alive = alive
    elif alive:
        ids = ' '.join(sorted({job.state.id.partition('_')[0] for job in alive if job.state}))
        raise CibenchError(
            f'{run}: {len(alive)} Slurm jobs of this run are in the queue; watch them with --slurm -p PARTITION -r, or '
            f'cancel them first: scancel {ids}'
        )
    return alive


def _gather(cfg: Any, alive: Sequence[Job]) -> None:
    """Make one file of what the shares of a run have filed, but for datasets of which jobs still run sessions."""
    gather_run(expand(cfg)['model_dataset_combinations'], Path(cfg['work_dir']), taken(alive))


def _has_sessions(task: Any) -> bool:
    """Whether there is something to score: predictions, or traces where some sessions have failed."""
    predictions = [Path(path) for path in SessionInferTask(task).get_output_paths()]
    return all(path.exists() or path.with_suffix('.traces.jsonl').exists() for path in predictions)


def logged_cause(logs: Path, task: str) -> str:
    """Why a task failed that ran in a process of its own: the last error in its log.

    Args:
        logs: folder of the logs of its stage.
        task: its name, `Kind[model/dataset]`.
    """
    log = logs / f'{task.partition("[")[2].removesuffix("]")}.out'
    return f'{last_error(log)} (logs: {logs})'


def report(failed: dict[str, str], lost: list[str], again: str) -> None:
    """Say which tasks failed, under each cause, or which sessions are lost, and how to go on."""
    tasks = defaultdict(list)
    for name, cause in failed.items():
        tasks[' '.join(WHICH_SESSIONS.sub('', cause).split())].append(name)
    if failed:
        say(f'{len(failed)} task{"s" if len(failed) > 1 else ""} failed:', error=True)
    for cause, names in tasks.items():
        say('\n'.join([f'  {cause}', *(f'    {name}' for name in names)]), error=True)
    for line in lost:
        say(line, error=True)
    say(f'fix the cause and go on with: {again}', error=True)
