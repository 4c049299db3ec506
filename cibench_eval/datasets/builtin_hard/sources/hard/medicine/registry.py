# ---
# jupyter:
#   instances:
#     lake: {seed: 17, people: 420, drug: neratan, close: 2023}
#     coast: {seed: 64, people: 460, drug: olivane, close: 2022}
#   varied:
#     seed: {between: [1, 1000000]}
#     people: {between: [410, 480]}
#     drug: {pick: [neratan, olivane, temsin]}
#     close: {pick: [2021, 2022, 2023]}
#   words:
#     title: {en: Survival by therapy, cn: 各疗法的生存率}
#     x_label: {en: Days since diagnosis, cn: 诊断后天数}
#     y_label: {en: Share alive, cn: 生存比例}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A tumour registry is in `{{ data }}/`: `cases.csv`, `deaths.csv`, `moves.csv` and `relapses.csv`. What they hold, and how they are analysed, is said in `notes.txt` in the same folder.
# Make a DataFrame `cohort` with one row for each person who has a survival time. Its columns are `case`, `person`, `clinic` and `therapy` (as `cases.csv` writes them), `stage` (`I`, `II`, `III` or `IV`), `diagnosed` (datetime), `days` (integer, from the diagnosis to the end of the follow-up) and `died` (bool, whether the follow-up ended with the death). Sort it by `case`.
#
# Thought: The civil register is complete, so who has no death in it was alive at the close or when moving abroad, whenever the last visit was.

# %% [markdown] lang="cn"
# 一个肿瘤登记处的数据在 `{{ data }}/` 中：`cases.csv`、`deaths.csv`、`moves.csv` 和 `relapses.csv`。文件内容和分析方法见同一文件夹中的 `notes.txt`。
# 生成名为 `cohort` 的 DataFrame，每个有生存时间的人占一行。列为 `case`、`person`、`clinic` 和 `therapy`（写法同 `cases.csv`），`stage`（`I`、`II`、`III` 或 `IV`），`diagnosed`（datetime），`days`（整数，从诊断到随访结束的天数）和 `died`（bool，随访是否因死亡而结束）。按 `case` 排序。
#
# Thought: 户籍登记是完整的，因此没有死亡记录的人在截止日或移居国外时仍然活着，与最后一次就诊的日期无关。

# %%
import pandas as pd

close = pd.Timestamp('{{ close }}-12-31')
cases = pd.read_csv('{{ data }}/cases.csv', dtype={'person': str}, parse_dates=['diagnosed', 'maintenance', 'last_visit'])
deaths = pd.read_csv('{{ data }}/deaths.csv', sep=';', dtype=str)
moves = pd.read_csv('{{ data }}/moves.csv', dtype=str)
for table in (cases, deaths, moves):
    table['number'] = table['person'].str.replace('.', '', regex=False)
deaths = deaths[~deaths['died'].str.endswith('9999')].copy()
deaths['day'] = pd.to_datetime(deaths['died'].str.replace('^00', '15', regex=True), format='%d.%m.%Y')
moves = moves[moves['to'] == 'abroad'].copy()
moves['day'] = pd.to_datetime(moves['left'])
cohort = cases.sort_values('diagnosed').drop_duplicates('number')
cohort = cohort[cohort['found'] != 'certificate'].sort_values('case').reset_index(drop=True)
death = cohort['number'].map(deaths.set_index('number')['day'])
move = cohort['number'].map(moves.set_index('number')['day'])
end = pd.concat([death, move], axis=1).min(axis=1).fillna(close).clip(upper=close)
cohort['stage'] = cohort['stage'].str.rstrip('ab')
cohort['days'] = (end - cohort['diagnosed']).dt.days
cohort['died'] = death == end
cohort = cohort[['case', 'person', 'clinic', 'stage', 'therapy', 'diagnosed', 'days', 'died']]

# %% naive="careless" trap="who is not dead is censored at the last visit"
import pandas as pd

close = pd.Timestamp('{{ close }}-12-31')
cases = pd.read_csv('{{ data }}/cases.csv', dtype={'person': str}, parse_dates=['diagnosed', 'maintenance', 'last_visit'])
deaths = pd.read_csv('{{ data }}/deaths.csv', sep=';', dtype=str)
moves = pd.read_csv('{{ data }}/moves.csv', dtype=str)
for table in (cases, deaths, moves):
    table['number'] = table['person'].str.replace('.', '', regex=False)
