"""What a run has recorded of a dataset -> the score of every step, and why steps failed."""

from __future__ import annotations

import asyncio
import logging
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from cibench_eval import __version__
from cibench_eval.analysis.results import Failure, Results
from cibench_eval.cluster.jobs import jobs_of
from cibench_eval.config.recorded import is_trusted
from cibench_eval.config.session_tasks import SessionTask
from cibench_eval.evaluators.engine import with_outcomes
from cibench_eval.evaluators.failures.categories import categorize
from cibench_eval.evaluators.failures.replay_store import ReplayFinding
from cibench_eval.evaluators.judges.failures import with_opinions
from cibench_eval.evaluators.judges.store import Verdict, VerdictStore, is_on_other, verdicts_by_step
from cibench_eval.evaluators.predictions import TRACES_FIELD, gold_of, works_read
from cibench_eval.evaluators.work import StepWork, works_of
from cibench_eval.json_files import read_json
from cibench_eval.models.limits import usage_of
from cibench_eval.run.failure_replay import FailedSession, FailureReplay, failed_sessions
from cibench_eval.run.scorer import scorer_of
from cibench_eval.schema import (
    MEND,
    SET_VERSION,
    CibenchError,
    DamageError,
    Experiment,
    HarnessError,
    OtherVersionError,
    SetGoneError,
    StepScore,
    Trace,
)
from cibench_eval.terminal import OnProgress
from cibench_eval.traces import TraceStore

logger = logging.getLogger(__name__)
Verdicts = Mapping[str, Mapping[int, list[Verdict]]]
"""Experiment -> step -> the verdicts of judges."""
BROKEN = 'delete it and run again with -r'


def score(task: SessionTask, replay: OnProgress | None = None) -> str:
    """Score the sessions of a task and write its results; return why it cannot be scored, or an empty text.

    Results that are there are not believed: scoring takes little time, and what was scored may have changed. Where
    nothing can be scored they stay, and say why from then on; of a set that is gone they say nothing. Unfinished
    sessions are named, and the others scored.

    Args:
        replay: is told how far failed steps are that are run again; None runs nothing, and takes what was found before.
    """
    path = task.results_file
    try:
        _score(task, replay)
        return ''
    except (OtherVersionError, SetGoneError) as error:  # nothing new is known of what was scored
        return str(error)
    except CibenchError as error:
        problem = str(error)
    except OSError as error:
        problem = f'{error.filename or path}: {error.strerror or error}'
    except Exception as error:  # a bug shows its traceback, and costs this dataset alone
        logger.exception('%s: a fault of cibench-eval', task.name)
        problem = f'{task.dataset_name}: {error!r}'
    with suppress(CibenchError, OSError):  # what is there is no results file, or cannot be written
        if path.is_file():
            Results.read(path).model_copy(update={'problem': problem}).write(path)
    return problem


def _score(task: SessionTask, replay: OnProgress | None) -> None:
    recorded, scorer = Recorded.read(task), scorer_of(task)
    verdicts = verdicts_by_step(VerdictStore(task.files.verdicts))
    scores = recorded.with_verdicts(scorer.scores(recorded.sessions, recorded.experiments), verdicts)
    steps = with_outcomes(scores, recorded.traces, scorer.profile)
    sessions = list(failed_sessions(recorded.traces, recorded.experiments, steps))
    replays = FailureReplay(task.files.replays(task.dataset.results), scorer, task.kernels)
    if replay:
        _run_again(task, replays, sessions, replay)
    traces = [recorded.traces[one.id] for one in recorded.experiments if one.id in recorded.traces]
    Results(
        profile=scorer.profile_name,
        options=scorer.set_options,
        scorer=__version__,
        epoch=task.epoch,
        steps=steps,
        failures=recorded.failures(steps, verdicts, replays.found(sessions)),
        harness_errors=recorded.lost,
        usage=usage_of((step for trace in traces for step in trace.steps), task.model.price),
        provenance=provenance(traces),
    ).write(task.results_file)


def _run_again(task: SessionTask, replays: FailureReplay, sessions: list[FailedSession], observe: OnProgress) -> None:
    """Run failed steps again; where that cannot be done, say so, and leave the guesses in their place."""
    try:
        asyncio.run(replays.run(sessions, observe))
    except HarnessError as error:
        logger.warning('%s: failed steps that could not run again: %s', task.name, error)


