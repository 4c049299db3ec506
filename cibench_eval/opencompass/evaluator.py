"""Scores as an OpenCompass evaluator."""

from pathlib import Path
from typing import Any

from cibench_eval.analysis.results import Results
from cibench_eval.config.building import runs_problems
from cibench_eval.datasets.formats import find_format
from cibench_eval.evaluators.predictions import works_read
from cibench_eval.run.scorer import SessionScorer
from cibench_eval.schema import CibenchError


class SessionEvaluator(SessionScorer):
    """Scores the steps of sessions by a scoring profile, with the arguments of `SessionScorer`."""

    def evaluate(self, k: Any, n: int, original_dataset: Any, **fields: Any) -> dict[str, Any]:
        """The entry point of OpenCompass's own evaluation task; `fields` are the arguments of `score`.

        Raises:
            CibenchError: the dataset asks for several runs (`n`, `k`), which its predictions file cannot hold.
        """
        for problem in runs_problems({'n': n, 'k': k}):
            raise CibenchError(f'dataset: {problem}')
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
