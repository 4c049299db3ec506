"""What protocols with labels share: the prompt, the call, the tool's answer. `agents.grammar` reads the replies."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field

from cibench_eval.agents.parsing.code import fence
from cibench_eval.agents.parsing.grammar import Labels, Reading, read
from cibench_eval.agents.prompts import Words
from cibench_eval.agents.protocols.base import CUT, NOTHING, AgentProtocol, turns
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Reply, Step


@dataclass(frozen=True)
class LabelProtocol(AgentProtocol):
    """What protocols with labels share. A subclass gives the words, and other defaults.

    Args:
        example: whether the conversation opens with a worked example (loading a file into a DataFrame).
        labels: the words of the grammar.
        tool: the tool's name in the conversation. Actions carry the benchmark's name for it, whatever this is.
        relaxed: whether the relaxed grammar is read.
    """

    example: bool = True
    prompt_language: Language | None = None
    observation_limit: int = 1024
    labels: Labels = field(default_factory=Labels)
    tool: str = INTERPRETER
    relaxed: bool = False
    name: str = 'labels'

    @property
    def stop(self) -> list[str]:
        return [f'\n{self.labels.response}:', f'\n{self.labels.response}：']

    @abstractmethod
    def words(self, language: Language) -> Words:
        """The texts of the prompt. `{tool}` and the names of the labels may stand in the instructions."""

    def _words(self, language: Language) -> Words:
        return self.words(self.prompt_language or language)

    def ask(self, question: str, language: Language) -> list[Message]:
        return turns(self._words(language).question.format(question=question))

    def opening(self, language: Language) -> list[Message]:
        words = self._words(language)
        instructions = words.instructions.format(tool=self.tool, **vars(self.labels))
        said: list[Message] = [{'role': 'system', 'content': words.system}] if words.system else []
        said.append({'role': 'user' if words.system or words.as_user else 'system', 'content': instructions})
        if self.example and words.example:
            question, thought, code, output = words.example
            asked = self.ask(question, language)
            return [*said, *asked, *turns('', self._call(thought, code), self._response(output))[1:]]
        return said

    def parse(self, reply: Reply) -> Action:
        found = self._read(reply.text)
        if found.final:
            return Action(thought=found.thought, argument=found.argument, final=True)
        if found.tool is None:
            labels = self.labels
            problem = f'No tool was called; answer with {labels.thought}, {labels.action} and {labels.action_input}.'
            return Action(thought=found.thought or found.argument, argument=found.argument, problem=problem)
        tool = INTERPRETER if self.relaxed or found.tool == self.tool else found.tool
        code = found.code.code
        if tool != INTERPRETER:
            problem = f'There is no tool named {found.tool!r}; use {self.tool}.'
        elif not code.strip():
            problem = f'{self.labels.action_input} is empty; give the code in a ```python block.'
        elif reply.finish_reason == 'length' and not found.code.whole:
            problem = CUT
        else:
            return Action(thought=found.thought, tool=tool, argument=found.argument, code=code)
        return Action(thought=found.thought, tool=tool, argument=found.argument, problem=problem)

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return self._response(action.problem if execution is None else self._shown(execution, language))

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """What the model said up to the cut, so that no output of its own invention stands beside the real one."""
        said = self._read(reply.text).said.strip() or NOTHING
        return super().exchange(reply.model_copy(update={'text': said}), action, observation)

    def gold(self, step: Step) -> Reply:
        return Reply(text=self._call(step.thought.strip(), step.code))

    def _read(self, text: str) -> Reading:
        return read(text, self.labels, self.relaxed)

    def _call(self, thought: str, code: str) -> str:
        labels = self.labels
        return f'{labels.thought}: {thought}\n{labels.action}: {self.tool}\n{labels.action_input}:\n{fence(code)}'

    def _response(self, text: str) -> str:
        return f'{self.labels.response}: {text}'


@dataclass(frozen=True)
class Family(LabelProtocol):
    """A prompt family of Qwen-Agent's code interpreter benchmark (version 20231206).

    They share the relaxed grammar and have no worked example. Upstream continues one text in which `Thought:` follows
    each observation; in a chat the observation is a turn.
    """

    example: bool = False
    relaxed: bool = True
