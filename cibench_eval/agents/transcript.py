"""The conversation that a model is shown, and what is left out of it where the model's window is too small.

What is left out first: the observations of earlier steps, the oldest first; then earlier steps whole, the oldest
first. The instructions, the current question and what the model has tried at it always stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from cibench_eval.agents.protocols.base import AgentProtocol, merge
from cibench_eval.schema import Attempt, Language, Message, StepTrace

LEFT_OUT: dict[Language, str] = {'en': '[output left out]', 'cn': '[输出已省略]'}
"""What stands in the place of an observation that was left out."""


@dataclass(frozen=True)
class Conversation:
    """What was said up to one request.

    Args:
        past: the steps that are over, with the attempts that later ones are to see.
        question: of the current step.
        tried: the failed attempts at it.
    """

    protocol: AgentProtocol
    language: Language
    past: list[StepTrace]
    question: str
    tried: list[Attempt]

    @property
    def parts(self) -> int:
        """How many parts can be left out: the observations of earlier steps, and those steps."""
        return self._observations + len(self.past)

    @property
    def _observations(self) -> int:
        return sum(len(step.attempts) for step in self.past)

    def messages(self, without: int = 0) -> list[Message]:
        """The messages of the request, without the first `without` of the parts that can be left out."""
        silent = min(without, self._observations)
        said = list(self.protocol.opening(self.language))
        for index, step in enumerate(self.past):
            shown, silent = step.attempts[silent:], max(0, silent - len(step.attempts))
            if index >= without - self._observations:
                quiet = [self._quiet(attempt) for attempt in step.attempts[: len(step.attempts) - len(shown)]]
                said += self._step(step.question, [*quiet, *shown])
        return merge(said + self._step(self.question, self.tried))

    def _step(self, question: str, attempts: list[Attempt]) -> list[Message]:
        protocol = self.protocol
        return protocol.ask(question, self.language) + [
            message for a in attempts for message in protocol.exchange(a.reply, a.action, a.observation)
        ]

    def _quiet(self, attempt: Attempt) -> Attempt:
        return attempt.model_copy(update={'observation': LEFT_OUT[self.language]})
