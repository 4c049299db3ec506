"""How a step ended, in one word: what the metrics of a step come to when a person asks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from cibench_eval.schema import Metric, StepOutcome, StepScore, StepTrace

CORRECT_FROM: dict[Metric, float] = {'numeric_correct': 1.0, 'general_correct': 1.0, 'text_score': 0.8, 'vis_sim': 0.8}
"""The score from which a step counts as correct. Numbers are right or wrong; for the graded metrics it is a convention,
on which the metrics themselves do not depend."""
OFFICIAL_FIGURE = 0.95
"""The same for figures under the profile `official`, where a blank one gets up to 0.9."""
FAILURES: dict[str, StepOutcome] = {'error': 'exec_error', 'timeout': 'timeout', 'kernel_died': 'kernel_died'}


def outcome_of(step: StepTrace | None, score: StepScore, profile: str = 'strict') -> StepOutcome:
    """How a step ended.

    Args:
        step: what was done; None where its session failed by a fault of the harness.
        score: what it is worth; a step without output to compare is correct if its code ran.
        profile: by which it was scored.
    """
    if step is None:
        return 'harness_error'
    ran = [attempt.execution for attempt in step.attempts if attempt.execution]
    if not ran:
        return 'exec_error' if score.tool_rate else 'no_tool'  # a call without code that could run
    if ran[-1].status != 'ok':
        return FAILURES[ran[-1].status]
    if score.metric is None or score.score is None:
        return 'correct'
    figure = profile == 'official' and score.metric == 'vis_sim'
    return 'correct' if score.score >= (OFFICIAL_FIGURE if figure else CORRECT_FROM[score.metric]) else 'wrong'


def count(outcomes: Iterable[StepOutcome]) -> dict[StepOutcome, int]:
    """How many steps ended in each way, the most frequent first."""
    return dict(Counter(outcomes).most_common())
