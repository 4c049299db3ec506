"""A GGUF file behind llama.cpp's own server, which the harness starts and stops."""

import contextlib
import math
import sys
from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import Self

import httpx

from cibench_eval.models.base import Tools, Turn, text_only
from cibench_eval.models.servers import Served
from cibench_eval.packages import require
from cibench_eval.schema import CibenchError, HarnessError, Message, Reply

EMBEDDED = 'embedded'
MAGIC = b'GGUF'
"""The first bytes of a GGUF file."""


@dataclass(eq=False)
class LlamaCpp(Served):
    """A local GGUF model; it accepts no images."""

    path: str = EMBEDDED
    """A GGUF file, or `embedded`: the small model that `cibench model fetch` downloads."""
    _: KW_ONLY
    max_seq_len: int = 4096
    """Context window of each parallel slot, in tokens. llama.cpp refuses no request that nearly fills it, but cuts the
    reply short: such a reply counts as none."""
    parallel: int = 2
    """Requests that are answered at the same time."""
    threads: int = 1
    """CPU threads; one is fastest where kernels need the other cores."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._takes_tools, self._window = True, math.inf

    async def __aenter__(self) -> Self:
        """Start the server, and ask it for its window, and whether the model's chat template has tools."""
        await super().__aenter__()
        with contextlib.suppress(httpx.HTTPError, ValueError):  # an older server does not say; requests will show it
            async with httpx.AsyncClient(timeout=30.0, trust_env=False) as client:
                properties = (await client.get(f'{self._client.base_url.removesuffix("/v1")}/props')).json()
            self._window = properties.get('default_generation_settings', {}).get('n_ctx', math.inf)
            self._takes_tools = properties.get('chat_template_caps', {}).get('supports_tools', True)
        return self

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        if tools and not self._takes_tools:  # llama.cpp would leave them out silently
            raise HarnessError(
                f'model {self.path}: its chat template has no place for tools; use an agent that needs none (react)'
            )
        reply = await super().chat(text_only(messages, self.path), turn, stop, tools)
        if reply.finish_reason == 'length' and (reply.tokens_in or 0) + (reply.tokens_out or 0) >= self._window:
            return reply.model_copy(update={'finish_reason': 'context_overflow', 'text': '', 'tool_calls': []})
        return reply

    def command(self) -> list[str]:
        require(f'model {self.path}', 'xllamacpp')
        options = self.max_seq_len * self.parallel, self.parallel, self.threads
        module = 'cibench_eval.models.llama_server'
        return [sys.executable, '-m', module, str(self._file()), '{port}', *map(str, options)]

    def _file(self) -> Path:
        if self.path == EMBEDDED:
            from cibench_eval.models.embedded import embedded_model

            return embedded_model()
        file = Path(self.path).expanduser()
        if not file.is_file():
            what = 'is a folder; name a GGUF file in it' if file.is_dir() else 'no such GGUF file'
            raise CibenchError(f'model path {file}: {what}')
        with file.open('rb') as content:
            if content.read(len(MAGIC)) != MAGIC:
                raise CibenchError(f'model path {file}: is no GGUF file; those begin with {MAGIC.decode()}')
        return file
