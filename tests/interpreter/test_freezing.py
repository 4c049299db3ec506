"""Between two code blocks nothing of a session runs; it goes on where it was, and can be killed meanwhile."""

import contextlib
import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from cibench_eval.interpreter import KernelSettings, processes
from tests.interpreter.programs import (
    ENGINE,
    FORK,
    NONE_FORK,
    NONE_SPAWN,
    REPO,
    SPAWN,
    USER_FORK,
    groups_can_be_made,
    left_behind,
    level_problem,
    watched,
    with_kernel,
)

pytestmark = pytest.mark.kernel
LEVELS = (FORK, NONE_FORK, ENGINE, *watched(FORK, SPAWN, NONE_FORK))
"""By a control group, and by signals to all whom a sandbox finds."""


def at(levels):
    """A parameter for each level; those that cannot be had here are skipped, and all but one are soak."""
    made = []
    for level in levels:
        why = level_problem(level) or ('' if groups_can_be_made() or not level.cgroup else 'no groups')
        soak = [] if level == FORK else [pytest.mark.soak]
        skip = pytest.mark.skipif(bool(why), reason=f'no {level} here: {why}')
        made.append(pytest.param(level, id=str(level), marks=[*soak, skip]))
    return pytest.mark.parametrize('level', made)


def play(level, session):
    """What a coroutine returns that is given a started kernel and its sandbox."""
    with level.imposed():
        settings = KernelSettings(**level.settings, preload=())
        return with_kernel(settings, lambda kernel: session(kernel, kernel._process.session))


async def execute(kernel, code):
    execution, _ = await kernel.execute(code, 60)
    assert execution.status == 'ok', execution
    return execution.result


SERVER = """\
import socket, subprocess, sys, threading
server = socket.create_server(('127.0.0.1', 0))
def serve():
    while True:
        client, _ = server.accept()
        client.sendall(b'served'), client.close()
threading.Thread(target=serve, daemon=True).start()
count = 0
def burn():
    global count
    while True: count += 1
threading.Thread(target=burn, daemon=True).start()
children = [subprocess.Popen([sys.executable, '-c', 'while True: pass']) for _ in range(2)]
"""


@at(LEVELS)
def test_nothing_runs_until_the_session_is_thawed_and_then_all_goes_on(level):
    async def session(kernel, sandboxed):
        await execute(kernel, SERVER)
        for _ in range(2):
            assert await sandboxed.freeze()
            before = ticks(sandboxed)
            burn_here()
            after = ticks(sandboxed)
            assert after.keys() == before.keys()
            # Linux counts the last of what ran when it has left the processor: a part of a tick each.
            assert all(after[pid] - before[pid] <= 1 for pid in before), (before, after)
            await sandboxed.thaw()
            count = int(await execute(kernel, 'count'))
            assert int(await execute(kernel, f'while count == {count}: pass\ncount')) > count
        answer = await execute(kernel, 'socket.create_connection(server.getsockname()).recv(100)')
        assert answer == "b'served'"
        assert await execute(kernel, '[child.poll() for child in children]') == '[None, None]'

    play(level, session)


def ticks(sandboxed):
    """Processor time of each process and of its children, by its pid, in hundredths of a second."""
    found = {}
    for folder in sandboxed.processes():
        with contextlib.suppress(*processes.GONE):
            fields = (folder / 'stat').read_text().rpartition(')')[2].split()
            found[folder.name] = sum(map(int, fields[11:15]))
    return found


def burn_here():
    """Use the processor for many ticks: others could have, too."""
    process = psutil.Process()
    end = process.cpu_times().user + 0.3
    while process.cpu_times().user < end:
        pass


CHILDREN = """\
import asyncio, multiprocessing, os, signal, subprocess, sys, threading
child = 'import time\\nend = time.process_time() + .3\\nwhile time.process_time() < end: pass\\nprint("done")'
def work(number):
    return sum(range(3_000_000)) and number
async def wait():
    process = await asyncio.create_subprocess_exec(sys.executable, '-c', child, stdout=subprocess.PIPE)
    return (await process.communicate())[0], process.returncode
found = {}
def keep(name, call):
    thread = threading.Thread(target=lambda: found.__setitem__(name, call()))
    thread.start()
    return thread
pool = multiprocessing.get_context('fork').Pool(2)
threads = [
    keep('run', lambda: subprocess.run([sys.executable, '-c', child], capture_output=True, text=True).stdout),
    keep('wait', lambda: subprocess.Popen([sys.executable, '-c', child], stdout=subprocess.DEVNULL).wait()),
    keep('pool', lambda: pool.map(work, range(4))),
    keep('asyncio', lambda: asyncio.run(wait())),
    keep('shell', lambda: os.system('sleep 0.2; exit 3') >> 8),
]
halted = subprocess.Popen(['sleep', '1000'])
os.kill(halted.pid, signal.SIGSTOP)
stat = lambda: open(f'/proc/{halted.pid}/stat').read().split()[2]
while stat() != 'T': pass
"""


