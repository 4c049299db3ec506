# ---
# jupyter:
#   instances:
#     corner: {seed: 14, year: 2024, practice: 9, leaver: 4, fee: 1.25, raised: 1.6, bound: 11.0}
#     arcade: {seed: 71, year: 2025, practice: 8, leaver: 5, fee: 1.4, raised: 1.85, bound: 11.0}
#   varied:
#     seed: {between: [1, 1000000]}
#     year: {pick: [2022, 2023, 2024, 2025]}
#     practice: {pick: [7, 8, 9]}
#     leaver: {pick: [3, 4, 5, 6]}
#     fee: {pick: [1.2, 1.35, 1.4]}
#     raised: {pick: [1.7, 1.8, 1.95]}
#     bound: {pick: [11.0]}
#   words:
#     gaps: {en: Cash that is missing, cn: 缺少的现金}
#     week: {en: Monday, cn: 周一日期}
#     euros: {en: EUR, cn: 欧元}
#     doors: {en: Counter by the door, cn: 门口计数器}
#     counts: {en: mean count of a day, cn: 日均计数}
#     running: {en: Sales less costs from January on, cn: 自一月起的销售额减成本}
#     month: {en: month, cn: 月份}
# ---

# %% [markdown] kind="exec" modules="pandas"
# We keep the books of a tea shop for {{ year }}, file after file. `{{ data }}/notes.txt` says how they are written. Begin with `{{ data }}/till_1.csv` and `{{ data }}/rates.csv`. The folder already holds what comes in later: use a file only from the question on that names it.
# Make a DataFrame `sales` with one row for each receipt of the old till by which something was really sold. Its columns are `receipt` (integer), `day` (text `YYYY-MM-DD`), `group` (the name in `rates.csv`), `gross` (euros with VAT) and `pay`. Sort it by `receipt`.
#
# Thought: Totals of the day, receipts that were taken back and practice are no sales.

# %% [markdown] lang="cn"
# 我们逐个文件地整理一家茶店 {{ year }} 年的账目，写法见 `{{ data }}/notes.txt`。先看 `{{ data }}/till_1.csv` 和 `{{ data }}/rates.csv`。文件夹中已有后来才到的文件：从提到某个文件的问题起才可使用它。
# 生成名为 `sales` 的 DataFrame，旧收银机上每张真正卖出了东西的收据占一行，列为 `receipt`（整数）、`day`（文本 `YYYY-MM-DD`）、`group`（`rates.csv` 中的名称）、`gross`（含增值税的欧元金额）和 `pay`，按 `receipt` 排序。
#
# Thought: 日合计、被撤销的收据和练习都不是销售。

# %%
import pandas as pd

rates = pd.read_csv('{{ data }}/rates.csv')
till = pd.read_csv('{{ data }}/till_1.csv')
voided = till.loc[till['kind'] == 'void', 'receipt']
sold = till[(till['kind'] == 'sale') & ~till['receipt'].isin(voided) & (till['key'] != {{ practice }})]
sales = pd.DataFrame(
    {
        'receipt': sold['receipt'].astype(int),
        'day': sold['time'].str[:10],
        'group': sold['code'].map(dict(zip(rates['code'], rates['group']))),
        'gross': sold['amount'],
        'pay': sold['pay'],
    }
)
sales = sales.sort_values('receipt').reset_index(drop=True)

# %% naive="careless" trap="the row that takes a receipt back goes, the receipt stays"
import pandas as pd

rates = pd.read_csv('{{ data }}/rates.csv')
till = pd.read_csv('{{ data }}/till_1.csv')
sold = till[(till['kind'] == 'sale') & (till['key'] != {{ practice }})]
sales = pd.DataFrame(
    {
        'receipt': sold['receipt'].astype(int),
        'day': sold['time'].str[:10],
        'group': sold['code'].map(dict(zip(rates['code'], rates['group']))),
        'gross': sold['amount'],
        'pay': sold['pay'],
    }
)
sales = sales.sort_values('receipt').reset_index(drop=True)

# %% naive="literal" trap="what is rung up for practice counts as sold"
import pandas as pd

rates = pd.read_csv('{{ data }}/rates.csv')
till = pd.read_csv('{{ data }}/till_1.csv')
voided = till.loc[till['kind'] == 'void', 'receipt']
sold = till[(till['kind'] == 'sale') & ~till['receipt'].isin(voided)]
sales = pd.DataFrame(
    {
        'receipt': sold['receipt'].astype(int),
        'day': sold['time'].str[:10],
        'group': sold['code'].map(dict(zip(rates['code'], rates['group']))),
        'gross': sold['amount'],
        'pay': sold['pay'],
    }
)
sales = sales.sort_values('receipt').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2), count]"
# Print the number of rows of `sales`, the sum of `gross` with 2 decimal places, and the number of different days, on one line, separated by spaces.
#
# Thought: All three come straight from the table.

# %% [markdown] lang="cn"
# 在同一行打印 `sales` 的行数、`gross` 之和（保留 2 位小数）和不同日期的个数，用空格分隔。
#
# Thought: 三个数都可直接由表得到。

# %%
answer = [len(sales), sales['gross'].sum(), sales['day'].nunique()]
print(answer[0], f'{answer[1]:.2f}', answer[2])

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# Add a column `net` to `sales`: `gross` without the VAT that is in it, not rounded. Make a Series `vat` of the VAT in the receipts of each quarter, not rounded, with the index `Q1` and `Q2`.
# Print each quarter on a line of its own, as `quarter: VAT`, with 2 decimal places.
#
# Thought: Of the rates of a group the last one that holds on the day counts; net is gross divided by one plus the rate.

# %% [markdown] lang="cn"
# 为 `sales` 添加 `net` 列：`gross` 扣除其中所含增值税后的金额，不取整。生成 Series `vat`，为各季度收据中所含的增值税（不取整），索引为 `Q1` 和 `Q2`。
# 每行打印一个季度，格式为 `季度: 增值税`（季度写作 `Q1`、`Q2`），保留 2 位小数。
#
# Thought: 每个类别取当天有效的最后一个税率；净额等于含税额除以一加税率。

# %%
known = {name: list(zip(rows['from'], rows['percent'])) for name, rows in rates.sort_values('from').groupby('group')}


def net_of(table):
    valid = [
        [percent for since, percent in known[name] if since <= date][-1]
        for name, date in zip(table['group'], table['day'])
    ]
    return [gross / (1 + percent / 100) for gross, percent in zip(table['gross'], valid)]


