"""The two kinds of task: run sessions, score predictions. `python -m cibench_eval.opencompass.tasks KIND CONFIG`.

They are OpenCompass tasks that import nothing of OpenCompass but its base class, unless the config names
one of its models.
"""

from __future__ import annotations

import asyncio
import logging
import os
import platform
import shlex
import sys
from abc import abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, cast

from cibench_eval.agents.runner import Work
from cibench_eval.analysis.results import Failure, Results
from cibench_eval.cluster.cutting import Share
from cibench_eval.cluster.parts import Done, finished
from cibench_eval.evaluators.failures.categories import categorize
from cibench_eval.evaluators.failures.replay_store import Replay
from cibench_eval.evaluators.judges.failures import with_opinions
from cibench_eval.evaluators.judges.store import VerdictStore, opinions
from cibench_eval.evaluators.outcomes import with_outcomes
from cibench_eval.evaluators.predictions import gold_of, works_read
from cibench_eval.evaluators.work import StepWork, works_of
from cibench_eval.json_files import read_json
from cibench_eval.models.limits import Price, usage_of
from cibench_eval.opencompass import shares
from cibench_eval.opencompass.build import build, build_dataset, build_evaluator, plain
from cibench_eval.opencompass.deferred import defer
from cibench_eval.opencompass.inferencer import TRACES, SessionInferencer, read_record, run_works
from cibench_eval.opencompass.partitioner import epoch_of
from cibench_eval.opencompass.replaying import FailedSession, FailureReplay, Observer, failed_sessions, kernels_of
from cibench_eval.opencompass.shared import SharedModels
from cibench_eval.schema import MEND, CibenchError, DamageError, Experiment, HarnessError, StepScore, Trace
from cibench_eval.terminal import log_to_stderr
from cibench_eval.traces import TraceStore

defer()
from mmengine.config import Config, ConfigDict  # noqa: E402
from opencompass.tasks.base import BaseTask  # noqa: E402

logger = logging.getLogger(__name__)
BROKEN = 'delete it and run again with -r'
Opinions = Mapping[int, tuple[str, str]]
"""Of failed steps: the judge that said something, and the detail of its verdict."""


class _SessionTask(BaseTask):
    """What both kinds share: one model on one or more datasets."""

    kind: ClassVar[str]

    def __init__(self, cfg: ConfigDict) -> None:
        super().__init__(cfg)
        run_cfg = self.model_cfgs[0].get('run_cfg', {})
        self.num_gpus: int = run_cfg.get('num_gpus', 0) if self.kind == 'infer' else 0
        self.model_cfg = self.model_cfgs[0]
        self.share = Share.model_validate_json(cfg['share']) if cfg.get('share') else None
        """What of its datasets it runs that shares them with other tasks."""
        self.model = None
        """OpenCompass's local runner takes both from a task when it debugs; a model of ours is not handed on."""

    def get_command(self, cfg_path: str, template: str) -> str:
        """The shell command that runs this task in a process of its own."""
        command = shlex.join([sys.executable, '-m', __name__, self.kind, cfg_path])
        return template.replace('{task_cmd}', command)

    def missing(self) -> list[tuple[ConfigDict, ConfigDict, Path]]:
        """What is left to do: model, dataset and the file that is not there or not whole."""
        return [part for part in self._parts() if not self.done(part[1], part[2])]

    def all_done(self) -> bool:
        """Whether nothing is left to do."""
        return all(self.done(dataset_cfg, path) for _, dataset_cfg, path in self._parts())

    def _parts(self) -> list[tuple[ConfigDict, ConfigDict, Path]]:
        return [
            (model_cfg, dataset_cfg, self.output(model_cfg, dataset_cfg))
            for model_cfg, dataset_cfgs in zip(self.model_cfgs, self.dataset_cfgs, strict=True)
            for dataset_cfg in dataset_cfgs
        ]

    @abstractmethod
    def done(self, dataset_cfg: ConfigDict, path: Path) -> bool:
        """Whether nothing is left to do for the file at `path`."""

    def output(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, folder: str = '') -> Path:
        return Path(self.work_dir, folder or self.output_subdir, model_cfg['abbr'], f'{dataset_cfg["abbr"]}.json')


