# ---
# jupyter:
#   instances:
#     north: {seed: 12, year: 2021, bound: 0.05}
#     south: {seed: 77, year: 2016, bound: 0.05}
#   varied:
#     seed: {between: [1, 1000000]}
#     year: {pick: [2014, 2017, 2019, 2022]}
#     bound: {pick: [0.05]}
#   words:
#     title: {en: The fund and its markets, cn: 基金与市场}
#     x_label: {en: Day, cn: 日期}
#     y_label: {en: Euros, cn: 欧元}
#     fund: {en: fund, cn: 基金}
#     all: {en: all six indices, cn: 六个指数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A fund, its markets and exchange rates are in `{{ data }}`; `{{ data }}/notes.txt` says how they are written.
# Make a DataFrame `markets` of the closes of `markets.csv` in euros, with a row for each trading day and a column for each index. The index is the day as text `YYYY-MM-DD`, in ascending order.
#
# Thought: On a trading day the closes differ from those before; euros are the closes divided by the rate.

# %% [markdown] lang="cn"
# 一只基金、它所投资的市场和汇率都在 `{{ data }}` 中，写法见 `{{ data }}/notes.txt`。
# 由 `markets.csv` 生成以欧元计的收盘价 DataFrame `markets`：每个交易日一行，每个指数一列，索引为文本日期 `YYYY-MM-DD`，按升序排列。
#
# Thought: 交易日的收盘价与前一天不同；欧元价等于收盘价除以汇率。

# %%
import re

import pandas as pd

with open('{{ data }}/notes.txt') as file:
    currency = dict(re.findall(r'([A-Z]+) in (EUR|USD|JPY)', file.read()))
