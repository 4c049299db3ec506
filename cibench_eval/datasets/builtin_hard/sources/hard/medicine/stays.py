# ---
# jupyter:
#   instances:
#     plain: {seed: 29, people: 300, year: 2024, fee: 400}
#     hills: {seed: 75, people: 340, year: 2023, fee: 650}
#   varied:
#     seed: {between: [1, 1000000]}
#     people: {between: [290, 350]}
#     year: {pick: [2022, 2023, 2024]}
#     fee: {pick: [400, 550, 650]}
#   words:
#     title: {en: Falls in the wards, cn: 各病房的跌倒率}
#     x_label: {en: 'Falls for 1000 days, {{ year - 1 }}', cn: '{{ year - 1 }} 年每 1000 天的跌倒数'}
#     y_label: {en: 'Falls for 1000 days, {{ year }}', cn: '{{ year }} 年每 1000 天的跌倒数'}
#     drawn: {en: drawn, cn: 抽中}
#     listed: {en: not drawn, cn: 未抽中}
#     rest: {en: not listed, cn: 未列入}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Two hospitals, North and South, have exported their stays into `{{ data }}/north.csv` and `{{ data }}/south.csv`. What is in these and further files is said in `{{ data }}/notes.txt`.
# Make a DataFrame `stays` with one row for each stay that has ended. Its columns are `patient` (text of six digits), `hospital` (`North` or `South`), `admitted` and `discharged` (datetimes), `age` (integer), `severity` (`mild` or `severe`), `crp` (in mg/l), `days` (integer) and `died` (bool). Sort it by `patient` and `admitted`.
#
# Thought: A row that ends with a transfer and the row after it are one stay, which has ended if the second row has.

# %% [markdown] lang="cn"
# North 和 South 两家医院把住院记录导出到 `{{ data }}/north.csv` 和 `{{ data }}/south.csv`，这些文件及其他文件的说明见 `{{ data }}/notes.txt`。
# 生成名为 `stays` 的 DataFrame，每次已结束的住院占一行。列为 `patient`（六位数字的文本）、`hospital`（`North` 或 `South`）、`admitted` 和 `discharged`（datetime）、`age`（整数）、`severity`（`mild` 或 `severe`）、`crp`（单位 mg/l）、`days`（整数）和 `died`（bool）。按 `patient` 和 `admitted` 排序。
#
# Thought: 以转院结束的一行和其后的一行是同一次住院，第二行有出院日期才算结束。

# %%
import pandas as pd

export = pd.Timestamp('{{ year }}-12-31')
names = ['patient', 'admitted', 'discharged', 'outcome', 'age', 'severity', 'crp', 'billed']
words = {'légère': 'mild', 'grave': 'severe', 'domicile': 'home', 'décès': 'died', 'transfert': 'transferred'}
north = pd.read_csv('{{ data }}/north.csv', dtype={'patient': str})
south = pd.read_csv('{{ data }}/south.csv', sep=';', decimal=',', encoding='cp1252', header=0, names=names, dtype={'patient': str})
for part, form in ((north, '%Y-%m-%d'), (south, '%d.%m.%Y')):
    for column in ('admitted', 'discharged'):
        part[column] = pd.to_datetime(part[column], format=form)
south['patient'] = south['patient'].str.replace(' ', '', regex=False)
south['crp'] = (10 * south['crp']).round()
south['severity'], south['outcome'] = south['severity'].map(words), south['outcome'].map(words)
rows = pd.concat([north.assign(hospital='North'), south.assign(hospital='South')])
rows = rows.sort_values(['patient', 'admitted']).reset_index(drop=True)
begins = ~((rows['outcome'].shift() == 'transferred') & (rows['patient'].shift() == rows['patient']))
number = begins.cumsum()
whole = rows[begins].set_index(number[begins]).copy()
whole['discharged'] = rows.groupby(number)['discharged'].agg(lambda days: days.iloc[-1])
whole['outcome'] = rows.groupby(number)['outcome'].agg(lambda ends: ends.iloc[-1])
stays = whole[whole['discharged'].notna() & (whole['outcome'] != 'transferred')].copy()
stays['days'] = (stays['discharged'] - stays['admitted']).dt.days
stays['died'] = stays['outcome'] == 'died'
stays = stays[['patient', 'hospital', 'admitted', 'discharged', 'age', 'severity', 'crp', 'days', 'died']]
stays = stays.reset_index(drop=True)

