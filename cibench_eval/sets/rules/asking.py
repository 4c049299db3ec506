"""Questions about a ledger and its manual: their words, the code that answers them, and the answer by the rows."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise, product
from random import Random

from cibench_eval.schema import Language
from cibench_eval.sets.rules.manual import JOINS, TEXTS, ManualWords, spaced
from cibench_eval.sets.rules.tariff import Amendment, Charged, Rule, Tariff, versions
from cibench_eval.sets.rules.world import CARRIERS, CLASSES, PLACES, TRADERS, LedgerEntry, RuleWorld, day
from cibench_eval.sets.templates import LANGUAGES

Words = Mapping[Language, str]
QUESTIONS: dict[str, Words] = TEXTS['questions']
AMOUNTS: dict[str, Words] = TEXTS['amounts']
QUARTERS: list[Words] = TEXTS['quarters']
PARTS: dict[str, Words] = TEXTS['parts']


def said(texts: Words, **values: str | Words) -> Words:
    """Texts with their values, which may differ by language."""
    made: dict[Language, str] = {}
    for language in LANGUAGES:
        own = {name: one if isinstance(one, str) else one[language] for name, one in values.items()}
        text = texts[language].format(**own)
        made[language] = spaced(text) if language == 'cn' else text
    return made


def on_day(iso: str) -> Words:
    """A day as the manual writes it."""
    return {language: ManualWords(language).day(iso) for language in LANGUAGES}


def listed(numbers: Mapping[str, float]) -> Words:
    """Numbers of places, of carriers, or of days."""
    en, cn = [], []
    for name, number in numbers.items():
        before = 'in' if name in PLACES else 'by' if name in CARRIERS else 'on'
        words: Words = {'en': name, 'cn': name} if before != 'on' else on_day(name)
        en.append(f'{number:g} {before} {words["en"]}')
        cn.append(f'{words["cn"]} {number:g}')
    return {'en': ', '.join(en), 'cn': '、'.join(cn)}


AMOUNT = 'real(2, relative=0.0001)'
SMALLEST = 5.0
"""Crowns that a sum or a difference is at least, if it is asked for."""
APART = 1.01
"""By how much neighbours in an order differ at least."""
QUARTER = "(b['date'].str[5:7].astype(int) - 1) // 3"
Answer = float | list[float] | list[str]
Kept = Callable[[Charged], bool]


@dataclass(frozen=True)
class RuleQuestion:
    words: Words
    """The question in each language."""
    declared: str
    """The variables of its answer (`datasets/declared.py`)."""
    code: str
    """The code of its answer; `{book}`, `{rules}` and `{order}` stand for the charges and rules that are read."""
    answers: Mapping[str, Answer]
    """The answer by variable, as the rows say."""
    naive: Mapping[str, str] = field(default_factory=dict)
    """Habit -> code of its answer, where that departs from the right one."""

    @property
    def kind(self) -> str:
        """`text` where names alone are asked for."""
        return 'num' if 'real' in self.declared or 'count' in self.declared else 'text'


class UnaskedError(Exception):
    """The question cannot be asked of this ledger: another is drawn."""


class Asking:
    """Draws questions about one ledger; the methods of `KINDS` raise an `UnaskedError` where there is none."""

    def __init__(self, world: RuleWorld, rules: list[Rule], changes: list[Amendment], rng: Random) -> None:
        self._world, self._printed, self._changes, self._rng = world, rules, changes, rng
        self.versions = versions(rules, changes)
        self._book = Tariff(world, self.versions).all()

    def one(self) -> RuleQuestion:
        """What one entry is charged."""
        found = self._rng.choice(self._book)
        number = found.entry.entry
        code = f"charge = float({{book}}.set_index('entry').loc[{number}, 'charge'])\nprint(round(charge, 6))"
        words = said(QUESTIONS['one'], number=str(number))
        return RuleQuestion(words, f'charge: {AMOUNT}', code, {'charge': found.charge})

    def paragraphs(self) -> RuleQuestion:
        """Which rates count for some entries."""
        chosen = self._rng.sample(self._book, 5)
        numbers = [one.entry.entry for one in chosen]
        words = said(QUESTIONS['paragraphs'], numbers={one: JOINS[one].join(map(str, numbers)) for one in LANGUAGES})
        code = f"paragraphs = {{book}}.set_index('entry').loc[{numbers}, 'paragraph'].tolist()\nprint(paragraphs)"
        return RuleQuestion(words, 'paragraphs: list[text]', code, {'paragraphs': [one.paragraph for one in chosen]})

    def total(self) -> RuleQuestion:
        """A sum over some entries."""
        of_trader = partial(self._in_quarter, 'trader', TRADERS)
        of_carrier = partial(self._in_quarter, 'carrier', CARRIERS)
        where, keep, part = self._rng.choice((of_trader, of_carrier, self._of_place))()
        asked = self._rng.choice([*AMOUNTS])
        value = sum(getattr(one, asked) for one in self._book if keep(one))
        code = f"b = {{book}}\ntotal = float(b.loc[{where}, '{asked}'].sum())\nprint(round(total, 6))"
        words = said(QUESTIONS['total'], what=AMOUNTS[asked], part=part)
        return RuleQuestion(words, f'total: {AMOUNT}', code, {'total': _enough(value)})

    def quarters(self) -> RuleQuestion:
        """The charges of a class of goods by quarter."""
        letter = self._rng.choice([*CLASSES])
        values = [0.0] * 4
        for one in self._book:
            if self._code(one.entry)[0] == letter:
                values[_quarter(one.entry)] += one.charge
        code = (
            f"b = {{book}}\nb = b[b['code'].str[0] == '{letter}']\n"
            f"quarters = [float(b.loc[{QUARTER} == number, 'charge'].sum()) for number in range(4)]\n"
            'print([round(one, 6) for one in quarters])'
        )
        words = said(QUESTIONS['quarters'], goods=CLASSES[letter])
        declared = f'quarters: [{", ".join([AMOUNT] * 4)}]'
        return RuleQuestion(words, declared, code, {'quarters': [*map(_enough, values)]})

    def counted(self) -> RuleQuestion:
        """How many entries something holds of."""
        number = self._rng.choice(self._book).paragraph
        parts: dict[str, tuple[str, Kept]] = {
            'capped': ("b['capped']", lambda one: one.capped),
            'relief': ("b['relief'] > 0", lambda one: one.relief > 0),
            'surcharge': ("b['surcharge'] > 0", lambda one: one.surcharge > 0),
            'rate': (f"b['paragraph'] == '{number}'", lambda one: one.paragraph == number),
        }
        part = self._rng.choice([*parts])
        where, keep = parts[part]
        count = sum(map(keep, self._book))
        if count < 5:
            raise UnaskedError
        code = f'b = {{book}}\nentries = int(({where}).sum())\nprint(entries)'
        named = next(one.number for one in self._printed if one.kind == 'cap') if part == 'capped' else number
        words = said(QUESTIONS['counted'], part=said(PARTS[part], name=named))
        return RuleQuestion(words, 'entries: count', code, {'entries': float(count)})

    def greatest(self) -> RuleQuestion:
        """Three traders with the most of something."""
        asked = self._rng.choice([name for name in AMOUNTS if name != 'charge'])
        quarter = self._rng.randrange(4)
        of = _of_traders((one for one in self._book if _quarter(one.entry) == quarter), asked)
        order = sorted(of, key=lambda name: -of[name])[:4]
        if any(of[one] < APART * of[other] + SMALLEST for one, other in pairwise(order)):
            raise UnaskedError
        code = (
            f'b = {{book}}\nb = b[{QUARTER} == {quarter}]\n'
            f"greatest = b.groupby('trader')['{asked}'].sum().nlargest(3).index.tolist()\nprint(greatest)"
        )
        words = said(QUESTIONS['greatest'], what=AMOUNTS[asked], quarter=QUARTERS[quarter])
        return RuleQuestion(words, 'greatest: list[text]', code, {'greatest': order[:3]})

    def repealed(self) -> RuleQuestion:
        """What a rule is worth."""
        rule, since = self._open_rule(), day(self._rng, 40, 250)
        words = said(QUESTIONS['repealed'], number=rule.number, day=on_day(since))
        changed = f"with_change({{rules}}, '{rule.number}', '{since}', None)"
        return self._more(words, changed, self._with(rule, since, None))

    def never(self) -> RuleQuestion:
        """What a circular is worth."""
        circular = self._rng.choice(self._changes).circular
        rules = versions(self._printed, [one for one in self._changes if one.circular != circular])
        words = said(QUESTIONS['never'], number=circular)
        return self._more(words, f"never({{rules}}, '{circular}')", Tariff(self._world, rules).all())

    def instead(self) -> RuleQuestion:
        """Whom a dearer rule would touch."""
        rule, since = self._open_rule(), day(self._rng, 40, 250)
        dearer = replace(rule, amount=rule.amount * (0.5 if rule.kind == 'relief' else 2))
        now, then = _of_traders(self._book), _of_traders(self._with(rule, since, dearer))
        names = sorted(name for name in now if then[name] - now[name] > 0.01)
        if not 1 < len(names) < 12 or any(0.001 < abs(then[name] - now[name]) < 0.5 for name in now):
            raise UnaskedError
        code = (
            f"b = charged(ledger, with_change({{rules}}, '{rule.number}', '{since}', {dearer.amount}){{order}})\n"
            "change = b.groupby('trader')['charge'].sum() - {book}.groupby('trader')['charge'].sum()\n"
            'names = sorted(change[change > 0.01].index)\nprint(names)'
        )
        percent = ' %' if rule.kind == 'relief' else ''
        new = {language: ManualWords(language).amount(dearer) + percent for language in LANGUAGES}
        words = said(QUESTIONS['instead'], number=rule.number, day=on_day(since), new=new)
        return RuleQuestion(words, 'names: list[text]', code, {'names': names})

    def plan(self) -> RuleQuestion:
        """The cheapest way to bring goods in."""
        rng = self._rng
        trader, wanted, kg = rng.choice(TRADERS), rng.choice(sorted(self._world.codes)), 8 * rng.randint(60, 300)
        price = rng.randint(6, 16) / 4
        prices = {place: price + rng.choice((-0.25, 0, 0, 0.25)) for place in rng.sample(PLACES, 6)}
        freights = {carrier: rng.randint(8, 24) / 4 for carrier in CARRIERS}
        landing = {when: float(rng.randint(4, 30)) for when in sorted(day(rng, 20, 350) for _ in range(3))}
        tariff, costs = Tariff(self._world, self.versions), {}
        for place, carrier, when, parts in product(prices, freights, landing, (1, 2)):
            entry = LedgerEntry(0, when, trader, wanted, place, carrier, kg // parts, round(prices[place] * kg / parts))
            each = entry.value + tariff.charged(entry).charge + landing[when]
            costs[place, carrier, when, str(parts)] = parts * each + freights[carrier] * kg / 100
        (best, cost), (_, second) = sorted(costs.items(), key=lambda one: one[1])[:2]
        if second < 1.002 * cost:
            raise UnaskedError
        code = _PLAN.format(
            prices=prices, freights=freights, landing=landing, trader=trader, code=self._world.codes[wanted], kg=kg
        )
        numbers = {'prices': listed(prices), 'freights': listed(freights), 'landing': listed(landing)}
        words = said(QUESTIONS['plan'], trader=trader, goods=wanted, kg=str(kg), **numbers)
        return RuleQuestion(words, f'cost: {AMOUNT}; plan: list[text]', code, {'cost': cost, 'plan': [*best]})

    def _more(self, words: Words, rules: str, then: list[Charged]) -> RuleQuestion:
        difference = sum(one.charge for one in then) - sum(one.charge for one in self._book)
        code = (
            f'b = charged(ledger, {rules}{{order}})\n'
            "more = float(b['charge'].sum() - {book}['charge'].sum())\nprint(round(more, 6))"
        )
        return RuleQuestion(words, f'more: {AMOUNT}', code, {'more': _enough(difference)})

    def _in_quarter(self, column: str, names: Sequence[str]) -> tuple[str, Kept, Words]:
        name, quarter = self._rng.choice(names), self._rng.randrange(4)
        words = said(PARTS[column], name=name, quarter=QUARTERS[quarter])
        where = f"(b['{column}'] == '{name}') & ({QUARTER} == {quarter})"
        return where, lambda one: getattr(one.entry, column) == name and _quarter(one.entry) == quarter, words

    def _of_place(self) -> tuple[str, Kept, Words]:
        name, letter = self._rng.choice(PLACES), self._rng.choice([*CLASSES])
        words = said(PARTS['place'], name=name, goods=CLASSES[letter])
        where = f"(b['place'] == '{name}') & (b['code'].str[0] == '{letter}')"
        return where, lambda one: one.entry.place == name and self._code(one.entry)[0] == letter, words

    def _open_rule(self) -> Rule:
        """A rule that holds all year, and that no entry needs."""
        changed = {one.number for one in self._changes}
        named = {one.unless for one in self._printed}
        return self._rng.choice(
            [
                one
                for one in self._printed
                if one.kind in ('rate', 'surcharge', 'relief')
                and not (one.since or one.until or one.number in changed or one.number in named)
                and not one.is_basic
            ]
        )

    def _with(self, rule: Rule, since: str, new: Rule | None) -> list[Charged]:
        changed = versions(self._printed, [*self._changes, Amendment('', since, rule.number, new)])
        return Tariff(self._world, changed).all()

    def _code(self, entry: LedgerEntry) -> str:
        return self._world.codes[entry.goods]


KINDS: dict[str, Callable[[Asking], RuleQuestion]] = {name: getattr(Asking, name) for name in QUESTIONS}
_PLAN = """\
prices, freights, landing = {prices}, {freights}, {landing}
ways = [(place, carrier, day, parts) for place in prices for carrier in freights for day in landing for parts in (1, 2)]
plans = pd.DataFrame(ways, columns=['place', 'carrier', 'date', 'parts'])
plans['trader'], plans['code'], plans['kg'] = '{trader}', '{code}', {kg} / plans['parts']
plans['value'] = plans['place'].map(prices) * plans['kg']
plans = charged(plans, {{rules}}{{order}})
each = plans['value'] + plans['charge'] + plans['date'].map(landing)
plans['cost'] = plans['parts'] * each + plans['carrier'].map(freights) * {kg} / 100
best = plans.loc[plans['cost'].idxmin()]
cost, plan = float(best['cost']), [*best[['place', 'carrier', 'date']], str(best['parts'])]
print(round(cost, 6), plan)"""


def _of_traders(book: Iterable[Charged], what: str = 'charge') -> dict[str, float]:
    of: dict[str, float] = defaultdict(float)
    for one in book:
        of[one.entry.trader] += getattr(one, what)
    return of


def _quarter(entry: LedgerEntry) -> int:
    """The quarter of the year in which an entry came, counted from 0."""
    return (int(entry.date[5:7]) - 1) // 3


def _enough(value: float) -> float:
    """The value; an `UnaskedError` where it is so close to 0 that sign and digits would depend on rounding."""
    if abs(value) < SMALLEST:
        raise UnaskedError
    return value
