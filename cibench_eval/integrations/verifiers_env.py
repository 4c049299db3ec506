"""The benchmark as an environment of verifiers (github.com/PrimeIntellect-ai/verifiers), for reinforcement learning.

    environment = verifiers.load_environment('cibench-eval', split='cibench_template', only='pandas/*', reward='steps')

A rollout is a session of ours: the same loop, prompts, kernels and scorers as those of `run.py`, with the policy of
verifiers in the place of a backend. So the same replies have the same scores. Rollouts share a pool of kernels; as many
as the machine has room for run side by side, and the others wait.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any, Literal, get_args

import verifiers as vf
from datasets import Dataset
from verifiers.types import Messages, Response, State, Tool, TrajectoryStep
from verifiers.utils.message_utils import normalize_messages

from cibench_eval.agents.transcript import merge
from cibench_eval.analysis.results import WHOLE
from cibench_eval.evaluators import Profile
from cibench_eval.integrations.external_model import ExternalModelSession, Request
from cibench_eval.integrations.sessions import Room, Sessions, builtin_split, scores_of, sessions_of, values_of
from cibench_eval.models.base import cut
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.schema import CibenchError, Experiment, Message, Reply, StepScore, ToolCall, parts_of

Reward = Literal['steps', 'session', 'graded']
SCORES = 'scores'
"""The state column that has what each step is worth: every metric, how it ended, and why."""
OF_ALL = (RIGHT, WHOLE, 'tool_rate', 'executable')
"""The means that every session has; what else steps have is in the scores."""
SESSION, ASKED, SAID = 'cibench_session', 'cibench_asked', 'cibench_said'
"""Under which the state of a rollout has its session, the open request, and what was said in the end."""


def load_environment(
    split: str = 'cibench_template',
    path: str | None = None,
    reward: Reward = 'steps',
    per_step: bool = False,
    max_sessions: int | None = None,
    **options: Any,
) -> vf.Environment:
    """The notebooks of a set as an environment.

    Args:
        split: of the sets that come with the package.
        path: folder of the notebooks, of any set, instead.
        reward: of a session, from 0 to 1: the share of its steps that are right (`steps`), 1 where all are (`session`),
            or the mean of what its steps are worth (`graded`: what the metrics say that decide whether it is right).
        per_step: whether each turn has the reward of its own step instead of the session's.
        max_sessions: at the same time; None is what the machine has room for.
        options: those of `sessions_of`: `only`, `mode`, `protocol`, `max_attempts`, …

    Raises:
        CibenchError: one of them is not what it may be.
    """
    if reward not in get_args(Reward):
        raise CibenchError(f'reward={reward}: there is {", ".join(get_args(Reward))}')
    folder = path or builtin_split(split, options.get('environment', 'modern'))
    return NotebookEnv(sessions_of(folder, **options), reward, per_step, max_sessions)


class NotebookEnv(vf.MultiTurnEnv):
    """Sessions of ours as rollouts; see `load_environment`."""

    def __init__(self, sessions: Sessions, reward: Reward, per_step: bool, max_sessions: int | None) -> None:
        self._sessions, self._reward, self._per_step = sessions, reward, per_step
        self._room = Room(sessions.settings, max_sessions)
        rows = [_row(one, sessions) for one in sessions.experiments.values()]
        metrics = [_metric(name) for name in OF_ALL]
        rubric = vf.Rubric([self.reward, *metrics], [1.0, *([0.0] * len(metrics))])
        super().__init__(dataset=Dataset.from_list(rows), rubric=rubric)

    async def setup_state(self, state: State) -> State:
        """Begin a session."""
        pool, slots = await self._room.enter()
        experiment = self._sessions.experiments[state['info']['experiment']]
        state[SESSION] = ExternalModelSession(experiment, self._sessions.settings, slots, pool)
        return state

    async def get_prompt_messages(self, state: State) -> Messages:
        """What the session asks next. Where it is over, nothing, which ends the rollout."""
        try:
            state[ASKED] = await state[SESSION].next()
        except CibenchError as error:
            raise vf.InfraError(str(error)) from error
        if state[ASKED] is None:
            state['final_env_response'] = []
            return []
        return _to_verifiers(state[ASKED].messages)

    async def get_model_response(self, state: State, prompt: Messages, **others: Any) -> Response:
        """The policy's answer; a conversation that is too long is asked again with parts of it left out."""
        while True:
            request: Request = state[ASKED]
            began = time.monotonic()
            sampling = {**(state['sampling_args'] or {}), **({'stop': request.stop} if request.stop else {})}
            tools = [Tool.model_validate(tool['function']) for tool in request.tools]
            try:
                response = await super().get_model_response(
                    state, prompt, tool_defs=tools, sampling_args=sampling, **others
                )
            except vf.OverlongPromptError:
                request.reply.set_result(Reply(text='', finish_reason='context_overflow'))
                following = await self.get_prompt_messages(state)
                if state[ASKED] is None:
                    raise
                prompt = following
                continue
            reply = _reply(response, request.stop)
            request.reply.set_result(reply.model_copy(update={'seconds': time.monotonic() - began}))
            return response

    async def add_model_response(self, state: State, prompt_messages: Messages, response: Response) -> None:
        """Keep a turn with the messages that were asked in the end."""
        asked = _to_verifiers(state[ASKED].messages)
        await super().add_model_response(state, asked, response)

    async def add_trajectory_step(self, state: State, trajectory_step: TrajectoryStep) -> None:
        """Keep a turn, and which step of which experiment it is of."""
        turn = state[ASKED].turn
        trajectory_step['extras'] |= {'experiment': turn.experiment, 'step': turn.step, 'attempt': turn.attempt}
        await super().add_trajectory_step(state, trajectory_step)

    async def env_response(self, messages: Messages, state: State, **others: Any) -> Messages:
        """Never asked for: `get_prompt_messages` says what comes next."""
        raise NotImplementedError

    async def render_completion(self, state: State) -> None:
        """What was said behind the prompt: every attempt, in its order."""
        state['completion'] = _to_verifiers(state.get(SAID, []))

    @vf.cleanup(priority=200)
    async def score(self, state: State) -> None:
        """End the session and score it, before verifiers looks at what was said."""
        if SESSION not in state:
            return
        try:
            trace = await state[SESSION].end()
        except CibenchError as error:
            state['error'] = state['error'] or vf.InfraError(str(error))
            return
        if state['error'] is not None:
            return
        experiment, profile = self._sessions.experiments[trace.experiment], self._sessions.profile
        scores = await asyncio.to_thread(scores_of, trace, experiment, profile)
        state[SCORES] = [one.model_dump(mode='json') for one in scores]
        said = [m for step in trace.steps for m in (*step.asked, *(n for a in step.attempts for n in a.messages))]
        state[SAID] = said[len(trace.steps[0].asked) :]
        if self._per_step:
            for turn in state['trajectory']:
                turn['reward'] = self._worth(scores[turn['extras']['step']])

    def reward(self, state: State) -> float:
        """The reward of a session; 0 where a fault of the harness ended it, which its `error` tells."""
        if SCORES not in state:
            return 0.0
        worth = [self._worth(one) for one in _scores(state)]
        return min(worth) if self._reward == 'session' else sum(worth) / len(worth)

    def _worth(self, score: StepScore) -> float:
        """The reward of a step."""
        if self._reward == 'graded':
            return graded(score, self._sessions.profile)
        return float(score.outcome == 'correct')

    @vf.teardown
    async def close(self) -> None:
        """Stop the kernels that are ready, where the event loop is still theirs."""
        await self._room.close()


