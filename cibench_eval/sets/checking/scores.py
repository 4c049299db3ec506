"""Judge the runs of each step: do they work, agree with each other and with the stored gold, and need the question?

Steps are scored as a model's are, by both profiles. The *baseline* of a step is the best score of an answer that does
not need the question: nothing, the number 0 or 1, the question itself, the data files as they are or the names of
their columns, a blank figure.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cibench_eval.datasets.descriptions import descriptions_file
from cibench_eval.evaluators import find_profile, notebook_profiles, score_session
from cibench_eval.evaluators.comparing.variables import unfit
from cibench_eval.evaluators.work import answers_of, works_of
from cibench_eval.images import DAMAGE, opened, reason
from cibench_eval.rendering import failure_of, render
from cibench_eval.schema import CibenchError, Execution, Experiment, Figure, Output, Step, StepScore, figure_hash
from cibench_eval.sets.checking.findings import CheckFinding, Severity, StepReport
from cibench_eval.sets.checking.named_files import data_files, named_files
from cibench_eval.sets.checking.runs import Runs, StepRun, answered
from cibench_eval.sets.checking.static import Member
from cibench_eval.states import states_of

DUMP = 20_000
"""Characters of the data files that a trivial answer prints."""
SAME_FIGURE = 0.999
"""Score of `official` from which figures are the same; a picture that it resizes scores about 0.9999 against itself."""


@dataclass(frozen=True)
class Thresholds:
    """The limits of a step in a check.

    Args:
        slow: seconds that a step may take.
        profile: the scoring profile by which a trivial answer that passes is a defect; by others it is a note.
        text, vis: the score above which a trivial answer passes; a number has to be right.
    """

    slow: float = 60.0
    profile: str = 'strict'
    text: float = 0.3
    vis: float = 0.15

    @property
    def timeout(self) -> float:
        """Seconds after which a step is ended: long enough to see that it is slow."""
        return max(2 * self.slow, 10.0)

    def passes(self, step: Step, score: float) -> bool:
        """Whether a trivial answer with this score passes the step."""
        return score > self.vis if step.kind == 'vis' else score > self.text if step.kind == 'text' else score >= 1


@dataclass
class StepChecker:
    """Checks the steps of one experiment; `figures` is a folder of its own for the figures that are scored."""

    member: Member
    figures: Path
    thresholds: Thresholds
    _scores: dict[tuple[int, str, str], float | None] = field(default_factory=dict)

    def check(self, runs: list[Runs]) -> tuple[list[StepReport], list[CheckFinding]]:
        """The reports and findings of all steps, given the runs of each."""
        reports, findings = [], []
        for step, of_step in zip(self.member.experiment.steps, runs, strict=True):
            findings += [*self._ran(step, of_step)]
            seconds = [round(run.execution.seconds, 3) if run.execution else None for run in of_step]
            report = StepReport(step=step.index + 1, kind=step.kind, seconds=seconds)
            try:
                report, scored = self._scored(step, of_step, report)
            except CibenchError as error:
                scored = [self.member.finding('unscorable', str(error), step.index)]
            reports.append(report)
            findings += scored
        return reports, findings

    def _ran(self, step: Step, runs: Runs) -> Iterator[CheckFinding]:
        """Findings that do not need the gold output."""
        finding = self.member.finding
        if failed := [(number, why) for number, run in enumerate(runs, 1) if (why := _failure(run))]:
            yield finding('fails', f'{failed[0][1]}{_in_runs([number for number, _ in failed], runs)}', step.index)
        seconds = [run.execution.seconds for run in runs if run.execution]
        if max(seconds, default=0) > self.thresholds.slow:
            yield finding('slow', f'took {max(seconds):.1f} s, more than {self.thresholds.slow:g} s', step.index)
        for reached in dict.fromkeys(reached for run in runs for reached in run.reached):
            yield finding('network', f'its code {reached}', step.index)
        if any(run.execution.truncated for run in runs if run.execution):
            yield finding('truncated', 'its output is over the limit of a session', step.index, 'note')
        if warned := next((run.execution.stderr for run in runs if run.execution and run.execution.stderr.strip()), ''):
            yield finding('warning', f'writes on stderr: {_warning(warned)}', step.index, 'note')

    def _scored(self, step: Step, runs: Runs, report: StepReport) -> tuple[StepReport, list[CheckFinding]]:
        """The report with its scores, and the findings of comparing outputs with the gold."""
        if step.kind == 'exec':
            return report, []
        scores = {name: [self._score(step, run.execution, name) for run in runs] for name in notebook_profiles()}
        trivial = trivial_answers(step, self.member.experiment)
        baseline = {name: self._baseline(step, trivial, name) for name in notebook_profiles()}
        best = {name: score for name, (score, _) in baseline.items()}
        report = report.model_copy(update={'scores': scores, 'baseline': best})
        return report, [*self._agreement(step, runs, scores), *self._declared(step), *self._trivial(step, baseline)]

    def _agreement(self, step: Step, runs: Runs, scores: dict[str, list[float | None]]) -> Iterator[CheckFinding]:
        """Whether the runs agree with each other and, if so, with the stored output."""
        finding = self.member.finding
        outputs = {number: shown(step, run.execution) for number, run in enumerate(runs, 1) if run.ok}
        if len(set(outputs.values())) > 1:
            first = min(outputs)
            strange = [number for number, output in outputs.items() if output != outputs[first]]
            worst = min(score for score in scores['strict'] if score is not None)
            text = f'its output is not that of run {first}{_in_runs(strange, runs)}'
            yield finding('non_deterministic', f'{text}; it scores down to {worst:.2f} by strict', step.index)
            return
        found = {name: self._score(step, stored(step), name) for name in notebook_profiles()}
        ceilings = {name: ceiling for name, ceiling in found.items() if ceiling is not None}
        for name, ceiling in ceilings.items():
            if ceiling < SAME_FIGURE:
                text = f'{name} gives the gold output itself {ceiling:.2f}'
                yield finding('unscorable', text, step.index, 'defect' if name == 'strict' else 'note')
        same = ceilings | ({'official': SAME_FIGURE} if step.kind == 'vis' else {})  # below it an output differs
        known = {name: [score for score in scores[name] if score is not None] for name in notebook_profiles()}
        low = {name: min(those) for name, those in known.items() if those}
        if below := [f'{value:.2f} by {name}' for name, value in low.items() if value < same[name]]:
            yield finding('differs', f'its output scores {" and ".join(below)} against the stored one', step.index)

    def _declared(self, step: Step) -> Iterator[CheckFinding]:
        """Whether the gold's variables hold what the step declares."""
        if not step.answers or not descriptions_file(self.member.experiment.path).is_file():
            return
        golds = states_of(step.state or {}) or {}
        for name, declared in step.answers.items():
            if why := unfit(declared, golds.get(name)):
                yield self.member.finding('unscorable', f'its gold variable `{name}`: {why}', step.index)
        if step.state:
            found = self._scored_by('strict', step, stored(step), step.state)
            deciding = find_profile('strict').deciding(step.kind)
            if deciding and (value := found.values[deciding.name]) < 1:
                text = f'strict gives the gold variables themselves {value:.2f}: {found.details.get(deciding.name)}'
                yield self.member.finding('unscorable', text, step.index)

    def _trivial(self, step: Step, baseline: dict[str, tuple[float, str]]) -> Iterator[CheckFinding]:
        for name, (score, answer) in baseline.items():
            if self.thresholds.passes(step, score):
                severity: Severity = 'defect' if name == self.thresholds.profile else 'note'
                yield self.member.finding('trivial', f'{answer} scores {score:.2f} by {name}', step.index, severity)

    def _baseline(self, step: Step, answers: dict[str, Execution], profile: str) -> tuple[float, str]:
        tried = {name: self._score(step, execution, profile) or 0.0 for name, execution in answers.items()}
        best = max(tried, key=lambda name: tried[name])
        return tried[best], best

    def _score(self, step: Step, execution: Execution | None, profile: str) -> float | None:
        """The score of an execution as the answer to a step; scores of equal outputs are kept."""
        if execution is None or execution.status != 'ok':
            return None
        if step.kind == 'vis' and shown(step, execution) == shown(step, stored(step)):
            return 1.0
        key = (step.index, profile, f'{render(execution)}\n{execution.figures}')
        if key not in self._scores:
            found = self._scored_by(profile, step, execution)
            deciding = find_profile(profile).deciding(step.kind)
            self._scores[key] = found.values.get(deciding.name) if deciding else None
        return self._scores[key]

    def _scored_by(
        self, profile: str, step: Step, execution: Execution, state: dict[str, Any] | None = None
    ) -> StepScore:
        for figure in execution.figures:
            figure.save(self.figures)
        done = answered(step, step.code, execution, state)
        alone = self.member.experiment.model_copy(update={'steps': [step]})
        return score_session(works_of([done], self.figures), alone, find_profile(profile))[0]


