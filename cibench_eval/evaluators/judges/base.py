"""Judges: a model that says what a figure or an answer is worth, where no formula does.

- `VisionJudge`: 1 to 10 points for a figure: by the paper's rubric (arXiv 2407.10499, Appendix D) in its own words, or
  in ours, which also can show the gold figure. Points are worth a tenth each, as in OpenCompass's `vl_model_score`:
  the worst figure has 0.1, a step without a figure 0.
- `QwenVisionJudge`: right or wrong, the question of Qwen-Agent's Code Interpreter Benchmark (version 20231206), in
  our own words. Theirs looks for `right` anywhere in the reply, which `not right` has, too.
- `TextJudge`: right or wrong for a text answer, against the gold's.

A verdict is read from the last line of the reply or not at all (`read_verdict`); a reply without one is asked for
again, and a step that gets none has no score. Figures are shown at most 1,024 pixels wide and high, on white. Answers
and code stand between marks that they cannot forge; words inside a figure cannot be kept from being read, only be
called what they are, and the paper's prompt does not even do that.
"""

from __future__ import annotations

import ast
import base64
import functools
import hashlib
import importlib.util
import io
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, cast

from cibench_eval.evaluators.judges.prompts import OURS, PUBLISHED
from cibench_eval.evaluators.judges.verdicts import Scale, points, read_verdict, right
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.schema import CibenchError, Language, Message, Record, Reply, StepKind, Text

Part = dict[str, Any]
"""A part of a message, as the OpenAI API writes it: a text or an image."""

SIDE = 1024
"""Pixels of a figure's longer side, at most."""
FIGURES = 4
"""Figures of a step that are shown, at most."""
LONGEST = 8000
"""Characters of an answer or of code that are shown, half of its beginning and half of its end."""


class Case(Record):
    """What a step leaves to judge."""

    experiment: str
    index: int
    language: Language
    question: str
    code: str = ''
    """Of the last call that ran."""
    answer: str = ''
    """What that call printed and returned."""
    gold_answer: str = ''
    figures: tuple[bytes, ...] = ()
    """PNGs that it showed."""
    gold_figures: tuple[bytes, ...] = ()


class Judgement(Record):
    """What a judge says of a step."""

    score: float | None
    """0 to 1; None where no valid verdict could be had."""
    detail: Text = ''
    """The verdict, or why there is none."""
    replies: tuple[Reply, ...] = ()
    """Everything that the model said; nothing where there was nothing to judge."""


class Judge(ABC):
    """Asks a chat model for verdicts.

    Args:
        model: any backend that can be asked with temperature 0; it has to take images for figures.
        retries: times a reply without a valid verdict is asked for again, with the form that it must have.
    """

    metric: ClassVar[str]
    """The name by which `cibench judge --metric` calls it."""
    kinds: ClassVar[tuple[StepKind, ...]] = ('vis',)
    scale: Scale
    form: ClassVar[Literal['points', 'right']] = 'right'

    def __init__(self, model: ChatModel, retries: int = 2) -> None:
        self.model = model
        self.retries = retries

    def check(self) -> None:
        """Raises:
        CibenchError: something is missing that can be missed before the first question.
        """
        self.model.check()

    @abstractmethod
    def questions(self, case: Case) -> list[list[Part]]:
        """What is asked, each to be answered by itself; their mean is the score. None: there is nothing to judge."""

    def nothing(self, case: Case) -> str:
        """Why there are no `questions`."""
        return 'no figure that can be read' if case.figures else 'no figure'

    async def judge(self, case: Case, questions: list[list[Part]]) -> Judgement:
        """Ask `questions` of a case (`self.questions`, none where there is nothing to judge).

        Raises:
            HarnessError: the model cannot be reached.
        """
        if not questions:
            return Judgement(score=0.0, detail=self.nothing(case))
        answers = [await self._ask(case, question) for question in questions]
        scores = [answer.score for answer in answers]
        return Judgement(
            score=None if None in scores else sum(cast(list[float], scores)) / len(scores),
            detail='; '.join(answer.detail for answer in answers),
            replies=tuple(reply for answer in answers for reply in answer.replies),
        )

    async def _ask(self, case: Case, question: list[Part]) -> Judgement:
        """Ask, and ask again while the verdict is not valid."""
        messages: list[Any] = [{'role': 'user', 'content': question}]
        replies: list[Reply] = []
        while True:
            turn = Turn(case.experiment, case.index, len(replies), Reply(text=''))
            reply = await self.model.chat(cast(list[Message], messages), turn)
            replies.append(reply)
            score, detail = self._read(reply, case)
            if score is not None or len(replies) > self.retries or reply.finish_reason == 'context_overflow':
                return Judgement(score=score, detail=detail, replies=tuple(replies))
            messages += [
                {'role': 'assistant', 'content': reply.text or '…'},
                {'role': 'user', 'content': self.again(case)},
            ]

    def again(self, case: Case) -> str:
        """What is said to a reply without a valid verdict: the form that it must have."""
        return OURS[case.language].again[self.form]

    def _read(self, reply: Reply, case: Case) -> tuple[float | None, str]:
        """The verdict of a whole reply: one that was cut may have lost a digit."""
        if reply.finish_reason != 'stop':
            return None, f'the reply is not whole ({reply.finish_reason})'
        return read_verdict(reply.text, self.scale)


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
    form = 'points'
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

    def questions(self, case: Case) -> list[list[Part]]:
        figures = shown(case.figures)
        if not figures:
            return []
        if self.rubric == 'paper':
            prompt = published_prompt(case.language).replace('{question}', case.question)
            return [[text(prompt), image(figures[0])]]
        words = OURS[case.language]
        theirs = [text(words.figure), *map(image, figures)]
        gold = [text(words.gold_figure), *map(image, gold_of(case))] if self.reference else []
        orders = [[*gold, *theirs], [*theirs, *gold]][: 1 + self.both_orders]
        prompt = words.points.format(question=case.question)
        return [[text(prompt), *order, text(words.again['points'])] for order in orders]


