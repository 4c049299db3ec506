"""The environment server: episodes over the wire protocol of OpenEnv (github.com/meta-pytorch/OpenEnv).

A connection to `/ws` has one session at a time. A client sends `{"type": …, "data": …}` and gets one answer to each:

- `reset` with a `Reset` and `step` with an `EpisodeAction`: `observation` with `{observation, reward, done}`;
- `state`: `state` with an `EpisodeState`, which has the scores; `close`: the end of the connection;
- what cannot be done: `error` with `{code, message}`, of OpenEnv's codes. The session stays as it was, but a `reset`
  that finds no place has ended it.

`GET /health` needs no token; `/metadata`, `/schema` and `/experiments` (ids, in order) need one, as `/ws` does. Where
the connection ends, its session ends with it, whatever it is at.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager, suppress
from http import HTTPStatus
from typing import Any

from pydantic import ValidationError
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from cibench_eval import __version__
from cibench_eval.integrations.episodes import (
    Episode,
    EpisodeAction,
    EpisodeObservation,
    Episodes,
    EpisodeState,
    NoPlaceError,
    Reset,
)
from cibench_eval.schema import CibenchError, problem
from cibench_eval.tokens import Token

PATH = '/ws'
PING_TIMEOUT_SECONDS = 120
"""Seconds for which a client may not answer a ping, as one that trains between two actions, until it counts as gone."""
MOST = 2**24
"""Bytes of a message, as of OpenEnv's own servers; a longer one ends its connection."""


@asynccontextmanager
async def serving(episodes: Episodes, host: str, port: int, token: Token) -> AsyncIterator[int]:
    """Serve while the block runs, and give its port. At its end all sessions end.

    Raises:
        CibenchError: the address cannot be had.
    """
    pages = _pages(episodes)
    # Anybody can send something else than a handshake: that is no line in the log.
    logging.getLogger('websockets.server').addFilter(lambda record: record.msg != 'opening handshake failed')

    async def converse(connection: ServerConnection) -> None:
        await _Client(episodes, connection).converse()

    def page(connection: ServerConnection, request: Request) -> Response | None:
        return _page(pages, request, token)

    try:
        server = await serve(
            converse,
            host,
            port,
            process_request=page,
            ping_timeout=PING_TIMEOUT_SECONDS,
            max_size=MOST,
            compression=None,
            server_header=None,
        )
    except OSError as error:
        raise CibenchError(f'env: {host}:{port} cannot be had ({error.strerror}); name another with --http') from error
    async with server:
        yield next(iter(server.sockets)).getsockname()[1]


class _Client:
    """One connection and its session."""

    def __init__(self, episodes: Episodes, connection: ServerConnection) -> None:
        self._episodes, self._connection = episodes, connection
        self._episode: Episode | None = None
        self._answers: dict[str, Callable[[Any], Coroutine[Any, Any, dict[str, Any]]]] = {
            'reset': self._reset,
            'step': self._step,
            'state': self._state,
        }

    async def converse(self) -> None:
        """Answer message after message until the client closes or is gone, also while its code runs."""
        gone = asyncio.create_task(self._connection.wait_closed())
        try:
            with suppress(ConnectionClosed):
                async for message in self._connection:
                    answer = await self._unless(gone, message)
                    if answer is None:
                        break
                    await self._connection.send(json.dumps(answer))
        finally:
            gone.cancel()
            await self._end()

    async def _unless(self, gone: asyncio.Task[None], message: str | bytes) -> dict[str, Any] | None:
        """The answer to a message; None if the client is gone before there is one."""
        answering = asyncio.create_task(self._answer(message))
        try:
            await asyncio.wait({answering, gone}, return_when=asyncio.FIRST_COMPLETED)
            return answering.result() if answering.done() else None
        finally:
            answering.cancel()
            await asyncio.wait({answering})

    async def _answer(self, message: str | bytes) -> dict[str, Any] | None:
        """The answer to a message; None to `close`."""
        try:
            asked = json.loads(message)
        except (ValueError, RecursionError) as error:
            return _error('INVALID_JSON', str(error))
        kind = asked.get('type') if isinstance(asked, dict) else None
        if kind == 'close':
            return None
        if not isinstance(kind, str) or kind not in self._answers:
            return _error('UNKNOWN_TYPE', f'{kind}: no type of message; there is {", ".join(self._answers)}, close')
        try:
            return await self._answers[kind](asked.get('data', {}))
        except ValidationError as error:
            return _error('VALIDATION_ERROR', f'{kind}: {problem(error)}')
        except NoPlaceError as error:
            return _error('CAPACITY_REACHED', str(error), active_sessions=error.taken, max_sessions=error.places)
        except CibenchError as error:
            return _error('EXECUTION_ERROR', str(error))

    async def _reset(self, data: Any) -> dict[str, Any]:
        episode = Episode(self._episodes, Reset.model_validate(data))
        await self._end()
        self._episode = episode
        return _observed(await episode.begin())

    async def _step(self, data: Any) -> dict[str, Any]:
        action = EpisodeAction.model_validate(data)
        if self._episode is None:
            return _error('SESSION_ERROR', 'there is no session: reset begins one')
        return _observed(await self._episode.act(action))

    async def _state(self, _: Any) -> dict[str, Any]:
        state = EpisodeState() if self._episode is None else self._episode.state
        return {'type': 'state', 'data': state.model_dump(mode='json')}

    async def _end(self) -> None:
        episode, self._episode = self._episode, None
        if episode is not None:
            await episode.close()


def _observed(seen: EpisodeObservation) -> dict[str, Any]:
    data = {'observation': seen.model_dump(mode='json'), 'reward': seen.reward, 'done': seen.done}
    return {'type': 'observation', 'data': data}


def _error(code: str, message: str, **more: int) -> dict[str, Any]:
    return {'type': 'error', 'data': {'code': code, 'message': message, **more}}


def _pages(episodes: Episodes) -> dict[str, Any]:
    """What can be read of the server, by path."""
    about = f'Notebooks of {episodes.sessions.settings.dataset_name}, a question a step, answered by Python code.'
    return {
        '/health': {'status': 'healthy'},
        '/metadata': {'name': 'cibench', 'description': about, 'version': __version__},
        '/schema': {
            'action': EpisodeAction.model_json_schema(),
            'observation': EpisodeObservation.model_json_schema(mode='serialization'),
            'state': EpisodeState.model_json_schema(mode='serialization'),
        },
        '/experiments': list(episodes.sessions.experiments),
    }


def _page(pages: dict[str, Any], request: Request, token: Token) -> Response | None:
    """The answer to a request over HTTP; None to one that may open a connection."""
    path = request.path.partition('?')[0]
    given = request.headers.get_all('Authorization')
    if path != '/health' and not (len(given) == 1 and token.admits(given[0])):
        return _response(HTTPStatus.UNAUTHORIZED, 'the token is missing or wrong\n', ('WWW-Authenticate', 'Bearer'))
    if path == PATH:
        return None
    if path not in pages:
        return _response(HTTPStatus.NOT_FOUND, f'there is {", ".join([PATH, *pages])}\n')
    return _response(HTTPStatus.OK, json.dumps(pages[path]), ('Content-Type', 'application/json'))


def _response(status: HTTPStatus, text: str, *headers: tuple[str, str]) -> Response:
    body = text.encode()
    more = [('Content-Length', str(len(body))), ('Connection', 'close'), *headers]
    return Response(status, status.phrase, Headers(more), body)
