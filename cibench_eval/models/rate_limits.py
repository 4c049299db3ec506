"""Rate limits of endpoints: requests and tokens per minute, shared by all models of this process.

The bucket is our own because `aiolimiter` refuses amounts above its capacity, has no refunds, lets small amounts
overtake large ones, and belongs to one event loop.
"""

import asyncio
import json
import threading
import time
from collections.abc import Callable
from typing import Any

from cibench_eval.models.completions import reply_limit
from cibench_eval.schema import Message, images_of, parts_of

BURST = 0.1
"""Part of a minute's budget that may be used at once, and by which any minute may exceed the limit. Providers count in
windows of a minute down to a second."""
BYTES_PER_TOKEN = 3
"""Bytes of UTF-8 in a token, a low estimate: English has four, Chinese two to four."""
TOKENS_PER_IMAGE = 1600
"""Tokens of an image, a high estimate: 1,024 × 1,024 pixels are 765 at GPT-4o, 1,337 at Qwen2-VL, 1,398 at Claude."""


class Bucket:
    """Token bucket that may go into debt: a caller that takes more than there is waits until the debt is paid.

    Args:
        per_minute: amount that flows in, evenly.
        least: smallest capacity, so that the first request never waits.
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
        """Take an amount, and return the seconds until it may be used; first come, first served."""
        with self._lock:
            now = self._clock()
            self._level = min(self._size, self._level + (now - self._filled) * self.per_minute / 60)
            self._filled = now
            self._level -= amount
            return max(0.0, -self._level * 60 / self.per_minute)

    def give_back(self, amount: float) -> None:
        """Refund an overestimate; a negative amount takes what was used beyond the estimate."""
        with self._lock:
            self._level += amount


class RateLimits:
    """The limits of one endpoint; None is no limit."""

    def __init__(self) -> None:
        self._requests: Bucket | None = None
        self._tokens: Bucket | None = None

    def restrict(self, requests_per_minute: float | None, tokens_per_minute: float | None) -> None:
        """Hold these limits from now on; the lowest of several counts."""
        self._requests = _lower(self._requests, requests_per_minute, least=1.0)
        self._tokens = _lower(self._tokens, tokens_per_minute, least=0.0)

    @property
    def counts_tokens(self) -> bool:
        return self._tokens is not None

    async def wait(self, tokens: int) -> None:
        """Wait until a request of about `tokens` may be sent."""
        waits = [self._requests.take(1)] if self._requests else []
        waits += [self._tokens.take(tokens)] if self._tokens else []
        if waits and max(waits) > 0:
            await asyncio.sleep(max(waits))

    def correct(self, estimated: int, used: int | None) -> None:
        """Refund the part of its estimate that a request did not use; None, where its use is unknown, refunds nothing.

        A request that was refused or failed has used 0; an endpoint that counts it says so with status 429.
        """
        if self._tokens and used is not None:
            self._tokens.give_back(estimated - used)


def _lower(bucket: Bucket | None, per_minute: float | None, least: float) -> Bucket | None:
    if per_minute is None or (bucket and bucket.per_minute <= per_minute):
        return bucket
    return Bucket(per_minute, least)


_known: dict[tuple[str, str | None], RateLimits] = {}


def limits_of(base_url: str, key: str | None) -> RateLimits:
    """The limits of an endpoint for an account, given by the NAME of its API key; one object for all models."""
    return _known.setdefault((base_url.rstrip('/'), key), RateLimits())


def estimate(request: dict[str, Any]) -> int:
    """A high estimate of a request's tokens: its messages and tools, and the longest reply that it allows."""
    messages = [_without_images(message) for message in request['messages']]
    text = json.dumps([messages, request.get('tools')], ensure_ascii=False)
    images = sum(len(images_of(message)) for message in request['messages'])
    tokens = len(text.encode(errors='replace')) // BYTES_PER_TOKEN + images * TOKENS_PER_IMAGE
    return tokens + int(reply_limit(request) or 0)


def _without_images(message: Message) -> Message:
    if not images_of(message):
        return message
    return {**message, 'content': [part for part in parts_of(message['content']) if part['type'] != 'image_url']}
