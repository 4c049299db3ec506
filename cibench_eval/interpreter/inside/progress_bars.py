"""Progress bars in a kernel without ipywidgets. It imports nothing of the package.

tqdm draws text, but first warns that ipywidgets is missing; the warning is suppressed. rich draws nothing and warns at
every update; here, its live displays print their last state once, when they end.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import sys
import warnings
from collections.abc import Sequence
from types import ModuleType
from typing import Any

NO_WIDGETS = (r'IProgress not found', r'\s*install "ipywidgets"')
"""Patterns for the start of the warnings of tqdm and rich that ask for ipywidgets."""


def attach() -> None:
    """Mend progress bars in this process, unless it has ipywidgets."""
    if importlib.util.find_spec('ipywidgets'):
        return
    for message in NO_WIDGETS:
        warnings.filterwarnings('ignore', message)
    sys.meta_path.insert(0, LiveDisplays())


class LiveDisplays(importlib.abc.MetaPathFinder):
    """Mends `rich.live` when code imports it, and then removes itself."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname != 'rich.live':
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            run = loader.exec_module

            def run_and_mend(module: ModuleType) -> None:
                run(module)
                show_at_the_end(module)

            loader.exec_module = run_and_mend
        return spec


def show_at_the_end(live: Any) -> None:
    """Let `Live` print its content when it stops, as it does for files, unless it is transient."""
    stop = live.Live.stop

    def stop_and_show(self: Any) -> None:
        ends = self.is_started and self.console.is_jupyter and not (self.transient or self._alt_screen)
        nested = getattr(self, '_nested', False)
        stop(self)
        if ends and not nested:
            self.console.print(self.renderable)

    live.Live.stop = stop_and_show
