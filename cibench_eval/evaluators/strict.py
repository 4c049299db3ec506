"""The `strict` profile: what we hold to be right. `docs/metrics.md` has the rules, their reasons and their limits.

It reads what the `official` profile reads (a predictions file's actions, the gold, the figures), so that it scores
the files of OpenCompass's own harness as well; the last call of the interpreter with a result decides here, too.

- `numeric_correct`, `general_correct`: 1 where the values of the gold output are those of the answer (`tables.py`).
- `text_score`: ROUGE-L F over words, Chinese characters and values (`text.py`).
- `vis_sim`: SSIM in RGB above that of a blank canvas, over the best matching of all figures (`figures.py`).
- `vis_objects`, beside it: what the plots show, series by series, where that is known (`plot_objects.py`).

The answer is the last execute_result, else stdout. What the model made and cannot be read is 0, and the score's
`detail` says why; a gold output that cannot be read is a `CibenchError`, a figure that is gone a `HarnessError`.
"""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from cibench_eval.evaluators.comparing.numbers import TOLERANCE
from cibench_eval.evaluators.comparing.tables import difference
from cibench_eval.evaluators.comparing.text import rouge_l
from cibench_eval.evaluators.official import FIGURE, WHOLE_FIGURE, Actions, Outcome, Rule, locate, pairs, quoted
from cibench_eval.evaluators.official import score_step as score_step_by
from cibench_eval.schema import INTERPRETER, CibenchError, Experiment, Figure, Plot, Step, StepScore

TITLE = '(stdout|stderr|execute_result|display_data|error):\n\n```\n'
IMAGES = r'(?:\n\n!\[fig-[0-9]*\]\([^\n]*\))*'
FIRST = re.compile(rf'(?:^|\n){TITLE}')
NEXT = re.compile(rf'\n```{IMAGES}\n\n{TITLE}')
LAST = re.compile(rf'\n```{IMAGES}\s*\Z')
"""Where the first block of a result begins, the next one, and where the last one ends."""
MOST_PLOTS = 32
"""Figures of an answer whose descriptions are read."""
UNDESCRIBED = 'no description of the figure'
"""Detail of a step whose plot cannot be compared although the gold's is described."""
EMPTY = 'nothing is drawn'
"""Detail of a step whose figures are described, and have nothing in them to be compared."""


def score_experiment(
    steps: list[Actions], experiment: Experiment, figures: Path, tolerance: float = TOLERANCE
) -> list[StepScore]:
    """Score a session. Steps that it does not have score like steps without any action.

    Args:
        steps: the actions of each step, as a predictions file has them.
        experiment: the gold.
        figures: folder in which a figure is looked for by its name when its path is gone.
        tolerance: relative, of floating-point numbers; a step's own goes before it.

    Raises:
        CibenchError: the session is not one of this experiment, an action lacks a field, a gold output is unreadable.
        HarnessError: a figure is gone.
    """
    return [score_step(actions, step, experiment.id, figures, tolerance) for actions, step in pairs(steps, experiment)]


def score_step(actions: Actions, step: Step, experiment: str, figures: Path, tolerance: float = TOLERANCE) -> StepScore:
    """Score one step; see `score_experiment`."""
    within = tolerance if step.tolerance is None else step.tolerance
    scored = score_step_by(actions, step, experiment, figures, rules(step, within))
    golds = [plot for figure in (step.figure, *step.more_figures) if figure and (plot := figure.plot)]
    if step.kind != 'vis' or not golds:
        return scored
    score, detail = vis_objects(actions, golds, figures, within)
    return scored.model_copy(update={'vis_objects': score, 'vis_objects_detail': detail})


def rules(step: Step, tolerance: float) -> dict[str, Rule]:
    """Kind of step -> how it is scored."""
    return {
        'num': Rule('numeric_correct', 'text', partial(correct, tolerance=tolerance)),
        'general': Rule('general_correct', 'text', partial(correct, tolerance=tolerance)),
        'text': Rule('text_score', 'text', partial(text_score, tolerance=tolerance)),
        'vis': Rule('vis_sim', 'image_path', partial(vis_sim, more=step.more_figures)),
    }


