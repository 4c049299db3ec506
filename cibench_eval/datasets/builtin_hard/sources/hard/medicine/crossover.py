# ---
# jupyter:
#   instances:
#     dormil: {seed: 31, subjects: 44, drug: dormil, lasting: 4}
#     noctan: {seed: 86, subjects: 52, drug: noctan, lasting: 3}
#   varied:
#     seed: {between: [1, 1000000]}
#     subjects: {between: [42, 56]}
#     drug: {pick: [dormil, noctan, vesper]}
#     lasting: {pick: [3, 4, 5]}
#   words:
#     title: {en: Sleep in period 2, cn: 第二阶段的睡眠}
#     x_label: {en: Night, cn: 夜次}
#     y_label: {en: Mean minutes, cn: 平均分钟数}
#     drug_first: {en: '{{ drug }} first', cn: '先服 {{ drug }}'}
#     placebo_first: {en: placebo first, cn: 先服安慰剂}
# ---

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# A trial compares {{ drug }} with placebo. Its files are in `{{ data }}/`: `subjects.csv`, `diary.csv` and `blood.csv`. What they hold, and how they are analysed, is said in `protocol.txt` in the same folder.
# Print the subjects who took {{ drug }} in the period that was planned for placebo, and placebo in the period that was planned for {{ drug }}, in alphabetical order, on one line, separated by `, `.
#
# Thought: The blood says what was taken, once its two units are made one.

# %% [markdown] lang="cn"
# 一项试验比较 {{ drug }} 与安慰剂（placebo）。文件位于 `{{ data }}/`：`subjects.csv`、`diary.csv` 和 `blood.csv`。文件内容和分析方法见同一文件夹中的 `protocol.txt`。
# 有些受试者在计划服安慰剂的阶段服了 {{ drug }}，在计划服 {{ drug }} 的阶段服了安慰剂。在同一行打印这些受试者，按字母顺序排列，用 `, ` 分隔。
#
# Thought: 将两种单位统一后，血样就能说明实际服用了什么。

# %%
import pandas as pd

subjects = pd.read_csv('{{ data }}/subjects.csv').set_index('subject')
blood = pd.read_csv('{{ data }}/blood.csv')
level = blood['level'].astype(str).str.lstrip('<').astype(float) / blood['unit'].map({'ng/ml': 1, 'pg/ml': 1000})
blood['letter'] = (level >= 4).map({True: 'D', False: 'P'})
letters = blood.pivot(index='subject', columns='period', values='letter').reindex(subjects.index)
by_period = {period: letters[period].fillna(subjects['sequence'].str[period - 1]) for period in (1, 2)}
sequence = by_period[1] + by_period[2]
exchanged = sequence.index[sequence == subjects['sequence'].str[::-1]]
answer = sorted(exchanged)
print(', '.join(answer))

# %% naive="careless literal" trap="pg/ml are read as ng/ml"
import pandas as pd

subjects = pd.read_csv('{{ data }}/subjects.csv').set_index('subject')
blood = pd.read_csv('{{ data }}/blood.csv')
level = blood['level'].astype(str).str.lstrip('<').astype(float)
blood['letter'] = (level >= 4).map({True: 'D', False: 'P'})
letters = blood.pivot(index='subject', columns='period', values='letter').reindex(subjects.index)
by_period = {period: letters[period].fillna(subjects['sequence'].str[period - 1]) for period in (1, 2)}
sequence = by_period[1] + by_period[2]
print(', '.join(sorted(sequence.index[sequence != subjects['sequence']])))

# %% naive="shortcut" trap="the first period alone is looked at, so that those who took the same twice are in"
import pandas as pd

subjects = pd.read_csv('{{ data }}/subjects.csv').set_index('subject')
blood = pd.read_csv('{{ data }}/blood.csv')
level = blood['level'].astype(str).str.lstrip('<').astype(float) / blood['unit'].map({'ng/ml': 1, 'pg/ml': 1000})
blood['letter'] = (level >= 4).map({True: 'D', False: 'P'})
letters = blood.pivot(index='subject', columns='period', values='letter').reindex(subjects.index)
by_period = {period: letters[period].fillna(subjects['sequence'].str[period - 1]) for period in (1, 2)}
sequence = by_period[1] + by_period[2]
print(', '.join(sorted(sequence.index[sequence != subjects['sequence']])))

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `nights` with one row for each of the nights 1 to 14 of both periods that has a length, of the subjects who stay in the study. Its columns are `subject` (as `subjects.csv` writes it), `period` (1 or 2), `taken` (what the subject took in this period, the text `drug` or `placebo`), `night` (1 to 14) and `minutes` (integer). Sort it by `subject`, `period` and `night`.
#
# Thought: A night is named by the morning after it, so the day less the evening of the first tablet is its number.

