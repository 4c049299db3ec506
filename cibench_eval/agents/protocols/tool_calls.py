"""Function calling as the OpenAI API has it, for models trained on it: one function, `IPythonInterpreter(code)`.

What is read of a reply:

- The first call runs. Every further one is answered that only one call a turn is run: an API refuses the next request
  if a call has no answer.
- Its arguments should be JSON with `code`. Understood, too: another key, Python's notation of a dict, JSON with line
  feeds, quotes or backslashes that are not escaped, JSON in a JSON string, code without any JSON; a fence around the
  whole code is taken off. Arguments that hold no code, and calls of another function, run nothing.
- No call, but text: a final answer, which ends the step. Unless there is a fenced block, or the markup of a call, in
  it: then the model meant to call, and is told how. So is one that said nothing, or whose reply was cut by its limit
  of length before a call was made. Code in a call that was cut does not run, either.
- A leading `<think>…</think>` block is not there.

What goes back into the conversation: the calls with ids of their own kind where they have none or the same, names that
APIs accept, and arguments that are valid JSON, since chat templates of servers parse them.
"""

from __future__ import annotations

import ast
import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any

from cibench_eval.agents.parsing.code import KEYS, blocks, fence, unwrap
from cibench_eval.agents.parsing.grammar import visible
from cibench_eval.agents.prompts import TOOL_CALLS, ToolWords
from cibench_eval.agents.protocols.base import CUT, NOTHING, AgentProtocol
from cibench_eval.models.base import Tool
from cibench_eval.schema import INTERPRETER, Action, Execution, Language, Message, Reply, Step, ToolCall, unicode_text

MARKUP = re.compile(r'<\|?tool_?call|\[TOOL_CALLS\]|<function|functools\[|<\|python_tag\|>')
"""How calls begin in the texts of several models; it is seen only where a server does not read them."""
BROKEN = re.compile(rf'\s*\{{\s*"(?:{"|".join(KEYS)})"\s*:\s*"(.*)"\s*\}}\s*', re.DOTALL)
"""JSON with the code as its only value, whatever is in it."""
UNESCAPED = re.compile(r'\\(?!["\\/bfnrtu])|(\\.)|(")', re.DOTALL)
LITERAL = 100_000
"""Characters of a dict in Python's notation, at most: its parser is not made for hostile texts."""


@dataclass(frozen=True)
class ToolCalls(AgentProtocol):
    """The protocol of models that are trained to call functions.

    Args:
        prompt_language: language of the instructions; None follows the experiment's (the function's description, which
            goes with each request, is then English).
    """

    prompt_language: Language | None = None
    observation_limit: int = 1024
    name: str = 'tool_calls'

    def tools(self, language: Language) -> list[Tool]:
        words = self._words(language)
        code = {'type': 'string', 'description': words.argument}
        parameters = {'type': 'object', 'properties': {'code': code}, 'required': ['code']}
        function = {'name': INTERPRETER, 'description': words.description, 'parameters': parameters}
        return [{'type': 'function', 'function': function}]

    def opening(self, language: Language) -> list[Message]:
        return [{'role': 'system', 'content': self._words(language).instructions.format(tool=INTERPRETER)}]

    def parse(self, reply: Reply) -> Action:
        thought = visible(reply.text).strip()
        if not reply.tool_calls:
            problem = self._silence(reply, thought)
            return Action(thought='' if not problem else thought, argument=thought, final=not problem, problem=problem)
        call = reply.tool_calls[0]
        code = code_of(call.arguments)
        name = INTERPRETER if _is_interpreter(call.name) else call.name
        if name != INTERPRETER:
            problem = f'There is no function named {call.name!r}; call {INTERPRETER}.'
        elif reply.finish_reason == 'length' and not _is_json(call.arguments):
            problem = CUT
        elif code is None or not code.strip():
            problem = f'There is no code in the arguments; call {INTERPRETER} with {{"code": "…"}}.'
        else:
            return Action(thought=thought, tool=name, argument=call.arguments, code=code)
        return Action(thought=thought, tool=name, argument=call.arguments, problem=problem)

    def _silence(self, reply: Reply, text: str) -> str:
        """Why a reply without a call is no final answer; empty if it is one."""
        if reply.finish_reason == 'length':
            return f'The reply was cut before {INTERPRETER} was called; call it at once.'
        if not text:
            return f'There was no answer; call the function {INTERPRETER} with the code.'
        if MARKUP.search(text) or blocks(text):
            return f'Code in the text of a reply is not run; call the function {INTERPRETER} with it.'
        return ''

    def observe(self, action: Action, execution: Execution | None, language: Language) -> str:
        return action.problem if execution is None else self._shown(execution, language)

    def exchange(self, reply: Reply, action: Action, observation: str) -> list[Message]:
        """The reply with its calls, and an answer to each; without calls, the observation as the user's turn."""
        said = visible(reply.text).strip()
        if not reply.tool_calls:
            return super().exchange(reply.model_copy(update={'text': said or NOTHING}), action, observation)
        calls = _sound(reply.tool_calls, action)
        further = self._words('en').one_only
        answers: list[Message] = [
            {'role': 'tool', 'content': further if index else observation, 'tool_call_id': call['id']}
            for index, call in enumerate(calls)
        ]
        return [{'role': 'assistant', 'content': said, 'tool_calls': calls}, *answers]

    def gold(self, step: Step) -> Reply:
        code = step.code if unwrap(step.code) == step.code else fence(step.code)
        call = ToolCall(id=f'gold{step.index:05d}', name=INTERPRETER, arguments=_arguments(code))
        return Reply(text=step.thought.strip(), tool_calls=[call], finish_reason='tool_calls')

    def _words(self, language: Language) -> ToolWords:
        return TOOL_CALLS[self.prompt_language or language]


