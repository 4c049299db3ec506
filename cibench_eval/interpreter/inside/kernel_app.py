"""ipykernel's application; it bounds outputs before it sends them, and loses none of them on the way."""

import base64
import contextlib
import contextvars
import functools
import inspect
import logging
import sys
import threading
import types
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

sys.modules['debugpy'] = None  # type: ignore[assignment]  # not needed, and slower to import than everything else
import ipykernel.debugger  # noqa: E402

del sys.modules['debugpy']
import ipykernel.ipkernel  # noqa: E402
import IPython.core.shellapp  # noqa: E402
import mended_libraries  # noqa: E402
import plot_objects  # noqa: E402
import variable_states  # noqa: E402
from descriptors import Capture  # noqa: E402
from ipykernel.iostream import OutStream  # noqa: E402
from ipykernel.kernelapp import IPKernelApp  # noqa: E402
from jupyter_client.session import Session  # noqa: E402
from traitlets import Any as Any_  # noqa: E402
from traitlets import Int  # noqa: E402
from traitlets.config import Config  # noqa: E402

MIMES = ('text/plain', 'text/html', 'image/png', plot_objects.MIME)
"""Types of an output that the harness reads."""
DISPLAYS = ('display_data', 'update_display_data', 'execute_result')
PARTS: dict[str, tuple[str, ...]] = {
    'stream': ('text',),
    'error': ('ename', 'evalue', 'traceback'),
    variable_states.REPLY: (variable_states.PART,),
    **dict.fromkeys(DISPLAYS, MIMES),
}
"""Parts that are sent after the content of a message."""
CONTENTS: dict[str, tuple[str, ...]] = {
    'status': ('execution_state',),
    'stream': ('name',),
    'clear_output': ('wait',),
    'error': (),
    'execute_reply': ('status',),
    'interrupt_reply': (),
    variable_states.REPLY: ('status',),
    'kernel_info_reply': (),
    **dict.fromkeys(DISPLAYS, ('display_id',)),
}
"""The kinds of messages that are sent, with the keys of their content that are kept."""
SHORT = 500
"""Characters kept of each value of a content."""


class CappedOutStream(OutStream):
    """Sends the first `limit` characters of a code block at once, and the last `limit` of the rest at its end.

    What another thread writes for an earlier block is discarded: it belongs to no later one.
    """

    limit = 0
    cut_mark = ''
    block = 0
    """The number of the running block, or of the last one."""
    cut = False
    """Whether text of that block was left out of either stream."""
    descriptor = 0
    """The file descriptor whose output is captured as this stream's: programs that the code starts may have it."""
    capture: Capture | None = None
    """Captured output, which comes before what Python writes next."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.begin_block()

    def fileno(self) -> int:
        return self.descriptor or int(super().fileno())

    def begin_block(self, *_: Any) -> None:
        self._left, self._size = self.limit, 0
        self._rest: list[str] = []
        self._mark = ''

    def write(self, string: str) -> int:
        if not isinstance(string, str):
            return int(super().write(string))  # it raises an error
        if self.capture is not None:
            self.capture.catch_up()
        return self.take(string)

    def take(self, string: str) -> int:
        """Write `string`, without emptying the descriptor's pipe first."""
        if threading.current_thread() is not threading.main_thread() and block_of_thread() != self.block:
            return len(string)
        head, tail = string[: self._left], string[self._left :]
        self._left -= len(head)
        if head:
            super().write(head)
        if tail:
            self._rest.append(tail)
            self._size += len(tail)
        if self._size > 2 * self.limit:
            self._shorten()
        return len(string)

    def _shorten(self) -> None:
        """Keep the last `limit` visible characters of the rest."""
        count = len(self._rest)
        text = without_overwritten(''.join(self._rest[:count]))
        if len(text) > self.limit:
            text = text[-self.limit :]
            CappedOutStream.cut, self._mark = True, self.cut_mark
        self._rest[:count] = [text]  # one assignment: an interrupt, or text of another thread, can come at any line
        self._size = sum(map(len, self._rest))

    def end_block(self, *_: Any) -> None:
        if self._rest:
            self._shorten()
            super().write(self._mark + ''.join(self._rest))
        self.flush()  # ipykernel flushes what code may have put in its place
        self.begin_block()


def without_overwritten(text: str) -> str:
    """`text` without overwritten parts; the last carriage return of a line stays, to overwrite what was sent."""
    return '\n'.join(map(_as_seen, text.split('\n'))) if '\r' in text else text


def _as_seen(line: str) -> str:
    last = line.rstrip('\r').rfind('\r')
    return line[last:] if last > 0 else line


def next_block(*_: Any) -> None:
    CappedOutStream.block += 1
    CappedOutStream.cut = False
    BLOCK.set(CappedOutStream.block)


def name_block(stream: CappedOutStream, shell: Any, *_: Any) -> None:
    """Tell a stream which block its text belongs to."""
    stream.set_parent(shell.parent_header)