# %% [markdown] lang="cn"
# 生成名为 `nights` 的 DataFrame：对留在研究中的受试者，两个阶段第 1 至 14 夜中有睡眠时长的每一夜占一行。列为 `subject`（写法同 `subjects.csv`）、`period`（1 或 2）、`taken`（该受试者在此阶段实际服用的是什么，文本 `drug` 或 `placebo`）、`night`（1 至 14）和 `minutes`（整数）。按 `subject`、`period` 和 `night` 排序。
#
# Thought: 日记按次日早晨记日期，因此日期减去首次服药当晚就是夜次。

# %%
def minutes_of(text):
    if text.endswith('h'):
        return round(60 * float(text[:-1]))
    if ':' in text:
        return 60 * int(text.split(':')[0]) + int(text.split(':')[1])
    return int(text)


diary = pd.read_csv('{{ data }}/diary.csv', dtype=str)
diary['subject'] = diary['subject'].str.upper().str.replace('-', '', regex=False)
diary = diary.sort_values('entered').drop_duplicates(['subject', 'day'], keep='last')
diary['minutes'] = diary['slept'].map(minutes_of)
diary = diary[diary['minutes'] > 0]
parts = []
for number in (1, 2):
    part = diary.copy()
    start = pd.to_datetime(part['subject'].map(subjects[f'start{number}']))
    part['period'] = number
    part['taken'] = part['subject'].map(sequence.str[number - 1]).map({'D': 'drug', 'P': 'placebo'})
    part['night'] = (pd.to_datetime(part['day']) - start).dt.days
    parts.append(part[part['night'].between(1, 14)])
nights = pd.concat(parts)
nights = nights[nights['subject'].map(sequence).isin(['DP', 'PD'])]
nights = nights[['subject', 'period', 'taken', 'night', 'minutes']]
nights = nights.sort_values(['subject', 'period', 'night']).reset_index(drop=True)

# %% naive="careless" trap="nights are analysed as planned, and those who took the same twice stay"
def minutes_of(text):
    if text.endswith('h'):
        return round(60 * float(text[:-1]))
    if ':' in text:
        return 60 * int(text.split(':')[0]) + int(text.split(':')[1])
    return int(text)


diary = pd.read_csv('{{ data }}/diary.csv', dtype=str)
diary['subject'] = diary['subject'].str.upper().str.replace('-', '', regex=False)
diary = diary.sort_values('entered').drop_duplicates(['subject', 'day'], keep='last')
diary['minutes'] = diary['slept'].map(minutes_of)
diary = diary[diary['minutes'] > 0]
parts = []
for number in (1, 2):
    part = diary.copy()
    start = pd.to_datetime(part['subject'].map(subjects[f'start{number}']))
    part['period'] = number
    part['taken'] = part['subject'].map(subjects['sequence'].str[number - 1]).map({'D': 'drug', 'P': 'placebo'})
    part['night'] = (pd.to_datetime(part['day']) - start).dt.days
    parts.append(part[part['night'].between(1, 14)])
nights = pd.concat(parts)
nights = nights[['subject', 'period', 'taken', 'night', 'minutes']]
nights = nights.sort_values(['subject', 'period', 'night']).reset_index(drop=True)

# %% naive="literal" trap="the day of the first tablet is taken for night 1"
def minutes_of(text):
    if text.endswith('h'):
        return round(60 * float(text[:-1]))
    if ':' in text:
        return 60 * int(text.split(':')[0]) + int(text.split(':')[1])
    return int(text)


