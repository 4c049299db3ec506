"""A stand-in for a model server that needs a GPU or gigabytes: python model_server.py --port N … [--how HOW]

It accepts vLLM's options and answers vLLM's routes. Like vLLM it starts a child process, and like a server in the
middle of a computation both ignore SIGTERM. It writes both process ids into the file that PIDS names. HOW: `detach`
puts the child into a session of its own, `die` ends at the first question.
"""

import json
import os
import signal
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

OPTIONS = sys.argv[1:]
STUBBORN = 'import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); print(1, flush=True); signal.pause()'


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers['Content-Length'])))
        if 'die' in OPTIONS:
            print('RuntimeError: CUDA error: an illegal memory access was encountered', flush=True)
            os._exit(9)
        said = json.dumps({'model': body['model'], 'options': OPTIONS, 'variables': dict(os.environ)})
        message = {'role': 'assistant', 'content': said}
        choice = {'index': 0, 'finish_reason': 'stop', 'message': message}
        self._answer({'id': '1', 'object': 'chat.completion', 'created': 0, 'model': 'm', 'choices': [choice]})

    def _answer(self, content: object) -> None:
        body = json.dumps(content).encode()
        self.send_response(200)
        self.send_header('Content-Type', 'application/json')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def main() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    detach = 'detach' in OPTIONS
    child = subprocess.Popen([sys.executable, '-c', STUBBORN], stdout=subprocess.PIPE, start_new_session=detach)
    assert child.stdout is not None
    child.stdout.readline()
    if pids := os.environ.get('PIDS'):
        Path(pids).write_text(f'{os.getpid()} {child.pid}')
    print('loading weights', flush=True)
    port = int(OPTIONS[OPTIONS.index('--port') + 1])
    ThreadingHTTPServer(('127.0.0.1', port), Handler).serve_forever()


if __name__ == '__main__':
    main()
