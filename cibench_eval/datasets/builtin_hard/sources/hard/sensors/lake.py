# ---
# jupyter:
#   instances:
#     tarn: {seed: 12, start: '2025-05-06', every: 20}
#     fjord: {seed: 58, start: '2024-08-20', every: 20}
#   varied:
#     seed: {between: [1, 1000000]}
#     start: {pick: ['2025-05-06', '2024-08-20', '2023-07-11']}
#     every: {pick: [19, 20]}
#   words:
#     title: {en: When the short waves arrive, cn: 短波到达的时间}
#     x_label: {en: Logger, cn: 记录仪}
#     y_label: {en: Hours after the first, cn: 晚于最先到达者的小时数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Six loggers, A to F, lay on the ground of a lake: `{{ data }}/logger_A.csv` to `{{ data }}/logger_F.csv`. What they have recorded, and what is in the other files, is said in `{{ data }}/notes.txt`.
# Make a DataFrame `readings` with one row for each reading of a logger. Its columns are `logger` (a letter), `reading` (its number, integer), `clock` (datetime: what the logger's own clock showed), `hpa` (float, pressure in hPa) and `celsius` (float, temperature in °C, NaN where there is none). Sort it by `logger` and `reading`.
#
# Thought: What was filled in has no bend in either column, over at least 8 readings; kPa and °F have to be brought to hPa and °C.

# %% [markdown] lang="cn"
# 六台记录仪 A 至 F 放在湖底，数据为 `{{ data }}/logger_A.csv` 到 `{{ data }}/logger_F.csv`。它们记录了什么、其他文件有什么，见 `{{ data }}/notes.txt`。
# 生成 DataFrame `readings`，记录仪的每个读数占一行，列为 `logger`（字母）、`reading`（读数编号，整数）、`clock`（datetime，记录仪自己的时钟所示时刻）、`hpa`（浮点数，压力，单位 hPa）和 `celsius`（浮点数，温度，单位 °C，没有则为 NaN）。按 `logger` 和 `reading` 排序。
#
# Thought: 补上的读数在两列中都没有弯折，且至少连续 8 个；kPa 和 °F 要换算成 hPa 和 °C。

# %%
import numpy as np
import pandas as pd


def filled(column, digit):
    """Where a reading lies between its neighbors on a straight line, but for rounding."""
    bend = column.shift(-1) - 2 * column + column.shift()
    return bend.abs() < 2.1 * digit


parts = []
for letter in 'ABCDEF':
    path = f'{{ data }}/logger_{letter}.csv'
    with open(path) as file:
        head = file.readline()
    part = pd.read_csv(path, sep=';', skiprows=1)
    metric = 'hPa' in part
    straight = filled(part.iloc[:, 1], 0.01 if metric else 0.001) & (filled(part.iloc[:, 2], 0.01) | part.iloc[:, 2].isna())
    run = (straight != straight.shift()).cumsum()
    lost = straight & (run.map(run.value_counts()) >= 8)
    shown = pd.Timestamp(head[6:25]) + pd.to_timedelta(part['reading'] * {{ every }}, unit='min')
    pressure = part['hPa'] if metric else 10 * part['kPa']
    warmth = part['C'] if metric else (part['F'] - 32) / 1.8
    part = pd.DataFrame({'logger': letter, 'reading': part['reading'], 'clock': shown, 'hpa': pressure, 'celsius': warmth})
    parts.append(part[~lost])
readings = pd.concat(parts, ignore_index=True)

# %% naive="careless" trap="readings that the logger filled in are kept"
import numpy as np
import pandas as pd


def filled(column, digit):
    """Where a reading lies between its neighbors on a straight line, but for rounding."""
    bend = column.shift(-1) - 2 * column + column.shift()
    return bend.abs() < 2.1 * digit


parts = []
for letter in 'ABCDEF':
    path = f'{{ data }}/logger_{letter}.csv'
    with open(path) as file:
        head = file.readline()
    part = pd.read_csv(path, sep=';', skiprows=1)
    metric = 'hPa' in part
    straight = filled(part.iloc[:, 1], 0.01 if metric else 0.001) & (filled(part.iloc[:, 2], 0.01) | part.iloc[:, 2].isna())
    run = (straight != straight.shift()).cumsum()
    lost = straight & (run.map(run.value_counts()) >= 8)
    shown = pd.Timestamp(head[6:25]) + pd.to_timedelta(part['reading'] * {{ every }}, unit='min')
    pressure = part['hPa'] if metric else 10 * part['kPa']
    warmth = part['C'] if metric else (part['F'] - 32) / 1.8
    part = pd.DataFrame({'logger': letter, 'reading': part['reading'], 'clock': shown, 'hpa': pressure, 'celsius': warmth})
    parts.append(part)
readings = pd.concat(parts, ignore_index=True)

# %% naive="literal" trap="each reading that happens to lie on a straight line is thrown away"
import numpy as np
import pandas as pd


def filled(column, digit):
    """Where a reading lies between its neighbors on a straight line, but for rounding."""
    bend = column.shift(-1) - 2 * column + column.shift()
    return bend.abs() < 2.1 * digit


