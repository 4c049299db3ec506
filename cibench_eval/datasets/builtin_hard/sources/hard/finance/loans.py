# ---
# jupyter:
#   instances:
#     harbour: {seed: 12, loans: 900, first: Aarau, second: Ostend, window: 365, bound: 0.75}
#     valley: {seed: 77, loans: 1050, first: Bergen, second: Graz, window: 270, bound: 0.75}
#   varied:
#     seed: {between: [1, 1000000]}
#     loans: {between: [850, 1200]}
#     first: {pick: [Aarau, Bergen, Lugano]}
#     second: {pick: [Ostend, Graz, Turku]}
#     window: {pick: [365, 270, 300]}
#     bound: {pick: [0.75]}
#   words:
#     title: {en: Loans that fell behind, cn: 逾期贷款}
#     x_label: {en: year of opening, cn: 放款年份}
#     y_label: {en: share, cn: 比例}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A bank has exported the loans of two branches into `{{ data }}/branch_1.csv` and `{{ data }}/branch_2.csv`. `{{ data }}/notes.txt` says how they are written.
# Make a DataFrame `book` with one row for each loan. Its columns are `id` (an `L` and four digits), `branch` (`{{ first }}` or `{{ second }}`, where the loan is now), `opened` (text `YYYY-MM-DD`), `grade`, `purpose` (one of `car`, `kitchen`, `studies`, `wedding`, `boat`), `amount` (euros), `income` (euros a year), `earlier`, `reminders` and `days_late` (days from `opened` to `late_on`, missing where the loan has not been late). Sort it by `id`.
#
# Thought: Everything that differs between the lists is in the notes; the second list is right where both have a loan.

# %% [markdown] lang="cn"
# 一家银行把两家分行的贷款导出到 `{{ data }}/branch_1.csv` 和 `{{ data }}/branch_2.csv`，写法见 `{{ data }}/notes.txt`。
# 生成名为 `book` 的 DataFrame，每笔贷款一行，列为 `id`（`L` 加四位数字）、`branch`（贷款现在所属的分行，`{{ first }}` 或 `{{ second }}`）、`opened`（文本 `YYYY-MM-DD`）、`grade`、`purpose`（`car`、`kitchen`、`studies`、`wedding`、`boat` 之一）、`amount`（欧元）、`income`（每年的欧元数）、`earlier`、`reminders` 和 `days_late`（从 `opened` 到 `late_on` 的天数，没有逾期过的为缺失值），按 `id` 排序。
#
# Thought: 两份清单的差别都写在说明里；两边都有的贷款以第二份为准。

# %%
import pandas as pd

columns = ['id', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'late_on', 'reminders']
purposes = {'1': 'car', '2': 'kitchen', '3': 'studies', '4': 'wedding', '5': 'boat'}
one = pd.read_csv('{{ data }}/branch_1.csv', dtype=str)
one.columns = columns
one = one[one['id'].str.startswith('L')].copy()
one['branch'] = '{{ first }}'
one['opened'] = pd.to_datetime(one['opened'])
one['late_on'] = pd.to_datetime(one['late_on'].where(one['late_on'] != '1900-01-01'))
one['purpose'] = one['purpose'].str.strip().str.lower()
one['amount'] = one['amount'].astype(float)
one['income'] = one['income'].astype(float) * 12

two = pd.read_csv('{{ data }}/branch_2.csv', sep=';', dtype=str, encoding='cp1252')
two.columns = columns
two = two[two['id'] != 'Summe'].copy()
two['branch'] = '{{ second }}'
two['id'] = 'L' + two['id'].str.zfill(4)
two['opened'] = pd.to_datetime(two['opened'], format='%d.%m.%Y')
two['late_on'] = pd.to_datetime(two['late_on'], format='%d.%m.%Y')
two['purpose'] = two['purpose'].map(purposes)
two['amount'] = (two['amount'].str.replace(',', '.', regex=False).astype(float) * 1000).round()
two['income'] = two['income'].astype(float)

book = pd.concat([two, one]).drop_duplicates('id').sort_values('id').reset_index(drop=True)
book['days_late'] = (book['late_on'] - book['opened']).dt.days
book['opened'] = book['opened'].dt.strftime('%Y-%m-%d')
for name in ['earlier', 'reminders']:
    book[name] = book[name].astype(int)
book = book[['id', 'branch', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'reminders', 'days_late']]

# %% naive="careless" trap="loans that were moved count twice or as they were"
import pandas as pd

