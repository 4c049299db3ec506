# ---
# jupyter:
#   instances:
#     bridge: {seed: 3, year: 1763, month: 4, town: Stonegate, bound: 0.9}
#     ferry: {seed: 85, year: 1771, month: 5, town: Marbury, bound: 0.9}
#   varied:
#     seed: {between: [1, 1000000]}
#     year: {pick: [1757, 1764, 1769, 1782]}
#     month: {pick: [3, 4, 5, 6]}
#     town: {pick: [Marbury, Oakhampton, Littlewick, Stonegate]}
#     bound: {pick: [0.9]}
#   words:
#     title: {en: Toll of a cart, cn: 每车通行费}
#     x_label: {en: Days since the first entry, cn: 距首条记录的天数}
#     y_label: {en: Pence, cn: 便士}
# ---

# %% [markdown] kind="exec" modules="pandas"
# The toll register of a bridge has come down to us on photographs. `{{ data }}/strips.txt` has what can be read on them, under their numbers; `{{ data }}/notes.txt` says what is known of the register.
# Put the roll together again. Make a list `order` of the numbers of the photographs (integers), from the top of the roll to its bottom, and a Series `roll` of the lines of the roll from top to bottom, each entry once. A letter that can be read on at least one photograph is written in `roll`; one that can be read on none stays `?`.
#
# Thought: Two strips belong together if the end of one agrees with the beginning of the other, letters that cannot be read aside; each may be turned. The end from which days of the week follow each other forwards is the top.

# %% [markdown] lang="cn"
# 一座桥的通行费登记册只留下了照片。`{{ data }}/strips.txt` 按照片编号列出照片上能读出的内容；关于登记册的已知情况见 `{{ data }}/notes.txt`。
# 请把长卷重新拼起来。生成列表 `order`：照片编号（整数），从长卷顶端到底端；以及 Series `roll`：从上到下的各行，每条记录只出现一次。至少在一张照片上能读出的字母要写进 `roll`，任何照片上都读不出的保留为 `?`。
#
# Thought: 除去读不出的字母，若一条的末尾与另一条的开头一致，两条就相连；每条都可能是倒着的。星期正向推进的那一端是顶端。

# %%
import re

import pandas as pd

with open('{{ data }}/strips.txt') as file:
    blocks = re.findall(r'\[(\d+)\]\n((?:[^\[\n]+\n)+)', file.read())
strips = {int(number): lines.strip().split('\n') for number, lines in blocks}


def same(one, other):
    return len(one) == len(other) and all(a == b or '?' in (a, b) for a, b in zip(one, other))


def overlap(one, other):
    sizes = range(min(len(one), len(other)), 0, -1)
    return next((size for size in sizes if all(map(same, one[-size:], other[:size]))), 0)


def following(lines, left):
    """The strip that goes on where these lines end, the right way up, and the number of lines that both have."""
    found = [
        (size, number, turned)
        for number in left
        for turned in (strips[number], strips[number][::-1])
        if (size := overlap(lines, turned))
    ]
    return max(found, key=lambda one: one[0]) if found else None


def merged(one, other):
    return ''.join(b if a == '?' else a for a, b in zip(one, other))


def grown(order, lines, left):
    """Strips added at the end as long as there are any."""
    while found := following(lines[-20:], left):
        size, number, turned = found
        lines = lines[:-size] + [merged(a, b) for a, b in zip(lines[-size:], turned)] + turned[size:]
        order, left = [*order, number], [one for one in left if one != number]
    return order, lines, left


first = min(strips)
order, lines, left = grown([first], strips[first], [number for number in strips if number != first])
order, lines, left = grown(order[::-1], lines[::-1], left)
WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
if lines[0].split('.')[0] not in WEEK:
    order, lines = order[::-1], lines[::-1]
roll = pd.Series(lines)

# %% naive="literal" trap="strips are never turned, and lines have to agree in every letter"
import re

import pandas as pd

with open('{{ data }}/strips.txt') as file:
    blocks = re.findall(r'\[(\d+)\]\n((?:[^\[\n]+\n)+)', file.read())
