"""A config as typed records: a `SessionTask` for each model, agent, dataset and epoch, and the `Run` that has them all.

Everything after the reading of a config takes these. To make them imports nothing and reads no file: the classes that
a config names are built, and notebooks are loaded, when they are asked for.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from pydantic import PositiveFloat, PositiveInt

from cibench_eval.agents.settings import SessionSettings
from cibench_eval.config.abbrs import agent_problems
from cibench_eval.config.classes import names_of
from cibench_eval.config.defaults import MOST_EPOCHS
from cibench_eval.config.entries import AgentEntry, DatasetEntry, ModelEntry
from cibench_eval.datasets.loading import Loaded
from cibench_eval.interpreter.settings import KernelSettings, read_settings
from cibench_eval.models.identity import model_of_epoch
from cibench_eval.run_paths import EPOCH, SessionFiles, agent_name, epoch_name, without_epoch
from cibench_eval.schema import CibenchError, Experiment, Mode
from cibench_eval.traces import TraceStore

EntryT = TypeVar('EntryT')
AT_ONCE = 16
"""Sessions of a share that are expected to run side by side if the config does not say."""


@dataclass(frozen=True, eq=False)
class SessionTask:
    """The sessions of one model with one agent on one dataset, in one epoch."""

    run: Path
    model: ModelEntry
    agent: AgentEntry
    dataset: DatasetEntry
    model_name: str
    """Name of the model in files: `model`, or `model--agent` where the config has several agents."""
    dataset_name: str
    """Name of the dataset in files: `demo`, or `demo@2` from the second epoch on."""
    epoch: int = 1
    """Which of several runs of the sessions it is."""

    @property
    def name(self) -> str:
        return f'{self.model_name}/{self.dataset_name}'

    @property
    def base(self) -> str:
        """The dataset's name without its epoch: epochs have the same notebooks."""
        return without_epoch(self.dataset_name, self.epoch)

    @property
    def split(self) -> str:
        """The split that the config names, else the dataset's name."""
        return str(self.dataset.config.get('split') or self.base)

    @property
    def mode(self) -> Mode:
        return self.dataset.mode

    @property
    def files(self) -> SessionFiles:
        return SessionFiles(self.run, self.model_name, self.dataset_name)

    @property
    def results_file(self) -> Path:
        return self.files.results(self.dataset.results)

    @cached_property
    def traces(self) -> TraceStore:
        return TraceStore(self.files.traces)

    @property
    def experiments(self) -> list[Experiment]:
        return self.dataset.experiments

    @cached_property
    def kernels(self) -> KernelSettings:
        """The kernels of its sessions; a `CibenchError` where the config says what cannot be."""
        return read_settings(self.dataset.inferencer.get('kernels') or {}, 'in the config')

    @property
    def inferencer_config(self) -> dict[str, Any]:
        """Its inferencer as a config has it, with the agent and the epoch."""
        agent = {'agent': self.agent.config} if self.agent.config else {}
        return {**self.dataset.inferencer, **agent, **({'epoch': self.epoch} if self.epoch > 1 else {})}

    @cached_property
    def settings(self) -> SessionSettings:
        """How its sessions are run; a `CibenchError` where the config says what cannot be."""
        return SessionSettings(
            agent=self.agent.settings,
            kernels=self.kernels,
            mode=self.mode,
            model_name=self.model_name,
            dataset_name=self.dataset_name,
            epoch=self.epoch,
            limits=self.dataset.limits,
            price=self.model.price,
            model_config={**model_of_epoch(self.model.config, self.epoch), 'max_out_len': self.max_out_len},
        )

    @property
    def max_out_len(self) -> int | None:
        """Tokens of a reply, at most."""
        return self.dataset.inferencer.get('max_out_len', self.model.config.get('max_out_len'))

    @property
    def batch_size(self) -> int | None:
        """Requests that its model takes at the same time."""
        return self.dataset.inferencer.get('batch_size', self.model.batch_size)

    @property
    def limits_text(self) -> str:
        """The limits of its sessions, `session_tokens=8000`; empty where there are none."""
        given = self.dataset.inferencer.get('limits') or {}
        own = {name: value for name, value in sorted(given.items()) if name.startswith('session_') and value}
        return ', '.join(f'{name}={value:.15g}' for name, value in own.items())

    @property
    def at_once(self) -> int:
        """Sessions that are expected to run side by side."""
        wanted = [self.dataset.max_sessions, self.model.batch_size]
        return min([number for number in wanted if number] or [AT_ONCE])


@dataclass(frozen=True)
class CutOptions:
    """How the sessions of a run are cut into tasks: fields of `SessionPartitioner`."""

    n: PositiveInt = 1
    """Datasets of a task that is no share."""
    max_tasks: PositiveInt | None = None
    """Shares at most, but one for each model."""
    target_minutes: PositiveFloat | None = None
    """What a share should last, as far as that can be told before (`cluster/cutting.py`)."""

    @property
    def shares(self) -> bool:
        """Whether tasks are shares: sessions of one model, of whatever datasets."""
        return bool(self.max_tasks or self.target_minutes)


@dataclass(frozen=True)
class Stage:
    """`infer` or `eval` of a config: its runner, its partitioner and its task, with their arguments."""

    name: str
    runner: dict[str, Any]
    partitioner: dict[str, Any]

    @property
    def is_ours(self) -> bool:
        """Whether all three are of this package, so that they take typed tasks."""
        types = self.partitioner['type'], self.runner['type'], self.runner['task']['type']
        return all(type_ in names for type_, names in zip(types, OUR_STAGES[self.name], strict=True))

    @property
    def cut(self) -> CutOptions:
        return CutOptions(
            **{f.name: self.partitioner[f.name] for f in dataclasses.fields(CutOptions) if f.name in self.partitioner}
        )


