"""The benchmark as a task set of verifiers (github.com/PrimeIntellect-ai/verifiers), for reinforcement learning.

    vf-eval cibench-eval --env.taskset.only 'pandas/*' -m MODEL --client.base-url http://127.0.0.1:8000/v1

A task is an experiment, and the agent's harness one of our sessions, run in this process: each of its requests goes
through the interception of verifiers, so the same replies get the same scores as under `run.py`. With a `seed` the task
set never ends: each seed makes fresh notebooks, as `cibench data vary` does.
"""

from __future__ import annotations

import asyncio
import functools
import itertools
import math
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import KW_ONLY, dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar, Literal
from urllib.parse import quote

import verifiers.v1 as vf
from verifiers.v1.runtimes import ProgramResult

from cibench_eval.agents.step import OVERFLOW
from cibench_eval.cache import cache_dir, only_one
from cibench_eval.datasets.builtin_sets import VERSIONS
from cibench_eval.integrations.external_model import ExternalModelSession, Request
from cibench_eval.integrations.sessions import (
    SessionOptions,
    Sessions,
    SharedKernels,
    builtin_split,
    reward_of,
    scores_of,
    sessions_of,
    set_of,
)
from cibench_eval.models import OpenAICompatible
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, HarnessError, History, StepScore, Trace, steps_back
from cibench_eval.sets.vary import vary_set

Reward = Literal['steps', 'session', 'graded', 'distance']
STEPS, TURNS, FAILURE = 'steps', 'turns', 'failure'
"""Keys of a trace's `info`: the score and reward of each step, the step and reward of each turn, why there are none."""


class NotebookConfig(SessionOptions, vf.TasksetConfig):
    """`--env.taskset.*`: which notebooks, and how a session goes."""

    split: str = 'cibench_template'
    """Split of a built-in set."""
    path: Path | None = None
    """Folder with notebooks of any set, instead."""
    seed: int | None = None
    """Without end, fresh notebooks like those of the split, from this seed on."""
    made: Path | None = None
    """Folder that keeps fresh notebooks; None is one in the cache."""
    reward: Reward = 'steps'
    """What a session earns, from 0 to 1: the share of right `steps`; 1 where all are right (`session`); the mean of the
    steps' grades, which are means of the metrics that decide whether a step is right (`graded`); or the share of right
    steps in which each counts as often as there are steps back to what it leans on, at least once (`distance`)."""
    only: str | None = None
    """Pattern of experiments, such as `pandas/*`; with a seed, of templates (`cibench data vary --only`)."""
    history: History = 'all'
    """Attempts at a step that later requests show: `all`, so that each begins with the one before, or the `final`."""


class NotebookData(vf.TaskData):
    """An experiment, by the options of its task set, the seed that made it, and its id (`name`)."""

    options: str
    """A `NotebookConfig`, as JSON."""
    seed: int | None = None


class NotebookTask(vf.Task[NotebookData]):
    """A session; see `NotebookSession.close` for its scores."""

    async def finalize(self, trace: vf.Trace) -> None:
        """Refuse a trace without scores before it gets a reward."""
        if STEPS not in trace.info:
            raise vf.HarnessError(trace.info.get(FAILURE, 'verifiers ended the session before its first request'))

    @vf.reward
    async def reward(self, trace: vf.Trace) -> float:
        """The reward of a session."""
        steps = zip(trace.info[STEPS], _scores(trace), strict=True)
        decided = [(step['reward'], score) for step, score in steps if score.right is not None]
        worth, kind = [reward for reward, _ in decided], _config(self.data.options).reward
        if kind == 'session':
            return min(worth)
        weights = [1] * len(worth)
        if kind == 'distance':
            weights = [max(steps_back(one.index + 1, one.depends), 1) for _, one in decided]
        return sum(weight * one for weight, one in zip(weights, worth, strict=True)) / sum(weights)

    @vf.metric
    async def means(self, trace: vf.Trace) -> dict[str, float]:
        """The means over a session's steps."""
        return values_of(_scores(trace))


class NotebookTasks(vf.Taskset[NotebookTask, NotebookConfig]):
    """The experiments of a set, or without end those of one seed after the other."""

    def __init__(self, config: NotebookConfig) -> None:
        super().__init__(config)
        self.INFINITE = config.seed is not None

    def load(self) -> Iterator[NotebookTask]:
        """Yield the tasks; those of a seed are made when they are asked for."""
        options = self.config.model_dump_json()
        first = self.config.seed
        for seed in [None] if first is None else itertools.count(first):
            try:
                experiments = _sessions(options, seed).experiments
            except CibenchError as error:
                if seed != first:
                    raise
                raise SystemExit(f'cibench: error: {error}') from error  # `vf-eval` shows all others with a traceback
            for one in experiments.values():
                data = NotebookData(name=one.id, prompt=one.steps[0].question, options=options, seed=seed)
                yield NotebookTask(data, self.config.task)


class NotebookHarness(vf.Harness[vf.HarnessConfig]):
    """Runs sessions in this process; code runs in kernels of ours, not in the runtime of verifiers."""

    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def session(self, *of: Any, **others: Any) -> vf.HarnessSession:
        """The session of a rollout."""
        return NotebookSession(self, *of, **others)

    async def launch(self, *of: Any, **others: Any) -> ProgramResult:
        """Never called: `NotebookSession` runs the session."""
        raise NotImplementedError


