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
    for words in re.split(
        ', ',
        'most least more less fewest fewer, best worst better worse, highest lowest higher lower high low, '
        'largest smallest larger smaller biggest, longest shortest longer shorter, '
        'maximum minimum max min mean median average mode total, first last second third, earliest latest, '
        'increase decrease increases decreases increasing decreasing, above below, positive negative neutral, '
        'train training test validation, male female, null alternative, '
        '多 少, 高 低, 大 小, 正 负, 升 降, 增 减, 好 差, 早 晚, 长 短',
    )
)
"""Mutually exclusive words."""
ORDINALS = frozenset(('second', 'third', 'fourth', 'last'))

OTHER_NAMES = {
    'mean': 'average avg',
    'std': 'sd stdev',
    'percent': 'pct',
    'best': 'optimal optimum',
    'r': 'r2 r² rsquared rvalue',
    'p': 'pvalue pval prob',
    'statistic': 'stat',
    'coefficient': 'coef slope',
    'intercept': 'const',
    'pred': 'predicted',
    'df': 'dof',
    'minimum': 'min',
    'maximum': 'max',
    'q1': '25% 0.25',
    'median': '50% 0.5 0.50',
    'q3': '75% 0.75',
    'height': 'high tall',
    'width': 'wide',
    'length': 'long',
    'kilometer': 'km kilometers kilometre kilometres',
    'meter': 'm 米 meters metre metres',
    'centimeter': 'cm centimeters centimetre centimetres',
    'millimeter': 'mm millimeters millimetre millimetres',
    'kilogram': 'kg kilograms',
    'gram': 'g 克 grams',
    'second': 'sec secs s 秒 seconds',
    'millisecond': 'ms milliseconds',
    'minute': 'mins minutes',
    'hour': 'h hr hrs hours',
    'day': 'days',
    'mile': 'miles',
    'foot': 'feet',
    'inch': 'inches',
    '$': 'usd dollar dollars',
    '€': 'eur euro euros',
    '£': 'gbp',
    '¥': 'yuan rmb cny 元',
}
"""Names of things, and other words for them. (The `^2` of `R^2` is dropped before.)"""
SAME = {word: name for name, others in OTHER_NAMES.items() for word in others.split()}
LONG_NAMES = {
    'rmse': 'root mean squared error, root mean square error',
    'mse': 'mean squared error, mean square error',
    'mae': 'mean absolute error',
    'mape': 'mean absolute percentage error',
    'r': 'coefficient determination, r squared, r square, r score, pearson r',
    'std': 'standard deviation, 标 准 差',
    'stderr': 'standard error',
    'f1': 'f score, f1 score',
    'correlation': 'correlation coefficient',
    'auc': 'roc auc score, roc auc, area under curve',
    'k': 'number clusters, n clusters',
    'statistic': '统 计',
    '均': '平 均',
    '最 大': '最 高',
    '最 小': '最 低',
    'chi2': 'chi square, chi squared, 卡 方',
    'df': 'degrees freedom, 自 由 度',
    'q1': '25 th percentile, first quartile, lower quartile, 第 一 四 分 位',
    'median': '50 th percentile',
    'q3': '75 th percentile, third quartile, upper quartile, 第 三 四 分 位',
    'iqr': 'interquartile range, 四 分 位 距',
    'kilometer': '公 里, 千 meter',
    'centimeter': '厘 meter',
    'millimeter': '毫 meter',
    'millisecond': '毫 second',
    'kilogram': '公 斤, 千 gram',
    'minute': '分 钟',
    'hour': '小 时',
}
"""Names of things, and their names of several words, without the words that say nothing."""
PHRASES = tuple(
    (tuple(words.split()), tuple(name.split())) for name, those in LONG_NAMES.items() for words in those.split(', ')
)
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
CHINESE = dict(
    re.findall(
        r'(\w+) (\w+)',
        '训练 train, 测试 test, 验证 validation, 损失 loss, 准确率 accuracy, 召回率 recall, 精确率 precision, '
        '均方根误差 rmse, 均方误差 mse, 均绝对误差 mae, 决定系 r, 均 mean, 中位 median, 最大 maximum, 最小 minimum, '
        '截距 intercept, 斜率 coefficient, 男 male, 女 female',
    )
)
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
                words = [*words[:start], *name, *words[start + len(phrase) :]]
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
