"""Failed steps of a scored dataset, run again to find where their failures come from."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from cibench_eval.agents.identity import of_kernels
from cibench_eval.agents.slots import SessionSlots, default_sessions
from cibench_eval.concurrency import run_all
from cibench_eval.evaluators.engine import score_of_last
from cibench_eval.evaluators.failures.categories import failed_indices
from cibench_eval.evaluators.failures.replay import SessionReplay
from cibench_eval.evaluators.failures.replay_store import ReplayFinding, ReplayStore
from cibench_eval.interpreter.pool import KernelPool
from cibench_eval.interpreter.settings import KernelSettings
from cibench_eval.interpreter.snapshots import GoldStates
from cibench_eval.models.identity import digest
from cibench_eval.run.scorer import SessionScorer
from cibench_eval.schema import NO_FAILURE, Experiment, StepScore, StepTrace, Trace
from cibench_eval.terminal import OnProgress


@dataclass(frozen=True)
class FailedSession:
    """A session, its gold, and which of its steps have failed after they ran code."""

    trace: Trace
    experiment: Experiment
    failed: list[int]


class FailureReplay:
    """Runs the failed steps of one model on one dataset again, each once.

    `path` (`*.replay.jsonl`) keeps what was found, `scorer` says what has failed, and the `kernels` are the sessions'.
    """

    def __init__(self, path: Path, scorer: SessionScorer, kernels: KernelSettings) -> None:
        self._store = ReplayStore(path)
        self._scorer, self._kernels = scorer, kernels
        self._slots = SessionSlots(default_sessions())

    def found(self, sessions: list[FailedSession]) -> dict[str, dict[int, ReplayFinding]]:
        """Earlier findings that still apply, by experiment and step."""
        kept = self._store.load()
        return {session.experiment.id: self._known(session, kept) for session in sessions}

    def _known(self, session: FailedSession, kept: Mapping[tuple[str, int], ReplayFinding]) -> dict[int, ReplayFinding]:
        of_steps = {index: kept.get((session.experiment.id, index)) for index in session.failed}
        return {
            index: replay
            for index, replay in of_steps.items()
            if replay and replay.asked == self._asked(session, index)
        }

    async def run(self, sessions: list[FailedSession], observe: OnProgress) -> None:
        """Find out what is not known yet; each finding is kept before the next.

        Args:
            observe: is told how many failures are done, and the experiment of the last one.

        Raises:
            CibenchError: the kernel environment is not there.
            HarnessError: gold code fails here, or no kernel could be started. What was found is kept.
        """
        self._store.load(cut_torn=True)
        known = self.found(sessions)
        missing = [
            (session, [index for index in session.failed if index not in known[session.experiment.id]])
            for session in sessions
        ]
        total, done = sum(len(indices) for _, indices in missing), 0

        def count(name: str) -> None:
            nonlocal done
            done += 1
            observe(done, total, name)

        if total:
            async with KernelPool(self._kernels) as pool:
                await run_all(self._session(session, indices, pool, count) for session, indices in missing if indices)

    async def _session(
        self, session: FailedSession, indices: list[int], pool: KernelPool, count: Callable[[str], None]
    ) -> None:
        experiment = session.experiment
        kernels = self._kernels.model_copy(update={'datasources': experiment.datasources})
        codes = [step.code for step in experiment.steps]
        async with self._slots.slot(), GoldStates(kernels, codes, pool) as states:
            right = partial(self._is_right, experiment)
            replay = SessionReplay(session.trace, experiment, session.failed, states, right)
            for index in indices:
                self._store.append(await replay.find(index, self._asked(session, index)))
                count(experiment.id)

    def _is_right(self, experiment: Experiment, step: StepTrace) -> bool:
        """Whether a step is right by the scorer's profile, or runs where nothing decides on it."""
        score = score_of_last([step], experiment, self._scorer.profile, self._scorer.options)
        return score.outcome in NO_FAILURE

    def _asked(self, session: FailedSession, index: int) -> str:
        """Hash of all that the finding on a step depends on."""
        steps = [step for step in session.trace.steps if step.index <= index]
        codes = [[code for code, _ in step.runs] for step in steps]
        gold = session.experiment.model_dump(mode='json', exclude={'path', 'datasources'})
        kernels = of_kernels(self._kernels)
        # What matters to scores alone is left out where an experiment is written down.
        scored = [
            [one.tolerance, one.absolute, one.listed, one.state, [figure.described.hex() for figure in one.figures]]
            for one in session.experiment.steps[: index + 1]
        ]
        return digest([codes, gold, scored, kernels, self._scorer.profile_name, self._scorer.set_options])


def failed_sessions(
    traces: Mapping[str, Trace], experiments: list[Experiment], scores: list[StepScore]
) -> Iterator[FailedSession]:
    """The sessions with steps that may have failed because of earlier ones: in oracle mode there are none."""
    for experiment in experiments:
        trace = traces.get(experiment.id)
        if trace is None or trace.mode == 'oracle':
            continue
        ran = {step.index for step in trace.steps if step.runs}
        failed = failed_indices([score for score in scores if score.experiment == experiment.id])
        yield FailedSession(trace, experiment, sorted(failed & ran))
