# ---
# jupyter:
#   instances:
#     school: {seed: 23, year: 2023, city: Berlin, old: 200, control: '11-08', effect: 0.85}
#     library: {seed: 71, year: 2025, city: Helsinki, old: 150, control: '11-12', effect: 0.82}
#   varied:
#     seed: {between: [1, 1000000]}
#     year: {pick: [2022, 2023, 2025]}
#     city: {pick: [Berlin, Vienna, Helsinki, Athens]}
#     old: {pick: [150, 200, 250]}
#     control: {pick: ['11-05', '11-08', '11-12']}
#     effect: {pick: [0.82, 0.84, 0.86]}
#   words:
#     zone: 'Europe/{{ city }}'
#     title_day: {en: Main meter over the day, cn: 总表一日用电}
#     x_hour: {en: local hour, cn: 当地小时}
#     y_hour: {en: kWh, cn: 千瓦时}
#     title_rest: {en: What no submeter measures, cn: 分表未计量的用电}
#     x_rest: {en: day of the year, cn: 一年中的第几天}
#     y_rest: {en: kWh a day, cn: 每日千瓦时}
#     title_heat: {en: Heat against temperature, cn: 用热与气温}
#     x_heat: {en: mean temperature (°C), cn: 平均气温（°C）}
#     y_heat: {en: heat (kWh a day), cn: 用热（每日千瓦时）}
#     title_bills: {en: Meter and bills, cn: 电表与账单}
#     x_bills: {en: month, cn: 月份}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A building's meters have been logged for the year {{ year }}. `{{ data }}/notes.txt` says what their files hold. The folder already holds what comes in later: use a file only from the question on that names it.
# Read the main electricity meter, `{{ data }}/profile.csv`, into a DataFrame `load` with one row for each hour that has a value. Its columns are `start` (the beginning of the hour in UTC, as text `YYYY-MM-DD HH:MM`) and `kwh` (float: what the building used in that hour, in kWh, not rounded). Sort it by `start` and number the rows from 0.
#
# Thought: Rows of sums go, the row sent last counts, and hours are counted on from the local midnight, so that days of 23 and 25 hours come out right.

# %% [markdown] lang="cn"
# 一座建筑的各种仪表记录了 {{ year }} 年全年的数据，文件内容的说明见 `{{ data }}/notes.txt`。文件夹中已有后来才到的文件：从提到某个文件的问题起才可使用它。
# 将总电表文件 `{{ data }}/profile.csv` 读入名为 `load` 的 DataFrame，每个有值的小时占一行，列为 `start`（该小时开始的 UTC 时间，文本 `YYYY-MM-DD HH:MM`）和 `kwh`（浮点数：建筑在该小时的用电量，单位千瓦时，不取整）。按 `start` 排序，行号从 0 开始。
#
# Thought: 去掉合计行，以最后发送的一行为准；小时从当地零点起依次计数，这样 23 小时和 25 小时的日子也正确。

# %%
import pandas as pd

raw = pd.read_csv('{{ data }}/profile.csv', sep=';', dtype=str)
raw = raw[~raw['day'].str.startswith('Sum')].copy()
raw['sent'] = pd.to_datetime(raw['sent'], format='%d.%m.%Y')
raw = raw.sort_values('sent').drop_duplicates('day', keep='last')
cells = raw.melt(['day', 'sent'], var_name='number', value_name='pulses').dropna()
cells['pulses'] = cells['pulses'].astype(int)
cells = cells[cells['pulses'] != 65535]
midnight = pd.to_datetime(cells['day'], format='%d.%m.%Y').dt.tz_localize('{{ zone }}').dt.tz_convert('UTC')
began = midnight + pd.to_timedelta(cells['number'].astype(int) - 1, unit='h')
load = pd.DataFrame({'start': began.dt.strftime('%Y-%m-%d %H:%M'), 'kwh': cells['pulses'] / 1000 * ({{ old }} / 5)})
load = load.sort_values('start').reset_index(drop=True)

# %% naive="careless" trap="of a day that was sent more than once the last row of the file counts"
import pandas as pd

raw = pd.read_csv('{{ data }}/profile.csv', sep=';', dtype=str)
raw = raw[~raw['day'].str.startswith('Sum')].copy()
raw = raw.drop_duplicates('day', keep='last')
cells = raw.melt(['day', 'sent'], var_name='number', value_name='pulses').dropna()
cells['pulses'] = cells['pulses'].astype(int)
cells = cells[cells['pulses'] != 65535]
midnight = pd.to_datetime(cells['day'], format='%d.%m.%Y').dt.tz_localize('{{ zone }}').dt.tz_convert('UTC')
began = midnight + pd.to_timedelta(cells['number'].astype(int) - 1, unit='h')
load = pd.DataFrame({'start': began.dt.strftime('%Y-%m-%d %H:%M'), 'kwh': cells['pulses'] / 1000 * ({{ old }} / 5)})
load = load.sort_values('start').reset_index(drop=True)

# %% naive="literal" trap="column 1 is taken for 0 o'clock, column 4 for 3 o'clock, also on the days on which the clock is changed"
import pandas as pd

raw = pd.read_csv('{{ data }}/profile.csv', sep=';', dtype=str)
raw = raw[~raw['day'].str.startswith('Sum')].copy()
raw['sent'] = pd.to_datetime(raw['sent'], format='%d.%m.%Y')
raw = raw.sort_values('sent').drop_duplicates('day', keep='last')
cells = raw.melt(['day', 'sent'], var_name='number', value_name='pulses').dropna()
cells['pulses'] = cells['pulses'].astype(int)
cells = cells[(cells['pulses'] != 65535) & (cells['number'] != '25')]
clock = pd.to_datetime(cells['day'], format='%d.%m.%Y') + pd.to_timedelta(cells['number'].astype(int) - 1, unit='h')
began = clock.dt.tz_localize('{{ zone }}', ambiguous=[False] * len(clock), nonexistent='shift_forward').dt.tz_convert('UTC')
load = pd.DataFrame({'start': began.dt.strftime('%Y-%m-%d %H:%M'), 'kwh': cells['pulses'] / 1000 * ({{ old }} / 5)})
load = load.sort_values('start').reset_index(drop=True)

# %% naive="shortcut" trap="the current transformers are forgotten"
import pandas as pd

raw = pd.read_csv('{{ data }}/profile.csv', sep=';', dtype=str)
raw = raw[~raw['day'].str.startswith('Sum')].copy()
raw['sent'] = pd.to_datetime(raw['sent'], format='%d.%m.%Y')
raw = raw.sort_values('sent').drop_duplicates('day', keep='last')
cells = raw.melt(['day', 'sent'], var_name='number', value_name='pulses').dropna()
cells['pulses'] = cells['pulses'].astype(int)
cells = cells[cells['pulses'] != 65535]
midnight = pd.to_datetime(cells['day'], format='%d.%m.%Y').dt.tz_localize('{{ zone }}').dt.tz_convert('UTC')
began = midnight + pd.to_timedelta(cells['number'].astype(int) - 1, unit='h')
load = pd.DataFrame({'start': began.dt.strftime('%Y-%m-%d %H:%M'), 'kwh': cells['pulses'] / 1000})
load = load.sort_values('start').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(1)]"
# Print the number of rows of `load`, the number of hours of the year {{ year }} (in local time) that have no row, and the sum of `kwh` with 1 decimal place, on one line, separated by spaces.
#
# Thought: The year has 8760 hours; also a whole day can be missing.

# %% [markdown] lang="cn"
# 在同一行打印 `load` 的行数、{{ year }} 年（按当地时间）没有对应行的小时数，以及 `kwh` 之和（保留 1 位小数），用空格分隔。
#
# Thought: 全年有 8760 小时；也可能整天缺失。

