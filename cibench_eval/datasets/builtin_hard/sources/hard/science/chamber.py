# ---
# jupyter:
#   instances:
#     cress: {seed: 17, start: '2025-02-03', late: 2, weak: 57}
#     mustard: {seed: 90, start: '2024-10-09', late: 1, weak: 64}
#   varied:
#     seed: {between: [1, 1000000]}
#     start: {pick: ['2025-02-03', '2024-10-09', '2023-03-17']}
#     late: {pick: [1, 2, 3]}
#     weak: {pick: [50, 57, 64]}
#   words:
#     title: {en: Growth by light, cn: 光照引起的生长}
#     x_label: {en: Acting dose, cn: 作用剂量}
#     y_label: {en: mm a day, cn: 毫米每天}
# ---

# %% [markdown] kind="exec" modules="pandas"
# 36 seedlings grew in a chamber under lamps on four shelves. `{{ data }}/notes.txt` says what its files hold.
# From `{{ data }}/growth.csv`, `{{ data }}/plants.csv` and `{{ data }}/climate.csv` make a DataFrame `growth` with one row for each seedling and day, sorted by `plant` and `day`. Its columns are `plant`, `day` (integer), `shelf`, `dose` (integer, as set), `growth` (float, mm) and `celsius` (float, the temperature of that day in °C).
#
# Thought: Sort by sent before duplicates are dropped; days of the chamber change at 08:00.

# %% [markdown] lang="cn"
# 36 株幼苗在培养箱中四层架子的灯下生长。各文件的内容见 `{{ data }}/notes.txt`。
# 由 `{{ data }}/growth.csv`、`{{ data }}/plants.csv` 和 `{{ data }}/climate.csv` 生成 DataFrame `growth`，每株幼苗每天占一行，按 `plant` 和 `day` 排序，列为 `plant`、`day`（整数）、`shelf`、`dose`（整数，按所设定）、`growth`（浮点数，毫米）和 `celsius`（浮点数，当天的温度，单位 °C）。
#
# Thought: 先按 sent 排序再去重；培养箱的一天在 08:00 交替。

# %%
import numpy as np
import pandas as pd

