"""A reply -> an experiment: data, steps. Errors are written for the model."""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

import yaml

from cibench_eval.construction.asking import MalformedError
from cibench_eval.construction.tables import Tables, make_tables, read_tables
from cibench_eval.datasets.cells import LABEL
from cibench_eval.datasets.formats.notebooks import TYPED_KINDS
from cibench_eval.schema import CibenchError, unicode_text
from cibench_eval.sets.checking.named_files import named_files
from cibench_eval.sets.templates import SourceStep
from cibench_eval.syntax import parse

HEADING = re.compile(r'#{1,4}\s*Step\s+(\d{1,4})\s*+(?:[:.]\s*+)?\(([^();]*?)(?:;([^()]*))?\)\s*', re.IGNORECASE)
OPENING = re.compile(r'\s*(```+|~~~+)\s*+([\w+-]*)\s*')
OTHER_LABEL = re.compile(r'^\**Thought\b:?\**:?\s*', re.MULTILINE)
"""The word at the beginning of a line, where no label of a thought is as models mostly write it."""
MAGIC = re.compile(r'^[ \t]*[!%]', re.MULTILINE)


@dataclass(frozen=True)
class WrittenTask:
    """An experiment as a model wrote it."""

    data: Tables
    steps: list[SourceStep]


@dataclass(frozen=True)
class Form:
    """The form that an experiment must have."""

    name: str
    """The name of the experiment and of the folder of its data."""
    fewest: int = 10
    most: int = 15
    files: Collection[str] = ()
    """Names of files below `data/` that are given."""
    seed: int = 0

    def read(self, text: str) -> WrittenTask:
        """The experiment in a reply; a `MalformedError` where it has not this form."""
        task = parse_task(text)
        if not self.fewest <= len(task.steps) <= self.most:
            raise MalformedError(f'{len(task.steps)} steps; there must be {self.fewest} to {self.most}')
        if 2 * sum(step.kind == 'exec' for step in task.steps) > len(task.steps):
            raise MalformedError('more than half of the steps are exec; let them show a result')
        try:
            make_tables(task.data, self.seed)
        except CibenchError as error:
            raise MalformedError(str(error)) from error
        for number, step in enumerate(task.steps, start=1):
            self._check_code(number, step.code, task)
        return task

    def _check_code(self, number: int, code: str, task: WrittenTask) -> None:
        try:
            parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            magic = '; no line may begin with "!" or "%": write Python alone' if MAGIC.search(code) else ''
            raise MalformedError(f'step {number}: its code is no Python ({error}){magic}') from error
        files = named_files(code)
        if files.written:
            raise MalformedError(f'step {number}: it writes {sorted(files.written)[0]}; no step may write files')
        there = {f'data/{self.name}/{name}' for name in task.data} | {f'data/{name}' for name in self.files}
        for name in files.read:
            if name not in there and name.rstrip('/') not in ('data', f'data/{self.name}'):
                known = ', '.join(sorted(there)) or 'none'
                raise MalformedError(f'step {number}: it reads {name}, which is not declared; there is: {known}')


def parse_task(text: str) -> WrittenTask:
    """The experiment in a reply, with any number of steps.

    Raises:
        MalformedError: the reply lacks a part of an experiment.
    """
    lines = unicode_text(text).strip().splitlines()
    try:
        return _task(_unfenced(lines))
    except MalformedError:
        if (inner := _within_fence(lines)) == lines:
            raise
    return _task(inner)


def _task(lines: list[str]) -> WrittenTask:
    head, sections = _sections(lines)
    numbers = [number for number, *_ in sections]
    if not sections:
        raise MalformedError('no step; each begins with a heading like "## Step 1 (num; pandas)"')
    if numbers != list(range(1, len(numbers) + 1)):
        raise MalformedError(f'steps are numbered {", ".join(map(str, numbers))}; number them from 1')
    return WrittenTask(_data(head), [_step(*section) for section in sections])


@dataclass
class _Section:
    """The text between two headings: lines of prose, and fenced blocks with their languages."""

    prose: list[str] = field(default_factory=list)
    blocks: list[tuple[str, str]] = field(default_factory=list)


