"""Ask a chat model for replies of a given form; a reply that cannot be read goes back with the reason, a few times."""

import asyncio
import json
import re
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cibench_eval.concurrency import run_all
from cibench_eval.construction.prompts import Prompts
from cibench_eval.models.base import ChatModel, Turn, innermost
from cibench_eval.models.limits import Price
from cibench_eval.models.metering import Ledger
from cibench_eval.models.thinking import set_apart
from cibench_eval.rendering import quote
from cibench_eval.schema import Message

T = TypeVar('T')
FENCED = re.compile(r'```(?:json)?[^\S\n]*\n(.*?)```', re.DOTALL)


class MalformedError(Exception):
    """A reply has not the form that was asked for; the text is for the model."""


class GivenUpError(Exception):
    """None of the replies could be read."""


@dataclass(frozen=True)
class WriterReply(Generic[T]):
    """A reply and the value that was read from it."""

    value: T
    text: str
    refused: list[str]
    """Why earlier replies could not be read."""


@dataclass
class Writer:
    """The model that writes a benchmark."""

    model: ChatModel
    """It asks through a reply cache; that and the ledger are in the folder of the construction."""
    prompts: Prompts
    price: Price
    ledger: Ledger
    """The tokens that were paid for."""
    name: str
    """The name of the model, for people."""
    identity: str
    """Hash of everything that its replies depend on."""
    tries: int = 3
    """The largest number of replies to ask for until one can be read."""
    max_requests: int = 8
    asked: int = field(default=0, init=False)
    """Replies so far, including those from the cache."""

    def check(self) -> None:
        """Check the model before anybody is asked whether it may be paid for, and before anything is written.

        Raises:
            CibenchError: it lacks a key, a file, …
        """
        innermost(self.model).check()

    def all(self, questions: Sequence[Callable[[], Coroutine[Any, Any, T]]]) -> list[T]:
        """Open the model, run all questions, some at a time, and close it.

        Raises:
            HarnessError: the model cannot be asked, or a limit is used up; the replies so far are in the cache.
        """
        return asyncio.run(self._all(questions))

    async def _all(self, questions: Sequence[Callable[[], Coroutine[Any, Any, T]]]) -> list[T]:
        slots = asyncio.Semaphore(self.max_requests)

        async def one(question: Callable[[], Coroutine[Any, Any, T]]) -> T:
            async with slots:
                return await question()

        self.model.check()
        async with self.model:
            return await run_all(one(question) for question in questions)

    async def ask(self, about: str, question: str, read: Callable[[str], T]) -> WriterReply[T]:
        """Ask until a reply can be read; a `GivenUpError` where no reply could be read.

        Args:
            about: a name for the logs of the model.
            read: reads a reply, or raises a MalformedError.
        """
        messages: list[Message] = [{'role': 'user', 'content': question}]
        refused: list[str] = []
        first = ''
        for attempt in range(self.tries):
            reply = set_apart(await self.model.chat(messages, Turn(about, 0, attempt)))
            self.asked += 1
            if reply.finish_reason == 'context_overflow':
                raise GivenUpError('the request is longer than the window of the model')
            try:
                if reply.finish_reason == 'length':
                    raise MalformedError('the reply was cut at its longest; write less')
                return WriterReply(read(reply.text), reply.text, refused)
            except MalformedError as error:
                first = first if refused else reply.text
                refused.append(str(error))
                told = self.prompts.render('malformed', reason=str(error))
                messages += [
                    {'role': 'assistant', 'content': reply.text or '(nothing)'},
                    {'role': 'user', 'content': told},
                ]
        tries = '1 try' if self.tries == 1 else f'{self.tries} tries'
        last = f'; the last: {refused[-1]}' if len(refused) > 1 else ''
        raise GivenUpError(f'no reply could be read in {tries}; the first, {refused[0]}: {quote(first)}{last}')


def read_list(text: str) -> list[dict[str, Any]]:
    """The JSON list of objects in a reply, in a fence or bare; a `MalformedError` where there is no such list."""
    fenced = FENCED.search(text)
    body = fenced[1] if fenced else text[text.find('[') : text.rfind(']') + 1]
    try:
        found = json.loads(body, strict=False)  # a line end inside a string has one meaning
        json.dumps(found, ensure_ascii=False).encode()  # half of a character, which no file can hold, is refused here
    except (ValueError, RecursionError) as error:
        raise MalformedError(f'no JSON list ({error})') from error
    if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
        raise MalformedError('no list of JSON objects')
    return found