def trivial_answers(step: Step, experiment: Experiment) -> dict[str, Execution]:
    """Name -> execution of each answer that does not need the question."""
    if step.kind == 'vis':
        return {'a blank figure': Execution(status='ok', outputs=[_blank(step.figures[0])])}
    return {
        'empty output': Execution(status='ok'),
        'the number 0': _printed('0\n'),
        'the number 1': _printed('1\n'),
        'the question itself': _printed(step.question),
        'a dump of the data': _printed(_dump(experiment)),
        'the names of the columns': _printed(_columns(experiment)),
    }


def stored(step: Step) -> Execution:
    shown = [Output(type='display_data', figure=figure) for figure in step.figures]
    return Execution(status='ok', outputs=shown) if step.kind == 'vis' else _printed(step.text or '')


def shown(step: Step, execution: Execution | None) -> tuple[str, ...]:
    """The scored part of an output: the hashes of its pictures, or its text."""
    if execution is None:
        return ()
    if step.kind == 'vis':
        return tuple(figure_hash(figure.data) for figure in execution.figures)
    return tuple(answers_of(execution.told))


def _printed(text: str) -> Execution:
    return Execution(status='ok', outputs=[Output(type='stdout', text=text)])


def _blank(gold: Figure) -> Output:
    """A white figure of the same size and channels as a gold figure."""
    from PIL import Image

    try:
        image, problem = opened(gold.data)
    except (*DAMAGE, Image.DecompressionBombError) as error:
        image, problem = None, reason(error)
    if image is None:
        raise CibenchError(f'the gold figure cannot be read ({problem}); draw it smaller, or run its notebook again')
    file = io.BytesIO()
    mode = image.mode if image.mode in ('L', 'LA', 'RGB', 'RGBA') else 'RGB'
    Image.new(mode, image.size, 'white').save(file, 'PNG')
    return Output(type='display_data', figure=Figure.of(file.getvalue()))


