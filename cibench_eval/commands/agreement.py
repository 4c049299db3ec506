"""`cibench agreement`: how far judges, people and the scores of a run agree."""

from pathlib import Path
from typing import Annotated

import typer

from cibench_eval.analysis.agreement import agreements, levels, observations_of, to_markdown
from cibench_eval.analysis.labels import read_labels
from cibench_eval.commands._runs import Run
from cibench_eval.run.judged import judged_datasets
from cibench_eval.run.run_folder import recorded_datasets
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say


def agreement(
    run_folder: Run,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar='FILE',
            help='What people say: the table of `cibench export RUN --to csv` with columns label_NAME, 0 to 1.',
            show_default=False,
        ),
    ] = None,
) -> None:
    """How far judges, people and scores of a run agree. The tables are also written to RUN/summary/agreement.md."""
    parts = []
    said = read_labels(labels) if labels else None
    replays = {one.model_name for one in recorded_datasets(run_folder) if one.model.replays_gold}
    for metric, steps in observations_of(judged_datasets(run_folder), said).items():
        measures = list(dict.fromkeys(measure for step in steps for measure in step.values))
        of_models = [step for step in steps if step.model not in replays] or steps  # gold is right by construction
        tables = to_markdown(agreements(of_models, measures), levels(steps, measures), replays)
        parts.append(f'## {metric}\n\n{tables}')
    if not parts and labels:
        raise CibenchError(f'{labels}: no profile scores the labelled steps; label steps of another kind')
    if not parts:
        raise CibenchError(f'{run_folder}: no step has a valid verdict; run `cibench judge` first, or give --labels')
    path = run_folder / 'summary' / 'agreement.md'
    path.parent.mkdir(exist_ok=True)
    path.write_text('\n'.join(parts), encoding='utf-8')
    say('\n'.join(parts) + str(path))