strips = {int(number): lines.strip().split('\n') for number, lines in blocks}
WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
follows = {}


def same(one, other):
    return len(one) == len(other) and all(a == b or '?' in (a, b) for a, b in zip(one, other))


for number, lines in strips.items():
    for other, more in strips.items():
        if other != number and lines[-1] in more[:3]:
            follows[number] = other
order = []
for number in sorted(strips, key=lambda one: one in follows.values()):
    while number is not None and number not in order:
        order.append(number)
        number = follows.get(number)
lines = []
for number in order:
    lines += [line for line in strips[number] if line not in lines[-20:]]
roll = pd.Series(lines)

# %% [markdown] kind="exec" modules="pandas"
# Make a DataFrame `entries` with one row for each line of `roll`, in its order. Its columns are `day` (text `YYYY-MM-DD`), `name` (first name in full and surname), `town`, `good` (in the notes' first spelling), `carts` (integer) and `pence` (integer, the whole sum in pence).
#
# Thought: Each new day of the week is the next day of that name. What cannot be read in a town or a good is told by the other letters.

# %% [markdown] lang="cn"
# 生成 DataFrame `entries`，`roll` 的每一行占一行，顺序相同。列为 `day`（文本 `YYYY-MM-DD`）、`name`（完整的名和姓）、`town`、`good`（用说明中的第一种拼写）、`carts`（整数）和 `pence`（整数，折合成便士的总额）。
#
# Thought: 每出现一个新的星期名，就是之后第一个同名的日子。城镇和货物中读不出的字母可由其余字母推断。

# %%
from datetime import timedelta

with open('{{ data }}/notes.txt') as file:
    notes = file.read()
shorts = {short: name for short, name in re.findall(r'(\w+) for (\w+)', notes) if name[0].isupper()}
towns = re.search(r'The towns are ([\w, ]+)\.', notes).group(1).split(', ')
goods = re.search(r'The goods are ([\w, ]+), also written', notes).group(1).split(', ')
others = re.search(r'also written ([\w, ]+)\.', notes).group(1).split(', ')
spelled = {**{one: one for one in goods}, **dict(zip(others, goods))}
begin = pd.Timestamp(re.search(r'begins on \w+, (\d{4}-\d\d-\d\d)', notes).group(1))
LETTERS = {'j': 1, 'i': 1, 'v': 5, 'x': 10, 'l': 50}


def number_of(roman):
    values = [LETTERS[letter] for letter in roman] + [0]
    return sum(-one if one < after else one for one, after in zip(values, values[1:]))


def known(word, words):
    return next(one for one in words if same(one, word))


def full_name(text):
    given, surname = text.split()
    return f'{shorts.get(given, given)} {surname}'


form = re.compile(r'of (\w+ \w+) of (\S+) for (\w+) \S+ of (\S+) .* of (?:(\w+) s\.)? ?(?:(\w+) d\.)?$')
rows, moment = [], begin.to_pydatetime()
for line in roll:
    word = line.split('.')[0]
    if word in WEEK:
        moment += timedelta(days=(WEEK.index(word) - moment.weekday()) % 7)
    man, place, load, ware, shillings, rest = form.search(line).groups()
    rows.append({
        'day': moment.strftime('%Y-%m-%d'),
        'name': full_name(man),
        'town': known(place, towns),
        'good': spelled[known(ware, spelled)],
        'carts': number_of(load),
        'pence': 12 * number_of(shillings or '') + number_of(rest or ''),
    })
entries = pd.DataFrame(rows)

# %% naive="careless" trap="entries that say the same are taken for one"
from datetime import timedelta

with open('{{ data }}/notes.txt') as file:
    notes = file.read()
