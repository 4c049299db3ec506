"""Extracts code from a tool's input as the model wrote it; only this module does so.

A fenced block opens with a line that begins with three or more back-ticks or tildes, after the mark of a list if there
is one, or that ends with them after a colon or the like, or with a fence for Python. It closes at the first line that
begins with as many of them or more, whatever comes after these, or at such a run at the end of a line of code. Neither
counts inside a triple-quoted string that ends later, so strings in code may hold fenced text. A fence for Python inside
a block ends that one and opens the next. An unclosed block runs to the end. Lines end with a line feed; if every line
of a text ends with CR LF, it is read with line feeds, else a CR is part of the code.

Everything here reads its text once, line by line: a megabyte of fences takes no longer than a megabyte of words.
"""

import ast
import contextlib
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from cibench_eval.schema import unicode_text
from cibench_eval.syntax import literal_value, parse

PYTHON = {'code', 'ipython', 'jupyter', 'py', 'python', 'tool_code'}
"""Languages of fenced blocks that mean Python."""
FENCE = re.compile(r'([ \t]*(?:(?:[-*+]|[0-9]{1,2}[.)])[ \t]+)?)(`{3,}+|~{3,}+)([^\n`]*+)$')
"""A line that opens a fenced block: indentation, with the mark of a list if there is one; fence, language."""
FENCE_AT_END = re.compile(
    r'()(?<=[:：*>"\'({])[ \t]*+(`{3,}+|~{3,}+)([^\n`]*+)$'
    rf'|()((?<!`)`{{3,}}+|(?<!~)~{{3,}}+)[ \t]*+((?:{"|".join(sorted(PYTHON))})\b[^\n`]*+)$'
)
"""The end of a line that opens one: after a colon or the like (`Action Input: ```), or with the name of Python."""
CODE_AFTER = re.compile(r'[\w:]*+\s++((?:(?:import|from)\s|[\w., ]+\s=\s|[\w.]+\().*)')
"""Code on the line of the fence, after the language."""
WORD = re.compile('[a-z_]*')
ON_A_LINE = re.compile(rf'^[ \t]*+(`{{3,}}+)(?:{"|".join(sorted(PYTHON))})[ \t]++([^`\n]++)\1[ \t]*+$', re.MULTILINE)
"""A line of a fence for Python that opens and closes on it."""
INLINE = re.compile(r'(`+)(?:(?:python|py)\s)?([^`]+)\1')
"""Code in back-ticks on one line, and nothing else."""
LONGEST_PARSED = 100_000
"""Most characters that Python's parser reads: it is not made for hostile texts."""
QUOTES = re.compile(r'\\.|"""|\'\'\'|["\'#]')
MAGIC = re.compile(r'^[ \t]*+[%!].*$', re.MULTILINE)
"""A command of IPython."""
KEYS = ('code', 'command', 'python', 'python_code', 'input', 'script', 'source', 'query')
"""Names under which models put code into a JSON object; prompts ask for the first."""
ARGUMENTS = ('arguments', 'parameters')
"""Names under which a whole call has such an object, or a text that holds one."""
VALUES = re.compile(r'\w+|(?:np|numpy|datetime)\.\w+|pd\.[A-Z]\w*')
"""Functions as which values are shown: `array`, `np.float64`, `pd.Timestamp`."""
SHOWN = {'np', 'numpy', 'pd', 'datetime', 'nan', 'inf', 'NaN', 'NaT'}
"""Names in values that are shown."""
LITERAL = (ast.Expr, ast.Constant, ast.List, ast.Tuple, ast.Set, ast.Dict, ast.UnaryOp, ast.USub, ast.Load)
"""The nodes of a literal."""

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
    """A fenced block of a text, from `start` at its opening fence to `end` after its closing fence."""

    start: int
    end: int
    code: str
    language: str
    closed: bool


class Closing(NamedTuple):
    """The end of a block: the line after its last whole line of code, what of that line is code, where the block ends
    in the text, whether a fence of its own ends it, and the line from which reading goes on."""

    last: int
    code: str
    end: int
    closed: bool
    following: int


