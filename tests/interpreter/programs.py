"""Programs with what is expected of them, and the places in which tests run them."""

import asyncio
import contextlib
import ctypes
import functools
import os
import platform
import signal
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil
import pytest

from cibench_eval.interpreter import Interpreter, KernelPool, KernelSettings, environments
from cibench_eval.interpreter.cgroup import Cgroup
from cibench_eval.interpreter.kernel import Kernel
from cibench_eval.interpreter.sandboxes import bubblewrap
from cibench_eval.interpreter.scratch import scratch
from cibench_eval.schema import Execution
from tests.interpreter import engines
from tests.support.soak import many

MIB, GIB = 2**20, 2**30
LIMITS_OF_GROUPS = {'memory', 'processes'}
REPO = Path(__file__).parents[2]
SECRET = 'secret-of-the-harness'
CUT = '\n[… output cut here …]\n'
MARKER = f'cibench-left-behind-{os.getpid()}'
"""An argument of the processes that programs try to leave behind."""

LIMITS = KernelSettings(
    preload=('pandas', 'matplotlib.pyplot'),
    pool_size=2,
    timeout=60,
    grace=0.5,
    output_limit=100_000,
    figure_limit=10,
    figure_size=2_000_000,
    memory=GIB,
    disk=64 * MIB,
    processes=64,
)
"""Small ones: what is tried against them must not hurt a machine on which they do not hold. A block that is to run
into its time limit says its own; this one is long, because other tests may be using the same cores."""


def run(*codes, **settings):
    """The executions of code blocks in one fresh session."""

    async def session():
        async with Interpreter(KernelSettings(**{'sandbox': 'auto', 'preload': (), **settings})) as interpreter:
            return [await interpreter.run(code) for code in codes]

    return asyncio.run(session())


def with_kernel(settings, session):
    """What a coroutine returns that is given a started kernel."""

    async def running():
        kernel = Kernel(settings, environments.KernelEnvironment.find('modern'), settings.chosen_sandbox())
        await kernel.start()
        try:
            return await session(kernel)
        finally:
            await kernel.stop()

    return asyncio.run(running())


@dataclass(frozen=True)
class Block:
    """A code block and what its execution has to be; None where anything will do."""

    code: str
    status: str | tuple[str, ...] = 'ok'
    error: str | tuple[str, ...] | None = None
    result: str | None = None
    stdout: str | None = None
    figures: int | None = None
    truncated: bool | None = False
    timeout: float | None = None
    holds: Callable | None = None

    def check(self, execution):
        text = execution.model_dump_json()
        shown = text[:2000]
        assert Execution.model_validate_json(text).model_dump() == execution.model_dump(), 'it can be filed'
        assert execution.status in _tuple(self.status), shown
        if self.error is not None:
            assert execution.error is not None and execution.error.name in _tuple(self.error), shown
        if self.result is not None:
            assert execution.result == self.result, shown
        if self.stdout is not None:
            assert execution.stdout == self.stdout, shown
        if self.figures is not None:
            assert len(execution.figures) == self.figures, shown
        if self.truncated is not None and execution.status == 'ok':
            assert execution.truncated == self.truncated, shown
        assert self.holds is None or self.holds(execution), shown


def _tuple(value):
    return value if isinstance(value, tuple) else (value,)


@dataclass(frozen=True)
class Level:
    """How kernels are started and what stands around them."""

    sandbox: str
    start: str
    userns: bool = False
    """Whether root, too, is to use a user namespace, as every other user has to."""
    cgroup: bool = True
    """Whether a control group is used where one can be made."""
    engine: str = ''
    """The engine of this machine that makes its containers; without one, the scripted docker does."""

    def __str__(self):
        name = {'docker': 'dockerd'}.get(self.engine, self.engine) or self.sandbox
        words = [name, self.start, 'userns' if self.userns else '', '' if self.cgroup else 'watchdog']
        return '-'.join(word for word in words if word)

    @property
    def settings(self):
        """Fields of KernelSettings."""
        options = {'sandbox_options': {'command': self.engine}} if self.engine else {}
        return {'sandbox': self.sandbox, 'start': self.start, **options}

    @contextlib.contextmanager
    def imposed(self):
        """While it holds, the package finds the machine as this level says."""
        with pytest.MonkeyPatch.context() as patch:
            if self.userns:
                patch.setattr(bubblewrap, 'is_unprivileged', lambda: True)
            if self.sandbox == 'docker':
                put_on_path = engines.put_engine_on_path if self.engine else engines.put_docker_on_path
                put_on_path(patch, Path(tempfile.mkdtemp(dir=scratch())))
            if not self.cgroup:
                patch.setattr(Cgroup, 'make', classmethod(lambda *_: None))
            patch.setenv('OPENAI_API_KEY', SECRET)
            yield
            engines.forget_engine()


