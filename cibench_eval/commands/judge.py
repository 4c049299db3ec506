"""`cibench judge` and `cibench agreement`: verdicts on the steps of a run, and how far they agree with its scores."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from cibench_eval.schema import CibenchError


def add_commands(commands: Any) -> None:
    """Add `judge` and `agreement` to the sub-commands of `cibench`."""
    judge = commands.add_parser('judge', help='let a model judge the figures, answers or failures of a run')
    judge.add_argument('run_folder', metavar='RUN', type=Path, help='run folder: outputs/…/<timestamp>')
    judge.add_argument('--config', required=True, type=Path, help='configs/judges/….py')
    judge.add_argument(
        '--metric',
        default='vis',
        choices=['vis', 'qwen', 'text', 'errors'],
        help="vis: 1-10 for figures; qwen: right or wrong for figures, as Qwen-Agent's benchmark; text: for answers; "
        'errors: why steps failed, where the rules are not certain',
    )
    judge.set_defaults(run=_judge)
    agreement = commands.add_parser('agreement', help='how far judges and scores of a run agree')
    agreement.add_argument('run_folder', metavar='RUN', type=Path, help='run folder that `cibench judge` has judged')
    agreement.set_defaults(run=_agreement)


def _judge(options: argparse.Namespace) -> int:
    import asyncio

    from cibench_eval.evaluators.judges.running import judge_run
    from cibench_eval.opencompass.judging import judged_datasets, load_judges

    datasets = judged_datasets(options.run_folder)
    judges = load_judges(options.config, options.metric, options.run_folder)
    asyncio.run(judge_run(datasets, judges, lambda line: print(line, flush=True)))
    if options.metric == 'errors':
        print(f'the table of failures takes these opinions with: cibench score {options.run_folder}')
    return 0


def _agreement(options: argparse.Namespace) -> int:
    """Print the tables, and write them to `summary/agreement.md`."""
    from cibench_eval.analysis.agreement import agreements, levels, observations_of, to_markdown
    from cibench_eval.opencompass.judging import judged_datasets

    parts = []
    for metric, steps in observations_of(judged_datasets(options.run_folder)).items():
        measures = list(dict.fromkeys(measure for step in steps for measure in step.values))
        tables = to_markdown(agreements(steps, measures), levels(steps, measures))
        parts.append(f'## {metric}\n\n{tables}')
    if not parts:
        raise CibenchError(f'{options.run_folder}: no step has a valid verdict; run `cibench judge` first')
    path = options.run_folder / 'summary' / 'agreement.md'
    path.parent.mkdir(exist_ok=True)
    path.write_text('\n'.join(parts), encoding='utf-8')
    print('\n'.join(parts), end='')
    print(path)
    return 0
