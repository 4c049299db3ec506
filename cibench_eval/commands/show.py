"""`cibench show`: the steps of a run in a list, or one conversation as the model saw it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import Annotated, Any, NamedTuple

import typer

from cibench_eval.commands import log, new_app
from cibench_eval.commands._runs import Run
from cibench_eval.reports.conversation import TextLine, conversation, record
from cibench_eval.reports.sessions import listed
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets
from cibench_eval.schema import CibenchError, Experiment
from cibench_eval.terminal import json_line, say, visible

app = new_app()


@app.command()
def show(
    run_folder: Run,
    place: Annotated[
        str,
        typer.Argument(metavar='EXPERIMENT[:STEP]', help='One session, or one step of it.', show_default=False),
    ] = '',
    model: Annotated[str, typer.Option(metavar='NAME', help='Of this model; * and ? are wild.')] = '*',
    dataset: Annotated[str, typer.Option(metavar='NAME', help='Of this dataset; * and ? are wild.')] = '*',
    failed: Annotated[bool, typer.Option('--failed', help='List the steps that did not end right.')] = False,
    as_json: Annotated[bool, typer.Option('--json', help='Print one JSON object a step.')] = False,
) -> None:
    """List the steps of a run with their scores, how they ended and why they failed; or show one conversation.

    EXPERIMENT is a name of the list, or the end of one that is no other's; steps are counted from 1.
    """
    chosen = [
        one for one in recorded_datasets(run_folder) if fnmatchcase(one.model, model) and fnmatchcase(one.name, dataset)
    ]
    if not chosen:
        there = ', '.join(f'{one.model}/{one.name}' for one in recorded_datasets(run_folder))
        raise CibenchError(f'{run_folder}: nothing of model {model} and dataset {dataset}; there is {there}')
    if place:
        _show_session(chosen, place, as_json)
    elif as_json:
        _print_json(line.record() for one in chosen for view in one.views() for line in view.lines(failed=failed))
    else:
        _print(TextLine(text) for text in listed((view for one in chosen for view in one.views()), failed=failed))


def _show_session(datasets: list[RecordedDataset], place: str, as_json: bool) -> None:
    name, _, number = place.partition(':')
    session = _find(datasets, name)
    gold = _gold(session)
    (view,) = session.dataset.views([session.offset], {gold.id: gold} if gold else {})
    step = _step(number, len(view.trace.steps), place) if number else None
    if as_json:
        _print_json(record(view, step))
    else:
        _print(conversation(view, step))


class _Session(NamedTuple):
    dataset: RecordedDataset
    experiment: str
    offset: int
    """Where its line stands in the traces."""

    def is_called(self, name: str) -> bool:
        return self.experiment.endswith(f'/{name}')


def _find(datasets: list[RecordedDataset], name: str) -> _Session:
    """The session of this name.

    Raises:
        CibenchError: there is none, or there are several.
    """
    sessions = [_Session(dataset, *place) for dataset in datasets for place in dataset.traces.index().items()]
    found = [one for one in sessions if one.experiment == name] or [one for one in sessions if one.is_called(name)]
    if len(found) == 1:
        return found[0]
    if not found:
        names = list(dict.fromkeys(one.experiment for one in sessions))
        raise CibenchError(
            f'{name}: no session of that name; there is {", ".join(names[:10])}' + ', …' * (len(names) > 10)
        )
    there = ', '.join(f'{one.dataset.model}/{one.dataset.name} {one.experiment}' for one in found[:10])
    raise CibenchError(f'{name}: there are {len(found)}: {there}; choose with --model, --dataset or a longer name')


def _gold(session: _Session) -> Experiment | None:
    """The gold notebook; None, with a line that says why, where it is gone: what was recorded is shown all the same."""
    try:
        experiments = session.dataset.experiments()
    except CibenchError as error:
        log(f'gold is not shown: {error}')
        return None
    return next((one for one in experiments if one.id == session.experiment), None)


def _step(number: str, steps: int, place: str) -> int:
    if not number.isdigit() or not 1 <= int(number) <= steps:
        raise CibenchError(f'{place}: no step {number}; the session has steps 1 to {steps}')
    return int(number) - 1


def _print(lines: Iterable[TextLine]) -> None:
    """Print lines whole, on a terminal with bold headings."""
    terminal = sys.stdout.isatty()
    for line in lines:
        text = f'── {line.text}' if line.heading else line.text
        print(typer.style(visible(text), bold=line.heading) if terminal else visible(text))


def _print_json(records: Iterable[dict[str, Any]]) -> None:
    for one in records:
        say(json_line(one))
