"""Function calling as the OpenAI API has it, for models trained on it: one function, `IPythonInterpreter(code)`.

How a reply is read:

- All calls, at most eight, run one after the other, each as its own cell; the last one with code counts. Every call is
  answered, because an API refuses the next request if an answer is missing.
- `parsing.tool_arguments` finds the code in the arguments. Arguments without code, and calls of another function, run
  nothing.
- Text without a call is a final answer, which ends the step. But if it has code in it (`parsing.stray_code`), the model
  meant to call, and is told how; as is a model that said nothing, whose call the server could not read, or whose reply
  was cut at its length limit before a call. A call that was cut does not run either.

In the conversation, calls have unique ids, names that APIs accept, and valid JSON as arguments, since chat templates of
servers parse them.
"""

import hashlib
import json
import re
from dataclasses import dataclass
from typing import Any, ClassVar

from cibench_eval.agents.parsing.stray_code import has_code
from cibench_eval.agents.parsing.tool_arguments import read_arguments
from cibench_eval.agents.protocols.base import CUT, FILTERED, AgentProtocol, ParsedReply, assistant
from cibench_eval.fences import fence, is_json, unix, unwrap
from cibench_eval.models.base import Tool
from cibench_eval.schema import INTERPRETER, Action, Language, Message, Reply, Step, ToolCall

MOST_CALLS = 8
"""Most calls of a reply that run."""
BEYOND = f'Not run: at most {MOST_CALLS} calls of a turn are run.'


@dataclass(frozen=True)
class ToolCalls(AgentProtocol):
    """The protocol of models that are trained to call functions. The function's description goes with each request."""

    own_prompt: ClassVar[str] = 'tool_calls'
    name: str = 'tool_calls'

    def tools(self, language: Language) -> list[Tool]:
        templates = self.templates(language)
        code = {'type': 'string', 'description': templates.argument}
        parameters = {'type': 'object', 'properties': {'code': code}, 'required': ['code']}
        function = {'name': INTERPRETER, 'description': templates.description, 'parameters': parameters}
        return [{'type': 'function', 'function': function}]

    def read(self, reply: Reply) -> ParsedReply:
        text = unix(reply.text).strip()
        if reply.tool_calls:
            actions = [_called(call, reply, text) for call in reply.tool_calls[:MOST_CALLS]]
            beyond = reply.tool_calls[MOST_CALLS:]
            actions += [Action(tool=call.name, argument=call.arguments, problem=BEYOND) for call in beyond]
            kept: Message = {'role': 'assistant', 'content': text, 'tool_calls': _sound(reply, actions)}
            return ParsedReply(reply, actions, kept)
        problem = _why_no_call(reply, text)
        action = Action(thought=text if problem else '', argument=text, final=not problem, problem=problem)
        return ParsedReply(reply, [action], assistant(text))

    def answers(self, kept: Message, observed: list[str]) -> list[Message]:
        """An answer to each call; without calls, the observation as the user's turn."""
        answers: list[Message] = [
            {'role': 'tool', 'content': text, 'tool_call_id': call['id']}
            for call, text in zip(kept.get('tool_calls', []), observed, strict=False)
        ]
        return answers or super().answers(kept, observed)

    def gold(self, step: Step) -> Reply:
        code = step.code if unwrap(step.code) == step.code else fence(step.code)
        call = ToolCall(id=f'gold{step.index:05d}', name=INTERPRETER, arguments=_arguments(code))
        return Reply(text=step.thought.strip(), tool_calls=[call], finish_reason='tool_calls')


def _called(call: ToolCall, reply: Reply, thought: str) -> Action:
    name = INTERPRETER if _is_interpreter(call.name) else call.name
    arguments = read_arguments(call.arguments)
    problem = ''
    if name != INTERPRETER:
        problem = f'There is no function named {call.name!r}; call {INTERPRETER}.'
    elif reply.cut and not is_json(call.arguments):
        problem = FILTERED if reply.finish_reason == 'content_filter' else CUT
    elif not (arguments.code or '').strip():
        problem = f'There is no code in the arguments; call {INTERPRETER} with {{"code": "…"}}.'
    return Action(
        thought=thought,
        tool=name,
        argument=call.arguments,
        code=None if problem else arguments.code,
        problem=problem,
        repaired=arguments.repaired and not problem,
    )


def _why_no_call(reply: Reply, text: str) -> str:
    """Why a reply without a call is no final answer; empty if it is one."""
    if reply.cut:
        return f'The reply was cut before {INTERPRETER} was called; call it at once.'
    if reply.finish_reason == 'malformed_function_call':
        return f'The call could not be read; call the function {INTERPRETER} with {{"code": "…"}}.'
    if not text:
        return f'There was no answer; call the function {INTERPRETER} with the code.'
    if has_code(text):
        return f'Code in the text of a reply is not run; call the function {INTERPRETER} with it.'
    return ''


def _is_interpreter(name: str) -> bool:
    """Whether a name means the interpreter; some models put a namespace before it, a number or a mark after it."""
    return INTERPRETER in re.findall(r'\w+', name)


def _arguments(code: str) -> str:
    return json.dumps({'code': code}, ensure_ascii=False)


def _sound(reply: Reply, actions: list[Action]) -> list[dict[str, Any]]:
    """The calls of a reply in a form that any server accepts, with the code that was run."""
    calls: list[dict[str, Any]] = []
    ids: set[str] = set()
    for index, (call, action) in enumerate(zip(reply.tool_calls, actions, strict=True)):
        own = hashlib.sha256(f'{index} {call.name} {call.arguments}'.encode()).hexdigest()[:9]
        name = INTERPRETER if _is_interpreter(call.name) else re.sub(r'[^\w-]', '_', call.name, flags=re.ASCII)[:64]
        identifier = call.id if call.id.strip() and call.id not in ids else own
        ids.add(identifier)
        code = call.arguments if action.code is None else action.code
        function = {'name': name or INTERPRETER, 'arguments': _arguments(code)}
        calls.append({'id': identifier, 'type': 'function', 'function': function})
    return calls
