"""The manual of a session in words."""

import re
from collections.abc import Sequence
from datetime import date

from cibench_eval.schema import Language
from cibench_eval.sets.rules.tariff import Amendment, Rule
from cibench_eval.sets.rules.world import CLASS_NAMES, LEAGUES, STANDINGS, YEAR, Membership, RuleWorld

FILES: dict[Language, str] = {'en': 'manual.md', 'cn': 'manual_cn.md'}
MONTHS = (
    *('January', 'February', 'March', 'April', 'May', 'June'),
    *('July', 'August', 'September', 'October', 'November', 'December'),
)
WORDS: dict[Language, dict[str, str]] = {
    'en': {
        'title': 'Manual of harbour dues, {year}',
        'reading': 'How this manual is read',
        'general': 'General',
        'by_goods': 'Rates by goods',
        'by_origin': 'Rates by origin',
        'surcharges': 'Surcharges',
        'reliefs': 'Reliefs',
        'circulars': 'Circulars',
        'goods': 'Annex A: goods',
        'leagues': 'Annex B: leagues',
        'standings': 'Annex C: standings of traders',
        'value': '{amount} % of the value',
        'kg': '{amount} crowns a 100 kg',
        'entry': '{amount} crowns an entry',
        'all': 'all goods',
        'all_heavy': 'all heavy goods',
        'class': 'goods of class {code}',
        'group': 'goods of group {code}',
        'item': 'goods {code}',
        'place': ' from {origin}',
        'league': ' from places of the {origin}',
        'carrier': ' brought by {carrier}',
        'heavy': 'heavy ',
        'winter': ' in winter',
        'since': ' from {since} on',
        'until': ' until {until}',
        'both': ' from {since} until {until}',
        'but': ', except for goods{origin}',
        'but_goods': ', except for {goods}',
        'unless': ' It is not levied where the surcharge of § {number} is.',
        'is_heavy': 'The goods of an entry are heavy from {amount} kg on.',
        'is_small': 'Whatever its rate, an entry of a value below {amount} crowns has no duty; it has surcharges.',
        'is_least': 'An entry is charged at least {amount} crowns.',
        'is_cap': 'The surcharges of an entry are together at most {amount} % of its value.',
        'rate': 'The rate for {goods}{origin} is {amount}{limits}{but}.',
        'surcharge': 'A surcharge of {amount} is levied on {heavy}{goods}{origin}{carrier}{winter}{limits}{but}.'
        '{unless}',
        'relief': '{standing} are relieved of {amount} % of the duty on {goods}{origin}{limits}{but}.',
        'guild': 'Members of the guild',
        'cooperative': 'Cooperatives',
        'charity': 'Charities',
        'anybody': 'All traders',
        'circular': 'Circular {circular}, in force from {since} on',
        'read': '§ {number}: for {old} read {new}.',
        'repealed': '§ {number} is repealed.',
        'no_longer': '§ {number} no longer holds for {but}.',
        'members': '{name}: {names}.',
        'from': '{name} (from {since} on)',
        'to': '{name} (until {until})',
    },
    'cn': {
        'title': '{year} 年港口收费手册',
        'reading': '如何阅读本手册',
        'general': '总则',
        'by_goods': '按货物的费率',
        'by_origin': '按产地的费率',
        'surcharges': '附加费',
        'reliefs': '减免',
        'circulars': '通告',
        'goods': '附录 A：货物',
        'leagues': '附录 B：联盟',
        'standings': '附录 C：商人的身份',
        'value': '货值的 {amount} %',
        'kg': '每 100 公斤 {amount} 克朗',
        'entry': '每笔 {amount} 克朗',
        'all': '所有货物',
        'all_heavy': '所有重货',
        'class': '{code} 类货物',
        'group': '{code} 组货物',
        'item': '货物 {code}',
        'place': '来自 {origin} 的',
        'league': '来自 {origin} 各地的',
        'carrier': '以 {carrier} 运来的',
        'heavy': '重的',
        'winter': '冬季',
        'since': '自{since}起，',
        'until': '至{until}止，',
        'both': '自{since}起至{until}止，',
        'but': '，{origin}货物除外',
        'but_goods': '，{goods}除外',
        'unless': '凡征收第 {number} 条附加费的，不征收本条。',
        'is_heavy': '一笔货物自 {amount} 公斤起为重货。',
        'is_small': '货值低于 {amount} 克朗的一笔，不论费率如何，免收关税；附加费照收。',
        'is_least': '每笔至少收 {amount} 克朗。',
        'is_cap': '一笔的各项附加费合计最多为其货值的 {amount} %。',
        'rate': '{limits}{origin}{goods}的费率为{amount}{but}。',
        'surcharge': '{limits}{winter}对{origin}{carrier}{heavy}{goods}征收{amount}的附加费{but}。{unless}',
        'relief': '{limits}{standing}就{origin}{goods}减免关税的 {amount} %{but}。',
        'guild': '行会（guild）成员',
        'cooperative': '合作社（cooperative）',
        'charity': '慈善机构（charity）',
        'anybody': '所有商人',
        'circular': '第 {circular} 号通告，自{since}起施行',
        'read': '第 {number} 条：“{old}”改为“{new}”。',
        'repealed': '第 {number} 条废止。',
        'no_longer': '第 {number} 条不再适用于{but}。',
        'members': '{name}：{names}。',
        'from': '{name}（自{since}起）',
        'to': '{name}（至{until}止）',
    },
}
BORDER = re.compile(r'(?<=[\u4e00-\u9fff])(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?=[\u4e00-\u9fff])')
JOINS: dict[Language, str] = {'en': ', ', 'cn': '、'}
READING: dict[Language, tuple[str, ...]] = {
    'en': (
        'An entry of the ledger is charged its duty, less its relief, plus its surcharges (chapters 3 to 6), and no '
        'less than § 2.3 says.',
        'The duty is found by one rate alone. Of the rates of chapters 3 and 4 that hold for an entry, the one that '
        'says most of its goods counts: the goods themselves before their group, the group before the class. Of these, '
        'a rate that names the place the goods come from goes before one that names a league, and that before one '
        'that names neither. Of these, the one with the later paragraph counts.',
        'All surcharges of chapter 5 that hold for an entry are added. They are not reduced by reliefs.',
        'Of the reliefs of chapter 6 that hold for an entry, the greatest alone counts.',
        'Days are inclusive, both the first and the last. What names no day holds all year.',
        'A place is of a league, and a trader of a standing, on the days that the annexes give.',
        'Winter is December, January and February.',
        'A circular (chapter 7) changes the paragraph that it names on and after its day of force; before, the '
        'paragraph holds as it is printed here. Exceptions that were printed stay.',
    ),
    'cn': (
        '账册中每一笔所收的费用为其关税减去减免，再加上附加费（第 3 至 6 章），且不少于第 2.3 条所定。',
        '关税只按一个费率计算。第 3、4 章中适用于一笔的费率，以对其货物说得最具体的为准：货物本身先于其组，'
        '组先于类。其中，写明货物来自何地的先于写明联盟的，写明联盟的先于二者都没有写明的。其中，以条号在后的为准。',
        '第 5 章中适用于一笔的附加费全部相加。附加费不因减免而减少。',
        '第 6 章中适用于一笔的减免，只取最大的一项。',
        '日期首尾两天都包括在内。没有写明日期的，全年有效。',
        '某地属于某联盟、某商人具有某身份，以附录所列的日期为准。',
        '冬季为十二月、一月和二月。',
        '通告（第 7 章）自施行之日起改变其所指的条文；此前，该条按此处所印的执行。所印的除外规定不变。',
    ),
}
"""The paragraphs of the first chapter."""


