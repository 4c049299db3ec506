"""models × datasets × agents -> tasks."""

from __future__ import annotations

import os
import re
from copy import deepcopy
from pathlib import Path
from typing import Any

from pydantic import PositiveFloat, PositiveInt

from cibench_eval.cluster.cutting import cut
from cibench_eval.opencompass.abbrs import agent_problems
from cibench_eval.opencompass.deferred import defer
from cibench_eval.opencompass.records import MOST_EPOCHS
from cibench_eval.opencompass.shares import Taken, missing_pieces, share_task
from cibench_eval.schema import CibenchError
from cibench_eval.traces import epoch_name

defer()
from mmengine.config import ConfigDict  # noqa: E402
from opencompass.partitioners.naive import NaivePartitioner  # noqa: E402

SHARED = ('kernels', 'limits', 'max_sessions', 'reply_cache')
"""Keys at the top of a config that belong to every inferencer."""


class SessionPartitioner(NaivePartitioner):
    """One task for each model, dataset, agent and epoch.

    `agents`, `kernels`, `limits`, `max_sessions` and `reply_cache` at the top of a config go into the inferencer of
    every task. With several agents each model stands once per agent, named `<model>--<agent>`; with `epochs=3` each
    dataset stands three times: `<dataset>`, `<dataset>@2`, `<dataset>@3`.

    With `max_tasks` or `target_minutes` tasks are shares: sessions of one model, of whatever datasets and epochs, cut
    so that all last about as long. What is finished is left out of shares. Without, it is not: the tasks know better
    (`done`) than the presence of a file tells.

    Args:
        out_dir: where results go.
        n: datasets of a task that is no share.
        keep_keys: of the config, what tasks get.
        max_tasks: shares at most, but one for each model.
        target_minutes: what a share should last, as far as that can be told before (`cluster/cutting.py`).
    """

    def __init__(
        self,
        out_dir: str,
        n: int = 1,
        keep_keys: list[str] | None = None,
        max_tasks: PositiveInt | None = None,
        target_minutes: PositiveFloat | None = None,
    ) -> None:
        super().__init__(out_dir, n, keep_keys)
        self.max_tasks = max_tasks
        self.target_minutes = target_minutes
        self.taken: Taken = frozenset()
        """Sessions that are left out because a job has them."""

    def __call__(self, cfg: ConfigDict) -> list[Any]:
        return super().__call__(expand(cfg))

    def partition(
        self, model_dataset_combinations: list[Any], work_dir: str, out_dir: str, add_cfg: dict[str, Any]
    ) -> list[Any]:
        if self.max_tasks or self.target_minutes:
            pieces = missing_pieces(model_dataset_combinations, Path(work_dir), self.taken)
            cut_ones = enumerate(cut(pieces, self.max_tasks, self.target_minutes))
            return [share_task(model_dataset_combinations, work_dir, share, f'share-{at}') for at, share in cut_ones]
        nowhere = os.devnull  # where OpenCompass's looks for the files of finished tasks
        return list(super().partition(model_dataset_combinations, work_dir, nowhere, add_cfg))


def expand(cfg: ConfigDict) -> ConfigDict:
    """A config in which every model-dataset pair carries its agent, its kernels and its epoch.

    The result has `model_dataset_combinations` and the models that occur in them; its tasks are those of
    OpenCompass's own partitioner. The first epoch of all datasets comes first.

    Raises:
        CibenchError: `epochs` is no number of runs, a dataset has a name that is an epoch's, or several agents do not
            have a name each.
    """
    cfg = deepcopy(cfg)
    agents = _agents(cfg)
    pairs = cfg.get('model_dataset_combinations') or [{'models': cfg['models'], 'datasets': cfg['datasets']}]
    epochs = _epochs(cfg.get('epochs', 1), [dataset['abbr'] for pair in pairs for dataset in pair['datasets']])
    combinations = [
        {
            'models': [_named(model, agent, len(agents) > 1) for model in pair['models']],
            'datasets': [_equipped(dataset, agent, cfg, epoch) for epoch in epochs for dataset in pair['datasets']],
        }
        for pair in pairs
        for agent in agents
    ]
    cfg['models'] = _once([model for pair in combinations for model in pair['models']])
    cfg['datasets'] = _once([dataset for pair in combinations for dataset in pair['datasets']])
    cfg['model_dataset_combinations'] = combinations
    return cfg


def tasks_of(cfg: Any) -> set[tuple[str, str, str]]:
    """What a config runs: model, dataset and agent of each task, whatever the number of epochs."""
    return {
        (model['abbr'], dataset['abbr'], (dataset['infer_cfg']['inferencer'].get('agent') or {}).get('abbr', ''))
        for pair in expand(cfg)['model_dataset_combinations']
        for model in pair['models']
        for dataset in pair['datasets']
        if epoch_of(dataset) == 1
    }


def epoch_of(dataset: Any) -> int:
    """Which run of its sessions a dataset of an expanded config is."""
    return int(dataset['infer_cfg']['inferencer'].get('epoch', 1))


def _agents(cfg: ConfigDict) -> list[dict[str, Any]]:
    agents = list(cfg.get('agents') or [{}])
    for problem in agent_problems(agents):
        raise CibenchError(f'config: {problem}')
    return agents


def _epochs(number: Any, datasets: list[str]) -> range:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST_EPOCHS:
        raise CibenchError(
            f'config: epochs is {number!r}; it must be how often each session is run, from 1 to {MOST_EPOCHS}'
        )
    taken = [abbr for abbr in datasets if re.search(r'@\d+$', abbr)]
    if taken and number > 1:
        raise CibenchError(f'dataset {taken[0]}: @ and a number at the end name an epoch; choose another abbr')
    return range(1, number + 1)


def _named(model: ConfigDict, agent: dict[str, Any], several: bool) -> ConfigDict:
    model = deepcopy(model)
    if several:
        model['abbr'] = f'{model["abbr"]}--{agent["abbr"]}'
    return model


def _equipped(dataset: ConfigDict, agent: dict[str, Any], cfg: ConfigDict, epoch: int) -> ConfigDict:
    """The dataset with what its inferencer needs; what the dataset's own config says stays."""
    dataset = deepcopy(dataset)
    inferencer = dataset['infer_cfg']['inferencer']
    if epoch > 1:
        dataset['abbr'] = epoch_name(dataset['abbr'], epoch)
        inferencer['epoch'] = epoch
    if agent:
        inferencer.setdefault('agent', agent)
    for key in SHARED:
        if cfg.get(key):
            inferencer.setdefault(key, cfg[key])
    return dataset


def _once(cfgs: list[ConfigDict]) -> list[ConfigDict]:
    return list({cfg['abbr']: cfg for cfg in cfgs}.values())