sent = pd.read_csv('{{ data }}/growth.csv', sep=';', decimal=',')
growth = sent.sort_values('sent').drop_duplicates(['day', 'plant'], keep='last')
growth = growth.merge(pd.read_csv('{{ data }}/plants.csv', sep=';'), on='plant')
climate = pd.read_csv('{{ data }}/climate.csv', sep=';')
moment = pd.to_datetime(climate['time'], format='%d.%m.%Y %H:%M')
number = ((moment - pd.Timestamp('{{ start }} 08:00')) // pd.Timedelta(days=1)) + 1
warmth = climate.groupby(number)['tenths'].mean() / 10
growth['celsius'] = growth['day'].map(warmth)
growth = growth[['plant', 'day', 'shelf', 'dose', 'growth', 'celsius']].sort_values(['plant', 'day'], ignore_index=True)

# %% naive="careless" trap="days change at midnight"
import numpy as np
import pandas as pd

sent = pd.read_csv('{{ data }}/growth.csv', sep=';', decimal=',')
growth = sent.sort_values('sent').drop_duplicates(['day', 'plant'], keep='last')
growth = growth.merge(pd.read_csv('{{ data }}/plants.csv', sep=';'), on='plant')
climate = pd.read_csv('{{ data }}/climate.csv', sep=';')
moment = pd.to_datetime(climate['time'], format='%d.%m.%Y %H:%M')
number = ((moment - pd.Timestamp('{{ start }}')) // pd.Timedelta(days=1)) + 1
warmth = climate.groupby(number)['tenths'].mean() / 10
growth['celsius'] = growth['day'].map(warmth)
growth = growth[['plant', 'day', 'shelf', 'dose', 'growth', 'celsius']].sort_values(['plant', 'day'], ignore_index=True)

# %% naive="literal" trap="the first of the rows in the file is kept"
import numpy as np
import pandas as pd

sent = pd.read_csv('{{ data }}/growth.csv', sep=';', decimal=',')
growth = sent.drop_duplicates(['day', 'plant'], keep='last')
growth = growth.merge(pd.read_csv('{{ data }}/plants.csv', sep=';'), on='plant')
climate = pd.read_csv('{{ data }}/climate.csv', sep=';')
moment = pd.to_datetime(climate['time'], format='%d.%m.%Y %H:%M')
number = ((moment - pd.Timestamp('{{ start }} 08:00')) // pd.Timedelta(days=1)) + 1
warmth = climate.groupby(number)['tenths'].mean() / 10
growth['celsius'] = growth['day'].map(warmth)
growth = growth[['plant', 'day', 'shelf', 'dose', 'growth', 'celsius']].sort_values(['plant', 'day'], ignore_index=True)

# %% naive="shortcut" trap="rows that were sent again are averaged"
import numpy as np
import pandas as pd

sent = pd.read_csv('{{ data }}/growth.csv', sep=';', decimal=',')
growth = sent.groupby(['day', 'plant'], as_index=False)[['dose', 'growth']].mean()
growth = growth.merge(pd.read_csv('{{ data }}/plants.csv', sep=';'), on='plant')
climate = pd.read_csv('{{ data }}/climate.csv', sep=';')
moment = pd.to_datetime(climate['time'], format='%d.%m.%Y %H:%M')
number = ((moment - pd.Timestamp('{{ start }} 08:00')) // pd.Timedelta(days=1)) + 1
warmth = climate.groupby(number)['tenths'].mean() / 10
growth['celsius'] = growth['day'].map(warmth)
growth = growth[['plant', 'day', 'shelf', 'dose', 'growth', 'celsius']].sort_values(['plant', 'day'], ignore_index=True)

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# Which seedlings are of the other line? There are between 5 and 9 of them. Print them in alphabetical order, on one line, separated by `, `.
#
# Thought: Take out what is common to a day and to a seedling, fit how light acts, and look for each seedling at which lag it fits best.

# %% [markdown] lang="cn"
# 哪些幼苗属于另一个品系？它们有 5 至 9 株。按字母顺序在同一行打印，用 `, ` 分隔。
#
# Thought: 扣除每天共有和每株共有的部分，拟合光的作用，再看每株幼苗在哪个滞后下拟合最好。

# %%
from itertools import combinations

from scipy.optimize import least_squares
from scipy.signal import lfilter

dose = growth.pivot(index='plant', columns='day', values='dose')
grown = growth.pivot(index='plant', columns='day', values='growth').to_numpy()
shelves = growth.groupby('plant')['shelf'].first().to_numpy()
names, days, set_dose = list(dose.index), dose.columns.to_numpy(), dose.to_numpy(float)


def effect(keep, half, lags, given):
    """Share of the largest effect of light, of each plant and day."""
    total = lfilter([1], [1, -keep], given, axis=1)
    for lag in set(lags) - {0}:
        who = np.asarray(lags) == lag
        total[who] = np.hstack([np.zeros((who.sum(), lag)), total[who, :-lag]])
    return total**2 / (half**2 + total**2)


def rest(values):
    """Less what is common to a plant and to a day."""
    return values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()


def lit(place, since, share):
    """The doses that plants got, with a lamp that gives a share from some day on."""
    return stood * np.where((shelves == place)[:, None] & (days >= since), share, 1.0)


def left(p, lags, place, since):
    return rest(grown - p[2] * effect(p[0], p[1], lags, lit(place, since, p[3]))).ravel()


def cost(p, *rest_of):
    return (left(p, *rest_of) ** 2).sum()


def refined(p):
    return least_squares(left, p, x_scale=[0.1, 20, 1, 0.2], args=(lags, shelf, since)).x


def exchanged(one, two, day):
    """Doses of two plants that stand in each other's place from some day on."""
    result = set_dose.copy()
    result[one, day - 1 :], result[two, day - 1 :] = set_dose[two, day - 1 :], set_dose[one, day - 1 :]
    return result


def misfits(plant, other):
    """How badly a plant fits that stands in another's place from some day on, for each such day."""
    got = np.where(days >= np.array(tried_days)[:, None], given[other], given[plant])
    light = [p[2] * effect(p[0], p[1], [lag] * len(got), got) for lag in (0, late)]
    return np.min([np.var(grown[plant] - common - one, axis=1) for one in light], axis=0)


tried_days = range(4, 78, 3)
stood, lags, shelf, since = set_dose, np.zeros(len(names), int), 'none', 1
p = refined([0.5, 90, 6, 1])
for turn in range(4):
    tried = [rest(grown) - rest(p[2] * effect(p[0], p[1], lags * 0 + lag, lit(shelf, since, p[3]))) for lag in range(6)]
    errors = np.array([(one**2).sum(axis=1) for one in tried])
    best = errors.argmin(axis=0)
    late = np.bincount(best[best > 0], minlength=2).argmax()
    lags = np.where(errors[late] < errors[0], late, 0)
    p = refined(p)
    if turn < 2:
        options = [(cost([*p[:3], share], lags, place, day), place, day, share) for place in sorted(set(shelves)) for day in range(5, 77, 3) for share in (0.5, 0.65, 0.8)]
        _, shelf, since, share = min(options)
        since = min(range(max(since - 4, 2), since + 5), key=lambda day: cost([*p[:3], share], lags, shelf, day))
        p = refined([*p[:3], share])
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
    elif turn == 2:
        given = lit(shelf, since, p[3])
        common = (grown - p[2] * effect(p[0], p[1], lags, given)).mean(axis=0)
        options = []
        for one, two in combinations(range(len(names)), 2):
            if shelves[one] == shelves[two]:
                fits = misfits(one, two) + misfits(two, one) - misfits(one, one) - misfits(two, two)
                options.append((fits.min(), one, two, tried_days[fits.argmin()]))
        _, one, two, day = min(options)
        for _ in range(2):
            scores = []
            for other in range(max(day - 3, 2), day + 4):
                stood = exchanged(one, two, other)
                scores.append((cost(p, lags, shelf, since), other))
            day = min(scores)[1]
        stood = exchanged(one, two, day)
        p = refined(p)
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
for _ in range(2):
    since = min(range(max(since - 4, 2), since + 5), key=lambda other: cost(p, lags, shelf, other))
    near = {}
    for other in range(max(day - 3, 2), day + 4):
        stood = exchanged(one, two, other)
        near[other] = cost(p, lags, shelf, since)
    day = min(near, key=near.get)
    stood = exchanged(one, two, day)
    p = refined(p)
late_plants = [name for name, lag in zip(names, lags) if lag]
answer = list(late_plants)
print(', '.join(answer))

# %% naive="careless" trap="the seedlings that grow least"
from itertools import combinations

from scipy.optimize import least_squares
from scipy.signal import lfilter

dose = growth.pivot(index='plant', columns='day', values='dose')
grown = growth.pivot(index='plant', columns='day', values='growth').to_numpy()
shelves = growth.groupby('plant')['shelf'].first().to_numpy()
names, days, set_dose = list(dose.index), dose.columns.to_numpy(), dose.to_numpy(float)


def effect(keep, half, lags, given):
    """Share of the largest effect of light, of each plant and day."""
    total = lfilter([1], [1, -keep], given, axis=1)
    for lag in set(lags) - {0}:
        who = np.asarray(lags) == lag
        total[who] = np.hstack([np.zeros((who.sum(), lag)), total[who, :-lag]])
    return total**2 / (half**2 + total**2)


def rest(values):
    """Less what is common to a plant and to a day."""
    return values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()


def lit(place, since, share):
    """The doses that plants got, with a lamp that gives a share from some day on."""
    return stood * np.where((shelves == place)[:, None] & (days >= since), share, 1.0)


def left(p, lags, place, since):
    return rest(grown - p[2] * effect(p[0], p[1], lags, lit(place, since, p[3]))).ravel()


def cost(p, *rest_of):
    return (left(p, *rest_of) ** 2).sum()


def refined(p):
    return least_squares(left, p, x_scale=[0.1, 20, 1, 0.2], args=(lags, shelf, since)).x


def exchanged(one, two, day):
    """Doses of two plants that stand in each other's place from some day on."""
    result = set_dose.copy()
    result[one, day - 1 :], result[two, day - 1 :] = set_dose[two, day - 1 :], set_dose[one, day - 1 :]
    return result


def misfits(plant, other):
    """How badly a plant fits that stands in another's place from some day on, for each such day."""
    got = np.where(days >= np.array(tried_days)[:, None], given[other], given[plant])
    light = [p[2] * effect(p[0], p[1], [lag] * len(got), got) for lag in (0, late)]
    return np.min([np.var(grown[plant] - common - one, axis=1) for one in light], axis=0)


tried_days = range(4, 78, 3)
stood, lags, shelf, since = set_dose, np.zeros(len(names), int), 'none', 1
p = refined([0.5, 90, 6, 1])
for turn in range(4):
    tried = [rest(grown) - rest(p[2] * effect(p[0], p[1], lags * 0 + lag, lit(shelf, since, p[3]))) for lag in range(6)]
    errors = np.array([(one**2).sum(axis=1) for one in tried])
    best = errors.argmin(axis=0)
    late = np.bincount(best[best > 0], minlength=2).argmax()
    lags = np.where(errors[late] < errors[0], late, 0)
    p = refined(p)
    if turn < 2:
        options = [(cost([*p[:3], share], lags, place, day), place, day, share) for place in sorted(set(shelves)) for day in range(5, 77, 3) for share in (0.5, 0.65, 0.8)]
        _, shelf, since, share = min(options)
        since = min(range(max(since - 4, 2), since + 5), key=lambda day: cost([*p[:3], share], lags, shelf, day))
        p = refined([*p[:3], share])
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
    elif turn == 2:
        given = lit(shelf, since, p[3])
        common = (grown - p[2] * effect(p[0], p[1], lags, given)).mean(axis=0)
        options = []
        for one, two in combinations(range(len(names)), 2):
            if shelves[one] == shelves[two]:
                fits = misfits(one, two) + misfits(two, one) - misfits(one, one) - misfits(two, two)
                options.append((fits.min(), one, two, tried_days[fits.argmin()]))
        _, one, two, day = min(options)
        for _ in range(2):
            scores = []
            for other in range(max(day - 3, 2), day + 4):
                stood = exchanged(one, two, other)
                scores.append((cost(p, lags, shelf, since), other))
            day = min(scores)[1]
        stood = exchanged(one, two, day)
        p = refined(p)
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
for _ in range(2):
    since = min(range(max(since - 4, 2), since + 5), key=lambda other: cost(p, lags, shelf, other))
    near = {}
    for other in range(max(day - 3, 2), day + 4):
        stood = exchanged(one, two, other)
        near[other] = cost(p, lags, shelf, since)
    day = min(near, key=near.get)
    stood = exchanged(one, two, day)
    p = refined(p)
late_plants = [name for name, lag in zip(names, lags) if lag]
low = growth.groupby('plant')['growth'].mean().nsmallest(len(late_plants)).index
print(', '.join(sorted(low)))

# %% naive="literal" trap="the five whose growth goes least with the dose of the day"
from itertools import combinations

from scipy.optimize import least_squares
from scipy.signal import lfilter

dose = growth.pivot(index='plant', columns='day', values='dose')
grown = growth.pivot(index='plant', columns='day', values='growth').to_numpy()
shelves = growth.groupby('plant')['shelf'].first().to_numpy()
names, days, set_dose = list(dose.index), dose.columns.to_numpy(), dose.to_numpy(float)


def effect(keep, half, lags, given):
    """Share of the largest effect of light, of each plant and day."""
    total = lfilter([1], [1, -keep], given, axis=1)
    for lag in set(lags) - {0}:
        who = np.asarray(lags) == lag
        total[who] = np.hstack([np.zeros((who.sum(), lag)), total[who, :-lag]])
    return total**2 / (half**2 + total**2)


def rest(values):
    """Less what is common to a plant and to a day."""
    return values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()


def lit(place, since, share):
    """The doses that plants got, with a lamp that gives a share from some day on."""
    return stood * np.where((shelves == place)[:, None] & (days >= since), share, 1.0)


def left(p, lags, place, since):
    return rest(grown - p[2] * effect(p[0], p[1], lags, lit(place, since, p[3]))).ravel()


def cost(p, *rest_of):
    return (left(p, *rest_of) ** 2).sum()


def refined(p):
    return least_squares(left, p, x_scale=[0.1, 20, 1, 0.2], args=(lags, shelf, since)).x


def exchanged(one, two, day):
    """Doses of two plants that stand in each other's place from some day on."""
    result = set_dose.copy()
    result[one, day - 1 :], result[two, day - 1 :] = set_dose[two, day - 1 :], set_dose[one, day - 1 :]
    return result


def misfits(plant, other):
    """How badly a plant fits that stands in another's place from some day on, for each such day."""
    got = np.where(days >= np.array(tried_days)[:, None], given[other], given[plant])
    light = [p[2] * effect(p[0], p[1], [lag] * len(got), got) for lag in (0, late)]
    return np.min([np.var(grown[plant] - common - one, axis=1) for one in light], axis=0)


tried_days = range(4, 78, 3)
stood, lags, shelf, since = set_dose, np.zeros(len(names), int), 'none', 1
p = refined([0.5, 90, 6, 1])
for turn in range(4):
    tried = [rest(grown) - rest(p[2] * effect(p[0], p[1], lags * 0 + lag, lit(shelf, since, p[3]))) for lag in range(6)]
    errors = np.array([(one**2).sum(axis=1) for one in tried])
    best = errors.argmin(axis=0)
    late = np.bincount(best[best > 0], minlength=2).argmax()
    lags = np.where(errors[late] < errors[0], late, 0)
    p = refined(p)
    if turn < 2:
        options = [(cost([*p[:3], share], lags, place, day), place, day, share) for place in sorted(set(shelves)) for day in range(5, 77, 3) for share in (0.5, 0.65, 0.8)]
        _, shelf, since, share = min(options)
        since = min(range(max(since - 4, 2), since + 5), key=lambda day: cost([*p[:3], share], lags, shelf, day))
        p = refined([*p[:3], share])
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
    elif turn == 2:
        given = lit(shelf, since, p[3])
        common = (grown - p[2] * effect(p[0], p[1], lags, given)).mean(axis=0)
        options = []
        for one, two in combinations(range(len(names)), 2):
            if shelves[one] == shelves[two]:
                fits = misfits(one, two) + misfits(two, one) - misfits(one, one) - misfits(two, two)
                options.append((fits.min(), one, two, tried_days[fits.argmin()]))
        _, one, two, day = min(options)
        for _ in range(2):
            scores = []
            for other in range(max(day - 3, 2), day + 4):
                stood = exchanged(one, two, other)
                scores.append((cost(p, lags, shelf, since), other))
            day = min(scores)[1]
        stood = exchanged(one, two, day)
        p = refined(p)
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
for _ in range(2):
    since = min(range(max(since - 4, 2), since + 5), key=lambda other: cost(p, lags, shelf, other))
    near = {}
    for other in range(max(day - 3, 2), day + 4):
        stood = exchanged(one, two, other)
        near[other] = cost(p, lags, shelf, since)
    day = min(near, key=near.get)
    stood = exchanged(one, two, day)
    p = refined(p)
late_plants = [name for name, lag in zip(names, lags) if lag]
fits = {}
for name, part in growth.groupby('plant'):
    fits[name] = part['growth'].corr(part['dose'])
print(', '.join(sorted(sorted(fits, key=fits.get)[:5])))

# %% naive="shortcut" trap="products of growth and earlier dose, with all that is common in them"
from itertools import combinations

from scipy.optimize import least_squares
from scipy.signal import lfilter

dose = growth.pivot(index='plant', columns='day', values='dose')
grown = growth.pivot(index='plant', columns='day', values='growth').to_numpy()
shelves = growth.groupby('plant')['shelf'].first().to_numpy()
names, days, set_dose = list(dose.index), dose.columns.to_numpy(), dose.to_numpy(float)


def effect(keep, half, lags, given):
    """Share of the largest effect of light, of each plant and day."""
    total = lfilter([1], [1, -keep], given, axis=1)
    for lag in set(lags) - {0}:
        who = np.asarray(lags) == lag
        total[who] = np.hstack([np.zeros((who.sum(), lag)), total[who, :-lag]])
    return total**2 / (half**2 + total**2)


def rest(values):
    """Less what is common to a plant and to a day."""
    return values - values.mean(axis=0) - values.mean(axis=1, keepdims=True) + values.mean()


def lit(place, since, share):
    """The doses that plants got, with a lamp that gives a share from some day on."""
    return stood * np.where((shelves == place)[:, None] & (days >= since), share, 1.0)


def left(p, lags, place, since):
    return rest(grown - p[2] * effect(p[0], p[1], lags, lit(place, since, p[3]))).ravel()


def cost(p, *rest_of):
    return (left(p, *rest_of) ** 2).sum()


def refined(p):
    return least_squares(left, p, x_scale=[0.1, 20, 1, 0.2], args=(lags, shelf, since)).x


def exchanged(one, two, day):
    """Doses of two plants that stand in each other's place from some day on."""
    result = set_dose.copy()
    result[one, day - 1 :], result[two, day - 1 :] = set_dose[two, day - 1 :], set_dose[one, day - 1 :]
    return result


def misfits(plant, other):
    """How badly a plant fits that stands in another's place from some day on, for each such day."""
    got = np.where(days >= np.array(tried_days)[:, None], given[other], given[plant])
    light = [p[2] * effect(p[0], p[1], [lag] * len(got), got) for lag in (0, late)]
    return np.min([np.var(grown[plant] - common - one, axis=1) for one in light], axis=0)


tried_days = range(4, 78, 3)
stood, lags, shelf, since = set_dose, np.zeros(len(names), int), 'none', 1
p = refined([0.5, 90, 6, 1])
for turn in range(4):
    tried = [rest(grown) - rest(p[2] * effect(p[0], p[1], lags * 0 + lag, lit(shelf, since, p[3]))) for lag in range(6)]
    errors = np.array([(one**2).sum(axis=1) for one in tried])
    best = errors.argmin(axis=0)
    late = np.bincount(best[best > 0], minlength=2).argmax()
    lags = np.where(errors[late] < errors[0], late, 0)
    p = refined(p)
    if turn < 2:
        options = [(cost([*p[:3], share], lags, place, day), place, day, share) for place in sorted(set(shelves)) for day in range(5, 77, 3) for share in (0.5, 0.65, 0.8)]
        _, shelf, since, share = min(options)
        since = min(range(max(since - 4, 2), since + 5), key=lambda day: cost([*p[:3], share], lags, shelf, day))
        p = refined([*p[:3], share])
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
    elif turn == 2:
        given = lit(shelf, since, p[3])
        common = (grown - p[2] * effect(p[0], p[1], lags, given)).mean(axis=0)
        options = []
        for one, two in combinations(range(len(names)), 2):
            if shelves[one] == shelves[two]:
                fits = misfits(one, two) + misfits(two, one) - misfits(one, one) - misfits(two, two)
                options.append((fits.min(), one, two, tried_days[fits.argmin()]))
        _, one, two, day = min(options)
        for _ in range(2):
            scores = []
            for other in range(max(day - 3, 2), day + 4):
                stood = exchanged(one, two, other)
                scores.append((cost(p, lags, shelf, since), other))
            day = min(scores)[1]
        stood = exchanged(one, two, day)
        p = refined(p)
        since = min(range(max(since - 6, 2), since + 7), key=lambda day: cost(p, lags, shelf, day))
for _ in range(2):
    since = min(range(max(since - 4, 2), since + 5), key=lambda other: cost(p, lags, shelf, other))
    near = {}
    for other in range(max(day - 3, 2), day + 4):
        stood = exchanged(one, two, other)
        near[other] = cost(p, lags, shelf, since)
    day = min(near, key=near.get)
    stood = exchanged(one, two, day)
    p = refined(p)
late_plants = [name for name, lag in zip(names, lags) if lag]
raw = growth.copy()
before = raw.groupby('plant')['dose'].shift(late).fillna(0)
raw['gap'] = raw['growth'] * before - raw['growth'] * raw['dose']
print(', '.join(sorted(raw.groupby('plant')['gap'].mean().nlargest(4).index)))

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# From some day on until the end, two seedlings stood in each other's place; both places are on one shelf. Which two? Print them in alphabetical order, on one line, separated by `, `.
#
# Thought: Two seedlings fit badly to their own doses and well to each other's.

# %% [markdown] lang="cn"
# 从某天起直到结束，有两株幼苗互换了位置，两处在同一层架子上。是哪两株？按字母顺序在同一行打印，用 `, ` 分隔。
#
# Thought: 有两株幼苗与自己的剂量拟合不好，与对方的剂量却拟合得好。

# %%
movers = sorted([names[one], names[two]])
answer = [*movers]
print(', '.join(answer))

# %% naive="careless" trap="the two with the largest spread of growth"
movers = sorted([names[one], names[two]])
spread = growth.groupby('plant')['growth'].std()
print(', '.join(sorted(spread.nlargest(2).index)))

# %% naive="literal" trap="the two whose growth is most alike"
movers = sorted([names[one], names[two]])
alike = growth.pivot(index='day', columns='plant', values='growth').corr().where(lambda table: table < 1).stack()
print(', '.join(sorted(alike.idxmax())))

# %% naive="shortcut" trap="two of the late line"
movers = sorted([names[one], names[two]])
print(', '.join(late_plants[:2]))

# %% [markdown] kind="num" modules="scipy" answer="[count, count, count]"
# By how many days is the other line late (n in the notes)? And the lamp of one shelf gave, from some day on until the end, the same share of what was set, less than all of it; before, and on the other shelves always, the seedlings got what was set. Which was the first of these days? And which was the first day on which those two seedlings stood in each other's place? Print the three numbers on one line, separated by spaces.
#
# Thought: Try each shelf and day; the sum of squares is least at the right ones.

# %% [markdown] lang="cn"
# 另一品系滞后多少天（说明文件中的 n）？此外，某一层架子的灯从某天起直到结束，只给出设定剂量的一个固定份额，不足全部；在此之前，以及其他各层始终，幼苗得到的都是设定的剂量。这些天中的第一天是哪天？那两株幼苗互换位置的第一天又是哪天？在同一行打印这三个数，用空格分隔。
#
# Thought: 逐一尝试各层和各天，平方和在正确处最小。

# %%
p = refined(p)
answer = [late, since, day]
print(*answer)

# %% naive="careless" trap="the days on which shelves differ most in growth for the dose"
p = refined(p)
ratio = growth.assign(part=growth['growth'] / (growth['dose'] + 20)).pivot_table(index='day', columns='shelf', values='part')
print(late, int(ratio.std(axis=1).rolling(5).mean().idxmax()), day)

# %% naive="literal" trap="the day is rounded to whole weeks"
p = refined(p)
print(late, int(np.ceil(since / 7) * 7 + 1), day)

# %% naive="shortcut" trap="the day itself is counted into the lag"
p = refined(p)
print(late + 1, since, day)

# %% [markdown] kind="num" modules="scipy" tolerance=0.05 answer="[real(3), real(1), real(2), real(1)]"
# Print four numbers on one line, separated by spaces: in how many days the acting dose falls to one half when no light is given (3 decimal places), K (1 decimal place), M (2 decimal places), and the share in percent that the lamp gave after that day (1 decimal place). A deviation of 5 percent does no harm.
#
# Thought: All of them come from one fit, with the late line and the lamp in it.

# %% [markdown] lang="cn"
# 在同一行打印四个数，用空格分隔：不给光照时作用剂量降至一半所需的天数（3 位小数）、K（1 位小数）、M（2 位小数），以及自那天起该灯给出的份额（百分数，1 位小数）。偏差 5% 无妨。
#
# Thought: 它们都来自同一次拟合，其中已考虑滞后品系和灯。

# %%
answer = [np.log(0.5) / np.log(p[0]), p[1], p[2], 100 * p[3]]
print(f'{answer[0]:.3f} {answer[1]:.1f} {answer[2]:.2f} {answer[3]:.1f}')

# %% naive="careless" trap="without the late line and the lamp"
q = least_squares(lambda q: rest(grown - q[2] * effect(q[0], q[1], lags * 0, set_dose)).ravel(), p[:3], x_scale=[0.1, 20, 1]).x
print(f'{np.log(0.5) / np.log(q[0]):.3f} {q[1]:.1f} {q[2]:.2f} {100 * p[3]:.1f}')

# %% naive="literal" trap="the time constant in place of the half-life"
print(f'{-1 / np.log(p[0]):.3f} {p[1]:.1f} {p[2]:.2f} {100 * p[3]:.1f}')

# %% naive="shortcut" trap="light acts on its day alone"
q = least_squares(lambda q: rest(grown - q[1] * effect(0.0, q[0], lags, set_dose)).ravel(), [60, 6], x_scale=[20, 1]).x
print(f'{np.log(0.5) / np.log(p[0]):.3f} {q[0]:.1f} {q[1]:.2f} {100 * p[3]:.1f}')

# %% [markdown] kind="num" modules="numpy" tolerance=0.05 answer="[real(2), real(3), real(3)]"
# Find C(t): print its period in days with 2 decimal places, its amplitude (half of the way from lowest to highest) in mm with 3, and b with 3, on one line, separated by spaces. A deviation of 5 percent does no harm.
#
# Thought: What is left in all seedlings alike, by the temperature and a sine whose period is tried.

# %% [markdown] lang="cn"
# 求 C(t)：在同一行打印其周期（天，2 位小数）、振幅（最低到最高的一半，毫米，3 位小数）和 b（3 位小数），用空格分隔。偏差 5% 无妨。
#
# Thought: 各幼苗共同的剩余部分，用温度和一个周期待试的正弦来解释。

# %%
dark = grown - p[2] * effect(p[0], p[1], lags, lit(shelf, since, p[3]))
common = dark.mean(axis=0)
outside = growth.groupby('day')['celsius'].first().to_numpy() - 20


def swing(period):
    design = np.column_stack([np.ones(len(days)), outside, np.sin(2 * np.pi * days / period), np.cos(2 * np.pi * days / period)])
    weight = np.linalg.lstsq(design, common, rcond=None)[0]
    return ((common - design @ weight) ** 2).sum(), weight


period = min(np.arange(3, 30, 0.03), key=lambda one: swing(one)[0])
period = min(period + np.arange(-0.03, 0.03, 0.001), key=lambda one: swing(one)[0])
weight = swing(period)[1]
answer = [period, np.hypot(*weight[2:]), weight[1]]
print(f'{answer[0]:.2f} {answer[1]:.3f} {answer[2]:.3f}')

# %% naive="careless" trap="the period of raw mean growth, with weeks and light in it"
dark = grown - p[2] * effect(p[0], p[1], lags, lit(shelf, since, p[3]))
common = dark.mean(axis=0)
outside = growth.groupby('day')['celsius'].first().to_numpy() - 20


def swing(period):
    design = np.column_stack([np.ones(len(days)), outside, np.sin(2 * np.pi * days / period), np.cos(2 * np.pi * days / period)])
    weight = np.linalg.lstsq(design, common, rcond=None)[0]
    return ((common - design @ weight) ** 2).sum(), weight


raw = grown.mean(axis=0) - grown.mean()
powers = {one: np.hypot(raw @ np.sin(2 * np.pi * days / one), raw @ np.cos(2 * np.pi * days / one)) for one in np.arange(3, 30, 0.05)}
seen = max(powers, key=powers.get)
period = min(np.arange(3, 30, 0.03), key=lambda one: swing(one)[0])
period = min(period + np.arange(-0.03, 0.03, 0.001), key=lambda one: swing(one)[0])
weight = swing(period)[1]
print(f'{seen:.2f} {np.hypot(*weight[2:]):.3f} {weight[1] * 0 + np.polyfit(outside, raw, 1)[0]:.3f}')

# %% naive="literal" trap="the whole swing in place of its half"
dark = grown - p[2] * effect(p[0], p[1], lags, lit(shelf, since, p[3]))
common = dark.mean(axis=0)
outside = growth.groupby('day')['celsius'].first().to_numpy() - 20


def swing(period):
    design = np.column_stack([np.ones(len(days)), outside, np.sin(2 * np.pi * days / period), np.cos(2 * np.pi * days / period)])
    weight = np.linalg.lstsq(design, common, rcond=None)[0]
    return ((common - design @ weight) ** 2).sum(), weight


period = min(np.arange(3, 30, 0.03), key=lambda one: swing(one)[0])
period = min(period + np.arange(-0.03, 0.03, 0.001), key=lambda one: swing(one)[0])
weight = swing(period)[1]
print(f'{period:.2f} {2 * np.hypot(*weight[2:]):.3f} {weight[1]:.3f}')

# %% naive="shortcut" trap="whole days, and all that is left as swing"
dark = grown - p[2] * effect(p[0], p[1], lags, lit(shelf, since, p[3]))
common = dark.mean(axis=0)
outside = growth.groupby('day')['celsius'].first().to_numpy() - 20


def swing(period):
    design = np.column_stack([np.ones(len(days)), outside, np.sin(2 * np.pi * days / period), np.cos(2 * np.pi * days / period)])
    weight = np.linalg.lstsq(design, common, rcond=None)[0]
    return ((common - design @ weight) ** 2).sum(), weight


period = min(np.arange(3, 30, 0.03), key=lambda one: swing(one)[0])
period = min(period + np.arange(-0.03, 0.03, 0.001), key=lambda one: swing(one)[0])
weight = swing(period)[1]
print(f'{round(period):.2f} {np.ptp(common) / 2:.3f} {np.corrcoef(common, outside)[0, 1]:.3f}')

# %% [markdown] kind="exec" modules="pandas" absolute=0.2
# Make a Series `own` with the names of the seedlings as its index: the own growth of each in mm a day (float), as in the formula of the notes. A deviation of 0.2 mm does no harm.
#
# Thought: What is left of a seedling's growth in the mean, at 20 °C.

# %% [markdown] lang="cn"
# 生成 Series `own`，索引为幼苗的名称，值为各自的自身生长（毫米每天，浮点数），即说明文件公式中的那一项。偏差 0.2 毫米无妨。
#
# Thought: 扣除其他各项后各株生长的均值，折算到 20 °C。

# %%
own = pd.Series(dark.mean(axis=1) - common.mean() + weight[0], index=names)

# %% naive="careless" trap="mean growth"
own = growth.groupby('plant')['growth'].mean()

# %% naive="literal" trap="mean growth on days without light"
own = growth[growth['dose'] == 0].groupby('plant')['growth'].mean()

# %% naive="shortcut" trap="least growth"
own = growth.groupby('plant')['growth'].min()

# %% [markdown] kind="num" modules="scipy pandas" held_out="growth" metric="mae" bound="0.345"
# `{{ data }}/wanted.csv` lists days after the last one of `growth`, and seedlings. `{{ data }}/plan.csv` has the doses that were set on these days; the one lamp was as weak, and the two seedlings stood where they stood, at the end of `growth`. Print the growth in mm that was measured, with 2 decimal places, in the order of the file, separated by spaces. The numbers should be wrong by at most 0.345 mm in the mean (mean absolute error).
#
# Thought: All parts together, with the doses before that still act.

# %% [markdown] lang="cn"
# `{{ data }}/wanted.csv` 列出 `growth` 最后一天之后的一些日子和幼苗。`{{ data }}/plan.csv` 是这些日子设定的剂量，那盏灯仍同样偏弱，那两株幼苗也仍在 `growth` 结束时的位置。按文件顺序打印测得的生长量（毫米，保留 2 位小数），用空格分隔。平均绝对误差应不超过 0.345 毫米。
#
# Thought: 把各部分合在一起，包括仍在起作用的先前剂量。

# %%
plan = pd.read_csv('{{ data }}/plan.csv', sep=';').pivot(index='plant', columns='day', values='dose').loc[names]
wanted = pd.read_csv('{{ data }}/wanted.csv', sep=';')
past, ahead = lit(shelf, since, p[3]), np.array(plan, float)
ahead[[one, two]] = ahead[[two, one]]
ahead = ahead * np.where(shelves == shelf, p[3], 1)[:, None]
light = pd.DataFrame(p[2] * effect(p[0], p[1], lags, np.hstack([past, ahead])), index=names, columns=[*days, *plan.columns])
turn_of = 2 * np.pi * wanted['day'] / period
guess = weight[1] * (wanted['day'].map(warmth) - 20) + weight[2] * np.sin(turn_of) + weight[3] * np.cos(turn_of)
guess += wanted['plant'].map(own) + [light.loc[plant, day] for plant, day in zip(wanted['plant'], wanted['day'])]
print(*guess.round(2))

# %% naive="careless" trap="gradient boosting on the columns as they are"
plan = pd.read_csv('{{ data }}/plan.csv', sep=';').pivot(index='plant', columns='day', values='dose').loc[names]
wanted = pd.read_csv('{{ data }}/wanted.csv', sep=';')
from sklearn.ensemble import GradientBoostingRegressor

numbers = {name: n for n, name in enumerate(names)}
known = np.column_stack([growth['plant'].map(numbers), growth['day'] % 7, growth['dose'], growth['celsius']])
model = GradientBoostingRegressor(random_state=0).fit(known, growth['growth'])
doses = [plan.loc[plant, day] for plant, day in zip(wanted['plant'], wanted['day'])]
guess = model.predict(np.column_stack([wanted['plant'].map(numbers), wanted['day'] % 7, doses, wanted['day'].map(warmth)]))
print(*guess.round(2))

# %% naive="literal" trap="the chamber has no cycle"
plan = pd.read_csv('{{ data }}/plan.csv', sep=';').pivot(index='plant', columns='day', values='dose').loc[names]
wanted = pd.read_csv('{{ data }}/wanted.csv', sep=';')
past, ahead = lit(shelf, since, p[3]), np.array(plan, float)
ahead[[one, two]] = ahead[[two, one]]
ahead = ahead * np.where(shelves == shelf, p[3], 1)[:, None]
light = pd.DataFrame(p[2] * effect(p[0], p[1], lags, np.hstack([past, ahead])), index=names, columns=[*days, *plan.columns])
turn_of = 2 * np.pi * wanted['day'] / period
guess = weight[1] * (wanted['day'].map(warmth) - 20)
guess += wanted['plant'].map(own) + [light.loc[plant, day] for plant, day in zip(wanted['plant'], wanted['day'])]
print(*guess.round(2))

# %% naive="shortcut" trap="no lag, no temperature, and no light from before"
plan = pd.read_csv('{{ data }}/plan.csv', sep=';').pivot(index='plant', columns='day', values='dose').loc[names]
wanted = pd.read_csv('{{ data }}/wanted.csv', sep=';')
past, ahead = lit(shelf, since, p[3]), np.array(plan, float)
ahead[[one, two]] = ahead[[two, one]]
ahead = ahead * np.where(shelves == shelf, p[3], 1)[:, None]
light = pd.DataFrame(p[2] * effect(p[0], p[1], lags * 0, np.hstack([past * 0, plan.to_numpy(float)])), index=names, columns=[*days, *plan.columns])
turn_of = 2 * np.pi * wanted['day'] / period
guess = 0 * wanted['day'].map(warmth) + weight[2] * np.sin(turn_of) + weight[3] * np.cos(turn_of)
guess += wanted['plant'].map(own) + [light.loc[plant, day] for plant, day in zip(wanted['plant'], wanted['day'])]
print(*guess.round(2))

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.05
# Draw M a^2 / (K^2 + a^2) with the K and M that you have found over the acting dose a = 0, 1, 2, ..., 200 as a line, colour `seagreen`, title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (6, 3.5), and call `plt.show()`.
#
# Thought: The curve of the notes.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用所求得的 K 和 M，以作用剂量 a = 0, 1, 2, ..., 200 为横坐标，将 M a^2 / (K^2 + a^2) 画成线，颜色 `seagreen`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 即说明文件中的曲线。

# %%
import matplotlib.pyplot as plt

at = np.arange(0, 201)
plt.figure(figsize=(6, 3.5))
plt.plot(at, p[2] * at**2 / (p[1] ** 2 + at**2), color='seagreen')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="shortcut" trap="a curve that rises steeply from the beginning"
import matplotlib.pyplot as plt

at = np.arange(0, 201)
plt.figure(figsize=(6, 3.5))
plt.plot(at, p[2] * at / (p[1] + at), color='seagreen')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
