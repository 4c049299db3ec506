"""Sessions in Inspect's log format (inspect.aisi.org.uk, version 2), which `inspect view` opens.

A log holds one model on one dataset. A sample is a session: its conversation with every attempt, in order; its scores,
each the mean over the steps that have it; and, in its metadata, every step with the details of its scores. A planned
session that is not there is a sample with an error, and then the log has one, too.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from cibench_eval import __version__
from cibench_eval.models.limits import Price, Usage, usage_of
from cibench_eval.reports.sessions import SessionView, StepLine, calls_of
from cibench_eval.schema import Experiment, Message, Trace, parts_of

SCORER = 'cibench'
Image = Callable[[str], str]
"""Path of an image in a conversation (`figures/….png`) -> a data URL."""


def log_of(
    task: str, views: Sequence[SessionView], lost: Mapping[str, Experiment | None], price: Price, image: Image
) -> dict[str, Any]:
    """The log of a model's sessions (at least one) on one dataset.

    Args:
        lost: the experiments without a session; None where the notebook is missing.
    """
    first = views[0].trace
    started = min(one.trace.started for one in views)
    done = [_sample(view, price, image) for view in views]
    samples = [*done, *(_lost_sample(name, gold, first) for name, gold in lost.items())]
    problem = f'{len(lost)} of {len(samples)} sessions are not there: {", ".join(lost)}'
    epochs = len({one.trace.epoch for one in views})
    run = hashlib.sha256(f'{first.model} {task} {started}'.encode()).hexdigest()[:22]
    ids = list(dict.fromkeys(sample['id'] for sample in samples))
    total = usage_of([step for view in views for step in view.trace.steps], price)
    return {
        'version': 2,
        'status': 'error' if lost else 'success',
        **({'error': _error(problem)} if lost else {}),
        'eval': {
            'eval_id': run,
            'run_id': run,
            'task_id': run,
            'created': _utc(started),
            'task': task,
            'task_version': 0,
            'task_attribs': {},
            'task_args': {'mode': first.mode, 'protocol': first.protocol, 'max_attempts': first.max_attempts},
            'dataset': {'name': task, 'samples': len(ids), 'sample_ids': ids, 'shuffled': False},
            'model': first.model,
            'model_args': {},
            'config': {'epochs': epochs},
            'packages': {'cibench-eval': __version__},
            'metadata': {'profile': views[0].profile, **first.provenance},
        },
        'plan': {'name': 'plan', 'steps': [{'solver': first.protocol, 'params': {}}], 'config': {}},
        'results': {
            'total_samples': len(samples),
            'completed_samples': len(done),
            'scores': list(_means(samples)),
        },
        'stats': {
            'started_at': _utc(started),
            'completed_at': max(_utc(one.trace.started, one.trace.seconds) for one in views),
            'model_usage': {first.model: _usage(total)},
        },
        'samples': samples,
    }


def file_name(log: dict[str, Any]) -> str:
    """The name by which Inspect finds the file: time, task, id."""
    task = ''.join(letter if letter.isalnum() else '-' for letter in f'{log["eval"]["task"]}-{log["eval"]["model"]}')
    return f'{log["eval"]["created"].replace(":", "-")}_{task}_{log["eval"]["task_id"]}.json'


def _utc(moment: str, later: float = 0.0) -> str:
    """A time of a trace as ISO 8601 with its zone."""
    read = datetime.fromisoformat(moment)
    return ((read if read.tzinfo else read.replace(tzinfo=UTC)) + timedelta(seconds=later)).isoformat(
        timespec='seconds'
    )


def _sample(view: SessionView, price: Price, image: Image) -> dict[str, Any]:
    trace, usage = view.trace, usage_of(view.trace.steps, price)
    messages = [message_of(one, image) for one in conversation_of(trace)]
    lines = view.lines()
    replies = [attempt.reply for step in trace.steps for attempt in step.attempts]
    last = next((message for message in reversed(messages) if message['role'] == 'assistant'), None)
    choices = [{'message': last, 'stop_reason': 'stop'}] if last else []
    return {
        'id': trace.experiment,
        'epoch': trace.epoch,
        'input': trace.steps[0].question if trace.steps else '',
        'target': _code(view.gold),
        'messages': messages,
        'output': {'model': trace.model, 'choices': choices, 'usage': _usage(usage)},
        'scores': dict(_scores(view, lines)),
        'metadata': {'steps': [one.record() for one in lines], 'profile': view.profile},
        'model_usage': {trace.model: _usage(usage)},
        'started_at': _utc(trace.started),
        'completed_at': _utc(trace.started, trace.seconds),
        'total_time': trace.seconds,
        'working_time': max(0.0, trace.seconds - sum(reply.waited for reply in replies)),
        'uuid': _uuid(trace, trace.experiment),
    }


def _lost_sample(name: str, gold: Experiment | None, first: Trace) -> dict[str, Any]:
    return {
        'id': name,
        'epoch': first.epoch,
        'input': gold.steps[0].question if gold else '',
        'target': _code(gold),
        'messages': [],
        'scores': {},
        'error': _error('no session: a fault of the harness has lost it, or it has not been run'),
        'uuid': _uuid(first, name),
    }


def _error(message: str) -> dict[str, str]:
    return {'message': message, 'traceback': '', 'traceback_ansi': ''}


def _uuid(trace: Trace, experiment: str) -> str:
    return hashlib.sha256(f'{trace.model} {trace.dataset} {experiment}'.encode()).hexdigest()[:22]


def conversation_of(trace: Trace) -> Iterable[Message]:
    """The messages of a session, each once: the opening, and each step with all its attempts."""
    yield from trace.opening
    for step in trace.steps:
        yield from step.asked
        for attempt in step.attempts:
            yield from attempt.messages


def message_of(message: Message, image: Image) -> dict[str, Any]:
    """A message of a conversation as Inspect writes it."""
    made: dict[str, Any] = {'role': message['role'], 'content': _content(message, image)}
    calls = [
        {'id': id_, 'function': name, 'arguments': given, 'type': 'function'} for id_, name, given in calls_of(message)
    ]
    if calls:
        made['tool_calls'] = calls
    if 'tool_call_id' in message:
        made['tool_call_id'] = message['tool_call_id']
    return made


def _content(message: Message, image: Image) -> str | list[dict[str, Any]]:
    content = message['content']
    if isinstance(content, str):
        return content
    return [
        {'type': 'image', 'image': image(part['image_url']['url'])}
        if part['type'] == 'image_url'
        else {'type': part['type'], part['type']: part['text']}
        for part in parts_of(content)
    ]


def _scores(view: SessionView, lines: Sequence[StepLine]) -> Iterable[tuple[str, dict[str, Any]]]:
    """Name -> the score of a session: the share of right steps, whether all are, and the mean of each metric."""
    for name, value in view.values.items():
        details = [
            f'step {line.step}: {line.values[name]:g} {line.details.get(name, "")}'.strip()
            for line in lines
            if name in line.values
        ]
        yield name, {'value': value, 'explanation': '\n'.join(details or [line.text for line in lines])}


def _means(samples: Sequence[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """The mean of each score over the samples that have it; a session counts once, whatever its number of steps."""
    for name in dict.fromkeys(name for sample in samples for name in sample['scores']):
        values = [sample['scores'][name]['value'] for sample in samples if name in sample['scores']]
        metric = {'name': 'mean', 'value': sum(values) / len(values), 'params': {}}
        yield {
            'name': name,
            'scorer': SCORER,
            'scored_samples': len(values),
            'unscored_samples': len(samples) - len(values),
            'params': {},
            'metrics': {'mean': metric},
        }


def _code(gold: Experiment | None) -> str:
    """The gold code of all steps; empty if the notebook is missing."""
    return '\n\n'.join(step.code for step in gold.steps) if gold else ''


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        'input_tokens': usage.tokens_in,
        'output_tokens': usage.tokens_out,
        'total_tokens': usage.tokens_in + usage.tokens_out,
        **({'total_cost': usage.cost} if usage.cost else {}),
    }
