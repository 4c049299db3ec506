"""Trees made in several threads at once: CPython 3.11's own `ast.parse` fails now and then."""

import ast
import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from cibench_eval.syntax import literal_value, parse

CODE = '\n'.join(f'def f{n}(a, b=[{n}, (1, 2)]):\n    return {{x: [y for y in a if y] for x in b}}' for n in range(60))
THREADS, TIMES = 8, 12


def test_threads_that_parse_at_once_get_whole_trees():
    expected = ast.dump(ast.parse(CODE))

    def many(_):
        return [ast.dump(parse(CODE)) == expected for _ in range(TIMES)]

    def yields(*_):
        time.sleep(0)  # another thread gets its turn in the middle of a tree

    before = gc.get_threshold(), sys.getswitchinterval()
    gc.set_threshold(50)
    sys.setswitchinterval(1e-6)
    gc.callbacks.append(yields)
    try:
        with ThreadPoolExecutor(THREADS) as threads:
            assert all(all(found) for found in threads.map(many, range(THREADS)))
    finally:
        gc.callbacks.remove(yields)
        gc.set_threshold(*before[0])
        sys.setswitchinterval(before[1])


def test_a_literal():
    assert literal_value(" {'a': [1, -2.5, (True, None)]}") == {'a': [1, -2.5, (True, None)]}
    for text in ('f(1)', '1 +', 'x'):
        with pytest.raises((ValueError, SyntaxError)):
            literal_value(text)
