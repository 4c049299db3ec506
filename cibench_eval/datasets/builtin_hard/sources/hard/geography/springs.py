# ---
# jupyter:
#   instances:
#     hochwang: {seed: 14, plateau: the Hochwang, gentle: 1.0}
#     karvel: {seed: 77, plateau: the Karvel plateau, gentle: 1.25}
#   varied:
#     seed: {between: [1, 1000000]}
#     plateau: {pick: [the Hochwang, the Karvel plateau, the Dolen plateau]}
#     gentle: {pick: [0.9, 1.0, 1.1, 1.25]}
#   words:
#     title: {en: One reservoir with two springs, cn: 一个水库，两处泉}
#     x_label: {en: Both together (l/s), cn: 两泉合计（升每秒）}
#     y_label: {en: The overflow (l/s), cn: 溢流泉（升每秒）}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Rain on a plateau of limestone comes out of four springs. `{{ data }}/rain.csv` and `{{ data }}/flow.csv` have both, `{{ data }}/notes.txt` says how they were measured and how the springs work.
# Make two DataFrames of floats, `rain` (in mm) and `flow` (in litres per second), with the columns of the files but `time`, and the time in UTC as a DatetimeIndex without a time zone. The times of `flow` are those that the loggers' clocks showed, brought to UTC.
#
# Thought: One gauge writes tenths; local time is an hour ahead.

# %% [markdown] lang="cn"
# 石灰岩高原上的降雨从四处泉流出。`{{ data }}/rain.csv` 和 `{{ data }}/flow.csv` 记录了二者，`{{ data }}/notes.txt` 说明了测量方法和泉的原理。
# 生成两个浮点数 DataFrame：`rain`（毫米）和 `flow`（升每秒），列为文件中除 `time` 外的各列，以不带时区的 UTC 时间为 DatetimeIndex。`flow` 的时间是记录仪时钟显示的时间换算成 UTC。
#
# Thought: 有一个雨量计以十分之一毫米记录；当地时间早一小时。

# %%
import re

import numpy as np
import pandas as pd
from scipy import optimize, signal

notes = open('{{ data }}/notes.txt').read()
rain = pd.read_csv('{{ data }}/rain.csv', index_col='time', parse_dates=True).astype(float)
rain[re.search(r"(\w+)'s numbers", notes).group(1)] /= 10
flow = pd.read_csv('{{ data }}/flow.csv', index_col='time', parse_dates=True)
flow.index -= pd.Timedelta(hours=1)

# %% naive="careless" trap="local time is taken for UTC"
import re

import numpy as np
import pandas as pd
from scipy import optimize, signal

notes = open('{{ data }}/notes.txt').read()
rain = pd.read_csv('{{ data }}/rain.csv', index_col='time', parse_dates=True).astype(float)
rain[re.search(r"(\w+)'s numbers", notes).group(1)] /= 10
flow = pd.read_csv('{{ data }}/flow.csv', index_col='time', parse_dates=True)

# %% [markdown] kind="num" modules="numpy & pandas" answer="[text, date, date]"
# A gauge's logger has given one stretch of its readings once more. Print the gauge, the time of the first and the time of the last value that are not its own, in UTC, on one line, as `Pass: 2025-01-31 06:00, 2025-02-03 18:00`. Make these values NaN in `rain`.
#
# Thought: Look in each gauge for the longest stretch with rain that equals an earlier one, at any distance.

# %% [markdown] lang="cn"
# 有一个雨量计的记录仪把自己的一段读数又给出了一遍。在同一行打印该雨量计，以及不属于当时的第一个值和最后一个值的时间（UTC），格式为 `Pass: 2025-01-31 06:00, 2025-02-03 18:00`。在 `rain` 中将这些值设为 NaN。
#
# Thought: 在每个雨量计中寻找与先前某段相同、含雨且最长的一段，间隔任意。

# %%
most = 0
for gauge in rain:
    values = rain[gauge].to_numpy()
    for shift in range(8, 1200):
        ends = np.flatnonzero(np.append(values[shift:] != values[:-shift], True))
        wet = np.append(0, np.cumsum(values[shift:] > 0))
        starts = np.append(0, ends[:-1] + 1)
        found = wet[ends] - wet[starts]
        if found.max() > most:
            most, again = found.max(), (gauge, starts[found.argmax()] + shift, ends[found.argmax()] + shift)
