"""Scoring a run again from what it has recorded, wherever the run folder is now."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from cibench_eval.evaluators import find_profile
from cibench_eval.opencompass.build import build
from cibench_eval.opencompass.partitioner import SessionPartitioner
from cibench_eval.opencompass.recorded import recorded, require_trust
from cibench_eval.opencompass.replaying import Observer, kernels_of
from cibench_eval.opencompass.summarizer import lost_sessions
from cibench_eval.opencompass.tasks import SessionEvalTask
from cibench_eval.schema import CibenchError

KEPT = 'rescored'
"""Folder of a run in which the results of other profiles are, each in a folder of its own."""


def rescore(run: Path, profile: str | None = None, replay: Observer | None = None) -> list[str]:
    """Score the sessions of a run folder, print the table, and return what could not be scored, a line each.

    Nothing is run but, with `replay`, the code of failed steps.

    Args:
        run: the folder, with its `configs` and `predictions`.
        profile: a scoring profile; the results go to `rescored/<profile>`. None takes that of the run's own config,
            and its results are written anew.
        replay: is told how far it is with running failed steps again; None runs none.

    Raises:
        CibenchError: this is no run folder, there is no such profile, or nothing can be run here.
    """
    from mmengine.config import ConfigDict
    from opencompass.utils import get_logger

    get_logger().setLevel('WARNING')
    cfg = ConfigDict(recorded(run))
    if replay:
        require_trust(run, '--replay runs the code that the folder holds, in the kernels that its config names')
    if profile is not None:
        taken = find_profile(profile).options
        for pair in [cfg, *(cfg.get('model_dataset_combinations') or [])]:
            for dataset in pair['datasets']:
                own = dataset['eval_cfg']['evaluator']
                options = {name: own[name] for name in taken if name in own}
                dataset['eval_cfg']['evaluator'] = {'type': own['type'], 'profile': profile, **options}
                dataset['eval_cfg']['folder'] = f'{KEPT}/{profile}/results'
    failed: list[str] = []
    tasks = [SessionEvalTask(task) for task in SessionPartitioner(out_dir='results')(cfg)]
    if replay:
        _check_kernels(tasks)
    for task in tasks:
        task.replay = replay
        try:
            task.run()
        except CibenchError as error:
            failed.append(f'not scored: {task.name}: {error}')
    summary = run / KEPT / profile / 'summary' if profile else run / 'summary'
    stamp = datetime.now().strftime('%Y%m%d_%H%M%S')
    build({**cfg['summarizer'], 'config': cfg, 'folder': str(summary)}, 'summarizer').summarize(time_str=stamp)
    return [*failed, *lost_sessions(cfg)]


def _check_kernels(tasks: list[SessionEvalTask]) -> None:
    """See that code can be run as in the run, before anything is."""
    datasets = [dataset for task in tasks for of_model in task.dataset_cfgs for dataset in of_model]
    for settings in {kernels_of(dataset) for dataset in datasets}:
        settings.provenance()
