"""The `strict` profile: every metric as `metrics.py` computes it. `docs/metrics.md` has the rules and their reasons.

It reads what the `official` profile reads (a predictions file's actions, the gold, the figures), so that it scores
the files of OpenCompass's own harness as well.
"""

from __future__ import annotations

from cibench_eval.evaluators.engine import Profile
from cibench_eval.evaluators.metrics import METRICS

PROFILE = Profile('strict', METRICS, options=('tolerance', 'absolute'))
