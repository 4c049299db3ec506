"""Trees made in several threads at once: CPython 3.11's own `ast.parse` fails now and then."""

import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from cibench_eval.states import asked_names
from tests.support.soak import many

CODE = '\n'.join(f'def f{n}(a, b=[{n}, (1, 2)]):\n    return {{x: [y for y in a if y] for x in b}}' for n in range(60))
THREADS, TIMES = 8, many(12, 4)


def test_threads_that_read_code_at_once_get_whole_trees():
    def read(thread):
        """The names of code that no other thread reads."""
        codes = [f'{CODE}\nx{thread}_{time} = 1' for time in range(TIMES)]
        return [asked_names('Let `f7`, `f8(a)`.', code) == ['f7', 'f8'] for code in codes]

    def yields(*_):
        time.sleep(0)  # another thread gets its turn in the middle of a tree

    before = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(yields)
    try:
        with ThreadPoolExecutor(THREADS) as threads:
            assert all(all(found) for found in threads.map(read, range(THREADS)))
    finally:
        gc.callbacks.remove(yields)
        gc.set_threshold(*before[0])
        sys.setswitchinterval(before[1])
