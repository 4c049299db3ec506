"""lagent's ReAct agent for `FunctionAgent(path='cibench_eval.agents.lagent_agent:react')`.

Importing this module imports lagent. Other agents of lagent work in the same way, with `TaskModel` as their `llm` and
`TaskAction` among their actions.
"""

from typing import Any

from lagent.actions import ActionExecutor, BaseAction
from lagent.actions.parser import BaseParser
from lagent.agents.react import CALL_PROTOCOL_CN, CALL_PROTOCOL_EN, ReAct, ReActProtocol
from lagent.schema import ActionReturn, ActionStatusCode

from cibench_eval.agents.protocols.base import CUT
from cibench_eval.agents.task import BlockingTask
from cibench_eval.fences import extract, unix
from cibench_eval.models.base import cut
from cibench_eval.schema import INTERPRETER


class TaskModel:
    """The model of the config, with the interface of lagent's models; a reply ends at one of the texts `stop`."""

    def __init__(self, task: BlockingTask, stop: tuple[str, ...] = ('\nResponse:',)) -> None:
        self._task, self._stop = task, stop

    def chat(self, messages: list[dict[str, Any]], **_: object) -> str:
        """The reply to a chat in lagent's form, in which outputs of tools are turns of the system."""
        turns: Any = [
            {**turn, 'role': 'user'} if index and turn['role'] == 'system' else turn
            for index, turn in enumerate(messages)
        ]
        return cut(self._task.ask(turns, stop=self._stop).text, self._stop)


class CodeParser(BaseParser):
    """Reads the input of an action as its code; lagent's parsers expect JSON or a tuple."""

    def parse_inputs(self, inputs: str | dict[str, str], name: str = 'run') -> dict[str, str]:
        return inputs if isinstance(inputs, dict) else {'command': inputs}


class TaskAction(BaseAction):
    """The session's interpreter as an action of lagent."""

    def __init__(self, task: BlockingTask, parser: type[BaseParser] = CodeParser) -> None:
        super().__init__({**self.__tool_description__, 'name': INTERPRETER}, parser)
        self._task = task

    def run(self, command: str) -> ActionReturn:
        """Run Python code in a jupyter notebook.

        Args:
            command (:class:`str`): Python code, in a fenced block or bare
        """
        outcome = ActionReturn(args={'text': command}, type=self.name)
        found = extract(unix(command))
        if self._task.cut and not found.whole:
            outcome.errmsg, outcome.state = CUT, ActionStatusCode.ARGS_ERROR
            return outcome
        execution = self._task.run(found.code)
        shown = self._task.shown(execution)
        if execution.status == 'ok':
            outcome.result, outcome.state = [{'type': 'text', 'content': shown}], ActionStatusCode.SUCCESS
        else:
            outcome.errmsg, outcome.state = shown, ActionStatusCode.API_ERROR
        return outcome


def react(task: BlockingTask) -> None:
    """Let lagent's ReAct agent work on a step, in the language of the experiment."""
    prompt = CALL_PROTOCOL_CN if task.language == 'cn' else CALL_PROTOCOL_EN
    protocol = ReActProtocol(call_protocol=prompt)
    executor = ActionExecutor([TaskAction(task)])
    ReAct(TaskModel(task), executor, protocol, max_turn=task.attempts_left + 1).chat(list(task.messages))
