# ---
# jupyter:
#   instances:
#     foil: {seed: 31, form: two, half: 15, tau: 38, efficiency: 21}
#     wire: {seed: 74, form: constant, half: 22, tau: 27, efficiency: 14}
#   varied:
#     seed: {between: [1, 1000000]}
#     form: {pick: [two, constant]}
#     half: {pick: [14, 18, 25]}
#     tau: {pick: [25, 31, 36, 42]}
#     efficiency: {pick: [12, 16, 23]}
#   words:
#     title: {en: Decay after irradiation, cn: 辐照后的衰变}
#     x_label: {en: Minutes after irradiation, cn: 辐照结束后的分钟数}
#     y_label: {en: Net rate (1/s), cn: 净计数率 (1/s)}
# ---

# %% [markdown] kind="exec" modules="pandas"
# An irradiated foil was counted. `{{ data }}/notes.txt` says how. The measurements of the background are in `{{ data }}/background.csv`.
# Make a DataFrame `background` with the columns `number`, `seconds` (float) and `counts`, one row for each measurement, sorted by `number`.
#
# Thought: Lengths are typed in three ways.

# %% [markdown] lang="cn"
# 一片箔经辐照后进行了计数测量，做法见 `{{ data }}/notes.txt`。本底测量在 `{{ data }}/background.csv`。
# 生成 DataFrame `background`，每次测量占一行，列为 `number`、`seconds`（浮点数）和 `counts`，按 `number` 排序。
#
# Thought: 时长有三种写法。

# %%
import pandas as pd


def typed(text):
    if ':' in text:
        minutes, rest = text.split(':')
        return 60.0 * int(minutes) + int(rest)
    number, unit = text.split(' ')
    return float(number) * {'s': 1, 'min': 60}[unit]


background = pd.read_csv('{{ data }}/background.csv')
background['seconds'] = background['length'].map(typed)
background = background[['number', 'seconds', 'counts']].sort_values('number').reset_index(drop=True)

# %% naive="careless" trap="lengths with a colon are taken for unreadable"
import pandas as pd


def typed(text):
    if ':' in text:
        minutes, rest = text.split(':')
        return 60.0 * int(minutes) + int(rest)
    number, unit = text.split(' ')
    return float(number) * {'s': 1, 'min': 60}[unit]


background = pd.read_csv('{{ data }}/background.csv')
background = background[~background['length'].str.contains(':')].copy()
background['seconds'] = background['length'].map(typed)
background = background[['number', 'seconds', 'counts']].sort_values('number').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(4), real(2)]"
# During one of these measurements a source lay on the table; it fits a constant background much worse than all others. It is not used from here on. Print its number, the rate of the background (counts per second, the best estimate for a constant rate from all other measurements) with 4 decimal places, and the chi-square of these others against this rate, with the variance of each count taken from its expectation, with 2 decimal places, on one line, separated by spaces.
#
# Thought: Counts scatter as the root of their expectation, so a high rate in a short time means little. All counts over all time is the best estimate.

# %% [markdown] lang="cn"
# 其中一次测量时桌上放着一个放射源，它与恒定本底的不符远超其他各次，此后不再使用。在同一行打印它的编号、本底计数率（每秒计数，由其余各次测量对恒定计数率作最佳估计，保留 4 位小数），以及其余各次相对这一计数率的卡方值（各计数的方差取其期望值，保留 2 位小数），用空格分隔。
#
# Thought: 计数的涨落为期望值的平方根，短时间内计数率偏高说明不了什么；总计数除以总时间是最佳估计。

# %%
import numpy as np

usual = background['counts'].sum() / background['seconds'].sum() * background['seconds']
excess = (background['counts'] - usual) / np.sqrt(usual)
odd = background.loc[excess.abs().idxmax(), 'number']
quiet = background[background['number'] != odd]
room = quiet['counts'].sum() / quiet['seconds'].sum()
spread = ((quiet['counts'] - room * quiet['seconds']) ** 2 / (room * quiet['seconds'])).sum()
answer = [odd, room, spread]
print(answer[0], f'{answer[1]:.4f} {answer[2]:.2f}')

# %% naive="careless" trap="the highest rate belongs to the shortest measurement"
import numpy as np

