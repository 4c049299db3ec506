"""Progress bars in a kernel without ipywidgets. It imports nothing of the package.

tqdm draws text, but first warns that ipywidgets is missing; the warning is suppressed. `tqdm.notebook` raises an error;
here, it draws text, too. rich draws nothing and warns at every update; here, its live displays print their last state
once, when they end.
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
    for name in MENDED.keys() & sys.modules.keys():
        MENDED[name](sys.modules[name])
    sys.meta_path.insert(0, Mender())


class Mender(importlib.abc.MetaPathFinder):
    """Mends modules when code imports them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        mend = MENDED.get(fullname)
        if mend is None:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            run = loader.exec_module

            def run_and_mend(module: ModuleType) -> None:
                run(module)
                mend(module)

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


def draw_text(notebook: Any) -> None:
    """Let the bars of `tqdm.notebook` be those of `tqdm`."""
    notebook.tqdm = notebook.tqdm_notebook = sys.modules['tqdm.std'].tqdm
    notebook.trange = notebook.tnrange = sys.modules['tqdm.std'].trange


MENDED = {'rich.live': show_at_the_end, 'tqdm.notebook': draw_text}