# %%
hours = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01', freq=pd.Timedelta(hours=1), tz='{{ zone }}')[:-1]
answer = [len(load), len(hours) - len(load), load['kwh'].sum()]
print(answer[0], answer[1], f'{answer[2]:.1f}')

# %% naive="shortcut" trap="only the hours with 65535 are counted as missing, not the day without a row"
hours = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01', freq=pd.Timedelta(hours=1), tz='{{ zone }}')[:-1]
print(len(load), (raw.drop(columns=['day', 'sent']) == '65535').sum().sum(), f'{load["kwh"].sum():.1f}')

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/closed.txt` says when the building is closed. Make a Series `kind` with the days from {{ year }}-01-01 to {{ year + 1 }}-02-28 as its index (text `YYYY-MM-DD`, in order) and the values `work` and `free`: a day is `free` if the building is closed.
#
# Thought: One span runs over the turn of the year, and a Saturday can be open.

# %% [markdown] lang="cn"
# `{{ data }}/closed.txt` 说明建筑何时关闭。生成名为 `kind` 的 Series，索引为 {{ year }}-01-01 至 {{ year + 1 }}-02-28 的各日（文本 `YYYY-MM-DD`，按顺序），值为 `work` 或 `free`：建筑关闭的日子为 `free`。
#
# Thought: 有一段关闭期跨年，而某个星期六可能开放。

# %%
import re

spans, opened = [], []
for line in open('{{ data }}/closed.txt', encoding='utf-8').read().splitlines():
    dates = [(int(month), int(day)) for day, month in re.findall(r'(\d\d)\.(\d\d)\.', line)]
    if line.startswith('closed'):
        spans.append((dates[0], dates[-1]))
    elif line.startswith('open'):
        opened.append(dates[0])


def kind_of(day):
    key = day.month, day.day
    if key in opened:
        return 'work'
    shut = any(low <= key <= high if low <= high else key >= low or key <= high for low, high in spans)
    return 'free' if shut or day.weekday() >= 5 else 'work'


dates = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-02-28')
kind = pd.Series([kind_of(day) for day in dates], index=dates.strftime('%Y-%m-%d'))

# %% naive="careless" trap="the span over the turn of the year holds at neither end"
import re

spans, opened = [], []
for line in open('{{ data }}/closed.txt', encoding='utf-8').read().splitlines():
    dates = [(int(month), int(day)) for day, month in re.findall(r'(\d\d)\.(\d\d)\.', line)]
    if line.startswith('closed'):
        spans.append((dates[0], dates[-1]))
    elif line.startswith('open'):
        opened.append(dates[0])


def kind_of(day):
    key = day.month, day.day
    if key in opened:
        return 'work'
    return 'free' if any(low <= key <= high for low, high in spans) or day.weekday() >= 5 else 'work'


dates = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-02-28')
kind = pd.Series([kind_of(day) for day in dates], index=dates.strftime('%Y-%m-%d'))

# %% naive="shortcut" trap="weekends alone are free"
dates = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-02-28')
kind = pd.Series(['free' if day.weekday() >= 5 else 'work' for day in dates], index=dates.strftime('%Y-%m-%d'))

# %% [markdown] kind="num" modules="pandas" answer="table[[count, real(1)]]"
# Make a Series `daily` with the sum of `kwh` of each local day of which every hour has a value, with the days as its index (text `YYYY-MM-DD`). Print for each kind, in alphabetical order and on a line of its own, `kind: number mean`: the number of its days in `daily` and the mean of `daily` on them with 1 decimal place.
#
# Thought: A day is complete with 24 hours, but with 23 or 25 where the clock is changed.

# %% [markdown] lang="cn"
# 生成名为 `daily` 的 Series：每个各小时都有值的当地日的 `kwh` 之和，以日期为索引（文本 `YYYY-MM-DD`）。每行打印一类日子（按字母顺序），格式为 `kind: 天数 均值`：该类日子在 `daily` 中的天数，以及这些日子 `daily` 的均值（保留 1 位小数）。
#
# Thought: 完整的一天有 24 小时，换时的日子则为 23 或 25 小时。

# %%
local = pd.to_datetime(load['start']).dt.tz_localize('UTC').dt.tz_convert('{{ zone }}')
wanted = pd.Series(1, index=hours.strftime('%Y-%m-%d')).groupby(level=0).sum()


def complete_days():
    by_day = load['kwh'].groupby(local.dt.strftime('%Y-%m-%d').rename('day')).agg(['sum', 'count'])
    return by_day.loc[by_day['count'] == wanted.reindex(by_day.index), 'sum'].rename('kwh')


daily = complete_days()
answer = {name: [len(values), values.mean()] for name, values in daily.groupby(kind.reindex(daily.index))}
for name, (count, mean) in answer.items():
    print(f'{name}: {count} {mean:.1f}')

# %% naive="literal" trap="a day has 24 hours"
local = pd.to_datetime(load['start']).dt.tz_localize('UTC').dt.tz_convert('{{ zone }}')


def complete_days():
    by_day = load['kwh'].groupby(local.dt.strftime('%Y-%m-%d').rename('day')).agg(['sum', 'count'])
    return by_day.loc[by_day['count'] == 24, 'sum'].rename('kwh')


daily = complete_days()
for name, values in daily.groupby(kind.reindex(daily.index)):
    print(f'{name}: {len(values)} {values.mean():.1f}')

# %% naive="shortcut" trap="days are cut at midnight UTC"
local = pd.to_datetime(load['start']).dt.tz_localize('UTC')


def complete_days():
    by_day = load['kwh'].groupby(local.dt.strftime('%Y-%m-%d').rename('day')).agg(['sum', 'count'])
    return by_day.loc[by_day['count'] == 24, 'sum'].rename('kwh')


daily = complete_days()
for name, values in daily.groupby(kind.reindex(daily.index)):
    print(f'{name}: {len(values)} {values.mean():.1f}')
local = local.dt.tz_convert('{{ zone }}')

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw two lines over the local hours 0 to 23: the mean of `kwh` of the hours that begin at that hour, over all rows of `load` on days of the kind `work`, and the same for `free`. The labels of the lines are the kinds, shown in a legend. Title `{{ title_day }}`, x label `{{ x_hour }}`, y label `{{ y_hour }}`, figure size (7, 4). Call `plt.show()`.
#
# Thought: Group by kind and local hour.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以当地小时 0 到 23 为横坐标画两条线：`load` 中 `work` 类日子的所有行里，在该小时开始的各小时 `kwh` 的均值，以及 `free` 类日子的相应均值。以类别名作为线的标签并显示图例。标题 `{{ title_day }}`，横轴标签 `{{ x_hour }}`，纵轴标签 `{{ y_hour }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 按类别和当地小时分组。

# %%
import matplotlib.pyplot as plt

kinds = local.dt.strftime('%Y-%m-%d').map(kind)
plt.figure(figsize=(7, 4))
for name in ('work', 'free'):
    means = load.loc[kinds == name, 'kwh'].groupby(local[kinds == name].dt.hour).mean()
    plt.plot(means.index, means, label=name)
plt.legend()
plt.title('{{ title_day }}')
plt.xlabel('{{ x_hour }}')
plt.ylabel('{{ y_hour }}')
plt.show()

# %% naive="literal shortcut" trap="the hour is read off the text in UTC"
import matplotlib.pyplot as plt

kinds, clock = load['start'].str[:10].map(kind), load['start'].str[11:13].astype(int)
plt.figure(figsize=(7, 4))
for name in ('work', 'free'):
    means = load.loc[kinds == name, 'kwh'].groupby(clock[kinds == name]).mean()
    plt.plot(means.index, means, label=name)
plt.legend()
plt.title('{{ title_day }}')
plt.xlabel('{{ x_hour }}')
plt.ylabel('{{ y_hour }}')
plt.show()

# %% [markdown] kind="num" modules="numpy pandas" answer="[date, real(2)]"
# Make a Series `night` with the mean of `kwh` of the hours that begin at 1, 2 or 3 o'clock local time, for each local day that has such hours in `load`, with the days as its index (text `YYYY-MM-DD`). On one day `night` goes up to a higher level, on which it stays to the end of the year. Print the first day of the higher level, and the median of `night` from that day on divided by its median on the days before, with 2 decimal places, on one line, separated by a space.
#
# Thought: The largest jump belongs to a few nights in summer that pass. A step that stays is where two medians fit the whole year best.

# %% [markdown] lang="cn"
# 生成名为 `night` 的 Series：对 `load` 中有在当地 1、2 或 3 点开始的小时的每个当地日，取这些小时 `kwh` 的均值，以日期为索引（文本 `YYYY-MM-DD`）。某一天起 `night` 升到更高的水平，并一直保持到年底。在同一行打印处于较高水平的第一天，以及从这一天起 `night` 的中位数除以此前各日的中位数之商（保留 2 位小数），用空格分隔。
#
# Thought: 最大的跳变属于夏季会过去的几个夜晚。持续的台阶位于用两个中位数拟合全年效果最好之处。

# %%
import numpy as np


def nights():
    early = local.dt.hour.isin([1, 2, 3])
    return load.loc[early, 'kwh'].groupby(local[early].dt.strftime('%Y-%m-%d').rename('day')).mean()


def split(series):
    """Where two levels fit best: the position of the first value of the second one."""
    values = np.asarray(series)
    parts = [(values[:place], values[place:]) for place in range(5, len(values) - 5)]
    return 5 + int(np.argmin([sum(np.abs(part - np.median(part)).sum() for part in pair) for pair in parts]))


night = nights()
place = split(night)
raised = night.index[place]
answer = [raised, night.iloc[place:].median() / night.iloc[:place].median()]
print(answer[0], f'{answer[1]:.2f}')

# %% naive="careless literal" trap="the largest jump from one night to the next is taken, which passes again"
import numpy as np


def nights():
    early = local.dt.hour.isin([1, 2, 3])
    return load.loc[early, 'kwh'].groupby(local[early].dt.strftime('%Y-%m-%d').rename('day')).mean()


def split(series):
    values = np.asarray(series)
    parts = [(values[:place], values[place:]) for place in range(5, len(values) - 5)]
    return 5 + int(np.argmin([sum(np.abs(part - np.median(part)).sum() for part in pair) for pair in parts]))


night = nights()
place = int(np.argmax(night.diff().fillna(0)))
raised = night.index[place]
print(raised, f'{night.iloc[place:].median() / night.iloc[:place].median():.2f}')

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/sub.csv` has the registers of six submeters. Make a DataFrame `sub` of what each of them measured each day: the index has all days of {{ year }} (text `YYYY-MM-DD`), the columns are the meters, the values are kWh rounded to 1 decimal place, NaN where the day's use is not known.
#
# Thought: Rows that were read by hand go first. The use of a day is the next midnight's register minus its own, modulo 100000.

# %% [markdown] lang="cn"
# `{{ data }}/sub.csv` 是六块分表的读数。生成名为 `sub` 的 DataFrame，给出各表每天的计量值：索引为 {{ year }} 年的所有日期（文本 `YYYY-MM-DD`），列为各表，值为千瓦时（保留 1 位小数），当日用量未知时为 NaN。
#
# Thought: 先去掉人工抄表的行。当日用量为次日零点读数减去当日零点读数，对 100000 取模。

# %%
registers = pd.read_csv('{{ data }}/sub.csv')
registers = registers[registers['time'].str.endswith(' 00:00')]
registers = registers.set_index(registers['time'].str[:10].rename('day')).drop(columns='time')
sub = (registers.diff().shift(-1) % 100000).round(1).iloc[:-1]

# %% naive="careless" trap="a register that starts again gives a negative day"
registers = pd.read_csv('{{ data }}/sub.csv')
registers = registers[registers['time'].str.endswith(' 00:00')]
registers = registers.set_index(registers['time'].str[:10].rename('day')).drop(columns='time')
sub = registers.diff().shift(-1).round(1).iloc[:-1]

# %% naive="literal" trap="readings by hand end a day, and gaps are filled with the last reading"
registers = pd.read_csv('{{ data }}/sub.csv').ffill()
registers = registers.drop_duplicates('time').set_index('time')
sub = (registers.diff().shift(-1) % 100000).round(1).iloc[:-1]
sub = sub.groupby(sub.index.str[:10].rename('day')).first()

# %% naive="shortcut" trap="the use of a day is written to the day after it"
registers = pd.read_csv('{{ data }}/sub.csv')
registers = registers[registers['time'].str.endswith(' 00:00')]
registers = registers.set_index(registers['time'].str[:10].rename('day')).drop(columns='time')
sub = (registers.diff() % 100000).round(1).iloc[:-1]

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# One of the six meters measures just what two others measure together. Print its name, then the names of the two in alphabetical order, on one line, separated by `, `.
#
# Thought: Sums have to agree day by day; meters that go up and down together need not be parts of each other.

# %% [markdown] lang="cn"
# 六块表中有一块计量的正好是另外两块合计的用量。在同一行打印它的名称，再按字母顺序打印另外两块的名称，用 `, ` 分隔。
#
# Thought: 每天的和都要相符；同涨同落的表不一定互为组成部分。

# %%
from itertools import combinations

tried = [(whole, *pair) for whole in sub for pair in combinations(sorted(set(sub) - {whole}), 2)]
whole, *halves = min(tried, key=lambda names: (sub[names[0]] - sub[names[1]] - sub[names[2]]).abs().mean())
answer = [whole, *halves]
print(', '.join(answer))

# %% naive="careless shortcut" trap="the largest meter and the two that go up and down with it most closely"
whole = sub.sum().idxmax()
halves = sorted(sub.corr()[whole].drop(whole).nlargest(2).index)
print(', '.join([whole, *halves]))

# %% [markdown] kind="exec" modules="pandas"
# Make a Series `rest` of the part of `daily` that no submeter measures, for every day that has a value in `daily` and in all columns of `sub`, with the days as its index.
#
# Thought: The meter of two others must not be taken off as well.

# %% [markdown] lang="cn"
# 生成名为 `rest` 的 Series：`daily` 中没有任何分表计量的部分，包括在 `daily` 和 `sub` 所有列中都有值的每一天，以日期为索引。
#
# Thought: 计量另外两块之和的那块表不能再减一次。

# %%
def remainder():
    known = sub.dropna()
    return (daily - known.drop(columns=whole).sum(axis=1)).dropna()


rest = remainder()

# %% naive="careless shortcut" trap="all six meters are taken off, two of them twice"
def remainder():
    return (daily - sub.dropna().sum(axis=1)).dropna()


rest = remainder()

# %% naive="literal" trap="a meter without a value counts as 0"
def remainder():
    return (daily - sub.drop(columns=whole).sum(axis=1)).dropna()


rest = remainder()

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw `rest` as a scatter plot with one point a day over the number of the day in the year (1 for {{ year }}-01-01). Title `{{ title_rest }}`, x label `{{ x_rest }}`, y label `{{ y_rest }}`, figure size (9, 4). Call `plt.show()`.
#
# Thought: The index gives the numbers of the days.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将 `rest` 画成散点图，每天一个点，横坐标为一年中的第几天（{{ year }}-01-01 为 1）。标题 `{{ title_rest }}`，横轴标签 `{{ x_rest }}`，纵轴标签 `{{ y_rest }}`，图像大小 (9, 4)，最后调用 `plt.show()`。
#
# Thought: 由索引得到是一年中的第几天。

# %%
plt.figure(figsize=(9, 4))
plt.scatter(pd.to_datetime(rest.index).day_of_year, rest, s=8)
plt.title('{{ title_rest }}')
plt.xlabel('{{ x_rest }}')
plt.ylabel('{{ y_rest }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[text, date]"
# Before April two submeters fall by about a third and stay there. At one of them less is used. The other one no longer counts one of its phases, while the building uses as much as before. Print the name of the faulty meter and the first day on which it measured too little, as `name: YYYY-MM-DD`.
#
# Thought: What a meter no longer counts turns up in `rest` on the same day; what is no longer used does not.

# %% [markdown] lang="cn"
# 四月之前，有两块分表的计量值下降约三分之一，此后不再恢复。其中一块是用电确实减少；另一块有一相不再计数，而建筑的用电没有变化。打印有故障的表的名称，以及它计量值偏低的第一天，格式为 `name: YYYY-MM-DD`。
#
# Thought: 表漏计的部分会从同一天起出现在 `rest` 中；不再使用的部分则不会。

# %%
spring = sub[(kind.reindex(sub.index) == 'work') & (sub.index < '{{ year }}-06-01')].dropna()
found = {}
for meter in spring:
    place = split(spring[meter])
    if spring[meter].iloc[place:].median() < 0.8 * spring[meter].iloc[:place].median():
        around = rest.reindex(spring.index)
        found[meter] = around.iloc[place : place + 8].median() - around.iloc[place - 8 : place].median(), spring.index[place]
faulty = max(found, key=found.get)
since = found[faulty][1]
answer = [faulty, since]
print(f'{answer[0]}: {answer[1]}')

# %% naive="careless literal" trap="the meter that falls most is taken, where less is used"
spring = sub[(kind.reindex(sub.index) == 'work') & (sub.index < '{{ year }}-06-01')].dropna()
found = {}
for meter in spring:
    place = split(spring[meter])
    found[meter] = spring[meter].iloc[place:].median() / spring[meter].iloc[:place].median(), spring.index[place]
faulty = sorted(found, key=lambda name: (found[name][0] > 0.8, found[name][1]))[0]
since = found[faulty][1]
print(f'{faulty}: {since}')

# %% [markdown] kind="exec" modules="pandas"
# Correct the column of the faulty meter in `sub` to what was really used there, not rounded, and make `rest` again by the rule above.
#
# Thought: Two of three equal phases were counted, so the days from the first one on are multiplied by 1.5.

# %% [markdown] lang="cn"
# 在 `sub` 中将故障表的那一列改正为实际用量（不取整），并按上述规则重新生成 `rest`。
#
# Thought: 三个相同的相只计了两个，因此从第一天起各日乘以 1.5。

# %%
sub.loc[sub.index >= since, faulty] *= 3 / 2
rest = remainder()

# %% naive="careless" trap="a third is added for the third that is missing"
sub.loc[sub.index >= since, faulty] *= 4 / 3
rest = remainder()

# %% naive="shortcut" trap="the whole year is corrected"
sub[faulty] *= 3 / 2
rest = remainder()

# %% [markdown] kind="exec" modules="pandas"
# Read `{{ data }}/weather_1.csv` and `{{ data }}/weather_2.csv` by the notes into a Series `weather` of the mean temperature in °C of each day of {{ year }}, with the days as its index (text `YYYY-MM-DD`), not rounded. A day that has no mean by the notes gets the value that lies linearly between the nearest days before and after it that have one.
#
# Thought: The American logger writes Fahrenheit, and the month before the day; where both have a reading its values show it.

# %% [markdown] lang="cn"
# 按说明将 `{{ data }}/weather_1.csv` 和 `{{ data }}/weather_2.csv` 读成名为 `weather` 的 Series：{{ year }} 年每天的平均气温（°C），以日期为索引（文本 `YYYY-MM-DD`），不取整。按说明没有均值的日子，用其前后最近的有均值的日子线性插值。
#
# Thought: 美国的记录器用华氏度，且月份写在日之前；两者都有读数时可由数值看出。

# %%
first = pd.read_csv('{{ data }}/weather_1.csv', sep=';')
second = pd.read_csv('{{ data }}/weather_2.csv', sep=';')
first['time'] = pd.to_datetime(first['time'], format='%d/%m/%Y %H')
second['time'] = pd.to_datetime(second['time'], format='%m/%d/%Y %H')
readings = pd.concat([first, second[['time', 'reading']].assign(second=True)])
readings = readings[readings['reading'] != -99.9].drop_duplicates('time', keep='last')
american = readings['second'].notna()
readings['celsius'] = readings['reading'].where(~american, (readings['reading'] - 32) / 1.8)
means = readings.groupby(readings['time'].dt.strftime('%Y-%m-%d').rename('day'))['celsius'].agg(['mean', 'count'])
means = means.reindex(kind.index[kind.index < '{{ year + 1 }}'])
weather = means['mean'].where(means['count'] >= 6).interpolate()

# %% naive="careless" trap="all readings are taken for degrees Celsius, and -99.9 for a temperature"
first = pd.read_csv('{{ data }}/weather_1.csv', sep=';')
second = pd.read_csv('{{ data }}/weather_2.csv', sep=';')
first['time'] = pd.to_datetime(first['time'], format='%d/%m/%Y %H')
second['time'] = pd.to_datetime(second['time'], format='%m/%d/%Y %H')
readings = pd.concat([first, second]).drop_duplicates('time', keep='last')
weather = readings.groupby(readings['time'].dt.strftime('%Y-%m-%d').rename('day'))['reading'].mean()

# %% naive="literal" trap="readings that were sent twice count twice, and so do those of both loggers"
first = pd.read_csv('{{ data }}/weather_1.csv', sep=';')
second = pd.read_csv('{{ data }}/weather_2.csv', sep=';')
first['time'] = pd.to_datetime(first['time'], format='%d/%m/%Y %H')
second['time'] = pd.to_datetime(second['time'], format='%m/%d/%Y %H')
first['celsius'], second['celsius'] = first['reading'], (second['reading'] - 32) / 1.8
readings = pd.concat([first, second])
readings = readings[readings['reading'] != -99.9]
means = readings.groupby(readings['time'].dt.strftime('%Y-%m-%d').rename('day'))['celsius'].agg(['mean', 'count'])
means = means.reindex(kind.index[kind.index < '{{ year + 1 }}'])
weather = means['mean'].where(means['count'] >= 6).interpolate()

# %% naive="shortcut" trap="days with a few readings get a mean, and of both loggers the first one counts"
first = pd.read_csv('{{ data }}/weather_1.csv', sep=';')
second = pd.read_csv('{{ data }}/weather_2.csv', sep=';')
first['time'] = pd.to_datetime(first['time'], format='%d/%m/%Y %H')
second['time'] = pd.to_datetime(second['time'], format='%m/%d/%Y %H')
first['celsius'], second['celsius'] = first['reading'], (second['reading'] - 32) / 1.8
readings = pd.concat([first, second])
readings = readings[readings['reading'] != -99.9].drop_duplicates('time')
means = readings.groupby(readings['time'].dt.strftime('%Y-%m-%d').rename('day'))['celsius'].mean()
weather = means.reindex(kind.index[kind.index < '{{ year + 1 }}']).interpolate()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1)]"
# A heating day is a day with a mean temperature below 15 °C, and its degree days are 20 minus the mean temperature. Print the number of heating days in `weather` and the sum of their degree days with 1 decimal place, on one line, separated by a space.
#
# Thought: Days from 15 to 20 °C count for nothing.

# %% [markdown] lang="cn"
# 平均气温低于 15 °C 的日子为采暖日，其度日数为 20 减去平均气温。在同一行打印 `weather` 中的采暖日天数及其度日数之和（保留 1 位小数），用空格分隔。
#
# Thought: 15 到 20 °C 的日子不计。

# %%
cold = weather[weather < 15]
answer = [len(cold), (20 - cold).sum()]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless" trap="every day below 20 °C has degree days"
cold = weather[weather < 15]
print(len(cold), f'{(20 - weather).clip(lower=0).sum():.1f}')

# %% naive="shortcut" trap="the limit of heating days is taken for the room temperature"
cold = weather[weather < 15]
print(len(cold), f'{(15 - cold).sum():.1f}')

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/heat.csv` is the heat meter, and `{{ data }}/heat_notes.txt` describes it. Make a Series `heat` with the heat of each day of {{ year }} in kWh (float, rounded to whole numbers), with all days of the year as its index (text `YYYY-MM-DD`). A day is known if the modem reached the meter at both of its midnights; the others are NaN.
#
# Thought: A register that has not moved was not read, and the jump after it belongs to several days. On the day of the exchange both meters have measured.

# %% [markdown] lang="cn"
# `{{ data }}/heat.csv` 是热量表的数据，说明见 `{{ data }}/heat_notes.txt`。生成名为 `heat` 的 Series：{{ year }} 年每天的用热量，单位千瓦时（浮点数，取整到个位），以全年各日为索引（文本 `YYYY-MM-DD`）。当日的两个零点调制解调器都读到了表，该日才算已知；其余为 NaN。
#
# Thought: 读数不动说明没有读到，其后的跳变属于若干天。换表当天两块表都有计量。

# %%
table = pd.read_csv('{{ data }}/heat.csv', sep=';', dtype=str)
notes = open('{{ data }}/heat_notes.txt', encoding='utf-8').read()
exchange = re.search(r'until (\d{4}-\d\d-\d\d)', notes)[1]
final, fresh = int(re.search(r'final reading (\d+)', notes)[1]), float(re.search(r'first reading (\d+\.\d+)', notes)[1])
register = pd.Series(table['register'].str.replace(',', '.').astype(float).values, index=table['time'].str[:10])
register = register[register.diff() != 0]
modern = register.index > exchange
total = register.where(~modern, final + 1000 * (register - fresh))
ends = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01').strftime('%Y-%m-%d')
heat = total.reindex(ends).diff().shift(-1).iloc[:-1].round()

# %% naive="careless" trap="a register that has not moved is a day without heat, and the jump after it a day with much"
table = pd.read_csv('{{ data }}/heat.csv', sep=';', dtype=str)
notes = open('{{ data }}/heat_notes.txt', encoding='utf-8').read()
exchange = re.search(r'until (\d{4}-\d\d-\d\d)', notes)[1]
final, fresh = int(re.search(r'final reading (\d+)', notes)[1]), float(re.search(r'first reading (\d+\.\d+)', notes)[1])
register = pd.Series(table['register'].str.replace(',', '.').astype(float).values, index=table['time'].str[:10])
modern = register.index > exchange
total = register.where(~modern, final + 1000 * (register - fresh))
ends = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01').strftime('%Y-%m-%d')
heat = total.reindex(ends).diff().shift(-1).iloc[:-1].round()

# %% naive="literal" trap="the new meter is taken to begin at 0, and the days without contact are dropped but for the jump"
table = pd.read_csv('{{ data }}/heat.csv', sep=';', dtype=str)
notes = open('{{ data }}/heat_notes.txt', encoding='utf-8').read()
exchange = re.search(r'until (\d{4}-\d\d-\d\d)', notes)[1]
final = int(re.search(r'final reading (\d+)', notes)[1])
register = pd.Series(table['register'].str.replace(',', '.').astype(float).values, index=table['time'].str[:10])
modern = register.index > exchange
total = register.where(~modern, final + 1000 * register)
ends = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01').strftime('%Y-%m-%d')
heat = total.reindex(ends).diff().shift(-1).iloc[:-1].round()
heat = heat.where(heat != 0)

# %% naive="shortcut" trap="of the day of the exchange only one meter is used"
table = pd.read_csv('{{ data }}/heat.csv', sep=';', dtype=str)
register = pd.Series(table['register'].str.replace(',', '.').astype(float).values, index=table['time'].str[:10])
register = register[register.diff() != 0]
register = register.where(~table['register'].str.contains(',').values[: len(register)], register)
register[register < 1000] *= 1000
ends = pd.date_range('{{ year }}-01-01', '{{ year + 1 }}-01-01').strftime('%Y-%m-%d')
heat = register.reindex(ends).diff().shift(-1).iloc[:-1].round()
heat = heat.where(heat > 0)

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw `heat` against `weather` as a scatter plot with one point for each day with a value in `heat`. The days of the kinds `work` and `free` are two groups, with the kinds as their labels in a legend. Title `{{ title_heat }}`, x label `{{ x_heat }}`, y label `{{ y_heat }}`, figure size (7, 5). Call `plt.show()`.
#
# Thought: One call of scatter for each kind.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画 `heat` 随 `weather` 变化的散点图，`heat` 有值的每一天一个点。`work` 和 `free` 两类日子分为两组，以类别名作为图例标签。标题 `{{ title_heat }}`，横轴标签 `{{ x_heat }}`，纵轴标签 `{{ y_heat }}`，图像大小 (7, 5)，最后调用 `plt.show()`。
#
# Thought: 每个类别调用一次 scatter。

# %%
days = pd.DataFrame({'heat': heat, 'temperature': weather, 'group': kind.reindex(heat.index)}).dropna()
plt.figure(figsize=(7, 5))
for name in ('work', 'free'):
    one = days[days['group'] == name]
    plt.scatter(one['temperature'], one['heat'], s=10, label=name)
plt.legend()
plt.title('{{ title_heat }}')
plt.xlabel('{{ x_heat }}')
plt.ylabel('{{ y_heat }}')
plt.show()

# %% [markdown] kind="num" modules="numpy pandas" answer="[date, date, count]"
# In the figure one run of consecutive days lies apart from all the others. Print its first day, its last day and the number of its days, on one line, separated by spaces.
#
# Thought: They are not the days with the most heat, but those with far more heat than others of the same temperature.

# %% [markdown] lang="cn"
# 图中有一段连续的日子与其他日子明显分开。在同一行打印这段日子的第一天、最后一天和天数，用空格分隔。
#
# Thought: 不是用热最多的日子，而是比同样气温的其他日子用热多得多的日子。

# %%
def depth(temperature):
    return np.clip(15 - temperature, 0, None)


excess = pd.Series(0.0, index=days.index)
for name, one in days.groupby('group'):
    line = np.polyfit(depth(one['temperature']), one['heat'], 1)
    excess[one.index] = one['heat'] - np.polyval(line, depth(one['temperature']))
block = list(excess.index[excess > 0.5 * excess.max()])
answer = [block[0], block[-1], len(block)]
print(*answer)

# %% naive="careless shortcut" trap="the ten days with the most heat are taken, which are only cold"
def depth(temperature):
    return np.clip(15 - temperature, 0, None)


block = sorted(days['heat'].nlargest(10).index)
print(block[0], block[-1], len(block))

# %% [markdown] kind="num" modules="numpy pandas" answer="table[real(1)]"
# From here on the days of that run are left out. On {{ year }}-{{ control }} a new heating control was put into use. For each kind of day fit a line `heat = a + b * (15 - temperature)` by least squares to the heating days before that day whose `heat` is known. Print for each kind, in alphabetical order and on a line of its own, `kind: a b`, both with 1 decimal place.
#
# Thought: Of the days in `days`, those below 15 °C, before the control and outside of the run.

# %% [markdown] lang="cn"
# 从此处起不再使用这段日子。{{ year }}-{{ control }} 起启用了新的供暖控制器。对每一类日子，用最小二乘法对该日之前 `heat` 已知的采暖日拟合直线 `heat = a + b * (15 - temperature)`。每行打印一类日子（按字母顺序），格式为 `kind: a b`，均保留 1 位小数。
#
# Thought: 取 `days` 中低于 15 °C、启用控制器之前且不在该段之内的日子。

# %%
kept = days[(days['temperature'] < 15) & ~days.index.isin(block)]
earlier = kept[kept.index < '{{ year }}-{{ control }}']
lines = {name: np.polyfit(15 - one['temperature'], one['heat'], 1) for name, one in earlier.groupby('group')}
answer = {name: [a, b] for name, (b, a) in sorted(lines.items())}
for name, (a, b) in answer.items():
    print(f'{name}: {a:.1f} {b:.1f}')

# %% naive="careless" trap="the run apart stays in"
kept = days[days['temperature'] < 15]
earlier = kept[kept.index < '{{ year }}-{{ control }}']
lines = {name: np.polyfit(15 - one['temperature'], one['heat'], 1) for name, one in earlier.groupby('group')}
for name, (b, a) in sorted(lines.items()):
    print(f'{name}: {a:.1f} {b:.1f}')

# %% naive="literal" trap="the days under the new control and those without heating are fitted, too"
kept = days[~days.index.isin(block)]
earlier = kept
lines = {name: np.polyfit(15 - one['temperature'], one['heat'], 1) for name, one in earlier.groupby('group')}
for name, (b, a) in sorted(lines.items()):
    print(f'{name}: {a:.1f} {b:.1f}')

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, real(1)]"
# A colleague judges the new control with this code:
#
#     before, after = heat[heat.index < '{{ year }}-{{ control }}'], heat[heat.index >= '{{ year }}-{{ control }}']
#     print(len(after), 100 * (after.mean() / before.mean() - 1))
#
# Correct it. Take the heating days from {{ year }}-{{ control }} on whose `heat` is known, and compare the sum of their heat with the sum that the lines of the last step give for the same days. Print the number of these days and by how many percent the heat lies above (positive) or below (negative) what the lines give, with 1 decimal place, on one line, separated by a space.
#
# Thought: The days after are colder than those before; the lines take temperature and kind of day into account.