diary = pd.read_csv('{{ data }}/diary.csv', dtype=str)
diary['subject'] = diary['subject'].str.upper().str.replace('-', '', regex=False)
diary = diary.sort_values('entered').drop_duplicates(['subject', 'day'], keep='last')
diary['minutes'] = diary['slept'].map(minutes_of)
diary = diary[diary['minutes'] > 0]
parts = []
for number in (1, 2):
    part = diary.copy()
    start = pd.to_datetime(part['subject'].map(subjects[f'start{number}']))
    part['period'] = number
    part['taken'] = part['subject'].map(sequence.str[number - 1]).map({'D': 'drug', 'P': 'placebo'})
    part['night'] = (pd.to_datetime(part['day']) - start).dt.days + 1
    parts.append(part[part['night'].between(1, 14)])
nights = pd.concat(parts)
nights = nights[nights['subject'].map(sequence).isin(['DP', 'PD'])]
nights = nights[['subject', 'period', 'taken', 'night', 'minutes']]
nights = nights.sort_values(['subject', 'period', 'night']).reset_index(drop=True)

# %% naive="shortcut" trap="subjects written otherwise are lost, and so are lengths that are no plain number"
diary = pd.read_csv('{{ data }}/diary.csv', dtype=str)
diary['minutes'] = pd.to_numeric(diary['slept'], errors='coerce')
diary = diary[(diary['minutes'] > 0) & diary['subject'].isin(subjects.index)]
diary = diary.sort_values('entered').drop_duplicates(['subject', 'day'], keep='last')
parts = []
for number in (1, 2):
    part = diary.copy()
    start = pd.to_datetime(part['subject'].map(subjects[f'start{number}']))
    part['period'] = number
    part['taken'] = part['subject'].map(sequence.str[number - 1]).map({'D': 'drug', 'P': 'placebo'})
    part['night'] = (pd.to_datetime(part['day']) - start).dt.days
    parts.append(part[part['night'].between(1, 14)])
nights = pd.concat(parts)
nights = nights[nights['subject'].map(sequence).isin(['DP', 'PD'])]
nights = nights[['subject', 'period', 'taken', 'night', 'minutes']]
nights = nights.sort_values(['subject', 'period', 'night']).reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print three numbers on one line, separated by spaces: the number of subjects in `nights`, how many of them have a night in each of both periods, and the number of rows of `nights`.
#
# Thought: Who left after period 1 has nights of one period only.

# %% [markdown] lang="cn"
# 在同一行打印三个数，用空格分隔：`nights` 中的受试者人数、其中两个阶段都有夜晚记录的人数，以及 `nights` 的行数。
#
# Thought: 第一阶段后退出的人只有一个阶段的记录。

# %%
periods = nights.groupby('subject')['period'].nunique()
answer = [len(periods), int((periods == 2).sum()), len(nights)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw the mean of `minutes` in period 2 over the nights 1 to 14 as two lines: of the subjects who took {{ drug }} in period 1, labelled `{{ drug_first }}`, and of the subjects who took placebo in period 1, labelled `{{ placebo_first }}`. With a legend, the title `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}` and figure size (7, 4). Call `plt.show()`.
#
# Thought: Who took placebo in period 2 took the drug in period 1.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以第 1 至 14 夜为横坐标，用两条线画出第二阶段 `minutes` 的均值：一条为第一阶段服 {{ drug }} 的受试者，标为 `{{ drug_first }}`；一条为第一阶段服安慰剂的受试者，标为 `{{ placebo_first }}`。加图例，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 第二阶段服安慰剂的人，第一阶段服的是药物。

# %%
import matplotlib.pyplot as plt

later = nights[nights['period'] == 2]
by_night = later.groupby(['night', 'taken'])['minutes'].mean().unstack()
plt.figure(figsize=(7, 4))
plt.plot(by_night.index, by_night['placebo'], label='{{ drug_first }}')
plt.plot(by_night.index, by_night['drug'], label='{{ placebo_first }}')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% naive="literal" trap="what was taken in period 2 is taken for what was taken first"
import matplotlib.pyplot as plt

later = nights[nights['period'] == 2]
by_night = later.groupby(['night', 'taken'])['minutes'].mean().unstack()
plt.figure(figsize=(7, 4))
plt.plot(by_night.index, by_night['drug'], label='{{ drug_first }}')
plt.plot(by_night.index, by_night['placebo'], label='{{ placebo_first }}')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1), real(1)]"
# In how many of the first nights of period 2 does the {{ drug }} of period 1 still work? Print their number, then of the subjects who took {{ drug }} in period 1 the mean of `minutes` over all rows of these nights, and over all rows of the other nights of period 2, with 1 decimal place, on one line, separated by spaces.
#
# Thought: The line of those who took the drug first falls after some nights, all at once.

