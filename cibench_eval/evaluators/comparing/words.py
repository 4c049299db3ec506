"""Words with a meaning for comparisons: fillers, negations, opposites, names of one thing."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable

FUNCTION = frozenset(
    re.findall(
        r'\S+', 'an the is are was were be been of in on at to by for with and or it its this that as 的 了 是 为 在'
    )
)
"""Words that may be missing in prose."""
NEGATIONS = frozenset(
    re.findall(
        r'\S+',
        'not no never without none nor neither cannot fail fails failed isn aren wasn weren don doesn didn won '
        'hasn haven hadn non 不 没 无 未 非 否',
    )
)
SAYS_NOTHING = frozenset(
    re.findall(
        r'\S+',
        'an the of is are was were be has have had in on at for to and with by it its that this there about as '
        'value values result results answer output print set data shape found took takes we get got gives equals equal '
        'computed calculated take place '
        '的 是 为 了 在 有 和 与 之 值 结 果 答 案 约 个 数 量 次 共',
    )
)
"""Words of labels that tell nothing apart."""
ANYTHING = frozenset(('value', 'values', 'result', 'results', 'answer', 'output', '值', '结', '果', '答', '案'))
"""Labels for whatever was asked for."""
OPPOSITES = tuple(
    frozenset(words.split())
    for words in (
        'most least more less fewest fewer',
        'best worst better worse',
        'highest lowest higher lower high low',
        'largest smallest larger smaller biggest',
        'longest shortest longer shorter',
        'maximum minimum max min mean median average mode total',
        'first last second third',
        'earliest latest',
        'increase decrease increases decreases increasing decreasing',
        'above below',
        'positive negative neutral',
        'train training test validation',
        'male female',
        'null alternative',
        '多 少',
        '高 低',
        '大 小',
        '正 负',
        '升 降',
        '增 减',
        '好 差',
        '早 晚',
        '长 短',
    )
)
"""Mutually exclusive words."""
ORDINALS = frozenset(('second', 'third', 'fourth', 'last'))

SAME = {
    'average': 'mean',
    'avg': 'mean',
    'sd': 'std',
    'stdev': 'std',
    'pct': 'percent',
    'optimal': 'best',
    'optimum': 'best',
    'r2': 'r',
    'r²': 'r',
    'rsquared': 'r',
    'rvalue': 'r',
    'pvalue': 'p',
    'pval': 'p',
    'stat': 'statistic',
    'coef': 'coefficient',
    'slope': 'coefficient',
    'km': 'kilometer',
    'm': 'meter',
    'cm': 'centimeter',
    'mm': 'millimeter',
    'kg': 'kilogram',
    'g': 'gram',
    'sec': 'second',
    'secs': 'second',
    's': 'second',
    'ms': 'millisecond',
    'min': 'minimum',
    'max': 'maximum',
    'mins': 'minute',
    'h': 'hour',
    'hr': 'hour',
    'hrs': 'hour',
    '米': 'meter',
    '秒': 'second',
    '克': 'gram',
    'dof': 'df',
    'usd': '$',
    'dollar': '$',
    'dollars': '$',
    'eur': '€',
    'euro': '€',
    'euros': '€',
    'gbp': '£',
    'yuan': '¥',
    'rmb': '¥',
    'cny': '¥',
    '元': '¥',
    'miles': 'mile',
    'feet': 'foot',
    'inches': 'inch',
    'days': 'day',
    'const': 'intercept',
    'prob': 'p',
    'predicted': 'pred',
    'high': 'height',
    'tall': 'height',
    'wide': 'width',
    'long': 'length',
    '25%': 'q1',
    '0.25': 'q1',
    '50%': 'median',
    '0.5': 'median',
    '0.50': 'median',
    '75%': 'q3',
    '0.75': 'q3',
}
"""Words that name the same thing. (The `^2` of `R^2` is dropped before.)"""
for _unit in ('kilometer', 'meter', 'centimeter', 'millimeter'):
    SAME |= {f'{_unit}s': _unit, _unit.replace('er', 're'): _unit, f'{_unit.replace("er", "re")}s': _unit}
for _unit in ('kilogram', 'gram', 'second', 'millisecond', 'minute', 'hour'):
    SAME |= {f'{_unit}s': _unit}
PHRASES = tuple(
    (tuple(words.split()), name)
    for words, name in (
        ('root mean squared error', 'rmse'),
        ('root mean square error', 'rmse'),
        ('mean squared error', 'mse'),
        ('mean square error', 'mse'),
        ('mean absolute error', 'mae'),
        ('mean absolute percentage error', 'mape'),
        ('coefficient determination', 'r'),
        ('r squared', 'r'),
        ('r square', 'r'),
        ('r score', 'r'),
        ('standard deviation', 'std'),
        ('standard error', 'stderr'),
        ('f score', 'f1'),
        ('f1 score', 'f1'),
        ('pearson r', 'r'),
        ('correlation coefficient', 'correlation'),
        ('roc auc score', 'auc'),
        ('roc auc', 'auc'),
        ('area under curve', 'auc'),
        ('degrees freedom', 'df'),
        ('number clusters', 'k'),
        ('n clusters', 'k'),
        ('统 计', 'statistic'),
        ('标 准 差', 'std'),
        ('平 均', '均'),
        ('最 高', '最 大'),
        ('最 低', '最 小'),
        ('chi square', 'chi2'),
        ('chi squared', 'chi2'),
        ('卡 方', 'chi2'),
        ('自 由 度', 'df'),
        ('25 th percentile', 'q1'),
        ('50 th percentile', 'median'),
        ('75 th percentile', 'q3'),
        ('first quartile', 'q1'),
        ('third quartile', 'q3'),
        ('lower quartile', 'q1'),
        ('upper quartile', 'q3'),
        ('interquartile range', 'iqr'),
        ('第 一 四 分 位', 'q1'),
        ('第 三 四 分 位', 'q3'),
        ('四 分 位 距', 'iqr'),
        ('公 里', 'kilometer'),
        ('千 meter', 'kilometer'),
        ('厘 meter', 'centimeter'),
        ('毫 meter', 'millimeter'),
        ('毫 second', 'millisecond'),
        ('公 斤', 'kilogram'),
        ('千 gram', 'kilogram'),
        ('分 钟', 'minute'),
        ('小 时', 'hour'),
    )
)
"""Standard names of several words, without the words that say nothing."""
UNITS = {
    unit: group
    for group, units in enumerate(
        (
            'millisecond second minute hour day',
            'millimeter centimeter meter kilometer mile foot inch',
            'gram kilogram pound ounce',
            'celsius fahrenheit kelvin',
        )
    )
    for unit in units.split()
}
"""Units, and the number of the quantity that they measure."""
FALLING = re.compile(
    r'\b(?:fell|falls?|fallen|drop(?:ped|s)?|declin(?:ed?|es)|decreas(?:ed?|es)|reduc(?:ed|tion)|shrank)\b'
    r'|下降|减少|降低|下跌|减小|跌',
    re.I,
)
FALLS = re.compile(rf'(?:{FALLING.pattern})(?:(?: of| by)?\s|(?:了|幅度为|率为)?\s?)(?=[0-9])', re.I)
"""Words before a number that make it negative."""
CHINESE = {
    '训练': 'train',
    '测试': 'test',
    '验证': 'validation',
    '损失': 'loss',
    '准确率': 'accuracy',
    '召回率': 'recall',
    '精确率': 'precision',
    '均方根误差': 'rmse',
    '均方误差': 'mse',
    '均绝对误差': 'mae',
    '决定系': 'r',
    '均': 'mean',
    '中位': 'median',
    '最大': 'maximum',
    '最小': 'minimum',
    '截距': 'intercept',
    '斜率': 'coefficient',
    '男': 'male',
    '女': 'female',
}
"""Names of measures and parts of data."""
TEST_STATISTICS = frozenset(('t', 'f', 'z', 'w', 'u', 'r', 'chi2', 'chi'))
MEASURES = frozenset(
    re.findall(
        r'\S+',
        'mse rmse mae mape r mean std var variance median minimum maximum count sum total range statistic p df '
        'accuracy precision recall f1 auc specificity sensitivity loss coefficient intercept correlation '
        'skewness kurtosis support rows columns height width',
    )
)
"""Names of quantities; a list of different quantities is no ranking."""


def named(words: Iterable[str]) -> tuple[str, ...]:
    """Normalize a label's words: one name for each thing, and no words that say nothing."""
    return _named(tuple(words))


