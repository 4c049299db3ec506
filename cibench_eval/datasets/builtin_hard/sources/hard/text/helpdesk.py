# ---
# jupyter:
#   instances:
#     rex: {seed: 19, brand: KX, shift: 6, spare: 30}
#     tome: {seed: 83, brand: TM, shift: 5, spare: 44}
#   varied:
#     seed: {between: [1, 1000000]}
#     brand: {pick: [HK, MX, TB, PC]}
#     shift: {between: [5, 7]}
#     spare: {between: [20, 50]}
#   words:
#     title: {en: Tickets by week, cn: 每周工单数}
#     x_label: {en: Monday, cn: 周一日期}
#     y_label: {en: tickets, cn: 工单数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A help desk has exported its mails into `{{ data }}/archive.tsv` and `{{ data }}/inbox.csv`. What is in these files is said in `{{ data }}/notes.txt`.
# Make a DataFrame `mails` with one row for each mail that a customer or a member of staff has written, mails sent again left out. Its columns are `mail` (the number, integer), `ticket` (integer), `side` (`customer` or `staff`), `sent` (in UTC, as text `YYYY-MM-DD HH:MM`) and `own` (the own words in their order, with one blank between them, otherwise as they were written). Sort it by `mail` and number its rows from 0.
#
# Thought: Both programs write the same mails in different ways; bodies from gw2 have to be decoded again before anything is compared.

# %% [markdown] lang="cn"
# 一个客服部门把邮件导出到 `{{ data }}/archive.tsv` 和 `{{ data }}/inbox.csv`，文件内容的说明见 `{{ data }}/notes.txt`。
# 生成名为 `mails` 的 DataFrame，顾客或员工写的每封邮件占一行，重复发送的邮件不计。列为 `mail`（编号，整数）、`ticket`（整数）、`side`（`customer` 或 `staff`）、`sent`（UTC 时间，文本 `YYYY-MM-DD HH:MM`）和 `own`（说明中所说的 own words，按原顺序，词间一个空格，其余保持原样）。按 `mail` 排序，行号从 0 开始。
#
# Thought: 两个程序以不同的写法保存同样的邮件；经 gw2 的正文要先重新解码，然后才能比较。

# %%
import pandas as pd

inbox = pd.read_csv('{{ data }}/inbox.csv', dtype=str, encoding='utf-8')
archive = pd.read_csv('{{ data }}/archive.tsv', dtype=str, encoding='utf-16', sep='\t', quoting=3)
archive.columns = inbox.columns = ['mail', 'ticket', 'from', 'sent', 'via', 'body']
archive['body'] = archive['body'].str.replace('\\n', '\n', regex=False)
inbox['mail'] = inbox['mail'].str[2:]
mails = pd.concat([archive, inbox])
mails[['mail', 'ticket']] = mails[['mail', 'ticket']].astype('int64')
mails = mails.drop_duplicates('mail')
mails = mails[mails['from'] != 'noreply@desk.example']


def own_words(body):
    words = []
    for line in body.split('\n'):
        if line.rstrip() == '--':
            break
        if not line.startswith('>') and not line.rstrip().endswith('wrote:'):
            words += line.split()
    return ' '.join(words)


wrong = mails['via'] == 'gw2'
mails.loc[wrong, 'body'] = [body.encode('latin-1').decode('utf-8') for body in mails.loc[wrong, 'body']]
mails['own'] = mails['body'].map(own_words)
mails['side'] = mails['from'].str.lower().str.endswith('@desk.example').map({True: 'staff', False: 'customer'})
mails['moment'] = pd.to_datetime(mails['sent'], utc=True)
mails['sent'] = mails['moment'].dt.strftime('%Y-%m-%d %H:%M')
mails = mails.sort_values(['moment', 'mail']).drop_duplicates(['ticket', 'side', 'own'])
mails = mails.sort_values('mail')[['mail', 'ticket', 'side', 'sent', 'own']].reset_index(drop=True)

# %% naive="careless" trap="the gateway's mojibake stays, so mails sent again over the other gateway are further ones"
import pandas as pd