shorts = {short: name for short, name in re.findall(r'(\w+) for (\w+)', notes) if name[0].isupper()}
towns = re.search(r'The towns are ([\w, ]+)\.', notes).group(1).split(', ')
goods = re.search(r'The goods are ([\w, ]+), also written', notes).group(1).split(', ')
others = re.search(r'also written ([\w, ]+)\.', notes).group(1).split(', ')
spelled = {**{one: one for one in goods}, **dict(zip(others, goods))}
begin = pd.Timestamp(re.search(r'begins on \w+, (\d{4}-\d\d-\d\d)', notes).group(1))
LETTERS = {'j': 1, 'i': 1, 'v': 5, 'x': 10, 'l': 50}


def number_of(roman):
    values = [LETTERS[letter] for letter in roman] + [0]
    return sum(-one if one < after else one for one, after in zip(values, values[1:]))


def known(word, words):
    return next(one for one in words if same(one, word))


def full_name(text):
    given, surname = text.split()
    return f'{shorts.get(given, given)} {surname}'


form = re.compile(r'of (\w+ \w+) of (\S+) for (\w+) \S+ of (\S+) .* of (?:(\w+) s\.)? ?(?:(\w+) d\.)?$')
rows, moment = [], begin.to_pydatetime()
for line in roll:
    word = line.split('.')[0]
    if word in WEEK:
        moment += timedelta(days=(WEEK.index(word) - moment.weekday()) % 7)
    man, place, load, ware, shillings, rest = form.search(line).groups()
    rows.append({
        'day': moment.strftime('%Y-%m-%d'),
        'name': full_name(man),
        'town': known(place, towns),
        'good': spelled[known(ware, spelled)],
        'carts': number_of(load),
        'pence': 12 * number_of(shillings or '') + number_of(rest or ''),
    })
entries = pd.DataFrame(rows)
kept = ~entries.duplicated()
roll = roll[kept].reset_index(drop=True)
entries = entries[kept].reset_index(drop=True)

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw the median of `pence` divided by `carts` over the entries of each day of `entries` as a line with markers `o`, over the number of days since the first day, in `teal`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (9, 3.5), and call `plt.show()`.
#
# Thought: Days without an entry have no marker.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 对 `entries` 的每一天，求各条记录 `pence` 除以 `carts` 的中位数，以距第一天的天数为横坐标画成带标记 `o` 的折线，颜色 `teal`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (9, 3.5)，最后调用 `plt.show()`。
#
# Thought: 没有记录的日子没有标记。

# %%
import matplotlib.pyplot as plt

level = (entries['pence'] / entries['carts']).groupby(entries['day']).median()
plt.figure(figsize=(9, 3.5))
plt.plot((pd.to_datetime(level.index) - begin).days, level, 'o-', color='teal')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, count, date]"
# Find the fairs. Print the number of days from one fair to the next, how many of the days of `entries` are fair days, and the first fair day after the last day of `entries` as `YYYY-MM-DD`, on one line, separated by spaces.
#
# Thought: Compare each entry with what is usual for its good, burgesses' sums doubled; then try all intervals and beginnings and take the one whose days are dear while the others are not.

# %% [markdown] lang="cn"
# 找出集市日。在同一行打印：相邻两次集市相隔的天数，`entries` 的日期中有多少天是集市日，以及 `entries` 最后一天之后的第一个集市日（`YYYY-MM-DD`），用空格分隔。
#
# Thought: 把市民的金额加倍后，与该货物的通常水平比较；再逐一尝试间隔和起点，取其所含日子偏贵而其余日子不贵的那一组。

# %%
import numpy as np

burgesses = pd.read_csv('{{ data }}/burgesses.csv')
sworn = {(row.name, row.town): row.sworn for row in burgesses.itertuples(index=False)}


def is_burgess(table):
    return [sworn.get((name, town), '9999') <= day for name, town, day in zip(table['name'], table['town'], table['day'])]


ledger = entries.copy()
ledger['toll'] = entries['pence'] * np.where(is_burgess(entries), 2, 1)
ledger['since'] = (pd.to_datetime(entries['day']) - begin).dt.days
unit = ledger['toll'] / entries['carts']
dear = np.log2(unit / unit.groupby(entries['good']).transform('median')).groupby(ledger['since']).median()
gap = {}
for every in range(5, 31):
    for phase in range(every):
        fair = dear.index % every == phase
        if fair.sum() > 2:
            gap[every, phase] = ((dear - np.where(fair, 1, 0)) ** 2).sum()
