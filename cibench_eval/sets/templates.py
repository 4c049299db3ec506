"""Sources of built-in experiments: percent files, each of which gives one or several experiments.

A source is a Python file in jupytext's percent format. Each step has a markdown cell with the question and, after a
line `Thought: `, the gold thought; perhaps a second one in Chinese, with `lang="cn"` in its header; and a code cell
with the gold code. The header of the first cell has `kind` and `modules`. It may have `tolerance` (a relative one, for
the numbers of this step), `absolute`, `list`, `answer` (the variables of its answer, as `datasets/declared.py` has
them; the build makes the last sentence of the question of it), or the labels on which predictions are scored:
`held_out` (their name), `metric` and `bound`. A further code cell with `naive="careless literal" trap="…"` in its
header is an answer that falls into a trap; `naive` names the sessions that it belongs to.

A *template* has `instances` in its YAML header: name -> parameters, among them the data. Question, thought and code
are Jinja templates of the parameters, so one source gives the same experiment on several data sets. `words` are further
parameters: strings that are Jinja templates themselves. A parameter that maps `en` and `cn` has the value of the
experiment's language. `{{ data }}` is the folder of the files that the source's generator makes (`generators.py`).
`varied` describes fresh data and parameters (`vary.py`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, get_args

import jinja2
import yaml
from pydantic import BaseModel, ValidationError

from cibench_eval.datasets.cells import THOUGHT, with_thought
from cibench_eval.datasets.declared import EXAMPLE, read_declaration, sentence
from cibench_eval.datasets.formats.notebooks import TYPED_KINDS
from cibench_eval.datasets.patterns import select
from cibench_eval.schema import CibenchError, Language, problem
from cibench_eval.sets.generators import NOTHING, SUFFIX, Made, make

LANGUAGES: dict[Language, str] = {'en': '', 'cn': '_chinese'}
"""Language of the questions -> suffix of the name of a split."""
JINJA = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)
HEADER = re.compile(r'# ---\n((?:#.*\n)*?)# ---\n')
Parameters = dict[str, Any]
OF_STEPS = ('kind', 'modules', 'lang', 'tolerance', 'absolute', 'list', 'answer', 'held_out', 'metric', 'bound')
"""What the headers of a step's questions may say."""


class _Header(BaseModel):
    """The YAML header of a source; the names of parameters are checked elsewhere."""

    language: Language = 'en'
    instances: dict[Any, dict[Any, Any]] = {}
    words: dict[Any, Any] = {}
    varied: dict[Any, Any] = {}


@dataclass(frozen=True)
class SourceStep:
    """One step of a source, before or after its parameters are filled in."""

    questions: dict[Language, str]
    code: str
    kind: str
    """Where it is `general` in all steps, their outputs tell the kinds."""
    modules: str
    tolerance: float | None = None
    absolute: float | None = None
    listed: bool = False
    answer: str = ''
    """The declaration of its answer (`datasets/declared.py`); empty where the answer is shown alone."""
    held_out: HeldOutStep | None = None
    naive: tuple[NaiveCode, ...] = ()
    depends: tuple[int, ...] = ()
    """The steps, counted from 1, on which its answer rests; empty where they are not known."""

    @classmethod
    def of(
        cls, language: Language, question: str, thought: str, code: str, kind: str, modules: str = 'pandas', **more: Any
    ) -> SourceStep:
        """A step in one language; `more` are further fields."""
        return cls({language: with_thought(question, thought)}, code, kind, modules, **more)


@dataclass(frozen=True)
class HeldOutStep:
    """How a step is scored on held-out labels."""

    labels: str
    """The name that the generator gives to the labels."""
    metric: str
    bound: str
    """A number, or a template of one."""


@dataclass(frozen=True)
class NaiveCode:
    """A naive answer to a step."""

    trap: str
    sessions: tuple[str, ...]
    code: str


@dataclass(frozen=True)
class Draft:
    """One experiment to be executed: its notebook without the outputs."""

    source: Path
    target: Path
    """The path of the notebook below the folder of the set."""
    language: Language
    steps: list[SourceStep]
    """Filled in, with questions in the experiment's language alone."""
    made: Made = NOTHING
    """The output of its generator."""
    folder: str = ''
    """The folder below `data/` for the generated files."""

    @property
    def codes(self) -> list[str]:
        return [step.code for step in self.steps]

    def question(self, step: SourceStep) -> str:
        """The question and the gold thought; where the step declares its answer, the question ends in saying so."""
        asked = step.questions[self.language]
        if not step.answer:
            return asked
        question, separator, thought = asked.strip().partition(THOUGHT)
        return f'{question.rstrip()}\n{sentence(read_declaration(step.answer), self.language)}{separator}{thought}'