deaths = deaths[~deaths['died'].str.endswith('9999')].copy()
deaths['day'] = pd.to_datetime(deaths['died'].str.replace('^00', '15', regex=True), format='%d.%m.%Y')
moves = moves[moves['to'] == 'abroad'].copy()
moves['day'] = pd.to_datetime(moves['left'])
cohort = cases.sort_values('diagnosed').drop_duplicates('number')
cohort = cohort[cohort['found'] != 'certificate'].sort_values('case').reset_index(drop=True)
death = cohort['number'].map(deaths.set_index('number')['day'])
move = cohort['number'].map(moves.set_index('number')['day'])
end = pd.concat([death, move], axis=1).min(axis=1).fillna(cohort['last_visit']).clip(upper=close)
cohort['stage'] = cohort['stage'].str.rstrip('ab')
cohort['days'] = (end - cohort['diagnosed']).dt.days
cohort['died'] = death == end
cohort = cohort[['case', 'person', 'clinic', 'stage', 'therapy', 'diagnosed', 'days', 'died']]

# %% naive="literal" trap="every move ends the follow-up, and second tumours are cases of their own"
import pandas as pd

close = pd.Timestamp('{{ close }}-12-31')
cases = pd.read_csv('{{ data }}/cases.csv', dtype={'person': str}, parse_dates=['diagnosed', 'maintenance', 'last_visit'])
deaths = pd.read_csv('{{ data }}/deaths.csv', sep=';', dtype=str)
moves = pd.read_csv('{{ data }}/moves.csv', dtype=str)
for table in (cases, deaths, moves):
    table['number'] = table['person'].str.replace('.', '', regex=False)
deaths = deaths[~deaths['died'].str.endswith('9999')].copy()
deaths['day'] = pd.to_datetime(deaths['died'].str.replace('^00', '15', regex=True), format='%d.%m.%Y')
moves['day'] = pd.to_datetime(moves['left'])
cohort = cases.sort_values('diagnosed')
cohort = cohort[cohort['found'] != 'certificate'].sort_values('case').reset_index(drop=True)
death = cohort['number'].map(deaths.set_index('number')['day'])
move = cohort['number'].map(moves.set_index('number')['day'])
end = pd.concat([death, move], axis=1).min(axis=1).fillna(close).clip(upper=close)
cohort['stage'] = cohort['stage'].str.rstrip('ab')
cohort['days'] = (end - cohort['diagnosed']).dt.days
cohort['died'] = death == end
cohort = cohort[['case', 'person', 'clinic', 'stage', 'therapy', 'diagnosed', 'days', 'died']]

# %% naive="shortcut" trap="numbers of persons that are written otherwise are not found"
import pandas as pd

close = pd.Timestamp('{{ close }}-12-31')
cases = pd.read_csv('{{ data }}/cases.csv', dtype={'person': str}, parse_dates=['diagnosed', 'maintenance', 'last_visit'])
deaths = pd.read_csv('{{ data }}/deaths.csv', sep=';', dtype=str)
moves = pd.read_csv('{{ data }}/moves.csv', dtype=str)
deaths = deaths[~deaths['died'].str.endswith('9999')].copy()
deaths['day'] = pd.to_datetime(deaths['died'].str.replace('^00', '15', regex=True), format='%d.%m.%Y')
moves = moves[moves['to'] == 'abroad'].copy()
moves['day'] = pd.to_datetime(moves['left'])
cases['number'] = cases['person']
deaths['number'], moves['number'] = deaths['person'], moves['person']
cohort = cases.sort_values('diagnosed').drop_duplicates('number')
cohort = cohort[cohort['found'] != 'certificate'].sort_values('case').reset_index(drop=True)
death = cohort['number'].map(deaths.set_index('number')['day'])
move = cohort['number'].map(moves.set_index('number')['day'])
end = pd.concat([death, move], axis=1).min(axis=1).fillna(close).clip(upper=close)
cohort['stage'] = cohort['stage'].str.rstrip('ab')
cohort['days'] = (end - cohort['diagnosed']).dt.days
cohort['died'] = death == end
cohort = cohort[['case', 'person', 'clinic', 'stage', 'therapy', 'diagnosed', 'days', 'died']]

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(2)]"
# Print the number of persons in `cohort`, how many of them died, and the deaths for each 100 person-years of follow-up with 2 decimal places, on one line, separated by spaces.
#
# Thought: Person-years are the sum of the days over 365.25.

