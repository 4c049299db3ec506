"""Scores on disk: `results/<model>/<dataset>.json`, one file a model, dataset, mode and epoch."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from cibench_eval.analysis.steps import passes_of, table_of
from cibench_eval.evaluators import find_profile
from cibench_eval.evaluators.failures.categories import ErrorTag
from cibench_eval.files import write_whole
from cibench_eval.grouping import grouped
from cibench_eval.models.limits import Usage
from cibench_eval.schema import CibenchError, Record, StepScore, problem
from cibench_eval.sealed import read_sealed, sealed

WHOLE = 'whole_sessions'
"""Name of the figure for the share of sessions in which every scored step ends `correct`."""
RAN = '_ran'
"""Suffix of figures that are taken over the steps whose last call ran."""


class Failure(ErrorTag):
    """A failed step and why it failed."""

    experiment: str
    index: int


class Results(Record):
    """The scores of one model on one dataset."""

    profile: str
    options: dict[str, float] = Field(default_factory=dict)
    """The options of the profile in the config."""
    scorer: str = ''
    """The version of cibench-eval that scored it; empty for scores of earlier ones."""
    epoch: int = 1
    steps: list[StepScore]
    failures: list[Failure] = Field(default_factory=list)
    harness_errors: list[str] = Field(default_factory=list)
    """Experiments whose sessions were not finished (running, stopped, damaged, or failed by a fault of the harness); no
    figure counts them."""
    problem: str = ''
    """Why the dataset could not be scored the last time, so that these are older scores."""
    usage: Usage = Usage()
    provenance: dict[str, list[str]] = Field(default_factory=dict)
    """Everything that the sessions record about what their figures depend on: each key with all its values."""

    @cached_property
    def of_experiment(self) -> dict[str, tuple[list[StepScore], list[Failure]]]:
        """Experiment -> the scores of its steps, and its failures."""
        failures = grouped(self.failures, lambda one: one.experiment)
        steps = grouped(self.steps, lambda one: one.experiment)
        return {name: (those, failures.get(name, [])) for name, those in steps.items()}

    @property
    def content(self) -> dict[str, Any]:
        """The record, after the means × 100 and the counts that OpenCompass's tools and people look for.

        `whole_sessions` is there where outcomes are known. Where the profile says so, `<metric>_ran` is the mean over
        the steps whose last call ran. `counts` has the steps of each mean, `outcomes` the most frequent one first.
        """
        profile, means = find_profile(self.profile), _means(self.steps)
        if profile.given_ran:
            ran = _means(score for score in self.steps if score.ran)
            means |= {f'{m.name}{RAN}': ran[m.name] for m in profile.metrics if m.of_outputs and m.name in ran}
        if sessions := [whole for own in passes_of(self.steps).values() for whole in own.values()]:
            means[WHOLE] = sum(sessions) / len(sessions), len(sessions)
        return {
            **{name: 100 * mean for name, (mean, _) in means.items()},
            'counts': {name: steps for name, (_, steps) in means.items()},
            'experiments': len({step.experiment for step in self.steps}),
            'outcomes': dict(Counter(step.outcome for step in self.steps if step.outcome).most_common()),
            **self.model_dump(mode='json'),
        }

    def write(self, path: Path) -> None:
        write_whole(path, sealed(json.dumps(self.content, ensure_ascii=False, indent=1)))

    @classmethod
    def read(cls, path: Path) -> Results:
        """Read what `write` wrote; a `CibenchError` where the file is broken, or of another version."""
        again = 'score the run again (cibench score RUN)'
        content = read_sealed(path, again)
        try:
            return cls.model_validate({name: content[name] for name in cls.model_fields if name in content})
        except (ValidationError, ValueError, TypeError) as error:
            raise CibenchError(f'{path}: not the scores of this version ({problem(error)}); {again}') from error


def _means(scores: Iterable[StepScore]) -> dict[str, tuple[float, int]]:
    """Metric -> its mean, and how many steps have it. A metric without steps has no mean, not the mean 0."""
    table = table_of(scores)
    parts = {name: table.only(metrics=[name]) for name in dict.fromkeys(cell.metric for cell in table.cells)}
    return {name: (part.mean, len(part.cells)) for name, part in parts.items()}
