"""Scoring profiles, a file each: a module `NAME.py` here defines `PROFILE`."""

from cibench_eval.evaluators.engine import Profile
from cibench_eval.evaluators.metrics import BY_NAME
from cibench_eval.registry import find_part, part_names


def profile_names() -> list[str]:
    """The profiles that come with the package."""
    return part_names(__name__)


def notebook_profiles() -> list[str]:
    """The profiles that compare the output of notebook steps."""
    return [name for name in profile_names() if find_profile(name).deciding('num')]


def find_profile(name: str) -> Profile:
    """A profile by its name, or by the dotted name of one of your own (`my_module.PROFILE`).

    Raises:
        CibenchError: there is none.
    """
    found = find_part(name, __name__, 'PROFILE', Profile, 'scoring profile')
    for metric in found.metrics:
        BY_NAME.setdefault(metric.name, metric)
    return found
