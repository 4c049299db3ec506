"""Code blocks: the last fenced block of a reply is the action. The least that a model has to keep to.

What is read of a reply:

- It ends where the model begins to write the output itself: a line that begins with `Output of the code:`. A leading
  `<think>…</think>` block is not there.
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

from cibench_eval.agents.parsing.code import Block, blocks, fence, outside_blocks
from cibench_eval.agents.parsing.grammar import visible
from cibench_eval.agents.prompts import CODE_BLOCK, Words
from cibench_eval.agents.protocols.base import CUT, NOTHING, AgentProtocol, turns
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Reply, Step

PYTHON = {'code', 'ipython', 'ipython3', 'jupyter', 'py', 'python', 'python3', 'tool_code'}
OUTPUT: dict[Language, str] = {'en': 'Output of the code', 'cn': '代码的输出'}
OUTPUT_LINE = re.compile(rf'[ \t>*#]*(?:{"|".join(OUTPUT.values())})\**[ \t]*[:：]')


@dataclass(frozen=True)
class CodeBlock(AgentProtocol):
    """The protocol for small models.

    Args:
        example: whether the conversation opens with a worked example.
    """

    example: bool = True
    prompt_language: Language | None = None
    observation_limit: int = 1024
    name: str = 'code_block'

    @property
    def stop(self) -> list[str]:
        return [f'\n{label}{colon}' for label in OUTPUT.values() for colon in ':：']

    def opening(self, language: Language) -> list[Message]:
        words = self._words(language)
        instructions: Message = {'role': 'system', 'content': words.instructions}
        if not self.example or not words.example:
            return [instructions]
        question, thought, code, output = words.example
        return [instructions, *turns(question, _said(thought, code), self._output(output, language))]

    def parse(self, reply: Reply) -> Action:
        text, block = _acted(reply)
        if block is None:
            return Action(thought=text, argument=text, problem=_problem(reply, text))
        thought, argument = text[: block.start].strip(), text[block.start : block.end]
        return Action(thought=thought, tool=INTERPRETER, argument=argument, code=block.code)

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return action.problem if execution is None else self._output(self._shown(execution, language), language)

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """The reply up to the end of the block that ran."""
        text, block = _acted(reply)
        said = (text[: block.end] if block else text).strip() or NOTHING
        return super().exchange(reply.model_copy(update={'text': said}), action, observation)

    def gold(self, step: Step) -> Reply:
        return Reply(text=_said(step.thought.strip(), step.code))

    def _words(self, language: Language) -> Words:
        return CODE_BLOCK[self.prompt_language or language]

    def _output(self, text: str, language: Language) -> str:
        return f'{OUTPUT[self.prompt_language or language]}:\n{text}'


def _said(thought: str, code: str) -> str:
    return f'{thought}\n{fence(code)}'.lstrip('\n')


def _acted(reply: Reply) -> tuple[str, Block | None]:
    """A reply without what it says of the output, and the block in it that is the action."""
    text = _before_output(visible(reply.text))
    cut = reply.finish_reason == 'length'
    candidates = _runnable(block for block in blocks(text) if block.closed or not cut)
    return text, candidates[-1] if candidates else None


def _runnable(found: Iterable[Block]) -> list[Block]:
    filled = [block for block in found if block.code.strip()]
    marked = [block for block in filled if block.language in PYTHON]
    return marked or [block for block in filled if not block.language]


def _problem(reply: Reply, text: str) -> str:
    if reply.finish_reason == 'length' and _runnable(blocks(text)):
        return CUT
    return 'There is no ```python block in the answer; write the code in one.'


def _before_output(text: str) -> str:
    first = next((offset for offset, line in outside_blocks(text) if OUTPUT_LINE.match(line)), len(text))
    return text[:first]
