"""Compare Chinese notebooks with their English twins, which are meant to ask the same."""

import re
from collections.abc import Iterator

from cibench_eval.evaluators.comparing.numbers import TOLERANCE, Margin
from cibench_eval.evaluators.comparing.printed.compare import difference
from cibench_eval.schema import Step
from cibench_eval.sets.checking.findings import CheckFinding
from cibench_eval.sets.checking.static import CHINESE, QUOTED, SUFFIX, Member, is_chinese

CODE = re.compile('`([^`\n]+)`')
NAME = re.compile(r'[\w./()\[\] -]+', re.ASCII)
"""A name, path or title; a text with other characters is an expression, or Chinese."""
NUMBER = re.compile(r'(?<![A-Za-z_\d.])\d+(?:,\d{3})*(?:\.\d+)?')
WORDS = {
    '0': 'zero|absolute|零|绝对',
    '1': 'one|first|single|january|一|首|单',
    '2': 'two|second|both|twice|half|february|二|两|双|半',
    '3': 'three|third|march|三',
    '4': 'four|april|quarter|四',
    '5': 'five|fifth|may|五',
    '6': 'six|june|六',
    '7': 'seven|july|七',
    '8': 'eight|august|八',
    '9': 'nine|ninth|september|九',
    '10': 'ten|october|十',
    '11': 'eleven|november|十一',
    '12': 'twelve|twelfth|december|十二',
}
"""Number -> words for it in the other language."""


def twin_findings(members: list[Member]) -> list[CheckFinding]:
    """Findings about twins that do not ask the same.

    Twins have the same path below two splits (`x` and `x_chinese` or `x_cn`), or names that differ in such a suffix.
    """
    return [finding for member, twin in _pairs(members) for finding in _of_pair(member, twin)]


def _bare(name: str) -> str:
    return SUFFIX.sub('', name)


def _pairs(members: list[Member]) -> list[tuple[Member, Member | None]]:
    """Each Chinese notebook with its twin, and notebooks without a twin in a split that has one."""
    english = {(m.split, m.experiment.id): m for m in members if not is_chinese(m)}
    splits = {split for split, _ in english}
    pairs: list[tuple[Member, Member | None]] = []
    for member in members:
        key = _bare(member.split), _bare(member.experiment.id)
        if is_chinese(member) and (key in english or (member.split != key[0] and key[0] in splits)):
            pairs.append((member, english.pop(key, None)))
    translated = {_bare(member.split) for member, _ in pairs if SUFFIX.search(member.split)}
    return pairs + [(member, None) for (split, _), member in english.items() if split in translated]


def _of_pair(member: Member, twin: Member | None) -> Iterator[CheckFinding]:
    if twin is None:
        yield member.finding('twin', 'has no twin in the other language', severity='note')
        return
    mine, theirs = member.experiment.steps, twin.experiment.steps
    name = f'{twin.split}/{twin.experiment.id}'
    if len(mine) != len(theirs):
        yield member.finding('twin', f'{len(mine)} steps, {name} has {len(theirs)}')
        return
    for step, other in zip(mine, theirs, strict=True):
        for problem in _differences(step, other):
            yield member.finding('twin', f'{problem} ({name})', step.index)


def _differences(step: Step, twin: Step) -> Iterator[str]:
    """How two steps differ beyond language; outputs have to agree in `num` steps alone, others may have words."""
    if step.kind != twin.kind:
        yield f'a {step.kind} step, its twin is a {twin.kind} step'
    elif step.kind == 'num' and (
        problem := difference(twin.text or '', step.text or '', Margin(step.tolerance or TOLERANCE, step.absolute))
    ):
        yield f"its gold output is not its twin's: {problem}"
    if step.modules != twin.modules:
        yield f"modules {' & '.join(step.modules) or '(none)'}, its twin's {' & '.join(twin.modules) or '(none)'}"
    for one, other, whose in ((step, twin, "its twin's"), (twin, step, 'its')):
        if names := _names_only_in(one.question, other.question):
            yield f'{whose} question does not name {", ".join(f"`{name}`" for name in names)}'
        if numbers := numbers_only_in(one.question, other.question):
            yield f'{whose} question does not say {", ".join(numbers)}'


def _names_only_in(one: str, other: str) -> list[str]:
    """Names in backticks that the other lacks, unless it quotes as many Chinese texts: titles are translated."""
    mine, theirs = ({name.strip() for name in CODE.findall(text)} for text in (one, other))
    missing = sorted(name for name in mine - theirs if NAME.fullmatch(name))
    translated = [cited for cited in QUOTED.findall(other) if CHINESE.search(cited)]
    return missing if len(missing) > len(translated) else []


def numbers_only_in(one: str, other: str) -> list[str]:
    mine, theirs = ({number.replace(',', '') for number in NUMBER.findall(text)} for text in (one, other))
    words = {number for number, word in WORDS.items() if re.search(word, other, re.IGNORECASE)}
    return sorted(mine - theirs - words)
