# ---
# jupyter:
#   instances:
#     ferry: {seed: 28, workers: 7, switch: 10, turn: 5, night: 3}
#     depot: {seed: 64, workers: 8, switch: 9, turn: 6, night: 4}
#   varied:
#     seed: {between: [1, 1000000]}
#     workers: {between: [7, 8]}
#     switch: {between: [9, 10]}
#     turn: {between: [4, 7]}
#     night: {between: [3, 4]}
#   words:
#     title: {en: Searches by worker, cn: 各工作进程的搜索请求}
#     x_label: {en: day, cn: 日期}
#     y_label: {en: median seconds, cn: 秒数中位数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A service has written the log files `{{ data }}/service.log.1` and `{{ data }}/service.log`. How to read them is said in `{{ data }}/notes.txt`.
# Make a DataFrame `records` with one row for each record as it is written, in the order of writing. Its columns are `time` (in UTC, as text `YYYY-MM-DD HH:MM:SS`), `level`, `worker` (without brackets), `message`, `detail` (its lines joined by `\n`, empty text where there is none) and `count` (integer: how many times the record came). Number the rows from 0.
#
# Thought: The second file begins with the longest end of the first, which must be cut; lines that merely begin with a time are no records.

# %% [markdown] lang="cn"
# 一个服务写下了日志文件 `{{ data }}/service.log.1` 和 `{{ data }}/service.log`，读法见 `{{ data }}/notes.txt`。
# 生成名为 `records` 的 DataFrame，写入的每条记录占一行，按写入顺序排列。列为 `time`（UTC 时间，文本 `YYYY-MM-DD HH:MM:SS`）、`level`、`worker`（不含方括号）、`message`、`detail`（各行用 `\n` 连接，没有则为空文本）和 `count`（整数：该记录出现的次数）。行号从 0 开始。
#
# Thought: 第二个文件以第一个文件的末尾开头，须去掉最长的重合部分；仅以时间开头的行不是记录。

# %%
import re

import pandas as pd

old = open('{{ data }}/service.log.1', encoding='utf-8').read().splitlines()
new = open('{{ data }}/service.log', encoding='utf-8').read().splitlines()
taken = max(number for number in range(min(len(old), len(new))) if old[len(old) - number :] == new[:number])
HEAD = re.compile(r'(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([A-Z]+) \[(\w+)\] (.*)')
rows = []
for line in old + new[taken:]:
    head = HEAD.fullmatch(line)
    if not head:
        rows[-1][4].append(line)
    elif again := re.fullmatch(r'last message repeated (\d+) times', head[4]):
        rows[-1][5] += int(again[1])
    else:
        rows.append([head[1], head[2], head[3], head[4], [], 1])
records = pd.DataFrame(rows, columns=['time', 'level', 'worker', 'message', 'detail', 'count'])
records['detail'] = records['detail'].str.join('\n')
modern = records['time'].str.endswith('Z')
berlin = pd.to_datetime(records.loc[~modern, 'time'], format='%d/%m/%Y %H:%M:%S').dt.tz_localize('Europe/Berlin')
utc = pd.to_datetime(records.loc[modern, 'time'], format='%Y-%m-%dT%H:%M:%SZ').dt.tz_localize('UTC')
records['time'] = pd.concat([berlin.dt.tz_convert('UTC'), utc]).dt.strftime('%Y-%m-%d %H:%M:%S')

# %% naive="careless" trap="the lines that the second file has taken along count twice"
import re

import pandas as pd

old = open('{{ data }}/service.log.1', encoding='utf-8').read().splitlines()
new = open('{{ data }}/service.log', encoding='utf-8').read().splitlines()
HEAD = re.compile(r'(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([A-Z]+) \[(\w+)\] (.*)')
rows = []
for line in old + new:
    head = HEAD.fullmatch(line)
    if not head:
        rows[-1][4].append(line)
    elif again := re.fullmatch(r'last message repeated (\d+) times', head[4]):
        rows[-1][5] += int(again[1])
    else:
        rows.append([head[1], head[2], head[3], head[4], [], 1])
records = pd.DataFrame(rows, columns=['time', 'level', 'worker', 'message', 'detail', 'count'])
records['detail'] = records['detail'].str.join('\n')
modern = records['time'].str.endswith('Z')
berlin = pd.to_datetime(records.loc[~modern, 'time'], format='%d/%m/%Y %H:%M:%S').dt.tz_localize('Europe/Berlin')
utc = pd.to_datetime(records.loc[modern, 'time'], format='%Y-%m-%dT%H:%M:%SZ').dt.tz_localize('UTC')
records['time'] = pd.concat([berlin.dt.tz_convert('UTC'), utc]).dt.strftime('%Y-%m-%d %H:%M:%S')

# %% naive="literal" trap="equal records are dropped, also those that came twice in a second"
import re

