"""One session as the model saw it: messages, replies, code, outputs, figures by path, scores and what decided them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cibench_eval.agents.transcript import request_of
from cibench_eval.reports.sessions import SHORT, SessionView, cause_of
from cibench_eval.schema import Attempt, Content, Execution, Message, Reply, StepTrace, parts_of


class Line(NamedTuple):
    """A piece of text; a heading stands above what follows."""

    text: str
    heading: bool = False


def conversation(view: SessionView, step: int | None = None) -> Iterator[Line]:
    """A session, or one step of it (counted from 0) with everything that the model was sent for it."""
    trace = view.trace
    facts = [
        f'{trace.mode.replace("_", "-")} mode',
        trace.protocol,
        f'kernels {trace.provenance.get("environment", "?")}',
    ]
    yield Line(f'{trace.experiment}: {view.name}, {", ".join(facts)}', heading=True)
    if trace.version == 1:
        yield Line('Recorded by an earlier version: instructions are not known, other messages are put together again.')
    if step is not None:
        yield from _step(view, trace.steps[step], request_of(trace, step, 0) if trace.steps[step].attempts else [])
        return
    yield from _messages(trace.opening)
    for number, one in enumerate(trace.steps):
        if number and trace.mode == 'oracle' and number <= len(trace.gold):
            yield Line(f'gold of step {number}, as later requests show it', heading=True)
            yield from _messages(trace.gold[number - 1])
        yield from _step(view, one, one.asked)


def _step(view: SessionView, step: StepTrace, messages: list[Message]) -> Iterator[Line]:
    yield Line(f'step {step.index + 1} of {len(view.trace.steps)}', heading=True)
    yield from _messages(messages)
    for number, attempt in enumerate(step.attempts, 1):
        yield from _attempt(view, attempt, f'attempt {number} of {view.trace.max_attempts}')
    if step.ended:
        yield Line(f'ended: {step.ended}')
    yield from _score(view, step.index)


def _messages(messages: list[Message]) -> Iterator[Line]:
    for message in messages:
        yield Line(message['role'], heading=True)
        yield Line(_text(message['content']))
        for call in message.get('tool_calls', []):
            yield Line(f'calls {call["function"]["name"]}({call["function"]["arguments"]})')


def _text(content: Content) -> str:
    """What a message says; an image is named by its kind and size."""
    parts = [
        _image(part['image_url']['url']) if part['type'] == 'image_url' else part['text'] for part in parts_of(content)
    ]
    return '\n'.join(parts)


def _image(url: str) -> str:
    if not url.startswith('data:'):
        return f'[image {url}]'
    return f'[image, {url.partition(";")[0].removeprefix("data:")}, {len(url):,} characters]'


def _attempt(view: SessionView, attempt: Attempt, name: str) -> Iterator[Line]:
    left_out = f', {attempt.without} parts of the conversation left out' if attempt.without else ''
    yield Line(f'{name}: reply ({", ".join(_facts(attempt.reply))}){left_out}', heading=True)
    if attempt.reply.reasoning:
        yield Line(attempt.reply.reasoning)
        yield Line('reply, without what was thought', heading=True)
    yield Line(attempt.reply.text)
    yield from (Line(f'calls {call.name}({call.arguments})') for call in attempt.reply.tool_calls)
    if attempt.action.code is not None:
        yield Line('code' + (', put together from broken arguments' if attempt.action.repaired else ''), heading=True)
        yield Line(attempt.action.code)
    if attempt.execution:
        yield from _execution(attempt.execution, view.figures)
    if attempt.messages[1:]:
        yield Line('shown to the model', heading=True)
        yield from (Line(_text(message['content'])) for message in attempt.messages[1:])


def _facts(reply: Reply) -> Iterator[str]:
    yield reply.finish_reason
    if reply.tokens_in is not None:
        yield f'{reply.tokens_in:,} + {reply.tokens_out or 0:,} tokens'
    yield 'from the reply cache' if reply.cached else f'{reply.seconds:.1f} s'


def _execution(execution: Execution, figures: Path) -> Iterator[Line]:
    cut = ', output cut' if execution.truncated else ''
    yield Line(f'execution: {execution.status}, {execution.seconds:.2f} s{cut}', heading=True)
    for output in execution.outputs:
        if output.figure:
            yield Line(f'figure: {(figures / output.figure.filename).absolute()}')
        elif output.text:
            yield Line(f'{output.type}:')
            yield Line(output.text.rstrip('\n'))
    if error := execution.error:
        yield Line(error.traceback or f'{error.name}: {error.value}')


def _score(view: SessionView, index: int) -> Iterator[Line]:
    """The score of a step, what decided it, and the gold."""
    score = view.scores.get(index)
    if score is None:
        yield Line('not scored: run `cibench score RUN`', heading=True)
    else:
        yield Line(f'scores by {view.profile}: {score.outcome or "how it ended is not known"}', heading=True)
        for name in dict.fromkeys([*score.values, *score.details]):
            value = f'{score.values[name]:.4g}' if name in score.values else 'not known'
            yield Line(f'{SHORT.get(name, name)} {value}' + (f': {why}' if (why := score.details.get(name)) else ''))
    if failure := view.failures.get(index):
        yield Line(cause_of(failure))
    if view.gold is not None:
        gold = view.gold.steps[index]
        yield Line(f'gold, from {view.gold.path}', heading=True)
        yield Line(gold.code)
        if gold.text:
            yield Line(gold.text.rstrip('\n'))
        if gold.figures:
            yield Line(f'{len(gold.figures)} figure{"s" if len(gold.figures) > 1 else ""}')


def record(view: SessionView, step: int | None = None) -> Iterator[dict[str, Any]]:
    """The same for programs: a step with the request of each attempt, and its scores."""
    for one in view.trace.steps if step is None else view.trace.steps[step : step + 1]:
        requests = [request_of(view.trace, one.index, number) for number in range(len(one.attempts))]
        line = next(line for line in view.lines() if line.step == one.index + 1)
        recorded = one.model_dump(mode='json', exclude={'index'})
        yield {**line.record(), 'figures': str(view.figures.absolute()), 'requests': requests, **recorded}
