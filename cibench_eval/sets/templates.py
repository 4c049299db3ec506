"""Sources of built-in experiments: percent files, and the experiments that each of them stands for.

A source is a Python file in jupytext's percent format. Each step is a markdown cell with the question and, after a
line `Thought: `, the gold thought; possibly a second one, with `lang="cn"` in its header, that says the same in
Chinese; and a code cell with the gold code. The header of the first says `kind` and `modules`, and possibly
`tolerance` (relative, of the numbers in this step), or on which labels predictions are scored: `held_out` (their name),
`metric` and `bound`. Further code cells with `naive="careless literal" trap="…"` in their header are answers that fall
into a trap, and the sessions that they belong to.

A *template* has `instances` in its YAML header: name -> parameters, among them the data that it works on. Question,
thought and code are Jinja templates of the parameters, so that one source makes the same experiment on other data.
`words` are further parameters, strings that are Jinja templates themselves. A parameter that is a mapping of `en` and
`cn` has the value of the experiment's language. `{{ data }}` is the folder of files that the source's generator has
made (`generators.py`). `varied` says how fresh data and parameters are made (`vary.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import jinja2
import jupytext
import yaml
from pydantic import BaseModel, ValidationError

from cibench_eval.datasets.patterns import closest, matches
from cibench_eval.schema import CibenchError, Language, problem
from cibench_eval.sets.generators import NOTHING, SUFFIX, Made, generator_of, make

LANGUAGES: dict[Language, str] = {'en': '', 'cn': '_chinese'}
"""What is added to the name of a split, by the language of its questions."""
JINJA = jinja2.Environment(undefined=jinja2.StrictUndefined, keep_trailing_newline=True, autoescape=False)
Parameters = dict[str, Any]


class _Header(BaseModel):
    """What is read of the YAML header of a source; names of parameters are checked apart."""

    language: Language = 'en'
    instances: dict[Any, dict[Any, Any]] = {}
    words: dict[Any, Any] = {}
    varied: dict[Any, Any] = {}


@dataclass(frozen=True)
class SourceStep:
    """One step as the source has it, before parameters are filled in."""

    questions: dict[Language, str]
    code: str
    kind: str
    modules: str
    tolerance: float | None
    absolute: float | None = None
    listed: bool = False
    held_out: HeldOutStep | None = None
    naive: tuple[NaiveCode, ...] = ()


@dataclass(frozen=True)
class HeldOutStep:
    """How a step is scored on held-out labels."""

    labels: str
    """Name of the labels, as the generator has it."""
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
    """One experiment to be executed: all that its notebook has but the outputs."""

    source: Path
    target: Path
    """Of the notebook, below the folder of the set."""
    language: Language
    steps: list[SourceStep]
    """Filled in, with a question in the experiment's language alone."""
    made: Made = NOTHING
    """What its generator has made, to stand in the folder `folder` of the data."""
    folder: str = ''

    @property
    def codes(self) -> list[str]:
        return [step.code for step in self.steps]

    def question(self, step: SourceStep) -> str:
        return step.questions[self.language]


@dataclass(frozen=True)
class TemplateSource:
    """A percent file. `instances` is empty where it is one experiment of its own."""

    path: Path
    name: Path
    """Below the folder of sources, without suffix."""
    language: Language
    steps: list[SourceStep]
    instances: dict[str, Parameters]
    words: Parameters
    varied: Parameters

    @classmethod
    def read(cls, path: Path, root: Path) -> TemplateSource:
        """Read a source below the folder `root`.

        Raises:
            CibenchError: it is malformed; the message names file, cell, cause and fix.
        """
        try:
            document = jupytext.read(path, fmt='py:percent')
            header = _Header.model_validate(document.metadata)
        except ValidationError as error:
            raise CibenchError(f'{path}: {problem(error)}') from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise CibenchError(f'{path}: {" ".join(str(error).split())}; correct it and save it as UTF-8') from error
        name = path.relative_to(root).with_suffix('')
        source = cls(path, name, steps=_steps(path, document.cells, header.language), **dict(header))
        source._check_parameters()
        return source

    def _check_parameters(self) -> None:
        """All instances, and what is varied, have the same parameters, and their names are names."""
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
        """Its experiments: one, or one for each instance and language."""
        if not self.instances:
            return [self._draft(self.name.with_suffix('.ipynb'), {}, self.language)]
        return [draft for name, given in self.instances.items() for draft in self.instantiate(name, given)]

    def instantiate(self, instance: str, given: Parameters) -> list[Draft]:
        """The experiments on one choice of data, in all languages that the source has."""
        library, split = self.path.parent.name, self.path.parent.parent.name
        name, generator = f'{self.name.name}_{instance}', generator_of(self.path)
        made = make(generator, self.name.name, given) if generator else Made()
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
    """All sources below a folder, by name; `only` is a shell-style pattern of names, as `pandas/*`.

    Raises:
        CibenchError: there is none, or one is malformed.
    """
    files = sorted(path for path in folder.rglob('*.py') if not path.name.endswith(SUFFIX))
    if not files:
        raise CibenchError(f'{folder}: no sources (*.py); give the folder that holds them')
    names = {file: file.relative_to(folder).with_suffix('').as_posix() for file in files}
    kept = [file for file in files if only is None or matches(names[file], only)]
    if only is not None and not kept:
        raise CibenchError(f'{folder}: no source {only!r} here; there is {closest(only, [*names.values()])}')
    return [TemplateSource.read(file, folder) for file in kept]


def _steps(path: Path, cells: list[Any], language: Language) -> list[SourceStep]:
    """Markdown cells, in one language each, up to the code cell that answers them."""
    steps: list[SourceStep] = []
    asked: list[Any] = []
    for number, cell in enumerate(cells, start=1):
        if cell.cell_type != 'code':
            asked.append(cell)
        elif 'naive' in cell.metadata:
            if asked or not steps:
                raise CibenchError(f'{path}: cell {number}: a naive answer stands behind the gold code of its step')
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
    if not {'kind', 'modules'} <= header.keys():
        raise CibenchError(f'{path}: cell {number - len(asked)}: its header lacks kind="…" or modules="…"')
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


def _listed(path: Path, header: Any) -> bool:
    if (listed := header.get('list', 'false')) not in ('true', 'false', True, False):
        raise CibenchError(f'{path}: list="{listed}"; it must be "true" or "false"')
    return listed in ('true', True)


def _values(path: Path, given: Parameters, words: Parameters, language: Language) -> Parameters:
    """All parameters in one language. Words may use parameters, and words that stand before them."""
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