@functools.lru_cache(maxsize=10_000)
def _named(words: tuple[str, ...]) -> tuple[str, ...]:
    parts = [part for word in words for part in (word.split('_') if '_' in word.strip('_') else [word]) if part]
    said = [SAME.get(word, word) for word in parts]
    said = [word for word in said if word not in SAYS_NOTHING] or said
    return tuple(_phrased(said))


def _phrased(words: list[str]) -> list[str]:
    for phrase, name in PHRASES:
        for start in range(len(words) - len(phrase) + 1):
            if tuple(words[start : start + len(phrase)]) == phrase:
                words = [*words[:start], *name.split(), *words[start + len(phrase) :]]
                break
    return [*words, 'statistic'] if len(words) == 1 and words[0] in TEST_STATISTICS else words


def translated(words: Iterable[str]) -> set[str]:
    """The English names of those Chinese words in a label that have a standard name."""
    text = ''.join(words)
    if text.isascii():
        return set()
    return {name for chinese, name in CHINESE.items() if chinese in text}


def opposed(gold: Iterable[object], answer: Iterable[object]) -> bool:
    """Whether an answer says `least` where the gold says `most`, or `second` where the gold has no such word."""
    mine, theirs = set(gold), set(answer)
    return bool(ORDINALS & theirs - mine) or any(
        (group & theirs) - mine and group & mine - theirs for group in OPPOSITES
    )
