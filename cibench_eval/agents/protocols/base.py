"""What a protocol is: how the agent talks to the model."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

from cibench_eval.agents.prompts import Words
from cibench_eval.models.base import Tool
from cibench_eval.rendering import render
from cibench_eval.schema import Action, CibenchError, Execution, Language, Message, Reply, Step, joined

NOTHING = '…'
"""What stands in the conversation for a reply of which nothing is left: servers refuse empty messages."""
CUT = 'The reply was too long and was cut before the code ended, so it was not run; write less.'
"""The problem of code that the limit of a reply's length has cut."""


class AgentProtocol(ABC):
    """Prompt, reply grammar and observation format. A protocol holds no state: the session does.

    Subclasses are frozen dataclasses with, at least, the fields named here.
    """

    name: str
    prompt_language: Language | None
    """Of the instructions; None follows the experiment's."""
    observation_limit: int
    """Characters of an output that the model sees, head and tail; scoring sees all."""

    def __post_init__(self) -> None:
        if self.prompt_language not in (None, 'en', 'cn'):
            raise CibenchError(f"agents: prompt_language is {self.prompt_language!r}; it must be 'en', 'cn' or None")
        if not isinstance(self.observation_limit, int) or self.observation_limit < 1:
            raise CibenchError(
                f'agents: observation_limit is {self.observation_limit!r}; it must be a whole number, at least 1'
            )

    @property
    def stop(self) -> Sequence[str]:
        """Texts at which the model has to stop, so that it cannot write the tool's answer itself."""
        return ()

    def tools(self, language: Language) -> Sequence[Tool]:
        """Functions that are offered to the model in the request; none where the prompt describes the tool."""
        return ()

    @abstractmethod
    def opening(self, language: Language) -> list[Message]:
        """What every conversation starts with: the instructions and, if configured, a worked example."""

    def ask(self, question: str, language: Language) -> list[Message]:
        """How a step's question is put."""
        return turns(question)

    @abstractmethod
    def parse(self, reply: Reply) -> Action:
        """What a reply asks for. Any reply is accepted; what is wrong with it becomes `Action.problem`."""

    @abstractmethod
    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        """What the model is shown of what its reply led to."""

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """A reply and what the model is shown of it, as turns of the conversation; a final answer is shown nothing."""
        said: Message = {'role': 'assistant', 'content': reply.text}
        return [said] if action.final else [said, {'role': 'user', 'content': observation}]

    @abstractmethod
    def gold(self, step: Step) -> Reply:
        """The reply that a perfect model would have given: the gold thought and code."""

    @abstractmethod
    def _words(self, language: Language) -> Words:
        """The texts of the prompt, for an experiment in `language`."""

    def _shown(self, execution: Execution, language: Language) -> str:
        """An execution within `observation_limit` characters; never empty."""
        return shorten(render(execution), self.observation_limit) or self._words(language).silent


def turns(*texts: str) -> list[Message]:
    """Messages that alternate between user and assistant, starting with the user."""
    return [{'role': 'assistant' if index % 2 else 'user', 'content': text} for index, text in enumerate(texts)]


def merge(messages: list[Message]) -> list[Message]:
    """Join neighbours of one role: chat templates demand that user and assistant alternate.

    What has or answers tool calls stays as it is.
    """
    merged: list[Message] = []
    for message in messages:
        last = merged[-1] if merged else None
        if last and last.keys() == message.keys() == {'role', 'content'} and last['role'] == message['role']:
            said = last['content']
            before = said.rstrip() if isinstance(said, str) else said
            merged[-1] = {'role': last['role'], 'content': joined(before, message['content'])}
        else:
            merged.append(message)
    return merged


def shorten(text: str, limit: int) -> str:
    """`text` within `limit` characters: its head and its tail, the cut marked between them."""
    if len(text) <= limit:
        return text
    mark = f'\n[… {len(text) - limit} characters left out …]\n'
    head = limit * 2 // 3
    return text[:head] + mark + text[len(text) - (limit - head) :]
