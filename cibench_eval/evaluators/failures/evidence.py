"""What the rules of `categories` look at, a failed step, and what they find."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from cibench_eval.evaluators.comparing.numbers import DECIMAL
from cibench_eval.evaluators.failures.code_facts import CodeFacts, Constant, facts_of, numbers_of
from cibench_eval.schema import Attempt, Execution, Step


@dataclass(frozen=True)
class Diagnosis:
    """What a rule found."""

    cause: str
    """A key of `categories.CAUSES`."""
    evidence: str
    """What the rule saw, in words."""
    certain: bool = True
    """Whether that proves the cause."""
    missing: str = ''
    """The missing name, column or file, if that was found."""


@dataclass(frozen=True)
class EarlierStep:
    """An earlier step of the session: its gold, what the session ran of it, and whether it failed."""

    step: Step
    tried: tuple[CodeFacts, ...]
    ran: tuple[CodeFacts, ...]
    """The code of `tried` that ran without error."""
    failed: bool

    @property
    def gold(self) -> CodeFacts:
        return facts_of(self.step.code)

    @property
    def left(self) -> set[str]:
        """Names of data, not of libraries, that the step left behind."""
        return {name for facts in self.ran for name in facts.data}

    @property
    def doubtful(self) -> bool:
        """Whether later steps may rely on something wrong: the step failed, or left out what was asked."""
        return self.failed or not self.ran or bool(left_out(self.step, self.ran))


@dataclass(frozen=True)
class FailedStep:
    """A failed step as the rules see it."""

    step: Step
    attempt: Attempt | None
    """The last attempt that ran code, else the last one; None if the session was over before."""
    past: tuple[EarlierStep, ...]
    ended: str = ''

    @property
    def source(self) -> str:
        return (self.attempt and self.attempt.action.code) or ''

    @property
    def code(self) -> CodeFacts:
        return facts_of(self.source)

    @property
    def gold(self) -> CodeFacts:
        return facts_of(self.step.code)

    @property
    def execution(self) -> Execution | None:
        return self.attempt.execution if self.attempt else None

    @property
    def error(self) -> tuple[str, str]:
        """Name and message of the exception; empty without one."""
        error = self.execution.error if self.execution else None
        return (error.name, error.value) if error else ('', '')

    @property
    def said(self) -> str:
        """The exception in a line."""
        return ': '.join(self.error)

    @property
    def printed(self) -> str:
        """The text that the code showed, with blank lines around it."""
        return ''.join(text for _, text in self.execution.told) if self.execution else ''

    @property
    def shown(self) -> str:
        return self.printed.strip()

    @property
    def gold_codes(self) -> list[CodeFacts]:
        """Facts of the gold code of this step and all before."""
        return [*(past.gold for past in self.past), self.gold]

    @property
    def session_data(self) -> set[str]:
        """Names of data that exist, or would if the earlier steps had done what was asked."""
        return {name for past in self.past for name in past.left | past.gold.data}


Rule = Callable[[FailedStep], Diagnosis | None]
OPTION = re.compile(rf'\b([A-Za-z_]\w*)=(\'[^\']*\'|"[^"]*"|-?{DECIMAL})?')
"""A named argument in a question, with its value if that is a string or a number."""
PERCENT = re.compile(rf'({DECIMAL}) ?[%％]')
WORDS = ('three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve')
"""Numbers that questions write as words; one and two occur in any sentence."""


def in_question(literal: Constant, question: str) -> bool:
    """Whether a question gives a value: a number in digits, as a word or in percent, short text only in quotes."""
    if isinstance(literal, float):
        words = {float(number) for number, word in enumerate(WORDS, 3) if re.search(rf'\b{word}\b', question, re.I)}
        numbers = {float(number) for number in numbers_of(question)} | words
        return not numbers.isdisjoint(forms_of(literal, question))
    if len(literal) > 2:
        return literal in question
    return bool(literal.strip()) and re.search(rf'[`\'"“]{re.escape(literal)}[`\'"”]', question) is not None


def forms_of(value: Constant, question: str) -> set[Constant]:
    """A value and its other forms: a percentage of the question as a share of 1, or the reverse."""
    percents = {float(number) for number in PERCENT.findall(question)}
    if isinstance(value, float) and value in percents:
        return {value, round(value / 100, 12)}
    if isinstance(value, float) and round(value * 100, 10) in percents:
        return {value, round(value * 100, 10)}
    return {value}


def left_out(step: Step, codes: Iterable[CodeFacts]) -> list[Constant]:
    """Values, named constants and arguments that question and gold code have, and `codes` lack."""
    codes, gold = list(codes), facts_of(step.code)
    used = {value for code in codes for value in (*code.literals, *code.words, *dict(code.options))}
    texts = [value for code in codes for value in code.literals if isinstance(value, str)]
    asked = {value for value in gold.literals if in_question(value, step.question)}
    asked |= {name for name in gold.attributes if name.isupper() and name in step.question}
    asked |= {name for name, _ in OPTION.findall(step.question)} & {
        name for name, value in gold.options if value is None
    }
    asked -= {one for one in asked if isinstance(one, str) and len(one) > 3 and any(one in text for text in texts)}
    return [value for value in sorted(asked, key=str) if used.isdisjoint(forms_of(value, step.question))]


def other_options(step: Step, code: CodeFacts) -> dict[str, Constant]:
    """Arguments to which the code gives another value than the question, with the code's value."""
    asked: dict[str, set[Constant]] = {}
    for name, value in OPTION.findall(step.question):
        if value:
            asked.setdefault(name, set()).add(value[1:-1] if value[0] in '\'"' else float(value))
    given = {name: value for name, value in code.options if name in asked and value is not None}
    gold = facts_of(step.code).options
    return {
        name: value
        for name, value in sorted(given.items())
        if not any((name, one) in code.options for one in asked[name]) and (name, value) not in gold
    }


