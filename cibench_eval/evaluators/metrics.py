"""The one list of metrics, and how each is computed: what we hold to be right.

A further metric is one function and one entry of METRICS; tables, files and statistics take it from there. The rules,
their reasons and their limits are in `docs/metrics.md`.

The answer is the last execute_result, else stdout. What the model made and cannot be read is 0, and the detail says
why; a gold output that cannot be read is a `CibenchError`, a figure that is gone a `HarnessError`.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path

from cibench_eval.evaluators.answers import figure_files, quoted
from cibench_eval.evaluators.comparing.held_out import judged
from cibench_eval.evaluators.comparing.last_number import last_number, same_number
from cibench_eval.evaluators.comparing.lists import in_place
from cibench_eval.evaluators.comparing.states import Asked
from cibench_eval.evaluators.comparing.states import difference as difference_of
from cibench_eval.evaluators.comparing.text import likeness
from cibench_eval.evaluators.comparing.values import difference
from cibench_eval.evaluators.engine import NOT_KNOWN, Comparison, Metric, Options, last_shown
from cibench_eval.evaluators.work import StepWork
from cibench_eval.plots import read_plot
from cibench_eval.schema import CibenchError, Step
from cibench_eval.states import asked_names, states_of

MAX_PLOTS = 32
"""Figures of an answer whose descriptions are read."""
MOST_WHY = 500
"""Characters of a detail that says what is wrong with variables."""
PIXELS = 'by pixels'
"""How the detail begins of a step whose pixels decide."""
EMPTY = 'nothing is drawn'
"""Detail of a step whose figures are described, and have nothing in them to be compared."""


def tool_rate(work: StepWork, step: Step, options: Options) -> Comparison:
    """1 if the interpreter was called."""
    return Comparison(float(bool(work.calls)))


def executable(work: StepWork, step: Step, options: Options) -> Comparison:
    """1 if the last call ran without error."""
    calls = work.calls
    return Comparison(float(bool(calls) and not calls[-1].failed))


@last_shown(attrgetter('answers'))
def same_values(found: list[str], step: Step, work: StepWork, options: Options) -> Comparison:
    """1 if the answer has the gold output's values and no others, or predictions that held-out labels bear out."""
    if not found:
        return Comparison(None, 'no result and no stdout')
    if step.held_out:
        said = [judged(step.held_out, answer) for answer in found]
        good, detail = max(said)
        return Comparison(float(good), detail)
    margin = options.margin_of(step)
    problems = [difference(step.text or '', answer, margin, step.question) for answer in found]
    if '' in problems:
        return Comparison(1.0, quoted(found[problems.index('')]))
    return Comparison(0.0, f'{problems[0]}; {quoted(found[0])}')


@last_shown(attrgetter('answers'))
def same_text(found: list[str], step: Step, work: StepWork, options: Options) -> Comparison:
    """Of a list of names the share of entries in their places; of prose ROUGE-L F where all that counts is said."""
    if not found:
        return Comparison(None, 'no result and no stdout')
    gold, margin = step.text or '', options.margin_of(step)
    asked = step.question
    scores = [in_place(gold, one, asked) if step.listed else likeness(gold, one, margin, asked) for one in found]
    best = scores.index(max(scores))
    return Comparison(scores[best], quoted(found[best]))


@last_shown(attrgetter('figures'))
def same_figures(shown: list[str], step: Step, work: StepWork, options: Options) -> Comparison:
    """How far the figures show what the gold's show; where that is not described, how far the pixels are the same.

    Not described are figures of other libraries than matplotlib, those that OpenCompass's own interpreter has saved,
    and what code shows as an image. The detail says where pixels decide.
    """
    from cibench_eval.evaluators.comparing.plots.comparison import (  # numpy, for steps with figures alone
        describes,
        similarity,
    )

    files = figure_files(shown, work.figures)
    if not files:
        return Comparison(0.0, 'no figure')
    golds = [figure.plot for figure in step.figures]
    drawn = [plot for plot in golds if plot and describes(plot)]
    if not drawn or None in golds:
        return same_pixels(files, step, 'no description of the gold')
    plots = [plot for path in files[:MAX_PLOTS] if (plot := read_plot(path))]
    if not plots:
        return same_pixels(files, step, 'no description of the figure')
    answers = [plot for plot in plots if describes(plot)]
    if not answers:
        return Comparison(0.0, EMPTY)
    return Comparison(*similarity(drawn, answers, options.tolerance_of(step), step.question))


