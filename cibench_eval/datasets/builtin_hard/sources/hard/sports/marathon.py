# ---
# jupyter:
#   instances:
#     river: {seed: 7, runners: 300, gap: 8, lost: 24}
#     harbour: {seed: 58, runners: 260, gap: 12, lost: 20}
#   varied:
#     seed: {between: [1, 1000000]}
#     runners: {between: [250, 320]}
#     gap: {pick: [8, 10, 12]}
#     lost: {between: [18, 26]}
#   words:
#     title: {en: Pace of the waves, cn: 各批次的配速}
#     x_label: {en: End of the section in km, cn: 路段终点（公里）}
#     y_label: {en: Median pace in s/km, cn: 配速中位数（秒/公里）}
# ---

# %% [markdown] kind="exec" modules="pandas"
# The files of a marathon are in `{{ data }}/`: `reads.csv`, `startlist.csv`, `status.csv`, `marshals.csv`, `tracking.csv` and `lost.csv`. `{{ data }}/readme.txt` says what is in them and what the rules are.
# Make a DataFrame `runs` with one row for each runner who has a result by the rules. Runners of `lost.csv` have none. Its columns are `bib` (int), `sex`, `wave` (int), `net` (net time in seconds, int) and `gun` (gun time in seconds, int). Sort it by `bib`.
#
# Thought: Count hours on over midnight, take the last read at the start and the first elsewhere, and leave out whoever is in status.csv or took the short way.

# %% [markdown] lang="cn"
# 一场马拉松的文件在 `{{ data }}/` 中：`reads.csv`、`startlist.csv`、`status.csv`、`marshals.csv`、`tracking.csv` 和 `lost.csv`。各文件的内容和规则见 `{{ data }}/readme.txt`。
# 生成名为 `runs` 的 DataFrame，按规则有成绩的跑者每人一行，`lost.csv` 中的跑者没有成绩。列为 `bib`（整数）、`sex`、`wave`（整数）、`net`（净计时，秒，整数）和 `gun`（枪声计时，秒，整数），按 `bib` 排序。
#
# Thought: 午夜之后小时数继续累加；起点取最后一次读数，其他计时毯取第一次；去掉 status.csv 中的人和抄近路的人。

# %%
import pandas as pd

reads = pd.read_csv('{{ data }}/reads.csv')
reads['time'] = pd.to_timedelta(reads['clock']).dt.total_seconds().astype(int)
reads.loc[reads['time'] < 12 * 3600, 'time'] += 24 * 3600
first = reads.drop_duplicates(['mat', 'bib'], keep='first').pivot(index='bib', columns='mat', values='time')
last = reads.drop_duplicates(['mat', 'bib'], keep='last').pivot(index='bib', columns='mat', values='time')
at = first.assign(start=last['start'])

entries = pd.read_csv('{{ data }}/startlist.csv', sep=';').set_index('bib')
status = pd.read_csv('{{ data }}/status.csv')
out = status['bib'].str.replace('#', '', regex=False).astype(int)
whole = at[['start', 'finish']].notna().all(axis=1) & (at[['k10', 'half', 'k30']].notna().sum(axis=1) >= 2)
good = at[whole & ~at.index.isin(out)]

runs = entries.loc[good.index, ['sex', 'wave']].copy()
runs['net'] = (good['finish'] - good['start']).astype(int)
runs['gun'] = (good['finish'] - (20 * 3600 + (runs['wave'] - 1) * {{ gap }} * 60)).astype(int)
runs = runs.reset_index().sort_values('bib').reset_index(drop=True)

# %% naive="careless" trap="the first read at the start is taken, which was warming up"
import pandas as pd