# %% [markdown] lang="cn"
# 一位同事用下面的代码评价新控制器：
#
#     before, after = heat[heat.index < '{{ year }}-{{ control }}'], heat[heat.index >= '{{ year }}-{{ control }}']
#     print(len(after), 100 * (after.mean() / before.mean() - 1))
#
# 请改正。取 {{ year }}-{{ control }} 起 `heat` 已知的采暖日，将其用热之和与上一步的直线对同样这些日子给出的总和作比较。在同一行打印这些日子的天数，以及用热比直线给出的值高（正数）或低（负数）百分之多少（保留 1 位小数），用空格分隔。
#
# Thought: 启用之后的日子比之前更冷；直线考虑了气温和日子的类别。

# %%
later = kept[kept.index >= '{{ year }}-{{ control }}']
expected = sum(np.polyval(lines[name], 15 - one['temperature']).sum() for name, one in later.groupby('group'))
answer = [len(later), 100 * (later['heat'].sum() / expected - 1)]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless shortcut" trap="the cold of the weather is taken for the work of the control"
later = kept[kept.index >= '{{ year }}-{{ control }}']
print(len(later), f'{100 * (later["heat"].mean() / earlier["heat"].mean() - 1):.1f}')

# %% [markdown] kind="num" modules="pandas" answer="[text, real(2)]"
# `{{ data }}/flow.csv` has four sensors at the same pipe. One of them drifts. Take, for each sensor and day, its value minus the median of the other three on that day; what is not a measurement is left out. Print the name of the sensor that drifts, and the median of its differences in the last 30 rows of the file minus the median of those in the first 30 rows, with 2 decimal places, as `name: value`.
#
# Thought: A sensor that is noisy scatters as much from the first day on; one that drifts leaves the others little by little.

