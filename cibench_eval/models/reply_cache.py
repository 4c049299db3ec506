"""Replies on disk, by request: asking the same again costs nothing, in this run and in any other.

Each reply is a file of our own because `diskcache` keeps an SQLite database in WAL mode, which must not be on the
shared folders of clusters; where it is damaged, no reply can be read or kept.
"""

import asyncio
import hashlib
import json
import logging
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self
from weakref import WeakValueDictionary

from pydantic import ValidationError

from cibench_eval.files import write_whole
from cibench_eval.models.base import ChatModel, Tool, Tools, Turn, Wrapper
from cibench_eval.schema import CibenchError, Message, Reply

logger = logging.getLogger(__name__)
KEPT = {'stop', 'length', 'tool_calls'}
"""Finish reasons of replies that are kept: the model itself ended them."""


class CachedModel(Wrapper):
    """A chat model whose replies are kept in a folder, one file each, named by the hash of the request.

    The model inside is opened at the first request whose reply is not kept: a run that the cache answers whole starts
    no server. Equal requests that come together are asked once. Several processes may share the folder; if two ask the
    same at the same time, both may ask the model, and the later reply is kept.

    A model that samples is asked once as well; `identity` must tell samples apart. The turn is not part of a request,
    so models that answer by it (`Replay`) must not be wrapped.

    Args:
        identity: what replies depend on besides the request: a hash of the model's config.
    """

    def __init__(self, model: ChatModel, folder: Path, identity: str) -> None:
        super().__init__(model)
        self._folder = folder
        self._identity = identity
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._warned = False

    def check(self) -> None:
        super().check()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CibenchError(f'reply cache {self._folder}: {error.strerror}; choose another folder') from error
        if not os.access(self._folder, os.W_OK | os.X_OK):
            raise CibenchError(f'reply cache {self._folder}: not writable; choose another folder')

    async def chat(self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Tools = ()) -> Reply:
        name = self._name(messages, stop, tools)
        async with self._asking.setdefault(name, asyncio.Lock()):
            kept = self._load(name)
            if kept is not None:
                return kept
            await self.open_once()
            reply = await self._model.chat(messages, turn, stop, tools)
            if reply.finish_reason in KEPT:
                self._keep(name, reply)
            return reply

    def holds(self, messages: list[Message]) -> bool:
        """Whether the reply to a request without tools is kept: asking it costs nothing."""
        return self._path(self._name(messages, (), ())).is_file()

    def _name(self, messages: list[Message], stop: Sequence[str], tools: Sequence[Tool]) -> str:
        request = [self._identity, self.max_out_len, messages, list(stop), list(tools)]
        return hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()

    def _path(self, name: str) -> Path:
        return self._folder / name[:2] / f'{name}.json'

    def _load(self, name: str) -> Reply | None:
        """The reply that is kept; None if there is none or its file is damaged."""
        try:
            reply = Reply.model_validate_json(self._path(name).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            logger.warning('reply cache: %s cannot be read, so the model is asked: %s', self._path(name), error)
            return None
        return reply.model_copy(update={'cached': True, 'seconds': 0.0})

    def _keep(self, name: str, reply: Reply) -> None:
        """Write a reply whole or not at all; on a full disk the reply is not kept, and the run goes on."""
        try:
            write_whole(self._path(name), reply.model_dump_json())
        except OSError as error:
            if not self._warned:
                self._warned = True
                logger.warning('reply cache %s: replies are not kept: %s', self._folder, error)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: Any) -> None:
        opening, self._opening = self._opening, None
        if opening is None:
            return
        await asyncio.wait([opening])
        if not opening.cancelled() and not opening.exception():
            await self._model.__aexit__(*error)