def _unfenced(lines: list[str]) -> list[str]:
    """A reply without the fence that some models put around the whole of it."""
    if len(lines) > 2 and re.fullmatch(r'```+\s*(?:markdown|md)', lines[0].strip(), re.IGNORECASE):
        return lines[1:-1] if lines[-1].strip().startswith('```') else lines[1:]
    return lines


def _within_fence(lines: list[str]) -> list[str]:
    """What stands in the fence around the experiment, where a model has put words around that; else the reply."""
    heading = next((at for at, line in enumerate(lines) if HEADING.fullmatch(line.strip())), 0)
    fences = [(at, found[1], found[2]) for at, line in enumerate(lines) if (found := OPENING.fullmatch(line))]
    start, ticks, language = fences[0] if fences else (0, '', '')
    if start >= heading or (language.lower() not in ('markdown', 'md') and (language or len(ticks) < 4)):
        return lines
    ends = [at for at, *fence in fences[1:] if fence == [ticks, '']]
    closed = ends and len(fences) % 2 == 0  # else the last fence is the end of a block
    return lines[start + 1 : ends[-1] if closed else None]


def _sections(lines: list[str]) -> tuple[_Section, list[tuple[int, str, str, _Section]]]:
    head = _Section()
    sections: list[tuple[int, str, str, _Section]] = []
    fence, language, block = '', '', list[str]()
    for line in lines:
        here = sections[-1][3] if sections else head
        opened = OPENING.fullmatch(line)
        if fence:
            if opened and opened[1].startswith(fence) and not opened[2]:
                here.blocks.append((language.lower(), '\n'.join(block)))
                fence = ''
            else:
                block.append(line)
        elif opened:
            fence, language, block = opened[1], opened[2], []
        elif heading := HEADING.fullmatch(line.strip()):
            sections.append((int(heading[1]), heading[2].strip().lower(), (heading[3] or '').strip(), _Section()))
        else:
            here.prose.append(line)
    if fence:
        raise MalformedError('a block of code has no end; close it with ```')
    return head, sections


def _data(head: _Section) -> Tables:
    blocks = [text for language, text in head.blocks if language in ('yaml', 'yml')]
    if len(blocks) > 1:
        raise MalformedError(f'{len(blocks)} yaml blocks before the first step; declare all data in one')
    try:
        raw = yaml.safe_load(blocks[0]) if blocks else None
        declared = (raw or {}).get('data') or {}
        return read_tables(declared, 'data')
    except (yaml.YAMLError, ValueError, RecursionError, AttributeError) as error:  # as of a 30 February
        raise MalformedError(f'the yaml block cannot be read ({" ".join(str(error).split())})') from error
    except CibenchError as error:
        raise MalformedError(str(error)) from error


def _step(number: int, kind: str, modules: str, section: _Section) -> SourceStep:
    if kind not in TYPED_KINDS:
        raise MalformedError(f'step {number}: its kind is {kind!r}; it must be {", ".join(TYPED_KINDS)}')
    codes = [text for language, text in section.blocks if language in ('python', 'python3', 'py', '')]
    if len(codes) != 1 or len(section.blocks) != 1:
        raise MalformedError(f'step {number}: {len(section.blocks)} blocks; it needs one block of Python code')
    prose = '\n'.join(section.prose).strip()
    label = next(reversed([*LABEL.finditer(prose)]), None) or OTHER_LABEL.search(prose)
    question, thought = (prose[: label.start()], prose[label.end() :]) if label else (prose, '')
    if not question.strip():
        raise MalformedError(f'step {number}: no question')
    names = ' & '.join(part for name in re.split(r'[&,]', modules) if (part := name.strip(' `')))
    asked = re.sub(r'\n\s*\n', '\n', question.strip())
    told = ' '.join(thought.split())
    if not names:
        raise MalformedError(f'step {number}: its heading names no modules; write them after the kind')
    if not codes[0].strip():
        raise MalformedError(f'step {number}: no code')
    return SourceStep.of('en', asked, told, codes[0].strip('\n'), kind, names)