class NotebookEnvConfig(vf.EnvConfig):
    """An environment whose runtime is this machine, since nothing runs in it."""

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig())


class NotebookEnv(vf.Env[NotebookEnvConfig]):
    """The environment of `NotebookTasks`."""

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        await agents.agent.run(task)


class NotebookSession(vf.HarnessSession):
    """One of our sessions as a rollout; `trace.info` gets its scores when it is closed."""

    _session: ExternalModelSession | None = None
    _sessions: Sessions
    _asked = False

    async def _run(self, messages: vf.Messages | None) -> ProgramResult:
        """Answer the session's requests until it is over, verifiers stops it, or the conversation is too long."""
        if messages is not None or self.data.system_prompt is not None:
            raise ValueError('a session has prompts of its own; give it neither messages nor a system prompt')
        self._sessions = await asyncio.to_thread(_sessions, self.data.options, self.data.seed)
        shared = _shared.setdefault(self.data.options, SharedKernels(self._sessions.settings))
        pool, slots = await shared.get()
        experiment = self._sessions.experiments[self.data.name]
        async with Policy(self.ctx.model, self.endpoint, given=self.secret) as policy:
            self._session = ExternalModelSession(experiment, self._sessions.settings, slots, pool)
            while (request := await self._session.next()) and await self._answer(request, policy):
                pass
        return ProgramResult(0, '', '')

    async def _answer(self, request: Request, policy: Policy) -> bool:
        """Answer a request; whether there may be another."""
        self._asked = True
        try:
            reply = await policy.chat(request.messages, request.turn, request.stop, request.tools)
        except HarnessError:
            if self.trace.stop_condition is None:
                raise
            return False
        request.reply.set_result(reply)
        if reply.finish_reason == OVERFLOW:
            self.trace.stop(OVERFLOW)
            return False
        turn = {'node': self.trace.calls[-1].node, 'step': request.turn.step, 'attempt': request.turn.attempt}
        self.trace.info.setdefault(TURNS, []).append(turn)
        return True

    async def close(self) -> None:
        """End the session: its remaining steps count as not done. Score it, unless the rollout has failed."""
        await super().close()
        session, self._session = self._session, None
        if session is None:
            return
        try:
            trace = await session.end()
            if self._asked and not self.trace.errors:
                await asyncio.to_thread(self._score, trace)
        except CibenchError as error:
            self.trace.info[FAILURE] = str(error)

    def _score(self, trace: Trace) -> None:
        scores = scores_of(trace, self._sessions.experiments[trace.experiment], self._sessions.profile)
        kind = _config(self.data.options).reward
        worth = [reward_of(one, self._sessions.profile, graded=kind == 'graded') for one in scores]
        self.trace.info[STEPS] = [
            {'reward': reward, 'score': one.model_dump(mode='json')} for reward, one in zip(worth, scores, strict=True)
        ]
        for turn in self.trace.info.get(TURNS, []):
            turn['reward'] = worth[turn['step']]


@dataclass(eq=False)
class Policy(OpenAICompatible):
    """The model of a rollout. Sampling settings and time limits are those of verifiers."""

    temperature: ClassVar[float | None] = None
    timeout: float = math.inf
    retries: int = 2
    send_reasoning: str | None = 'reasoning_content'
    _: KW_ONLY
    given: str = field(repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self._dialect.no_thought = ''  # with a blank, a turn is not what the policy said, and begins another branch


def _scores(trace: vf.Trace) -> list[StepScore]:
    return [StepScore.model_validate(step['score']) for step in trace.info[STEPS]]


@functools.cache
def _config(options: str) -> NotebookConfig:
    return NotebookConfig.model_validate_json(options)


_shared: dict[str, SharedKernels] = {}
"""The kernels that the sessions of a task set share, whichever seed they are of."""


@functools.lru_cache(maxsize=16)
def _sessions(options: str, seed: int | None) -> Sessions:
    """The sessions of a task set, or of one of its seeds."""
    config = _config(options)
    wanted = config.model_dump(include={*SessionOptions.model_fields})
    if seed is None:
        found = sessions_of(config.path or builtin_split(config.split, config.environment), **wanted)
    elif config.path is not None:
        raise CibenchError(f'seed={seed}: only built-in sets can be varied; leave out path={config.path}')
    else:
        found = sessions_of(_varied(config, seed), **{**wanted, 'only': None})
    agent = replace(found.settings.agent, overflow='end')
    return replace(found, settings=replace(found.settings, agent=agent))


def _varied(config: NotebookConfig, seed: int) -> Path:
    """The folder of a split on fresh data (`vary_set`), made once and kept; a `CibenchError` where it cannot be made.

    It is made in a thread: the caller may be inside an event loop, and gold code runs in one of its own.
    """
    name, original = set_of(config.split), builtin_split(config.split, config.environment)
    parts = (name, VERSIONS[name], config.environment, config.only or '*', seed)
    out = (config.made or cache_dir() / 'varied') / quote('_'.join(map(str, parts)), safe='')
    with only_one(out, lambda line: None):
        if not out.exists():
            with tempfile.TemporaryDirectory(dir=out.parent) as folder, ThreadPoolExecutor(1) as thread:
                new = Path(folder) / 'set'
                thread.submit(vary_set, seed, new, config.environment, config.only, of=name).result()
                new.rename(out)
    return out / original.name
