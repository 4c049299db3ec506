"""Verdicts on disk, and the sessions that they are on.

Verdicts are kept beside the scores: `results/<model>/<dataset>.judge.jsonl` has one line a verdict, with all that the
judge said, flushed to disk before it asks for the next; `<dataset>.judge.json` is the summary.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cibench_eval.evaluators.engine import Options
from cibench_eval.evaluators.judges.base import JudgedStep, Judgement
from cibench_eval.evaluators.judges.failures import FailureJudge, is_about, uncertain_failures
from cibench_eval.grouping import grouped
from cibench_eval.models.identity import digest
from cibench_eval.rendering import png_of
from cibench_eval.schema import (
    CibenchError,
    Experiment,
    HarnessError,
    Reply,
    Step,
    StepKind,
    StepScore,
    StepTrace,
    Text,
    Trace,
    unicode_text,
)
from cibench_eval.sealed import Keyed, RecordStore
from cibench_eval.states import bound_names
from cibench_eval.traces import TraceStore

Key = tuple[str, str, int]
"""Judge, experiment, step."""


class Verdict(Keyed):
    """One line of a `*.judge.jsonl`."""

    judge: str
    metric: str
    experiment: str
    index: int
    asked: str
    """Hash of all that was asked, and of the judge's config."""
    score: float | None
    """0 to 1; None where the judge gave no valid verdict."""
    detail: Text
    answered: str = ''
    """Hash of the answer that was judged, and of what it was held to (`hash_of_answer`)."""
    identity: str = ''
    """Hash of the judge's config; empty in older files."""
    replies: tuple[Reply, ...]
    """Nothing where there was nothing to judge, which scores 0."""

    @classmethod
    def of(cls, step: JudgedStep, judge: str, identity: str, metric: str, asked: str, judgement: Judgement) -> Verdict:
        return cls(
            judge=judge,
            identity=identity,
            metric=metric,
            experiment=step.experiment,
            index=step.index,
            asked=asked,
            score=judgement.score,
            detail=judgement.detail,
            answered=hash_of_answer(step),
            replies=judgement.replies,
        )

    @property
    def key(self) -> Key:
        return self.judge, self.experiment, self.index

    @property
    def on_failure(self) -> bool:
        """Whether it is on why a step failed, and not on what the step showed."""
        return self.metric == FailureJudge.metric

    @property
    def without_verdict(self) -> bool:
        """Whether the judge was asked and said nothing that is one."""
        return bool(self.replies) and self.score is None


def has_no_verdict(verdicts: Iterable[Verdict]) -> bool:
    """Whether a judge was asked and never gave a valid verdict: steps with nothing to judge then say nothing either."""
    asked = [verdict for verdict in verdicts if verdict.replies]
    return bool(asked) and all(verdict.without_verdict for verdict in asked)


def hash_of_answer(step: JudgedStep) -> str:
    """A hash that is another one when the question, the gold or the answer is another, or the code or a figure."""
    figures = (hashlib.sha256(png).hexdigest() for png in step.figures)
    drawn = [step.code, *figures] if step.kind in ('vis', 'plot') else []
    return digest([step.question, step.gold_answer, step.answer, *drawn])


class VerdictStore(RecordStore[Verdict]):
    """`*.judge.jsonl`; of a step that was judged again the last verdict counts."""

    record = Verdict
    mend = 'cibench judge judges its step again'

    def of_newest_config(self) -> list[Verdict]:
        """The verdicts of each judge as its config was last: another model under the same name is another judge."""
        found = self.load().values()
        newest = {verdict.judge: verdict.identity for verdict in found if verdict.replies and verdict.identity}
        return [one for one in found if not one.replies or one.identity in ('', newest.get(one.judge))]


