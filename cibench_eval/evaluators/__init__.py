"""trace + gold -> step scores. One file a scoring profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from cibench_eval.evaluators import official, strict
from cibench_eval.schema import CibenchError, Experiment, StepScore

Profile = Callable[..., list[StepScore]]
PROFILES: dict[str, Profile] = {'official': official.score_experiment, 'strict': strict.score_experiment}
"""Name -> what scores a session: the actions of its steps, its gold, the folder of its figures, its own options."""


def score_experiment(
    steps: list[official.Actions], experiment: Experiment, *, profile: str, figures: Path, **options: Any
) -> list[StepScore]:
    """Score a session by one of PROFILES: one score for each step of the gold.

    Args:
        steps, experiment, figures: see `official.score_experiment`.
        profile: name of the profile.
        options: of the profile; `tolerance` of `strict`.

    Raises:
        CibenchError: there is no such profile, or the session cannot be scored.
    """
    if profile not in PROFILES:
        raise CibenchError(f'no scoring profile {profile!r}; there is {", ".join(PROFILES)}')
    return PROFILES[profile](steps, experiment, figures, **options)


def values_of(score: StepScore) -> dict[str, float]:
    """What a step is worth, by metric; `vis_objects` is one."""
    values = {'tool_rate': float(score.tool_rate), 'executable': float(score.executable)}
    if score.metric is not None and score.score is not None:
        values[score.metric] = score.score
    if score.vis_objects is not None:
        values['vis_objects'] = score.vis_objects
    return values


def summarize(scores: list[StepScore], *, ran: bool = False) -> dict[str, Any]:
    """Metric -> mean over its steps × 100; `counts`: metric -> number of those steps; `experiments`: their number.

    A metric without steps is left out: it has no value, not the value 0.

    Args:
        scores: of all steps.
        ran: whether to give each metric of outputs also over the steps whose last call ran alone, as `<metric>_ran`:
            how good the outputs are where there are any.
    """
    values: dict[str, list[float]] = {}
    for score in scores:
        for metric, value in values_of(score).items():
            values.setdefault(metric, []).append(value)
            if ran and score.executable and metric not in ('tool_rate', 'executable'):
                values.setdefault(f'{metric}_ran', []).append(value)
    means = {metric: sum(those) / len(those) * 100 for metric, those in values.items()}
    counts = {metric: len(those) for metric, those in values.items()}
    return {**means, 'counts': counts, 'experiments': len({score.experiment for score in scores})}
