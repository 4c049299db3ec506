# ---
# jupyter:
#   instances:
#     baltic: {seed: 33, friends: Clara Emil Jonas, counts: [34, 26, 19]}
#     danube: {seed: 58, friends: Agnes Leopold Rosa, counts: [32, 28, 20]}
#   varied:
#     seed: {between: [1, 1000000]}
#     friends: {pick: [Dora Felix Max, Hugo Ida Karl, Georg Lotte Nina]}
#     counts: {pick: [[33, 27, 20], [35, 26, 19]]}
#   words:
#     title: {en: Growth of the vocabulary, cn: 词汇量的增长}
#     x_label: {en: words written, cn: 已写词数}
#     y_label: {en: different words, cn: 不同词数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# `{{ data }}/letters.txt` is an edition of letters. How to read it is said in `{{ data }}/notes.txt`.
# Make a DataFrame `letters` with one row for each letter, in the order of the edition, numbered from 0. Its columns are `number` (integer), `writer` (`Unsigned` where it is not known), `to`, `day` (in the new calendar, as text `YYYY-MM-DD`) and `words` (integer, how many words the letter has).
#
# Thought: Pages have to go before hyphens are undone, and quotations and remarks are not the writer's words.

# %% [markdown] lang="cn"
# `{{ data }}/letters.txt` 是一部书信集，读法见 `{{ data }}/notes.txt`。
# 生成名为 `letters` 的 DataFrame，每封信占一行，按书信集中的顺序排列，行号从 0 开始。列为 `number`（整数）、`writer`（不知作者的为 `Unsigned`）、`to`、`day`（新历日期，文本 `YYYY-MM-DD`）和 `words`（整数，说明中所说的信的词数）。
#
# Thought: 要先去掉页码再还原连字符，引文和编者按不是作者的词。

# %%
import re
from datetime import date, timedelta

import pandas as pd

MONTHS = 'January February March April May June July August September October November December'.split()
text = open('{{ data }}/letters.txt', encoding='utf-8').read()
text = re.sub(r'(?m)^\u2014 \d+ \u2014\n', '', text)
HEAD = re.compile(r'(?m)^No\. (\d+)\. (\w+),? to (\w+)\.\n(\w+), (\d+) (\w+)(?: (\d{4}))?\.\n')
parts = HEAD.split(text)[1:]
rows, bodies, own, year = [], [], [], None
for start in range(0, len(parts), 8):
    count, sender, receiver, town, numeral, month, given, body = parts[start : start + 8]
    year = int(given) if given else year
    moment = date(year, MONTHS.index(month) + 1, int(numeral)) + timedelta(days=12 * (town in ('Riga', 'Reval')))
    body = ' '.join(body.replace('-\n', '').split())
    bodies.append(re.sub('\u201c[^\u201d]*\u201d', ' ', re.sub(r'\[[^\]]*\]', ' ', body)))
    own.append(re.findall('[a-z]+', bodies[-1].lower()))
    rows.append([int(count), sender, receiver, moment.isoformat(), len(own[-1]), f'{numeral} {month}'])
letters = pd.DataFrame(rows, columns=['number', 'writer', 'to', 'day', 'words', 'shown'])
shown = letters.pop('shown')

# %% naive="careless" trap="quotations are taken for the writer's own words, and the page numbers stay"
import re
from datetime import date, timedelta

import pandas as pd

MONTHS = 'January February March April May June July August September October November December'.split()
text = open('{{ data }}/letters.txt', encoding='utf-8').read()
HEAD = re.compile(r'(?m)^No\. (\d+)\. (\w+),? to (\w+)\.\n(\w+), (\d+) (\w+)(?: (\d{4}))?\.\n')
parts = HEAD.split(text)[1:]
rows, bodies, own, year = [], [], [], None
for start in range(0, len(parts), 8):
    count, sender, receiver, town, numeral, month, given, body = parts[start : start + 8]
    year = int(given) if given else year
    moment = date(year, MONTHS.index(month) + 1, int(numeral)) + timedelta(days=12 * (town in ('Riga', 'Reval')))
    bodies.append(' '.join(body.replace('-\n', '').split()))
    own.append(re.findall('[a-z]+', bodies[-1].lower()))
    rows.append([int(count), sender, receiver, moment.isoformat(), len(own[-1]), f'{numeral} {month}'])
letters = pd.DataFrame(rows, columns=['number', 'writer', 'to', 'day', 'words', 'shown'])
shown = letters.pop('shown')

