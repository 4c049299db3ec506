"""The grammar of labels that ReAct (arXiv 2210.03629) and its relatives share: Thought, Action, Action Input, …

How a reply without its thinking (`models.thinking`) is read:

- A label begins a line, possibly after Markdown's `#`, `>`, `*`, `-` or a number, with an ASCII or a Chinese colon, in
  one of the forms `Action Input`, `Action input`, `ActionInput`, `Action_Input`. Text in fenced blocks (`fences`)
  has no labels, except in a block around the whole reply, which models write that copy the format with its fence; nor
  has a comment in an Action Input. In a block without an end, they count outside triple-quoted strings and comments,
  but not in a Final Answer.
- Before any Action Input, `Action: NAME` counts inside a line, too, if an Action Input follows at once, on this line or
  on the next; so does an Action Input after it.
- The reply is cut where the model begins to write the tool's answer itself, under the protocol's own label or under
  ReAct's `Observation`, and where it makes up a `Question:` after a Final Answer. An answer among the thoughts before a
  call does not count: there it is the model's own word for what it sees. Of several actions, the first counts, but
  not one called `None` or `Finish` where a Final Answer follows, which is no call. Its input ends at the next label or
  after its first fenced block with code; text after that is dropped.

What it leads to:

- an Action with the tool's name and a non-empty input: the code that `extract` finds runs;
- an Action with another name, or without input: nothing runs, and the observation says what is wrong;
- a Final Answer without an Action: the step ends. A Final Answer beside an Action, or in code, does not count;
- neither: nothing runs, and the observation asks for the format.

An unclosed fenced block runs to the next label or to the end of the reply. If a limit or a filter cut the reply, code
without an end does not run, and a label is no end of a block: half a program can run well and leave a state, and an
output, that the model never meant.

The relaxed grammar (`relaxed=True`) is for the Qwen-Agent families, whose benchmark runs any action. Every Action names
the tool. An Action Input without an Action, and a reply that begins with a fenced block or a JSON object, are calls as
well, because a reply may continue what the question has begun. An Action with nothing after it is none, as there.
"""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import Field

from cibench_eval.agents.parsing.tool_arguments import OBJECT, read_arguments
from cibench_eval.fences import (
    Extract,
    Lines,
    block_at,
    blocks,
    extract,
    lines_of,
    opened,
    outside_blocks,
    quote_after,
    unix,
)
from cibench_eval.schema import Record

COMMENT = re.compile(r'[ \t]*#(?!#)')
"""A comment in code, or a heading."""
NO_CODE = Extract('', 0, True)
NO_ACTION = {
    *('none', 'n/a', 'no', 'no tool', 'no action', 'no tool needed', 'finish', 'final answer'),
    *('无', '没有', '不需要', '不需要工具', '无需工具'),
}
"""Names of tools by which models say that they call none."""
NEXT_QUESTION = re.compile(r'[ \t>#]*\**Question\**[ \t]*[:：]')
"""A question that the model makes up after its Final Answer."""
OBSERVATION = 'Observation'
"""ReAct's own label of a tool's answer, which models write where a prompt has another."""
JSON_FENCE = re.compile(r'\s*(?:`{3,}|~{3,})[ \t]*json\b', re.IGNORECASE)
BEFORE_A_CALL = {'thought', 'response'}
"""Labels after which a call may stand; `response` may be the model's own word for what it sees."""

COLON = r'[ \t]*(?:\*+[ \t]*)?[:：]\**[ \t]*'
"""The colon of a label, in bold or not."""


class Labels(Record):
    """The words that mark the parts of a reply, without their colons."""

    thought: str = Field(default='Thought', min_length=1)
    action: str = Field(default='Action', min_length=1)
    action_input: str = Field(default='Action Input', min_length=1)
    response: str = Field(default='Response', min_length=1)
    final: str = Field(default='Final Answer', min_length=1)


NAMES = ('', *Labels.model_fields)
"""The labels by their groups in `_pattern`."""


@dataclass(frozen=True)
class LabelMark:
    """A label in a reply: its name, where it begins, and where its text begins and ends."""

    label: str
    start: int
    text: int
    end: int


