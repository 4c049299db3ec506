"""Scoring a run again from what it has recorded: nothing is run, and the run folder may have been moved."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

from cibench_eval.evaluators import find_profile
from cibench_eval.opencompass.build import build
from cibench_eval.opencompass.configs import last_written
from cibench_eval.opencompass.partitioner import SessionPartitioner
from cibench_eval.opencompass.tasks import SessionEvalTask
from cibench_eval.schema import CibenchError

KEPT = 'rescored'
"""Folder of a run in which the results of other profiles are, each in a folder of its own."""


def rescore(run: Path, profile: str | None = None) -> list[str]:
    """Score the sessions of a run folder, print the table, and return what could not be scored.

    Args:
        run: the folder, with its `configs` and `predictions`.
        profile: a scoring profile; the results go to `rescored/<profile>`. None takes that of the run's own config,
            and its results are written anew.

    Raises:
        CibenchError: this is no run folder, or there is no such profile.
    """
    from opencompass.utils import get_logger

    get_logger().setLevel('WARNING')
    cfg = _config(run)
    if profile is not None:
        taken = find_profile(profile).options
        for pair in [cfg, *cfg.get('model_dataset_combinations', [])]:
            for dataset in pair['datasets']:
                own = dataset['eval_cfg']['evaluator']
                options = {name: own[name] for name in taken if name in own}
                dataset['eval_cfg']['evaluator'] = {'type': own['type'], 'profile': profile, **options}
                dataset['eval_cfg']['folder'] = f'{KEPT}/{profile}/results'
    failed: list[str] = []
    for task in map(SessionEvalTask, SessionPartitioner(out_dir='results')(cfg)):
        try:
            task.run()
        except CibenchError as error:
            failed.append(f'{task.name}: {error}')
    summary = run / KEPT / profile / 'summary' if profile else run / 'summary'
    stamp = datetime.now().strftime('%Y%m%d_%H%M%S')
    build({**cfg['summarizer'], 'config': cfg, 'folder': str(summary)}, 'summarizer').summarize(time_str=stamp)
    return failed


def _config(run: Path) -> Any:
    """The config with which the run was last started, for the folder where it is now."""
    from mmengine.config import Config

    cfg = Config.fromfile(str(last_written(run)), format_python_code=False)
    cfg['work_dir'] = str(run)
    return cfg
