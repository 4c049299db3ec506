"""Pairs (gold output, answer) that a person has called right or wrong, and how `strict` judges them.

`tests/evaluators/comparing/pairs/*.yaml` are those that the rules were written with or mended on (`*_builtin.yaml`:
for steps of the built-in set), `pairs/held_out/*.yaml` those that were written when the rules were done. The name of a
file begins with what its steps are: `numbers`, `prose` or `lists`. An entry has a kind, a gold output, answers that are
right, answers that are wrong, and optionally a `question`, `tolerance` or `absolute`.

    python -m tests.support.pairs              # rates by kind
    python -m tests.support.pairs --show       # and every pair that is judged wrongly
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

from cibench_eval.evaluators import find_profile
from cibench_eval.schema import Step
from tests.support.scoring import block, call, score_step

FOLDER = Path(__file__).parents[1] / 'evaluators/comparing/pairs'


@dataclass(frozen=True)
class Pair:
    """One answer to one gold output."""

    kind: str
    step: Step
    answer: str
    right: bool

    @property
    def judged_right(self) -> bool:
        """Whether the step would count as correct."""
        deciding = find_profile('strict').deciding(self.step.kind)
        return score_step([call(block('stdout', self.answer))], self.step).score >= deciding.correct_from


def pairs(folder: Path) -> Iterator[Pair]:
    """All pairs of a folder."""
    for file in sorted(folder.glob('*.yaml')):
        for case in yaml.safe_load(file.read_text(encoding='utf-8')):
            step = _step(file.stem, case)
            for right in (True, False):
                for answer in case['right' if right else 'wrong'] or []:
                    yield Pair(case['kind'], step, answer, right)


def _step(stem: str, case: dict) -> Step:
    kind = 'num' if stem.startswith('numbers') else 'text'
    margin = {'tolerance': case.get('tolerance'), 'absolute': case.get('absolute', 0.0)}
    question, listed = case.get('question', '?'), stem.startswith('lists')
    return Step(index=0, question=question, code='pass', kind=kind, text=case['gold'], listed=listed, **margin)


def errors(judged: list[Pair], right: bool) -> list[Pair]:
    """The right pairs that are judged wrong, or the wrong ones that are judged right."""
    return [pair for pair in judged if pair.right is right and pair.judged_right is not right]


def report(judged: list[Pair]) -> str:
    """A table by kind: right answers judged wrong and wrong answers judged right, of how many."""
    kinds: dict[str, list[Pair]] = defaultdict(list)
    for pair in judged:
        kinds[pair.kind].append(pair)
    lines = [_line(kind, those) for kind, those in kinds.items()]
    return '\n'.join([f'{"":<26}{"right judged wrong":>20}{"wrong judged right":>20}', *lines, _line('all', judged)])


def _line(kind: str, judged: list[Pair]) -> str:
    counts = [f'{len(errors(judged, right))} of {sum(p.right is right for p in judged)}' for right in (True, False)]
    return f'{kind:<26}{counts[0]:>20}{counts[1]:>20}'


def main() -> None:
    for folder in (FOLDER, FOLDER / 'held_out'):
        if judged := list(pairs(folder)):
            print(f'{folder.name}\n{report(judged)}\n')
            if '--show' in sys.argv:
                for pair in [*errors(judged, right=True), *errors(judged, right=False)]:
                    called = 'right' if pair.right else 'wrong'
                    print(f'--- {pair.kind}: {called}\n{pair.step.text}\n  answered by\n{pair.answer}')


if __name__ == '__main__':
    main()
