"""The scores of sessions without data files -> which steps they answered, and what is wrong with these."""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from cibench_eval.datasets.appended import modules_sentence
from cibench_eval.datasets.libraries import library_of
from cibench_eval.evaluators import find_profile
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
    profile = find_profile(PROFILE)
    steps: dict[tuple[str, str], list[bool | None]] = defaultdict(list)
    """By split and library: whether each step was answered; None for one that needs no data."""
    records: list[AuditedStep] = []
    findings: list[CheckFinding] = []
    for member in members:
        for step in member.experiment.steps:
            if metric := profile.deciding(step.kind):
                key = member.split, member.experiment.id, step.index
                needs_data, record = not golds[key].right, _record(member, step, metric.name, scores[key])
                library = library_of(member.experiment.id)
                steps[member.split, library].append(record.answered if needs_data else None)
                if needs_data and (record.answered or thresholds.passes(step, record.score)):
                    records.append(record)
                    findings.append(_finding(member, record, model, thresholds.profile))
    parts = [_part(*place, answered) for place, answered in steps.items()]
    return AuditReport(model=model, profile=PROFILE, folder=str(folder), parts=parts, steps=records), findings


def _record(member: Member, step: Step, metric: str, score: StepScore) -> AuditedStep:
    modules = modules_sentence(step.modules, member.experiment.language)
    return AuditedStep(
        set=member.split,
        notebook=member.experiment.id,
        step=step.index + 1,
        kind=step.kind,
        metric=metric,
        score=score.values.get(metric, 0.0),
        answered=score.right is True,
        question=first_words(step.question.strip().removesuffix(modules)),
    )


def _finding(member: Member, one: AuditedStep, model: str, profile: str) -> CheckFinding:
    how = 'answers it' if one.answered else 'answers part of it'
    text = f'{model} {how} without the data: {one.metric} {one.score:.2f}; {one.question}'
    severity: Severity = 'defect' if one.answered and profile == PROFILE else 'note'
    return member.finding('without_data', text, one.step - 1, severity)


def _part(split: str, library: str, steps: list[bool | None]) -> AuditPart:
    need = [answered for answered in steps if answered is not None]
    share = round(100 * sum(need) / len(need), 2) if need else None
    return AuditPart(
        set=split, library=library, scored=len(steps), need_data=len(need), answered=sum(need), share=share
    )


def first_words(question: str) -> str:
    """The beginning of a question, with an ellipsis where it is cut."""
    words = question.split()
    text = ' '.join(words[:WORDS])
    return f'{text[: 5 * WORDS]} …' if len(words) > WORDS or len(text) > 5 * WORDS else text