def put_back(name: str, stream: CappedOutStream, *_: Any) -> None:
    """Put a stream in its place in `sys` again if what stands there cannot be flushed: ipykernel would never reply."""
    try:
        getattr(sys, name).flush()
    except Exception:  # noqa: BLE001  (what code has put there can fail in any way)
        setattr(sys, name, stream)


def restart_streams() -> None:
    """Send what was printed and start counting again, because the output is about to be cleared."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, CappedOutStream):
            stream.end_block()
    CappedOutStream.cut = False


BLOCK: contextvars.ContextVar[int] = contextvars.ContextVar('BLOCK')
"""The block that gave a thread the work that it does: a loop of asyncio takes over the context of whoever calls it."""


def block_of_thread() -> int:
    """The number of the block that the current thread works for."""
    return BLOCK.get(getattr(threading.current_thread(), 'block', CappedOutStream.block))


def number_threads() -> None:
    """Number each thread by the block that starts it, and the work of a pool's threads by the block that submits it."""
    make, submit = threading.Thread.__init__, ThreadPoolExecutor.submit

    def make_in_block(thread: Any, *arguments: Any, **keywords: Any) -> None:
        make(thread, *arguments, **keywords)
        thread.block = block_of_thread()

    def submit_in_block(pool: Any, work: Any, /, *arguments: Any, **keywords: Any) -> Any:
        return submit(pool, contextvars.copy_context().run, work, *arguments, **keywords)

    threading.Thread.__init__ = make_in_block  # type: ignore[assignment, method-assign]
    ThreadPoolExecutor.submit = submit_in_block  # type: ignore[method-assign]


