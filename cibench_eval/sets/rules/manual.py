"""The manual of a session in words."""

import re
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

import yaml

from cibench_eval.evaluators.comparing.numbers import NAMES_OF_MONTHS
from cibench_eval.schema import Language
from cibench_eval.sets.rules.tariff import Amendment, Rule
from cibench_eval.sets.rules.world import CLASSES, LEAGUES, STANDINGS, YEAR, Membership, RuleWorld

FILES: dict[Language, str] = {'en': 'manual.md', 'cn': 'manual_cn.md'}
TEXTS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name('words.yaml').read_text(encoding='utf-8'))
"""The words of manuals and of questions, in both languages."""
BORDER = re.compile(r'(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])')
JOINS: dict[Language, str] = {'en': ', ', 'cn': '、'}


class ManualWords:
    """The parts of a manual in a language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._words = {name: texts[language] for name, texts in TEXTS['manual'].items()}

    def day(self, iso: str) -> str:
        """A day as the manual writes it."""
        when = date.fromisoformat(iso)
        if self.language == 'cn':
            return f'{when.year} 年 {when.month} 月 {when.day} 日'
        return f'{when.day} {NAMES_OF_MONTHS[when.month - 1].capitalize()} {when.year}'

    def goods(self, pattern: str) -> str:
        kind = {1: 'all', 2: 'class', 4: 'group'}.get(len(pattern), 'item')
        return self._words[kind].format(code=pattern.rstrip('*').rstrip('.'))

    def amount(self, rule: Rule) -> str:
        """The amount of a rule, with what it is of."""
        if rule.kind in ('rate', 'surcharge'):
            return self._words[rule.per].format(amount=f'{rule.amount:g}')
        return f'{rule.amount:g}'

    def rule(self, rule: Rule) -> str:
        words = self._words
        text = words[rule.kind] if rule.kind in words and rule.kind != 'heavy' else words[f'is_{rule.kind}']
        all_heavy = bool(rule.heavy) and rule.goods == '*'
        made = text.format(
            goods=words['all_heavy'] if all_heavy else self.goods(rule.goods),
            origin=self.origin(rule.origin),
            amount=self.amount(rule),
            carrier=words['carrier'].format(carrier=rule.carrier) if rule.carrier else '',
            heavy=words['heavy'] if rule.heavy and not all_heavy else '',
            winter=words['winter'] if rule.winter else '',
            standing=words[rule.standing or 'anybody'],
            limits=self._limits(rule),
            but=self._but(rule.but),
            unless=words['unless'].format(number=rule.unless) if rule.unless else '',
        )
        return f'**{rule.number}** {made}'

    def change(self, change: Amendment, old: Rule) -> str:
        if change.new is None:
            return self._words['repealed'].format(number=change.number)
        if change.new.but != old.but:
            but = self._but(change.new.but)
            bare = but.removeprefix(', except for ').removeprefix('，').removesuffix('除外')
            return self._words['no_longer'].format(number=change.number, but=bare)
        amounts = {'old': self.amount(old), 'new': self.amount(change.new)}
        return self._words['read'].format(number=change.number, **amounts)

    def circular(self, number: str, since: str) -> str:
        return self._words['circular'].format(circular=number, since=self.day(since))

    def members(self, name: str, members: Sequence[Membership]) -> str:
        """The places of a league, or the traders of a standing."""
        names = []
        for one in members:
            dated = {'name': one.name, 'since': one.since and self.day(one.since)}
            form = 'from' if one.since else 'to' if one.until else ''
            dated['until'] = one.until and self.day(one.until)
            names.append(self._words[form].format(**dated) if form else one.name)
        shown = self._words[name] if name in STANDINGS else name
        return self._words['members'].format(name=shown, names=JOINS[self.language].join(names))

    def title(self, name: str) -> str:
        return self._words[name].format(year=YEAR)

    def origin(self, origin: str) -> str:
        """Where goods come from; empty where it does not matter."""
        form = 'league' if origin in LEAGUES else 'place'
        return self._words[form].format(origin=origin) if origin else ''

    def _limits(self, rule: Rule) -> str:
        form = 'both' if rule.since and rule.until else 'since' if rule.since else 'until' if rule.until else ''
        days = {name: day and self.day(day) for name, day in (('since', rule.since), ('until', rule.until))}
        return self._words[form].format(**days) if form else ''

    def _but(self, but: str) -> str:
        if not but:
            return ''
        if '.' in but:
            return self._words['but_goods'].format(goods=self.goods(but))
        return self._words['but'].format(origin=self.origin(but))


def spaced(text: str) -> str:
    """Chinese text with a blank between its characters and words in Latin letters or numbers."""
    return BORDER.sub(' ', text)


def manual(world: RuleWorld, rules: Sequence[Rule], changes: Sequence[Amendment], language: Language) -> str:
    """The whole manual, in Markdown."""
    words = ManualWords(language)
    printed = {rule.number: rule for rule in rules}
    blocks = [f'# {words.title("title")}', f'## 1. {words.title("reading")}']
    blocks += [f'**1.{number}** {texts[language]}' for number, texts in enumerate(TEXTS['reading'], 1)]
    for chapter, name in enumerate(('general', 'by_goods', 'by_origin', 'surcharges', 'reliefs'), 2):
        blocks.append(f'## {chapter}. {words.title(name)}')
        blocks += [words.rule(rule) for rule in rules if rule.place[0] == chapter]
    blocks.append(f'## 7. {words.title("circulars")}')
    for number, since in dict.fromkeys((change.circular, change.since) for change in changes):
        blocks.append(f'### {words.circular(number, since)}')
        blocks += [words.change(one, printed[one.number]) for one in changes if one.circular == number]
    blocks.append(f'## {words.title("goods")}')
    for letter, about in CLASSES.items():
        own = sorted((code, goods) for goods, code in world.codes.items() if code[0] == letter)
        blocks.append(f'### {letter}: {about[language]}')
        blocks.append('\n'.join(f'- {code} {goods}' for code, goods in own))
    for title, members in (('leagues', world.leagues), ('standings', world.standings)):
        blocks.append(f'## {words.title(title)}')
        blocks += [
            words.members(of, [one for one in members if one.of == of]) for of in sorted({m.of for m in members})
        ]
    text = '\n\n'.join(blocks) + '\n'
    return spaced(text) if language == 'cn' else text
