"""The `official` profile: the numbers of OpenCompass's own `CIBenchEvaluator` (0.5.4), weaknesses included.

The gold is what upstream's loader reads off the cell (`Step.as_upstream`): of a `num` or `text` step that also shows a
figure it is the figure; without stated kinds, a figure that is a result and blank stdout are `general` texts. Text
that is displayed is no output there: where the gold shows nothing else, the step is `exec`.

Upstream's rules (`opencompass/datasets/cibench.py`) stand at the metrics below and in `docs/metrics.md`. Of outputs the
last call with a result decides; of texts, one that shows no block at all leaves it to the call before. What cannot be
scored (a broken PNG, text that is not Unicode) is 0 as upstream, where a broad `except` makes it so; the score's detail
says why. Ours differs on purpose only where upstream's number says nothing of the model:

- steps that a session does not have score 0; upstream leaves them out of the mean;
- more steps than the gold has, a gold without output, an action without its fields: `CibenchError`; upstream
  leaves steps out, scores 0, crashes;
- a figure that is gone is looked for in the figures folder by its name and is a `HarnessError` if it is not
  there either; upstream scores 0. A path that no file can have is 0. A path with a parenthesis in it is read whole;
  upstream cuts it there;
- a stated `vis` step whose figure is a result: upstream takes the result's text for a figure, and every answer is 0.
"""

import io
import re
from collections import Counter
from dataclasses import replace
from operator import attrgetter
from pathlib import Path
from typing import Any

from cibench_eval.evaluators.comparing.figures import WINDOW
from cibench_eval.evaluators.engine import MetricValue, Options, Profile, last_shown
from cibench_eval.evaluators.metrics import metric
from cibench_eval.evaluators.work import LARGEST, StepWork, names_file, quoted
from cibench_eval.files import read_at_most
from cibench_eval.images import DAMAGE, FORMATS, opened, reason
from cibench_eval.png import MOST_PIXELS
from cibench_eval.schema import CibenchError, Step, unicode_text

EXECUTE_RESULT = re.compile('execute_result:\n\n```\n(.*?)\n```', re.DOTALL)
STDOUT = re.compile('stdout:\n\n```\n(.*?)\n```', re.DOTALL)
FENCED = re.compile('```\n(.*?)\n```', re.DOTALL)
WORD = re.compile('[a-z0-9]+')


@last_shown('text')
def contains(shown: str, step: Step, work: StepWork, options: Options) -> MetricValue:
    """1 if the gold output is in the answer (`1` in `10` is): the first execute_result, else the first stdout."""
    found = EXECUTE_RESULT.search(shown) or STDOUT.search(shown)
    if not found:
        return MetricValue(None, 'no result and no stdout')
    answer = found.group(1).strip()
    return MetricValue(float((step.text or '').strip() in answer), quoted(answer))


@last_shown('text')
def rouge_1(shown: str, step: Step, work: StepWork, options: Options) -> MetricValue:
    """ROUGE-1 F (Lin 2004) of the first fenced block, whatever it is, against the gold output."""
    found = FENCED.search(shown)
    if not found:
        return MetricValue(None, 'no output')
    answer = found.group(1)
    if unicode_text(answer) != answer:  # lone surrogates, which upstream's metric cannot take
        return MetricValue(0.0, 'the output is not Unicode text')
    return MetricValue(f_of_words(step.text or '', answer), quoted(answer))


def f_of_words(gold: str, answer: str) -> float:
    """What upstream's `RougeEvaluator` gives: words of a-z and 0-9 only, lower case, no stemming.

    Upstream takes the mean of a bootstrap over the one score, which is that score. Its package, `rouge_score`, imports
    all of nltk, for which every process that scores would wait.
    """
    golds, answers = (Counter(WORD.findall(text.lower())) for text in (gold, answer))
    common = (golds & answers).total()
    if not common:
        return 0.0
    precision, recall = common / answers.total(), common / golds.total()
    return 2 * precision * recall / (precision + recall)


@last_shown('figures')
def first_figure(found: list[str], step: Step, work: StepWork, options: Options) -> MetricValue:
    """SSIM (Wang et al. 2004) of the first figure against the gold's."""
    if not found:
        return MetricValue(0.0, 'no figure')
    if not names_file(found[0]):
        return MetricValue(0.0, 'no file can have the name of the figure')
    gold = step.figure.data if step.figure else b''
    return MetricValue(*ssim(work.locate(Path(found[0])), gold))


def ssim(predicted: Path, gold: bytes) -> tuple[float, str]:
    """`sklearn_ssim` of upstream: images as they are stored, the prediction resized to the gold's size.

    0 where upstream's call raises: unreadable images, animations, different channels, a gold below SSIM's window.
    The way through floats and back lowers some pixels by 1 of 255, so the same picture gets 0.9999 or so.
    """
    import numpy as np
    from skimage.metrics import structural_similarity
    from skimage.transform import resize

    target, problem = _read(gold)
    if target is None:
        raise CibenchError(f'the gold figure cannot be read ({problem}); run its notebook again')
    image, problem = _read(read_at_most(predicted, LARGEST))
    if image is None:
        return 0.0, f'the figure cannot be read ({problem})'
    if image.ndim not in (2, 3) or image.shape[2:] != target.shape[2:]:
        return 0.0, f'the figure has the shape {image.shape}, the gold {target.shape}'
    if min(target.shape[:-1]) < WINDOW:
        return 0.0, f'the gold, {target.shape}, is below the window of {WINDOW} pixels'
    resized = (255 * resize(image, target.shape[:2])).astype(np.uint8)
    return float(structural_similarity(resized, target, channel_axis=-1)), ''


def _read(data: bytes) -> tuple[Any, str]:
    """An image as the array that `skimage.io.imread` gives, or None and why it cannot be read.

    No reader but Pillow gets to see what model code made: upstream goes on to whatever else is installed. Upstream's
    interpreter writes PNGs only, whatever it was shown. All frames of an animation count as its pixels, because they
    are all decoded.
    """
    import numpy as np
    from imageio.v3 import imread
    from PIL.Image import DecompressionBombError

    try:
        opening, problem = opened(data)
        if opening is None:
            return None, problem
        frames = getattr(opening, 'n_frames', 1)
        if opening.format not in FORMATS or opening.width * opening.height * frames > MOST_PIXELS:
            return None, f'an animation of {frames} frames'
        image = imread(io.BytesIO(data), plugin='pillow')
    except (*DAMAGE, DecompressionBombError) as error:
        return None, reason(error)
    channels_first = image.ndim > 2 and image.shape[-1] not in (3, 4) and image.shape[-3] in (3, 4)
    return np.moveaxis(image, -3, -1) if channels_first else image, ''


FIGURE_CORRECT = 0.95
"""The score from which a figure counts as correct here, where a blank one gets up to 0.9."""
PROFILE = Profile(
    'official',
    (
        metric('tool_rate'),
        metric('executable'),
        replace(metric('numeric_correct'), score=contains),
        replace(metric('text_score'), score=rouge_1),
        replace(metric('vis_sim'), score=first_figure, correct_from=FIGURE_CORRECT),
        replace(metric('general_correct'), score=contains),
    ),
    given_ran=False,
    modules=('imageio', 'skimage'),
    gold_of=attrgetter('as_upstream'),
)