@dataclass(frozen=True)
class Extract:
    """The code of a tool's input."""

    code: str
    """The code, empty if there is none."""
    end: int
    """Where in the input it ends, its fence included."""
    whole: bool
    """Whether a closing fence or valid JSON ends it, and not just the end of the text."""


def extract_code(text: str) -> str:
    """The code in `text`, by the rules of `extract`."""
    return extract(unix(text)).code


def extract(text: str) -> Extract:
    """The code in `text`, a tool's input.

    - A JSON object with the code under one of KEYS, or a whole call with one: that value, without a fence around it.
    - A program with fences in its strings: the text itself.
    - A program before a block that shows its output, or before a fence that only closes: the program.
    - Fenced blocks: the first that is not empty, of Python or of no language if there is one; if it holds such a JSON
      object, its value.
    - A single line in back-ticks, or code or such an object in quotation marks: what is between them.
    - Anything else: the text itself, up to an empty block.
    """
    if (inner := json_code(text)) is not None:
        return Extract(unwrap(inner), len(text), True)
    fenced = blocks(text) or lone_blocks(text)
    if fenced and '~~~' not in text and len(text) <= LONGEST_PARSED and is_code(text):
        return Extract(text.strip(), len(text), False)
    if block := _first(fenced):
        if code := _before(text, fenced):
            return Extract(code, text.index(code) + len(code), fenced[0].closed)
        return Extract(_of_block(block), block.end, block.closed)
    if fenced:
        return Extract(text[: fenced[0].start].strip(), fenced[0].end, True)
    if (quoted := _quoted(text)) is not None:
        return Extract(quoted, len(text), True)
    if inline := INLINE.fullmatch(text.strip()):
        return Extract(inline.group(2).strip(), len(text), True)
    return Extract(text.strip(), len(text), False)


def _before(text: str, fenced: list[Block]) -> str:
    """The program before the first of the blocks, if that shows an output: values after a colon, or what is no code.

    Imports alone are no such program.
    """
    if len(text) > LONGEST_PARSED or any(block.language in {*PYTHON, 'json'} for block in fenced):
        return ''
    code = text[: fenced[0].start].strip()
    if code.endswith((':', '：')) and _does(named := code.rpartition('\n')[0].strip()):
        shown = statements(fenced[0].code)
        return named if all(isinstance(one, ast.Expr) and not computes(one) for one in shown) else ''
    return code if _does(code) and not is_code(fenced[0].code) else ''


def _does(text: str) -> bool:
    """Whether a text is a program that does more than import."""
    imports = [isinstance(one, ast.Import | ast.ImportFrom) for one in statements(text)]
    return is_code(text) and not (imports and all(imports))


def unwrap(code: str) -> str:
    """`code` without its fence, if it begins with one and no more code follows: the block that `extract` takes."""
    fenced = blocks(code) if code.lstrip().startswith(('```', '~~~')) else []
    block = _first(fenced)
    if block is None or is_code(code[block.end :].strip()):
        return code
    further = (one for one in fenced if one.start > block.start and one.language in PYTHON)
    return code if any(one.code.strip() for one in further) else block.code


def _first(fenced: list[Block]) -> Block | None:
    """The first block that is not empty, of Python, JSON or no language if there is one."""
    filled = [block for block in fenced if block.code.strip()]
    return next((one for one in filled if one.language in {*PYTHON, '', 'json'}), next(iter(filled), None))


def fence(code: str) -> str:
    """`code` as a fenced block that reads back as `code`: the fence is longer than any in it."""
    longest = max((len(run) for run in re.findall('`+', code)), default=0)
    mark = '`' * max(3, longest + 1)
    return f'{mark}python\n{code}\n{mark}'


def json_code(text: str) -> str | None:
    """The code in a JSON object, or in a whole call; None if `text` is no JSON object or has no code."""
    if not text.lstrip().startswith('{'):
        return None
    try:
        value, _ = json.JSONDecoder(strict=False).raw_decode(text.lstrip())  # prose may follow it
    except (ValueError, RecursionError):  # not JSON, or nested too deep
        return None
    objects = [one for one in (value, *(opened_json(value.get(key)) for key in ARGUMENTS)) if isinstance(one, dict)]
    return first_filled([unicode_text(one[key]) for one in objects for key in KEYS if isinstance(one.get(key), str)])