inbox = pd.read_csv('{{ data }}/inbox.csv', dtype=str, encoding='utf-8')
archive = pd.read_csv('{{ data }}/archive.tsv', dtype=str, encoding='utf-16', sep='\t', quoting=3)
archive.columns = inbox.columns = ['mail', 'ticket', 'from', 'sent', 'via', 'body']
archive['body'] = archive['body'].str.replace('\\n', '\n', regex=False)
inbox['mail'] = inbox['mail'].str[2:]
mails = pd.concat([archive, inbox])
mails[['mail', 'ticket']] = mails[['mail', 'ticket']].astype('int64')
mails = mails.drop_duplicates('mail')
mails = mails[mails['from'] != 'noreply@desk.example']


def own_words(body):
    words = []
    for line in body.split('\n'):
        if line.rstrip() == '--':
            break
        if not line.startswith('>') and not line.rstrip().endswith('wrote:'):
            words += line.split()
    return ' '.join(words)


mails['own'] = mails['body'].map(own_words)
mails['side'] = mails['from'].str.lower().str.endswith('@desk.example').map({True: 'staff', False: 'customer'})
mails['moment'] = pd.to_datetime(mails['sent'], utc=True)
mails['sent'] = mails['moment'].dt.strftime('%Y-%m-%d %H:%M')
mails = mails.sort_values(['moment', 'mail']).drop_duplicates(['ticket', 'side', 'own'])
mails = mails.sort_values('mail')[['mail', 'ticket', 'side', 'sent', 'own']].reset_index(drop=True)

# %% naive="literal" trap="everything below the first quoted line is dropped, with the answers that stand below a quotation"
import pandas as pd

inbox = pd.read_csv('{{ data }}/inbox.csv', dtype=str, encoding='utf-8')
archive = pd.read_csv('{{ data }}/archive.tsv', dtype=str, encoding='utf-16', sep='\t', quoting=3)
archive.columns = inbox.columns = ['mail', 'ticket', 'from', 'sent', 'via', 'body']
archive['body'] = archive['body'].str.replace('\\n', '\n', regex=False)
inbox['mail'] = inbox['mail'].str[2:]
mails = pd.concat([archive, inbox])
mails[['mail', 'ticket']] = mails[['mail', 'ticket']].astype('int64')
mails = mails.drop_duplicates('mail')
mails = mails[mails['from'] != 'noreply@desk.example']


def own_words(body):
    words = []
    for line in body.split('\n'):
        if line.startswith('>') or line.rstrip() == '--':
            break
        if not line.rstrip().endswith('wrote:'):
            words += line.split()
    return ' '.join(words)


wrong = mails['via'] == 'gw2'
mails.loc[wrong, 'body'] = [body.encode('latin-1').decode('utf-8') for body in mails.loc[wrong, 'body']]
mails['own'] = mails['body'].map(own_words)
mails['side'] = mails['from'].str.lower().str.endswith('@desk.example').map({True: 'staff', False: 'customer'})
mails['moment'] = pd.to_datetime(mails['sent'], utc=True)
mails['sent'] = mails['moment'].dt.strftime('%Y-%m-%d %H:%M')
mails = mails.sort_values(['moment', 'mail']).drop_duplicates(['ticket', 'side', 'own'])
mails = mails.sort_values('mail')[['mail', 'ticket', 'side', 'sent', 'own']].reset_index(drop=True)

# %% naive="shortcut" trap="whole bodies are taken for own words, and the program for staff"
import pandas as pd

