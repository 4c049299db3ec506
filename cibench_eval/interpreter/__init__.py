"""Code -> Execution: IPython kernels, one fresh kernel per session, each in a sandbox and in a kernel environment.

    async with Interpreter(KernelSettings(environment='modern')) as interpreter:
        execution = await interpreter.run('1 + 1')

Nothing here knows of models, agents or scores.
"""

from cibench_eval.interpreter.interpreter import BlockingInterpreter, Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings

__all__ = ['BlockingInterpreter', 'Interpreter', 'KernelPool', 'KernelSettings']
