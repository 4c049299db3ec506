"""Results in the schema of Every Eval Ever (evaleval): a record for each model and split, a row for each session.

A record has the scores of our tables with their intervals, and how they came about: agent, prompt, attempts, sandbox,
version of the set, scoring profile. A row has the conversation of a session, its tokens and seconds, and belongs to the
figure for whole sessions in its mode. The gold is not in them, since such records are made to be published.
"""

import hashlib
import re
import uuid
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cibench_eval import __version__
from cibench_eval.analysis.results import RAN, WHOLE
from cibench_eval.evaluators.metrics import metric
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.reports.rows import Row
from cibench_eval.reports.scores import AVERAGE, MODES, Score, key_of
from cibench_eval.reports.sessions import SessionView, calls_of
from cibench_eval.reports.tables import PREFIX
from cibench_eval.schema import Message, Trace, parts_of

VERSION = '0.3.0'
NAME = 'cibench-eval'
HUB = re.compile(r'[\w.-]+/[\w.-]+')
"""The name of a model on a hub: organization/model."""
NO_ORGANIZATION = 'unspecified'
METHOD = 'Bayesian bootstrap over experiments'
ABOUT = {
    AVERAGE: ('Avg', 'the mean of Num, Text and Vis over both modes'),
    WHOLE: ('Whole', 'the share of sessions in which every scored step is right'),
}


class Subject(NamedTuple):
    """What a record is of, beside its scores."""

    config: Mapping[str, Any]
    """The model's entry in the config."""
    model_id: str | None
    """`organization/model`; None takes the model's path if it is such a name."""
    organization: str
    """Who ran the evaluation."""
    price: Price
    created: int
    """Seconds since 1970."""

    @property
    def id(self) -> str:
        """`organization/model`; the organization is `unspecified` where nothing says it."""
        path = str(self.config.get('path') or '')
        return self.model_id or (path if HUB.fullmatch(path) else f'{NO_ORGANIZATION}/{self.config["abbr"]}')


class EvalRecord(NamedTuple):
    """A record and its rows, by the path below `data/` that the schema wants for them."""

    path: str
    record: dict[str, Any]
    rows: list[dict[str, Any]]


def record_of(row: Row, views: Sequence[SessionView], subject: Subject, gaps: Sequence[str] = ()) -> EvalRecord:
    """The record of a model on a split; `views` are its sessions, at least one, and `gaps` says what is left out."""
    first = min((view.trace for view in views), key=lambda trace: trace.started)
    name = uuid.UUID(bytes=hashlib.sha256(f'{row.model} {row.split} {first.started}'.encode()).digest()[:16], version=4)
    parts = (f'{NAME}_{row.split}', *subject.id.split('/', 1))
    folder = '/'.join(re.sub(r'[<>:"\\|?*/\x00-\x1f]', '_', one).rstrip('. ') for one in parts)  # as the schema's own
    evaluation = f'{NAME}/{row.split}/{subject.id}/{subject.created}/{name}'  # a model may have several agents
    rows = [_row(view, row.split, evaluation, subject) for view in views if WHOLE in view.values]
    path = f'data/{folder}/{name}'
    samples = {'format': 'jsonl', 'file_path': f'{path}_samples.jsonl', 'total_rows': len(rows)}
    record = {
        'schema_version': VERSION,
        'evaluation_id': evaluation,
        'evaluation_timestamp': first.started,
        'retrieved_timestamp': str(subject.created),
        'source_metadata': {
            'source_name': NAME,
            'source_type': 'evaluation_run',
            'source_organization_name': subject.organization,
            'evaluator_relationship': 'other',
        },
        'eval_library': {
            'name': NAME,
            'version': __version__,
            'additional_details': {
                'scoring_profile': ', '.join(row.stated['profile']),
                'scored_by_version': ', '.join(row.stated['scored_by']),
            },
        },
        'model_info': {
            'name': str(subject.config['abbr']),
            'id': subject.id,
            'additional_details': {'deployment_type': 'unknown', 'model_availability': 'unknown'},
        },
        'evaluation_results': list(_results(row, _generation(row, first, subject, gaps))),
        **({'detailed_evaluation_results': samples} if rows else {}),
    }
    return EvalRecord(path, record, rows)