# %% naive="careless" trap="CRP of South stays in mg/dl"
import pandas as pd

export = pd.Timestamp('{{ year }}-12-31')
names = ['patient', 'admitted', 'discharged', 'outcome', 'age', 'severity', 'crp', 'billed']
words = {'légère': 'mild', 'grave': 'severe', 'domicile': 'home', 'décès': 'died', 'transfert': 'transferred'}
north = pd.read_csv('{{ data }}/north.csv', dtype={'patient': str})
south = pd.read_csv('{{ data }}/south.csv', sep=';', decimal=',', encoding='cp1252', header=0, names=names, dtype={'patient': str})
for part, form in ((north, '%Y-%m-%d'), (south, '%d.%m.%Y')):
    for column in ('admitted', 'discharged'):
        part[column] = pd.to_datetime(part[column], format=form)
south['patient'] = south['patient'].str.replace(' ', '', regex=False)
south['severity'], south['outcome'] = south['severity'].map(words), south['outcome'].map(words)
rows = pd.concat([north.assign(hospital='North'), south.assign(hospital='South')])
rows = rows.sort_values(['patient', 'admitted']).reset_index(drop=True)
begins = ~((rows['outcome'].shift() == 'transferred') & (rows['patient'].shift() == rows['patient']))
number = begins.cumsum()
whole = rows[begins].set_index(number[begins]).copy()
whole['discharged'] = rows.groupby(number)['discharged'].agg(lambda days: days.iloc[-1])
whole['outcome'] = rows.groupby(number)['outcome'].agg(lambda ends: ends.iloc[-1])
stays = whole[whole['discharged'].notna() & (whole['outcome'] != 'transferred')].copy()
stays['days'] = (stays['discharged'] - stays['admitted']).dt.days
stays['died'] = stays['outcome'] == 'died'
stays = stays[['patient', 'hospital', 'admitted', 'discharged', 'age', 'severity', 'crp', 'days', 'died']]
stays = stays.reset_index(drop=True)

# %% naive="literal" trap="each row is taken for a stay"
import pandas as pd

export = pd.Timestamp('{{ year }}-12-31')
names = ['patient', 'admitted', 'discharged', 'outcome', 'age', 'severity', 'crp', 'billed']
words = {'légère': 'mild', 'grave': 'severe', 'domicile': 'home', 'décès': 'died', 'transfert': 'transferred'}
north = pd.read_csv('{{ data }}/north.csv', dtype={'patient': str})
south = pd.read_csv('{{ data }}/south.csv', sep=';', decimal=',', encoding='cp1252', header=0, names=names, dtype={'patient': str})
for part, form in ((north, '%Y-%m-%d'), (south, '%d.%m.%Y')):
    for column in ('admitted', 'discharged'):
        part[column] = pd.to_datetime(part[column], format=form)
south['patient'] = south['patient'].str.replace(' ', '', regex=False)
south['crp'] = (10 * south['crp']).round()
south['severity'], south['outcome'] = south['severity'].map(words), south['outcome'].map(words)
rows = pd.concat([north.assign(hospital='North'), south.assign(hospital='South')])
rows = rows.sort_values(['patient', 'admitted']).reset_index(drop=True)
whole = rows.copy()
stays = whole[whole['discharged'].notna()].copy()
stays['days'] = (stays['discharged'] - stays['admitted']).dt.days
stays['died'] = stays['outcome'] == 'died'
stays = stays[['patient', 'hospital', 'admitted', 'discharged', 'age', 'severity', 'crp', 'days', 'died']]
stays = stays.reset_index(drop=True)

# %% naive="shortcut" trap="numbers written with a blank are other patients, whose transfers have no second part"
import pandas as pd

export = pd.Timestamp('{{ year }}-12-31')
names = ['patient', 'admitted', 'discharged', 'outcome', 'age', 'severity', 'crp', 'billed']
words = {'légère': 'mild', 'grave': 'severe', 'domicile': 'home', 'décès': 'died', 'transfert': 'transferred'}
north = pd.read_csv('{{ data }}/north.csv', dtype={'patient': str})
south = pd.read_csv('{{ data }}/south.csv', sep=';', decimal=',', encoding='cp1252', header=0, names=names, dtype={'patient': str})
for part, form in ((north, '%Y-%m-%d'), (south, '%d.%m.%Y')):
    for column in ('admitted', 'discharged'):
        part[column] = pd.to_datetime(part[column], format=form)
