"""The `strict` profile: every metric as `metrics.py` computes it. `docs/metrics.md` has the rules and their reasons.

Predictions of OpenCompass's own harness are scored as well, by the text that they hold.
"""

from cibench_eval.evaluators.engine import Profile
from cibench_eval.evaluators.metrics import METRICS

PROFILE = Profile('strict', METRICS, options=('tolerance', 'absolute'))
