"""How far a judge of prose agrees with people: it is asked about answers that their authors call right or wrong.

    python -m benchmarks.judging configs/judges/local_vllm.py                       # those that no rule was mended on
    python -m benchmarks.judging my_judge.py --pairs tests/evaluators/comparing/pairs

Prints, for each judge of text in the file and for exact words, how many right answers are refused, how many wrong ones
pass, and Krippendorff's α with the authors. `cibench agreement RUN --labels FILE` does it for answers of a run.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path

from cibench_eval.analysis.agreement import krippendorff_alpha
from cibench_eval.concurrency import run_all
from cibench_eval.evaluators.comparing.numbers import CJK_SIGN
from cibench_eval.evaluators.judges.base import JudgedStep
from cibench_eval.evaluators.judges.running import LoadedJudge
from cibench_eval.run.judged import load_judges
from cibench_eval.schema import Language
from tests.support.pairs import FOLDER, Pair, pairs


def judged(number: int, pair: Pair) -> JudgedStep:
    """A pair as a judge sees it."""
    question, gold = pair.step.question, pair.step.text or ''
    language: Language = 'cn' if CJK_SIGN.search(question) else 'en'
    return JudgedStep(
        experiment='pairs', index=number, language=language, question=question, answer=pair.answer, gold_answer=gold
    )


async def verdicts(by: LoadedJudge, asked: list[Pair]) -> list[float | None]:
    """The verdict on each answer, 0 to 1."""
    found: dict[int, float | None] = {}
    waiting = iter(enumerate(asked))

    async def work() -> None:
        for number, pair in waiting:
            step = judged(number, pair)
            found[number] = (await by.judge.judge(step, by.judge.questions(step))).score

    async with by.judge.model:
        await run_all(work() for _ in range(by.max_requests))
    return [found[number] for number in range(len(asked))]


def line(name: str, said: list[float | None], asked: list[Pair]) -> str:
    both = [(score, pair.right) for score, pair in zip(said, asked, strict=True) if score is not None]
    refused = sum(score < 0.5 for score, right in both if right)
    passed = sum(score >= 0.5 for score, right in both if not right)
    alpha = krippendorff_alpha([[score for score, _ in both], [float(right) for _, right in both]])
    right = sum(one for _, one in both)
    return (
        f'{name:<24} right refused {refused:>3} of {right:<4} wrong passed {passed:>3} of {len(both) - right:<4} '
        f'α {alpha:5.2f}   without a verdict {len(said) - len(both)}'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('config', type=Path, help='a file of judges')
    parser.add_argument('--pairs', type=Path, default=FOLDER / 'held_out', help='a folder with files `prose*.yaml`')
    args = parser.parse_args()
    asked = [pair for pair in pairs(args.pairs, 'prose*') if pair.step.question != '?']
    print(line('exact words', [float(pair.judged_right()) for pair in asked], asked))
    with tempfile.TemporaryDirectory() as folder:
        for by in load_judges(args.config, 'text', Path(folder)):
            by.judge.check()
            print(line(by.name, asyncio.run(verdicts(by, asked)), asked), flush=True)


if __name__ == '__main__':
    main()
