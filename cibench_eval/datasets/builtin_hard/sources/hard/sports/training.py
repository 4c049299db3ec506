# ---
# jupyter:
#   instances:
#     lake: {seed: 6, squads: [north, south, west], size: 20, share: 0.4}
#     hill: {seed: 44, squads: [amber, indigo, olive], size: 22, share: 0.3}
#   varied:
#     seed: {between: [1, 1000000]}
#     squads: {pick: [[north, south, west], [amber, indigo, olive], [junior, senior, guest]]}
#     size: {between: [18, 24]}
#     share: {pick: [0.3, 0.4, 0.5]}
#   words:
#     title: {en: Change in the throw, cn: 投掷成绩的变化}
#     x_label: {en: Squad, cn: 小队}
#     y_label: {en: After less before in m, cn: 训练后减训练前（米）}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Athletes were tested before and after two months of training: `{{ data }}/before.csv` and `{{ data }}/after.csv`. `{{ data }}/codebook.txt` says what these and the other files in `{{ data }}/` mean.
# Make a DataFrame `best` with one row for each athlete and test that has a valid trial on both days. Its columns are `athlete` (`A` and two digits), `test`, `before` and `after` (float, what counts on these days, in s, cm, m or kg, not rounded). Sort it by `athlete`, then by `test`.
#
# Thought: Drop the sheets' means and what is not valid, bring units and numbers of athletes into one form; the best time is the least one.

# %% [markdown] lang="cn"
# 一批运动员在两个月训练前后各测试一次：`{{ data }}/before.csv` 和 `{{ data }}/after.csv`。这两个文件及 `{{ data }}/` 中其他文件的含义见 `{{ data }}/codebook.txt`。
# 生成名为 `best` 的 DataFrame，每名运动员的每个项目，若两天都有有效的试次，占一行。列为 `athlete`（`A` 加两位数字）、`test`、`before` 和 `after`（浮点数，为当天计入的成绩，单位为 s、cm、m 或 kg，不四舍五入）。先按 `athlete` 再按 `test` 排序。
#
# Thought: 去掉表格自己算的平均值和无效试次，统一单位和运动员编号；时间类项目以最小值为最好。

# %%
import pandas as pd

march = pd.read_csv('{{ data }}/before.csv', dtype={'athlete': str})
may = pd.read_csv('{{ data }}/after.csv', sep=';', decimal=',', encoding='cp1252', dtype={'Sportler': str})
may.columns = march.columns
times = ['agility', 'sprint10', 'sprint30']
factors = {'s': 1, 'ms': 0.001, 'kg': 1, 'lb': 0.45359237, 'cm': 1, 'in': 2.54, 'm': 1}


def counted(trials):
    trials = trials[(trials['athlete'] != 'MEAN') & ~trials['value'].isin([0, 999])].copy()
    trials['athlete'] = 'A' + trials['athlete'].str.replace('A', '', regex=False).str.zfill(2)
    trials['value'] = trials['value'] * trials['unit'].map(factors)
    groups = trials.groupby(['athlete', 'test'])['value']
    least, most = groups.min(), groups.max()
    return most.where(~most.index.get_level_values('test').isin(times), least)


best = pd.concat([counted(march).rename('before'), counted(may).rename('after')], axis=1).dropna()
best = best.reset_index().sort_values(['athlete', 'test']).reset_index(drop=True)

# %% naive="careless" trap="trials that are not valid are the best ones"
import pandas as pd

march = pd.read_csv('{{ data }}/before.csv', dtype={'athlete': str})
may = pd.read_csv('{{ data }}/after.csv', sep=';', decimal=',', encoding='cp1252', dtype={'Sportler': str})
may.columns = march.columns
times = ['agility', 'sprint10', 'sprint30']
factors = {'s': 1, 'ms': 0.001, 'kg': 1, 'lb': 0.45359237, 'cm': 1, 'in': 2.54, 'm': 1}


def counted(trials):
    trials = trials[trials['athlete'] != 'MEAN'].copy()
    trials['athlete'] = 'A' + trials['athlete'].str.replace('A', '', regex=False).str.zfill(2)
    trials['value'] = trials['value'] * trials['unit'].map(factors)
    groups = trials.groupby(['athlete', 'test'])['value']
    least, most = groups.min(), groups.max()
    return most.where(~most.index.get_level_values('test').isin(times), least)


best = pd.concat([counted(march).rename('before'), counted(may).rename('after')], axis=1).dropna()
best = best.reset_index().sort_values(['athlete', 'test']).reset_index(drop=True)

