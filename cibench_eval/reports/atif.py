"""Sessions as trajectories in Harbor's Agent Trajectory Interchange Format (ATIF), for its viewer and for training.

A trajectory is a session: its instructions, each question, and each attempt with its code, what the model was shown of
it, tokens and seconds. What this model did not write (a worked example, the gold's turns in oracle mode) is marked as
copied context, which training leaves out.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from cibench_eval import __version__
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.reports.sessions import SessionView, calls_of
from cibench_eval.schema import Attempt, Content, Message, Trace, parts_of

VERSION = 'ATIF-v1.7'
"""The oldest version that has all that is used here."""
Place = Callable[[str], str]
"""Path of an image in a conversation (`figures/….png`) -> its path from the trajectory's file."""
NOTES = {
    'oracle': 'Each question was asked after the gold answers of those before it, which come after the attempts; the '
    'model did not see its own attempts at earlier questions.',
    'final': 'The model did not see the earlier attempts at a question once it was at the next one, only the last.',
    'all': '',
}


def trajectory_of(view: SessionView, model: str, price: Price, place: Place) -> dict[str, Any]:
    """The trajectory of a session of `model`."""
    trace = view.trace
    steps = [{'step_id': number, **step} for number, step in enumerate(_steps(trace, price, place), 1)]
    steps[0]['timestamp'] = trace.started
    agent = {'protocol': trace.protocol, 'max_attempts': trace.max_attempts, 'mode': trace.mode}
    return {
        'schema_version': VERSION,
        'session_id': f'{trace.model}/{trace.dataset}/{trace.experiment}',
        'agent': {
            'name': 'cibench-eval',
            'version': __version__,
            'model_name': model,
            **({'tool_definitions': trace.tools} if trace.tools else {}),
            'extra': agent | {'history': trace.history},
        },
        'steps': steps,
        **({'notes': note} if (note := NOTES['oracle' if trace.mode == 'oracle' else trace.history]) else {}),
        'final_metrics': _total(view, price, len(steps)),
        'extra': {
            'dataset': trace.dataset,
            'experiment': trace.experiment,
            'epoch': trace.epoch,
            'profile': view.profile,
            'provenance': trace.provenance,
            'questions': [line.record() for line in view.lines()],
        },
    }


def _total(view: SessionView, price: Price, steps: int) -> dict[str, Any]:
    """The sums of all steps, and what the session is worth."""
    trace = view.trace
    usage = usage_of(trace.steps, price, with_cached=True)
    cost = usage_of(trace.steps, price).cost
    replies = [attempt.reply for step in trace.steps for attempt in step.attempts]
    return {
        'total_prompt_tokens': usage.tokens_in,
        'total_completion_tokens': usage.tokens_out,
        'total_cached_tokens': sum(reply.cached_tokens or 0 for reply in replies),
        'total_steps': steps,
        'extra': {
            'seconds': trace.seconds,
            'model_seconds': usage.model_seconds,
            'kernel_seconds': usage.kernel_seconds,
            **({'cost': cost} if cost else {}),
            'scores': view.values,
        },
    }


def _steps(trace: Trace, price: Price, place: Place) -> Iterator[dict[str, Any]]:
    yield from _copied(trace.opening, place, {})
    for step in trace.steps:
        about = {'question': step.index + 1}
        yield from _copied(step.asked, place, about)
        for number, attempt in enumerate(step.attempts, 1):
            call = f'question-{step.index + 1}-{number}'
            ran = {'attempt': number, **_ran(attempt, place)}
            yield _turn(attempt, call, price, place) | {'extra': about | ran}
        if step.index < len(trace.gold):
            yield from _copied(trace.gold[step.index], place, about | {'gold': True})


def _copied(messages: Iterable[Message], place: Place, about: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Messages that the model was shown: as the system, the user, or an agent that was not this model."""
    left = list(messages)
    while left:
        message = left.pop(0)
        step: dict[str, Any] = {'source': message['role'], 'message': _content(message['content'], place)}
        if message['role'] == 'assistant':
            step |= {'source': 'agent', 'is_copied_context': True, 'llm_call_count': 0}
            answers = len(list(itertools.takewhile(lambda one: one['role'] == 'tool', left)))
            step |= _calls(message, left[:answers], place)
            left = left[answers:]
        yield step | ({'extra': about} if about else {})


def _calls(turn: Message, shown: list[Message], place: Place) -> dict[str, Any]:
    """The calls in a turn of the agent, and what the model was shown after it."""
    calls = [{'tool_call_id': id_, 'function_name': name, 'arguments': given} for id_, name, given in calls_of(turn)]
    results = [
        {
            **({'source_call_id': message['tool_call_id']} if 'tool_call_id' in message else {}),
            'content': _content(message['content'], place),
        }
        for message in shown
    ]
    return {**({'tool_calls': calls} if calls else {}), **({'observation': {'results': results}} if results else {})}


def _turn(attempt: Attempt, call: str, price: Price, place: Place) -> dict[str, Any]:
    """An attempt: a reply of the model, its calls, and what it was shown; `call` names one in the text of the reply."""
    reply = attempt.reply
    turn, *shown = attempt.messages
    made = _calls(turn, shown, place)
    action = attempt.action
    if 'tool_calls' not in made and action.tool:
        code = action.argument if action.code is None else action.code
        made['tool_calls'] = [{'tool_call_id': call, 'function_name': action.tool, 'arguments': {'code': code}}]
        for result in made.get('observation', {'results': []})['results'][:1]:
            result['source_call_id'] = call
    cost = price.of(reply.tokens_in or 0, reply.tokens_out or 0, reply.cached_tokens or 0)
    more = {
        'reasoning_tokens': reply.reasoning_tokens,
        'seconds': reply.seconds,
        'first_token': reply.first_token,
        'cost': None if reply.cached else cost or None,
    }
    metrics = {
        'prompt_tokens': reply.tokens_in,
        'completion_tokens': reply.tokens_out,
        'cached_tokens': reply.cached_tokens,
        'extra': _known(more),
    }
    return {
        'source': 'agent',
        'message': reply.text,
        **({'reasoning_content': reply.reasoning} if reply.reasoning else {}),
        **made,
        'metrics': _known(metrics),
    }


def _known(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _ran(attempt: Attempt, place: Place) -> dict[str, Any]:
    """How a reply ended and what its code did, with the figures that it drew, whether or not the model saw them."""
    runs = [
        {
            'status': execution.status,
            'seconds': execution.seconds,
            **({'error': execution.error.name} if execution.error else {}),
            'figures': [place(figure.filename) for figure in execution.figures],
        }
        for _, execution in attempt.runs
    ]
    return {'finish_reason': attempt.reply.finish_reason, 'executions': runs}


def _content(content: Content, place: Place) -> str | list[dict[str, Any]]:
    """What a message says; the thinking that a model wants back stands with its reply."""
    parts = [part for part in parts_of(content) if part['type'] != 'reasoning']
    if not any(part['type'] == 'image_url' for part in parts):
        return '\n\n'.join(part['text'] for part in parts if part['type'] == 'text')
    return [
        {'type': 'image', 'source': {'media_type': 'image/png', 'path': place(part['image_url']['url'])}}
        if part['type'] == 'image_url'
        else {'type': 'text', 'text': part['text']}
        for part in parts
    ]
