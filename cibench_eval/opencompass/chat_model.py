"""Any model class of OpenCompass (HuggingFacewithChatTemplate, VLLMwithChatTemplate, OpenAI, …) as a chat model."""

import asyncio
import inspect
import logging
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

from cibench_eval.models.base import Stateless, Tools, Turn, cut, text_only, without_system
from cibench_eval.models.identity import model_of_epoch
from cibench_eval.schema import HarnessError, Message, Reply

logger = logging.getLogger(__name__)
PROBE = 'system-message-of-cibench'
GATHERING = 0.02
"""Seconds that a free model waits for further requests.

Sessions that start together ask within this time; a session that works between two replies needs longer."""


class OpenCompassModel(Stateless):
    """Asks an OpenCompass model object. Such models take lists of prompts and no second thread, so requests of
    concurrent sessions are gathered into one call. They take texts alone: images are refused.

    Where the chat template of the model's tokenizer has no system role, the system message opens the first message of
    the user.

    Args:
        model: an object of one of OpenCompass's model classes. Its template parser is replaced by the one that
            OpenCompass's own chat inferencer gives it, which takes chats as they are.
        batch_size: prompts of a call, at most.
    """

    max_out_len: int | None = 1024

    def __init__(self, model: Any, batch_size: int = 1) -> None:
        from opencompass.models import LMTemplateParser
        from opencompass.openicl.icl_inferencer import icl_chat_inferencer as chat

        parser = model.template_parser
        kind = chat.LMTemplateParser if isinstance(parser, LMTemplateParser) else chat.APITemplateParser
        model.template_parser = kind(parser.meta_template)
        self._model = model
        self._name = str(getattr(model, 'path', type(model).__name__))
        self._is_api = bool(getattr(model, 'is_api', False))
        self._stops = 'stopping_criteria' in inspect.signature(model.generate).parameters
        self._system = takes_system(getattr(model, 'tokenizer', None))
        settings = getattr(model, 'generation_kwargs', None) or {}
        self._seeded = {'generation_kwargs': settings} if settings.get('seed') is not None else {}
        self._batcher = Batcher(self._name, self._generate, batch_size)

    def reseed(self, epoch: int) -> None:
        """Let the model draw other numbers than in other epochs: torch begins with the same seed in every process."""
        if torch := sys.modules.get('torch'):
            torch.manual_seed(epoch)

    async def __aexit__(self, *error: Any) -> None:
        self._batcher.close()

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        if tools:
            raise HarnessError(
                f'model {self._name}: OpenCompass model classes cannot call tools; give it an agent whose protocol '
                'is text (react), or serve the model behind an OpenAI-compatible endpoint'
            )
        started = time.monotonic()
        messages = text_only(messages, self._name)
        request = messages if self._system else without_system(messages)
        text = await self._batcher.ask(request, (tuple(stop), turn.epoch if self._seeded else 1))
        if not isinstance(text, str) or (self._is_api and not text):
            raise HarnessError(
                f'model {self._name}: its OpenCompass class gave no answer, as such classes do when a request fails; '
                'see the log above, or ask the model by OpenAICompatible, which says why'
            )
        return Reply(text=cut(text, stop), seconds=time.monotonic() - started)

    def _generate(self, requests: list[list[Message]], kind: Any) -> list[Any]:
        """Answer requests with the same stop words and epoch."""
        stop, epoch = kind
        if self._seeded:  # such classes take their seed from here, not from a call
            self._model.generation_kwargs = model_of_epoch(self._seeded, epoch)['generation_kwargs']
        options = {'stopping_criteria': list(stop)} if stop and self._stops else {}
        return [*self._model.generate_from_template(requests, max_out_len=self.max_out_len, **options)]


def takes_system(tokenizer: Any) -> bool:
    """Whether a tokenizer's chat template shows system messages: some raise on them, some leave them out.

    True where there is no template.
    """
    if not getattr(tokenizer, 'chat_template', None):
        return True
    from jinja2 import TemplateError

    probe = [{'role': 'system', 'content': PROBE}, {'role': 'user', 'content': 'hello'}]
    try:
        return PROBE in tokenizer.apply_chat_template(probe, tokenize=False, add_generation_prompt=True)
    except TemplateError:
        return False


@dataclass(eq=False)
class _Waiting:
    request: Any
    kind: object
    reply: asyncio.Future[Any] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Batcher:
    """Gathers waiting requests into one call when the model becomes free, in the order of asking.

    Args:
        name: of the model, for messages.
        call: answers a list of requests of the same kind, in their order. It is called in one thread of its own,
            never twice at a time.
        size: requests of a call, at most.
    """

    def __init__(self, name: str, call: Callable[[list[Any], Any], list[Any]], size: int = 1) -> None:
        self.size = size
        self._name = name
        self._call = call
        self._queue: deque[_Waiting] = deque()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=f'model {name}')
        self._worker: asyncio.Task[None] | None = None

    async def ask(self, request: Any, kind: object = None) -> Any:
        """The reply to a request. Requests of one kind share a call, and its `HarnessError` if it fails."""
        if self._worker is None or self._worker.done():
            self._queue.clear()  # of an event loop that is gone
            self._worker = asyncio.create_task(self._work())
        waiting = _Waiting(request, kind)
        self._queue.append(waiting)
        return await waiting.reply

    def close(self) -> None:
        """Drop waiting requests without a reply; a call that has begun runs to its end in its thread."""
        if self._worker is not None:
            self._worker.cancel()
        self._worker = None

    async def _work(self) -> None:
        while self._queue:
            if self.size > 1:
                await asyncio.sleep(GATHERING)
            if batch := self._next_batch():
                await self._answer(batch)

    def _next_batch(self) -> list[_Waiting]:
        """The first waiting request, and further ones of its kind."""
        waiting = [one for one in self._queue if not one.reply.done()]
        batch = [one for one in waiting if one.kind == waiting[0].kind][: self.size]
        self._queue = deque(one for one in waiting if one not in batch)
        return batch

    async def _answer(self, batch: list[_Waiting]) -> None:
        logger.debug('model %s: %d requests in one call', self._name, len(batch))
        loop = asyncio.get_running_loop()
        call = loop.run_in_executor(self._thread, self._call, [one.request for one in batch], batch[0].kind)
        await asyncio.wait([call])
        error = call.exception()
        replies = [] if error else call.result()
        for index, one in enumerate(batch):
            if one.reply.done():  # it was cancelled
                continue
            if error or len(replies) != len(batch):
                one.reply.set_exception(self._fault(error, len(batch), len(replies)))
            else:
                one.reply.set_result(replies[index])

    def _fault(self, error: BaseException | None, requests: int, replies: int) -> HarnessError:
        if error is None:
            return HarnessError(f'model {self._name}: asked {requests} questions, it gave {replies} answers')
        cause = ' '.join(f'{type(error).__name__}: {error}'.split())[:300]
        fault = HarnessError(f'model {self._name}: a call with {requests} questions failed: {cause}')
        fault.__cause__ = error
        return fault