def origin(case: FailedStep, finding: Diagnosis) -> int | None:
    """The earlier step that should have left what is missing, or whose wrong result the step uses."""
    if finding.missing:
        return next((past.step.index for past in reversed(case.past) if _owes(past, finding, case.code)), None)
    if case.execution is None:
        return None
    code = case.code
    feeding = [
        past
        for past in case.past
        if past.doubtful and (past.gold.data & code.loaded or past.gold.made_columns & code.literals)
    ]
    if not same_way(case):  # then only a step that has failed makes a result doubtful that nothing else explains
        feeding = [past for past in feeding if past.failed and finding.cause == 'wrong_value']
    return feeding[0].step.index if feeding else None


def same_way(case: FailedStep) -> bool:
    """Whether the code does what the gold code does, names aside, so that its input must be wrong.

    Code that ended in an error need not do all of it.
    """
    code, gold = case.code, case.gold
    if not code.parsed:
        return False
    if case.error[0]:
        return code.calls <= gold.calls and code.attributes <= gold.attributes
    return code.calls == gold.calls and code.literals == gold.literals and code.attributes == gold.attributes


def _owes(past: EarlierStep, finding: Diagnosis, code: CodeFacts) -> bool:
    """Whether a step should have left the missing name, column or file."""
    gold, missing = past.gold, finding.missing
    if finding.cause in ('undefined_name', 'import'):
        inside = missing not in code.loaded and any(missing in facts.loaded for facts in past.ran)
        tried = {name for facts in past.tried[-1:] for name in facts.bound}
        left_nothing = missing in gold.bound and (past.failed or not past.left)
        return inside or left_nothing or (past.failed and missing in tried)
    if finding.cause == 'missing_column':
        return past.failed and missing in gold.made_columns
    wrote = any(call.startswith(('to_', 'save', 'write', 'dump', 'imwrite')) for call in gold.calls)
    read = any(missing in facts.read for facts in past.tried)
    return (past.failed and wrote and missing in gold.literals) or read
