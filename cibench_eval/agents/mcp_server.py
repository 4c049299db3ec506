"""A run that an MCP client answers: a coding agent asks for each question, runs code in its session, and submits.

`ServedAgent` is the agent of the run (`FunctionAgent`). It hands each step to the `Desk`, from which the tools of the
MCP server take it. The session, its attempts, limits and trace are as in any other run.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Image, MCPServer

from cibench_eval.agents.protocols.base import MOST_FIGURES
from cibench_eval.agents.task import BlockingTask, StepOver
from cibench_eval.fences import unwrap
from cibench_eval.images import presentable
from cibench_eval.models.base import text_of
from cibench_eval.schema import Execution, RunOverError
from cibench_eval.tokens import Token

SIDE = 768
"""Most pixels of a figure's longer side."""
INSTRUCTIONS = """\
You answer data science questions by running Python. Call `question` for the question that is due, answer it with
`run_python`, then call `submit`: it gives the next question. The steps of an experiment build on each other in one
IPython session: its variables stay unless a question says otherwise, and its data files are in the working directory of
that session, which only `run_python` can reach. What the last call of `run_python` printed, returned or drew is your
answer to a question."""
BEGINS = 'A new session begins here: no variables are defined yet.'
GOES_ON = 'The session has come so far; the question is at the end:'
IN_GOLD = 'The session holds what this code has made, and nothing of yours; the question is at the end:'
LAST = 'That was the last question. Thank you.'
OVER = 'There are no attempts left at this question: call submit.'
NOT_ANSWERED = 'Nothing was run for this question yet. Call run_python, or submit again to leave it without answer.'
GONE = 'the MCP client has gone; go on with -r'


class Desk:
    """Passes the current step from the run to the client; one step at a time."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._task: BlockingTask | None = None
        self._submitted = False
        self._closed = False

    def sit(self, task: BlockingTask) -> None:
        """Give a step to the client, and wait until it has submitted; a `RunOverError` where the client has gone."""
        with self._changed:
            self._changed.wait_for(lambda: self._task is None or self._closed)  # another session's step comes first
            self._task, self._submitted = task, False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._submitted or self._closed)
            self._task = None
            self._changed.notify_all()
            if not self._submitted:
                raise RunOverError(GONE)

    def due(self) -> BlockingTask | None:
        """Wait for the current step; None if there will be no more."""
        with self._changed:
            self._changed.wait_for(lambda: (self._task is not None and not self._submitted) or self._closed)
            return None if self._closed else self._task

    def submit(self) -> None:
        """The client has submitted the current step."""
        with self._changed:
            self._submitted = True
            self._changed.notify_all()

    def close(self) -> None:
        """The run is over, or the client has gone."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()


DESK = Desk()
"""The desk of this process, which `ServedAgent` finds here: a run makes its agents by name."""


class ServedAgent:
    """The agent of a run that a client answers."""

    def solve(self, task: BlockingTask) -> None:
        """Let the client answer one step."""
        DESK.sit(task)


class Tools:
    """The tools of the client, which reads their docstrings."""

    def __init__(self, desk: Desk, figures: bool = True) -> None:
        self._desk, self._figures = desk, figures
        self._turn = asyncio.Lock()
        """Held by a call: agents make several at once, which are answered one after the other."""
        self._warned: BlockingTask | None = None
        self._before = ('', 0)
        """Experiment and number of the last step that this client submitted."""

    async def question(self) -> str:
        """The question that is due, and which attempts are left at it. Calling it changes nothing."""
        async with self._turn:
            return await self._due()

    async def _due(self) -> str:
        task = await asyncio.to_thread(self._desk.due)
        if task is None:
            return LAST
        place = f'Experiment {task.experiment}, step {task.number} of {task.steps}, {_left(task)}.'
        if task.number == 1:
            return f'{place}\n{BEGINS}\n\n{task.question}'
        end_to_end = task.mode == 'end_to_end'
        if end_to_end and self._before == (task.experiment, task.number - 1):
            return f'{place}\n\n{task.question}'
        said = '\n\n'.join(text_of(one['content']) for one in task.messages)
        return f'{place}\n{GOES_ON if end_to_end else IN_GOLD}\n\n{said}'

    async def run_python(self, code: str) -> list[str | Image]:
        """Run Python code in the session of the question that is due. It is an attempt; the last one is the answer.

        Args:
            code: the Python code to run.
        """
        async with self._turn:
            task = await asyncio.to_thread(self._desk.due)
            if task is None:
                return [LAST]
            try:
                execution = await asyncio.to_thread(task.run, unwrap(code))
            except StepOver:
                return [OVER]
            return [f'{task.shown(execution)}\n\n({_left(task)})', *self._images(execution)]

    async def submit(self) -> str:
        """The question that is due is answered: go on to the next one, which this returns."""
        async with self._turn:
            task = await asyncio.to_thread(self._desk.due)
            if task is None:
                return LAST
            if not task.attempts and self._warned is not task:
                self._warned = task
                return NOT_ANSWERED
            self._before = (task.experiment, task.number)
            self._desk.submit()
            return await self._due()

    def _images(self, execution: Execution) -> list[Image]:
        shown = execution.figures[:MOST_FIGURES] if self._figures else []
        return [Image(data=png) for figure in shown if (png := presentable(figure.data, SIDE))]


def _left(task: BlockingTask) -> str:
    left = task.attempts_left
    return f'{left} attempt{"" if left == 1 else "s"} left'


def new_server(tools: Tools, version: str, serving: asyncio.Event) -> MCPServer[Any]:
    """The MCP server with its three tools. It sets `serving` as soon as it has taken over its streams."""

    @asynccontextmanager
    async def life(_: MCPServer[Any]) -> AsyncIterator[None]:
        serving.set()
        yield

    server: MCPServer[Any] = MCPServer(
        'cibench', instructions=INSTRUCTIONS, version=version, log_level='WARNING', lifespan=life
    )
    for tool in (tools.question, tools.run_python, tools.submit):
        server.add_tool(tool, structured_output=False)
    return server


Asgi = Callable[[Any, Any, Any], Awaitable[None]]


def guarded(app: Asgi, token: Token) -> Asgi:
    """An application that answers only requests with the token."""

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get('headers', [])).get(b'authorization', b'').decode('ascii', 'surrogateescape')
        if scope['type'] == 'http' and not token.admits(given):
            await send({'type': 'http.response.start', 'status': 401, 'headers': [(b'www-authenticate', b'Bearer')]})
            await send({'type': 'http.response.body', 'body': b'the token is missing or wrong\n'})
            return
        await app(scope, receive, send)

    return answer