inbox = pd.read_csv('{{ data }}/inbox.csv', dtype=str, encoding='utf-8')
archive = pd.read_csv('{{ data }}/archive.tsv', dtype=str, encoding='utf-16', sep='\t', quoting=3)
archive.columns = inbox.columns = ['mail', 'ticket', 'from', 'sent', 'via', 'body']
archive['body'] = archive['body'].str.replace('\\n', '\n', regex=False)
inbox['mail'] = inbox['mail'].str[2:]
mails = pd.concat([archive, inbox])
mails[['mail', 'ticket']] = mails[['mail', 'ticket']].astype('int64')
mails = mails.drop_duplicates('mail')
wrong = mails['via'] == 'gw2'
mails.loc[wrong, 'body'] = [body.encode('latin-1').decode('utf-8') for body in mails.loc[wrong, 'body']]
mails['own'] = [' '.join(body.split()) for body in mails['body']]
mails['side'] = mails['from'].str.contains('desk.example', case=False).map({True: 'staff', False: 'customer'})
mails['sent'] = pd.to_datetime(mails['sent'], utc=True).dt.strftime('%Y-%m-%d %H:%M')
mails = mails.drop_duplicates(['ticket', 'side', 'own'])
mails = mails.sort_values('mail')[['mail', 'ticket', 'side', 'sent', 'own']].reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count, count]"
# Print the number of mails of customers, the number of mails of staff, the number of tickets that staff have answered, and the number of words in `own` (parted by blanks) over all mails of customers, on one line, separated by spaces.
#
# Thought: Words of `own` are parted by blanks.

# %% [markdown] lang="cn"
# 在同一行打印：顾客邮件数、员工邮件数、员工已答复的工单数，以及全部顾客邮件 `own` 中以空格分开的总词数，用空格分隔。
#
# Thought: `own` 中的词以空格分开。

# %%
by_side = mails['side'].value_counts()
customers = mails[mails['side'] == 'customer']
answered = mails.loc[mails['side'] == 'staff', 'ticket'].nunique()
answer = [by_side['customer'], by_side['staff'], answered, customers['own'].str.split(' ').str.len().sum()]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# A ticket mentions a model if at least one of its customers' mails has the model in `own`, in any of the spellings that the notes describe.
# Make a Series `mentions` of the number of tickets that mention each model, as integers, with the models as its index, written and ordered as in `{{ data }}/models.txt`.
#
# Thought: Bring text to one alphabet and width, then look for the letters, an optional mark and the whole number.

# %% [markdown] lang="cn"
# 若一个工单中至少有一封顾客邮件的 `own` 以说明中任一种写法写到某型号，则称该工单提到该型号。
# 生成 Series `mentions`，为提到各型号的工单数（整数），索引为型号，写法和顺序同 `{{ data }}/models.txt`。
#
# Thought: 先把文本统一到同一种字母和宽度，再查找字母、可有可无的连接符和完整的数字。

# %%
import re
import unicodedata

models = open('{{ data }}/models.txt', encoding='utf-8').read().split()
LATIN = str.maketrans('АВСЕНКМОРТХ', 'ABCEHKMOPTX')


def plain(text):
    return unicodedata.normalize('NFKC', text).upper().translate(LATIN)


written = mails['own'].where(mails['side'] == 'customer', '').map(plain)
mentioned = {}
for model in models:
    letters, number = model.split('-')
    spelled = re.compile(rf'(?<![A-Z]){letters}[ \-\u2010-\u2015]?{number}(?!\d)')
    mentioned[model] = set(mails.loc[[bool(spelled.search(text)) for text in written], 'ticket'])
mentions = pd.Series({model: len(tickets) for model, tickets in mentioned.items()})

# %% naive="careless literal" trap="only the catalogue's spelling is found, and a short number within a long one"
models = open('{{ data }}/models.txt', encoding='utf-8').read().split()
written = mails['own'].where(mails['side'] == 'customer', '')
mentioned = {model: set(mails.loc[written.str.contains(model, case=False, regex=False), 'ticket']) for model in models}
mentions = pd.Series({model: len(tickets) for model, tickets in mentioned.items()})

# %% naive="shortcut" trap="words of staff count, and tickets of other spellings do not"
models = open('{{ data }}/models.txt', encoding='utf-8').read().split()
written = mails['own'].str.upper().str.replace(' ', '').str.replace('\u2013', '').str.replace('-', '')
mentioned = {model: set(mails.loc[written.str.contains(model.replace('-', '')), 'ticket']) for model in models}
mentions = pd.Series({model: len(tickets) for model, tickets in mentioned.items()})

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the models by `mentions`, from the most mentioned on, and in the order of `{{ data }}/models.txt` where the numbers are equal, on one line, separated by `, `.
#
# Thought: A stable sort keeps the file's order where numbers are equal.

