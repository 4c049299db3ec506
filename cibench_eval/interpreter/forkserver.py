"""The harness's end of the fork servers (`inside/forkserver.py`), one per kernel environment."""

import atexit
import contextlib
import json
import logging
import shutil
import socket
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

from cibench_eval.environments import last_line
from cibench_eval.interpreter.environments import KernelEnvironment
from cibench_eval.interpreter.host_paths import TOOLS_HERE
from cibench_eval.interpreter.inside.process_limits import raise_open_files
from cibench_eval.interpreter.sandboxes.base import KernelPlan
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.interpreter.session_dirs import Layout, environ_of
from cibench_eval.schema import HarnessError

logger = logging.getLogger(__name__)
SCRIPT = TOOLS_HERE / 'forkserver.py'
PRELOAD = (
    *('pandas', 'matplotlib.pyplot', 'seaborn', 'scipy.stats', 'scipy.optimize', 'scipy.signal'),
    *('sklearn.cluster', 'sklearn.ensemble', 'sklearn.linear_model', 'sklearn.metrics', 'sklearn.model_selection'),
    *('sklearn.preprocessing', 'lightgbm', 'torch', 'torch._dynamo', 'tensorflow', 'nltk', 'cv2', 'sympy'),
    *('matplotlib.backends.backend_agg', 'narwhals._pandas_like.dataframe', 'narwhals._pandas_like.namespace'),
    *('narwhals.stable.v2._namespace', 'pandas.io.formats.html', 'pandas.io.formats.string', 'PIL.BmpImagePlugin'),
    *('PIL.GifImagePlugin', 'PIL.JpegImagePlugin', 'PIL.PngImagePlugin', 'PIL.PpmImagePlugin', 'PIL.features'),
)
"""The ten modules of the benchmark and sympy, with the parts that nearly every notebook imports or uses. The first
optimizer of torch imports `torch._dynamo`: that takes seconds, and if torch is the build for CUDA and TensorFlow was
imported before, it ends the process. Matplotlib's inline backend is missing because it looks for the running IPython
when it is imported."""
ANSWER_LIMIT = 2**16
IMPORT_TIMEOUT, FORK_TIMEOUT, CLOSE_TIMEOUT = 300, 60, 2
"""Time limits in seconds: importing the libraries (from a slow disk), one fork, the end."""


class ForkServer:
    """A process that has imported `modules` and forks into kernels.

    Raises:
        HarnessError: it does not start, or a fork of it would not be safe.
    """

    def __init__(self, environment: KernelEnvironment, threads: int, modules: tuple[str, ...]) -> None:
        self._lock = threading.Lock()
        self._stderr: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (closed in close)
        self._home = Path(tempfile.mkdtemp(dir=scratch()))
        if config := environment.matplotlib_config:  # matplotlib reads its settings only from a writable folder
            shutil.copytree(config, self._home / 'matplotlib')
        layout = Layout(work='/', home=str(self._home), tmp=str(self._home), sockets='/')
        raise_open_files()
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [str(environment.python), str(SCRIPT), *modules],
                    # BLAS starts its threads when it is loaded, so that here it gets one.
                    env=environ_of(environment, layout, threads) | {'OPENBLAS_NUM_THREADS': '1'},
                    cwd='/',
                    stdin=theirs.fileno(),
                    stdout=subprocess.DEVNULL,
                    stderr=self._stderr,
                    start_new_session=True,
                )
        except OSError as error:
            self._socket.close()
            self._forget()
            raise HarnessError(f'kernels: {environment.python} does not start: {error.strerror}') from error
        self._socket.settimeout(IMPORT_TIMEOUT)
        greeting, _ = self._receive()
        self._socket.settimeout(FORK_TIMEOUT)
        self.imported: list[str] = greeting['imported']
        if greeting['threads'] != 1:
            self.close()
            raise HarnessError(
                f'kernels: the libraries start {greeting["threads"] - 1} threads when they are imported, so a process '
                "with them cannot be forked safely; set start='spawn' or name fewer modules in preload"
            )

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def fork(self, plan: KernelPlan, status: int) -> tuple[int, int]:
        """Start a kernel by `plan`; `status` is the descriptor of its status pipe.

        Returns:
            Its pid and a pidfd of it.

        Raises:
            HarnessError: it could not be started.
        """
        with self._lock:
            try:
                socket.send_fds(self._socket, [json.dumps(plan).encode()], [status])
            except OSError as error:
                raise HarnessError(f'kernels: the fork server is gone: {error.strerror}') from error
            answer, descriptors = self._receive()
        if 'problem' in answer:
            raise HarnessError(f'kernels: {answer["problem"]}')
        return answer['pid'], descriptors[0]

    def _receive(self) -> tuple[dict[str, Any], list[int]]:
        try:
            message, descriptors, _, _ = socket.recv_fds(self._socket, ANSWER_LIMIT, 1)
        except (ConnectionResetError, TimeoutError):
            self._process.kill()
            message = b''
        if not message:
            self._process.wait()
            self._stderr.seek(0)
            why = last_line(self._stderr.read(), f'exit code {self._process.returncode}')
            self.close()
            raise HarnessError(f'kernels: the fork server ended: {why}')
        return json.loads(message), descriptors

    def close(self) -> None:
        self._socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):  # it first ends kernels without a sandbox
            self._process.wait(CLOSE_TIMEOUT)
        self._process.kill()
        self._process.wait()
        self._forget()

    def _forget(self) -> None:
        self._stderr.close()
        shutil.rmtree(self._home, ignore_errors=True)


_servers: dict[tuple[Path, int, tuple[str, ...]], ForkServer] = {}
_servers_lock = threading.Lock()


def fork_server(environment: KernelEnvironment, threads: int, preload: tuple[str, ...] | None) -> ForkServer:
    """This process's server for an environment; the first call starts it (some seconds), as does one after its end."""
    modules = PRELOAD if preload is None else preload
    key = (environment.python, threads, modules)
    with _servers_lock:
        server = _servers.get(key)
        if server is None or not server.alive:
            if server is not None:
                server.close()
            server = _servers[key] = ForkServer(environment, threads, modules)
            if absent := sorted({*modules} - {*server.imported, *PRELOAD}):
                logger.warning('kernels: preload: %s cannot import %s; skipped', environment.python, ', '.join(absent))
        return server


@atexit.register
def close_all() -> None:
    """End all servers. Kernels without a sandbox end with them, others live on."""
    while _servers:
        _servers.popitem()[1].close()
