"""llama.cpp's server in a process of its own: python -m … GGUF PORT CONTEXT PARALLEL THREADS

It serves until its supervisor (`supervisor.py`) sends a signal.
"""

import contextlib
import ctypes
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
        _flush_log()
        sys.exit(str(error))
    while server:  # the name keeps it alive
        signal.pause()


def _flush_log() -> None:
    """Write the rest of the log of llama.cpp, which tells the cause; its thread for that may not have come to it."""
    library = ctypes.CDLL(xllamacpp.xllamacpp.__file__)
    with contextlib.suppress(AttributeError):  # C++ names, which another build may lack
        log, flush = library._Z15common_log_mainv, library._Z16common_log_flushP10common_log
        log.restype, flush.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
        flush(log())


if __name__ == '__main__':
    main(sys.argv[1], *(int(value) for value in sys.argv[2:6]))
