"""What gold figures show and gold variables hold: `NAME.descriptions.json` beside a notebook.

Scores alone read it. It is made by running the gold code (`cibench data describe`), and has the hash of that code.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from cibench_eval.files import write_whole
from cibench_eval.plots import Plot
from cibench_eval.schema import CibenchError, Figure, Record, Step, problem
from cibench_eval.states import states_of

SUFFIX = '.descriptions.json'
DESCRIBE = 'make it again: cibench data describe'


class StepDescription(Record):
    """What one gold step came to."""

    plots: list[dict[str, Any] | None] = Field(default=[])
    """Of each of its figures what it shows (`Plot`), in the order of the notebook; None where that is not known."""
    state: dict[str, Any] | None = None
    """What its variables held (`states.States` as JSON has it); None where no variable is asked for."""


class Descriptions(Record):
    """The descriptions of a notebook."""

    format: Literal[1] = 1
    environment: str
    """Kernel environment in which the gold code ran."""
    code: str
    """Hash of that code."""
    steps: list[StepDescription]


def descriptions_file(notebook: Path) -> Path:
    """Where the descriptions of a notebook stand, if it has some."""
    return notebook.with_suffix(SUFFIX)


def hash_of(codes: Iterable[str]) -> str:
    """The hash of gold code, which outputs and questions do not change."""
    return hashlib.sha256('\0'.join(code.strip() for code in codes).encode()).hexdigest()


def read_descriptions(notebook: Path) -> Descriptions | None:
    """The descriptions beside a notebook, None where there are none.

    Raises:
        CibenchError: the file cannot be read or is none of ours.
    """
    path = descriptions_file(notebook)
    try:
        return Descriptions.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CibenchError(f'{path}: cannot be read ({error.strerror}); check its permissions') from error
    except ValidationError as error:
        raise CibenchError(f'{path}: no file of descriptions ({problem(error)}); {DESCRIBE} {notebook}') from error


def write_descriptions(notebook: Path, descriptions: Descriptions) -> Path:
    """Write the descriptions of a notebook beside it; the file's path."""
    path = descriptions_file(notebook)
    lines = ',\n'.join(json.dumps(step.model_dump(exclude_defaults=True)) for step in descriptions.steps)
    head = json.dumps(descriptions.model_dump(exclude={'steps'}))
    write_whole(path, f'{head[:-1]}, "steps": [\n{lines}\n]}}\n')
    return path


def with_descriptions(steps: list[Step], descriptions: Descriptions, notebook: Path) -> list[Step]:
    """Gold steps with what is said of them.

    Raises:
        CibenchError: it was said of other code, or is malformed.
    """
    path = descriptions_file(notebook)
    if descriptions.code != hash_of(step.code for step in steps) or len(descriptions.steps) != len(steps):
        raise CibenchError(f'{path}: it describes other code than that of the notebook; {DESCRIBE} {notebook}')
    return [_described(step, said, path) for step, said in zip(steps, descriptions.steps, strict=True)]


def _described(step: Step, said: StepDescription, path: Path) -> Step:
    place = f'{path}: step {step.index + 1}'
    if said.state is not None and states_of(said.state) is None:
        raise CibenchError(f'{place}: its `state` describes no variables; {DESCRIBE} it')
    update: dict[str, Any] = {'state': said.state}
    if figures := step.figures:
        described = [_figure(figure, plot, place) for figure, plot in zip(figures, _padded(said, figures), strict=True)]
        update |= {'figure': described[0], 'more_figures': described[1:]}
    return step.model_copy(update=update)


def _padded(said: StepDescription, figures: list[Figure]) -> list[Any]:
    """A description for each figure, None where there is none."""
    return [*said.plots, *[None] * len(figures)][: len(figures)]


def _figure(figure: Figure, described: Any, place: str) -> Figure:
    if described is None:
        return figure
    plot = Plot.of(described)
    if plot is None:
        raise CibenchError(f'{place}: one of its `plots` describes no plot; {DESCRIBE} it')
    return figure.model_copy(update={'described': plot.json_bytes()})