def _results(row: Row, generation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    source = {'dataset_name': f'{NAME}/{row.split}', 'source_type': 'other'}
    versions = ', '.join(row.stated['set_version'])
    version = {'additional_details': {'version': versions}} if versions else {}
    below_zero = ('/vis_sim', AVERAGE) if 'official' in row.stated['profile'] else ()
    for name, figure, score in _figures(row):
        yield {
            'evaluation_result_id': f'{row.split}/{name}',
            'evaluation_name': f'{row.split}/{name}',
            'source_data': source | version,
            'metric_config': {
                'metric_id': f'cibench.{name.replace("/", ".")}',
                'metric_unit': 'percent',
                'lower_is_better': False,
                'score_type': 'continuous',
                'min_score': -100 if name.endswith(below_zero) else 0,
                'max_score': 100,
                **figure,
            },
            'score_details': {'score': score.value, 'uncertainty': _uncertainty(score)},
            'generation_config': generation,
        }


def _figures(row: Row) -> Iterator[tuple[str, dict[str, Any], Score]]:
    """The name of each figure of a row, what is said of it, and its score."""
    for key, score in row.scores.items():
        mode, _, name = key.rpartition(' ')
        if not name.endswith(RAN):
            label, about = ABOUT[name] if name in ABOUT else (metric(name).short, metric(name).about)
            label = f'{PREFIX[mode]}-{label}' if mode in MODES else label
            yield key.replace(' ', '/'), {'metric_name': label, 'evaluation_description': about}, score
    for one, score in row.passes.items():
        sign, who = ('^', 'all') if one.every else ('@', 'at least one')
        told = {
            'metric_name': f'{PREFIX[one.mode]}-pass{sign}{one.k}',
            'evaluation_description': f'{who} of k runs of an experiment are right in every scored step',
            'metric_kind': 'pass_rate',
            'metric_parameters': {'k': one.k},
        }
        yield one.name, told, score


def _uncertainty(score: Score) -> dict[str, Any]:
    if score.bounds is None:
        return {'num_samples': score.steps}
    low, high, _ = score.bounds
    return {
        'num_samples': score.steps,
        'confidence_interval': {'lower': low, 'upper': high, 'confidence_level': 0.95, 'method': METHOD},
    }


def _generation(row: Row, first: Trace, subject: Subject, gaps: Sequence[str]) -> dict[str, Any]:
    config = subject.config
    settings = {'max_tokens': config.get('max_out_len'), **(config.get('generation_kwargs') or {})}
    known = {name: settings[name] for name in ('temperature', 'top_p', 'max_tokens') if settings.get(name) is not None}
    tools = [
        {'name': tool['function']['name'], 'description': tool['function'].get('description', '')}
        for tool in first.tools
    ] or [{'name': 'IPythonInterpreter'}]
    usage = row.usage.model_dump(include={'tokens_in', 'tokens_out', 'model_seconds', 'kernel_seconds', 'cost'})
    details = {
        'agent': ', '.join(row.stated['agent']),
        'prompt': ', '.join(row.stated['prompt']),
        'protocol': first.protocol,
        'history': first.history,
        'epochs': row.epochs,
        'experiments': row.experiments,
        'harness_errors': row.harness_errors,
        **({'left_out': '; '.join(gaps)} if gaps else {}),
        **{name: value for name, value in usage.items() if value},
        **first.provenance,
    }
    return {
        'generation_args': {
            **known,
            'prompt_template': '\n\n'.join(_said(message) for message in first.opening),
            'agentic_eval_config': {'available_tools': tools},
            'sandbox': {'type': ', '.join(row.stated['sandbox'])},
            'max_attempts': first.max_attempts,
        },
        'additional_details': _texts(details),
    }


def _row(view: SessionView, split: str, evaluation: str, subject: Subject) -> dict[str, Any]:
    """A session; its score is whether all its scored steps are right."""
    trace, values = view.trace, view.values
    usage = usage_of(trace.steps, subject.price, with_cached=True)
    attempts = [attempt for step in trace.steps for attempt in step.attempts]
    replies = [attempt.reply for attempt in attempts]
    messages = [{'turn_idx': index, **message} for index, message in enumerate(_messages(trace))]
    name = f'{split}/{key_of(trace.mode, WHOLE).replace(" ", "/")}'
    outcomes = [line.outcome for line in view.lines()]
    return {
        'schema_version': VERSION,
        'evaluation_id': evaluation,
        'model_id': subject.id,
        'evaluation_name': name,
        'evaluation_result_id': name,
        'sample_id': trace.experiment,
        'interaction_type': 'agentic',
        'input': {'raw': '\n\n'.join(step.question for step in trace.steps), 'reference': []},
        'messages': messages,
        'answer_attribution': [],
        'evaluation': {
            'score': 100 * values[WHOLE],
            'is_correct': values[WHOLE] == 1,
            'num_turns': max(1, len(replies)),
            'tool_calls_count': sum(len(one.others) + (one.action.tool is not None) for one in attempts),
        },
        'token_usage': {
            'input_tokens': usage.tokens_in,
            'output_tokens': usage.tokens_out,
            'total_tokens': usage.tokens_in + usage.tokens_out,
            'input_tokens_cache_read': sum(reply.cached_tokens or 0 for reply in replies),
            'reasoning_tokens': sum(reply.reasoning_tokens or 0 for reply in replies),
        },
        'performance': {
            'latency_ms': 1000 * trace.seconds,
            'generation_time_ms': 1000 * usage.model_seconds,
            'additional_details': {'kernel_seconds': str(usage.kernel_seconds)},
        },
        'metadata': _texts({'epoch': trace.epoch, 'steps': ' '.join(outcomes), **values}),
    }


def _messages(trace: Trace) -> Iterator[dict[str, Any]]:
    """The conversation of a session, each message once; images are named, and thoughts stand beside their reply."""
    yield from map(_message, trace.opening)
    for step in trace.steps:
        yield from map(_message, step.asked)
        for attempt in step.attempts:
            turn, *shown = attempt.messages
            thought = {'reasoning_trace': attempt.reply.reasoning} if attempt.reply.reasoning else {}
            yield _message(turn) | thought
            yield from map(_message, shown)


def _message(message: Message) -> dict[str, Any]:
    calls = [{'id': id_, 'name': name, 'arguments': given} for id_, name, given in calls_of(message)]
    return {
        'role': message['role'],
        'content': _said(message),
        **({'tool_calls': calls} if calls else {}),
        **({'tool_call_id': [message['tool_call_id']]} if 'tool_call_id' in message else {}),
    }


def _said(message: Message) -> str:
    parts = [part for part in parts_of(message['content']) if part['type'] != 'reasoning']
    return '\n\n'.join('[image]' if part['type'] == 'image_url' else part['text'] for part in parts)


def _texts(values: Mapping[str, Any]) -> dict[str, str]:
    """Values as the schema wants details: all of them texts."""
    return {name: str(value) for name, value in values.items()}
