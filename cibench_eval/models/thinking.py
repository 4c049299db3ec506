"""Separates a model's thinking from its reply, where the endpoint does not; only this module does so.

In the text of a reply, thinking stands between marks (`MARKS`), by these rules:

- A mark counts only outside fenced blocks (`fences`), because code may hold any of them; a block without a fence
  at its end is none, since a thought may break off in one.
- Thinking ends at the first closing mark, whatever is in between, and may begin again. An opening mark at the start of
  a line that is never closed runs to the end: the reply was cut while the model thought.
- A closing mark without an opening one ends thinking at the start of the reply: the prompt has opened it.
- In OpenAI's harmony format, thinking is what is said in the `analysis` channel. Messages in other channels are the
  reply. Messages to a tool stay as they are, with their marks, in any channel. Messages of another, after one of the
  model's, are made up: the reply ends there, and is whole if the model went on to its limit. Marks before a quotation
  mark or a backslash are text, as are those of a made-up message in a fenced block that ends in its message.
"""

import re

from cibench_eval.fences import block_at, blocks, first_outside, lines_of, opened
from cibench_eval.schema import Reply

MARKS = {
    '<think>': '</think>',  # DeepSeek-R1, Qwen3 and most others
    '<thinking>': '</thinking>',
    '<thought>': '</thought>',  # EXAONE Deep
    '<reasoning>': '</reasoning>',
    '<|begin_of_thought|>': '<|end_of_thought|>',  # Sky-T1
    '[THINK]': '[/THINK]',  # Magistral
    '<seed:think>': '</seed:think>',  # Seed-OSS
    '<|START_THINKING|>': '<|END_THINKING|>',  # Command A
    '◁think▷': '◁/think▷',  # Kimi
}
"""Opening marks with their closing marks."""
CLOSING = set(MARKS.values())
MARK = re.compile('|'.join(map(re.escape, [*MARKS, *CLOSING])))
INDENT = re.compile(r'[ \t]*')
HARMONY = re.compile(r'\s*(?:<\|start\|>assistant)?<\|channel\|>')
NO_TEXT = r"""(?!["'\\])"""
"""What follows a mark that stands in no string of code."""
HARMONY_MESSAGE = re.compile(
    r'(?:<\|start\|>[^<]*)?<\|channel\|>(?P<header>[^<]*(?:<\|constrain\|>[^<]*)?)<\|message\|>'
    rf'(?P<text>.*?)(?:<\|(?:end|return|call)\|>{NO_TEXT}|(?=<\|(?:start|channel)\|>{NO_TEXT})|\Z)',
    re.DOTALL,
)
MADE_UP = re.compile(r'<\|(?:end|return|call)\|>\s*<\|start\|>(?!assistant)\w')
"""Where a message of another begins, which the model makes up."""
CHANNEL, MESSAGE = '<|channel|>', '<|message|>'
MASK = '<\ufdd0|'
"""Stands for `<|` in marks that are text."""
WITHOUT_MARKS = re.compile(r'\s*analysis(?P<thinking>.*?)assistantfinal(?P<text>.*)', re.DOTALL)
"""The harmony format, if a server has removed its marks."""


def set_apart(reply: Reply) -> Reply:
    """`reply` with the thinking in its text moved to `reasoning`."""
    own = _own(reply.text) if HARMONY.match(reply.text) else reply.text
    reasoning, rest = split_thinking(own)
    if rest == reply.text:
        return reply
    joined = '\n\n'.join(filter(None, [reply.reasoning, reasoning]))
    finish = 'stop' if own != reply.text and reply.finish_reason == 'length' else reply.finish_reason
    return reply.model_copy(update={'reasoning': joined, 'text': rest, 'finish_reason': finish})


def split_thinking(text: str) -> tuple[str, str]:
    """The thinking in a reply that has nothing made up behind it, and the rest of the reply."""
    if HARMONY.match(text):
        return _split_harmony(text)
    if unmarked := WITHOUT_MARKS.fullmatch(text):
        return unmarked['thinking'].strip(), unmarked['text']
    if not MARK.search(text):
        return '', text
    return _Split(text).read()


def _own(text: str) -> str:
    """A text up to the first message that the model makes up."""
    if not MADE_UP.search(text):
        return text
    made_up = first_outside(MADE_UP, text, _blocks_in_messages(text))
    return text[: made_up.start()] if made_up else text


def _blocks_in_messages(text: str) -> list[tuple[int, int]]:
    """Where each block that ends in its message begins and ends; a thought may break off in one without an end."""
    found, offset = list[tuple[int, int]](), 0
    for message in text.split(CHANNEL):
        header, mark, said = message.partition(MESSAGE)
        begin = offset + len(header) + len(mark)
        found += [(begin + block.start, begin + block.end) for block in blocks(said) if block.closed]
        offset += len(message) + len(CHANNEL)
    return found


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

    rest = HARMONY_MESSAGE.sub(spoken, MADE_UP.sub(lambda mark: mark.group().replace('<|', MASK), text))
    return '\n\n'.join(thoughts).replace(MASK, '<|'), rest.strip().replace(MASK, '<|')


class _Split:
    """Reads a text with marks line by line, and skips fenced blocks."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._last = {mark: text.rfind(mark) for mark in CLOSING}  # no search is made beyond the last one
        self._marked = False
        self._begin = 0  # start of the text that is neither thinking nor kept yet
        self._thoughts: list[str] = []
        self._kept: list[str] = []

    def read(self) -> tuple[str, str]:
        lines, index, start, broken = lines_of(self._text), 0, 0, 0  # up to `broken` no block ends
        while index < len(lines):
            offset, line = lines[index]
            start = max(start, offset)
            if mark := self._mark(start, offset + len(line)):
                start = self._take(*mark.span(), mark.group())
                while index + 1 < len(lines) and lines[index + 1][0] <= start:
                    index += 1
                continue
            opening = opened(self._text[start : offset + len(line)]) if index >= broken else None
            block, following = block_at(lines, index, opening) if opening else (None, broken)
            broken = broken if block and block.closed else following
            index = following if block and block.closed else index + 1
        self._kept.append(self._text[self._begin :])
        return '\n\n'.join(filter(None, self._thoughts)), ''.join(self._kept)

    def _mark(self, start: int, end: int) -> re.Match[str] | None:
        """The first mark between `start` and `end`, within one line, that opens or closes thinking."""
        first = INDENT.match(self._text, start, end)
        for mark in MARK.finditer(self._text, start, end):
            closing = MARKS.get(mark.group())
            if closing is None and not self._marked:
                return mark
            if closing and (self._last[closing] > mark.start() or (first and first.end() == mark.start())):
                return mark
        return None

    def _take(self, start: int, end: int, mark: str) -> int:
        """Take the thinking that begins, or ends, with the mark from `start` to `end`; return where it ends."""
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