# %% [markdown] lang="cn"
# 在同一行打印各型号，按 `mentions` 从多到少排列，数目相同的按 `{{ data }}/models.txt` 中的顺序，用 `, ` 分隔。
#
# Thought: 稳定排序会在数目相同时保持文件中的顺序。

# %%
answer = sorted(models, key=lambda model: -mentions[model])
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# A ticket belongs to the week (Monday to Sunday, in UTC) of its first mail of a customer. Make a DataFrame `weekly` of the number of tickets that mention each model: a row for each of the weeks from that of 2025-02-03 to that of 2025-04-07, with the Monday as text `YYYY-MM-DD` as its index, and a column for each model.
# Draw `weekly` with one line for each model over the Mondays, with a legend of the models, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (9, 4), the ticks of the x axis turned by 45 degrees, and call `plt.show()`.
#
# Thought: The ticket's first mail gives the week of all its mentions.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 工单归入其第一封顾客邮件所在的周（周一至周日，UTC）。生成 DataFrame `weekly`，为每周提到各型号的工单数：从 2025-02-03 所在周到 2025-04-07 所在周每周一行，索引为周一日期（文本 `YYYY-MM-DD`），每个型号一列。
# 以周一日期为横坐标，把 `weekly` 的每个型号画成一条线，图例为型号，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (9, 4)，横轴刻度文字旋转 45 度，最后调用 `plt.show()`。
#
# Thought: 工单的第一封邮件决定其所有提及所在的周。

# %%
import matplotlib.pyplot as plt

opened = pd.to_datetime(mails[mails['side'] == 'customer'].groupby('ticket')['sent'].min())
monday = opened.dt.to_period('W').dt.start_time.dt.strftime('%Y-%m-%d')
weeks = pd.date_range('2025-02-03', '2025-04-07', freq='7D').strftime('%Y-%m-%d')
weekly = pd.DataFrame(
    {model: [int((monday[sorted(tickets)] == week).sum()) for week in weeks] for model, tickets in mentioned.items()},
    index=weeks,
)
plt.figure(figsize=(9, 4))
for model in models:
    plt.plot(weekly.index, weekly[model], label=model)
plt.legend()
plt.xticks(rotation=45)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.tight_layout()
plt.show()

# %% naive="shortcut" trap="each mention counts in the week of its own mail, staff's among them"
import matplotlib.pyplot as plt

monday = pd.to_datetime(mails['sent']).dt.to_period('W').dt.start_time.dt.strftime('%Y-%m-%d')
weeks = pd.date_range('2025-02-03', '2025-04-07', freq='7D').strftime('%Y-%m-%d')
weekly = pd.DataFrame(
    {
        model: [int((mails['own'].str.contains(model) & (monday == week)).sum()) for week in weeks]
        for model in models
    },
    index=weeks,
)
plt.figure(figsize=(9, 4))
for model in models:
    plt.plot(weekly.index, weekly[model], label=model)
plt.legend()
plt.xticks(rotation=45)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="[text, date]"
# The number of tickets of one model rises to another level and stays there to the end. Print this model and the Monday of the first week at the new level as `YYYY-MM-DD`, on one line, separated by `, `.
#
# Thought: A single high week is no level; the model with high weeks at the end is the one.

# %% [markdown] lang="cn"
# 有一个型号的工单数上升到另一个水平，并一直保持到最后。在同一行打印该型号和处于新水平的第一周的周一日期（`YYYY-MM-DD`），用 `, ` 分隔。
#
# Thought: 只有一周偏高不算水平；最后几周都高的型号才是。

# %%
risen = weekly.tail(3).mean().idxmax()
level = (weekly[risen].head(5).mean() + weekly[risen].tail(3).mean()) / 2
since = [week for number, week in enumerate(weekly.index) if (weekly[risen].iloc[number:] > level).all()][0]
answer = [risen, since]
print(f'{answer[0]}, {answer[1]}')

# %% naive="careless shortcut" trap="the highest week of all is another model's, and a single one"
risen = weekly.max().idxmax()
since = weekly[risen].idxmax()
print(f'{risen}, {since}')

