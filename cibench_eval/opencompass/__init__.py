"""What OpenCompass builds from configs: thin classes of its interfaces over `config/` and `run/`.

Name them in configs as `cibench_eval.opencompass.NAME`. Importing this package imports neither them nor OpenCompass, so
a config can be read at once.
"""

import importlib
from typing import Any

from cibench_eval.config.classes import MODULES


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(importlib.import_module(MODULES[name]), name)
