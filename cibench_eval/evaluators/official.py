"""The `official` profile: the numbers of OpenCompass's own `CIBenchEvaluator` (0.5.4), weaknesses included.

Of a step's actions the interpreter's count, the last first. For the output metrics the last one that has a
result counts. Where upstream raises and its broad `except` makes that a 0, here the cause is named in the
score's `detail`; any other exception is a fault of ours and is not caught.

Upstream's rules (`opencompass/datasets/cibench.py`):

- `tool_rate`: the interpreter was called. `executable`: its last call had no error message.
- `numeric_correct`, `general_correct`: the gold output equals the answer or is contained in it; the answer is the
  first execute_result block, else the first stdout block.
- `text_score`: ROUGE-1 F of the first fenced block, whatever it is.
- `vis_sim`: SSIM of the first figure, resized to the gold's size.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from cibench_eval.schema import INTERPRETER, Experiment, Metric, Step, StepScore

EXECUTE_RESULT = re.compile('execute_result:\n\n```\n(.*?)\n```', re.DOTALL)
STDOUT = re.compile('stdout:\n\n```\n(.*?)\n```', re.DOTALL)
FENCED = re.compile('```\n(.*?)\n```', re.DOTALL)
FIGURE = re.compile(r'!\[fig-[0-9]*\]\((.*?)\)', re.DOTALL)

Actions = list[dict[str, Any]]


def score_experiment(steps: list[Actions], experiment: Experiment, figures: Path) -> list[StepScore]:
    """Score a session. Steps that it does not have score like steps without any action.

    Args:
        steps: the actions of each step, as a predictions file has them.
        experiment: the gold.
        figures: folder in which a figure is looked for by its name when its path is gone.
    """
    missing: list[Actions] = [[]] * (len(experiment.steps) - len(steps))
    return [
        score_step(actions, step, experiment.id, figures)
        for actions, step in zip([*steps, *missing], experiment.steps, strict=True)
    ]


def score_step(actions: Actions, step: Step, experiment: str, figures: Path) -> StepScore:
    """Score one step."""
    calls = [action for action in actions if action['type'] == INTERPRETER]
    scored = StepScore(
        experiment=experiment,
        index=step.index,
        kind=step.kind,
        tool_rate=bool(calls),
        executable=bool(calls) and not calls[-1]['errmsg'],
    )
    if step.kind == 'exec':
        return scored
    metric, compare = METRICS[step.kind]
    score, detail = _first_that_counts(calls, step, compare, figures)
    return scored.model_copy(update={'metric': metric, 'score': score, 'detail': detail})


def _first_that_counts(
    calls: Actions, step: Step, compare: Callable[[dict[str, Any], Step, Path], Outcome], figures: Path
) -> tuple[float, str]:
    """The last call with a result that can be compared at all decides; without one the score is 0."""
    reasons = []
    for call in _with_result(calls):
        score, detail = compare(call['result'], step, figures)
        if score is not None:
            return score, detail
        reasons.append(detail)
    return 0.0, reasons[0] if reasons else 'no result'


def _with_result(calls: Actions) -> Iterator[dict[str, Any]]:
    return (call for call in reversed(calls) if call['result'])


Outcome = tuple[float | None, str]
"""A score and why; None where there is nothing to compare, so that an earlier call may count."""


def correct(result: dict[str, Any], step: Step, figures: Path) -> Outcome:
    """1 if the gold output is the answer or is contained in it (`'1'` in `'10'` is), else 0."""
    found = EXECUTE_RESULT.search(result['text']) or STDOUT.search(result['text'])
    if not found:
        return None, 'no output'
    answer = found.group(1).strip()
    return float((step.text or '').strip() in answer), f'answer {answer[:200]!r}'


def text_score(result: dict[str, Any], step: Step, figures: Path) -> Outcome:
    """ROUGE-1 F (Lin 2004) of the first fenced block against the gold output."""
    found = FENCED.search(result['text'])
    if not found:
        return None, 'no output'
    return rouge().score(step.text or '', found.group(1))['rouge1'].fmeasure, f'answer {found.group(1)[:200]!r}'


@functools.cache
def rouge() -> Any:
    """The scorer that upstream gets from its copy of the `rouge` metric: no stemming, its own tokenizer."""
    from rouge_score.rouge_scorer import RougeScorer

    return RougeScorer(['rouge1'], use_stemmer=False)


def vis_sim(result: dict[str, Any], step: Step, figures: Path) -> Outcome:
    """SSIM (Wang et al. 2004) of the first figure against the gold's."""
    found = FIGURE.search(result['image_path'] or '')
    if not found:
        return 0.0, 'no figure'
    path = Path(found.group(1))
    path = path if path.exists() else figures / path.name
    if not path.exists():
        return 0.0, f'figure {path.name} is not there'
    assert step.figure is not None, 'the loader gives every vis step a figure'
    return ssim(path, step.figure.data)


def ssim(predicted: Path, gold: bytes) -> Outcome:
    """`sklearn_ssim` of upstream: images as they are stored, the prediction resized to the gold's size.

    Images of different channel counts and images smaller than SSIM's window are 0, as upstream.
    """
    import numpy as np
    from imageio.v3 import imread
    from PIL import Image
    from skimage.metrics import structural_similarity
    from skimage.transform import resize

    target = imread(gold)
    try:
        image = resize(imread(predicted), target.shape[:2])
        return float(structural_similarity((255 * image).astype(np.uint8), target, channel_axis=-1)), ''
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        return 0.0, f'{type(error).__name__}: {error}'


METRICS: dict[str, tuple[Metric, Callable[[dict[str, Any], Step, Path], Outcome]]] = {
    'num': ('numeric_correct', correct),
    'general': ('general_correct', correct),
    'text': ('text_score', text_score),
    'vis': ('vis_sim', vis_sim),
}