class SessionInferTask(_SessionTask):
    """Runs the sessions of a model on a dataset: `predictions/<model>/<dataset>.json` and its traces."""

    kind = 'infer'
    name_prefix = 'SessionInfer'
    log_subdir = 'logs/infer'
    output_subdir = 'predictions'

    @property
    def name(self) -> str:
        return f'{self.name_prefix}[{self.share.model}/{self.cfg["name"]}]' if self.share else str(super().name)

    def get_log_path(self, file_extension: str = 'json') -> str:
        """Where its log is; that of a share is among those of all shares, whatever its model."""
        if not self.share:
            return str(super().get_log_path(file_extension))
        return str(shares.log_path(Path(self.work_dir), self.cfg['name']).with_suffix(f'.{file_extension}'))

    @cached_property
    def _finished(self) -> dict[str, dict[str, Done]]:
        """What was finished of a share's datasets when it was first asked for."""
        folder = Path(self.work_dir, self.output_subdir, self.model_cfg['abbr'])
        return finished(folder, [dataset_cfg['abbr'] for dataset_cfg in self.dataset_cfgs[0]])

    @property
    def attempt(self) -> str:
        """The name of the parts that a share writes: no other process has it."""
        return str(self.cfg.get('attempt') or f'{self.cfg["name"]}-{platform.node()}-{os.getpid()}')

    def done(self, dataset_cfg: ConfigDict, path: Path) -> bool:
        """Whether the file is there, and of all experiments that the config names now; of a share, its sessions."""
        if self.share:
            return self._finished[dataset_cfg['abbr']].keys() >= set(self.share.sessions[dataset_cfg['abbr']])
        if not path.exists():
            return False
        store = TraceStore(path.with_suffix('.traces.jsonl'))
        if not store.path.exists():
            return can_be_read(path) and not has_lost_traces(path)
        traces = store.load()
        return can_be_read(path) and all(
            experiment.id in traces for experiment in build_dataset(dataset_cfg).experiments
        )

    def run(self, **_: Any) -> None:
        """Run the sessions that are missing; OpenCompass's debug mode passes arguments that have no meaning here."""
        run_works(self.works(SharedModels()))

    def works(self, models: SharedModels) -> list[Work]:
        """The sessions that are missing.

        Args:
            models: of all tasks that run together.

        Raises:
            CibenchError: something in the config is wrong, or data or kernels are not those of the notebooks.
        """
        return [self._work(*part, models) for part in self.missing()]

    def _work(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path, models: SharedModels) -> Work:
        cfg = inferencer_config(model_cfg, dataset_cfg)
        dataset, model = build_dataset(dataset_cfg), models.model(cfg)
        inferencer = build_inferencer(model_cfg, dataset_cfg, model)
        slots = models.slots(cfg, inferencer.max_sessions, inferencer.most_sessions)
        if not self.share:
            return inferencer.work(dataset, path, slots)
        missing = set(self.share.sessions[dataset.abbr]) - self._finished[dataset.abbr].keys()
        return inferencer.work(dataset.only(missing), path, slots, self.attempt)


def inferencer_config(model_cfg: ConfigDict, dataset_cfg: ConfigDict) -> dict[str, Any]:
    """The config of a dataset's inferencer, with the defaults that the model's config gives it."""
    cfg: dict[str, Any] = plain(dataset_cfg['infer_cfg']['inferencer'])
    for key in ('max_out_len', 'batch_size'):
        cfg.setdefault(key, model_cfg.get(key))
    cfg['model_config'] = plain(model_cfg)
    return cfg


def build_inferencer(model_cfg: ConfigDict, dataset_cfg: ConfigDict, model: Any) -> SessionInferencer:
    """The inferencer that a dataset's config names."""
    cfg = inferencer_config(model_cfg, dataset_cfg)
    return cast(SessionInferencer, build(cfg, f'dataset {dataset_cfg["abbr"]}: inferencer', model=model))


def results_folder(dataset_cfg: ConfigDict) -> str:
    """Where results of a dataset are in a run folder; a scoring that is not the run's own has a place of its own."""
    return str(dataset_cfg['eval_cfg'].get('folder', 'results'))