FORK, SPAWN = Level('bubblewrap', 'fork'), Level('bubblewrap', 'spawn')
NONE_FORK, NONE_SPAWN = Level('none', 'fork'), Level('none', 'spawn')
DOCKER, ENGINE = Level('docker', 'spawn'), Level('docker', 'spawn', engine=engines.ENGINE)
CONTAINERS = (DOCKER, ENGINE)
USER_FORK, USER_SPAWN = Level('bubblewrap', 'fork', userns=True), Level('bubblewrap', 'spawn', userns=True)
BWRAP, BARE, USERS = (FORK, SPAWN), (NONE_FORK, NONE_SPAWN), (USER_FORK, USER_SPAWN)
EVERYWHERE = (*BWRAP, *BARE)
SANDBOXED = (*BWRAP, *USERS, *CONTAINERS)
FORKED = many(SANDBOXED, (FORK, USER_FORK, *CONTAINERS))
"""Those that differ for what a sandbox keeps apart, however its kernels start."""
DIED = ('kernel_died',)
HURT = ('error', 'timeout', 'kernel_died')
ENDED = ('ok', *HURT)


def watched(*levels):
    """The same without control groups."""
    return tuple(replace(level, cgroup=False) for level in levels)


def at(*levels):
    """pytest's parameters: each of these levels, the scripted docker only where no engine stands for it."""
    stood_for = {DOCKER} if ENGINE in levels and not level_problem(ENGINE) else set()
    return [pytest.param(level, id=str(level), marks=_skip(level)) for level in levels if level not in stood_for]


def settings_at(level, **more):
    """LIMITS at a level, for a session of its own."""
    fields = {**level.settings, 'pool_size': 0, 'preload': (), **more}
    return LIMITS.model_copy(update=fields)


@functools.cache
def groups_can_be_made():
    group = Cgroup.make(GIB, 100)
    if group is not None:
        asyncio.run(group.remove())
    return group is not None and group.enforced == LIMITS_OF_GROUPS


@functools.cache
def level_problem(level):
    """Why a level cannot be had here, or nothing."""
    if level.sandbox == 'none':
        return ''
    if level.engine:
        return engines.engine_problem()
    if level.sandbox == 'docker' and not groups_can_be_made():
        return 'the scripted docker limits memory and processes by control groups'
    if level.userns and not bubblewrap.bubblewrap_problem():
        return bubblewrap.try_bubblewrap(bubblewrap.BwrapCommand(unprivileged=True, disk=MIB))
    return bubblewrap.bubblewrap_problem()


@dataclass(frozen=True)
class Program:
    """Code blocks that run one after the other in one session."""

    name: str
    blocks: tuple[Block, ...]
    levels: tuple[Level, ...] = EVERYWHERE
    for_rights: bool = False
    """Whether it tries to get rights, as what a user may do differs from user to user."""
    slow: bool = False
    """Whether it is soak at every level."""


EITHER = (FORK, NONE_SPAWN)
"""A level of each sandbox and each start."""
ANYWHERE = (NONE_FORK,) if level_problem(FORK) else (FORK,)
"""One level, for what is decided inside a kernel, or by how its messages are read: `test_start.py` has both starts."""


def program(name, *blocks, levels=ANYWHERE, slow=False, **last):
    """A Program; where the last block is mere code, `last` says what is expected of it."""
    *before, end = blocks
    made = [block if isinstance(block, Block) else Block(block) for block in before]
    return Program(name, (*made, end if isinstance(end, Block) else Block(end, **last)), levels, slow=slow)


sandboxed = functools.partial(program, levels=SANDBOXED)
WATCHED = watched(FORK, USER_FORK)
"""Levels without a control group: the watchdog alone."""


