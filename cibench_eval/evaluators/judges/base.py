"""A judge: a chat model that is asked for verdicts, and asked again after a reply without one.

A verdict is read from the last line of the reply or not at all (`verdicts.py`); a step without a verdict has no score.
Answers and code stand between marks that they cannot forge. Words inside a figure cannot be hidden from the judge; our
prompts warn of them, the paper's does not.
"""

import functools
import hashlib
from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar, Literal

import yaml

from cibench_eval.evaluators.judges.verdicts import Scale, read_verdict
from cibench_eval.models.base import ChatModel, Turn
from cibench_eval.models.thinking import set_apart
from cibench_eval.rendering import shorten
from cibench_eval.schema import Language, Message, Part, Record, Reply, StepKind, Text, TextPart
from cibench_eval.syntax import published_text

MAX_QUOTED = 8000
"""Most characters of an answer or of code that are shown, half from the beginning and half from the end."""
PUBLISHED: dict[Language, str] = {'en': 'JUDGE_PROMPT', 'cn': 'JUDGE_PROMPT_CN'}
"""Constants of `opencompass.datasets.cibench`."""


class JudgedStep(Record):
    """What a judge gets to see of a step."""

    experiment: str
    index: int
    language: Language
    question: str
    kind: StepKind = 'vis'
    """At a `plot`, a step of Qwen-Agent's benchmark, the code is that of the call that its question carries and of all
    calls that ran, and the figures are all that these showed."""
    code: str = ''
    """The code of the last call that ran and showed what is judged."""
    answer: str = ''
    """Its printed output and result."""
    gold_answer: str = ''
    figures: tuple[bytes, ...] = ()
    """The PNGs that it showed."""
    gold_figures: tuple[bytes, ...] = ()


class Judgement(Record):
    """A judge's verdict on a step."""

    score: float | None
    """0 to 1; None without a valid verdict."""
    detail: Text = ''
    """The verdict, or why there is none."""
    replies: tuple[Reply, ...] = ()
    """All replies of the model; none where there was nothing to judge."""


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
    form: ClassVar[str] = 'form_of_right'
    """The name of the text that says how a verdict has to look."""

    def __init__(self, model: ChatModel, retries: int = 2) -> None:
        self.model = model
        self.retries = retries

    def check(self) -> None:
        """Check keys, endpoint and prompts before the first paid request.

        Raises:
            CibenchError: something is missing.
        """
        self.model.check()

    @abstractmethod
    def questions(self, step: JudgedStep) -> list[list[Part]]:
        """The questions, each asked by itself; the score is their mean. Empty if there is nothing to judge."""

    def nothing(self, step: JudgedStep) -> str:
        """Why there are no `questions`."""
        return 'no figure that can be read' if step.figures else 'no figure'

    async def judge(self, step: JudgedStep, questions: list[list[Part]]) -> Judgement:
        """Ask `questions` of a step (`self.questions`, none where there is nothing to judge).

        Raises:
            HarnessError: the model cannot be reached.
        """
        if not questions:
            return Judgement(score=0.0, detail=self.nothing(step))
        answers = [await self._ask(step, question) for question in questions]
        scores = [answer.score for answer in answers if answer.score is not None]
        return Judgement(
            score=sum(scores) / len(scores) if len(scores) == len(answers) else None,
            detail='; '.join(answer.detail for answer in answers),
            replies=tuple(reply for answer in answers for reply in answer.replies),
        )

    async def _ask(self, step: JudgedStep, question: list[Part]) -> Judgement:
        messages: list[Message] = [{'role': 'user', 'content': question}]
        replies: list[Reply] = []
        while True:
            turn = Turn(step.experiment, step.index, len(replies))
            reply = set_apart(await self.model.chat(messages, turn))
            replies.append(reply)
            score, detail = self._read(reply, step)
            if score is not None or len(replies) > self.retries or reply.finish_reason == 'context_overflow':
                return Judgement(score=score, detail=detail, replies=tuple(replies))
            messages += [
                {'role': 'assistant', 'content': reply.text or '…'},
                {'role': 'user', 'content': self.again(step)},
            ]

    def again(self, step: JudgedStep) -> str:
        """The follow-up to a reply without a valid verdict: the form that it must have."""
        return own_prompts(step.language)[self.form]

    def _read(self, reply: Reply, step: JudgedStep) -> tuple[float | None, str]:
        """Read the verdict of a whole reply; one that was cut may have lost a digit."""
        if reply.finish_reason != 'stop':
            return None, f'the reply is not whole ({reply.finish_reason})'
        return read_verdict(reply.text, self.scale)


@functools.cache
def own_prompts(about: Language | Literal['failures']) -> dict[str, str]:
    """Our own texts by their names in `prompts.yaml`: in a language, or about failures."""
    texts: dict[str, dict[str, str]] = yaml.safe_load(
        Path(__file__).with_name('prompts.yaml').read_text(encoding='utf-8')
    )
    return texts[about]


def published_prompt(language: Language) -> str:
    """The paper's prompt, read from the source of OpenCompass; a `CibenchError` where that is not installed."""
    return published_text('opencompass.datasets.cibench', PUBLISHED[language])


def text_part(text: str) -> TextPart:
    return {'type': 'text', 'text': text}


def quoted(content: str) -> str:
    """Put `content` between two lines that it cannot forge: they are made from its hash."""
    content = shorten(content, MAX_QUOTED, head=MAX_QUOTED // 2, mark='\n[…]\n')
    mark = f'===== {hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:12]} ====='
    return f'{mark}\n{content}\n{mark}'
