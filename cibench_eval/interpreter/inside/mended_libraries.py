"""Libraries that ask for windows or widgets, which the kernel has not. It imports nothing of the package.

matplotlib shows figures inline, whatever backend the code asks for: `matplotlib.use('Agg')`, a habit from scripts,
loses every figure of a session without a word. Bars of tqdm are text, also those of `tqdm.notebook`, which raises an
error. rich draws nothing and warns at every update; here, its live displays print their last state once, when they
end.
"""

import functools
import importlib.abc
import importlib.machinery
import importlib.util
import sys
import warnings
from collections.abc import Callable, Sequence
from types import ModuleType
from typing import Any

NO_WIDGETS = (r'IProgress not found', r'\s*install "ipywidgets"')
"""Patterns for the start of the warnings of tqdm and rich that ask for ipywidgets."""
INLINE = 'module://matplotlib_inline.backend_inline'
"""The backend of a kernel, by its name in matplotlib."""
Mend = Callable[[Any], None]
"""Changes a module that has just been imported."""


def attach(shell: Any) -> None:
    """Mend libraries in this process; progress bars only where there are no ipywidgets."""
    enable = shell.enable_matplotlib
    shell.enable_matplotlib = lambda *_, **__: enable('inline')
    mends = {**DRAWING}
    if not importlib.util.find_spec('ipywidgets'):
        mends |= BARS
        for message in NO_WIDGETS:
            warnings.filterwarnings('ignore', message)
    for name in mends.keys() & sys.modules.keys():
        mends[name](sys.modules[name])
    sys.meta_path.insert(0, Mender(mends))


class Mender(importlib.abc.MetaPathFinder):
    """Mends modules when code imports them."""

    def __init__(self, mends: dict[str, Mend]) -> None:
        self.mends = mends

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        mend = self.mends.get(fullname)
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


def show_inline(matplotlib: Any, name: str) -> None:
    """Let a function that chooses a backend choose the inline one."""
    choose = getattr(matplotlib, name)
    setattr(matplotlib, name, lambda *_, **__: choose(INLINE))


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


DRAWING: dict[str, Mend] = {
    'matplotlib': functools.partial(show_inline, name='use'),
    'matplotlib.pyplot': functools.partial(show_inline, name='switch_backend'),
}
BARS: dict[str, Mend] = {'rich.live': show_at_the_end, 'tqdm.notebook': draw_text}
