"""Naive answers: `NAME.naive.json` beside a notebook says which code falls into which trap.

A *naive session* is the gold session in which the naive answers of one habit (careless, literal, shortcut) replace
the gold code of their steps. `cibench data check` runs each naive session: no naive answer may count as correct.
"""

from pathlib import Path
from typing import Literal

from pydantic import Field

from cibench_eval.datasets.descriptions import NAIVE, hash_of
from cibench_eval.json_files import read_record
from cibench_eval.schema import CibenchError, Experiment, Record


class NaiveAnswer(Record):
    """Code that falls into a trap."""

    step: int = Field(ge=0)
    """Index of the step, from 0."""
    trap: str = Field(min_length=1)
    """What this code overlooks, in a few words."""
    sessions: list[str] = Field(min_length=1)
    """The habits that lead to this answer."""
    code: str


class NaiveAnswers(Record):
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
    """The file in which the naive answers of a notebook stand, whether or not it is there."""
    return notebook.with_suffix(NAIVE)


def read_naive(experiment: Experiment) -> NaiveAnswers | None:
    """The naive answers of an experiment, None where it has none.

    Raises:
        CibenchError: the file cannot be read, or is about other gold code.
    """
    path = naive_file(experiment.path)
    read = read_record(path, NaiveAnswers, 'naive answers', 'build the set again')
    if read and read.code != hash_of(step.code for step in experiment.steps):
        raise CibenchError(f'{path}: its answers belong to other gold code; build the set again')
    return read
