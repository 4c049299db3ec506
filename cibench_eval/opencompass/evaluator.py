"""Scores as an OpenCompass evaluator."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from cibench_eval.datasets.notebooks import load_experiment
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

    def evaluate(self, k: Any, n: int, original_dataset: Any, **fields: Any) -> dict[str, Any]:
        """What OpenCompass's own evaluation task calls, with the arguments of `score` as `fields`.

        Raises:
            CibenchError: the dataset asks for several runs (`n`), which its predictions file cannot hold.
        """
        if n != 1:
            raise CibenchError(f'dataset: n={n}: predictions files hold one run of each session; leave n out')
        return self.score(**fields)

    def score(self, predictions: Any, references: Any, steps: list[Any]) -> dict[str, Any]:
        """Score a predictions file's `steps`; `references` name the notebooks that they come from."""
        notebooks = [Path(reference['experiment']) for reference in references]
        experiments = [load_experiment(notebook, notebook.parent) for notebook in notebooks]
        return self.results(steps, experiments, Path('figures'))
