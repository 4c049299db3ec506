"""Topics -> experiments: a model writes them, a check finds faults, and the model revises them until they are clean."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import Field

from cibench_eval.construction.asking import GivenUpError, Writer, WriterReply
from cibench_eval.construction.folder import ConstructionFolder, key_of, library_of_module, save_record
from cibench_eval.construction.reading import Form, WrittenTask
from cibench_eval.construction.review import decided
from cibench_eval.construction.topics import ExperimentTopic, Topics
from cibench_eval.construction.verifying import Verified, Verifier, faults_of, verify, write_data
from cibench_eval.schema import Record
from cibench_eval.sets.checking.findings import CheckFinding
from cibench_eval.sets.checking.static import duplicates, load_set
from cibench_eval.terminal import Log

Result = Literal['clean', 'refined', 'given_up', 'malformed']
HEAD = 300
"""Characters of a given file in a request."""


class Outcome(Record):
    id: str
    module: str
    topic: str
    result: Result
    """`clean` at first, `refined` until clean, `given_up` with faults, or `malformed` in every reply."""
    versions: int = 0
    steps: int = 0
    refused: list[str] = Field(default=[])
    """Why replies were sent back."""
    history: list[dict[str, int]] = Field(default=[])
    """Code -> number of faults, for each version."""
    faults: list[CheckFinding] = Field(default=[])
    """The faults of the last version."""
    cause: str = ''


class ConstructionReport(Record):
    model: str
    environment: str
    outcomes: list[Outcome]

    @property
    def good(self) -> list[Outcome]:
        return [one for one in self.outcomes if one.result in ('clean', 'refined')]


@dataclass(frozen=True)
class TaskSettings:
    """How experiments should be."""

    fewest: int = 10
    most: int = 15
    rounds: int = 3
    """Most revisions after the first version."""
    note: str = ''
    """A sentence for each request."""


@dataclass
class _Job:
    id: str
    topics: Topics
    topic: ExperimentTopic
    form: Form
    task: WrittenTask | None = None
    text: str = ''
    version: int = 0
    verified: Verified | None = None
    refused: list[str] = field(default_factory=list)
    history: list[dict[str, int]] = field(default_factory=list)
    cause: str = ''

    def take(self, answer: WriterReply[WrittenTask] | str) -> bool:
        """Take an answer, or the reason why there is none; whether there is a new version to check."""
        if isinstance(answer, str):
            self.cause = answer
            return False
        if answer.text == self.text:
            self.cause = 'the revision changed nothing'
            return False
        self.task, self.text = answer.value, answer.text
        self.version += 1
        self.refused += answer.refused
        return True

    @property
    def clean(self) -> bool:
        return self.verified is not None and self.verified.clean

    def outcome(self) -> Outcome:
        faults = self.verified.faults if self.verified else []
        results: tuple[Result, Result] = ('clean', 'refined')
        result: Result = 'malformed' if not self.version else 'given_up' if faults else results[self.version > 1]
        return Outcome(
            id=self.id,
            module=self.topics.module,
            topic=self.topic.topic,
            result=result,
            versions=self.version,
            steps=len(self.task.steps) if self.task else 0,
            refused=self.refused,
            history=self.history,
            faults=faults,
            cause=self.cause,
        )


class Maker:
    """Makes the experiments of a construction; `log` gets lines about the progress."""

    def __init__(
        self, folder: ConstructionFolder, writer: Writer, verifier: Verifier, settings: TaskSettings, log: Log
    ) -> None:
        self._folder, self._writer, self._verifier, self._settings, self._log = folder, writer, verifier, settings, log

    def make(self, topics: Sequence[Topics]) -> ConstructionReport:
        """Make an experiment of each topic, and a set of the clean ones.

        It can be killed and called again: replies and checks are kept and reused.

        Raises:
            HarnessError: the model or the kernels cannot be used; finished work is kept.
        """
        jobs = [self._job(of_module, topic) for of_module in topics for topic in of_module.topics]
        waiting = self._asked(jobs, self._question)
        while waiting:
            self._check(waiting)
            faulty = [job for job in waiting if not job.clean]
            self._log(f'version {waiting[0].version}: {len(waiting) - len(faulty)} clean, {len(faulty)} with faults')
            waiting = self._asked([job for job in faulty if job.version <= self._settings.rounds], self._again)
        self._publish(jobs)
        report = ConstructionReport(
            model=self._writer.name,
            environment=self._verifier.environment,
            outcomes=[job.outcome() for job in jobs],
        )
        save_record(self._folder.path / 'report.json', report)
        return report

    def questions(self, topics: Sequence[Topics]) -> list[str]:
        """The first request for each experiment, for an estimate of the cost."""
        return [self._question(self._job(of_module, topic)) for of_module in topics for topic in of_module.topics]

    def _job(self, topics: Topics, topic: ExperimentTopic) -> _Job:
        id_ = f'{library_of_module(topics.module)}/{topic.name}'
        form = Form(
            topic.name,
            self._settings.fewest,
            self._settings.most,
            tuple(self._verifier.files),
            self._verifier.seed,
        )
        return _Job(id_, topics, topic, form)

    def _asked(self, jobs: list[_Job], question: Callable[[_Job], str]) -> list[_Job]:
        """Ask the model for a new version of each job, and return the jobs that have one."""

        async def ask(job: _Job) -> bool:
            try:
                return job.take(await self._writer.ask(job.id, question(job), job.form.read))
            except GivenUpError as error:
                return job.take(str(error))

        if not jobs:
            return []
        got = self._writer.all([partial(ask, job) for job in jobs])
        self._log(f'{sum(got)} of {len(jobs)} replies could be read')
        return [job for job, read in zip(jobs, got, strict=True) if read]

    def _question(self, job: _Job) -> str:
        return self._writer.prompts.render(
            'task',
            module=job.topics.module,
            version=job.topics.version,
            topic=job.topic.topic,
            names=job.topic.names,
            note=self._settings.note,
            **self._formed(job),
        )

    def _again(self, job: _Job) -> str:
        assert job.verified is not None
        steps = {fault.step for fault in job.verified.faults if fault.step}
        return self._writer.prompts.render(
            'refine',
            experiment=job.text,
            faults=job.verified.faults,
            seen=[(step, shown) for step, shown in job.verified.outputs.items() if step in steps and shown],
            **self._formed(job),
        )

    def _formed(self, job: _Job) -> dict[str, object]:
        files = [{'name': name, 'says': says_of(path)} for name, path in self._verifier.files.items()]
        return {'name': job.form.name, 'fewest': job.form.fewest, 'most': job.form.most, 'files': files}

    def _check(self, jobs: list[_Job]) -> None:
        keys = {job.id: key_of(job.text, self._verifier.key) for job in jobs}
        new: dict[str, WrittenTask] = {}
        for job in jobs:
            self._folder.save_version(job.id, job.version, job.text)
            job.verified = self._folder.checked(job.id, job.version, keys[job.id])
            if job.verified is None and job.task:
                new[job.id] = job.task
        found = verify(new, self._folder.work, self._verifier, self._log) if new else {}
        for job in jobs:
            if job.id in found:
                job.verified = found[job.id]
                self._folder.save_checked(job.id, job.version, keys[job.id], found[job.id])
            job.history.append(dict(Counter(fault.code for fault in job.verified.faults)) if job.verified else {})

    def _publish(self, jobs: list[_Job]) -> None:
        """Make the set of clean experiments; experiments that a person has reviewed stay as they are."""
        set_, kept = self._folder.set, decided(self._folder.set)
        free = [job for job in jobs if job.id not in kept]
        for job in free:
            self._folder.withdraw(job.id)
        clean = [job for job in free if job.clean]
        write_data({job.id: job.task for job in clean if job.task}, set_, self._verifier)
        for job in clean:
            self._folder.publish(job.id, job.version)
        for job, faults in self._beside_others(clean):
            job.verified = Verified(faults=faults, outputs={})
            self._folder.withdraw(job.id)

    def _beside_others(self, jobs: list[_Job]) -> list[tuple[_Job, list[CheckFinding]]]:
        """Experiments that ask the same as another one of the set, with this fault."""
        members = load_set(self._folder.set, 'set').members if jobs else []
        same = [*duplicates(members)]
        found = [(job, faults_of([one for one in same if one.notebook == job.id])) for job in jobs]
        return [(job, faults) for job, faults in found if faults]


def says_of(path: Path) -> str:
    """The description of a file for the writer: its size, and its first lines if it is text."""
    with path.open('rb') as file:
        head = file.read(HEAD)
    size = f'{path.stat().st_size:,} bytes'
    if b'\0' in head:
        return size
    lines = head.decode('utf-8', 'replace').splitlines()
    return f'{size}; it begins: {" ⏎ ".join(lines[: max(1, len(lines) - 1)])}'


def given_files(folder: Path | None) -> Mapping[str, Path]:
    """The files of a user's folder of data, by name."""
    return {path.name: path for path in sorted(folder.iterdir()) if path.is_file()} if folder else {}
