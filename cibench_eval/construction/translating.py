"""English experiments -> Chinese twins: translate them, translate them back without the original, and compare."""

import ast
import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field

from cibench_eval.construction.asking import GivenUpError, MalformedError, Writer, read_list
from cibench_eval.construction.notebook_file import NotebookFile, StepText
from cibench_eval.datasets.cells import THOUGHT
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.files import file_digest, write_whole
from cibench_eval.json_files import cached_record
from cibench_eval.rendering import shorten
from cibench_eval.schema import CibenchError, Record
from cibench_eval.sets.checking.static import QUOTED, is_chinese, load_set, reads_chinese
from cibench_eval.sets.checking.twins import CODE, numbers_only_in
from cibench_eval.sets.templates import LANGUAGES
from cibench_eval.syntax import parse
from cibench_eval.terminal import Log

T = TypeVar('T')


class TranslatedStep(Record):
    """A question in Chinese, and the comparison with its original."""

    number: int
    question: str
    thought: str
    returned: str
    """The question, translated back."""
    same: bool
    why: str = ''
    """How the questions differ."""


class Translation(Record):
    """The result of an experiment: `SPLIT/ID.json` in the folder of a translation."""

    key: str
    """Hash of the English texts and of the settings of the translation."""
    rounds: list[list[TranslatedStep]] = Field(default=[])
    """First all steps, then the steps that came back with another meaning."""
    refused: list[str] = Field(default=[])
    """Why replies were sent back."""
    cause: str = ''
    """Why there is no further round."""
    written: str = ''
    """Hash of the twin when it was written."""

    @property
    def steps(self) -> dict[int, TranslatedStep]:
        """The last translation of each step."""
        return {step.number: step for steps in self.rounds for step in steps}

    @property
    def differing(self) -> list[TranslatedStep]:
        return [step for step in self.steps.values() if not step.same]

    @property
    def whole(self) -> bool:
        return bool(self.rounds) and not self.differing


@dataclass(frozen=True)
class EnglishNotebook:
    """An English experiment, and the path of its twin."""

    split: str
    id: str
    path: Path
    target: Path
    steps: dict[int, StepText] = field(repr=False)
    """Number of a step, from 1 -> its texts."""

    @property
    def name(self) -> str:
        return f'{self.split}/{self.id}'


def sources_of(folder: Path, only: str | None = None) -> list[EnglishNotebook]:
    """The experiments of a set or a split that do not count as Chinese.

    Raises:
        CibenchError: a notebook cannot be read, or there is nothing to translate.
    """
    if not folder.is_dir():
        raise CibenchError(f'{folder}: no such folder; give the set that is to have twins')
    loaded = load_set(folder, folder.resolve().name, only)
    loaded.check_readable()
    found = []
    for member in loaded.members:
        id_, path = member.experiment.id, member.experiment.path
        root = path.parents[id_.count('/')]
        if not is_chinese(member):
            target = root.with_name(f'{root.resolve().name}{LANGUAGES["cn"]}') / f'{id_}.ipynb'
            steps = dict(enumerate(NotebookFile(path).steps, start=1))
            found.append(EnglishNotebook(member.split, id_, path, target, steps))
    if not found:
        raise CibenchError(f'{folder}: no notebook with English questions; nothing to translate')
    return found


