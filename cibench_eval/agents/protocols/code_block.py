"""Code blocks: the last fenced block of a reply is the action. The least that a model has to keep to.

What is read of a reply:

- It ends where the model begins to write the output itself: a line that begins with `Output of the code:`.
- The last block that is marked as Python (`python`, `py`, `ipython`, `tool_code`, …) runs; if none is marked so, the
  last that is not marked at all, since models show in such blocks what they expect as output, too. Blocks in another
  language, and empty ones, never run.
- No such block: nothing runs, the observation asks for one. There are no final answers: every step of a benchmark asks
  for code, so a text in its place, or nothing, is a failed attempt and never the end of a step.
- A block that is never closed runs to the end of the reply, unless the reply was cut at its limit of length: half of
  a program can run well and leave a state, and an output, that the model never meant. Then the last block that is
  whole runs; if there is none, none.

What stands behind the block that ran is left out of the conversation.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar

from cibench_eval.agents.parsing.code import Block, blocks, fence, outside_blocks, unix
from cibench_eval.agents.protocols.base import CUT, AgentProtocol, Parsed, assistant, turns
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Reply, Step

PYTHON = {'code', 'ipython', 'ipython3', 'jupyter', 'py', 'python', 'python3', 'tool_code'}
OUTPUT: dict[Language, str] = {'en': 'Output of the code', 'cn': '代码的输出'}
OUTPUT_LINE = re.compile(rf'[ \t>*#]*(?:{"|".join(OUTPUT.values())})\**[ \t]*[:：]')
NO_BLOCK = 'There is no ```python block in the answer; write the code in one.'


@dataclass(frozen=True)
class CodeBlock(AgentProtocol):
    """The protocol for small models.

    Args:
        example: whether the conversation opens with the prompt's worked example.
    """

    own_prompt: ClassVar[str] = 'code_block'
    example: bool = True
    name: str = 'code_block'

    @property
    def stop(self) -> list[str]:
        return [f'\n{label}{colon}' for label in OUTPUT.values() for colon in ':：']

    def opening(self, language: Language) -> list[Message]:
        example = self.templates(language).example if self.example else None
        if not example:
            return super().opening(language)
        answer, output = _answer(example.thought, example.code), self._output(example.output, language)
        shown = [*self.ask(example.question, language), *turns('', answer, output)[1:]]
        return [*super().opening(language), *shown]

    def read(self, reply: Reply) -> Parsed:
        text, cut = _before_output(unix(reply.text)), reply.finish_reason == 'length'
        fenced = blocks(text)
        runnable = _runnable(block for block in fenced if block.closed or not cut)
        if not runnable:
            if self.explore and text.strip() and not cut:
                return Parsed(reply, Action(argument=text, final=True), assistant(text))
            problem = CUT if cut and _runnable(fenced) else NO_BLOCK
            return Parsed(reply, Action(thought=text, argument=text, problem=problem), assistant(text))
        block = runnable[-1]
        thought, argument = text[: block.start].strip(), text[block.start : block.end]
        action = Action(thought=thought, tool=INTERPRETER, argument=argument, code=block.code)
        return Parsed(reply, action, assistant(text[: block.end]))

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return action.problem if execution is None else self._output(self._shown(execution, language), language)

    def gold(self, step: Step) -> Reply:
        return Reply(text=_answer(step.thought.strip(), step.code))

    def _output(self, text: str, language: Language) -> str:
        return f'{OUTPUT[self.prompt_language or language]}:\n{text}'


def _answer(thought: str, code: str) -> str:
    return f'{thought}\n{fence(code)}'.lstrip('\n')


def _runnable(fenced: Iterable[Block]) -> list[Block]:
    filled = [block for block in fenced if block.code.strip()]
    marked = [block for block in filled if block.language in PYTHON]
    return marked or [block for block in filled if not block.language]


def _before_output(text: str) -> str:
    first = next((offset for offset, line in outside_blocks(text) if OUTPUT_LINE.match(line)), len(text))
    return text[:first]
