"""How much a session and a run may use, what they have used, and what it costs.

A session that is over its limit ends: what it has not done is the model's failure. A run that is over its limit
stops with a HarnessError (`metering.py`): what is done is filed, and `-r` goes on under a higher limit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import NonNegativeFloat, PositiveFloat, PositiveInt

from cibench_eval.schema import Attempt, Record, StepTrace


class Price(Record):
    """What a model costs, in any one currency, per million tokens."""

    input: NonNegativeFloat = 0.0
    output: NonNegativeFloat = 0.0
    cached: NonNegativeFloat | None = None
    """Of input tokens that came from the endpoint's cache of prompts; None is as much as others."""

    def of(self, tokens_in: int, tokens_out: int, cached: int = 0) -> float:
        """What tokens cost; `cached` are those of `tokens_in` that came from the endpoint's cache."""
        price = self.input if self.cached is None else self.cached
        return ((tokens_in - cached) * self.input + cached * price + tokens_out * self.output) / 1e6


class Limits(Record):
    """Upper limits; None is no limit. Tokens are those of requests and replies together."""

    session_tokens: PositiveInt | None = None
    session_seconds: PositiveFloat | None = None
    """In the model and in the kernel, repeating code after a death included. Waiting for a free slot, rate limits and
    retries does not count; a server's own queue does."""
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

    def used_up(self, used: Mapping[str, float]) -> str:
        """The first limit that is used up, in words; empty if none is. `used` has amounts by the names of limits."""
        for name, amount in used.items():
            limit = getattr(self, name)
            if limit is not None and amount >= limit:
                return f'{name} {limit:.15g} used up'
        return ''


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
        kernel_seconds=sum(run.seconds + run.recovery for attempt in attempts for _, run in attempt.runs),
        cost=price.of(tokens_in, tokens_out, sum(reply.cached_tokens or 0 for reply in counted)),
    )


def over(limits: Limits, price: Price, done: list[StepTrace], tried: list[Attempt]) -> str:
    """Which limit of a session is used up, in words; empty if none is.

    Args:
        done: the steps that are over.
        tried: the attempts at the current step.
    """
    if not limits.of_sessions:
        return ''
    current = StepTrace(index=0, question='', attempts=tried)
    used = usage_of([*done, current], price, with_cached=True)
    return limits.used_up(
        {
            'session_tokens': used.tokens_in + used.tokens_out,
            'session_seconds': used.model_seconds + used.kernel_seconds,
            'session_cost': used.cost,
        }
    )
