"""Gold code: charges the ledger once more, column by column, from a table of the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path

from cibench_eval.rendering import fill
from cibench_eval.sets.rules.tariff import Rule
from cibench_eval.sets.rules.world import Membership, RuleWorld

COLUMNS = tuple(one.name for one in fields(Rule))
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


def first_cell(world: RuleWorld, rules: Iterable[Rule]) -> str:
    """The code of the first step, up to its answer: what was read in the manual, and the charges of the ledger.

    `{data}` in it stands for the folder of the files.
    """
    goods = 'goods,code\n' + ''.join(f'{name},{code}\n' for name, code in world.codes.items())
    parts = (('goods', goods), ('leagues', _members(world.leagues)), ('standings', _members(world.standings)))
    tables = '\n'.join(f"{name} = table('''{text}''')" for name, text in (*parts, ('rules', _rules(rules))))
    return f"""import io

import numpy as np
import pandas as pd


{HELPERS}

{tables}
ledger = pd.read_csv('{{data}}/ledger.csv').merge(goods, on='goods')
book = charged(ledger, rules)
"""


def gold_code(template: str) -> str:
    """The code of a question whose template leaves open by which rules it is answered."""
    return fill(template, book='book', rules='rules', order='')


def naive_code(template: str, habit: str) -> str:
    """The code of a naive answer to the question: the rules are taken as a habit takes them."""
    order = f', {IN_ORDER}' if habit == 'in_order' else ''
    answer = fill(template, book=f'charged(ledger, naive{order})', rules='naive', order=order)
    return f'naive = {NAIVE_RULES[habit]}\n{answer}'


def _members(members: Sequence[Membership]) -> str:
    return 'of,name,since,until\n' + ''.join(f'{one.of},{one.name},{one.since},{one.until}\n' for one in members)


def _rules(rules: Iterable[Rule]) -> str:
    rows = (','.join(_plain(getattr(rule, name)) for name in COLUMNS) for rule in rules)
    return '\n'.join([','.join(COLUMNS), *rows, ''])


def _plain(value: object) -> str:
    return f'{value:g}' if isinstance(value, float) else str(value)
