"""llama.cpp's server in a process of its own: python -m … GGUF PORT CONTEXT PARALLEL THREADS

It serves until its supervisor (`supervisor.py`) sends a signal.
"""

import signal
import sys

import xllamacpp


def main(file: str, port: int, context: int, parallel: int, threads: int) -> None:
    """Serve `file` on loopback until a signal ends the process."""
    params = xllamacpp.CommonParams()
    params.model.path = file
    params.hostnames = ['127.0.0.1']
    params.port = port
    params.n_ctx = context
    params.n_parallel = parallel
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.warmup = False
    params.cache_ram_mib = 0
    try:
        server = xllamacpp.Server(params)
    except RuntimeError as error:
        sys.exit(str(error))  # its log tells the cause, at times only after this line
    while server:  # the name keeps it alive
        signal.pause()


if __name__ == '__main__':
    main(sys.argv[1], *(int(value) for value in sys.argv[2:6]))
