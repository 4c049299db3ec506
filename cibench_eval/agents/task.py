"""A step in the hands of a user's own agent (`FunctionAgent`): what it is asked, and what it may do."""

from __future__ import annotations

import asyncio
import inspect
import logging
import threading
import traceback
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from cibench_eval.agents.figures import fetched
from cibench_eval.agents.protocols.base import assistant
from cibench_eval.agents.protocols.function import FunctionAgent, Solver
from cibench_eval.agents.step import StepLoop
from cibench_eval.agents.transcript import Exchange, Transcript
from cibench_eval.fences import fence
from cibench_eval.interpreter.interpreter import Interpreter
from cibench_eval.models.base import Tool, together
from cibench_eval.schema import (
    AGENT_FAILED,
    INTERPRETER,
    Action,
    Attempt,
    CibenchError,
    Execution,
    ExecutionError,
    Language,
    Message,
    Mode,
    Reply,
    Step,
    StepTrace,
    unicode_text,
)

logger = logging.getLogger(__name__)
T = TypeVar('T')
NO_CODE = 'The agent ran no code.'
GIVE_SOME = 'There was no code; give some.'
BLANK = Execution(status='error', error=ExecutionError(name='NoCode', value=GIVE_SOME, traceback=GIVE_SOME))
"""What blank code comes to, which is not run."""
PACKAGE_FOLDER = Path(__file__).parents[1]
"""The folder of this package, whose lines are no place of an agent's failure."""


class StepOver(BaseException):
    """The step is over: no attempts are left, or a limit is used up. Agents need not catch this."""


