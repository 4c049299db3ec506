"""How fast an endpoint may be asked: requests and tokens per minute, shared by all that ask it in this process.

Our own few lines, because `aiolimiter` cannot take back an estimate, refuses amounts above its bucket, belongs to one
event loop, and sends a whole minute's budget at once.
"""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

BURST = 0.1
"""Part of a minute's budget that may be used at once. Providers count in windows of a minute down to a second; over
any minute, at most this part is used above the limit."""
BYTES_PER_TOKEN = 3
"""Of UTF-8, about, from above: English has four, Chinese two to four."""


class Bucket:
    """An amount per minute, filled evenly; it may be overdrawn, and who did that waits until it is level again.

    Args:
        per_minute: the amount.
        least: what it holds at least, so that one request need not wait for the next to be paid for.
        clock: seconds, for tests.
    """

    def __init__(self, per_minute: float, least: float = 0.0, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._least = least
        self._clock = clock
        self._level = self._size
        self._filled = clock()
        self._lock = threading.Lock()

    @property
    def _size(self) -> float:
        return max(self._least, BURST * self.per_minute)

    def take(self, amount: float) -> float:
        """Take an amount, and return the seconds to wait before it may be used; first come, first served."""
        with self._lock:
            now = self._clock()
            self._level = min(self._size, self._level + (now - self._filled) * self.per_minute / 60)
            self._filled = now
            self._level -= amount
            return max(0.0, -self._level * 60 / self.per_minute)

    def give_back(self, amount: float) -> None:
        """Return what was taken and not used; what was used and not taken, if it is below zero."""
        with self._lock:
            self._level += amount


class RateLimits:
    """The limits of one endpoint; None is no limit."""

    def __init__(self) -> None:
        self._requests: Bucket | None = None
        self._tokens: Bucket | None = None

    def restrict(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        """Hold these limits from now on; of several, the lowest counts."""
        self._requests = _lower(self._requests, requests_per_minute, least=1.0)
        self._tokens = _lower(self._tokens, tokens_per_minute, least=0.0)

    async def wait(self, tokens: int) -> None:
        """Wait until a request of about `tokens` may be sent."""
        waits = [self._requests.take(1)] if self._requests else []
        waits += [self._tokens.take(tokens)] if self._tokens else []
        if waits and max(waits) > 0:
            await asyncio.sleep(max(waits))

    def correct(self, estimated: int, used: int | None) -> None:
        """Say what a request used; None if nobody knows, and the estimate stays."""
        if self._tokens and used is not None:
            self._tokens.give_back(estimated - used)


def _lower(bucket: Bucket | None, per_minute: float | None, least: float) -> Bucket | None:
    if per_minute is None or (bucket and bucket.per_minute <= per_minute):
        return bucket
    return Bucket(per_minute, least)


_known: dict[tuple[str, str | None], RateLimits] = {}


def limits_of(base_url: str, key: str | None) -> RateLimits:
    """The limits of an endpoint for an account, the same object for all who ask.

    Args:
        base_url: of the endpoint.
        key: name of the environment variable of the account's API key.
    """
    return _known.setdefault((base_url.rstrip('/'), key), RateLimits())


def estimate(request: dict[str, Any]) -> int:
    """Tokens of a request, about, from above: its messages and tools, and the longest reply it allows."""
    said = json.dumps([request['messages'], request.get('tools')], ensure_ascii=False)
    reply = request.get('max_tokens') or request.get('max_completion_tokens') or 0
    return len(said.encode(errors='replace')) // BYTES_PER_TOKEN + int(reply)
