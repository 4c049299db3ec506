"""Code -> Execution: IPython kernels, one fresh kernel a session, in a sandbox and an environment of its own.

    async with Interpreter(KernelSettings(environment='modern')) as interpreter:
        execution = await interpreter.run('1 + 1')

This floor knows nothing of models, agents or scores.
"""

from cibench_eval.interpreter.interpreter import BlockingInterpreter, Interpreter
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings

__all__ = ['BlockingInterpreter', 'Interpreter', 'KernelPool', 'KernelSettings']