def _dump(experiment: Experiment) -> str:
    """The heads of the text files that gold code names, one after the other."""
    return ''.join(map(_head, _read_files(experiment)))[:DUMP]


def _columns(experiment: Experiment) -> str:
    """The first lines of these files, in one line."""
    heads = (_head(file).partition('\n')[0].strip() for file in _read_files(experiment))
    return ', '.join(', '.join(name.strip(' "') for name in head.split(',')) for head in heads)[:DUMP]


def _read_files(experiment: Experiment) -> list[Path]:
    folder = experiment.datasources
    names = dict.fromkeys(name for step in experiment.steps for name in named_files(step.code).read)
    files = (file for name in names for file in (data_files(folder, name) if folder else []))
    return [file for file in dict.fromkeys(files) if file.is_file()]


def _head(file: Path) -> str:
    """The beginning of a file, empty where it is no text."""
    with file.open('rb') as opened:
        head = opened.read(DUMP)
    return '' if b'\0' in head else head.decode('utf-8', 'ignore')


def _failure(run: StepRun) -> str:
    """Why a run failed; a run that did not end in time counts as slow instead."""
    if run.execution is None or run.execution.status in ('ok', 'timeout'):
        return run.problem
    return failure_of(run.execution).splitlines()[0]


def _in_runs(numbers: list[int], runs: Runs) -> str:
    """The numbers of some runs in words; empty if they are all runs that were made."""
    if len(numbers) == sum(bool(run.execution or run.problem) for run in runs):
        return ''
    return f' (in run {", ".join(map(str, numbers))} of {len(runs)})'


def _warning(stderr: str) -> str:
    """The first line that names a warning, else the last line."""
    lines = [line.strip() for line in stderr.strip().splitlines()]
    return next((line for line in lines if 'Warning' in line), lines[-1])[:300]
