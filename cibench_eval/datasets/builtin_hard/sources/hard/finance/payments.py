# ---
# jupyter:
#   instances:
#     spring: {seed: 41, orders: 900, currency: CHF, rate: 1.05}
#     island: {seed: 97, orders: 1200, currency: GBP, rate: 1.18}
#   varied:
#     seed: {between: [1, 1000000]}
#     orders: {between: [700, 1400]}
#     currency: {pick: [CHF, GBP, USD]}
#     rate: {pick: [1.04, 1.13, 0.91]}
#   words:
#     title: {en: Revenue by week, cn: 每周营业额}
#     x_label: {en: ISO week, cn: ISO 周}
#     y_label: {en: EUR, cn: 欧元}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A shop has exported its payments into `{{ data }}/payments_1.csv` and `{{ data }}/payments_2.csv`. What is in these files is said in `{{ data }}/notes.txt`.
# Make a DataFrame `payments` with one row for each payment that a real customer has made and that went through. Its columns are `id` (as the first file writes it), `customer` (a `C` and five digits), `day` (the calendar day in Berlin, as text `YYYY-MM-DD`) and `euros` (float, rounded to 2 decimal places). Sort it by `id`.
#
# Thought: The notes say how amounts, clocks, declined cards and tests are written, and which file is right where both have a payment.

# %% [markdown] lang="cn"
# 一家商店把收款记录导出到 `{{ data }}/payments_1.csv` 和 `{{ data }}/payments_2.csv`，文件内容的说明见 `{{ data }}/notes.txt`。
# 生成名为 `payments` 的 DataFrame，每一笔由真实顾客支付且付款成功的款项占一行，列为 `id`（写法同第一个文件）、`customer`（`C` 加五位数字）、`day`（柏林当地日期，文本 `YYYY-MM-DD`）和 `euros`（浮点数，保留 2 位小数），按 `id` 排序。
#
# Thought: 说明文件交代了金额、时钟、被拒的卡和测试账户的写法，以及两个文件都有的款项以哪个为准。

# %%
import pandas as pd

old = pd.read_csv('{{ data }}/payments_1.csv')
old = old[old['amount'] != 999999]
old['euros'] = old['amount'] / 100
old['moment'] = pd.to_datetime(old['time']).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin')

new = pd.read_csv('{{ data }}/payments_2.csv', sep=';', decimal=',', thousands='.', encoding='cp1252')
new.columns = ['id', 'customer', 'time', 'euros', 'currency']
new['id'] = new['id'].str.replace('^p', 'P-', regex=True)
new.loc[new['currency'] != 'EUR', 'euros'] *= {{ rate }}
new['moment'] = pd.to_datetime(new['time'], format='%d.%m.%Y %H:%M').dt.tz_localize('Europe/Berlin')

columns = ['id', 'customer', 'moment', 'euros']
payments = pd.concat([new[columns], old[columns]]).drop_duplicates('id')
payments = payments[~payments['customer'].str.endswith('000')]
payments['day'] = payments['moment'].dt.strftime('%Y-%m-%d')
payments['euros'] = payments['euros'].round(2)
payments = payments[['id', 'customer', 'day', 'euros']].sort_values('id').reset_index(drop=True)

# %% naive="careless" trap="declined cards and tests are counted"
import pandas as pd

old = pd.read_csv('{{ data }}/payments_1.csv')
old['euros'] = old['amount'] / 100
old['moment'] = pd.to_datetime(old['time']).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin')
new = pd.read_csv('{{ data }}/payments_2.csv', sep=';', decimal=',', thousands='.', encoding='cp1252')
new.columns = ['id', 'customer', 'time', 'euros', 'currency']
new['id'] = new['id'].str.replace('^p', 'P-', regex=True)
new.loc[new['currency'] != 'EUR', 'euros'] *= {{ rate }}
new['moment'] = pd.to_datetime(new['time'], format='%d.%m.%Y %H:%M').dt.tz_localize('Europe/Berlin')
columns = ['id', 'customer', 'moment', 'euros']
payments = pd.concat([new[columns], old[columns]]).drop_duplicates('id')
payments['day'] = payments['moment'].dt.strftime('%Y-%m-%d')
payments['euros'] = payments['euros'].round(2)
payments = payments[['id', 'customer', 'day', 'euros']].sort_values('id').reset_index(drop=True)

