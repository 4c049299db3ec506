"""A run of ours -> Weights & Biases runs on disk, one for each model, which users send by `wandb sync`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cibench_eval import __version__
from cibench_eval.reports.rows import Row
from cibench_eval.reports.sessions import SessionView

if TYPE_CHECKING:
    from pyarrow import Table


def write_runs(
    folder: Path, group: str, rows: Iterable[Row], steps: dict[str, Table], configs: dict[str, dict[str, Any]]
) -> list[Path]:
    """Write a W&B run for each model into `folder/wandb`, without asking any server.

    Its summary has the scores of the report as `SPLIT/MODE/METRIC` from 0 to 100, with the bounds of each interval, and
    what they lack (`SPLIT/missing`, `SPLIT/harness_errors`); its table `steps` has one row for each step.

    Args:
        group: name under which W&B shows them together.
        steps: by model, see `step_table`.
        configs: by model, see `config_of`.

    Returns:
        The folder of each run.
    """
    os.environ['WANDB_ERROR_REPORTING'] = 'false'  # wandb reads it when it is imported
    import wandb

    rows = list(rows)
    folder.mkdir(parents=True, exist_ok=True)
    return [
        _write(wandb, folder, group, model, [row for row in rows if row.model == model], table, configs[model])
        for model, table in steps.items()
    ]


def config_of(views: Sequence[SessionView]) -> dict[str, Any]:
    """The settings of a model's sessions; `views` has at least one."""
    first = views[0].trace
    return {
        'cibench_eval': __version__,
        'profile': views[0].profile,
        'protocol': first.protocol,
        'max_attempts': first.max_attempts,
        'datasets': list(dict.fromkeys(one.trace.dataset for one in views)),
        'sessions': len(views),
        **first.provenance,
    }


def _write(
    wandb: ModuleType, folder: Path, group: str, model: str, rows: list[Row], steps: Table, config: dict[str, Any]
) -> Path:
    quiet = {'silent': True, 'console': 'off', 'save_code': False, 'disable_git': True}
    private = {'x_disable_meta': True, 'x_disable_stats': True, 'x_save_requirements': False}
    wandb.Table.MAX_ROWS = max(wandb.Table.MAX_ROWS, steps.num_rows)  # wandb would cut off more
    run = wandb.init(
        mode='offline',
        dir=str(folder),
        id=hashlib.sha256(f'{group} {model}'.encode()).hexdigest()[:16],  # a second export is the same run
        project='cibench-eval',
        group=group,
        name=model,
        config=config,
        settings=wandb.Settings(**quiet, **private),
    )
    run.summary.update(dict(_figures(rows)))
    cells = [list(row.values()) for row in steps.to_pylist()]
    run.log({'steps': wandb.Table(columns=steps.column_names, data=cells)})
    path = Path(run.settings.sync_dir)
    run.finish()
    return path


def _figures(rows: list[Row]) -> Iterator[tuple[str, float | str]]:
    for row in rows:
        yield f'{row.split}/missing', ', '.join(name for names in row.missing.values() for name in names)
        yield f'{row.split}/harness_errors', row.harness_errors
        named = [*row.scores.items(), *((one.name, score) for one, score in row.passes.items())]
        for name, score in named:
            key = f'{row.split}/{name.replace(" ", "/")}'
            yield key, score.value
            if score.bounds:
                yield f'{key}_low', score.bounds.low
                yield f'{key}_high', score.bounds.high
        for name, value in row.usage.model_dump().items():
            yield f'{row.split}/usage/{name}', value