every, phase = min(gap, key=gap.get)


def is_fair(days):
    return (days - phase) % every == 0


days = ledger['since'].unique()
coming = int(days.max()) + 1
while not is_fair(coming):
    coming += 1
answer = [every, is_fair(days).sum(), (begin + pd.Timedelta(days=coming)).strftime('%Y-%m-%d')]
print(*answer)

# %% naive="shortcut" trap="fairs on days without entries make the interval seem longer"
import numpy as np

burgesses = pd.read_csv('{{ data }}/burgesses.csv')
sworn = {(row.name, row.town): row.sworn for row in burgesses.itertuples(index=False)}


def is_burgess(table):
    return [sworn.get((name, town), '9999') <= day for name, town, day in zip(table['name'], table['town'], table['day'])]


ledger = entries.copy()
ledger['toll'] = entries['pence'] * np.where(is_burgess(entries), 2, 1)
ledger['since'] = (pd.to_datetime(entries['day']) - begin).dt.days
unit = ledger['toll'] / entries['carts']
dear = (unit / unit.groupby(entries['good']).transform('median')).groupby(ledger['since']).median()
high = dear.index[dear > 1.5]
every, phase = int(round(np.diff(high).mean())), int(high[0])


def is_fair(days):
    return (days - phase) % every == 0


days = ledger['since'].unique()
coming = int(days.max()) + 1
while not is_fair(coming):
    coming += 1
print(every, len(high), (begin + pd.Timedelta(days=coming)).strftime('%Y-%m-%d'))

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, count, count]"
# `{{ data }}/pairs.txt` has pairs of spellings of words in `roll`. Each clerk has habits in some of these words, but spellings may also go by other things. Find out which days are whose: add a column `clerk` to `entries`, 1 for the clerk who wrote the first entry and 2 for the other.
# Print the number of days in a whole turn of clerk 1, the number of days in a whole turn of clerk 2 (days with entries, as the notes count turns), and the number of rows of `entries` by clerk 1, on one line, separated by spaces.
#
# Thought: Every pair of lengths and every beginning divides the days into two groups; the right division tells the spellings apart best, over all pairs together.

# %% [markdown] lang="cn"
# `{{ data }}/pairs.txt` 列出 `roll` 中一些词的两种拼写。两名记录员在其中一些词上各有习惯，但拼写也可能取决于别的因素。请查明各日由谁记录：为 `entries` 添加 `clerk` 列，写下第一条记录的记录员为 1，另一人为 2。
# 在同一行打印：记录员 1 一个完整班次的天数，记录员 2 一个完整班次的天数（按说明中的算法，只计有记录的日子），以及 `entries` 中记录员 1 所写的行数，用空格分隔。
#
# Thought: 每组班次长度和起点都把日子分成两组；正确的划分最能区分各词的拼写。

# %%
with open('{{ data }}/pairs.txt') as file:
    pairs = [line.split() for line in file]
opened = ledger['since'].map({day: index for index, day in enumerate(sorted(ledger['since'].unique()))}).to_numpy()
size = opened.max() + 1
spelt = {}
for one, other in pairs:
    found = []
    for line in roll:
        words = line.split()
        maybe = [any(same(spelling, word) for word in words) for spelling in (one, other)]
        found.append(np.nan if maybe[0] == maybe[1] else float(maybe[1]))
    spelt[one] = np.array(found)
seen = np.array([np.bincount(opened, ~np.isnan(found), size) for found in spelt.values()])
second = np.array([np.bincount(opened, np.nan_to_num(found), size) for found in spelt.values()])


def likelihood(some):
    total, other = seen[:, some].sum(axis=1), second[:, some].sum(axis=1)
    share = np.clip(other / np.maximum(total, 1), 1e-6, 1 - 1e-6)
    return (other * np.log(share) + (total - other) * np.log(1 - share)).sum()


