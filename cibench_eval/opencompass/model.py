"""Any model class of OpenCompass (HuggingFacewithChatTemplate, VLLMwithChatTemplate, OpenAI, …) as a chat model."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from cibench_eval.models.base import Stateless, Turn
from cibench_eval.schema import Message, Reply


class OpenCompassModel(Stateless):
    """Asks an OpenCompass model object, one prompt at a time: such models are not made for several threads.

    Args:
        model: an object of one of OpenCompass's model classes. Its template parser is replaced by the one that
            OpenCompass's own chat inferencer gives it, which takes chats as they are.
    """

    max_out_len: int | None = 1024

    def __init__(self, model: Any) -> None:
        from opencompass.models import LMTemplateParser
        from opencompass.openicl.icl_inferencer import icl_chat_inferencer as chat

        parser = model.template_parser
        kind = chat.LMTemplateParser if isinstance(parser, LMTemplateParser) else chat.APITemplateParser
        model.template_parser = kind(parser.meta_template)
        self._model = model
        self._lock: asyncio.Lock | None = None

    async def chat(self, messages: list[Message], turn: Turn, stop: list[str]) -> Reply:
        self._lock = self._lock or asyncio.Lock()
        async with self._lock:
            started = time.monotonic()
            said = await asyncio.to_thread(self._model.generate_from_template, [messages], max_out_len=self.max_out_len)
        return Reply(text=cut(str(said[0]), stop), seconds=time.monotonic() - started)


def cut(text: str, stop: list[str]) -> str:
    """`text` up to the first of `stop`: for backends that cannot stop by themselves."""
    found = [position for position in (text.find(word) for word in stop) if position >= 0]
    return text[: min(found)] if found else text