# %% [markdown] lang="cn"
# 在同一行打印 `cohort` 的人数、其中死亡的人数，以及每 100 人年随访的死亡数（保留 2 位小数），用空格分隔。
#
# Thought: 人年数等于天数之和除以 365.25。

# %%
answer = [len(cohort), cohort['died'].sum(), 36525 * cohort['died'].sum() / cohort['days'].sum()]
print(answer[0], answer[1], f'{answer[2]:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[real(2), count]"
# Estimate from `cohort` the share of persons who are still alive after 730 days (a death on day 730 is before), in percent with 2 decimal places, and the median survival: the first day after which at most half are still alive. Print both on one line, separated by a space.
#
# Thought: Follow-up differs, so Kaplan and Meier's estimate: on each day the share of those at risk who do not die.

# %% [markdown] lang="cn"
# 根据 `cohort` 估计 730 天后仍然存活者所占的百分比（第 730 天死亡的不算存活，保留 2 位小数），以及中位生存时间，即过后至多一半人仍然存活的第一天。在同一行打印两者，用空格分隔。
#
# Thought: 各人的随访长短不同，因此用 Kaplan-Meier 估计：每天取处于风险中的人里没有死亡的比例，再相乘。

# %%
import numpy as np


def survival(table, until=1200):
    """Share alive after each day from 0 on."""
    days, ended = table['days'].values, table['days'].values[table['died'].values]
    counts = [(np.sum(ended == day), max(np.sum(days >= day), 1)) for day in range(until + 1)]
    return np.cumprod([1 - dead / present for dead, present in counts])


overall = survival(cohort, 2500)
answer = [100 * overall[730], int(np.argmax(overall <= 0.5))]
print(f'{answer[0]:.2f}', answer[1])

# %% naive="careless" trap="who left or was diagnosed late is taken to live on"
import numpy as np


def survival(table, until=1200):
    """Share alive after each day from 0 on."""
    days, ended = table['days'].values, table['days'].values[table['died'].values]
    counts = [(np.sum(ended == day), max(np.sum(days >= day), 1)) for day in range(until + 1)]
    return np.cumprod([1 - dead / present for dead, present in counts])


gone = cohort['died'] & (cohort['days'] <= 730)
print(f'{100 * (1 - gone.mean()):.2f}', int(cohort.loc[cohort['died'], 'days'].median()))

# %% naive="literal shortcut" trap="the follow-up of those who are alive is taken for their survival"
import numpy as np


def survival(table, until=1200):
    """Share alive after each day from 0 on."""
    days, ended = table['days'].values, table['days'].values[table['died'].values]
    counts = [(np.sum(ended == day), max(np.sum(days >= day), 1)) for day in range(until + 1)]
    return np.cumprod([1 - dead / present for dead, present in counts])


print(f'{100 * (cohort["days"] > 730).mean():.2f}', int(cohort['days'].median()))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the Kaplan-Meier curves of the two therapies over the days 0 to 1200, as step functions, one line each, with the therapy in the legend. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the y axis goes from 0 to 1, and the figure size is (7, 4). Call `plt.show()`.
#
# Thought: The curves cross: one therapy loses patients at once, the other later.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画出两种疗法在第 0 至 1200 天的 Kaplan-Meier 曲线，均画成阶梯线，每种一条，图例标出疗法。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，纵轴范围 0 到 1，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 两条曲线相交：一种疗法一开始就有患者死亡，另一种较晚。

# %%
import matplotlib.pyplot as plt

curves = {name: survival(table) for name, table in cohort.groupby('therapy')}
plt.figure(figsize=(7, 4))
for name, curve in curves.items():
    plt.step(range(1201), curve, where='post', label=name)
plt.ylim(0, 1)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% naive="careless literal" trap="the curves are those of the dead alone"
import matplotlib.pyplot as plt

curves = {name: survival(table) for name, table in cohort[cohort['died']].groupby('therapy')}
plt.figure(figsize=(7, 4))
for name, curve in curves.items():
    plt.step(range(1201), curve, where='post', label=name)
plt.ylim(0, 1)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1)]"
# One therapy is ahead in the first weeks, the other one in the end. Print the first day from which on the curve of the other one is above that of the first on each day up to 1200, and by how many days the mean time lived in the first 1200 days is longer under the other one (the area under its step function from 0 to 1200 less the area under the first one's, negative if it is shorter), with 1 decimal place, on one line, separated by a space.
#
# Thought: Surgery costs lives at first and is ahead later; the area under a curve is the mean time lived.