parts = []
for letter in 'ABCDEF':
    path = f'{{ data }}/logger_{letter}.csv'
    with open(path) as file:
        head = file.readline()
    part = pd.read_csv(path, sep=';', skiprows=1)
    metric = 'hPa' in part
    straight = filled(part.iloc[:, 1], 0.01 if metric else 0.001) & (filled(part.iloc[:, 2], 0.01) | part.iloc[:, 2].isna())
    run = (straight != straight.shift()).cumsum()
    lost = straight
    shown = pd.Timestamp(head[6:25]) + pd.to_timedelta(part['reading'] * {{ every }}, unit='min')
    pressure = part['hPa'] if metric else 10 * part['kPa']
    warmth = part['C'] if metric else (part['F'] - 32) / 1.8
    part = pd.DataFrame({'logger': letter, 'reading': part['reading'], 'clock': shown, 'hpa': pressure, 'celsius': warmth})
    parts.append(part[~lost])
readings = pd.concat(parts, ignore_index=True)

# %% naive="shortcut" trap="kilopascals are taken for hectopascals, so that the pressure does not fit the shore later"
import numpy as np
import pandas as pd


def filled(column, digit):
    """Where a reading lies between its neighbors on a straight line, but for rounding."""
    bend = column.shift(-1) - 2 * column + column.shift()
    return bend.abs() < 2.1 * digit


parts = []
for letter in 'ABCDEF':
    path = f'{{ data }}/logger_{letter}.csv'
    with open(path) as file:
        head = file.readline()
    part = pd.read_csv(path, sep=';', skiprows=1)
    metric = 'hPa' in part
    straight = filled(part.iloc[:, 1], 0.01 if metric else 0.001) & (filled(part.iloc[:, 2], 0.01) | part.iloc[:, 2].isna())
    run = (straight != straight.shift()).cumsum()
    lost = straight & (run.map(run.value_counts()) >= 8)
    shown = pd.Timestamp(head[6:25]) + pd.to_timedelta(part['reading'] * {{ every }}, unit='min')
    pressure = part['hPa'] if metric else part['kPa']
    warmth = part['C'] if metric else (part['F'] - 32) / 1.8
    part = pd.DataFrame({'logger': letter, 'reading': part['reading'], 'clock': shown, 'hpa': pressure, 'celsius': warmth})
    parts.append(part[~lost])
readings = pd.concat(parts, ignore_index=True)

# %% [markdown] kind="exec" modules="scipy" absolute=40
# Find out by the pressure how the clocks of the loggers went. Make a DataFrame `clocks` with the letters A to F as its index and the columns `first` and `last` (floats): by how many seconds the logger's clock was ahead of UTC (negative: behind) at its first and at its last reading in `readings`. A deviation of 40 seconds does no harm.
#
# Thought: Shift parts of each record against the shore; the lag is a straight line of time, with a step where a clock stood.

# %% [markdown] lang="cn"
# 利用压力查明各记录仪的时钟走得如何。生成 DataFrame `clocks`，索引为字母 A 至 F，列为 `first` 和 `last`（浮点数）：该记录仪在 `readings` 中的第一个和最后一个读数时，其时钟比 UTC 快多少秒（慢则为负）。偏差 40 秒无妨。
#
# Thought: 将每条记录分段与岸站比对；时差随时间呈直线变化，时钟停过之处有一个台阶。

# %%
from scipy.interpolate import CubicSpline

shore = pd.read_csv('{{ data }}/shore.csv', parse_dates=['utc'])
begin = shore['utc'].iloc[0]
air = CubicSpline((shore['utc'] - begin) / pd.Timedelta(hours=1), shore['hpa'])


def rest(hours, pressure):
    """What the air does not explain of the pressure, less a straight line."""
    left = pressure - air(hours)
    line = np.linspace(-1, 1, left.shape[-1])
    left = left - left.mean(axis=-1, keepdims=True)
    return left - np.multiply.outer(left @ line / (line @ line), line)


def improved(clock, pressure, parts, x):
    """Lag of a clock as a sum of parts, by least squares from a start that is nearly right."""
    slope = air.derivative()
    line = np.linspace(-1, 1, len(clock))
    for _ in range(8):
        hours = clock - parts @ x
        design = np.column_stack([np.ones(len(clock)), line, -slope(hours)[:, None] * parts])
        x = x + np.linalg.lstsq(design, pressure - air(hours), rcond=None)[0][2:]
    return x


