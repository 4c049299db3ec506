"""Scores as an OpenCompass evaluator."""

from __future__ import annotations

import math
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.datasets.formats import find_format
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.evaluators.work import StepWork
from cibench_eval.opencompass.build import refuse_runs
from cibench_eval.schema import CibenchError, Experiment, StepScore


class SessionEvaluator:
    """Scores the steps of sessions by a scoring profile.

    Args:
        profile: `official`: the numbers of OpenCompass's own CIBench evaluator. `strict`: what we hold to be right.
            Or the dotted name of a `Profile` of your own.
        tolerance: relative, of floating-point numbers, for profiles that take it (`strict`: 1e-4 by default).
        absolute: an amount by which they may differ, in place of the relative tolerance.
    """

    def __init__(
        self, profile: str = 'official', tolerance: float | None = None, absolute: float | None = None
    ) -> None:
        self.profile = find_profile(profile)
        self.profile_name = profile
        if tolerance is not None and ('tolerance' not in self.profile.options or not 0 <= tolerance < 1):
            raise CibenchError(
                f'evaluator: tolerance={tolerance!r}; it is from 0 to 1, and the profile {profile} '
                f'{"takes it" if self.profile.options else "takes none"}'
            )
        if absolute is not None and ('absolute' not in self.profile.options or not 0 <= absolute < math.inf):
            raise CibenchError(f'evaluator: absolute={absolute!r}; it is 0 or more, and only for profiles that take it')
        given = {'tolerance': tolerance, 'absolute': absolute}
        self.options = self.profile.defaults.model_copy(update={k: v for k, v in given.items() if v is not None})

    def scores(self, sessions: list[list[StepWork]], experiments: list[Experiment]) -> list[StepScore]:
        """Every step's score.

        Sessions are scored in threads: comparing figures, which is what takes time, leaves Python's lock to others.

        Args:
            sessions: what each did, step by step.
            experiments: the gold, in the same order.
        """

        def score(steps: list[StepWork], experiment: Experiment) -> list[StepScore]:
            return score_session(steps, experiment, self.profile, self.options)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return [step for session in threads.map(score, sessions, experiments) for step in session]

    @property
    def set_options(self) -> dict[str, float]:
        """The options that mean something to the profile, for the results."""
        shown = self.options.model_dump(include=set(self.profile.options))
        return {name: value for name, value in shown.items() if name != 'absolute' or value}

    def evaluate(self, k: Any, n: int, original_dataset: Any, **fields: Any) -> dict[str, Any]:
        """What OpenCompass's own evaluation task calls, with the arguments of `score` as `fields`.

        Raises:
            CibenchError: the dataset asks for several runs (`n`, `k`), which its predictions file cannot hold.
        """
        refuse_runs({'n': n, 'k': k}, 'dataset')
        return self.score(**fields)

    def score(self, predictions: Any, references: Any, steps: list[Any]) -> dict[str, Any]:
        """Score a predictions file's `steps`; `references` say where their experiments come from."""
        sources = [reference['source'] for reference in references]
        experiments = [
            find_format(source['format']).load(Path(source['path']), source['id'], None, None) for source in sources
        ]
        read = zip(steps, experiments, strict=True)
        sessions = [works_read(actions, experiment.id, Path('figures')) for actions, experiment in read]
        scores = self.scores(sessions, experiments)
        return Results(profile=self.profile_name, options=self.set_options, steps=scores).content