usual = background['counts'].sum() / background['seconds'].sum() * background['seconds']
excess = (background['counts'] - usual) / np.sqrt(usual)
odd = background.loc[(background['counts'] / background['seconds']).idxmax(), 'number']
quiet = background[background['number'] != odd]
room = quiet['counts'].sum() / quiet['seconds'].sum()
spread = ((quiet['counts'] - room * quiet['seconds']) ** 2 / (room * quiet['seconds'])).sum()
print(odd, f'{room:.4f} {spread:.2f}')

# %% naive="literal" trap="short measurements weigh as much as long ones"
import numpy as np

usual = background['counts'].sum() / background['seconds'].sum() * background['seconds']
excess = (background['counts'] - usual) / np.sqrt(usual)
odd = background.loc[excess.abs().idxmax(), 'number']
quiet = background[background['number'] != odd]
room = (quiet['counts'] / quiet['seconds']).mean()
spread = ((quiet['counts'] - room * quiet['seconds']) ** 2 / (room * quiet['seconds'])).sum()
print(odd, f'{room:.4f} {spread:.2f}')

# %% naive="shortcut" trap="the longest measurement has the most counts"
import numpy as np

usual = background['counts'].sum() / background['seconds'].sum() * background['seconds']
excess = (background['counts'] - usual) / np.sqrt(usual)
odd = background.loc[background['counts'].idxmax(), 'number']
quiet = background[background['number'] != odd]
room = quiet['counts'].sum() / quiet['seconds'].sum()
spread = ((quiet['counts'] - room * quiet['seconds']) ** 2 / (room * quiet['seconds'])).sum()
print(odd, f'{room:.4f} {spread:.2f}')

# %% [markdown] kind="num" tolerance=0.0005 modules="scipy" answer="real(3)"
# Find tau from `{{ data }}/sources.csv` and the background, without approximation. Print it in microseconds with 3 decimal places.
#
# Thought: The true net rates of A and B must add up to that of both; solve this for tau.

# %% [markdown] lang="cn"
# 由 `{{ data }}/sources.csv` 和本底求出 tau，不作近似。以微秒为单位打印，保留 3 位小数。
#
# Thought: A 与 B 的真实净计数率之和应等于两者同时测量的净计数率，由此解出 tau。

# %%
from scipy.optimize import brentq

sources = pd.read_csv('{{ data }}/sources.csv').set_index('source')
m = sources['counts'] / sources['length'].map(typed)


def surplus(tau):
    n = m / (1 - m * tau) - room
    return n['A'] + n['B'] - n['A+B']


tau = brentq(surplus, 0, 0.9 / m.max(), xtol=1e-15)
answer = 1e6 * tau
print(f'{answer:.3f}')

# %% naive="careless" trap="the background is counted twice in the sum"
from scipy.optimize import brentq

sources = pd.read_csv('{{ data }}/sources.csv').set_index('source')
m = sources['counts'] / sources['length'].map(typed)


def surplus(tau):
    n = m / (1 - m * tau)
    return n['A'] + n['B'] - n['A+B']


tau = brentq(surplus, 0, 0.9 / m.max(), xtol=1e-15)
print(f'{1e6 * tau:.3f}')

# %% naive="shortcut literal" trap="the formula for small losses"
from scipy.optimize import brentq

sources = pd.read_csv('{{ data }}/sources.csv').set_index('source')
m = sources['counts'] / sources['length'].map(typed)


def surplus(tau):
    n = m / (1 - m * tau) - room
    return n['A'] + n['B'] - n['A+B']


tau = (m['A'] + m['B'] - m['A+B'] - room) / (2 * (m['A'] - room) * (m['B'] - room))
print(f'{1e6 * tau:.3f}')

# %% [markdown] kind="exec" modules="pandas numpy"
# The decay of the foil is in `{{ data }}/series.csv`. Make a DataFrame `rates` with one row for each measurement of the foil, in the order of the file, and the columns `minute` (minutes from the end of the irradiation to the middle of the measurement), `rate` (true net rate per second) and `error` (the standard error of `rate` that comes from the Poisson scatter of the counts of this measurement and of the background; tau is taken as exact). All are float, not rounded.
#
# Thought: First the dead time, then the background. The derivative of m / (1 - m tau) is 1 / (1 - m tau)^2.

