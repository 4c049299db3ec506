"""Texts that are long, and made to be slow to read; and a limit of processor time around what reads them."""

import functools
import os
import resource
import time
import traceback
from collections.abc import Callable, Iterable

PIECES = (
    *('1', '1 ', '1,', '1,000,', '1e', '1.', '-', '1_', '0xf', '1\n', 'a\n', ' ', '\t', '\n', '\r', '\n\n', ' \n'),
    *('[', '[1,', '(', '{1:', '[]', ']', '"', "'", '\\', '"""\n', '`', '```\n', '```', '~~~\n', '#', '>', '*', '|'),
    *('...', '中', '2024-01-01', 'True ', 'np.float64(', 'datetime.date(1, ', ', dtype=<', ", dtype='", ', dtype='),
    *('Name: a, dtype: b\n', '[1 rows x 1 columns]\n', 'a  b\n', 'a b \\\nx 1\n\n', '\x1b[1', '<tf.a ', '**1', 'a^1'),
    *('stdout:\n\n```\n', '\n```\n\nstdout:\n\n```\n', '![fig-1](', '![fig-1](a)', 'execute_result:\n\n```\n'),
    *('Thought:\n', 'Action:\n', 'Action Input:\n', 'Action Input:\n```python\n', '<think>', '</think>', '<think>\n'),
    *('<|channel|>analysis<|message|>', '<|start|>', 'assistantfinal', '{"code": "', "{'code': '", '{"a":', '\\"'),
    *('x=1\n', 'x=f"{a}"\n', 'a(b)\n', 'a.', 'not ', 'solution()', '%a\n', '<td colspan=1000000000>', 'Freq: a, '),
    *('\u200b', '\U0001f600', '\u0323\u0301'),
)
"""Pieces that long texts repeat."""


def long_texts(size: int) -> dict[str, str]:
    """Texts of about `size` characters, by the piece that they repeat."""
    texts = {piece: piece * (size // len(piece)) for piece in PIECES}
    nested = ''.join('[' * 90) + ', '.join(map(str, range(size // 8))) + ']' * 90
    behind = {f'x {sign}': 'x ' + sign * size for sign in '`~'} | {
        '{} x': '{}' + ' ' * size + 'x',
        'x=1': 'x=1' + '\n' * size,
    }
    return {**texts, **behind, 'nested': nested, 'distinct': ' '.join(f'{n}.5' for n in range(size // 8))}


def within(seconds: int, *works: Callable[[], object]) -> None:
    """Work in a process that ends when one of the works has used so many seconds of a processor.

    Linear work takes a tenth of that or less, work quadratic in a text many times as much.
    """
    child = os.fork()
    if not child:
        _limited(seconds, works)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status == 0, f'ended by signal {-status}' if status < 0 else 'failed: see above'


def all_within(seconds: int, size: int, work: Callable[[str], object]) -> None:
    """Work so on each of the long texts; the last one whose piece is printed is the one that took longer."""

    def told(piece: str, text: str) -> None:
        print(f'{piece!r}: {len(text)}', flush=True)
        work(text)

    within(seconds, *(functools.partial(told, *each) for each in long_texts(size).items()))


def _limited(seconds: int, works: Iterable[Callable[[], object]]) -> None:
    code = 1
    try:
        for work in works:
            most = int(time.process_time()) + seconds + 1
            resource.setrlimit(resource.RLIMIT_CPU, (most, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            work()
        code = 0
    finally:
        if code:
            traceback.print_exc()
        os._exit(code)
