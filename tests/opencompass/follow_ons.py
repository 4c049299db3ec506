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
GROUPED = """
rates = df.groupby(['class', 'sex']).survived.mean().unstack().reindex(order)
print(*[f'{value:.3f}' for value in rates['female'] - rates['male']])
"""
ETA = """
groups = df.groupby('class').age.agg(['size', 'mean'])
between = (groups['size'] * (groups['mean'] - df.age.mean()) ** 2).sum()
print('%.4f' % (between / (df.age.var(ddof=0) * len(df))))
"""
PARTIAL = """
import numpy as np
def rest(name):
    slope, start = np.polyfit(df[top[0]], df[name], deg=1)
    return df[name] - slope * df[top[0]] - start
print('%.4f' % rest('flavanoids').corr(rest(top[1])))
"""
FIT = """
from scipy.stats import linregress
fit = linregress(df[top[0]], df['flavanoids'])
print('%.4f %.4f %.4f' % (fit.slope, fit.intercept, fit.rvalue ** 2))
"""
LINE = """
import numpy as np
slope, start = np.polyfit(x, y, 1)
print('%.4f %.4f %.4f' % (slope, start, np.corrcoef(x, y)[0, 1] ** 2))
"""
ERRORS = """
from math import sqrt
straight = y - (line.intercept + line.slope * x)
power = y - power_law(x, parameters[0], parameters[1])
print('%.2f %.2f' % (sqrt((straight @ straight) / len(y)), sqrt((power @ power) / len(y))))
"""
SPECTRUM = """
top = powers.argsort()[-3:][::-1]
print(' '.join('%.4f' % frequencies[i] for i in top), '%.4f' % (powers[top].sum() / powers.sum()))
"""
BEATS = """
peaks = signal.find_peaks(smooth, prominence=0.3)[0]
gaps = t[peaks][1:] - t[peaks][:-1]
print('%d %.3f %.3f' % (len(peaks), gaps.mean(), gaps.std(ddof=1)))
"""
NEIGHBOURS = """
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler
scaler = StandardScaler().fit(X_train)
first = KNeighborsClassifier(5).fit(X_train, y_train)
second = KNeighborsClassifier(5).fit(scaler.transform(X_train), y_train)
print('%.4f' % first.score(X_test, y_test), '%.4f' % second.score(scaler.transform(X_test), y_test))
"""
COMPONENTS = """
from sklearn.decomposition import PCA
pca = PCA(2).fit(Z)
points = pca.transform(Z)
first, second = pca.explained_variance_ratio_
print(f'{first:.4f} {second:.4f}')
"""
LINEAR = """
from sklearn.linear_model import LinearRegression
from sklearn.metrics import r2_score
X, t = train[numeric], train['Balance']
regression = LinearRegression()
regression.fit(X, t)
print('%.4f %.4f' % (r2_score(t, regression.predict(X)), r2_score(test['Balance'], regression.predict(test[numeric]))))
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
CONTRIBUTIONS = """
import numpy as np
table = np.asarray(booster.predict(X_test, pred_contrib=True))
print(*['%.3f' % np.abs(table[:, column]).mean() for column in range(table.shape[1] - 1)])
"""
AGES = "ages = ship['full_age']\nprint('%.3f %.3f' % (ages.sum() / len(ages), ages.var() ** 0.5))"
PAIRS = """
from itertools import combinations
complete = returns[returns.notna().all(axis=1)]
values = [complete[a].corr(complete[b]) for a, b in combinations(complete.columns, 2)]
print(f'{max(values):.4f} {min(values):.4f}')
"""
RANKS = """
from scipy.stats import spearmanr
shown = []
for symbol in ['AAPL', 'AMZN', 'GOOG', 'IBM', 'MSFT']:
    both = joined.dropna(subset=[symbol])
    shown.append('%.4f' % spearmanr(both.unemp, both[symbol])[0])
print(*shown)
"""
WEALTH = """
from scipy import stats as statistics
fit = statistics.linregress(latest.log_gdp, latest.lifeExp)
latest['residual'] = latest.lifeExp - fit.intercept - fit.slope * latest.log_gdp
print('%.3f %.3f %.3f' % (fit.slope, fit.intercept, latest.residual.std(ddof=1)))
"""
WIND = """
import cmath, math
sums = rose.sum(axis=1).to_list()
mean = sum(size * cmath.exp(1j * turn) for size, turn in zip(sums, angle)) / sum(sums)
print('%.2f %.4f' % (math.degrees(cmath.phase(mean)) % 360, abs(mean)))
"""
THICKNESS = """
import numpy as np, cv2
thickness = []
for outline in contours:
    inside = cv2.fillPoly(np.zeros(canvas.shape, np.uint8), [outline], 1).astype(bool)
    thickness.append(float(np.max(distance, where=inside, initial=0)))
print(' '.join('%.2f' % value for value in thickness))
"""
CHANGE = "change = (regular - regular.shift(12)).iloc[12:]\nprint(sum(change > 0), '%.3f' % change.quantile(0.5))"
ROLLING = """
rolling = (regular + regular.shift(1) + regular.shift(2) + regular.shift(3)) / 4
print('%.3f' % rolling.max(), str(rolling.idxmax())[:10])
"""
MEANS = """
means = long.pivot_table(index='YEAR', values='score').reset_index().rename(columns={'score': 'mean_score'})
print('%.3f %.3f' % (means.mean_score.max(), means.mean_score.min()))
"""
SHARE = """
share = 100 * table / table.to_numpy().sum(axis=1, keepdims=True)
for value in share[share.columns[0]]:
    print('%.2f' % value)
