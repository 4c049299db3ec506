"""Sessions that are to be run -> shares of about equal cost, each of one model."""

import heapq
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from cibench_eval.grouping import grouped
from cibench_eval.schema import Record

SECONDS_A_STEP = 5.0
"""What a step is taken to last where nothing tells more: a model of unknown size, that has run nothing yet."""
SMALLEST, A_BILLION = 2.0, 0.25
"""Seconds a step of a model of known size: what the kernel and a small model take, and more for each billion of
parameters. A guess that evens shares out; what the run has measured takes its place."""
BILLIONS = re.compile(r'(?<![a-z0-9.])(\d+(?:[._]\d+)?)b(?![a-z0-9])', re.IGNORECASE)
EXPERTS = re.compile(r'(?<![a-z0-9.])(\d+)x(\d+)b(?![a-z0-9])', re.IGNORECASE)


class Share(Record):
    """What one task runs: sessions of one model, of one dataset or several."""

    model: str
    sessions: dict[str, list[str]]
    """Dataset (with its epoch) -> ids of experiments."""
    steps: int
    seconds: float
    """That it is expected to last."""

    @property
    def number(self) -> int:
        """How many sessions it has."""
        return sum(map(len, self.sessions.values()))


@dataclass(frozen=True)
class Piece:
    """A session that is to be run. It is never cut: its steps go on from each other."""

    model: str
    dataset: str
    experiment: str
    steps: int
    seconds: float
    """That it is expected to add to its share, beside which others of the share run."""


def seconds_a_step(names: Iterable[str]) -> float:
    """What a step of a model is expected to last, by the size that its names tell (`qwen2.5-72b`, `mixtral-8x7b`)."""
    for name in names:
        if found := EXPERTS.search(name):
            return SMALLEST + A_BILLION * int(found[1]) * int(found[2])
        if found := BILLIONS.search(name):
            return SMALLEST + A_BILLION * float(found[1].replace('_', '.'))
    return SECONDS_A_STEP


def cut(pieces: Sequence[Piece], max_tasks: int | None = None, target_minutes: float | None = None) -> list[Share]:
    """Cut sessions into shares of one model each.

    Args:
        max_tasks: as many shares at most, but one for each model.
        target_minutes: what a share should last; a session that is longer has one of its own.

    Returns:
        Shares in the order of their models, of about equal cost within each. Without `max_tasks` and
        `target_minutes` there is one for each model.
    """
    of_model = grouped(pieces, lambda one: one.model)
    numbers = _numbers(of_model, max_tasks, target_minutes)
    return [share for model, own in of_model.items() for share in _even(own, numbers[model])]


def _numbers(of_model: dict[str, list[Piece]], max_tasks: int | None, target_minutes: float | None) -> dict[str, int]:
    """How many shares each model gets: the next one goes to the model whose shares are the longest."""
    cost = {model: sum(piece.seconds for piece in own) for model, own in of_model.items()}
    most = {model: len(own) for model, own in of_model.items()}
    if target_minutes:
        wanted = {model: math.ceil(cost[model] / (60 * target_minutes)) for model in cost}
        most = {model: min(most[model], max(1, wanted[model])) for model in cost}
    elif not max_tasks:
        most = dict.fromkeys(cost, 1)
    numbers = dict.fromkeys(cost, 1)
    while sum(numbers.values()) < (max_tasks or math.inf):
        divisible = [model for model in cost if numbers[model] < most[model]]
        if not divisible:
            break
        longest = max(divisible, key=lambda model: cost[model] / numbers[model])
        numbers[longest] += 1
    return numbers


def _even(pieces: Sequence[Piece], number: int) -> list[Share]:
    """`number` shares: each session, the longest first, goes where least is so far."""
    shares: list[list[Piece]] = [[] for _ in range(number)]
    heap = [(0.0, index) for index in range(number)]
    for piece in sorted(pieces, key=lambda one: (-one.seconds, one.dataset, one.experiment)):
        seconds, index = heapq.heappop(heap)
        shares[index].append(piece)
        heapq.heappush(heap, (seconds + piece.seconds, index))
    return [_share(own) for own in shares]


def _share(pieces: Sequence[Piece]) -> Share:
    sessions: dict[str, list[str]] = defaultdict(list)
    for piece in sorted(pieces, key=lambda one: (one.dataset, one.experiment)):
        sessions[piece.dataset].append(piece.experiment)
    steps, seconds = sum(piece.steps for piece in pieces), sum(piece.seconds for piece in pieces)
    return Share(model=pieces[0].model, sessions=dict(sessions), steps=steps, seconds=round(seconds, 1))