import pandas as pd

old = open('{{ data }}/service.log.1', encoding='utf-8').read().splitlines()
new = open('{{ data }}/service.log', encoding='utf-8').read().splitlines()
HEAD = re.compile(r'(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([A-Z]+) \[(\w+)\] (.*)')
rows = []
for line in old + new:
    head = HEAD.fullmatch(line)
    if not head:
        rows[-1][4].append(line)
    elif again := re.fullmatch(r'last message repeated (\d+) times', head[4]):
        rows[-1][5] += int(again[1])
    else:
        rows.append([head[1], head[2], head[3], head[4], [], 1])
records = pd.DataFrame(rows, columns=['time', 'level', 'worker', 'message', 'detail', 'count'])
records['detail'] = records['detail'].str.join('\n')
records = records.drop_duplicates().reset_index(drop=True)
modern = records['time'].str.endswith('Z')
berlin = pd.to_datetime(records.loc[~modern, 'time'], format='%d/%m/%Y %H:%M:%S').dt.tz_localize('Europe/Berlin')
utc = pd.to_datetime(records.loc[modern, 'time'], format='%Y-%m-%dT%H:%M:%SZ').dt.tz_localize('UTC')
records['time'] = pd.concat([berlin.dt.tz_convert('UTC'), utc]).dt.strftime('%Y-%m-%d %H:%M:%S')

# %% naive="shortcut" trap="the old version's clock is taken for UTC, and repetitions for records"
import re

import pandas as pd

old = open('{{ data }}/service.log.1', encoding='utf-8').read().splitlines()
new = open('{{ data }}/service.log', encoding='utf-8').read().splitlines()
taken = max(number for number in range(min(len(old), len(new))) if old[len(old) - number :] == new[:number])
HEAD = re.compile(r'(\d\d/\d\d/\d{4} \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ) ([A-Z]+) \[(\w+)\] (.*)')
rows = []
for line in old + new[taken:]:
    head = HEAD.fullmatch(line)
    if head:
        rows.append([head[1], head[2], head[3], head[4], [], 1])
    else:
        rows[-1][4].append(line)
records = pd.DataFrame(rows, columns=['time', 'level', 'worker', 'message', 'detail', 'count'])
records['detail'] = records['detail'].str.join('\n')
records['time'] = [
    pd.to_datetime(time.rstrip('Z'), dayfirst='/' in time).strftime('%Y-%m-%d %H:%M:%S') for time in records['time']
]

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print how many times records came altogether, how many times records of level `WARN` came, and how many lines the longest record has with its first line, on one line, separated by spaces.
#
# Thought: The first two are sums of `count`.

# %% [markdown] lang="cn"
# 在同一行打印：记录总共出现的次数、`WARN` 级别的记录出现的次数，以及最长的记录连同首行共有多少行，用空格分隔。
#
# Thought: 前两个数是 `count` 之和。

# %%
lengths = [1 + (detail.count('\n') + 1 if detail else 0) for detail in records['detail']]
answer = [records['count'].sum(), records.loc[records['level'] == 'WARN', 'count'].sum(), max(lengths)]
print(*answer)

# %% naive="literal shortcut" trap="rows are counted in place of how often they came"
lengths = [1 + (detail.count('\n') + 1 if detail else 0) for detail in records['detail']]
print(len(records), (records['level'] == 'WARN').sum(), max(lengths))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# For each row of `records` with a traceback take the class of the exception that was raised first, without its module. Print the 3 classes that most rows have, the most frequent first, and in alphabetical order where they are equally frequent, on one line, separated by `, `.
#
# Thought: The line that ends the first traceback begins without a blank; its name may have a module in front.

# %% [markdown] lang="cn"
# 对 `records` 中每个含有 traceback 的行，取最先抛出的异常的类名，不含模块名。在同一行打印行数最多的 3 个类名，从多到少排列，行数相同的按字母顺序，用 `, ` 分隔。
#
# Thought: 第一个 traceback 的结束行没有缩进，类名前可能有模块名。

# %%
first = records['detail'].str.extract(r'(?m)^(?:[a-z_]+\.)*([A-Z]\w*): ')[0].dropna().value_counts()
answer = sorted(first.index, key=lambda name: (-first[name], name))[:3]
print(', '.join(answer))

# %% naive="careless literal" trap="the last exception of a chain is taken"
last = [
    re.findall(r'([A-Z]\w+): ', detail)[-1] for detail in records['detail'] if 'Traceback' in detail
]
last = pd.Series(last).value_counts()
print(', '.join(sorted(last.index, key=lambda name: (-last[name], name))[:3]))

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `requests` with one row for each request that began, in the order of `records`, numbered from 0. Its columns are `time` (of its beginning, as in `records`), `worker`, `path`, `status` (float) and `seconds` (float), the last two missing where the request was lost.
#
# Thought: Numbers begin again with each start, and the unit of `took` has to be read.

