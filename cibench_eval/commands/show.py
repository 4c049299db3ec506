"""`cibench show`: the steps of a run in a list, or one conversation as the model saw it."""

import glob
import shlex
import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from cibench_eval.commands import log, new_console
from cibench_eval.commands._runs import Run
from cibench_eval.config.recorded import recorded_run
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.reports.conversation import TextLine, conversation, record
from cibench_eval.reports.sessions import SessionView, StepLine, listed
from cibench_eval.run.run_folder import RecordedDataset, recorded_datasets, say_absent, say_unfinished
from cibench_eval.schema import CibenchError
from cibench_eval.terminal import json_line, say, visible

CHOICES = ((), ('--dataset',), ('--model',), ('--model', '--dataset'))
"""The options by which a session is chosen beside its name, the fewest first."""
MOST = 10
"""Sessions that an error names."""


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
    datasets = recorded_datasets(run_folder)

    def wanted(one: SessionTask) -> bool:
        return fnmatchcase(one.model_name, model) and fnmatchcase(one.dataset_name, dataset)

    chosen = [*filter(wanted, datasets)]
    if not chosen:
        there = ', '.join(one.name for one in datasets)
        raise CibenchError(f'{run_folder}: nothing of model {model} and dataset {dataset}; there is {there}')
    if place:
        _show_session(chosen, place, as_json)
        return
    if as_json:
        _print_json(line.record() for one in chosen for view in one.views() for line in view.lines(failed=failed))
    else:
        _list(run_folder, chosen, datasets, failed)
    say_unfinished(chosen)
    say_absent(filter(wanted, recorded_run(run_folder).tasks))
    if not any(one.results() for one in chosen):
        (log if as_json else say)(f'score it: {shlex.join(["cibench", "score", str(run_folder)])}')


def _list(run_folder: Path, chosen: list[RecordedDataset], datasets: list[RecordedDataset], failed: bool) -> None:
    first: list[tuple[RecordedDataset, StepLine]] = []

    def views() -> Iterator[SessionView]:
        for dataset in chosen:
            for view in dataset.views():
                if not first:
                    first.extend((dataset, line) for line in view.lines(failed=failed)[:1])
                yield view

    _print(TextLine(text) for text in listed(views(), new_console().width, failed=failed))
    if failed and not first:
        say('no step failed')
    for dataset, line in first:
        sessions = _sessions(datasets)
        session = next(one for one in sessions if one.dataset is dataset and one.experiment == line.experiment)
        name, *options = _choice(session, sessions, line.experiment.rpartition('/')[2])
        command = shlex.join(['cibench', 'show', str(run_folder), f'{name}:{line.step}', *options])
        say(f'\nlook at the first: {command}')


def _show_session(datasets: list[RecordedDataset], place: str, as_json: bool) -> None:
    name, _, number = place.partition(':')
    session = _find(datasets, name)
    (view,) = session.dataset.views([session.offset], session.dataset.golds(log))
    step = _step(number, len(view.trace.steps), place) if number else None
    if as_json:
        _print_json(record(view, step))
    else:
        _print(line for section in conversation(view, step) for line in section.lines())


class _ShownSession(NamedTuple):
    dataset: RecordedDataset
    experiment: str
    offset: int
    """Where its line stands in the traces."""

    @property
    def options(self) -> dict[str, str]:
        """What chooses its dataset."""
        return {'--model': glob.escape(self.dataset.model_name), '--dataset': glob.escape(self.dataset.dataset_name)}


def _sessions(datasets: Iterable[RecordedDataset]) -> list[_ShownSession]:
    return [_ShownSession(dataset, *place) for dataset in datasets for place in dataset.traces.index().items()]


def _called(sessions: Sequence[_ShownSession], name: str) -> list[_ShownSession]:
    """The sessions of this name, or those whose names end so."""
    return [one for one in sessions if one.experiment == name] or [
        one for one in sessions if one.experiment.endswith(f'/{name}')
    ]


def _choice(session: _ShownSession, sessions: Sequence[_ShownSession], name: str) -> list[str]:
    """A name, `name` or else the whole one, and the options that are needed for it to mean this session alone."""
    for options in CHOICES:
        alike = [one for one in sessions if all(one.options[key] == session.options[key] for key in options)]
        for said in (name, session.experiment):
            if _called(alike, said) == [session]:
                return [said, *(word for key in options for word in (key, session.options[key]))]
    raise AssertionError(session)  # the last choice means one session alone


def _find(datasets: list[RecordedDataset], name: str) -> _ShownSession:
    sessions = _sessions(datasets)
    found = _called(sessions, name)
    if len(found) == 1:
        return found[0]
    if not found:
        names = list(dict.fromkeys(one.experiment for one in sessions))
        raise CibenchError(
            f'{name}: no finished session of that name; there is {", ".join(names[:MOST])}'
            + ', …' * (len(names) > MOST)
        )
    choices = [_choice(one, sessions, name) for one in found[:MOST]]
    said = ' or '.join(shlex.join(words[words[0] == name :]) for words in choices)
    raise CibenchError(f'{name}: there are {len(found)}; choose with {said}' + ' or …' * (len(found) > MOST))


def _step(number: str, steps: int, place: str) -> int:
    if not number.isdecimal() or not 1 <= int(number) <= steps:
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