south['crp'] = (10 * south['crp']).round()
south['severity'], south['outcome'] = south['severity'].map(words), south['outcome'].map(words)
rows = pd.concat([north.assign(hospital='North'), south.assign(hospital='South')])
rows = rows.sort_values(['patient', 'admitted']).reset_index(drop=True)
begins = ~((rows['outcome'].shift() == 'transferred') & (rows['patient'].shift() == rows['patient']))
number = begins.cumsum()
whole = rows[begins].set_index(number[begins]).copy()
whole['discharged'] = rows.groupby(number)['discharged'].agg(lambda days: days.iloc[-1])
whole['outcome'] = rows.groupby(number)['outcome'].agg(lambda ends: ends.iloc[-1])
stays = whole[whole['discharged'].notna() & (whole['outcome'] != 'transferred')].copy()
stays['days'] = (stays['discharged'] - stays['admitted']).dt.days
stays['died'] = stays['outcome'] == 'died'
stays = stays[['patient', 'hospital', 'admitted', 'discharged', 'age', 'severity', 'crp', 'days', 'died']]
stays = stays.reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(2)]"
# Print the number of stays, the number of patients, and the mean of `days` with 2 decimal places, on one line, separated by spaces.
#
# Thought: A patient can have several stays.

# %% [markdown] lang="cn"
# 在同一行打印住院次数、患者人数以及 `days` 的均值（保留 2 位小数），用空格分隔。
#
# Thought: 一名患者可以多次住院。

