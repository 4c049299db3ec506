"""Draws the rules of a manual and the circulars that change them."""

from dataclasses import replace
from datetime import date, timedelta
from random import Random

from pydantic import NonNegativeInt, PositiveInt

from cibench_eval.schema import Record
from cibench_eval.sets.rules.tariff import Amendment, Kind, Per, Rule
from cibench_eval.sets.rules.world import CARRIERS, CLASSES, LEAGUES, PLACES, STANDINGS, RuleWorld, day

GENERAL, BY_GOODS, BY_ORIGIN, SURCHARGES, RELIEFS = 2, 3, 4, 5, 6
"""Chapters."""


class RuleCounts(Record):
    """How many rules a manual has."""

    goods: NonNegativeInt
    """Rates of single goods, besides the rates of classes and groups."""
    origins: NonNegativeInt
    """Rates by goods and origin."""
    surcharges: NonNegativeInt
    reliefs: NonNegativeInt
    circulars: PositiveInt
    """Each makes three changes."""


class RuleDrawing:
    """The rules of one manual, drawn in the order of their paragraphs."""

    def __init__(self, world: RuleWorld, knobs: RuleCounts, rng: Random) -> None:
        self._rng, self._knobs = rng, knobs
        self._codes = sorted(world.codes.values())
        used = [world.codes[entry.goods] for entry in world.ledger]
        self._often = sorted({code for code in used if used.count(code) > len(used) / 200})
        self.rules = [*self._general(), *self._by_goods(), *self._by_origin(), *self._surcharges(), *self._reliefs()]

    def changes(self) -> list[Amendment]:
        """The changes of all circulars, each to another rule."""
        rng, number = self._rng, self._knobs.circulars
        days = sorted(day(rng, 70, 290) for _ in range(number))
        general = [rule for rule in self.rules if rule.kind in ('heavy', 'cap', 'least')]
        open_ones = [rule for rule in self.rules if not (rule.since or rule.until or rule.kind == 'small')]
        named = {one.unless for one in self.rules}
        others = [one for one in open_ones if one not in general and not one.is_basic and one.number not in named]
        chosen = [rng.choice(general), *rng.sample(others, 3 * number - 1)]
        rng.shuffle(chosen)
        return [
            Amendment(str(circular), days[circular - 1], rule.number, self._changed(rule))
            for circular in range(1, number + 1)
            for rule in chosen[3 * circular - 3 : 3 * circular]
        ]

    def _changed(self, rule: Rule) -> Rule | None:
        rng = self._rng
        if rule.kind not in ('heavy', 'cap', 'least'):
            if rng.random() < 0.25:
                return None
            if not rule.but and (not rule.origin or rule.goods.endswith('*')) and rng.random() < 0.35:
                return replace(rule, but=rng.choice(LEAGUES) if rule.origin == '' else self._inside(rule.goods))
        return replace(rule, amount=_other(rule.amount, rng))

    def _general(self) -> list[Rule]:
        rng = self._rng
        amounts: dict[Kind, float] = {
            'heavy': rng.choice((700.0, 800.0, 900.0)),
            'small': rng.choice((80.0, 100.0, 120.0)),
            'least': rng.choice((6.0, 7.5, 9.0)),
            'cap': rng.choice((6.0, 7.0, 8.0)),
        }
        return [
            Rule(kind, f'{GENERAL}.{number}', amount, 'entry')
            for number, (kind, amount) in enumerate(amounts.items(), 1)
        ]

    def _by_goods(self) -> list[Rule]:
        rng = self._rng
        groups = [f'{letter}{group}.*' for letter in CLASSES for group in (1, 2, 3)]
        patterns = [f'{letter}*' for letter in CLASSES]
        patterns += rng.sample(groups, 11)
        patterns += rng.sample(self._often, min(len(self._often), self._knobs.goods * 2 // 3))
        patterns += rng.sample([code for code in self._codes if code not in patterns], self._knobs.goods // 3)
        rules = []
        for number, pattern in enumerate(sorted(patterns, key=lambda one: (one[0], rng.random())), 1):
            rule = Rule('rate', f'{BY_GOODS}.{number}', *self._rate(), goods=pattern)
            if len(pattern) > 2:
                rule = self._limited(rule, 0.3)
                rule = replace(rule, but=rng.choice((*LEAGUES, *PLACES))) if rng.random() < 0.3 else rule
            rules.append(rule)
        return rules

    def _by_origin(self) -> list[Rule]:
        rng, rules = self._rng, []
        for number in range(1, self._knobs.origins + 1):
            letter = rng.choice([*CLASSES])
            goods = rng.choice((f'{letter}*', f'{letter}{rng.randint(1, 3)}.*', rng.choice(self._often)))
            origin = rng.choice(LEAGUES) if rng.random() < 0.5 else rng.choice(PLACES)
            rule = self._limited(Rule('rate', f'{BY_ORIGIN}.{number}', *self._rate(), goods=goods, origin=origin), 0.3)
            if goods.endswith('*') and rng.random() < 0.35:
                rule = replace(rule, but=self._inside(goods))
            rules.append(rule)
        return rules

    def _surcharges(self) -> list[Rule]:
        rng, rules = self._rng, list[Rule]()
        for number in range(1, self._knobs.surcharges + 1):
            per: Per = rng.choice(('value', 'value', 'entry'))
            amount = rng.randint(2, 8) / 2 if per == 'value' else float(rng.randint(6, 30))
            rule = Rule('surcharge', f'{SURCHARGES}.{number}', amount, per)
            asked = rng.sample(('goods', 'origin', 'carrier', 'heavy', 'winter'), rng.choice((1, 2, 2)))
            rule = replace(
                rule,
                goods=rng.choice([*CLASSES]) + '*' if 'goods' in asked else '*',
                origin=rng.choice((*LEAGUES, *PLACES)) if 'origin' in asked else '',
                carrier=rng.choice(CARRIERS) if 'carrier' in asked else '',
                heavy='yes' if 'heavy' in asked else '',
                winter='yes' if 'winter' in asked else '',
            )
            free = [one for one in rules if not one.unless]
            if free and rng.random() < 0.3:
                rule = replace(rule, unless=rng.choice(free).number)
            elif not rule.origin and rng.random() < 0.3:
                rule = replace(rule, but=rng.choice(LEAGUES))
            rules.append(self._limited(rule, 0.2))
        return rules

    def _reliefs(self) -> list[Rule]:
        rng, rules = self._rng, []
        for number in range(1, self._knobs.reliefs + 1):
            letter = rng.choice([*CLASSES])
            goods = rng.choice(('*', f'{letter}*', f'{letter}{rng.randint(1, 3)}.*'))
            standing = STANDINGS[number % 3] if number < 4 else rng.choice((*STANDINGS, ''))
            origin = rng.choice((*LEAGUES, '')) if standing else rng.choice(LEAGUES)
            rule = Rule('relief', f'{RELIEFS}.{number}', float(5 * rng.randint(2, 10)), goods=goods, origin=origin)
            rules.append(self._limited(replace(rule, standing=standing), 0.2))
        return rules

    def _rate(self) -> tuple[float, Per]:
        if self._rng.random() < 0.65:
            return self._rng.randint(5, 30) / 2, 'value'
        return self._rng.randint(20, 140) / 4, 'kg'

    def _limited(self, rule: Rule, share: float) -> Rule:
        """The rule, or the same from a day on, until one, or both."""
        rng = self._rng
        if rng.random() >= share:
            return rule
        first = day(rng, 60, 200)
        last = (date.fromisoformat(first) + timedelta(days=rng.randint(40, 120))).isoformat()
        since, until = rng.choice(((first, ''), ('', last), (first, last)))
        return replace(rule, since=since, until=until)

    def _inside(self, goods: str) -> str:
        """A code, or a group of a class, within a pattern."""
        inside = [code for code in self._often if code.startswith(goods.rstrip('*'))] or self._often
        code = self._rng.choice(inside)
        return f'{code[:2]}.*' if len(goods) == 2 and self._rng.random() < 0.5 else code


def _other(amount: float, rng: Random) -> float:
    """An amount that is a third to a half more or less, on the same grid."""
    step = 0.25 if amount < 60 else 10
    changed = amount * rng.choice((0.5, 0.6, 1.4, 1.5))
    return max(step, round(changed / step) * step)