class QwenVisionJudge(Judge):
    """Right or wrong for a figure, given the question and the code that drew it."""

    metric = 'qwen'
    scale = staticmethod(right)

    def questions(self, case: Case) -> list[list[Part]]:
        figures = shown(case.figures)
        if not figures:
            return []
        words = OURS[case.language]
        prompt = words.right_figure.format(question=case.question, code=quoted(case.code))
        return [[text(prompt), text(words.figure), *map(image, figures), text(words.again['right'])]]


class TextJudge(Judge):
    """Right or wrong for a text answer.

    Args:
        both_orders: ask a second time with the gold answer last, and take the mean.
    """

    metric = 'text'
    kinds = ('num', 'text', 'general')
    scale = staticmethod(right)

    def __init__(self, model: ChatModel, both_orders: bool = False, retries: int = 2) -> None:
        super().__init__(model, retries)
        self.both_orders = both_orders

    def nothing(self, case: Case) -> str:
        return 'no answer'

    def questions(self, case: Case) -> list[list[Part]]:
        if not case.answer.strip():
            return []
        words = OURS[case.language]
        pair = [f'{words.gold_answer}\n{quoted(case.gold_answer)}', f'{words.answer}\n{quoted(case.answer)}']
        orders = [pair, pair[::-1]][: 1 + self.both_orders]
        prompt = words.right_answer.format(question=case.question)
        return [[text('\n\n'.join([prompt, *order, words.again['right']]))] for order in orders]


def text(words: str) -> Part:
    return {'type': 'text', 'text': words}


def image(png: bytes) -> Part:
    return {'type': 'image_url', 'image_url': {'url': f'data:image/png;base64,{base64.b64encode(png).decode()}'}}


def quoted(content: str) -> str:
    """`content` between two lines that it cannot have foreseen: they are made of its own hash."""
    if len(content) > LONGEST:
        content = f'{content[: LONGEST // 2]}\n[…]\n{content[-LONGEST // 2 :]}'
    mark = f'===== {hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:12]} ====='
    return f'{mark}\n{content}\n{mark}'


def gold_of(case: Case) -> list[bytes]:
    gold = shown(case.gold_figures)
    if not gold:
        raise CibenchError(f'{case.experiment}, step {case.index + 1}: the gold has no figure; run its notebook')
    return gold


def shown(figures: Sequence[bytes]) -> list[bytes]:
    """What of figures can be read, at most FIGURES, as they are shown."""
    return [png for figure in figures[:FIGURES] if (png := presentable(figure))]


@functools.lru_cache(maxsize=64)
def presentable(figure: bytes) -> bytes | None:
    """A figure as a PNG on white, at most SIDE pixels wide and high; None if it cannot be read."""
    from cibench_eval.evaluators.comparing.figures import read

    picture, _ = read(figure)
    if picture is None:
        return None
    picture.thumbnail((SIDE, SIDE))
    made = io.BytesIO()
    picture.save(made, 'PNG')
    return made.getvalue()


@functools.cache
def published_prompt(language: Language) -> str:
    """The paper's prompt, read from the source of `opencompass.datasets.cibench`, whose import takes six seconds.

    Raises:
        CibenchError: OpenCompass is not installed, or has no such prompt.
    """
    name = PUBLISHED[language]
    spec = importlib.util.find_spec('opencompass')
    places = spec.submodule_search_locations if spec else None
    path = Path(places[0], 'datasets', 'cibench.py') if places else None
    tree = ast.parse(path.read_text(encoding='utf-8')) if path and path.is_file() else ast.Module([], [])
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return str(ast.literal_eval(node.value))
    raise CibenchError(f"judge: OpenCompass's {name} is not there; install opencompass==0.5.4, or set rubric='own'")
