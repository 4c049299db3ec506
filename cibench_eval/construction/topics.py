"""Ask for topics of a module in rounds; each request lists the topics so far and the names that are left."""

import math
import re
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from cibench_eval.construction.asking import GivenUpError, MalformedError, Writer, read_list
from cibench_eval.construction.names import Coverage, ModuleNames, coverage
from cibench_eval.construction.prompts import Prompts
from cibench_eval.schema import Record
from cibench_eval.terminal import Log

A_ROUND = 25
"""Topics of one request; in longer lists a model repeats itself."""
MOST = 3
"""How many times as many requests as the topics need are sent at most, where replies are short or repeat topics."""
SAME, SAME_WITH_NAMES = 0.75, 0.5
"""Two topics are the same if they share this part of their words; the lower limit holds if they list the same names."""
FILLERS = re.compile(r'(?:a|an|and|as|at|by|data|dataset|for|from|in|into|of|on|the|to|using|with)')
LONGEST_NAME = 40


class ExperimentTopic(Record):
    name: str = Field(pattern=r'^[A-Za-z0-9_]+$')
    """The name of the experiment: letters, digits and underscores."""
    topic: str
    names: list[str] = Field(default=[])
    """Documented names that the experiment should use."""


class Dropped(Record):
    """A topic that was left out."""

    topic: str
    why: str


class Topics(Record):
    """The content of a module's file of topics. A user may edit `topics` before tasks are made."""

    module: str
    version: str
    topics: list[ExperimentTopic] = Field(min_length=1)
    dropped: list[Dropped] = Field(default=[])
    unknown_names: int = 0
    """The number of names in replies that the module does not document."""
    problem: str = ''
    """Why there are fewer topics than requested."""
    coverage: list[Coverage] = Field(default=[])


async def make_topics(names: ModuleNames, wanted: int, writer: Writer, log: Log = lambda line: None) -> Topics | str:
    """Ask for topics until there are enough, or a round brings nothing new.

    Args:
        log: gets a line a round.

    Returns:
        The topics, or the reason why there are none.
    """
    made = _Collected(names)
    problem = ''
    for _ in range(MOST * least_requests(wanted)):
        before = len(made.topics)
        asked = question(names, wanted, writer.prompts, made.topics)
        try:
            answer = await writer.ask(f'topics/{names.module}', asked, _read)
        except GivenUpError as error:
            problem = str(error)
            break
        made.take(answer.value, wanted)
        log(f'{names.module}: {len(made.topics)} of {wanted} topics')
        if len(made.topics) == before:
            problem = 'the last round brought nothing new'
        if problem or len(made.topics) == wanted:
            break
    else:
        problem = f'{MOST} times as many rounds as topics need brought no more'
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


def least_requests(wanted: int) -> int:
    return math.ceil(wanted / A_ROUND)


def question(names: ModuleNames, wanted: int, prompts: Prompts, topics: Sequence[ExperimentTopic] = ()) -> str:
    return prompts.render(
        'topics',
        module=names.module,
        version=names.version,
        count=min(A_ROUND, wanted - len(topics)),
        areas=names.left({name for topic in topics for name in topic.names}),
        topics=[topic.topic for topic in topics],
    )


class _Collected:
    def __init__(self, names: ModuleNames) -> None:
        self.topics: list[ExperimentTopic] = []
        self.dropped: list[Dropped] = []
        self.unknown = 0
        self._names = names

    def take(self, proposed: list[dict[str, Any]], wanted: int) -> None:
        for one in proposed:
            said = ' '.join(one['topic'].split())
            if len(self.topics) >= wanted:
                return
            new = ExperimentTopic(name=self._name(said), topic=said, names=self._names.known(one['names']))
            self.unknown += sum(not self._names.known([name]) for name in one['names'])
            if earlier := next((topic.topic for topic in self.topics if same(new, topic)), None):
                self.dropped.append(Dropped(topic=said, why=f'says what another says: {earlier}'))
            else:
                self.topics.append(new)

    def _name(self, said: str) -> str:
        short = '_'.join(word for word in re.findall(r'[a-z0-9]+', said.lower()) if not FILLERS.fullmatch(word))
        if len(short) > LONGEST_NAME:
            short = short[:LONGEST_NAME].rpartition('_')[0]
        return f't{len(self.topics) + 1:02}_{short or "topic"}'


def same(one: ExperimentTopic, other: ExperimentTopic) -> bool:
    """Whether two topics say the same, by their words without fillers and plurals."""
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
