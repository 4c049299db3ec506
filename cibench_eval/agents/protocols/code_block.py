"""Code blocks: the last fenced block of a reply is the action. This asks the least of a model.

How a reply is read:

- It ends where the model begins to write the output itself, at a line that begins with `Output of the code:`, or, after
  code, the user's next turn: `User:`, `### Human:`, `Question:`, `Observation:`, `[INST]` or another template's mark.
- The last block marked as Python (`python`, `py`, `ipython`, `tool_code`, …) runs; without one, the last unmarked
  block that reads as code, or else, where closing words end a step, none. A block of comments, literals and lines like
  `mean: 3.5` alone shows an output; it does not run where another block holds code. (If the blocks have over 100,000
  characters together, each counts as code.) Blocks in another language, and empty ones, never run. Where there is no
  block at all, a fence for Python that opens and closes on one line, with nothing else on it, is one.
- Without such a block nothing runs, and the observation asks for one. There are no final answers: every step of a
  benchmark asks for code, so a text without code is a failed attempt. With `explore`, words without code in any form
  (`parsing.stray_code`) end the step.
- An unclosed block runs to the end of the reply, unless a limit or a filter cut the reply: half a program can run
  well and leave a state, and an output, that the model never meant. Then the last whole block runs, if there is one.

Text after the block that ran is left out of the conversation.
"""

import re
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar

from cibench_eval.agents.parsing.stray_code import has_code
from cibench_eval.agents.protocols.base import CUT, ParsedReply, TextProtocol, assistant
from cibench_eval.fences import (
    LONGEST_PARSED,
    PYTHON,
    Block,
    blocks,
    fence,
    is_code,
    is_shown,
    lone_blocks,
    outside_blocks,
    unix,
)
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Reply

OUTPUT: dict[Language, str] = {'en': 'Output of the code', 'cn': '代码的输出'}
OUTPUT_LINE = re.compile(rf'[ \t>*#]*(?:{"|".join(OUTPUT.values())})\**[ \t]*[:：]')
TURN_LINE = re.compile(
    r'[ \t>#]*\**(?:User|USER|Human|Question|Observation|用户)\**[ \t]*[:：]'
    r'|(?:<s>)?\[INST\]|<[|｜]User[|｜]>|### Instruction:'
)
NO_BLOCK = 'There is no ```python block in the answer; write the code in one.'


@dataclass(frozen=True)
class CodeBlock(TextProtocol):
    """The protocol for small models."""

    own_prompt: ClassVar[str] = 'code_block'
    name: str = 'code_block'

    @property
    def stop(self) -> list[str]:
        return [f'\n{label}{colon}' for label in OUTPUT.values() for colon in ':：']

    def read(self, reply: Reply) -> ParsedReply:
        text, cut = self._own(unix(reply.text)), reply.cut
        fenced = blocks(text) or lone_blocks(text)
        block = self._first([block for block in reversed(fenced) if block.closed or not cut])
        if block is None:
            if self.explore and text.strip() and not cut and not has_code(text):
                return ParsedReply(reply, [Action(argument=text, final=True)], assistant(text))
            problem = CUT if cut and self._first(fenced) else NO_BLOCK
            return ParsedReply(reply, [Action(thought=text, argument=text, problem=problem)], assistant(text))
        thought, argument = text[: block.start].strip(), text[block.start : block.end]
        action = Action(thought=thought, tool=INTERPRETER, argument=argument, code=block.code)
        return ParsedReply(reply, [action], assistant(text[: block.end]))

    def _own(self, text: str) -> str:
        """The text before what the model makes up."""
        first = self._first(blocks(text) or lone_blocks(text))
        after = first.end if first else len(text)
        made_up = (
            offset
            for offset, line in outside_blocks(text)
            if (OUTPUT_LINE.match(line) and text[:offset].strip()) or (TURN_LINE.match(line) and offset >= after)
        )
        return text[: next(made_up, len(text))]

    def _first(self, fenced: list[Block]) -> Block | None:
        """The first block that may run, of those that look most like code."""
        filled = [block for block in fenced if block.code.strip()]
        marked = [block for block in filled if block.language in PYTHON]
        unmarked = [block for block in filled if not block.language]
        long = sum(len(block.code) for block in filled) > LONGEST_PARSED
        code = (block for block in marked if long or not is_shown(block.code))
        bare = (block for block in unmarked if long or (is_code(block.code) and not is_shown(block.code)))
        return next(chain(code, bare, marked, [] if self.explore else unmarked), None)

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        shown = super().observe(action, execution, language)
        return shown if execution is None else self.output(shown, language)

    def call(self, thought: str, code: str) -> str:
        return f'{thought}\n{fence(code)}'.lstrip('\n')

    def output(self, text: str, language: Language) -> str:
        return f'{OUTPUT[self.prompt_language or language]}:\n{text}'