@at(LEVELS)
def test_who_waits_for_children_is_not_disturbed(level):
    async def session(kernel, sandboxed):
        await execute(kernel, CHILDREN)
        for _ in range(10):
            assert await sandboxed.freeze()
            await sandboxed.thaw()
            await execute(kernel, 'None')
        await execute(kernel, 'for thread in threads: thread.join()')
        found = await execute(kernel, '[found[name] for name in ("run", "wait", "pool", "asyncio", "shell")]')
        assert found == repr(['done\n', 0, [0, 1, 2, 3], (b'done\n', 0), 3])
        assert await execute(kernel, 'stat(), halted.poll()') == "('T', None)"  # which the code itself has stopped

    play(level, session)


def test_processes_that_outrun_their_signals_are_told_of(monkeypatch):
    monkeypatch.setattr(processes, 'STOP_SECONDS', 0.2)
    started = []

    def one_more():
        started.append(subprocess.Popen(['sleep', '1000']))
        return [Path(f'/proc/{process.pid}') for process in started]

    try:
        assert not processes.Stopper(one_more).stop()
        assert processes.Stopper(lambda: one_more()[:1]).stop()
    finally:
        for process in started:
            process.kill()
            process.wait()


LEAVE = """\
import subprocess, sys
command = [sys.executable, '-c', 'print(flush=True)\\nwhile True: pass', @MARKER@]
for own in (True, False):
    subprocess.Popen(command, start_new_session=own, stdout=subprocess.PIPE).stdout.readline()
"""  # what has not said anything may still be becoming its program, and have no arguments


async def leave(kernel, sandboxed, marker):
    """Freeze a session that two children go on in: their pids."""
    await execute(kernel, LEAVE.replace('@MARKER@', repr(marker)))
    assert await sandboxed.freeze()
    pids = left_behind(marker)
    assert len(pids) == 2
    return pids


def end(pids):
    left = []
    for pid in pids:
        with contextlib.suppress(psutil.NoSuchProcess):
            left.append(psutil.Process(pid))
    return psutil.wait_procs(left, timeout=30)[1] == []


@at(LEVELS)
def test_a_frozen_session_can_be_killed(level):
    async def session(kernel, sandboxed):
        pids = await leave(kernel, sandboxed, f'killed-{os.getpid()}-{level}')
        await kernel.stop()
        assert not kernel.alive
        return pids

    assert end(play(level, session))


HARNESS = """\
import os
from tests.interpreter.programs import Level
from tests.interpreter.test_freezing import leave, play
sandbox, start, userns, cgroup, engine, marker = os.environ['LEVEL'].split(',')
async def session(kernel, sandboxed):
    print(*await leave(kernel, sandboxed, marker), flush=True)
    os.kill(os.getpid(), 9)
play(Level(sandbox, start, userns == 'True', cgroup == 'True', engine), session)
"""


@at((*LEVELS, SPAWN, USER_FORK, *watched(USER_FORK), NONE_SPAWN))
def test_nothing_stays_behind_a_harness_that_is_killed_while_its_session_is_frozen(level):
    words = [*dataclasses.astuple(level), f'frozen-{os.getpid()}-{level}']
    env = {**os.environ, 'LEVEL': ','.join(map(str, words))}
    with subprocess.Popen([sys.executable, '-c', HARNESS], cwd=REPO, env=env, stdout=subprocess.PIPE) as harness:
        pids = [int(word) for word in harness.stdout.readline().split()]
    assert len(pids) == 2
    if level == NONE_SPAWN:  # nobody is left who could end them but the next harness
        next_one = 'from cibench_eval.interpreter.cgroup import parents; parents()'
        subprocess.run([sys.executable, '-c', next_one], cwd=REPO, check=True)
    assert end(pids)


BUSY = 'import time\nend = time.process_time() + .3\nwhile time.process_time() < end: pass'
BURNER = (
    'import subprocess, sys\nburners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]'
)


@at((FORK, SPAWN, NONE_FORK, ENGINE, *watched(FORK)))
def test_a_session_knows_what_it_waited_for_others(level):
    """All on one processor: those who burn there get as much of it as the kernel, each."""

    async def session(kernel, sandboxed):
        await execute(kernel, 'import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})')
        code = 'import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nprint(flush=True)\nwhile True: pass'
        others = [subprocess.Popen([sys.executable, '-c', code], stdout=subprocess.PIPE) for _ in range(2)]
        try:
            for other in others:
                other.stdout.readline()
            return await waited(kernel, sandboxed)
        finally:
            for other in others:
                other.kill()
                other.wait()

    assert play(level, session) > 0.01


@at((FORK, SPAWN, NONE_FORK, ENGINE))
def test_what_a_session_waited_for_its_own_children_does_not_count(level):
    async def session(kernel, sandboxed):
        await execute(kernel, 'import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})')
        await execute(kernel, BURNER)
        before = sandboxed._main_thread()[1]
        found = await waited(kernel, sandboxed)
        return found, sandboxed._main_thread()[1] - before

    found, stood = play(level, session)
    assert found < stood - 0.1  # they get as much of the processor as the kernel, each; others' tests may take more


async def waited(kernel, sandboxed):
    before = sandboxed.waited()
    await execute(kernel, BUSY)
    return sandboxed.waited() - before
