"""`cibench analyse`: the paper's analyses over any runs, as tables and figures."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from cibench_eval.analysis.agreement import MeasuredStep, judged_values
from cibench_eval.commands import new_console
from cibench_eval.commands._runs import HELP, inside_latest, run_at
from cibench_eval.commands.compare import check_scale
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import usage_of
from cibench_eval.rendering import as_csv
from cibench_eval.reports.analyses import ANALYSES, Analysis, LackingError, StudiedRuns
from cibench_eval.reports.analyses.correlations import read_benchmarks
from cibench_eval.reports.analyses.drawing import FORMATS, save
from cibench_eval.reports.analyses.study import StepRecord
from cibench_eval.reports.rows import aggregate, published
from cibench_eval.reports.sessions import SessionView
from cibench_eval.reports.summary import print_table
from cibench_eval.run.judged import judged_datasets
from cibench_eval.run.run_folder import (
    RecordedDataset,
    labels_of,
    recorded_datasets,
    rescored_folders,
    scored_results,
)
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say

Option = typer.Option
FORMS = ('md', 'csv', 'tex', *FORMATS)
STAR = '*: it lacks sessions, of its run or of another model, so its figures are of other steps.'


def analyse(
    runs: Annotated[list[Path] | None, typer.Argument(metavar='[RUN…]', parser=run_at, help=HELP)] = None,
    only: Annotated[
        list[str] | None,
        Option('--only', metavar='NAME', help=f'Of {", ".join(ANALYSES)}; may be repeated.', show_default='all'),
    ] = None,
    out: Annotated[
        Path | None,
        Option(
            metavar='DIR',
            file_okay=False,
            callback=inside_latest,
            help='Write each as NAME.md, .csv, .tex, .png and .svg.',
            show_default='print alone',
        ),
    ] = None,
    benchmarks: Annotated[
        Path | None, Option(metavar='FILE.csv', help='Scores of other benchmarks: model,GSM8K,HumanEval,…')
    ] = None,
    with_published: Annotated[bool, Option('--published', help='With the 24 models of the published table.')] = False,
) -> None:
    """The analyses of the paper over some runs: errors, attempts, languages, difficulty, modules, oracle gain, …

    What the runs cannot say is left out, with the reason. Judges' scores come in where `cibench judge` was run, a
    second measure of figures where `cibench score --profile` was.
    """
    if unknown := [name for name in only or [] if name not in ANALYSES]:
        raise CibenchError(f'--only {unknown[0]}: no such analysis; there is {", ".join(ANALYSES)}')
    if not runs and not with_published:
        raise CibenchError('no run: name run folders, or --published')
    study = study_of(runs or [], benchmarks, with_published=with_published)
    console = new_console()
    for name in only or ANALYSES:
        try:
            found = ANALYSES[name](study)
        except LackingError as error:
            say(f'{name}: left out: {error}', error=True)
            for earlier in [out / f'{name}.{form}' for form in FORMS] if out else []:
                earlier.unlink(missing_ok=True)
            continue
        table = found.table
        if any(' *' in text for text in (table.note, *table.header, *(line[0].text for line in table.lines))):
            found = replace(found, table=replace(table, note=f'{table.note} {STAR}'))
        console.print()
        print_table(found.table, console)
        if out:
            write(found, name, out)
            console.print(Text(f'{out / name}.{{{",".join(FORMS)}}}', style='dim'))


def study_of(runs: Sequence[Path], benchmarks: Path | None = None, *, with_published: bool = False) -> StudiedRuns:
    """Everything that analyses take of some runs.

    Raises:
        CibenchError: a folder is no run, or none is scored; scores of a split are on several scales; the table of
            benchmarks cannot be read.
    """
    results = scored_results(runs) if runs else []
    labels, rows = labels_of(runs), aggregate(results)
    for split, those in grouped(rows, lambda row: row.split).items():
        models = {row.model: row for row in those if not row.replays_gold}
        check_scale(split, models or {row.model: row for row in those})
    return StudiedRuns(
        steps=[
            step for run in runs for one in recorded_datasets(run) for step in _steps(one, labels[run, one.model_name])
        ],
        rows=[*rows, *(published() if with_published else [])],
        benchmarks=read_benchmarks(benchmarks) if benchmarks else {},
        figures=[one for run in runs for one in _figures(run, labels)],
        replays=frozenset(one.model for one in results if one.replays_gold),
    )


def write(found: Analysis, name: str, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    table = found.table
    cells = [[head or table.title for head in table.header], *([cell.whole for cell in line] for line in table.lines)]
    texts = {'md': '\n'.join(table.markdown()), 'tex': '\n'.join(table.latex()), 'csv': as_csv(cells)}
    for form, text in texts.items():
        write_whole(folder / f'{name}.{form}', text)
    save(found, name, folder)


def _steps(dataset: RecordedDataset, label: str) -> Iterator[StepRecord]:
    """The steps of a dataset that are scored."""
    results = dataset.results()
    for trace in dataset.traces.load().values():
        view = SessionView(trace, dataset.traces.figures, results)
        for step in trace.steps:
            if not (score := view.scores.get(step.index)):
                continue
            yield StepRecord(
                model=label,
                split=dataset.split,
                mode=dataset.mode,
                epoch=dataset.epoch,
                experiment=score.experiment,
                step=step.index + 1,
                right=score.right,
                attempts=len(step.attempts),
                ran_at=next((number for number, one in enumerate(step.attempts, 1) if one.ran), None),
                usage=usage_of([step], dataset.model.price),
                failure=view.failures.get(step.index),
                without=step.attempts[-1].without if step.attempts else 0,
                read=(step.attempts[-1].reply.tokens_in or 0) if step.attempts else 0,
                depends=tuple(score.depends),
                asks_forecast=score.asks_forecast,
                forecasts=tuple(score.forecasts),
            )


def _figures(run: Path, labels: dict[tuple[Path, str], str]) -> Iterator[MeasuredStep]:
    """What the scoring profiles and judges of a run say of its `vis` steps that drew anything.

    All give 0 to those that did not, which is no agreement worth the name.
    """
    judged = {}
    if any((run / 'results').glob('*/*.judge.jsonl')):
        judged = {(one.model, one.dataset): judged_values(one) for one in judged_datasets(run)}
    for dataset in recorded_datasets(run):
        values: dict[tuple[str, int], dict[str, float]] = {}
        drew = {
            (name, step.index)
            for name, trace in dataset.traces.load().items()
            for step in trace.steps
            if any(execution.figures for _, execution in step.runs)
        }
        for results in filter(None, (dataset.results(folder) for folder in (None, *rescored_folders(run)))):
            for step in results.steps:
                if 'vis_sim' in step.values and (step.experiment, step.index) in drew:
                    own = values.setdefault((step.experiment, step.index), {})
                    own.setdefault(results.profile, step.values['vis_sim'])
        for place, own in values.items():
            everything = own | judged.get((dataset.model_name, dataset.dataset_name), {}).get(place, {})
            yield MeasuredStep(model=labels[run, dataset.model_name], experiment=place[0], values=everything)