# %% [markdown] lang="cn"
# 箔的衰变数据在 `{{ data }}/series.csv`。生成 DataFrame `rates`，箔的每次测量占一行，按文件顺序，列为 `minute`（从辐照结束到该次测量中点的分钟数）、`rate`（每秒真实净计数率）和 `error`（由该次测量的计数和本底计数的泊松涨落引起的 `rate` 的标准误差，tau 视为精确值）。均为浮点数，不取整。
#
# Thought: 先校正死时间，再减本底。m / (1 - m tau) 的导数是 1 / (1 - m tau)^2。

# %%
series = pd.read_csv('{{ data }}/series.csv', sep=';')
series = series[series['kind'] == 'F'].reset_index(drop=True)
with open('{{ data }}/notes.txt') as file:
    end = pd.Timestamp('2025-06-18 ' + file.read().split('18 June 2025 at ')[1][:8]) - pd.Timedelta(hours=2)


def minutes(table):
    start = pd.to_datetime(table['start'], format='%d.%m.%Y %H:%M:%S')
    return (start - end).dt.total_seconds() / 60 + table['length'].map(typed) / 120


live = series['length'].map(typed)
seen = series['counts'] / live
scatter = np.sqrt(series['counts']) / live / (1 - seen * tau) ** 2
noise = np.sqrt(quiet['counts'].sum()) / quiet['seconds'].sum()
rates = pd.DataFrame({
    'minute': minutes(series),
    'rate': seen / (1 - seen * tau) - room,
    'error': np.sqrt(scatter**2 + noise**2),
})

# %% naive="careless" trap="the clocks are taken for the same"
series = pd.read_csv('{{ data }}/series.csv', sep=';')
series = series[series['kind'] == 'F'].reset_index(drop=True)
with open('{{ data }}/notes.txt') as file:
    end = pd.Timestamp('2025-06-18 ' + file.read().split('18 June 2025 at ')[1][:8])


def minutes(table):
    start = pd.to_datetime(table['start'], format='%d.%m.%Y %H:%M:%S')
    return (start - end).dt.total_seconds() / 60 + table['length'].map(typed) / 120


live = series['length'].map(typed)
seen = series['counts'] / live
scatter = np.sqrt(series['counts']) / live / (1 - seen * tau) ** 2
noise = np.sqrt(quiet['counts'].sum()) / quiet['seconds'].sum()
rates = pd.DataFrame({
    'minute': minutes(series),
    'rate': seen / (1 - seen * tau) - room,
    'error': np.sqrt(scatter**2 + noise**2),
})

# %% naive="literal" trap="the correction for the dead time does not widen the error"
series = pd.read_csv('{{ data }}/series.csv', sep=';')
series = series[series['kind'] == 'F'].reset_index(drop=True)
with open('{{ data }}/notes.txt') as file:
    end = pd.Timestamp('2025-06-18 ' + file.read().split('18 June 2025 at ')[1][:8]) - pd.Timedelta(hours=2)


def minutes(table):
    start = pd.to_datetime(table['start'], format='%d.%m.%Y %H:%M:%S')
    return (start - end).dt.total_seconds() / 60 + table['length'].map(typed) / 120


live = series['length'].map(typed)
seen = series['counts'] / live
scatter = np.sqrt(series['counts']) / live
noise = np.sqrt(quiet['counts'].sum()) / quiet['seconds'].sum()
rates = pd.DataFrame({
    'minute': minutes(series),
    'rate': seen / (1 - seen * tau) - room,
    'error': np.sqrt(scatter**2 + noise**2),
})

# %% naive="shortcut" trap="the background comes off before the dead time is corrected"
series = pd.read_csv('{{ data }}/series.csv', sep=';')
series = series[series['kind'] == 'F'].reset_index(drop=True)
with open('{{ data }}/notes.txt') as file:
    end = pd.Timestamp('2025-06-18 ' + file.read().split('18 June 2025 at ')[1][:8]) - pd.Timedelta(hours=2)


def minutes(table):
    start = pd.to_datetime(table['start'], format='%d.%m.%Y %H:%M:%S')
    return (start - end).dt.total_seconds() / 60 + table['length'].map(typed) / 120