@dataclass(frozen=True)
class TemplateSource:
    """A percent file. `instances` is empty where the file is a single experiment."""

    path: Path
    name: Path
    """The path below the folder of sources, without suffix."""
    language: Language
    steps: list[SourceStep]
    instances: dict[str, Parameters]
    words: Parameters
    varied: Parameters

    @classmethod
    def read(cls, path: Path, root: Path) -> TemplateSource:
        """Read a source below the folder `root`.

        Raises:
            CibenchError: the source is malformed; the message names file, cell, cause and fix.
        """
        from cibench_eval.notebook_libraries import jupytext

        try:
            text = path.read_text(encoding='utf-8-sig')
            _check_keys(path, text)
            document = jupytext.reads(text, fmt='py:percent')
            header = _Header.model_validate(document.metadata)
        except ValidationError as error:
            raise CibenchError(f'{path}: {problem(error)}') from error
        except (yaml.YAMLError, ValueError) as error:
            raise CibenchError(f'{path}: {" ".join(str(error).split())}; correct it and save it as UTF-8') from error
        name = path.relative_to(root).with_suffix('')
        source = cls(path, name, steps=_steps(path, document.cells, header.language), **dict(header))
        source._check_parameters()
        return source

    def _check_parameters(self) -> None:
        """See that the instances and `varied` have the same parameters, and that their names are identifiers."""
        if not self.instances:
            return
        for name in [name for given in (*self.instances.values(), self.varied, self.words) for name in given]:
            if not isinstance(name, str) or not name.isidentifier():
                raise CibenchError(f'{self.path}: {name!r} is no parameter name (YAML reads yes and no as booleans)')
        wanted = set(next(iter(self.instances.values())))
        for name, parameters in {**self.instances, **({'varied': self.varied} if self.varied else {})}.items():
            if differing := sorted(wanted ^ set(parameters)):
                raise CibenchError(
                    f'{self.path}: {name}: {", ".join(differing)}: all instances need the same parameters'
                )

    def drafts(self) -> list[Draft]:
        """The experiments: one, or one for each instance and language."""
        if not self.instances:
            return [self._draft(self.name.with_suffix('.ipynb'), {}, self.language)]
        return [draft for name, given in self.instances.items() for draft in self.instantiate(name, given)]

    def instantiate(self, instance: str, given: Parameters) -> list[Draft]:
        """The experiments with one set of parameters, in all languages of the source."""
        library, split = self.path.parent.name, self.path.parent.parent.name
        name, made = f'{self.name.name}_{instance}', make(self.path, given)
        return [
            self._draft(Path(split + suffix, library, f'{name}.ipynb'), given, language, made, name)
            for language, suffix in LANGUAGES.items()
            if all(language in step.questions for step in self.steps)
        ]

    def _draft(
        self, target: Path, given: Parameters, language: Language, made: Made = NOTHING, folder: str = ''
    ) -> Draft:
        values = _values(self.path, {'data': f'data/{folder}', **given}, self.words, language)

        def fill(text: str) -> str:
            return _filled(self.path, text, values) if self.instances else text

        steps = [
            replace(
                step,
                questions={language: fill(step.questions[language])},
                code=fill(step.code),
                held_out=step.held_out and replace(step.held_out, bound=fill(step.held_out.bound)),
                naive=tuple(replace(one, trap=fill(one.trap), code=fill(one.code)) for one in step.naive),
            )
            for step in self.steps
        ]
        return Draft(self.path, target, language, steps, made, folder)


def read_sources(folder: Path, only: str | None = None) -> list[TemplateSource]:
    """All sources below a folder, sorted; `only` is a shell-style pattern of names, such as `pandas/*`.

    Raises:
        CibenchError: there is no source, or one is malformed.
    """
    files = sorted(path for path in folder.rglob('*.py') if not path.name.endswith(SUFFIX))
    if not files:
        raise CibenchError(f'{folder}: no sources (*.py); give the folder that holds them')
    by_name = {file.relative_to(folder).with_suffix('').as_posix(): file for file in files}
    return [TemplateSource.read(by_name[name], folder) for name in select([*by_name], only, folder, 'source')]


def _check_keys(path: Path, text: str) -> None:
    """Raise a `CibenchError` where a key stands twice in a mapping of the header: YAML would take the last one."""
    header = HEADER.match(text)
    nodes = [yaml.compose(re.sub('^# ?', '', header[1], flags=re.M))] if header else []
    seen = set[int]()
    while nodes:
        if isinstance(node := nodes.pop(), yaml.MappingNode) and id(node) not in seen:  # an alias may lead back
            seen.add(id(node))
            keys = [(key.tag, key.value) for key, _ in node.value]
            if twice := [value for tag, value in keys if keys.count((tag, value)) > 1]:
                raise CibenchError(f'{path}: `{twice[0]}` stands twice in its header; rename one')
            nodes += [value for _, value in node.value]


