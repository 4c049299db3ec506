"""How much a session and a run may use, what they have used, and what it costs.

A session over its limit ends, and its missing steps are the model's failure. A run over its limit stops with a
HarnessError (`metering.py`); finished sessions are filed, and `-r` goes on under a higher limit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from cibench_eval.schema import Attempt, Record, StepTrace


class Price(Record, strict=True):
    """Price of a model per million tokens, in any one currency."""

    input: NonNegativeFloat = 0.0
    output: NonNegativeFloat = 0.0
    cached: NonNegativeFloat | None = None
    """Price of input tokens from the endpoint's prompt cache; None is `input`."""

    def of(self, tokens_in: int, tokens_out: int, cached: int = 0) -> float:
        """Cost of tokens; `cached` of the `tokens_in` came from the endpoint's prompt cache."""
        price = self.input if self.cached is None else self.cached
        return ((tokens_in - cached) * self.input + cached * price + tokens_out * self.output) / 1e6


def money(cost: float) -> str:
    """A cost with two decimals; with three digits that count where it is below 1, and 12 decimals at most."""
    cost = float(f'{cost:.2e}') if 0 < cost < 1 else cost  # which may be 1
    decimals = min(2 - math.floor(math.log10(cost)), 12) if 0 < cost < 1 else 2
    return f'{cost:,.{decimals}f}'


class Limits(Record, strict=True):
    """Upper limits; None is no limit. Tokens count in requests and replies together."""

    session_tokens: PositiveInt | None = None
    session_seconds: PositiveFloat | None = None
    """Time in the model and in the kernel, including code that is repeated after a kernel's death and a server's own
    queue, but not waiting for a slot, rate limits and retries."""
    session_cost: PositiveFloat | None = None
    run_tokens: PositiveInt | None = None
    """Tokens of all models of the run folder, over all its runs with `-r`."""
    run_seconds: PositiveFloat | None = None
    """Time since this process began its first task."""
    run_cost: PositiveFloat | None = None

    @property
    def of_sessions(self) -> dict[str, float]:
        """The limits that change what a session does."""
        return {name: value for name, value in self if name.startswith('session_') and value is not None}

    @property
    def of_tokens(self) -> list[str]:
        """The names of the limits that need a count of tokens."""
        return [name for name, value in self if value is not None and not name.endswith('_seconds')]

    def used_up(self, used: Mapping[str, float]) -> str:
        """Name the first limit that is used up; empty if none is. `used` has amounts by the names of limits."""
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return f'{name} {limit:.15g} used up'
        return ''


class Usage(Record):
    """Use of some steps."""

    replies: int = 0
    cached: int = 0
    """Replies from the reply cache; their tokens are not counted."""
    unmeasured: int = 0
    """Replies whose tokens the server did not report."""
    empty: int = 0
    """Replies with neither a text nor a call, but for those that end a step in which code ran."""
    filtered: int = 0
    """Replies that a content filter stopped."""
    overflowed: int = 0
    """Requests that did not fit into the model's window, so that there was no reply."""
    agent_failures: int = 0
    """Steps that ended because the agent raised."""
    tokens_in: int = 0
    tokens_out: int = 0
    model_seconds: float = 0.0
    kernel_seconds: float = 0.0
    cost: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        mine, theirs = self.model_dump(), other.model_dump()
        return Usage(**{name: value + theirs[name] for name, value in mine.items()})


def usage_of(steps: Iterable[StepTrace], price: Price, *, with_cached: bool = False) -> Usage:
    """Sum over `steps` and all their attempts; `with_cached` counts replies from the reply cache as used."""
    steps = list(steps)
    attempts = [attempt for step in steps for attempt in step.attempts]
    replies = [attempt.reply for attempt in attempts]
    counted = [reply for reply in replies if with_cached or not reply.cached]
    tokens_in = sum(reply.tokens_in or 0 for reply in counted)
    tokens_out = sum(reply.tokens_out or 0 for reply in counted)
    return Usage(
        replies=sum(reply.replies for reply in replies),
        cached=sum(reply.replies for reply in replies if reply.cached),
        unmeasured=sum(one.replies for one in counted if one.tokens_in is None or one.tokens_out is None),
        empty=sum(_is_empty(attempt, step) for step in steps for attempt in step.attempts),
        filtered=sum(reply.finish_reason == 'content_filter' for reply in replies),
        overflowed=sum(
            1 if reply.tokens_in else reply.replies  # with tokens, the last of several did not fit
            for reply in replies
            if reply.finish_reason == 'context_overflow'
        ),
        agent_failures=sum(step.agent_failed for step in steps),
        tokens_in=tokens_in,
        tokens_out=tokens_out,
        model_seconds=sum(reply.seconds for reply in counted),
        kernel_seconds=sum(run.seconds + run.recovery for attempt in attempts for _, run in attempt.runs),
        cost=price.of(tokens_in, tokens_out, sum(reply.cached_tokens or 0 for reply in counted)),
    )


def _is_empty(attempt: Attempt, step: StepTrace) -> bool:
    """Whether a model said nothing. Who answers without a model (MCP, an agent of one's own) has code and no reply."""
    counted_apart = attempt.reply.finish_reason in ('content_filter', 'context_overflow')
    done = attempt.action.final and any(one.ran for one in step.attempts)
    said = attempt.reply.text.strip() or attempt.reply.tool_calls or attempt.action.code
    return not (said or done or counted_apart)
