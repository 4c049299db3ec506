"""Rules of `categories` for code that ran: what it leaves out of what was asked, then how its results differ.

Code is compared with the gold code by its facts (`code_facts`), results are compared as words and numbers.
"""

import functools
import re
from collections import Counter
from collections.abc import Iterable

from cibench_eval.evaluators.failures.code_facts import Constant, numbers_of, rounded, tokens_of
from cibench_eval.evaluators.failures.evidence import Diagnosis, FailedStep, Rule, in_question, left_out, other_options

FUNCTION = re.compile(r'`(?:[\w.]+\.)?([A-Za-z]\w*)(?:\([^`]*\))?`')
"""A function in a question, with its path or arguments."""

LETTERS = re.compile(r'[^\W\d_]')
ELEMENTS = {'legend', 'xticks', 'yticks', 'grid', 'colorbar'}
"""Elements of a figure: if the gold code adds one, the question has asked for it in words."""


def of_python(rule: Rule) -> Rule:
    """Decorate a rule that reads the code: it finds nothing in code that does not parse."""
    return functools.wraps(rule)(lambda case: rule(case) if case.code.parsed else None)


def nothing_shown(case: FailedStep) -> Diagnosis | None:
    if case.step.kind == 'vis':
        if case.execution and not case.execution.figures:
            return Diagnosis('no_figure', 'a figure was asked and none is shown')
    elif case.step.kind != 'exec' and not case.printed and not case.step.answers:
        return Diagnosis('no_output', 'an output was asked and none is shown')
    return None


def shows_function(case: FailedStep) -> Diagnosis | None:
    found = re.match('<(?:bound method|function|built-in)', case.shown)
    return Diagnosis('type', f'shows a function in the place of its result: {case.shown[:60]!r}') if found else None


@of_python
def other_figure(case: FailedStep) -> Diagnosis | None:
    lacks = case.gold.plots - case.code.plots
    if case.step.kind != 'vis' or not lacks:
        return None
    calls = f'the gold code calls {_list(case.gold.plots)}, the code {_list(case.code.plots)}'
    return Diagnosis('wrong_figure', calls, certain=False)


@of_python
def invented(case: FailedStep) -> Diagnosis | None:
    """Numbers that are written out or drawn at random, in place of the session's data."""
    if touches_data(case):
        return None
    files = {file for code in case.gold_codes for file in code.read}
    written = [values for values in case.code.collections if any(value not in case.gold.literals for value in values)]
    random = ('random' in case.code.words) and 'random' not in case.gold.words
    if not (written or random) or case.code.read & files:
        return None
    made = 'random numbers' if random else f'values written out ({_list(written[0])})'
    return Diagnosis('invented_data', f'uses none of the data of the session but {made}', certain=False)


@of_python
def off_task(case: FailedStep) -> Diagnosis | None:
    """Code with neither the session's data nor anything of the question."""
    asked = [value for value in case.gold.literals if in_question(value, case.step.question)]
    missed = left_out(case.step, [case.code])
    shared = (case.code.calls & case.gold.calls) - {'print', 'show', 'read_csv'}
    most = len(missed) > 0.7 * len(asked) if asked else not touches_data(case)
    if most and not shared and not case.code.plots:
        return Diagnosis('other_task', 'has nothing of what the question names', certain=False)
    return None


def other_notation(case: FailedStep) -> Diagnosis | None:
    """Numbers of months or classes for their names, or shares for percentages and the reverse."""
    gold, shown = (case.step.text or '').strip(), case.shown
    if case.step.kind == 'vis' or not gold or not shown:
        return None
    seen = f'{_list(numbers_of(shown)[:5])} in the place of {gold[:60]!r}'
    if for_names(gold, shown) or in_percent(numbers_of(gold), numbers_of(shown)):
        return Diagnosis('wrong_notation', seen)
    return None


def for_names(gold: str, shown: str) -> bool:
    """Whether a text lists whole numbers where the gold lists names, and has the gold's numbers, if any."""
    there = iter(numbers_of(shown))
    whole = re.fullmatch(r'[\d\s,;>~\[\]()-]+', shown) and all(number in there for number in numbers_of(gold))
    return bool(whole) and LETTERS.search(gold) is not None and _items(gold) == _items(shown) > 1


def _items(text: str) -> int:
    return len([part for part in re.split(r'[,;>~\n]|->', text) if part.strip()])


def in_percent(gold: list[str], shown: list[str]) -> bool:
    """Whether two lists are the same numbers, some as percentages in one and as shares of 1 in the other."""
    if len(gold) != len(shown):
        return False
    others = [pair for pair in zip(gold, shown, strict=True) if pair[0] != pair[1]]
    return bool(others) and (
        all(_hundredfold(*pair) for pair in others) or all(_hundredfold(*pair[::-1]) for pair in others)
    )