def goes_on(name, code, levels=ANYWHERE, slow=False, **wanted):
    """A Program of one block, of which `wanted` is expected, and of one that shows that its session goes on."""
    return program(name, Block(code, **wanted), '6 * 7', result='42', levels=levels, slow=slow)


def cases(programs):
    """pytest's parameters: each program at each of its levels for which no others stand, level after level so that few
    pools are made."""
    found = [(level, made) for made in programs for level in made.levels if not _seen_elsewhere(level, made)]
    order = list(dict.fromkeys(level for level, _ in found))
    return [
        pytest.param(level, made, id=f'{level}-{made.name}', marks=_marks(level, made))
        for level, made in sorted(found, key=lambda pair: order.index(pair[0]))
    ]


INHERITED = {'descriptors', 'folders_behind_descriptors', 'environment_of_the_harness', 'environment_of_its_own'}
"""Programs that look at what a kernel is handed, which depends on its sandbox and its start together."""


def _seen_elsewhere(level, made):
    """Whether a program meets the sandbox of a level at another level, and its way to start a kernel at a third.

    That both go together is seen by INHERITED, by programs that try to get rights, and by those of such a level alone.
    The containers of the scripted docker are bubblewrap's, so an engine of this machine stands for it.
    """
    if level == DOCKER:
        return ENGINE in made.levels and not level_problem(ENGINE)
    forked = replace(level, start='fork')
    double = level in (NONE_SPAWN, USER_SPAWN) and {SPAWN, forked} <= {*made.levels} and not level_problem(SPAWN)
    return double and not made.for_rights and made.name not in INHERITED


def _marks(level, made):
    return [*([pytest.mark.soak] if _is_soak(level, made) else []), _skip(level)]


def _skip(level):
    return pytest.mark.skipif(bool(level_problem(level)), reason=f'no {level} here: {level_problem(level)}')


def _is_soak(level, made):
    """Forked behind bubblewrap, every program runs in `make test`; other ways to start it, no sandbox, and no control
    group are soak.

    Those that try to get rights also run in the sandbox of an ordinary user.
    """
    if level in CONTAINERS or made.slow or not level.cgroup:
        return True
    ways = {FORK, replace(level, start='fork')} - {level}
    forked = any(one in made.levels and not level_problem(one) for one in ways)
    return forked and (level.start == 'spawn' or level.sandbox == 'none' or (level.userns and not made.for_rights))


LIBC = """\
import ctypes, errno, os
libc = ctypes.CDLL(None, use_errno=True)
def tried(call, *arguments):
    return errno.errorcode.get(ctypes.get_errno(), '?') if getattr(libc, call)(*arguments) < 0 else 'done'
"""
"""What a program needs to try calls of the C library."""


INNOCENT = """\
import builtins, json, locale, math, os, sys, warnings
import matplotlib
names = [name for name in ('leak', 'bomb', 'forged') if name in globals() or hasattr(builtins, name)]
print(json.dumps([
    names, os.listdir('data'), open('data/x.csv').read(), round(math.pi, 5), 'LEAK' in os.environ,
    type(print).__name__, sys.gettrace() is None, matplotlib.rcParams['lines.linewidth'],
    os.path.basename(os.getcwd()) in ('work', 'workspace'), sorted(os.listdir(os.environ['TMPDIR'])),
]))
"""
UNTOUCHED = '[[], ["x.csv"], "a\\n1\\n", 3.14159, false, "builtin_function_or_method", true, 1.5, true, []]\n'


FORGE = """\
import os, zmq
kernel = get_ipython().kernel
session, ident = kernel.session, kernel._parent_ident['shell']
def parts(kind, content, parent=None, shown={}, **raw):
    content = content | {'parts': list(shown)}
    made = session.serialize(session.msg(kind, content=content, parent=parent or kernel.get_parent()))
    for index, value in raw.items():
        made[int(index[1:])] = value
    return made + list(shown.values())
def publish(*made, more=0):
    kernel.iopub_socket.send_multipart([*made])
def reply(*made):
    kernel.shell_stream.socket.send_multipart([*ident, *made])
"""
"""What a program needs to send messages of its own making."""


