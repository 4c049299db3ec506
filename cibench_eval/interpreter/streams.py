"""Printed text as a notebook shows it: without escape sequences and without overwritten text."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

ANSI = re.compile(
    r'\x1b(?:\[[0-?]*+[ -/]*+(?:[@-~]|(?=\x1b))'  # colours, moves of the cursor
    r'|\][^\x07\x1b]*+(?:\x07|\x1b\\|(?=\x1b[^\\]))'  # titles, links
    r'|[ -/]*+(?:[0-Z\\^-~]|(?=\x1b)))'
)
"""Escape sequences of a terminal. The start of another one ends an unfinished one."""
UNFINISHED = re.compile(r'\x1b(?:\[[0-?]*+[ -/]*+|\][^\x07\x1b]*+\x1b?|[ -/]*+)\Z')
"""An escape sequence whose end has yet to come."""
LONGEST_SEQUENCE = 4096
"""Characters after which an unfinished escape sequence counts as text."""
CURSOR = re.compile(r'\x1b\[(\d{0,4})([ABEFJK])')
"""Sequences that move the cursor up (A, F) or down (B, E), or erase the rest of its line (K) or of the screen (J)."""
CONTROL = re.compile(r'(\r+|\x08+|\n|\x1b\[\d{0,4}[ABEFJK])')
OVERWRITES = re.compile(r'\r(?!\n)|[\x08\x1b]')
"""Characters after which text can be overwritten; the line ends `\\r\\n` are none."""
HELD = 50
"""Lines of the screen, to which the cursor can go back."""
SMALL = 1024
"""Pieces are joined up to this many characters, so that there are far fewer pieces than characters."""
AT_ONCE = 20_000
"""Characters of one step: some milliseconds of work, if each is a control character."""
CUT = '\n[… output cut here …]\n'


def shorten_beyond(text: str, limit: int) -> str:
    """`text`, or its head and tail if it is longer than our kernels send."""
    return text if len(text) <= 2 * limit + len(CUT) else text[:limit] + CUT + text[-limit:]


@dataclass
class TextPiece:
    """Text of output `number`; only its first `size` characters are not erased."""

    number: int
    text: str
    size: int


@dataclass
class ScreenLine:
    """A line in pieces. `end` is the number of the output in which it ends, and `\\n` or `\\r\\n`."""

    pieces: deque[TextPiece] = field(default_factory=deque)
    end: tuple[int, str] | None = None

    @property
    def size(self) -> int:
        return sum(piece.size for piece in self.pieces)


class Screen:
    """The last lines of a stream, up to `limit` characters, which can still change; `kept` takes earlier lines."""

    def __init__(self, limit: int, kept: HeadAndTail) -> None:
        self._limit, self._kept = limit, kept
        self._lines: deque[ScreenLine] = deque([ScreenLine()])
        self._row = 0
        """The line of the cursor."""
        self._size = 0
        self.returned = False
        """Whether the cursor is at the start of its line, so that the next character replaces the line."""

    @property
    def _line(self) -> ScreenLine:
        return self._lines[self._row]

    @property
    def is_plain(self) -> bool:
        """Whether text would be written after everything else."""
        return not self.returned and self.is_last

    @property
    def is_last(self) -> bool:
        """Whether the cursor is in the last line."""
        return self._row == len(self._lines) - 1

    def add(self, number: int, lines: list[str], begun: str) -> None:
        """Write whole lines, then an unfinished one, after everything else (if `is_plain`)."""
        if len(lines) > HELD:
            cut = len(lines) - HELD
            self.append(number, lines[0])
            self._line.end = (number, '\n')
            self.flush()
            self._kept.add(number, ''.join(f'{line}\n' for line in lines[1:cut]))
            lines = lines[cut:]
        for line in lines:
            self.append(number, line)
            self.end_line(number)
        self.append(number, begun)

    def append(self, number: int, text: str) -> None:
        """Write at the cursor."""
        if not text:
            return
        if self.returned:
            self.erase_line()
        line = self._line
        self._size += len(text)
        last = line.pieces[-1] if line.pieces else None
        if last and last.number == number and last.size + len(text) <= SMALL:
            last.text = last.text[: last.size] + text
            last.size = len(last.text)
        else:
            line.pieces.append(TextPiece(number, text, len(text)))
        self._shrink()

    def erase(self, count: int) -> None:
        """Erase characters before the cursor, at most to the start of its line."""
        line = self._line
        while count and line.pieces and not self.returned:
            last = line.pieces[-1]
            erased = min(count, last.size)
            last.size -= erased
            self._size -= erased
            count -= erased
            if not last.size:
                line.pieces.pop()

    def erase_line(self) -> None:
        """Erase the line of the cursor."""
        self._size -= self._line.size
        self._line.pieces.clear()
        self.returned = False

    def erase_below(self) -> None:
        """Erase the lines below the cursor."""
        while len(self._lines) - 1 > self._row:
            self._size -= self._lines.pop().size
        self._line.end = None

    def end_line(self, number: int) -> None:
        """Go to the start of the next line."""
        if not self.is_last:
            self.move(1)
            self.returned = bool(self._line.pieces)
            return
        self._line.end = (number, '\r\n' if self.returned else '\n')
        self._lines.append(ScreenLine())
        self._row += 1
        self.returned = False
        self._shrink()

    def move(self, lines: int) -> None:
        """Move the cursor down by `lines`, or up, within the screen."""
        at_start = self.returned or not self._line.pieces
        self._row = min(max(0, self._row + lines), len(self._lines) - 1)
        self.returned = at_start and bool(self._line.pieces)

    def close(self) -> None:
        """Keep all lines; no more text comes."""
        if self.returned and self.is_last and self._line.pieces:
            self._line.pieces.append(TextPiece(self._line.pieces[-1].number, '\r', 1))
        self.flush()

    def flush(self) -> None:
        """Keep all lines, and start with an empty screen."""
        while self._lines:
            self._keep(self._lines.popleft())
        self._lines.append(ScreenLine())
        self._row, self._size, self.returned = 0, 0, False

    def _keep(self, line: ScreenLine) -> None:
        for piece in line.pieces:
            self._kept.add(piece.number, piece.text[: piece.size])
        if line.end:
            self._kept.add(*line.end)

    def _shrink(self) -> None:
        """Keep lines above the cursor until the rest is within bounds, then the start of the only line."""
        while len(self._lines) > 1 and (len(self._lines) > HELD or self._size >= self._limit):
            first = self._lines.popleft()
            self._size -= first.size
            self._keep(first)
            if not self._row:
                self.returned = False
            self._row = max(0, self._row - 1)
        pieces = self._lines[0].pieces
        while len(self._lines) == 1 and len(pieces) > 1 and self._size - pieces[0].size >= self._limit:
            piece = pieces.popleft()
            self._size -= piece.size
            self._kept.add(piece.number, piece.text[: piece.size])


class Stream:
    """The text of one stream of a code block within `limit` characters: half from its head, half from its tail.

    Text comes in pieces, each for one output, by number. The next text after a carriage return replaces the unfinished
    line, and a backspace erases its last character, also in earlier outputs. nbclient does the same
    (`coalesce_streams`), but leaves backspaces and moves of the cursor in the text; here, progress bars below each
    other show their last state.
    """

    def __init__(self, limit: int) -> None:
        self.truncated = False
        self._limit = limit
        self._kept = HeadAndTail(limit)
        self._screen = Screen(limit, self._kept)
        self._sequence = ''
        """An unfinished escape sequence."""

    def steps(self, number: int, text: str) -> Iterator[None]:
        """Take text for output `number`, a long one in steps, so that the caller can let others run in between."""
        shortened = shorten_beyond(text, self._limit)
        self.truncated |= shortened is not text
        text = self._without_sequences(shortened)
        start = 0
        while start < len(text):
            if start:
                yield
            end = _end_of_step(text, start)
            self._add(number, text[start:end])
            start = end

    def texts(self) -> dict[int, str]:
        """The text of each output, with CUT where something is missing; no more text comes."""
        self._screen.close()
        self.truncated |= self._kept.truncated
        return self._kept.texts()

    def _without_sequences(self, text: str) -> str:
        """Text without escape sequences, except those that move the cursor or erase."""
        if '\x1b' not in text and not self._sequence:
            return text
        text = ANSI.sub(lambda found: found[0] if CURSOR.fullmatch(found[0]) else '', self._sequence + text)
        begun = UNFINISHED.search(text)
        self._sequence = begun[0] if begun and len(begun[0]) <= LONGEST_SEQUENCE else ''
        return text[: len(text) - len(self._sequence)]

    def _add(self, number: int, text: str) -> None:
        if self._screen.is_plain and not OVERWRITES.search(text):
            *lines, begun = text.split('\n')
            self._screen.add(number, lines, begun)
            return
        for part in CONTROL.split(text):
            self._write(number, part)

    def _write(self, number: int, part: str) -> None:
        screen = self._screen
        if part == '\n':
            screen.end_line(number)
        elif part.startswith('\r'):
            screen.returned = True
        elif part.startswith('\b'):
            screen.erase(len(part))
        elif moved := CURSOR.fullmatch(part):
            _obey(screen, moved[2], int(moved[1] or 0))
        else:
            screen.append(number, part)


def _end_of_step(text: str, start: int) -> int:
    """The end of a step that begins at `start`, not inside an escape sequence."""
    end = start + AT_ONCE
    begun = text.rfind('\x1b', max(start, end - 8), end)
    sequence = CURSOR.match(text, begun) if begun >= 0 else None
    return max(end, sequence.end()) if sequence else end


def _obey(screen: Screen, what: str, count: int) -> None:
    if what in 'AF':
        screen.move(-max(1, count))
    elif what in 'BE':
        screen.move(max(1, count))
    if what in 'EF':
        screen.returned = True
    if what in 'KJ' and (screen.returned or count == 2):
        screen.erase_line()
    if what == 'J':
        screen.erase_below()


class HeadAndTail:
    """Numbered pieces of text within `limit` characters: half from the head, half from the tail."""

    def __init__(self, limit: int) -> None:
        self.truncated = False
        self._tail_limit = limit // 2
        self._head_left = limit - self._tail_limit
        self._head: dict[int, list[str]] = {}
        self._tail: deque[tuple[int, str]] = deque()
        self._tail_size = 0
        self._dropped = 0
        """Characters of the tail's first piece that have been dropped."""

    def add(self, number: int, text: str) -> None:
        head, text = text[: self._head_left], text[self._head_left :]
        if head:
            self._head_left -= len(head)
            self._head.setdefault(number, []).append(head)
        if not text:
            return
        self._tail_size += len(text)
        if self._tail and self._tail[-1][0] == number and len(self._tail[-1][1]) + len(text) <= SMALL:
            text = self._tail.pop()[1] + text
        self._tail.append((number, text))
        while (surplus := self._tail_size - self._tail_limit) > 0:
            self.truncated = True
            left = len(self._tail[0][1]) - self._dropped
            self._tail_size -= min(surplus, left)
            self._dropped += surplus
            if surplus >= left:
                self._tail.popleft()
                self._dropped = 0

    def texts(self) -> dict[int, str]:
        """The text of each number, with CUT where something is missing."""
        texts = {number: list(parts) for number, parts in self._head.items()}
        mark, dropped = CUT if self.truncated else '', self._dropped
        for number, text in self._tail:
            texts.setdefault(number, []).append(mark + text[dropped:])
            mark, dropped = '', 0
        return {number: ''.join(parts) for number, parts in texts.items()}
