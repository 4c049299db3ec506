"""What a connection to a kernel takes, and what it does not: against libzmq, and against whoever speaks otherwise."""

import asyncio
import contextlib

import pytest
import zmq

from cibench_eval.interpreter import messages
from cibench_eval.interpreter.kernel import overruns
from cibench_eval.interpreter.zmtp import Connection, ConnectionEndedError

LIMIT = 10_000
GREETING = b'\xff' + bytes(8) + b'\x7f\3\0' + b'NULL'.ljust(20, b'\0') + bytes(32)
"""Of ZMTP 3.0."""
MORE = 1
"""The flag of a frame that is not the last of its message."""


@contextlib.contextmanager
def peer(kind, folder):
    """A socket of libzmq, and the path at which it listens."""
    with zmq.Context() as context, context.socket(kind) as socket:
        socket.linger = 0
        socket.rcvtimeo = 10_000
        socket.bind(f'ipc://{folder}/s')
        yield socket, folder / 's'


@pytest.mark.parametrize('size', [0, 1, 255, 256, 70_000])
def test_libzmq_and_a_connection_understand_each_other(tmp_path, size):
    async def talk(socket, path):
        connection = await Connection.open(path, 'DEALER', 100_000)
        connection.send([b'a', b'', b'x' * size])
        address, *frames = await asyncio.to_thread(socket.recv_multipart)
        socket.send_multipart([address, *frames, b'more'])
        answer = await connection.receive()
        connection.close()
        return frames, answer

    with peer(zmq.ROUTER, tmp_path) as (socket, path):
        frames, answer = asyncio.run(talk(socket, path))
    assert frames == [b'a', b'', b'x' * size]
    assert answer == [*frames, b'more']


@pytest.mark.parametrize('kind', [zmq.PUB, zmq.XPUB])
def test_a_subscriber_gets_all_topics(tmp_path, kind):
    async def listen(socket, path):
        connection = await Connection.open(path, 'SUB', LIMIT)
        if kind == zmq.XPUB:
            assert await asyncio.to_thread(socket.recv) == b'\1'
        while True:  # nothing tells a PUB that somebody listens
            socket.send_multipart([b'topic', b'content'])
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.05):
                    return await connection.receive()

    with peer(kind, tmp_path) as (socket, path):
        assert asyncio.run(listen(socket, path)) == [b'topic', b'content']


class Server:
    """Greets as a kernel does, then sends what it is told to and takes what comes."""

    def __init__(self, folder, after=b'', greeting=GREETING + bytes((4, 6)) + b'\5READY'):
        self.path, self._sent = folder / 's', greeting + after

    async def __aenter__(self):
        self._server = await asyncio.start_unix_server(self._serve, self.path)
        return self

    async def _serve(self, reader, writer):
        writer.write(self._sent)
        with contextlib.suppress(ConnectionError):
            while await reader.read(2**16):
                pass
        writer.close()

    async def __aexit__(self, *_):
        self._server.close()


def frame(body, flags=0):
    return bytes((flags, len(body))) + body if len(body) < 256 else bytes((flags | 2,)) + len(body).to_bytes(8) + body


async def received(folder, after, **more):
    async with Server(folder, after, **more) as server:
        connection = await Connection.open(server.path, 'DEALER', LIMIT)
        try:
            return await connection.receive()
        finally:
            connection.close()


REFUSED = {
    'a frame over the limit': (frame(b'x' * (LIMIT + 1)), 'over 10,000 bytes'),
    'a length over the limit, without a body': (b'\2' + (2**60).to_bytes(8), 'over 10,000 bytes'),
    'frames that are together over it': (frame(b'x' * 6000, MORE) + frame(b'x' * 6000), 'over 10,000 bytes'),
    'frames without end': (frame(b'', MORE) * 17, 'no message'),
    'a command': (frame(b'\4PING\0\0', 4), 'no message'),
    'flags that no frame has': (b'\xff' + (1).to_bytes(8) + b'x', 'no message'),
    'commands without end': (frame(b'', 4) * 1000, 'no message'),
}


@pytest.mark.parametrize(('sent', 'why'), REFUSED.values(), ids=REFUSED.keys())
def test_what_no_kernel_sends_ends_the_connection(tmp_path, sent, why):
    with pytest.raises(ConnectionEndedError, match=why):
        asyncio.run(received(tmp_path, sent))


@pytest.mark.parametrize('greeting', [b'HTTP/1.1 400 Bad Request\r\n' + b' ' * 64, GREETING[:10] + bytes(54)])
def test_what_speaks_otherwise_is_not_connected_to(tmp_path, greeting):
    with pytest.raises(ConnectionEndedError):
        asyncio.run(received(tmp_path, b'', greeting=greeting))


