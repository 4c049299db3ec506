"""Servers that the harness starts: they come up, are shared, and end with the harness, however it ends."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import textwrap

import psutil
import pytest

from cibench_eval.models import LlamaCpp, servers
from cibench_eval.schema import CibenchError, HarnessError
from tests.support import model_server
from tests.support.asking import HELLO, IMAGE, TOOL, TURN
from tests.support.soak import many

HEALTHY = """
import http.server, sys
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Health).serve_forever()
"""
STAND_IN = [sys.executable, model_server.__file__, '--port', '{port}']


@pytest.fixture
def stubborn(tmp_path, monkeypatch):
    """Starts the stand-in, which ignores SIGTERM as its child does; gives the server and both processes."""
    monkeypatch.setattr(servers, 'GRACE', 0.2)
    monkeypatch.setenv('PIDS', str(tmp_path / 'pids'))

    def start(*how):
        server = asyncio.run(servers.serve('test', [*STAND_IN, *how], 60.0))
        return server, [psutil.Process(int(pid)) for pid in (tmp_path / 'pids').read_text().split()]

    return start


def serve(code, timeout=60.0):
    return asyncio.run(servers.serve('test', [sys.executable, '-c', code, '{port}'], timeout))


def all_end(processes):
    _, alive = psutil.wait_procs(processes, timeout=60)
    return not [process for process in alive if process.status() != psutil.STATUS_ZOMBIE]


def test_those_who_ask_at_the_same_time_get_the_same_server():
    async def both():
        argv = [sys.executable, '-c', HEALTHY, '{port}']
        return await asyncio.gather(*(servers.serve('test', argv, 60.0) for _ in range(3)))

    first, second, third = asyncio.run(both())
    assert first is second is third


def test_a_server_that_died_between_two_tasks_is_started_again():
    first = serve(HEALTHY)
    first.process.kill()
    first.process.wait()
    second = serve(HEALTHY)
    assert second is not first
    assert second.running


@pytest.mark.parametrize(
    ('code', 'says'),
    [
        ('import sys; print("out of memory"); sys.exit(3)', r'ended with code 3.*out of memory'),
        ('import os, signal; os.kill(os.getpid(), signal.SIGKILL)', 'ended with code 137'),
        (
            'print("INFO: no Error: here", "ValueError: no kernel for this GPU", *range(9), sep="\\n"); exit(1)',
            r'log: ValueError: no kernel for this GPU \| … \| 6',
        ),
    ],
)
def test_server_that_ends_tells_the_cause(code, says):
    with pytest.raises(HarnessError, match=says) as error:
        serve(code)
    assert '\n' not in str(error.value)


def test_server_that_never_comes_up_is_given_up_and_stopped():
    before = set(psutil.Process().children())
    with pytest.raises(HarnessError, match=r'not ready within 0\.5 s'):
        serve('import signal; signal.pause()', timeout=0.5)
    left = set(psutil.Process().children()) - before
    assert not [p for p in left if p.status() != psutil.STATUS_ZOMBIE]


def test_progress_names_the_last_line_of_the_log(monkeypatch):
    def info(message, *values):
        if re.fullmatch(r'model server test: \d+ s, not ready: loading shard 1 of 9', message % values):
            raise HarnessError('told')

    monkeypatch.setattr(servers, 'PROGRESS_INTERVAL', 0.0)
    monkeypatch.setattr(servers.logger, 'info', info)
    with pytest.raises(HarnessError, match='told'):
        serve('import signal; print("loading shard 1 of 9", flush=True); signal.pause()', timeout=60.0)


def test_reading_the_log_does_not_move_where_the_server_writes():
    """The server's output is the same open file: a seek here would let it write over what it has written."""
    server = servers.Server('test', [sys.executable, '-c', 'print("one"); print("two")'], None)
    server.process.wait(timeout=60)
    os.lseek(server._log.fileno(), 2, os.SEEK_SET)
    assert server.log_tail() == 'one | two'
    assert os.lseek(server._log.fileno(), 0, os.SEEK_CUR) == 2
    server.stop()


def test_command_that_is_not_there_is_named():
    with pytest.raises(HarnessError, match='no-such-server'):
        asyncio.run(servers.serve('test', ['no-such-server'], 10.0))


def test_a_port_that_was_taken_in_the_meantime_is_left_to_whom_has_it(monkeypatch):
    free = servers.free_port
    with socket.create_server(('127.0.0.1', 0)) as other:
        ports = [other.getsockname()[1]]
        monkeypatch.setattr(servers, 'free_port', lambda: ports.pop() if ports else free())
        server = serve(HEALTHY)
        assert server.port != other.getsockname()[1]
        assert server.running


def test_a_helper_that_ends_while_it_is_looked_at_does_not_matter(monkeypatch):
    with subprocess.Popen(['true']) as helper:
        ended = psutil.Process(helper.pid)
    children = psutil.Process.children
    monkeypatch.setattr(psutil.Process, 'children', lambda *of, **how: [ended, *children(*of, **how)])
    monkeypatch.setattr(servers, 'PORTS', 1)
    assert serve(HEALTHY).running