def correct(shown: str, gold: str, figures: Path, tolerance: float) -> Outcome:
    """1 if the answer has the gold output's values and no others, else 0."""
    found = answers(shown)
    if not found:
        return None, 'no result and no stdout'
    problems = [difference(gold, answer, tolerance) for answer in found]
    score = float('' in problems)
    return score, quoted(found[problems.index('')]) if score else f'{problems[0]}; {quoted(found[0])}'


def text_score(shown: str, gold: str, figures: Path, tolerance: float) -> Outcome:
    """ROUGE-L F of the answer against the gold output."""
    found = answers(shown)
    if not found:
        return None, 'no result and no stdout'
    score, answer = max(((rouge_l(gold, answer, tolerance), answer) for answer in found), key=lambda pair: pair[0])
    return score, quoted(answer)


def vis_sim(shown: str, gold: bytes, figures: Path, more: list[Figure]) -> Outcome:
    """Similarity of all figures of the answer to all of the gold."""
    from cibench_eval.evaluators.comparing.figures import (
        similarity,  # numpy and Pillow, which runs without figures go without
    )

    found = [path.read_bytes() for path in files_of(shown, figures)]
    if not found:
        return 0.0, 'no figure'
    try:
        return similarity([gold, *(figure.data for figure in more)], found)
    except ValueError as error:
        raise CibenchError(f'the gold figure cannot be read ({error}); run its notebook again') from error


def vis_objects(actions: Actions, golds: list[Plot], figures: Path, tolerance: float) -> Outcome:
    """How far the plots of the call that decides show what the gold's show.

    None where nothing is drawn in the gold's, and where the answer has figures and none of them is described: those of
    other libraries than matplotlib, and all that OpenCompass's own interpreter has saved. A description that cannot
    be read is none.
    """
    from cibench_eval.evaluators.comparing.plots import describes, read_plot, similarity

    golds = [plot for plot in golds if describes(plot)]
    if not golds:
        return None, ''
    results = [action['result'] for action in actions if action['type'] == INTERPRETER and action['result']]
    shown = results[-1].get('image_path') if results and isinstance(results[-1], dict) else None
    files = files_of(shown, figures) if isinstance(shown, str) else []
    if not files:
        return 0.0, 'no figure'
    plots = [plot for path in files[:MOST_PLOTS] if (plot := read_plot(path))]
    drawn = [plot for plot in plots if describes(plot)]
    if not drawn:
        return (0.0, EMPTY) if plots else (None, UNDESCRIBED)
    return similarity(golds, drawn, tolerance)


def files_of(shown: str, figures: Path) -> list[Path]:
    """The files of the figures that a result names, each once."""
    names = dict.fromkeys(WHOLE_FIGURE.findall(shown) or FIGURE.findall(shown))
    return [locate(Path(name), figures) for name in names]


def answers(shown: str) -> list[str]:
    """What of a result may be the answer: the last execute_result, else stdout, else nothing.

    Something on stderr in between cuts stdout in two. Of a gold cell the notebook then gives the last part, so both
    that and the whole are tried.
    """
    texts = blocks(shown)
    if results := [text for title, text in texts if title == 'execute_result']:
        return results[-1:]
    printed = [text for title, text in texts if title == 'stdout']
    return list(dict.fromkeys([''.join(printed), printed[-1]])) if printed else []


def blocks(shown: str) -> list[tuple[str, str]]:
    """The (title, text) of each output in a rendered result: `rendering.render`, backwards.

    Text may have back-ticks and titles in it. Only an output that has in it what stands between two blocks is cut
    there, into text that renders the same. A last block without its end (OpenCompass's interpreter takes the middle
    out of what is long) goes to the end.
    """
    start = FIRST.search(shown)
    if not start:
        return []
    end = LAST.search(shown, start.end() - 1)
    body = shown[start.end() : max(start.end(), end.start() if end else len(shown))]
    first, *others = NEXT.split(body)
    return list(zip([start[1], *others[::2]], [first, *others[1::2]], strict=True))
