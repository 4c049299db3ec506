"""Any endpoint that speaks the OpenAI chat completions API: vLLM, llama.cpp, SGLang, a paid service."""

import logging
import os
from dataclasses import KW_ONLY, dataclass
from typing import Any, ClassVar

from cibench_eval.models import streaming
from cibench_eval.models.completions import Dialect
from cibench_eval.models.connections import arrived
from cibench_eval.models.http_model import Completion, HttpModel
from cibench_eval.models.options import TEMPERATURE
from cibench_eval.models.translation import reading

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class OpenAICompatible(HttpModel):
    """A chat model behind `base_url`."""

    temperature: ClassVar[float | None] = TEMPERATURE
    _: KW_ONLY
    system_role: bool | None = None
    """Whether the model accepts system messages; where it does not, they open the first question. None learns it."""
    send_reasoning: str | None = None
    """Field of the model's turns in which its reasoning goes back: `reasoning_content` (DeepSeek, Kimi, GLM, Qwen) or
    `reasoning` (OpenRouter, vLLM). None sends it nowhere."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._dialect = Dialect(self.path, self.system_role, self.send_reasoning)

    def check(self) -> None:
        super().check()
        if (other := os.environ.get('OPENAI_BASE_URL')) and other.rstrip('/') != self.base_url.rstrip('/'):
            logger.warning('model %s: OPENAI_BASE_URL has no effect; the config says %s', self.path, self.base_url)

    async def post(self, request: dict[str, Any]) -> Completion:
        answer = await self.ask('/chat/completions', {'model': self.path, **request})
        if streaming.is_stream(answer):
            with reading('stream of a chat completion', answer.content):
                return Completion(streaming.whole(answer.content), arrived(answer, streaming.PIECE))
        return Completion(answer.content)
