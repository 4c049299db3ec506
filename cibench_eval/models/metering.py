"""The ledger of a run, and a model that answers only while the run is within its limits."""

import functools
import json
import logging
import time
from collections.abc import Sequence
from pathlib import Path

from cibench_eval.files import lines_at, seen_now, whole_lines, write_whole
from cibench_eval.models.base import ChatModel, Tools, Turn, Wrapper
from cibench_eval.models.limits import Limits, Price, money
from cibench_eval.schema import Message, Reply, RunOverError

logger = logging.getLogger(__name__)
_process_start = time.monotonic()
"""The process imports this module before its first task."""


class RunLimitError(RunOverError):
    """The run is over one of its limits: no model may be asked any more."""


class Ledger:
    """What a run has used: a file with one line for each reply that was paid for.

    Args:
        part: name of one of many tasks. It writes a file of its own beside `path` and reads all of them, because lines
            that several machines append to one file can be lost.
    """

    def __init__(self, path: Path, part: str = '') -> None:
        self.path = path.with_suffix(f'.{part}{path.suffix}') if part else path
        self.tokens = 0
        self.cost = 0.0
        self._shared = path
        self._read: dict[Path, int] = {}

    @property
    def text(self) -> str:
        """Its tokens, and its cost where there is one: without a price a cost of 0.00 would be false."""
        return f'{self.tokens:,} tokens' + (f', cost {money(self.cost)}' if self.cost else '')

    def add(self, tokens: int, cost: float) -> None:
        """Append a line, which counts from the next `refresh` on."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open('a', encoding='utf-8') as file:  # one write, when it is closed
            file.write(json.dumps({'tokens': tokens, 'cost': cost}) + '\n')

    def refresh(self) -> None:
        """Read what this and other processes have appended since the last time. A torn line is skipped."""
        for path in [self._shared, *_parts_of(self._shared)]:
            for offset, line in lines_at(path, offset=self._read.get(path, 0)):
                self._read[path] = offset + len(line) + 1
                try:
                    entry = json.loads(line)
                except ValueError:
                    continue
                self.tokens += entry['tokens']
                self.cost += entry['cost']


def _parts_of(ledger: Path) -> list[Path]:
    """The files that tasks have written beside a run's ledger."""
    return sorted(ledger.parent.glob(f'{ledger.stem}.*{ledger.suffix}'))


def gather(ledger: Path) -> None:
    """Merge the parts of a ledger into it, when all tasks have ended."""
    parts = _parts_of(ledger)
    if not parts:
        return
    files = [ledger, *parts] if ledger.exists() else parts
    write_whole(ledger, b''.join(line + b'\n' for path in files for line in whole_lines(seen_now(path))))
    for path in parts:
        path.unlink()


@functools.cache
def _say_uncounted(limits: str) -> None:
    """Warn, once, that limits are not held."""
    logger.warning('limits: a reply came without a count of its tokens, so %s cannot be held; set run_seconds', limits)


class MeteredModel(Wrapper):
    """A model that checks the run's limits before each request, and enters each reply into the run's ledger.

    Args:
        again: command that goes on after a limit was met.
    """

    def __init__(self, model: ChatModel, limits: Limits, price: Price, ledger: Ledger, again: str = '-r') -> None:
        super().__init__(model)
        self._limits = limits
        self._price = price
        self._ledger = ledger
        self._again = again

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        self._check_limits()
        reply = await super().chat(messages, turn, stop, tools)
        tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
        if not reply.cached and (tokens_in or tokens_out):
            self._ledger.add(tokens_in + tokens_out, self._price.of(tokens_in, tokens_out, reply.cached_tokens or 0))
        if reply.tokens_in is None and (reply.text or reply.tool_calls) and self._limits.of_tokens:
            _say_uncounted(', '.join(self._limits.of_tokens))
        return reply

    def _check_limits(self) -> None:
        """Raise a `RunLimitError` where a limit is used up."""
        if self._limits.run_tokens is not None or self._limits.run_cost is not None:
            self._ledger.refresh()
        seconds = time.monotonic() - _process_start
        used = {'run_tokens': self._ledger.tokens, 'run_seconds': seconds, 'run_cost': self._ledger.cost}
        if used_up := self._limits.used_up(used):
            raise RunLimitError(f'limits: {used_up}; raise it in the config and go on with {self._again}')