class Translator:
    """Translates experiments.

    Args:
        rounds: how many times a step that comes back with another meaning is translated again, at most.
    """

    def __init__(self, writer: Writer, folder: Path, rounds: int, log: Log) -> None:
        self._writer, self._folder, self._rounds, self._log = writer, folder, rounds, log

    def questions(self, source: EnglishNotebook) -> list[str]:
        """The requests for an experiment if each translation is as long as its original; none if nothing is asked."""
        return self._chain(source) if self._is_wanted(source) else []

    def translate(self, sources: Sequence[EnglishNotebook]) -> dict[str, Translation]:
        """Translate experiments, and write a twin where all steps came back with the same meaning.

        A twin that was not written here, or was changed since, is left alone. The translation can be killed and called
        again: finished work is kept.

        Raises:
            HarnessError: the model cannot be asked; finished work is kept.
        """
        waiting = [source for source in sources if self._is_wanted(source)]
        if waiting:
            self._writer.all([partial(self._one, source) for source in waiting])
        return {source.name: self._publish(source) for source in sources}

    async def _one(self, source: EnglishNotebook) -> None:
        earlier = self._read(source)
        rounds: list[list[TranslatedStep]] = []
        refused: list[str] = []
        cause, asked = '', self._first(source)
        try:
            while True:
                wanted = {step.number for step in rounds[-1] if not step.same} if rounds else set(source.steps)
                steps = await self._round(source, asked, wanted, refused)
                rounds.append(steps)
                differing = [step for step in steps if not step.same]
                if not differing or len(rounds) > self._rounds:
                    break
                asked = self._again(source, differing)
        except GivenUpError as error:
            cause = str(error)
        done = Translation(
            key=self._key(source),
            rounds=rounds,
            refused=refused,
            cause=cause,
            written=earlier.written if earlier else '',
        )
        self._save(source, done)
        self._log(f'{source.name}: {len(done.steps) - len(done.differing)} of {len(source.steps)} steps say the same')

    async def _round(
        self, source: EnglishNotebook, asked: str, wanted: set[int], refused: list[str]
    ) -> list[TranslatedStep]:
        """Translate steps, have them translated back, and have the results compared with the originals."""

        async def ask(question: str, read: Callable[[str], T]) -> T:
            answer = await self._writer.ask(source.name, question, read)
            refused.extend(answer.refused)
            return answer.value

        originals = {number: source.steps[number] for number in sorted(wanted)}
        texts = await ask(asked, partial(read_translation, originals))
        there = {number: text.question for number, text in texts.items()}
        returned = await ask(self._back(there), partial(read_questions, wanted))
        verdicts = await ask(self._pairs(originals, returned), partial(read_verdicts, wanted))
        return [
            TranslatedStep(
                number=number,
                question=text.question,
                thought=text.thought,
                returned=returned[number],
                same=not verdicts[number],
                why=verdicts[number],
            )
            for number, text in texts.items()
        ]

    def _first(self, source: EnglishNotebook) -> str:
        steps = [{'number': number, **text.model_dump()} for number, text in source.steps.items()]
        return self._writer.prompts.render('translate', steps=steps)

    def _again(self, source: EnglishNotebook, differing: list[TranslatedStep]) -> str:
        steps = [
            {
                **source.steps[step.number].model_dump(),
                'number': step.number,
                'translated': step.question,
                'returned': step.returned,
                'why': step.why,
            }
            for step in differing
        ]
        return self._writer.prompts.render('retranslate', steps=steps)

    def _chain(self, source: EnglishNotebook) -> list[str]:
        texts = {number: text.question for number, text in source.steps.items()}
        return [self._first(source), self._back(texts), self._pairs(source.steps, texts)]

    def _back(self, questions: Mapping[int, str]) -> str:
        steps = [{'number': number, 'question': text} for number, text in questions.items()]
        return self._writer.prompts.render('back_translate', steps=steps)

    def _pairs(self, originals: Mapping[int, StepText], returned: Mapping[int, str]) -> str:
        steps = [
            {'number': number, 'original': text.question, 'returned': returned[number]}
            for number, text in originals.items()
        ]
        return self._writer.prompts.render('same', steps=steps)

    def _key(self, source: EnglishNotebook) -> str:
        again = self._again(source, [])
        parts = [self._writer.identity, str(self._rounds), str(self._writer.tries), *self._chain(source), again]
        return hashlib.sha256('\0'.join(parts).encode()).hexdigest()

    def _file(self, source: EnglishNotebook) -> Path:
        return self._folder / source.split / f'{source.id}.json'

    def _read(self, source: EnglishNotebook) -> Translation | None:
        return cached_record(self._file(source), Translation)

    def _is_wanted(self, source: EnglishNotebook) -> bool:
        found = self._read(source)
        return not (self._is_foreign(source) or (found and found.key == self._key(source)))

    def _is_foreign(self, source: EnglishNotebook) -> bool:
        """Whether there is a twin that was not written here, or has changed since."""
        there, found = file_digest(source.target), self._read(source)
        return bool(there) and there != (found.written if found else '')

    def _save(self, source: EnglishNotebook, translation: Translation) -> None:
        write_whole(self._file(source), translation.model_dump_json(indent=1) + '\n')

    def _publish(self, source: EnglishNotebook) -> Translation:
        """Write the twin of an experiment, or delete an earlier twin of ours if there is none any more."""
        done = self._read(source) or Translation(key='')
        if self._is_foreign(source):
            return done.model_copy(update={'cause': f'{source.target}: not written here, or changed since; left alone'})
        for file in (source.target, descriptions_file(source.target)):  # naive answers, if any, are not ours
            file.unlink(missing_ok=True)
        if done.whole:
            twin = twin_of(source, done.steps)
            done = done.model_copy(update={'written': hashlib.sha256(twin.text.encode()).hexdigest()})
            self._save(source, done)  # first, so that the twin is known as ours if this is killed now
            if (described := descriptions_file(source.path)).is_file():
                write_whole(descriptions_file(source.target), described.read_bytes())
            twin.write(source.target)
        return done


