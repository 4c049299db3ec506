"""Sources whose sessions are drawn: YAML files that say what the sessions of a level are like, and which there are.

    sessions:
      first: {seed: 11}

What else stands in a file depends on the kind of session: `long/source.py`, `claims/source.py`. The sessions of `vary`
have the seed of the variant in place of theirs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml
from pydantic import ValidationError

from cibench_eval.schema import CibenchError, Language, Record, problem
from cibench_eval.sets.generators import Made
from cibench_eval.sets.templates import LANGUAGES, Draft, SourceStep

SUFFIX = '.yaml'
DrawnSession = tuple[dict[str, str], dict[Language, list[SourceStep]]]
"""A session: its files, by their names in its folder, and its steps in each language."""


class SeededSession(Record):
    seed: int


class Level(Record):
    """The content of a source."""

    sessions: Mapping[str, SeededSession]

    @abstractmethod
    def draw(self, session: SeededSession, seed: str, folder: str) -> DrawnSession:
        """Draw a session.

        Args:
            seed: any text; the same makes the same.
            folder: the folder of its files, as its code names it.
        """


@dataclass(frozen=True)
class LevelSource:
    """A file of a level."""

    path: Path
    name: Path
    """The path below the folder of sources, without suffix."""
    level: Level

    varied = True
    """Every session can be drawn from another seed."""

    @classmethod
    def read(cls, path: Path, root: Path, kind: type[Level]) -> LevelSource:
        """Read a source below the folder `root`.

        Raises:
            CibenchError: the source is malformed; the message names file, field and fix.
        """
        try:
            level = kind.model_validate(yaml.safe_load(path.read_text(encoding='utf-8')))
        except ValidationError as error:
            raise CibenchError(f'{path}: {problem(error)}') from error
        except (yaml.YAMLError, ValueError) as error:
            raise CibenchError(f'{path}: {" ".join(str(error).split())}; correct it and save it as UTF-8') from error
        return cls(path, path.relative_to(root).with_suffix(''), level)

    def drafts(self) -> list[Draft]:
        """All sessions, in both languages."""
        return [
            draft for name, session in self.level.sessions.items() for draft in self._draw(name, session, session.seed)
        ]

    def fresh(self, seed: int) -> list[Draft]:
        """The same number of sessions, drawn from another seed."""
        return [
            draft
            for number, (name, session) in enumerate(self.level.sessions.items())
            for draft in self._draw(f'{name}_seed{seed}', session, 1_000_000 + 1000 * seed + number)
        ]

    def _draw(self, name: str, session: SeededSession, seed: int) -> list[Draft]:
        folder = f'{self.name.name}_{name}'
        files, steps = self.level.draw(session, f'{self.name.name}/{seed}', f'data/{folder}')
        made = Made({file: text.encode() for file, text in files.items()})
        split, level = self.name.parent.as_posix(), self.name.name
        return [
            Draft(self.path, Path(split + suffix, level, f'{name}.ipynb'), language, steps[language], made, folder)
            for language, suffix in LANGUAGES.items()
        ]
