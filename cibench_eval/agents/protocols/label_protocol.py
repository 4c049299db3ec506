"""What protocols with labels share: the prompt, the call, the tool's answer. `parsing.grammar` reads the replies."""

from __future__ import annotations

from abc import ABC
from dataclasses import dataclass

from cibench_eval.agents.parsing.code import fence
from cibench_eval.agents.parsing.grammar import LabelledReply, Labels, read_labels
from cibench_eval.agents.protocols.base import CUT, AgentProtocol, Parsed, assistant, turns
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Reply, Step


@dataclass(frozen=True)
class LabelProtocol(AgentProtocol, ABC):
    """What protocols with labels share.

    Args:
        example: whether the conversation opens with the prompt's worked example.
        relaxed: whether the relaxed grammar is read.
    """

    example: bool = True
    relaxed: bool = False

    @property
    def labels(self) -> Labels:
        """The words of the grammar."""
        return self.texts.labels

    @property
    def tool(self) -> str:
        """The tool's name in the conversation. Actions carry the benchmark's name for it, whatever this is."""
        return self.texts.tool

    @property
    def stop(self) -> list[str]:
        return [f'\n{self.labels.response}:', f'\n{self.labels.response}：']

    def opening(self, language: Language) -> list[Message]:
        example = self.templates(language).example if self.example else None
        if not example:
            return super().opening(language)
        call, response = self._call(example.thought, example.code), self._response(example.output)
        shown = [*self.ask(example.question, language), *turns('', call, response)[1:]]
        return [*super().opening(language), *shown]

    def read(self, reply: Reply) -> Parsed:
        parts = read_labels(reply.text, self.labels, self.relaxed)
        return Parsed(reply, self._action(parts, cut=reply.finish_reason == 'length'), assistant(parts.kept))

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
        labels = self.labels
        if parts.tool is None:
            return f'No tool was called; answer with {labels.thought}, {labels.action} and {labels.action_input}.'
        if not self._is_ours(parts.tool):
            return f'There is no tool named {parts.tool!r}; use {self.tool}.'
        if not parts.code.code.strip():
            return f'{labels.action_input} is empty; give the code in a ```python block.'
        return CUT if cut and not parts.code.whole else ''

    def _is_ours(self, tool: str) -> bool:
        return self.relaxed or tool == self.tool

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return self._response(action.problem if execution is None else self._shown(execution, language))

    def gold(self, step: Step) -> Reply:
        return Reply(text=self._call(step.thought.strip(), step.code))

    @property
    def closing(self) -> Reply:
        return Reply(text=f'{self.labels.final}: OK.')

    def _call(self, thought: str, code: str) -> str:
        labels = self.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.tool}\n{labels.action_input}:\n{fence(code)}'

    def _response(self, text: str) -> str:
        return f'{self.labels.response}: {text}'
