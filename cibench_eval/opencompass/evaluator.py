"""Scores as an OpenCompass evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cibench_eval.datasets.notebooks import load_experiments
from cibench_eval.evaluators import PROFILES, score_experiment, summarize
from cibench_eval.schema import CibenchError, Experiment


class SessionEvaluator:
    """Scores the steps of sessions by a scoring profile.

    Args:
        profile: `official`: the numbers of OpenCompass's own CIBench evaluator.
    """

    def __init__(self, profile: str = 'official') -> None:
        if profile not in PROFILES:
            raise CibenchError(f'evaluator: no scoring profile {profile!r}; there is {", ".join(PROFILES)}')
        self.profile = profile

    def results(self, steps: list[Any], experiments: list[Experiment], figures: Path) -> dict[str, Any]:
        """Metrics, counts, and under `details` every step's score.

        Args:
            steps: per experiment and step the actions, as a predictions file has them.
            experiments: the gold, in the same order.
            figures: where figures are looked for whose own path is gone.
        """
        scores = [
            score
            for actions, experiment in zip(steps, experiments, strict=True)
            for score in score_experiment(actions, experiment, profile=self.profile, figures=figures)
        ]
        details = [score.model_dump(mode='json') for score in scores]
        return {**summarize(scores), 'profile': self.profile, 'details': details}

    def score(self, predictions: list[Any], references: list[Any], steps: list[Any]) -> dict[str, Any]:
        """What OpenCompass's evaluation task calls; `references` name the notebooks that they come from."""
        experiments = [load_experiments(Path(reference['experiment']))[0] for reference in references]
        return self.results(steps, experiments, Path('figures'))
