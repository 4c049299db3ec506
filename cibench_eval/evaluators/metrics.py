"""The one list of metrics, and how each is computed: what we hold to be right.

A further metric is one function and one entry of METRICS; tables, files and statistics take it from there. The rules,
their reasons and their limits are in `docs/metrics.md`.

The answer is the last execute_result, else stdout and displays of text. Unreadable output of the model scores 0, and
the detail says why; an unreadable gold output is a `CibenchError`, a figure that is gone a `HarnessError`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import get_args

from cibench_eval.datasets.appended import asked_in
from cibench_eval.evaluators.comparing.groups import in_groups
from cibench_eval.evaluators.comparing.held_out import judged
from cibench_eval.evaluators.comparing.last_number import last_number, same_number
from cibench_eval.evaluators.comparing.numbers import Margin
from cibench_eval.evaluators.comparing.printed.compare import difference
from cibench_eval.evaluators.comparing.printed.lists import ALMOST, in_place
from cibench_eval.evaluators.comparing.printed.prose import same_words
from cibench_eval.evaluators.comparing.states import StateQuestion
from cibench_eval.evaluators.comparing.states import difference as difference_of
from cibench_eval.evaluators.comparing.variables import Pair, Verdict, compared, forecast
from cibench_eval.evaluators.engine import NOT_KNOWN, Metric, MetricValue, Options, last_shown
from cibench_eval.evaluators.work import LARGEST, StepWork, quoted
from cibench_eval.files import read_at_most
from cibench_eval.plots import read_plot
from cibench_eval.schema import CibenchError, Forecast, Step, StepKind
from cibench_eval.states import asked_names, bound_names, states_of

MAX_PLOTS = 32
"""Most figures of an answer whose descriptions are read."""
MOST_WHY = 500
"""Most characters of a detail about variables."""
PIXELS = 'by pixels'
"""Beginning of the detail where pixels decide."""
SAME_PIXELS = 1 - 1e-6
"""The least score of figures whose pixels are all the gold's. Where the gold is described and a figure is not, another
picture gets no more than a wrong plot: a digit that is another one costs less than a thousandth."""
EMPTY = 'nothing is drawn'
"""Detail of a step whose figures have nothing drawn in them."""
WORD = re.compile(r'(?<![\w.])(?!(?:True|False|None|nan|NaN|NaT|inf|np|array|tensor|Timestamp)\b)[^\W\d_]')
"""The beginning of a word that is no part of a value."""
WORDED_LINE = re.compile(rf'\n(?=.*{WORD.pattern})')
"""The end of a line before one with a word."""
NOTHING = MetricValue(None, 'no text that may be an answer')


def tool_rate(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the interpreter was called."""
    return MetricValue(float(bool(work.calls)))


