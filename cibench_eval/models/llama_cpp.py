"""A GGUF file behind llama.cpp's own server, which the harness starts and stops."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Self

import httpx

from cibench_eval.models.base import Tool, Turn, text_only
from cibench_eval.models.served import Served
from cibench_eval.schema import CibenchError, GenerationConfig, HarnessError, Message, Reply

EMBEDDED = 'embedded'


class LlamaCpp(Served):
    """A local GGUF model, asked like any endpoint; it takes no images.

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
        super().__init__(path, startup_timeout, generation_kwargs=generation_kwargs, timeout=timeout)
        self._options = [str(max_seq_len * parallel), str(parallel), str(threads)]
        self._takes_tools = True

    async def __aenter__(self) -> Self:
        """Start the server, and ask it for its window and whether the model's chat template takes tools."""
        await super().__aenter__()
        with contextlib.suppress(httpx.HTTPError, ValueError):  # then nobody knows, and requests tell
            async with httpx.AsyncClient(timeout=30.0, trust_env=False) as client:
                properties = (await client.get(f'{self.base_url.removesuffix("/v1")}/props')).json()
            self.window = properties.get('default_generation_settings', {}).get('n_ctx')
            self._takes_tools = properties.get('chat_template_caps', {}).get('supports_tools', True)
        return self

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        if tools and not self._takes_tools:  # llama.cpp would leave them out and say nothing
            raise HarnessError(
                f'model {self.path}: its chat template has no place for tools; use an agent that needs none (react)'
            )
        return await super().chat(text_only(messages, self.path), turn, stop, tools)

    def command(self) -> list[str]:
        module = 'cibench_eval.models.llama_server'
        return [sys.executable, '-m', module, str(self._file()), '{port}', *self._options]

    def _file(self) -> Path:
        if self.path == EMBEDDED:
            from cibench_eval.models.embedded import embedded_model

            return embedded_model()
        file = Path(self.path).expanduser()
        if not file.is_file():
            raise CibenchError(f'model path {file}: no such GGUF file')
        return file