# %% [markdown] lang="cn"
# 生成名为 `requests` 的 DataFrame，每个已开始的请求占一行，按 `records` 的顺序排列，行号从 0 开始。列为 `time`（开始时间，写法同 `records`）、`worker`、`path`、`status`（浮点数）和 `seconds`（浮点数），丢失的请求后两列为缺失值。
#
# Thought: 每次启动后编号重新开始，且要看清 `took` 的单位。

# %%
rows, open_rows = [], {}
for moment, name, said in zip(records['time'], records['worker'], records['message']):
    if said.startswith('service started'):
        open_rows = {}
    elif begun := re.fullmatch(r'request (\d+) GET (\S+)', said):
        open_rows[begun[1]] = len(rows)
        rows.append([moment, name, begun[2], float('nan'), float('nan')])
    elif done := re.fullmatch(r'request (\d+) done status=(\d+) took=([\d.]+)(m?s)', said):
        rows[open_rows[done[1]]][3:] = [float(done[2]), float(done[3]) / (1000 if done[4] == 'ms' else 1)]
requests = pd.DataFrame(rows, columns=['time', 'worker', 'path', 'status', 'seconds'])

# %% naive="careless shortcut" trap="the numbers that begin again make one request of several"
begun = records['message'].str.extract(r'request (\d+) GET (\S+)').dropna()
done = records['message'].str.extract(r'request (\d+) done status=(\d+) took=([\d.]+)(m?s)').dropna()
done = done.drop_duplicates(0, keep='last').set_index(0)
requests = records.loc[begun.index, ['time', 'worker']].assign(path=begun[1])
requests['status'] = begun[0].map(done[1]).astype(float)
requests['seconds'] = begun[0].map(done[2]).astype(float) / begun[0].map(done[3]).map({'s': 1, 'ms': 1000})
requests = requests.reset_index(drop=True)

# %% [markdown] kind="vis" modules="matplotlib"
# Make a DataFrame `daily` of the median of `seconds` of the `/search` requests: a row for each day in UTC on which a `/search` request began (text `YYYY-MM-DD`), in order, and a column for each worker.
# Draw `daily` with one line for each worker over the days, with a legend of the workers, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (9, 4), the ticks of the x axis turned by 45 degrees, and call `plt.show()`.
#
# Thought: The day is the first ten characters of `time`.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 生成 DataFrame `daily`，为 `/search` 请求 `seconds` 的中位数：有 `/search` 请求开始的每个 UTC 日期一行（文本 `YYYY-MM-DD`），按日期顺序，每个工作进程一列。
# 以日期为横坐标，把 `daily` 的每一列画成一条线，图例为各工作进程，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (9, 4)，横轴刻度文字旋转 45 度，最后调用 `plt.show()`。
#
# Thought: 日期是 `time` 的前十个字符。

# %%
import matplotlib.pyplot as plt

search = requests[requests['path'] == '/search']
daily = search.groupby([search['time'].str[:10].rename('day'), 'worker'])['seconds'].median().unstack()
plt.figure(figsize=(9, 4))
for name in daily.columns:
    plt.plot(daily.index, daily[name], label=name)
plt.legend()
plt.xticks(rotation=45)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="[text, date]"
# One worker has become slow and has stayed so to the end. Print it and the first day on which it was slow as `YYYY-MM-DD`, on one line, separated by `, `.
#
# Thought: One worker is slow from the start and another on a single day; neither has become slow to stay so.

# %% [markdown] lang="cn"
# 有一个工作进程变慢了，并一直慢到最后。在同一行打印它的名称和变慢的第一天（`YYYY-MM-DD`），用 `, ` 分隔。
#
# Thought: 有一个从一开始就慢，另一个只在一天里慢，都不算变慢后一直如此。

# %%
slowed = (daily.tail(3).mean() / daily.head(4).median()).idxmax()
level = (daily[slowed].head(4).median() + daily[slowed].tail(3).mean()) / 2
day = [day for number, day in enumerate(daily.index) if (daily[slowed].iloc[number:] > level).all()][0]
answer = [slowed, day]
print(f'{answer[0]}, {answer[1]}')

# %% naive="careless" trap="the slowest day of all is a single one"
slowed = daily.max().idxmax()
print(f'{slowed}, {daily[slowed].idxmax()}')

# %% naive="shortcut literal" trap="the worker that is slow throughout has not become so"
slowed = daily.median().idxmax()
print(f'{slowed}, {daily[slowed].idxmax()}')