class ManualWords:
    """The parts of a manual in a language."""

    def __init__(self, language: Language) -> None:
        self.language: Language = language
        self._words = WORDS[language]

    def day(self, iso: str) -> str:
        """A day as the manual writes it."""
        when = date.fromisoformat(iso)
        if self.language == 'cn':
            return f'{when.year} 年 {when.month} 月 {when.day} 日'
        return f'{when.day} {MONTHS[when.month - 1]} {when.year}'

    def goods(self, pattern: str) -> str:
        """The goods of a pattern of codes."""
        kind = {1: 'all', 2: 'class', 4: 'group'}.get(len(pattern), 'item')
        return self._words[kind].format(code=pattern.rstrip('*').rstrip('.'))

    def amount(self, rule: Rule) -> str:
        """The amount of a rule, with what it is of."""
        if rule.kind in ('rate', 'surcharge'):
            return self._words[rule.per].format(amount=f'{rule.amount:g}')
        return f'{rule.amount:g}'

    def rule(self, rule: Rule) -> str:
        """A paragraph."""
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
        """A change of a circular."""
        if change.new is None:
            return self._words['repealed'].format(number=change.number)
        if change.new.but != old.but:
            but = self._but(change.new.but)
            bare = but.removeprefix(', except for ').removeprefix('，').removesuffix('除外')
            return self._words['no_longer'].format(number=change.number, but=bare)
        amounts = {'old': self.amount(old), 'new': self.amount(change.new)}
        return self._words['read'].format(number=change.number, **amounts)

    def circular(self, number: str, since: str) -> str:
        """The heading of a circular."""
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
        """A heading."""
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
    blocks += [f'**1.{number}** {text}' for number, text in enumerate(READING[language], 1)]
    for chapter, name in enumerate(('general', 'by_goods', 'by_origin', 'surcharges', 'reliefs'), 2):
        blocks.append(f'## {chapter}. {words.title(name)}')
        blocks += [words.rule(rule) for rule in rules if rule.place[0] == chapter]
    blocks.append(f'## 7. {words.title("circulars")}')
    for number, since in dict.fromkeys((change.circular, change.since) for change in changes):
        blocks.append(f'### {words.circular(number, since)}')
        blocks += [words.change(one, printed[one.number]) for one in changes if one.circular == number]
    blocks.append(f'## {words.title("goods")}')
    names = CLASS_NAMES[language]
    for letter, name in names.items():
        own = sorted((code, goods) for goods, code in world.codes.items() if code[0] == letter)
        blocks.append(f'### {letter}: {name}')
        blocks.append('\n'.join(f'- {code} {goods}' for code, goods in own))
    for title, members in (('leagues', world.leagues), ('standings', world.standings)):
        blocks.append(f'## {words.title(title)}')
        blocks += [
            words.members(of, [one for one in members if one.of == of]) for of in sorted({m.of for m in members})
        ]
    text = '\n\n'.join(blocks) + '\n'
    return spaced(text) if language == 'cn' else text