def utc_hours(clock, pressure):
    """UTC hours of the dated, the place of the outage and its length."""
    tried = np.arange(-4, 4, 0.1)
    windows = [slice(low, low + 100) for low in range(0, len(clock) - 90, 50)]
    errors = [(rest(clock[w] - tried[:, None], pressure[w]) ** 2).sum(axis=1) for w in windows]
    lags = tried[np.argmin(errors, axis=1)]
    steps = np.abs(np.diff(lags))
    number, middle = np.arange(len(clock)), clock.mean()
    even = np.column_stack([np.ones(len(clock)), clock - middle])
    if steps.max() < 0.4:
        return clock - even @ improved(clock, pressure, even, np.array([np.median(lags), 0])), None, 0.0
    at = int(steps.argmax())
    low, high = max(windows[at].start - 50, 0), windows[at].start + 200
    ends = [improved(clock[part], pressure[part], even[part], np.array([lag, 0])) for part, lag in ((slice(0, low), np.median(lags[:at])), (slice(high, None), np.median(lags[-4:])))]
    x = np.append(ends[0], (even[high] @ ends[1]) - even[high] @ ends[0])
    for _ in range(3):
        place = min(
            range(low - 20, high + 20),
            key=lambda place: (rest(clock - even @ x[:2] - x[2] * (number >= place), pressure) ** 2).sum(),
        )
        parts = np.column_stack([even, number >= place])
        x = improved(clock, pressure, parts, x)
    return clock - parts @ x, place, -x[2]


dated = readings.copy()
ahead, breaks = {}, {}
for letter, part in dated.groupby('logger'):
    clock = ((part['clock'] - begin) / pd.Timedelta(hours=1)).to_numpy()
    hours, place, outage = utc_hours(clock, part['hpa'].to_numpy())
    dated.loc[part.index, 'hours'] = hours
    ahead[letter] = 3600 * (clock - hours)[[0, -1]]
    if outage:
        breaks[letter] = part['reading'].iloc[place], outage
clocks = pd.DataFrame.from_dict(ahead, orient='index', columns=['first', 'last'])

# %% naive="careless" trap="one lag for the whole record, as if the clock went right"
from scipy.interpolate import CubicSpline

shore = pd.read_csv('{{ data }}/shore.csv', parse_dates=['utc'])
begin = shore['utc'].iloc[0]
air = CubicSpline((shore['utc'] - begin) / pd.Timedelta(hours=1), shore['hpa'])


def rest(hours, pressure):
    """What the air does not explain of the pressure, less a straight line."""
    left = pressure - air(hours)
    line = np.linspace(-1, 1, left.shape[-1])
    left = left - left.mean(axis=-1, keepdims=True)
    return left - np.multiply.outer(left @ line / (line @ line), line)


def improved(clock, pressure, parts, x):
    """Lag of a clock as a sum of parts, by least squares from a start that is nearly right."""
    slope = air.derivative()
    line = np.linspace(-1, 1, len(clock))
    for _ in range(8):
        hours = clock - parts @ x
        design = np.column_stack([np.ones(len(clock)), line, -slope(hours)[:, None] * parts])
        x = x + np.linalg.lstsq(design, pressure - air(hours), rcond=None)[0][2:]
    return x


def utc_hours(clock, pressure):
    tried = np.arange(-4, 4, 0.02)
    lag = tried[(rest(clock - tried[:, None], pressure) ** 2).sum(axis=1).argmin()]
    return clock - lag, 500, 0.0


dated = readings.copy()
ahead, breaks = {}, {}
for letter, part in dated.groupby('logger'):
    clock = ((part['clock'] - begin) / pd.Timedelta(hours=1)).to_numpy()
    hours, place, outage = utc_hours(clock, part['hpa'].to_numpy())
    dated.loc[part.index, 'hours'] = hours
    ahead[letter] = 3600 * (clock - hours)[[0, -1]]
    if True:
        breaks[letter] = part['reading'].iloc[place], outage
clocks = pd.DataFrame.from_dict(ahead, orient='index', columns=['first', 'last'])

# %% naive="literal" trap="one straight line through the lags, also across the step"
from scipy.interpolate import CubicSpline

shore = pd.read_csv('{{ data }}/shore.csv', parse_dates=['utc'])
begin = shore['utc'].iloc[0]
air = CubicSpline((shore['utc'] - begin) / pd.Timedelta(hours=1), shore['hpa'])


def rest(hours, pressure):
    """What the air does not explain of the pressure, less a straight line."""
    left = pressure - air(hours)
    line = np.linspace(-1, 1, left.shape[-1])
    left = left - left.mean(axis=-1, keepdims=True)
    return left - np.multiply.outer(left @ line / (line @ line), line)


def improved(clock, pressure, parts, x):
    """Lag of a clock as a sum of parts, by least squares from a start that is nearly right."""
    slope = air.derivative()
    line = np.linspace(-1, 1, len(clock))
    for _ in range(8):
        hours = clock - parts @ x
        design = np.column_stack([np.ones(len(clock)), line, -slope(hours)[:, None] * parts])
        x = x + np.linalg.lstsq(design, pressure - air(hours), rcond=None)[0][2:]
    return x


def utc_hours(clock, pressure):
    tried = np.arange(-4, 4, 0.1)
    windows = [slice(low, low + 100) for low in range(0, len(clock) - 90, 50)]
    errors = [(rest(clock[w] - tried[:, None], pressure[w]) ** 2).sum(axis=1) for w in windows]
    lags = tried[np.argmin(errors, axis=1)]
    middle = [clock[w].mean() for w in windows]
    return clock - np.polyval(np.polyfit(middle, lags, 1), clock), 500, 0.0


