"""What all integrations share: the sessions of a set, their kernels, and their scores."""

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from cibench_eval.agents import CodeBlock, ReAct, ToolCalls
from cibench_eval.agents.protocols.base import Figures
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import VERSIONS, builtin_folder
from cibench_eval.evaluators import Profile, find_profile, score_session
from cibench_eval.evaluators.engine import score_step, with_outcomes
from cibench_eval.evaluators.work import StepWork, works_of
from cibench_eval.interpreter import KernelPool, KernelSettings
from cibench_eval.interpreter.environments import names
from cibench_eval.schema import (
    CibenchError,
    Experiment,
    History,
    Language,
    Mode,
    StepScore,
    Trace,
    problem,
)
from cibench_eval.sets.preload import preload_of
from cibench_eval.traces import figures_of, save_figures

PROTOCOLS = {protocol.name: protocol for protocol in (ReAct, ToolCalls, CodeBlock)}
PREFIX = 'builtin_'
"""The names of the other built-in sets begin so; each has a split of its own name, and one in Chinese."""


@dataclass(frozen=True)
class Sessions:
    """The sessions of a set of notebooks: experiments by id, how they are run, what scores them."""

    experiments: dict[str, Experiment]
    settings: SessionSettings
    profile: Profile


class SharedKernels:
    """The kernel pool and the slots that sessions of one process share; each event loop gets its own.

    Args:
        most: sessions at the same time; None is what the machine has room for. Then no kernel is started in advance:
            frameworks that say no number do not tell which session is the last, either.
    """

    def __init__(self, settings: SessionSettings, most: int | None = None) -> None:
        self._kernels = settings.kernels if most else settings.kernels.model_copy(update={'pool_size': 0})
        self._most = most or default_sessions()
        self._opened: tuple[asyncio.AbstractEventLoop, KernelPool, SessionSlots] | None = None

    async def get(self) -> tuple[KernelPool, SessionSlots]:
        """The pool and the slots of this event loop."""
        loop = asyncio.get_running_loop()
        if self._opened is None or self._opened[0] is not loop:
            pool = KernelPool(self._kernels)
            self._opened = loop, pool, SessionSlots(self._most)
            await pool.__aenter__()
        return self._opened[1:]

    async def close(self) -> None:
        """Stop the kernels that are ready, unless they belong to an earlier event loop."""
        if self._opened and self._opened[0] is asyncio.get_running_loop():
            await self._opened[1].__aexit__(None, None, None)
            self._opened = None


def builtin_split(split: str, environment: str = 'modern') -> Path:
    """The folder of a split of the built-in sets; a `CibenchError` where there is no such split.

    `builtin_hard`, as its set is called, is the split `hard`.
    """
    name = split.removeprefix(PREFIX)
    folder = builtin_folder(set_of(split), environment)
    if not name or not (folder / name).is_dir():
        others = [one.removeprefix(PREFIX) for one in VERSIONS if one.startswith(PREFIX)]
        there = [
            *sorted(path.name for path in folder.iterdir() if path.is_dir()),
            *(f'{one}{end}' for one in others for end in ('', '_chinese')),
        ]
        known = list(dict.fromkeys(there))
        near = get_close_matches(name, known, n=1)
        meant = f'; did you mean {near[0]}?' if near else ''
        raise CibenchError(
            f'{split}: no split of a built-in set; there is {", ".join(known)}, or a folder of notebooks{meant}'
        )
    return folder / name


def set_of(split: str) -> str:
    """The built-in set of a split."""
    own = PREFIX + split.removeprefix(PREFIX).removesuffix('_chinese')
    return own if own in VERSIONS else 'builtin'