sales['net'] = net_of(sales)
quarter = 'Q' + pd.to_datetime(sales['day']).dt.quarter.astype(str)
vat = (sales['gross'] - sales['net']).groupby(quarter).sum()
answer = dict(vat.items())
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% naive="careless" trap="the rates of January hold all year"
known = {name: list(zip(rows['from'], rows['percent']))[:1] for name, rows in rates.sort_values('from').groupby('group')}


def net_of(table):
    valid = [known[name][0][1] for name in table['group']]
    return [gross / (1 + percent / 100) for gross, percent in zip(table['gross'], valid)]


sales['net'] = net_of(sales)
quarter = 'Q' + pd.to_datetime(sales['day']).dt.quarter.astype(str)
vat = (sales['gross'] - sales['net']).groupby(quarter).sum()
for label, total in vat.items():
    print(f'{label}: {total:.2f}')

# %% naive="shortcut" trap="the rate is taken of the amount with VAT"
known = {name: list(zip(rows['from'], rows['percent'])) for name, rows in rates.sort_values('from').groupby('group')}


def net_of(table):
    valid = [
        [percent for since, percent in known[name] if since <= date][-1]
        for name, date in zip(table['group'], table['day'])
    ]
    return [gross * (1 - percent / 100) for gross, percent in zip(table['gross'], valid)]