columns = ['id', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'late_on', 'reminders']
purposes = {'1': 'car', '2': 'kitchen', '3': 'studies', '4': 'wedding', '5': 'boat'}
one = pd.read_csv('{{ data }}/branch_1.csv', dtype=str)
one.columns = columns
one = one[one['id'].str.startswith('L')].copy()
one['branch'] = '{{ first }}'
one['opened'] = pd.to_datetime(one['opened'])
one['late_on'] = pd.to_datetime(one['late_on'].where(one['late_on'] != '1900-01-01'))
one['purpose'] = one['purpose'].str.strip().str.lower()
one['amount'] = one['amount'].astype(float)
one['income'] = one['income'].astype(float) * 12
two = pd.read_csv('{{ data }}/branch_2.csv', sep=';', dtype=str, encoding='cp1252')
two.columns = columns
two = two[two['id'] != 'Summe'].copy()
two['branch'] = '{{ second }}'
two['id'] = 'L' + two['id'].str.zfill(4)
two['opened'] = pd.to_datetime(two['opened'], format='%d.%m.%Y')
two['late_on'] = pd.to_datetime(two['late_on'], format='%d.%m.%Y')
two['purpose'] = two['purpose'].map(purposes)
two['amount'] = (two['amount'].str.replace(',', '.', regex=False).astype(float) * 1000).round()
two['income'] = two['income'].astype(float)
book = pd.concat([one, two]).drop_duplicates('id').sort_values('id').reset_index(drop=True)
book['days_late'] = (book['late_on'] - book['opened']).dt.days
book['opened'] = book['opened'].dt.strftime('%Y-%m-%d')
for name in ['earlier', 'reminders']:
    book[name] = book[name].astype(int)
book = book[['id', 'branch', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'reminders', 'days_late']]

# %% naive="literal" trap="incomes by the month and by the year stand in one column, and the sum is a loan"
import pandas as pd

columns = ['id', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'late_on', 'reminders']
purposes = {'1': 'car', '2': 'kitchen', '3': 'studies', '4': 'wedding', '5': 'boat'}
one = pd.read_csv('{{ data }}/branch_1.csv', dtype=str)
one.columns = columns
one = one[one['id'].str.startswith('L')].copy()
one['branch'] = '{{ first }}'
one['opened'] = pd.to_datetime(one['opened'])
one['late_on'] = pd.to_datetime(one['late_on'].where(one['late_on'] != '1900-01-01'))
one['purpose'] = one['purpose'].str.strip().str.lower()
two = pd.read_csv('{{ data }}/branch_2.csv', sep=';', dtype=str, encoding='cp1252')
two.columns = columns
two['branch'] = '{{ second }}'
two['id'] = 'L' + two['id'].str.zfill(4)
two['opened'] = pd.to_datetime(two['opened'], format='%d.%m.%Y')
two['late_on'] = pd.to_datetime(two['late_on'], format='%d.%m.%Y')
two['purpose'] = two['purpose'].map(purposes)
two['amount'] = (two['amount'].str.replace(',', '.', regex=False).astype(float) * 1000).round()
book = pd.concat([two, one]).drop_duplicates('id').sort_values('id').reset_index(drop=True)
book['days_late'] = (book['late_on'] - book['opened']).dt.days
book['opened'] = book['opened'].dt.strftime('%Y-%m-%d')
for name in ['amount', 'income']:
    book[name] = book[name].astype(float)
for name in ['earlier', 'reminders']:
    book[name] = book[name].fillna(0).astype(int)
book = book[['id', 'branch', 'opened', 'grade', 'purpose', 'amount', 'income', 'earlier', 'reminders', 'days_late']]

# %% [markdown] kind="num" modules="pandas" answer="[count, real(0), count]"
# Print the number of loans, the sum of `amount` in whole euros, and the number of loans that have been late so far, on one line, separated by spaces.
#
# Thought: A loan has been late if `days_late` is not missing.

# %% [markdown] lang="cn"
# 在同一行打印贷款笔数、`amount` 之和（整数欧元）和至今逾期过的贷款笔数，用空格分隔。
#
# Thought: `days_late` 不缺失即逾期过。

# %%
answer = [len(book), int(round(book['amount'].sum())), book['days_late'].notna().sum()]
print(*answer)

# %% [markdown] kind="num" modules="pandas" answer="table[real(4)]"
# A loan is called bad if it was late at most {{ window }} days after it was opened.
# Make a Series `shares` of the share of bad loans (0 to 1) of each year of opening, with the year (int) as its index. Leave out each year in which a loan was opened of which it could not be known on the day of the export whether it would be bad: for each loan of a year, its first {{ window }} days must be over.
# Print each year and its share with 4 decimal places on a line of its own, as `year: share`, in order of the years.
#
# Thought: A loan's first days are over if it was opened early enough before the export; the year of the latest such day is not whole.

