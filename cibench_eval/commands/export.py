"""`cibench export`: the sessions of a run for other programs."""

import json
import os
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Literal

import typer

from cibench_eval.analysis.labels import LABEL, has_labels
from cibench_eval.commands._runs import Run, inside_latest
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.images import image_part
from cibench_eval.integrations.wandb_runs import config_of, write_runs
from cibench_eval.packages import require
from cibench_eval.reports.atif import trajectory_of
from cibench_eval.reports.every_eval_ever import HUB, Subject, record_of
from cibench_eval.reports.export import notebook_of, step_table
from cibench_eval.reports.inspect_log import file_name, log_of
from cibench_eval.reports.layout import counted
from cibench_eval.reports.rows import DatasetResult, Row, aggregate, gaps_of
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets, results_of
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import say

FORMS = (
    'notebooks: one .ipynb a session, which Jupyter runs; inspect: logs for `inspect view`; atif: one trajectory a '
    "session, in Harbor's format; every_eval_ever: results in evaleval's schema; wandb-offline: runs for `wandb sync`; "
    'csv, parquet: one table, a row a step.'
)
FILES = ('csv', 'parquet')
"""Forms that are one file; the others are a folder."""
Form = Literal['notebooks', 'inspect', 'atif', 'every_eval_ever', 'wandb-offline', 'csv', 'parquet']


def export(
    run_folder: Run,
    to: Annotated[Form, typer.Option(help=FORMS)],
    out: Annotated[
        Path | None,
        typer.Option(
            metavar='PATH', callback=inside_latest, help='Folder or file to write.', show_default='RUN/export/…'
        ),
    ] = None,
    organization: Annotated[
        str, typer.Option(metavar='NAME', help='every_eval_ever: who ran the evaluation.')
    ] = 'unspecified',
    model_id: Annotated[
        list[str] | None,
        typer.Option(
            metavar='MODEL=ORG/NAME',
            help='every_eval_ever: the id of a model of the run; may be repeated.',
            show_default="the config's `path`",
        ),
    ] = None,
) -> None:
    """Write what a run holds for other programs: its sessions, its steps. What it lacks is named, and left out."""
    if out and (out.is_dir() if to in FILES else out.is_file()):
        kinds = ('folder', 'file') if to in FILES else ('file', 'folder')
        raise CibenchError(f'--out {out}: is a {kinds[0]}, and {to} is written to a {kinds[1]}; name another')
    if out and to in FILES and out.suffix != f'.{to}':
        raise CibenchError(f'--out {out}: a file of {to} ends in .{to}; name one')
    datasets, folder = recorded_datasets(run_folder), out or run_folder / 'export' / to
    results = results_of(run_folder)
    if to == 'notebooks':
        said = counted(sum(1 for one in datasets for _ in _write_notebooks(one, folder)), 'notebook')
    elif to == 'inspect':
        logs = counted(sum(_write_log(one, folder) for one in datasets), 'log')
        said = f'{logs}; inspect view --log-dir {shlex.quote(str(folder))}'
    elif to == 'atif':
        said = f'trajectories: {sum(1 for one in datasets for _ in _write_trajectories(one, folder))}'
    elif to == 'every_eval_ever':
        records = counted(_write_records(results, datasets, folder, _ids(model_id or []), organization), 'record')
        files = f'{folder.absolute()}/data/*/*/*/*.json*'  # of a relative path the validator wants data/ in front
        said = f'{records}; every_eval_ever validate {shlex.quote(files)}'
    elif to == 'wandb-offline':
        name, rows = run_folder.absolute().name, aggregate(results)
        runs = _write_wandb_runs(name, rows, datasets, out or run_folder / 'export')
        folder = (out or run_folder / 'export') / 'wandb'
        said = f'{counted(len(runs), "run")}; send them: wandb sync {shlex.join(map(str, runs))}'
    else:
        folder = out or run_folder / 'export' / f'steps.{to}'
        if to == 'csv' and has_labels(folder):
            raise CibenchError(f'{folder}: people have labelled it (columns {LABEL}…); name another file with --out')
        said = counted(_write_table(datasets, folder, to), 'step')
    say(f'{folder}: {said}')


def _write_table(datasets: list[RecordedDataset], path: Path, to: Literal['csv', 'parquet']) -> int:
    """Write all steps as a table; how many there are."""
    require('export', 'pyarrow')
    from pyarrow import csv, parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    table = step_table(view for one in datasets for view in one.views(gold=one.golds()))
    with path.open('wb') as file:  # what pyarrow says of a file that cannot be written is several sentences
        (csv.write_csv if to == 'csv' else parquet.write_table)(table, file)
    return int(table.num_rows)