class CappedSession(Session):
    """Sends only what the harness reads, within bounds, in the form that `messages.py` of the package reads.

    Replies repeat the result of their block, because outputs travel on another channel and may come too late.
    """

    text = Int(2**62, help='characters of a text')
    image = Int(2**62, help='bytes of an image')
    results = Int(0, help='number of results of the running block')
    result = Any_(None, help='parts of the last result')

    def send(
        self,
        stream: Any,
        msg_or_type: Any,
        content: Any = None,
        parent: Any = None,
        ident: Any = None,
        buffers: Any = None,
        track: bool = False,
        header: Any = None,
        metadata: Any = None,
    ) -> Any:
        given = msg_or_type if isinstance(msg_or_type, dict) else None
        kind = given.get('msg_type') if given else msg_or_type
        if kind not in CONTENTS:
            return given
        content = (given.get('content') if given else content) or {}
        if kind == 'clear_output':
            restart_streams()
        named = {**content, **transient} if isinstance(transient := content.get('transient'), dict) else content
        kept: dict[str, Any] = {name: str(named[name])[:SHORT] for name in CONTENTS[kind] if named.get(name)}
        parts = self._parts(kind, content)
        if kind == 'execute_reply':
            kept |= {'results': self.results, 'cut': CappedOutStream.cut}
            parts, self.results, self.result = self.result or {}, 0, None
        elif kind == 'execute_result':
            self.results += 1
            self.result = parts
        kept['parts'] = list(parts)
        if given:
            kind = {**given, 'content': kept, 'metadata': {}}
        return super().send(stream, kind, kept, parent, ident, list(parts.values()), track, header, {})

    def _parts(self, kind: str, content: Any) -> dict[str, bytes]:
        shown = content.get('data') if kind in DISPLAYS else content
        if not isinstance(shown, dict):
            return {}
        found = {name: self._part(name, shown[name]) for name in PARTS.get(kind, ()) if name in shown}
        return {name: part for name, part in found.items() if part is not None}

    def _part(self, name: str, value: Any) -> Any:
        """A text or image as bytes within bounds: empty if it is too large, None if it is malformed."""
        if name == 'image/png':
            return self._image(value)
        if name == plot_objects.MIME:
            return encode(value) if isinstance(value, str) and len(value) <= plot_objects.SIZE else b''
        if name == variable_states.PART:
            return encode(value)
        text = '\n'.join(map(str, value)) if isinstance(value, list) else str(value)
        made = encode(clip(text, self.text))
        return made if len(made) <= 2 * self.text else encode(clip(text, self.text // 2))

    def _image(self, value: Any) -> Any:
        """The bytes of an image, which may come in base64."""
        if not isinstance(value, (str, bytes)) or len(value) > self.image * 4 // 3 + 4:
            return b''
        try:
            made = value if isinstance(value, bytes) else base64.b64decode(value)
        except ValueError:
            return None
        return (made or None) if len(made) <= self.image else b''


def clip(text: str, limit: int) -> str:
    """Head and tail of `text`, `limit` characters together: the harness keeps fewer, and marks the cut."""
    return text if len(text) <= limit else text[: limit // 2] + text[len(text) - limit // 2 :]


def encode(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode('utf-16', 'surrogatepass').decode('utf-16', 'replace').encode()


@contextlib.contextmanager
def few_modules(module: Any) -> Iterator[None]:
    """Let `module` see an empty `sys.modules`.

    ipykernel would go through all modules, for its debugger, and so copy their memory pages in a fork.
    """
    module.sys = types.SimpleNamespace(**{**vars(sys), 'modules': {}})
    try:
        yield
    finally:
        module.sys = sys


FONT_WARNINGS = (
    'findfont: Failed to find font weight',  # the Chinese font has one weight, and matplotlib looks for others
    'findfont: Generic family',  # code names a missing Chinese font; other fonts draw its text
)
"""Warnings of matplotlib about figures that are drawn correctly."""


def show_as_text(shell: Any) -> None:
    """Show as text what a notebook shows otherwise: pages (`len?`), Markdown, formulas and styled tables of pandas."""
    shell.set_hook('show_in_pager', print_page, 0)
    formatter = shell.display_formatter.formatters['text/plain']
    for name in ('Markdown', 'Latex', 'Math'):
        formatter.for_type_by_name(
            'IPython.core.display', name, lambda shown, printer, _: printer.text(str(shown.data))
        )
    formatter.for_type_by_name(
        'pandas.io.formats.style', 'Styler', lambda styler, printer, _: printer.text(repr(styler.data))
    )


def print_page(_: Any, page: Any, *__: Any, **___: Any) -> None:
    print(page.get('text/plain', '') if isinstance(page, dict) else page)


OF_NO_MODULE = ('.pyx', '.pxi', '.pxd', '>')
"""Ends of names of files that are of no module: sources of Cython, `<string>`."""


class ModulesByFile(dict[str, str]):
    """The module that a file is of, for `inspect`, which also learns which files are of none.

    It would look for them in all modules, for each frame of a traceback: half a second after a `KeyError` of pandas,
    many seconds after a recursion without end.
    """

    def __contains__(self, file: object) -> bool:
        return super().__contains__(file) or str(file).endswith(OF_NO_MODULE)

    def __missing__(self, file: str) -> str:
        return ''


def tell_modules(shell: Any) -> None:
    """Tell `inspect` of which module the file of each cell is, and which files are of none."""
    name_of = shell.compile.get_code_name
    files = inspect.modulesbyfile = ModulesByFile(inspect.modulesbyfile)

    def told_name(*arguments: Any, **keywords: Any) -> Any:
        name = name_of(*arguments, **keywords)
        files[name] = '__main__'
        return name

    shell.compile.get_code_name = told_name


class KernelApp(IPKernelApp):
    """The application; `make` returns one whose sockets are bound."""

    def init_iopub(self, context: Any) -> None:
        context.sndhwm = 0
        super().init_iopub(context)

    def parse_command_line(self, argv: Any = None) -> None:
        """No command line is read."""

    def load_config_file(self, *_: Any, **__: Any) -> None:
        """No file is read."""

    def init_kernel(self) -> None:
        with few_modules(ipykernel.ipkernel):
            super().init_kernel()

    def init_code(self) -> None:
        with few_modules(IPython.core.shellapp):
            super().init_code()

    @classmethod
    def make(cls, plan: dict[str, Any]) -> 'KernelApp':
        CappedOutStream.limit, CappedOutStream.cut_mark = plan['output_limit'], plan['cut_mark']
        text = 2 * plan['output_limit'] + len(plan['cut_mark'])
        session = CappedSession(text=text, image=plan['figure_size'])
        app = cls.instance(session=session, connection_file=plan['connection_file'])
        app.update_config(Config({'HistoryManager': {'enabled': False}}))
        app.capture_fd_output = False
        app.outstream_class = f'{CappedOutStream.__module__}.{CappedOutStream.__name__}'
        app.initialize([])
        app._bound_blocks()
        shell: Any = app.shell
        shell.ask_exit = lambda: None  # `exit()` does not end a session
        plot_objects.attach(shell)
        variable_states.attach(app)
        fonts = logging.getLogger('matplotlib.font_manager')
        fonts.addFilter(lambda record: not str(record.msg).startswith(FONT_WARNINGS))
        show_as_text(shell)
        tell_modules(shell)
        mended_libraries.attach(shell)
        return app

    def _bound_blocks(self) -> None:
        shell: Any = self.shell
        number_threads()
        shell.events.register('pre_run_cell', next_block)
        for descriptor, name in enumerate(('stdout', 'stderr'), 1):
            stream: Any = getattr(sys, name)
            capture = stream.capture = Capture(descriptor, stream)
            stream.descriptor = descriptor
            # ipykernel tells the block to `sys.stdout`, where code may have put something else. A block with `await`
            # runs in a context of its own, and what was set there is gone when it ends.
            named = functools.partial(name_block, stream, shell)
            for callback in (named, stream.begin_block, capture.begin_block):
                shell.events.register('pre_run_cell', callback)
            usable = functools.partial(put_back, name, stream)
            for callback in (named, usable, capture.end_block, stream.end_block):
                shell.events.register('post_run_cell', callback)
