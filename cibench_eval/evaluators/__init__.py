"""trace + gold -> step scores: one engine, one list of metrics (`metrics.py`), a file a profile (`profiles/`).

    scores = score_session(works_of(trace.steps, figures), experiment, find_profile('strict'))

Rooms of their own: `comparing/` holds gold against answer, `failures/` says why a step failed, `judges/` asks models.
"""

from cibench_eval.evaluators.engine import Metric, MetricValue, Options, Profile, score_session
from cibench_eval.evaluators.profiles import find_profile, notebook_profiles, profile_names

__all__ = [
    'Metric',
    'MetricValue',
    'Options',
    'Profile',
    'find_profile',
    'notebook_profiles',
    'profile_names',
    'score_session',
]