fx = pd.read_csv('{{ data }}/fx.csv', sep=';', decimal=',')
fx.index = pd.to_datetime(fx.pop('day'), format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
fx['EUR'] = 1.0


def in_euros(closes):
    rates = pd.DataFrame({name: fx[currency[name]].reindex(closes.index) for name in closes})
    return closes / rates


quoted = pd.read_csv('{{ data }}/markets.csv', index_col='day')
moved = quoted.diff().abs().sum(axis=1) > 0
moved.iloc[0] = True
markets = in_euros(quoted[moved])

# %% naive="careless" trap="only weekends are left out, filled holidays stay"
import re

import pandas as pd

with open('{{ data }}/notes.txt') as file:
    currency = dict(re.findall(r'([A-Z]+) in (EUR|USD|JPY)', file.read()))
fx = pd.read_csv('{{ data }}/fx.csv', sep=';', decimal=',')
fx.index = pd.to_datetime(fx.pop('day'), format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
fx['EUR'] = 1.0


def in_euros(closes):
    rates = pd.DataFrame({name: fx[currency[name]].reindex(closes.index) for name in closes})
    return closes / rates


quoted = pd.read_csv('{{ data }}/markets.csv', index_col='day')
moved = pd.Series(pd.to_datetime(quoted.index).dayofweek < 5, index=quoted.index)
markets = in_euros(quoted[moved])

# %% [markdown] kind="exec" modules="numpy pandas"
# Make a Series `value` of the fund's value at the close of each trading day, as far as `fund.csv` has it, with the day on which it held (text `YYYY-MM-DD`) as its index, in ascending order.
#
# Thought: Over a few days the fund moves like the mean of two indices, on the days before the dates at first, on the dates themselves later. The change is where all stretches agree best.

# %% [markdown] lang="cn"
# 生成 Series `value`：`fund.csv` 所含的各交易日收盘时的基金价值，以该价值实际所属的日期（文本 `YYYY-MM-DD`）为索引，按升序排列。
#
# Thought: 几天之内，基金的涨跌接近两个指数的平均；起初对应所标日期的前一天，后来对应所标日期。各段最吻合之处就是变更点。

# %%
from itertools import combinations

import numpy as np

fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
places = markets.index.get_indexer(fund.index)
logs = np.log(markets.to_numpy())
pairs = list(combinations(range(6), 2))


def misfits(days, values, width=5):
    """For every stretch of some days: the squared error of the pair of indices that fits best."""
    steps = np.diff(np.log(values))
    gains = np.diff(logs[days], axis=0)
    errors = np.column_stack([(steps - np.log((np.exp(gains[:, one]) + np.exp(gains[:, two])) / 2)) ** 2 for one, two in pairs])
    sums = np.cumsum(np.vstack([np.zeros(len(pairs)), errors]), axis=0)
    return np.minimum((sums[width:] - sums[:-width]).min(axis=1), 1e-4)


def dated(change):
    """Places of the days on which the values held if the first `change` of them are dated late."""
    return places - (np.arange(len(places)) < change)


numbers = fund.to_numpy()
total = {change: misfits(dated(change), numbers).mean() for change in range(10, len(numbers) - 10)}
change = min(total, key=total.get)
value = pd.Series(numbers, index=markets.index[dated(change)])

# %% naive="literal" trap="the dates stand as they are"
from itertools import combinations

import numpy as np

fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
logs = np.log(markets.to_numpy())
pairs = list(combinations(range(6), 2))
value = fund.copy()

# %% naive="shortcut" trap="all values are moved to the day before"
from itertools import combinations

import numpy as np

fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
logs = np.log(markets.to_numpy())
pairs = list(combinations(range(6), 2))
value = pd.Series(fund.to_numpy(), index=markets.index[markets.index.get_indexer(fund.index) - 1])

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw `value` divided by its first value over the days (as dates), with the label `{{ fund }}`, and the mean of the six indices in `markets` on the same days, each divided by its first one of these days, with the label `{{ all }}`. Add a legend, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (9, 4), and call `plt.show()`.
#
# Thought: The mean of the six divided columns.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以日期（日期类型）为横坐标，画出 `value` 除以其首个值的折线，标签 `{{ fund }}`；再画出 `markets` 中六个指数在相同日期上各除以其中首日值后的平均值，标签 `{{ all }}`。添加图例，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (9, 4)，最后调用 `plt.show()`。
#
# Thought: 六列各除以首值后取平均。

# %%
import matplotlib.pyplot as plt

dates = pd.to_datetime(value.index)
shown = markets.loc[value.index]
plt.figure(figsize=(9, 4))
plt.plot(dates, value / value.iloc[0], label='{{ fund }}')
plt.plot(dates, (shown / shown.iloc[0]).mean(axis=1), label='{{ all }}')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, date, date]"
# Find the reviews. Print the number of trading days from one review to the next, the day of the first review at which an index was exchanged, and the day of the last one (both as `YYYY-MM-DD`), of the days of `value`, on one line, separated by spaces.
#
# Thought: For each interval and beginning the fund has one pair of indices in each stretch; the longest interval that leaves next to no error is the one. What exchanges cost falls on the day of the review, which tells it from the day before.

# %% [markdown] lang="cn"
# 找出各次复核。在同一行打印：相邻两次复核相隔的交易日数，以及 `value` 的日期范围内第一次和最后一次换入指数的复核日（均为 `YYYY-MM-DD`），用空格分隔。
#
# Thought: 对每个间隔和起点，基金在每一段内持有一对指数；误差几乎为零的最长间隔就是答案。换入指数的成本落在复核当天，由此可与前一天区分。

# %%
at = markets.index.get_indexer(value.index)
steps = np.diff(np.log(value.to_numpy()))
gains = np.diff(logs[at], axis=0)
held = [np.log((np.exp(gains[:, one]) + np.exp(gains[:, two])) / 2) for one, two in pairs]
errors = np.minimum((steps[:, None] - np.column_stack(held)) ** 2, 2e-5)
sums = np.vstack([np.zeros(len(pairs)), np.cumsum(errors, axis=0)])


def stretches(every, first):
    """First and last step of each stretch between reviews, as rows of `errors`."""
    cuts = np.searchsorted(at[:-1], np.arange(first, at[-1], every))
    return [(start, end) for start, end in zip([0, *cuts], [*cuts, len(errors)]) if end > start]


def error_of(every, first):
    return sum((sums[end] - sums[start]).min() for start, end in stretches(every, first))


tried = {(every, first): error_of(every, first) for every in range(5, 61) for first in range(at[0], at[0] + every)}
every = max(key[0] for key in tried if tried[key] < 1.25 * min(tried.values()))
prices = np.exp(logs)


def track(prices, days, reviews, pair):
    """Logarithm of the value on some days without fee and cost, and the number of indices exchanged so far."""
    units, exchanged, found = 0.5 / prices[days[0]][list(pair)], 0, {}
    for day in range(days[0], days[-1] + 1):
        worth = float(units @ prices[day][list(pair)])
        if day in reviews and day > days[0]:
            exchanged += len(set(reviews[day]) - set(pair))
            pair = reviews[day]
            units = worth / 2 / prices[day][list(pair)]
        found[day] = np.log(worth), exchanged
    return np.array([found[day] for day in days])


def fitted(every, first):
    """Reviews with the pair after each, and how well fee and cost explain what is left then."""
    parts = stretches(every, first)
    chosen = [pairs[int((sums[end] - sums[start]).argmin())] for start, end in parts]
    reviews = {at[start]: pair for (start, _), pair in zip(parts[1:], chosen[1:])}
    tracked = track(prices, at, reviews, chosen[0])
    inputs = np.column_stack([np.ones(len(at)), at - at[0], tracked[:, 1]])
    left = np.log(value.to_numpy()) - tracked[:, 0]
    weights = np.linalg.lstsq(inputs, left, rcond=None)[0]
    return ((left - inputs @ weights) ** 2).sum(), weights


likely = sorted(range(at[0], at[0] + every), key=lambda day: tried[every, day])[:4]
first = min(likely, key=lambda day: fitted(every, day)[0])
parts = stretches(every, first)
holding = [pairs[int((sums[end] - sums[start]).argmin())] for start, end in parts]
changes = [at[start] for (start, _), one, two in zip(parts[1:], holding[1:], holding) if one != two]
answer = [every, markets.index[changes[0]], markets.index[changes[-1]]]
print(*answer)

# %% naive="careless" trap="changes are dated by a window of past days, and the usual distance is taken for the interval"
at = markets.index.get_indexer(value.index)
steps = np.diff(np.log(value.to_numpy()))
gains = np.diff(logs[at], axis=0)
held = [np.log((np.exp(gains[:, one]) + np.exp(gains[:, two])) / 2) for one, two in pairs]
errors = np.minimum((steps[:, None] - np.column_stack(held)) ** 2, 2e-5)
sums = np.vstack([np.zeros(len(pairs)), np.cumsum(errors, axis=0)])
best = (sums[10:] - sums[:-10]).argmin(axis=1)
changed = np.flatnonzero(np.diff(best)) + 10
every = max(int(np.median(np.diff(changed))), 5)
first = at[0] + int(changed[0]) % every


def stretches(every, first):
    """First and last step of each stretch between reviews, as rows of `errors`."""
    cuts = np.searchsorted(at[:-1], np.arange(first, at[-1], every))
    return [(start, end) for start, end in zip([0, *cuts], [*cuts, len(errors)]) if end > start]


parts = stretches(every, first)
holding = [pairs[int((sums[end] - sums[start]).argmin())] for start, end in parts]
changes = [at[index] for index in changed]
prices = np.exp(logs)


def track(prices, days, reviews, pair):
    """Logarithm of the value on some days without fee and cost, and the number of indices exchanged so far."""
    units, exchanged, found = 0.5 / prices[days[0]][list(pair)], 0, {}
    for day in range(days[0], days[-1] + 1):
        worth = float(units @ prices[day][list(pair)])
        if day in reviews and day > days[0]:
            exchanged += len(set(reviews[day]) - set(pair))
            pair = reviews[day]
            units = worth / 2 / prices[day][list(pair)]
        found[day] = np.log(worth), exchanged
    return np.array([found[day] for day in days])


print(every, markets.index[changes[0]], markets.index[changes[-1]])

# %% [markdown] kind="text" list="true" modules="numpy pandas" answer="list[text]"
# Which indices were in the fund? Print the two indices that it held after each of the last four reviews in `value` at which an index was exchanged, from the earliest of these reviews on, the two of a review in alphabetical order: eight names on one line, separated by `, `.
#
# Thought: The pair that fits the stretch after each of these reviews.

# %% [markdown] lang="cn"
# 基金持有哪些指数？对 `value` 范围内最后四次换入指数的复核，从最早的一次起，打印每次复核之后持有的两个指数（同一次复核的两个按字母顺序）：共八个名称，排成一行，用 `, ` 分隔。
#
# Thought: 取最符合各次复核之后那一段的一对指数。

# %%
after = {at[start]: pair for (start, _), pair in zip(parts, holding)}
answer = [markets.columns[one] for review in changes[-4:] for one in after[review]]
print(', '.join(answer))

# %% naive="careless shortcut" trap="the two indices that rose most after the review are named"
names = []
for review in changes[-4:]:
    rise = logs[min(review + every, len(logs) - 1)] - logs[review]
    names += sorted(markets.columns[np.argsort(-rise)[:2]])
print(', '.join(names))

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, count]"
# At each review the manager takes the two indices that have gained most, in euros, over a number of trading days that end on the day of the review. The number is always the same, from 10 to 120. Print it, and in how many of the reviews in `value` (all of them, but for one on its last day) the same rule with 60 trading days would have led to another pair, on one line, separated by a space.
#
# Thought: One number alone agrees with all reviews.

