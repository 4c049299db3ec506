"""Read the verdict in a judge's reply. Where a reply has no plain verdict, the judge is asked again."""

import json
import re
import unicodedata
from collections.abc import Callable
from typing import Any

Scale = Callable[[str], float | None]
"""Maps a verdict to its worth from 0 to 1, and other texts to None."""

LONGEST = 10_000
"""Characters at the end of a reply that are read."""
ITEM = r'(?:(?:[-•]|\d+[.)])\s+)?'
LABEL = r'(?:final\s+|overall\s+|最终|总体|综合)?(?P<label>verdict|score|rating|评分|得分|分数|打分|结论|判定)'
LABELLED = re.compile(rf'{ITEM}{LABEL}\s*[:=]\s*(?P<verdict>.+?)\s*[.。!]?', re.IGNORECASE)
BARE = re.compile(r'(?P<verdict>.+?)\s*[.。!]?')
AROUND = '"\'“”‘’「」()[]【】'
"""What may stand around a verdict."""
POINTS = re.compile(r'(\d+(?:\.\d+)?)\s*(?:(?:/|out of)\s*10(?:\.0+)?)?\s*(?:分|points?)?', re.IGNORECASE)
OBJECT = re.compile(r'^[ \t]*(?:```(?:json)?\s*)?(?=\{)', re.IGNORECASE | re.MULTILINE)
END = re.compile(r'(?:</s>|<\|[^<>|]{1,40}\|>)\Z')
"""A mark of the end that a server has left in the reply: `</s>`."""
WORTH = {'right': 1.0, 'correct': 1.0, '正确': 1.0, 'wrong': 0.0, 'incorrect': 0.0, '错误': 0.0}


def points(verdict: str) -> float | None:
    """`8`, `7.5`, `8/10`, `8 分` as tenths; None beyond 1 to 10."""
    found = POINTS.fullmatch(verdict)
    value = float(found[1]) if found else 0.0
    return value / 10 if 1 <= value <= 10 else None


def right(verdict: str) -> float | None:
    """`right` and `correct` are 1, `wrong` and `incorrect` 0, in Chinese 正确 and 错误; `not right` is nothing."""
    return WORTH.get(verdict.lower())


def read_verdict(reply: str, scale: Scale) -> tuple[float | None, str]:
    """The worth of a verdict and its words, or None and why there is none.

    The last line must be a verdict and nothing else: `Verdict: 8`, `评分：8 分`, `{"score": 8}`, with or without
    Markdown, quotes or brackets around it, or just `8` where that is the whole reply, which is what the paper's prompt
    asks for. Lines above under a label must be verdicts as well (`Verdict: not right` is none), and agree with it if
    they are on its scale; under the same label they must be on its scale: `Score: 9/10` may stand above
    `Verdict: right`.
    """
    text = unicodedata.normalize('NFKC', reply.rstrip()[-LONGEST:])
    plain = re.sub('[*_`#]+', '', _without_json(END.sub('', text), scale))
    lines = [' '.join(line.split()) for line in plain.splitlines() if line.strip()]
    if not lines:
        return None, 'the reply is empty'
    final = LABELLED.fullmatch(lines[-1]) or (BARE.fullmatch(lines[-1]) if len(lines) == 1 else None)
    if final is None:
        return None, f'no verdict in the last line {lines[-1][-80:]!r}'
    label, last = _of(final)
    worth = scale(last)
    if worth is None:
        return None, f'{last[:80]!r} is no verdict'
    for own, other in [_of(found) for line in lines[:-1] if (found := LABELLED.fullmatch(line))]:
        of_other_scale = own != label and (points(other) is not None or right(other) is not None)
        if scale(other) != worth and not (of_other_scale and scale(other) is None):
            return None, f'two verdicts: {other} and {last}'
    return worth, last


def _of(found: re.Match[str]) -> tuple[str, str]:
    return found.groupdict().get('label', '').lower(), _bare(found['verdict'])


def _bare(verdict: str) -> str:
    return verdict.lstrip(AROUND).rstrip(f'{AROUND}.。!')


def _without_json(text: str, scale: Scale) -> str:
    """A JSON object at the end as lines of verdicts, one for each key that may hold one, a doubled key twice.

    Those on the scale are last.
    """
    before, pairs = last_object(text)
    said = [(key, str(value)) for key, value in pairs if key.lower() in ('verdict', 'score', 'rating')]
    said.sort(key=lambda one: scale(_bare(one[1])) is not None)
    return '\n'.join([before, *(f'{key}: {value}' for key, value in said)]) if said else text


def last_object(text: str) -> tuple[str, list[tuple[str, Any]]]:
    """The text before a JSON object at the end, in a fence or not, and its pairs; objects and lists in it are `…`.

    Where there is none, all of the text and no pairs.
    """
    body = text.rstrip().removesuffix('```').rstrip()
    for found in OBJECT.finditer(body):
        try:
            pairs = json.loads(body[found.end() :], object_pairs_hook=list, strict=False)
        except (ValueError, RecursionError):
            continue
        return text[: found.start()], [(key, '…' if isinstance(value, list) else value) for key, value in pairs]
    return text, []
