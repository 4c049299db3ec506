"""What can be seen to be missing before anything is written or started: files, keys, environments, data."""

from __future__ import annotations

import logging
from typing import Any

from cibench_eval.models.identity import model_of_epoch
from cibench_eval.models.replay import GoldReplay
from cibench_eval.opencompass.build import build_dataset, build_evaluator, build_model
from cibench_eval.opencompass.dataset import CIBenchDataset
from cibench_eval.opencompass.partitioner import epoch_of, expand
from cibench_eval.opencompass.tasks import build_inferencer
from cibench_eval.schema import CibenchError

logger = logging.getLogger(__name__)
OURS = 'cibench_eval.'


def preflight(cfg: Any, *, runs_sessions: bool) -> None:
    """Build what a config names, as far as that starts nothing and loads no weights.

    Args:
        cfg: a whole config that has been checked (`validation.py`).
        runs_sessions: whether sessions are to be run; else only what scoring needs has to be there.

    Raises:
        CibenchError: a model, dataset, agent, kernel environment or sandbox of the config cannot be had.
    """
    whole = expand(cfg)
    if runs_sessions:
        _warn_of_like_epochs(cfg)
    for model in whole['models']:
        _check_model(model, cfg.get('epochs', 1), runs_sessions)
    built: dict[str, CIBenchDataset] = {}
    for dataset in [dataset for dataset in whole['datasets'] if epoch_of(dataset) == 1]:
        built[dataset['abbr']] = build_dataset(dataset)
        build_evaluator(dataset)
        inferencer = build_inferencer({}, dataset, GoldReplay())
        inferencer.check(built[dataset['abbr']])
        if runs_sessions:
            inferencer.kernels.provenance()
    _refuse_equal_ids(whole, built)


def _check_model(model: Any, epochs: int, runs_sessions: bool) -> None:
    if str(model['type']).startswith(OURS):  # others may load weights to be built
        built = build_model(model_of_epoch(model, epochs))
        if runs_sessions:
            built.check()


def _refuse_equal_ids(whole: Any, built: dict[str, CIBenchDataset]) -> None:
    """See that the experiments of a split can be told apart, whatever datasets they are in.

    Raises:
        CibenchError: two datasets have experiments of one id, so that the table of the split could not be made.
    """
    seen: dict[tuple[str, ...], str] = {}
    for model, dataset in [
        (model, dataset)
        for pair in whole['model_dataset_combinations']
        for model in pair['models']
        for dataset in pair['datasets']
        if epoch_of(dataset) == 1
    ]:
        name, mode = dataset['abbr'], dataset['infer_cfg']['inferencer'].get('mode', 'end_to_end')
        for experiment in built[name].experiments:
            key = (model['abbr'], built[name].split, mode, experiment.id)
            if seen.setdefault(key, name) != name:
                raise CibenchError(
                    f'datasets {seen[key]} and {name}: both have an experiment {experiment.id!r} in the split '
                    f'{built[name].split!r}; give them one `path` and choose by `experiments`, or a `split` each'
                )


def _warn_of_like_epochs(cfg: Any) -> None:
    """Runs of a model that does not sample tell nothing of how its answers vary."""
    fixed = [
        model['abbr']
        for model in cfg['models']
        if str(model['type']).startswith(OURS)
        and not str(model['type']).endswith('Replay')
        and not (model.get('generation_kwargs') or {}).get('temperature', 0)
    ]
    if cfg.get('epochs', 1) > 1 and fixed:
        logger.warning(
            'epochs=%d: asked with temperature 0, so that its runs may all be the same: %s; set a temperature',
            cfg['epochs'],
            ', '.join(fixed),
        )
