"""Whether two printed values are equal: rounded, as percentages, in other units."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from cibench_eval.evaluators.comparing.numbers import SLACK, Margin
from cibench_eval.evaluators.comparing.open_form.reading import ShownValue
from cibench_eval.evaluators.comparing.open_form.units import MYRIADS, SIZES, unit_asked
from cibench_eval.evaluators.comparing.printed.compare import PERCENT
from cibench_eval.evaluators.comparing.printed.values import PrintedValue

LEAST_DIGITS = 3
"""Fewest digits of an answer that is rounded more than the gold is."""


@dataclass(frozen=True)
class Equality:
    """What has to be known of a step to compare two values."""

    margin: Margin
    percent: bool
    """Whether the question speaks of percent."""
    unit: str
    """The unit that it asks for."""

    @classmethod
    def of(cls, question: str, margin: Margin) -> Equality:
        return cls(replace(margin, noise=0.0), PERCENT.search(question) is not None, unit_asked(question))

    def holds(self, gold: ShownValue, answer: ShownValue) -> bool:
        """Whether an answer's value is the gold's."""
        one, other = gold.value, answer.value
        if one.kind != 'number' or other.kind != 'number':
            return (one.kind, one.text) == (other.kind, other.text)
        wanted, shown = SIZES.get(gold.unit or self.unit), SIZES.get(answer.unit)
        if not wanted and shown and answer.unit in MYRIADS and self._scaled(one, other, shown[1]):
            return True
        if wanted and shown and wanted != shown:
            if wanted[0] == shown[0]:
                return self._scaled(one, other, shown[1] / wanted[1])
            if gold.unit:
                return False
        return self._same(one, other)

    def _scaled(self, gold: PrintedValue, answer: PrintedValue, factor: float) -> bool:
        number, places = answer.number * factor, max(0, round(answer.decimals - math.log10(factor)))
        whole = gold.whole and math.isclose(number, gold.number, rel_tol=1e-6)
        return whole or self._rounds(gold.number, gold.decimals, answer, number, places)

    def _same(self, gold: PrintedValue, answer: PrintedValue) -> bool:
        """In the answer's number, or its hundredth, or its hundredfold where one of the two is a percentage."""
        if gold.whole and not gold.percent and not self.margin.own:
            same = answer.exact == gold.exact if answer.whole else answer.number == gold.number
            return same and (self.percent or not answer.percent)
        own, said, places, decimals = gold.number, answer.number, gold.decimals, answer.decimals
        hundredth = self._rounds(own, places, answer, said / 100, decimals + 2)
        if answer.percent and not gold.percent and abs(own) <= 1:
            return hundredth
        hundredfold = self._rounds(own / 100, places + 2, answer, said, decimals)
        asked = self.percent and not gold.percent and not answer.percent
        return (
            self._rounds(own, places, answer, said, decimals)
            or (hundredfold and ((gold.percent and not answer.percent) or (asked and abs(said) <= 1 < abs(own))))
            or (hundredth and asked and abs(own) <= 1 < abs(said))
        )

    def _rounds(self, own: float, places: int, answer: PrintedValue, said: float, decimals: int) -> bool:
        """Whether the number with more decimals is the other when it is rounded."""
        if not (math.isfinite(own) and math.isfinite(said)):
            return own == said
        if self.margin.allows(own, said):
            return True
        digits = answer.text.lower().partition('e')[0].lstrip('+-').replace('.', '').lstrip('0')
        if decimals < places and len(digits) < LEAST_DIGITS:
            return False
        fewer = min(places, decimals)
        coarse = decimals < places or places > 0
        return coarse and fewer < 300 and abs(own - said) <= 0.5 * 10.0**-fewer * SLACK