# %%
answer = [len(stays), stays['patient'].nunique(), stays['days'].mean()]
print(answer[0], answer[1], f'{answer[2]:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[count, count, real(2)]"
# A colleague computes the rate of readmissions with this code:
#
#     gap = stays.groupby('patient')['admitted'].shift(-1) - stays['discharged']
#     print((gap <= pd.Timedelta(days=30)).mean())
#
# Compute it as the notes say. Print the number of stays that are followed by a readmission, the number of stays among which they are counted, and the rate in percent with 2 decimal places, on one line, separated by spaces.
#
# Thought: Who died cannot come back, who left in the last 30 days was not followed, and a readmission that has not ended is missing in stays.

# %% [markdown] lang="cn"
# 一位同事用下面的代码计算再入院率：
#
#     gap = stays.groupby('patient')['admitted'].shift(-1) - stays['discharged']
#     print((gap <= pd.Timedelta(days=30)).mean())
#
# 请按说明文件的规定计算。在同一行打印其后有再入院的住院次数、作为基数的住院次数，以及再入院率（百分比，保留 2 位小数），用空格分隔。
#
# Thought: 死者不可能再入院，最后 30 天内出院者未能随访满 30 天，而尚未结束的再入院不在 stays 中。

# %%
follows = whole.groupby('patient')['admitted'].shift(-1) - whole['discharged']
based = (whole['outcome'] == 'home') & (whole['discharged'] <= export - pd.Timedelta(days=30))
again = based & (follows <= pd.Timedelta(days=30))
answer = [again.sum(), based.sum(), 100 * again.sum() / based.sum()]
print(answer[0], answer[1], f'{answer[2]:.2f}')

# %% naive="careless literal" trap="the dead and those who left shortly before the export count among the stays"
gap = stays.groupby('patient')['admitted'].shift(-1) - stays['discharged']
again = gap <= pd.Timedelta(days=30)
print(again.sum(), len(again), f'{100 * again.mean():.2f}')

# %% naive="shortcut" trap="readmissions that have not ended are missed"
gap = stays.groupby('patient')['admitted'].shift(-1) - stays['discharged']
based = ~stays['died'] & (stays['discharged'] < export - pd.Timedelta(days=30))
again = based & (gap < pd.Timedelta(days=30))
print(again.sum(), based.sum(), f'{100 * again.sum() / based.sum():.2f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# `{{ data }}/wards.csv` has the falls in the wards, and which of them were given a training. Whether it works shows only in comparison with wards that did not have it and differ from those with it by chance alone. Print the names of the wards to compare with, in alphabetical order, on one line, separated by `, `.
#
# Thought: The lot drew five of the ten wards with the highest rates, so the other five of the ten are what to compare with.

# %% [markdown] lang="cn"
# `{{ data }}/wards.csv` 记录了各病房的跌倒次数以及哪些病房接受了培训。培训是否有效，只有与没有接受培训、且与接受培训者仅有偶然差别的病房相比才能看出。在同一行打印这些用作对照的病房的名称，按字母顺序排列，用 `, ` 分隔。
#
# Thought: 抽签从跌倒率最高的十个病房中抽出五个，因此其余五个就是对照。

# %%
wards = pd.read_csv('{{ data }}/wards.csv')
wards = wards[wards['ward'] != 'All wards'].copy()
for when in ({{ year - 1 }}, {{ year }}):
    wards[f'rate_{when}'] = 1000 * wards[f'falls_{when}'] / wards[f'days_{when}']
ten = wards.nlargest(10, 'rate_{{ year - 1 }}')
drawn, others = ten[ten['training'] == 'yes'], ten[ten['training'] == 'no']
answer = sorted(others['ward'])
print(', '.join(answer))

# %% naive="careless" trap="rates of the year after are taken for those that were listed"
wards = pd.read_csv('{{ data }}/wards.csv')
wards = wards[wards['ward'] != 'All wards'].copy()
for when in ({{ year - 1 }}, {{ year }}):
    wards[f'rate_{when}'] = 1000 * wards[f'falls_{when}'] / wards[f'days_{when}']
ten = wards.nlargest(10, 'rate_{{ year }}')
drawn, others = ten[ten['training'] == 'yes'], ten[ten['training'] == 'no']
print(', '.join(sorted(others['ward'])))

# %% naive="literal shortcut" trap="all wards without the training are taken, though they were better before"
wards = pd.read_csv('{{ data }}/wards.csv')
wards = wards[wards['ward'] != 'All wards'].copy()
for when in ({{ year - 1 }}, {{ year }}):
    wards[f'rate_{when}'] = 1000 * wards[f'falls_{when}'] / wards[f'days_{when}']
ten = wards
drawn, others = ten[ten['training'] == 'yes'], ten[ten['training'] == 'no']
print(', '.join(sorted(others['ward'])))

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw a scatter plot with one point for each ward, its rate of falls in {{ year - 1 }} to the right and that in {{ year }} upwards, in three groups with these names in the legend: `{{ drawn }}` for the wards that the lot drew, `{{ listed }}` for those that it did not draw, and `{{ rest }}` for those that took no part in it. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (6, 5). Call `plt.show()`.
#
# Thought: Wards that asked for the training took no part in the lot, and the two rows of totals are no wards.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画散点图，每个病房一个点，横坐标为 {{ year - 1 }} 年的跌倒率，纵坐标为 {{ year }} 年的跌倒率，分为三组，图例名称如下：抽签抽中的病房为 `{{ drawn }}`，参加抽签而未抽中的为 `{{ listed }}`，未参加抽签的为 `{{ rest }}`。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 5)，最后调用 `plt.show()`。
#
# Thought: 自行申请培训的病房没有参加抽签，两行合计也不是病房。

# %%
import matplotlib.pyplot as plt

remaining = wards[~wards['ward'].isin(ten['ward'])]
plt.figure(figsize=(6, 5))
for label, group in (('{{ drawn }}', drawn), ('{{ listed }}', others), ('{{ rest }}', remaining)):
    plt.scatter(group['rate_{{ year - 1 }}'], group['rate_{{ year }}'], label=label)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% naive="careless literal shortcut" trap="the rows of totals are drawn as wards"
import matplotlib.pyplot as plt

every = pd.read_csv('{{ data }}/wards.csv')
for when in ({{ year - 1 }}, {{ year }}):
    every[f'rate_{when}'] = 1000 * every[f'falls_{when}'] / every[f'days_{when}']
remaining = every[~every['ward'].isin(ten['ward'])]
plt.figure(figsize=(6, 5))
for label, group in (('{{ drawn }}', drawn), ('{{ listed }}', others), ('{{ rest }}', remaining)):
    plt.scatter(group['rate_{{ year - 1 }}'], group['rate_{{ year }}'], label=label)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2)]"
# The head of nursing judges the training by this code:
#
#     trained = wards[wards['training'] == 'yes']
#     print((trained['rate_{{ year }}'] - trained['rate_{{ year - 1 }}']).mean())
#
# Print by how much the rate of the wards that the lot drew changed from {{ year - 1 }} to {{ year }} in the mean, and how much of this change is the effect of the training, as the lot lets it be estimated from the mean changes. Each ward has the same weight, and a fall of the rate is negative. Print both with 2 decimal places, on one line, separated by a space.
#
# Thought: Wards that are listed for high rates get better by themselves; the wards that were not drawn show by how much.

