"""The scores of sessions without data files -> which steps they answered, and what is wrong with these."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cibench_eval.datasets.appended import modules_sentence
from cibench_eval.datasets.libraries import library_of
from cibench_eval.evaluators import find_profile
from cibench_eval.grouping import grouped
from cibench_eval.schema import Step, StepScore
from cibench_eval.sets.checking.findings import AuditedStep, AuditPart, AuditReport, CheckFinding, Severity
from cibench_eval.sets.checking.scores import Thresholds
from cibench_eval.sets.checking.static import Member

PROFILE = 'strict'
"""By which an audit scores."""
WORDS = 12
"""How many words of a question stand for it; a text without blanks is cut after five times as many characters."""
Scores = Mapping[tuple[str, str, int], StepScore]
"""Scores by split, experiment and index of the step."""


@dataclass(frozen=True)
class _Audited:
    member: Member
    step: Step
    needs_data: bool
    record: AuditedStep

    def finding(self, model: str, profile: str) -> CheckFinding:
        one = self.record
        how = 'answers it' if one.answered else 'answers part of it'
        text = f'{model} {how} without the data: {one.metric} {one.score:.2f}; {one.question}'
        severity: Severity = 'defect' if one.answered and profile == PROFILE else 'note'
        return self.member.finding('without_data', text, self.step.index, severity)


def audited(
    members: list[Member], model: str, folder: Path, scores: Scores, golds: Scores, thresholds: Thresholds
) -> tuple[AuditReport, list[CheckFinding]]:
    """The report of an audit, and its findings.

    A step counts if the gold code, too, fails to answer it without the data files: a model may compute whatever the
    gold code computes from the question alone. A step is answered if it counts as correct; this is a defect if the
    profile of the check is the audit's. A note tells of a score above the score of a trivial answer that passes.

    Args:
        scores: of the model without data files.
        golds: of the gold code without data files.
    """
    steps = list(_steps(members, scores, golds))
    found = [
        one
        for one in steps
        if one.needs_data and (one.record.answered or thresholds.passes(one.step, one.record.score))
    ]
    records = [one.record for one in found]
    report = AuditReport(model=model, profile=PROFILE, folder=str(folder), parts=_parts(steps), steps=records)
    return report, [one.finding(model, thresholds.profile) for one in found]


def _steps(members: Iterable[Member], scores: Scores, golds: Scores) -> Iterator[_Audited]:
    profile = find_profile(PROFILE)
    for member in members:
        for step in member.experiment.steps:
            key = (member.split, member.experiment.id, step.index)
            if metric := profile.deciding(step.kind):
                modules = modules_sentence(step.modules, member.experiment.language)
                record = AuditedStep(
                    set=member.split,
                    notebook=member.experiment.id,
                    step=step.index + 1,
                    kind=step.kind,
                    metric=metric.name,
                    score=scores[key].values.get(metric.name, 0.0),
                    answered=scores[key].right is True,
                    question=first_words(step.question.strip().removesuffix(modules)),
                )
                yield _Audited(member, step, not golds[key].right, record)


def _parts(steps: Iterable[_Audited]) -> list[AuditPart]:
    groups = grouped(steps, lambda one: (one.member.split, library_of(one.member.experiment.id)))
    return [_part(*place, those) for place, those in groups.items()]


def _part(split: str, library: str, steps: list[_Audited]) -> AuditPart:
    need = [one for one in steps if one.needs_data]
    answered = sum(one.record.answered for one in need)
    share = round(100 * answered / len(need), 2) if need else None
    return AuditPart(set=split, library=library, scored=len(steps), need_data=len(need), answered=answered, share=share)


def first_words(question: str) -> str:
    """The beginning of a question, with an ellipsis where it is cut."""
    words = question.split()
    text = ' '.join(words[:WORDS])
    return f'{text[: 5 * WORDS]} …' if len(words) > WORDS or len(text) > 5 * WORDS else text
