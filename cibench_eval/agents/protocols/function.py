"""A user's own agent in place of a protocol: a Python function that gets the question and the interpreter.

    # my_agent.py
    from cibench_eval.agents import Task

    async def solve(task: Task) -> None:
        while task.attempts_left:
            reply = await task.ask(task.messages)
            execution = await task.run(task.code_of(reply) or '')
            if execution.status == 'ok':
                break
            task.messages += [{'role': 'user', 'content': task.shown(execution)}]

    # a config
    agents = [dict(abbr='mine', protocol=dict(type=FunctionAgent, path='my_agent:solve'), max_attempts=3)]

`path` names a function, or a class with a method `solve`, of which every session makes one object. A function that is
no coroutine function runs in a thread, with a task whose methods wait (`BlockingTask`).
"""

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cibench_eval.agents.protocols.code_block import CodeBlock
from cibench_eval.registry import own_module
from cibench_eval.schema import CibenchError, Language, Message

Solver = Callable[[Any], Any]


@dataclass(frozen=True)
class FunctionAgent(CodeBlock):
    """A user's own agent. In `Task.messages`, earlier steps are code blocks and their outputs."""

    path: str = ''
    """`module:function` or `module:Class`; modules are also looked for in the current folder."""
    example: bool = False
    name: str = 'function'

    def __post_init__(self) -> None:
        super().__post_init__()
        self.load()

    def load(self) -> Any:
        """The function or class; a `CibenchError` where there is none, or it cannot be called with one task."""
        module, _, name = self.path.partition(':')
        if not module or not name:
            raise CibenchError(f"agents: path is {self.path!r}; it must be 'module:function'")
        try:
            found = getattr(own_module(module, f'agents: path {self.path!r}'), name, None)
        except ModuleNotFoundError as error:
            own = error.name == module
            mend = f'start the run where {module}.py is' if own else f'install {error.name}, which {module} imports'
            raise CibenchError(f'agents: path {self.path!r}: {error}; {mend}') from error
        solve = getattr(found, 'solve', None) if inspect.isclass(found) else found
        if not callable(solve):
            raise CibenchError(f'agents: path {self.path!r}: {module} has no function {name}, nor a class with solve')
        try:
            inspect.signature(solve).bind(*[None] * (1 + inspect.isclass(found)))
        except TypeError as error:
            raise CibenchError(f'agents: path {self.path!r}: it must take one argument, the task: {error}') from error
        return found

    def solver(self) -> Solver:
        """The function that is called for each step of a session."""
        found = self.load()
        if not inspect.isclass(found):
            return found
        made: Any = found()
        return made.solve

    @property
    def stop(self) -> list[str]:
        return []

    def opening(self, language: Language) -> list[Message]:
        return []

    def ask(self, question: str, language: Language) -> list[Message]:
        return [{'role': 'user', 'content': question}]

    def identity(self, language: Language) -> dict[str, Any]:
        source = inspect.getsourcefile(self.load())
        code = hashlib.sha256(Path(source).read_bytes()).hexdigest() if source else ''
        return {**super().identity(language), 'code': code}
