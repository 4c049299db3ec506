"""The benchmark as tasks of Inspect (inspect.aisi.org.uk): `inspect eval cibench_eval/builtin --model …`.

A sample is an experiment, and its solver runs one of our sessions, with Inspect's model instead of a backend. So
Inspect has the conversation, retries, cache and logs, and the same replies get the same scores as under `run.py`. A
session that a limit of Inspect's cuts short is scored, too: its remaining steps count as not done.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

from anyio import CancelScope
from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ContentReasoning,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.model._generate_config import active_generate_config
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo
from inspect_ai.util import LimitExceededError
from pydantic import TypeAdapter
from rich.text import Text

from cibench_eval.analysis.results import WHOLE
from cibench_eval.integrations.external_model import ExternalModelSession, Request
from cibench_eval.integrations.sessions import Sessions, SharedKernels, builtin_split, scores_of, sessions_of
from cibench_eval.models.base import Stateless, Tools, Turn
from cibench_eval.reports.comparison import RIGHT
from cibench_eval.reports.inspect_log import conversation_of, message_of
from cibench_eval.reports.sessions import values_of
from cibench_eval.schema import CibenchError, HarnessError, Message, Reply, StepScore, ToolCall

FINISH = {'max_tokens': 'length', 'model_length': 'context_overflow'}
"""Inspect's stop reasons -> our finish reasons, where they differ."""
TRACE, SCORES = 'cibench_trace', 'cibench_scores'
"""Keys of a sample's store: its trace, and the scores of its steps."""
MESSAGES: TypeAdapter[ChatMessage] = TypeAdapter(ChatMessage)

Options = ParamSpec('Options')


def told(made: Callable[Options, Task]) -> Callable[Options, Task]:
    """A task whose wrong options Inspect tells in one line, as it tells its own."""

    @wraps(made)
    def tell(*args: Options.args, **options: Options.kwargs) -> Task:
        try:
            return made(*args, **options)
        except CibenchError as error:
            raise PrerequisiteError(Text(f'cibench: error: {error}')) from error

    return tell


@task
@told
def builtin(split: str = 'cibench_template', **options: Any) -> Task:
    """The built-in set: `cibench_template`, `cibench_template_chinese` or `cibench_generation`."""
    return notebooks(str(builtin_split(split, options.get('environment', 'modern'))), **options)


@task
def builtin_hard(split: str = 'hard', **options: Any) -> Task:
    """The built-in hard set: `hard` or `hard_chinese`. The agent may look at the data first."""
    return builtin(split, **{'explore': True, 'max_attempts': 6, **options})


@task
@told
def notebooks(path: str, **options: Any) -> Task:
    """The notebooks in the folder `path`, in the layout of the official archive, with `SessionOptions`."""
    sessions = sessions_of(path, **options)
    samples = [
        Sample(id=one.id, input=one.steps[0].question, target='\n\n'.join(step.code for step in one.steps))
        for one in sessions.experiments.values()
    ]
    settings = sessions.settings
    about = {'mode': settings.mode, 'protocol': settings.agent.protocol.name, 'profile': sessions.profile.name}
    dataset = MemoryDataset(samples, name=settings.dataset_name)
    return Task(dataset, solver=session(sessions), scorer=steps(sessions), metadata=about)


@solver
def session(sessions: Sessions) -> Solver:
    """Run the session of a sample with Inspect's model, and put the trace and the scores into the sample's store."""
    shared = SharedKernels(sessions.settings)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        model = InspectModel(get_model())
        experiment = sessions.experiments[str(state.sample_id)]
        pool, slots = await shared.get()
        held = ExternalModelSession(experiment, sessions.settings, slots, pool, wants_reasoning=model.wants_reasoning)

        async def score() -> None:
            trace = await held.end()
            scores = await asyncio.to_thread(scores_of, trace, experiment, sessions.profile)
            state.store.set(TRACE, trace.model_dump_json())
            state.store.set(SCORES, [one.model_dump(mode='json') for one in scores])
            state.messages = [*map(to_inspect, conversation_of(trace))][: state.message_limit]
            if model.last:
                state.output = model.last

        try:
            await _answer(held, model)
        except (LimitExceededError, asyncio.CancelledError):
            with CancelScope(shield=True):
                if model.asked:
                    await score()
            raise
        finally:
            with CancelScope(shield=True):
                await held.close()
        await score()
        return state

    return solve