# %% naive="literal" trap="the greatest value is the best one, of times as well, and numbers written otherwise are lost"
import pandas as pd

march = pd.read_csv('{{ data }}/before.csv', dtype={'athlete': str})
may = pd.read_csv('{{ data }}/after.csv', sep=';', decimal=',', encoding='cp1252', dtype={'Sportler': str})
may.columns = march.columns
times = ['agility', 'sprint10', 'sprint30']
factors = {'s': 1, 'ms': 0.001, 'kg': 1, 'lb': 0.45359237, 'cm': 1, 'in': 2.54, 'm': 1}


def counted(trials):
    trials = trials[(trials['athlete'] != 'MEAN') & ~trials['value'].isin([0, 999])].copy()
    trials['value'] = trials['value'] * trials['unit'].map(factors)
    return trials.groupby(['athlete', 'test'])['value'].max()


best = pd.concat([counted(march).rename('before'), counted(may).rename('after')], axis=1).dropna()
best = best.reset_index().sort_values(['athlete', 'test']).reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3), real(3)]"
# Print the number of athletes with all 8 tests in `best`, the mean change (after less before) in `jump` in cm and in `sprint30` in s, both with 3 decimal places, on one line, separated by spaces.
#
# Thought: Count rows by athlete, then take the mean difference of two tests.

# %% [markdown] lang="cn"
# 在同一行打印：`best` 中 8 个项目齐全的运动员人数，`jump`（单位 cm）和 `sprint30`（单位 s）的平均变化（训练后减训练前），后两个数保留 3 位小数，用空格分隔。
#
# Thought: 先按运动员数行数，再求两个项目差值的平均。

# %%
whole = (best['athlete'].value_counts() == 8).sum()
change = (best['after'] - best['before']).groupby(best['test']).mean()
answer = [whole, change['jump'], change['sprint30']]
print(answer[0], f'{answer[1]:.3f}', f'{answer[2]:.3f}')

# %% [markdown] kind="text" list="true" modules="scipy" answer="list[text]"
# In which of the 8 tests have the athletes got better? Test each two-sided with the one of scipy's `ttest_rel` and `ttest_ind` that fits, and hold the probability of any false finding among the 8 tests to 5% by the method of Holm. Print the tests with a significant change for the better, in alphabetical order, on one line, separated by `, `.
#
# Thought: The same athletes were tested twice; of times less is better; Holm compares the smallest p with 0.05 / 8, the next with 0.05 / 7, and stops at the first that fails.

# %% [markdown] lang="cn"
# 8 个项目中，运动员在哪些项目上变好了？用 scipy 的 `ttest_rel` 和 `ttest_ind` 中适合的一个对每个项目做双侧检验，并用 Holm 方法把 8 次检验中出现任何错误发现的概率控制在 5%。在同一行按字母顺序打印显著变好的项目，用 `, ` 分隔。
#
# Thought: 同一批运动员测试了两次；时间类项目越小越好；Holm 先将最小的 p 与 0.05 / 8 比，再将下一个与 0.05 / 7 比，遇到第一个不显著的就停止。

# %%
from scipy import stats

found = []
for test, rows in best.groupby('test'):
    gain = (rows['after'] - rows['before']).mean() * (-1 if test in times else 1)
    found.append((stats.ttest_rel(rows['after'], rows['before']).pvalue, test, gain > 0))
better = []
for rank, (p, test, gained) in enumerate(sorted(found)):
    if p > 0.05 / (len(found) - rank):
        break
    better += [test] if gained else []
answer = sorted(better)
print(', '.join(answer))

# %% naive="careless" trap="a longer time counts as better"
from scipy import stats

found = []
for test, rows in best.groupby('test'):
    gain = (rows['after'] - rows['before']).mean()
    found.append((stats.ttest_rel(rows['after'], rows['before']).pvalue, test, gain > 0))
better = []
for rank, (p, test, gained) in enumerate(sorted(found)):
    if p > 0.05 / (len(found) - rank):
        break
    better += [test] if gained else []
print(', '.join(sorted(better)))

# %% naive="literal" trap="athletes tested twice are taken for two groups"
from scipy import stats

found = []
for test, rows in best.groupby('test'):
    gain = (rows['after'] - rows['before']).mean() * (-1 if test in times else 1)
    found.append((stats.ttest_ind(rows['after'], rows['before']).pvalue, test, gain > 0))
better = []
for rank, (p, test, gained) in enumerate(sorted(found)):
    if p > 0.05 / (len(found) - rank):
        break
    better += [test] if gained else []