# %% [markdown] lang="cn"
# `{{ data }}/flow.csv` 是同一根管道上四个传感器的数据，其中一个发生了漂移。对每个传感器的每一天，取其值减去另外三个当日的中位数；不是测量值的数不计。打印发生漂移的传感器的名称，以及其差值在文件最后 30 行中的中位数减去在前 30 行中的中位数（保留 2 位小数），格式为 `name: value`。
#
# Thought: 噪声大的传感器从第一天起就同样分散；漂移的传感器则逐渐偏离其他传感器。

# %%
flow = pd.read_csv('{{ data }}/flow.csv', comment='#', index_col='day')
flow = flow.where(flow != 85)
apart = pd.DataFrame({name: flow[name] - flow.drop(columns=name).median(axis=1) for name in flow})
drift = apart.iloc[-30:].median() - apart.iloc[:30].median()
drifting = drift.abs().idxmax()
answer = [drifting, drift[drifting]]
print(f'{answer[0]}: {answer[1]:.2f}')

# %% naive="careless" trap="the sensor with the widest scatter is taken, which is only noisy"
flow = pd.read_csv('{{ data }}/flow.csv', comment='#', index_col='day')
flow = flow.where(flow != 85)
apart = pd.DataFrame({name: flow[name] - flow.drop(columns=name).median(axis=1) for name in flow})
drift = apart.iloc[-30:].median() - apart.iloc[:30].median()
drifting = apart.iloc[:30].std().idxmax()
print(f'{drifting}: {drift[drifting]:.2f}')

