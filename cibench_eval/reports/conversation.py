"""One session as the model saw it: messages, replies, code, outputs, figures by path, scores and their reasons.

`viewer` shows its sections; `cibench show` prints their lines.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

from cibench_eval.agents.transcript import request_of
from cibench_eval.evaluators import find_profile
from cibench_eval.reports.comparison import measures
from cibench_eval.reports.sessions import SessionView, StepLine, cause_line
from cibench_eval.schema import Attempt, CibenchError, Content, Execution, Message, Reply, Step, StepTrace, parts_of

SectionKind = Literal[
    'session', 'messages', 'step', 'thinking', 'reply', 'code', 'execution', 'shown', 'ended', 'scores', 'verdict',
    'gold',
]  # fmt: skip
ItemKind = Literal['text', 'code', 'output', 'error', 'figure', 'score', 'cause', 'note']


class TextLine(NamedTuple):
    text: str
    heading: bool = False


class SectionItem(NamedTuple):
    text: str
    kind: ItemKind = 'text'
    name: str = ''
    """The type of an output (`stdout`), or metric and value of a score (`Num 0`)."""

    def lines(self) -> Iterator[TextLine]:
        if self.kind == 'output':
            yield TextLine(f'{self.name}:')
            yield TextLine(self.text)
        else:
            yield TextLine(': '.join(filter(None, [self.name, self.text])) if self.name else self.text)


@dataclass(frozen=True)
class Section:
    """Texts below a heading (`title`, which may be empty).

    `attempt` is the number of the attempt that the section belongs to, counted from 1; 0 for none.
    """

    kind: SectionKind
    title: str
    pieces: list[SectionItem] = field(default_factory=list)
    attempt: int = 0

    def lines(self) -> Iterator[TextLine]:
        if self.title:
            yield TextLine(self.title, heading=True)
        for piece in self.pieces:
            yield from piece.lines()


def conversation(view: SessionView, step: int | None = None) -> Iterator[Section]:
    """The sections of a session, or of one step (counted from 0) with everything that was sent to the model."""
    trace = view.trace
    yield about(view)
    if step is not None:
        one = trace.steps[step]
        yield from step_sections(view, one, request_of(trace, step, 0) if one.attempts else [])
        return
    yield from message_sections(trace.opening)
    for one in trace.steps:
        yield from gold_turns(view, one.index - 1)
        yield from step_sections(view, one, one.asked)


def about(view: SessionView) -> Section:
    """The section that names the session and its conditions."""
    trace = view.trace
    mode, kernels = trace.mode.replace('_', '-'), trace.provenance.get('environment', '?')
    title = f'{trace.experiment}: {view.name}, {mode} mode, {trace.protocol}, kernels {kernels}'
    return Section('session', title)


def gold_turns(view: SessionView, step: int) -> Iterator[Section]:
    """The gold of a step (counted from 0), as requests of later steps contain it; empty outside of oracle mode."""
    trace = view.trace
    if trace.mode == 'oracle' and 0 <= step < len(trace.gold):
        yield Section('messages', f'gold of step {step + 1}, as later requests show it')
        yield from message_sections(trace.gold[step])


def step_sections(view: SessionView, step: StepTrace, messages: list[Message]) -> Iterator[Section]:
    """The sections of a step: the messages that ask it, its attempts, its scores, its gold."""
    yield Section('step', f'step {step.index + 1} of {len(view.trace.steps)}')
    yield from message_sections(messages)
    for number, attempt in enumerate(step.attempts, 1):
        yield from _attempt(attempt, view, number)
    if step.ended:
        yield Section('ended', '', [SectionItem(f'ended: {step.ended}', 'note')])
    yield scores_section(view, step.index)
    yield from verdict_sections(view, step.index)
    if view.gold is not None:
        yield _gold(view.gold.steps[step.index], view.gold.path)


def message_sections(messages: list[Message]) -> Iterator[Section]:
    for message in messages:
        calls = [call['function'] for call in message.get('tool_calls', [])]
        called = [SectionItem(f'calls {call["name"]}({call["arguments"]})') for call in calls]
        yield Section('messages', message['role'], [SectionItem(_text(message['content'])), *called])


def _text(content: Content) -> str:
    """The text of a message; an image is named by its kind and size."""
    return '\n'.join(
        _image(part['image_url']['url']) if part['type'] == 'image_url' else part['text'] for part in parts_of(content)
    )


def _image(url: str) -> str:
    if not url.startswith('data:'):
        return f'[image {url}]'
    return f'[image, {url.partition(";")[0].removeprefix("data:")}, {len(url):,} characters]'


def _attempt(attempt: Attempt, view: SessionView, number: int) -> Iterator[Section]:
    left_out = f', {attempt.without} parts of the conversation left out' if attempt.without else ''
    name = f'attempt {number} of {view.trace.max_attempts}: reply ({", ".join(_facts(attempt.reply))}){left_out}'
    if attempt.reply.reasoning:
        yield Section('thinking', name, [SectionItem(attempt.reply.reasoning)], number)
        name = 'reply, without what was thought'
    calls = [SectionItem(f'calls {call.name}({call.arguments})') for call in attempt.reply.tool_calls]
    yield Section('reply', name, [SectionItem(attempt.reply.text), *calls], number)
    for made in (*attempt.others, attempt):
        if made.action.code is not None:
            repaired = ', put together from broken arguments' if made.action.repaired else ''
            yield Section('code', f'code{repaired}', [SectionItem(made.action.code, 'code')], number)
        if made.execution:
            cut = ', output cut' if made.execution.truncated else ''
            title = f'execution: {made.execution.status}, {made.execution.seconds:.2f} s{cut}'
            yield Section('execution', title, list(_outputs(made.execution, view.figures)), number)
    if attempt.messages[1:]:
        said = [SectionItem(_text(message['content'])) for message in attempt.messages[1:]]
        yield Section('shown', 'shown to the model', said, number)


def _facts(reply: Reply) -> Iterator[str]:
    yield reply.finish_reason
    if reply.tokens_in is not None:
        yield f'{reply.tokens_in:,} + {reply.tokens_out or 0:,} tokens'
    yield 'from the reply cache' if reply.cached else f'{reply.seconds:.1f} s'


def _outputs(execution: Execution, figures: Path) -> Iterator[SectionItem]:
    for output in execution.outputs:
        if output.figure:
            yield SectionItem(str((figures / output.figure.filename).absolute()), 'figure', 'figure')
        elif output.text:
            yield SectionItem(output.text.rstrip('\n'), 'output', output.type)
    if execution.error:
        yield SectionItem(execution.error.text, 'error')


def scores_section(view: SessionView, index: int) -> Section:
    """The scores of a step by the profile of the view, with their details, and the cause of its failure."""
    score = view.scores.get(index)
    if score is None:
        return Section('scores', 'not scored: run `cibench score RUN`')
    pieces = []
    for name in dict.fromkeys([*score.values, *score.details]):
        value = f'{measures().get(name, name)} {_value(score.values.get(name))}{_bar(view.profile, score.kind, name)}'
        pieces.append(SectionItem(score.details.get(name, ''), 'score', value))
    if failure := view.failures.get(index):
        pieces.append(SectionItem(cause_line(failure), 'cause'))
    return Section('scores', f'scores by {view.profile}: {score.outcome or "how it ended is not known"}', pieces)


def verdict_sections(view: SessionView, index: int) -> Iterator[Section]:
    """The verdict of each judge on a step, with the last reply; verdicts on errors only if the step failed."""
    for verdict in view.verdicts.get(index, []):
        if verdict.metric == 'errors' and index not in view.failures:
            continue
        title = f'{verdict.metric} by judge {verdict.judge}: {_value(verdict.score)}'
        said = [SectionItem(reply.text) for reply in verdict.replies[-1:]]
        yield Section('verdict', title, said or [SectionItem(verdict.detail, 'note')])


def _value(value: float | None) -> str:
    return 'not known' if value is None else f'{value:.4g}'


def _bar(profile: str, kind: Any, name: str) -> str:
    """The score from which the metric counts a step as correct, in words; empty if it does not decide."""
    try:
        metrics = find_profile(profile).metrics
    except CibenchError:  # a profile of the user's own that is missing here
        return ''
    found = next((one for one in metrics if one.name == name and one.decides(kind)), None)
    return f' (decides, right from {found.correct_from:g})' if found else ''


def _gold(gold: Step, path: Path) -> Section:
    pieces = [SectionItem(gold.code, 'code')]
    if gold.text:
        pieces.append(SectionItem(gold.text.rstrip('\n')))
    if gold.figures:
        pieces.append(SectionItem(f'{len(gold.figures)} figure{"s" if len(gold.figures) > 1 else ""}', 'note'))
    return Section('gold', f'gold, from {path}', pieces)


def record(view: SessionView, step: int | None = None) -> Iterator[dict[str, Any]]:
    """A step for programs: its trace, its scores, and the request of each attempt."""
    for one in view.trace.steps if step is None else view.trace.steps[step : step + 1]:
        requests = [request_of(view.trace, one.index, number) for number in range(len(one.attempts))]
        recorded = one.model_dump(mode='json', exclude={'index'})
        yield {
            **StepLine(view, one.index).record(),
            'figures': str(view.figures.absolute()),
            'requests': requests,
            **recorded,
        }