live = series['length'].map(typed)
seen = series['counts'] / live
scatter = np.sqrt(series['counts']) / live / (1 - seen * tau) ** 2
noise = np.sqrt(quiet['counts'].sum()) / quiet['seconds'].sum()
rates = pd.DataFrame({
    'minute': minutes(series),
    'rate': (seen - room) / (1 - (seen - room) * tau),
    'error': np.sqrt(scatter**2 + noise**2),
})

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `rate` over `minute` of `rates` as points in `purple`, with a logarithmic y axis, the title `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, figure size (7, 4), and call `plt.show()`.
#
# Thought: A single nuclide would be a straight line.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `rates` 的 `minute` 为横坐标、`rate` 为纵坐标，用 `purple` 色的点作图，纵轴为对数刻度，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 单一核素应为一条直线。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
plt.scatter(rates['minute'], rates['rate'], color='purple')
plt.yscale('log')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="literal" trap="logarithms are drawn in place of a logarithmic axis"
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
plt.scatter(rates['minute'], np.log(rates['rate'].clip(lower=1)), color='purple')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" tolerance=0.002 modules="scipy" answer="[text, real(relative=0.0005), real(2)]"
# A colleague reads the half-life off a straight line through the logarithms of `rate`. Fit `rate` with weights from `error` by three models of the time t:
#
# - `one`: one nuclide, a (1/2)^(t/h)
# - `constant`: a (1/2)^(t/h) + c
# - `two`: a (1/2)^(t/h) + c (1/2)^(t/g), with h the shorter half-life
#
# Take the first of them, in this order, that the chi-square test of its fit does not reject at the level 0.001. Print its name, h in minutes with 4 significant digits and its chi-square with 2 decimal places, on one line, separated by spaces.
#
# Thought: Weighted least squares with known errors; the chi-square has as many degrees of freedom as rates less parameters.

# %% [markdown] lang="cn"
# 一位同事对 `rate` 的对数作直线拟合得到半衰期。请以 `error` 为权重，用时间 t 的三个模型拟合 `rate`：
#
# - `one`：一种核素，a (1/2)^(t/h)
# - `constant`：a (1/2)^(t/h) + c
# - `two`：a (1/2)^(t/h) + c (1/2)^(t/g)，其中 h 为较短的半衰期
#
# 按此顺序，取第一个在 0.001 水平上不被卡方检验拒绝的模型。在同一行打印它的名称、h（分钟，4 位有效数字）和卡方值（保留 2 位小数），用空格分隔。
#
# Thought: 用已知误差作加权最小二乘；卡方的自由度为数据点数减参数个数。

# %%
from scipy import stats
from scipy.optimize import curve_fit

decays = {
    'one': lambda t, a, h: a * 0.5 ** (t / h),
    'constant': lambda t, a, h, c: a * 0.5 ** (t / h) + c,
    'two': lambda t, a, h, c, g: a * 0.5 ** (t / h) + c * 0.5 ** (t / g),
}
high = rates['rate'].iloc[0] * 2 ** (rates['minute'].iloc[0] / 20)
starts = {'one': [high, 20], 'constant': [high, 20, 200], 'two': [high, 20, 250, 120]}
for kind, decay in decays.items():
    values, spread = curve_fit(
        decay, rates['minute'], rates['rate'], p0=starts[kind], sigma=rates['error'], absolute_sigma=True, maxfev=20000, xtol=1e-12, ftol=1e-12
    )
    chi2 = (((rates['rate'] - decay(rates['minute'], *values)) / rates['error']) ** 2).sum()
    if stats.chi2.sf(chi2, len(rates) - len(values)) >= 0.001:
        break
answer = [kind, values[1], chi2]
print(answer[0], f'{answer[1]:.4g} {answer[2]:.2f}')

# %% naive="careless shortcut" trap="a straight line through logarithms"
from scipy import stats
from scipy.optimize import curve_fit

decays = {
    'one': lambda t, a, h: a * 0.5 ** (t / h),
    'constant': lambda t, a, h, c: a * 0.5 ** (t / h) + c,
    'two': lambda t, a, h, c, g: a * 0.5 ** (t / h) + c * 0.5 ** (t / g),
}
high = rates['rate'].iloc[0] * 2 ** (rates['minute'].iloc[0] / 20)
starts = {'one': [high, 20], 'constant': [high, 20, 200], 'two': [high, 20, 250, 120]}
for kind, decay in decays.items():
    values, spread = curve_fit(
        decay, rates['minute'], rates['rate'], p0=starts[kind], sigma=rates['error'], absolute_sigma=True, maxfev=20000, xtol=1e-12, ftol=1e-12
    )
    chi2 = (((rates['rate'] - decay(rates['minute'], *values)) / rates['error']) ** 2).sum()
    if stats.chi2.sf(chi2, len(rates) - len(values)) >= 0.001:
        break
slope = np.polyfit(rates['minute'], np.log(rates['rate'].clip(lower=1)), 1)[0]
print('one', f'{-np.log(2) / slope:.4g} {chi2:.2f}')

# %% naive="literal" trap="all rates are taken as equally sure"
from scipy import stats
from scipy.optimize import curve_fit

decays = {
    'one': lambda t, a, h: a * 0.5 ** (t / h),
    'constant': lambda t, a, h, c: a * 0.5 ** (t / h) + c,
    'two': lambda t, a, h, c, g: a * 0.5 ** (t / h) + c * 0.5 ** (t / g),
}
high = rates['rate'].iloc[0] * 2 ** (rates['minute'].iloc[0] / 20)
starts = {'one': [high, 20], 'constant': [high, 20, 200], 'two': [high, 20, 250, 120]}
for kind, decay in decays.items():
    values, spread = curve_fit(
        decay, rates['minute'], rates['rate'], p0=starts[kind], sigma=np.full(len(rates), rates['error'].mean()), absolute_sigma=True, maxfev=20000, xtol=1e-12, ftol=1e-12
    )
    chi2 = (((rates['rate'] - decay(rates['minute'], *values)) / rates['error']) ** 2).sum()
    if stats.chi2.sf(chi2, len(rates) - len(values)) >= 0.001:
        break
print(kind, f'{values[1]:.4g} {chi2:.2f}')

# %% [markdown] kind="num" tolerance=0.002 modules="numpy" answer="[real(3), real(3)]"
# How many decays a second of the nuclide with the half-life h were there at the end of the irradiation? Print this activity in kBq and its standard uncertainty (of the fit, with the errors of `rates` as they are, and of the efficiency, which are independent), both with 3 decimal places, on one line, separated by a space.
#
# Thought: The amplitude at zero minutes over the efficiency; relative uncertainties add in squares.

# %% [markdown] lang="cn"
# 辐照结束时，半衰期为 h 的核素每秒有多少次衰变？在同一行打印这一活度（kBq）及其标准不确定度（来自拟合，`rates` 的误差按原值使用；以及来自探测效率，二者独立），均保留 3 位小数，用空格分隔。
#
# Thought: 零时刻的幅度除以效率；相对不确定度按平方相加。

# %%
share = {{ efficiency }} / 100
activity = values[0] / share
doubt = activity * np.sqrt(spread[0, 0] / values[0] ** 2 + 0.02**2)
answer = [activity / 1000, doubt / 1000]
print(*(f'{value:.3f}' for value in answer))

# %% naive="careless" trap="the counter is taken to see all decays"
share = 1.0
activity = values[0] / share
doubt = activity * np.sqrt(spread[0, 0] / values[0] ** 2 + 0.02**2)
print(f'{activity / 1000:.3f} {doubt / 1000:.3f}')

# %% naive="literal shortcut" trap="the efficiency is taken as exact"
share = {{ efficiency }} / 100
activity = values[0] / share
doubt = activity * np.sqrt(spread[0, 0] / values[0] ** 2)
print(f'{activity / 1000:.3f} {doubt / 1000:.3f}')

# %% [markdown] kind="num" modules="pandas" held_out="counts" metric="mae" bound="420"
# Some measurements of the foil are in `{{ data }}/lost.csv`, without their counts, which the disk has lost. Print the counts that the counter must have shown, as whole numbers in the order of the file, separated by spaces. They should be wrong by at most 420 counts in the mean (mean absolute error).
#
# Thought: From the fit back to what is counted: add the background, then lose what falls into the dead time.

# %% [markdown] lang="cn"
# `{{ data }}/lost.csv` 中是箔的另一些测量，其计数因磁盘故障丢失。按文件顺序打印计数器当时应显示的计数（整数），用空格分隔。平均绝对误差应不超过 420 个计数。
#
# Thought: 由拟合反推计数：先加本底，再扣除死时间内的损失。

# %%
gaps = pd.read_csv('{{ data }}/lost.csv', sep=';')
true = decays[kind](minutes(gaps), *values) + room
guess = true / (1 + true * tau) * gaps['length'].map(typed)
print(*guess.round().astype(int))

# %% naive="careless" trap="the counter has no dead time"
gaps = pd.read_csv('{{ data }}/lost.csv', sep=';')
true = decays[kind](minutes(gaps), *values) + room
guess = true * gaps['length'].map(typed)
print(*guess.round().astype(int))

# %% naive="literal" trap="the background is in no prediction"
gaps = pd.read_csv('{{ data }}/lost.csv', sep=';')
true = decays[kind](minutes(gaps), *values)
guess = true / (1 + true * tau) * gaps['length'].map(typed)
print(*guess.round().astype(int))

# %% naive="shortcut" trap="a straight line between the counts of the neighbors"
gaps = pd.read_csv('{{ data }}/lost.csv', sep=';')
true = decays[kind](minutes(gaps), *values) + room
guess = np.interp(minutes(gaps), rates['minute'], series['counts']) + 0 * true
print(*guess.round().astype(int))

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# `{{ data }}/swipes.csv` has swipes of the laboratory. Which places have more than the background? Compare each swipe with the measurements of the background that are used, by the one-sided exact test of two Poisson rates (binomial, given the sum of both counts). Places are named with a chance of at most 5 percent that any of them is named wrongly, by Holm's method. Print the places in alphabetical order, on one line, separated by `, `.
#
# Thought: Given both counts together, those of the swipe are binomial with the share of its time; Holm steps through the sorted p-values.

# %% [markdown] lang="cn"
# `{{ data }}/swipes.csv` 是实验室各处的擦拭样品。哪些地方高于本底？用两个泊松率的单侧精确检验（给定两计数之和的二项检验），将每个擦拭样品与所使用的本底测量比较。用 Holm 方法，使误报任何一处的概率不超过 5%。按字母顺序在同一行打印这些地方，用 `, ` 分隔。
#
# Thought: 给定两计数之和，擦拭样品的计数服从以其时间占比为概率的二项分布；再按 Holm 方法逐个检验排序后的 p 值。

# %%
swipes = pd.read_csv('{{ data }}/swipes.csv')
swipes['seconds'] = swipes['length'].map(typed)
total, time = quiet['counts'].sum(), quiet['seconds'].sum()
p = stats.binom.sf(swipes['counts'] - 1, swipes['counts'] + total, swipes['seconds'] / (swipes['seconds'] + time))
order = np.argsort(p)
passed = p[order] <= 0.05 / (len(p) - np.arange(len(p)))
kept = order[: len(p) if passed.all() else passed.argmin()]
answer = sorted(swipes['place'].iloc[kept])
print(', '.join(answer))

# %% naive="literal" trap="each test has its own 5 percent"
swipes = pd.read_csv('{{ data }}/swipes.csv')
swipes['seconds'] = swipes['length'].map(typed)
total, time = quiet['counts'].sum(), quiet['seconds'].sum()
p = stats.binom.sf(swipes['counts'] - 1, swipes['counts'] + total, swipes['seconds'] / (swipes['seconds'] + time))
order = np.argsort(p)
passed = p[order] <= 0.05
kept = order[: len(p) if passed.all() else passed.argmin()]
print(', '.join(sorted(swipes['place'].iloc[kept])))

# %% naive="careless" trap="counts are compared whatever the time"
swipes = pd.read_csv('{{ data }}/swipes.csv')
swipes['seconds'] = swipes['length'].map(typed)
total, time = quiet['counts'].sum(), quiet['seconds'].sum()
p = stats.poisson.sf(swipes['counts'] - 1, swipes['counts'].mean())
order = np.argsort(p)
passed = p[order] <= 0.05 / (len(p) - np.arange(len(p)))
kept = order[: len(p) if passed.all() else passed.argmin()]
print(', '.join(sorted(swipes['place'].iloc[kept])))

# %% naive="shortcut" trap="high rates are enough"
swipes = pd.read_csv('{{ data }}/swipes.csv')
swipes['seconds'] = swipes['length'].map(typed)
total, time = quiet['counts'].sum(), quiet['seconds'].sum()
p = stats.binom.sf(swipes['counts'] - 1, swipes['counts'] + total, swipes['seconds'] / (swipes['seconds'] + time))
order = np.argsort(p)
passed = p[order] <= 0.05 / (len(p) - np.arange(len(p)))
kept = np.flatnonzero(swipes['counts'] / swipes['seconds'] > 1.1 * room)
print(', '.join(sorted(swipes['place'].iloc[kept])))