# %% [markdown] lang="cn"
# 第一阶段的 {{ drug }} 在第二阶段最初几夜仍然起作用？打印夜数，以及第一阶段服 {{ drug }} 的受试者在这几夜所有行的 `minutes` 均值、在第二阶段其余各夜所有行的 `minutes` 均值（保留 1 位小数），同一行，用空格分隔。
#
# Thought: 先服药物者的曲线在几夜之后一下子下降。

# %%
last = int(by_night['placebo'].diff().idxmin()) - 1
after = later[later['taken'] == 'placebo']
lasts = after['night'] <= last
answer = [last, after.loc[lasts, 'minutes'].mean(), after.loc[~lasts, 'minutes'].mean()]
print(answer[0], f'{answer[1]:.1f} {answer[2]:.1f}')

# %% naive="careless shortcut" trap="nothing is taken to last longer than the first night"
last = 1
after = later[later['taken'] == 'placebo']
lasts = after['night'] <= last
print(last, f'{after.loc[lasts, "minutes"].mean():.1f} {after.loc[~lasts, "minutes"].mean():.1f}')

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `means` with one row for each subject whom the protocol analyses, sorted by `subject`. Its columns are `subject`, `first` (what was taken in period 1, `drug` or `placebo`), and `drug` and `placebo` (the mean of `minutes` of the period in which this was taken, not rounded).
#
# Thought: As many nights are left out of period 1 as the drug lasts in period 2, and then subjects need 6 nights in both.

# %% [markdown] lang="cn"
# 生成名为 `means` 的 DataFrame，方案所分析的每名受试者占一行，按 `subject` 排序。列为 `subject`、`first`（第一阶段实际服用的是什么，`drug` 或 `placebo`），以及 `drug` 和 `placebo`（服用该物的阶段的 `minutes` 均值，不取整）。
#
# Thought: 药物在第二阶段持续几夜，第一阶段开头就同样略去几夜，之后两个阶段各须有 6 夜。

# %%
left = nights[nights['night'] > last].groupby(['subject', 'taken'])['minutes'].agg(['mean', 'count']).unstack()
left = left[(left['count'].fillna(0) >= 6).all(axis=1)]
means = left['mean'].reset_index()
means['first'] = means['subject'].map(sequence.str[0]).map({'D': 'drug', 'P': 'placebo'})
means = means[['subject', 'first', 'drug', 'placebo']]

# %% naive="careless" trap="all nights are averaged, and whoever has one night in both periods is in"
means = nights.groupby(['subject', 'taken'])['minutes'].mean().unstack().dropna().reset_index()
means['first'] = means['subject'].map(sequence.str[0]).map({'D': 'drug', 'P': 'placebo'})
means = means[['subject', 'first', 'drug', 'placebo']]

# %% naive="literal shortcut" trap="nights are left out of period 2 alone"
kept = nights[(nights['night'] > last) | (nights['period'] == 1)]
left = kept.groupby(['subject', 'taken'])['minutes'].agg(['mean', 'count']).unstack()
left = left[(left['count'].fillna(0) >= 6).all(axis=1)]
means = left['mean'].reset_index()
means['first'] = means['subject'].map(sequence.str[0]).map({'D': 'drug', 'P': 'placebo'})
means = means[['subject', 'first', 'drug', 'placebo']]

# %% [markdown] kind="num" modules="scipy pandas" answer="[real(2), real(2), real(2)]"
# A colleague estimates the effect of {{ drug }} and its confidence interval with this code:
#
#     a, b = (nights.loc[nights['taken'] == one, 'minutes'] for one in ('drug', 'placebo'))
#     effect = a.mean() - b.mean()
#     half = 1.96 * (a.var() / len(a) + b.var() / len(b)) ** 0.5
#     print(effect, effect - half, effect + half)
#
# Correct it so that it does what the protocol says, on `means`. Print the effect and the lower and the upper bound of its 95 % confidence interval, with 2 decimal places, on one line, separated by spaces.
#
# Thought: A shift between the periods is added to the difference in one sequence and taken off in the other, so the mean of the two sequences' mean differences is free of it.