# %% [markdown] lang="cn"
# 护理部主任用下面的代码评价培训：
#
#     trained = wards[wards['training'] == 'yes']
#     print((trained['rate_{{ year }}'] - trained['rate_{{ year - 1 }}']).mean())
#
# 打印抽签抽中的病房从 {{ year - 1 }} 年到 {{ year }} 年跌倒率的平均变化，以及其中属于培训效果的部分，即借助抽签由平均变化所能得到的估计。各病房权重相同，跌倒率下降为负数。两数均保留 2 位小数，在同一行，用空格分隔。
#
# Thought: 因跌倒率高而列入名单的病房本来就会好转，未抽中的病房说明会好转多少。

# %%
changes = [(group['rate_{{ year }}'] - group['rate_{{ year - 1 }}']).mean() for group in (drawn, others)]
answer = [changes[0], changes[0] - changes[1]]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="what would have got better by itself is put down to the training"
changes = [(group['rate_{{ year }}'] - group['rate_{{ year - 1 }}']).mean() for group in (drawn, others)]
print(f'{changes[0]:.2f} {changes[0]:.2f}')

# %% naive="literal shortcut" trap="the worst wards are compared with all others, which had no cause to get better"
trained, untrained = wards[wards['training'] == 'yes'], wards[wards['training'] == 'no']
changes = [(group['rate_{{ year }}'] - group['rate_{{ year - 1 }}']).mean() for group in (trained, untrained)]
print(f'{changes[0]:.2f} {changes[0] - changes[1]:.2f}')

# %% [markdown] kind="num" modules="sklearn pandas" held_out="days" metric="mae" bound="1.7"
# Predict the days of the stays of `{{ data }}/next.csv`, in the order of the file. It is known by now that all these patients went home, and that none was transferred. Their predictions should be wrong by at most 1.7 days in the mean (mean absolute error). Print the predictions with 1 decimal place, separated by spaces.
#
# Thought: What is billed by the end follows from the days, and new patients have been billed for no days yet, so it must stay out. Who died left early. CRP acts as a power, so the logarithms are linear.

# %% [markdown] lang="cn"
# 按文件中的顺序预测 `{{ data }}/next.csv` 中各次住院的天数。现已知道，这些患者全都出院回家，没有人转院。预测的平均绝对误差应不超过 1.7 天。打印各预测值，保留 1 位小数，用空格分隔。
#
# Thought: 最终的费用取决于天数，而新入院者还没有按天计费，因此不能使用。死者住院时间较短。CRP 以幂的形式起作用，取对数后呈线性。

# %%
import numpy as np
from sklearn.linear_model import LinearRegression


def features(table):
    return np.column_stack([np.log(table['crp']), table['severity'] == 'severe', table['age']])


following = pd.read_csv('{{ data }}/next.csv')
following.loc[following['hospital'] == 'South', 'crp'] *= 10
home = stays[~stays['died']]
model = LinearRegression().fit(features(home), np.log(home['days']))
print(*(f'{value:.1f}' for value in np.exp(model.predict(features(following)))))

# %% naive="careless" trap="what is billed gives the days away, but not at the admission"
from sklearn.ensemble import RandomForestRegressor

following = pd.read_csv('{{ data }}/next.csv')
following.loc[following['hospital'] == 'South', 'crp'] *= 10
billed = rows.groupby(['patient', 'admitted'])['billed'].first().rename('billed').reset_index()
home = stays.merge(billed, on=['patient', 'admitted'])
columns = ['crp', 'age', 'billed']
model = RandomForestRegressor(100, random_state=0).fit(home[columns], home['days'])
print(*(f'{value:.1f}' for value in model.predict(following[columns])))

# %% naive="literal" trap="the dead are in, whose stays are short"
import numpy as np
from sklearn.linear_model import LinearRegression


def features(table):
    return np.column_stack([np.log(table['crp']), table['severity'] == 'severe', table['age']])


following = pd.read_csv('{{ data }}/next.csv')
following.loc[following['hospital'] == 'South', 'crp'] *= 10
model = LinearRegression().fit(features(stays), np.log(stays['days'].clip(lower=1)))
print(*(f'{value:.1f}' for value in np.exp(model.predict(features(following)))))

# %% naive="shortcut" trap="the mean of a severity is no prediction of a patient"
following = pd.read_csv('{{ data }}/next.csv')
print(*(f'{value:.1f}' for value in following['severity'].map(stays.groupby('severity')['days'].mean())))
