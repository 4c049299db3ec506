"""What is printed, as a notebook shows it: without escape sequences, and without what was overwritten."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

ANSI = re.compile(
    r'\x1b(?:\[[0-?]*+[ -/]*+(?:[@-~]|(?=\x1b))'  # colours, moves of the cursor
    r'|\][^\x07\x1b]*+(?:\x07|\x1b\\|(?=\x1b[^\\]))'  # titles, links
    r'|[ -/]*+(?:[0-Z\\^-~]|(?=\x1b)))'
)
"""Escape sequences of a terminal. Another one breaks off one that has begun."""
UNFINISHED = re.compile(r'\x1b(?:\[[0-?]*+[ -/]*+|\][^\x07\x1b]*+\x1b?|[ -/]*+)\Z')
"""One whose end has yet to come."""
LONGEST_SEQUENCE = 4096
"""Characters after which what began like an escape sequence is taken for text."""
CONTROL = re.compile(r'(\r+|\x08+)')
OVERWRITES = re.compile(r'\r(?!\n)|\x08')
"""Where text may be overwritten: not at the end of a line as Windows and terminals write it."""
SMALL = 1024
"""Characters up to which pieces are joined, so that there are never as many pieces as characters."""
AT_ONCE = 20_000
"""Characters that are written in one go: some milliseconds of work, if each is a control character."""
CUT = '\n[… output cut here …]\n'


def shorten_beyond(text: str, limit: int) -> str:
    """`text`, or head and tail of one that no kernel sends which keeps to its limits."""
    return text if len(text) <= 2 * limit + len(CUT) else text[:limit] + CUT + text[-limit:]


@dataclass
class Piece:
    """Text of one output, of which the first `size` characters have not been erased."""

    number: int
    text: str
    size: int


class Stream:
    """The text of one stream of a code block within `limit` characters: half from its head, half from its tail.

    It comes in pieces, each of which belongs to an output by its number. A carriage return takes back the line that
    was begun, as soon as more is written to it, and a backspace its last character, in whichever outputs they are.
    That is what nbclient makes of a stream (`coalesce_streams`), which leaves backspaces in.
    """

    def __init__(self, limit: int) -> None:
        self.truncated = False
        self._limit = limit
        self._kept = HeadAndTail(limit)
        self._line: deque[Piece] = deque()
        """The line that was begun."""
        self._line_size = 0
        self._returned = False
        """Whether the next character takes the place of that line."""
        self._sequence = ''
        """An escape sequence that was begun."""

    def add(self, number: int, text: str) -> None:
        """Take text that the stream shows in output `number`."""
        for _ in self.steps(number, text):
            pass

    def steps(self, number: int, text: str) -> Iterator[None]:
        """Take such text in steps, between which others may do something if it is long."""
        shortened = shorten_beyond(text, self._limit)
        self.truncated |= shortened is not text
        text = self._without_sequences(shortened)
        for start in range(0, len(text), AT_ONCE):
            if start:
                yield
            self._add(number, text[start : start + AT_ONCE])

    def _add(self, number: int, text: str) -> None:
        if not self._returned and not OVERWRITES.search(text):
            self._add_plain(number, text)
            return
        *lines, begun = text.split('\n')
        for line in lines:
            self._write(number, line)
            self._end_line(number)
        self._write(number, begun)

    def close(self) -> None:
        """Nothing more comes: the line that was begun is the last."""
        if self._returned and self._line:
            self._line.append(Piece(self._line[-1].number, '\r', 1))
        self._keep_line()

    def texts(self) -> dict[int, str]:
        """The text of each output; where something is missing, it says so. Close the stream before."""
        self.truncated |= self._kept.truncated
        return self._kept.texts()

    def _without_sequences(self, text: str) -> str:
        if '\x1b' not in text and not self._sequence:
            return text
        text = ANSI.sub('', self._sequence + text)
        begun = UNFINISHED.search(text)
        self._sequence = begun[0] if begun and len(begun[0]) <= LONGEST_SEQUENCE else ''
        return text[: len(text) - len(self._sequence)]

    def _add_plain(self, number: int, text: str) -> None:
        lines, newline, begun = text.rpartition('\n')
        if newline:
            self._keep_line()
            self._kept.add(number, lines + newline)
        self._append(number, begun)

    def _write(self, number: int, text: str) -> None:
        """Take a part of a line."""
        last = text.rstrip('\r').rfind('\r')
        if last >= 0 and text[last:].strip('\r\b'):  # nothing before it will be seen
            self._returned, text = True, text[last + 1 :]
        for part in CONTROL.split(text):
            if part.startswith('\r'):
                self._returned = True
            elif part.startswith('\b'):
                self._erase(0 if self._returned else len(part))
            else:
                self._append(number, part)

    def _append(self, number: int, text: str) -> None:
        if not text:
            return
        if self._returned:
            self._line.clear()
            self._line_size, self._returned = 0, False
        self._line_size += len(text)
        last = self._line[-1] if self._line else None
        if last and last.number == number and last.size + len(text) <= SMALL:
            last.text = last.text[: last.size] + text
            last.size = len(last.text)
        else:
            self._line.append(Piece(number, text, len(text)))
        while self._line_size - self._line[0].size >= self._limit:  # too long to be taken back
            self._keep_piece(self._line.popleft())

    def _erase(self, count: int) -> None:
        while count and self._line:
            last = self._line[-1]
            erased = min(count, last.size)
            last.size -= erased
            self._line_size -= erased
            count -= erased
            if not last.size:
                self._line.pop()

    def _end_line(self, number: int) -> None:
        self._keep_line()
        self._kept.add(number, '\r\n' if self._returned else '\n')
        self._returned = False

    def _keep_line(self) -> None:
        while self._line:
            self._keep_piece(self._line.popleft())
        self._line_size = 0

    def _keep_piece(self, piece: Piece) -> None:
        self._line_size -= piece.size
        self._kept.add(piece.number, piece.text[: piece.size])


class HeadAndTail:
    """Text in numbered pieces within `limit` characters: half from its head, half from its tail."""

    def __init__(self, limit: int) -> None:
        self.truncated = False
        self._tail_limit = limit // 2
        self._head_left = limit - self._tail_limit
        self._head: dict[int, list[str]] = {}
        self._tail: deque[tuple[int, str]] = deque()
        self._tail_size = 0
        self._dropped = 0
        """Characters of the tail's first piece that are no part of it any more."""

    def add(self, number: int, text: str) -> None:
        head, tail = text[: self._head_left], text[self._head_left :]
        if head:
            self._head_left -= len(head)
            self._head.setdefault(number, []).append(head)
        if tail:
            self._add_to_tail(number, tail)

    def _add_to_tail(self, number: int, text: str) -> None:
        self._tail_size += len(text)
        if self._tail and self._tail[-1][0] == number and len(self._tail[-1][1]) + len(text) <= SMALL:
            text = self._tail.pop()[1] + text
        self._tail.append((number, text))
        while self._tail_size > self._tail_limit:
            self._drop(self._tail_size - self._tail_limit)

    def _drop(self, surplus: int) -> None:
        self.truncated = True
        left = len(self._tail[0][1]) - self._dropped
        self._tail_size -= min(surplus, left)
        self._dropped += surplus
        if surplus >= left:
            self._tail.popleft()
            self._dropped = 0

    def texts(self) -> dict[int, str]:
        """The text of each number; where something is missing, it says so."""
        texts = {number: list(parts) for number, parts in self._head.items()}
        mark, dropped = CUT if self.truncated else '', self._dropped
        for number, text in self._tail:
            texts.setdefault(number, []).append(mark + text[dropped:])
            mark, dropped = '', 0
        return {number: ''.join(parts) for number, parts in texts.items()}