reads = pd.read_csv('{{ data }}/reads.csv')
reads['time'] = pd.to_timedelta(reads['clock']).dt.total_seconds().astype(int)
reads.loc[reads['time'] < 12 * 3600, 'time'] += 24 * 3600
at = reads.drop_duplicates(['mat', 'bib']).pivot(index='bib', columns='mat', values='time')
entries = pd.read_csv('{{ data }}/startlist.csv', sep=';').set_index('bib')
status = pd.read_csv('{{ data }}/status.csv')
out = status['bib'].str.replace('#', '', regex=False).astype(int)
whole = at[['start', 'finish']].notna().all(axis=1) & (at[['k10', 'half', 'k30']].notna().sum(axis=1) >= 2)
good = at[whole & ~at.index.isin(out)]
runs = entries.loc[good.index, ['sex', 'wave']].copy()
runs['net'] = (good['finish'] - good['start']).astype(int)
runs['gun'] = (good['finish'] - (20 * 3600 + (runs['wave'] - 1) * {{ gap }} * 60)).astype(int)
runs = runs.reset_index().sort_values('bib').reset_index(drop=True)

# %% naive="literal" trap="the list of those who gave up does not match the other numbers"
import pandas as pd

reads = pd.read_csv('{{ data }}/reads.csv')
reads['time'] = pd.to_timedelta(reads['clock']).dt.total_seconds().astype(int)
reads.loc[reads['time'] < 12 * 3600, 'time'] += 24 * 3600
first = reads.drop_duplicates(['mat', 'bib'], keep='first').pivot(index='bib', columns='mat', values='time')
last = reads.drop_duplicates(['mat', 'bib'], keep='last').pivot(index='bib', columns='mat', values='time')
at = first.assign(start=last['start'])
entries = pd.read_csv('{{ data }}/startlist.csv', sep=';').set_index('bib')
status = pd.read_csv('{{ data }}/status.csv')
out = status['bib']
whole = at[['start', 'finish']].notna().all(axis=1) & (at[['k10', 'half', 'k30']].notna().sum(axis=1) >= 2)
good = at[whole & ~at.index.astype(str).isin(out)]
runs = entries.loc[good.index, ['sex', 'wave']].copy()
runs['net'] = (good['finish'] - good['start']).astype(int)
runs['gun'] = (good['finish'] - (20 * 3600 + (runs['wave'] - 1) * {{ gap }} * 60)).astype(int)
runs = runs.reset_index().sort_values('bib').reset_index(drop=True)

# %% naive="shortcut" trap="all who were read at start and finish have a result, with the least and the greatest time"
import pandas as pd

reads = pd.read_csv('{{ data }}/reads.csv')
reads['time'] = pd.to_timedelta(reads['clock']).dt.total_seconds().astype(int)
reads.loc[reads['time'] < 12 * 3600, 'time'] += 24 * 3600
first = reads.groupby(['bib', 'mat'])['time'].min().unstack()
at = first.assign(finish=reads.groupby(['bib', 'mat'])['time'].max().unstack()['finish'])
entries = pd.read_csv('{{ data }}/startlist.csv', sep=';').set_index('bib')
good = at[at[['start', 'finish']].notna().all(axis=1)]
runs = entries.loc[good.index, ['sex', 'wave']].copy()
runs['net'] = (good['finish'] - good['start']).astype(int)
runs['gun'] = (good['finish'] - (20 * 3600 + (runs['wave'] - 1) * {{ gap }} * 60)).astype(int)
runs = runs.reset_index().sort_values('bib').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="list[count]"
# Print the bibs of the winners of the first five women's prizes, from the first prize on, on one line, separated by spaces.
#
# Thought: The readme says by which time the prizes go and among whom.

# %% [markdown] lang="cn"
# 在同一行打印获得女子前五名奖金的跑者的参赛号，从第一名起，用空格分隔。
#
# Thought: 说明文件交代了奖金按哪种计时、在哪些人之中颁发。

# %%
women = runs[(runs['sex'] == 'W') & (runs['wave'] == 1)]
answer = list(women.sort_values('gun')['bib'].head(5))
print(*answer)

# %% naive="careless shortcut" trap="prizes are given by net time"
print(*runs[runs['sex'] == 'W'].sort_values('net')['bib'].head(5))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the first four clubs of the club ranking, from the first place on, on one line, separated by `, `. Blanks around the names left out, write them as most of their runners do: `LG Nordtal`, not `lg nordtal`.
#
# Thought: Put the clubs' names in one form, then take the three fastest, or the two fastest and the fastest woman.

