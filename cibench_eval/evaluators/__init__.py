"""trace + gold -> step scores. One file a scoring profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cibench_eval.evaluators import official
from cibench_eval.schema import CibenchError, Experiment, StepScore

Profile = Callable[[list[official.Actions], Experiment, Path], list[StepScore]]
PROFILES: dict[str, Profile] = {'official': official.score_experiment}
"""Name -> what scores a session: the actions of its steps, its gold, the folder of its figures."""


def score_experiment(
    steps: list[official.Actions], experiment: Experiment, *, profile: str, figures: Path
) -> list[StepScore]:
    """Score a session by one of PROFILES: one score for each step of the gold.

    Raises:
        CibenchError: there is no such profile, or the session cannot be scored.
    """
    if profile not in PROFILES:
        raise CibenchError(f'no scoring profile {profile!r}; there is {", ".join(PROFILES)}')
    return PROFILES[profile](steps, experiment, figures)


def summarize(scores: list[StepScore]) -> dict[str, Any]:
    """Metric -> mean over its steps × 100; `counts`: metric -> number of those steps; `experiments`: their number.

    A metric without steps is left out: it has no value, not the value 0.
    """
    values: dict[str, list[float]] = {}
    for score in scores:
        values.setdefault('tool_rate', []).append(score.tool_rate)
        values.setdefault('executable', []).append(score.executable)
        if score.metric is not None and score.score is not None:
            values.setdefault(score.metric, []).append(score.score)
    means = {metric: sum(those) / len(those) * 100 for metric, those in values.items()}
    counts = {metric: len(those) for metric, those in values.items()}
    return {**means, 'counts': counts, 'experiments': len({score.experiment for score in scores})}