best = None
for own in range(2, 16):
    for his in range(2, 16):
        for gone in range(own):
            mine = (np.arange(size) + gone) % (own + his) < own
            value = likelihood(mine) + likelihood(~mine)
            if best is None or value > best[0] + 1e-9:
                best = value, own, his, mine
own, his, mine = best[1:]
entries['clerk'] = np.where(mine[opened], 1, 2)
answer = [own, his, (entries['clerk'] == 1).sum()]
print(*answer)

# %% naive="careless literal" trap="a change with time is taken for a change of clerk, so that each has one long turn"
with open('{{ data }}/pairs.txt') as file:
    pairs = [line.split() for line in file]
opened = ledger['since'].map({day: index for index, day in enumerate(sorted(ledger['since'].unique()))}).to_numpy()
size = opened.max() + 1
spelt = {}
for one, other in pairs:
    found = []
    for line in roll:
        words = line.split()
        maybe = [any(same(spelling, word) for word in words) for spelling in (one, other)]
        found.append(np.nan if maybe[0] == maybe[1] else float(maybe[1]))
    spelt[one] = np.array(found)
halves = {one: abs(np.nanmean(found[opened < size / 2]) - np.nanmean(found[opened >= size / 2])) for one, found in spelt.items()}
found = spelt[max(halves, key=halves.get)]
cut = max(range(10, size - 10), key=lambda day: abs(np.nanmean(found[opened < day]) - np.nanmean(found[opened >= day])))
entries['clerk'] = np.where(opened < cut, 1, 2)
print(cut, size - cut, (entries['clerk'] == 1).sum())

# %% naive="shortcut" trap="turns go by weeks"
with open('{{ data }}/pairs.txt') as file:
    pairs = [line.split() for line in file]
spelt = {}
for one, other in pairs:
    found = []
    for line in roll:
        words = line.split()
        maybe = [any(same(spelling, word) for word in words) for spelling in (one, other)]
        found.append(np.nan if maybe[0] == maybe[1] else float(maybe[1]))
    spelt[one] = np.array(found)
entries['clerk'] = 1 + ledger['since'] // 7 % 2
print(6, 6, (entries['clerk'] == 1).sum())

# %% [markdown] kind="text" list="true" modules="numpy pandas" answer="list[text]"
# Print the first spelling of each pair in `{{ data }}/pairs.txt` in which the two clerks' shares of the second spelling (among their entries in which it can be told) differ by more than 30 percentage points, in alphabetical order, on one line, separated by `, `.
#
# Thought: Shares by clerk; pairs that go by the town or change with time hardly differ.

# %% [markdown] lang="cn"
# 对 `{{ data }}/pairs.txt` 中的每一对拼写，比较两名记录员使用第二种拼写的比例（只计能辨认的记录）。打印相差超过 30 个百分点的各对的第一种拼写，按字母顺序排成一行，用 `, ` 分隔。
#
# Thought: 按记录员求比例；随城镇或时间变化的拼写相差很小。

# %%
shares = pd.DataFrame(spelt).groupby(entries['clerk'].to_numpy()).mean()
habits = shares.columns[(shares.loc[1] - shares.loc[2]).abs() > 0.3]
answer = sorted(habits)
print(', '.join(answer))

# %% naive="shortcut" trap="spellings that are unevenly frequent are taken for habits"
uneven = [one for one, found in spelt.items() if abs(np.nanmean(found) - 0.5) > 0.05]
print(', '.join(sorted(uneven)) or 'none')

# %% [markdown] kind="num" modules="numpy pandas" answer="list[count]"
# What was due, by the rules of the register, on the last day of `entries` from a man of {{ town }} who was no burgess, had that day been no fair day, for 8 carts of one good? Print it in pence for each of the goods, in the order of the notes, on one line, separated by spaces.
#
# Thought: With burgesses and fairs taken out, the toll of one cart is the same over time but for one good, for any number but for another, and for all towns but for a third.

