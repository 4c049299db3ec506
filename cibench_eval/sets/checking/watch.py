"""Kernels that report which other machines their code tries to reach, with or without success."""

import re

from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.schema import Execution, HarnessError, Output
from cibench_eval.sets.checking.static import PROGRAMS

MARK = '\x1e'
"""ASCII's record separator, on both sides of a report of the watch on stderr."""
REPORT = re.compile(f'{MARK}([^{MARK}\n]*){MARK}\n')

WATCH = r"""
def _watch():
    import re, socket, sys

    stream = sys.stderr
    here = {'', 'localhost', '0.0.0.0', '::', '::1', 'ip6-localhost', socket.gethostname(), socket.getfqdn()}
    inet = (socket.AF_INET, socket.AF_INET6)
    program = re.compile(r'(?:^|[\s;&|/\'"])(PROGRAMS)(?=[\s\'"]|$)')

    def text(value):
        return value.decode('utf-8', 'replace') if isinstance(value, bytes) else str(value)

    def command(value):
        return ' '.join(map(text, value)) if isinstance(value, (list, tuple)) else text(value)

    def host(event, args):
        if event.startswith('socket.get'):
            return args[0]
        address = args[1] if args[0].family in inet else None
        return address[0] if isinstance(address, tuple) and address else None

    def reached(event, args):
        if event in ('subprocess.Popen', 'os.system'):
            found = program.search(command(args[-1 if event == 'os.system' else 1]))
            return found and 'runs ' + found[1]
        name = host(event, args)
        name = text(name) if name else ''
        return '' if name in here or name.startswith('127.') else 'tries to reach ' + name

    watched = {
        'socket.connect', 'socket.sendto', 'socket.sendmsg', 'socket.getaddrinfo', 'socket.gethostbyname',
        'socket.gethostbyaddr', 'subprocess.Popen', 'os.system',
    }

    def hook(event, args):
        if event in watched:
            report = reached(event, args)
            if report:
                stream.write('\x1e' + re.sub(r'\s+|\x1e', ' ', report)[:200] + '\x1e\n')
                stream.flush()

    sys.addaudithook(hook)


_watch()
del _watch
""".replace('PROGRAMS', PROGRAMS)
"""Runs in a kernel before anything else, and leaves no name behind.

It sees no C code and no other process, except for the start of programs that reach other machines.
"""


class WatchedPool(KernelPool):
    """A pool of kernels in which the watch runs."""

    async def take(self) -> Kernel:
        kernel = await super().take()
        status = ''
        try:
            execution, _ = await kernel.execute(WATCH, self.settings.startup_timeout)
            status = execution.status
        finally:
            if status != 'ok':
                await kernel.stop()
        if status != 'ok':
            raise HarnessError(f'kernel: the watch for network use did not start: {status} {execution.error or ""}')
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
