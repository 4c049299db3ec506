# ---
# jupyter:
#   instances:
#     forest: {seed: 31, year: 2022, split: 4, listed: 5, bound: 0.6}
#     hedge: {seed: 64, year: 2023, split: 3, listed: 8, bound: 0.6}
#   varied:
#     seed: {between: [1, 1000000]}
#     year: {pick: [2021, 2022, 2023]}
#     split: {pick: [3, 4]}
#     listed: {pick: [5, 6, 8, 10]}
#     bound: {pick: [0.6]}
#   words:
#     title: {en: One pound in ten stocks, cn: 十只股票中的一英镑}
#     x_label: {en: day, cn: 日期}
#     y_label: {en: GBP, cn: 英镑}
#     ten: {en: all ten, cn: 全部十只}
#     left: {en: still listed, cn: 仍在上市}
# ---

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/prices.csv` has the closes of ten stocks, `{{ data }}/actions.csv` what happened to their shares, and `{{ data }}/notes.txt` says how both are written.
# Make a DataFrame `prices` of the closes in pounds for a share as it is after all splits of `actions.csv`, with a row for each day on which the exchange was open and a column for each stock. The index is the day as text `YYYY-MM-DD`, in order; values are not rounded, and missing where a stock was not traded.
#
# Thought: Holidays repeat the row before, 0 is no price, one stock is in pence, and prices before a split are divided by its number.

# %% [markdown] lang="cn"
# `{{ data }}/prices.csv` 是十只股票的收盘价，`{{ data }}/actions.csv` 记录了股份的变动，两者的写法见 `{{ data }}/notes.txt`。
# 生成名为 `prices` 的 DataFrame，内容为以英镑计、按 `actions.csv` 中全部拆股之后的股份折算的收盘价，交易所每个开市日一行，每只股票一列。索引为日期（文本 `YYYY-MM-DD`），按顺序排列；数值不取整，股票当天没有成交则为缺失值。
#
# Thought: 休市日重复上一行，0 不是价格，有一只股票以便士报价，拆股前的价格要除以拆股数。

# %%
import numpy as np
import pandas as pd

vendor = pd.read_csv('{{ data }}/prices.csv', index_col='day')
actions = pd.read_csv('{{ data }}/actions.csv')
in_pence = open('{{ data }}/notes.txt', encoding='utf-8').read().split(' is quoted in pence')[0].split()[-1]
repeated = ((vendor == vendor.shift()) | (vendor.isna() & vendor.shift().isna())).all(axis=1)
prices = vendor[~repeated].astype(float)
prices = prices.where(prices > 0)
prices[in_pence] /= 100
for row in actions[actions['what'] == 'split'].itertuples():
    prices.loc[prices.index < row.day, row.stock] /= row.value

# %% naive="careless" trap="0 is taken for a price, and pence for pounds"
import numpy as np
import pandas as pd

vendor = pd.read_csv('{{ data }}/prices.csv', index_col='day')
actions = pd.read_csv('{{ data }}/actions.csv')
repeated = ((vendor == vendor.shift()) | (vendor.isna() & vendor.shift().isna())).all(axis=1)
prices = vendor[~repeated].astype(float)
for row in actions[actions['what'] == 'split'].itertuples():
    prices.loc[prices.index < row.day, row.stock] /= row.value

# %% naive="literal" trap="rows of holidays are taken for days of trade"
import numpy as np
import pandas as pd

vendor = pd.read_csv('{{ data }}/prices.csv', index_col='day')
actions = pd.read_csv('{{ data }}/actions.csv')
in_pence = open('{{ data }}/notes.txt', encoding='utf-8').read().split(' is quoted in pence')[0].split()[-1]
prices = vendor.astype(float)
prices = prices.where(prices > 0)
prices[in_pence] /= 100
for row in actions[actions['what'] == 'split'].itertuples():
    prices.loc[prices.index < row.day, row.stock] /= row.value

# %% naive="shortcut" trap="splits are forgotten"
import numpy as np
import pandas as pd

vendor = pd.read_csv('{{ data }}/prices.csv', index_col='day')
actions = pd.read_csv('{{ data }}/actions.csv')
in_pence = open('{{ data }}/notes.txt', encoding='utf-8').read().split(' is quoted in pence')[0].split()[-1]
repeated = ((vendor == vendor.shift()) | (vendor.isna() & vendor.shift().isna())).all(axis=1)
prices = vendor[~repeated].astype(float)
prices = prices.where(prices > 0)
prices[in_pence] /= 100

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print the number of days on which the exchange was open, the number of closes that are missing of stocks that were still listed, and the number of weekdays of `prices.csv` on which the exchange was closed, on one line, separated by spaces.
#
# Thought: A stock was listed up to its last close.

# %% [markdown] lang="cn"
# 在同一行打印：交易所开市的天数、当时仍在上市的股票缺失的收盘价个数，以及 `prices.csv` 中交易所休市的工作日天数，用空格分隔。
#
# Thought: 股票在其最后一个收盘价之前都在上市。

# %%
answer = [len(prices), int((vendor.loc[prices.index] == 0).sum().sum()), len(vendor) - len(prices)]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="[date, count, real(2)]"
# The vendor has forgotten one split in `actions.csv`. Print the first day at the new price as `YYYY-MM-DD`, how many new shares there were for one old, and the last close before it as it stands in `prices.csv`, on one line, separated by spaces.
#
# Thought: After a split of which nobody has said anything a price is a half, a third, a quarter of the day before; a crash need not be.

# %% [markdown] lang="cn"
# 数据商在 `actions.csv` 中漏记了一次拆股。在同一行打印：按新价格交易的第一天（`YYYY-MM-DD`）、一股旧股换成几股新股，以及此前最后一个收盘价（按 `prices.csv` 中的写法），用空格分隔。
#
# Thought: 未记录的拆股会使价格变为前一天的二分之一、三分之一或四分之一；暴跌则未必。

# %%
last = prices.ffill()
jumps = (last.shift() / last).replace(np.inf, np.nan)
whole = jumps.round()
rows, columns = np.where((whole >= 2) & ((jumps / whole - 1).abs() < 0.05))
split_day, split_stock, split_number = prices.index[rows[0]], prices.columns[columns[0]], int(whole.iloc[rows[0], columns[0]])
before = vendor.loc[vendor.index < split_day, split_stock]
answer = [split_day, split_number, before[before > 0].iloc[-1]]
print(*answer)

# %% naive="careless" trap="the largest fall is that of a split that is known"
falls = vendor.where(vendor > 0).ffill()
falls = (falls.shift() / falls).replace(np.inf, np.nan)
split_stock = falls.max().idxmax()
split_day, split_number = falls[split_stock].idxmax(), int(round(falls[split_stock].max()))
before = vendor.loc[vendor.index < split_day, split_stock]
print(split_day, split_number, before[before > 0].iloc[-1])

# %% naive="literal" trap="a crash is taken for a split"
last = prices.ffill()
jumps = (last.shift() / last).where(lambda jump: (jump > 1.4) & (jump < 2.2))
split_stock = jumps.max().idxmax()
split_day, split_number = jumps[split_stock].idxmax(), 2
before = vendor.loc[vendor.index < split_day, split_stock]
print(split_day, split_number, before[before > 0].iloc[-1])

# %% [markdown] kind="exec" modules="pandas"
# Bring `prices` into line with that split.
# Then make a DataFrame `wealth` with the same index and columns: what one pound has become that was put into the stock at its first close. Dividends are put into the same stock at the close of their day in `actions.csv`. There are no costs or taxes, and on a day without trade a share is worth its last close. Nothing is missing in it.
#
# Thought: Dividends are of the shares of their time, so those before a split are divided by its number, too; the ended stocks have their payment.

# %% [markdown] lang="cn"
# 使 `prices` 与这次拆股相符。
# 然后生成名为 `wealth` 的 DataFrame，索引和列与之相同，内容为：在每只股票的第一个收盘价投入的一英镑变成了多少。股息按当天（`actions.csv` 所记日期）的收盘价再投入同一只股票。不计费用和税，没有成交的日子股份按最后收盘价计值。其中没有缺失值。
#
# Thought: 股息按当时的股份计，因此拆股前的股息也要除以拆股数；已终止的股票有偿付。

# %%
prices.loc[prices.index < split_day, split_stock] /= split_number
last = prices.ffill()
splits = [(row.day, row.stock, row.value) for row in actions[actions['what'] == 'split'].itertuples()]
splits.append((split_day, split_stock, split_number))
dividends = last * 0
for row in actions[actions['what'] == 'dividend'].itertuples():
    later = [number for date, name, number in splits if name == row.stock and date > row.day]
    dividends.loc[row.day, row.stock] += row.value / np.prod(later)
wealth = ((last + dividends) / last.shift()).fillna(1).cumprod()
for row in actions[actions['what'] == 'paid out'].itertuples():
    wealth.loc[wealth.index >= row.day, row.stock] *= row.value / last[row.stock].iloc[-1]

# %% naive="careless" trap="dividends of old shares are added to prices of new ones"
prices.loc[prices.index < split_day, split_stock] /= split_number
last = prices.ffill()
dividends = last * 0
for row in actions[actions['what'] == 'dividend'].itertuples():
    dividends.loc[row.day, row.stock] += row.value
wealth = ((last + dividends) / last.shift()).replace(np.inf, np.nan).fillna(1).cumprod()
for row in actions[actions['what'] == 'paid out'].itertuples():
    wealth.loc[wealth.index >= row.day, row.stock] *= row.value / last[row.stock].iloc[-1]

# %% naive="literal" trap="a stock that has ended is worth its last close for ever"
prices.loc[prices.index < split_day, split_stock] /= split_number
last = prices.ffill()
splits = [(row.day, row.stock, row.value) for row in actions[actions['what'] == 'split'].itertuples()]
splits.append((split_day, split_stock, split_number))
dividends = last * 0
for row in actions[actions['what'] == 'dividend'].itertuples():
    later = [number for date, name, number in splits if name == row.stock and date > row.day]
    dividends.loc[row.day, row.stock] += row.value / np.prod(later)
wealth = ((last + dividends) / last.shift()).fillna(1).cumprod()

# %% naive="shortcut" trap="dividends are forgotten"
prices.loc[prices.index < split_day, split_stock] /= split_number
last = prices.ffill()
wealth = last / last.iloc[0]

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2)]"
# A colleague finds what one would have earned with equal sums in all ten stocks, from the first close to the last day, by this code:
#
#     kept = prices.loc[:, prices.iloc[-1].notna()]
#     print((kept.iloc[-1] / kept.iloc[0] - 1).mean())
#
# Nothing was moved from one stock to another in between. Print what one would really have earned, and the same of the stocks that are still listed on the last day alone, both with dividends, in percent with 2 decimal places, on one line, separated by a space.
#
# Thought: Stocks that ended belong to the ten; the colleague leaves them and the dividends out.

# %% [markdown] lang="cn"
# 一位同事用下面的代码计算：从第一个收盘价到最后一天，在全部十只股票上投入相同金额能赚多少：
#
#     kept = prices.loc[:, prices.iloc[-1].notna()]
#     print((kept.iloc[-1] / kept.iloc[0] - 1).mean())
#
# 其间没有在股票之间调换资金。在同一行打印实际的收益率，以及仅就最后一天仍在上市的股票计算的收益率，均含股息，以百分数表示并保留 2 位小数，用空格分隔。
#
# Thought: 已终止的股票也属于这十只；同事漏掉了它们和股息。

# %%
still = wealth.columns[prices.iloc[-1].notna()]
answer = [100 * (wealth.iloc[-1].mean() - 1), 100 * (wealth[still].iloc[-1].mean() - 1)]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="stocks that ended and dividends are left out"
still = wealth.columns[prices.iloc[-1].notna()]
kept = prices[still]
print(f'{100 * (last.iloc[-1] / last.iloc[0] - 1).mean():.2f} {100 * (kept.iloc[-1] / kept.iloc[0] - 1).mean():.2f}')

# %% naive="shortcut" trap="equal sums every day are another thing than equal sums at the start"
still = wealth.columns[prices.iloc[-1].notna()]
daily = wealth.pct_change().fillna(0)
shown = [100 * ((1 + daily[names].mean(axis=1)).prod() - 1) for names in [wealth.columns, still]]
print(f'{shown[0]:.2f} {shown[1]:.2f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw over the days (as dates) what one pound has become that was divided equally among all ten stocks at their first close and left alone, with the label `{{ ten }}`, and the same for the stocks that are still listed on the last day, with the label `{{ left }}`, both with dividends, as two lines with a legend, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (8, 4), and call `plt.show()`.
#
# Thought: The mean of the columns of wealth.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以日期（日期类型）为横坐标，画出在第一个收盘价平均投入全部十只股票、之后不再变动的一英镑变成了多少，标签为 `{{ ten }}`，以及只平均投入最后一天仍在上市的股票的一英镑，标签为 `{{ left }}`，均含股息，画成两条线并加图例，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (8, 4)，最后调用 `plt.show()`。
#
# Thought: 即 wealth 各列的平均值。

# %%
import matplotlib.pyplot as plt

dates = pd.to_datetime(wealth.index)
plt.figure(figsize=(8, 4))
plt.plot(dates, wealth.mean(axis=1), label='{{ ten }}')
plt.plot(dates, wealth[still].mean(axis=1), label='{{ left }}')
plt.legend()
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="careless literal" trap="prices without dividends are drawn, and the ended stocks fall out of the mean"
import matplotlib.pyplot as plt

dates, relative = pd.to_datetime(prices.index), prices / prices.iloc[0]
plt.figure(figsize=(8, 4))
plt.plot(dates, relative.mean(axis=1), label='{{ ten }}')
plt.plot(dates, relative[still].mean(axis=1), label='{{ left }}')
plt.legend()
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[date, date, real(2)]"
# What is the largest fall of the line of all ten stocks from a high to a later low, in percent of the high? Print the day of the high, the day of the low (both as `YYYY-MM-DD`) and the fall as a positive percentage with 2 decimal places, on one line, separated by spaces.
#
# Thought: Each day is compared with the highest value up to it.

# %% [markdown] lang="cn"
# 全部十只股票那条线从高点到其后低点的最大跌幅（占高点的百分比）是多少？在同一行打印高点日期、低点日期（均为 `YYYY-MM-DD`）和跌幅（正的百分数，保留 2 位小数），用空格分隔。
#
# Thought: 每一天都与到该日为止的最高值比较。

# %%
line = wealth.mean(axis=1)
low = (line / line.cummax()).idxmin()
answer = [line[line.index <= low].idxmax(), low, 100 * (1 - line[low] / line[line.index <= low].max())]
print(answer[0], answer[1], f'{answer[2]:.2f}')

# %% naive="shortcut" trap="the low of all days stands before the high"
line = wealth.mean(axis=1)
print(line.idxmax(), line.idxmin(), f'{100 * (1 - line.min() / line.max()):.2f}')

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# The volatility of a stock is the standard deviation (n - 1) of its daily log returns in `wealth`, each from one day on which the exchange was open to the next, from the first day to the stock's last close, times the square root of 252. Print the three highest, each stock on a line of its own, as `stock: volatility`, in percent with 2 decimal places, from the highest on.
#
# Thought: After its last close a stock has no returns, not returns of zero.

# %% [markdown] lang="cn"
# 股票的波动率为其 `wealth` 日对数收益率的标准差（n - 1）乘以 252 的平方根，每个收益率从一个开市日到下一个开市日，时间从第一天到该股票的最后一个收盘价。打印最高的三个，每只股票一行，格式为 `股票: 波动率`，以百分数表示并保留 2 位小数，从高到低。
#
# Thought: 最后一个收盘价之后没有收益率，而不是收益率为零。

# %%
returns = np.log(wealth).diff()
spread = {name: 100 * returns.loc[: prices[name].last_valid_index(), name].std() * 252**0.5 for name in wealth.columns}
answer = {name: spread[name] for name in sorted(spread, key=spread.get, reverse=True)[:3]}
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% naive="careless literal" trap="days after the last close count as calm ones"
returns = np.log(wealth).diff()
for name, value in (100 * returns.std() * 252**0.5).nlargest(3).items():
    print(f'{name}: {value:.2f}')

# %% naive="shortcut" trap="simple returns are taken for log returns"
returns = wealth.pct_change()
spread = {name: 100 * returns.loc[: prices[name].last_valid_index(), name].std() * 252**0.5 for name in wealth.columns}
for name in sorted(spread, key=spread.get, reverse=True)[:3]:
    print(f'{name}: {spread[name]:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[text, text, text, real(3)]"
# Which two stocks move together most closely from day to day? One of these correlations (Pearson) answers that: `levels` (of `prices`) or `returns` (of the daily log returns of `prices`), each pair over all days for which both stocks have the value; a log return needs a close on the day and on the day before on which the exchange was open.
# Print the name of the correlation, the two stocks in alphabetical order and their correlation with 3 decimal places, on one line, as `name stock stock: correlation`.
#
# Thought: Prices that both rise are correlated whatever happens from day to day.

# %% [markdown] lang="cn"
# 哪两只股票逐日的走势最一致？下列相关系数（Pearson）之一可以回答：`levels`（`prices` 本身）或 `returns`（`prices` 的日对数收益率），每对股票取两者都有数值的全部日子；对数收益率需要当天和上一个开市日都有收盘价。
# 在同一行打印相关系数的名称、按字母顺序排列的两只股票及其相关系数（保留 3 位小数），格式为 `名称 股票 股票: 相关系数`。
#
# Thought: 同时上涨的价格无论逐日如何都会相关。

# %%
def closest(table):
    matrix = table.corr()
    pairs = {(one, two): matrix.loc[one, two] for one in matrix for two in matrix if one < two}
    best = max(pairs, key=pairs.get)
    return *best, pairs[best]


answer = ['returns', *closest(np.log(prices).diff())]
print(f'{answer[0]} {answer[1]} {answer[2]}: {answer[3]:.3f}')

# %% naive="careless shortcut" trap="prices that rise together are taken for stocks that move together"
def closest(table):
    matrix = table.corr()
    pairs = {(one, two): matrix.loc[one, two] for one in matrix for two in matrix if one < two}
    best = max(pairs, key=pairs.get)
    return f'{best[0]} {best[1]}: {pairs[best]:.3f}'


print('levels', closest(prices))

# %% [markdown] kind="num" modules="sklearn" held_out="values" metric="mae" bound="{{ bound }}"
# `{{ data }}/fund.csv` has the value of a share of a fund in pounds, described in the notes. Its last days are empty. Predict the value on these days; the mean absolute error has to be below {{ bound }} pounds.
# Print the predictions in the order of the days, with 2 decimal places, on one line, separated by spaces.
#
# Thought: A fund that never trades is a fixed sum of comparable prices and cash, so a linear regression on the prices of the listed stocks finds it.

# %% [markdown] lang="cn"
# `{{ data }}/fund.csv` 是一只基金每份的价值（英镑），说明见上述说明文件，最后几天为空。请预测这些天的价值，平均绝对误差须低于 {{ bound }} 英镑。
# 按日期顺序在同一行打印预测值，保留 2 位小数，用空格分隔。
#
# Thought: 从不交易的基金是可比价格的固定组合加现金，因此对仍在上市的股票价格做线性回归即可。

# %%
from sklearn.linear_model import LinearRegression

fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
held = prices.ffill().loc[fund.index, list(still)]
model = LinearRegression().fit(held[fund.notna()], fund.dropna())
print(*(f'{value:.2f}' for value in model.predict(held[fund.isna()])))

# %% naive="careless" trap="prices before and after a split are taken for the same shares"
from sklearn.linear_model import LinearRegression

fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
held = vendor.where(vendor > 0).ffill().loc[fund.index, list(still)]
model = LinearRegression().fit(held[fund.notna()], fund.dropna())
print(*(f'{value:.2f}' for value in model.predict(held[fund.isna()])))

# %% naive="shortcut" trap="the last value is repeated"
fund = pd.read_csv('{{ data }}/fund.csv', index_col='day')['value']
print(*([f'{fund.dropna().iloc[-1]:.2f}'] * int(fund.isna().sum())))
