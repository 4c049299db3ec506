"""The conversation, made only of what a trace holds, so that every request can be made again from the trace.

A request consists of the opening; each earlier step, that is its question and the attempts that later steps see
(`history`; in oracle mode the gold's); the current question; all attempts at it so far. An attempt is the model's turn
and what the model was shown. Neighbours of one role are joined.

If the model's window is too small, parts are left out: first the outputs of attempts at earlier steps, then earlier
steps as a whole, always the oldest first. The opening, the current question and its attempts stay.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from cibench_eval.schema import Attempt, Content, History, Message, Part, Trace, images_of, joined, parts_of


@dataclass(frozen=True)
class Exchange:
    """One step in the conversation."""

    asked: list[Message]
    """The messages of the question."""
    attempts: list[list[Message]]
    """The messages of each attempt: the model's turn, then what it was shown."""

    @classmethod
    def of(cls, asked: list[Message], attempts: list[Attempt], history: History) -> Exchange:
        """A finished step as later steps see it."""
        seen = attempts if history == 'all' else attempts[-1:]
        return cls(asked, [attempt.messages for attempt in seen])

    def messages(self, left_out: str = '', without: int = 0) -> list[Message]:
        """All messages, with `left_out` in place of the outputs of the first `without` attempts."""
        turns = [_quiet(turns, left_out) for turns in self.attempts[:without]] + self.attempts[without:]
        return self.asked + [message for attempt in turns for message in attempt]


@dataclass(frozen=True)
class Transcript:
    """The conversation up to one request."""

    opening: list[Message]
    """The messages at the start of every request."""
    past: list[Exchange]
    """The finished steps."""
    current: Exchange
    """The current step, with its attempts so far."""
    left_out: str
    """Text in place of an output that is left out."""
    max_images: int = 0
    """Most images of a request; it keeps the last ones."""

    @property
    def parts(self) -> int:
        """How many parts can be left out: the outputs of attempts at earlier steps, then those steps."""
        return self._attempts + len(self.past)

    @property
    def _attempts(self) -> int:
        return sum(len(exchange.attempts) for exchange in self.past)

    def request(self, without: int = 0) -> list[Message]:
        """The messages of the request, without the first `without` of the parts that can be left out."""
        messages = merge([*self.opening, *self._past(without), *self.current.messages()])
        return _with_last_images(messages, self.max_images)

    def _past(self, without: int) -> Iterator[Message]:
        quiet, first = min(without, self._attempts), max(0, without - self._attempts)
        for index, exchange in enumerate(self.past):
            if index >= first:
                yield from exchange.messages(self.left_out, quiet)
            quiet = max(0, quiet - len(exchange.attempts))


def request_of(trace: Trace, step: int, attempt: int) -> list[Message]:
    """The messages of the request for an attempt at a step of a finished session, both counted from 0."""
    current = trace.steps[step]
    tried = [before.messages for before in current.attempts[:attempt]]
    asked = Exchange(current.asked, tried)
    transcript = Transcript(trace.opening, past_of(trace, step), asked, trace.left_out, trace.max_images)
    return transcript.request(current.attempts[attempt].without)


def past_of(trace: Trace, step: int) -> list[Exchange]:
    """The steps before a step, as requests at that step show them."""
    if trace.mode == 'oracle':
        gold = zip(trace.steps[:step], trace.gold, strict=False)
        return [Exchange(earlier.asked, [turns]) for earlier, turns in gold]
    return [Exchange.of(earlier.asked, earlier.attempts, trace.history) for earlier in trace.steps[:step]]


def merge(messages: Iterable[Message]) -> list[Message]:
    """Join neighbours of one role, in copies: chat templates demand that user and assistant alternate.

    Messages that have or answer tool calls stay as they are.
    """
    merged: list[Message] = []
    for message in messages:
        if merged and _of_one_turn(merged[-1], message):
            before = merged[-1]['content']
            before = before.rstrip() if isinstance(before, str) else before
            merged[-1]['content'] = joined(before, message['content'])
        else:
            merged.append(message.copy())
    return merged


def _of_one_turn(before: Message, after: Message) -> bool:
    plain = before.keys() == after.keys() == {'role', 'content'}
    return plain and before['role'] == after['role']


def _quiet(turns: list[Message], left_out: str) -> list[Message]:
    """The messages of an attempt with `left_out` in place of each answer, and without images."""
    turn, *answers = turns
    shown = [one.copy() for one in answers if one is answers[0] or one['role'] == 'tool' or not images_of(one)]
    for one in shown:
        if one is shown[0] or one['role'] == 'tool':
            one['content'] = left_out
    return [turn, *shown]


def _with_last_images(messages: list[Message], most: int) -> list[Message]:
    """The messages with at most `most` images, the last ones; their texts stay."""
    surplus = sum(len(images_of(message)) for message in messages) - most
    for message in messages:
        if surplus > 0 and (found := images_of(message)):
            message['content'] = _without_images(message['content'], surplus)
            surplus -= len(found)
    return messages


def _without_images(content: Content, count: int) -> Content:
    """A content without its first `count` images, or without all if it has fewer."""
    kept: list[Part] = []
    for part in parts_of(content):
        if part['type'] == 'image_url' and count:
            count -= 1
        else:
            kept.append(part)
    return kept