@dataclass(frozen=True)
class LabelledReply:
    """What the grammar finds in a reply."""

    thought: str
    """The text of the first Thought, or before the first label."""
    tool: str | None
    """The name in the first Action; None without an Action."""
    argument: str
    """The input of that Action, or the Final Answer."""
    final: bool
    """Whether there is a Final Answer and no Action."""
    kept: str
    """The reply up to the cut."""
    code: Extract = NO_CODE
    """The code in the argument."""


def read_labels(text: str, labels: Labels, relaxed: bool = False) -> LabelledReply:
    """The parts of a reply, by the rules above. Any text can be read."""
    text = unix(text)
    marks = _marks(text, labels)
    end = next((mark.start for mark in marks if mark.label == 'response'), len(text))
    if answered := next((mark for mark in marks if mark.label == 'final' and mark.start < end), None):
        said = text[answered.text : min(end, answered.end)]
        asked = (offset for offset, line in outside_blocks(said) if NEXT_QUESTION.match(line) and said[:offset].strip())
        end = answered.text + next(asked, end - answered.text)
    marks = [mark for mark in marks if mark.start < end]
    text = text[:end]
    first = {label: next((m for m in marks if m.label == label), None) for label in dict(labels)}
    action, given, answer = first['action'], first['action_input'], first['final']
    if action and answer and _named(text, marks, action, relaxed)[0].casefold() in NO_ACTION:
        action = given = None
    thought = _thought(text, marks, action or given or answer)
    if action:
        called = _called(text, thought, *_named(text, marks, action, relaxed))
        if given or called.code.code.strip() or not relaxed:  # else there is nothing after it
            return called
    if relaxed and given:
        return _called(text, thought, '', given)
    if relaxed and not answer and text.lstrip().startswith(('```', '~~~', '{')):
        return _called(text, '', '', LabelMark('action_input', 0, 0, marks[0].start if marks else len(text)))
    if answer:
        return LabelledReply(thought, None, text[answer.text : answer.end].strip(), True, text)
    return LabelledReply(thought, None, text.strip(), False, text)


def _named(text: str, marks: list[LabelMark], action: LabelMark, relaxed: bool) -> tuple[str, LabelMark]:
    """The tool's name, one line, and where its input is: at the next label, or right after the name."""
    said = text[action.text : action.end]
    name = said.strip().partition('\n')[0]  # it may stand on a line of its own
    later = marks[marks.index(action) + 1 :]
    if later and later[0].label == 'action_input':
        given = later[0]
    else:
        start = action.text + said.index(name) + len(name) if relaxed else action.end
        given = LabelMark('action_input', start, start, action.end)
    return name.strip().strip('`*"\'.。').removesuffix('()'), given


def _called(text: str, thought: str, tool: str, given: LabelMark) -> LabelledReply:
    argument = text[given.text : given.end]
    code = extract(argument)
    if OBJECT.match(code.code) and (code.code == argument.strip() or JSON_FENCE.match(argument)):  # it is no JSON
        read = read_arguments(code.code.strip())
        code = Extract(code.code if read.code is None else read.code, code.end, code.whole or read.repaired)
    whole = code.whole or (given.end < len(text) and all(block.closed for block in blocks(argument)))
    bounded = Extract(code.code, code.end, whole)
    return LabelledReply(thought, tool, argument.strip(), False, text[: given.text + code.end], bounded)


def _thought(text: str, marks: list[LabelMark], until: LabelMark | None) -> str:
    """The first Thought before `until`; without one, the text before the first label."""
    for mark in marks:
        if mark.label == 'thought' and (until is None or mark.start < until.start):
            return text[mark.text : mark.end].strip()
    return text[: marks[0].start].strip() if marks else ''


