"""Replies on disk, by request: asking the same again costs nothing, in this run and in any other."""

from __future__ import annotations

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
from cibench_eval.models.base import ChatModel, Tool, Turn, Wrapper
from cibench_eval.schema import CibenchError, Message, Reply

logger = logging.getLogger(__name__)
KEPT = {'stop', 'length', 'tool_calls'}
"""Finish reasons of replies that are kept: those that the model itself has finished."""


class CachedModel(Wrapper):
    """A chat model whose replies are kept in a folder, one file each, named by the hash of all that was asked.

    The model behind it is opened at the first request that is not kept: a run that is answered by the cache alone
    starts no server. Requests that are the same and come together are asked once. Several processes may share the
    folder; two of them that ask the same at the same time may both ask the model, and the later reply is kept.

    A model that samples is asked once, too; put what tells the samples apart into `identity`. The turn is no part of a
    request, so models that answer from it (`Replay`) must not be wrapped.

    Args:
        model: the model behind it.
        folder: where replies are kept.
        identity: what the replies depend on besides the request: a hash of the model's config.
    """

    def __init__(self, model: ChatModel, folder: Path, identity: str) -> None:
        super().__init__(model)
        self._folder = folder
        self._identity = identity
        self._opened = False
        self._failure: CibenchError | None = None
        self._opening = asyncio.Lock()
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

    async def chat(
        self, messages: list[Message], turn: Turn, stop: Sequence[str] = (), tools: Sequence[Tool] = ()
    ) -> Reply:
        name = self._name(messages, stop, tools)
        async with self._asking.setdefault(name, asyncio.Lock()):
            kept = self._load(name)
            if kept is not None:
                return kept
            await self._open()
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
        """The reply that is kept; None if there is none or its file is broken."""
        try:
            reply = Reply.model_validate_json(self._path(name).read_bytes())
        except FileNotFoundError:
            return None
        except (OSError, ValidationError) as error:
            logger.warning('reply cache: %s cannot be read, so the model is asked: %s', self._path(name), error)
            return None
        return reply.model_copy(update={'cached': True, 'seconds': 0.0})

    def _keep(self, name: str, reply: Reply) -> None:
        """Write a reply whole or not at all; a full disk costs the cache, not the reply."""
        path = self._path(name)
        try:
            write_whole(path, reply.model_dump_json())
        except OSError as error:
            if not self._warned:
                self._warned = True
                logger.warning('reply cache %s: replies are not kept: %s', self._folder, error)

    async def _open(self) -> None:
        """Open the model behind, once; if that failed, it is not tried again.

        Raises:
            CibenchError: it cannot be opened.
        """
        async with self._opening:
            if self._failure:
                raise type(self._failure)(str(self._failure)) from self._failure
            if not self._opened:
                try:
                    await self._model.__aenter__()
                except CibenchError as error:
                    self._failure = error
                    raise
                self._opened = True

    async def __aenter__(self) -> Self:
        self._opened, self._failure, self._opening = False, None, asyncio.Lock()
        return self

    async def __aexit__(self, *error: Any) -> None:
        opened, self._opened = self._opened, False
        if opened:
            await self._model.__aexit__(*error)