def test_another_ones_healthy_server_is_not_taken_for_ours(monkeypatch):
    first = serve(HEALTHY)
    free, ports = servers.free_port, [first.port]
    monkeypatch.setattr(servers, 'free_port', lambda: ports.pop() if ports else free())
    second = serve(HEALTHY + '# another')
    assert second.port != first.port
    assert first.running


def test_ports_that_are_always_taken_are_given_up(monkeypatch):
    monkeypatch.setattr(servers, 'PORTS', 2)
    with socket.create_server(('127.0.0.1', 0)) as other:
        port = other.getsockname()[1]
        monkeypatch.setattr(servers, 'free_port', lambda: port)
        with pytest.raises(HarnessError, match=f'port {port} was taken'):
            serve(HEALTHY)


@pytest.mark.parametrize('how', [(), ('detach',)])
def test_all_that_a_server_started_ends_with_it_though_it_ignores_sigterm(stubborn, how):
    _, processes = stubborn(*how)
    assert len(processes) == 2
    servers.stop_all()
    assert all_end(processes)


def test_what_a_server_leaves_behind_ends_when_it_dies(stubborn):
    server, (main, child) = stubborn('detach')
    main.kill()
    assert server.process.wait(timeout=60) == 137
    assert all_end([main, child])


def test_a_killed_supervisor_leaves_nothing(stubborn):
    server, processes = stubborn()
    server.process.kill()
    servers.stop_all()
    assert all_end(processes)


@pytest.mark.parametrize(
    ('number', 'how'),
    [
        (signal.SIGKILL, []),
        *many([(signal.SIGKILL, ['detach']), (signal.SIGTERM, ['detach']), (signal.SIGINT, [])], []),
    ],
)
def test_a_server_ends_when_its_harness_does(tmp_path, number, how):
    code = f"""
        import asyncio, sys
        from cibench_eval.models import servers
        servers.GRACE = 0.2
        asyncio.run(servers.serve('t', {[*STAND_IN, *how]!r}, 60))
        print(open({str(tmp_path / 'pids')!r}).read(), flush=True)
        sys.stdin.read()
    """
    with subprocess.Popen(
        [sys.executable, '-c', textwrap.dedent(code)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, 'PIDS': str(tmp_path / 'pids')},
    ) as harness:
        processes = [psutil.Process(int(pid)) for pid in harness.stdout.readline().split()]
        assert len(processes) == 2
        os.kill(harness.pid, number)
    assert all_end(processes)


def test_a_model_file(tmp_path, monkeypatch):
    with pytest.raises(CibenchError, match=r'none\.gguf: no such GGUF file'):
        LlamaCpp(str(tmp_path / 'none.gguf')).check()
    monkeypatch.setenv('HOME', str(tmp_path))
    with pytest.raises(CibenchError, match='is a folder; name a GGUF file in it'):
        LlamaCpp('~').check()
    (tmp_path / 'page.gguf').write_text('<html>')
    with pytest.raises(CibenchError, match='is no GGUF file'):
        LlamaCpp('~/page.gguf').check()
    (tmp_path / 'mine.gguf').write_bytes(b'GGUF')
    assert str(tmp_path / 'mine.gguf') in LlamaCpp('~/mine.gguf').command()


def test_broken_model_file_is_a_harness_error(tmp_path):
    (tmp_path / 'broken.gguf').write_bytes(b'GGUF, but not really')

    async def start():
        async with LlamaCpp(str(tmp_path / 'broken.gguf')):
            pass

    with pytest.raises(HarnessError, match=r'broken\.gguf: ended with code 1 .* E gguf_init'):
        asyncio.run(start())


@pytest.mark.server
def test_the_embedded_model_answers_through_a_real_server_until_that_dies():
    """SmolLM2's chat template knows no tools; llama.cpp would take them all the same, and the model never see them."""
    words = [{'type': 'text', 'text': 'What is the capital'}, {'type': 'text', 'text': 'of France?'}]
    question = [{'role': 'user', 'content': words}]

    async def session():
        model = LlamaCpp(generation_kwargs={'seed': 0}, max_seq_len=1000)
        model.max_out_len = 16
        async with model:
            first, second = [await model.chat(question, TURN) for _ in range(2)]
            assert first.text.strip() and first.text == second.text
            assert first.tokens_in > 10 and 0 < first.tokens_out <= 16
            filling = {'type': 'text', 'text': ' one' * (1020 - first.tokens_in)}
            cut = await model.chat([{'role': 'user', 'content': [*words, filling]}], TURN)
            assert (cut.finish_reason, cut.text) == ('context_overflow', ''), 'the window has no room for 16 tokens'
            assert cut.tokens_in + cut.tokens_out == 1024, 'llama.cpp makes a window of whole blocks'
            with pytest.raises(HarnessError, match='model embedded: it takes no images'):
                await model.chat([{'role': 'user', 'content': [*words, IMAGE]}], TURN)
            with pytest.raises(HarnessError, match='no place for tools'):
                await model.chat(HELLO, TURN, [], [TOOL])
            (server,) = servers._running.values()
            for process in psutil.Process(server.process.pid).children():
                process.kill()
            await model.chat(HELLO, TURN)

    with pytest.raises(HarnessError, match='model server embedded: ended with code 137 in the middle of the run'):
        asyncio.run(session())
