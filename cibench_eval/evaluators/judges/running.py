"""Judges on the steps of a run.

A step is asked about again only if what is asked has changed: its answer, the judge's config, our words.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from cibench_eval.cache import only_one
from cibench_eval.concurrency import run_all
from cibench_eval.evaluators.judges.base import Judge, JudgedStep
from cibench_eval.evaluators.judges.failures import FailureJudge
from cibench_eval.evaluators.judges.store import JudgedDataset, Key, Verdict, has_no_verdict, hash_of_answer
from cibench_eval.files import write_whole
from cibench_eval.models.identity import digest
from cibench_eval.models.metering import Ledger, RunLimitError
from cibench_eval.rendering import quote
from cibench_eval.schema import CibenchError, HarnessError, Part, RefusedError, Reply, RunOverError, UnreachableError
from cibench_eval.terminal import Log

MOST_FAULTS = 5
"""Steps in a row at which a judge may fail, beside those that it is asked about at the same time; then it is not asked
any more. Steps at which it is refused do not count."""


@dataclass(frozen=True)
class LoadedJudge:
    """A judge of a config."""

    name: str
    judge: Judge
    identity: str
    """Hash of what its verdicts depend on."""
    ledger: Ledger
    """Counts what judging the run has used."""
    max_requests: int
    """Questions at the same time."""


async def judge_run(datasets: Sequence[JudgedDataset], judges: Sequence[LoadedJudge], log: Log) -> list[str]:
    """Let every judge judge every step that it has not judged.

    Returns:
        A line for each judge that was asked and gave no valid verdict at all, with its first reply.

    Raises:
        CibenchError: a judge lacks something, before anything is asked, or the run folder is not whole, or a dataset
            has verdicts of another metric under a judge's name.
        HarnessError: a limit is used up; or, when all judges have done what they can, steps could not be judged, or a
            judge has failed at `MOST_FAULTS` in a row or can be asked no more. What is judged is kept.
    """
    for one in judges:
        one.judge.check()
    faults: list[HarnessError] = []
    stopped: list[str] = []
    given: list[list[Verdict]] = []
    for one in judges:
        outcomes: list[HarnessError | None] = []
        try:
            given.append(await _judge_all(datasets, one, outcomes, log))
        except RunLimitError:
            raise
        except HarnessError as error:  # costs this judge alone
            outcomes += [] if error in outcomes else [error]
            stopped.append(one.name)
        faults += [fault for fault in outcomes if fault]
    ledger = judges[0].ledger
    ledger.refresh()
    if ledger.tokens:
        log(f'judging this run has used {ledger.text}')
    if faults:
        steps = f'{len(faults)} step{"s" * (len(faults) > 1)} not judged'
        cost = f'judging by {", ".join(stopped)} ended early' if stopped else steps
        raise HarnessError(f'{faults[0]}; {cost}; what is judged is kept, and the same command goes on')
    return [_silence(own) for own in given if has_no_verdict(own)]


async def _judge_all(
    datasets: Sequence[JudgedDataset], by: LoadedJudge, outcomes: list[HarnessError | None], log: Log
) -> list[Verdict]:
    """Let a judge judge all datasets, and return its verdicts; summaries are written of what it has judged, always."""
    given: list[Verdict] = []
    async with by.judge.model:
        for dataset in datasets:
            with only_one(dataset.verdicts.path, log):
                done, before = _earlier(dataset, by), len(outcomes)
                try:
                    await _judge_dataset(dataset, by, done, outcomes)
                finally:
                    current = [
                        one for one in dataset.current() if one.judge != by.name or one.identity in ('', by.identity)
                    ]
                    if summary := _summarize(dataset, current).get(by.name):
                        log(f'{by.name} on {dataset.name}: {_line(summary)}')
                if not summary and len(outcomes) == before:
                    log(f'{by.name} on {dataset.name}: no step of the kind that it judges{_hint(by, dataset)}')
            given += [verdict for verdict in current if verdict.judge == by.name]
    return given


def _earlier(dataset: JudgedDataset, by: LoadedJudge) -> dict[Key, Verdict]:
    """The verdicts on a dataset; a `CibenchError` where the judge would take the places of another metric's."""
    done = dataset.verdicts.load(cut_torn=True)
    others = {verdict.metric for verdict in done.values() if verdict.judge == by.name} - {by.judge.metric}
    if others:
        raise CibenchError(
            f'judge {by.name}: {dataset.verdicts.path} has its verdicts by the metric {min(others)}, and those by '
            f'{by.judge.metric} would replace them; give one of the two another abbr'
        )
    return done


def _silence(verdicts: Sequence[Verdict]) -> str:
    asked = [verdict for verdict in verdicts if verdict.replies]
    first = asked[0]
    return (
        f'judge {first.judge}: no valid verdict on any of {len(asked)} steps ({first.detail}); its first reply: '
        f'{quote(first.replies[0].text)}; {_mend(first.replies[0])}'
    )


