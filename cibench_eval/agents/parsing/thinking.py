"""Setting apart what a model thinks, where it stands in the text of its reply: once, and only here.

Most endpoints give it apart. Where one does not, the text has it between marks (`MARKS`), whose place is read so:

- A mark counts outside fenced blocks (`parsing.code`): code may hold any of them.
- Thinking ends with the first mark that closes it, whatever stands between, and may come again. One that begins a line
  and is never closed runs to the end: the reply was cut while the model thought.
- A closing mark that nothing has opened ends thinking with which the reply begins: the prompt has opened it.
- A reply in OpenAI's harmony format: what is said in its `analysis` channel. Messages in other channels are the reply,
  and those to a tool are left as they are, with their marks, whichever channel they are in.
"""

from __future__ import annotations

import re

from cibench_eval.agents.parsing.code import block_at, lines_of, opened
from cibench_eval.schema import Reply

MARKS = {
    '<think>': '</think>',  # DeepSeek-R1, Qwen3 and most others
    '<thinking>': '</thinking>',
    '[THINK]': '[/THINK]',  # Magistral
    '<seed:think>': '</seed:think>',  # Seed-OSS
    '<|START_THINKING|>': '<|END_THINKING|>',  # Command A
    '◁think▷': '◁/think▷',  # Kimi
}
"""What opens thinking, and what closes it."""
CLOSING = set(MARKS.values())
MARK = re.compile('|'.join(map(re.escape, [*MARKS, *CLOSING])))
INDENT = re.compile(r'[ \t]*')
HARMONY = re.compile(r'\s*(?:<\|start\|>assistant)?<\|channel\|>')
HARMONY_MESSAGE = re.compile(
    r'(?:<\|start\|>[^<]*)?<\|channel\|>(?P<header>[^<]*(?:<\|constrain\|>[^<]*)?)<\|message\|>'
    r'(?P<text>.*?)(?:<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)|\Z)',
    re.DOTALL,
)
WITHOUT_MARKS = re.compile(r'\s*analysis(?P<thinking>.*?)assistantfinal(?P<text>.*)', re.DOTALL)
"""Harmony of which a server has taken the marks off."""


def set_apart(reply: Reply) -> Reply:
    """`reply` with what stands in its text of the model's thinking moved to `reasoning`."""
    reasoning, rest = split_thinking(reply.text)
    if rest == reply.text:
        return reply
    joined = '\n\n'.join(filter(None, [reply.reasoning, reasoning]))
    return reply.model_copy(update={'reasoning': joined, 'text': rest})


def split_thinking(text: str) -> tuple[str, str]:
    """What a model thinks in a reply, and the rest of it."""
    if HARMONY.match(text):
        return _split_harmony(text)
    if unmarked := WITHOUT_MARKS.fullmatch(text):
        return unmarked['thinking'].strip(), unmarked['text']
    if not MARK.search(text):
        return '', text
    return _Split(text).read()


def _split_harmony(text: str) -> tuple[str, str]:
    thoughts: list[str] = []

    def spoken(message: re.Match[str]) -> str:
        channel, _, recipient = message['header'].partition(' to=')
        if recipient:
            return message.group()
        if channel.strip() != 'analysis':
            return f'{message["text"]}\n\n'
        thoughts.append(message['text'].strip())
        return ''

    rest = HARMONY_MESSAGE.sub(spoken, text)
    return '\n\n'.join(thoughts), rest.strip()


class _Split:
    """One reading of a text with marks, line by line; a fenced block is stepped over as a whole."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = {mark: text.rfind(mark) for mark in CLOSING}  # so that no search fails twice
        self._marked = False
        self._begin = 0  # of what is neither thought nor kept yet
        self._thoughts: list[str] = []
        self._kept: list[str] = []

    def read(self) -> tuple[str, str]:
        lines, index, start = lines_of(self._text), 0, 0
        while index < len(lines):
            offset, line = lines[index]
            start = max(start, offset)
            if mark := self._mark(start, offset + len(line)):
                start = self._take(*mark.span(), mark.group())
                while index + 1 < len(lines) and lines[index + 1][0] <= start:
                    index += 1
                continue
            opening = opened(self._text[start : offset + len(line)])
            index = block_at(lines, index, opening)[1] if opening else index + 1
        self._kept.append(self._text[self._begin :])
        return '\n\n'.join(filter(None, self._thoughts)), ''.join(self._kept)

    def _mark(self, start: int, end: int) -> re.Match[str] | None:
        """The first mark of a line, or of the rest of one, that opens or closes thinking."""
        first = INDENT.match(self._text, start, end)
        for mark in MARK.finditer(self._text, start, end):
            closing = MARKS.get(mark.group())
            if closing is None and not self._marked:
                return mark
            if closing and (self._last[closing] > mark.start() or (first and first.end() == mark.start())):
                return mark
        return None

    def _take(self, start: int, end: int, mark: str) -> int:
        """Set the thinking apart that opens, or ends, with the mark from `start` to `end`; return where it ends."""
        self._marked = True
        if mark in CLOSING:
            self._thoughts.append(self._text[self._begin : start].strip())
            self._begin = end
            return end
        closed = self._text.find(MARKS[mark], end) if self._last[MARKS[mark]] >= end else len(self._text)
        self._kept.append(self._text[self._begin : start])
        self._thoughts.append(self._text[end:closed].strip())
        self._begin = min(closed + len(MARKS[mark]), len(self._text))
        return self._begin
