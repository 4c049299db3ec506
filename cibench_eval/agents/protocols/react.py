"""ReAct (arXiv 2210.03629) as CIBench uses it: Thought, Action, Action Input; the tool answers with Response.

The strict grammar of `parsing.grammar` reads the replies, because keeping to the format is part of what is measured.

`prompt='paper'` is the prompt of the published runs, to the letter, in their layout:

- the instructions are part of the first question, because upstream joins system messages with the user's;
- the worked example is part of the instructions; a gold reply opens its fence after `Action Input:`;
- an output is shortened to its first and last half, an error is shown by its `repr`, and figures are not named.

Upstream never sends its `FORCE_STOP_PROMPT`, because it sets the flag after the last reply. Three things are not
repeated: upstream puts the current question twice, keeps only the code of replies at earlier steps, and after a failed
step answers in the model's name, in Chinese, that it cannot.
"""

from dataclasses import dataclass
from typing import ClassVar

from cibench_eval.agents.prompts import Prompt
from cibench_eval.agents.prompts.upstream import paper
from cibench_eval.agents.protocols.label_protocol import LabelProtocol
from cibench_eval.fences import fence
from cibench_eval.rendering import render, shorten
from cibench_eval.schema import Action, Execution, Language

PAPER = 'paper'
ELLIPSIS = '......'


@dataclass(frozen=True)
class ReAct(LabelProtocol):
    """The protocol of the paper's experiments.

    Args:
        prompt: also `paper`, the prompt of the published runs, which always has an example. Those runs used English
            on Chinese data, too: `prompt_language='en'`.
    """

    own_prompt: ClassVar[str] = 'react'
    name: str = 'react'

    def _load(self) -> Prompt:
        return paper() if self.prompt == PAPER else super()._load()

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        if execution is None or self.prompt != PAPER:
            return super().observe(action, execution, language)
        half = max(1, (self.observation_limit - len(ELLIPSIS)) // 2)
        text = shorten(render(execution), self.observation_limit, head=half, tail=half, mark=ELLIPSIS)
        shown = text or self.templates(language).silent
        return self.output(shown if execution.status == 'ok' else repr(shown), language)

    def call(self, thought: str, code: str) -> str:
        if self.prompt != PAPER:
            return super().call(thought, code)
        labels = self.texts.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.texts.tool}\n{labels.action_input}:{fence(code)}\n'

    def output(self, text: str, language: Language) -> str:
        return f'{self.texts.labels.response}:{text}\n' if self.prompt == PAPER else super().output(text, language)
