"""A backend that answers from a script: for trying a protocol or an agent without a model.

A script is one of

- a reply, which answers every question;
- a list, whose n-th entry is for step n (from 0) of every experiment;
- a mapping from experiments (`pandas/penguins`, or `'*'` for all others) to one of the above, or to a mapping from step
  numbers to entries.

An entry is a reply, for every attempt at the step, or a list of replies, one for each attempt. A reply is a text, or a
mapping with the fields of `Reply`; a tool call in it needs a `name` and `arguments` (text, or the object itself).

A file that ends in .yaml, .yml or .json holds a script; the text of one that ends in .txt is a reply. For example:

    pandas/penguins:
      0: |
        Thought: ...
      1: [first attempt, second attempt]
    '*':
      tool_calls: [{name: python, arguments: {code: 'print(1)'}}]
"""

import functools
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from cibench_eval.models.base import Tools, Turn, cut
from cibench_eval.models.replay import Replay
from cibench_eval.schema import CibenchError, HarnessError, Message, Reply, problem

ALL = '*'
SUFFIXES = ('.yaml', '.yml', '.json', '.txt')
Entry = Reply | list[Reply]
Steps = Reply | dict[int, Entry]


class ScriptReplay(Replay):
    """Answers with the replies of a script. Texts are cut at the protocol's stop words, as a model's would be.

    Args:
        path: file with a script.
        replies: the script itself, instead.
    """

    def __init__(self, path: str | None = None, replies: Any = None) -> None:
        if (path is None) == (replies is None):
            raise CibenchError('ScriptReplay: give either `path` or `replies`')
        self._path = path
        self._replies = replies

    def check(self) -> None:
        self._script  # noqa: B018 - reads it

    @functools.cached_property
    def _script(self) -> dict[str, Steps]:
        """By experiment: the replies at each step."""
        if self._path is None:
            return _read(self._replies, 'replies')
        return _read(_content(Path(self._path).expanduser()), self._path)

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        reply = self._reply(turn)
        return reply.model_copy(update={'text': cut(reply.text, stop)})

    def _reply(self, turn: Turn) -> Reply:
        steps = self._script.get(turn.experiment, self._script.get(ALL))
        if steps is None:
            raise self._missing(f'experiment {turn.experiment}')
        entry = steps if isinstance(steps, Reply) else steps.get(turn.step)
        if entry is None:
            raise self._missing(f'{turn.experiment}, step {turn.step}')
        if isinstance(entry, Reply):
            return entry
        if turn.attempt >= len(entry):
            raise self._missing(f'{turn.experiment}, step {turn.step}, attempt {turn.attempt}')
        return entry[turn.attempt]

    def _missing(self, where: str) -> HarnessError:
        name = self._path or 'replies'
        return HarnessError(f'ScriptReplay: {name} has no reply for {where} (steps and attempts count from 0)')


def _content(path: Path) -> Any:
    if path.suffix not in SUFFIXES:
        raise _error(str(path), f'a file of replies ends in {", ".join(SUFFIXES)}')
    try:
        text = path.read_text(encoding='utf-8')
    except (OSError, ValueError) as error:
        raise CibenchError(f'ScriptReplay: {path} cannot be read: {error}') from error
    try:
        if path.suffix == '.json':
            return json.loads(text)
        return yaml.safe_load(text) if path.suffix in ('.yaml', '.yml') else text
    except json.JSONDecodeError as error:
        raise _error(f'{path}, line {error.lineno}, column {error.colno}', error.msg) from error
    except yaml.MarkedYAMLError as error:
        at, problem = error.problem_mark, error.problem or str(error)
        raise _error(f'{path}, line {at.line + 1}, column {at.column + 1}' if at else str(path), problem) from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise _error(str(path), str(error)) from error


def _read(content: Any, name: str) -> dict[str, Steps]:
    """Parse a script; errors begin with `name`."""
    if isinstance(content, str | list) or _is_reply(content):
        return {ALL: _steps(content, name)}
    if not isinstance(content, dict) or not content:
        raise _error(name, f'a script is a reply, a list or a mapping, not {_kind(content)}')
    return {str(key): _steps(value, f'{name}, {key}') for key, value in content.items()}


def _steps(content: Any, where: str) -> Steps:
    if isinstance(content, str) or _is_reply(content):
        return _reply(content, where)
    if isinstance(content, list):
        return {index: _entry(entry, f'{where}, step {index}') for index, entry in enumerate(content)}
    if not isinstance(content, dict):
        raise _error(where, f'an experiment has a reply, a list or a mapping of its steps, not {_kind(content)}')
    return {_number(key, where): _entry(entry, f'{where}, step {key}') for key, entry in content.items()}


def _entry(content: Any, where: str) -> Entry:
    if isinstance(content, list):
        return [_reply(reply, f'{where}, attempt {index}') for index, reply in enumerate(content)]
    return _reply(content, where)


def _reply(content: Any, where: str) -> Reply:
    if isinstance(content, str):
        return Reply(text=content)
    if not _is_reply(content):
        raise _error(where, f'a reply is a text or a mapping with text or tool_calls, not {_kind(content)}')
    try:
        calls = [_call(call, index) for index, call in enumerate(content.get('tool_calls') or [])]
        finish = 'tool_calls' if calls else 'stop'
        return Reply.model_validate({'text': '', 'finish_reason': finish, **content, 'tool_calls': calls})
    except (ValidationError, TypeError, AttributeError) as error:
        raise _error(where, problem(error)) from error


def _call(call: dict[str, Any], index: int) -> dict[str, Any]:
    arguments = call.get('arguments', '')
    return {
        'id': f'call_{index}',
        **call,
        'arguments': arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
    }


def _is_reply(content: Any) -> bool:
    return isinstance(content, dict) and bool({'text', 'tool_calls'} & content.keys())


def _number(key: Any, where: str) -> int:
    if not str(key).isdecimal():
        raise _error(where, f'{key!r} is not the number of a step')
    return int(key)


def _kind(content: Any) -> str:
    return 'nothing' if content is None else f'{type(content).__name__} {str(content)[:40]!r}'


def _error(where: str, cause: str) -> CibenchError:
    return CibenchError(f'ScriptReplay: {where}: {" ".join(cause.split())}')
