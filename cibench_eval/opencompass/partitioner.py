"""models × datasets × agents -> tasks."""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

from cibench_eval.opencompass.deferred import defer

defer()
from mmengine.config import ConfigDict  # noqa: E402
from opencompass.partitioners.naive import NaivePartitioner  # noqa: E402

SHARED = ('kernels', 'limits', 'max_sessions', 'reply_cache')
"""Keys at the top of a config that belong to every inferencer."""


class SessionPartitioner(NaivePartitioner):
    """One task for each model, dataset and agent.

    `agents`, `kernels`, `limits`, `max_sessions` and `reply_cache` at the top of a config go into the inferencer of
    every task. With several agents each model stands once per agent, named `<model>--<agent>`.

    What is finished is not left out here: the tasks know better (`done`) than the presence of a file tells.
    """

    def __call__(self, cfg: ConfigDict) -> list[Any]:
        return super().__call__(expand(cfg))

    def partition(
        self, model_dataset_combinations: list[Any], work_dir: str, out_dir: str, add_cfg: dict[str, Any]
    ) -> list[Any]:
        nowhere = os.devnull  # where OpenCompass's looks for the files of finished tasks
        return list(super().partition(model_dataset_combinations, work_dir, nowhere, add_cfg))


def expand(cfg: ConfigDict) -> ConfigDict:
    """A config in which every model-dataset pair carries its agent and its kernels.

    The result has `model_dataset_combinations` and the models that occur in them; its tasks are those of
    OpenCompass's own partitioner.
    """
    cfg = deepcopy(cfg)
    agents = cfg.get('agents') or [{}]
    pairs = cfg.get('model_dataset_combinations') or [{'models': cfg['models'], 'datasets': cfg['datasets']}]
    combinations = [
        {
            'models': [_named(model, agent, len(agents) > 1) for model in pair['models']],
            'datasets': [_equipped(dataset, agent, cfg) for dataset in pair['datasets']],
        }
        for pair in pairs
        for agent in agents
    ]
    cfg['models'] = _once([model for pair in combinations for model in pair['models']])
    cfg['datasets'] = _once([dataset for pair in combinations for dataset in pair['datasets']])
    cfg['model_dataset_combinations'] = combinations
    return cfg


def _named(model: ConfigDict, agent: dict[str, Any], several: bool) -> ConfigDict:
    model = deepcopy(model)
    if several:
        model['abbr'] = f'{model["abbr"]}--{agent["abbr"]}'
    return model


def _equipped(dataset: ConfigDict, agent: dict[str, Any], cfg: ConfigDict) -> ConfigDict:
    """The dataset with what its inferencer needs; what the dataset's own config says stays."""
    dataset = deepcopy(dataset)
    inferencer = dataset['infer_cfg']['inferencer']
    if agent:
        inferencer.setdefault('agent', agent)
    for key in SHARED:
        if cfg.get(key):
            inferencer.setdefault(key, cfg[key])
    return dataset


def _once(cfgs: list[ConfigDict]) -> list[ConfigDict]:
    return list({cfg['abbr']: cfg for cfg in cfgs}.values())