def code_of(arguments: str) -> str | None:
    """The code in a call's arguments; None if they are JSON that has none."""
    value = _value(arguments)
    if isinstance(value, str) and value is not arguments and value.lstrip().startswith('{'):
        value = _value(value)  # JSON in a JSON string
    if isinstance(value, dict):
        texts = [text for text in map(_text, value.values()) if text is not None]
        named = [text for key in KEYS if (text := _text(value.get(key))) is not None]
        value = next(iter(named or (texts if len(texts) == 1 else [])), None)
    elif not isinstance(value, str):
        value = None if value is None or isinstance(value, list) else arguments
    return None if value is None else unwrap(unicode_text(value))


def _value(text: str) -> Any:
    """`text` read as JSON or what is meant as such; the text itself if it is neither."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        pass
    if broken := BROKEN.fullmatch(text):
        return _repaired(broken.group(1))
    if len(text) < LITERAL and text.lstrip().startswith("{'"):
        try:
            return ast.literal_eval(text.strip())
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            return text
    return text


def _repaired(inner: str) -> str:
    """The text that a JSON string stands for in which quotes or backslashes are not escaped."""
    escaped = UNESCAPED.sub(lambda m: m.group(1) or ('\\"' if m.group(2) else '\\\\'), inner)
    try:
        return str(json.loads(f'"{escaped}"', strict=False))
    except ValueError:
        return inner


def _text(value: Any) -> str | None:
    """A text, or the lines of one."""
    if isinstance(value, list) and value and all(isinstance(line, str) for line in value):
        return '\n'.join(line.removesuffix('\n') for line in value)
    return value if isinstance(value, str) else None


def _is_json(text: str) -> bool:
    try:
        json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _is_interpreter(name: str) -> bool:
    """Whether a call is one of the interpreter; some models put a namespace before the name."""
    return name.strip().rpartition('.')[2] == INTERPRETER


def _arguments(code: str) -> str:
    return json.dumps({'code': code}, ensure_ascii=False)


def _sound(calls: list[ToolCall], action: Action) -> list[dict[str, Any]]:
    """The calls of a reply as any server takes them back. The first has the code that was run."""
    made: list[dict[str, Any]] = []
    ids: set[str] = set()
    for index, call in enumerate(calls):
        code = action.code if index == 0 else code_of(call.arguments)
        own = hashlib.sha256(f'{index} {call.name} {call.arguments}'.encode()).hexdigest()[:9]
        name = INTERPRETER if _is_interpreter(call.name) else re.sub(r'[^\w-]', '_', call.name, flags=re.ASCII)[:64]
        called = call.id if call.id.strip() and call.id not in ids else own
        ids.add(called)
        function = {'name': name or INTERPRETER, 'arguments': _arguments(call.arguments if code is None else code)}
        made.append({'id': called, 'type': 'function', 'function': function})
    return made