def _marks(text: str, labels: Labels) -> list[LabelMark]:
    """The labels of a reply in order, each with the text up to the next; a tool's answer is the last.

    An answer at the start of the reply does not count: the model repeats what it was shown.
    """
    pattern = _pattern(labels)
    lines, found, seen, index = lines_of(text), list[tuple[str, int, int]](), set[str](), 0
    broken, quote = 0, ''  # up to `broken` no block ends
    while index < len(lines):
        offset, line = lines[index]
        comment = line.lstrip().startswith('#') if index < broken else _in_code(text, found) and COMMENT.match(line)
        in_code = len(quote) == 3 or comment
        match = None if in_code else pattern.match(line)
        if match:
            label = NAMES[match.lastindex or 0]
            if label != 'response' or found or text[:offset].strip():
                found.append((label, offset, offset + match.end()))
                seen.add(label)
            if label == 'response' and seen - BEFORE_A_CALL:
                break
        if 'action_input' not in seen and not in_code:
            inside = list(_call_inside(lines, index, labels, match.end() if match else 0))
            found += inside
            seen.update(label for label, *_ in inside)
        index += 1
        quote = quote_after(line, quote if len(quote) == 3 else '') if index <= broken else ''
        opening = opened(line) if index > broken else None
        if opening and not _wraps(lines, index - 1, pattern, found):
            block, following = block_at(lines, index - 1, opening)
            skipped = block.closed or (found and found[-1][0] == 'final')
            index, broken = (following, 0) if skipped else (index, following)
    marks = _bounded(text, found)
    first = next((n for n, mark in enumerate(marks) if mark.label not in BEFORE_A_CALL), None)
    if first is None or marks[first].label == 'final' or _declines(text, marks, marks[first]):
        return marks
    return _bounded(text, [one for n, one in enumerate(found) if n >= first or one[0] != 'response'])


def _declines(text: str, marks: list[LabelMark], first: LabelMark) -> bool:
    """Whether the first action is called `None` or the like, beside a Final Answer."""
    if first.label != 'action' or all(mark.label != 'final' for mark in marks):
        return False
    return _named(text, marks, first, relaxed=False)[0].casefold() in NO_ACTION


def _bounded(text: str, found: list[tuple[str, int, int]]) -> list[LabelMark]:
    """Labels, each with the text up to the next."""
    ends = [*(start for _, start, _ in found), len(text)][1:]
    return [LabelMark(*mark, end) for mark, end in zip(found, ends, strict=True)]


def _in_code(text: str, found: list[tuple[str, int, int]]) -> bool:
    """Whether a line with `#` is a comment: after an Action Input, unless labels are written as headings."""
    if not found or found[-1][0] != 'action_input':
        return False
    return not any(text[start : start + 20].lstrip(' \t>*-').startswith('#') for _, start, _ in (found[0], found[-1]))


def _call_inside(lines: Lines, index: int, labels: Labels, own: int) -> Iterator[tuple[str, int, int]]:
    """The labels of a call inside a line, after the first `own` characters, which are the line's own label."""
    offset, line = lines[index]
    call = _inside(labels).search(line)
    if not call:
        return
    following = next((line for _, line in lines[index + 1 : index + 3] if line.strip()), '')
    next_label = _pattern(labels).match(following)
    if call.start() >= own and (call['input'] or (next_label and NAMES[next_label.lastindex or 0] == 'action_input')):
        yield 'action', offset + call.start(), offset + call.start('name')
    if call['input']:
        yield 'action_input', offset + call.start('input'), offset + call.end()


def _wraps(lines: Lines, index: int, pattern: re.Pattern[str], labels: list[tuple[str, int, int]]) -> bool:
    """Whether line `index` opens a block around the whole reply: no label before it, one right after it."""
    return not labels and index + 1 < len(lines) and pattern.match(lines[index + 1][1]) is not None


@functools.lru_cache
def _pattern(labels: Labels) -> re.Pattern[str]:
    """A pattern for the start of a line with a label; the number of the group tells which."""
    label = '|'.join(f'({form})' for form in _forms(labels).values())
    return re.compile(rf'[ \t>*#-]*(?:[0-9]{{1,2}}[.)、）][ \t]*)?(?:{label}){COLON}')


@functools.lru_cache
def _inside(labels: Labels) -> re.Pattern[str]:
    """A pattern for a call inside a line: `Action: NAME`, and the Action Input or the end of the line after it."""
    forms = _forms(labels)
    begin = rf'(?:^|(?<=[\s.!?。！？]))\**(?:{forms["action"]}){COLON}(?P<name>[^\s:：]{{1,80}})[ \t]*'
    return re.compile(rf'{begin}(?:(?P<input>{forms["action_input"]}){COLON}|$)')


def _forms(labels: Labels) -> dict[str, str]:
    """A pattern for the forms of each label, without its colon."""
    words = {name: re.split(r'\s+|(?<=[a-z])(?=[A-Z])', text) for name, text in dict(labels).items()}
    forms = {
        name: '[ _]?'.join([re.escape(first), *(f'(?i:{re.escape(one)})' for one in more)])
        for name, (first, *more) in words.items()
    }
    return {**forms, 'response': f'{forms["response"]}|{OBSERVATION}'}