class Place:
    """A pool of kernels at one level, the data of its sessions, and a file of the harness beside them."""

    def __init__(self, level, folder):
        self.level, self.folder = level, folder
        self.canary = folder / 'canary'
        self.canary.write_text(SECRET)
        keep_key(SECRET.encode())
        (folder / 'sources' / 'data').mkdir(parents=True)
        (folder / 'sources' / 'data' / 'x.csv').write_text('a\n1\n')
        self.settings = LIMITS.model_copy(update={**level.settings, 'datasources': folder / 'sources'})
        self._runner = asyncio.Runner()
        self._pool = None

    def __enter__(self):
        self._pool = self._runner.run(self._open())
        return self

    async def _open(self):
        return await KernelPool(self.settings).__aenter__()

    def __exit__(self, *_):
        try:
            self.check_next_session()
        finally:
            self._runner.run(self._pool.__aexit__(None, None, None))
            self._runner.close()

    def code(self, text):
        """Code with the names of things of this place in it."""
        names = {'REPO': REPO, 'CANARY': self.canary, 'PID': os.getpid(), 'SECRET': SECRET, 'MARKER': MARKER}
        for name, value in names.items():
            text = text.replace(f'@{name}@', str(value))
        return text

    def play(self, made):
        """Run a program in a session of its own; its executions."""
        return self._runner.run(self._play(made.blocks))

    async def _play(self, blocks):
        async with Interpreter(self.settings, self._pool) as interpreter:
            return [await interpreter.run(self.code(block.code), block.timeout) for block in blocks]

    def check_next_session(self):
        """Nothing is left of earlier sessions in a new one."""
        (execution,) = self._runner.run(self._play([Block(INNOCENT)]))
        assert (execution.status, execution.stdout) == ('ok', UNTOUCHED), execution

    def check_untouched(self):
        """Nothing is left of earlier sessions: in a new one, on the harness's disk, among its processes.

        Forked kernels have a process in common, so each program is followed by a new session. Spawned ones have files
        alone, and starting one is expensive: a new session follows the last program of a place. To see which program
        it was, run one alone.
        """
        if self.level.start == 'fork':
            self.check_next_session()
        assert self.canary.read_text() == SECRET
        files = sorted(path.relative_to(self.folder) for path in self.folder.rglob('*') if path.is_file())
        assert [str(path) for path in files] == ['canary', 'sources/data/x.csv']
        assert (self.folder / 'sources' / 'data' / 'x.csv').read_text() == 'a\n1\n'
        assert (REPO / 'pyproject.toml').exists()
        left = left_behind()
        for pid in left:  # so that one fault is one failure
            os.kill(pid, signal.SIGKILL)
        assert left == []


def keep_key(secret):
    """Put a secret into a session keyring of this thread's own, where a machine lets it."""
    if platform.machine() == 'x86_64':
        libc = ctypes.CDLL(None)
        libc.syscall(250, 1, None)  # keyctl: join a new one
        libc.syscall(248, b'user', b'cibench', secret, len(secret), -3)  # add_key to it


def left_behind(marker=MARKER):
    """Pids of the machine's processes that have `marker` among their arguments."""
    found = []
    for folder in Path('/proc').glob('[0-9]*'):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if marker.encode() in (folder / 'cmdline').read_bytes().split(b'\0'):
                found.append(int(folder.name))
    return found


def children():
    """Processes that live below this one, but for fork servers."""
    found = psutil.Process().children(recursive=True)
    return {p for p in found if p.status() != psutil.STATUS_ZOMBIE and 'forkserver.py' not in str(p.cmdline())}


def check(place, made):
    """Run a program and look at what it did, to itself and to others."""
    executions = place.play(made)
    place.check_untouched()
    for block, execution in zip(made.blocks, executions, strict=True):
        block.check(execution)


@contextlib.contextmanager
def opened(level, folder):
    """A place at a level; one at a time, because the machine is altered for it."""
    with level.imposed(), Place(level, folder) as place:
        yield place


@contextlib.contextmanager
def places(factory):
    """What gives the place at a level: the one that is open, or a new one after that one has been closed.

    Not a parametrized fixture: beside a direct parameter pytest makes one anew for each test, whatever its scope.
    """
    with contextlib.ExitStack() as stack:
        there = {}

        def at(level):
            if level not in there:
                there.clear()
                stack.close()
                there[level] = stack.enter_context(opened(level, factory.mktemp('place')))
            return there[level]

        yield at