def test_who_waits_for_a_message_can_be_cancelled_at_any_byte_of_it(tmp_path):
    sent = frame(b'one', MORE) + frame(b'x' * 300, MORE) + frame(b'three') + frame(b'next')

    async def by_bytes():
        pushed = asyncio.Queue()

        async def serve(_, writer):
            writer.write(GREETING + frame(b'\5READY', 4))
            while (byte := await pushed.get()) is not None:
                writer.write(byte)
            writer.close()

        server = await asyncio.start_unix_server(serve, tmp_path / 's')
        connection = await Connection.open(tmp_path / 's', 'DEALER', LIMIT)
        found = []
        for byte in sent:
            pushed.put_nowait(bytes((byte,)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.002):
                    found.append(await connection.receive())
        while len(found) < 2:
            found.append(await connection.receive())
        pushed.put_nowait(None)
        server.close()
        return found

    assert asyncio.run(by_bytes()) == [[b'one', b'x' * 300, b'three'], [b'next']]


def test_an_end_is_told_without_a_reason(tmp_path):
    async def end():
        async with Server(tmp_path, frame(b'half', MORE)) as server:
            connection = await Connection.open(server.path, 'DEALER', LIMIT)
            waiting = asyncio.create_task(connection.receive())
            connection.close()
            return await asyncio.gather(waiting, return_exceptions=True)

    (error,) = asyncio.run(end())
    assert isinstance(error, ConnectionEndedError) and not str(error)


# --- Messages ----------------------------------------------------------------------------------------------------

DELIMITER = b'<IDS|MSG>'
HEADER, PARENT = b'{"msg_type": "stream"}', b'{"msg_id": "1"}'


def message(header=HEADER, parent=PARENT, content=b'{}', *buffers):
    return [b'topic', DELIMITER, b'', header, parent, b'not read', content, *buffers]


@pytest.mark.parametrize(
    'frames',
    [
        [],
        [DELIMITER],
        message()[:-1],
        message(b'[]'),
        message(b'{}'),
        message(HEADER, b'[]'),
        message(HEADER, b'{'),
        message(HEADER, PARENT, b'{'),
        message(HEADER, PARENT, b'[]'),
        message(HEADER, PARENT, b'[' * 8_000),
        message(HEADER, PARENT, b'{"a":' * 1_100 + b'1' + b'}' * 1_100),
        message(HEADER, PARENT, b'{"parts": 5}'),
        message(HEADER, PARENT, b'{"parts": [[]]}', b'x'),
        message(HEADER, PARENT, b'{"parts": ["text"]}'),
        message(HEADER, PARENT, b'{}', b'x'),
        message(HEADER, PARENT, b'{"number": ' + b'1' * 5_000 + b'}'),
        message(HEADER, PARENT, b'"' + b'x' * 2**13 + b'"'),
        message(HEADER, PARENT, b'\xff\xfe'),
    ],
)
def test_what_is_no_message_is_said_to_be_none(frames):
    with pytest.raises(messages.UNREADABLE):
        messages.read_message(frames, '1')


# --- Deadlines ---------------------------------------------------------------------------------------------------


async def with_deadline(timeout, waited, until):
    """Whether the time was over before `until` had been set."""
    task = asyncio.create_task(until.wait())
    try:
        return await overruns(task, timeout, waited)
    finally:
        task.cancel()


def test_what_others_took_does_not_count():
    """The block ends when it has been looked at for the third time: two times it could say that it had waited."""

    async def block():
        done, looks = asyncio.Event(), iter([0.0, 0.0, 0.05, 0.1])

        def waited():
            seconds = next(looks)
            if seconds == 0.1:
                done.set()
            return seconds

        return await with_deadline(0.05, waited, done)

    assert asyncio.run(block()) is False


@pytest.mark.parametrize('waited', [lambda: 0.0, lambda: -1.0], ids=['nothing', 'unknown'])
def test_a_block_that_waited_for_nobody_is_late(waited):
    async def block():
        return await with_deadline(0.01, waited, asyncio.Event())

    assert asyncio.run(block()) is True


def test_a_block_cannot_wait_for_ever():
    async def block():
        looks = iter(range(10**9))
        return await with_deadline(0.01, lambda: next(looks), asyncio.Event())

    assert asyncio.run(block()) is True


def test_what_came_while_this_process_stood_still_is_in_time():
    """The loop wakes long after the limit; the end of the block is read only then."""

    async def block():
        loop, done = asyncio.get_running_loop(), asyncio.Event()

        def stand_still():
            ends = loop.time() + 0.2
            while loop.time() < ends:
                pass
            loop.call_later(0.01, done.set)

        loop.call_soon(stand_still)
        return await with_deadline(0.05, lambda: 0.0, done)

    assert asyncio.run(block()) is False