# %% naive="literal" trap="a number of a page within a parted word leaves two words"
import re
from datetime import date, timedelta

import pandas as pd

MONTHS = 'January February March April May June July August September October November December'.split()
text = open('{{ data }}/letters.txt', encoding='utf-8').read()
HEAD = re.compile(r'(?m)^No\. (\d+)\. (\w+),? to (\w+)\.\n(\w+), (\d+) (\w+)(?: (\d{4}))?\.\n')
parts = HEAD.split(text)[1:]
rows, bodies, own, year = [], [], [], None
for start in range(0, len(parts), 8):
    count, sender, receiver, town, numeral, month, given, body = parts[start : start + 8]
    year = int(given) if given else year
    moment = date(year, MONTHS.index(month) + 1, int(numeral)) + timedelta(days=12 * (town in ('Riga', 'Reval')))
    body = ' '.join(body.replace('-\n', '').split())
    bodies.append(re.sub('\u201c[^\u201d]*\u201d', ' ', re.sub(r'\[[^\]]*\]', ' ', body)))
    own.append(re.findall('[a-z]+', bodies[-1].lower()))
    rows.append([int(count), sender, receiver, moment.isoformat(), len(own[-1]), f'{numeral} {month}'])
letters = pd.DataFrame(rows, columns=['number', 'writer', 'to', 'day', 'words', 'shown'])
shown = letters.pop('shown')

# %% naive="shortcut" trap="days of the old calendar stay as they are written"
import re
from datetime import date, timedelta

import pandas as pd

MONTHS = 'January February March April May June July August September October November December'.split()
text = open('{{ data }}/letters.txt', encoding='utf-8').read()
text = re.sub(r'(?m)^\u2014 \d+ \u2014\n', '', text)
HEAD = re.compile(r'(?m)^No\. (\d+)\. (\w+),? to (\w+)\.\n(\w+), (\d+) (\w+)(?: (\d{4}))?\.\n')
parts = HEAD.split(text)[1:]
rows, bodies, own, year = [], [], [], None
for start in range(0, len(parts), 8):
    count, sender, receiver, town, numeral, month, given, body = parts[start : start + 8]
    year = int(given) if given else year
    moment = date(year, MONTHS.index(month) + 1, int(numeral))
    body = ' '.join(body.replace('\n', ' ').split())
    bodies.append(re.sub('\u201c[^\u201d]*\u201d', ' ', body))
    own.append(re.findall('[a-z]+', bodies[-1].lower()))
    rows.append([int(count), sender, receiver, moment.isoformat(), len(own[-1]), f'{numeral} {month}'])
letters = pd.DataFrame(rows, columns=['number', 'writer', 'to', 'day', 'words', 'shown'])
shown = letters.pop('shown')

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count, count]"
# Print the number of letters, how many of them are unsigned, how many were written in 1820 by the new calendar, and the number of words of all letters, on one line, separated by spaces.
#
# Thought: All four come from the table.

# %% [markdown] lang="cn"
# 在同一行打印：信的封数、其中未署名（Unsigned）的封数、按新历写于 1820 年的封数，以及所有信的总词数，用空格分隔。
#
# Thought: 四个数都可由表得到。

# %%
unsigned, of_1820 = letters['writer'] == 'Unsigned', letters['day'].str.startswith('1820')
answer = [len(letters), unsigned.sum(), of_1820.sum(), letters['words'].sum()]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Put the words of each known writer's letters one after the other, in the order of the edition. Make a dictionary `growth` of writer -> list of integers: how many different words are among the first 100, 200, 300, … words of that writer, up to the last full hundred.
# Draw `growth` with one line for each writer over the numbers of words, with a legend of the writers, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (8, 4), and call `plt.show()`.
#
# Thought: Upper and lower case are one, so the words are compared in lower case.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 把每位已知作者的信中的词按书信集的顺序依次连接。生成字典 `growth`：作者 -> 整数列表，即该作者的前 100、200、300、……个词中有多少个不同的词，直到最后一个整百为止。
# 以词数为横坐标，把 `growth` 中每位作者画成一条线，图例为作者，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (8, 4)，最后调用 `plt.show()`。
#
# Thought: 大小写视为相同，因此用小写比较。

# %%
import matplotlib.pyplot as plt

friends = sorted(set(letters['writer']) - {'Unsigned'})
written = {name: [] for name in friends}
for known, words in zip(letters['writer'], own):
    if known in written:
        written[known] += words