gauge, start, end = again
answer = [gauge, rain.index[start], rain.index[end - 1]]
print(f'{gauge}: {answer[1]:%Y-%m-%d %H:%M}, {answer[2]:%Y-%m-%d %H:%M}')
rain.iloc[start:end, rain.columns.get_loc(gauge)] = np.nan

# %% naive="careless literal shortcut" trap="the longest dry spell is taken for a repetition"
most = 0
for gauge in rain:
    values = rain[gauge].to_numpy()
    ends = np.flatnonzero(np.append(np.diff(values) != 0, True)) + 1
    starts = np.append(0, ends[:-1])
    if (ends - starts).max() > most:
        most = (ends - starts).max()
        again = gauge, starts[(ends - starts).argmax()], ends[(ends - starts).argmax()]
gauge, start, end = again
print(f'{gauge}: {rain.index[start]:%Y-%m-%d %H:%M}, {rain.index[end - 1]:%Y-%m-%d %H:%M}')

# %% [markdown] kind="num" modules="numpy & pandas" answer="list[count]"
# How many values of `flow` were filled in by the logger? Print the numbers for the three springs that are never dry, in the order of the columns, on one line, separated by spaces. Make these values NaN in `flow`.
#
# Thought: Values that were filled in lie on a straight line up to rounding; measured ones scatter. The two ends of such a line were measured.

# %% [markdown] lang="cn"
# `flow` 中有多少个值是记录仪补上的？在同一行打印从不干涸的三处泉各自的个数，按列的顺序，用空格分隔。在 `flow` 中将这些值设为 NaN。
#
# Thought: 补上的值在舍入误差内落在一条直线上，实测值则有散布。直线的两个端点是实测的。

# %%
counts = []
for spring in flow:
    values = flow[spring].to_numpy()
    if (values == 0).any():
        continue
    straight = np.abs(np.diff(values, 2)) < 0.25
    edges = np.flatnonzero(np.diff(np.concatenate([[0], straight, [0]])))
    made_up = np.zeros(len(values), bool)
    for begin, stop in zip(edges[::2], edges[1::2]):
        made_up[begin + 1 : stop + 1] = stop - begin > 4
    counts.append(made_up.sum())
    flow.loc[made_up, spring] = np.nan
answer = list(counts)
print(*answer)

# %% naive="careless shortcut" trap="values that do not change are taken for those filled in"
counts = [(flow[spring].diff() == 0).sum() for spring in flow if not (flow[spring] == 0).any()]
for spring in flow:
    values = flow[spring].to_numpy()
    if (values == 0).any():
        continue
    straight = np.abs(np.diff(values, 2)) < 0.25
    edges = np.flatnonzero(np.diff(np.concatenate([[0], straight, [0]])))
    made_up = np.zeros(len(values), bool)
    for begin, stop in zip(edges[::2], edges[1::2]):
        made_up[begin + 1 : stop + 1] = stop - begin > 4
    flow.loc[made_up, spring] = np.nan
print(*counts)

# %% naive="literal" trap="every value whose neighbours make a line with it by chance counts, and the ends count"
counts = []
for spring in flow:
    values = flow[spring].to_numpy()
    if (values == 0).any():
        continue
    straight = np.abs(np.diff(values, 2)) < 0.25
    counts.append(np.convolve(straight, [1, 1, 1]).astype(bool).sum())
    edges = np.flatnonzero(np.diff(np.concatenate([[0], straight, [0]])))
    made_up = np.zeros(len(values), bool)
    for begin, stop in zip(edges[::2], edges[1::2]):
        made_up[begin + 1 : stop + 1] = stop - begin > 4
    flow.loc[made_up, spring] = np.nan
print(*counts)

# %% [markdown] kind="num" modules="pandas" tolerance=0.01 answer="[real(1), count]"
# Two springs are outlets of one reservoir. Print the greatest flow that the first outlet can carry, in litres per second with 1 decimal place, and the number of readings at which the other one flows (more than 0), on one line, separated by a space. The greatest flow is that of the water, not of a single reading with its error; a deviation of 1 percent does no harm.
#
# Thought: Where the dry one flows, the other stands at its greatest flow and scatters around it by the error of reading.

