"""The `official` profile: the numbers of OpenCompass's own `CIBenchEvaluator` (0.5.4), weaknesses included.

Upstream's rules (`opencompass/datasets/cibench.py`), of a step's calls of the interpreter:

- `tool_rate`: there is one. `executable`: the last one has no error message.
- `numeric_correct`, `general_correct`: the gold output equals the answer or is contained in it (`'1'` in `'10'` is);
  the answer is the first execute_result block, else the first stdout block.
- `text_score`: ROUGE-1 F of the first fenced block, whatever it is (a warning on stderr is one).
- `vis_sim`: SSIM of the first figure, resized to the gold's size; 0 where the two differ in channels.

For the output metrics the last call with a result decides; one that shows no block at all leaves it to the
call before. Model output that cannot be scored (a broken PNG, text that is not Unicode) is 0 as upstream, where
a broad `except` makes it so; `StepScore.detail` says why. Ours differs on purpose only where upstream's number
says nothing of the model:

- steps that a session does not have score 0; upstream leaves them out of the mean;
- more steps than the gold has, a gold without output, an action without its fields: `CibenchError`; upstream
  leaves steps out, scores 0, crashes;
- a figure that is gone is looked for in the figures folder by its name and is a `HarnessError` if it is not
  there either; upstream scores 0. A path with a parenthesis in it is read whole; upstream cuts it there.
"""

from __future__ import annotations

import functools
import io
import re
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.schema import (
    INTERPRETER,
    CibenchError,
    Experiment,
    HarnessError,
    Metric,
    Step,
    StepScore,
    unicode_text,
)

Actions = list[dict[str, Any]]
Outcome = tuple[float | None, str]
"""A score and why; None where there is nothing to compare, so that an earlier call may count."""

EXECUTE_RESULT = re.compile('execute_result:\n\n```\n(.*?)\n```', re.DOTALL)
STDOUT = re.compile('stdout:\n\n```\n(.*?)\n```', re.DOTALL)
FENCED = re.compile('```\n(.*?)\n```', re.DOTALL)
FIGURE = re.compile(r'!\[fig-[0-9]*\]\((.*?)\)', re.DOTALL)
WHOLE_FIGURE = re.compile(r'!\[fig-[0-9]*\]\(([^\n]*?)\)(?=\n|\Z)')

DAMAGE = (OSError, SyntaxError, ValueError, AttributeError, IndexError, struct.error, zlib.error)
"""What Pillow raises on damaged images (found by mutating some thousands)."""
WINDOW = 7
"""Side of the window that SSIM slides over an image, in pixels."""


def score_experiment(steps: list[Actions], experiment: Experiment, figures: Path) -> list[StepScore]:
    """Score a session. Steps that it does not have score like steps without any action.

    Args:
        steps: the actions of each step, as a predictions file has them.
        experiment: the gold.
        figures: folder in which a figure is looked for by its name when its path is gone.

    Raises:
        CibenchError: the session is not one of this experiment, or an action lacks a field.
        HarnessError: a figure is gone.
    """
    return [score_step(actions, step, experiment.id, figures) for actions, step in pairs(steps, experiment)]


def pairs(steps: list[Actions], experiment: Experiment) -> list[tuple[Actions, Step]]:
    """What a session did in each step of the gold, and the step: nothing where it does not have it.

    Raises:
        CibenchError: the session has more steps.
    """
    missing = len(experiment.steps) - len(steps)
    if missing < 0:
        raise CibenchError(
            f'{experiment.id}: {len(steps)} steps in the session, {len(experiment.steps)} in the notebook; '
            'score it with the notebooks that it was run with'
        )
    return list(zip([*steps, *([] for _ in range(missing))], experiment.steps, strict=True))


def score_step(
    actions: Actions, step: Step, experiment: str, figures: Path, rules: dict[str, Rule] | None = None
) -> StepScore:
    """Score one step; see `score_experiment`. Other profiles have other `rules`."""
    try:
        calls = _calls(actions)
        scored = StepScore(
            experiment=experiment,
            index=step.index,
            kind=step.kind,
            tool_rate=bool(calls),
            executable=bool(calls) and not calls[-1]['errmsg'],
        )
        if step.kind == 'exec':
            return scored
        rule = (rules or RULES)[step.kind]
        score, detail = _decide(calls, rule, _gold(step), figures)
    except CibenchError as error:
        raise type(error)(f'{experiment}, step {step.index + 1}: {error}') from error
    return scored.model_copy(update={'metric': rule.metric, 'score': score, 'detail': detail})


def _calls(actions: Actions) -> Actions:
    """The calls of the interpreter."""
    for action in actions:
        lacking = [field for field in ('type', 'result', 'errmsg') if field not in action]
        if lacking:
            raise CibenchError(f'an action without {", ".join(lacking)}; this is no predictions file')
    return [action for action in actions if action['type'] == INTERPRETER]


def _gold(step: Step) -> Any:
    """The gold output: text, or the PNG of a `vis` step."""
    gold = (step.figure and step.figure.data) if step.kind == 'vis' else step.text
    if gold in (None, b''):
        raise CibenchError(f'a {step.kind!r} step without gold output; run its notebook')
    return gold