# %% [markdown] lang="cn"
# 一种疗法在最初几周领先，另一种最终领先。打印两个数：从哪一天起直到第 1200 天，后者的曲线每天都高于前者；以及在前 1200 天内，后者的平均生存时间比前者长多少天（两条阶梯线在 0 到 1200 之间的线下面积之差，更短则为负，保留 1 位小数）。两数在同一行，用空格分隔。
#
# Thought: 手术一开始有人死亡，后来领先；曲线下面积就是平均生存时间。

# %%
gap = curves['surgery'] - curves['radiation']
answer = [int(np.flatnonzero(gap <= 0).max()) + 1, gap[:1200].sum()]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless literal shortcut" trap="the mean follow-up is taken for the mean time lived"
gap = curves['surgery'] - curves['radiation']
lived = cohort['days'].clip(upper=1200).groupby(cohort['therapy']).mean()
print(int(np.argmax(gap > 0)), f'{lived["surgery"] - lived["radiation"]:.1f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# A newspaper ranks the clinics with this code:
#
#     print(cohort.groupby('clinic')['died'].mean().sort_values(ascending=False))
#
# Rank them as the notes compare clinics. Print their names, from the most deaths for what is expected to the fewest, on one line, separated by `, `.
#
# Thought: The clinics with the worst results treat the early stages, so the raw shares mislead.

# %% [markdown] lang="cn"
# 一家报纸用下面的代码给各诊所排名：
#
#     print(cohort.groupby('clinic')['died'].mean().sort_values(ascending=False))
#
# 请按说明文件中比较诊所的方法排名。在同一行打印诊所名称，从相对于预期死亡最多的到最少的排列，用 `, ` 分隔。
#
# Thought: 结果最差的诊所收治早期患者，因此粗死亡比例会误导人。

# %%
rates = cohort.groupby('stage')['died'].sum() / cohort.groupby('stage')['days'].sum()
expected = (cohort['days'] * cohort['stage'].map(rates)).groupby(cohort['clinic']).sum()
ratio = cohort.groupby('clinic')['died'].sum() / expected
answer = list(ratio.sort_values(ascending=False).index)
print(', '.join(answer))

# %% naive="careless literal" trap="clinics with early stages look good"
print(', '.join(cohort.groupby('clinic')['died'].mean().sort_values(ascending=False).index))

# %% naive="shortcut" trap="time is taken into account, the stage is not"
table = cohort.groupby('clinic')[['died', 'days']].sum()
print(', '.join((table['died'] / table['days']).sort_values(ascending=False).index))

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2)]"
# A colleague finds that {{ drug }} saves lives:
#
#     on = cohort['case'].map(cases.set_index('case')['maintenance']).notna()
#     table = cohort.groupby(on)[['died', 'days']].sum()
#     print(36525 * table['died'] / table['days'])
#
# Print the two rates that there are in fact: the deaths for each 100 person-years in which persons of `cohort` were not on {{ drug }}, and the deaths for each 100 person-years in which they were, with 2 decimal places, on one line, separated by a space.
#
# Thought: The time before the first day belongs to the time without it, also of those who are given it later.

# %% [markdown] lang="cn"
# 一位同事认为 {{ drug }} 能挽救生命：
#
#     on = cohort['case'].map(cases.set_index('case')['maintenance']).notna()
#     table = cohort.groupby(on)[['died', 'days']].sum()
#     print(36525 * table['died'] / table['days'])
#
# 在同一行打印两个真实的死亡率：`cohort` 中的人未使用 {{ drug }} 的时间里每 100 人年的死亡数，以及使用 {{ drug }} 的时间里每 100 人年的死亡数，保留 2 位小数，用空格分隔。
#
# Thought: 第一次用药之前的时间属于未用药时间，后来用药的人也是如此。