# %% [markdown] lang="cn"
# 在同一行打印俱乐部排名的前四名，从第一名起，用 `, ` 分隔。名称去掉首尾空格，写法与多数跑者所写的一致：写 `LG Nordtal`，不写 `lg nordtal`。
#
# Thought: 先统一俱乐部名称的写法，再取最快的三人，或最快的两人加最快的女跑者。

# %%
names = entries['club'].dropna().str.strip()
names = names[names != '']
usual = names.groupby(names.str.lower()).agg(lambda group: group.value_counts().index[0])
members = runs.assign(club=runs['bib'].map(names.str.lower().map(usual))).dropna(subset=['club'])
sums = {}
for club, own in members.sort_values('net').groupby('club'):
    team, women = own.head(3), own[own['sex'] == 'W']
    if len(women) and len(own) > 2:
        if not (team['sex'] == 'W').any():
            team = pd.concat([own.head(2), women.head(1)])
        sums[club] = team['net'].sum()
answer = list(pd.Series(sums).nsmallest(4).index)
print(', '.join(answer))

# %% naive="careless literal" trap="teams without a woman are ranked"
names = entries['club'].dropna().str.strip()
names = names[names != '']
usual = names.groupby(names.str.lower()).agg(lambda group: group.value_counts().index[0])
members = runs.assign(club=runs['bib'].map(names.str.lower().map(usual))).dropna(subset=['club'])
sums = members.sort_values('net').groupby('club').head(3).groupby('club')['net'].sum()
print(', '.join(sums.nsmallest(4).index))

# %% [markdown] kind="num" modules="pandas" answer="[text, count, count]"
# The clock of one of the mats `k10`, `half` and `k30` was moved while the race was on: from one line of its log to the last it shows a whole number of minutes too much or too little. Before that line it is right. Print the mat, the number of minutes (positive if the clock shows too much), and the number of lines of its log that have a wrong time, on one line, separated by spaces.
#
# Thought: Hand times tell the mat, the minutes and between which lines it happened; the log itself, whose lines are in order, tells the line.

# %% [markdown] lang="cn"
# 在 `k10`、`half` 和 `k30` 三块计时毯中，有一块的时钟在比赛途中被拨动过：从其日志的某一行起直到最后一行，显示的时间都多了或少了整数分钟，在那一行之前是正确的。在同一行打印：这块计时毯、分钟数（显示偏多为正）、日志中时间错误的行数，用空格分隔。
#
# Thought: 手记时间可看出是哪块毯、差多少分钟、发生在哪些行之间；日志各行按先后排列，可定出具体的行。

# %%
hand = pd.read_csv('{{ data }}/marshals.csv')
hand['true'] = pd.to_timedelta(hand['time']).dt.total_seconds().astype(int)
hand.loc[hand['true'] < 12 * 3600, 'true'] += 24 * 3600
for mat in ('k10', 'half', 'k30'):
    log = reads[reads['mat'] == mat].reset_index(drop=True)
    own = hand[hand['mat'] == mat].copy()
    own['line'] = [log.index[log['bib'] == bib][0] for bib in own['bib']]
    own['fast'] = log['time'].loc[own['line']].to_numpy() - own['true']
    if own['fast'].abs().max() > 60:
        moved = mat
        wrong = own[own['fast'].abs() > 60]
        minutes = int(round(wrong['fast'].median() / 60))
        before = own.loc[own['fast'].abs() <= 60, 'line'].max()
        steps = log['time'].diff().loc[before + 1 : wrong['line'].min()]
        cut = int(steps.abs().idxmax())
        lines = len(log) - cut
answer = [moved, minutes, lines]
print(*answer)

# %% naive="careless" trap="the mean over all hand times, and all lines of the mat"
hand = pd.read_csv('{{ data }}/marshals.csv')
hand['true'] = pd.to_timedelta(hand['time']).dt.total_seconds().astype(int)
hand.loc[hand['true'] < 12 * 3600, 'true'] += 24 * 3600
hand = hand.merge(reads.drop_duplicates(['mat', 'bib']), on=['mat', 'bib'])
fast = (hand['time_y'] - hand['true']).groupby(hand['mat']).mean()
moved = fast.abs().idxmax()
minutes = int(round(fast[moved] / 60))
cut, lines = 0, int((reads['mat'] == moved).sum())
print(moved, minutes, lines)

