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
from cibench_eval.evaluators.judges.store import JudgedDataset, Verdict, has_no_verdict, hash_of_answer
from cibench_eval.files import write_whole
from cibench_eval.models.identity import digest
from cibench_eval.models.metering import Ledger, RunLimitError
from cibench_eval.rendering import quote
from cibench_eval.schema import CibenchError, HarnessError, Part, Reply, RunOverError, UnreachableError
from cibench_eval.terminal import Log

MOST_FAULTS = 5
"""Steps in a row at which a judge may fail; then it is not asked any more."""


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
        CibenchError: a judge lacks something, before anything is asked, or the run folder is not whole.
        HarnessError: steps could not be judged, which is raised when all others are, or a judge has failed at
            `MOST_FAULTS` in a row or can be asked no more, or a limit is used up. What is judged is kept.
    """
    for one in judges:
        _check_names(one, datasets, log)
        one.judge.check()
    faults: list[HarnessError] = []
    for one in judges:
        async with one.judge.model:
            for dataset in datasets:
                with only_one(dataset.verdicts.path, log):
                    faults += await _judge_dataset(dataset, one)
                    log(_line(one, dataset, _summarize(dataset).get(one.name)))
    ledger = judges[0].ledger
    ledger.refresh()
    if ledger.tokens:
        log(f'judging this run has used {ledger.text}')
    if faults:
        steps = f'{len(faults)} step{"s" * (len(faults) > 1)}'
        raise HarnessError(
            f'{faults[0]}; {steps} not judged; what is judged is kept, and the same command asks about the others again'
        )
    given = [verdict for dataset in datasets for verdict in dataset.current()]
    return [_silence(own) for one in judges if has_no_verdict(own := [v for v in given if v.judge == one.name])]


def _check_names(by: LoadedJudge, datasets: Sequence[JudgedDataset], log: Log) -> None:
    """Raise a `CibenchError` where a judge would take the places of verdicts by another metric."""
    for dataset in datasets:
        with only_one(dataset.verdicts.path, log):
            done = dataset.verdicts.load(cut_torn=True).values()
        others = {verdict.metric for verdict in done if verdict.judge == by.name} - {by.judge.metric}
        if others:
            raise CibenchError(
                f'judge {by.name}: {dataset.verdicts.path} has its verdicts by the metric {min(others)}, and those by '
                f'{by.judge.metric} would replace them; give one of the two another abbr'
            )


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


async def _judge_dataset(dataset: JudgedDataset, by: LoadedJudge) -> list[HarnessError]:
    """Workers take steps from one queue; a fault costs its step alone, unless no step could be judged any more.

    Returns:
        The faults. One that all steps would have is raised, as is that after `MOST_FAULTS` in a row, once the other
        workers have finished theirs.
    """
    faults: list[HarnessError] = []
    row = 0
    done, judge = dataset.verdicts.load(cut_torn=True), by.judge
    waiting = dataset.uncertain_failures() if isinstance(judge, FailureJudge) else dataset.steps(judge.kinds)

    async def ask(step: JudgedStep, questions: list[list[Part]], asked: str) -> None:
        nonlocal row
        try:
            judgement = await judge.judge(step, questions)
        except (RunOverError, UnreachableError):
            raise
        except HarnessError as error:
            faults.append(error)
            row += 1
            if row >= MOST_FAULTS:
                raise
        else:
            row = 0 if judgement.replies else row
            dataset.verdicts.append(Verdict.of(step, by.name, judge.metric, asked, judgement))

    async def work() -> None:
        try:
            for step in waiting:
                questions = judge.questions(step)
                asked = digest([by.identity, questions or judge.nothing(step)])
                earlier = done.get((by.name, step.experiment, step.index))
                if earlier is None or earlier.asked != asked or earlier.without_verdict:
                    await ask(step, questions, asked)
                elif earlier.answered != (answered := hash_of_answer(step)):  # what was asked does not tell it
                    dataset.verdicts.append(earlier.model_copy(update={'answered': answered}))
        except RunLimitError:
            raise
        except HarnessError as error:
            raise HarnessError(f'{error}; what is judged is kept, and the same command goes on') from error
        finally:
            waiting.close()

    await run_all(work() for _ in range(by.max_requests))
    return faults


def _summarize(dataset: JudgedDataset) -> dict[str, Any]:
    """Write `<dataset>.judge.json`: for each judge its mean × 100, counts, tokens, and every step."""
    verdicts = sorted(dataset.current(), key=lambda verdict: (verdict.experiment, verdict.index))
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


def _line(by: LoadedJudge, dataset: JudgedDataset, of: dict[str, Any] | None) -> str:
    if of is None:
        plots = any(step.kind == 'plot' for experiment in dataset.experiments for step in experiment.steps)
        hint = ' (--metric qwen judges plots)' if plots and 'plot' not in by.judge.kinds else ''
        return f'{by.name} on {dataset.name}: no step of the kind that it judges{hint}'
    mean = '–' if of['mean'] is None else f'{of["mean"]:.1f}'
    return (
        f'{by.name} on {dataset.name}: {mean} ({of["steps"]} steps: {of["nothing_to_judge"]} with nothing to judge, '
        f'{of["judge_invalid"]} without a valid verdict; {of["replies"]} replies, '
        f'{of["tokens_in"]} + {of["tokens_out"]} tokens)'
    )
