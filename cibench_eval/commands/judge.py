"""`cibench judge`: verdicts of models on the figures, answers or failures of a run."""

import asyncio
from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.commands._runs import Run
from cibench_eval.evaluators.judges.running import judge_run
from cibench_eval.run.judged import judged_datasets, load_judges
from cibench_eval.terminal import say

METRIC = (
    "vis: 1-10 for figures; qwen: right or wrong for figures, as Qwen-Agent's benchmark; text: for answers; "
    'errors: why steps failed, where the rules are not certain.'
)


def judge(
    run_folder: Run,
    config: Annotated[Path, typer.Option(metavar='FILE', help='configs/judges/….py')],
    metric: Annotated[Literal['vis', 'qwen', 'text', 'errors'], typer.Option(help=METRIC)] = 'vis',
) -> int:
    """Let a model judge the figures, answers or failures of a run.

    Exit code 1 where a judge has given no valid verdict.
    """
    datasets, judges = judged_datasets(run_folder), load_judges(config, metric, run_folder)
    silent = asyncio.run(judge_run(datasets, judges, say))
    for line in silent:
        say(line, error=True)
    if metric == 'errors' and not silent:
        say(f'the table of failures takes these opinions with: cibench score {run_folder}')
    return int(bool(silent))