sales['net'] = net_of(sales)
quarter = 'Q' + pd.to_datetime(sales['day']).dt.quarter.astype(str)
vat = (sales['gross'] - sales['net']).groupby(quarter).sum()
for label, total in vat.items():
    print(f'{label}: {total:.2f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# In which months did the shop take most `net` for each day on which it was open? It was open on the days of `sales`. Print the six months as `YYYY-MM`, from the highest value on, on one line, separated by `, `.
#
# Thought: Months have different numbers of open days, so the sums are divided by these.

# %% [markdown] lang="cn"
# 按每个营业日平均的 `net` 来看，哪些月份最好？`sales` 中出现的日期即营业日。在同一行打印这六个月（`YYYY-MM`），从高到低，用 `, ` 分隔。
#
# Thought: 各月营业天数不同，总和要除以营业天数。

# %%
by_month = sales.groupby(sales['day'].str[:7]).agg({'net': 'sum', 'day': 'nunique'})
answer = list((by_month['net'] / by_month['day']).sort_values(ascending=False).index)
print(', '.join(answer))

# %% naive="shortcut" trap="sums of months are compared, whatever their open days"
by_month = sales.groupby(sales['day'].str[:7])['net'].sum()
print(', '.join(by_month.sort_values(ascending=False).index))

# %% [markdown] kind="exec" modules="pandas"
# Now the account: `{{ data }}/bank.csv`, saved on Windows. Make a DataFrame `bank` with one row for each booking and the columns `number` (integer), `day` (text `YYYY-MM-DD`), `text` and `amount` (euros, negative where money left the account). Sort it by `number`.
#
# Thought: Balances have no number, and a booking that stands on two pages has one.

# %% [markdown] lang="cn"
# 接着看账户：`{{ data }}/bank.csv`，在 Windows 上保存。生成名为 `bank` 的 DataFrame，每笔入账或出账占一行，列为 `number`（整数）、`day`（文本 `YYYY-MM-DD`）、`text` 和 `amount`（欧元，支出为负），按 `number` 排序。
#
# Thought: 余额行没有编号，出现在两页上的同一笔账只有一个编号。

# %%
pages = pd.read_csv('{{ data }}/bank.csv', sep=';', decimal=',', thousands='.', encoding='cp1252', dtype={'Buchung': str})
pages.columns = ['number', 'day', 'text', 'amount']
bank = pages[pages['number'].notna()].drop_duplicates('number').copy()
bank['number'] = bank['number'].astype(int)
bank['day'] = pd.to_datetime(bank['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
bank = bank.sort_values('number').reset_index(drop=True)

# %% naive="careless shortcut" trap="bookings that stand on two pages count twice"
pages = pd.read_csv('{{ data }}/bank.csv', sep=';', decimal=',', thousands='.', encoding='cp1252', dtype={'Buchung': str})
pages.columns = ['number', 'day', 'text', 'amount']
bank = pages[pages['number'].notna()].copy()
bank['number'] = bank['number'].astype(int)
bank['day'] = pd.to_datetime(bank['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
bank = bank.sort_values('number').reset_index(drop=True)

# %% naive="literal" trap="two equal wages on one day are taken for one"
pages = pd.read_csv('{{ data }}/bank.csv', sep=';', decimal=',', thousands='.', encoding='cp1252', dtype={'Buchung': str})
pages.columns = ['number', 'day', 'text', 'amount']
bank = pages[pages['number'].notna()].drop_duplicates(['day', 'text', 'amount']).copy()
bank['number'] = bank['number'].astype(int)
bank['day'] = pd.to_datetime(bank['day'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
bank = bank.sort_values('number').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2), real(2)]"
# Print the sum of the money that came in, the sum of the money that went out (as a positive number) and the balance after the last booking, each with 2 decimal places, on one line, separated by spaces.
#
# Thought: The opening balance stands in the first row of the file.

# %% [markdown] lang="cn"
# 在同一行打印收入总额、支出总额（写成正数）和最后一笔账之后的余额，各保留 2 位小数，用空格分隔。
#
# Thought: 期初余额在文件第一行。

# %%
money = bank['amount']
answer = [money[money > 0].sum(), -money[money < 0].sum(), pages['amount'].iloc[0] + money.sum()]
print(*(f'{value:.2f}' for value in answer))

# %% naive="shortcut" trap="carry-overs are taken for money that came in, and the opening balance is forgotten"
money = pages['amount']
print(f'{money[money > 0].sum():.2f} {-money[money < 0].sum():.2f} {money.sum():.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[date, real(2), real(2)]"
# On one day the bank raised its fee for cards. Print the first day whose cards were paid out at the new fee (`YYYY-MM-DD`), and the old and the new fee in percent with 2 decimal places, on one line, separated by spaces. Each fee is the sum of what the bank kept of those days' cards, divided by these cards.
#
# Thought: Each payment names its day; what it lacks to the card sales of that day is the fee. Days that are not paid yet are left out.

# %% [markdown] lang="cn"
# 银行在某一天提高了刷卡手续费。在同一行打印按新费率结算的第一个刷卡日（`YYYY-MM-DD`），以及旧费率和新费率（百分数，保留 2 位小数），用空格分隔。每个费率为银行从这些天的刷卡额中扣下的总和除以这些刷卡额之和。
#
# Thought: 每笔结算写明了刷卡日期；与当天刷卡销售额的差就是手续费。尚未结算的日子不计。

# %%
settled = bank[bank['text'].str.startswith('KARTENUMSATZ')]
settled = settled.set_index(pd.to_datetime(settled['text'].str[-10:], format='%d.%m.%Y').dt.strftime('%Y-%m-%d'))['amount']
cards = sales[sales['pay'] == 'card'].groupby('day')['gross'].sum().reindex(settled.index)
fees = (cards - settled) / cards
large = fees[cards >= 20]
middle = (large.head(20).median() + large.tail(20).median()) / 2
since = large.index[large > middle][0]
shares = []
for part in [cards.index < since, cards.index >= since]:
    shares.append(100 * (cards - settled)[part].sum() / cards[part].sum())
answer = [since, shares[0], shares[1]]
print(answer[0], f'{answer[1]:.2f} {answer[2]:.2f}')

# %% naive="careless shortcut" trap="payments are set against the cards of the day on which they were booked"
paid_in = bank[bank['text'].str.startswith('KARTENUMSATZ')]
by_month = pd.DataFrame(
    {
        'settled': paid_in.groupby(paid_in['day'].str[:7])['amount'].sum(),
        'cards': sales[sales['pay'] == 'card'].groupby(sales['day'].str[:7])['gross'].sum(),
    }
)
fees = 100 * (1 - by_month['settled'] / by_month['cards'])
since = fees.diff().idxmax()
print(since + '-01', f'{fees[fees.index < since].mean():.2f} {fees[fees.index >= since].mean():.2f}')

# %% [markdown] kind="exec" modules="pandas"
# Does the cash reach the bank? Make a DataFrame `cash` with a row for each week (Monday to Sunday) that lies wholly between 1 January and 30 June and whose cash has come to the bank in `bank`. Its index is the Monday as text `YYYY-MM-DD`, in order; its columns are `till` (the sum of `gross` that was paid in cash), `deposit` (what came to the bank of it) and `gap` (`till` less `deposit`).
#
# Thought: A deposit is of the week before, and the first ones are of weeks that the till does not have.

# %% [markdown] lang="cn"
# 现金都存入银行了吗？生成名为 `cash` 的 DataFrame，完整落在 1 月 1 日至 6 月 30 日之间、且其现金已存入 `bank` 的每一周（周一至周日）占一行，索引为周一日期（文本 `YYYY-MM-DD`），按顺序排列；列为 `till`（以现金支付的 `gross` 之和）、`deposit`（其中存入银行的金额）和 `gap`（`till` 减 `deposit`）。
#
# Thought: 存款是上一周的现金，最早的几笔属于收银机里没有的周。

# %%
def monday(dates):
    return pd.to_datetime(dates).dt.to_period('W').dt.start_time


def in_till():
    taken = sales[sales['pay'] == 'cash']
    return taken.groupby(monday(taken['day']).dt.strftime('%Y-%m-%d'))['gross'].sum()


brought = bank[bank['text'] == 'BAREINZAHLUNG']
week_before = monday(brought['day']) - pd.Timedelta(days=7)
deposits = brought['amount'].groupby(week_before.dt.strftime('%Y-%m-%d')).sum()
cash = pd.DataFrame({'till': in_till(), 'deposit': deposits}).dropna().sort_index()
cash = cash[cash.index >= '{{ year }}-01-01']
cash['gap'] = cash['till'] - cash['deposit']

# %% naive="careless literal" trap="a deposit is set against the week in which it was made"
def monday(dates):
    return pd.to_datetime(dates).dt.to_period('W').dt.start_time


def in_till():
    taken = sales[sales['pay'] == 'cash']
    return taken.groupby(monday(taken['day']).dt.strftime('%Y-%m-%d'))['gross'].sum()


brought = bank[bank['text'] == 'BAREINZAHLUNG']
deposits = brought['amount'].groupby(monday(brought['day']).dt.strftime('%Y-%m-%d')).sum()
cash = pd.DataFrame({'till': in_till(), 'deposit': deposits}).dropna().sort_index()
cash = cash[cash.index >= '{{ year }}-01-01']
cash['gap'] = cash['till'] - cash['deposit']

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `gap` of `cash` as a bar chart, one bar for each Monday in order, in `firebrick`, with the title `{{ gaps }}`, the x label `{{ week }}` and the y label `{{ euros }}`, figure size (9, 4), the ticks of the x axis turned by 90 degrees, and call `plt.show()`.
#
# Thought: The index has the Mondays.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将 `cash` 的 `gap` 画成柱状图，每个周一按顺序一根柱，颜色 `firebrick`，标题 `{{ gaps }}`，横轴标签 `{{ week }}`，纵轴标签 `{{ euros }}`，图像大小 (9, 4)，横轴刻度文字旋转 90 度，最后调用 `plt.show()`。
#
# Thought: 索引就是周一日期。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(9, 4))
plt.bar(list(cash.index), cash['gap'], color='firebrick')
plt.xticks(rotation=90)
plt.title('{{ gaps }}')
plt.xlabel('{{ week }}')
plt.ylabel('{{ euros }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2), count, real(2)]"
# A gap between -5 and 5 euros comes from counting. Of the other weeks, print the number of those in which cash is missing and the sum of their gaps, then the number of those in which there is too much and the sum of their gaps, sums with 2 decimal places, on one line, separated by spaces.
#
# Thought: Positive gaps are missing cash, negative ones too much.

# %% [markdown] lang="cn"
# -5 到 5 欧元之间的差额来自清点误差。在其余各周中，先打印现金缺少的周数及其差额之和，再打印现金多出的周数及其差额之和，总和保留 2 位小数，都在同一行，用空格分隔。
#
# Thought: 差额为正是缺少，为负是多出。

# %%
short, over = cash.loc[cash['gap'] > 5, 'gap'], cash.loc[cash['gap'] < -5, 'gap']
answer = [len(short), short.sum(), len(over), over.sum()]
print(answer[0], f'{answer[1]:.2f}', answer[2], f'{answer[3]:.2f}')

# %% [markdown] kind="exec" modules="pandas"
# The book of small payments in cash has turned up: `{{ data }}/petty.csv` says what was paid out of the till (`till`), and what out of the owner's purse (`purse`). Add a column `paid` to `cash`, what was paid out of the till in the week (0 where nothing was), and set `gap` to `till` less `paid` less `deposit`.
#
# Thought: Days are written day first, as the 13th and later ones show; sums of months are no payments.

# %% [markdown] lang="cn"
# 小额现金支出簿找到了：`{{ data }}/petty.csv` 记录了从收银机（`till`）支付的和从店主钱包（`purse`）支付的款项。为 `cash` 添加 `paid` 列：当周从收银机支付的金额（没有则为 0），并把 `gap` 改为 `till` 减 `paid` 减 `deposit`。
#
# Thought: 日期是日在前，从 13 号以后的日期可以看出；月合计不是支出。

# %%
petty = pd.read_csv('{{ data }}/petty.csv', sep=';', decimal=',', thousands='.', dtype={'date': str})
petty = petty[petty['paid from'] == 'till']
paid_on = monday(pd.to_datetime(petty['date'], format='%d/%m/%Y')).dt.strftime('%Y-%m-%d')
cash['paid'] = petty['amount'].groupby(paid_on).sum().reindex(cash.index).fillna(0)
cash['gap'] = cash['till'] - cash['paid'] - cash['deposit']

# %% naive="careless" trap="the month is read first where it can be"
petty = pd.read_csv('{{ data }}/petty.csv', sep=';', decimal=',', thousands='.', dtype={'date': str})
petty = petty[petty['paid from'] == 'till']
read = pd.to_datetime(petty['date'], format='%m/%d/%Y', errors='coerce')
read = read.fillna(pd.to_datetime(petty['date'], format='%d/%m/%Y'))
cash['paid'] = petty['amount'].groupby(monday(read).dt.strftime('%Y-%m-%d')).sum().reindex(cash.index).fillna(0)
cash['gap'] = cash['till'] - cash['paid'] - cash['deposit']

# %% naive="shortcut" trap="what was paid out of the purse is taken out of the till"
petty = pd.read_csv('{{ data }}/petty.csv', sep=';', decimal=',', thousands='.', dtype={'date': str})
petty = petty[petty['date'].notna()]
paid_on = monday(pd.to_datetime(petty['date'], format='%d/%m/%Y')).dt.strftime('%Y-%m-%d')
cash['paid'] = petty['amount'].groupby(paid_on).sum().reindex(cash.index).fillna(0)
cash['gap'] = cash['till'] - cash['paid'] - cash['deposit']

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Which weeks still have a gap that is not between -5 and 5 euros? Print their Mondays as `YYYY-MM-DD`, from the first on, on one line, separated by `, `.
#
# Thought: What was paid out of the till explains the other gaps.

# %% [markdown] lang="cn"
# 哪些周的差额仍不在 -5 到 5 欧元之间？在同一行打印这些周的周一日期（`YYYY-MM-DD`），从最早的开始，用 `, ` 分隔。
#
# Thought: 其余的差额都由收银机的支出解释了。

# %%
answer = list(cash.index[cash['gap'].abs() > 5])
print(', '.join(answer))

# %% [markdown] kind="exec" modules="pandas"
# The second half of the year is in `{{ data }}/till_2.csv`, described in `{{ data }}/till_2.txt`. Add its receipts to `sales`, below those of the first half, with the same columns and meanings: `pay` is `cash`, `card` or `voucher`, `gross` in euros is what is left of the receipt, `net` is without VAT at the rates of `rates.csv`. Sort them by `receipt` among themselves.
#
# Thought: A receipt is the sum of its rows; vouchers handed out and practice are no sales, and numbers begin at 1 again.

# %% [markdown] lang="cn"
# 下半年的数据在 `{{ data }}/till_2.csv`，说明见 `{{ data }}/till_2.txt`。把其中的收据接到 `sales` 中上半年的后面，列及含义不变：`pay` 为 `cash`、`card` 或 `voucher`，`gross` 为收据剩下的欧元金额，`net` 按 `rates.csv` 的税率扣除增值税。新的部分按 `receipt` 排序。
#
# Thought: 收据金额是其各行之和；发出的代金券和练习不是销售，编号从 1 重新开始。

# %%
names = {'Tee': 'tea', 'Kännchen': 'teapots', 'Süßes': 'sweets', 'Bücher': 'books'}
pays = {'bar': 'cash', 'Karte': 'card', 'Gutschein': 'voucher'}
rung = pd.read_csv('{{ data }}/till_2.csv', sep=';', encoding='cp1252')
rung = rung[(rung['Art'] != 'U') & (rung['Gruppe'] != 'Gutschein')]
parts = rung.groupby('Nr').agg({'Tag': 'first', 'Name': 'first', 'Gruppe': 'first', 'Cent': 'sum', 'Zahlung': 'first'})
parts = parts[parts['Cent'] > 0].reset_index()
second = pd.DataFrame(
    {
        'receipt': parts['Nr'],
        'day': pd.to_datetime(parts['Tag'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d'),
        'group': parts['Gruppe'].map(names),
        'gross': parts['Cent'] / 100,
        'pay': parts['Zahlung'].map(pays),
    }
)
second['net'] = net_of(second)
sales = pd.concat([sales, second], ignore_index=True)

# %% naive="careless shortcut" trap="a voucher handed out is taken for a sale"
names = {'Tee': 'tea', 'Kännchen': 'teapots', 'Süßes': 'sweets', 'Bücher': 'books', 'Gutschein': 'tea'}
pays = {'bar': 'cash', 'Karte': 'card', 'Gutschein': 'voucher'}
rung = pd.read_csv('{{ data }}/till_2.csv', sep=';', encoding='cp1252')
rung = rung[rung['Art'] != 'U']
parts = rung.groupby('Nr').agg({'Tag': 'first', 'Name': 'first', 'Gruppe': 'first', 'Cent': 'sum', 'Zahlung': 'first'})
parts = parts[parts['Cent'] > 0].reset_index()
second = pd.DataFrame(
    {
        'receipt': parts['Nr'],
        'day': pd.to_datetime(parts['Tag'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d'),
        'group': parts['Gruppe'].map(names),
        'gross': parts['Cent'] / 100,
        'pay': parts['Zahlung'].map(pays),
    }
)
second['net'] = net_of(second)
sales = pd.concat([sales, second], ignore_index=True)

# %% naive="literal" trap="a receipt of which a part was taken back is left out as a whole"
names = {'Tee': 'tea', 'Kännchen': 'teapots', 'Süßes': 'sweets', 'Bücher': 'books'}
pays = {'bar': 'cash', 'Karte': 'card', 'Gutschein': 'voucher'}
rung = pd.read_csv('{{ data }}/till_2.csv', sep=';', encoding='cp1252')
back = rung.loc[rung['Art'] == 'S', 'Nr']
parts = rung[(rung['Art'] == 'V') & ~rung['Nr'].isin(back) & (rung['Gruppe'] != 'Gutschein')].reset_index(drop=True)
second = pd.DataFrame(
    {
        'receipt': parts['Nr'],
        'day': pd.to_datetime(parts['Tag'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d'),
        'group': parts['Gruppe'].map(names),
        'gross': parts['Cent'] / 100,
        'pay': parts['Zahlung'].map(pays),
    }
)
second['net'] = net_of(second)
sales = pd.concat([sales, second], ignore_index=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, real(2), real(2)]"
# Print the number of receipts, the sum of `gross` and the sum of `net` of the year, sums with 2 decimal places, on one line, separated by spaces.
#
# Thought: Every row of the table is a receipt.

# %% [markdown] lang="cn"
# 在同一行打印全年的收据数、`gross` 之和与 `net` 之和，总和保留 2 位小数，用空格分隔。
#
# Thought: 表中每一行就是一张收据。

# %%
answer = [len(sales), sales['gross'].sum(), sales['net'].sum()]
print(answer[0], f'{answer[1]:.2f} {answer[2]:.2f}')

# %% [markdown] kind="vis" modules="matplotlib"
# `{{ data }}/door.csv` has what the counter by the door showed, and `{{ data }}/door.txt` says how to read it. Draw the mean `count` of the days of each week (Monday to Sunday) on which the counter worked, as a line over the Mondays (as dates), with the title `{{ doors }}`, the x label `{{ week }}` and the y label `{{ counts }}`, figure size (9, 4), and call `plt.show()`.
#
# Thought: A day without a number, or with 0, says nothing of how many came.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# `{{ data }}/door.csv` 是门口计数器的读数，读法见 `{{ data }}/door.txt`。以周一日期（日期类型）为横坐标，把每周（周一至周日）中计数器正常工作的日子的 `count` 平均值画成一条线，标题 `{{ doors }}`，横轴标签 `{{ week }}`，纵轴标签 `{{ counts }}`，图像大小 (9, 4)，最后调用 `plt.show()`。
#
# Thought: 没有读数或读数为 0 的日子不能说明来了多少人。

# %%
door = pd.read_csv('{{ data }}/door.csv')
worked = door[door['count'] > 0]
by_week = worked['count'].groupby(monday(worked['day'])).mean()
plt.figure(figsize=(9, 4))
plt.plot(by_week.index, by_week)
plt.title('{{ doors }}')
plt.xlabel('{{ week }}')
plt.ylabel('{{ counts }}')
plt.show()

# %% naive="careless literal" trap="an empty battery is taken for a day on which nobody came"
door = pd.read_csv('{{ data }}/door.csv')
by_week = door['count'].groupby(monday(door['day'])).mean()
plt.figure(figsize=(9, 4))
plt.plot(by_week.index, by_week)
plt.title('{{ doors }}')
plt.xlabel('{{ week }}')
plt.ylabel('{{ counts }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[date, count]"
# Print the Monday of the first week with the new counter as `YYYY-MM-DD`, and the number of days of which a count of the old one is at hand, on one line, separated by a space.
#
# Thought: The weekly means fall to about half and stay there.

# %% [markdown] lang="cn"
# 在同一行打印使用新计数器的第一周的周一日期（`YYYY-MM-DD`）和有旧计数器有效读数的天数，用空格分隔。
#
# Thought: 周平均值降到约一半并保持在那里。

# %%
new = (by_week / by_week.shift()).idxmin().strftime('%Y-%m-%d')
answer = [new, ((door['count'] > 0) & (door['day'] < new)).sum()]
print(*answer)

# %% naive="shortcut" trap="days without a count are counted, and the lowest week is taken for the first"
by_week = door['count'].groupby(monday(door['day'])).mean()
new = by_week.idxmin().strftime('%Y-%m-%d')
print(new, (door['day'] < new).sum())

# %% [markdown] kind="exec" modules="pandas"
# Make a Series `visitors` of the number of visitors of each day of which it can be told from `count`, with the day as text `YYYY-MM-DD` as its index, in order.
#
# Thought: The old counter counted everybody twice.

# %% [markdown] lang="cn"
# 生成 Series `visitors`：凡能由 `count` 得知访客人数的日子，其访客人数，索引为日期（文本 `YYYY-MM-DD`），按顺序排列。
#
# Thought: 旧计数器把每个人数了两次。

# %%
told = door[door['count'] > 0].set_index('day')['count']
visitors = told.where(told.index >= new, told / 2)

# %% naive="careless literal" trap="the old counter's numbers are taken for visitors"
visitors = door[door['count'] > 0].set_index('day')['count']

# %% [markdown] kind="num" modules="sklearn" held_out="visitors" metric="mae" bound="{{ bound }}"
# How many visitors came on the days of `{{ data }}/door.csv` on which nobody had switched the counter on? Predict their number for each of these days from whatever is at hand. The mean absolute error has to be below {{ bound }} visitors.
# Print the predictions in the order of the days, with 1 decimal place, on one line, separated by spaces.
#
# Thought: Day of the week, market and temperature multiply the number, so the logarithm is linear in them; the old counts are halved.

# %% [markdown] lang="cn"
# 在 `{{ data }}/door.csv` 中没有人打开计数器的那些日子，各来了多少访客？请利用手头的一切数据预测这些日子的访客人数，平均绝对误差须低于 {{ bound }} 人。
# 按日期顺序在同一行打印预测值，保留 1 位小数，用空格分隔。
#
# Thought: 星期、集市和气温对人数起乘法作用，因此对数是它们的线性函数；旧读数要减半。

# %%
import numpy as np
from sklearn.linear_model import LinearRegression

weekday = np.eye(6)[pd.to_datetime(door['day']).dt.day_of_week.to_numpy()]
features = np.column_stack([weekday, door['market'] == 'yes', door['temperature']]).astype(float)
target = door['day'].map(visitors)
learnt = target.notna().to_numpy()
model = LinearRegression(fit_intercept=False).fit(features[learnt], np.log(target[learnt]))
print(*(f'{value:.1f}' for value in np.exp(model.predict(features[door['count'].isna().to_numpy()]))))

# %% naive="careless literal" trap="numbers of both counters are learnt from as they are"
import numpy as np
from sklearn.linear_model import LinearRegression

weekday = np.eye(6)[pd.to_datetime(door['day']).dt.day_of_week.to_numpy()]
features = np.column_stack([weekday, door['market'] == 'yes', door['temperature']]).astype(float)
learnt = (door['count'] > 0).to_numpy()
model = LinearRegression(fit_intercept=False).fit(features[learnt], np.log(door['count'][learnt]))
print(*(f'{value:.1f}' for value in np.exp(model.predict(features[door['count'].isna().to_numpy()]))))

# %% naive="shortcut" trap="each day gets the mean of all"
print(*([f'{visitors.mean():.1f}'] * int(door['count'].isna().sum())))

# %% [markdown] kind="exec" modules="pandas"
# The list of the keys of the old till has been found: `{{ data }}/keys.csv` says who had which key from when to when, both days included; nothing behind `to` means to the end of June. Bring `sales` into line with it, and add a column `who`, the name of the person who rang up the receipt, written as in `keys.csv`. The columns are `receipt`, `day`, `group`, `gross`, `pay`, `net` and `who`; the first half is sorted by `receipt` as before, and so is the second below it.
#
# Thought: Practice moved to another key in May, so receipts of both keys have to be read again; names of the new till are spelt in several ways.

# %% [markdown] lang="cn"
# 旧收银机的钥匙登记表找到了：`{{ data }}/keys.csv` 记录了每把钥匙从何时到何时归谁使用，首尾两天都包括在内；`to` 为空表示到六月底。请使 `sales` 与之相符，并添加 `who` 列，为开出收据的人的名字，写法同 `keys.csv`。列为 `receipt`、`day`、`group`、`gross`、`pay`、`net` 和 `who`；上半年仍按 `receipt` 排序，其下的下半年亦然。
#
# Thought: 练习用的钥匙在五月换了，因此两把钥匙的收据都要重新判读；新收银机上的名字有几种写法。

# %%
keys = pd.read_csv('{{ data }}/keys.csv', dtype={'from': str, 'to': str}).fillna({'to': '{{ year }}-06-30'})
held = till[(till['kind'] == 'sale') & ~till['receipt'].isin(till.loc[till['kind'] == 'void', 'receipt'])].copy()
held['day'] = held['time'].str[:10]
held = held.merge(keys, on='key')
held = held[(held['from'] <= held['day']) & (held['day'] <= held['to']) & (held['name'] != 'practice')]
held['receipt'] = held['receipt'].astype(int)
held['group'] = held['code'].map(dict(zip(rates['code'], rates['group'])))
held = held.rename(columns={'amount': 'gross', 'name': 'who'}).sort_values('receipt')
held['net'] = net_of(held)
second['who'] = parts['Name'].str.strip().str.title()
columns = ['receipt', 'day', 'group', 'gross', 'pay', 'net', 'who']
sales = pd.concat([held[columns], second[columns]], ignore_index=True)

# %% naive="careless" trap="receipts once left out stay out, and practice with another key stays in"
keys = pd.read_csv('{{ data }}/keys.csv').drop_duplicates('key', keep='last')
sold = till[(till['kind'] == 'sale') & ~till['receipt'].isin(till.loc[till['kind'] == 'void', 'receipt'])]
sold = sold.assign(receipt=sold['receipt'].astype(int))
owner = sold.set_index('receipt')['key'].map(dict(zip(keys['key'], keys['name'])))
first = sales.head(len(sales) - len(second)).copy()
first['who'] = first['receipt'].map(owner)
second['who'] = parts['Name'].str.strip().str.title()
sales = pd.concat([first, second], ignore_index=True)

# %% naive="literal" trap="the one key for practice is Dora's all the half-year"
keys = pd.read_csv('{{ data }}/keys.csv').drop_duplicates('key', keep='last')
held = till[(till['kind'] == 'sale') & ~till['receipt'].isin(till.loc[till['kind'] == 'void', 'receipt'])].copy()
held['day'] = held['time'].str[:10]
held['who'] = held['key'].map(dict(zip(keys['key'], keys['name'])))
held['receipt'] = held['receipt'].astype(int)
held['group'] = held['code'].map(dict(zip(rates['code'], rates['group'])))
held = held[held['who'] != 'practice'].rename(columns={'amount': 'gross'}).sort_values('receipt')
held['net'] = net_of(held)
second['who'] = parts['Name'].str.strip().str.title()
columns = ['receipt', 'day', 'group', 'gross', 'pay', 'net', 'who']
sales = pd.concat([held[columns], second[columns]], ignore_index=True)

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# By how much does the VAT in the receipts of each quarter change against `vat`? Print a line for each of the two quarters, as `quarter: change` (quarters written `Q1` and `Q2`), with 2 decimal places, positive where more VAT is due than `vat` says.
#
# Thought: The first quarter does not change.

# %% [markdown] lang="cn"
# 与 `vat` 相比，各季度收据中的增值税变化了多少？两个季度各打印一行，格式为 `季度: 变化`（季度写作 `Q1` 和 `Q2`），保留 2 位小数，应缴增值税多于 `vat` 时为正。
#
# Thought: 第一季度没有变化。

# %%
quarter = 'Q' + pd.to_datetime(sales['day']).dt.quarter.astype(str)
right = (sales['gross'] - sales['net']).groupby(quarter).sum()
answer = {label: round(right[label] - vat[label], 2) + 0 for label in ['Q1', 'Q2']}
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# Bring `till` and `gap` of `cash` into line with `sales`. Print each week whose gap is not between -5 and 5 euros on a line of its own, as `Monday: gap` (the Monday as `YYYY-MM-DD`), with 2 decimal places.
#
# Thought: The sales that were missing explain the weeks with too much cash; what remains is unexplained.

# %% [markdown] lang="cn"
# 使 `cash` 的 `till` 和 `gap` 与 `sales` 相符。差额不在 -5 到 5 欧元之间的周每周打印一行，格式为 `周一日期: 差额`（日期写作 `YYYY-MM-DD`），差额保留 2 位小数。
#
# Thought: 漏掉的销售解释了现金多出的周；剩下的才是无法解释的。

# %%
cash['till'] = in_till().reindex(cash.index)
cash['gap'] = cash['till'] - cash['paid'] - cash['deposit']
answer = dict(cash.loc[cash['gap'].abs() > 5, 'gap'].items())
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# `{{ data }}/hours.csv` has the hours that each person worked in the shop in each month. Print for each person the `net` of their receipts over the whole year for each hour that they worked, on a line of its own, as `name: euros`, with 2 decimal places, from the highest value on.
#
# Thought: 55:45 are 55.75 hours.

# %% [markdown] lang="cn"
# `{{ data }}/hours.csv` 记录了每个人每月在店里工作的小时数。每人打印一行：全年其收据的 `net` 除以其工作小时数，格式为 `名字: 欧元`，保留 2 位小数，从高到低。
#
# Thought: 55:45 即 55.75 小时。

# %%
hours = pd.read_csv('{{ data }}/hours.csv', dtype={'hours': str})
clock = hours['hours'].str.split('[:.]', regex=True, expand=True).astype(float)
hours['hours'] = clock[0] + clock[1] / hours['hours'].str.contains(':').map({True: 60, False: 100})
an_hour = (sales.groupby('who')['net'].sum() / hours.groupby('name')['hours'].sum()).sort_values(ascending=False)
answer = dict(an_hour.items())
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% naive="careless literal" trap="minutes are read as hundredths of an hour"
hours = pd.read_csv('{{ data }}/hours.csv', dtype={'hours': str})
hours['hours'] = hours['hours'].str.replace(':', '.', regex=False).astype(float)
an_hour = (sales.groupby('who')['net'].sum() / hours.groupby('name')['hours'].sum()).sort_values(ascending=False)
for label, value in an_hour.items():
    print(f'{label}: {value:.2f}')

# %% naive="shortcut" trap="hours that are written with minutes are left out"
hours = pd.read_csv('{{ data }}/hours.csv', dtype={'hours': str})
hours['hours'] = pd.to_numeric(hours['hours'], errors='coerce')
an_hour = (sales.groupby('who')['net'].sum() / hours.groupby('name')['hours'].sum()).sort_values(ascending=False)
for label, value in an_hour.items():
    print(f'{label}: {value:.2f}')

# %% [markdown] kind="num" modules="pandas" answer="[real(2), real(2)]"
# A colleague reports that about twice as many of those who come buy something since the new counter was put up, by this code:
#
#     door = pd.read_csv('{{ data }}/door.csv').set_index('day')['count']
#     receipts = sales.groupby('day').size()
#     print(receipts[door.index < new].sum() / door[door.index < new].sum())
#     print(receipts[door.index >= new].sum() / door[door.index >= new].sum())
#
# A receipt stands for one visitor who buys. Print the right shares of visitors who buy, over the days with a known number of visitors, before the new counter and since then, in percent with 2 decimal places, on one line, separated by a space.
#
# Thought: Receipts of days without a number of visitors do not belong to the share, and the old counts are halved.

# %% [markdown] lang="cn"
# 一位同事用下面的代码得出：自从换上新计数器，来客中买东西的比例约为原来的两倍：
#
#     door = pd.read_csv('{{ data }}/door.csv').set_index('day')['count']
#     receipts = sales.groupby('day').size()
#     print(receipts[door.index < new].sum() / door[door.index < new].sum())
#     print(receipts[door.index >= new].sum() / door[door.index >= new].sum())
#
# 一张收据代表一名购物的访客。请就访客人数已知的日子，在同一行打印换新计数器之前和之后购物访客所占的正确百分比，保留 2 位小数，用空格分隔。
#
# Thought: 访客人数未知的日子的收据不应计入，旧读数要减半。

# %%
bought = sales.groupby('day').size().reindex(visitors.index).fillna(0)
for_old = visitors.index < new
answer = [
    100 * bought[for_old].sum() / visitors[for_old].sum(),
    100 * bought[~for_old].sum() / visitors[~for_old].sum(),
]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless literal" trap="the old counter's numbers are taken as they are, and receipts of days without a count are counted"
bought, counted = sales.groupby('day').size(), door.set_index('day')['count']
for_old = bought.index < new
shown = 100 * bought[for_old].sum() / counted[counted.index < new].sum()
print(f'{shown:.2f} {100 * bought[~for_old].sum() / counted[counted.index >= new].sum():.2f}')

# %% naive="shortcut" trap="receipts of days without a known number of visitors are counted"
bought = sales.groupby('day').size()
for_old = bought.index < new
shown = 100 * bought[for_old].sum() / visitors[visitors.index < new].sum()
print(f'{shown:.2f} {100 * bought[~for_old].sum() / visitors[visitors.index >= new].sum():.2f}')

# %% [markdown] kind="num" modules="scipy" answer="[text, real(relative=0.005), real(2)]"
# In autumn the shop played music on some days. `{{ data }}/music.csv` has twelve pairs of days, each the same day of the week in two weeks that follow each other; a coin decided on which of the two there was music. Does the shop take more or less `net` on a day with music? One of these tests fits: `receipts` (Welch's t test between the `net` of the single receipts of the days with and without music), `days` (Welch's t test between the sums of `net` of the days), `pairs` (the paired t test of the sums of `net` of the days).
# Print its name, its two-sided p-value with 3 significant digits, and the mean difference of a day's sum, with music less without, with 2 decimal places, on one line, separated by spaces.
#
# Thought: Days were drawn within pairs, so days are the units and pairs the blocks.

# %% [markdown] lang="cn"
# 秋天，店里有些日子放音乐。`{{ data }}/music.csv` 中有十二对日子，每对是相邻两周的同一个星期几，由抛硬币决定其中哪一天放音乐。放音乐的日子店里的 `net` 是更多还是更少？下列检验中有一种合适：`receipts`（对放与不放音乐的日子的单张收据的 `net` 做 Welch t 检验）、`days`（对各日 `net` 之和做 Welch t 检验）、`pairs`（对各日 `net` 之和做配对 t 检验）。
# 在同一行打印其名称、双侧 p 值（3 位有效数字）和日总额的平均差（放音乐减不放，保留 2 位小数），用空格分隔。
#
# Thought: 日子是在每对之内抽取的，因此以天为单位、以对为区组。

# %%
from scipy import stats

music = pd.read_csv('{{ data }}/music.csv')
music['net'] = music['day'].map(sales.groupby('day')['net'].sum())
wide = music.pivot(index='pair', columns='music', values='net')
answer = ['pairs', stats.ttest_rel(wide['yes'], wide['no']).pvalue, (wide['yes'] - wide['no']).mean()]
print(answer[0], f'{answer[1]:.3g} {answer[2]:.2f}')

# %% naive="careless" trap="receipts of one day are taken for independent"
from scipy import stats

music = pd.read_csv('{{ data }}/music.csv').set_index('day')['music']
played = sales['day'].map(music)
on, off = sales.loc[played == 'yes', 'net'], sales.loc[played == 'no', 'net']
print('receipts', f'{stats.ttest_ind(on, off, equal_var=False).pvalue:.3g} {on.mean() - off.mean():.2f}')

# %% naive="literal shortcut" trap="the pairs are given up"
from scipy import stats

music = pd.read_csv('{{ data }}/music.csv')
music['net'] = music['day'].map(sales.groupby('day')['net'].sum())
on, off = music.loc[music['music'] == 'yes', 'net'], music.loc[music['music'] == 'no', 'net']
print('days', f'{stats.ttest_ind(on, off, equal_var=False).pvalue:.3g} {on.mean() - off.mean():.2f}')

# %% [markdown] kind="num" modules="pandas" answer="real(2)"
# In July the owner wrote to customers. Of the 80 who had bought least in spring, the lot chose 40 who got a letter. `{{ data }}/letters.csv` has what all customers bought in spring and in autumn, in euros. The owner compares spring and autumn of those who got a letter and is delighted.
# Print the difference of two means of `autumn` that estimates what the letter has brought a customer who got one, in euros with 2 decimal places.
#
# Thought: Who bought least in spring buys more afterwards without any letter; those of the 80 who got none show how much.

# %% [markdown] lang="cn"
# 七月，店主给顾客写了信。在春季购物最少的 80 名顾客中，抽签选出 40 人收到信。`{{ data }}/letters.csv` 是全部顾客春季和秋季的购物额（欧元）。店主比较了收信者的春季和秋季，十分高兴。
# 打印 `autumn` 的两个平均值之差，用以估计这封信给每名收信顾客带来的金额，以欧元计，保留 2 位小数。
#
# Thought: 春季买得最少的人即使没有信之后也会多买；80 人中未收信的人说明了会多多少。

# %%
letters = pd.read_csv('{{ data }}/letters.csv')
means = letters.nsmallest(80, 'spring').groupby('letter')['autumn'].mean()
answer = means['yes'] - means['no']
print(f'{answer:.2f}')

# %% naive="careless" trap="regression to the mean is taken for the letter's work"
letters = pd.read_csv('{{ data }}/letters.csv')
got = letters[letters['letter'] == 'yes']
print(f'{got["autumn"].mean() - got["spring"].mean():.2f}')

# %% naive="literal shortcut" trap="those who could not get a letter are the comparison"
letters = pd.read_csv('{{ data }}/letters.csv')
means = letters.groupby('letter')['autumn'].mean()
print(f'{means["yes"] - means["no"]:.2f}')

# %% [markdown] kind="exec" modules="pandas"
# The last files are `{{ data }}/invoices.csv` and `{{ data }}/invoices.txt`. Make a DataFrame `costs` with one row for each invoice or credit note that is a cost of the shop in {{ year }}, with the columns `invoice`, `day` (the day to which the cost belongs, text `YYYY-MM-DD`) and `net` (euros without VAT, not rounded). Sort it by `invoice`.
#
# Thought: Reminders repeat invoices, private ones are no costs, and some of December were delivered in the next year.

# %% [markdown] lang="cn"
# 最后的文件是 `{{ data }}/invoices.csv` 和 `{{ data }}/invoices.txt`。生成名为 `costs` 的 DataFrame，属于该店 {{ year }} 年成本的每张账单或贷记单占一行，列为 `invoice`、`day`（成本所属的日期，文本 `YYYY-MM-DD`）和 `net`（不含增值税的欧元金额，不取整），按 `invoice` 排序。
#
# Thought: 催款单重复了账单，私人的不是成本，十二月有些到次年才交货。

# %%
invoices = pd.read_csv('{{ data }}/invoices.csv')
own = invoices[~invoices['invoice'].str.endswith(' M1') & (invoices['what'] != 'private')]
own = own[own['delivered'].str.startswith('{{ year }}')]
in_euros = own['gross'] * own['currency'].map({'EUR': 1, 'GBP': 1.17})
costs = pd.DataFrame({'invoice': own['invoice'], 'day': own['delivered'], 'net': in_euros / (1 + own['percent'] / 100)})
costs = costs.sort_values('invoice').reset_index(drop=True)

# %% naive="careless" trap="reminders count as further invoices"
invoices = pd.read_csv('{{ data }}/invoices.csv')
own = invoices[invoices['what'] != 'private']
own = own[own['delivered'].str.startswith('{{ year }}')]
in_euros = own['gross'] * own['currency'].map({'EUR': 1, 'GBP': 1.17})
costs = pd.DataFrame({'invoice': own['invoice'], 'day': own['delivered'], 'net': in_euros / (1 + own['percent'] / 100)})
costs = costs.sort_values('invoice').reset_index(drop=True)

# %% naive="literal shortcut" trap="an invoice belongs to the day on which it was written"
invoices = pd.read_csv('{{ data }}/invoices.csv')
own = invoices[~invoices['invoice'].str.endswith(' M1') & (invoices['what'] != 'private')]
in_euros = own['gross'] * own['currency'].map({'EUR': 1, 'GBP': 1.17})
costs = pd.DataFrame({'invoice': own['invoice'], 'day': own['written'], 'net': in_euros / (1 + own['percent'] / 100)})
costs = costs.sort_values('invoice').reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="table[real(2)]"
# Print `net` of `sales` less `net` of `costs` for each quarter on a line of its own, as `quarter: euros` (`Q1` to `Q4`), with 2 decimal places.
#
# Thought: Both tables have a day.

# %% [markdown] lang="cn"
# 每个季度打印一行：`sales` 的 `net` 减 `costs` 的 `net`，格式为 `季度: 欧元`（`Q1` 到 `Q4`），保留 2 位小数。
#
# Thought: 两张表都有日期。

# %%
def by_quarter(table):
    return table['net'].groupby('Q' + pd.to_datetime(table['day']).dt.quarter.astype(str)).sum()


answer = dict((by_quarter(sales) - by_quarter(costs)).items())
for name, value in answer.items():
    print(f'{name}: {value:.2f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the running total of `net` of `sales` less `net` of `costs` from January on, at the end of each month, as a line with markers over the months 1 to 12, with the title `{{ running }}`, the x label `{{ month }}` and the y label `{{ euros }}`, figure size (7, 4), and call `plt.show()`.
#
# Thought: Sums of months, then cumsum.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以月份 1 到 12 为横坐标，把从一月起累计的 `sales` 的 `net` 减 `costs` 的 `net`（截至各月末）画成带标记的线，标题 `{{ running }}`，横轴标签 `{{ month }}`，纵轴标签 `{{ euros }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 先求各月之和，再累计。

# %%
def by_month_number(table):
    return table['net'].groupby(pd.to_datetime(table['day']).dt.month).sum().reindex(range(1, 13)).fillna(0)


result = (by_month_number(sales) - by_month_number(costs)).cumsum()
plt.figure(figsize=(7, 4))
plt.plot(result.index, result, marker='o')
plt.title('{{ running }}')
plt.xlabel('{{ month }}')
plt.ylabel('{{ euros }}')
plt.show()