def twin_of(source: EnglishNotebook, steps: Mapping[int, TranslatedStep]) -> NotebookFile:
    """The notebook with new questions and thoughts, and the same code, outputs and descriptions."""
    file = NotebookFile(source.path)
    for number, original in source.steps.items():
        said = steps[number]
        file.replace(number - 1, StepText(question=said.question, thought=said.thought, code=original.code))
    file.raw['metadata']['language'] = 'cn'
    return file


def read_translation(originals: Mapping[int, StepText], text: str) -> dict[int, StepText]:
    """The Chinese questions and thoughts in a reply, by number.

    Raises:
        MalformedError: a question is missing or not in Chinese, or a name, number or quoted text is lost or added.
    """
    found = {}
    for number, item in numbered(text, set(originals)).items():
        original = originals[number]
        question, thought = word(item, number, 'question'), word(item, number, 'thought', bool(original.thought))
        if not reads_chinese(question):
            raise MalformedError(f'question {number} is not in Chinese')
        if problem := _lost(original, question) or _added(original.question, question):
            raise MalformedError(f'question {number} {problem}')
        found[number] = StepText(question=question, thought=thought, code=original.code)
    return found


def _lost(original: StepText, question: str) -> str:
    """What a translation loses of an original question; empty if nothing."""
    names = set(CODE.findall(original.question)) - set(CODE.findall(question))
    if names:
        return f'must keep {", ".join(f"`{name}`" for name in sorted(names))}, back-ticks included'
    for cited in QUOTED.findall(original.question):
        if cited[1:-1] in _constants(original.code) and cited[1:-1] not in question:
            return f'must keep the text {cited}, which the code has'
    numbers = numbers_only_in(original.question, question)
    return f'must say {", ".join(numbers)}' if numbers else ''


def _added(original: str, question: str) -> str:
    if names := set(CODE.findall(question)) - set(CODE.findall(original)):
        return f'says `{sorted(names)[0]}`, which the original does not'
    if numbers := numbers_only_in(question, original):
        return f'says {numbers[0]}, which the original does not'
    return 'has "Thought: " in it' if THOUGHT.strip() in question else ''


def _constants(code: str) -> set[str]:
    """The string constants in code that are longer than a letter."""
    try:
        tree = parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return set()
    nodes = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return {value for value in nodes if isinstance(value, str) and len(value) > 1}


def read_questions(wanted: set[int], text: str) -> dict[int, str]:
    """The English questions in a reply, by number; a `MalformedError` where a question is missing."""
    return {number: word(item, number, 'question') for number, item in numbered(text, wanted).items()}


def read_verdicts(wanted: set[int], text: str) -> dict[int, str]:
    """The difference of each pair of questions, by number; empty if both ask the same.

    Raises:
        MalformedError: a verdict is missing, or is neither true nor false.
    """
    found = {}
    for number, item in numbered(text, wanted).items():
        if not isinstance(item.get('same'), bool):
            raise MalformedError(f'{number}: "same" must be true or false')
        found[number] = '' if item['same'] else word(item, number, 'why')
    return found


def numbered(text: str, wanted: set[int]) -> dict[int, dict[str, Any]]:
    """The objects in a reply by their numbers; a `MalformedError` where the numbers are not `wanted`."""
    items = read_list(text)
    numbers = [item.get('number') for item in items]
    if sorted(map(str, numbers)) != sorted(map(str, wanted)):
        got = ', '.join(map(str, numbers)) or 'none'
        raise MalformedError(
            f'numbers {shorten(got, 100)}; answer for {", ".join(map(str, sorted(wanted)))}, each once'
        )
    return {int(str(item['number'])): item for item in items}


def word(item: Mapping[str, Any], number: int, key: str, required: bool = True) -> str:
    """The text at a key of an object; a `MalformedError` where it is missing, no text, or empty."""
    value = item.get(key, '')
    if not isinstance(value, str) or (required and not value.strip()):
        raise MalformedError(f'{number}: "{key}" must be a text')
    return value.strip()