class SessionOptions(BaseModel, extra='forbid'):
    """How the sessions of a set are run, and what scores them."""

    only: str | list[str] | None = None
    """Patterns of experiments, such as `pandas/*`."""
    mode: Mode = 'end_to_end'
    """`end_to_end`, or `oracle`: each step starts from the gold."""
    protocol: Literal['react', 'tool_calls', 'code_block'] = 'tool_calls'
    max_attempts: int = AgentSettings.max_attempts
    """Most attempts at a step."""
    explore: bool = False
    """Whether a step goes on after code that ran, so that the model can look at the data first."""
    history: History | None = None
    """Attempts at a step that later steps see, the `final` one or `all`; None is `all` with `explore`, else `final`."""
    figures: Figures = 'name'
    """How the model sees figures: their `name`, the `image`, or a description (`describe`)."""
    environment: str = 'modern'
    """The kernel environment."""
    sandbox: str = 'bubblewrap'
    """The sandbox of the kernels."""
    profile: str = 'strict'
    """The scoring profile."""
    language: Language | None = None
    """The language of all sessions; None takes the language of each from its file."""


def sessions_of(path: str | Path, **options: Any) -> Sessions:
    """The sessions of the notebooks in a folder, by `SessionOptions`; a `CibenchError` where one has a wrong value."""
    if not isinstance(path, str | Path):
        raise CibenchError(f'path is {path!r}; it must be the folder of a set')
    try:
        given = SessionOptions(**options)
    except ValidationError as error:
        first = error.errors()[0]
        unknown = str(first['loc'][-1]) if first['type'] == 'extra_forbidden' else ''
        near = get_close_matches(unknown, ['split', 'path', *SessionOptions.model_fields], n=1)
        raise CibenchError(problem(error) + (f'; did you mean {near[0]}?' if near else '')) from error
    chosen = find_profile(given.profile)
    experiments = load_experiments(
        path, language=given.language, include=[given.only] if isinstance(given.only, str) else given.only
    )
    _check_environments(experiments, given.environment)
    for experiment in experiments:
        chosen.check(experiment)
        _check_decided(experiment, chosen)
    agent = AgentSettings(
        PROTOCOLS[given.protocol](explore=given.explore, figures=given.figures),
        given.max_attempts,
        history=given.history or ('all' if given.explore else 'final'),
    )
    codes = {code for one in experiments for code in (one.setup, *(step.code for step in one.steps))}
    kernels = KernelSettings(environment=given.environment, sandbox=given.sandbox, preload=preload_of(codes))
    settings = SessionSettings(agent, kernels, given.mode, dataset_name=Path(path).name)
    return Sessions({one.id: one for one in experiments}, settings, chosen)


def _check_environments(experiments: Sequence[Experiment], runs: str) -> None:
    """Refuse kernels of another environment than the gold outputs', unless it is the user's own."""
    for experiment in experiments:
        if (made_in := experiment.environment) not in (None, runs) and runs in names():
            raise CibenchError(
                f'{experiment.path}: its gold outputs are of the kernel environment {made_in}, kernels '
                f'run in {runs}' + (f'; set environment={made_in}' if made_in in names() else '')
            )


def _check_decided(experiment: Experiment, profile: Profile) -> None:
    """Refuse notebooks that no code can get right: there would be no reward."""
    nothing = StepWork([], Path(), has_states=True)
    empty = (score_step(nothing, step, experiment.id, profile, profile.defaults) for step in experiment.steps)
    if not any(score.decided for score in empty):
        raise CibenchError(
            f'{experiment.path}: nothing decides whether one of its steps is right, so there is no reward; declare '
            f'answers in it, describe its variables (cibench data describe), or leave it out'
        )


def scores_of(trace: Trace, experiment: Experiment, profile: Profile) -> list[StepScore]:
    """Score each step of a session that has just been run."""
    with tempfile.TemporaryDirectory(prefix='cibench-figures-') as name:
        folder = Path(name)
        save_figures(figures_of(trace), folder)
        scores = score_session(works_of(trace.steps, folder), experiment, profile)
    return with_outcomes(scores, {trace.experiment: trace}, profile)


def reward_of(score: StepScore, profile: Profile, *, graded: bool = False) -> float | None:
    """1 for a right step, 0 for a failed one, None where nothing decides on it.

    Args:
        graded: whether a step whose code ran gets the mean of the metrics that decide on it.
    """
    if score.right is None:
        return None
    if not graded or score.outcome not in ('correct', 'wrong'):
        return float(score.right)
    deciding = [metric.name for metric in profile.metrics if metric.decides(score.kind)]
    own = [score.values[name] for name in deciding if name in score.values]
    return sum(own) / len(own)
