"""Units of numbers, and dates of any form."""

import functools
import re

from cibench_eval.evaluators.comparing.numbers import MONTHS

UNITS: dict[str, dict[str, float]] = {
    'length': {
        'mm': 1e-3, 'cm': 1e-2, 'm': 1, 'meter': 1, 'metre': 1, 'km': 1e3, 'kilometer': 1e3, 'kilometre': 1e3,
        'mi': 1609.344, 'mile': 1609.344, '米': 1, '千米': 1e3, '公里': 1e3,
    },
    'time': {
        'ms': 1e-3, 's': 1, 'sec': 1, 'second': 1, 'min': 60, 'minute': 60, 'h': 3600, 'hour': 3600, 'day': 86400,
        'week': 604800, '秒': 1, '分钟': 60, '小时': 3600, '天': 86400,
    },
    'mass': {'g': 1e-3, 'kg': 1, 't': 1e3, 'ton': 1e3, 'tonne': 1e3, '克': 1e-3, '千克': 1, '公斤': 1, '吨': 1e3},
    'money': {'元': 1, '万元': 1e4, '亿元': 1e8, '万': 1e4, '亿': 1e8},
}  # fmt: skip
"""Measure -> the units of it that are told apart, and their sizes."""
MYRIADS = ('万', '亿')
"""Units of money that multiply other numbers, too: `3万` people are 30,000."""
SIZES = {name: (measure, size) for measure, units in UNITS.items() for name, size in units.items()}
_NAMES = '|'.join(sorted(SIZES, key=len, reverse=True))
_UNIT = rf'(?P<name>{_NAMES})(?:(?<=[a-z])s)?(?![a-zA-Z])'
FOLLOWS = re.compile(rf'\s?\(?{_UNIT}(?!\s?[:=]?\s?[0-9])')
"""A unit after a number; `min` before a number is the name of that."""
WANTED = re.compile(rf'(?:\bin (?:the )?|[(（]|单位[:：为是]?\s?|多少|几){_UNIT}')
"""A unit that a question asks for."""

_MONTH = '|'.join(f'{month}[a-z]*' for month in MONTHS)
DATES = (
    (re.compile(rf'\b({_MONTH})\.? ([0-9]{{1,2}})(?:st|nd|rd|th)?,? ([0-9]{{4}})\b', re.I), (3, 1, 2)),
    (re.compile(rf'\b([0-9]{{1,2}})(?:st|nd|rd|th)? ({_MONTH})\.?,? ([0-9]{{4}})\b', re.I), (3, 2, 1)),
    (re.compile(r'\b([0-9]{4})/([0-9]{1,2})/([0-9]{1,2})\b'), (1, 2, 3)),
    (re.compile(r'\b([0-9]{1,2})\.([0-9]{1,2})\.([0-9]{4})\b'), (3, 2, 1)),
)
"""Forms of dates, and the groups of their years, months and days."""
MIDNIGHT = re.compile(r'(?<=[0-9])[T ]00:00(?::00)?(?:\.0{1,9})?(?![0-9:])')
SINCE_MIDNIGHT = re.compile(r'(?<=[0-9] days) 0?0:00:00')


def unit_after(text: str, place: int) -> str:
    """The unit that stands after a number which ends at `place`; empty if none does."""
    found = FOLLOWS.match(text, place)
    return found['name'] if found else ''


def unit_asked(question: str) -> str:
    """The unit that a question asks for (`in km`, `(万元)`), if it is only one."""
    named = {found['name'] for found in WANTED.finditer(question)}
    return named.pop() if len(named) == 1 else ''


def with_iso_dates(text: str) -> str:
    """A text with its dates as `2024-01-05`, without midnights."""
    for form, places in DATES:
        text = form.sub(functools.partial(_iso, places), text)
    return SINCE_MIDNIGHT.sub('', MIDNIGHT.sub('', text))


def _iso(places: tuple[int, ...], found: re.Match[str]) -> str:
    year, month, day = (found[place] for place in places)
    number = int(month) if month.isdecimal() else MONTHS.index(month[:3].lower()) + 1
    return f'{year}-{number:02}-{int(day):02}'