def _steps(path: Path, cells: list[Any], language: Language) -> list[SourceStep]:
    """The steps: markdown cells, one for each language, and the code cell after them."""
    steps: list[SourceStep] = []
    asked: list[Any] = []
    for number, cell in enumerate(cells, start=1):
        if cell.cell_type != 'code':
            asked.append(cell)
        elif 'naive' in cell.metadata:
            if asked or not steps:
                raise CibenchError(f'{path}: cell {number}: a naive answer comes after the gold code of its step')
            steps[-1] = replace(steps[-1], naive=(*steps[-1].naive, _naive(path, number, cell)))
        else:
            steps.append(_step(path, number, asked, cell.source, language))
            asked = []
    if asked or not steps:
        raise CibenchError(f'{path}: the last cell is no code; each question needs its gold code')
    return steps


def _step(path: Path, number: int, asked: list[Any], code: str, language: Language) -> SourceStep:
    if not asked:
        raise CibenchError(f'{path}: cell {number}: code without a question; put a markdown cell before it')
    header = asked[0].metadata
    given = {key for cell in asked for key in cell.metadata}
    for key in sorted(given - {*OF_STEPS}):
        if close := get_close_matches(key, [one for one in OF_STEPS if one not in given], 1, 0.8):
            raise CibenchError(f'{path}: cell {number - len(asked)}: {key}=… is read by nothing; write {close[0]}=…')
    if not {'kind', 'modules'} <= header.keys():
        raise CibenchError(f'{path}: cell {number - len(asked)}: its header lacks kind="…" or modules="…"')
    if header['kind'] not in (known := (*TYPED_KINDS, 'general')):
        raise CibenchError(f'{path}: cell {number - len(asked)}: kind="{header["kind"]}"; write {" | ".join(known)}')
    questions = {cell.metadata.get('lang', language): cell.source for cell in asked}
    if len(questions) < len(asked) or not questions.keys() <= set(get_args(Language)):
        raise CibenchError(f'{path}: cell {number}: {len(asked)} questions before it; one in each language, lang="cn"')
    tolerance, absolute = header.get('tolerance'), header.get('absolute')
    return SourceStep(
        questions,
        code,
        header['kind'],
        header['modules'],
        tolerance,
        absolute,
        _listed(path, header),
        _answer(path, number - len(asked), header),
        _held_out(path, number - len(asked), header),
    )


def _held_out(path: Path, number: int, header: Any) -> HeldOutStep | None:
    given = [header.get(key) for key in ('held_out', 'metric', 'bound')]
    if given == [None] * 3:
        return None
    if None in given:
        raise CibenchError(f'{path}: cell {number}: held_out="…", metric="…" and bound="…" belong together; give all')
    return HeldOutStep(*map(str, given))


def _naive(path: Path, number: int, cell: Any) -> NaiveCode:
    sessions = tuple(str(cell.metadata['naive']).split())
    if not sessions or not cell.metadata.get('trap'):
        raise CibenchError(f'{path}: cell {number}: a naive answer needs naive="careless …" and trap="…" in its header')
    return NaiveCode(str(cell.metadata['trap']), sessions, cell.source)


def _answer(path: Path, number: int, header: Any) -> str:
    declared = str(header.get('answer', ''))
    if declared:
        try:
            read_declaration(declared)
        except ValueError as error:
            raise CibenchError(f'{path}: cell {number}: answer="{declared}": {error}; write it {EXAMPLE}') from error
    return declared


def _listed(path: Path, header: Any) -> bool:
    if (listed := header.get('list', 'false')) not in ('true', 'false', True, False):
        raise CibenchError(f'{path}: list="{listed}"; it must be "true" or "false"')
    return listed in ('true', True)


def _values(path: Path, given: Parameters, words: Parameters, language: Language) -> Parameters:
    """All parameters in one language. Words may use the parameters and the words before them."""
    values: Parameters = {'language': language, 'cn': language == 'cn'}
    for name, value in {**given, **words}.items():
        chosen = value[language] if isinstance(value, dict) and set(value) == set(LANGUAGES) else value
        values[name] = _filled(path, chosen, values) if isinstance(chosen, str) else chosen
    return values


def _filled(path: Path, text: str, values: Parameters) -> str:
    try:
        return JINJA.from_string(text).render(values)
    except (jinja2.TemplateError, TypeError, ValueError) as error:
        raise CibenchError(f'{path}: {error} in: {" ".join(text.split())[:80]}') from error