@dataclass(frozen=True)
class Recorded:
    """The recorded sessions of a dataset that can be scored."""

    store: TraceStore
    traces: dict[str, Trace]
    """Traces by experiment; empty if the predictions are of another harness."""
    experiments: list[Experiment]
    """The experiments whose sessions are finished."""
    sessions: list[list[StepWork]]
    """The work of each session, step by step."""
    lost: list[str]
    """Experiments whose sessions are not finished: running, stopped, damaged, or failed by a fault of the harness."""

    @classmethod
    def read(cls, task: SessionTask) -> Recorded:
        """From the traces; from the predictions file where there are none, because it is of another harness.

        Raises:
            CibenchError: neither is there, one is broken, or they are of other experiments.
            DamageError: the traces are gone, or no session in them is whole.
        """
        store, path, experiments = task.traces, task.files.predictions, task.experiments
        if not store.path.exists():
            if not path.exists() and any(job.alive for job in jobs_of(task.files.run, None)):
                status = f'cibench status {shlex.quote(str(task.files.run))}'
                raise CibenchError(f'{store.path}: not there, and jobs of the run may not be over: {status}')
            within = None if is_trusted(task.files.run) else task.files.run
            sessions = read_predictions(path, experiments, store.figures, within)
            if has_lost_traces(path):
                raise DamageError(f'{store.path}: gone, and {path.name} is made of it; {MEND}')
            return cls(store, {}, experiments, sessions, [])
        traces = store.load()
        if not traces:
            raise DamageError(f'{store.path}: no whole session in it, so there is nothing to score; {MEND}')
        for experiment in experiments:
            _check_version(experiment, traces.get(experiment.id), store.path)
        finished = [experiment for experiment in experiments if experiment.id in traces]
        if other := [one.id for one in finished if _asks_other_questions(one, traces[one.id])]:
            logger.warning('%s: other questions than when it was run: %s', task.name, ', '.join(other))
        sessions = [works_of(traces[e.id].steps, store.figures) for e in finished]
        return cls(store, traces, finished, sessions, [e.id for e in experiments if e.id not in traces])

    def with_verdicts(self, scores: list[StepScore], verdicts: Verdicts) -> list[StepScore]:
        """Scores with the verdicts of judges on prose in other words than the gold's, if on this prose."""
        golds = {experiment.id: experiment for experiment in self.experiments}

        def judged(score: StepScore) -> StepScore:
            trace = self.traces.get(score.experiment)
            if not (score.for_judge and trace):
                return score
            for one in reversed(verdicts.get(score.experiment, {}).get(score.index, [])):  # the last one on this prose
                on_this = one.answered and not is_on_other(one, golds[score.experiment], trace, self.store.figures)
                if one.metric == 'text' and one.score is not None and on_this:
                    values = {**score.values, 'text_score': max(one.score, score.values['text_score'])}
                    return score.model_copy(update={'values': values, 'for_judge': False, 'judged_by': one.judge})
            return score

        return [judged(score) for score in scores]

    def failures(
        self, scores: list[StepScore], verdicts: Verdicts, replays: Mapping[str, Mapping[int, ReplayFinding]]
    ) -> list[Failure]:
        """Why each failed step failed, as far as traces tell: by rules, by replay, or by a judge."""
        found: list[Failure] = []
        for experiment in self.experiments:
            if trace := self.traces.get(experiment.id):
                own = [score for score in scores if score.experiment == experiment.id]
                tags = categorize(trace, experiment, own, replays.get(experiment.id))
                said = {
                    index: [(one.judge, one.detail) for one in those if one.on_failure and one.score is not None]
                    for index, those in verdicts.get(experiment.id, {}).items()
                }
                tags = with_opinions(tags, trace, experiment, said)
                found += [Failure(experiment=experiment.id, index=index, **dict(tag)) for index, tag in tags.items()]
        return found


def _check_version(experiment: Experiment, trace: Trace | None, path: Path) -> None:
    """Raise an `OtherVersionError` where a session is of another version of its set than the notebook."""
    run_with = trace and trace.provenance.get(SET_VERSION, '')
    if run_with is not None and (run_with or '1') != (experiment.version or '1'):
        raise OtherVersionError(
            f'{path}: run on version {run_with or "1"} of the set, and its notebooks are of version '
            f'{experiment.version or "1"} now: the scores stay as they are; run it again for scores of this version'
        )


def _asks_other_questions(experiment: Experiment, trace: Trace) -> bool:
    return any(one.question != step.question for one, step in zip(trace.steps, experiment.steps, strict=False))


def provenance(traces: list[Trace]) -> dict[str, list[str]]:
    """The provenance of sessions: each key with all its values."""
    pairs = sorted({pair for trace in traces for pair in trace.provenance.items()})
    return {key: [value for name, value in pairs if name == key] for key, _ in pairs}


def read_predictions(
    path: Path, experiments: list[Experiment], figures: Path, within: Path | None = None
) -> list[list[StepWork]]:
    """The work of every step, by experiment, from a predictions file; figures and `within` as in `works_read`.

    Raises:
        CibenchError: the file is missing, broken, or of other experiments.
    """
    if not path.exists():
        raise CibenchError(f'{path}: not there, so there is nothing to score; go on with the run (-r)')
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
    return [works_read(one['steps'], gold.id, figures, within) for one, gold in zip(sessions, experiments, strict=True)]


def can_be_read(path: Path) -> bool:
    """Whether a predictions file can be read; if not, the log has a warning."""
    try:
        read_json(path, 'it is made again')
    except CibenchError as error:
        logger.warning('%s', error)
        return False
    return True


def has_lost_traces(path: Path) -> bool:
    """Whether a predictions file was made from traces that are now missing; files of other programs were not."""
    content = read_json(path, BROKEN) if path.exists() and can_be_read(path) else None
    return isinstance(content, dict) and any(TRACES_FIELD in one for one in content.values() if isinstance(one, dict))