dated = readings.copy()
ahead, breaks = {}, {}
for letter, part in dated.groupby('logger'):
    clock = ((part['clock'] - begin) / pd.Timedelta(hours=1)).to_numpy()
    hours, place, outage = utc_hours(clock, part['hpa'].to_numpy())
    dated.loc[part.index, 'hours'] = hours
    ahead[letter] = 3600 * (clock - hours)[[0, -1]]
    if True:
        breaks[letter] = part['reading'].iloc[place], outage
clocks = pd.DataFrame.from_dict(ahead, orient='index', columns=['first', 'last'])

# %% naive="shortcut" trap="a fit of offset and rate that knows no step"
from scipy.interpolate import CubicSpline

shore = pd.read_csv('{{ data }}/shore.csv', parse_dates=['utc'])
begin = shore['utc'].iloc[0]
air = CubicSpline((shore['utc'] - begin) / pd.Timedelta(hours=1), shore['hpa'])


def rest(hours, pressure):
    """What the air does not explain of the pressure, less a straight line."""
    left = pressure - air(hours)
    line = np.linspace(-1, 1, left.shape[-1])
    left = left - left.mean(axis=-1, keepdims=True)
    return left - np.multiply.outer(left @ line / (line @ line), line)


def improved(clock, pressure, parts, x):
    """Lag of a clock as a sum of parts, by least squares from a start that is nearly right."""
    slope = air.derivative()
    line = np.linspace(-1, 1, len(clock))
    for _ in range(8):
        hours = clock - parts @ x
        design = np.column_stack([np.ones(len(clock)), line, -slope(hours)[:, None] * parts])
        x = x + np.linalg.lstsq(design, pressure - air(hours), rcond=None)[0][2:]
    return x


def utc_hours(clock, pressure):
    tried = np.arange(-4, 4, 0.1)
    windows = [slice(low, low + 100) for low in range(0, len(clock) - 90, 50)]
    errors = [(rest(clock[w] - tried[:, None], pressure[w]) ** 2).sum(axis=1) for w in windows]
    lags = tried[np.argmin(errors, axis=1)]
    even = np.column_stack([np.ones(len(clock)), clock - clock.mean()])
    return clock - even @ improved(clock, pressure, even, np.array([np.median(lags), 0])), 500, 0.0


dated = readings.copy()
ahead, breaks = {}, {}
for letter, part in dated.groupby('logger'):
    clock = ((part['clock'] - begin) / pd.Timedelta(hours=1)).to_numpy()
    hours, place, outage = utc_hours(clock, part['hpa'].to_numpy())
    dated.loc[part.index, 'hours'] = hours
    ahead[letter] = 3600 * (clock - hours)[[0, -1]]
    if True:
        breaks[letter] = part['reading'].iloc[place], outage
clocks = pd.DataFrame.from_dict(ahead, orient='index', columns=['first', 'last'])

# %% [markdown] kind="num" modules="numpy" absolute=1 answer="[real, real(1)]"
# One logger was without power for a while. Print the number of its first reading after that, and for how many minutes it was without power, with 1 decimal place, on one line, separated by a space. A deviation of 1 does no harm. How long its clock stood counts as the time without power.
#
# Thought: The step in the lag of the clock; its place is where the pressures before fit one line and those behind the other.

# %% [markdown] lang="cn"
# 有一台记录仪曾断电一段时间。在同一行打印其断电后第一个读数的编号和断电的分钟数（保留 1 位小数），用空格分隔。偏差 1 无妨。时钟停走的时间即断电时间。
#
# Thought: 即时差的台阶；其位置使前面的压力符合一条直线，后面的符合另一条。

