"""One honest session beside hostile ones: what its steps come to, and what it costs the harness.

usage: python -m tests.interpreter.neighbours HOW [NAME...]    (HOW: fork, spawn or engine; hostile programs by name,
                                                               else all of HOSTILE)

Prints one JSON object: `quiet`, `beside` and `after`, status and result of each honest step before, with and after the
others; `lag`, the longest that the event loop stood still, in seconds, and `busy`, the longest that it worked without a
pause, in processor seconds, which other load on the machine does not change; `memory`, by how much the harness grew, in
MiB; `hostile`, how each of the others' blocks ended.
"""

import asyncio
import json
import os
import re
import sys
import time
from collections import Counter
from pathlib import Path

from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings
from tests.interpreter.programs import ENGINE, FORGE, GIB, MIB

SETTINGS = KernelSettings(
    preload=('pandas', 'matplotlib.pyplot'),
    pool_size=2,
    timeout=15,
    memory=GIB,
    disk=256 * MIB,
    processes=128,
    max_concurrent_cells=9,
)
WORK = 'total = 0\nfor i in range(2_000_000):\n    total += i * i % 7\ntotal'
HONEST = [
    (WORK, None),
    ("import pandas as pd\nframe = pd.DataFrame({'a': range(200_000)})\nint((frame.a ** 2).sum())", None),
    ('import matplotlib.pyplot as plt\nlen(plt.plot([1, 2, 3]))', None),
    ("print('x' * 100_000)", None),
    ('1 / 0', None),
    ('import time\nwhile True: time.sleep(0.1)', 2.0),
    (WORK, None),
    ('frame.groupby(frame.a % 7).a.sum().tolist()', None),
]
"""Code and its time limit, if it has one of its own."""
CHILDREN = """\
import os, signal, time
def children(count, work):
    for _ in range(count):
        try:
            if os.fork() == 0:
                try:
                    work()
                finally:
                    os._exit(0)
        except OSError:
            return
"""
HOSTILE = {
    'fork_bomb': 'import os\nfor _ in range(10_000):\n    try:\n        os.fork()\n    except OSError:\n        pass',
    'flood': "for _ in range(3000): print('x' * 100_000)",
    'small_messages': FORGE + "made = parts('stream', {'name': 'stdout'}, shown={'text': b'x'})\n"
    'for _ in range(200_000): publish(*made)',
    'brackets': FORGE + "deep = b'[' * 400 + b']' * 400 + b','\n"
    "made = parts('display_data', {}, _5=b'[' + deep * 57_000 + b'0]')\nfor _ in range(6): publish(*made)",
    'structure': FORGE + "made = parts('display_data', {}, _5=b'{\"a\":[' + b'[],' * 2_600 + b'0]}')\n"
    'for _ in range(40_000): publish(*made)',
    'sockets': CHILDREN + 'import socket\n'
    'def fill():\n    kept = []\n    while True:\n        try:\n'
    '            one, other = socket.socketpair()\n            kept += [one, other]\n'
    '            one.setblocking(False)\n'
    '            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 2**22)\n'
    '            while one.send(bytes(2**16)): pass\n'
    '        except BlockingIOError: pass\n        except OSError: time.sleep(5)\n'
    'children(8, fill)\ntime.sleep(3)',
    'burners': CHILDREN + 'def burn():\n    while True: pass\nchildren(40, burn)',
    'watchdog_trap': CHILDREN + 'block = bytearray(900 * 2**20)\n'
    'for at in range(0, len(block), 4096): block[at] = 1\nchildren(100, signal.pause)\ntime.sleep(2)',
    'endless_frames': FORGE + 'for _ in range(2000): kernel.iopub_socket.send(bytes(2**20), zmq.SNDMORE)',
    'png_bombs': 'import io, numpy as np\nfrom PIL import Image\nfrom IPython.display import display, Image as Shown\n'
    'kept = io.BytesIO()\nImage.fromarray(np.zeros((6000, 6000), np.uint8)).save(kept, "png")\n'
    'for _ in range(20): display(Shown(kept.getvalue()))',
    'large_figures': 'import os\nfrom IPython.display import display\n'
    "for n in range(20): display({'image/png': b'\\x89PNG\\r\\n\\x1a\\n' + os.urandom(4_900_000)}, raw=True)",
}
TEXT = "made = parts('stream', {'name': 'stdout'}, shown={'text': %s})\nfor _ in range(1000): publish(*made)"
COSTLY = {
    'returns': FORGE + TEXT % "b'a\\rb\\n' * 500_000",
    'backspaces': FORGE + TEXT % "b'a\\b' * 1_000_000",
    'update_of_all': FORGE
    + "made = parts('display_data', {'display_id': 'all'}, shown={'text/plain': b'\\x1b[' * 5_000_000})\n"
    'for _ in range(3000): publish(*made)',
    'names': FORGE + "import json\nname = json.dumps({'display_id': [[]] * 15_000, 'parts': []})\n"
    "made = parts('display_data', {}, _5=name.encode())\nfor _ in range(600): publish(*made)",
    'zeros': "from IPython.display import display\nimport sys\nprint('\\0' * 900_000)\n"
    "sys.stderr.write('\\x01' * 900_000)\ndisplay('\\x02' * 400_000)\nraise Exception('\\x03' * 400_000)",
    'name_of_an_error': "raise type('E' * 900_000, (Exception,), {})",
}
"""What is costly to read."""


