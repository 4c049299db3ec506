"""The code in the arguments of a function call, which should be JSON with `code` but often are not.

These forms are understood, in this order:

1. JSON: an object with the code under one of KEYS, or as its only text; a text; a text that holds one of these; or a
   whole call whose arguments are such an object, or a text that holds one.
2. A JSON object in a fence, or with something after it, a mark of the model's format or a further brace; or such an
   object that lacks its last brace.
3. An object with the code as its only text, or before another, in which quotes, backslashes or line feeds are not
   escaped, or single quotes are, or which stands in triple quotes.
4. A dict in Python's notation.
5. Other faulty objects (no closing brace, a comma too many, names without quotes), as `json_repair` reads them. It
   comes last, because it silently loses parts of code with unescaped quotes. Arguments that end in the middle of a
   text are not repaired: half a program can run well and leave a state.
6. Plain code: anything that does not begin with a brace, or that none of the above can read.

A fence around the code is removed, unless there is more code after it. Code that is none, on one line, and that was
escaped twice is read as if escaped once.
"""

import json
import re
from dataclasses import dataclass
from typing import Any

import json_repair

from cibench_eval.fences import ARGUMENTS, KEYS, first_filled, is_code, is_json, json_code, opened_json, unwrap
from cibench_eval.schema import unicode_text
from cibench_eval.syntax import literal_value

OBJECT = re.compile(rf'\s*\{{\s*["\']?(?:{"|".join(KEYS)})["\']?\s*:')
"""An object that has code, in JSON or Python's notation, whole or faulty."""
CODE_ALONE = re.compile(rf'\s*\{{\s*"(?:{"|".join(KEYS)})"\s*:\s*("""|")(.*)\1\s*\}}\s*', re.DOTALL)
"""An object with the code as its only text, whatever is in it."""
FURTHER = re.compile(r'(.*)"\s*,\s*"\w+"\s*:', re.DOTALL)
"""What stands before the last further text of such an object."""
NOT_ESCAPED = re.compile(r'\\(?!["\\/bfnrtu])|(\\.)|(")', re.DOTALL)
LONGEST_LITERAL = 100_000
"""Most characters of a dict in Python's notation: its parser is not made for hostile texts."""
LONGEST_REPAIR, MOST_BRACKETS = 10_000, 200
"""Most characters of JSON to repair, and most opening brackets in it: more of both can take minutes."""
FAILURES = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)
"""Errors of parsers at a text that is not in their language."""


@dataclass(frozen=True)
class CallArguments:
    """The code in a call's arguments."""

    code: str | None
    """The code; None if the arguments are readable and have none."""
    repaired: bool = False
    """Whether the arguments were no JSON and had to be repaired."""


def read_arguments(text: str) -> CallArguments:
    """The code in the arguments of a call, by the rules above. Any text can be read."""
    text = text.removeprefix('\ufeff')
    if is_json(text):
        return CallArguments(_code_of(_inner(json.loads(text, strict=False)), text))
    for closed in (unwrap(text), f'{text}}}'):
        if (code := json_code(closed)) is not None:
            return CallArguments(_clean(code), repaired=True)
    for value in (_code_alone(text), _literal(text), _repaired(text)):
        if isinstance(value, dict) and (code := _code_of(value, text)) is not None:
            return CallArguments(code, repaired=True)
    return CallArguments(_clean(text))


def _inner(value: Any) -> Any:
    """`value`, or the object inside it if it is a text that holds one, or a whole call with either."""
    value = opened_json(value)
    given = [opened_json(value.get(key)) for key in ARGUMENTS] if isinstance(value, dict) else []
    return next((each for each in given if isinstance(each, dict) and each), value)


def _code_of(value: Any, text: str) -> str | None:
    """The code in an object or a text; for any other JSON (a number), the text of the arguments itself."""
    if isinstance(value, dict):
        texts = [each for each in map(_lines, value.values()) if each is not None]
        named = [each for key in KEYS if (each := _lines(value.get(key))) is not None]
        value = first_filled(named or (texts if len(texts) == 1 else []))
    elif value is not None and not isinstance(value, str | list):
        value = text
    return _clean(value) if isinstance(value, str) else None


def _clean(code: str) -> str:
    code = unwrap(unicode_text(code))
    if '\n' in code or '\\n' not in code or is_code(code):
        return code
    lines = _decoded(code)
    return lines if is_code(lines) else code


def _lines(value: Any) -> str | None:
    """A text, or the lines of one."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return '\n'.join(line.removesuffix('\n') for line in value)
    return value if isinstance(value, str) else None


def _code_alone(text: str) -> dict[str, str] | None:
    """The object of rule 3."""
    alone = CODE_ALONE.fullmatch(text)
    if not alone:
        return None
    further = FURTHER.match(alone.group(2))
    texts = [alone.group(2), further.group(1)] if further else [alone.group(2)]
    codes = [_decoded(one) for text in texts for one in (text, text.replace("\\'", "'"))]
    return {'code': next(filter(is_code, codes), codes[0])}


def _decoded(text: str) -> str:
    """The text that stands for `text` in JSON, with quotes and backslashes in it that are not escaped."""
    escaped = NOT_ESCAPED.sub(lambda m: m.group(1) or ('\\"' if m.group(2) else '\\\\'), text)
    try:
        return str(json.loads(f'"{escaped}"', strict=False))
    except ValueError:
        return text


def _literal(text: str) -> Any:
    """The dict of rule 4."""
    if len(text) >= LONGEST_LITERAL or not text.lstrip().startswith('{'):
        return None
    try:
        return literal_value(text.strip())
    except FAILURES:
        return None


def _repaired(text: str) -> Any:
    """The object of rule 5."""
    in_text = (text.count('"') - text.count('\\"')) % 2
    whole = text.strip().startswith('{') and text.strip().endswith(('}', '"')) and not in_text
    if not whole or len(text) > LONGEST_REPAIR or sum(map(text.count, '{[(')) > MOST_BRACKETS:
        return None
    try:
        return json_repair.loads(text, skip_json_loads=True)
    except FAILURES:
        return None
