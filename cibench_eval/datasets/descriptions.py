"""What gold figures show and gold variables hold: `NAME.descriptions.json` beside a notebook.

Only scoring reads this file. `cibench data describe` runs the gold code to make it, and stores the hash of the code.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from cibench_eval.files import write_whole
from cibench_eval.json_files import read_record
from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError, Experiment, Figure, Record, Step
from cibench_eval.states import states_of

SUFFIX, NAIVE = '.descriptions.json', '.naive.json'
"""What the names of descriptions and of naive answers (`naive.py`) end in."""
DESCRIBE = 'make it again: cibench data describe'


class StepDescription(Record):
    """The figures and variables of one gold step."""

    plots: list[dict[str, Any] | None] = Field(default=[])
    """What each figure shows (a `Plot`), in the order of the notebook; None where that is not known."""
    state: dict[str, Any] | None = None
    """What the variables held (`states.States` as JSON); None where no variable is asked for."""


class Descriptions(Record):
    """The content of the file."""

    format: Literal[1] = 1
    environment: str
    """Kernel environment in which the gold code ran."""
    code: str
    """Hash of that code (`hash_of`)."""
    steps: list[StepDescription]


def descriptions_file(notebook: Path) -> Path:
    """The file in which the descriptions of a notebook stand, whether or not it is there."""
    return notebook.with_suffix(SUFFIX)


def hash_of(codes: Iterable[str]) -> str:
    """A hash of gold code that outputs and questions do not change."""
    return hashlib.sha256('\0'.join(code.strip() for code in codes).encode()).hexdigest()


def write_descriptions(notebook: Path, descriptions: Descriptions) -> Path:
    """Write the descriptions of a notebook beside it, and return the path of their file."""
    path = descriptions_file(notebook)
    lines = ',\n'.join(json.dumps(step.model_dump(exclude_defaults=True)) for step in descriptions.steps)
    head = json.dumps(descriptions.model_dump(exclude={'steps'}))
    write_whole(path, f'{head[:-1]}, "steps": [\n{lines}\n]}}\n')
    return path


def copy_notebook(notebook: Path, target: Path) -> None:
    """Copy a notebook, and its descriptions and naive answers, if it has some."""
    for suffix in (SUFFIX, NAIVE, notebook.suffix):
        if (file := notebook.with_suffix(suffix)).is_file():
            write_whole(target.with_suffix(suffix), file.read_bytes())


def delete_notebook(notebook: Path) -> None:
    """Delete a notebook, its descriptions and its naive answers, as far as they are there."""
    for suffix in (notebook.suffix, SUFFIX, NAIVE):
        notebook.with_suffix(suffix).unlink(missing_ok=True)


def with_descriptions(experiment: Experiment) -> Experiment:
    """An experiment with the descriptions of its gold steps, as it is where it has none.

    Raises:
        CibenchError: the file cannot be read, is malformed, or belongs to other code.
    """
    path, mend, steps = descriptions_file(experiment.path), f'{DESCRIBE} {experiment.path}', experiment.steps
    found = read_record(path, Descriptions, 'file of descriptions', mend)
    if found is None:
        return experiment
    if found.code != hash_of(step.code for step in steps) or len(found.steps) != len(steps):
        raise CibenchError(f'{path}: it describes other code than that of the notebook; {mend}')
    described = [_described(step, said, path) for step, said in zip(steps, found.steps, strict=True)]
    return experiment.model_copy(update={'steps': described})


def _described(step: Step, said: StepDescription, path: Path) -> Step:
    place = f'{path}: step {step.index + 1}'
    if said.state is not None and states_of(said.state) is None:
        raise CibenchError(f'{place}: its `state` describes no variables; {DESCRIBE} it')
    update: dict[str, Any] = {'state': said.state}
    if figures := step.figures:
        plots = [*said.plots, *[None] * len(figures)]
        described = [_figure(figure, plot, place) for figure, plot in zip(figures, plots, strict=False)]
        update |= {'figure': described[0], 'more_figures': described[1:]}
    return step.model_copy(update=update)


def _figure(figure: Figure, described: Any, place: str) -> Figure:
    if described is None:
        return figure
    plot = Plot.of(described)
    if plot is None:
        raise CibenchError(f'{place}: one of its `plots` describes no plot; {DESCRIBE} it')
    return figure.model_copy(update={'described': plot.json_bytes()})