# %% [markdown] lang="cn"
# 放款后 {{ window }} 天以内（含第 {{ window }} 天）逾期的贷款称为坏账。
# 生成 Series `shares`：各放款年份的坏账比例（0 到 1），以年份（int）为索引。如果某一年有贷款在导出当天还无法知道是否会成为坏账，则略去这一年：一年中每笔贷款的前 {{ window }} 天都必须已经过完。
# 每行打印一个年份及其比例，格式为 `年份: 比例`，保留 4 位小数，按年份排序。
#
# Thought: 只有放款足够早的贷款才过完了前若干天；这一界限所在的年份并不完整。

# %%
opened = pd.to_datetime(book['opened'])
book['year'] = opened.dt.year
book['bad'] = book['days_late'] <= {{ window }}
over = opened + pd.Timedelta(days={{ window }}) <= pd.Timestamp('2025-09-30')
whole = over.groupby(book['year']).all()
shares = book.groupby('year')['bad'].mean()[whole]
answer = dict(shares.items())
for name, value in answer.items():
    print(f'{name}: {value:.4f}')

# %% naive="careless" trap="years that are not over yet look better than they are"
opened = pd.to_datetime(book['opened'])
book['year'] = opened.dt.year
book['bad'] = book['days_late'] <= {{ window }}
shares = book.groupby('year')['bad'].mean()
for year, share in shares.items():
    print(f'{year}: {share:.4f}')

# %% naive="literal shortcut" trap="loans that are late late are bad, too, and only the year of the export is left out"
opened = pd.to_datetime(book['opened'])
book['year'] = opened.dt.year
book['bad'] = book['days_late'].notna()
shares = book[book['year'] < 2025].groupby('year')['bad'].mean()
for year, share in shares.items():
    print(f'{year}: {share:.4f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `shares` as a bar chart over the years, with one tick a year, in `firebrick`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 3.5), and call `plt.show()`.
#
# Thought: The years as text give a tick each.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以年份为横坐标（每年一个刻度），将 `shares` 画成柱状图，颜色 `firebrick`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 年份转成文本后每年一个刻度。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 3.5))
plt.bar([str(year) for year in shares.index], shares, color='firebrick')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2)]"
# Now take the loans of the years in `shares` alone. A colleague compares the branches with
#
#     print(loans.groupby('branch')['bad'].mean())
#
# But each branch has other grades of customers. Print for `{{ first }}` and then for `{{ second }}`, on one line, separated by a space, the share of bad loans in percent that the branch would have if its loans were of the grades `A` to `D` in the proportions of all these loans of both branches together, with its own share of bad loans within each grade. Give 2 decimal places.
#
# Thought: Weight each branch's share within a grade by the share of that grade among all loans.

# %% [markdown] lang="cn"
# 下面只看 `shares` 中各年份的贷款。一位同事这样比较两家分行：
#
#     print(loans.groupby('branch')['bad'].mean())
#
# 但两家分行的客户等级构成不同。假设每家分行的贷款按 `A` 到 `D` 等级的构成与两家分行这些贷款合计的构成相同，而各等级内的坏账比例仍是该分行自己的，求这时的坏账比例（百分数，保留 2 位小数）。在同一行先打印 `{{ first }}`，再打印 `{{ second }}`，用空格分隔。
#
# Thought: 用各等级在全部贷款中的占比，对分行各等级的坏账比例加权。

# %%
loans = book[book['year'].isin(shares.index)]
within = loans.groupby(['branch', 'grade'])['bad'].mean().unstack()
weights = loans['grade'].value_counts(normalize=True)
even = 100 * (within * weights).sum(axis=1)
answer = [even['{{ first }}'], even['{{ second }}']]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="shares of other mixtures of grades are compared"
loans = book[book['year'].isin(shares.index)]
crude = 100 * loans.groupby('branch')['bad'].mean()
print(f'{crude["{{ first }}"]:.2f} {crude["{{ second }}"]:.2f}')