# %%
letter, (number, length) = max(breaks.items(), key=lambda item: item[1][1])
answer = [number, 60 * length]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless" trap="the step is sought by windows, and the drift is counted as outage"
letter, (number, length) = max(breaks.items(), key=lambda item: item[1][1])
part = dated[dated['logger'] == letter]
lags = (part['clock'] - begin) / pd.Timedelta(hours=1) - part['hours']
print(number // 50 * 50, f'{60 * (lags.iloc[0] - lags.iloc[-1]):.1f}')

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# For some days, two loggers with a bare probe have recorded the temperature of each other's probe. Print the logger that was without power for a while, and then those two in alphabetical order, on one line, separated by `, `.
#
# Thought: What the three others say, with lags, of each of two loggers shows where their series are exchanged.

# %% [markdown] lang="cn"
# 有若干天，两台使用裸探头的记录仪记录了对方探头的温度。在同一行先打印曾断电的记录仪，再按字母顺序打印这两台记录仪，用 `, ` 分隔。
#
# Thought: 用另外三台记录仪（带时滞）预测这两台的温度，即可看出序列在何处被互换。

# %%
from itertools import combinations

slow = dated.loc[dated['celsius'].isna(), 'logger'].iloc[0]
bare = [letter for letter in 'ABCDEF' if letter != slow]
grid = np.arange(4, 24 * 18 - 1, 1 / 3)


def on_grid(by):
    """Temperatures on a grid of UTC hours, and where a logger has dated beside it."""
    parts = [part.sort_values('hours') for letter, part in dated.groupby(by) if letter != slow]
    near = [np.abs(grid - part['hours'].to_numpy()[:, None]).min(axis=0) < 0.4 for part in parts]
    return np.array([CubicSpline(part['hours'], part['celsius'])(grid) for part in parts]).clip(-5, 40), np.all(near, axis=0)


def lagged(series):
    return np.column_stack([np.ones(len(grid))] + [np.roll(one, step) for one in series for step in range(-18, 19)])


def exchange(pair, inside):
    """Where two series fit better to what the others say of each other, and by how much."""
    design = lagged(water[[place for place in range(5) if place not in pair]])
    put = water[list(pair)].copy()
    put[:, inside] = put[::-1, inside]
    weight = np.linalg.solve(design[clean].T @ design[clean] + 3 * np.eye(design.shape[1]), design[clean].T @ put[:, clean].T)
    right = (design @ weight).T
    better = ((water[list(pair)] - right) ** 2 - (water[list(pair)] - right[::-1]) ** 2).sum(axis=0) * clean
    runs = np.concatenate([[0], np.cumsum(better)])
    gain = runs - np.minimum.accumulate(runs)
    high = int(gain.argmax())
    low = int(runs[: high + 1].argmin())
    return gain.max(), grid[low] - 1 / 6, grid[high] - 1 / 6


water, measured = on_grid('logger')
clean = (grid > 12) & (grid < grid[-1] - 8) & (np.convolve(~measured, np.ones(37), 'same') < 0.5)
pair = max(combinations(range(5), 2), key=lambda pair: exchange(pair, np.zeros(len(grid), bool))[0])
gain, *ends = exchange(pair, np.zeros(len(grid), bool))
for _ in range(3):
    gain, *ends = exchange(pair, (grid > ends[0]) & (grid < ends[1]))
exchanged = [bare[place] for place in pair]
unpowered = letter
answer = [unpowered, *exchanged]
print(', '.join(answer))

# %% naive="careless" trap="the pair whose means differ most"
from itertools import combinations

slow = dated.loc[dated['celsius'].isna(), 'logger'].iloc[0]
bare = [letter for letter in 'ABCDEF' if letter != slow]
grid = np.arange(4, 24 * 18 - 1, 1 / 3)


def on_grid(by):
    """Temperatures on a grid of UTC hours, and where a logger has dated beside it."""
    parts = [part.sort_values('hours') for letter, part in dated.groupby(by) if letter != slow]
    near = [np.abs(grid - part['hours'].to_numpy()[:, None]).min(axis=0) < 0.4 for part in parts]
    return np.array([CubicSpline(part['hours'], part['celsius'])(grid) for part in parts]).clip(-5, 40), np.all(near, axis=0)


def lagged(series):
    return np.column_stack([np.ones(len(grid))] + [np.roll(one, step) for one in series for step in range(-18, 19)])


def exchange(pair, inside):
    """Where two series fit better to what the others say of each other, and by how much."""
    design = lagged(water[[place for place in range(5) if place not in pair]])
    put = water[list(pair)].copy()
    put[:, inside] = put[::-1, inside]
    weight = np.linalg.solve(design[clean].T @ design[clean] + 3 * np.eye(design.shape[1]), design[clean].T @ put[:, clean].T)
    right = (design @ weight).T
    better = ((water[list(pair)] - right) ** 2 - (water[list(pair)] - right[::-1]) ** 2).sum(axis=0) * clean
    runs = np.concatenate([[0], np.cumsum(better)])
    gain = runs - np.minimum.accumulate(runs)
    high = int(gain.argmax())
    low = int(runs[: high + 1].argmin())
    return gain.max(), grid[low] - 1 / 6, grid[high] - 1 / 6


water, measured = on_grid('logger')
clean = (grid > 12) & (grid < grid[-1] - 8) & (np.convolve(~measured, np.ones(37), 'same') < 0.5)
pair = max(combinations(range(5), 2), key=lambda pair: exchange(pair, np.zeros(len(grid), bool))[0])
gain, *ends = exchange(pair, np.zeros(len(grid), bool))
for _ in range(3):
    gain, *ends = exchange(pair, (grid > ends[0]) & (grid < ends[1]))
exchanged = [bare[place] for place in pair]
unpowered = letter
far = {pair: np.abs(np.diff(on_grid('logger')[0][list(pair)].mean(axis=1)))[0] for pair in combinations(range(5), 2)}
print(', '.join([unpowered, *(bare[place] for place in max(far, key=far.get))]))

# %% naive="shortcut literal" trap="the pair that is most alike"
from itertools import combinations

slow = dated.loc[dated['celsius'].isna(), 'logger'].iloc[0]
bare = [letter for letter in 'ABCDEF' if letter != slow]
grid = np.arange(4, 24 * 18 - 1, 1 / 3)


def on_grid(by):
    """Temperatures on a grid of UTC hours, and where a logger has dated beside it."""
    parts = [part.sort_values('hours') for letter, part in dated.groupby(by) if letter != slow]
    near = [np.abs(grid - part['hours'].to_numpy()[:, None]).min(axis=0) < 0.4 for part in parts]
    return np.array([CubicSpline(part['hours'], part['celsius'])(grid) for part in parts]).clip(-5, 40), np.all(near, axis=0)


def lagged(series):
    return np.column_stack([np.ones(len(grid))] + [np.roll(one, step) for one in series for step in range(-18, 19)])


def exchange(pair, inside):
    """Where two series fit better to what the others say of each other, and by how much."""
    design = lagged(water[[place for place in range(5) if place not in pair]])
    put = water[list(pair)].copy()
    put[:, inside] = put[::-1, inside]
    weight = np.linalg.solve(design[clean].T @ design[clean] + 3 * np.eye(design.shape[1]), design[clean].T @ put[:, clean].T)
    right = (design @ weight).T
    better = ((water[list(pair)] - right) ** 2 - (water[list(pair)] - right[::-1]) ** 2).sum(axis=0) * clean
    runs = np.concatenate([[0], np.cumsum(better)])
    gain = runs - np.minimum.accumulate(runs)
    high = int(gain.argmax())
    low = int(runs[: high + 1].argmin())
    return gain.max(), grid[low] - 1 / 6, grid[high] - 1 / 6


water, measured = on_grid('logger')
clean = (grid > 12) & (grid < grid[-1] - 8) & (np.convolve(~measured, np.ones(37), 'same') < 0.5)
pair = max(combinations(range(5), 2), key=lambda pair: exchange(pair, np.zeros(len(grid), bool))[0])
gain, *ends = exchange(pair, np.zeros(len(grid), bool))
for _ in range(3):
    gain, *ends = exchange(pair, (grid > ends[0]) & (grid < ends[1]))
exchanged = [bare[place] for place in pair]
unpowered = letter
alike = np.corrcoef(water)
near = max(combinations(range(5), 2), key=lambda pair: alike[pair])
print(', '.join([unpowered, *(bare[place] for place in near)]))

# %% [markdown] kind="num" modules="numpy" absolute=1 answer="[real(1), real(1)]"
# When did these two record each other's probe? Print the beginning and the end of that time in hours of UTC since the first row of `{{ data }}/shore.csv`, both with 1 decimal place, on one line, separated by a space. A deviation of 1 hour does no harm.
#
# Thought: The stretch with the largest sum by which the exchanged series fit better.

# %% [markdown] lang="cn"
# 这两台记录仪是什么时候记录对方探头的？在同一行打印这段时间的开始和结束，以自 `{{ data }}/shore.csv` 第一行起的 UTC 小时数表示，均保留 1 位小数，用空格分隔。偏差 1 小时无妨。
#
# Thought: 互换后拟合改善之和最大的一段。

# %%
answer = [ends[0], ends[1]]
print(*(f'{value:.1f}' for value in answer))

# %% naive="careless literal" trap="whole days"
print(f'{ends[0] // 24 * 24:.1f} {(ends[1] // 24 + 1) * 24:.1f}')

# %% naive="shortcut" trap="where the two differ most"
apart = pd.Series(np.abs(water[pair[0]] - water[pair[1]]), index=grid).rolling(72, center=True).mean()
high = apart[apart > apart.quantile(0.8)].index
print(f'{high.min():.1f} {high.max():.1f}')

# %% [markdown] kind="exec" modules="numpy" absolute=0.06
# Put the exchange right. Two kinds of waves go through the lake below its surface, short ones with periods from 2 to 5 hours and long ones with periods from 6 to 16 hours. All waves of a kind travel in one direction with one speed, as plane waves. Besides, the sun warms all places at the same time, from day to day.
# Make a Series `lag` with the letters of the five loggers with a bare probe as its index, in alphabetical order: how many hours the short waves arrive there later than at the one of the five where they arrive first (0 there). A deviation of 0.05 hours does no harm.
#
# Thought: Within the band of the short waves, turn back the phases so that all loggers agree best.

# %% [markdown] lang="cn"
# 更正上述互换。湖面之下有两类波传播：短波周期为 2 至 5 小时，长波周期为 6 至 16 小时。同一类的波都是平面波，以同一方向和同一速度传播。此外，太阳日复一日地同时加热各处。
# 生成 Series `lag`，索引为五台使用裸探头的记录仪的字母（按字母顺序），值为短波到达该处比到达五处中最先一处晚多少小时（最先处为 0）。偏差 0.05 小时无妨。
#
# Thought: 在短波频带内调整相位，使各记录仪最为一致。

# %%
inside = dated['hours'].between(*ends)
dated['place'] = dated['logger'].where(~inside, dated['logger'].replace(dict(zip(exchanged, exchanged[::-1]))))
water, measured = on_grid('place')
places = pd.read_csv('{{ data }}/places.csv', index_col='logger')
where = places.loc[bare].to_numpy()


def slowness(low, high):
    """Hours a kilometre to the east and to the north, that bring all loggers together best."""
    rate = np.fft.rfftfreq(len(grid), grid[1] - grid[0])
    used = (rate > 1 / high) & (rate < 1 / low)
    turned = np.fft.rfft((water - water.mean(axis=1, keepdims=True)) * np.hanning(len(grid)))[:, used]

    def power(s):
        return (np.abs((turned * np.exp(2j * np.pi * rate[used] * (where @ s)[:, None])).sum(axis=0)) ** 2).sum()

    wide, best, step = 1.6, np.zeros(2), 0.04
    while step > 1e-5:
        ways = np.arange(-wide, wide + step / 2, step)
        best = max((best + [east, north] for east in ways for north in ways), key=power)
        wide, step = 2 * step, step / 5
    return best


short = where @ slowness(1.9, 5)
lag = pd.Series(short - short.min(), index=bare)

# %% naive="careless" trap="the lags of both kinds of waves and of the sun together"
inside = dated['hours'].between(*ends)
dated['place'] = dated['logger'].where(~inside, dated['logger'].replace(dict(zip(exchanged, exchanged[::-1]))))
water, measured = on_grid('place')
places = pd.read_csv('{{ data }}/places.csv', index_col='logger')
where = places.loc[bare].to_numpy()


def slowness(low, high):
    """Hours a kilometre to the east and to the north, that bring all loggers together best."""
    rate = np.fft.rfftfreq(len(grid), grid[1] - grid[0])
    used = (rate > 1 / high) & (rate < 1 / low)
    turned = np.fft.rfft((water - water.mean(axis=1, keepdims=True)) * np.hanning(len(grid)))[:, used]

    def power(s):
        return (np.abs((turned * np.exp(2j * np.pi * rate[used] * (where @ s)[:, None])).sum(axis=0)) ** 2).sum()

    wide, best, step = 1.6, np.zeros(2), 0.04
    while step > 1e-5:
        ways = np.arange(-wide, wide + step / 2, step)
        best = max((best + [east, north] for east in ways for north in ways), key=power)
        wide, step = 2 * step, step / 5
    return best


best = []
for one in water:
    products = [(np.roll(water[0], step) - water.mean()) @ (one - water.mean()) for step in range(-30, 31)]
    best.append((int(np.argmax(products)) - 30) / 3)
short = np.array(best)
lag = pd.Series(short - short.min(), index=bare)

# %% naive="literal" trap="long waves are not told from short ones"
inside = dated['hours'].between(*ends)
dated['place'] = dated['logger'].where(~inside, dated['logger'].replace(dict(zip(exchanged, exchanged[::-1]))))
water, measured = on_grid('place')
places = pd.read_csv('{{ data }}/places.csv', index_col='logger')
where = places.loc[bare].to_numpy()


def slowness(low, high):
    """Hours a kilometre to the east and to the north, that bring all loggers together best."""
    rate = np.fft.rfftfreq(len(grid), grid[1] - grid[0])
    used = (rate > 1 / high) & (rate < 1 / low)
    turned = np.fft.rfft((water - water.mean(axis=1, keepdims=True)) * np.hanning(len(grid)))[:, used]

    def power(s):
        return (np.abs((turned * np.exp(2j * np.pi * rate[used] * (where @ s)[:, None])).sum(axis=0)) ** 2).sum()

    wide, best, step = 1.6, np.zeros(2), 0.04
    while step > 1e-5:
        ways = np.arange(-wide, wide + step / 2, step)
        best = max((best + [east, north] for east in ways for north in ways), key=power)
        wide, step = 2 * step, step / 5
    return best


short = where @ slowness(1.9, 20)
lag = pd.Series(short - short.min(), index=bare)

# %% [markdown] kind="num" modules="numpy" tolerance=0.02 answer="list[real(4)]"
# Print four numbers on one line, separated by spaces: the speed of the short waves in m/s, the direction into which they travel in degrees (clockwise from north), and the same of the long waves. Give each 4 significant digits. A deviation of 2 percent does no harm.
#
# Thought: The slowness has hours a kilometre to the east and to the north; its length is one over the speed.

# %% [markdown] lang="cn"
# 在同一行打印四个数，用空格分隔：短波的速度（m/s）、短波传向何方（从正北起顺时针的度数），以及长波的这两项。各取 4 位有效数字。偏差 2% 无妨。
#
# Thought: 慢度矢量给出向东、向北每公里的小时数，其长度为速度的倒数。

# %%
waves = []
for low, high in ((1.9, 5), (6, 16)):
    s = slowness(low, high)
    waves += [1 / np.hypot(*s) / 3.6, np.degrees(np.arctan2(*s)) % 360]
answer = list(waves)
print(*(f'{value:.4g}' for value in answer))

# %% naive="careless" trap="degrees counterclockwise from east"
waves = []
for low, high in ((1.9, 5), (6, 16)):
    s = slowness(low, high)
    waves += [1 / np.hypot(*s) / 3.6, np.degrees(np.arctan2(s[1], s[0])) % 360]
print(*(f'{value:.4g}' for value in waves))

# %% naive="literal" trap="the direction from which they come"
waves = []
for low, high in ((1.9, 5), (6, 16)):
    s = slowness(low, high)
    waves += [1 / np.hypot(*s) / 3.6, np.degrees(np.arctan2(*-s)) % 360]
print(*(f'{value:.4g}' for value in waves))

# %% naive="shortcut" trap="the speeds along both axes are added as if they were a velocity"
waves = []
for low, high in ((1.9, 5), (6, 16)):
    s = slowness(low, high)
    waves += [np.hypot(*(1 / s)) / 3.6, np.degrees(np.arctan2(*s)) % 360]
print(*(f'{value:.4g}' for value in waves))

# %% [markdown] kind="num" modules="scipy pandas" held_out="probe" metric="mae" bound="0.115"
# The probe in the steel tube broke down before the end. `{{ data }}/wanted.csv` has moments in UTC after that. Print the temperatures in °C that it would have sent, with 2 decimal places, in the order of the file, separated by spaces. They should be wrong by at most 0.115 °C in the mean (mean absolute error).
#
# Thought: The others at many lags, earlier and later, by ridge regression: that has both kinds of waves, the sun and the tube in it.

# %% [markdown] lang="cn"
# 钢管中的探头在结束前坏了。`{{ data }}/wanted.csv` 中是此后的一些 UTC 时刻。按文件顺序打印它本应发送的温度（°C，保留 2 位小数），用空格分隔。平均绝对误差应不超过 0.115 °C。
#
# Thought: 用其他探头在多个前后时滞上的值作岭回归，两类波、太阳和钢管的影响都包含其中。

# %%
probe = dated[(dated['logger'] == slow) & dated['celsius'].notna()]
wanted = (pd.read_csv('{{ data }}/wanted.csv', parse_dates=['utc'])['utc'] - begin) / pd.Timedelta(hours=1)


def features(hours):
    lags = np.arange(-20, 21) / 3
    return np.column_stack([np.ones(len(hours))] + [one(hours - lag) for one in curves for lag in lags])


curves = [CubicSpline(grid, one - one.mean()) for one in water]
around = np.convolve(~measured, np.ones(41), 'same') > 0.5
probe = probe[(probe['hours'] > 12) & (np.interp(probe['hours'], grid, around) == 0)]
design, target = features(probe['hours'].to_numpy()), probe['celsius'].to_numpy()
weight = np.linalg.solve(design.T @ design + 10 * np.eye(design.shape[1]), design.T @ (target - target.mean()))
guess = target.mean() + features(wanted.to_numpy()) @ weight
print(*guess.round(2))

# %% naive="careless" trap="gradient boosting on what the others have at the same time"
probe = dated[(dated['logger'] == slow) & dated['celsius'].notna()]
wanted = (pd.read_csv('{{ data }}/wanted.csv', parse_dates=['utc'])['utc'] - begin) / pd.Timedelta(hours=1)


from sklearn.ensemble import GradientBoostingRegressor

curves = [CubicSpline(grid, one) for one in water]
model = GradientBoostingRegressor(random_state=0)
model.fit(np.column_stack([one(probe['hours']) for one in curves]), probe['celsius'])
guess = model.predict(np.column_stack([one(wanted) for one in curves]))
print(*guess.round(2))

# %% naive="literal" trap="a regression on the others at the same time"
probe = dated[(dated['logger'] == slow) & dated['celsius'].notna()]
wanted = (pd.read_csv('{{ data }}/wanted.csv', parse_dates=['utc'])['utc'] - begin) / pd.Timedelta(hours=1)


curves = [CubicSpline(grid, one) for one in water]
design = np.column_stack([np.ones(len(probe))] + [one(probe['hours']) for one in curves])
weight = np.linalg.lstsq(design, probe['celsius'], rcond=None)[0]
guess = np.column_stack([np.ones(len(wanted))] + [one(wanted) for one in curves]) @ weight
print(*guess.round(2))

# %% naive="shortcut" trap="all waves have the lags of the short ones, and the tube takes no time"
probe = dated[(dated['logger'] == slow) & dated['celsius'].notna()]
wanted = (pd.read_csv('{{ data }}/wanted.csv', parse_dates=['utc'])['utc'] - begin) / pd.Timedelta(hours=1)


late = (places.loc[slow].to_numpy() - where) @ slowness(1.9, 5)
curves = [CubicSpline(grid, one) for one in water]
guess = np.mean([one(wanted - hours) for one, hours in zip(curves, late)], axis=0)
print(*guess.round(2))

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.03
# Draw `lag` as a bar chart over the letters in alphabetical order, in `steelblue`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 3.5), and call `plt.show()`.
#
# Thought: One bar for each of the five loggers.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以字母（按字母顺序）为横坐标，将 `lag` 画成柱状图，颜色 `steelblue`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 五台记录仪各一根柱。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 3.5))
plt.bar(lag.index, lag, color='steelblue')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
