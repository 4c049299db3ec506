"""The sources of long sessions: YAML files that say what sessions of a level are like, and which there are.

    steps: 40
    rows: 240
    opening: 6
    told: [0, 1, 1]
    deep: 1
    indirect: 0
    kinds: {amend: 8, change: 3}
    asks: {now: 5, what_if: 2}
    sessions:
      orders_a: {domain: orders, seed: 11}

`session.Knobs` says what the first eight are. The sessions of `vary` have the seed of the variant in place of theirs.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import ValidationError

from cibench_eval.schema import CibenchError, Language, Record, problem
from cibench_eval.sets.generators import Made
from cibench_eval.sets.long.domains import DOMAINS
from cibench_eval.sets.long.session import FORGETFUL, TOLERANCE, Knobs, LongSession, LongStep, draw_session
from cibench_eval.sets.long.wording import conventions, first_cell, thought
from cibench_eval.sets.long.words import Words
from cibench_eval.sets.templates import LANGUAGES, Draft, NaiveCode, SourceStep

SUFFIX = '.yaml'


class _Session(Record):
    domain: str
    seed: int


class Level(Knobs):
    """The content of a source."""

    sessions: dict[str, _Session]


@dataclass(frozen=True)
class LongSource:
    """A level of long sessions."""

    path: Path
    name: Path
    """The path below the folder of sources, without suffix."""
    level: Level

    varied = True
    """Every session can be drawn from another seed."""

    @classmethod
    def read(cls, path: Path, root: Path) -> LongSource:
        """Read a source below the folder `root`.

        Raises:
            CibenchError: the source is malformed; the message names file, field and fix.
        """
        try:
            level = Level.model_validate(yaml.safe_load(path.read_text(encoding='utf-8')))
        except ValidationError as error:
            raise CibenchError(f'{path}: {problem(error)}') from error
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            raise CibenchError(f'{path}: {" ".join(str(error).split())}; correct it and save it as UTF-8') from error
        for name, session in level.sessions.items():
            if session.domain not in DOMAINS:
                raise CibenchError(f'{path}: {name}: domain {session.domain!r}; there is {", ".join(DOMAINS)}')
        return cls(path, path.relative_to(root).with_suffix(''), level)

    def drafts(self) -> list[Draft]:
        """All sessions, in both languages."""
        return [
            draft
            for name, session in self.level.sessions.items()
            for draft in self.draw(name, session.domain, session.seed)
        ]

    def fresh(self, seed: int) -> list[Draft]:
        """The same number of sessions, drawn from another seed."""
        return [
            draft
            for number, (name, session) in enumerate(self.level.sessions.items())
            for draft in self.draw(f'{name}_seed{seed}', session.domain, 1_000_000 + 1000 * seed + number)
        ]

    def draw(self, name: str, domain: str, seed: int) -> list[Draft]:
        """A session in both languages."""
        folder = f'{self.name.name}_{name}'
        session = draw_session(DOMAINS[domain], self.level, f'{self.name.name}/{seed}', f'data/{folder}')
        files = {file.removeprefix(f'data/{folder}/'): text.encode() for file, text in session.files.items()}
        split = self.name.parent.as_posix()
        return [
            Draft(
                self.path,
                Path(split + suffix, self.name.name, f'{name}.ipynb'),
                language,
                _steps(session, language, f'data/{folder}'),
                Made(files),
                folder,
            )
            for language, suffix in LANGUAGES.items()
        ]


def _steps(session: LongSession, language: Language, folder: str) -> list[SourceStep]:
    words = Words(session.domain, language)
    path = f'{folder}/{session.domain.file}'
    first = SourceStep(
        {language: f'{conventions(words, path)}\n\nThought: {thought(words, None)}'},
        first_cell(session.domain, folder),
        'num',
        'pandas',
        None,
        answer='count',
    )
    return [first, *(_step(step, words, number) for number, step in enumerate(session.steps, 2))]


def _step(step: LongStep, words: Words, number: int) -> SourceStep:
    kind = {'': 'vis', 'list[text]': 'text'}.get(step.answer, 'num')
    return SourceStep(
        {words.language: f'{step.question(words, number)}\n\nThought: {thought(words, step.ask)}'},
        step.code,
        kind,
        'pandas & matplotlib' if kind == 'vis' else 'pandas',
        TOLERANCE if kind == 'num' else None,
        listed=kind == 'text',
        answer=step.answer,
        naive=tuple(NaiveCode(FORGETFUL[habit], (habit,), code) for habit, code in step.naive.items()),
        depends=step.depends,
    )
