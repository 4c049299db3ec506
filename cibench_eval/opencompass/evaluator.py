"""Scores as an OpenCompass evaluator."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from cibench_eval.datasets.notebooks import load_experiment
from cibench_eval.evaluators import PROFILES, score_experiment, summarize
from cibench_eval.evaluators.comparing.numbers import TOLERANCE
from cibench_eval.opencompass.build import refuse_runs
from cibench_eval.schema import CibenchError, Experiment, StepScore


class SessionEvaluator:
    """Scores the steps of sessions by a scoring profile.

    Args:
        profile: `official`: the numbers of OpenCompass's own CIBench evaluator. `strict`: what we hold to be right,
            with each metric of outputs also over the steps whose code ran (`<metric>_ran`).
        tolerance: relative, of floating-point numbers in the `strict` profile, which has 1e-4 by default.
    """

    def __init__(self, profile: str = 'official', tolerance: float | None = None) -> None:
        if profile not in PROFILES:
            raise CibenchError(f'evaluator: no scoring profile {profile!r}; there is {", ".join(PROFILES)}')
        if tolerance is not None and (profile != 'strict' or not 0 <= tolerance < 1):
            raise CibenchError(f'evaluator: tolerance={tolerance!r}; it is from 0 to 1 and of the profile strict only')
        self.profile = profile
        self.options = {'tolerance': TOLERANCE if tolerance is None else tolerance} if profile == 'strict' else {}

    def results(self, steps: list[Any], experiments: list[Experiment], figures: Path) -> dict[str, Any]:
        """Metrics, counts, and under `details` every step's score.

        Sessions are scored in threads: comparing figures, which is what takes time, leaves Python's lock to others.

        Args:
            steps: per experiment and step the actions, as a predictions file has them.
            experiments: the gold, in the same order.
            figures: where figures are looked for whose own path is gone.
        """

        def score(actions: Any, experiment: Experiment) -> list[StepScore]:
            return score_experiment(actions, experiment, profile=self.profile, figures=figures, **self.options)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            sessions = list(threads.map(score, steps, experiments))
        scores = [step for session in sessions for step in session]
        details = [score.model_dump(mode='json') for score in scores]
        summary = summarize(scores, ran=self.profile == 'strict')
        return {**summary, 'profile': self.profile, **self.options, 'details': details}

    def evaluate(self, k: Any, n: int, original_dataset: Any, **fields: Any) -> dict[str, Any]:
        """What OpenCompass's own evaluation task calls, with the arguments of `score` as `fields`.

        Raises:
            CibenchError: the dataset asks for several runs (`n`, `k`), which its predictions file cannot hold.
        """
        refuse_runs({'n': n, 'k': k}, 'dataset')
        return self.score(**fields)

    def score(self, predictions: Any, references: Any, steps: list[Any]) -> dict[str, Any]:
        """Score a predictions file's `steps`; `references` name the notebooks that they come from."""
        notebooks = [Path(reference['experiment']) for reference in references]
        experiments = [load_experiment(notebook, notebook.parent) for notebook in notebooks]
        return self.results(steps, experiments, Path('figures'))
