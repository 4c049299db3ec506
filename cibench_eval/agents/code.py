"""Taking the code out of what a model gave as a tool's input: once, and only here."""

from __future__ import annotations

import json
import re

FENCE = re.compile(r'^[ \t]*(`{3,}|~{3,})[^\n`]*$', re.MULTILINE)
"""A line that opens or closes a fenced block."""
FENCE_AFTER_LABEL = re.compile(r'[:：]\**[ \t]*(`{3,}|~{3,})[^\n`]*$')
"""The end of a line that has a label and opens a fenced block: `Action Input: ```python`."""


def extract_code(text: str) -> str:
    """The code in `text`.

    - A fenced block: what stands between its first fence and the line that closes it; back-ticks inside a
      line (strings, comments) are code. A fence that is never closed runs to the end; one that is closed at
      the end of a code line is closed there.
    - A JSON object with a `code` or `command` key: that value, itself read by these rules.
    - Anything else: the text itself.
    """
    text = text.replace('\r\n', '\n')
    opening = FENCE.search(text)
    if opening:
        return _block(text[opening.end() + 1 :], opening.group(1)).strip('\n')
    return extract_code(inner) if (inner := _json_code(text)) is not None else text.strip()


def _block(body: str, fence: str) -> str:
    for closing in FENCE.finditer(body):
        if closing.group(0).strip().rstrip(fence[0]) == '' and len(closing.group(1)) >= len(fence):
            return body[: closing.start()]
    stripped = body.rstrip()
    return stripped.removesuffix(fence) if stripped.endswith(fence) else body


def _json_code(text: str) -> str | None:
    if not text.lstrip().startswith('{'):
        return None
    try:
        value = json.loads(text, strict=False)
    except (ValueError, RecursionError):  # not JSON, or such that no program writes it
        return None
    found = value.get('code', value.get('command'))
    return found if isinstance(found, str) else None


def fence(code: str) -> str:
    return f'```python\n{code}\n```'


def outside_fences(text: str) -> list[tuple[int, str]]:
    """The lines of `text` that are not in a fenced block, each with its offset."""
    lines: list[tuple[int, str]] = []
    offset, open_fence = 0, ''
    for line in text.splitlines(keepends=True):
        bare = line.rstrip('\r\n')
        mark = FENCE.match(bare)
        if open_fence:
            if (mark and mark.group(1).startswith(open_fence)) or line.rstrip().endswith(open_fence):
                open_fence = ''
        elif mark:
            open_fence = mark.group(1)
        else:
            lines.append((offset, line))
            opened = FENCE_AFTER_LABEL.search(bare)
            open_fence = opened.group(1) if opened else ''
        offset += len(line)
    return lines