class SessionEvalTask(_SessionTask):
    """Scores sessions: `results/<model>/<dataset>.json` with every step's score and why.

    Results that are there are not believed: scoring takes little time, and what was scored may have changed.
    Where sessions have failed by a fault of the harness it scores the others and names those.
    """

    kind = 'eval'
    name_prefix = 'SessionEval'
    log_subdir = 'logs/eval'
    output_subdir = 'results'
    replay: Observer | None = None
    """Who is told how far failed steps are that are run again; None runs nothing, and takes what was found before."""

    def done(self, dataset_cfg: ConfigDict, path: Path) -> bool:
        return False

    def output(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, folder: str = '') -> Path:
        return super().output(model_cfg, dataset_cfg, folder or results_folder(dataset_cfg))

    def run(self, **_: Any) -> None:
        """Score what there is; OpenCompass's debug mode passes arguments that have no meaning here.

        What cannot be scored keeps nothing else from it, and the results that it has stay.

        Raises:
            CibenchError: a dataset cannot be scored; the others are.
        """
        problems = [problem for part in self.missing() if (problem := self._problem(*part))]
        if problems:
            raise CibenchError('; '.join(problems))

    def _problem(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path) -> str:
        """Score a dataset; why it cannot be, empty where it is. Results that are there say so from then on."""
        try:
            self._score(model_cfg, dataset_cfg, path)
            return ''
        except CibenchError as error:
            problem = str(error)
        except OSError as error:
            problem = f'{error.filename or path}: {error.strerror or error}'
        except Exception as error:  # a bug shows its traceback, and costs this dataset alone
            logger.exception('%s: a fault of cibench-eval', self.name)
            problem = f'{dataset_cfg["abbr"]}: {error!r}'
        with suppress(CibenchError, OSError):  # what is there is no results file, or cannot be written
            if path.is_file():
                Results.read(path).model_copy(update={'problem': problem}).write(path)
        return problem

    def _score(self, model_cfg: ConfigDict, dataset_cfg: ConfigDict, path: Path) -> None:
        recorded = Recorded.read(
            self.output(model_cfg, dataset_cfg, 'predictions'), build_dataset(dataset_cfg).experiments
        )
        evaluator = build_evaluator(dataset_cfg)
        scores = evaluator.scores(recorded.sessions, recorded.experiments)
        steps = with_outcomes(scores, recorded.traces, evaluator.profile)
        sessions = list(failed_sessions(recorded.traces, recorded.experiments, steps))
        replays = FailureReplay(path.with_suffix('.replay.jsonl'), evaluator, kernels_of(dataset_cfg))
        if self.replay:
            self._run_again(replays, sessions, self.replay)
        verdicts = VerdictStore(self.output(model_cfg, dataset_cfg, 'results').with_suffix('.judge.jsonl'))
        price = read_record(Price, model_cfg.get('price'), 'models: price')
        traces = list(recorded.traces.values())
        Results(
            profile=evaluator.profile_name,
            options=evaluator.set_options,
            epoch=epoch_of(dataset_cfg),
            steps=steps,
            failures=recorded.failures(steps, opinions(verdicts), replays.found(sessions)),
            harness_errors=recorded.lost,
            usage=usage_of((step for trace in traces for step in trace.steps), price),
            provenance=provenance(traces),
        ).write(path)

    def _run_again(self, replays: FailureReplay, sessions: list[FailedSession], observe: Observer) -> None:
        """Run failed steps again; where that cannot be done, say so, and leave the guesses in their place."""
        try:
            asyncio.run(replays.run(sessions, observe))
        except HarnessError as error:
            logger.warning('%s: failed steps that could not run again: %s', self.name, error)


