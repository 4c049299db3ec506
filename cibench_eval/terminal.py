"""Output that fails in no locale, and logging that says nothing of itself."""

from __future__ import annotations

import codecs
import io
import logging
import sys
from typing import TypeVar

HandlerT = TypeVar('HandlerT', bound=logging.Handler)
NEAREST = dict(zip('–—…×·≥≤≈─│‘’“”κ→', '--.x*><~-|\'\'""k>', strict=True))
"""Characters that the project writes -> the nearest one of ASCII, as wide as it is."""


def accept_any_text() -> None:
    """Let standard output and error show what their encoding lacks, or no file can hold, by another character.

    Call it once, when a program starts.
    """
    codecs.register_error('nearest', _nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors='nearest')


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