def graded(score: StepScore, profile: Profile) -> float:
    """What a step is worth, from 0 to 1: the mean of the metrics that decide it, and 0 where its code did not run."""
    if score.outcome not in ('correct', 'wrong'):
        return 0.0
    deciding = [metric.name for metric in profile.metrics if metric.decides(score.kind)]
    own = [score.values[name] for name in deciding if name in score.values]
    return sum(own) / len(own) if own else float(score.outcome == 'correct')


def _row(experiment: Experiment, sessions: Sessions) -> dict[str, Any]:
    """A session as an entry of a data set: what it opens with, and which it is."""
    protocol, language = sessions.settings.agent.protocol, experiment.language
    opening = [*protocol.opening(language), *protocol.ask(protocol.named(experiment.steps[0], language), language)]
    info = {'experiment': experiment.id, 'steps': len(experiment.steps)}
    return {'prompt': merge(opening), 'info': json.dumps(info), 'answer': ''}


def _metric(name: str) -> Callable[[State], float]:
    """One of the means that every session has as a metric of verifiers; 0 where a fault of the harness ended it."""

    def metric(state: State) -> float:
        return values_of(_scores(state))[name] if SCORES in state else 0.0

    metric.__name__ = name
    return metric


def _scores(state: State) -> list[StepScore]:
    return [StepScore.model_validate(one) for one in state[SCORES]]


def _to_verifiers(messages: list[Message]) -> Messages:
    return normalize_messages([*map(_one, messages)])


def _one(message: Message) -> dict[str, Any]:
    """A message as verifiers reads it: what was thought stands beside the content."""
    parts = parts_of(message['content'])
    thought = [part['text'] for part in parts if part['type'] == 'reasoning']
    if not thought:
        return dict(message)
    text = '\n\n'.join(part['text'] for part in parts if part['type'] == 'text')
    return {**message, 'content': text, 'reasoning_content': '\n'.join(thought)}


def _reply(response: Response, stop: list[str]) -> Reply:
    """An answer of verifiers as one of ours."""
    message, usage = response.message, response.usage
    calls = [ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in message.tool_calls or []]
    return Reply(
        text=cut(_text(message.content), stop),
        reasoning=message.reasoning_content or '',
        tool_calls=calls,
        finish_reason=message.finish_reason or 'stop',
        tokens_in=usage.prompt_tokens if usage else None,
        tokens_out=usage.completion_tokens if usage else None,
    )


def _text(content: Any) -> str:
    if isinstance(content, str) or content is None:
        return content or ''
    return ''.join(part.text for part in content if part.get('type') == 'text')
