"""What a protocol is: how the agent talks to the model."""

from __future__ import annotations

from typing import Protocol

from cibench_eval.schema import Action, Execution, Language, Message, Step


class AgentProtocol(Protocol):
    """Prompt, reply grammar and observation format. A protocol holds no state: the session does."""

    @property
    def name(self) -> str: ...

    @property
    def stop(self) -> list[str]:
        """Texts at which the model has to stop, so that it cannot write the tool's answer itself."""
        ...

    def opening(self, language: Language) -> list[Message]:
        """What every conversation starts with: the instructions and, if configured, a worked example."""
        ...

    def parse(self, reply: str) -> Action:
        """What a reply asks for. Any text is accepted; what is wrong with it becomes `Action.problem`."""
        ...

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        """What the model is shown of what its reply led to."""
        ...

    def gold(self, step: Step) -> str:
        """The reply that a perfect model would have given: the gold thought and code."""
        ...


def turns(*texts: str) -> list[Message]:
    """Messages that alternate between user and assistant, starting with the user."""
    return [{'role': 'assistant' if index % 2 else 'user', 'content': text} for index, text in enumerate(texts)]


def merge(messages: list[Message]) -> list[Message]:
    """Join neighbours of one role: chat templates demand that user and assistant alternate."""
    merged: list[Message] = []
    for message in messages:
        if merged and merged[-1]['role'] == message['role']:
            joined = f'{merged[-1]["content"].rstrip()}\n\n{message["content"]}'
            merged[-1] = {'role': message['role'], 'content': joined}
        else:
            merged.append(message)
    return merged
