"""Gold code: charges the ledger once more, column by column, from a table of the rules."""

from collections.abc import Iterable, Sequence
from dataclasses import fields

from cibench_eval.sets.rules.tariff import Rule
from cibench_eval.sets.rules.world import Membership, RuleWorld

COLUMNS = tuple(one.name for one in fields(Rule))
HELPERS = """\
def table(text):
    return pd.read_csv(io.StringIO(text), dtype=str, keep_default_na=False)


def between(t, since, until):
    return (t['date'] >= since) & ((t['date'] <= until) if until else True)


def fits(t, pattern):
    return np.char.startswith(t['code'], pattern[:-1]) if pattern.endswith('*') else t['code'] == pattern


def origin(t, name):
    return t[name] if name in t else t['place'] == name


def applies(t, r):
    m = fits(t, r.goods) & between(t, r.since, r.until)
    if r.ended:
        m &= t['date'] < r.ended
    if r.carrier:
        m &= t['carrier'] == r.carrier
    if r.origin:
        m &= origin(t, r.origin)
    if r.standing:
        m &= t[r.standing]
    if r.winter:
        m &= np.isin(t['month'], ['12', '01', '02'])
    if r.heavy:
        m &= t['kg'] >= t['heavy']
    if r.but:
        m &= ~(fits(t, r.but) if '.' in r.but else origin(t, r.but))
    return m


def amount(t, r):
    return float(r.amount) * {'value': t['value'] / 100, 'kg': t['kg'] / 100, 'entry': 1.0 + 0 * t['kg']}[r.per]


def columns(rows):
    t = {name: np.array(rows[name], dtype=str) for name in ('date', 'trader', 'place', 'carrier', 'code')}
    t |= {name: np.array(rows[name], dtype=float) for name in ('kg', 'value')}
    t['month'] = np.array([date[5:7] for date in t['date']])
    for members, column in ((leagues, 'place'), (standings, 'trader')):
        for one in members.itertuples():
            held = (t[column] == one.name) & between(t, one.since, one.until)
            t[one.of] = t.get(one.of, False) | held
    return t


def by_rank(rules):
    leagues_named = rules['origin'].isin(set(leagues['of']))
    return rules.assign(
        goods_rank=rules['goods'].str.rstrip('*').str.rstrip('.').str.len(),
        origin_rank=(rules['origin'] != '').astype(int) * 2 - leagues_named.astype(int),
        place=rules['number'].map(lambda one: tuple(map(int, one.split('.')))),
    ).sort_values(['goods_rank', 'origin_rank', 'place'])


def charged(rows, rules, order=by_rank):
    t, of = columns(rows), lambda kind: rules[rules['kind'] == kind]
    zero = np.zeros(len(rows))
    for kind in ('heavy', 'small', 'least', 'cap'):
        t[kind] = zero.copy()
        for r in of(kind).itertuples():
            t[kind][applies(t, r)] = float(r.amount)
    paragraph, duty, share, surcharge = np.full(len(rows), '', dtype='U8'), zero.copy(), zero.copy(), zero.copy()
    for r in order(of('rate')).itertuples():
        m = applies(t, r)
        paragraph[m], duty[m] = r.number, amount(t, r)[m]
    duty[t['value'] < t['small']] = 0
    for r in of('relief').itertuples():
        share = np.where(applies(t, r), np.maximum(share, float(r.amount)), share)
    levied, surcharges = {}, [(r, applies(t, r)) for r in of('surcharge').itertuples()]
    for r, m in surcharges:
        levied[r.number] = levied.get(r.number, False) | m
    for r, m in surcharges:
        surcharge += np.where(m & ~levied.get(r.unless, zero > 0), amount(t, r), 0)
    most = t['cap'] / 100 * t['value']
    rows = rows.assign(paragraph=paragraph, duty=duty, relief=share / 100 * duty, capped=surcharge > most)
    rows['surcharge'] = np.minimum(surcharge, most)
    rows['charge'] = np.maximum(rows['duty'] - rows['relief'] + rows['surcharge'], t['least'])
    return rows


def never(rules, circular):
    rules = rules[rules['circular'] != circular]
    return rules.assign(ended=rules['ended'].where(rules['by'] != circular, ''))


def with_change(rules, number, day, amount):
    old = rules.copy()
    current = (old['number'] == number) & (old['ended'] == '')
    new = old[current].assign(since=day, amount=str(amount))
    old.loc[current, 'ended'] = day
    return pd.concat([old, new] if amount is not None else [old], ignore_index=True)
"""
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
    return _filled(template, 'book', 'rules', '')


def naive_code(template: str, habit: str) -> str:
    """The code of a naive answer to the question: the rules are taken as a habit takes them."""
    order = f', {IN_ORDER}' if habit == 'in_order' else ''
    answer = _filled(template, f'charged(ledger, naive{order})', 'naive', order)
    return f'naive = {NAIVE_RULES[habit]}\n{answer}'


def _filled(template: str, book: str, rules: str, order: str) -> str:
    return template.replace('{book}', book).replace('{rules}', rules).replace('{order}', order)


def _members(members: Sequence[Membership]) -> str:
    return 'of,name,since,until\n' + ''.join(f'{one.of},{one.name},{one.since},{one.until}\n' for one in members)


def _rules(rules: Iterable[Rule]) -> str:
    rows = (','.join(_plain(getattr(rule, name)) for name in COLUMNS) for rule in rules)
    return '\n'.join([','.join(COLUMNS), *rows, ''])


def _plain(value: object) -> str:
    return f'{value:g}' if isinstance(value, float) else str(value)