"""
REST = """
rest = y - smooth
deviation = (rest ** 2).mean() - rest.mean() ** 2
print('%.3f %.1f' % (deviation ** 0.5, 100 * (rest ** 2 <= 4 * deviation).mean()))
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
    Case(f'{T}/pandas/grouping_penguins', {4: (" / df['island'].map(summary['std'])", ''), 5: PENGUINS}, {5: 4}),
    Case(
        f'{T}/pandas/resampling_seattle',
        {2: ("'MS').mean()", "'MS').sum()"), 4: ROLLING, 5: CHANGE},
        {2: None, 4: 2, 5: 2},
    ),
    Case(f'{T}/pandas/reshaping_elnino', {2: (') / wide.std()', ')'), 4: MEANS}, {4: 2}),
    Case(f'{T}/matplotlib/bars_credit', {1: ("aggfunc='mean'", "aggfunc='median'"), 4: SHARE}, {1: None, 4: 1}),
    Case(f'{T}/matplotlib/lines_sunspots', {1: ('center=True, ', ''), 5: REST}, {1: None, 5: 1}),
    Case(
        f'{T}/seaborn/categories_titanic',
        {0: (".dropna(subset=['age'])", ".fillna({'age': 40})"), 5: ETA, 7: GROUPED},
        {5: 0, 7: 0},
    ),
    Case(f'{T}/seaborn/relations_wine', {1: ('nlargest', 'nsmallest'), 3: FIT, 5: PARTIAL}, {1: None, 3: 1, 5: 1}),
    Case(f'{T}/scipy/hypotheses_tips', {0: ("['total_bill']", "['tip']"), 2: SPREAD, 5: RANKED}, {2: 0, 5: 0}),
    Case(
        f'{T}/scipy/fitting_engel',
        {
            0: (
                "x = table['income'].to_numpy(dtype=float)\ny = table['foodexp']",
                "x = table['foodexp'].to_numpy(dtype=float)\ny = table['income']",
            ),
            1: LINE,
        },
        {1: 0},
    ),
    Case(f'{T}/scipy/fitting_engel', {2: ('a * x**b', 'a + x**b'), 5: ERRORS}, {5: 2}),
    Case(f'{T}/scipy/signals_heartbeat', {0: ('1 / (t[1] - t[0])', 't[1] - t[0]'), 3: SPECTRUM}, {3: 0}),
    Case(f'{T}/scipy/signals_heartbeat', {4: ('butter(3, 12', 'butter(3, 1'), 5: BEATS}, {5: 4}),
    Case(f'{T}/sklearn/classification_wine', {0: ('random_state=7', 'random_state=42'), 2: NEIGHBOURS}, {2: 0}),
    Case(
        f'{T}/sklearn/clustering_states',
        {0: ('StandardScaler().fit_transform(data[columns])', 'data[columns].to_numpy()'), 1: COMPONENTS},
        {1: 0},
    ),
    Case(f'{T}/sklearn/regression_credit', {0: ('random_state=3', 'random_state=0'), 1: LINEAR}, {1: 0}),
    Case(f'{T}/sklearn/regression_credit', {2: ('Ridge(alpha=alpha)', 'Ridge()'), 4: STRENGTHS}, {4: 2}),
    Case(
        f'{T}/lightgbm/binary_glass',
        {1: ('num_boost_round=60', 'num_boost_round=20'), 7: CONTRIBUTIONS},
        {1: None, 7: 1},
    ),
    Case(
        f'{G}/pandas/titanic',
        {6: "ship['full_age'] = ship.age.fillna(ship.age.median())", 7: AGES, 11: ('>= 6', '> 6')},
        {7: 6, 11: None},
    ),
    Case(
        f'{G}/pandas/stocks',
        {
            3: ('prices / prices.shift(1) - 1', 'prices.diff()'),
            8: PAIRS,
            11: ("rows['unemp'].rank().corr(rows[symbol].rank())", "rows['unemp'].corr(rows[symbol])"),
        },
        {3: None, 8: 3, 11: None},
    ),
    Case(
        f'{G}/pandas/stocks', {10: (".rename('quarter')]).mean()", ".rename('quarter')]).last()"), 11: RANKS}, {11: 10}
    ),
    Case(f'{G}/seaborn/gapminder', {4: ('np.log10(', 'np.log('), 6: WEALTH}, {6: 4}),
    Case(
        f'{G}/matplotlib/wind_rose',
        {1: ("rose = rose.loc[wind['direction'].unique(), wind['strength'].unique()]\n", ''), 7: WIND},
        {7: 1},
    ),
    Case(
        f'{G}/opencv/shapes',
        {6: ('cv2.DIST_L2, cv2.DIST_MASK_PRECISE', 'cv2.DIST_L1, 3'), 7: THICKNESS, 5: ('* np.pi', '* 3')},
        {5: None, 7: 6},
    ),
    Case(
        f'{T}/pandas/resampling_seattle', {2: ("'MS').mean()", "'MS').sum()"), 3: ('nlargest', 'nsmallest')}, {3: None}
    ),
    Case(
        f'{T}/matplotlib/bars_credit',
        {1: ("aggfunc='mean'", "aggfunc='median'"), 4: ('table.sum(axis=1), axis=0', 'table.sum(axis=0), axis=1')},
        {4: None},
    ),
    Case(
        f'{T}/scipy/fitting_engel',
        {
            1: ('line.rvalue**2', 'line.rvalue'),
            5: ('np.sqrt(np.mean((y - predicted) ** 2))', 'np.mean((y - predicted) ** 2)'),
        },
        {1: None, 5: None},
    ),
)
