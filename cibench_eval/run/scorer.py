"""What scores the sessions of a dataset, as a config says it: a scoring profile and its options."""

import math
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from cibench_eval.config import defaults
from cibench_eval.config.building import build
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.work import StepWork
from cibench_eval.packages import require
from cibench_eval.schema import CibenchError, Experiment, StepScore


class SessionScorer:
    """Scores the steps of sessions by a scoring profile.

    Args:
        profile: `official`: the numbers of OpenCompass's own CIBench evaluator. `strict`: what we hold to be right.
            Or the dotted name of a `Profile` of your own.
        tolerance: relative, of floating-point numbers, for profiles that take it (`strict`: 1e-4 by default).
        absolute: an amount by which they may differ, in place of the relative tolerance.
    """

    def __init__(
        self, profile: str = defaults.PROFILE, tolerance: float | None = None, absolute: float | None = None
    ) -> None:
        self.profile = find_profile(profile)
        require(f'the scoring profile {profile}', *self.profile.modules)
        self.profile_name = profile
        if tolerance is not None and ('tolerance' not in self.profile.options or not 0 <= tolerance < 1):
            raise CibenchError(
                f'evaluator: tolerance={tolerance!r}; it is from 0 to 1, and the profile {profile} '
                f'{"takes it" if self.profile.options else "takes none"}'
            )
        if absolute is not None and ('absolute' not in self.profile.options or not 0 <= absolute < math.inf):
            raise CibenchError(f'evaluator: absolute={absolute!r}; it is 0 or more, and only for profiles that take it')
        given = {'tolerance': tolerance, 'absolute': absolute}
        self.options = self.profile.defaults.model_copy(update={k: v for k, v in given.items() if v is not None})

    def scores(self, sessions: list[list[StepWork]], experiments: list[Experiment]) -> list[StepScore]:
        """Every step's score.

        Sessions are scored in threads: comparing figures, which is what takes time, leaves Python's lock to others.

        Args:
            sessions: what each did, step by step.
            experiments: the gold, in the same order.

        Raises:
            CibenchError: the profile does not decide on some of the steps, or a gold output is unreadable.
            HarnessError: a figure is gone.
        """
        self.check(experiments)

        def score(steps: list[StepWork], experiment: Experiment) -> list[StepScore]:
            return score_session(steps, experiment, self.profile, self.options)

        with ThreadPoolExecutor(os.cpu_count()) as threads:
            return [step for session in threads.map(score, sessions, experiments) for step in session]

    def check(self, experiments: Iterable[Experiment]) -> None:
        """Raise a `CibenchError` where the profile does not decide on some of the steps."""
        for experiment in experiments:
            self.profile.check(experiment)

    @property
    def set_options(self) -> dict[str, float]:
        """The options that mean something to the profile, for the results."""
        shown = self.options.model_dump(include=set(self.profile.options))
        return {name: value for name, value in shown.items() if name != 'absolute' or value}


def scorer_of(task: SessionTask) -> SessionScorer:
    """The scorer of a task's sessions; a `CibenchError` where there is no such profile, or it takes no such options."""
    return build(task.dataset.evaluator, f'dataset {task.dataset_name}: evaluator')