# %% naive="literal shortcut" trap="the first hand time that is wrong is taken for the first wrong line"
hand = pd.read_csv('{{ data }}/marshals.csv')
hand['true'] = pd.to_timedelta(hand['time']).dt.total_seconds().astype(int)
hand.loc[hand['true'] < 12 * 3600, 'true'] += 24 * 3600
hand = hand.merge(reads.drop_duplicates(['mat', 'bib']), on=['mat', 'bib'])
fast = hand['time_y'] - hand['true']
wrong = hand[fast.abs() > 60]
moved, minutes = wrong['mat'].iloc[0], int(round(fast[wrong.index].median() / 60))
log = reads[reads['mat'] == moved].reset_index(drop=True)
cut = min(log.index[log['bib'] == bib][0] for bib in wrong['bib'])
lines = len(log) - cut
print(moved, minutes, lines)

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `splits` with one row for each runner of `runs` and the columns `bib`, `k10`, `half` and `k30`: the right times in seconds from the runner's start mat to these mats (float, missing where the mat has not read the runner). Sort it by `bib`.
#
# Thought: Set the wrong lines right, then take the first read of each runner.

# %% [markdown] lang="cn"
# 生成名为 `splits` 的 DataFrame，`runs` 中的跑者每人一行，列为 `bib`、`k10`、`half` 和 `k30`：从该跑者过起点计时毯到过这些计时毯的正确用时（秒，浮点数；没有读数则为缺失值），按 `bib` 排序。
#
# Thought: 先改正错误的行，再取每名跑者的第一次读数。

# %%
right = reads.copy()
rows = right.index[right['mat'] == moved][cut:]
right.loc[rows, 'time'] -= 60 * minutes
course = right.drop_duplicates(['mat', 'bib']).pivot(index='bib', columns='mat', values='time')
course = course[['k10', 'half', 'k30']].sub(at['start'], axis=0).astype(float)
splits = course.loc[runs['bib']].reset_index()
splits.columns.name = None

# %% naive="careless shortcut" trap="all lines of the mat are moved back"
right = reads.copy()
right.loc[right['mat'] == moved, 'time'] -= 60 * minutes
course = right.drop_duplicates(['mat', 'bib']).pivot(index='bib', columns='mat', values='time')
course = course[['k10', 'half', 'k30']].sub(at['start'], axis=0).astype(float)
splits = course.loc[runs['bib']].reset_index()
splits.columns.name = None

# %% naive="literal" trap="the times are taken as the mats have them"
course = first[['k10', 'half', 'k30']].sub(at['start'], axis=0).astype(float)
splits = course.loc[runs['bib']].reset_index()
splits.columns.name = None

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the median pace of each wave in four sections, from the runners of `runs` who were read on all three mats of the course: start to `k10`, `k10` to `half`, `half` to `k30`, `k30` to finish. One line a wave, with the ends of the sections in km (10, 21.0975, 30, 42.195) as x and the median over the wave's runners of seconds per km as y. The legend has `1`, `2` and `3`, the colors are `teal`, `darkorange` and `gray`. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (7, 4). Call `plt.show()`.
#
# Thought: Differences of the right splits, divided by the lengths of the sections.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用 `runs` 中在途中三块计时毯都有读数的跑者，画出各批次在四个路段的配速中位数：起点到 `k10`、`k10` 到 `half`、`half` 到 `k30`、`k30` 到终点。每个批次一条折线，横坐标为路段终点的公里数（10、21.0975、30、42.195），纵坐标为该批次跑者每公里秒数的中位数。图例为 `1`、`2` 和 `3`，颜色依次为 `teal`、`darkorange` 和 `gray`。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 由正确的分段时间求差，再除以路段长度。

# %%
import matplotlib.pyplot as plt
import numpy as np