print(', '.join(sorted(better)))

# %% naive="shortcut" trap="each test is held against 5 % by itself"
from scipy import stats

better = []
for test, rows in best.groupby('test'):
    gain = (rows['after'] - rows['before']).mean() * (-1 if test in times else 1)
    if gain > 0 and stats.ttest_rel(rows['after'], rows['before']).pvalue < 0.05:
        better.append(test)
print(', '.join(sorted(better)))

# %% [markdown] kind="num" modules="scipy" answer="[real(2), real(relative=0.005)]"
# The coach says: whoever went to the clinic jumps higher now, so the clinic works. Estimate in cm what the clinic has added to the change in `jump`: the mean change of the athletes who went there less the mean change of those who show what would have become of them without it. Use the athletes who have `jump` in `best`. Print the estimate with 2 decimal places and the two-sided p-value of Welch's t test for it with 3 significant digits, on one line, separated by a space.
#
# Thought: The weakest of a day come back by themselves; those on the waiting list were as weak, and the lot alone parted them.

# %% [markdown] lang="cn"
# 教练说：参加训练营的人现在跳得更高了，所以训练营有效。估计训练营给 `jump` 的变化额外带来多少（cm）：参加者的平均变化，减去能够代表“假如他们没有参加会怎样”的那些运动员的平均变化。使用在 `best` 中有 `jump` 的运动员。在同一行打印该估计值（保留 2 位小数）和相应的 Welch t 检验的双侧 p 值（保留 3 位有效数字），用空格分隔。
#
# Thought: 某一天最差的人本来就会回升；候补名单上的人同样差，只由抽签分开。

# %%
jumps = best[best['test'] == 'jump'].set_index('athlete')
group = pd.read_csv('{{ data }}/clinic.csv').set_index('athlete')['group'].reindex(jumps.index).fillna('other')
change = jumps['after'] - jumps['before']
there, waiting = change[group == 'clinic'], change[group == 'waiting']
p = stats.ttest_ind(there, waiting, equal_var=False).pvalue
answer = [there.mean() - waiting.mean(), p]
print(f'{answer[0]:.2f}', f'{answer[1]:.3g}')

# %% naive="careless shortcut" trap="the change of those who went is put down to the clinic (regression to the mean)"
jumps = best[best['test'] == 'jump'].set_index('athlete')
group = pd.read_csv('{{ data }}/clinic.csv').set_index('athlete')['group'].reindex(jumps.index).fillna('other')
change = jumps['after'] - jumps['before']
there = jumps[group == 'clinic']
p = stats.ttest_ind(there['after'], there['before'], equal_var=False).pvalue
print(f'{change[group == "clinic"].mean():.2f}', f'{p:.3g}')

# %% naive="literal" trap="all who did not go are compared, who were not as weak"
jumps = best[best['test'] == 'jump'].set_index('athlete')
group = pd.read_csv('{{ data }}/clinic.csv').set_index('athlete')['group'].reindex(jumps.index).fillna('other')
change = jumps['after'] - jumps['before']
there, others = change[group == 'clinic'], change[group != 'clinic']
p = stats.ttest_ind(there, others, equal_var=False).pvalue
print(f'{there.mean() - others.mean():.2f}', f'{p:.3g}')

# %% [markdown] kind="num" modules="scipy" answer="[real(3), real(relative=0.005)]"
# A colleague compares the two kinds of shoes with this code:
#
#     laps = pd.read_csv('{{ data }}/laps.csv')
#     red, blue = (laps.loc[laps['shoe'] == shoe, 'seconds'] for shoe in ('red', 'blue'))
#     print(stats.ttest_ind(red, blue).pvalue)
#
# Its p-value is not to be believed. Put it right: use the same test on one value for each unit that was given its shoes by lot, the mean of its laps that count. Print the difference of the two groups' means of these values, red less blue, in seconds with 3 decimal places, and the p-value with 3 significant digits, on one line, separated by a space.
#
# Thought: Laps of one athlete are no independent cases; the lot was drawn athlete by athlete.

# %% [markdown] lang="cn"
# 一位同事用下面的代码比较两种鞋：
#
#     laps = pd.read_csv('{{ data }}/laps.csv')
#     red, blue = (laps.loc[laps['shoe'] == shoe, 'seconds'] for shoe in ('red', 'blue'))
#     print(stats.ttest_ind(red, blue).pvalue)
#
# 得到的 p 值不可信。请改正：对抽签分配鞋子的每个单位，取其计入的各圈的平均值，再用同一检验。在同一行打印两组这些值的均值之差（红减蓝，秒，保留 3 位小数）和 p 值（保留 3 位有效数字），用空格分隔。
#
# Thought: 同一名运动员的各圈不是独立的个案；抽签是按运动员进行的。

