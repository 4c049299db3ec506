"""The InternLM family of Qwen-Agent's code interpreter benchmark: `PythonInterpreter`, ActionInput, FinalAnswer.

The model is told to write a function called `solution`; if its code defines one, the interpreter calls it, as the
benchmark's does. The grammar is the relaxed one of `agents.grammar`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cibench_eval.agents.parsing.grammar import Labels
from cibench_eval.agents.prompts import INTERNLM, Words
from cibench_eval.agents.protocols.label_protocol import Family
from cibench_eval.schema import Action, Language, Reply

SOLUTION = re.compile(r'^def solution\(\)', re.MULTILINE)
CALLED = re.compile(r'^(?!def ).*\bsolution\(\)', re.MULTILINE)


@dataclass(frozen=True)
class InternLMReAct(Family):
    """For InternLM's chat models of the first generation."""

    labels: Labels = field(default=Labels(action_input='ActionInput', final='FinalAnswer'))
    tool: str = 'PythonInterpreter'
    name: str = 'internlm_react'

    def words(self, language: Language) -> Words:
        return INTERNLM[language]

    def parse(self, reply: Reply) -> Action:
        """As `Family`; a `solution` that is defined and not called is called at the end of the code."""
        action = super().parse(reply)
        code = action.code or ''
        if SOLUTION.search(code) and not CALLED.search(code):
            return action.model_copy(update={'code': f'{code}\nsolution()'})
        return action