# %% [markdown] lang="cn"
# 有两处泉是同一水库的出口。在同一行打印：前一个出口所能通过的最大流量（升每秒，保留 1 位小数），以及另一个出口有水流（大于 0）的读数个数，用空格分隔。最大流量指水的流量，而不是带误差的单个读数；偏差 1% 无妨。
#
# Thought: 会干涸的泉有水时，另一个处于最大流量，只因读数误差而散布。

# %%
over = (flow == 0).sum().idxmax()
flowing = flow[over] > 0
first = flow[flow[over] > 3].std().drop(over).idxmin()
full = flow.loc[flow[over] > 3, first].median()
answer = [full, flowing.sum()]
print(f'{answer[0]:.1f} {answer[1]}')

# %% naive="careless literal shortcut" trap="the greatest reading is taken, whose error is the greatest"
over = (flow == 0).sum().idxmax()
flowing = flow[over] > 0
first = flow[flow[over] > 3].std().drop(over).idxmin()
full = flow[first].max()
print(f'{full:.1f} {flowing.sum()}')

# %% [markdown] kind="exec" modules="numpy & scipy & pandas"
# Find where the rain goes. Make a DataFrame `routes` with one row for each gauge, in the order of the columns of `rain`, and the columns `gauge`, `spring` (where its water comes out; of the reservoir with two outlets the one that is never dry) and `hours` (integer: the travel time; in the catchment with the collapse that before the collapse).
#
# Thought: What a spring gains over its recession, regressed on the rain of all gauges at all delays, shows gauge and delay; for the clock that drifts, the times have to be stretched first.

# %% [markdown] lang="cn"
# 找出雨水的去向。生成 DataFrame `routes`，每个雨量计占一行，顺序同 `rain` 的列，列为 `gauge`、`spring`（其水流出之处；对有两个出口的水库，取从不干涸的那个）和 `hours`（整数：行进时间；发生塌陷的集水区取塌陷之前的值）。
#
# Thought: 把泉水超出退水的增量对所有雨量计的各种延迟作回归，可以看出雨量计和延迟；时钟漂移的泉要先拉伸时间。

# %%
fallen = rain.fillna(0).to_numpy()
lost = np.convolve(rain.isna().any(axis=1), np.ones(130))[: len(rain)] > 0
steps, late = np.arange(len(rain)), range(2, 41)


def later(number, lag):
    return np.append(np.zeros(lag), fallen[: len(rain) - lag, number])


def gains(water, numbers):
    """What the gauges add to the recession at each delay, and how much stays unexplained."""
    shifted = [later(number, lag)[1:] for number in numbers for lag in late]
    columns = np.column_stack([np.ones(len(water) - 1), water[:-1], *shifted])
    use = ~lost[1:] & ~np.isnan(columns).any(axis=1) & ~np.isnan(water[1:])
    weights, rest = np.linalg.lstsq(columns[use], water[1:][use], rcond=None)[:2]
    return weights[2:].reshape(len(numbers), -1), rest[0] / use.sum()


added, _ = gains((flow[first] + flow[over]).to_numpy(), range(4))
pair = sorted(int(number) for number in np.argsort(-added.max(axis=1))[:2])
delays = {number: late[added[number].argmax()] for number in pair}
outlets = {number: first for number in pair}

others = [number for number in range(4) if number not in pair]
trials = {}
for spring in flow.columns.drop([first, over]):
    for slow in range(-14, 15):
        true = np.interp(steps, steps / (1 - slow / 1440), flow[spring].to_numpy())
        weights, rest = gains(true, others)
        trials[spring, slow] = rest, weights
drifting = min(flow.columns.drop([first, over]), key=lambda spring: min(trials[spring, slow][0] for slow in range(-14, 15)) / trials[spring, 0][0])
slow = min(range(-14, 15), key=lambda slow: trials[drifting, slow][0])
weights = trials[drifting, slow][1]
clocked = others[weights.max(axis=1).argmax()]
delays[clocked], outlets[clocked] = late[weights.max(axis=0).argmax()], drifting


def off(guess, lag):
    """Flow of the spring with the wrong clock, less the reservoir's answer at that lag: guess is minutes a day and recession."""
    answer = signal.lfilter([1], [1, -guess[1]], later(clocked, lag))
    seen = np.interp(steps / (1 - guess[0] / 1440), steps, answer, right=np.nan)
    water = flow[drifting].to_numpy()
    use = ~np.isnan(seen + water)
    columns = np.column_stack([np.ones(use.sum()), seen[use]])
    error = np.zeros(len(steps))
    error[use] = water[use] - columns @ np.linalg.lstsq(columns, water[use], rcond=None)[0]
    return error