def _write_notebooks(dataset: RecordedDataset, folder: Path) -> Iterator[Path]:
    """Write a dataset's sessions into `folder/model/dataset/`."""
    from cibench_eval.notebook_libraries import nbformat

    for view in dataset.views(gold=dataset.golds(), whole=True):
        path = folder / dataset.model_name / dataset.dataset_name / f'{view.trace.experiment}.ipynb'
        path.parent.mkdir(parents=True, exist_ok=True)
        notebook = notebook_of(view)
        nbformat.validate(notebook)
        path.write_text(nbformat.writes(notebook), encoding='utf-8')
        yield path


def _write_log(dataset: RecordedDataset, folder: Path) -> int:
    """Write a dataset's sessions as a log; 1, or 0 where there is none."""
    golds, results = dataset.golds(), dataset.results()
    views = list(dataset.views(gold=golds, whole=True))
    if not views:
        return 0
    planned = {*golds, *(results.harness_errors if results else [])}
    lost = {name: golds.get(name) for name in sorted(planned - {view.trace.experiment for view in views})}
    store = dataset.traces.figures

    def image(place: str) -> str:
        return image_part((store / Path(place).name).read_bytes())['image_url']['url']

    log = log_of(dataset.dataset_name, views, lost, dataset.model.price, image)
    write_whole(folder / file_name(log), json.dumps(log, ensure_ascii=False))
    return 1


def _write_trajectories(dataset: RecordedDataset, folder: Path) -> Iterator[Path]:
    """Write a dataset's sessions into `folder/model/dataset/`, their figures into `folder/model/figures/`."""
    figures = folder / dataset.model_name / 'figures'
    for view in dataset.views(whole=True):
        path = folder / dataset.model_name / dataset.dataset_name / f'{view.trace.experiment}.json'

        def place(figure: str, path: Path = path) -> str:
            copy = figures / Path(figure).name
            if not copy.exists():
                write_whole(copy, (dataset.traces.figures / copy.name).read_bytes())
            return os.path.relpath(copy, path.parent)

        trajectory = trajectory_of(view, dataset.model.abbr, dataset.model.price, place)
        write_whole(path, json.dumps(trajectory, ensure_ascii=False, indent=1))
        yield path


def _ids(words: list[str]) -> dict[str, str]:
    found = dict(word.partition('=')[::2] for word in words)
    for name, id_ in found.items():
        if not HUB.fullmatch(id_):
            raise CibenchError(f'--model-id {name}={id_}: no MODEL=ORG/NAME')
    return found


def _write_records(
    results: list[DatasetResult], datasets: list[RecordedDataset], folder: Path, ids: dict[str, str], organization: str
) -> int:
    """Write a record of each model and split below `folder/data/`, with a row for each session; how many.

    Replays of gold are no models, and have none.

    Raises:
        CibenchError: a record would be of a part of its split, so that it has not been written; or there is none.
    """
    if unknown := ids.keys() - {one.model.abbr for one in datasets}:
        raise CibenchError(f'--model-id {min(unknown)}: no model of this run')
    count, partly = 0, list[str]()
    for row in aggregate(results):
        own = [one for one in datasets if (one.model_name, one.split) == (row.model, row.split)]
        if row.replays_gold:
            continue
        if row.missing or row.problems or not (row.scores and own):
            names = [name for those in row.missing.values() for name in those]
            partly.append(f'{row.model} on {row.split} ({", ".join([*names, *row.problems])})')
            continue
        entry = own[0].model
        subject = Subject(entry.config, ids.get(entry.abbr), organization, entry.price, int(time.time()))
        made = record_of(row, [view for one in own for view in one.views()], subject, gaps_of(row.results))
        record = folder / f'{made.path}.json'
        write_whole(record, json.dumps(made.record, ensure_ascii=False, indent=1))
        if made.rows:
            lines = [json.dumps(one) for one in made.rows]  # the validator splits at every line end of Unicode
            write_whole(folder / f'{made.path}_samples.jsonl', '\n'.join([*lines, '']))
        for earlier in folder.glob(f'data/*/*/*/{record.stem}[._]*'):  # of an export with another model id
            if earlier.parent != record.parent:
                earlier.unlink()
        count += 1
    if partly:
        written = counted(count, 'record')
        raise CibenchError(f'{folder}: {written}, and none of {", ".join(partly)}: that is not scored')
    if not count:
        raise CibenchError(f'{folder}: nothing to export: there are replays of gold alone')
    return count


def _write_wandb_runs(name: str, rows: list[Row], datasets: list[RecordedDataset], folder: Path) -> list[Path]:
    """Write a run of Weights & Biases for each model of ours; their folders."""
    require('wandb-offline', 'pyarrow', 'wandb')
    steps, configs = {}, {}
    for model, those in grouped(datasets, lambda one: one.model_name).items():
        if views := [view for one in those for view in one.views(gold=one.golds())]:
            steps[model] = step_table(views).drop_columns(['answer', 'gold_answer'])
            configs[model] = config_of(views)
    return write_runs(folder, name, rows, steps, configs)