growth = {
    name: [len(set(all_words[:size])) for size in range(100, len(all_words) + 1, 100)]
    for name, all_words in written.items()
}
plt.figure(figsize=(8, 4))
for name in friends:
    plt.plot(range(100, 100 * len(growth[name]) + 1, 100), growth[name], label=name)
plt.legend()
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[text, text, count]"
# Which of the known writers has the richest vocabulary? The measures at hand are `types` (different words in all of a writer's letters), `ratio` (that number divided by the number of the writer's words) and `sample` (different words among the writer's first N words, N being the number of words of the writer who has the fewest). One of them does not hang on how much somebody has written.
# Print its name, the writer with the highest value and this value with 3 significant digits, on one line, separated by spaces.
#
# Thought: Types grow and ratios fall with the length of a text.

# %% [markdown] lang="cn"
# 已知作者中谁的词汇最丰富？可选度量有 `types`（某作者全部信中的不同词数）、`ratio`（该数除以该作者的总词数）和 `sample`（该作者前 N 个词中的不同词数，N 为总词数最少的作者的总词数），其中一种不取决于写了多少。
# 在同一行打印其名称、数值最高的作者和该数值（3 位有效数字），用空格分隔。
#
# Thought: 文本越长，不同词数越多，比率越低。

# %%
fewest = min(len(all_words) for all_words in written.values())
sizes = {name: len(set(all_words[:fewest])) for name, all_words in written.items()}
richest = max(sizes, key=sizes.get)
answer = ['sample', richest, sizes[richest]]
print(*answer)

# %% naive="careless" trap="who writes more has more different words"
sizes = {name: len(set(all_words)) for name, all_words in written.items()}
richest = max(sizes, key=sizes.get)
print('types', richest, sizes[richest])

# %% naive="literal shortcut" trap="who writes less repeats less"
sizes = {name: len(set(all_words)) / len(all_words) for name, all_words in written.items()}
richest = max(sizes, key=sizes.get)
print('ratio', richest, f'{sizes[richest]:.3g}')

# %% [markdown] kind="num" modules="pandas" answer="[count, real(1), real(1), real(1)]"
# Some of the signed letters begin by naming a letter of the friend they are written to, which they answer. Print how many of them answer a signed letter that is in the edition, and for each of the three friends, in alphabetical order, the median number of days from the writing of such a letter to the writing of this friend's answer, with 1 decimal place, all on one line, separated by spaces.
#
# Thought: Look for a letter the other way round with that day on it, and count days in one calendar.

# %% [markdown] lang="cn"
# 有些署名的信开头写明了它所答复的、收信人的某封来信。在同一行打印：其中有多少封答复的是书信集中的署名信，以及三位朋友（按字母顺序）各自的答复从写那封来信到写答复的天数的中位数（保留 1 位小数），全部用空格分隔。
#
# Thought: 找方向相反、写有该日期的信，并用同一种历法计算天数。

# %%
signed = {}
for row, printed in zip(letters.itertuples(), shown):
    if row.writer != 'Unsigned':
        signed[row.writer, row.to, printed] = pd.Timestamp(row.day)
waits, missing = [], []
for row, body in zip(letters.itertuples(), bodies):
    named = re.match(r'\s*Yours of the (\d+ \w+)', body)
    if named and row.writer != 'Unsigned':
        if (row.to, row.writer, named[1]) in signed:
            waits.append((row.writer, (pd.Timestamp(row.day) - signed[row.to, row.writer, named[1]]).days))
        else:
            missing.append(f'{row.to} {named[1]}')
medians = pd.DataFrame(waits).groupby(0)[1].median()
answer = [len(waits), *(f'{medians[name]:.1f}' for name in friends)]
print(*answer)

# %% naive="careless literal shortcut" trap="the days on the letters are subtracted whatever their calendar"
signed = {}
for row, printed in zip(letters.itertuples(), shown):
    signed[row.writer, row.to, printed] = pd.to_datetime(f'{printed} {row.day[:4]}', format='%d %B %Y')
waits, missing = [], []
for row, printed, body in zip(letters.itertuples(), shown, bodies):
    for mentioned in re.findall(r'Yours of the (\d+ \w+)', body):
        if (row.to, row.writer, mentioned) in signed:
            wrote = pd.to_datetime(f'{printed} {row.day[:4]}', format='%d %B %Y')
            waits.append((row.writer, (wrote - signed[row.to, row.writer, mentioned]).days))
        else:
            missing.append(f'{row.to} {mentioned}')
