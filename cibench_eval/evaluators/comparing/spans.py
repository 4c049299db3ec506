"""Labels that are spans: intervals of numbers, however their ends are written, and periods of time by their ends."""

import calendar
import re
from typing import Any

from cibench_eval.evaluators.comparing.numbers import DECIMAL

BOUND = rf'(-?(?:{DECIMAL}(?:e[-+]?[0-9]+)?|inf))'
INTERVAL = re.compile(rf'([\[(]){BOUND}, {BOUND}([\])])')
DAYS = re.compile(r'[0-9]{4}-[0-9]{2}-[0-9]{2}(?:/[0-9]{4}-[0-9]{2}-[0-9]{2})?')
"""A day or a week, as pandas writes such periods."""
PERIOD = re.compile(r'([0-9]{4})(?:-(0[1-9]|1[0-2])|q([1-4]))?', re.I)


def interval(text: str) -> str:
    """An interval with its ends as floats are written; any other text as it is."""
    found = INTERVAL.fullmatch(text)
    return f'{found[1]}{float(found[2])}, {float(found[3])}{found[4]}' if found else text


def ends(text: str) -> list[str]:
    """The first and the last day of a period as pandas writes it; nothing for any other text."""
    if DAYS.fullmatch(text):
        return text.split('/')
    if not (found := PERIOD.fullmatch(text)):
        return []
    year, month, quarter = (int(part or 0) for part in found.groups())
    first, last = (month, month) if month else (3 * quarter - 2, 3 * quarter) if quarter else (1, 12)
    return [f'{year:04}-{first:02}-01', f'{year:04}-{last:02}-{calendar.monthrange(year, last)[1]}']


def rewritten(pairs: list[tuple[str, str]]) -> bool:
    """Whether two texts of a pair are one interval, written in two ways."""
    return any(one != other and interval(one) == interval(other) for one, other in pairs)


def at_ends(pairs: list[tuple[str, str]]) -> bool:
    """Whether beside each period stands its first day, or beside each its last."""
    spans, days = [ends(period) for period, _ in pairs], [day.removesuffix('T00:00:00') for _, day in pairs]
    return bool(pairs) and all(spans) and any([span[end] for span in spans] == days for end in (0, -1))


def under_days(rows: dict[str, Any], others: dict[str, Any]) -> dict[str, Any]:
    """Rows named by periods, under the first or the last days of these if the others are named so."""
    for end in (0, -1):
        found = {(ends(name) or [name])[end]: values for name, values in rows.items()}
        if len(found) == len(rows) and found.keys() == others.keys():
            return found
    return rows