# %% naive="shortcut" trap="the grades are taken to be equally frequent"
loans = book[book['year'].isin(shares.index)]
even = 100 * loans.groupby(['branch', 'grade'])['bad'].mean().unstack().mean(axis=1)
print(f'{even["{{ first }}"]:.2f} {even["{{ second }}"]:.2f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Still among the loans of the years in `shares`: print the purposes in descending order of the sum of `amount` of their bad loans, on one line, separated by `, `.
#
# Thought: Sum the amounts of the bad loans by purpose.

# %% [markdown] lang="cn"
# 仍只看 `shares` 中各年份的贷款：把用途按其坏账的 `amount` 之和从大到小打印在同一行，用 `, ` 分隔。
#
# Thought: 按用途汇总坏账金额。

# %%
answer = list(loans[loans['bad']].groupby('purpose')['amount'].sum().sort_values(ascending=False).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="scipy" answer="[text, count, real(relative=0.005)]"
# Two assessors, Ada and Ben, have said which interest rate they would ask for a loan: `{{ data }}/assessors.csv`. Do they ask for different rates on average? Test it two-sided at the 5 % level with one of `scipy.stats.ttest_ind` and `scipy.stats.ttest_rel`, on all rates that the test can use.
# Print the name of the function, the number of rates of Ada that went into it, and the p-value with 3 significant digits, on one line, separated by spaces.
#
# Thought: Both have looked at the same loans, so the rates are pairs; three loans have been seen by one of them alone.

# %% [markdown] lang="cn"
# 两位评估员 Ada 和 Ben 分别给出了他们认为贷款应收的利率：`{{ data }}/assessors.csv`。两人的平均利率是否不同？用 `scipy.stats.ttest_ind` 和 `scipy.stats.ttest_rel` 之一，在 5 % 水平上做双侧检验，使用该检验能用上的全部利率。
# 在同一行打印函数名、用到的 Ada 的利率个数和 p 值（3 位有效数字），用空格分隔。
#
# Thought: 两人看的是同一批贷款，利率成对；有三笔贷款只有一人评估过。

# %%
from scipy import stats

pairs = pd.read_csv('{{ data }}/assessors.csv').pivot(index='loan', columns='assessor', values='rate').dropna()
answer = ['ttest_rel', len(pairs), stats.ttest_rel(pairs['Ada'], pairs['Ben']).pvalue]
print(answer[0], answer[1], f'{answer[2]:.3g}')

# %% naive="careless literal" trap="pairs are tested as if they were independent"
from scipy import stats

rates = pd.read_csv('{{ data }}/assessors.csv')
ada, ben = (rates.loc[rates['assessor'] == name, 'rate'] for name in ['Ada', 'Ben'])
print('ttest_ind', len(ada), f'{stats.ttest_ind(ada, ben).pvalue:.3g}')

# %% naive="shortcut" trap="rates are paired in the order of the file"
from scipy import stats

rates = pd.read_csv('{{ data }}/assessors.csv')
ada, ben = (rates.loc[rates['assessor'] == name, 'rate'].tolist() for name in ['Ada', 'Ben'])
size = min(len(ada), len(ben))
print('ttest_rel', size, f'{stats.ttest_rel(ada[:size], ben[:size]).pvalue:.3g}')

# %% [markdown] kind="num" modules="sklearn" held_out="outcome" metric="accuracy" bound="{{ bound }}"
# `{{ data }}/applications.csv` has applications for loans that have not been opened yet, with columns like those of `book`. Predict for each row whether the loan will be bad.
# Print one digit for each row, in the order of the file, on one line, separated by spaces: 1 if it will be bad, 0 if not. At least {{ (100 * bound) | round | int }} % of them must be right.
#
# Thought: Reminders are letters about a loan that runs; no application has any, so a model must not learn from them.

# %% [markdown] lang="cn"
# `{{ data }}/applications.csv` 是尚未放款的贷款申请，各列与 `book` 的列相应。预测每一行的贷款会不会成为坏账。
# 按文件中的顺序为每一行打印一个数字，放在同一行，用空格分隔：会成为坏账为 1，否则为 0。至少要有 {{ (100 * bound) | round | int }} % 正确。
#
# Thought: 催款信是贷款运行之后才有的，申请时都没有，模型不应从中学习。

# %%
import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

applications = pd.read_csv('{{ data }}/applications.csv')


def features(table):
    return pd.DataFrame({
        'weight': np.log(table['amount'] / table['income']),
        'grade': table['grade'].map({'A': 0, 'B': 1, 'C': 2, 'D': 3}),
        'earlier': table['earlier'],
        'branch': (table['branch'] == '{{ first }}').astype(int),
    })


model = make_pipeline(StandardScaler(), LogisticRegression()).fit(features(loans), loans['bad'].astype(int))
print(*model.predict(features(applications)))

# %% naive="careless literal" trap="the number of reminders gives the target away"
from sklearn.ensemble import RandomForestClassifier

applications = pd.read_csv('{{ data }}/applications.csv')
names = ['grade', 'purpose', 'branch', 'amount', 'income', 'earlier', 'reminders']
both = pd.get_dummies(pd.concat([loans[names], applications[names]])).astype(float)
model = RandomForestClassifier(n_estimators=100, random_state=0)
model.fit(both.iloc[: len(loans)], loans['bad'].astype(int))
print(*model.predict(both.iloc[len(loans) :]))

# %% naive="shortcut" trap="the more frequent outcome is predicted for all"
applications = pd.read_csv('{{ data }}/applications.csv')
print(*[int(loans['bad'].mean() > 0.5)] * len(applications))