def _decide(calls: Actions, rule: Rule, gold: Any, figures: Path) -> tuple[float, str]:
    """The last call with a result that can be compared at all decides; without one the score is 0."""
    reasons = [] if calls else ['the interpreter was not called']
    for result in (call['result'] for call in reversed(calls) if call['result']):
        shown = result.get(rule.reads) if isinstance(result, dict) else None
        if not isinstance(shown, str):
            return 0.0, f'the result has no {rule.reads}'
        score, detail = rule.compare(shown, gold, figures)
        if score is not None:
            return score, detail
        reasons.append(detail)
    return 0.0, reasons[0] if reasons else 'no code ran without error'


def correct(shown: str, gold: str, figures: Path) -> Outcome:
    """1 if the gold output is the answer or is contained in it, else 0."""
    found = EXECUTE_RESULT.search(shown) or STDOUT.search(shown)
    if not found:
        return None, 'no result and no stdout'
    answer = found.group(1).strip()
    return float(gold.strip() in answer), quoted(answer)


def text_score(shown: str, gold: str, figures: Path) -> Outcome:
    """ROUGE-1 F (Lin 2004) of the first fenced block against the gold output."""
    found = FENCED.search(shown)
    if not found:
        return None, 'no output'
    answer = found.group(1)
    if unicode_text(answer) != answer:  # lone surrogates, which upstream's metric cannot take
        return 0.0, 'the output is not Unicode text'
    return float(rouge().score(gold, answer)['rouge1'].fmeasure), quoted(answer)


@functools.cache
def rouge() -> Any:
    """The scorer in upstream's `RougeEvaluator`: words of a-z and 0-9 only, lower case, no stemming.

    Upstream takes the mean of a bootstrap over the one score, which is that score.
    """
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(['rouge1'], use_stemmer=False)


def vis_sim(shown: str, gold: bytes, figures: Path) -> Outcome:
    """SSIM (Wang et al. 2004) of the first figure against the gold's."""
    found = WHOLE_FIGURE.search(shown) or FIGURE.search(shown)
    if not found:
        return 0.0, 'no figure'
    return ssim(locate(Path(found.group(1)), figures), gold)


def locate(path: Path, figures: Path) -> Path:
    """The figure's file, in the figures folder where its own path is gone."""
    for place in (path, figures / path.name):
        if place.is_file():
            return place
    raise HarnessError(f'figure {path} is gone, and {figures} has no {path.name}; put the run folder together again')


def ssim(predicted: Path, gold: bytes) -> tuple[float, str]:
    """`sklearn_ssim` of upstream: images as they are stored, the prediction resized to the gold's size.

    0 where upstream's call raises: unreadable images, animations, different channels, a gold below SSIM's window.
    The way through floats and back lowers some pixels by 1 of 255, so the same picture gets 0.9999 or so.
    """
    import numpy as np
    from skimage.metrics import structural_similarity
    from skimage.transform import resize

    target, problem = _read(io.BytesIO(gold))
    if target is None:
        raise CibenchError(f'the gold figure cannot be read ({problem}); run its notebook again')
    image, problem = _read(predicted)
    if image is None:
        return 0.0, f'the figure cannot be read ({problem})'
    if image.ndim not in (2, 3) or image.shape[2:] != target.shape[2:]:
        return 0.0, f'the figure has the shape {image.shape}, the gold {target.shape}'
    if min(target.shape[:-1]) < WINDOW:
        return 0.0, f'the gold, {target.shape}, is below the window of {WINDOW} pixels'
    resized = (255 * resize(image, target.shape[:2])).astype(np.uint8)
    return float(structural_similarity(resized, target, channel_axis=-1)), ''


def _read(source: Path | io.BytesIO) -> tuple[Any, str]:
    """An image as the array that `skimage.io.imread` gives, or None and why it cannot be read.

    No reader but Pillow gets to see what model code made: upstream goes on to whatever else is installed.
    """
    import numpy as np
    from imageio.v3 import imread
    from PIL.Image import DecompressionBombError

    try:
        image = imread(source, plugin='pillow')
    except (*DAMAGE, DecompressionBombError) as error:
        return None, f'{type(error).__name__}: {error}'.splitlines()[0]
    channels_first = image.ndim > 2 and image.shape[-1] not in (3, 4) and image.shape[-3] in (3, 4)
    return np.moveaxis(image, -3, -1) if channels_first else image, ''


def quoted(text: str) -> str:
    return f'answer {text[:200]!r}'


@dataclass(frozen=True)
class Rule:
    """How the output of one kind of step is scored."""

    metric: Metric
    reads: str
    """What of an action's result counts: `text` or `image_path`."""
    compare: Callable[[str, Any, Path], Outcome]


RULES: dict[str, Rule] = {
    'num': Rule('numeric_correct', 'text', correct),
    'general': Rule('general_correct', 'text', correct),
    'text': Rule('text_score', 'text', text_score),
    'vis': Rule('vis_sim', 'image_path', vis_sim),
}
