"""The tasks of a run as OpenCompass has them: a config each."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cibench_eval.config.building import plain
from cibench_eval.config.session_tasks import CutOptions, SessionTask, run_of
from cibench_eval.run.run_tasks import infer_tasks

if TYPE_CHECKING:
    from mmengine.config import Config

KEPT = (
    'eval.runner.task.judge_cfg',
    'eval.runner.task.dump_details',
    'eval.given_pred',
    'eval.runner.task.cal_extract_rate',
)
"""What of a config OpenCompass's own tasks look for in theirs."""


@dataclass(frozen=True)
class SessionPartitioner(CutOptions):
    """One task for each model, dataset, agent and epoch.

    `agents`, `kernels`, `limits`, `max_sessions` and `reply_cache` at the top of a config go into the inferencer of
    every task. With several agents each model stands once per agent, named `<model>--<agent>`; with `epochs=3` each
    dataset stands three times: `<dataset>`, `<dataset>@2`, `<dataset>@3`.

    With `max_tasks` or `target_minutes` tasks are shares: sessions of one model, of whatever datasets and epochs, cut
    so that all last about as long. What is finished is left out of shares. Without, it is not: the tasks know better
    than the presence of a file tells.
    """

    out_dir: str = ''
    """Where OpenCompass's own partitioners look for what is done; without effect here."""
    keep_keys: list[str] | None = None
    """The keys of the config that tasks get; None takes the keys that OpenCompass's own tasks read."""

    def partition(self, cfg: Any) -> list[Config]:
        """The tasks of a whole config."""
        from mmengine.config import Config  # where OpenCompass calls this, it is there

        whole = plain(cfg)
        kept = self._kept(whole)
        return [
            Config(
                {
                    'models': [configs_of(task.parts[0])[0]],
                    'datasets': [[configs_of(part)[1] for part in task.parts]],
                    'work_dir': whole['work_dir'],
                    **kept,
                    **({'share': task.share.model_dump_json(), 'name': task.share_name} if task.share else {}),
                }
            )
            for task in infer_tasks(run_of(whole), cut_into=self)
        ]

    __call__ = partition

    def _kept(self, cfg: dict[str, Any]) -> dict[str, Any]:
        """The keys of a config that its tasks get."""
        kept: dict[str, Any] = {}
        for key in KEPT if self.keep_keys is None else self.keep_keys:
            *place, last = key.split('.')
            found: Any = cfg
            for part in (*place, last):
                found = found.get(part) if isinstance(found, dict) else None
            if found is not None:
                functools.reduce(lambda into, part: into.setdefault(part, {}), place, kept)[last] = found
        return kept


def configs_of(task: SessionTask) -> tuple[dict[str, Any], dict[str, Any]]:
    """The model and the dataset of a task as complete configs, with names, agent and epoch."""
    own = task.dataset.config
    infer = {**own['infer_cfg'], 'inferencer': task.inferencer_config}
    return {**task.model.config, 'abbr': task.model_name}, {**own, 'abbr': task.dataset_name, 'infer_cfg': infer}