# %% naive="shortcut" trap="the sensor that falls most over the months is taken; all of them do, as it gets warmer outside"
flow = pd.read_csv('{{ data }}/flow.csv', comment='#', index_col='day')
flow = flow.where(flow != 85)
drift = flow.iloc[-30:].median() - flow.iloc[:30].median()
drifting = drift.idxmin()
print(f'{drifting}: {drift[drifting]:.2f}')

# %% [markdown] kind="num" modules="scipy pandas" answer="[text, real(relative=0.005)]"
# The sensor that drifts is left out. Take, of the other three, the two whose names come first in the alphabet, and the days on which both have a measurement. Do the two differ? The candidates are `ttest_rel`, `ttest_ind`, `wilcoxon` and `mannwhitneyu` of `scipy.stats`. Take a test for paired samples or one for independent samples, as the data are. Of these two take the t-test, unless `scipy.stats.shapiro` gives a p-value below 0.05 for what that t-test assumes to be normally distributed. Print the name of the test and its two-sided p-value with 3 significant digits, as `test: p`.
#
# Thought: Both measure the same water on the same days, so the pairs' differences count, and these are normal although the temperatures are not.

# %% [markdown] lang="cn"
# 不再使用发生漂移的传感器。在其余三个中取名称按字母顺序最靠前的两个，以及两者都有测量值的日子。两者有差异吗？候选检验为 `scipy.stats` 的 `ttest_rel`、`ttest_ind`、`wilcoxon` 和 `mannwhitneyu`。根据数据的情况选用配对样本或独立样本的检验。在这两种中选 t 检验，除非 `scipy.stats.shapiro` 对该 t 检验假定服从正态分布的量给出的 p 值低于 0.05。打印检验的名称及其双侧 p 值（3 位有效数字），格式为 `test: p`。
#
# Thought: 两者在同样的日子测量同样的水，因此要看成对的差值；虽然温度不服从正态分布，差值却服从。

