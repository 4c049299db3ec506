"""Splits of the built-in sets on fresh data; a room of its own, since making them needs more packages than sessions."""

import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import quote

from cibench_eval.cache import cache_dir, only_one
from cibench_eval.datasets.builtin_sets import VERSIONS
from cibench_eval.integrations.sessions import builtin_split, set_of
from cibench_eval.sets.vary import vary_set


def varied_split(
    split: str, seed: int, environment: str = 'modern', only: str | None = None, made: Path | None = None
) -> Path:
    """The folder of a split of a built-in set on fresh data (`vary_set`), which is made once and kept.

    Args:
        only: pattern of templates.
        made: folder that keeps the sets; None is one in the cache.

    Raises:
        CibenchError: there is no such split, or it cannot be made.
    """
    name, original = set_of(split), builtin_split(split, environment)
    parts = (name, VERSIONS[name], environment, only or '*', seed)
    out = (made or cache_dir() / 'varied') / quote('_'.join(map(str, parts)), safe='')
    with only_one(out, lambda line: None):
        if not out.exists():
            with tempfile.TemporaryDirectory(dir=out.parent) as folder, ThreadPoolExecutor(1) as thread:
                # In a thread: the caller may be inside an event loop, and gold code runs in one of its own.
                thread.submit(vary_set, seed, Path(folder) / 'set', environment, only, of=name).result()
                (Path(folder) / 'set').rename(out)
    return out / original.name