# %% [markdown] lang="cn"
# 按登记册的规则，在 `entries` 的最后一天，假设那天不是集市日，一个来自 {{ town }} 的非市民运 8 车同一种货物应付多少？按说明中货物的顺序，在同一行打印各货物应付的便士数，用空格分隔。
#
# Thought: 去掉市民和集市的影响后，每车的费用只有一种货物随时间变化，另一种随车数变化，还有一种因城镇而异。

# %%
ledger['toll'] = ledger['toll'] / np.where(is_fair(ledger['since']), 2, 1)


def units(carts, full):
    return np.minimum(carts, full) + np.maximum(carts - full, 0) / 2


def hits(tolls):
    values, counts = np.unique(np.round(tolls, 6), return_counts=True)
    return counts.max(), float(values[counts.argmax()])


tariff = {}
for ware, rows in ledger.groupby('good'):
    rows = rows.sort_values('since')
    found = []
    for full in [99, *range(1, 13)]:
        rates = (rows['toll'] / units(rows['carts'], full)).to_numpy()
        count, rate = hits(rates)
        found.append((count, rate, rate, 0, full))
        for split in sorted(rows['since'].unique())[3:-3]:
            late = (rows['since'] >= split).to_numpy()
            before, after = hits(rates[~late]), hits(rates[late])
            found.append((before[0] + after[0] - 15, before[1], after[1], split, full))
    tariff[ware] = max(found, key=lambda one: one[0])[1:]


factor = {}


def due_of(table):
    since = (pd.to_datetime(table['day']) - begin).dt.days
    rates = [tariff[good][int(since_day >= tariff[good][2])] for good, since_day in zip(table['good'], since)]
    full = np.array([tariff[good][3] for good in table['good']])
    extra = [factor.get((town, good), 1) for town, good in zip(table['town'], table['good'])]
    tolls = rates * units(table['carts'].to_numpy(), full) * extra
    return np.round(tolls * np.where(is_fair(since), 2, 1) / np.where(is_burgess(table), 2, 1)).astype(int)


usual = entries['pence'] / due_of(entries)
factor = {group: hits(some)[1] for group, some in usual.groupby([entries['town'], entries['good']])}
last = pd.DataFrame({'day': entries['day'].max(), 'name': '', 'town': '{{ town }}', 'good': goods, 'carts': 8})
tolls = due_of(last) / (2 if is_fair(ledger['since'].max()) else 1)
answer = list(np.round(tolls).astype(int))
print(*answer)

# %% naive="careless" trap="one rate for each good, the most frequent one, for any number of carts and all the time"
ledger['toll'] = ledger['toll'] / np.where(is_fair(ledger['since']), 2, 1)
common = (ledger['toll'] / entries['carts']).groupby(entries['good']).agg(lambda rates: rates.round(6).mode()[0])
tariff = {good: (rate, rate, 0, 99) for good, rate in common.items()}


def units(carts, full):
    return np.minimum(carts, full) + np.maximum(carts - full, 0) / 2


def due_of(table):
    since = (pd.to_datetime(table['day']) - begin).dt.days
    tolls = table['good'].map(common).to_numpy() * table['carts'].to_numpy()
    return np.round(tolls * np.where(is_fair(since), 2, 1) / np.where(is_burgess(table), 2, 1)).astype(int)


print(*(round(8 * common[good]) for good in goods))

# %% naive="literal" trap="what was paid for 8 carts is averaged"
ledger['toll'] = ledger['toll'] / np.where(is_fair(ledger['since']), 2, 1)
mean = (ledger['toll'] / entries['carts']).groupby(entries['good']).mean()
tariff = {good: (rate, rate, 0, 99) for good, rate in mean.items()}


def due_of(table):
    since = (pd.to_datetime(table['day']) - begin).dt.days
    tolls = table['good'].map(mean).to_numpy() * table['carts'].to_numpy()
    return np.round(tolls * np.where(is_fair(since), 2, 1) / np.where(is_burgess(table), 2, 1)).astype(int)


print(*(round(8 * mean[good]) for good in goods))