@dataclass(frozen=True)
class Recorded:
    """What a run has recorded of a dataset, as far as it can be scored."""

    store: TraceStore
    traces: dict[str, Trace]
    """By experiment; empty where the predictions are of another harness."""
    experiments: list[Experiment]
    """Those whose sessions are finished."""
    sessions: list[list[StepWork]]
    """What each of them did, step by step."""
    lost: list[str]
    """Experiments whose sessions have failed by a fault of the harness."""

    @classmethod
    def read(cls, path: Path, experiments: list[Experiment]) -> Recorded:
        """From the traces; from the predictions file where there are none, because it is of another harness.

        Raises:
            CibenchError: neither is there, one is broken, or they are of other experiments.
            DamageError: the traces are gone, or no session in them is whole.
        """
        store = TraceStore(path.with_suffix('.traces.jsonl'))
        if not store.path.exists():
            sessions = read_predictions(path, experiments, store.figures)
            if has_lost_traces(path):
                raise DamageError(f'{store.path}: gone, and {path.name} is made of it; {MEND}')
            return cls(store, {}, experiments, sessions, [])
        traces = store.load()
        if not traces:
            raise DamageError(f'{store.path}: no whole session in it, so there is nothing to score; {MEND}')
        finished = [experiment for experiment in experiments if experiment.id in traces]
        sessions = [works_of(traces[e.id].steps, store.figures) for e in finished]
        return cls(store, traces, finished, sessions, [e.id for e in experiments if e.id not in traces])

    def failures(
        self, scores: list[StepScore], opinions: Mapping[str, Opinions], replays: Mapping[str, Mapping[int, Replay]]
    ) -> list[Failure]:
        """What is wrong with every step that failed, where the traces tell: by the rules, by replay, or by a judge."""
        found: list[Failure] = []
        for experiment in self.experiments:
            if trace := self.traces.get(experiment.id):
                own = [score for score in scores if score.experiment == experiment.id]
                tags = categorize(trace, experiment, own, replays.get(experiment.id))
                tags = with_opinions(tags, trace, experiment, opinions.get(experiment.id, {}))
                found += [Failure(experiment=experiment.id, index=index, **dict(tag)) for index, tag in tags.items()]
        return found


def provenance(traces: list[Trace]) -> dict[str, list[str]]:
    """What the sessions say that their figures depend on: each key with all its values."""
    pairs = sorted({pair for trace in traces for pair in trace.provenance.items()})
    return {key: [value for name, value in pairs if name == key] for key, _ in pairs}


def read_predictions(path: Path, experiments: list[Experiment], figures: Path) -> list[list[StepWork]]:
    """The work of every step, by experiment, from a predictions file.

    Raises:
        CibenchError: the file is missing, broken, or of other experiments.
    """
    if not path.exists():
        raise CibenchError(f'{path}: not there, so there is nothing to score; run with -m infer first')
    content = read_json(path, BROKEN)
    if not isinstance(content, dict):
        raise CibenchError(f'{path}: no predictions file; {BROKEN}')
    if len(content) != len(experiments):
        raise CibenchError(f'{path}: {len(content)} sessions, but the dataset has {len(experiments)} experiments')
    sessions = [content.get(str(index), {}) for index in range(len(experiments))]
    if not all(isinstance(session, dict) and 'steps' in session for session in sessions):
        raise CibenchError(f'{path}: no predictions file; {BROKEN}')
    for session, experiment in zip(sessions, experiments, strict=True):
        if session.get('gold', gold_of(experiment)) != gold_of(experiment):
            raise CibenchError(f'{path}: its gold is not that of {experiment.id}; score it with its own notebooks')
    return [works_read(one['steps'], gold.id, figures) for one, gold in zip(sessions, experiments, strict=True)]


def can_be_read(path: Path) -> bool:
    """Whether a predictions file can be read; what is wrong with it is a warning of the log."""
    try:
        read_json(path, 'it is made again')
    except CibenchError as error:
        logger.warning('%s', error)
        return False
    return True


def has_lost_traces(path: Path) -> bool:
    """Whether a predictions file without traces beside it was made of some; another program's is not."""
    content = read_json(path, BROKEN) if path.exists() and can_be_read(path) else None
    return isinstance(content, dict) and any(TRACES in one for one in content.values() if isinstance(one, dict))


def main(arguments: list[str]) -> int:
    """Run one task from its config file; the exit code says whether it is done."""
    kind, config = arguments
    log_to_stderr('%(asctime)s %(levelname)s %(message)s', logging.INFO)
    task = {'infer': SessionInferTask, 'eval': SessionEvalTask}[kind](Config.fromfile(config))
    try:
        task.run()
    except CibenchError as error:
        logger.error('%s: %s', task.name, error)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
