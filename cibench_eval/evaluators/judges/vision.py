"""Judges of figures. Figures are shown at most 1,024 pixels wide and high, on white.

- `VisionJudge`: 1 to 10 points: by the paper's rubric (arXiv 2407.10499, Appendix D) in its own words, or in ours,
  which also can show the gold figure. Points are worth a tenth each, as in OpenCompass's `vl_model_score`: the worst
  figure has 0.1, a step without a figure 0.
- `QwenVisionJudge`: right or wrong, as in Qwen-Agent's Code Interpreter Benchmark (version 20231206), with the figures
  of all calls, but by a rubric of ours and with the code, which that does not show. Theirs looks for `right` anywhere
  in the reply, which `not right` has, too.
"""

from collections.abc import Sequence
from typing import Literal

from cibench_eval.evaluators.judges.base import Judge, JudgedStep, own_prompts, published_prompt, quoted, text_part
from cibench_eval.evaluators.judges.verdicts import points, right
from cibench_eval.images import image_part, presentable
from cibench_eval.models.base import ChatModel
from cibench_eval.schema import CibenchError, Part

SIDE = 1024
"""Most pixels of a figure's longer side."""
MAX_FIGURES = 4
"""Most figures of a call that are shown: the first ones."""
MAX_OF_ALL = 16
"""Most figures of all calls of a step that are shown: the last ones."""


class VisionJudge(Judge):
    """1 to 10 points for a figure.

    Args:
        rubric: `paper`: the published prompt, taken from the installed OpenCompass, with the first figure of the step,
            as upstream. `own`: our words, with all its figures.
        reference: for `own`: show the gold figure first.
        both_orders: with `reference`: ask a second time with the gold figure last, and take the mean, because judges
            favour a place (Zheng et al. 2023, arXiv 2306.05685, section 3.3).
    """

    metric = 'vis'
    form = 'form_of_points'
    scale = staticmethod(points)

    def __init__(
        self,
        model: ChatModel,
        rubric: Literal['paper', 'own'] = 'paper',
        reference: bool = False,
        both_orders: bool = False,
        retries: int = 2,
    ) -> None:
        super().__init__(model, retries)
        if rubric not in ('paper', 'own') or (reference and rubric == 'paper') or (both_orders and not reference):
            raise CibenchError("judge: rubric is 'paper' or 'own'; reference needs 'own', both_orders needs reference")
        self.rubric = rubric
        self.reference = reference
        self.both_orders = both_orders

    def check(self) -> None:
        super().check()
        if self.rubric == 'paper':
            published_prompt('en')

    def questions(self, step: JudgedStep) -> list[list[Part]]:
        figures = presentable_figures(step.figures[:MAX_FIGURES])
        if not figures:
            return []
        if self.rubric == 'paper':
            prompt = published_prompt(step.language).replace('{question}', step.question)
            return [[text_part(prompt), image_part(figures[0])]]
        prompts = own_prompts(step.language)
        answer: list[Part] = [text_part(prompts['figure']), *map(image_part, figures)]
        orders = [answer]
        if self.reference:
            gold: list[Part] = [text_part(prompts['gold_figure']), *map(image_part, gold_figures(step))]
            orders = [[*gold, *answer], [*answer, *gold]][: 1 + self.both_orders]
        prompt = prompts['points'].format(question=step.question)
        return [[text_part(prompt), *order, text_part(prompts[self.form])] for order in orders]


class QwenVisionJudge(Judge):
    """Right or wrong for a figure, given the question and the code that drew it."""

    metric = 'qwen'
    kinds = ('vis', 'plot')
    scale = staticmethod(right)

    def questions(self, step: JudgedStep) -> list[list[Part]]:
        last = step.figures[-MAX_OF_ALL:] if step.kind == 'plot' else step.figures[:MAX_FIGURES]
        figures = presentable_figures(last)
        if not figures:
            return []
        prompts = own_prompts(step.language)
        prompt = prompts['right_figure'].format(question=step.question, code=quoted(step.code))
        shown: list[Part] = [text_part(prompts['figure']), *map(image_part, figures)]
        return [[text_part(prompt), *shown, text_part(prompts[self.form])]]


def gold_figures(step: JudgedStep) -> list[bytes]:
    gold = presentable_figures(step.gold_figures[:MAX_FIGURES])
    if not gold:
        raise CibenchError(f'{step.experiment}, step {step.index + 1}: the gold has no figure; run its notebook')
    return gold


def presentable_figures(figures: Sequence[bytes]) -> list[bytes]:
    """The readable ones of figures, as they are shown."""
    return [png for figure in figures if (png := presentable(figure, SIDE))]
