"""The ledger of a run, and the model that is asked only while the run is within its limits."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

from cibench_eval.models.base import ChatModel, Tool, Turn, Wrapper
from cibench_eval.models.limits import Limits, Price
from cibench_eval.schema import Message, Reply, RunOverError

_process_start = time.monotonic()
"""About when this process began: it imports this module before its first task."""


class RunLimitError(RunOverError):
    """The run is over one of its limits: nothing more may be asked."""


class Ledger:
    """What a run has used, in a file that all its processes append to: one line a reply that was paid for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.tokens = 0
        self.cost = 0.0
        self._read = 0

    def add(self, tokens: int, cost: float) -> None:
        """Append a line. It counts from the next `refresh` on."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open('a', encoding='utf-8') as file:  # one write, when it is closed
            file.write(json.dumps({'tokens': tokens, 'cost': cost}) + '\n')

    def refresh(self) -> None:
        """Take in what was appended since the last time, by whomever. A line that a crash tore is left out."""
        for line in self._new_lines():
            try:
                entry = json.loads(line)
            except ValueError:
                continue
            self.tokens += entry['tokens']
            self.cost += entry['cost']

    def _new_lines(self) -> list[bytes]:
        if not self.path.exists() or self.path.stat().st_size <= self._read:
            return []
        with self.path.open('rb') as file:
            file.seek(self._read)
            new = file.read()
        whole = new[: new.rfind(b'\n') + 1]
        self._read += len(whole)
        return whole.splitlines()


class MeteredModel(Wrapper):
    """A model whose every request is held against the run's limits first, and entered into its ledger afterwards.

    Args:
        model: the model behind it.
        limits: those of the run.
        price: the model's.
        ledger: the run's.
        again: how to go on after a limit was met, in words.
    """

    def __init__(self, model: ChatModel, limits: Limits, price: Price, ledger: Ledger, again: str = '-r') -> None:
        super().__init__(model)
        self._limits = limits
        self._price = price
        self._ledger = ledger
        self._again = again

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        self._check_limits()
        reply = await super().chat(messages, turn, stop, tools)
        tokens_in, tokens_out = reply.tokens_in or 0, reply.tokens_out or 0
        if not reply.cached and (tokens_in or tokens_out):
            self._ledger.add(tokens_in + tokens_out, self._price.of(tokens_in, tokens_out, reply.cached_tokens or 0))
        return reply

    def _check_limits(self) -> None:
        """Raises:
        RunLimitError: a limit is used up.
        """
        self._ledger.refresh()
        seconds = time.monotonic() - _process_start
        used = {'run_tokens': self._ledger.tokens, 'run_seconds': seconds, 'run_cost': self._ledger.cost}
        if used_up := self._limits.used_up(used):
            raise RunLimitError(f'limits: {used_up}; raise it in the config and go on with {self._again}')
