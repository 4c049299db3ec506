"""The one list of metrics, and how each is computed: what we hold to be right.

A further metric is one function and one entry of METRICS; tables, files and statistics take it from there. The rules,
their reasons and their limits are in `docs/metrics.md`.

The answer is the last execute_result, else stdout and displays of text. Unreadable output of the model scores 0, and
the detail says why; an unreadable gold output is a `CibenchError`, a figure that is gone a `HarnessError`.
"""

from itertools import chain
from pathlib import Path
from typing import get_args

from cibench_eval.datasets.appended import asked_in
from cibench_eval.evaluators.answers import LARGEST, figure_files
from cibench_eval.evaluators.comparing.last_number import last_number, same_number
from cibench_eval.evaluators.comparing.printed.compare import difference
from cibench_eval.evaluators.comparing.printed.lists import in_place
from cibench_eval.evaluators.comparing.states import StateQuestion
from cibench_eval.evaluators.comparing.states import difference as difference_of
from cibench_eval.evaluators.engine import NOT_KNOWN, Metric, MetricValue, Options, last_shown
from cibench_eval.evaluators.printed import PrintedRules
from cibench_eval.evaluators.work import StepWork
from cibench_eval.files import read_at_most
from cibench_eval.plots import read_plot
from cibench_eval.schema import CibenchError, Step, StepKind
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


def tool_rate(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the interpreter was called."""
    return MetricValue(float(bool(work.calls)))


def executable(work: StepWork, step: Step, options: Options) -> MetricValue:
    """1 if the last call ran without error."""
    return MetricValue(float(bool(work.calls) and not work.calls[-1].failed))


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

    files = figure_files(shown, work)
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

    files = [file for result in work.results for file in figure_files(result.figures or [], work)]
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
