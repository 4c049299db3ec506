"""The folder of a construction: what each file in it is, and how it is read and written.

names/MODULE.json                     what a module documents
topics/MODULE.json                    topics of a module; a user may edit them
versions/MODULE/NAME/v1/reply.md      every version of an experiment, as the model wrote it
versions/MODULE/NAME/v1/notebook.*    the same run, with its descriptions
versions/MODULE/NAME/v1/check.json    what is wrong with it
set/                                  the clean ones, a set of experiments
report.json                           what became of each topic
replies/, usage.jsonl                 every reply of the model, and what was paid for
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from cibench_eval.construction.names import Coverage, ModuleNames, coverage, used_names
from cibench_eval.construction.notebook_file import NotebookFile
from cibench_eval.construction.topics import Topics
from cibench_eval.construction.verifying import SPLIT, Fault, Verified
from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.files import write_whole
from cibench_eval.schema import CibenchError, Record, problem

RecordT = TypeVar('RecordT', bound=Record)


class Checked(Record):
    """What `check.json` holds."""

    key: str
    """Hash of the version and of how it was checked."""
    faults: list[Fault]
    outputs: dict[int, str]


def load_record(path: Path, kind: type[RecordT], fix: str) -> RecordT:
    """A record from its JSON file.

    Raises:
        CibenchError: the file is not there or is malformed; `fix` says what to do then.
    """
    try:
        return kind.model_validate_json(path.read_bytes())
    except FileNotFoundError as error:
        raise CibenchError(f'{path}: no such file; {fix}') from error
    except ValidationError as error:
        raise CibenchError(f'{path}: {problem(error)}; {fix}') from error


def save_record(path: Path, record: Record) -> None:
    """Write a record so that people can read and edit it."""
    write_whole(path, json.dumps(record.model_dump(mode='json'), ensure_ascii=False, indent=1) + '\n')


def library_of_module(module: str) -> str:
    """Name of the folder of a module's experiments."""
    return module.replace('.', '_')


@dataclass(frozen=True)
class ConstructionFolder:
    """The files of a construction below `path`."""

    path: Path

    @property
    def set(self) -> Path:
        return self.path / 'set'

    @property
    def work(self) -> Path:
        """Where experiments are run; nothing in it is kept."""
        return self.path / 'work'

    @property
    def report(self) -> Path:
        return self.path / 'report.json'

    def names_file(self, module: str) -> Path:
        return self.path / 'names' / f'{module}.json'

    def covered(self, module: str) -> list[Coverage]:
        """What of a module the gold code of the set uses."""
        names = load_record(self.names_file(module), ModuleNames, f'ask for topics of {module} again')
        notebooks = sorted((self.set / SPLIT / library_of_module(module)).glob('*.ipynb'))
        codes = [step.code for path in notebooks for step in NotebookFile(path).steps]
        return coverage(names, used_names(codes, names))

    def topics_file(self, module: str) -> Path:
        return self.path / 'topics' / f'{module}.json'

    def topics(self, module: str) -> Topics | None:
        """The topics of a module; None where there are none yet.

        Raises:
            CibenchError: its file is malformed.
        """
        path = self.topics_file(module)
        return load_record(path, Topics, 'correct it, or delete it and ask again') if path.exists() else None

    def all_topics(self, modules: Iterable[str]) -> list[Topics]:
        """The topics of `modules`, of all that have some where none is given.

        Raises:
            CibenchError: there are none.
        """
        wanted = list(modules) or sorted(path.stem for path in (self.path / 'topics').glob('*.json'))
        if not wanted:
            raise CibenchError(f'{self.path}: no topics; make some: cibench construct topics {self.path} MODULE …')
        fix = f'make them: cibench construct topics {self.path} {" ".join(wanted)}'
        return [load_record(self.topics_file(module), Topics, fix) for module in wanted]

    def version(self, id_: str, number: int) -> Path:
        return self.path / 'versions' / id_ / f'v{number}'

    def save_version(self, id_: str, number: int, text: str) -> None:
        write_whole(self.version(id_, number) / 'reply.md', text)

    def checked(self, id_: str, number: int, key: str) -> Verified | None:
        """What a check of this very version has found before; None where there was none."""
        path = self.version(id_, number) / 'check.json'
        try:
            found = Checked.model_validate_json(path.read_bytes())
        except (FileNotFoundError, ValidationError):
            return None
        return Verified(found.faults, found.outputs) if found.key == key else None

    def save_checked(self, id_: str, number: int, key: str, verified: Verified) -> None:
        """Keep a version that stands in the working folder, its findings last: they say that the rest is there."""
        notebook = self.work / SPLIT / f'{id_}.ipynb'
        target = self.version(id_, number) / 'notebook.ipynb'
        for source, kept in ((notebook, target), (descriptions_file(notebook), descriptions_file(target))):
            if source.is_file():
                write_whole(kept, source.read_bytes())
        save_record(target.with_name('check.json'), Checked(key=key, faults=verified.faults, outputs=verified.outputs))

    def publish(self, id_: str, number: int) -> None:
        """Copy the notebook of a version into the set; its data are written apart."""
        source = self.version(id_, number) / 'notebook.ipynb'
        target = self.set / SPLIT / f'{id_}.ipynb'
        for file, place in ((descriptions_file(source), descriptions_file(target)), (source, target)):
            if file.is_file():
                write_whole(place, file.read_bytes())

    def withdraw(self, id_: str) -> None:
        """Take a notebook out of the set."""
        target = self.set / SPLIT / f'{id_}.ipynb'
        for file in (target, descriptions_file(target)):
            file.unlink(missing_ok=True)
        shutil.rmtree(self.set / 'datasources' / 'data' / target.stem, ignore_errors=True)


def key_of(text: str, how: str) -> str:
    """Of a version and how it is checked."""
    return hashlib.sha256(f'{how}\0{text}'.encode()).hexdigest()
