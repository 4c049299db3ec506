"""ReAct (arXiv 2210.03629) as CIBench uses it: Thought, Action, Action Input; the tool answers with Response.

The grammar is that of `agents.grammar`, strict: what the format asks for is what is measured.

`prompt='paper'` is the prompt of the published runs, to the letter, in their layout:

- the instructions stand in front of the first question, because upstream folds system messages into the user's;
- the worked example is part of them; a gold reply opens its fence behind `Action Input:`;
- an output is shortened to its first and last half, and an error is shown by its `repr`.

Upstream's `FORCE_STOP_PROMPT` is never sent: its flag is set when the last reply has been had. What is not repeated:
upstream puts the current question twice, keeps of an earlier step's reply only the code, and answers for a model that
failed at a step that it cannot answer, in Chinese.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from cibench_eval.agents.parsing.code import fence
from cibench_eval.agents.prompts import REACT, Words, paper
from cibench_eval.agents.protocols.label_protocol import LabelProtocol
from cibench_eval.rendering import render
from cibench_eval.schema import Action, CibenchError, Execution, Language

ELLIPSIS = '......'


@dataclass(frozen=True)
class ReAct(LabelProtocol):
    """The protocol of the paper's experiments.

    Args:
        prompt: `ours`, our own words; or `paper`, those of the published runs, which have an example in any case. Those
            runs were in English on Chinese data, too: `prompt_language='en'`.
    """

    prompt: Literal['ours', 'paper'] = 'ours'
    name: str = 'react'

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.prompt not in ('ours', 'paper'):
            raise CibenchError(f"agents: prompt is {self.prompt!r}; it must be 'ours' or 'paper'")
        self.words('en')  # what is not installed is seen at once

    def words(self, language: Language) -> Words:
        return paper(language) if self.prompt == 'paper' else REACT[language]

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        if execution is None or self.prompt == 'ours':
            return super().observe(action, execution, language)
        shown = _halves(render(execution), self.observation_limit) or self.words(language).silent
        return self._response(shown if execution.status == 'ok' else repr(shown))

    def _call(self, thought: str, code: str) -> str:
        if self.prompt == 'ours':
            return super()._call(thought, code)
        labels = self.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.tool}\n{labels.action_input}:{fence(code)}\n'

    def _response(self, text: str) -> str:
        return super()._response(text) if self.prompt == 'ours' else f'{self.labels.response}:{text}\n'


def _halves(text: str, limit: int) -> str:
    """`text` within `limit` characters, shortened as upstream does."""
    if len(text) <= limit:
        return text
    half = max(1, (limit - len(ELLIPSIS)) // 2)
    return text[:half] + ELLIPSIS + text[-half:]
