"""The benchmark as tasks of Inspect (inspect.aisi.org.uk): `inspect eval cibench_eval/builtin --model …`.

A sample is an experiment, and its solver a session of ours: the same loop, prompts, kernels and trace as those of
`run.py`, with Inspect's model in the place of a backend. So Inspect has the conversation, the retries, the cache and
the logs, and the same replies have the same scores.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageTool,
    ChatMessageUser,
    Content,
    ContentImage,
    ContentReasoning,
    ContentText,
    GenerateConfig,
    Model,
    ModelOutput,
    get_model,
)
from inspect_ai.scorer import Score, Scorer, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import ToolCall as InspectCall
from inspect_ai.tool import ToolInfo, ToolParams

from cibench_eval.agents import CodeBlock, ReAct, ToolCalls
from cibench_eval.agents.protocols.base import Figures
from cibench_eval.agents.session import Session
from cibench_eval.agents.settings import AgentSettings, SessionSettings
from cibench_eval.datasets import load_experiments
from cibench_eval.datasets.builtin_sets import builtin_folder
from cibench_eval.evaluators import find_profile, score_session
from cibench_eval.evaluators.outcomes import with_outcomes
from cibench_eval.evaluators.predictions import actions_of
from cibench_eval.interpreter import KernelSettings
from cibench_eval.models.base import Stateless, Tool, Turn
from cibench_eval.schema import CibenchError, Experiment, Message, Mode, Reply, StepScore, ToolCall, Trace, parts_of
from cibench_eval.traces import figures_of, save_figures

PROTOCOLS = {'react': ReAct, 'tool_calls': ToolCalls, 'code_block': CodeBlock}
FINISH = {'max_tokens': 'length', 'model_length': 'context_overflow'}
"""Inspect's words for why a reply ended -> ours, where they differ."""
TRACE, FIGURES = 'cibench_trace', 'cibench_figures'
"""Under which the store of a sample has its trace, and the folder of its figures."""


@task
def builtin(split: str = 'cibench_template', **options: Any) -> Task:
    """The built-in set: `cibench_template`, `cibench_template_chinese` or `cibench_generation`."""
    environment = str(options.get('environment', 'modern'))
    return notebooks(str(builtin_folder('builtin', environment) / split), **options)


@task
def builtin_hard(split: str = 'hard', **options: Any) -> Task:
    """The built-in hard set: `hard` or `hard_chinese`. The agent may look at the data first."""
    environment = str(options.get('environment', 'modern'))
    known = {'explore': True, 'max_attempts': 6, **options}
    return notebooks(str(builtin_folder('builtin_hard', environment) / split), **known)


@task
def notebooks(
    path: str,
    only: str | list[str] | None = None,
    mode: Mode = 'end_to_end',
    protocol: str = 'tool_calls',
    max_attempts: int = 3,
    explore: bool = False,
    figures: Figures = 'name',
    environment: str = 'modern',
    sandbox: str = 'bubblewrap',
    profile: str = 'strict',
) -> Task:
    """Notebooks of any set, as the official archive.

    Args:
        path: their folder.
        only: patterns of experiments, as `pandas/*`.
        mode: `end_to_end`, or `oracle`: each step goes on from the gold.
        protocol: how the agent talks: `react`, `tool_calls`, `code_block`.
        max_attempts: at a step.
        explore: whether a step goes on after code that ran, so that the model can look at the data first.
        figures: what the model sees of figures: their `name`, the `image`, or what they show in words (`describe`).
        environment, sandbox: of the kernels.
        profile: by which sessions are scored.

    Raises:
        CibenchError: one of them is not what it may be.
    """
    if protocol not in PROTOCOLS:
        raise CibenchError(f'protocol={protocol}: there is {", ".join(PROTOCOLS)}')
    find_profile(profile)
    experiments = load_experiments(path, include=[only] if isinstance(only, str) else only)
    agent = AgentSettings(
        PROTOCOLS[protocol](explore=explore, figures=figures),
        max_attempts,
        history='all' if explore else 'final',
    )
    settings = SessionSettings(
        agent,
        KernelSettings(environment=environment, sandbox=sandbox),
        mode,
        dataset_name=Path(path).name,
    )
    known = {one.id: one for one in experiments}
    samples = [
        Sample(id=one.id, input=one.steps[0].question, target='\n\n'.join(step.code for step in one.steps))
        for one in experiments
    ]
    return Task(
        MemoryDataset(samples, name=Path(path).name),
        solver=session(known, settings),
        scorer=steps(known, profile),
        metadata={'mode': mode, 'protocol': protocol, 'profile': profile},
    )