medians = pd.DataFrame(waits).groupby(0)[1].median()
print(len(waits), *(f'{medians[name]:.1f}' for name in friends))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# The others answer letters that are not in the edition. Print these lost letters in the order in which they are named, each as its writer and the day that stood on it (`{{ friends.split()[0] }} 3 May`), on one line, separated by `, `.
#
# Thought: The writer of a lost letter is the one to whom its answer goes.

# %% [markdown] lang="cn"
# 其余的信答复的是不在书信集中的信。按被提到的先后顺序，在同一行打印这些已遗失的信，每封写出作者和信上所写的日期（`{{ friends.split()[0] }} 3 May`），用 `, ` 分隔。
#
# Thought: 遗失的信的作者就是答复的收信人。

# %%
answer = list(missing)
print(', '.join(answer))

# %% naive="careless literal" trap="letters that a quotation names are taken for letters that the writer names"
raw = re.sub(r'(?m)^\u2014 \d+ \u2014\n', '', open('{{ data }}/letters.txt', encoding='utf-8').read())
found = []
for row, body in zip(letters.itertuples(), HEAD.split(raw)[8::8]):
    for mentioned in re.findall(r'Yours of the (\d+ \w+)', ' '.join(body.replace('-\n', '').split())):
        if (row.to, row.writer, mentioned) not in signed:
            found.append(f'{row.to} {mentioned}')
print(', '.join(found))

# %% naive="shortcut" trap="the answer's writer is taken for that of the lost letter"
found = []
for row, body in zip(letters.itertuples(), bodies):
    named = re.match(r'\s*Yours of the (\d+ \w+)', body)
    if named and (row.to, row.writer, named[1]) not in signed:
        found.append(f'{row.writer} {named[1]}')
print(', '.join(found))

# %% [markdown] kind="num" modules="pandas" held_out="writers" metric="accuracy" bound="0.85"
# Find out who wrote the unsigned letters. At least 85 % of the answers have to be right; they are scored on labels that are not in the files.
# Print for each unsigned letter, in the order of the edition, the place of its writer in the alphabetical list of the three friends (1, 2 or 3), on one line, separated by spaces.
#
# Thought: Only own words tell the writer, and nobody writes to themself; compare how likely each friend is to use these words.

# %% [markdown] lang="cn"
# 找出未署名的信是谁写的，至少 85 % 的答案须正确；评分所用的标签不在文件中。
# 对每封未署名的信，按书信集中的顺序打印其作者在三位朋友按字母顺序排列的名单中的位次（1、2 或 3），在同一行，用空格分隔。
#
# Thought: 只有作者自己的词能说明问题，而且没有人会写信给自己；比较每位朋友使用这些词的可能性。

# %%
import math
from collections import Counter

every = len({said for all_words in written.values() for said in all_words})
counted = {name: Counter(all_words) for name, all_words in written.items()}


def likelihood(name, words):
    total = len(written[name]) + every
    return sum(math.log((counted[name][said] + 1) / total) for said in words)


answers = []
for row, words in zip(letters.itertuples(), own):
    if row.writer == 'Unsigned':
        candidates = [name for name in friends if name != row.to]
        answers.append(friends.index(max(candidates, key=lambda name: likelihood(name, words))) + 1)
print(*answers)

# %% naive="careless literal shortcut" trap="what is quoted from another friend speaks for that friend"
import math
from collections import Counter

raw = re.sub(r'(?m)^\u2014 \d+ \u2014\n', '', open('{{ data }}/letters.txt', encoding='utf-8').read())
whole = [re.findall('[a-z]+', body.replace('-\n', '').lower()) for body in HEAD.split(raw)[8::8]]
said_by = {name: [] for name in friends}
for known, words in zip(letters['writer'], whole):
    if known in said_by:
        said_by[known] += words
counted = {name: Counter(all_words) for name, all_words in said_by.items()}
every = len({said for all_words in said_by.values() for said in all_words})
answers = []
for row, words in zip(letters.itertuples(), whole):
    if row.writer == 'Unsigned':
        scores = {
            name: sum(math.log((counted[name][said] + 1) / (len(said_by[name]) + every)) for said in words)
            for name in friends
            if name != row.to
        }
        answers.append(friends.index(max(scores, key=scores.get)) + 1)
print(*answers)
