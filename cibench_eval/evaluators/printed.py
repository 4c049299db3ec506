"""Metrics of what a session answers: by the variables that a step declares, else by what is printed."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from cibench_eval.datasets.appended import asked_in
from cibench_eval.evaluators.answers import quoted
from cibench_eval.evaluators.comparing.groups import in_groups
from cibench_eval.evaluators.comparing.held_out import judged
from cibench_eval.evaluators.comparing.numbers import Margin
from cibench_eval.evaluators.comparing.printed.lists import ALMOST
from cibench_eval.evaluators.comparing.printed.prose import same_words
from cibench_eval.evaluators.comparing.variables import Pair, Verdict, compared, forecast
from cibench_eval.evaluators.engine import MetricValue, Options, last_shown
from cibench_eval.evaluators.work import StepWork
from cibench_eval.schema import Forecast, Step
from cibench_eval.states import bound_names, states_of

WORD = re.compile(r'(?<![\w.])(?!(?:True|False|None|nan|NaN|NaT|inf|np|array|tensor|Timestamp)\b)[^\W\d_]')
"""The beginning of a word that is no part of a value."""
WORDED_LINE = re.compile(rf'\n(?=.*{WORD.pattern})')
"""The end of a line before one with a word."""
NOTHING = MetricValue(None, 'no text that may be an answer')


def by_variable(work: StepWork, step: Step, options: Options) -> MetricValue | None:
    """Compare the declared variables; None where there are none, or no code of the step visibly makes one.

    The score is the share of what is right, over all declared variables; at most ALMOST where something is wrong.
    """
    golds = (states_of(step.state) if step.state and step.answers else None) or {}
    if not step.answers or not all(name in golds and golds[name].settled for name in step.answers):
        return None
    made = {name: state for name, state in (work.state or {}).items() if name in step.answers}
    if not made or not any(made.keys() & bound_names(call.code) for call in work.calls):
        return None
    margin, found, sure = options.margin_of(step), dict[str, Verdict](), list[Forecast | None]()
    for name, declared in step.answers.items():
        if name not in made:
            found[name] = 0.0, 'there is none'
            continue
        found[name] = compared(Pair(declared, golds[name], made[name], margin, step.question))
        sure += [forecast(golds[name], made[name])] if declared.kind == 'probability' else []
    detail = '; '.join(f'{name}: {why}' for name, (_, why) in found.items() if why)
    detail = detail or f'{", ".join(found)}: as the gold has it'
    share = sum(right for right, _ in found.values()) / len(found)
    return MetricValue(share if share == 1 else min(ALMOST, share), detail, forecasts=tuple(filter(None, sure)))


@dataclass(frozen=True)
class PrintedRules:
    """How printed answers are read: by the rules of a profile."""

    difference: Callable[[str, str, Margin, str], str]
    """Why an answer to a gold output is wrong, with the margin and `asked_in` of the question; empty if right."""
    in_place: Callable[[str, str, str], float]
    """The share of a list's entries that are in their places, with the same of the question."""

    def values(self, work: StepWork, step: Step, options: Options) -> MetricValue:
        """1 if the answer has the gold's values and no others, or predictions that held-out labels confirm."""
        printed = last_shown('answers')(self._values)
        value = by_variable(work, step, options) or printed(work, step, options)
        return value._replace(score=float(value.score == 1))

    def texts(self, work: StepWork, step: Step, options: Options) -> MetricValue:
        """The share of a list's entries in their places; of prose, 1 for the gold's words: others are for a judge."""
        printed = last_shown('answers')(self._texts)
        return by_variable(work, step, options) or printed(work, step, options)

    def _values(self, found: list[str], step: Step, work: StepWork, options: Options) -> MetricValue:
        if not found:
            return NOTHING
        if step.held_out:
            good, detail = max(judged(step.held_out, answer) for answer in found)
            return MetricValue(float(good), detail)
        gold, margin, asked = step.text or '', options.margin_of(step), asked_in(step)
        problems = [self._problem(gold, answer, margin, asked) for answer in found]
        if '' in problems:
            return MetricValue(1.0, quoted(found[problems.index('')]))
        unread = _has_digits(gold) and not any(map(_has_digits, found))
        return MetricValue(0.0, f'{problems[0]}; {quoted(found[0])}', unread)

    def _problem(self, gold: str, answer: str, margin: Margin, asked: str) -> str:
        """Why an answer is wrong, which may say the gold's values twice: above words, or in brackets behind them."""
        problem, text = self.difference(gold, answer, margin, asked), answer.strip()
        line, bracket = WORDED_LINE.search(text), text.rfind('(')
        parts = [(text[: line.start()], text[line.end() :])] if line else []
        parts += [(text[bracket:], text[:bracket])] if bracket > 0 else []
        for bare, worded in parts if problem else ():
            if not WORD.search(bare) and not any(self.difference(gold, one, margin, asked) for one in (bare, worded)):
                return ''
        return problem

    def _texts(self, found: list[str], step: Step, work: StepWork, options: Options) -> MetricValue:
        if not found:
            return NOTHING
        gold, asked = step.text or '', asked_in(step)
        scores = [self._listed(gold, one, asked) if step.listed else float(same_words(gold, one)) for one in found]
        best = scores.index(max(scores))
        other_words = not step.listed and scores[best] < 1
        return MetricValue(scores[best], quoted(found[best]), for_judge=other_words)

    def _listed(self, gold: str, answer: str, question: str) -> float:
        share = self.in_place(gold, answer, question)
        return share if share < 1 or in_groups(gold, answer) else ALMOST


def _has_digits(text: str) -> bool:
    return any(map(str.isdecimal, text))
