"""Translates OpenCompass's own CIBench configs: our sessions run its datasets, our table shows its summary groups."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

logger = logging.getLogger(__name__)
DATASETS = ('opencompass.datasets.CIBenchDataset', 'opencompass.datasets.cibench.CIBenchDataset')
MODES = {'every': 'end_to_end', 'every_with_gt': 'oracle'}
"""`infer_mode` of OpenCompass's agent inferencer -> our mode."""
SPLITS = {
    'cibench_generation': 'generation',
    'cibench_template': 'template',
    'cibench_template_chinese': 'template_cn',
}
"""Folder -> split."""


def translated(datasets: list[Any]) -> list[Any]:
    """The datasets of a config; those of OpenCompass's CIBench become what `configs/datasets/cibench_*.py` have."""
    made = [_dataset(dataset) if _is_cibench(dataset) else dataset for dataset in datasets]
    names = [dataset['abbr'] for dataset, before in zip(made, datasets, strict=True) if dataset is not before]
    if names:
        more = f' and {len(names) - 1} more' if len(names) > 1 else ''
        logger.info(
            "%s%s: OpenCompass's own config; run here by sessions and scored by the profile official "
            '(gold outputs of the published notebooks: --runtime paper)',
            names[0],
            more,
        )
    return made


def _is_cibench(dataset: Any) -> bool:
    return (
        isinstance(dataset, dict)
        and dataset.get('type') in DATASETS
        and isinstance(dataset.get('abbr'), str)
        and isinstance(dataset.get('path'), str)
        and _infer_mode(dataset) in MODES
    )


def _infer_mode(dataset: dict[str, Any]) -> str:
    inferencer = (dataset.get('infer_cfg') or {}).get('inferencer') or {}
    return str(inferencer.get('infer_mode'))


def _dataset(dataset: dict[str, Any]) -> dict[str, Any]:
    path = Path(dataset['path'])
    library = [] if path.name in SPLITS else [path.name]
    folder = path.parent if library else path
    return {
        'type': 'cibench_eval.opencompass.CIBenchDataset',
        'abbr': dataset['abbr'],
        'path': str(folder),
        'split': SPLITS.get(folder.name, folder.name),
        **({'experiments': [f'{name}/*' for name in library]} if library else {}),
        **({'language': 'cn'} if folder.name.endswith('_chinese') else {}),
        'infer_cfg': {
            'inferencer': {'type': 'cibench_eval.opencompass.SessionInferencer', 'mode': MODES[_infer_mode(dataset)]}
        },
        'eval_cfg': {'evaluator': {'type': 'cibench_eval.opencompass.SessionEvaluator', 'profile': 'official'}},
    }


def with_our_summarizer(summarizer: Any) -> Any:
    """Our summarizer for one of OpenCompass's form, which has groups and no type."""
    if not isinstance(summarizer, dict) or 'type' in summarizer:
        return summarizer
    logger.info("summarizer: of OpenCompass's own form; its groups are rows of this program's table")
    return {'type': 'cibench_eval.opencompass.CIBenchSummarizer', **summarizer}