async def lag(longest):
    """Note how long the loop stands still and works without a pause, until it is cancelled."""
    while True:
        before, worked = time.monotonic(), time.thread_time()
        await asyncio.sleep(0.01)
        longest['lag'] = max(longest['lag'], time.monotonic() - before - 0.01)
        longest['busy'] = max(longest['busy'], time.thread_time() - worked)


def resident():
    """Bytes of memory of this process now."""
    return int(Path('/proc/self/statm').read_text().split()[1]) * os.sysconf('SC_PAGE_SIZE')


def highest_ever():
    """The same at its most. `ru_maxrss` would begin with the most of the process that started this one."""
    return int(re.search(r'VmHWM:\s+(\d+)', Path('/proc/self/status').read_text())[1]) * 1024


async def highest(most):
    while True:
        most[0] = max(most[0], resident())
        await asyncio.sleep(0.02)


async def honest(settings, pool):
    found = []
    async with Interpreter(settings, pool) as interpreter:
        for code, timeout in HONEST:
            execution = await interpreter.run(code, timeout)
            shown = execution.error.name if execution.error else execution.result
            found.append([execution.status, shown, len(execution.stdout), len(execution.figures)])
    return found


async def hostile(settings, pool, code, ended):
    async with Interpreter(settings, pool) as interpreter:
        while True:
            ended['begun'] += 1
            execution = await interpreter.run(code, 5)
            ended[execution.status] += 1


async def measure(settings, names):
    longest, most, ends = {'lag': 0.0, 'busy': 0.0}, [0], {name: Counter() for name in names}
    async with KernelPool(settings) as pool:
        quiet = await honest(settings, pool)
        before, peak = resident(), highest_ever()
        watching = [asyncio.create_task(watch) for watch in (lag(longest), highest(most))]
        others = [
            asyncio.create_task(hostile(settings, pool, {**HOSTILE, **COSTLY}[name], ends[name])) for name in names
        ]
        while not all(ends[name]['begun'] for name in names) and not any(task.done() for task in others):
            await asyncio.sleep(0.02)
        beside = await honest(settings, pool)
        for task in (*watching, *others):
            task.cancel()
        outcomes = await asyncio.gather(*others, return_exceptions=True)
        after = await honest(settings, pool)
    return {
        'quiet': quiet,
        'beside': beside,
        'after': after,
        **{name: round(seconds, 3) for name, seconds in longest.items()},
        'memory': max(most[0] - before, highest_ever() - peak) // MIB,
        'hostile': ends,
        'failed': [repr(outcome) for outcome in outcomes if isinstance(outcome, Exception)],
    }


if __name__ == '__main__':
    how, *chosen = sys.argv[1:]
    changes = ENGINE.settings if how == 'engine' else {'start': how}
    print(json.dumps(asyncio.run(measure(SETTINGS.model_copy(update=changes), chosen or list(HOSTILE)))))