# %% naive="literal" trap="ids written otherwise are other payments"
import pandas as pd

old = pd.read_csv('{{ data }}/payments_1.csv')
old = old[old['amount'] != 999999]
old['euros'] = old['amount'] / 100
old['moment'] = pd.to_datetime(old['time']).dt.tz_localize('UTC').dt.tz_convert('Europe/Berlin')
new = pd.read_csv('{{ data }}/payments_2.csv', sep=';', decimal=',', thousands='.', encoding='cp1252')
new.columns = ['id', 'customer', 'time', 'euros', 'currency']
new.loc[new['currency'] != 'EUR', 'euros'] *= {{ rate }}
new['moment'] = pd.to_datetime(new['time'], format='%d.%m.%Y %H:%M').dt.tz_localize('Europe/Berlin')
columns = ['id', 'customer', 'moment', 'euros']
payments = pd.concat([new[columns], old[columns]]).drop_duplicates('id')
payments = payments[~payments['customer'].str.endswith('000')]
payments['day'] = payments['moment'].dt.strftime('%Y-%m-%d')
payments['euros'] = payments['euros'].round(2)
payments = payments[['id', 'customer', 'day', 'euros']].sort_values('id').reset_index(drop=True)

# %% naive="shortcut" trap="the day is read off the text, whatever the clock"
import pandas as pd

old = pd.read_csv('{{ data }}/payments_1.csv')
old = old[old['amount'] != 999999]
old['euros'], old['day'] = old['amount'] / 100, old['time'].str[:10]
new = pd.read_csv('{{ data }}/payments_2.csv', sep=';', decimal=',', thousands='.', encoding='cp1252')
new.columns = ['id', 'customer', 'time', 'euros', 'currency']
new['id'] = new['id'].str.replace('^p', 'P-', regex=True)
new.loc[new['currency'] != 'EUR', 'euros'] *= {{ rate }}
new['day'] = pd.to_datetime(new['time'], format='%d.%m.%Y %H:%M').dt.strftime('%Y-%m-%d')
columns = ['id', 'customer', 'day', 'euros']
payments = pd.concat([new[columns], old[columns]]).drop_duplicates('id')
payments = payments[~payments['customer'].str.endswith('000')]
payments['euros'] = payments['euros'].round(2)
payments = payments.sort_values('id').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2), count]"
# Print the number of payments, their sum in euros with 2 decimal places, and the number of different customers, on one line, separated by spaces.
#
# Thought: All three come straight from the table.

# %% [markdown] lang="cn"
# 在同一行打印款项笔数、以欧元计的总额（保留 2 位小数）和不同顾客的人数，用空格分隔。
#
# Thought: 三个数都可直接由表得到。

# %%
answer = [len(payments), payments['euros'].sum(), payments['customer'].nunique()]
print(answer[0], f'{answer[1]:.2f}', answer[2])

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# `{{ data }}/customers.csv` says which segment a customer belongs to. Every customer of `payments` is in it. Add the segment as a column `segment`.
# Print the sum of `euros` of each segment on a line of its own, as `segment: sum` with 2 decimal places, in alphabetical order of the segments.
#
# Thought: Numbers are written in three ways, and segments have a blank in front; sums must add up to the total.

# %% [markdown] lang="cn"
# `{{ data }}/customers.csv` 记录了顾客所属的类别，`payments` 中的顾客都在其中。把类别加为 `segment` 列。
# 每行打印一个类别的 `euros` 之和，格式为 `类别: 总和`，保留 2 位小数，按类别的字母顺序排列。
#
# Thought: 顾客编号有三种写法，类别前有空格；各类之和应等于总额。

