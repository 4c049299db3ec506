"""Pairs (gold output, answer) that a person has called right or wrong, and how the profiles judge them.

`tests/evaluators/comparing/pairs/*.yaml` are those that rules were written with or mended on, and
`pairs/held_out/*.yaml` those that were written when they were done. `*_builtin.yaml` are for steps of the built-in set,
whose questions fix the form of an answer, and so are `*_fresh1.yaml` and `*_fresh2.yaml`, by two authors who did not
know the rules of `strict`; all others are for golds of their authors' own. The authors of `*_open1.yaml` and further
ones did not know `open_form`, which was written anew with the first two files at hand. The name of a file begins with
what its steps are: `numbers`, `prose` or `lists`. An entry has a kind, a gold output, answers that are right, answers
that are wrong, and optionally a `question`, `tolerance` or `absolute`.

    python -m tests.support.pairs                        # both profiles, by set
    python -m tests.support.pairs --kinds open_form      # one profile, by kind
    python -m tests.support.pairs --show strict          # every pair that it judges wrongly
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import yaml

import cibench_eval
from cibench_eval.datasets.appended import modules_sentence
from cibench_eval.evaluators import find_profile
from cibench_eval.schema import Language, Step
from cibench_eval.sets.checking.static import reads_chinese
from tests.support.scoring import block, call, score_step

FOLDER = Path(__file__).parents[1] / 'evaluators/comparing/pairs'
COMPARING = Path(cibench_eval.__file__).parent / 'evaluators/comparing'
RULES = {'strict': 'printed', 'open_form': 'open_form'}
"""Profiles that read printed answers, and the folder of their rules."""
FIXED = ('builtin', 'fresh1', 'fresh2')
"""Ends of the names of files whose questions fix the form of an answer."""
MODULES = ['pandas']
APPENDED = re.compile(r'\s*(?:Please use|请用) [^\n]* (?:modules|模块)\.\s*$')


@dataclass(frozen=True)
class Pair:
    """One answer to one gold output."""

    kind: str
    step: Step
    answer: str
    right: bool
    file: str = ''

    def judged_right(self, profile: str = 'strict') -> bool:
        """Whether the step would count as correct."""
        deciding = find_profile(profile).deciding(self.step.kind)
        scored = score_step([call(block('stdout', self.answer))], self.step, profile=profile)
        return scored.score >= deciding.correct_from

    def judged_wrongly(self, profile: str) -> bool:
        return self.judged_right(profile) is not self.right


def pairs(folder: Path, names: str = '*') -> Iterator[Pair]:
    """All pairs of the files of a folder that have such names."""
    for file in sorted(folder.glob(f'{names}.yaml')):
        for case in yaml.safe_load(file.read_text(encoding='utf-8')):
            step = _step(file.stem, case)
            for right in (True, False):
                for answer in case['right' if right else 'wrong'] or []:
                    yield Pair(case['kind'], step, answer, right, file.stem)


def _step(stem: str, case: dict) -> Step:
    kind = 'num' if stem.startswith('numbers') else 'text'
    margin = {'tolerance': case.get('tolerance'), 'absolute': case.get('absolute', 0.0)}
    question, listed = _as_loaded(case.get('question', '?')), stem.startswith('lists')
    gold = {'text': case['gold'], 'listed': listed, 'modules': MODULES}
    return Step(index=0, question=question, code='pass', kind=kind, **gold, **margin)


def _as_loaded(question: str) -> str:
    """A question with the sentence that the loader appends, in place of the one that those of the built-in set have."""
    language: Language = 'cn' if reads_chinese(question) else 'en'
    return APPENDED.sub('', question) + modules_sentence(MODULES, language)


def report(judged: dict[str, list[Pair]], profile: str) -> str:
    """A table: right answers judged wrong and wrong answers judged right, of how many, of each group of pairs."""
    lines = [_line(name, those, profile) for name, those in judged.items()]
    return '\n'.join([f'{profile:<26}{"right refused":>24}{"wrong passed":>24}', *lines])


def _line(name: str, judged: list[Pair], profile: str) -> str:
    cells = []
    for right in (True, False):
        those = [pair for pair in judged if pair.right is right]
        errors = sum(pair.judged_wrongly(profile) for pair in those)
        cells.append(f'{errors} of {len(those)} ({errors / max(1, len(those)):.1%})')
    return f'{name:<26}{cells[0]:>24}{cells[1]:>24}'


def by(judged: list[Pair], group: str) -> dict[str, list[Pair]]:
    """Pairs by their kind, or by the set that they are of."""
    groups: dict[str, list[Pair]] = defaultdict(list)
    for pair in judged:
        form, _, source = pair.file.partition('_')
        whole = source if source in FIXED else 'open questions'
        for name in {pair.kind} if group == 'kind' else {whole, f'{whole}: {form}'}:
            groups[name].append(pair)
    return dict(sorted(groups.items()))


def size_of(profile: str) -> int:
    """How many lines the rules of a profile have."""
    return sum(len(file.read_text(encoding='utf-8').splitlines()) for file in (COMPARING / RULES[profile]).glob('*.py'))


def main() -> None:
    named = [name for name in sys.argv[1:] if name in RULES]
    every = [*pairs(FOLDER), *pairs(FOLDER / 'held_out')]
    for profile in named or RULES:
        print(report(by(every, 'kind' if '--kinds' in sys.argv else 'set'), profile))
        print(f'{size_of(profile)} lines of rules\n')
        for pair in every if '--show' in sys.argv else []:
            if pair.judged_wrongly(profile):
                called = 'right' if pair.right else 'wrong'
                print(f'--- {pair.kind}: {called}\n{pair.step.text}\n  answered by\n{pair.answer}')


if __name__ == '__main__':
    main()