# %% [markdown] kind="num" modules="numpy pandas" answer="[count, count, count]"
# Print how many rows of `entries` have another sum than was due by the rules of the register, how many of them are by clerk 1, and by how many pence all sums together fall short of what was due, on one line, separated by spaces.
#
# Thought: With the whole tariff known, each entry has a sum that was due.

# %% [markdown] lang="cn"
# 在同一行打印：`entries` 中有多少行的金额与按登记册规则应付的不同，其中多少行出自记录员 1，以及全部金额合计比应付总额少多少便士，用空格分隔。
#
# Thought: 收费规则完全清楚之后，每条记录都有一个应付的金额。

# %%
due = due_of(entries)
wrong = due != entries['pence']
answer = [wrong.sum(), (wrong & (entries['clerk'] == 1)).sum(), (due - entries['pence']).sum()]
print(*answer)

# %% naive="shortcut" trap="the day on which a burgess was sworn is left aside"
free = [(name, town) in sworn for name, town in zip(entries['name'], entries['town'])]
due = np.round(due_of(entries) * np.where(is_burgess(entries), 2, 1) / np.where(free, 2, 1)).astype(int)
wrong = due != entries['pence']
print(wrong.sum(), (wrong & (entries['clerk'] == 1)).sum(), (due - entries['pence']).sum())

# %% [markdown] kind="num" held_out="sums" metric="accuracy" bound="{{ bound }}" modules="numpy pandas"
# The roll goes on, but its edge with the sums is torn off. `{{ data }}/torn.csv` has what is left of some later entries. Find the sum that was due for each of them. Print the sums in pence, as whole numbers, in the order of the file, on one line, separated by spaces. At least {{ (100 * bound) | round | int }} % of them have to be right.
#
# Thought: The tariff of the last days holds on, with fairs and burgesses.

# %% [markdown] lang="cn"
# 长卷还有后续，但写着金额的边缘已被撕掉。`{{ data }}/torn.csv` 是后面一些记录残存的内容。求出每条记录应付的金额。按文件中的顺序在同一行打印各金额（以便士计的整数），用空格分隔。至少 {{ (100 * bound) | round | int }} % 必须正确。
#
# Thought: 最后几天的费率继续有效，集市和市民的规则也一样。

# %%
torn = pd.read_csv('{{ data }}/torn.csv')
torn['name'] = torn['name'].map(full_name)
torn['carts'] = torn['carts'].map(number_of)
torn['good'] = torn['good'].map(spelled)
print(*due_of(torn))

# %% naive="careless" trap="gradient boosting on the columns of the file"
from sklearn.ensemble import GradientBoostingRegressor

torn = pd.read_csv('{{ data }}/torn.csv')
torn['name'] = torn['name'].map(full_name)
torn['carts'] = torn['carts'].map(number_of)
torn['good'] = torn['good'].map(spelled)


def inputs_of(table):
    return pd.DataFrame({
        'good': table['good'].map(goods.index),
        'town': table['town'].map(towns.index),
        'carts': table['carts'],
        'since': (pd.to_datetime(table['day']) - begin).dt.days,
        'burgess': np.array(is_burgess(table), dtype=int),
    })


model = GradientBoostingRegressor(n_estimators=200, max_depth=5, random_state=0)
model.fit(inputs_of(entries), entries['pence'])
print(*np.round(model.predict(inputs_of(torn))).astype(int))

# %% naive="shortcut" trap="what men of one town pay more for one good is overlooked"
torn = pd.read_csv('{{ data }}/torn.csv')
torn['name'] = torn['name'].map(full_name)
torn['carts'] = torn['carts'].map(number_of)
torn['good'] = torn['good'].map(spelled)
factor = {}
print(*due_of(torn))

# %% naive="literal" trap="the usual sum of the good and the number of carts, whatever the day and the man"
torn = pd.read_csv('{{ data }}/torn.csv')
torn['carts'] = torn['carts'].map(number_of)
torn['good'] = torn['good'].map(spelled)
usual = entries.groupby(['good', 'carts'])['pence'].median().to_dict()
print(*(int(usual.get((good, carts), 0)) for good, carts in zip(torn['good'], torn['carts'])))
