"""A text that sends commands to the terminal, or hides in it."""

import os
import subprocess

HOSTILE = (
    '[link=http://x]y[/link]'  # markup of rich
    '\x1b]52;c;cHduZWQ=\x07'  # writes the clipboard
    '\x1b]0;owned\x07'  # the title
    '\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\'  # a link
    '\x1b[2J\x1b[1A\x1b[31m'  # clears, moves, colours
    '\x9b2J\x9d0;owned\x9c\x90q\x9c'  # the same in one character
    '\r\x08\x0b\x0c\x7f'  # goes back
    '\u202eevil\u202c\u2066x\u2069'  # turns the direction of reading
    'a\u200bb\u200d\ufeff\u2060\xad\U000e0041'  # is not seen
)
FORBIDDEN = [sign for sign in HOSTILE if not sign.isprintable()]
"""Characters of HOSTILE that must not reach a terminal."""


def harmless(text: str) -> bool:
    """Whether a text has no FORBIDDEN character."""
    return not any(sign in text for sign in FORBIDDEN)


def on_terminal(command: list[str]) -> tuple[str, int]:
    """What a command writes to a terminal, and its exit code."""
    reader, writer = os.openpty()
    process = subprocess.Popen(command, stdout=writer, stderr=writer, stdin=subprocess.DEVNULL)
    os.close(writer)
    shown = b''
    while piece := _read(reader):
        shown += piece
    os.close(reader)
    return shown.decode(), process.wait()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # its other end is closed
        return b''