@dataclass(frozen=True)
class JudgedDataset:
    """The sessions of one model on one dataset in a run folder, and where their verdicts go."""

    model: str
    dataset: str
    experiments: list[Experiment]
    traces: TraceStore
    verdicts: VerdictStore
    load_scores: Callable[[], list[StepScore] | None] = lambda: None
    """Reads the scores of the run's own profile; None where the run is not scored."""
    options: Options = field(default_factory=Options)
    """The options of that profile in the config."""

    @property
    def name(self) -> str:
        return f'{self.model}/{self.dataset}'

    def sessions(self) -> Iterator[tuple[Experiment, Trace]]:
        """Every finished session with its gold.

        Raises:
            CibenchError: the notebooks are not those that the sessions were run with.
        """
        traces = self.traces.load()
        for experiment in self.experiments:
            if trace := traces.get(experiment.id):
                asked = [step.question for step in trace.steps]
                if asked != [step.question for step in experiment.steps][: len(asked)]:
                    raise CibenchError(
                        f'{self.name}: {experiment.id}: its notebook has other questions now; judge with that of the '
                        'run'
                    )
                yield experiment, trace

    def steps(self, kinds: Sequence[StepKind]) -> Generator[JudgedStep, None, None]:
        """Every step of these kinds of every finished session; see `sessions`. Figures are read as each comes."""
        for experiment, trace in self.sessions():
            for step, done in zip(experiment.steps, trace.steps, strict=False):
                if step.kind in kinds:
                    yield judged_step(experiment, step, done, self.traces.figures)

    def uncertain_failures(self) -> Generator[JudgedStep, None, None]:
        """Yield the failed steps whose category the rules are not certain of; see `sessions`.

        Raises:
            CibenchError: the run is not scored, so that failures are not known.
        """
        scores = self.load_scores()
        if scores is None:
            raise CibenchError(f'{self.name}: not scored; score the run first (cibench score RUN)')
        for experiment, trace in self.sessions():
            own = [score for score in scores if score.experiment == experiment.id]
            yield from uncertain_failures(trace, experiment, own)

    def current(self) -> list[Verdict]:
        """The verdicts that still apply; those of failures need what `sessions` does.

        Those on another answer than the run has now, or held to another question or gold, are dropped, of failures also
        those on a step that passes now. Without a hash of its answer a verdict is taken as it is.
        """
        verdicts = self.verdicts.of_newest_config()
        hashed = (verdict for verdict in verdicts if verdict.answered and not verdict.on_failure)
        answers = self._answers({(verdict.experiment, verdict.index) for verdict in hashed})
        on_failures = any(verdict.on_failure for verdict in verdicts) and self.load_scores() is not None
        failures = self.uncertain_failures() if on_failures else ()
        asked = {(step.experiment, step.index): step.question for step in failures}

        def holds(verdict: Verdict) -> bool:
            place = verdict.experiment, verdict.index
            if not verdict.on_failure:
                return not verdict.answered or verdict.answered == answers.get(place)
            question = asked.get(place)
            return question is not None and (verdict.score is None or is_about(verdict.detail, question))

        return [verdict for verdict in verdicts if holds(verdict)]

    def _answers(self, wanted: set[tuple[str, int]]) -> dict[tuple[str, int], str]:
        """`hash_of_answer` of those steps that are done."""
        traces = self.traces.load() if wanted else {}
        return {
            (experiment.id, step.index): hash_of_answer(judged_step(experiment, step, done, self.traces.figures))
            for experiment in self.experiments
            if experiment.id in traces
            for step, done in zip(experiment.steps, traces[experiment.id].steps, strict=False)
            if (experiment.id, step.index) in wanted
        }


def is_on_other(verdict: Verdict, gold: Experiment, trace: Trace, figures: Path) -> bool:
    """Whether it is on another answer or figure than the session has now; not where no hash or a lost figure tells."""
    if not verdict.answered or verdict.on_failure:
        return False
    if verdict.index >= len(trace.steps):
        return True
    try:
        step = judged_step(gold, gold.steps[verdict.index], trace.steps[verdict.index], figures)
    except HarnessError:
        return False
    return verdict.answered != hash_of_answer(step)


def verdicts_by_step(verdicts: VerdictStore) -> dict[str, dict[int, list[Verdict]]]:
    """Experiment -> step -> the verdicts of all judges."""
    found = grouped(verdicts.of_newest_config(), lambda verdict: verdict.experiment)
    return {name: grouped(those, lambda verdict: verdict.index) for name, those in found.items()}


def judged_step(experiment: Experiment, step: Step, done: StepTrace, figures: Path) -> JudgedStep:
    """What a judge gets to see of a step: the last call without error that showed a figure, or else an answer.

    A model may go on after that; the profile `strict` scores this call, too. At a `plot` of
    Qwen-Agent's benchmark the judge sees the code of all calls that ran, first that of the call that an easy question
    carries, and all figures that the model's calls showed. Where nothing is printed, declared variables are the answer.

    Raises:
        HarnessError: a figure is gone.
    """
    ran = [run for attempt in done.attempts for run in attempt.runs if run[1].status == 'ok']
    shows = 'figures' if step.kind in ('vis', 'plot') else 'answer'
    telling = [run for run in ran if getattr(run[1], shows)]
    shown = (telling if step.kind == 'plot' else telling[-1:]) or ran[-1:]
    codes = [code for code, _ in (ran if step.kind == 'plot' else shown)]
    if step.kind == 'plot' and step.given:
        codes.insert(0, step.given.code)
    said = shown[-1][1].answer if shown else ''
    return JudgedStep(
        experiment=experiment.id,
        index=step.index,
        language=experiment.language,
        question=step.question,
        kind=step.kind,
        code='\n\n'.join(codes),
        answer=said if said.strip() or not ran else _variables(step, done),
        gold_answer=step.text or '',
        figures=tuple(png_of(figure, figures) for _, run in shown for figure in run.figures),
        gold_figures=tuple(figure.data for figure in step.figures),
    )


def _variables(step: Step, done: StepTrace) -> str:
    """The kernel's description of the declared variables, as JSON; empty where no code of the step makes one."""
    made = {name: (done.state or {})[name] for name in step.answers if name in (done.state or {})}
    visibly = any(made.keys() & bound_names(code) for code, _ in done.runs)
    return unicode_text(json.dumps(made, ensure_ascii=False)) if visibly else ''