def is_json(text: str) -> bool:
    """Whether `text` is JSON; line feeds in its strings need not be escaped."""
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def opened_json(value: Any) -> Any:
    """`value`, or the object that it holds as a text."""
    inside = isinstance(value, str) and value.lstrip().startswith('{') and is_json(value)
    return json.loads(value, strict=False) if inside else value


def first_filled(texts: Sequence[str]) -> str | None:
    """The first text that is not blank, or else the first; None without any."""
    return next(filter(str.strip, texts), next(iter(texts), None))


def unix(text: str) -> str:
    """`text` with line feeds, if all its lines end with CR LF; without a byte order mark."""
    text = text.removeprefix('\ufeff')
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
    return [block for _, block in _walked(text) if block]


def lone_blocks(text: str) -> list[Block]:
    """The code in fences for Python that open and close on a line of their own, which are no `blocks`."""
    found = (Block(one.start(), one.end(), one[2].strip(), 'python', True) for one in ON_A_LINE.finditer(text))
    return [block for block in found if is_code(block.code)]


def outside_blocks(text: str) -> Iterator[Line]:
    """The lines of `text` outside fenced blocks; a line that opens a block is still outside."""
    return (line for line, _ in _walked(text))


def first_outside(pattern: re.Pattern[str], text: str, places: Sequence[tuple[int, int]]) -> re.Match[str] | None:
    """The first match of a pattern that begins in none of these parts of a text, which are in order."""
    starts, ends = [start for start, _ in places], [0, *(end for _, end in places)]
    found = (one for one in pattern.finditer(text) if one.start() >= ends[bisect_right(starts, one.start())])
    return next(found, None)


def _walked(text: str) -> Iterator[tuple[Line, Block | None]]:
    """Each line outside fenced blocks, with the block that it opens."""
    lines, index = lines_of(text), 0
    while index < len(lines):
        line = lines[index]
        opening = opened(line[1])
        block, index = block_at(lines, index, opening) if opening else (None, index + 1)
        yield line, block


def opened(line: str) -> re.Match[str] | None:
    """The fence with which `line` opens a block, or None."""
    after = len(line[: line.rfind('`') + 1].rstrip('`').rstrip(' \t'))  # no back-tick comes after a fence
    return FENCE.match(line) or FENCE_AT_END.search(line, after)


def is_code(text: str) -> bool:
    """Whether a text is a program, or very long, and not just a value or a name, as which outputs read."""
    if len(text) > LONGEST_PARSED:
        return True
    body = statements(text)
    if len(body) != 1 or not isinstance(body[0], ast.Expr):
        return bool(body)
    return any(isinstance(node, ast.Call | ast.Subscript | ast.Attribute) for node in ast.walk(body[0]))


def is_shown(text: str) -> bool:
    """Whether a text is comments and literals alone, as which outputs are shown."""
    body = statements(f'0\n{text}')  # comments alone are no statement, and neither is what cannot be parsed
    said = [one.annotation if isinstance(one, ast.AnnAssign) and not one.value else one for one in body]  # mean: 3.5
    return said != [] and all(isinstance(node, LITERAL) for one in said for node in ast.walk(one))


