"""Sessions in which a step goes wrong because of an earlier one, in code that is not written as the gold is.

A reply is code, or (old, new) in the gold code; steps without one are the gold's. `origins` says of some failed steps
which step they follow from, None being a fault of their own.
"""

from dataclasses import dataclass

T, G = 'cibench_template', 'cibench_generation'
Reply = str | tuple[str, str]


@dataclass(frozen=True)
class Case:
    """One session."""

    experiment: str
    replies: dict[int, Reply]
    origins: dict[int, int | None]


PENGUINS = (
    "chosen = df.loc[(df.z > 1.5) | (df.z < -1.5)]\nprint(chosen.shape[0], '%.3f' % chosen.flipper_length_mm.mean())"
)
BEATS = """
peaks = signal.find_peaks(smooth, prominence=0.3)[0]
gaps = t[peaks][1:] - t[peaks][:-1]
print('%d %.3f %.3f' % (len(peaks), gaps.mean(), gaps.std(ddof=1)))
"""
STRENGTHS = """
from sklearn.model_selection import KFold
shown = []
for strength in [0.1, 1, 10, 100]:
    errors = []
    for fit, rest in KFold(5, shuffle=True, random_state=1).split(train):
        fitted = build(strength).fit(train.iloc[fit], train['Balance'].iloc[fit])
        errors.append(abs(fitted.predict(train.iloc[rest]) - train['Balance'].iloc[rest]).mean())
    shown.append('%.3f' % (sum(errors) / 5))
print(*shown)
"""
RANKS = """
from scipy.stats import spearmanr
shown = []
for symbol in ['AAPL', 'AMZN', 'GOOG', 'IBM', 'MSFT']:
    both = joined.dropna(subset=[symbol])
    shown.append('%.4f' % spearmanr(both.unemp, both[symbol])[0])
print(*shown)
"""
SHARE = """
share = 100 * table / table.to_numpy().sum(axis=1, keepdims=True)
for value in share[share.columns[0]]:
    print('%.2f' % value)
"""
RANKED = """
from scipy.stats import kruskal
h = kruskal(*samples.values())[0]
print('%.3f %.4f' % (h, h / (sum(map(len, samples.values())) - 1)))
"""
SPREAD = """
from scipy.stats import f_oneway, levene
print('%.3f %.3f' % (levene(*samples.values(), center='median')[0], f_oneway(*samples.values())[0]))
"""

CASES = (
    Case(
        f'{T}/pandas/grouping_penguins',
        {3: ("['count', 'mean', 'std']", "count='count', mean='median', std='std'"), 5: PENGUINS},
        {3: None, 5: 3},
    ),
    Case(f'{T}/matplotlib/bars_credit', {1: ("aggfunc='mean'", "aggfunc='median'"), 4: SHARE}, {1: None, 4: 1}),
    Case(f'{T}/scipy/hypotheses_tips', {0: ("['total_bill']", "['tip']"), 2: SPREAD, 5: RANKED}, {2: 0, 5: 0}),
    Case(f'{T}/scipy/signals_heartbeat', {4: ('butter(3, 12', 'butter(3, 1'), 5: BEATS}, {5: 4}),
    Case(f'{T}/sklearn/regression_credit', {2: ('Ridge(alpha=alpha)', 'Ridge()'), 4: STRENGTHS}, {4: 2}),
    Case(
        f'{G}/pandas/stocks', {10: (".rename('quarter')]).mean()", ".rename('quarter')]).last()"), 11: RANKS}, {11: 10}
    ),
    Case(
        f'{T}/pandas/resampling_seattle', {2: ("'MS').mean()", "'MS').sum()"), 3: ('nlargest', 'nsmallest')}, {3: None}
    ),
)
