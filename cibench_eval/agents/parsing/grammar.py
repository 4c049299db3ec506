"""The grammar of labels, which ReAct (arXiv 2210.03629) and its relatives share: Thought, Action, Action Input, …

What is read of a reply without its thinking (`parsing.thinking`), in this order:

- Labels count at the beginning of a line, behind Markdown's `#`, `>`, `*`, with an ASCII or a Chinese colon, in any of
  the forms `Action Input`, `ActionInput`, `Action_Input`. Text in fenced blocks (`parsing.code`) has no labels, except
  in a block that holds the whole reply, as models make it that copy the format with its fence.
- The reply is cut where the model begins to write the tool's answer itself. Several actions: the first is taken.
  Its input ends with the next label or with its first fenced block that has code; what stands behind it is dropped.

What it leads to:

- an Action with the tool's name and a non-empty input: its code runs, as `extract` finds it;
- an Action with another name, or without input: nothing runs, the observation says what is wrong;
- no Action, but a Final Answer: the step ends without a tool call. One beside an Action does not count, whether
  before or behind it, nor does one in the code;
- neither: nothing runs, the observation asks for the format.

A fenced block that is never closed runs to the end of the reply. If the reply was cut at its limit of length, code that
nothing ends does not run: half of a program can run well and leave a state, and an output, that the model never meant.

The relaxed grammar (`relaxed=True`), for the Qwen-Agent families, whose benchmark runs whatever the action is called:
every Action names the tool; an Action Input without an Action, and a reply that begins with a fenced block or a JSON
object, are calls, too, so that a reply may go on in the middle of what the question had begun.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from pydantic import Field

from cibench_eval.agents.parsing.code import Extract, Lines, block_at, extract, lines_of, opened, unix
from cibench_eval.schema import Record

NO_CODE = Extract('', 0, True)


class Labels(Record):
    """The words that mark the parts of a reply, without their colons."""

    thought: str = Field(default='Thought', min_length=1)
    action: str = Field(default='Action', min_length=1)
    action_input: str = Field(default='Action Input', min_length=1)
    response: str = Field(default='Response', min_length=1)
    final: str = Field(default='Final Answer', min_length=1)


@dataclass(frozen=True)
class Mark:
    """A label in a reply: which, where it stands and where its text is."""

    label: str
    start: int
    text: int
    end: int


@dataclass(frozen=True)
class LabelledReply:
    """What the grammar finds in a reply.

    Args:
        thought: the text of the first Thought; without one, what stands before the first label.
        tool: of the first Action; None without one.
        argument: of that Action, or the Final Answer.
        final: whether there is a Final Answer and no Action.
        kept: the reply up to where the grammar cut it.
        code: what of the argument is code.
    """

    thought: str
    tool: str | None
    argument: str
    final: bool
    kept: str
    code: Extract = NO_CODE


def read_labels(text: str, labels: Labels, relaxed: bool = False) -> LabelledReply:
    """The parts of a reply, by the rules above. Any text can be read."""
    text = unix(text)
    marks = _marks(text, labels)
    end = next((mark.start for mark in marks if mark.label == 'response'), len(text))
    marks = [mark for mark in marks if mark.start < end]
    text = text[:end]
    first = {label: next((m for m in marks if m.label == label), None) for label in dict(labels)}
    action, given, answer = first['action'], first['action_input'], first['final']
    thought = _thought(text, marks, action or given or answer)
    if action:
        return _called(text, thought, *_named(text, marks, action, relaxed))
    if relaxed and given:
        return _called(text, thought, '', given)
    if relaxed and not answer and text.lstrip().startswith(('```', '~~~', '{')):
        return _called(text, '', '', Mark('action_input', 0, 0, marks[0].start if marks else len(text)))
    if answer:
        return LabelledReply(thought, None, text[answer.text : answer.end].strip(), True, text)
    return LabelledReply(thought, None, text.strip(), False, text)


def _named(text: str, marks: list[Mark], action: Mark, relaxed: bool) -> tuple[str, Mark]:
    """The tool's name, which is one line, and where its input is: at the next label, or right behind the name."""
    name = text[action.text : action.end].partition('\n')[0]
    behind = marks[marks.index(action) + 1 :]
    if behind and behind[0].label == 'action_input':
        given = behind[0]
    else:
        start = action.text + len(name) if relaxed else action.end
        given = Mark('action_input', start, start, action.end)
    return name.strip().strip('`*"\'.'), given


def _called(text: str, thought: str, tool: str, given: Mark) -> LabelledReply:
    """A call whose input is the text of `given`."""
    argument = text[given.text : given.end]
    code = extract(argument)
    bounded = Extract(code.code, code.end, code.whole or given.end < len(text))
    return LabelledReply(thought, tool, argument.strip(), False, text[: given.text + code.end], bounded)


def _thought(text: str, marks: list[Mark], until: Mark | None) -> str:
    """The first Thought before `until`; without one, what stands before the first label."""
    for mark in marks:
        if mark.label == 'thought' and (until is None or mark.start < until.start):
            return text[mark.text : mark.end].strip()
    return text[: marks[0].start].strip() if marks else ''


def _marks(text: str, labels: Labels) -> list[Mark]:
    """The labels of a reply in order, each with the text up to the next; a tool's answer is the last.

    An answer that the reply begins with is not one: the model repeats what it was shown.
    """
    pattern = _pattern(labels)
    names = dict(enumerate(dict(labels), 1))
    lines, found, index = lines_of(text), list[tuple[str, int, int]](), 0
    while index < len(lines):
        offset, line = lines[index]
        if match := pattern.match(line):
            label = names[match.lastindex or 0]
            if label != 'response' or text[:offset].strip():
                found.append((label, offset, offset + match.end()))
            if found and found[-1][0] == 'response':
                break
        opening = opened(line)
        if opening and not _wraps(lines, index, pattern, found):
            index = block_at(lines, index, opening)[1]
        else:
            index += 1
    ends = [*(start for _, start, _ in found), len(text)][1:]
    return [Mark(*mark, end) for mark, end in zip(found, ends, strict=True)]


def _wraps(lines: Lines, index: int, pattern: re.Pattern[str], labels: list[tuple[str, int, int]]) -> bool:
    """Whether line `index` opens a block around the reply itself: no label before it, one right behind it."""
    return not labels and index + 1 < len(lines) and pattern.match(lines[index + 1][1]) is not None


@functools.lru_cache
def _pattern(labels: Labels) -> re.Pattern[str]:
    """A line that begins with a label; the number of the group tells which."""
    forms = ['[ _]?'.join(map(re.escape, re.split(r'\s+|(?<=[a-z])(?=[A-Z])', text))) for text in dict(labels).values()]
    label = '|'.join(f'({form})' for form in forms)
    return re.compile(rf'[ \t>*#]*(?:{label})[ \t]*(?:\*+[ \t]*)?[:：]\**[ \t]*')
