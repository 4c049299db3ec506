"""The sources of sessions of rules (`levels.py`):

    entries: 1200
    rules: {goods: 24, origins: 14, surcharges: 9, reliefs: 6, circulars: 3}
    questions: {one: 2, total: 2, plan: 1}
    sessions:
      a: {seed: 1}

`questions` says how many of each kind (`asking.KINDS`) a session has.
"""

import tempfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

from pydantic import Field, field_validator

from cibench_eval.packages import require
from cibench_eval.rendering import as_csv, fill
from cibench_eval.schema import CibenchError, Language
from cibench_eval.sets.levels import DrawnSession, Level, SeededSession
from cibench_eval.sets.rules.asking import KINDS, Asking, RuleQuestion, UnaskedError
from cibench_eval.sets.rules.drawing import RuleCounts, RuleDrawing
from cibench_eval.sets.rules.manual import FILES, TEXTS, manual
from cibench_eval.sets.rules.tariff import Rule
from cibench_eval.sets.rules.world import CLASSES, LedgerEntry, Membership, RuleWorld, draw_world
from cibench_eval.sets.templates import LANGUAGES, NaiveCode, SourceStep

ATTEMPTS = 10
"""Worlds that are drawn from a seed until all questions can be asked; one of some 300 needs a second."""
DEPARTS = 0.001
"""By which part of the right number a naive one differs at least."""
HELPERS = Path(__file__).with_name('first_cell.txt').read_text(encoding='utf-8')
HABITS = {
    'unamended': 'knows nothing of the circulars',
    'as_at_the_end': 'takes what holds at the end of the year to have held all year',
    'unexcepted': 'overlooks exceptions',
    'in_order': 'takes the last rate of the manual that applies, whatever is more special',
}
NAIVE_RULES = {
    'unamended': "rules[rules['circular'] == ''].assign(ended='')",
    'as_at_the_end': "rules[rules['ended'] == ''].assign(since='', until='')",
    'unexcepted': "rules.assign(but='', unless='')",
    'in_order': 'rules',
}
IN_ORDER = (
    "lambda rules: rules.assign(place=rules['number'].map(lambda one: tuple(map(int, one.split('.'))))"
    ").sort_values('place')"
)


class RulesLevel(Level):
    entries: int = Field(ge=200)
    rules: RuleCounts
    questions: dict[str, int]

    @field_validator('questions')
    @classmethod
    def _known(cls, questions: dict[str, int]) -> dict[str, int]:
        if unknown := questions.keys() - KINDS.keys():
            raise ValueError(f'{min(unknown)!r}; there is {", ".join(KINDS)}')
        return questions

    def draw(self, session: SeededSession, seed: str, folder: str) -> DrawnSession:
        require('sessions of rules', 'pandas')
        for attempt in range(ATTEMPTS):
            try:
                return self._drawn(Random(f'rules/{seed}/{attempt}' if attempt else f'rules/{seed}'), folder)
            except UnaskedError as error:
                problem = str(error)
        raise CibenchError(f'questions: {problem}; ask fewer of it')

    def _drawn(self, rng: Random, folder: str) -> DrawnSession:
        """A session; an UnaskedError where one of its questions cannot be asked in its world."""
        world = draw_world(rng, self.entries)
        drawing = RuleDrawing(world, self.rules, rng)
        changes = drawing.changes()
        asking = Asking(world, drawing.rules, changes, rng)
        files = {'ledger.csv': _table(LedgerEntry, world.ledger)}
        files |= {name: manual(world, drawing.rules, changes, language) for language, name in FILES.items()}
        first = _first_cell(world, asking.versions)
        kernel = _Kernel(first, files)
        wanted = [kind for kind, number in self.questions.items() for _ in range(number)]
        last = [kind for kind in wanted if kind == 'plan']
        rest = [kind for kind in wanted if kind != 'plan']
        rng.shuffle(rest)
        asked: list[RuleQuestion] = []
        for kind in (*rest, *last):
            asked.append(_ask(asking, kind, kernel, {one.words['en'] for one in asked}))
        letter = rng.choice([*CLASSES])
        return files, {
            language: [
                _first(world, letter, language, folder, first.replace('{data}', folder)),
                *(_step(one, language) for one in asked),
            ]
            for language in LANGUAGES
        }