# %% [markdown] lang="cn"
# 每次复核时，基金经理选取在截至复核日的若干个交易日内以欧元计涨幅最大的两个指数。这个天数始终不变，在 10 到 120 之间。在同一行打印这个天数，以及若改用 60 个交易日，`value` 范围内有多少次复核（所有复核，最后一天若有则不计）会选出不同的一对指数，用空格分隔。
#
# Thought: 只有一个天数与所有复核相符。

# %%
reviews = {at[start]: pair for (start, _), pair in zip(parts[1:], holding[1:])}


def choice(prices, day, back):
    return tuple(sorted(int(one) for one in np.argsort(prices[day - back] - prices[day])[:2]))


agreeing = {back: sum(choice(logs, day, back) == pair for day, pair in reviews.items()) for back in range(10, 121)}
back = max(agreeing, key=agreeing.get)
answer = [back, len(reviews) - agreeing[60]]
print(*answer)

# %% naive="literal shortcut" trap="the number of days is that for which the chosen indices had gained most"
reviews = {at[start]: pair for (start, _), pair in zip(parts[1:], holding[1:])}


def choice(prices, day, back):
    return tuple(sorted(int(one) for one in np.argsort(prices[day - back] - prices[day])[:2]))


ahead = {
    back: np.mean([(logs[day] - logs[day - back])[list(pair)].mean() for day, pair in reviews.items()])
    for back in range(10, 121)
}
back = max(ahead, key=ahead.get)
print(back, sum(choice(logs, day, 60) != pair for day, pair in reviews.items()))

