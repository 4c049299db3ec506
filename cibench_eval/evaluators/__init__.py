"""trace + gold -> step scores. One file a scoring profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cibench_eval.evaluators import official
from cibench_eval.schema import Experiment, StepScore

Profile = Callable[[list[official.Actions], Experiment, Path], list[StepScore]]
PROFILES: dict[str, Profile] = {'official': official.score_experiment}


def score_experiment(
    steps: list[official.Actions], experiment: Experiment, *, profile: str, figures: Path
) -> list[StepScore]:
    """Score a session by one of PROFILES (see there for the arguments)."""
    return PROFILES[profile](steps, experiment, figures)


def summarize(scores: list[StepScore]) -> dict[str, Any]:
    """Metric -> mean over its steps × 100, and under `counts` metric -> number of those steps.

    A metric without steps is left out: it has no value, not the value 0.
    """
    values: dict[str, list[float]] = {}
    for score in scores:
        values.setdefault('tool_rate', []).append(score.tool_rate)
        values.setdefault('executable', []).append(score.executable)
        if score.metric is not None and score.score is not None:
            values.setdefault(score.metric, []).append(score.score)
    means = {metric: 100 * sum(those) / len(those) for metric, those in values.items()}
    return {**means, 'counts': {metric: len(those) for metric, those in values.items()}}
