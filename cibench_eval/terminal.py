"""Output that fails in no locale and moves no cursor, and logging that says nothing of itself.

Text of models, kernels, servers and sets of strangers goes to a terminal, to a pipe or into a log through here. Where
it goes at first tells nothing: a file is shown later, a pipe leads to a pager.
"""

from __future__ import annotations

import codecs
import functools
import io
import json
import logging
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

Log = Callable[[str], None]
"""Gets a line that says how far something is."""
OnProgress = Callable[[int, int, str], None]
"""Called with the number done, the total, and the name of the last one."""
HandlerT = TypeVar('HandlerT', bound=logging.Handler)
FilterT = TypeVar('FilterT', bound=logging.Filter | Callable[[logging.LogRecord], bool])
NEAREST = dict(zip('–—…×·≥≤≈─│‘’“”κ→', '--.x*><~-|\'\'""k>', strict=True))
"""Characters that the project writes -> the nearest one of ASCII, as wide as it is."""
HIDDEN = re.compile(
    r'[\x00-\x08\x0b-\x1f\x7f-\x9f'  # control characters but for tab and line feed: they begin every command
    r'\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb'  # not to be seen
    r'\u2028-\u202e'  # ends of lines and of paragraphs, other directions of reading
    r'\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
)
"""Characters that command a terminal, or that it does not show."""
BLANKS = re.compile(r'(?<! ) +$', re.MULTILINE)
"""What a table of rich has at the end of a line."""


def visible(text: str) -> str:
    """A text for people: what could command a terminal or hide in a line is spelled out, as in Python's strings."""
    return HIDDEN.sub(lambda found: ascii(found[0])[1:-1], text)


def say(text: str, *, error: bool = False) -> None:
    """Print a text on standard output, or on standard error, as `visible` has it."""
    print(visible(text), file=sys.stderr if error else sys.stdout, flush=True)


def json_line(value: Any, indent: int | None = None) -> str:
    """A value as JSON for people and programs: in Unicode, except what `visible` spells out."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return HIDDEN.sub(lambda found: json.dumps(found[0])[1:-1], text)


class VisibleFormatter(logging.Formatter):
    """Log lines as `visible` has them."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(super().format(record))


class StandardErrorHandler(logging.StreamHandler[Any]):
    """Writes to what standard error is at the moment: a live display puts itself in its place."""

    def __init__(self) -> None:
        logging.Handler.__init__(self)

    @property
    def stream(self) -> Any:
        return sys.stderr

    @stream.setter
    def stream(self, _: Any) -> None: ...


def log_to_stderr(form: str = '%(message)s', level: int = logging.WARNING, dates: str | None = None) -> None:
    """Show log lines on standard error, unless the program has said before where they go."""
    handler = quiet(StandardErrorHandler())
    handler.setFormatter(VisibleFormatter(form, datefmt=dates))
    logging.basicConfig(level=level, handlers=[handler])


class Errors(logging.Filter):
    """Lets each error of ours through once, and counts them: a command that says one does not end as if all were well.

    What other packages log is no damage that a command has met.
    """

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, logging.LogRecord] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.ERROR or not record.name.startswith('cibench_eval'):
            return True
        return self._said.setdefault(record.getMessage(), record) is record

    def __len__(self) -> int:
        return len(self._said)


@contextmanager
def filtering(added: FilterT) -> Iterator[FilterT]:
    """Apply a filter to all that is logged while the block runs."""
    handlers = list(logging.getLogger().handlers)
    for handler in handlers:
        handler.addFilter(added)
    try:
        yield added
    finally:
        for handler in handlers:
            handler.removeFilter(added)


def new_console(**options: Any) -> Console:
    """A rich console for text of anybody. Give it `Text`, or markup that was escaped: else the text is its markup."""
    return _console_class()(highlight=False, **options)


@functools.cache
def _console_class() -> type[Console]:
    from rich.console import Console
    from rich.segment import Segment

    class VisibleConsole(Console):
        def render(self, renderable: Any, options: Any = None) -> Any:
            for one in super().render(renderable, options):
                yield one if one.control else Segment(visible(one.text), one.style)

        def _render_buffer(self, buffer: Any) -> str:
            text = super()._render_buffer(buffer)
            return text if self.is_terminal else BLANKS.sub('', text)

    return VisibleConsole


def accept_any_text() -> None:
    """Let standard output and error show what their encoding lacks, or no file can hold, by another character.

    What is closed, as by `>&-` or a cron job, reads and writes nothing. Call it once, when a program starts.
    """
    _open_closed_streams()
    codecs.register_error('nearest', _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors='nearest')


@contextmanager
def ended_as_by_ctrl_c() -> Iterator[None]:
    """SIGTERM and SIGHUP end the program as Ctrl-C does, while the block runs.

    Not where something else handles or ignores them, as `nohup` does.
    """
    main = threading.current_thread() is threading.main_thread()
    ours = [one for one in (signal.SIGTERM, signal.SIGHUP) if main and signal.getsignal(one) is signal.SIG_DFL]
    for one in ours:
        signal.signal(one, _as_ctrl_c)
    try:
        yield
    finally:
        for one in ours:
            signal.signal(one, signal.SIG_DFL)


class EndedError(KeyboardInterrupt):
    """The program was told to end, not by the person at the keyboard: its terminal was closed, or it was killed."""


def _as_ctrl_c(number: int, frame: FrameType | None) -> None:
    """Do what SIGINT does now (asyncio cancels its main task, so that all ends in order), or raise `EndedError`."""
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or handler is signal.default_int_handler:
        raise EndedError
    handler(number, frame)


def _open_closed_streams() -> None:
    """Open what is closed of the standard streams on nothing; else the next files would take their numbers."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # the lowest that is free
        os.set_inheritable(number, True)
        stream = ('stdin', 'stdout', 'stderr')[number]
        setattr(sys, stream, os.fdopen(number, 'w' if number else 'r', encoding='utf-8'))
    os.close(number)


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return ''.join(NEAREST.get(sign, '?') for sign in error.object[error.start : error.end]), error.end


def quiet(handler: HandlerT) -> HandlerT:
    """A logging handler that prints no traceback where it cannot write: the disk is full, or nobody listens."""
    loud = handler.handleError

    def handle_error(record: logging.LogRecord) -> None:
        if not isinstance(sys.exc_info()[1], OSError):
            loud(record)

    handler.handleError = handle_error  # type: ignore[method-assign]
    return handler