class Task:
    """One step of a session.

    Args:
        question: the question.
        language: of the experiment, `en` or `cn`.
        experiment: id of the experiment.
        mode: `end_to_end`, or `oracle`: the session holds what the gold code of earlier steps has made.
        number: of the step, from 1.
        steps: number of steps of the experiment.
        messages: the conversation so far, as a chat: earlier questions, each with the code of its last attempt (in
            oracle mode the gold code) and the output, then this question.
    """

    def __init__(
        self,
        loop: FunctionLoop,
        step: Step,
        asked: list[Message],
        past: list[Exchange],
        done: list[StepTrace],
        interpreter: Interpreter,
    ) -> None:
        self.language: Language = loop.experiment.language
        self.mode: Mode = loop._settings.mode
        self.question = loop.agent.named(step, self.language)
        self.experiment, self.number, self.steps = loop.experiment.id, step.index + 1, len(loop.experiment.steps)
        self.messages = loop.chat_of(asked, past)
        self.attempts: list[Attempt] = []
        self.ended = ''
        self.fault: Exception | None = None
        """A fault of the harness, the machine or the endpoint: it ends the session, even if the agent catches it."""
        self._loop, self._done, self._interpreter = loop, done, interpreter
        self._replies: list[Reply] = []
        """Replies that belong to no attempt yet."""
        self._asked = 0
        self._turn = asyncio.Lock()
        """Held while code runs: a kernel runs one block at a time."""
        self._running: asyncio.Task[Any] | None = None
        """What ran code last, or is still running it."""
        self._over = False
        """Whether the step has ended, so that nothing more runs."""

    @property
    def attempts_left(self) -> int:
        """How many times code can still be run at this step."""
        return self._loop.most - len(self.attempts)

    @property
    def cut(self) -> bool:
        """Whether a limit or a filter cut the model's last reply, which has not been run yet."""
        return self._said.cut

    async def run(self, code: str) -> Execution:
        """Run code in the session's interpreter. Each call is an attempt; the last one counts.

        Blank code is not run, as in all protocols, and is an error. Calls at the same time wait for each other.

        Raises:
            StepOver: there are no attempts left, or a limit of the session is used up.
        """
        if not isinstance(code, str):
            raise TypeError(f'task.run takes code as a text, not {type(code).__name__}')
        code = unicode_text(code)
        async with self._turn:
            self._raise_if_over()
            if self.attempts_left < 1:
                raise StepOver
            if not code.strip():
                self._keep(Action(thought=self._said.text, problem=NO_CODE), None, BLANK)
                return BLANK
            self._running = asyncio.current_task()
            try:
                execution = await self._watched(self._interpreter.run(code), Exception)  # errors of code are in it
            except asyncio.CancelledError:
                if self.fault is None:
                    raise
                raise StepOver from None
            self._keep(Action(thought=self._said.text, tool=INTERPRETER, argument=code, code=code), execution)
        return execution

    async def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = (), stop: Sequence[str] = ()) -> Reply:
        """Ask the model of the config. Its tokens, time and price count.

        Args:
            messages: any chat, for example `Task.messages`.
            tools: functions that it may call, as the OpenAI API describes them.
            stop: texts at which the reply ends.

        Raises:
            StepOver: a limit of the session is used up.
        """
        self._raise_if_over()
        turn = self._loop.turn(self.number - 1, self._asked)
        self._asked += 1
        reply = await self._watched(self._loop.model.chat(list(messages), turn, stop, tools), CibenchError)
        self._replies.append(reply)
        return reply

    def shown(self, execution: Execution) -> str:
        """An execution as the text that models are shown."""
        return self._loop.agent.shown(execution, self.language)

    def code_of(self, reply: Reply) -> str | None:
        """The last fenced block of Python in a reply; None where there is none."""
        return self._loop.agent.parse(reply).action.code

    async def solve(self, made: Callable[[], Solver]) -> None:
        """Let the agent that `made` returns work until the step is over; `made` may fail, too.

        Raises:
            HarnessError: the machine or the endpoint failed.
        """
        try:
            await asyncio.create_task(self._work(made))
        except StepOver:
            pass
        except CibenchError as error:
            self.fault = self.fault or error
        except asyncio.CancelledError as error:
            if (own := asyncio.current_task()) and own.cancelling():
                raise
            self._fail(error)  # it has cancelled itself
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001  (a user's code: any exception is a failure of that agent)
            self._fail(error)
        if self.fault is not None and self._running is not None:
            self._running.cancel()  # the session is over, and nobody waits for its code
        async with self._turn:  # code that it has left running is the last attempt
            self._over = True
        if self.fault is not None:
            raise self.fault
        if not self.attempts:
            text = self._said.text
            self._keep(Action(argument=text, final=True) if text else Action(problem=NO_CODE), None)
        elif self._replies:  # replies after the last attempt count with that attempt
            last = self.attempts[-1]
            used = together([last.reply, *self._replies]).model_copy(update={'text': last.reply.text})
            self.attempts[-1] = last.model_copy(update={'reply': used})

    async def _work(self, made: Callable[[], Solver]) -> None:
        try:
            solver = made()
            if inspect.iscoroutinefunction(solver):
                await solver(self)
            elif (error := await _in_own_thread(solver, BlockingTask(self, asyncio.get_running_loop()))) is not None:
                raise error
        except (SystemExit, StopIteration) as error:  # the one would end the program, the other no task can raise
            said = f'{type(error).__name__}: {error}'
            raise RuntimeError(said).with_traceback(error.__traceback__) from error

    def _fail(self, error: BaseException) -> None:
        if self.fault is None:
            places = traceback.extract_tb(error.__traceback__)
            outside = [one for one in places if not Path(one.filename).is_relative_to(PACKAGE_FOLDER)]
            place = (outside or places)[-1]
            said = ' '.join(f'{type(error).__name__}: {error}'.split()).rstrip(':')
            self.ended = f'{AGENT_FAILED}{said} ({Path(place.filename).name}, line {place.lineno})'
            logger.warning('%s, step %s: %s', self.experiment, self.number, self.ended)

    async def _watched(self, doing: Awaitable[T], faults: type[Exception]) -> T:
        try:
            return await doing
        except faults as error:
            self.fault = error
            raise

    def _raise_if_over(self) -> None:
        said = [Attempt(reply=reply, action=Action()) for reply in self._replies]
        self.ended = self.ended or self._loop.used_up(self._done, [*self.attempts, *said])
        if self.ended or self.fault or self._over:
            raise StepOver

    @property
    def _said(self) -> Reply:
        return together(self._replies) if self._replies else Reply(text='')

    def _keep(self, action: Action, execution: Execution | None, answer: Execution | None = None) -> None:
        messages = [assistant(action.argument)]
        if answer := execution or answer:
            messages = [assistant(fence(action.argument)), {'role': 'user', 'content': self.shown(answer)}]
        self.attempts.append(Attempt(reply=self._said, action=action, execution=execution, messages=messages))
        self._replies = []


class BlockingTask:
    """A task whose methods wait, for agents that run in a thread. What is not here is as in `Task`."""

    def __init__(self, task: Task, loop: asyncio.AbstractEventLoop) -> None:
        self._task, self._loop = task, loop

    def __getattr__(self, name: str) -> Any:
        if name.startswith('_') or name == 'solve':
            raise AttributeError(f'{type(self).__name__} has no {name}')
        return getattr(self._task, name)

    def run(self, code: str) -> Execution:
        """Run code (`Task.run`)."""
        return asyncio.run_coroutine_threadsafe(self._task.run(code), self._loop).result()

    def ask(self, messages: Sequence[Message], tools: Sequence[Tool] = (), stop: Sequence[str] = ()) -> Reply:
        """Ask the model (`Task.ask`)."""
        return asyncio.run_coroutine_threadsafe(self._task.ask(messages, tools, stop), self._loop).result()


async def _in_own_thread(solver: Solver, task: BlockingTask) -> BaseException | None:
    """Call an agent in a daemon thread, and return what it raised.

    asyncio's own threads are few, kernels start in them, and the program waits for their end.
    """
    context, ended = copy_context(), Future[BaseException | None]()
    ended.set_running_or_notify_cancel()  # so that it cannot be cancelled: the thread may outlive the run

    def work() -> None:
        failed: BaseException | None = None
        try:
            made = context.run(solver, task)
            if inspect.isawaitable(made) or inspect.isgenerator(made) or inspect.isasyncgen(made):
                if inspect.iscoroutine(made):
                    made.close()
                raise TypeError(f'it returned a {type(made).__name__} without having run; make it an `async def`')
        except BaseException as error:  # noqa: BLE001  (a user's code: who waits for the step raises it)
            failed = error
        ended.set_result(failed)

    threading.Thread(target=work, name='agent', daemon=True).start()
    return await asyncio.wrap_future(ended)


class FunctionLoop(StepLoop):
    """Lets a user's own agent work on each step.

    A class makes one object per session; in oracle mode, where steps run side by side, one per step.
    """

    @property
    def agent(self) -> FunctionAgent:
        assert isinstance(self._protocol, FunctionAgent)
        return self._protocol

    @cached_property
    def _of_session(self) -> Solver:
        return self.agent.solver()

    def chat_of(self, asked: list[Message], past: list[Exchange]) -> list[Message]:
        """The conversation up to a step that was put as `asked`."""
        transcript = Transcript([], past, Exchange(asked, []), self.left_out, self.agent.max_images)
        return fetched(transcript.request(), self._journal)

    async def _tried(
        self, step: Step, asked: list[Message], past: list[Exchange], done: list[StepTrace], interpreter: Interpreter
    ) -> tuple[list[Attempt], str]:
        task = Task(self, step, asked, past, done, interpreter)
        await task.solve(lambda: self._of_session if self._settings.mode == 'end_to_end' else self.agent.solver())
        return task.attempts, task.ended
