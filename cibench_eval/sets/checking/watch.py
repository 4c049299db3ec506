"""Kernels that report which other machines their code tries to reach, with or without success."""

import re
from pathlib import Path

from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.schema import Execution, HarnessError, Output
from cibench_eval.sets.checking.static import PROGRAMS

MARK = '\x1e'
"""ASCII's record separator, on both sides of a report of the watch on stderr."""
REPORT = re.compile(f'{MARK}([^{MARK}\n]*){MARK}\n')

WATCH = Path(__file__).with_name('watch.txt').read_text(encoding='utf-8').replace('PROGRAMS', PROGRAMS)
"""Runs in a kernel before anything else, and leaves no name behind.

It sees no C code and no other process, except for the start of programs that reach other machines.
"""


class WatchedPool(KernelPool):
    """A pool of kernels in which the watch runs."""

    async def take(self) -> Kernel:
        kernel = await super().take()
        try:
            done, _ = await kernel.execute(WATCH, self.settings.startup_timeout)
            if done.status != 'ok':
                why = f'{done.status} {done.error or ""}'
                raise HarnessError(f'kernel: the watch for network use did not start: {why}')
        except BaseException:
            await kernel.stop()
            raise
        return kernel


def take_out(execution: Execution) -> tuple[Execution, list[str]]:
    """An execution without the reports of the watch, and the reports, each once and in order."""
    reached: list[str] = []
    outputs: list[Output] = []
    for made in execution.outputs:
        reports = REPORT.findall(made.text) if made.type == 'stderr' else []
        output = made.model_copy(update={'text': REPORT.sub('', made.text)}) if reports else made
        reached += reports
        if reports and not output.text:
            continue
        if outputs and outputs[-1].type == output.type and output.type in ('stdout', 'stderr'):
            outputs[-1] = outputs[-1].model_copy(update={'text': outputs[-1].text + output.text})
        else:
            outputs.append(output)
    if not reached:
        return execution, []
    return execution.model_copy(update={'outputs': outputs}), list(dict.fromkeys(reached))
