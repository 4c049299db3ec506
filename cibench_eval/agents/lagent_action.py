"""The interpreter as an action of lagent, for use by its agents.

    action = IPythonAction(KernelSettings(environment='modern'))
    ActionExecutor([action])('IPythonInterpreter', {'command': 'print(1)'})

Importing this module imports lagent.
"""

import tempfile
from pathlib import Path

from lagent.actions import BaseAction
from lagent.actions.parser import BaseParser, JsonParser
from lagent.schema import ActionReturn, ActionStatusCode

from cibench_eval.fences import extract_code
from cibench_eval.interpreter import BlockingInterpreter, KernelSettings
from cibench_eval.rendering import render
from cibench_eval.schema import INTERPRETER


class IPythonAction(BaseAction):
    """Our interpreter in the form of lagent's `IPythonInterpreter`, with the same results.

    lagent registers actions by the names of their classes, so this class has another name than lagent's; the model sees
    `IPythonInterpreter`.

    Args:
        settings: how code is run; None is the defaults.
        figures: folder for figures, named by their content hash; None is a temporary one.
        description, parser, enable: as in lagent.
    """

    def __init__(
        self,
        settings: KernelSettings | None = None,
        figures: Path | None = None,
        description: dict[str, object] | None = None,
        parser: type[BaseParser] = JsonParser,
        enable: bool = True,
    ) -> None:
        super().__init__(description or {**self.__tool_description__, 'name': INTERPRETER}, parser, enable)
        self._settings = settings or KernelSettings()
        self._figures = Path(tempfile.mkdtemp(prefix='cibench-figures-')) if figures is None else figures
        self._interpreter: BlockingInterpreter | None = None

    def run(self, command: str, timeout: float | None = None) -> ActionReturn:
        """Run Python code in a jupyter notebook.

        Args:
            command (:class:`str`): Python code, in a fenced block or bare
            timeout (:class:`Optional[float]`): wall-clock seconds it may take
        """
        if self._interpreter is None:
            self._interpreter = BlockingInterpreter(self._settings)
            self._interpreter.start()
        code = extract_code(command)
        execution = self._interpreter.run(code, timeout)
        outcome = ActionReturn(args={'text': command, 'extract_code': code}, type=self.name)
        if execution.status != 'ok':
            outcome.errmsg, outcome.state = render(execution) or execution.status, ActionStatusCode.API_ERROR
            return outcome
        outcome.result = [{'type': 'text', 'content': render(execution)}]
        outcome.result += [{'type': 'image', 'content': str(f.save(self._figures))} for f in execution.figures]
        outcome.state = ActionStatusCode.SUCCESS
        return outcome

    def reset(self) -> None:
        """Go on with a fresh kernel."""
        self.close()

    def close(self) -> None:
        """End the kernel; the next call starts another."""
        interpreter, self._interpreter = self._interpreter, None
        if interpreter is not None:
            interpreter.close()
