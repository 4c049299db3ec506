"""The progress of a run: a live line on a terminal, else lines of the log."""

import asyncio
import logging
from collections.abc import Iterable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cibench_eval.agents.progress import Observer, Progress
from cibench_eval.reports.layout import clock, counted
from cibench_eval.schema import Trace
from cibench_eval.terminal import new_console

logger = logging.getLogger(__name__)
HEARTBEAT = 30.0
"""Seconds between two lines of the log."""
BAR = 24
"""Characters of the bar."""


class LiveDisplay(Observer):
    """Shows sessions while they run, by default on standard error, and logs each finished session."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or new_console(stderr=True)
        self._live: Live | None = None
        self._timer: asyncio.TimerHandle | None = None

    def begin(self, progress: Progress) -> None:
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._live = Live(
                console=self._console,
                get_renderable=lambda: render(progress, self._console.width),
                refresh_per_second=4,
                transient=True,
            )
            self._live.start()
        else:
            if progress.sessions:
                logger.info('%s: %s, %d at once', progress.title, _size(progress), progress.at_once)
            self._beat(progress, first=True)

    def session(self, progress: Progress, trace: Trace) -> None:
        ran = sum(any(attempt.ran for attempt in step.attempts) for step in trace.steps)
        logger.info(
            '%d/%d sessions: %s %s: %s: code ran in %d of %d steps, %.1f s',
            *(progress.sessions_done, progress.sessions, trace.model, trace.dataset),
            *(trace.experiment, ran, len(trace.steps), trace.seconds),
        )

    def end(self, progress: Progress) -> None:
        if self._live is not None:
            self._live.stop()
        if self._timer is not None:
            self._timer.cancel()
        self._live = self._timer = None
        if progress.sessions:
            said = ', '.join(facts(progress, over=True))
            logger.info('%s: over after %s: %s', progress.title, clock(progress.seconds), said)

    def _beat(self, progress: Progress, *, first: bool = False) -> None:
        if not first:
            logger.info('%s: %s', progress.title, ', '.join(facts(progress)))
        self._timer = asyncio.get_running_loop().call_later(HEARTBEAT, self._beat, progress)


def facts(progress: Progress, *, over: bool = False) -> list[str]:
    """The progress in words, the most important first, without zeros. Of a run that is `over`, nothing is left."""
    left = None if over else progress.seconds_left
    queued = 0 if over else progress.sessions_queued
    again = ', '.join(f'{number} × {kind}' for kind, number in progress.tried_again.most_common())
    return [
        f'{progress.steps_done}/{progress.steps} steps',
        f'{progress.sessions_done}/{progress.sessions} sessions',
        *([f'{progress.running} running'] if progress.running else []),
        *([f'{progress.oracle_steps} oracle steps at once'] if progress.oracle_steps else []),
        *([f'{queued} queued'] if queued else []),
        *([f'{progress.steps_a_second:.3g} steps/s'] if progress.steps_a_second else []),
        *([f'{progress.tokens_a_second:.0f} tokens/s'] if progress.tokens else []),
        *(['no step done yet'] if progress.seconds >= HEARTBEAT and not progress.steps_done else []),
        *([f'code failed or missing in {counted(progress.errors, "attempt")}'] if progress.errors else []),
        *([f'requests sent again: {again}'] if again else []),
        *([f'{counted(progress.sessions_failed, "session")} failed'] if progress.sessions_failed else []),
        *([f'{clock(left)} left'] if left else []),
    ]


def render(progress: Progress, width: int) -> RenderableType:
    """The live line, or several on a narrow terminal. A fact is broken only if it is longer than a line."""
    words = facts(progress)
    bar = ProgressBar(total=max(progress.steps, 1), completed=progress.steps_done, width=BAR)
    head, tail = Text(progress.title, style='bold'), Text('\n'.join(_lines(words, width)))
    if progress.sessions_failed:
        tail.highlight_words([word for word in words if word.endswith('failed')], 'red')
    grid = Table.grid(padding=(0, 1))
    if len(head) + BAR + len(' · '.join(words)) + 2 <= width:
        grid.add_row(head, bar, Text(' · ').join(tail.split('\n')))
        return grid
    if len(head) + BAR + 1 > width:
        return Group(head, bar, tail)
    grid.add_row(head, bar)
    return Group(grid, tail)


def _lines(words: Iterable[str], width: int) -> list[str]:
    """Words in as few lines as hold them."""
    lines: list[str] = []
    for word in words:
        longer = f'{lines[-1]} · {word}' if lines else word
        lines[-1:] = [longer] if len(longer) <= width else [*lines[-1:], word]
    return lines


def _size(progress: Progress) -> str:
    reused = f' ({progress.steps_reused} done before)' if progress.steps_reused else ''
    return f'{counted(progress.sessions, "session")}, {counted(progress.steps, "step")}{reused}'
