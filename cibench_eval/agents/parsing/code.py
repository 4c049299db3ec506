"""Extracts code from a tool's input as the model wrote it; only this module does so.

A fenced block opens with a line that begins with three or more back-ticks or tildes. It closes at the first line that
consists of as many of them or more, or at such a run at the end of a line of code. Neither counts inside a triple-
quoted string that ends later, so strings in code may hold fenced text. An unclosed block runs to the end. Lines end
with a line feed; if every line of a text ends with CR LF, it is read with line feeds, else a CR is part of the code.

Everything here reads its text once, line by line: a megabyte of fences takes no longer than a megabyte of words.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cibench_eval.schema import unicode_text

FENCE = re.compile(r'([ \t]*)(`{3,}+|~{3,}+)([^\n`]*+)$')
"""A line that opens a fenced block: indentation, fence, language."""
FENCE_AT_END = re.compile(r'()(?<=[:：*])[ \t]*+(`{3,}+|~{3,}+)([^\n`]*+)$')
"""The end of a line that opens a fenced block behind a colon: `Action Input: ```python`."""
INLINE = re.compile(r'(`+)(?:(?:python|py)\s)?([^`]+)\1')
"""Code in back-ticks on one line, and nothing else."""
QUOTES = re.compile(r'\\.|"""|\'\'\'|["\'#]')
KEYS = ('code', 'command', 'python', 'input', 'script', 'source')
"""Names under which models put code into a JSON object; prompts ask for the first."""

Line = tuple[int, str]
"""Where a line begins in its text, and the line without its line feed."""


class Lines(list[Line]):
    """The lines of a text."""

    def __init__(self) -> None:
        super().__init__()
        self.unclosed: set[tuple[int, str]] = set()
        """Pairs of a line and the quotation marks open before it, from which on a quotation stays open to the end.
        Without them, each of many blocks would search that far."""


@dataclass(frozen=True)
class Block:
    """A fenced block of a text; `start` is that of its opening fence, `end` is behind its closing fence."""

    start: int
    end: int
    code: str
    language: str
    closed: bool


@dataclass(frozen=True)
class Extract:
    """The code of a tool's input.

    Args:
        code: the code, empty if there is none.
        end: where in the input it ends, its fence included.
        whole: whether a closing fence or valid JSON ends it, and not just the end of the text.
    """

    code: str
    end: int
    whole: bool


def extract_code(text: str) -> str:
    """The code in `text`; the rules are those of `extract`."""
    return extract(unix(text)).code


def extract(text: str) -> Extract:
    """The code in `text`, a tool's input.

    - A JSON object with the code under one of KEYS: that value, without a fence around it.
    - Fenced blocks: the first that is not empty; if it holds such a JSON object, its value.
    - A single line in back-ticks: the text between them.
    - Anything else: the text itself, up to an empty block.
    """
    if (inner := json_code(text)) is not None:
        return Extract(unwrap(inner), len(text), True)
    fenced = blocks(text)
    for block in fenced:
        if block.code.strip():
            return Extract(_of_block(block), block.end, block.closed)
    if fenced:
        return Extract(text[: fenced[0].start].strip(), fenced[0].end, True)
    if inline := INLINE.fullmatch(text.strip()):
        return Extract(inline.group(2).strip(), len(text), True)
    return Extract(text.strip(), len(text), False)


def unwrap(code: str) -> str:
    """`code` without its fence, if it is exactly one fenced block."""
    text = code.strip()
    fenced = blocks(text) if text[:3] in ('```', '~~~') else []
    return fenced[0].code if fenced and fenced[0].closed and fenced[0].end == len(text) else code


def fence(code: str) -> str:
    """`code` as a fenced block that reads back as `code`: the fence is longer than any in it."""
    longest = max((len(run) for run in re.findall('`+', code)), default=0)
    mark = '`' * max(3, longest + 1)
    return f'{mark}python\n{code}\n{mark}'


def json_code(text: str) -> str | None:
    """The code in a JSON object; None if `text` is no JSON object or has no code."""
    if not text.lstrip().startswith('{'):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):  # not JSON, or nested too deep
        return None
    return next((unicode_text(value[key]) for key in KEYS if isinstance(value.get(key), str)), None)


def unix(text: str) -> str:
    """`text` with line feeds, if all its lines end with CR LF; else unchanged."""
    return text.replace('\r\n', '\n') if text.count('\r\n') == text.count('\n') else text


def lines_of(text: str) -> Lines:
    """The lines of `text` with their places; only a line feed ends a line."""
    lines = Lines()
    offset = 0
    for line in text.split('\n'):
        lines.append((offset, line))
        offset += len(line) + 1
    return lines


def blocks(text: str) -> list[Block]:
    """The fenced blocks of `text`, in order."""
    lines, fenced, index = lines_of(text), list[Block](), 0
    while index < len(lines):
        opening = opened(lines[index][1])
        if opening:
            block, index = block_at(lines, index, opening)
            fenced.append(block)
        else:
            index += 1
    return fenced


def outside_blocks(text: str) -> Iterator[Line]:
    """The lines of `text` outside fenced blocks; a line that opens a block is still outside."""
    lines, index = lines_of(text), 0
    while index < len(lines):
        yield lines[index]
        opening = opened(lines[index][1])
        index = block_at(lines, index, opening)[1] if opening else index + 1


def opened(line: str) -> re.Match[str] | None:
    """The fence with which `line` opens a block, or None."""
    behind = len(line[: line.rfind('`') + 1].rstrip('`').rstrip(' \t'))  # no back-tick stands behind a fence
    return FENCE.match(line) or FENCE_AT_END.search(line, behind)


def block_at(lines: Lines, index: int, opening: re.Match[str]) -> tuple[Block, int]:
    """The block that line `index` opens, and the index of the line behind it."""
    indent, mark, language = opening.groups()
    last, end_of_code, end = _closing(lines, index, mark)
    body = '\n'.join([line for _, line in lines[index + 1 : last]] + ([end_of_code] if end_of_code else []))
    block = Block(
        start=lines[index][0] + opening.start(2),
        end=end if end is not None else lines[-1][0] + len(lines[-1][1]),
        code=_dedent(body, indent),
        language=(language.split() or [''])[0].lower().strip('{}.'),
        closed=end is not None,
    )
    return block, last + 1


def _closing(lines: Lines, index: int, mark: str) -> tuple[int, str, int | None]:
    """The last line of a block, the code in it before the fence, and where the fence ends (None: unclosed)."""
    quote, suspect, seen = '', None, set[tuple[int, str]]()
    for at in range(index + 1, len(lines)):
        offset, line = lines[at]
        if suspect:
            if (at, quote) in lines.unclosed:
                break
            seen.add((at, quote))
        bare = line.strip(' \t\r')
        if _is_fence(bare, mark):
            closing = (at, '', offset + len(line.rstrip()))
            if len(quote) < 3:
                return closing
            suspect = suspect or closing
            continue
        quote = _quote(line, quote)
        if not quote and bare.endswith(mark):
            return at, bare_code(line, mark), offset + len(line.rstrip())
        if len(quote) < 3:
            quote, suspect = '', None
            seen.clear()
    if suspect:
        lines.unclosed |= seen
        return suspect
    last = lines[-1][1]
    glued = len(lines) - 1 > index and last.rstrip().endswith(mark)
    end = lines[-1][0] + len(last.rstrip()) if glued else None
    return len(lines) - 1 if glued else len(lines), bare_code(last, mark) if glued else '', end


def bare_code(line: str, mark: str) -> str:
    """A line of code without the fence at its end."""
    return line.rstrip().rstrip(mark[0])


def _is_fence(bare: str, mark: str) -> bool:
    return len(bare) >= len(mark) and bare.startswith(mark) and not bare.strip(mark[0])


def _quote(line: str, quote: str) -> str:
    """The quotation marks that are open after `line`, given those before it; `#` inside a comment."""
    for match in QUOTES.finditer(line):
        token = match.group()
        if not quote:
            quote = '' if token.startswith('\\') else token
            if quote == '#':
                break
        elif token.startswith(quote):
            quote = ''
    return quote


def _dedent(body: str, indent: str) -> str:
    """The lines of a block without the indentation of its fence, if all lines have it."""
    lines = body.split('\n') if indent else []
    if not lines or not all(line.startswith(indent) for line in lines if line.strip()):
        return body
    return '\n'.join(line.removeprefix(indent) for line in lines)


def _of_block(block: Block) -> str:
    inner = json_code(block.code) if block.language in ('', 'json') else None
    return block.code if inner is None else unwrap(inner)
