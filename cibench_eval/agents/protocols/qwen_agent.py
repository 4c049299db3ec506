"""The prompt families of Qwen-Agent's code interpreter benchmark (version 20231206): one protocol, a prompt file each.

They use the relaxed grammar of `parsing.grammar` and show no worked example. Upstream lets the model continue one text,
with `Thought:` after each observation; in a chat the observation is a turn.
"""

import re
from abc import ABC
from dataclasses import dataclass, replace
from typing import ClassVar

from cibench_eval.agents.protocols.base import ParsedReply
from cibench_eval.agents.protocols.react import LabelProtocol
from cibench_eval.schema import Reply

SOLUTION = re.compile(r'^def solution\(\)', re.MULTILINE)
CALLED = re.compile(
    r'^(?!def |#|["\']|\w+ = solution\(\)\s*\Z)(?:\S.*|[ \t]+(?:print\(.*)?)?\bsolution\(\)', re.MULTILINE
)
"""A line that calls it, but not a comment, nor a last line that shows nothing."""


@dataclass(frozen=True)
class QwenAgentProtocol(LabelProtocol, ABC):
    """What the families share."""

    example: bool = False
    relaxed: bool = True
    calls_solution: bool = False
    """Whether a function `solution` that the code defines is called at the end of the code, as the benchmark's
    interpreter does, unless the code has called it and goes on, or shows what it returns."""

    def read(self, reply: Reply) -> ParsedReply:
        parsed = super().read(reply)
        code = parsed.action.code or ''
        if self.calls_solution and SOLUTION.search(code) and not CALLED.search(code):
            return replace(parsed, actions=[parsed.action.model_copy(update={'code': f'{code}\nsolution()'})])
        return parsed


@dataclass(frozen=True)
class QwenReAct(QwenAgentProtocol):
    """For Qwen's chat models: one system message; instructions and `Question:` are the user's."""

    own_prompt: ClassVar[str] = 'qwen_react'
    name: str = 'qwen_react'


@dataclass(frozen=True)
class LlamaReAct(QwenAgentProtocol):
    """For LLaMA2 and CodeLlama: no system message; instructions and `Question:` are the user's."""

    own_prompt: ClassVar[str] = 'llama_react'
    name: str = 'llama_react'


@dataclass(frozen=True)
class InternLMReAct(QwenAgentProtocol):
    """For InternLM's chat models of the first generation, which are told to write a function called `solution`."""

    own_prompt: ClassVar[str] = 'internlm_react'
    name: str = 'internlm_react'
    calls_solution: bool = True
