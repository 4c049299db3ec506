"""What a run will take, before it is run: requests, tokens, cost and time of each model.

The notebooks are the ruler: they say what a session takes in which the gold's own code answers every step at once. The
model's last sessions say how many times that it takes. Nothing is asked, and no tokenizer is needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from cibench_eval.agents.protocols.function import FunctionAgent
from cibench_eval.agents.step import StepLoop
from cibench_eval.config.recorded import newest_runs, recorded_run
from cibench_eval.config.session_tasks import Run, SessionTask
from cibench_eval.models.base import text_of
from cibench_eval.models.limits import Price, money, usage_of
from cibench_eval.models.replay import GoldReplay
from cibench_eval.reports.layout import clock, counted
from cibench_eval.schema import CibenchError, Execution, Experiment, Message, Output

BYTES_A_TOKEN = 4
"""About what tokenizers make of prose and code; a Chinese character has three bytes and is most of a token."""
LOOKED_AT = 20
"""Run folders, the newest, in which sessions of a model are looked for."""


@dataclass(frozen=True)
class Use:
    """What some sessions take; `seconds` is the sum of the seconds of each."""

    sessions: int = 0
    steps: int = 0
    requests: float = 0
    tokens_in: float = 0
    tokens_out: float = 0
    seconds: float = 0

    def __add__(self, other: Use) -> Use:
        return Use(*(mine + theirs for mine, theirs in zip(vars(self).values(), vars(other).values(), strict=True)))


def estimates(run: Run) -> Iterator[str]:
    """For each model of a run, lines that say what is left of its sessions and what they will take."""
    for name, tasks in run.by_model():
        left = [(task, _left(task)) for task in tasks]
        sessions = sum(len(experiments) for _, experiments in left)
        steps = sum(_steps(experiments) for _, experiments in left)
        most = sum(task.agent.settings.max_attempts * _steps(experiments) for task, experiments in left)
        of = counted(sessions, 'session'), counted(steps, 'step'), f'at most {counted(most, "request")}'
        yield f'{name}: {", ".join(of)}'
        own = any(
            isinstance(task.agent.settings.protocol, FunctionAgent) for task in tasks
        )  # a function makes requests of its own
        if not sessions or tasks[0].model.replays or own:
            continue
        gold = sum((_by_gold(task, experiments) for task, experiments in left), Use())
        price = tasks[0].model.price
        yield f'  as the gold answers: {_in_words(gold, price)}'
        if found := _last_sessions(tasks[0]):
            folder, there, was = found
            will = _scaled(gold, there, was, tasks[0])
            yield f'  as in {folder} ({there.steps:,} steps): {_in_words(will, price)}'


def _left(task: SessionTask) -> list[Experiment]:
    there = task.traces.whole() if task.traces.path.exists() else {}
    return [one for one in task.experiments if one.id not in there]


def _steps(experiments: Iterable[Experiment]) -> int:
    return sum(len(one.steps) for one in experiments)


def _by_gold(task: SessionTask, experiments: Iterable[Experiment]) -> Use:
    """What sessions take that answer each step with its gold code, and are shown the output that the notebook holds."""
    settings = task.settings
    total = Use()
    for experiment in experiments:
        loop = StepLoop(experiment, GoldReplay(), settings)
        read = _tokens(loop.opening) + len(json.dumps(loop.tools)) / BYTES_A_TOKEN
        total += Use(sessions=1)
        for step in experiment.steps:
            said = [Output(type='stdout', text=step.text)] if step.text else []  # as in the notebook
            turn, *shown = loop.gold_turns(step, Execution(status='ok', outputs=said))
            read, written = read + _tokens(loop.question(step)), _tokens([turn])
            total += Use(steps=1, requests=1, tokens_in=read, tokens_out=written)
            read += written + _tokens(shown)
            if settings.agent.protocol.explore:  # one more request ends the step
                total += Use(requests=1, tokens_in=read)
    return total


def _tokens(messages: Sequence[Message]) -> float:
    calls = (json.dumps(one['tool_calls']) for one in messages if 'tool_calls' in one)
    texts = (text_of(one['content']) for one in messages)
    return sum(len(text.encode()) for text in chain(texts, calls)) / BYTES_A_TOKEN


def _last_sessions(task: SessionTask) -> tuple[Path, Use, Use] | None:
    """A run folder with finished sessions of a model and agent: what they took, and what the gold would have."""
    base = task.run.parent
    runs = chain.from_iterable(newest_runs(folder) for folder in [base, *sorted(base.parent.glob('*/'))])
    for folder in list(dict.fromkeys(runs))[:LOOKED_AT]:
        took = gold = Use()
        try:
            for other in recorded_run(folder).tasks:
                like = other.model.abbr == task.model.abbr and other.agent.config == task.agent.config
                if like and other.traces.path.exists():
                    own = _took(other)
                    took += sum(own.values(), Use())
                    gold += _by_gold(other, [one for one in other.experiments if one.id in own])
        except CibenchError:  # a folder that cannot be read tells nothing, and is not what was asked about
            continue
        if took.tokens_out and gold.tokens_out:
            return folder, took, gold
    return None


def _took(task: SessionTask) -> dict[str, Use]:
    """Experiment -> what its session took."""
    took = {}
    for trace in task.traces.read(task.traces.index().values()):
        used = usage_of(trace.steps, Price(), with_cached=True)
        numbers = used.replies, used.tokens_in, used.tokens_out, trace.seconds
        took[trace.experiment] = Use(1, len(trace.steps), *numbers)
    return took


def _scaled(gold: Use, took: Use, by_gold: Use, task: SessionTask) -> Use:
    """What sessions will take, as others did in proportion to the gold; seconds with sessions side by side."""
    return Use(
        gold.sessions,
        gold.steps,
        gold.requests * took.requests / by_gold.requests,
        gold.tokens_in * took.tokens_in / by_gold.tokens_in,
        gold.tokens_out * took.tokens_out / by_gold.tokens_out,
        gold.steps * took.seconds / took.steps / min(task.at_once, gold.sessions),
    )


def _in_words(use: Use, price: Price) -> str:
    parts = [f'{use.requests:,.0f} requests', f'{_about(use.tokens_in)} tokens in, {_about(use.tokens_out)} out']
    if cost := price.of(round(use.tokens_in), round(use.tokens_out)):
        parts.append(f'cost {money(cost)}')
    if use.seconds:
        parts.append(f'time {clock(use.seconds)}')
    return 'about ' + ', '.join(parts)


def _about(number: float) -> str:
    """A number with two digits that count."""
    return f'{int(float(f"{number:.2g}")):,}'
