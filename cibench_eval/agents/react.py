"""ReAct (arXiv 2210.03629) as CIBench uses it: Thought, Action, Action Input; the tool answers with Response.

Grammar. Labels count at the beginning of a line outside fenced blocks, with an ASCII or a Chinese colon;
the first Action is the one that is taken. A reply is cut where the model begins to write the tool's
Response itself, or a second Thought after its action input. Then, in this order:

- an Action with the tool's name and a non-empty input: its code runs;
- an Action with another name, or without input: nothing runs, the observation says what is wrong;
- no Action, but a Final Answer: the step ends without a tool call;
- neither: nothing runs, the observation asks for the format.

A leading `<think>…</think>` block is taken off before anything is read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from cibench_eval.agents.base import turns
from cibench_eval.agents.code import extract_code, fence, outside_fences
from cibench_eval.agents.prompts import REACT
from cibench_eval.rendering import render
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Step

THINK = re.compile(r'^\s*<think>.*?(</think>|\Z)', re.DOTALL)


@dataclass(frozen=True)
class Labels:
    """The words that mark the parts of a reply, without their colons."""

    thought: str = 'Thought'
    action: str = 'Action'
    action_input: str = 'Action Input'
    response: str = 'Response'
    final: str = 'Final Answer'


@dataclass(frozen=True)
class ReAct:
    """The protocol of the paper's experiments.

    Args:
        example: whether the conversation opens with a worked example (loading a file into a DataFrame).
        prompt_language: language of the instructions; None follows the experiment's.
        observation_limit: characters of an output that the model sees, head and tail; scoring sees all.
    """

    example: bool = True
    prompt_language: Language | None = None
    observation_limit: int = 1024
    labels: Labels = field(default_factory=Labels)
    name: str = 'react'

    @property
    def stop(self) -> list[str]:
        return [f'\n{self.labels.response}:', f'\n{self.labels.response}：']

    def opening(self, language: Language) -> list[Message]:
        words = REACT[self.prompt_language or language]
        labels = vars(self.labels)
        instructions: Message = {
            'role': 'system',
            'content': words.instructions.format(tool=INTERPRETER, **labels),
        }
        if not self.example:
            return [instructions]
        question, thought, code, output = words.example
        return [instructions, *turns(question, self._reply(thought, code), self._response(output))]

    def parse(self, reply: str) -> Action:
        text = THINK.sub('', reply.replace('\r\n', '\n'), count=1)
        marks = self._marks(text)
        found = next((i for i, (label, _, _) in enumerate(marks) if label == 'action'), None)
        thought = self._thought(text, marks)
        if found is None:
            return self._without_action(text, marks, thought)
        after = marks[found + 1 :]
        tool = self._part(text, marks, found).strip().strip('`*"\'.')
        argument = self._part(text, after, 0) if after and after[0][0] == 'action_input' else ''
        return self._call(thought, tool, argument)

    def _call(self, thought: str, tool: str, argument: str) -> Action:
        code = extract_code(argument)
        if tool != INTERPRETER:
            problem = f'There is no tool named {tool!r}; use {INTERPRETER}.'
        elif not code.strip():
            problem = f'{self.labels.action_input} is empty; give the code in a ```python block.'
        else:
            return Action(thought=thought, tool=tool, argument=argument.strip(), code=code)
        return Action(thought=thought, tool=tool, argument=argument.strip(), problem=problem)

    def _without_action(self, text: str, marks: list[tuple[str, int, int]], thought: str) -> Action:
        for index, (label, _, _) in enumerate(marks):
            if label == 'final':
                return Action(thought=thought, argument=self._part(text, marks, index).strip(), final=True)
        labels = self.labels
        problem = f'No tool was called; answer with {labels.thought}, {labels.action} and {labels.action_input}.'
        return Action(thought=thought or text.strip(), argument=text.strip(), problem=problem)

    def _marks(self, text: str) -> list[tuple[str, int, int]]:
        """(label, where it starts, where its text starts) in order, up to what the model must not write."""
        names = {label: name for name, label in vars(self.labels).items()}
        words = '|'.join(re.escape(label) for label in sorted(names, key=len, reverse=True))
        pattern = re.compile(rf'[ \t>*#]*({words})[ \t]*\**[ \t]*[:：]\**[ \t]*')
        marks: list[tuple[str, int, int]] = []
        for offset, line in outside_fences(text):
            match = pattern.match(line)
            if match:
                marks.append((names[match.group(1)], offset, offset + match.end()))
                if marks[-1][0] == 'response':
                    break
        return marks

    @staticmethod
    def _part(text: str, marks: list[tuple[str, int, int]], index: int) -> str:
        """The text of a label: up to the next one."""
        end = marks[index + 1][1] if index + 1 < len(marks) else len(text)
        return text[marks[index][2] : end]

    def _thought(self, text: str, marks: list[tuple[str, int, int]]) -> str:
        for index, (label, _, _) in enumerate(marks):
            if label == 'thought':
                return self._part(text, marks, index).strip()
        return text[: marks[0][1]].strip() if marks else ''

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        if execution is None:
            return self._response(action.problem)
        words = REACT[self.prompt_language or language]
        return self._response(shorten(render(execution), self.observation_limit) or words.silent)

    def gold(self, step: Step) -> str:
        return self._reply(step.thought.strip(), step.code)

    def _reply(self, thought: str, code: str) -> str:
        labels = self.labels
        call = f'{labels.action}: {INTERPRETER}\n{labels.action_input}:\n{fence(code)}'
        return f'{labels.thought}: {thought}\n{call}'

    def _response(self, text: str) -> str:
        return f'{self.labels.response}: {text}'


def shorten(text: str, limit: int) -> str:
    """`text` within `limit` characters: its head and its tail, the cut marked between them."""
    if len(text) <= limit:
        return text
    mark = f'\n[… {len(text) - limit} characters left out …]\n'
    head = limit * 2 // 3
    return text[:head] + mark + text[len(text) - (limit - head) :]
