"""Our interpreter as the executor of smolagents: `CodeAgent(tools=[…], model=…, executor=SandboxExecutor())`."""

from smolagents.default_tools import FinalAnswerTool
from smolagents.local_python_executor import CodeOutput
from smolagents.monitoring import AgentLogger, LogLevel
from smolagents.remote_executors import RemotePythonExecutor
from smolagents.utils import AgentExecutionError

from cibench_eval.interpreter import BlockingInterpreter, KernelSettings
from cibench_eval.rendering import render


class SandboxExecutor(RemotePythonExecutor):
    """Runs an agent's code in a kernel of its own; `cleanup`, which the agent calls in its own, ends it.

    Tools are sent as source and run in the sandbox, with the packages of its kernel environment. Variables and the
    final answer cross as JSON, never as pickles.

    Args:
        settings: how code is run; None is the defaults.

    Raises:
        HarnessError: the kernel could not be started.
    """

    def __init__(self, settings: KernelSettings | None = None) -> None:
        super().__init__([], AgentLogger(level=LogLevel.ERROR))
        self._interpreter = BlockingInterpreter(settings or KernelSettings())
        self._interpreter.start()

    def run_code_raise_errors(self, code: str) -> CodeOutput:
        """Run code; an `AgentExecutionError` where it failed; the agent shows the message to its model."""
        done = self._interpreter.run(code)
        if done.error and done.error.name == self.FINAL_ANSWER_EXCEPTION:
            return CodeOutput(self._deserialize_final_answer(done.error.value), done.stdout, is_final_answer=True)
        if done.status != 'ok':
            raise AgentExecutionError(render(done), self.logger)
        return CodeOutput(done.result, done.stdout, is_final_answer=False)

    def _patch_final_answer_with_exception(self, final_answer_tool: FinalAnswerTool) -> None:
        """Patch the tool in the first run of an agent alone: smolagents would patch its own patch in the second."""
        if not hasattr(final_answer_tool, '_forward'):
            super()._patch_final_answer_with_exception(final_answer_tool)

    def install_packages(self, additional_imports: list[str]) -> list[str]:
        """Install nothing: the sandbox has no network, and a kernel environment is fixed."""
        return additional_imports

    def cleanup(self) -> None:
        """End the kernel."""
        self._interpreter.close()