def computes(statement: ast.stmt) -> bool:
    """Whether a statement takes a part of something or calls a function, and does not just show a value.

    `np.float64(2.5)`, `array([1, 2])` and `LinearRegression()` are values, and `mean(x)`, `df.mean()` are not.
    """
    nodes = list(ast.walk(statement))
    if any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) for node in nodes):
        return True
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    if not all(VALUES.fullmatch(_name(call.func)) for call in calls):
        return True
    types = [one.value for call in calls for one in call.keywords if one.arg == 'dtype']
    known = {id(node) for node in (*types, *(call.func for call in calls))}
    names = [node for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return calls != [] and any(name.id not in SHOWN and id(name) not in known for name in names)


def _name(function: ast.expr) -> str:
    """The name of a function, `f` or `a.f`; of any other, a dot."""
    if isinstance(function, ast.Name):
        return function.id
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return f'{function.value.id}.{function.attr}'
    return '.'


def statements(text: str) -> list[ast.stmt]:
    """The statements of a program, with `pass` for commands of IPython; none if a text is no program, or very long."""
    if len(text) > LONGEST_PARSED:
        return []
    for source in dict.fromkeys([text, MAGIC.sub('pass', text)]):  # a line of an expression may begin with `%`, too
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            return parse(source).body
    return []


def block_at(lines: Lines, index: int, opening: re.Match[str]) -> tuple[Block, int]:
    """The block that line `index` opens, and the index of the line after it."""
    indent, mark, after = (group for group in opening.groups() if group is not None)
    closing = _closing(lines, index, mark)
    language = WORD.match(after.lower().lstrip(' \t{.'))
    word = language.group() if language else ''
    code = CODE_AFTER.match(after) if word in PYTHON else None
    body = [line for _, line in lines[index + 1 : closing.last]] + ([closing.code] if closing.code else [])
    block = Block(
        start=lines[index][0] + opening.start(opening.lastindex - 1 if opening.lastindex else 0),
        end=closing.end,
        code='\n'.join([*([code[1]] if code else []), *_dedent(body, re.sub(r'\S', ' ', indent))]),
        language=word,
        closed=closing.closed,
    )
    return block, closing.following


def _closing(lines: Lines, index: int, mark: str) -> Closing:
    """The end of the block that line `index` opens with the fence `mark`."""
    quote, suspect, seen = '', None, set[tuple[int, str]]()
    for at in range(index + 1, len(lines)):
        offset, line = lines[at]
        if suspect:
            if (at, quote) in lines.unclosed:
                break
            seen.add((at, quote))
        bare = line.strip(' \t\r')
        if bare.startswith(mark) and (len(quote) < 3 or not bare.strip(mark[0])):
            closing = _at_fence(line, at, offset, mark[0])
            if len(quote) < 3:
                return closing
            suspect = suspect or closing
            continue
        quote = quote_after(line, quote)
        if not quote and bare.endswith(mark):
            return Closing(at, bare_code(line, mark), offset + len(line.rstrip()), True, at + 1)
        if len(quote) < 3:
            quote, suspect = '', None
            seen.clear()
    if suspect:
        lines.unclosed |= seen
        return suspect
    offset, last = lines[-1]
    if len(lines) - 1 > index and last.rstrip().endswith(mark):
        return Closing(len(lines) - 1, bare_code(last, mark), offset + len(last.rstrip()), True, len(lines))
    return Closing(len(lines), '', offset + len(last), False, len(lines))


def _at_fence(line: str, at: int, offset: int, letter: str) -> Closing:
    """The end of a block at a line that begins with a fence: after that, or before it if it opens the next block."""
    again = FENCE.match(line)
    if again and (word := WORD.match(again[3].lower().strip())) and word.group() in PYTHON:
        return Closing(at, '', offset, False, at)
    after = line.lstrip(' \t').lstrip(letter)
    return Closing(at, '', offset + len(line) - len(after), True, at + 1)


def bare_code(line: str, mark: str) -> str:
    """A line of code without the fence at its end."""
    return line.rstrip().rstrip(mark[0])


def quote_after(line: str, quote: str) -> str:
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


def _dedent(body: list[str], indent: str) -> list[str]:
    """The lines of a block without the indentation of its fence, if all lines have it."""
    if not indent or not all(line.startswith(indent) for line in body if line.strip()):
        return body
    return [line.removeprefix(indent) for line in body]


def _quoted(text: str) -> str | None:
    """The code in quotation marks, if a text is such and nothing else; None if it is not, or not code."""
    bare = text.strip()
    if bare[:1] not in ('"', "'") or len(bare) > LONGEST_PARSED:
        return None
    try:
        value = literal_value(bare)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    if not isinstance(value, str):
        return None
    if (inner := json_code(value)) is not None:
        return unwrap(inner)
    code = re.sub(r'^\s*python\n', '', value)
    return code.strip() if is_code(code) else None


def _of_block(block: Block) -> str:
    inner = json_code(block.code) if block.language in ('', 'json') else None
    return block.code if inner is None else unwrap(inner)