# %%
laps = pd.read_csv('{{ data }}/laps.csv')
laps = laps[(laps['lap'] > 0) & (laps['seconds'] > 0)]
means = laps.groupby(['shoe', 'athlete'])['seconds'].mean()
answer = [means['red'].mean() - means['blue'].mean(), stats.ttest_ind(means['red'], means['blue']).pvalue]
print(f'{answer[0]:.3f}', f'{answer[1]:.3g}')

# %% naive="careless literal" trap="laps of one athlete are taken for independent cases"
laps = pd.read_csv('{{ data }}/laps.csv')
laps = laps[(laps['lap'] > 0) & (laps['seconds'] > 0)]
red, blue = (laps.loc[laps['shoe'] == shoe, 'seconds'] for shoe in ('red', 'blue'))
print(f'{red.mean() - blue.mean():.3f}', f'{stats.ttest_ind(red, blue).pvalue:.3g}')

# %% naive="shortcut" trap="warming up and failures are in the means"
laps = pd.read_csv('{{ data }}/laps.csv')
means = laps.groupby(['shoe', 'athlete'])['seconds'].mean()
print(f'{means["red"].mean() - means["blue"].mean():.3f}', f'{stats.ttest_ind(means["red"], means["blue"]).pvalue:.3g}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the change in `throw` (after less before) of each athlete of `best` as a point: x is the athlete's squad, 1 for `{{ squads[0] }}`, 2 for `{{ squads[1] }}`, 3 for `{{ squads[2] }}`, with these names at the ticks, y is the change in m. The color is `teal`, the title `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (6, 4). Call `plt.show()`.
#
# Thought: One cloud of points over three places.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 把 `best` 中每名运动员 `throw` 的变化（训练后减训练前）画成一个点：横坐标为所在小队，`{{ squads[0] }}` 为 1，`{{ squads[1] }}` 为 2，`{{ squads[2] }}` 为 3，刻度处标这些名称；纵坐标为变化（米）。颜色 `teal`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 三个位置上的一组点。

# %%
import matplotlib.pyplot as plt

squads = pd.read_csv('{{ data }}/squads.csv').set_index('athlete')['squad']
throws = best[best['test'] == 'throw'].set_index('athlete')
gains = (throws['after'] - throws['before']).rename('gain').to_frame().join(squads)
names = {{ squads }}
plt.figure(figsize=(6, 4))
plt.scatter([names.index(name) + 1 for name in gains['squad']], gains['gain'], color='teal')
plt.xticks([1, 2, 3], names)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[text, count]"
# In one of the three squads some athletes left out the throwing. Their result has changed by 0.3 m at most, up or down, and all others of this squad have gained much more. In the other two squads everybody did the throwing, and the gains go from small to large without a gap. Print this squad and the number of its athletes in the figure who left out the throwing, on one line, separated by a space.
#
# Thought: The figure shows two clouds in one squad; spread and mean do not tell it from the others.

# %% [markdown] lang="cn"
# 三个小队中，有一个小队的部分运动员没有做投掷训练：他们的成绩上下变化不超过 0.3 米，而该队其余的人进步都大得多。另外两队人人都做了投掷训练，进步从小到大没有断档。在同一行打印这个小队，以及图中该队没有做投掷训练的运动员人数，用空格分隔。
#
# Thought: 图中有一队分成两团点；只看离散程度和平均值分不出来。

# %%
gaps = {}
for squad, own in gains.groupby('squad')['gain']:
    gaps[squad] = own.sort_values().diff().max()
mixed = max(gaps, key=gaps.get)
answer = [mixed, int((gains.loc[gains['squad'] == mixed, 'gain'].abs() <= 0.3).sum())]
print(*answer)

# %% naive="literal" trap="the squad that spreads most is taken for the mixture"
mixed = gains.groupby('squad')['gain'].std().idxmax()
print(mixed, int((gains.loc[gains['squad'] == mixed, 'gain'].abs() <= 0.3).sum()))

# %% naive="shortcut" trap="those who got worse are taken for those who did not throw"
mixed = gains.groupby('squad')['gain'].agg(lambda own: (own <= 0).sum()).idxmax()
print(mixed, int((gains.loc[gains['squad'] == mixed, 'gain'] <= 0).sum()))