# %%
from scipy import stats

left, right = sorted(set(flow) - {drifting})[:2]
both = flow[[left, right]].dropna()
normal = stats.shapiro(both[left] - both[right])[1] >= 0.05
test = stats.ttest_rel if normal else stats.wilcoxon
answer = [test.__name__, test(both[left], both[right])[1]]
print(f'{answer[0]}: {answer[1]:.3g}')

# %% naive="careless" trap="the temperatures are tested for normality in place of their differences"
from scipy import stats

left, right = sorted(set(flow) - {drifting})[:2]
both = flow[[left, right]].dropna()
print(f'wilcoxon: {stats.wilcoxon(both[left], both[right])[1]:.3g}')

# %% naive="literal shortcut" trap="the two sensors are taken for independent samples"
from scipy import stats

left, right = sorted(set(flow) - {drifting})[:2]
both = flow[[left, right]].dropna()
print(f'mannwhitneyu: {stats.mannwhitneyu(both[left], both[right], alternative="two-sided")[1]:.3g}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# `{{ data }}/bills.csv` is what the utility has billed for the electricity of the main meter. Where a month was billed in several parts, they add up. Print the local months in which the sum of `kwh` in `load` lies above the bill by more than 5 percent, as two digits, in order, on one line, separated by `, `.
#
# Thought: The estimate of a month and what was charged for it later belong together, and the total of the year is no part of a month.

# %% [markdown] lang="cn"
# `{{ data }}/bills.csv` 是供电公司按总电表开出的账单。一个月分几部分计费时应当相加。打印 `load` 的 `kwh` 之和比账单高 5% 以上的当地月份，写成两位数，按顺序排在同一行，用 `, ` 分隔。
#
# Thought: 某月的估计值和之后补收的部分应合在一起，全年总计不属于任何月份。

# %%
bills = pd.read_csv('{{ data }}/bills.csv', sep=';', decimal=',', thousands='.')
bills = bills[~bills['Kind'].str.startswith('total')]
billed = bills.groupby(bills['Billing month'].str[:2])['kWh'].sum()
metered = load['kwh'].groupby(local.dt.strftime('%m')).sum()
answer = list(billed.index[metered > 1.05 * billed])
print(', '.join(answer))

# %% naive="careless" trap="the estimate is taken for the bill of its month"
bills = pd.read_csv('{{ data }}/bills.csv', sep=';', decimal=',', thousands='.')
billed = bills.drop_duplicates('Billing month').set_index(bills.drop_duplicates('Billing month')['Billing month'].str[:2])['kWh']
metered = load['kwh'].groupby(local.dt.strftime('%m')).sum()
print(', '.join(billed.index[metered > 1.05 * billed]))

# %% naive="literal shortcut" trap="the total of the year is added to December"
bills = pd.read_csv('{{ data }}/bills.csv', sep=';', decimal=',', thousands='.')
billed = bills.groupby(bills['Billing month'].str[:2])['kWh'].sum()
metered = load['kwh'].groupby(local.dt.strftime('%m')).sum()
print(', '.join(billed.index[metered > 1.05 * billed]))

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/log.txt` is the caretaker's log of the year. Correct `kwh` in `load` by it, so that it says what the building used in each hour, and make `daily` and `rest` again by the rules above.
#
# Thought: Since the exchange of the current transformers each pulse has stood for less. The letter names another day; the entry of the exchange has day and hour, and the nights and bills agree with it.

# %% [markdown] lang="cn"
# `{{ data }}/log.txt` 是看管人全年的日志。请据此改正 `load` 的 `kwh`，使其为建筑每小时的实际用电量，并按上述规则重新生成 `daily` 和 `rest`。
#
# Thought: 更换电流互感器之后，每个脉冲代表的电量变小。来信写的是另一天；更换的那条记录有日期和钟点，与夜间用电和账单相符。

# %%
log = open('{{ data }}/log.txt', encoding='utf-8').read()
entry = re.search(r'(\d\d)\.(\d\d)\. .*main meter exchanged, (\d+)/5 out, (\d+)/5 in, .* (\d+):00', log)
day, month, out, into, hour = map(int, entry.groups())
exchanged = pd.Timestamp({{ year }}, month, day, hour).tz_localize('{{ zone }}')
load.loc[local >= exchanged, 'kwh'] *= into / out
daily = complete_days()
rest = remainder()

# %% naive="careless" trap="the day of the letter is taken, on which nobody came"
log = open('{{ data }}/log.txt', encoding='utf-8').read()
entry = re.search(r'(\d+)/5 against (\d+)/5, on (\d\d)\.(\d\d)\. at (\d+)', log)
out, into, day, month, hour = map(int, entry.groups())
exchanged = pd.Timestamp({{ year }}, month, day, hour).tz_localize('{{ zone }}')
load.loc[local >= exchanged, 'kwh'] *= into / out
daily = complete_days()
rest = remainder()

# %% naive="literal" trap="the local hour of the log is taken for UTC"
log = open('{{ data }}/log.txt', encoding='utf-8').read()
entry = re.search(r'(\d\d)\.(\d\d)\. .*main meter exchanged, (\d+)/5 out, (\d+)/5 in, .* (\d+):00', log)
day, month, out, into, hour = map(int, entry.groups())
load.loc[load['start'] >= f'{{ year }}-{month:02d}-{day:02d} {hour:02d}:00', 'kwh'] *= into / out
daily = complete_days()
rest = remainder()

# %% naive="shortcut" trap="the factor is turned round"
log = open('{{ data }}/log.txt', encoding='utf-8').read()
entry = re.search(r'(\d\d)\.(\d\d)\. .*main meter exchanged, (\d+)/5 out, (\d+)/5 in, .* (\d+):00', log)
day, month, out, into, hour = map(int, entry.groups())
exchanged = pd.Timestamp({{ year }}, month, day, hour).tz_localize('{{ zone }}')
load.loc[local >= exchanged, 'kwh'] *= out / into
daily = complete_days()
rest = remainder()

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(1), real(1)]"
# Print for `load` and `rest` as they are now: the median of the night values from the day on that was printed with `night` above divided by their median on the days before, with 2 decimal places, then the mean of `rest` on the days before that day and the mean from that day on, both with 1 decimal place. All three on one line, separated by spaces.
#
# Thought: The night values must be made again from the corrected hours; then nothing of the step is left.

# %% [markdown] lang="cn"
# 按现在的 `load` 和 `rest` 打印：从上文与 `night` 一起打印的那一天起夜间值的中位数除以此前各日的中位数之商（保留 2 位小数），然后是 `rest` 在该日之前的均值和从该日起的均值（均保留 1 位小数）。三个数打印在同一行，用空格分隔。
#
# Thought: 夜间值必须由改正后的小时值重新计算；台阶就不复存在。

# %%
again = nights()
ratio = again[again.index >= raised].median() / again[again.index < raised].median()
answer = [ratio, rest[rest.index < raised].mean(), rest[rest.index >= raised].mean()]
print(f'{answer[0]:.2f} {answer[1]:.1f} {answer[2]:.1f}')

# %% naive="careless shortcut" trap="the night values of before the correction are used"
ratio = night[night.index >= raised].median() / night[night.index < raised].median()
print(f'{ratio:.2f} {rest[rest.index < raised].mean():.1f} {rest[rest.index >= raised].mean():.1f}')

# %% [markdown] kind="num" modules="pandas" answer="[date, real(1)]"
# Print the beginning, in local time, of the hour of the year in which the building used the most electricity, and its kWh with 1 decimal place, as `YYYY-MM-DD HH:MM value`.
#
# Thought: The corrected values count, and the clock is the local one.

# %% [markdown] lang="cn"
# 打印全年中建筑用电最多的一小时的开始时间（当地时间）及其千瓦时数（保留 1 位小数），格式为 `YYYY-MM-DD HH:MM 数值`。
#
# Thought: 以改正后的值为准，钟点为当地时间。

# %%
peak = load['kwh'].idxmax()
answer = [local[peak], load.loc[peak, 'kwh']]
print(f'{answer[0]:%Y-%m-%d %H:%M} {answer[1]:.1f}')

# %% naive="literal" trap="the clock of the table, UTC, is printed"
peak = load['kwh'].idxmax()
print(load.loc[peak, 'start'], f'{load.loc[peak, "kwh"]:.1f}')

# %% naive="careless shortcut" trap="the pulses are searched, which count more since the exchange"
peak = cells['pulses'].idxmax()
print(cells.loc[peak, 'day'], f'{cells.loc[peak, "pulses"] / 1000 * ({{ old }} / 5):.1f}')

# %% [markdown] kind="num" modules="numpy pandas" held_out="heat" metric="mae" bound="34"
# `{{ data }}/next.csv` has the days from {{ year + 1 }}-01-01 to {{ year + 1 }}-02-28, with the forecast of the mean temperature in °C, and the heat in kWh that the landlord has planned. Predict the heat of each of these days in kWh, in the order of the file. It is known now how much it was: predictions should be wrong by at most 34 kWh in the mean (mean absolute error). Print them as whole numbers on one line, separated by spaces.
#
# Thought: Only the days under the new control say how much is used now, each kind by its own line. The plan is last year's heat.

# %% [markdown] lang="cn"
# `{{ data }}/next.csv` 是 {{ year + 1 }}-01-01 至 {{ year + 1 }}-02-28 的各日，含预报的平均气温（°C）和业主计划的用热量（千瓦时）。按文件中的顺序预测这些日子每天的用热量（千瓦时）。实际值现已知道：预测的平均误差（平均绝对误差）应不超过 34 千瓦时。将预测值取整，打印在同一行，用空格分隔。
#
# Thought: 只有启用新控制器后的日子能说明现在用多少热，两类日子各用一条直线。计划值是上一年的用热量。

# %%
coming = pd.read_csv('{{ data }}/next.csv', sep=';')
coming['group'] = kind.reindex(pd.to_datetime(coming['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')).values
now = {name: np.polyfit(15 - one['temperature'], one['heat'], 1) for name, one in later.groupby('group')}
predicted = [np.polyval(now[name], 15 - value) for name, value in zip(coming['group'], coming['forecast'])]
print(*(round(float(value)) for value in predicted))

# %% naive="careless" trap="the days before the new control are fitted, too"
coming = pd.read_csv('{{ data }}/next.csv', sep=';')
coming['group'] = kind.reindex(pd.to_datetime(coming['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')).values
now = {name: np.polyfit(15 - one['temperature'], one['heat'], 1) for name, one in kept.groupby('group')}
predicted = [np.polyval(now[name], 15 - value) for name, value in zip(coming['group'], coming['forecast'])]
print(*(round(float(value)) for value in predicted))

# %% naive="literal" trap="one line for both kinds of days"
coming = pd.read_csv('{{ data }}/next.csv', sep=';')
coming['group'] = kind.reindex(pd.to_datetime(coming['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')).values
line = np.polyfit(15 - later['temperature'], later['heat'], 1)
print(*(round(float(np.polyval(line, 15 - value))) for value in coming['forecast']))

# %% naive="shortcut" trap="the landlord's plan is taken"
coming = pd.read_csv('{{ data }}/next.csv', sep=';')
coming['group'] = kind.reindex(pd.to_datetime(coming['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')).values
print(*coming['plan_kwh_heat'])

# %% [markdown] kind="num" modules="pandas" held_out="electricity" metric="mae" bound="22"
# Predict the electricity in kWh that the building uses on each of the days of `{{ data }}/next.csv`, in the order of the file. The predictions should be wrong by at most 22 kWh in the mean (mean absolute error). Print them with 1 decimal place on one line, separated by spaces.
#
# Thought: The building uses what it has used since autumn, by kind of day, in corrected kWh.

# %% [markdown] lang="cn"
# 按 `{{ data }}/next.csv` 中的顺序预测其中每一天建筑的用电量（千瓦时）。预测的平均误差（平均绝对误差）应不超过 22 千瓦时。将预测值保留 1 位小数，打印在同一行，用空格分隔。
#
# Thought: 建筑的用电与秋季以来相同，按日子的类别、以改正后的千瓦时计。

# %%
autumn = daily[daily.index >= '{{ year }}-09-01']
usual = autumn.groupby(kind.reindex(autumn.index)).median()
print(*(f'{usual[name]:.1f}' for name in coming['group']))

# %% naive="careless" trap="the factor of before the exchange is used"
autumn = raw[raw['day'].str[3:5].astype(int) >= 9].drop(columns=['day', 'sent']).astype(float)
autumn = autumn.where(autumn != 65535).sum(axis=1) / 1000 * ({{ old }} / 5)
names = raw.loc[autumn.index, 'day'].map(lambda day: kind[f'{day[6:]}-{day[3:5]}-{day[:2]}'])
usual = autumn.groupby(names).median()
print(*(f'{usual[name]:.1f}' for name in coming['group']))

# %% naive="literal shortcut" trap="weekends alone are free days"
ends = pd.to_datetime(coming['day'], format='%d.%m.%Y').dt.weekday >= 5
usual = daily.groupby(pd.to_datetime(daily.index).weekday >= 5).mean()
print(*(f'{usual[bool(end)]:.1f}' for end in ends))

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw for the months 1 to 12 of {{ year }} the sum of `kwh` in `load` by local month as bars in `steelblue` with the label `load`, and what was billed for the month as an `orange` line with markers and the label `bill`, with a legend. Title `{{ title_bills }}`, x label `{{ x_bills }}`, y label `{{ y_hour }}`, figure size (8, 4). Call `plt.show()`.
#
# Thought: With the corrected values both agree, but for the hours that have no value.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 {{ year }} 年的月份 1 到 12 为横坐标，将 `load` 的 `kwh` 按当地月份求和，画成 `steelblue` 色的柱，标签为 `load`；将当月账单的电量画成带标记的 `orange` 色的线，标签为 `bill`；显示图例。标题 `{{ title_bills }}`，横轴标签 `{{ x_bills }}`，纵轴标签 `{{ y_hour }}`，图像大小 (8, 4)，最后调用 `plt.show()`。
#
# Thought: 改正之后两者相符，只差没有值的那些小时。

# %%
metered = load['kwh'].groupby(local.dt.month).sum()
plt.figure(figsize=(8, 4))
plt.bar(metered.index, metered, color='steelblue', label='load')
plt.plot(range(1, 13), billed, color='orange', marker='o', label='bill')
plt.legend()
plt.title('{{ title_bills }}')
plt.xlabel('{{ x_bills }}')
plt.ylabel('{{ y_hour }}')
plt.show()

# %% naive="careless literal" trap="the sums that were made before the correction are drawn"
plt.figure(figsize=(8, 4))
plt.bar(range(1, 13), metered, color='steelblue', label='load')
plt.plot(range(1, 13), billed, color='orange', marker='o', label='bill')
plt.legend()
plt.title('{{ title_bills }}')
plt.xlabel('{{ x_bills }}')
plt.ylabel('{{ y_hour }}')
plt.show()