# %% [markdown] kind="num" modules="scipy" answer="[text, real(relative=0.005), count]"
# Leave that worker out. The others did their work under version 3 and then under version 4, each on a machine of its own. For each of them take the median `seconds` of its `/search` requests under either version. Did the new version change how long a worker takes? The tests at hand are `requests` (Welch's test between all `/search` requests of the two versions), `medians` (Welch's test between the medians of the two versions) and `pairs` (`scipy.stats.ttest_rel` on the medians). One of them fits.
# Print its name, the two-sided p-value with 3 significant digits, and how many of the workers became faster, on one line, separated by spaces.
#
# Thought: Requests of a worker are not independent, and each worker is its own control.

# %% [markdown] lang="cn"
# 不计该工作进程。其余的先在版本 3、后在版本 4 下工作，各在自己的机器上。对其中每一个，取它在两个版本下 `/search` 请求 `seconds` 的中位数。新版本是否改变了所需的时间？可选检验有 `requests`（对两个版本的全部 `/search` 请求做 Welch 检验）、`medians`（对两个版本的中位数做 Welch 检验）和 `pairs`（对中位数做 `scipy.stats.ttest_rel`），其中一种合适。
# 在同一行打印其名称、双侧 p 值（3 位有效数字）和变快的工作进程个数，用空格分隔。
#
# Thought: 同一进程的请求并不独立，每个进程就是自己的对照。

# %%
from scipy.stats import ttest_rel

upgraded = records.loc[records['message'].str.contains('version 4'), 'time'].min()
others = requests[(requests['path'] == '/search') & (requests['worker'] != slowed)]
version = (others['time'] >= upgraded).map({False: 3, True: 4}).rename('version')
middle = others.groupby(['worker', version])['seconds'].median().unstack()
answer = ['pairs', ttest_rel(middle[3], middle[4]).pvalue, int((middle[4] < middle[3]).sum())]
print(answer[0], f'{answer[1]:.3g}', answer[2])

# %% naive="careless" trap="requests of one worker are taken for independent ones"
from scipy.stats import ttest_ind

upgraded = records.loc[records['message'].str.contains('version 4'), 'time'].min()
others = requests[(requests['path'] == '/search') & (requests['worker'] != slowed)].dropna()
after = others['time'] >= upgraded
middle = others.groupby(['worker', after.rename('after')])['seconds'].median().unstack()
result = ttest_ind(others.loc[~after, 'seconds'], others.loc[after, 'seconds'], equal_var=False)
print('requests', f'{result.pvalue:.3g}', int((middle[True] < middle[False]).sum()))

# %% naive="literal shortcut" trap="the pairs of medians are taken for two independent groups"
from scipy.stats import ttest_ind

upgraded = records.loc[records['message'].str.contains('version 4'), 'time'].min()
others = requests[(requests['path'] == '/search') & (requests['worker'] != slowed)].dropna()
after = others['time'] >= upgraded
middle = others.groupby(['worker', after.rename('after')])['seconds'].median().unstack()
result = ttest_ind(middle[False], middle[True], equal_var=False)
print('medians', f'{result.pvalue:.3g}', int((middle[True] < middle[False]).sum()))

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1)]"
# A colleague looks for the hour of the day, in Berlin, at which the service is least reliable:
#
#     hours = records['time'].str[11:13].astype(int)
#     print(hours[records['level'] == 'ERROR'].value_counts().idxmax())
#
# Asked for is the hour at which the largest share of the requests that were done has failed. Requests of all workers count, each in the hour in which it began.
# Print the hour as a number from 0 to 23 and the share in percent with 1 decimal place, on one line, separated by a space.
#
# Thought: Turn the times into Berlin's, which changed to summer time between, and divide by the requests of the hour.

# %% [markdown] lang="cn"
# 一位同事想找出柏林时间一天中服务最不可靠的小时：
#
#     hours = records['time'].str[11:13].astype(int)
#     print(hours[records['level'] == 'ERROR'].value_counts().idxmax())
#
# 要找的是已完成的请求中失败比例最大的小时，计入所有工作进程的请求，按其的开始时间归入小时。
# 在同一行打印该小时（0 到 23 的数）和以百分数表示的比例（保留 1 位小数），用空格分隔。
#
# Thought: 把时间换成柏林时间（其间改为夏令时），再除以该小时的请求数。

# %%
done = requests.dropna()
hours = pd.to_datetime(done['time']).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin').dt.hour
share = 100 * (done['status'] >= 500).groupby(hours).mean()
answer = [share.idxmax(), share.max()]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless" trap="hours are UTC's"
done = requests.dropna()
share = 100 * (done['status'] >= 500).groupby(done['time'].str[11:13].astype(int)).mean()
print(share.idxmax(), f'{share.max():.1f}')

# %% naive="literal shortcut" trap="the busiest hour has the most errors"
hours = pd.to_datetime(records['time']).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin').dt.hour
errors = hours[records['level'] == 'ERROR'].value_counts()
print(errors.idxmax(), f'{100 * errors.max() / errors.sum():.1f}')