# %% [markdown] lang="cn"
# 一位同事用下面的代码估计 {{ drug }} 的效应及其置信区间：
#
#     a, b = (nights.loc[nights['taken'] == one, 'minutes'] for one in ('drug', 'placebo'))
#     effect = a.mean() - b.mean()
#     half = 1.96 * (a.var() / len(a) + b.var() / len(b)) ** 0.5
#     print(effect, effect - half, effect + half)
#
# 请改正，使其基于 `means` 并符合方案的规定。在同一行打印效应及其 95 % 置信区间的下限和上限，保留 2 位小数，用空格分隔。
#
# Thought: 阶段间的变化在一个服药顺序中加到差值上，在另一个顺序中从差值中减去，因此两个顺序的平均差值再取平均就不受其影响。

# %%
from scipy import stats

gain = means['drug'] - means['placebo']
one, other = gain[means['first'] == 'drug'], gain[means['first'] == 'placebo']
freedom = len(gain) - 2
variance = ((len(one) - 1) * one.var() + (len(other) - 1) * other.var()) / freedom
effect = (one.mean() + other.mean()) / 2
half = stats.t.ppf(0.975, freedom) * (variance * (1 / len(one) + 1 / len(other))) ** 0.5 / 2
answer = [effect, effect - half, effect + half]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="nights of a subject are taken for independent"
a, b = (nights.loc[(nights['taken'] == one) & (nights['night'] > last), 'minutes'] for one in ('drug', 'placebo'))
gain = means['drug'] - means['placebo']
effect = a.mean() - b.mean()
half = 1.96 * (a.var() / len(a) + b.var() / len(b)) ** 0.5
print(f'{effect:.2f} {effect - half:.2f} {effect + half:.2f}')

# %% naive="literal shortcut" trap="more subjects have one sequence than the other, so the shift between periods stays in"
from scipy import stats

gain = means['drug'] - means['placebo']
effect = gain.mean()
half = stats.t.ppf(0.975, len(gain) - 2) * gain.sem()
print(f'{effect:.2f} {effect - half:.2f} {effect + half:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[text, real(3)]"
# The same colleague says that {{ drug }} helps most who sleeps worst, because the gain (`drug` minus `placebo` in `means`) falls with `placebo`. But the length of a night varies by chance.
# Suppose that {{ drug }} gave every subject the same gain, and that nights vary as much under {{ drug }} as under placebo. With one of three columns would the gain still be uncorrelated but for chance: with `drug`, with `placebo`, or with `average`, the mean of these two.
# Print the name of this column and the correlation (Pearson) of the gain with it in `means`, with 3 decimal places, on one line as `name: correlation`.
#
# Thought: Errors of the two means enter the gain with opposite signs, so only their average, in which they have the same weight, does not go along with it.

# %% [markdown] lang="cn"
# 这位同事还说，{{ drug }} 对睡得最差的人帮助最大，因为增益（`means` 中的 `drug` 减 `placebo`）随 `placebo` 升高而下降。但每夜的睡眠时长有随机波动。
# 假设 {{ drug }} 给每名受试者的增益都相同，且服 {{ drug }} 与服安慰剂时各夜的波动一样大。那么在 `drug`、`placebo` 和 `average`（前两者的均值）这三列中，除偶然因素外，只有一列与增益不相关。
# 在同一行打印这一列的名称，以及 `means` 中增益与它的皮尔逊相关系数（保留 3 位小数），格式为 `名称: 相关系数`。
#
# Thought: 两个均值的误差以相反的符号进入增益，只有权重相同的平均值不会随之变动。

# %%
middle = (means['drug'] + means['placebo']) / 2
answer = ['average', gain.corr(middle)]
print(f'{answer[0]}: {answer[1]:.3f}')

# %% naive="careless literal shortcut" trap="regression to the mean is taken for an effect"
print(f'placebo: {gain.corr(means["placebo"]):.3f}')