def _mend(reply: Reply) -> str:
    if reply.finish_reason == 'length':
        return 'raise max_out_len of its model'
    anew = ', or ask this one anew with reply_cache=False' if reply.cached else ''
    return f'take a model that keeps to the form{anew}'


async def _judge_dataset(
    dataset: JudgedDataset, by: LoadedJudge, done: dict[Key, Verdict], outcomes: list[HarnessError | None]
) -> None:
    """Workers take steps from one queue; a fault costs its step alone, unless no step could be judged any more.

    Args:
        outcomes: of what the judge was asked so far, on all datasets: a fault, or None; it gets more.

    Raises:
        HarnessError: the fault that all steps would have, or with which the judge is given up, once the other workers
            have finished their steps.
    """
    judge = by.judge
    waiting = dataset.uncertain_failures() if isinstance(judge, FailureJudge) else dataset.steps(judge.kinds)
    most = MOST_FAULTS + by.max_requests - 1

    def is_given_up() -> bool:
        last = [outcome for outcome in outcomes if not isinstance(outcome, RefusedError)][-most:]
        return len(last) == most and all(last)

    async def ask(step: JudgedStep, questions: list[list[Part]], asked: str) -> None:
        earlier = done.get((by.name, step.experiment, step.index))
        paid = earlier.replies if earlier and earlier.asked == asked else ()
        try:
            judgement = await judge.judge(step, questions)
        except HarnessError as error:
            outcomes.append(error)
            if isinstance(error, (RunOverError, UnreachableError)) or is_given_up():
                raise
        else:
            outcomes.extend([None] if judgement.replies else [])
            # replies that come from the cache again stay counted as they first were
            replies = [*judgement.replies]
            replies[: len(paid)] = [old if one.cached else one for old, one in zip(paid, replies, strict=False)]
            kept = judgement.model_copy(update={'replies': tuple(replies)})
            dataset.verdicts.append(Verdict.of(step, by.name, by.identity, judge.metric, asked, kept))

    async def work() -> None:
        try:
            for step in waiting:
                questions = judge.questions(step)
                asked = digest([by.identity, questions or judge.nothing(step)])
                answered = hash_of_answer(step)
                earlier = done.get((by.name, step.experiment, step.index))
                if earlier is None or earlier.asked != asked or earlier.without_verdict:
                    await ask(step, questions, asked)
                elif earlier.answered == answered:
                    continue
                elif earlier.on_failure:  # its score compares it with the category of the rules, which is another now
                    await ask(step, questions, asked)
                else:  # what was asked does not tell it
                    dataset.verdicts.append(earlier.model_copy(update={'answered': answered}))
        finally:
            waiting.close()

    await run_all(work() for _ in range(by.max_requests))


def _summarize(dataset: JudgedDataset, current: list[Verdict]) -> dict[str, Any]:
    """Write `<dataset>.judge.json`: for each judge its mean × 100, counts, tokens, and every step."""
    verdicts = sorted(current, key=lambda verdict: (verdict.experiment, verdict.index))
    names = dict.fromkeys(verdict.judge for verdict in verdicts)
    summary = {name: _summary([verdict for verdict in verdicts if verdict.judge == name]) for name in names}
    write_whole(dataset.verdicts.path.with_suffix('.json'), json.dumps(summary, ensure_ascii=False, indent=1))
    return summary


def _summary(verdicts: list[Verdict]) -> dict[str, Any]:
    scores = [verdict.score for verdict in verdicts if verdict.score is not None]
    paid = [reply for verdict in verdicts for reply in verdict.replies if not reply.cached]
    return {
        'metric': verdicts[0].metric,
        'mean': 100 * sum(scores) / len(scores) if scores and not has_no_verdict(verdicts) else None,
        'steps': len(verdicts),
        'judge_invalid': len(verdicts) - len(scores),
        'nothing_to_judge': sum(not verdict.replies for verdict in verdicts),
        'replies': len(paid),
        'tokens_in': sum(reply.tokens_in or 0 for reply in paid),
        'tokens_out': sum(reply.tokens_out or 0 for reply in paid),
        'details': [verdict.model_dump(include={'experiment', 'index', 'score', 'detail'}) for verdict in verdicts],
    }


def _hint(by: LoadedJudge, dataset: JudgedDataset) -> str:
    plots = any(step.kind == 'plot' for experiment in dataset.experiments for step in experiment.steps)
    return ' (--metric qwen judges plots)' if plots and by.judge.kinds and 'plot' not in by.judge.kinds else ''


def _line(of: dict[str, Any]) -> str:
    mean = '–' if of['mean'] is None else f'{of["mean"]:.1f}'
    return (
        f'{mean} ({of["steps"]} steps: {of["nothing_to_judge"]} with nothing to judge, '
        f'{of["judge_invalid"]} without a valid verdict; {of["replies"]} replies, '
        f'{of["tokens_in"]} + {of["tokens_out"]} tokens)'
    )
