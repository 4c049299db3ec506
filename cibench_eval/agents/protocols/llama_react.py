"""The Llama family of Qwen-Agent's code interpreter benchmark: `code_interpreter` by its tasks, no system message.

Instructions and `Question:` are the user's. The grammar is the relaxed one of `agents.grammar`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cibench_eval.agents.parsing.grammar import Labels
from cibench_eval.agents.prompts import LLAMA, Words
from cibench_eval.agents.protocols.label_protocol import Family
from cibench_eval.schema import Language


@dataclass(frozen=True)
class LlamaReAct(Family):
    """For LLaMA2 and CodeLlama."""

    labels: Labels = field(default=Labels(response='Observation'))
    tool: str = 'code_interpreter'
    name: str = 'llama_react'

    def words(self, language: Language) -> Words:
        return LLAMA[language]
