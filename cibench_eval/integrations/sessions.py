"""What all frameworks share: which sessions are run, how, and what they are worth."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.agents import CodeBlock, ReAct, ToolCalls
from cibench_eval.agents.protocols.base import Figures
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.analysis.results import WHOLE
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.evaluators import Profile, find_profile, score_session
from cibench_eval.evaluators.outcomes import with_outcomes
from cibench_eval.evaluators.work import works_of
from cibench_eval.interpreter import KernelPool, KernelSettings
from cibench_eval.interpreter.environments import names
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.schema import CibenchError, Experiment, History, Language, Mode, StepScore, Trace
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import figures_of, save_figures

PROTOCOLS = {'react': ReAct, 'tool_calls': ToolCalls, 'code_block': CodeBlock}
HARD = ('hard', 'hard_chinese')
"""Splits of the built-in hard set; the others are of the built-in set."""


@dataclass(frozen=True)
class Sessions:
    """The sessions of a set of notebooks.

    Args:
        experiments: by their ids.
        settings: how all of them are run.
        profile: by which they are scored.
    """

    experiments: dict[str, Experiment]
    settings: SessionSettings
    profile: Profile


class Room:
    """The pool of kernels and the slots that sessions of one process share, in one event loop after the other.

    Args:
        settings: of the sessions.
        most: sessions at the same time; None is what the machine has room for.
    """

    def __init__(self, settings: SessionSettings, most: int | None = None) -> None:
        self._kernels, self._most = settings.kernels, most or default_sessions()
        self._of: tuple[asyncio.AbstractEventLoop, KernelPool, SessionSlots] | None = None

    async def enter(self) -> tuple[KernelPool, SessionSlots]:
        """What sessions of this event loop share."""
        loop = asyncio.get_running_loop()
        if self._of is None or self._of[0] is not loop:
            pool = KernelPool(self._kernels)
            self._of = loop, pool, SessionSlots(self._most)
            await pool.__aenter__()
        return self._of[1:]

    async def close(self) -> None:
        """Stop the kernels that are ready, where the event loop is still theirs."""
        if self._of and self._of[0] is asyncio.get_running_loop():
            await self._of[1].__aexit__(None, None, None)
            self._of = None


def builtin_split(split: str, environment: str = 'modern') -> Path:
    """The folder of a split that comes with the package.

    Raises:
        CibenchError: there is none of this name.
    """
    folder = builtin_folder('builtin_hard' if split in HARD else 'builtin', environment)
    if not (folder / split).is_dir():
        known = [*sorted(path.name for path in folder.iterdir() if path.is_dir()), *HARD]
        raise CibenchError(f'{split}: no split of a built-in set; there is {", ".join(dict.fromkeys(known))}')
    return folder / split


def sessions_of(
    path: str | Path,
    only: str | list[str] | None = None,
    mode: Mode = 'end_to_end',
    protocol: str = 'tool_calls',
    max_attempts: int = 3,
    explore: bool = False,
    history: History | None = None,
    figures: Figures = 'name',
    environment: str = 'modern',
    sandbox: str = 'bubblewrap',
    profile: str = 'strict',
    language: Language | None = None,
) -> Sessions:
    """The sessions of the notebooks in a folder.

    Args:
        path: the folder.
        only: patterns of experiments, as `pandas/*`.
        mode: `end_to_end`, or `oracle`: each step goes on from the gold.
        protocol: how the agent talks: `react`, `tool_calls`, `code_block`.
        max_attempts: at a step.
        explore: whether a step goes on after code that ran, so that the model can look at the data first.
        history: of an earlier step, later ones see the `final` attempt or `all`; None is `all` where the model may
            look first, else `final`.
        figures: what the model sees of figures: their `name`, the `image`, or what they show in words (`describe`).
        environment, sandbox: of the kernels.
        profile: by which sessions are scored.
        language: of all of them, in the place of what their files say.

    Raises:
        CibenchError: one of them is not what it may be.
    """
    if protocol not in PROTOCOLS:
        raise CibenchError(f'protocol={protocol}: there is {", ".join(PROTOCOLS)}')
    chosen = find_profile(profile)
    experiments = load_experiments(path, language=language, include=[only] if isinstance(only, str) else only)
    _check_environments(experiments, environment)
    agent = AgentSettings(
        PROTOCOLS[protocol](explore=explore, figures=figures),
        max_attempts,
        history=history or ('all' if explore else 'final'),
    )
    codes = {code for one in experiments for code in (one.setup, *(step.code for step in one.steps))}
    kernels = KernelSettings(environment=environment, sandbox=sandbox, preload=preload_of(codes))
    settings = SessionSettings(agent, kernels, mode, dataset_name=Path(path).name)
    return Sessions({one.id: one for one in experiments}, settings, chosen)


def _check_environments(experiments: Sequence[Experiment], runs: str) -> None:
    """See that kernels are of the environment of the gold outputs, unless they are of a user's own."""
    for experiment in experiments:
        if experiment.environment not in (None, runs) and runs in names():
            raise CibenchError(
                f'{experiment.path}: its gold outputs are of the kernel environment {experiment.environment}, kernels '
                f'run in {runs}; set environment={experiment.environment}'
            )


def scores_of(trace: Trace, experiment: Experiment, profile: Profile) -> list[StepScore]:
    """What a session that has just been run is worth, step by step."""
    with tempfile.TemporaryDirectory(prefix='cibench-figures-') as name:
        folder = Path(name)
        save_figures(figures_of(trace), folder)
        scores = score_session(works_of(trace.steps, folder), experiment, profile)
    return with_outcomes(scores, {trace.experiment: trace}, profile)


def values_of(scores: Sequence[StepScore]) -> dict[str, float]:
    """The share of right steps, whether all are, and the mean of each metric over the steps that have it."""
    right = [one.outcome == 'correct' for one in scores]
    values = {RIGHT: sum(right) / len(right), WHOLE: float(all(right))}
    for name in dict.fromkeys(name for one in scores for name in one.values):
        own = [one.values[name] for one in scores if name in one.values]
        values[name] = sum(own) / len(own)
    return values