# %% [markdown] kind="num" tolerance=0.1 modules="numpy pandas" answer="[real(2), real(2)]"
# Print the fee of 252 trading days (252 times the daily percentage) and what it costs to exchange one index for another, both in percent of the value with 2 decimal places, on one line, separated by a space. Each may be wrong by 10 percent.
#
# Thought: What the two indices would have brought, less what the fund has, grows by the fee every day and by the cost at reviews with an exchange.

# %% [markdown] lang="cn"
# 在同一行打印 252 个交易日的费用（每日百分比的 252 倍）和每换入一个指数的成本，均为占价值的百分比，保留 2 位小数，用空格分隔。两者各允许 10% 的误差。
#
# Thought: 两个指数本应带来的收益减去基金的实际收益，每天增加一份费用，在换入指数的复核日再增加一份成本。

# %%
tracked = track(prices, at, reviews, holding[0])
inputs = np.column_stack([np.ones(len(at)), at - at[0], tracked[:, 1]])
begun, fee, cost = np.linalg.lstsq(inputs, np.log(value.to_numpy()) - tracked[:, 0], rcond=None)[0]
answer = [-25200 * fee, -100 * cost]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless literal" trap="the whole loss against the indices is taken for the fee, and the costs for those of a review"
prices = np.exp(logs)


def track(prices, days, reviews, pair):
    """Logarithm of the value on some days without fee and cost, and the number of indices exchanged so far."""
    units, exchanged, found = 0.5 / prices[days[0]][list(pair)], 0, {}
    for day in range(days[0], days[-1] + 1):
        worth = float(units @ prices[day][list(pair)])
        if day in reviews and day > days[0]:
            exchanged += len(set(reviews[day]) - set(pair))
            pair = reviews[day]
            units = worth / 2 / prices[day][list(pair)]
        found[day] = np.log(worth), exchanged
    return np.array([found[day] for day in days])


