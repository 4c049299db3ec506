"""Our interpreter as a tool of LangChain and LangGraph: `interpreter_tool(interpreter)`."""

from langchain_core.tools import BaseTool, StructuredTool

from cibench_eval.interpreter import BlockingInterpreter
from cibench_eval.rendering import render
from cibench_eval.schema import INTERPRETER


def interpreter_tool(interpreter: BlockingInterpreter) -> BaseTool:
    """A tool that runs code in an interpreter that has been started; calls at the same time run one after the other.

    The model sees what the code printed, its last value or its error. Figures are the tool message's `artifact`: the
    bytes of each as PNG.
    """

    def run(code: str) -> tuple[str, list[bytes]]:
        """Run Python code in a Jupyter notebook. Variables stay between calls."""
        done = interpreter.run(code)
        return render(done) or 'no output', [figure.data for figure in done.figures]

    return StructuredTool.from_function(run, name=INTERPRETER, response_format='content_and_artifact')
