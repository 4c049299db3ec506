"""ReAct (arXiv 2210.03629) as CIBench uses it: Thought, Action, Action Input; the tool answers with Response.

The strict grammar of `parsing.grammar` reads the replies, because keeping to the format is part of what is measured.

`prompt='paper'` is the prompt of the published runs, to the letter, in their layout:

- the worked example is part of the instructions; a gold reply opens its fence after `Action Input:`;
- an output is shortened to its first and last half, an error is shown by its `repr`, and figures are not named;
- a reply that runs nothing is answered in upstream's words, but for one that was cut.

What differs from upstream's `CIReAct`:

- upstream sends the instructions and every `Response:` as messages of the system. Here they are the user's, the
  instructions a part of the first question, because many chat templates refuse a system message in the middle;
- a reply ends where the model begins a `Response:`, and has the length of the model's config; upstream has no texts to
  stop at, and takes 512 tokens;
- later steps see the last attempt at a failed step. Upstream leaves out all of its attempts, and answers in the model's
  name, in Chinese, that it cannot.

Neither sends upstream's `FORCE_STOP_PROMPT`: `CIReAct` sets the flag after the last reply.
"""

import re
from abc import ABC
from dataclasses import dataclass
from typing import ClassVar

from cibench_eval.agents.parsing.grammar import LabelledReply, read_labels
from cibench_eval.agents.prompts import Prompt
from cibench_eval.agents.prompts.upstream import paper
from cibench_eval.agents.protocols.base import CUT, ParsedReply, TextProtocol, assistant
from cibench_eval.fences import fence
from cibench_eval.rendering import render, shorten
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Reply

PAPER = 'paper'
ELLIPSIS = '......'
INVALID = 'The action is invalid, please check the action name.'
EMPTY = 'The input code is empty. Please follow the format.'


@dataclass(frozen=True)
class LabelProtocol(TextProtocol, ABC):
    """What protocols with labels share: prompts, calls and outputs; `relaxed` takes the relaxed grammar."""

    relaxed: bool = False

    @property
    def stop(self) -> list[str]:
        return [f'\n{self.texts.labels.response}:', f'\n{self.texts.labels.response}：']

    def read(self, reply: Reply) -> ParsedReply:
        parts = read_labels(reply.text, self.texts.labels, self.relaxed)
        return ParsedReply(reply, [self._action(parts, cut=reply.cut)], assistant(parts.kept))

    def _action(self, parts: LabelledReply, *, cut: bool) -> Action:
        if parts.final:
            return Action(thought=parts.thought, argument=parts.argument, final=True)
        problem = self._problem(parts, cut=cut)
        thought = parts.thought or (parts.argument if parts.tool is None else '')
        tool = INTERPRETER if parts.tool is not None and self._is_ours(parts.tool) else parts.tool
        code = None if problem else parts.code.code
        return Action(thought=thought, tool=tool, argument=parts.argument, code=code, problem=problem)

    def _problem(self, parts: LabelledReply, *, cut: bool) -> str:
        """Why nothing runs, in words for the model; empty where something does."""
        labels = self.texts.labels
        if parts.tool is None:
            return f'No tool was called; answer with {labels.thought}, {labels.action} and {labels.action_input}.'
        if not self._is_ours(parts.tool):
            return f'There is no tool named {parts.tool!r}; use {self.texts.tool}.'
        if not parts.code.code.strip():
            return f'{labels.action_input} is empty; give the code in a ```python block.'
        return CUT if cut and not parts.code.whole else ''

    def _is_ours(self, tool: str) -> bool:
        named = re.search(rf'(?<!\w){re.escape(self.texts.tool)}(?!\w)', tool, re.ASCII)
        return self.relaxed or (named is not None and not re.search('[不无未]', tool))

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return self.output(super().observe(action, execution, language), language)

    @property
    def closing(self) -> Reply:
        return Reply(text=f'{self.texts.labels.final}: OK.')

    def call(self, thought: str, code: str) -> str:
        labels = self.texts.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.texts.tool}\n{labels.action_input}:\n{fence(code)}'

    def output(self, text: str, language: Language) -> str:
        return f'{self.texts.labels.response}: {text}'


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

    def _problem(self, parts: LabelledReply, *, cut: bool) -> str:
        problem = super()._problem(parts, cut=cut)
        if self.prompt != PAPER or problem in ('', CUT):
            return problem
        if parts.tool is None:
            return 'Please follow the format'
        return EMPTY if self._is_ours(parts.tool) else INVALID

    def call(self, thought: str, code: str) -> str:
        if self.prompt != PAPER:
            return super().call(thought, code)
        labels = self.texts.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.texts.tool}\n{labels.action_input}:{fence(code)}\n'

    def output(self, text: str, language: Language) -> str:
        return f'{self.texts.labels.response}:{text}\n' if self.prompt == PAPER else super().output(text, language)