def executable(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the last call ran without error."""
    return MetricValue(float(bool(work.calls) and not work.calls[-1].failed))


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


PRINTED = PrintedRules(difference, in_place)
"""How `strict` reads what is printed."""


@last_shown('figures')
def same_figures(shown: list[str], step: Step, work: StepWork, options: Options) -> MetricValue:
    """Compare what figures show, or their pixels where there is no description; the detail says where pixels decide.

    Figures of other libraries than matplotlib, figures saved by OpenCompass's interpreter, and images that code shows
    have no description.
    """
    from cibench_eval.evaluators.comparing.plots.comparison import (  # numpy, for steps with figures alone
        WRONG,
        describes,
        similarity,
    )

    files = work.figure_files(shown)
    if not files:
        return MetricValue(None, 'no figure')
    golds = [figure.plot for figure in step.figures]
    drawn = [plot for plot in golds if plot and describes(plot)]
    if not drawn or None in golds:
        return same_pixels(files, step, 'no description of the gold')
    plots = [plot for path in files[:MAX_PLOTS] if (plot := read_plot(path))]
    if not plots:
        found = same_pixels(files, step, 'no description of the figure')
        if not WRONG < (found.score or 0.0) < SAME_PIXELS:
            return found
        return MetricValue(WRONG, f'{found.detail}; at most {WRONG}, because it is not the same picture')
    answers = [plot for plot in plots if describes(plot)]
    if not answers:
        return MetricValue(0.0, EMPTY, unread=True)
    return MetricValue(*similarity(drawn, answers, options.tolerance_of(step), step.question))


def same_pixels(files: list[Path], step: Step, why: str) -> MetricValue:
    """SSIM in RGB above the SSIM of a blank canvas, over the best matching of all figures."""
    from cibench_eval.evaluators.comparing.figures import similarity  # Pillow, where pixels decide alone

    shown = [read_at_most(path, LARGEST) for path in files]
    try:
        score, detail = similarity([figure.data for figure in step.figures], shown)
    except ValueError as error:
        raise CibenchError(f'the gold figure cannot be read ({error}); run its notebook again') from error
    return MetricValue(score, '; '.join(filter(None, [f'{PIXELS} ({why})', detail])))


def same_state(work: StepWork, step: Step, options: Options) -> MetricValue:
    """The share of right variables among those that the question names and the gold code makes.

    Not known if the gold's are not described, or the session does not say what its variables held (predictions of
    OpenCompass's own interpreter). A missing variable is wrong, and so are all if the kernel was gone.
    """
    described = (states_of(step.state) if step.state else None) or {}
    names = asked_names(step.question, step.code) if described else []  # sets may have been described by older rules
    names = [name for name in names if name not in step.answers]  # an answer is compared by its own metric
    golds = {name: described[name] for name in names if name in described}
    if not golds or not work.has_states:
        return NOT_KNOWN
    found = work.state or {}
    asked = StateQuestion(asked_in(step), step.code, options.margin_of(step))
    wrong = {name: why for name, gold in golds.items() if (why := difference_of(name, gold, found.get(name), asked))}
    detail = '; '.join(f'{name}: {why}' for name, why in wrong.items())
    return MetricValue(1 - len(wrong) / len(golds), detail[:MOST_WHY])


def same_others(work: StepWork, step: Step, options: Options) -> MetricValue:
    """The share of earlier variables that code left as they were, among those that the step does not let change."""
    if not work.calls:
        return NOT_KNOWN
    bound = bound_names(step.code) if work.kept else set()
    kept = {name: same for name, same in work.kept.items() if name not in bound}
    if not kept:
        return NOT_KNOWN
    changed = [name for name, same in kept.items() if not same]
    return MetricValue(1 - len(changed) / len(kept), f'changed: {", ".join(changed)}' if changed else '')


def said_number(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the last number that the model says, or else its code shows, is the gold's."""
    gold = last_number(step.text or '')
    if gold is None:
        raise CibenchError(f'its gold answer {step.text!r} is no number; correct it')
    texts = chain([work.said], (result.shown or '' for result in work.results))
    said = next((number for text in texts if (number := last_number(text)) is not None), None)
    if said is None:
        return MetricValue(0.0, 'no number is said or shown')
    return MetricValue(float(same_number(said, gold)), f'says {said:g}')


def figure_shown(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if code that ran without error showed a figure with something drawn in it, which a judge has to grade."""
    from cibench_eval.evaluators.comparing.plots.comparison import describes  # numpy, for steps with figures alone

    files = [file for result in work.results for file in work.figure_files(result.figures or [])]
    plots = [read_plot(file) for file in files[:MAX_PLOTS]]
    drawn = any(plot is None or describes(plot) for plot in plots)  # what has no description may show anything
    return MetricValue(float(drawn), EMPTY if files and not drawn else '')


METRICS = (
    Metric('tool_rate', 'Tool', 'the interpreter was called', tool_rate, published=True),
    Metric('executable', 'Exe', 'the last call ran without error', executable, published=True),
    Metric('numeric_correct', 'Num', "the answer has the gold's numbers", PRINTED.values,
           kinds=('num',), correct_from=1.0, published=True),
    Metric('text_score', 'Text', "entries of lists in their places; prose that says the gold's words", PRINTED.texts,
           kinds=('text',), correct_from=0.8, published=True),
    Metric('vis_sim', 'Vis', 'the figures show what the gold shows', same_figures,
           kinds=('vis',), correct_from=0.9, published=True),
    Metric('state_correct', 'State', "variables that hold what the gold's hold, of those that the question names",
           same_state, correct_from=1.0),
    Metric('others_kept', 'Kept',
           'variables of earlier questions that are as they were, of those that the question does not let change',
           same_others),
    Metric('general_correct', 'Gen', "the answer has the gold's values, in notebooks that state no kinds of step",
           PRINTED.values, kinds=('general',), correct_from=1.0),
    Metric('answer_correct', 'Math', "the last number that is said is the gold's", said_number,
           kinds=('math',), correct_from=1.0),
    Metric('figure_shown', 'Fig', 'code that ran showed a figure with something in it, right or wrong', figure_shown,
           kinds=('plot',)),
)  # fmt: skip
"""All metrics in the order of tables; the paper's Table 3 (arXiv 2407.10499) has the first five. `correct_from` of
graded metrics is a convention, on which the metrics themselves do not depend."""


BY_NAME = {metric.name: metric for metric in METRICS}
"""METRICS, then the further metrics of users' own profiles, which `find_profile` adds when it loads one."""
if missing := {*get_args(StepKind)} - {'exec', *(kind for metric in METRICS for kind in metric.kinds or ())}:
    raise TypeError(f'METRICS has no metric for steps of the kinds {sorted(missing)}')


def known_metrics() -> list[Metric]:
    """METRICS, and the further ones of profiles that were loaded, in the order of tables."""
    return [*BY_NAME.values()]


def metric(name: str) -> Metric:
    """The metric of that name; a `KeyError` where there is none."""
    return BY_NAME[name]