# %% [markdown] kind="num" modules="pandas" answer="table[count]"
# Take the tickets that mention that model, from that week on. How many of them have a customer's mail with a sentence in `own` that complains of a part? Count this for each part of `{{ data }}/parts.txt`.
# Print the 3 parts with the most tickets on one line, in the form `part number, part number, part number`, from the highest number on, and in alphabetical order where the numbers are equal.
#
# Thought: A part that is praised is named, too, so sentences with a negation have to be left out.

# %% [markdown] lang="cn"
# 取提到该型号的、从那一周起的工单。对 `{{ data }}/parts.txt` 中的每个部件，统计有多少个工单的顾客 `own` 中有抱怨该部件的句子（何为抱怨见说明）。
# 在同一行打印工单数最多的 3 个部件，格式为 `部件 数目, 部件 数目, 部件 数目`，从多到少排列，数目相同的按字母顺序。
#
# Thought: 受到称赞的部件也会被写到，因此要排除带否定词的句子。

# %%
tickets = [ticket for ticket in mentioned[risen] if monday[ticket] >= since]
chosen = mails[mails['ticket'].isin(tickets) & (mails['side'] == 'customer')]
complaints = {}
for piece in open('{{ data }}/parts.txt', encoding='utf-8').read().split():
    found = set()
    for ticket, text in zip(chosen['ticket'], chosen['own']):
        for sentence in text.lower().split('.'):
            words = re.findall('[a-z]+', sentence)
            if piece in words and not {'no', 'not', 'nothing', 'never'} & set(words):
                found.add(ticket)
    complaints[piece] = len(found)
most = sorted(complaints, key=lambda piece: (-complaints[piece], piece))[:3]
answer = {piece: complaints[piece] for piece in most}
print(', '.join(f'{piece} {count}' for piece, count in answer.items()))

# %% naive="careless literal" trap="a part that is praised counts as one complained of"
opened = pd.to_datetime(mails[mails['side'] == 'customer'].groupby('ticket')['sent'].min())
monday = opened.dt.to_period('W').dt.start_time.dt.strftime('%Y-%m-%d')
tickets = [ticket for ticket in mentioned[risen] if monday[ticket] >= since]
chosen = mails[mails['ticket'].isin(tickets) & (mails['side'] == 'customer')]
complaints = {}
for piece in open('{{ data }}/parts.txt', encoding='utf-8').read().split():
    complaints[piece] = chosen.loc[chosen['own'].str.contains(piece), 'ticket'].nunique()
most = sorted(complaints, key=lambda piece: (-complaints[piece], piece))[:3]
print(', '.join(f'{piece} {complaints[piece]}' for piece in most))

# %% naive="shortcut" trap="whatever customers and staff write in these tickets counts"
chosen = mails[mails['ticket'].isin(mentioned[risen])]
complaints = {}
for piece in open('{{ data }}/parts.txt', encoding='utf-8').read().split():
    complaints[piece] = int(chosen['own'].str.contains(piece).sum())
most = sorted(complaints, key=lambda piece: (-complaints[piece], piece))[:3]
print(', '.join(f'{piece} {complaints[piece]}' for piece in most))

# %% [markdown] kind="num" modules="pandas" answer="[text, real(0)]"
# A ticket waits from its first mail of a customer to its first mail of staff. Estimate the time after which half of all tickets have an answer, those without one at the time of the export included. The ways at hand are `answered` (the median of the times of the answered tickets), `so_far` (the median over all tickets, with the time until the export for those without an answer) and `kaplan_meier` (the earliest time at which the Kaplan-Meier estimate of the share still waiting is at most one half). One of them fits.
# Print its name and the time in minutes, without decimal places, on one line, separated by a space.
#
# Thought: Tickets without an answer are censored at the export.

# %% [markdown] lang="cn"
# 工单的等待时间从第一封顾客邮件算起，到第一封员工邮件为止。请估计经过多长时间有一半的工单（包括导出时尚无答复的）得到答复。可选方法有 `answered`（已答复工单等待时间的中位数）、`so_far`（全部工单的中位数，尚无答复的取到导出时为止的时间）和 `kaplan_meier`（Kaplan-Meier 估计的仍在等待的比例不超过一半的最早时间），其中一种合适。
# 在同一行打印该方法的名称和以分钟计的时间（不带小数），用空格分隔。
#
# Thought: 尚无答复的工单在导出时被删失。

