"""Questions -> HTML: back-ticks, lists and code blocks are rendered, everything else is escaped text.

A question may come from a set that a model made, so nothing else of Markdown is read: no links, images or HTML.
"""

import re
from collections.abc import Iterator

from markupsafe import Markup, escape

CODE = re.compile(r'(`[^`\n]+`)')
ITEM = re.compile(r' {0,3}(?:[-*•]|(\d{1,3})[.)])[ \t]+(?=\S)')
"""The mark of an item of a list, with its number if it has one."""
FENCE = '```'
INDENT = '    '
"""What begins so is code, unless it goes on a paragraph or an item."""


def rendered(question: str) -> Markup:
    """A question as paragraphs, lists and code blocks; the time is linear in its length."""
    return Markup().join(_blocks(question.split('\n')))


def _blocks(lines: list[str]) -> Iterator[Markup]:
    """The blocks of a question, whose lines stay lines."""
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        block, at = lines[at:end], end
        if block[0].startswith(FENCE):
            closed = len(block) > 1 and block[-1].startswith(FENCE)
            yield _code(block[1 : -1 if closed else None])
        elif block[0].startswith(INDENT):
            yield _code([line.removeprefix(INDENT) for line in block])
        elif ITEM.match(block[0]):
            yield _list(block)
        elif text := '\n'.join(block).strip():
            yield Markup('<p>{}</p>').format(_inline(text))


def _end(lines: list[str], start: int) -> int:
    """Behind the last line of the block that begins at a line."""
    if lines[start].startswith(FENCE):
        return next((at + 1 for at in range(start + 1, len(lines)) if lines[at].startswith(FENCE)), len(lines))
    kind = _kind(lines[start])
    same = {kind, 'code'} if kind in ('text', 'item') else {kind}
    end = start + 1
    while end < len(lines) and (_kind(lines[end]) in same or (kind == 'item' and lines[end].startswith('  '))):
        end += 1
    return end


def _kind(line: str) -> str:
    if line.startswith(FENCE):
        return 'fence'
    if not line.strip():
        return 'blank'
    return 'item' if ITEM.match(line) else 'code' if line.startswith(INDENT) else 'text'


def _code(lines: list[str]) -> Markup:
    return Markup('<pre class="code" tabindex="0">{}</pre>').format('\n'.join(lines))


def _list(lines: list[str]) -> Markup:
    """A list; a line without a mark goes on with the item before it, and numbers stay as they are."""
    items: list[tuple[str | None, str]] = []
    for line in lines:
        if found := ITEM.match(line):
            items.append((found[1], line[found.end() :]))
        else:
            items[-1] = (items[-1][0], f'{items[-1][1]}\n{line.strip()}')
    tag = Markup('ol' if items[0][0] else 'ul')
    made = (
        Markup('<li{}>{}</li>').format(Markup(' value="{}"').format(number) if number else '', _inline(text))
        for number, text in items
    )
    return Markup('<{0}>{1}</{0}>').format(tag, Markup().join(made))


def _inline(text: str) -> Markup:
    return Markup().join(
        Markup('<code>{}</code>').format(piece[1:-1]) if place % 2 else escape(piece)
        for place, piece in enumerate(CODE.split(text))
    )