ends = np.array([10, 21.0975, 30, 42.195])
times = runs.merge(splits, on='bib').dropna()
passed = times[['k10', 'half', 'k30', 'net']].to_numpy()
paces = np.diff(passed, axis=1, prepend=0) / np.diff(ends, prepend=0)
plt.figure(figsize=(7, 4))
for wave, color in ((1, 'teal'), (2, 'darkorange'), (3, 'gray')):
    plt.plot(ends, np.median(paces[times['wave'] == wave], axis=0), color=color, label=str(wave))
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="real(1)"
# What did the new drink do? Estimate its effect on the net time of the runners of `runs`, in seconds: mean net time with the drink minus mean net time without it, comparing only runners whose chances of getting the drink were the same. Where that gives several differences, take their mean weighted by the numbers of runners of `runs` compared. Print the effect with 1 decimal place.
#
# Thought: Chances were the same inside a wave; over all waves fast runners have the drink more often.

# %% [markdown] lang="cn"
# 新饮料有什么作用？估计它对 `runs` 中跑者净计时的影响（秒）：喝了的平均净计时减去没喝的平均净计时，只在得到饮料的机会相同的跑者之间比较。若由此得到多个差，按所比较的 `runs` 中跑者人数加权平均。打印该影响，保留 1 位小数。
#
# Thought: 同一批次内机会相同；若合并各批次，快的跑者更常得到饮料。

# %%
given = runs.assign(drink=runs['bib'].map(entries['drink']))
means = given.groupby(['wave', 'drink'])['net'].mean().unstack()
sizes = given.groupby('wave').size()
answer = ((means['yes'] - means['no']) * sizes).sum() / sizes.sum()
print(f'{answer:.1f}')

# %% naive="careless literal" trap="fast waves had the drink more often (Simpson)"
given = runs.assign(drink=runs['bib'].map(entries['drink']))
means = given.groupby('drink')['net'].mean()
print(f'{means["yes"] - means["no"]:.1f}')

# %% [markdown] kind="num" modules="sklearn" held_out="lost" metric="mae" bound="210"
# Predict the net times of the runners of `lost.csv`, with a mean absolute error below 210 seconds. Print the predictions in seconds without decimals, in the order of `lost.csv`, on one line, separated by spaces.
#
# Thought: The app's speed holds the whole race for the others and 30 km for these; the right splits are alike for both.

# %% [markdown] lang="cn"
# 预测 `lost.csv` 中跑者的净计时，平均绝对误差须低于 210 秒。在同一行按 `lost.csv` 的顺序打印以秒计的预测值，不带小数，用空格分隔。
#
# Thought: 应用给出的速度对其他人是全程的，对这些人只到 30 公里；正确的分段时间对两者含义相同。

# %%
from sklearn.linear_model import LinearRegression

lost = pd.read_csv('{{ data }}/lost.csv')['bib']
train = runs.set_index('bib').join(course).dropna()
model = LinearRegression().fit(train[['k10', 'half', 'k30']], train['net'])
print(*(f'{value:.0f}' for value in model.predict(course.loc[lost])))

# %% naive="careless literal" trap="the app's speed gives the target away for those who finished, and only for them"
from sklearn.linear_model import LinearRegression

lost = pd.read_csv('{{ data }}/lost.csv')['bib']
speed = pd.read_csv('{{ data }}/tracking.csv').set_index('bib')['avg_kmh']
every = course.assign(pace=3600 / speed)
train = runs.set_index('bib').join(every).dropna()
model = LinearRegression().fit(train[['k10', 'half', 'k30', 'pace']], train['net'])
print(*(f'{value:.0f}' for value in model.predict(every.loc[lost, ['k10', 'half', 'k30', 'pace']])))

# %% naive="shortcut" trap="the distance by the app's speed, which is that of 30 km"
lost = pd.read_csv('{{ data }}/lost.csv')['bib']
speed = pd.read_csv('{{ data }}/tracking.csv').set_index('bib')['avg_kmh']
print(*(f'{value:.0f}' for value in 42.195 / speed.loc[lost] * 3600))