tracked = track(prices, at, reviews, holding[0])
lost = np.log(value.to_numpy()) - tracked[:, 0]
begun, fee, cost = np.log(value.iloc[0]), (lost[-1] - lost[0]) / (at[-1] - at[0]), 0.0
print(f'{-25200 * fee:.2f} {100 * abs(lost[-1] - lost[0]) / len(reviews):.2f}')

# %% [markdown] kind="num" held_out="values" metric="mae" bound="{{ bound }}" modules="numpy pandas"
# `{{ data }}/markets_later.csv` has the closes of the days after `markets.csv`. The manager and his rule stay the same. Predict the fund's value at the close of each trading day in that file. Print the predictions in the order of the days, with 3 decimal places, on one line, separated by spaces. Their mean absolute error has to be at most {{ bound }} euros.
#
# Thought: Reviews go on in the same rhythm across the end of the first file, and the rule looks back into it.

# %% [markdown] lang="cn"
# `{{ data }}/markets_later.csv` 是 `markets.csv` 之后各日的收盘价。基金经理及其规则不变。预测该文件中每个交易日收盘时的基金价值。按日期顺序在同一行打印预测值，保留 3 位小数，用空格分隔。平均绝对误差不得超过 {{ bound }} 欧元。
#
# Thought: 复核在第一个文件结束之后仍按同样的节奏进行，规则也会回看第一个文件中的价格。

# %%
later = pd.read_csv('{{ data }}/markets_later.csv', index_col='day')
everything = pd.concat([quoted, later])
moved = everything.diff().abs().sum(axis=1) > 0
moved.iloc[0] = True
everything = in_euros(everything[moved])
prices = everything.to_numpy()
days = np.arange(at[0], len(prices))
planned = {day: choice(np.log(prices), day, back) for day in range(first, len(prices), every)}
tracked = track(prices, days, planned, holding[0])
guesses = np.exp(begun + fee * (days - at[0]) + cost * tracked[:, 1] + tracked[:, 0])
print(*(f'{guess:.3f}' for guess in guesses[-int((everything.index > quoted.index[-1]).sum()):]))

# %% naive="literal" trap="the last two indices stay in the fund"
later = pd.read_csv('{{ data }}/markets_later.csv', index_col='day')
everything = pd.concat([quoted, later])
moved = everything.diff().abs().sum(axis=1) > 0
moved.iloc[0] = True
everything = in_euros(everything[moved])
prices = everything.to_numpy()[len(markets) - 1 :][:, list(holding[-1])]
guesses = value.iloc[-1] * (prices / prices[0]).mean(axis=1)[1:]
print(*(f'{guess:.3f}' for guess in guesses))

# %% naive="careless" trap="a regression of the fund's returns on those of all indices"
later = pd.read_csv('{{ data }}/markets_later.csv', index_col='day')
everything = pd.concat([quoted, later])
moved = everything.diff().abs().sum(axis=1) > 0
moved.iloc[0] = True
everything = in_euros(everything[moved])
changes_all = np.diff(np.log(everything.to_numpy()), axis=0)
weights = np.linalg.lstsq(np.column_stack([np.ones(len(gains)), gains]), steps, rcond=None)[0]
count = int((everything.index > quoted.index[-1]).sum())
guesses = value.iloc[-1] * np.exp(np.cumsum(weights[0] + changes_all[-count:] @ weights[1:]))
print(*(f'{guess:.3f}' for guess in guesses))

# %% naive="shortcut" trap="gradient boosting on the returns of all indices"
from sklearn.ensemble import GradientBoostingRegressor

later = pd.read_csv('{{ data }}/markets_later.csv', index_col='day')
everything = pd.concat([quoted, later])
moved = everything.diff().abs().sum(axis=1) > 0
moved.iloc[0] = True
everything = in_euros(everything[moved])
changes_all = np.diff(np.log(everything.to_numpy()), axis=0)
count = int((everything.index > quoted.index[-1]).sum())
model = GradientBoostingRegressor(n_estimators=100, max_depth=3, random_state=0).fit(gains, steps)
guesses = value.iloc[-1] * np.exp(np.cumsum(model.predict(changes_all[-count:])))
print(*(f'{guess:.3f}' for guess in guesses))
