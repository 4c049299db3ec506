"""The words of questions, in both languages."""

from collections.abc import Mapping

from cibench_eval.schema import Language
from cibench_eval.sets.rules.manual import ManualWords, spaced
from cibench_eval.sets.rules.world import CARRIERS, CLASS_NAMES, PLACES
from cibench_eval.sets.templates import LANGUAGES

Words = Mapping[Language, str]
QUESTIONS: dict[str, Words] = {
    'one': {'en': 'What is entry {number} charged?', 'cn': '第 {number} 笔收多少费用？'},
    'paragraphs': {
        'en': 'Which paragraphs give the rates of the entries {numbers}? List their numbers in this order.',
        'cn': '第 {numbers} 笔的费率各依据哪一条？按此顺序列出条号。',
    },
    'total': {
        'en': 'What are the {what} of all entries {part} together?',
        'cn': '{part}各笔的{what}合计多少？',
    },
    'quarters': {
        'en': 'What are the charges of all entries on {goods} in each quarter, from the first to the last?',
        'cn': '{goods}各笔的费用在每个季度各合计多少？从第一季度到第四季度列出。',
    },
    'counted': {'en': 'How many entries {part}?', 'cn': '有多少笔{part}？'},
    'greatest': {
        'en': 'Which three traders had the greatest {what} {quarter}, all their entries together? The greatest first.',
        'cn': '{quarter}，哪三个商人的{what}合计最多？最多的在前。',
    },
    'repealed': {
        'en': 'If § {number} had been repealed from {day} on, how much more would all entries of the year have been '
        'charged together? Less is a negative number.',
        'cn': '如果第 {number} 条自{day}起废止，全年各笔的费用合计会多多少？减少为负数。',
    },
    'instead': {
        'en': 'If, from {day} on, § {number} had said {new} in the place of what it says now, which traders would have '
        'been charged more in the year? List their names in alphabetical order.',
        'cn': '如果自{day}起第 {number} 条改为“{new}”，哪些商人全年的费用会更多？按字母顺序列出其名称。',
    },
    'never': {
        'en': 'If circular {number} had never been issued, how much more would all entries of the year have been '
        'charged together? Less is a negative number.',
        'cn': '如果从未发布第 {number} 号通告，全年各笔的费用合计会多多少？减少为负数。',
    },
    'plan': {
        'en': '{trader} wants {kg} kg of {goods}. The price of a kg, in crowns, is {prices}, and that is the value of '
        'the goods. The freight of 100 kg is {freights}. They come as one entry, or as two of the same day and half '
        'the weight each. To land an entry costs {landing}; there is no other day. What is the least that price, '
        'freight, landing and charges can be together, and by which plan? `plan` has the place, the carrier, the day '
        'as the ledger writes it, and `1` or `2` for the number of entries.',
        'cn': '{trader} 要 {kg} 公斤 {goods}。每公斤的价格（克朗）为 {prices}，货值按此计算。每 100 公斤的运费为 '
        '{freights}。货物作为一笔运到，或作为同一天重量各半的两笔。每笔的卸货费为 {landing}，没有其他日期。'
        '价格、运费、卸货费和费用合计最少是多少，按哪个方案？`plan` 依次为产地、运输方式、账册写法的日期，'
        '以及表示笔数的 `1` 或 `2`。',
    },
}
AMOUNTS: dict[str, Words] = {
    'charge': {'en': 'charges', 'cn': '费用'},
    'duty': {'en': 'duties before reliefs', 'cn': '减免前的关税'},
    'surcharge': {'en': 'surcharges', 'cn': '附加费'},
    'relief': {'en': 'reliefs', 'cn': '减免'},
}
QUARTERS: tuple[Words, ...] = (
    {'en': 'from January to March', 'cn': '1 月至 3 月'},
    {'en': 'from April to June', 'cn': '4 月至 6 月'},
    {'en': 'from July to September', 'cn': '7 月至 9 月'},
    {'en': 'from October to December', 'cn': '10 月至 12 月'},
)
PARTS: dict[str, Words] = {
    'trader': {'en': 'of {name} {quarter}', 'cn': '{name} 在 {quarter}'},
    'carrier': {'en': 'by {name} {quarter}', 'cn': '{quarter}以 {name} 运来的'},
    'place': {'en': 'on {goods} from {name}', 'cn': '来自 {name} 的{goods}'},
    'capped': {'en': 'have more surcharges than may be levied', 'cn': '的附加费超过了可征收的上限'},
    'relief': {'en': 'have a relief that is more than nothing', 'cn': '的减免大于零'},
    'surcharge': {'en': 'have a surcharge', 'cn': '有附加费'},
    'rate': {'en': 'have their rate from § {name}', 'cn': '的费率依据第 {name} 条'},
}


def said(texts: Words, **values: str | Words) -> Words:
    """Texts with their values, which may differ by language."""
    made: dict[Language, str] = {}
    for language in LANGUAGES:
        own = {name: one if isinstance(one, str) else one[language] for name, one in values.items()}
        text = texts[language].format(**own)
        made[language] = spaced(text) if language == 'cn' else text
    return made


def goods(letter: str) -> Words:
    """The goods of a class."""
    return {language: names[letter] for language, names in CLASS_NAMES.items()}


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