RUNNERS = names_of('SessionRunner', 'SlurmRunner', 'WorkerRunner')
OUR_STAGES = {
    stage: (names_of('SessionPartitioner'), RUNNERS, names_of(task))
    for stage, task in (('infer', 'SessionInferTask'), ('eval', 'SessionEvalTask'))
}
"""Stage -> the names of this package's partitioner, runners and task."""


@dataclass(frozen=True, eq=False)
class Run:
    """What a config runs."""

    folder: Path
    """The run folder, `work_dir` of its config."""
    tasks: tuple[SessionTask, ...]
    """The first epoch of all datasets of a model comes first."""
    epochs: int
    """Runs of each session."""
    config: dict[str, Any] = field(repr=False)
    """All of it, as the run folder holds it."""

    @property
    def models(self) -> list[ModelEntry]:
        return list(dict.fromkeys(task.model for task in self.tasks))

    @property
    def datasets(self) -> list[DatasetEntry]:
        return list(dict.fromkeys(task.dataset for task in self.tasks))

    @property
    def first_epoch(self) -> list[SessionTask]:
        return [task for task in self.tasks if task.epoch == 1]

    @property
    def keys(self) -> set[tuple[str, str, str]]:
        """What it runs: model, dataset and agent of each task, whatever the number of epochs."""
        return {(task.model_name, task.dataset_name, task.agent.abbr) for task in self.first_epoch}

    def by_model(self) -> Iterator[tuple[str, list[SessionTask]]]:
        """The names of models, each with all its tasks."""
        for name in dict.fromkeys(task.model_name for task in self.tasks):
            yield name, [task for task in self.tasks if task.model_name == name]

    def stage(self, name: str) -> Stage:
        """`infer` or `eval`."""
        return Stage(name, self.config[name]['runner'], self.config[name]['partitioner'])

    def scored_by(self, profile: str, options: Iterable[str]) -> Run:
        """The run with another scoring profile, whose scores go into a folder of their own."""
        datasets = {one: one.scored_by(profile, options) for one in self.datasets}
        tasks = (dataclasses.replace(task, dataset=datasets[task.dataset]) for task in self.tasks)
        return dataclasses.replace(self, tasks=tuple(tasks))


def run_of(config: Mapping[str, Any]) -> Run:
    """The run of a whole config of plain values.

    Raises:
        CibenchError: `epochs` is no number of runs, a dataset has a name that is an epoch's, or several agents do not
            have a name each.
    """
    cfg, loaded = dict(config), Loaded()
    agents = [AgentEntry(one) for one in cfg.get('agents') or [{}]]
    for problem in agent_problems([agent.config for agent in agents]):
        raise CibenchError(f'config: {problem}')
    pairs = cfg.get('model_dataset_combinations') or [{'models': cfg['models'], 'datasets': cfg['datasets']}]
    epochs = _epochs(cfg.get('epochs', 1), [str(one['abbr']) for pair in pairs for one in pair['datasets']])
    folder, several = Path(cfg['work_dir']), len(agents) > 1
    model_of, dataset_of = _once(ModelEntry.of), _once(lambda one: DatasetEntry.of(one, cfg, loaded))
    tasks = (
        _task(folder, model_of(model), agent, dataset_of(dataset), epoch, several)
        for pair in pairs
        for agent in agents
        for model in pair['models']
        for epoch in range(1, epochs + 1)
        for dataset in pair['datasets']
    )
    return Run(folder, tuple({task.name: task for task in tasks}.values()), epochs, cfg)


def _once(make: Callable[[dict[str, Any]], EntryT]) -> Callable[[dict[str, Any]], EntryT]:
    """Make an entry of a config; equal configs are one entry, and share what it loads."""
    made: dict[str, EntryT] = {}

    def of(config: dict[str, Any]) -> EntryT:
        key = json.dumps(config, sort_keys=True, default=str)
        if key not in made:
            made[key] = make(config)
        return made[key]

    return of


def _task(
    folder: Path, model: ModelEntry, agent: AgentEntry, dataset: DatasetEntry, epoch: int, several: bool
) -> SessionTask:
    own = AgentEntry(dataset.inferencer['agent']) if dataset.inferencer.get('agent') else agent
    model_name = agent_name(model.abbr, agent.abbr) if several else model.abbr
    return SessionTask(folder, model, own, dataset, model_name, epoch_name(dataset.abbr, epoch), epoch)


def task_of(run: Path, model: dict[str, Any], dataset: dict[str, Any]) -> SessionTask:
    """The task of a model and a dataset whose configs have everything: their names, the agent and the epoch."""
    entry = DatasetEntry.of(dataset, {}, {})
    epoch = int(entry.inferencer.get('epoch', 1))
    agent = AgentEntry(entry.inferencer.get('agent') or {})
    return SessionTask(run, ModelEntry.of(model), agent, entry, model['abbr'], dataset['abbr'], epoch)


def _epochs(number: Any, datasets: list[str]) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST_EPOCHS:
        raise CibenchError(
            f'config: epochs is {number!r}; it must be how often each session is run, from 1 to {MOST_EPOCHS}'
        )
    taken = [abbr for abbr in datasets if re.search(EPOCH, abbr)]
    if taken and number > 1:
        raise CibenchError(f'dataset {taken[0]}: @ and a number at the end name an epoch; choose another abbr')
    return number
