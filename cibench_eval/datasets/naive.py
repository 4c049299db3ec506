"""Naive answers: `NAME.naive.json` beside a notebook says which code falls into which trap.

A *naive session* is the gold session with the naive answers of one habit (careless, literal, shortcut) in the place of
the gold's. `cibench data check` runs each of them: none of its naive answers may count as correct.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from cibench_eval.datasets.descriptions import hash_of
from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError, Experiment, Record, problem

SUFFIX = '.naive.json'


class NaiveAnswer(Record):
    """Code that falls into a trap."""

    step: int = Field(ge=0)
    """Index of the step, from 0."""
    trap: str = Field(min_length=1)
    """What it does not see, in a few words."""
    sessions: list[str] = Field(min_length=1)
    """The habits that it belongs to."""
    code: str


class NaiveAnswers(Record):
    """Those of a notebook."""

    format: Literal[1] = 1
    canary: str = ''
    code: str
    """Hash of the gold code."""
    answers: list[NaiveAnswer]

    @property
    def sessions(self) -> list[str]:
        """The habits, in the order in which they occur."""
        return list(dict.fromkeys(name for answer in self.answers for name in answer.sessions))

    def of(self, session: str) -> dict[int, NaiveAnswer]:
        """The naive answers of a session, by the index of their step."""
        return {answer.step: answer for answer in self.answers if session in answer.sessions}


def naive_file(notebook: Path) -> Path:
    """Where the naive answers of a notebook stand, if it has some."""
    return notebook.with_suffix(SUFFIX)


def write_naive(notebook: Path, answers: NaiveAnswers) -> None:
    """Write them beside their notebook."""
    write_whole(naive_file(notebook), answers.model_dump_json(indent=1) + '\n')


def read_naive(experiment: Experiment) -> NaiveAnswers | None:
    """The naive answers of an experiment, None where it has none.

    Raises:
        CibenchError: the file cannot be read, or is about other gold code.
    """
    path = naive_file(experiment.path)
    try:
        read = NaiveAnswers.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CibenchError(f'{path}: cannot be read ({error.strerror}); check its permissions') from error
    except ValidationError as error:
        raise CibenchError(f'{path}: no naive answers ({problem(error)})') from error
    if read.code != hash_of(step.code for step in experiment.steps):
        raise CibenchError(f'{path}: its answers belong to other gold code; build the set again')
    return read
