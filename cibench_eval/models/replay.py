"""Backends that answer from records: the gold code, or the traces of an earlier run (scripts: `scripts.py`).

They answer by the question's position in its session (`Turn`), in either mode and in a resumed run.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any

from cibench_eval.files import whole_lines
from cibench_eval.models.base import Stateless, Tools, Turn
from cibench_eval.models.identity import model_of_epoch
from cibench_eval.run_paths import TRACES
from cibench_eval.schema import CibenchError, HarnessError, Message, Mode, Reply, Trace, problem
from cibench_eval.sealed import unsealed

Golds = Mapping[tuple[str, int], Reply]
"""By experiment and step: the reply with the gold code, as the protocol in use writes it."""
Recorded = dict[str, tuple[Path, dict[tuple[int, int], Reply]]]
"""By experiment: the file that recorded it, and its replies by step and attempt."""


class Replay(Stateless):
    """Base of recorded models. Their replies depend on the turn alone, so a reply cache must not wrap them."""


class NoModel(Stateless):
    """No model, for agents that bring their own: it gives their results a name."""

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        raise HarnessError('this run has no model to ask; choose one with --models')


class GoldReplay(Replay):
    """Answers every question with its gold code: the ceiling of this machine, and a check of the whole harness.

    A run gives it the gold replies. Without a run: `model.learn({(experiment.id, step.index): protocol.gold(step) for
    experiment in experiments for step in experiment.steps})`.
    """

    _golds: Golds = MappingProxyType({})
    _closing: Reply | None = None

    def learn(self, golds: Golds, closing: Reply | None = None) -> None:
        """Take in the gold replies of the coming sessions.

        `closing` ends a step after its gold code has run, where running code does not end it.
        """
        self._golds, self._closing = {**self._golds, **golds}, closing

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        if (turn.experiment, turn.step) not in self._golds:
            raise HarnessError(
                f'GoldReplay: it has no gold reply for {turn.experiment}, step {turn.step}; give it one with `learn`'
            )
        return self._closing if turn.attempt and self._closing else self._golds[turn.experiment, turn.step]


class TraceReplay(Replay):
    """Answers with the replies of an earlier run: to run its code in another kernel environment, or to debug it.

    Replies count as cached and cost nothing. Where the code now behaves differently, a session may need an attempt that
    was never made; that is a HarnessError.

    Args:
        path: a `*.traces.jsonl`, a folder with some below it (`predictions/<model>`), or a pattern with `*`.
        dataset, mode, model: select traces where the files have several.
        epoch: the one that the first epoch of a run replays; later epochs replay the following ones.
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
        self._epochs: dict[int, Recorded] = {}

    def check(self) -> None:
        self._traces(1)

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        traces = self._traces(turn.epoch)
        if turn.experiment not in traces:
            raise HarnessError(f'TraceReplay: {self._path} has no session of experiment {turn.experiment}')
        file, replies = traces[turn.experiment]
        if (turn.step, turn.attempt) not in replies:
            attempts = sum(step == turn.step for step, _ in replies)
            raise HarnessError(
                f'TraceReplay: {file} has no reply for {turn.experiment}, step {turn.step}, attempt {turn.attempt}: '
                f'{attempts} attempts of that step were recorded'
            )
        return replies[turn.step, turn.attempt]

    def _traces(self, epoch: int) -> Recorded:
        """The records for an epoch of a run, read once."""
        if epoch not in self._epochs:
            self._epochs[epoch] = self._read(model_of_epoch(self._wanted, epoch))
        return self._epochs[epoch]

    def _read(self, wanted: dict[str, Any]) -> Recorded:
        found: Recorded = {}
        for file in self._files():
            for trace in _traces_in(file):
                if any(value not in (None, getattr(trace, name)) for name, value in wanted.items()):
                    continue
                replies = {
                    (step.index, number): attempt.reply.model_copy(update={'seconds': 0.0, 'cached': True})
                    for step in trace.steps
                    for number, attempt in enumerate(step.attempts)
                }
                if found.setdefault(trace.experiment, (file, replies))[1] != replies:
                    raise CibenchError(
                        f'TraceReplay: {found[trace.experiment][0]} and {file} have different replies for '
                        f'{trace.experiment}: name one file, or set dataset, mode, model or epoch'
                    )
        if not found:
            said = ', '.join(f'{name} {value}' for name, value in wanted.items() if value) or 'any'
            raise CibenchError(f'TraceReplay: {self._path} has no trace that is wanted ({said})')
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
            files = list(path.rglob(f'*{TRACES}'))
        if not files or not all(file.is_file() for file in files):
            raise CibenchError(f'TraceReplay: no file {path}' + (f' with *{TRACES} below it' if path.is_dir() else ''))
        return sorted(files)


def _traces_in(file: Path) -> Iterator[Trace]:
    """The traces of a file, without a torn last line."""
    for number, line in enumerate(whole_lines(file), 1):
        try:
            yield Trace.model_validate_json(unsealed(line))
        except (ValueError, RecursionError) as error:
            raise CibenchError(f'TraceReplay: {file}, line {number}: not a trace ({problem(error)})') from error
