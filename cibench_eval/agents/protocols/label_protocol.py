"""Protocols with labels: their prompts, calls and outputs. `parsing.grammar` reads the replies."""

import re
from abc import ABC
from dataclasses import dataclass

from cibench_eval.agents.parsing.grammar import LabelledReply, read_labels
from cibench_eval.agents.protocols.base import CUT, ParsedReply, TextProtocol, assistant
from cibench_eval.fences import fence
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Reply


@dataclass(frozen=True)
class LabelProtocol(TextProtocol, ABC):
    """What protocols with labels share; `relaxed` takes the relaxed grammar."""

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
