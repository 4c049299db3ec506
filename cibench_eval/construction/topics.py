"""Topics of a module: asked for in rounds, each told what is there and which documented names are left."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field

from cibench_eval.construction.asking import GivenUpError, MalformedError, Writer, read_list
from cibench_eval.construction.names import Coverage, ModuleNames, coverage
from cibench_eval.construction.prompts import Prompts
from cibench_eval.schema import Record

A_ROUND = 25
"""Topics of one request: more of them repeat themselves."""
SAME, SAME_WITH_NAMES = 0.75, 0.5
"""Shares of their words that two topics have in common from which they are the same; the second where they name the
same names."""
FILLERS = re.compile(r'(?:a|an|and|as|at|by|data|dataset|for|from|in|into|of|on|the|to|using|with)')
LONGEST_NAME = 40
Log = Callable[[str], None]


class Topic(Record):
    """What an experiment is to be about."""

    name: str
    """Of the experiment: letters, digits and underscores."""
    topic: str
    names: list[str] = Field(default=[])
    """Documented names of the module that it is said to use."""


class Dropped(Record):
    """A topic that was not taken."""

    topic: str
    why: str


class Topics(Record):
    """The topics of a module, as its file has them. A user may edit `topics` in the file before tasks are made."""

    module: str
    version: str
    topics: list[Topic] = Field(min_length=1)
    dropped: list[Dropped] = Field(default=[])
    unknown_names: int = 0
    """Names that the model gave and the module does not document."""
    problem: str = ''
    """Why there are fewer topics than were asked for."""
    coverage: list[Coverage] = Field(default=[])


async def make_topics(names: ModuleNames, wanted: int, writer: Writer, log: Log = lambda line: None) -> Topics | str:
    """Ask for topics until there are enough, or a round brings nothing new.

    Args:
        names: what the module documents.
        wanted: topics.
        writer: the model.
        log: gets a line a round.

    Returns:
        The topics, or why there are none.
    """
    made = _Collected(names)
    problem = ''
    while len(made.topics) < wanted and not problem:
        before = len(made.topics)
        question = _question(names, min(A_ROUND, wanted - before), made.topics, writer.prompts)
        try:
            answer = await writer.ask(f'topics/{names.module}', question, _read)
        except GivenUpError as error:
            problem = str(error)
            break
        made.take(answer.value, wanted)
        log(f'{names.module}: {len(made.topics)} of {wanted} topics')
        if len(made.topics) == before:
            problem = 'the last round brought nothing new'
    if not made.topics:
        return problem
    return Topics(
        module=names.module,
        version=names.version,
        topics=made.topics,
        dropped=made.dropped,
        unknown_names=made.unknown,
        problem=problem,
        coverage=coverage(names, {name for topic in made.topics for name in topic.names}),
    )


def first_question(names: ModuleNames, wanted: int, prompts: Prompts) -> str:
    """The first request, for an estimate of what topics cost."""
    return _question(names, min(A_ROUND, wanted), [], prompts)


def _question(names: ModuleNames, count: int, topics: Sequence[Topic], prompts: Prompts) -> str:
    return prompts.render(
        'topics',
        module=names.module,
        version=names.version,
        count=count,
        areas=names.left({name for topic in topics for name in topic.names}),
        topics=[topic.topic for topic in topics],
    )


class _Collected:
    """Topics so far, and those that were dropped."""

    def __init__(self, names: ModuleNames) -> None:
        self.topics: list[Topic] = []
        self.dropped: list[Dropped] = []
        self.unknown = 0
        self._names = names

    def take(self, proposed: list[dict[str, Any]], wanted: int) -> None:
        for one in proposed:
            said = ' '.join(one['topic'].split())
            if len(self.topics) >= wanted:
                return
            new = Topic(name=self._name(said), topic=said, names=self._names.known(one['names']))
            self.unknown += sum(not self._names.known([name]) for name in one['names'])
            if earlier := next((topic.topic for topic in self.topics if same(new, topic)), None):
                self.dropped.append(Dropped(topic=said, why=f'says what another says: {earlier}'))
            else:
                self.topics.append(new)

    def _name(self, said: str) -> str:
        words = [word for word in re.findall(r'[a-z0-9]+', said.lower()) if not FILLERS.fullmatch(word)]
        short = (
            '_'.join(words)[:LONGEST_NAME].rpartition('_')[0]
            if len('_'.join(words)) > LONGEST_NAME
            else '_'.join(words)
        )
        return f't{len(self.topics) + 1:02}_{short or "topic"}'


def same(one: Topic, other: Topic) -> bool:
    """Whether two topics say the same, by their words: those that say nothing, and plurals, do not count."""
    first, second = _words(one.topic), _words(other.topic)
    shared = len(first & second) / max(1, len(first | second))
    named = bool(one.names) and set(one.names) == set(other.names)
    return shared >= (SAME_WITH_NAMES if named else SAME)


def _words(topic: str) -> set[str]:
    words = re.findall(r'\w+', topic.lower())
    return {word.rstrip('s') for word in words if not FILLERS.fullmatch(word)}


def _read(text: str) -> list[dict[str, Any]]:
    found = read_list(text)
    for one in found:
        if not isinstance(one.get('topic'), str) or not one['topic'].strip():
            raise MalformedError('an object without "topic", a text')
        names = one.setdefault('names', [])
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise MalformedError('"names" must be a list of texts')
    if not found:
        raise MalformedError('an empty list')
    return found
