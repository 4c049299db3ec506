"""The files in the folder of a construction.

names/MODULE.json                     the documented names of a module
topics/MODULE.json                    the topics of a module; a user may edit them
versions/MODULE/NAME/v1/reply.md      a version of an experiment, as the model wrote it
versions/MODULE/NAME/v1/notebook.*    its notebook with outputs and descriptions
versions/MODULE/NAME/v1/check.json    its faults
set/                                  the clean experiments, as a set
report.json                           the result of each topic
replies/, usage.jsonl                 the replies of the model, and the tokens that were paid for
"""

import hashlib
import json
import shutil
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path

from cibench_eval.construction.names import Coverage, ModuleNames, coverage, used_names
from cibench_eval.construction.notebook_file import NotebookFile
from cibench_eval.construction.topics import Topics
from cibench_eval.construction.verifying import SPLIT, Verified
from cibench_eval.datasets.descriptions import copy_notebook, delete_notebook
from cibench_eval.files import write_whole
from cibench_eval.json_files import RecordT, cached_record, read_record
from cibench_eval.schema import CibenchError, Record


def load_record(path: Path, kind: type[RecordT], fix: str) -> RecordT:
    """A record from its JSON file; `fix` says what to do where that fails.

    Raises:
        CibenchError: the file is missing, cannot be read, or is malformed.
    """
    record = read_record(path, kind, f'file of {kind.__name__}', fix)
    if record is None:
        raise CibenchError(f'{path}: no such file; {fix}')
    return record


def save_record(path: Path, record: Record) -> None:
    """Write a record in a form that people can read and edit."""
    write_whole(path, json.dumps(record.model_dump(mode='json'), ensure_ascii=False, indent=1) + '\n')


def library_of_module(module: str) -> str:
    """The name of the folder of a module's experiments."""
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
        """The folder in which experiments run; its content is not kept."""
        return self.path / 'work'

    def names_file(self, module: str) -> Path:
        return self.path / 'names' / f'{module}.json'

    def covered(self, module: str) -> list[Coverage]:
        """The coverage of a module's names by the gold code of the set."""
        names = load_record(self.names_file(module), ModuleNames, f'ask for topics of {module} again')
        notebooks = sorted((self.set / SPLIT / library_of_module(module)).glob('*.ipynb'))
        codes = [code for path in notebooks for code in NotebookFile(path).codes]
        return coverage(names, used_names(codes, names))

    def topics_file(self, module: str) -> Path:
        return self.path / 'topics' / f'{module}.json'

    def topics(self, module: str) -> Topics | None:
        """The topics of a module, if there are some; a `CibenchError` where the file is malformed."""
        path = self.topics_file(module)
        return load_record(path, Topics, 'correct it, or delete it and ask again') if path.exists() else None

    def save_topics(self, topics: Topics) -> None:
        """Keep the topics of a module. A name that a topic of another module has gets a number behind it."""
        file = self.topics_file(topics.module)
        taken, named = set[str](), []
        for path in file.parent.glob('*.json'):
            with suppress(CibenchError):  # `all_topics` names a malformed file; these topics are paid for
                other = self.topics(path.stem) if path != file else None
                taken |= {topic.name for topic in other.topics} if other else set()
        for topic in topics.topics:
            numbered = (f'{topic.name}_{number}' for number in count(2))
            name = next(name for name in chain([topic.name], numbered) if name not in taken)
            named.append(topic.model_copy(update={'name': name}))
            taken.add(name)
        save_record(file, topics.model_copy(update={'topics': named}))

    def all_topics(self, modules: Iterable[str]) -> list[Topics]:
        """The topics of `modules`, by default of all modules that have some.

        Raises:
            CibenchError: there are no topics, or two of one name, by which their data are called.
        """
        there = sorted(path.stem for path in (self.path / 'topics').glob('*.json'))
        wanted = list(modules) or there
        if not wanted:
            raise CibenchError(f'{self.path}: no topics; make some: cibench construct topics {self.path} MODULE …')
        fix = f'make them: cibench construct topics {self.path} {" ".join(wanted)}'
        found = {module: load_record(self.topics_file(module), Topics, fix) for module in [*there, *wanted]}
        named: dict[str, Path] = {}
        for module, name in ((module, topic.name) for module, one in found.items() for topic in one.topics):
            file = self.topics_file(module)
            if name in named:
                raise CibenchError(f'{file}: name {name!r} is that of a topic in {named[name]}, too; change it')
            named[name] = file
        return [found[module] for module in dict.fromkeys(wanted)]

    def version(self, id_: str, number: int) -> Path:
        return self.path / 'versions' / id_ / f'v{number}'

    def save_version(self, id_: str, number: int, text: str) -> None:
        write_whole(self.version(id_, number) / 'reply.md', text)

    def checked(self, id_: str, number: int, key: str) -> Verified | None:
        """The result of an earlier check of this version, if there was one with this key."""
        found = cached_record(self.version(id_, number) / 'check.json', Verified)
        return found if found and found.key == key else None

    def save_checked(self, id_: str, number: int, key: str, verified: Verified) -> None:
        """Keep a version from the working folder; its faults come last, as a sign that the rest is there."""
        version = self.version(id_, number)
        copy_notebook(self.work / SPLIT / f'{id_}.ipynb', version / 'notebook.ipynb')
        save_record(version / 'check.json', verified.model_copy(update={'key': key}))

    def publish(self, id_: str, number: int) -> None:
        """Copy the notebook of a version into the set, without its data."""
        copy_notebook(self.version(id_, number) / 'notebook.ipynb', self.set / SPLIT / f'{id_}.ipynb')

    def withdraw(self, id_: str) -> None:
        """Take a notebook and its data out of the set."""
        target = self.set / SPLIT / f'{id_}.ipynb'
        delete_notebook(target)
        shutil.rmtree(self.set / 'datasources' / 'data' / target.stem, ignore_errors=True)


def key_of(text: str, how: str) -> str:
    """A hash of a version and of the settings of its check."""
    return hashlib.sha256(f'{how}\0{text}'.encode()).hexdigest()