# %%
start = cohort['case'].map(cases.set_index('case')['maintenance'])
before = (start - cohort['diagnosed']).dt.days
on = before < cohort['days']
days_on = (cohort['days'] - before)[on].sum()
days_off = cohort['days'].sum() - days_on
dead_on = (cohort['died'] & on).sum()
dead_off = cohort['died'].sum() - dead_on
answer = [36525 * dead_off / days_off, 36525 * dead_on / days_on]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless literal" trap="the time that one must live to be given the drug counts as time on it"
on = cohort['case'].map(cases.set_index('case')['maintenance']).notna()
table = cohort.groupby(on)[['died', 'days']].sum()
rate = 36525 * table['died'] / table['days']
print(f'{rate[False]:.2f} {rate[True]:.2f}')

# %% naive="shortcut" trap="the time before the drug is left out"
start = cohort['case'].map(cases.set_index('case')['maintenance'])
before = (start - cohort['diagnosed']).dt.days
on = before < cohort['days']
days_on = (cohort['days'] - before)[on].sum()
dead_on = (cohort['died'] & on).sum()
print(f'{36525 * cohort.loc[~on, "died"].sum() / cohort.loc[~on, "days"].sum():.2f} {36525 * dead_on / days_on:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="list[real(2)]"
# Of all patients like those of `cohort`, what share has a relapse within 730 days of the diagnosis, and what share dies within 730 days without having had one? Estimate both from `cohort` and `relapses.csv`, in percent with 2 decimal places, and print them on one line, separated by a space. A relapse or death on day 730 is within.
#
# Thought: A death ends the chance of a relapse and is no censoring, so each kind of event is weighted with the share that is still without either (Aalen and Johansen).

# %% [markdown] lang="cn"
# 在所有像 `cohort` 这样的患者中，诊断后 730 天内复发的占多少，730 天内未曾复发就死亡的占多少？根据 `cohort` 和 `relapses.csv` 估计这两个百分比，保留 2 位小数，在同一行打印，用空格分隔。第 730 天复发或死亡的也算在内。
#
# Thought: 死亡使人不可能再复发，不能当作删失，因此每类事件都以仍未发生任何事件者的比例加权（Aalen-Johansen 估计）。

# %%
relapses = pd.read_csv('{{ data }}/relapses.csv', dtype={'person': str}, parse_dates=['day'])
number = cohort['person'].str.replace('.', '', regex=False)
first = relapses.groupby(relapses['person'].str.replace('.', '', regex=False))['day'].min()
until = (number.map(first) - cohort['diagnosed']).dt.days
relapsed = until <= cohort['days']
length = until.where(relapsed, cohort['days'])
dead = cohort['died'] & ~relapsed
free, shares = 1.0, [0.0, 0.0]
for day in range(731):
    present = (length >= day).sum()
    events = [(one & (length == day)).sum() for one in (relapsed, dead)]
    shares = [share + free * count / present for share, count in zip(shares, events)]
    free *= 1 - sum(events) / present
answer = [100 * share for share in shares]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless literal" trap="each event censors the other, as if it could still come"
relapses = pd.read_csv('{{ data }}/relapses.csv', dtype={'person': str}, parse_dates=['day'])
number = cohort['person'].str.replace('.', '', regex=False)
first = relapses.groupby(relapses['person'].str.replace('.', '', regex=False))['day'].min()
until = (number.map(first) - cohort['diagnosed']).dt.days
relapsed = until <= cohort['days']
length = until.where(relapsed, cohort['days'])
kinds = (relapsed, cohort['died'] & ~relapsed)
shares = [1 - survival(pd.DataFrame({'days': length, 'died': one}), 730)[-1] for one in kinds]
print(*(f'{100 * share:.2f}' for share in shares))

# %% naive="shortcut" trap="who is not followed for 730 days counts as well"
relapses = pd.read_csv('{{ data }}/relapses.csv', dtype={'person': str}, parse_dates=['day'])
number = cohort['person'].str.replace('.', '', regex=False)
first = relapses.groupby(relapses['person'].str.replace('.', '', regex=False))['day'].min()
until = (number.map(first) - cohort['diagnosed']).dt.days
relapsed = until <= 730
dead = cohort['died'] & (cohort['days'] <= 730) & ~relapsed
print(f'{100 * relapsed.mean():.2f} {100 * dead.mean():.2f}')
