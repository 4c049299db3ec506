"""A GGUF file behind llama.cpp's own server, started and stopped by the harness."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Self

from cibench_eval.models.openai_compatible import OpenAICompatible
from cibench_eval.models.servers import serve
from cibench_eval.schema import CibenchError, GenerationConfig

EMBEDDED = 'embedded'


class LlamaCpp(OpenAICompatible):
    """A local GGUF model; everything above the server is the client that any endpoint gets.

    Args:
        path: a GGUF file, or `embedded` for the small model that `cibench model fetch` brings.
        generation_kwargs: sampling settings.
        max_seq_len: context window of each parallel slot, tokens.
        parallel: requests answered at the same time.
        threads: CPU threads; one is fastest where kernels need the other cores.
        startup_timeout: seconds the server may take to load the model.
        timeout: seconds a request may take.
    """

    def __init__(
        self,
        path: str = EMBEDDED,
        generation_kwargs: GenerationConfig | None = None,
        max_seq_len: int = 4096,
        parallel: int = 2,
        threads: int = 1,
        startup_timeout: float = 60.0,
        timeout: float = 600.0,
    ) -> None:
        super().__init__(path, 'http://127.0.0.1', None, generation_kwargs, timeout)
        self._options = [str(max_seq_len * parallel), str(parallel), str(threads)]
        self._startup_timeout = startup_timeout

    def check(self) -> None:
        self._file()

    async def __aenter__(self) -> Self:
        argv = [sys.executable, '-m', 'cibench_eval.models.llama_server', str(self._file()), '{port}']
        server = await serve(self.path, [*argv, *self._options], self._startup_timeout)
        self.base_url = server.base_url
        return await super().__aenter__()

    def _file(self) -> Path:
        if self.path == EMBEDDED:
            from cibench_eval.models.embedded import embedded_model

            return embedded_model()
        file = Path(self.path)
        if not file.is_file():
            raise CibenchError(f'model path {file}: no such GGUF file')
        return file
