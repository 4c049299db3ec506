"""What a protocol is: how the agent talks to the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from cibench_eval.models.base import Tool
from cibench_eval.schema import Action, Execution, Language, Message, Reply, Step


class AgentProtocol(Protocol):
    """Prompt, reply grammar and observation format. A protocol holds no state: the session does."""

    @property
    def name(self) -> str: ...

    @property
    def stop(self) -> Sequence[str]:
        """Texts at which the model has to stop, so that it cannot write the tool's answer itself."""
        ...

    def tools(self, language: Language) -> Sequence[Tool]:
        """Functions that are offered to the model in the request; none where the prompt describes the tool."""
        ...

    def opening(self, language: Language) -> list[Message]:
        """What every conversation starts with: the instructions and, if configured, a worked example."""
        ...

    def ask(self, question: str, language: Language) -> list[Message]:
        """How a step's question is put."""
        ...

    def parse(self, reply: Reply) -> Action:
        """What a reply asks for. Any reply is accepted; what is wrong with it becomes `Action.problem`."""
        ...

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        """What the model is shown of what its reply led to."""
        ...

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """A reply and what the model is shown of it, as turns of the conversation."""
        ...

    def gold(self, step: Step) -> Reply:
        """The reply that a perfect model would have given: the gold thought and code."""
        ...


class TextProtocol:
    """The parts that protocols share which use nothing but text: replies stand in the conversation as they are."""

    @property
    def stop(self) -> Sequence[str]:
        return ()

    def tools(self, language: Language) -> Sequence[Tool]:
        return ()

    def ask(self, question: str, language: Language) -> list[Message]:
        return turns(question)

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """The reply, and the observation as the user's turn; a final answer is shown nothing."""
        said: Message = {'role': 'assistant', 'content': reply.text}
        return [said] if action.final else [said, {'role': 'user', 'content': observation}]


def turns(*texts: str) -> list[Message]:
    """Messages that alternate between user and assistant, starting with the user."""
    return [{'role': 'assistant' if index % 2 else 'user', 'content': text} for index, text in enumerate(texts)]


def merge(messages: list[Message]) -> list[Message]:
    """Join neighbours of one role: chat templates demand that user and assistant alternate.

    What has or answers tool calls stays as it is.
    """
    merged: list[Message] = []
    for message in messages:
        if merged and merged[-1].keys() == message.keys() == {'role', 'content'} and _same_role(merged[-1], message):
            joined = f'{merged[-1]["content"].rstrip()}\n\n{message["content"]}'
            merged[-1] = {'role': message['role'], 'content': joined}
        else:
            merged.append(message)
    return merged


def _same_role(first: Message, second: Message) -> bool:
    return first['role'] == second['role']
