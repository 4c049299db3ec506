"""A model's second opinion on failures whose cause the rules are not certain of."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from cibench_eval.evaluators.failures.categories import CAUSES, MAX_EVIDENCE, ErrorTag, categorize, failed_steps
from cibench_eval.evaluators.failures.evidence import FailedStep
from cibench_eval.evaluators.judges.base import Judge, JudgedStep, own_prompts, quoted, text_part
from cibench_eval.evaluators.judges.verdicts import LONGEST, last_object
from cibench_eval.rendering import render
from cibench_eval.schema import Experiment, Part, Reply, StepScore, Trace, unicode_text


class Opinion(NamedTuple):
    cause: str
    why: str


class FailureJudge(Judge):
    """Asks about failed steps whose cause the rules are not certain of (`uncertain_failures`).

    The score says whether the judge agrees with the rules. The detail of a verdict is a JSON object: `cause`, `why`
    and, under `of`, a hash of the question. An invalid verdict changes nothing.
    """

    metric = 'errors'
    kinds = ()

    def questions(self, step: JudgedStep) -> list[list[Part]]:
        return [[text_part(step.question)]]

    def again(self, step: JudgedStep) -> str:
        return own_prompts('failures')['form']

    def _read(self, reply: Reply, step: JudgedStep) -> tuple[float | None, str]:
        """1 for the category that the rules have chosen, else 0."""
        opinion = read_opinion(reply)
        if opinion is None:
            return None, 'the reply is no JSON object with one of the causes'
        score = float(CAUSES[opinion.cause][0] == step.gold_answer)
        return score, json.dumps({**opinion._asdict(), 'of': _digest(step.question)}, ensure_ascii=False)


def uncertain_failures(trace: Trace, experiment: Experiment, scores: list[StepScore]) -> Iterator[JudgedStep]:
    """Yield the failed steps of a session with uncertain tags: the prompt as `question`, the category as gold."""
    tags = categorize(trace, experiment, scores)
    for failed in failed_steps(trace, experiment, tags):
        tag = tags[failed.step.index]
        if not tag.certain:
            yield JudgedStep(
                experiment=experiment.id,
                index=failed.step.index,
                language=experiment.language,
                question=prompt_of(failed),
                gold_answer=tag.category,
            )


def with_opinions(
    tags: dict[int, ErrorTag], trace: Trace, experiment: Experiment, opinions: Mapping[int, Sequence[tuple[str, str]]]
) -> dict[int, ErrorTag]:
    """Replace uncertain tags by a judge's opinions.

    `opinions` has, by index of the step, the judge's name and the detail of each verdict; of those on this very failure
    the last one counts.
    """
    refined = dict(tags)
    for failed in failed_steps(trace, experiment, tags):
        tag = tags[failed.step.index]
        said = [] if tag.certain else opinions.get(failed.step.index, [])
        question = prompt_of(failed) if said else ''
        valid = [(judge, opinion_of(detail)) for judge, detail in said if is_about(detail, question)]
        judge, opinion = valid[-1] if valid else ('', None)
        if opinion:
            refined[failed.step.index] = ErrorTag(
                category=CAUSES[opinion.cause][0],
                cause=opinion.cause,
                evidence=opinion.why[:MAX_EVIDENCE],
                propagated_from=tag.propagated_from,
                judged_by=judge,
            )
    return refined


def is_about(detail: str, question: str) -> bool:
    """Whether the detail of a verdict has an opinion on exactly this question."""
    return opinion_of(detail) is not None and json.loads(detail).get('of') == _digest(question)


def _digest(question: str) -> str:
    return hashlib.sha256(question.encode('utf-8', 'replace')).hexdigest()[:12]


def prompt_of(failed: FailedStep) -> str:
    prompts = own_prompts('failures')
    return prompts['prompt'].format(
        causes='\n'.join(f'- {cause} ({category}): {why}' for cause, (category, why) in CAUSES.items()),
        question=quoted(failed.step.question),
        gold=quoted(failed.step.code),
        gold_output=quoted(failed.step.text or ('a figure' if failed.step.kind == 'vis' else 'nothing')),
        code=quoted(failed.source or (failed.attempt.reply.text if failed.attempt else '')),
        outcome=quoted((render(failed.execution) if failed.execution else '') or 'nothing was shown'),
        form=prompts['form'],
    )


def read_opinion(reply: Reply) -> Opinion | None:
    """The opinion of a whole reply that ends in a JSON object with a known cause, and has no second one above it."""
    before, pairs = last_object(reply.text.rstrip()[-LONGEST:])
    return _opinion(dict(pairs)) if reply.finish_reason == 'stop' and '"cause"' not in before else None


def opinion_of(detail: str) -> Opinion | None:
    """The opinion in a JSON object; None for other texts and unknown causes."""
    try:
        answer = json.loads(detail)
    except (ValueError, RecursionError):
        return None
    return _opinion(answer) if isinstance(answer, dict) else None


def _opinion(answer: dict[str, Any]) -> Opinion | None:
    cause = str(answer.get('cause')).lower()
    return Opinion(cause, unicode_text(str(answer.get('why') or ''))) if cause in CAUSES else None
