"""Servers that the harness starts: they come up, are shared, and end with the harness, however it ends."""

import asyncio
import os
import signal
import subprocess
import sys

import httpx
import psutil
import pytest

from cibench_eval.models import servers
from cibench_eval.models.llama_cpp import LlamaCpp
from cibench_eval.schema import CibenchError, HarnessError

HEALTHY = """
import http.server, sys, threading
class Health(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers()
    def log_message(self, *_): pass
server = http.server.HTTPServer(('127.0.0.1', int(sys.argv[1])), Health)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.buffer.read()
"""


@pytest.fixture(autouse=True)
def no_server_is_left():
    yield
    servers.stop_all()


def serve(code, timeout=20.0):
    return asyncio.run(servers.serve('test', [sys.executable, '-c', code, '{port}'], timeout))


def test_one_server_for_one_command():
    first, second = serve(HEALTHY), serve(HEALTHY)
    assert first is second
    assert httpx.get(f'http://127.0.0.1:{first.port}/health').status_code == 200
    servers.stop_all()
    assert first.process.poll() is not None


def test_server_that_ends_says_its_last_words():
    with pytest.raises(HarnessError, match=r'ended with code 3.*out of memory') as error:
        serve('import sys; print("out of memory"); sys.exit(3)')
    assert '\n' not in str(error.value)


def test_server_that_never_comes_up_is_given_up_and_stopped():
    with pytest.raises(HarnessError, match=r'not ready within 0\.5 s'):
        serve('import sys; sys.stdin.read()', timeout=0.5)
    assert not [p for p in psutil.Process().children() if p.status() != psutil.STATUS_ZOMBIE]


def test_command_that_is_not_there_is_named():
    with pytest.raises(HarnessError, match='no-such-server'):
        asyncio.run(servers.serve('test', ['no-such-server'], 1.0))


def test_server_ends_when_its_harness_is_killed():
    code = (
        'import asyncio, sys\nfrom cibench_eval.models import servers\n'
        f'server = asyncio.run(servers.serve("t", [sys.executable, "-c", {HEALTHY!r}, "{{port}}"], 20))\n'
        'print(server.process.pid, flush=True)\nsys.stdin.read()'
    )
    with subprocess.Popen(
        [sys.executable, '-c', code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as harness:
        server = psutil.Process(int(harness.stdout.readline()))
        os.kill(harness.pid, signal.SIGKILL)
    gone, alive = psutil.wait_procs([server], timeout=20)
    assert (len(gone), alive) == (1, [])


def test_missing_model_file_is_one_line(tmp_path):
    async def start():
        async with LlamaCpp(str(tmp_path / 'none.gguf')):
            pass

    with pytest.raises(CibenchError, match=r'none\.gguf: no such GGUF file'):
        asyncio.run(start())


def test_broken_model_file_is_a_harness_error(tmp_path):
    (tmp_path / 'broken.gguf').write_bytes(b'GGUF, but not really')

    async def start():
        async with LlamaCpp(str(tmp_path / 'broken.gguf')):
            pass

    with pytest.raises(HarnessError, match=r'broken\.gguf'):
        asyncio.run(start())


@pytest.mark.server
def test_the_embedded_model_answers_through_a_real_server():
    async def talk():
        model = LlamaCpp(generation_kwargs={'seed': 0})
        model.max_out_len = 16
        async with model:
            question = [{'role': 'user', 'content': 'What is the capital of France?'}]
            return await model.chat(question, None, []), await model.chat(question, None, [])

    first, second = asyncio.run(talk())
    assert first.text.strip()
    assert first.text == second.text
    assert 0 < first.tokens_out <= 16