fits = {}
for lag in range(max(delays[clocked] - 4, 2), min(delays[clocked] + 5, 41)):
    fits[lag] = optimize.least_squares(off, [slow, 0.9], x_scale=[1, 0.01], diff_step=1e-4, args=(lag,))
delays[clocked] = min(fits, key=lambda lag: fits[lag].cost)

shaken = next(number for number in others if number != clocked)
collapsed = next(spring for spring in flow.columns.drop([first, over]) if spring != drifting)
weights, _ = gains(flow[collapsed].where(steps < len(steps) // 3).to_numpy(), [shaken])
delays[shaken], outlets[shaken] = late[weights[0].argmax()], collapsed
routes = pd.DataFrame([(rain.columns[one], outlets[one], 6 * delays[one]) for one in range(4)], columns=['gauge', 'spring', 'hours'])

# %% naive="careless literal shortcut" trap="the highest correlation of flow and rain is taken, though storms are long and clocks drift"
fallen = rain.fillna(0).to_numpy()
lost = np.convolve(rain.isna().any(axis=1), np.ones(130))[: len(rain)] > 0
steps, late = np.arange(len(rain)), range(2, 41)


def later(number, lag):
    return np.append(np.zeros(lag), fallen[: len(rain) - lag, number])


def gains(water, numbers):
    """What the gauges add to the recession at each delay, and how much stays unexplained."""
    shifted = [later(number, lag)[1:] for number in numbers for lag in late]
    columns = np.column_stack([np.ones(len(water) - 1), water[:-1], *shifted])
    use = ~lost[1:] & ~np.isnan(columns).any(axis=1) & ~np.isnan(water[1:])
    weights, rest = np.linalg.lstsq(columns[use], water[1:][use], rcond=None)[:2]
    return weights[2:].reshape(len(numbers), -1), rest[0] / use.sum()


added, _ = gains((flow[first] + flow[over]).to_numpy(), range(4))
pair = sorted(int(number) for number in np.argsort(-added.max(axis=1))[:2])
delays = {number: late[added[number].argmax()] for number in pair}
outlets = {number: first for number in pair}

others = [number for number in range(4) if number not in pair]
trials = {}
for spring in flow.columns.drop([first, over]):
    for slow in range(-14, 15):
        true = np.interp(steps, steps / (1 - slow / 1440), flow[spring].to_numpy())
        weights, rest = gains(true, others)
        trials[spring, slow] = rest, weights
drifting = min(flow.columns.drop([first, over]), key=lambda spring: min(trials[spring, slow][0] for slow in range(-14, 15)) / trials[spring, 0][0])
slow = min(range(-14, 15), key=lambda slow: trials[drifting, slow][0])
weights = trials[drifting, slow][1]
clocked = others[weights.max(axis=1).argmax()]
delays[clocked], outlets[clocked] = late[weights.max(axis=0).argmax()], drifting


def off(guess, lag):
    """Flow of the spring with the wrong clock, less the reservoir's answer at that lag: guess is minutes a day and recession."""
    answer = signal.lfilter([1], [1, -guess[1]], later(clocked, lag))
    seen = np.interp(steps / (1 - guess[0] / 1440), steps, answer, right=np.nan)
    water = flow[drifting].to_numpy()
    use = ~np.isnan(seen + water)
    columns = np.column_stack([np.ones(use.sum()), seen[use]])
    error = np.zeros(len(steps))
    error[use] = water[use] - columns @ np.linalg.lstsq(columns, water[use], rcond=None)[0]
    return error


fits = {}
for lag in range(max(delays[clocked] - 4, 2), min(delays[clocked] + 5, 41)):
    fits[lag] = optimize.least_squares(off, [slow, 0.9], x_scale=[1, 0.01], diff_step=1e-4, args=(lag,))
delays[clocked] = min(fits, key=lambda lag: fits[lag].cost)

shaken = next(number for number in others if number != clocked)
collapsed = next(spring for spring in flow.columns.drop([first, over]) if spring != drifting)
weights, _ = gains(flow[collapsed].where(steps < len(steps) // 3).to_numpy(), [shaken])
delays[shaken], outlets[shaken] = late[weights[0].argmax()], collapsed
rows = []
for gauge in rain:
    match = {
        (spring, lag): flow[spring].reset_index(drop=True).corr(rain[gauge].reset_index(drop=True).shift(lag))
        for spring in flow.columns.drop(over)
        for lag in range(1, 41)
    }
    spring, lag = max(match, key=match.get)
    rows.append((gauge, spring, 6 * lag))
routes = pd.DataFrame(rows, columns=['gauge', 'spring', 'hours'])

# %% [markdown] kind="num" modules="numpy & scipy" absolute=1.0 answer="[real(1), real]"
# Print when the passage collapsed, in days (with 1 decimal place) since the first time of `rain`, and the travel time in hours after the collapse, on one line, separated by a space. A deviation of one day does no harm.
#
# Thought: Let the delay change at every possible moment, and take the moment and the second delay that leave the least.

# %% [markdown] lang="cn"
# 在同一行打印通道塌陷的时间（距 `rain` 第一个时间的天数，保留 1 位小数）和塌陷之后的行进时间（小时），用空格分隔。偏差一天无妨。
#
# Thought: 让延迟在每个可能的时刻改变，取剩余误差最小的时刻和第二个延迟。

# %%
water = flow[collapsed].to_numpy()
weights, _ = gains(np.where(steps > 2 * len(steps) // 3, water, np.nan), [shaken])
second = late[weights[0].argmax()]
left = {}
for moment in range(100, len(steps) - 100):
    arrived = np.zeros(len(steps) + 50)
    arrived[: moment + delays[shaken]] = later(shaken, delays[shaken])[: moment + delays[shaken]]
    arrived[moment + second : len(steps)] += later(shaken, second)[moment + second :]
    columns = np.column_stack([np.ones(len(steps) - 1), water[:-1], arrived[1 : len(steps)]])
    use = ~np.isnan(water[:-1] + water[1:])
    left[moment] = np.linalg.lstsq(columns[use], water[1:][use], rcond=None)[1][0]
moment = min(left, key=left.get)
answer = [moment / 4, 6 * second]
print(f'{answer[0]:.1f} {answer[1]}')

# %% naive="careless literal shortcut" trap="the moment is looked for in the flow, when the last rain from before has come out"
water = flow[collapsed].to_numpy()
weights, _ = gains(np.where(steps > 2 * len(steps) // 3, water, np.nan), [shaken])
second = late[weights[0].argmax()]
left = {}
for moment in range(100, len(steps) - 100):
    arrived = np.append(later(shaken, delays[shaken])[:moment], later(shaken, second)[moment:])
    columns = np.column_stack([np.ones(len(steps) - 1), water[:-1], arrived[1:]])
    use = ~np.isnan(water[:-1] + water[1:])
    left[moment] = np.linalg.lstsq(columns[use], water[1:][use], rcond=None)[1][0]
moment = min(left, key=left.get) + max(second, delays[shaken]) // 4
print(f'{moment / 4:.1f} {6 * second}')

# %% [markdown] kind="num" modules="numpy & scipy" absolute=0.5 answer="real(1)"
# Print how many minutes a day the clock that is wrong loses, with 1 decimal place (negative if it gains). A deviation of 0.4 minutes does no harm.
#
# Thought: Stretch the reservoir's answer to the rain to the clock's time and fit the stretch together with the recession.

# %% [markdown] lang="cn"
# 打印走时不准的时钟每天慢多少分钟，保留 1 位小数（若走快则为负）。偏差 0.4 分钟无妨。
#
# Thought: 把水库对降雨的响应拉伸到该时钟的时间，连同退水一起拟合拉伸量。

# %%
drift = fits[delays[clocked]].x[0]
answer = drift
print(f'{answer:.1f}')

# %% naive="careless literal shortcut" trap="slow and fast are taken for each other"
drift = -fits[delays[clocked]].x[0]
print(f'{drift:.1f}')

# %% [markdown] kind="num" modules="numpy & scipy & pandas" held_out="flow" metric="mae" bound="4.6"
# `{{ data }}/next_rain.csv` has the rain that followed. At the times of `{{ data }}/asked.csv` (UTC, all of them after the record) the spring that is dry at other times flowed, and its flow was measured with a bucket. Predict it in litres per second. Print the predictions in the order of the file, one a line, with 1 decimal place. Their mean absolute error has to be at most 4.6.
#
# Thought: What both outlets give together is the reservoir's answer to two gauges; what is more than the first can carry comes out of the other.

# %% [markdown] lang="cn"
# `{{ data }}/next_rain.csv` 是此后的降雨。在 `{{ data }}/asked.csv` 所列的时间（UTC，都在记录之后），平时干涸的那处泉有水流出，其流量用桶测得。预测这些流量（升每秒）。按文件中的顺序打印预测值，每行一个，保留 1 位小数。平均绝对误差不得超过 4.6。
#
# Thought: 两个出口的流量之和是水库对两个雨量计的响应；超出前一个出口所能通过的部分从另一个流出。

# %%
asked = pd.read_csv('{{ data }}/asked.csv', parse_dates=['time'])['time']
further = pd.read_csv('{{ data }}/next_rain.csv', index_col='time', parse_dates=True)
fall = np.vstack([fallen, further.to_numpy()])
both = (flow[first] + flow[over]).to_numpy()
use = ~lost & ~np.isnan(both) & (steps > 120)


def answers(keep):
    arrived = [np.append(np.zeros(delays[number]), fall[: len(fall) - delays[number], number]) for number in pair]
    return np.column_stack([np.ones(len(fall)), *(signal.lfilter([1], [1, -keep], one) for one in arrived)])


def error(keep):
    columns = answers(keep)[: len(both)][use]
    return ((both[use] - columns @ np.linalg.lstsq(columns, both[use], rcond=None)[0]) ** 2).sum()


keep = optimize.minimize_scalar(error, bounds=(0.7, 0.99), method='bounded').x
columns = answers(keep)
total = columns @ np.linalg.lstsq(columns[: len(both)][use], both[use], rcond=None)[0]
places = rain.index.append(further.index).get_indexer(asked)
for value in np.maximum(total[places] - full, 0):
    print(f'{value:.1f}')

# %% naive="careless" trap="the mean of the times at which it flowed is taken"
asked = pd.read_csv('{{ data }}/asked.csv', parse_dates=['time'])['time']
for _ in asked:
    print(f'{flow.loc[flowing, over].mean():.1f}')

# %% naive="literal" trap="its own flow is regressed on the rain of before, without the limit"
asked = pd.read_csv('{{ data }}/asked.csv', parse_dates=['time'])['time']
further = pd.read_csv('{{ data }}/next_rain.csv', index_col='time', parse_dates=True)
fall = np.vstack([fallen, further.to_numpy()])
past = np.column_stack([np.roll(fall, lag, axis=0) for lag in range(41)])
columns = np.column_stack([np.ones(len(past)), past])
weights = np.linalg.lstsq(columns[60 : len(flow)], flow[over].to_numpy()[60:], rcond=None)[0]
places = rain.index.append(further.index).get_indexer(asked)
for value in np.maximum(columns[places] @ weights, 0):
    print(f'{value:.1f}')

# %% naive="shortcut" trap="boosted trees learn it from sums of rain"
from sklearn.ensemble import GradientBoostingRegressor

asked = pd.read_csv('{{ data }}/asked.csv', parse_dates=['time'])['time']
further = pd.read_csv('{{ data }}/next_rain.csv', index_col='time', parse_dates=True)
fall = pd.DataFrame(np.vstack([fallen, further.to_numpy()]))
sums = pd.concat([fall.rolling(span, min_periods=1).sum().shift(lag) for span, lag in ((4, 0), (8, 4), (12, 12), (16, 24))], axis=1).fillna(0).to_numpy()
trees = GradientBoostingRegressor(random_state=0).fit(sums[60 : len(flow)], flow[over].to_numpy()[60:])
places = rain.index.append(further.index).get_indexer(asked)
for value in trees.predict(sums[places]):
    print(f'{value:.1f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the flow of the spring that is dry at other times over the sum of the flows of both outlets of its reservoir, one point for each row of `flow` in which both are known, in `steelblue`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 4), and call `plt.show()`.
#
# Thought: It lies on the axis up to the limit of the first outlet and rises with slope 1 behind it.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以同一水库两个出口的流量之和为横坐标，将平时干涸的那处泉的流量画成 `steelblue` 色的散点，`flow` 中两者均已知的每一行占一个点，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 在前一个出口的上限之前点落在横轴上，之后以斜率 1 上升。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
plt.scatter(flow[first] + flow[over], flow[over], s=8, color='steelblue')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