def _first_cell(world: RuleWorld, rules: Iterable[Rule]) -> str:
    """The code of the first step, up to its answer: what was read in the manual, and the charges of the ledger.

    `{data}` in it stands for the folder of the files.
    """
    read = {
        'goods': as_csv([('goods', 'code'), *world.codes.items()]),
        'leagues': _table(Membership, world.leagues),
        'standings': _table(Membership, world.standings),
        'rules': _table(Rule, rules),
    }
    tables = '\n'.join(f"{name} = table('''{text}''')" for name, text in read.items())
    return f"""import io

import numpy as np
import pandas as pd


{HELPERS}

{tables}
ledger = pd.read_csv('{{data}}/ledger.csv').merge(goods, on='goods')
book = charged(ledger, rules)
"""


def _table(kind: type, records: Iterable[object]) -> str:
    """Records of a dataclass as CSV."""
    names = [one.name for one in fields(kind)]
    return as_csv([names, *([_plain(getattr(record, name)) for name in names] for record in records)])


def _plain(value: object) -> str:
    return f'{value:g}' if isinstance(value, float) else str(value)


def _gold_code(template: str) -> str:
    """The code of a question whose template leaves open by which rules it is answered."""
    return fill(template, book='book', rules='rules', order='')


def _naive_code(template: str, habit: str) -> str:
    """The code of a naive answer to the question: the rules are taken as a habit takes them."""
    order = f', {IN_ORDER}' if habit == 'in_order' else ''
    answer = fill(template, book=f'charged(ledger, naive{order})', rules='naive', order=order)
    return f'naive = {NAIVE_RULES[habit]}\n{answer}'


class _Kernel:
    """Runs the code of a session on its files, in this process: it is a part of the set, or was made from one."""

    def __init__(self, first: str, files: Mapping[str, str]) -> None:
        self._names: dict[str, Any] = {'print': lambda *_: None}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding='utf-8')
            exec(first.replace('{data}', folder), self._names)
            self._names['charged'] = _kept(self._names['charged'])

    def run(self, code: str) -> dict[str, Any]:
        """The variables after some code, which later code does not see."""
        names = dict(self._names)
        exec(code, names)
        return names


def _kept(charged: Callable[..., Any]) -> Callable[..., Any]:
    """Make the function `charged` of the gold code remember what it found for equal rows and rules."""
    found: dict[Any, Any] = {}

    def again(rows: Any, rules: Any, *order: Any) -> Any:
        key = rows.to_csv(), rules.to_csv(), bool(order)
        if key not in found:
            found[key] = charged(rows, rules, *order)
        return found[key]

    return again


def _ask(asking: Asking, kind: str, kernel: _Kernel, before: set[str]) -> RuleQuestion:
    """A question of a kind that was not asked `before`, and that at least one habit answers wrongly."""
    for _ in range(200):
        try:
            question = KINDS[kind](asking)
        except UnaskedError:
            continue
        if question.words['en'] in before:
            continue
        found = kernel.run(_gold_code(question.code))
        if not all(_same(found[name], right, 1e-9) for name, right in question.answers.items()):
            raise AssertionError(f'{question.words["en"]}: the gold code does not find what the rows say')
        naive = {}
        for habit in HABITS:
            code = _naive_code(question.code, habit)
            said = kernel.run(code)
            if not all(_same(said[name], right, DEPARTS) for name, right in question.answers.items()):
                naive[habit] = code
        if naive:
            return replace(question, naive=naive)
    raise UnaskedError(f'none of 200 of the kind {kind!r} can be asked')


def _same(said: Any, right: object, within: float) -> bool:
    """Whether two answers are the same: names, numbers to within a part of the right one, or lists of either."""
    if isinstance(right, list):
        return len(said) == len(right) and all(_same(one, two, within) for one, two in zip(said, right, strict=True))
    if isinstance(right, float):
        return bool(abs(said - right) <= within * max(1.0, abs(right)))
    return bool(said == right)


def _first(world: RuleWorld, letter: str, language: Language, folder: str, code: str) -> SourceStep:
    text = Path(__file__).with_name(f'conventions_{language}.txt').read_text(encoding='utf-8').strip()
    question = text.format(data=folder, manual=FILES[language], goods=CLASSES[letter][language])
    code += f"answer = int((book['code'].str[0] == '{letter}').sum())\nprint(answer)"
    return SourceStep.of(language, question, TEXTS['thoughts']['first'][language], code, 'num', answer='answer: count')


def _step(question: RuleQuestion, language: Language) -> SourceStep:
    return SourceStep.of(
        language,
        question.words[language],
        TEXTS['thoughts']['other'][language],
        _gold_code(question.code),
        question.kind,
        listed=question.kind == 'text',
        answer=question.declared,
        naive=tuple(NaiveCode(HABITS[habit], (habit,), code) for habit, code in question.naive.items()),
        depends=(1,),
    )
