"""Backends that answer from records: the gold code, or the traces of an earlier run (from a script: `scripts.py`).

They answer by where a question stands in its session (`Turn`), in either mode and in a resumed run.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cibench_eval.files import whole_lines
from cibench_eval.models.base import Stateless, Tool, Turn
from cibench_eval.schema import CibenchError, HarnessError, Message, Mode, Reply, Trace, problem
from cibench_eval.traces import read_trace

SUFFIX = '.traces.jsonl'


Golds = Mapping[tuple[str, int], Reply]
"""By experiment and step: the reply that carries the gold code, as the protocol in use writes it."""


class Replay(Stateless):
    """A model that is not asked: its replies depend on the turn alone, so a reply cache must not stand before it."""

    def learn(self, golds: Golds, closing: Reply | None = None) -> None:
        """Take in the gold replies of the sessions to come; a replay that does not need them does nothing.

        Args:
            golds: by experiment and step.
            closing: what ends a step after its gold code has run, where code that ran does not.
        """


class GoldReplay(Replay):
    """Answers every question with its gold code: the ceiling of this machine, and the check of the whole path.

    A run gives it the gold replies. Without a run: `model.learn({(experiment.id, step.index): protocol.gold(step) for
    experiment in experiments for step in experiment.steps})`.
    """

    _golds: Golds = MappingProxyType({})
    _closing: Reply | None = None

    def learn(self, golds: Golds, closing: Reply | None = None) -> None:
        self._golds, self._closing = {**self._golds, **golds}, closing

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        if (turn.experiment, turn.step) not in self._golds:
            raise HarnessError(
                f'GoldReplay: it has no gold reply for {turn.experiment}, step {turn.step}; give it one with `learn`'
            )
        return self._closing if turn.attempt and self._closing else self._golds[turn.experiment, turn.step]


class TraceReplay(Replay):
    """Answers with the replies of an earlier run: to run its code in another kernel environment, or to debug it.

    Replies count as cached: nothing is asked and nothing paid. Where code now does what it did not do then, a session
    may need an attempt that was never made; that is a HarnessError.

    Args:
        path: a `*.traces.jsonl`, a folder that has some below it (`predictions/<model>`), or a pattern with `*`.
        dataset, mode, model, epoch: of the traces to answer from, where the files have several of them. `epoch` is the
            one that the first epoch of a run replays; later ones replay those after it.
    """

    def __init__(
        self,
        path: str,
        dataset: str | None = None,
        mode: Mode | None = None,
        model: str | None = None,
        epoch: int | None = None,
    ) -> None:
        self._path = path
        self._wanted: dict[str, Any] = {'dataset': dataset, 'mode': mode, 'model': model, 'epoch': epoch}

    def check(self) -> None:
        self._traces  # noqa: B018 - reads them

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        if turn.experiment not in self._traces:
            raise HarnessError(f'TraceReplay: {self._path} has no session of experiment {turn.experiment}')
        file, replies = self._traces[turn.experiment]
        if (turn.step, turn.attempt) not in replies:
            attempts = sum(step == turn.step for step, _ in replies)
            raise HarnessError(
                f'TraceReplay: {file} has no reply for {turn.experiment}, step {turn.step}, attempt {turn.attempt}: '
                f'{attempts} attempts of that step were recorded'
            )
        return replies[turn.step, turn.attempt]

    @functools.cached_property
    def _traces(self) -> dict[str, tuple[Path, dict[tuple[int, int], Reply]]]:
        """By experiment: where it was recorded, and its replies by step and attempt."""
        found: dict[str, tuple[Path, dict[tuple[int, int], Reply]]] = {}
        for file in self._files():
            for trace in _traces_in(file):
                if any(value not in (None, getattr(trace, name)) for name, value in self._wanted.items()):
                    continue
                replies = _replies(trace)
                if found.setdefault(trace.experiment, (file, replies))[1] != replies:
                    raise CibenchError(
                        f'TraceReplay: {found[trace.experiment][0]} and {file} have different replies for '
                        f'{trace.experiment}: name one file, or set dataset, mode, model or epoch'
                    )
        if not found:
            raise CibenchError(f'TraceReplay: {self._path} has no trace that is wanted ({_criteria(self._wanted)})')
        return found

    def _files(self) -> list[Path]:
        path = Path(self._path).expanduser()
        files = [path]
        if '*' in self._path:
            try:
                files = list(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
            except ValueError as error:
                raise CibenchError(f'TraceReplay: pattern {path}: {error}; correct it') from error
        elif path.is_dir():
            files = list(path.rglob(f'*{SUFFIX}'))
        if not files or not all(file.is_file() for file in files):
            raise CibenchError(f'TraceReplay: no file {path}' + (f' with *{SUFFIX} below it' if path.is_dir() else ''))
        return sorted(files)


def _traces_in(file: Path) -> Iterator[Trace]:
    """The traces of a file; a last line that a crash tore is left out."""
    for number, line in enumerate(whole_lines(file), 1):
        try:
            yield read_trace(line)
        except ValueError as error:
            raise CibenchError(f'TraceReplay: {file}, line {number}: not a trace ({problem(error)})') from error


def _replies(trace: Trace) -> dict[tuple[int, int], Reply]:
    return {
        (step.index, number): attempt.reply.model_copy(update={'seconds': 0.0, 'cached': True})
        for step in trace.steps
        for number, attempt in enumerate(step.attempts)
    }


def _criteria(wanted: dict[str, Any]) -> str:
    return ', '.join(f'{name} {value}' for name, value in wanted.items() if value) or 'any'