# %%
customers = pd.read_csv('{{ data }}/customers.csv', dtype=str, skipinitialspace=True)
number = 'C' + customers['number'].str.upper().str.removeprefix('C')
payments['segment'] = payments['customer'].map(dict(zip(number, customers['segment'])))
answer = dict(payments.groupby('segment')['euros'].sum().items())
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% naive="careless literal shortcut" trap="customers whose number is written otherwise are lost"
customers = pd.read_csv('{{ data }}/customers.csv', dtype=str)
payments = payments.merge(customers, left_on='customer', right_on='number', how='left').drop(columns=['number', 'since'])
for segment, total in payments.groupby('segment')['euros'].sum().items():
    print(f'{segment.strip()}: {total:.2f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the 5 days with the highest sum of `euros`, from the highest on, on one line, separated by `, `.
#
# Thought: nlargest sorts in descending order.

# %% [markdown] lang="cn"
# 在同一行打印 `euros` 之和最高的 5 天，从高到低，用 `, ` 分隔。
#
# Thought: nlargest 按降序给出结果。

# %%
by_day = payments.groupby('day')['euros'].sum()
answer = list(by_day.nlargest(5).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2)]"
# Revenue may hang on a few customers. Print the smallest number of customers who together have paid at least half of the whole sum of `euros`, and the share of the sum that the single largest of them has paid, in percent with 2 decimal places, on one line, separated by a space.
#
# Thought: Sort the customers' sums in descending order and look where their running total passes half.

# %% [markdown] lang="cn"
# 营业额可能依赖少数顾客。在同一行打印：至少多少名顾客合计支付了 `euros` 总额的一半或以上，以及其中付款最多的一名顾客所占的百分比（保留 2 位小数），用空格分隔。
#
# Thought: 将各顾客的总额降序排列，看累计值在何处超过一半。

# %%
sums = payments.groupby('customer')['euros'].sum().sort_values(ascending=False)
few = int((sums.cumsum() < sums.sum() / 2).sum()) + 1
answer = [few, 100 * sums.iloc[0] / sums.sum()]
print(answer[0], f'{answer[1]:.2f}')

# %% naive="literal" trap="payments are counted in place of customers"
sums = payments['euros'].sort_values(ascending=False)
few = int((sums.cumsum() < sums.sum() / 2).sum()) + 1
print(few, f'{100 * sums.iloc[0] / sums.sum():.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2)]"
# A colleague looks for the weakest week with this code:
#
#     weeks = pd.to_datetime(payments['day']).dt.isocalendar().week
#     print(payments.groupby(weeks)['euros'].sum().idxmin())
#
# But a week that the exports cover only in part cannot be the weakest. The exports begin on the first day of `payments` and end on the last.
# Make a Series `weekly` of the sum of `euros` of each ISO week (Monday to Sunday) that lies wholly between them (both days included), with the number of the week as its index. Print the number of the weakest week and its sum with 2 decimal places, on one line, separated by a space.
#
# Thought: A week counts if its Monday is not before the first day and its Sunday not after the last.

# %% [markdown] lang="cn"
# 一位同事用下面的代码找营业额最低的一周：
#
#     weeks = pd.to_datetime(payments['day']).dt.isocalendar().week
#     print(payments.groupby(weeks)['euros'].sum().idxmin())
#
# 但导出数据只覆盖了一部分的周不能算最低。数据从 `payments` 的第一天开始，到最后一天结束。
# 生成 Series `weekly`：完整落在这段时间内（含首尾两天）的每个 ISO 周（周一至周日）的 `euros` 之和，以周数为索引。在同一行打印最低一周的周数及其总和（保留 2 位小数），用空格分隔。
#
# Thought: 周一不早于第一天、周日不晚于最后一天的周才算完整。

# %%
days = pd.to_datetime(payments['day'])
monday = days.dt.to_period('W').dt.start_time
whole = (monday >= days.min()) & (monday + pd.Timedelta(days=6) <= days.max())
weekly = payments[whole].groupby(days[whole].dt.isocalendar().week.astype(int))['euros'].sum()
answer = [weekly.idxmin(), weekly.min()]
print(answer[0], f'{answer[1]:.2f}')

# %% naive="careless shortcut" trap="weeks that are cut off count as whole ones"
weeks = pd.to_datetime(payments['day']).dt.isocalendar().week
weekly = payments.groupby(weeks)['euros'].sum()
print(weekly.idxmin(), f'{weekly.min():.2f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `weekly` as a bar chart over the numbers of the weeks, in `teal`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (7, 3.5), and call `plt.show()`.
#
# Thought: The index has the weeks.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以周数为横坐标，将 `weekly` 画成柱状图，颜色 `teal`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 3.5)，最后调用 `plt.show()`。
#
# Thought: 索引就是周数。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 3.5))
plt.bar(weekly.index, weekly, color='teal')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