# %%
opened = pd.to_datetime(mails[mails['side'] == 'customer'].groupby('ticket')['sent'].min())
replied = pd.to_datetime(mails[mails['side'] == 'staff'].groupby('ticket')['sent'].min()).reindex(opened.index)
minutes = (replied.fillna(pd.Timestamp('2025-04-14 08:00')) - opened).dt.total_seconds() / 60
waiting = 1.0
for minute in sorted(minutes[replied.notna()].unique()):
    waiting *= 1 - (replied.notna() & (minutes == minute)).sum() / (minutes >= minute).sum()
    if waiting <= 0.5:
        break
answer = ['kaplan_meier', minute]
print(answer[0], f'{answer[1]:.0f}')

# %% naive="careless" trap="tickets that still wait are left out"
opened = pd.to_datetime(mails[mails['side'] == 'customer'].groupby('ticket')['sent'].min())
replied = pd.to_datetime(mails[mails['side'] == 'staff'].groupby('ticket')['sent'].min()).reindex(opened.index)
print('answered', f'{((replied - opened).dt.total_seconds() / 60).median():.0f}')

# %% naive="literal" trap="the time waited so far counts as the whole time"
opened = pd.to_datetime(mails[mails['side'] == 'customer'].groupby('ticket')['sent'].min())
replied = pd.to_datetime(mails[mails['side'] == 'staff'].groupby('ticket')['sent'].min()).reindex(opened.index)
minutes = (replied.fillna(pd.Timestamp('2025-04-14 08:00')) - opened).dt.total_seconds() / 60
print('so_far', f'{minutes.median():.0f}')

# %% [markdown] kind="num" modules="pandas" answer="[text, real(3)]"
# `{{ data }}/ratings.csv` says how customers rated tickets. The head of the desk compares the mean score of the two teams over the tickets, and asks which team would have the higher mean if both had the same mix of categories, that of all rated tickets.
# Print the name of that team and how many points its mean is above the other's with this mix, with 3 decimal places, on one line, separated by a space.
#
# Thought: One score a ticket, then means by team and category, weighted by the categories' shares of all rated tickets.

# %% [markdown] lang="cn"
# `{{ data }}/ratings.csv` 记录了顾客对工单的评分。客服主管按工单比较两个团队的平均分，并想知道：若两个团队的类别构成相同，均为全部已评分工单的构成，哪个团队的平均分更高。
# 在同一行打印该团队的名称，以及在这种构成下其平均分比另一个团队高多少分（保留 3 位小数），用空格分隔。
#
# Thought: 每个工单取一个评分，再按团队和类别求平均，以各类别在全部已评分工单中的占比加权。

# %%
ratings = pd.read_csv('{{ data }}/ratings.csv')
ratings = ratings[ratings['score'] != 9].sort_values('given').drop_duplicates('ticket', keep='last')
shares = ratings['category'].value_counts(normalize=True)
means = ratings.groupby(['category', 'team'])['score'].mean().unstack()
standard = means.mul(shares, axis=0).sum()
answer = [standard.idxmax(), standard.max() - standard.min()]
print(answer[0], f'{answer[1]:.3f}')

# %% naive="careless literal" trap="the teams' tickets are of different categories"
ratings = pd.read_csv('{{ data }}/ratings.csv')
ratings = ratings[ratings['score'] != 9].sort_values('given').drop_duplicates('ticket', keep='last')
means = ratings.groupby('team')['score'].mean()
print(means.idxmax(), f'{means.max() - means.min():.3f}')

# %% naive="shortcut" trap="9 is taken for a score, and ratings that were changed count twice"
ratings = pd.read_csv('{{ data }}/ratings.csv')
shares = ratings['category'].value_counts(normalize=True)
means = ratings.groupby(['category', 'team'])['score'].mean().unstack()
standard = means.mul(shares, axis=0).sum()
print(standard.idxmax(), f'{standard.max() - standard.min():.3f}')
