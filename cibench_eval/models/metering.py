"""How much a session and a run may use, what they have used, and what it costs.

A session that is over its limit ends: what it has not done is the model's failure. A run that is over its limit
stops with a HarnessError: what is done is filed, and `-r` goes on under a higher limit.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from cibench_eval.models.base import ChatModel, Tool, Turn
from cibench_eval.schema import Attempt, HarnessError, Message, Record, Reply, StepTrace


class Price(Record):
    """What a model costs, in any one currency, per million tokens."""

    input: NonNegativeFloat = 0.0
    output: NonNegativeFloat = 0.0

    def of(self, tokens_in: int, tokens_out: int) -> float:
        return (tokens_in * self.input + tokens_out * self.output) / 1e6


class Limits(Record):
    """Upper limits; None is none. Tokens are those of requests and replies together."""

    session_tokens: PositiveInt | None = None
    session_seconds: PositiveFloat | None = None
    """In the model and in the kernel. Waiting for a free place, rate limits and retries does not count; a server's own
    queue does."""
    session_cost: PositiveFloat | None = None
    run_tokens: PositiveInt | None = None
    """Of all models of the run folder, `-r` included."""
    run_seconds: PositiveFloat | None = None
    """Since this process began with its first task."""
    run_cost: PositiveFloat | None = None

    @property
    def of_sessions(self) -> dict[str, float]:
        """Those that change what a session does."""
        return {name: value for name, value in self if name.startswith('session_') and value is not None}


class RunLimitError(HarnessError):
    """The run is over one of its limits: nothing more may be asked."""


class Usage(Record):
    """What attempts have used."""

    replies: int = 0
    cached: int = 0
    """Replies that came from the reply cache; their tokens are not counted."""
    unmeasured: int = 0
    """Replies of which the server did not say their tokens."""
    tokens_in: int = 0
    tokens_out: int = 0
    model_seconds: float = 0.0
    kernel_seconds: float = 0.0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        mine, theirs = self.model_dump(), other.model_dump()
        return Usage(**{name: value + theirs[name] for name, value in mine.items()})


def usage_of(steps: Iterable[StepTrace], price: Price, *, with_cached: bool = False) -> Usage:
    """The sum over all attempts of `steps`; `with_cached` counts what the reply cache has saved as used."""
    attempts = [attempt for step in steps for attempt in step.attempts]
    replies = [attempt.reply for attempt in attempts]
    counted = [reply for reply in replies if with_cached or not reply.cached]
    tokens_in = sum(reply.tokens_in or 0 for reply in counted)
    tokens_out = sum(reply.tokens_out or 0 for reply in counted)
    return Usage(
        replies=len(replies),
        cached=sum(reply.cached for reply in replies),
        unmeasured=sum(reply.tokens_in is None or reply.tokens_out is None for reply in counted),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        model_seconds=sum(reply.seconds for reply in counted),
        kernel_seconds=sum(attempt.execution.seconds for attempt in attempts if attempt.execution),
        cost=price.of(tokens_in, tokens_out),
    )


def over(limits: Limits, price: Price, done: list[StepTrace], tried: list[Attempt]) -> str:
    """Which limit of a session is used up, in words; empty if none is."""
    current = StepTrace(index=0, question='', attempts=tried)
    used = usage_of([*done, current], price, with_cached=True)
    found = {
        'session_tokens': used.tokens_in + used.tokens_out,
        'session_seconds': used.model_seconds + used.kernel_seconds,
        'session_cost': used.cost,
    }
    return _first_over(limits, found)


def _first_over(limits: Limits, used: dict[str, float]) -> str:
    for name, amount in used.items():
        limit = getattr(limits, name)
        if limit is not None and amount >= limit:
            return f'{name} {limit:.15g} used up'
    return ''


class Ledger:
    """What a run has used, in a file that all its processes append to: one line a reply that was paid for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tokens = 0
        self.cost = 0.0
        self._read = 0

    def add(self, tokens: int, cost: float) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open('a', encoding='utf-8') as file:  # one write, when it is closed
            file.write(json.dumps({'tokens': tokens, 'cost': cost}) + '\n')

    def refresh(self) -> None:
        """Take in what was appended since the last time, by whomever. A line that a crash tore is left out."""
        if not self.path.exists() or self.path.stat().st_size <= self._read:
            return
        with self.path.open('rb') as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b'\n') + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            self.tokens += entry['tokens']
            self.cost += entry['cost']


_began = time.monotonic()
"""About when this process began: it imports this module before its first task."""


class MeteredModel:
    """A model whose every request is held against the run's limits first, and entered into its ledger afterwards.

    Args:
        model: the model behind it.
        limits: those of the run.
        price: the model's.
        ledger: the run's.
        again: how to go on after a limit was met, in words.
    """

    def __init__(self, model: ChatModel, limits: Limits, price: Price, ledger: Ledger, again: str = '-r') -> None:
        self.max_out_len = model.max_out_len
        self._model = model
        self._limits = limits
        self._price = price
        self._ledger = ledger
        self._again = again

    def check(self) -> None:
        self._model.check()

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        self._refuse()
        reply = await self._model.chat(messages, turn, stop, tools)
        tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
        if not reply.cached and (tokens_in or tokens_out):
            self._ledger.add(tokens_in + tokens_out, self._price.of(tokens_in, tokens_out))
        return reply

    def _refuse(self) -> None:
        self._ledger.refresh()
        seconds = time.monotonic() - _began
        used = {'run_tokens': self._ledger.tokens, 'run_seconds': seconds, 'run_cost': self._ledger.cost}
        over = _first_over(self._limits, used)
        if over:
            raise RunLimitError(f'limits: {over}; raise it in the config and go on with {self._again}')

    async def __aenter__(self) -> Self:
        await self._model.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._model.__aexit__(kind, error, trace)