def _hundredfold(large: str, small: str) -> bool:
    """Whether a number is a hundred times another, as far as the places of that one tell; 0 tells nothing."""
    places = len(small.partition('.')[2])
    return float(small) != 0 and abs(float(small) * 100 - float(large)) <= 50.0001 * 10.0**-places <= abs(float(large))


def more_output(case: FailedStep) -> Diagnosis | None:
    """The lines of the gold output among others, or its words and numbers in order with others between."""
    gold, shown = tokens_of(case.step.text or ''), tokens_of(case.shown)
    if case.step.kind in ('vis', 'exec') or not gold or len(shown) <= len(gold):
        return None
    lines = [line.strip() for line in case.shown.splitlines()]
    if within([line.strip() for line in (case.step.text or '').strip().splitlines()], lines):
        return Diagnosis('extra_output', f'the gold output among {len(lines)} lines')
    rest = iter(shown)
    if len(gold) > 3 and len(shown) <= 4 * len(gold) and all(token in rest for token in gold):
        return Diagnosis('extra_output', 'the words and numbers of the gold output among others', certain=False)
    return None


def other_precision(case: FailedStep) -> Diagnosis | None:
    gold, shown = numbers_of(case.step.text or ''), numbers_of(case.shown)
    if case.step.kind != 'vis' and gold and rounded(gold, shown):
        return Diagnosis('wrong_rounding', f'{_list(shown[:5])} in the place of {_list(gold[:5])}')
    return None


def other_layout(case: FailedStep) -> Diagnosis | None:
    gold, shown = tokens_of(case.step.text or ''), tokens_of(case.shown)
    if case.step.kind == 'vis' or not gold or len(shown) > 2 * len(gold) + 6:
        return None
    numbers = numbers_of(case.step.text or '')
    if within(gold, shown) or (case.step.kind != 'text' and numbers and numbers == numbers_of(case.shown)):
        return Diagnosis('wrong_layout', 'the words and numbers of the gold output in another layout')
    return None


def within(part: list[str], whole: list[str]) -> bool:
    """Whether a list is a piece of another."""
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


@of_python
def ignores_value(case: FailedStep) -> Diagnosis | None:
    reached = [facts for past in case.past for facts in past.ran if facts.data & case.code.loaded]
    if other := other_options(case.step, case.code):
        given = ', '.join(f'{name}={value!r}' for name, value in other.items())
        return Diagnosis('ignored_parameter', f'the code has {given}, the question another value')
    missed = left_out(case.step, [case.code, *reached])
    return Diagnosis('ignored_parameter', f'asked for and not used: {_list(missed)}', certain=False) if missed else None


@of_python
def ignores_method(case: FailedStep) -> Diagnosis | None:
    named = {found[1] for found in FUNCTION.finditer(case.step.question)} | (
        ELEMENTS if case.step.kind == 'vis' else set()
    )
    named &= case.gold.calls - {'show', 'print'}
    missed = named - case.code.words - {word.removeprefix('set_') for word in case.code.words}
    return Diagnosis('ignored_method', f'asked for and not called: {_list(missed)}', certain=False) if missed else None


def other_order(case: FailedStep) -> Diagnosis | None:
    gold, shown = tokens_of(case.step.text or ''), tokens_of(case.shown)
    if case.step.kind != 'vis' and gold and Counter(gold) == Counter(shown):
        return Diagnosis('wrong_order', f'{_list(shown[:8])} in the place of {_list(gold[:8])}')
    return None


def other_value(case: FailedStep) -> Diagnosis:
    """Any other wrong result: no other rule has found anything."""
    only, lacks = case.code.calls - case.gold.calls, case.gold.calls - case.code.calls
    calls = f'; calls {_list(only)} where the gold code calls {_list(lacks)}' if only or lacks else ''
    shown = 'the figure differs' if case.step.kind == 'vis' else f'{case.shown[:100]!r} is shown'
    return Diagnosis('wrong_value', shown + calls, certain=False)


def touches_data(case: FailedStep) -> bool:
    """Whether the code uses data of the session, or reads a file that the gold code reads."""
    files = {file for code in case.gold_codes for file in code.read}
    return bool(case.code.loaded & case.session_data) or bool(case.code.read & files)


def _list(values: Iterable[Constant]) -> str:
    """List values in words; a set in an order that is the same in every run."""
    values = sorted(values, key=str) if isinstance(values, frozenset | set) else values
    shown = [f'{value:g}' if isinstance(value, float) else repr(value) for value in values]
    return ', '.join(shown) or 'nothing'