async def _answer(held: ExternalModelSession, model: InspectModel) -> None:
    """Answer the requests of a session, those of a moment side by side, until it is over."""

    async def answer(request: Request) -> None:
        request.reply.set_result(await model.chat(request.messages, request.turn, request.stop, request.tools))

    try:
        async with asyncio.TaskGroup() as answers:
            while request := await held.next():
                answers.create_task(answer(request))
    except ExceptionGroup as errors:
        raise errors.exceptions[0] from None


@scorer(metrics={'*': [mean(), stderr()]})
def steps(sessions: Sessions) -> Scorer:
    """The share of right steps, whether all are right, and the mean of each metric over the steps that have it.

    What a session has no step for is NaN, which Inspect leaves out of means; it refuses samples of other metrics.
    """
    asked = [step for experiment in sessions.experiments.values() for step in experiment.steps]
    names = [metric.name for metric in sessions.profile.metrics if any(map(metric.applies, asked))]
    unknown = dict.fromkeys([RIGHT, WHOLE, *names], math.nan)

    async def score(state: TaskState, target: Target) -> Score:
        if SCORES not in state.store:
            raise HarnessError(f'{state.sample_id}: Inspect ended the session before its first request')
        scores = [StepScore.model_validate(one) for one in state.store.get(SCORES)]
        lines = [
            f'step {one.index + 1}: {one.outcome} {json.dumps(one.values)} {"; ".join(one.details.values())}'
            for one in scores
        ]
        return Score(value=unknown | values_of(scores), explanation='\n'.join(lines))

    return score


class InspectModel(Stateless):
    """A model of Inspect as a backend."""

    def __init__(self, model: Model) -> None:
        self._model = model
        wanted = model.config.merge(active_generate_config()).reasoning_history
        self.wants_reasoning = (model.api.force_reasoning_history() or wanted) not in (None, 'none')
        """Whether reasoning goes back: Inspect forces it (Anthropic), or `reasoning_history` asks for it."""
        self.asked = False
        self.last: ModelOutput | None = None
        """Its last answer."""

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        self.asked, started = True, time.monotonic()
        config = GenerateConfig(stop_seqs=list(stop) or None)
        offered = [ToolInfo.model_validate(tool['function']) for tool in tools]
        output = await self._model.generate([*map(to_inspect, messages)], offered, config=config)
        self.last = output
        if output.error or not output.choices:
            return Reply(text='', finish_reason='content_filter', seconds=time.monotonic() - started)
        message, usage = output.choices[0].message, output.usage
        calls = [
            ToolCall(id=call.id, name=call.function, arguments=_arguments(call)) for call in message.tool_calls or []
        ]
        return Reply(
            text=message.text,
            reasoning=_reasoning(message),
            tool_calls=calls,
            finish_reason=FINISH.get(output.stop_reason, output.stop_reason),
            tokens_in=usage.input_tokens if usage else None,
            tokens_out=usage.output_tokens if usage else None,
            seconds=time.monotonic() - started,
        )


def to_inspect(message: Message) -> ChatMessage:
    """A message of ours as one of Inspect's, by the format of its logs."""
    return MESSAGES.validate_python(message_of(message, str))


def _reasoning(message: ChatMessageAssistant) -> str:
    parts = [] if isinstance(message.content, str) else message.content
    return '\n'.join(part.reasoning for part in parts if isinstance(part, ContentReasoning))


def _arguments(call: InspectCall) -> str:
    """The arguments as JSON, or as the model wrote them: where Inspect cannot parse them, its error alone has them.

    It has none of long ones but their ends, which are no code of the model.
    """
    if not call.parse_error:
        return json.dumps(call.arguments, ensure_ascii=False)
    if 'middle-truncated' in call.parse_error:
        return ''
    return call.parse_error.partition('\n\n')[2].rpartition('\n\nError details: ')[0]
