"""The Qwen family of Qwen-Agent's code interpreter benchmark: `code_interpreter` by JSON parameters, Observation.

One system message; instructions and `Question:` are the user's. The grammar is the relaxed one of `agents.grammar`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cibench_eval.agents.parsing.grammar import Labels
from cibench_eval.agents.prompts import QWEN, Words
from cibench_eval.agents.protocols.label_protocol import Family
from cibench_eval.schema import Language


@dataclass(frozen=True)
class QwenReAct(Family):
    """For Qwen's chat models."""

    labels: Labels = field(default=Labels(response='Observation'))
    tool: str = 'code_interpreter'
    name: str = 'qwen_react'

    def words(self, language: Language) -> Words:
        return QWEN[language]