def same_pixels(files: list[Path], step: Step, why: str) -> Comparison:
    """SSIM in RGB above that of a blank canvas, over the best matching of all figures."""
    from cibench_eval.evaluators.comparing.figures import similarity  # Pillow, where pixels decide alone

    try:
        score, detail = similarity([figure.data for figure in step.figures], [path.read_bytes() for path in files])
    except ValueError as error:
        raise CibenchError(f'the gold figure cannot be read ({error}); run its notebook again') from error
    return Comparison(score, '; '.join(filter(None, [f'{PIXELS} ({why})', detail])))


def same_state(work: StepWork, step: Step, options: Options) -> Comparison:
    """The share of the variables that are right, of those that the question names and the gold code makes.

    Not known where the gold's are not, and in sessions that do not say what their variables held (predictions of
    OpenCompass's own interpreter). A variable that is not there is wrong, and so is each where the kernel was gone.
    """
    described = (states_of(step.state) if step.state else None) or {}
    names = asked_names(step.question, step.code) if described else []  # sets may have been described by older rules
    golds = {name: described[name] for name in names if name in described}
    if not golds or not work.has_states:
        return NOT_KNOWN
    found = work.state or {}
    asked = Asked(step.question, step.code, options.margin_of(step))
    wrong = {name: why for name, gold in golds.items() if (why := difference_of(name, gold, found.get(name), asked))}
    detail = '; '.join(f'{name}: {why}' for name, why in wrong.items())
    return Comparison(1 - len(wrong) / len(golds), detail[:MOST_WHY])


def said_number(work: StepWork, step: Step, options: Options) -> Comparison:
    """1 if the last number that the model says is the gold's; where it says none, the last one that its code shows."""
    gold = last_number(step.text or '')
    if gold is None:
        raise CibenchError(f'its gold answer {step.text!r} is no number; correct it')
    for text in _last_words(work):
        said = last_number(text)
        if said is not None:
            return Comparison(float(same_number(said, gold)), f'says {said:g}')
    return Comparison(0.0, 'no number is said or shown')


def _last_words(work: StepWork) -> Iterator[str]:
    """What the model said behind its last call, then what its calls showed, the last one first."""
    yield work.said
    for result in work.results:
        yield result.text or ''


def figure_shown(work: StepWork, step: Step, options: Options) -> Comparison:
    """1 if code that ran without error showed a figure. Whether it is right, a judge has to say."""
    return Comparison(float(any(result.figures for result in work.results)))


METRICS = (
    Metric('tool_rate', 'Tool', 'the interpreter was called', tool_rate, published=True),
    Metric('executable', 'Exe', 'the last call ran without error', executable, published=True),
    Metric(
        'numeric_correct',
        'Num',
        "the answer has the gold's numbers",
        same_values,
        kinds=('num',),
        correct_from=1.0,
        published=True,
        averaged=True,
    ),
    Metric(
        'text_score',
        'Text',
        "ROUGE of the answer against the gold's text",
        same_text,
        kinds=('text',),
        correct_from=0.8,
        published=True,
        averaged=True,
    ),
    Metric(
        'vis_sim',
        'Vis',
        'the figures show what the gold shows',
        same_figures,
        kinds=('vis',),
        correct_from=0.9,
        published=True,
        averaged=True,
    ),
    Metric(
        'state_correct',
        'State',
        "variables that hold what the gold's hold, of those that the question names",
        same_state,
        correct_from=1.0,
    ),
    Metric(
        'general_correct',
        'Gen',
        "the answer has the gold's values, in notebooks that state no kinds of step",
        same_values,
        kinds=('general',),
        correct_from=1.0,
    ),
    Metric(
        'answer_correct',
        'Math',
        "the last number that is said is the gold's",
        said_number,
        kinds=('math',),
        correct_from=1.0,
    ),
    Metric(
        'figure_shown',
        'Fig',
        'code that ran showed a figure, right or wrong',
        figure_shown,
        kinds=('plot',),
        correct_from=1.0,
    ),
)
"""In the order of tables: those of the paper's Table 3 (arXiv 2407.10499) first. For the graded ones, from which score
a step counts as correct is a convention, on which the metrics themselves do not depend."""


def metric(name: str) -> Metric:
    """The metric of that name."""
    return next(metric for metric in METRICS if metric.name == name)
