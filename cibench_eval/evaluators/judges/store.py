"""What a run folder holds for judges: its sessions with their gold, and the verdicts on them.

Verdicts are kept beside the scores: `results/<model>/<dataset>.judge.jsonl` has one line a verdict, with all that the
judge said, flushed to disk before it asks for the next; `<dataset>.judge.json` is the summary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.evaluators.judges.base import Case, Judgement
from cibench_eval.files import append_line, whole_lines
from cibench_eval.schema import (
    CibenchError,
    Execution,
    Experiment,
    HarnessError,
    Record,
    Reply,
    Step,
    StepKind,
    StepScore,
    StepTrace,
    Text,
    Trace,
)
from cibench_eval.traces import TraceStore

Key = tuple[str, str, int]
"""Judge, experiment, step."""


class Verdict(Record):
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
    replies: tuple[Reply, ...]
    """Nothing where there was nothing to judge, which scores 0."""

    @classmethod
    def of(cls, case: Case, judge: str, metric: str, asked: str, said: Judgement) -> Verdict:
        return cls(judge=judge, metric=metric, experiment=case.experiment, index=case.index, asked=asked, **dict(said))

    @property
    def key(self) -> Key:
        return self.judge, self.experiment, self.index


class VerdictStore:
    """An append-only `*.judge.jsonl`; of a step that was judged again the last line counts."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def load(self, *, mend: bool = False) -> dict[Key, Verdict]:
        """The verdicts, without a last line that is torn.

        Args:
            mend: cut that line off, with a warning: nobody is writing it any more.

        Raises:
            CibenchError: a whole line is not a verdict.
        """
        verdicts = [self._parse(number, line) for number, line in enumerate(whole_lines(self.path, mend=mend), 1)]
        return {verdict.key: verdict for verdict in verdicts}

    def _parse(self, number: int, line: bytes) -> Verdict:
        try:
            return Verdict.model_validate(json.loads(line))  # pydantic's own reader refuses lone surrogates
        except ValueError as error:
            raise CibenchError(
                f'{self.path}, line {number}: not a verdict of this version; move the file away to judge again'
            ) from error

    def append(self, verdict: Verdict) -> None:
        append_line(self.path, json.dumps(verdict.model_dump(mode='json')))


@dataclass(frozen=True)
class Filed:
    """The sessions of one model on one dataset in a run folder, and where their verdicts go."""

    model: str
    dataset: str
    experiments: list[Experiment]
    traces: TraceStore
    verdicts: VerdictStore
    results: Path
    """The scores of the run's own profile."""

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

    def steps(self, kinds: Sequence[StepKind]) -> Iterator[tuple[Experiment, Step, StepTrace]]:
        """Every step of these kinds of every finished session, with its gold; see `sessions`."""
        for experiment, trace in self.sessions():
            for step, done in zip(experiment.steps, trace.steps, strict=False):
                if step.kind in kinds:
                    yield experiment, step, done

    def doubts(self) -> Iterator[Case]:
        """The failed steps whose category the rules are not certain of; see `sessions`.

        Raises:
            CibenchError: the run is not scored by this version, so that nobody knows what failed.
        """
        from cibench_eval.evaluators.judges.failures import doubts

        try:
            details = json.loads(self.results.read_text(encoding='utf-8'))['details']
            scores = [StepScore.model_validate(detail) for detail in details]
        except FileNotFoundError as error:
            raise CibenchError(f'{self.results}: not there; score the run first (cibench score RUN)') from error
        except (ValueError, KeyError, TypeError) as error:
            raise CibenchError(
                f'{self.results}: not the scores of this version; score the run again (cibench score RUN)'
            ) from error
        for experiment, trace in self.sessions():
            yield from doubts(trace, experiment, [s for s in scores if s.experiment == experiment.id])

    def current(self) -> list[Verdict]:
        """The verdicts, without those on steps that have not failed with this answer as they are scored now."""
        from cibench_eval.evaluators.judges.failures import is_of

        verdicts = list(self.verdicts.load().values())
        on_failures = any(verdict.metric == 'errors' for verdict in verdicts) and self.results.exists()
        asked = {(case.experiment, case.index): case.question for case in self.doubts()} if on_failures else {}

        def holds(verdict: Verdict) -> bool:
            question = asked.get((verdict.experiment, verdict.index))
            return question is not None and (verdict.score is None or is_of(verdict.detail, question))

        return [verdict for verdict in verdicts if verdict.metric != 'errors' or holds(verdict)]


def opinions(verdicts: VerdictStore) -> dict[str, dict[int, tuple[str, str]]]:
    """What judges have said of failures: experiment -> step -> judge and detail; of several judges the last."""
    found: dict[str, dict[int, tuple[str, str]]] = {}
    for verdict in verdicts.load().values():
        if verdict.metric == 'errors' and verdict.score is not None:
            found.setdefault(verdict.experiment, {})[verdict.index] = verdict.judge, verdict.detail
    return found


def filed(run: Path) -> list[Filed]:
    """What a run folder holds, by the newest config in it.

    Raises:
        CibenchError: it is no run folder, or has no sessions, or a notebook is gone.
    """
    from cibench_eval.opencompass.build import build_dataset
    from cibench_eval.opencompass.configs import last_written, read
    from cibench_eval.opencompass.partitioner import epoch_of, expand
    from cibench_eval.opencompass.tasks import results_folder

    cfg = expand(read(last_written(run)))
    experiments: dict[str, list[Experiment]] = {}
    found = []
    for pair in cfg['model_dataset_combinations']:
        for model, dataset in ((model['abbr'], dataset) for model in pair['models'] for dataset in pair['datasets']):
            abbr = dataset['abbr']
            traces = TraceStore(run / 'predictions' / model / f'{abbr}.traces.jsonl')
            if not traces.path.exists():
                continue
            base = abbr if epoch_of(dataset) == 1 else abbr.rpartition('@')[0]  # epochs have the same notebooks
            if base not in experiments:
                experiments[base] = build_dataset(dataset).experiments
            verdicts = VerdictStore(run / 'results' / model / f'{abbr}.judge.jsonl')
            results = run / results_folder(dataset) / model / f'{abbr}.json'
            found.append(Filed(model, abbr, experiments[base], traces, verdicts, results))
    if not found:
        raise CibenchError(f'{run}: no finished sessions in predictions/; run them first')
    return found


def case_of(experiment: Experiment, step: Step, done: StepTrace, figures: Path) -> Case:
    """What a step leaves to judge: its last call that ran without error, as the official profile takes it.

    Raises:
        HarnessError: a figure is gone.
    """
    ran = [a for a in done.attempts if a.execution is not None and a.execution.status == 'ok']
    last = ran[-1] if ran else None
    execution = last.execution if last and last.execution else Execution(status='error')
    return Case(
        experiment=experiment.id,
        index=step.index,
        language=experiment.language,
        question=step.question,
        code=(last.action.code or '') if last else '',
        answer='\n'.join(part for part in (execution.stdout, execution.result) if part),
        gold_answer=step.text or '',
        figures=tuple(_figure(figures / figure.filename) for figure in execution.figures),
        gold_figures=tuple(figure.data for figure in (step.figure, *step.more_figures) if figure),
    )


def _figure(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HarnessError(f'figure {path}: {error.strerror}; put the run folder together again') from error