@solver
def session(experiments: dict[str, Experiment], settings: SessionSettings) -> Solver:
    """Run the session of a sample with Inspect's model; the trace and the figures go into its store."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        asked = InspectModel(get_model())
        trace = await Session(experiments[str(state.sample_id)], asked, settings).run()
        folder = tempfile.mkdtemp(prefix='cibench-figures-')
        save_figures(figures_of(trace), Path(folder))
        state.store.set(TRACE, trace.model_dump_json())
        state.store.set(FIGURES, folder)
        state.messages = [*map(to_inspect, said(trace))]
        if asked.last:
            state.output = asked.last
        return state

    return solve


@scorer(metrics={'*': [mean(), stderr()]})
def steps(experiments: dict[str, Experiment], profile: str) -> Scorer:
    """The share of right steps, whether all are, and the mean of each metric over the steps that have it."""
    chosen = find_profile(profile)

    async def score(state: TaskState, target: Target) -> Score:
        trace = Trace.model_validate_json(state.store.get(TRACE))
        folder = Path(state.store.get(FIGURES))
        actions = [actions_of(step, folder) for step in trace.steps]
        scores = score_session(actions, experiments[trace.experiment], chosen, folder)
        return as_score([*with_outcomes(scores, {trace.experiment: trace}, chosen)])

    return score


def as_score(scores: Sequence[StepScore]) -> Score:
    """The scores of a session as Inspect has them."""
    right = [one.outcome == 'correct' for one in scores]
    values: dict[str, float] = {'right': sum(right) / len(right), 'whole_sessions': float(all(right))}
    for name in dict.fromkeys(name for one in scores for name in one.values):
        own = [one.values[name] for one in scores if name in one.values]
        values[name] = sum(own) / len(own)
    lines = [
        f'step {one.index + 1}: {one.outcome} {json.dumps(one.values)} {"; ".join(one.details.values())}'
        for one in scores
    ]
    return Score(value=values, explanation='\n'.join(lines))


class InspectModel(Stateless):
    """A model of Inspect as one of ours.

    Args:
        model: what is asked.
    """

    wants_reasoning = True

    def __init__(self, model: Model) -> None:
        self._model = model
        self.last: ModelOutput | None = None
        """Its last answer."""

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        started = time.monotonic()
        config = GenerateConfig(stop_seqs=list(stop) or None)
        output = await self._model.generate([*map(to_inspect, messages)], [*map(_tool, tools)], config=config)
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


def said(trace: Trace) -> list[Message]:
    """All that was said in a session, with every attempt."""
    attempts = [
        message for step in trace.steps for message in (*step.asked, *(m for a in step.attempts for m in a.messages))
    ]
    return [*trace.opening, *attempts]


def to_inspect(message: Message) -> ChatMessage:
    """A message as Inspect has it."""
    content, role = _content(message), message['role']
    if role == 'system':
        return ChatMessageSystem(content=content)
    if role == 'user':
        return ChatMessageUser(content=content)
    if role == 'tool':
        return ChatMessageTool(content=content, tool_call_id=message.get('tool_call_id'))
    calls = [
        InspectCall(call['id'], call['function']['name'], json.loads(call['function']['arguments']))
        for call in message.get('tool_calls', [])
    ]
    return ChatMessageAssistant(content=content, tool_calls=calls or None)


def _content(message: Message) -> str | list[Content]:
    if isinstance(message['content'], str):
        return message['content']
    found: list[Content] = []
    for part in parts_of(message['content']):
        if part['type'] == 'image_url':
            found.append(ContentImage(image=part['image_url']['url']))
        elif part['type'] == 'reasoning':
            found.append(ContentReasoning(reasoning=part['text']))
        else:
            found.append(ContentText(text=part['text']))
    return found


def _tool(tool: Tool) -> ToolInfo:
    function = tool['function']
    parameters = ToolParams.model_validate(function['parameters'])
    return ToolInfo(name=function['name'], description=function['description'], parameters=parameters)


def _reasoning(message: ChatMessageAssistant) -> str:
    parts = [] if isinstance(message.content, str) else message.content
    return '\n'.join(part.reasoning for part in parts if isinstance(part, ContentReasoning))


def _arguments(call: InspectCall) -> str:
    """As the model wrote them, where they could not be read."""
    return json.dumps(call.arguments, ensure_ascii=False) if not call.parse_error else str(call.arguments)
