# ---
# jupyter:
#   instances:
#     castle: {seed: 21, games: 1500, k_new: 40, k_old: 20, active: 60}
#     bishop: {seed: 83, games: 1700, k_new: 32, k_old: 16, active: 45}
#   varied:
#     seed: {between: [1, 1000000]}
#     games: {between: [1450, 1750]}
#     k_new: {pick: [32, 40, 48]}
#     k_old: {pick: [16, 20, 24]}
#     active: {pick: [45, 50, 60]}
#   words:
#     title: {en: A change of strength, cn: 棋力的变化}
#     x_label: {en: Rated games, cn: 计入等级分的对局数}
#     y_label: {en: Rating, cn: 等级分}
# ---

# %% [markdown] kind="exec" modules="pandas"
# The games of a chess club are in `{{ data }}/archive.csv` and `{{ data }}/server.csv`, its players in `{{ data }}/players.csv`. `{{ data }}/rules.txt` says what the files mean and how ratings are made.
# Make a DataFrame `games` with one row for each rated game. Its columns are `day` (the day in Berlin on which it began, text `YYYY-MM-DD`), `white` and `black` (names as in `players.csv`) and `score` (of White: 1.0, 0.5 or 0.0). Sort it by `day`, then `white`, then `black`.
#
# Thought: Bring names, days and results of the server into the arbiter's form; of games in both files keep the arbiter's.

# %% [markdown] lang="cn"
# 某国际象棋俱乐部的对局在 `{{ data }}/archive.csv` 和 `{{ data }}/server.csv` 中，棋手在 `{{ data }}/players.csv` 中。`{{ data }}/rules.txt` 说明了文件的含义和等级分的算法。
# 生成名为 `games` 的 DataFrame，每局计入等级分的对局占一行。列为 `day`（对局开始时柏林当地的日期，文本 `YYYY-MM-DD`）、`white` 和 `black`（姓名写法同 `players.csv`）和 `score`（白方得分：1.0、0.5 或 0.0）。依次按 `day`、`white`、`black` 排序。
#
# Thought: 把服务器的姓名、日期和结果统一成裁判的形式；两个文件都有的对局以裁判的为准。

# %%
import pandas as pd

players = pd.read_csv('{{ data }}/players.csv')
archive = pd.read_csv('{{ data }}/archive.csv', sep=';', encoding='cp1252')
archive.columns = ['day', 'white', 'black', 'result']
for side in ('white', 'black'):
    archive[side] = archive[side].str.replace(r'(.*), (.*)', r'\2 \1', regex=True)
archive['score'] = archive['result'].map({'1-0': 1.0, '½-½': 0.5, '0-1': 0.0})

server = pd.read_csv('{{ data }}/server.csv')
handles = dict(zip(players['handle'], players['name']))
for side in ('white', 'black'):
    server[side] = server[side].str.lower().map(handles)
server['day'] = pd.to_datetime(server['started']).dt.tz_convert('Europe/Berlin').dt.strftime('%Y-%m-%d')
server['score'] = server['white_score'].where(server['ended'] != 'default')

columns = ['day', 'white', 'black', 'score']
games = pd.concat([archive[columns], server[columns]]).drop_duplicates(['day', 'white', 'black']).dropna()
games = games.sort_values(['day', 'white', 'black']).reset_index(drop=True)

# %% naive="careless" trap="games that were not played are rated"
import pandas as pd

players = pd.read_csv('{{ data }}/players.csv')
archive = pd.read_csv('{{ data }}/archive.csv', sep=';', encoding='cp1252')
archive.columns = ['day', 'white', 'black', 'result']
for side in ('white', 'black'):
    archive[side] = archive[side].str.replace(r'(.*), (.*)', r'\2 \1', regex=True)
archive['score'] = archive['result'].map({'1-0': 1.0, '½-½': 0.5, '0-1': 0.0, '+:-': 1.0, '-:-': 0.5, '-:+': 0.0})
server = pd.read_csv('{{ data }}/server.csv')
handles = dict(zip(players['handle'], players['name']))
for side in ('white', 'black'):
    server[side] = server[side].str.lower().map(handles)
server['day'] = pd.to_datetime(server['started']).dt.tz_convert('Europe/Berlin').dt.strftime('%Y-%m-%d')
server['score'] = server['white_score']
columns = ['day', 'white', 'black', 'score']
games = pd.concat([archive[columns], server[columns]]).drop_duplicates(['day', 'white', 'black'])
games = games.sort_values(['day', 'white', 'black']).reset_index(drop=True)

# %% naive="literal" trap="the server is believed where the results differ"
import pandas as pd

players = pd.read_csv('{{ data }}/players.csv')
archive = pd.read_csv('{{ data }}/archive.csv', sep=';', encoding='cp1252')
archive.columns = ['day', 'white', 'black', 'result']
for side in ('white', 'black'):
    archive[side] = archive[side].str.replace(r'(.*), (.*)', r'\2 \1', regex=True)
archive['score'] = archive['result'].map({'1-0': 1.0, '½-½': 0.5, '0-1': 0.0})
server = pd.read_csv('{{ data }}/server.csv')
handles = dict(zip(players['handle'], players['name']))
for side in ('white', 'black'):
    server[side] = server[side].str.lower().map(handles)
server['day'] = pd.to_datetime(server['started']).dt.tz_convert('Europe/Berlin').dt.strftime('%Y-%m-%d')
server['score'] = server['white_score'].where(server['ended'] != 'default')
columns = ['day', 'white', 'black', 'score']
games = pd.concat([server[columns], archive[columns]]).drop_duplicates(['day', 'white', 'black']).dropna()
games = games.sort_values(['day', 'white', 'black']).reset_index(drop=True)

# %% naive="shortcut" trap="the day is read off the text, which is UTC"
import pandas as pd

players = pd.read_csv('{{ data }}/players.csv')
archive = pd.read_csv('{{ data }}/archive.csv', sep=';', encoding='cp1252')
archive.columns = ['day', 'white', 'black', 'result']
for side in ('white', 'black'):
    archive[side] = archive[side].str.replace(r'(.*), (.*)', r'\2 \1', regex=True)
archive['score'] = archive['result'].map({'1-0': 1.0, '½-½': 0.5, '0-1': 0.0})
server = pd.read_csv('{{ data }}/server.csv')
handles = dict(zip(players['handle'], players['name']))
for side in ('white', 'black'):
    server[side] = server[side].str.lower().map(handles)
server['day'] = server['started'].str[:10]
server['score'] = server['white_score'].where(server['ended'] != 'default')
columns = ['day', 'white', 'black', 'score']
games = pd.concat([archive[columns], server[columns]]).drop_duplicates(['day', 'white', 'black']).dropna()
games = games.sort_values(['day', 'white', 'black']).reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print the number of rated games, the number of them that were drawn, and the number of days on which at least one began, on one line, separated by spaces.
#
# Thought: All three come from the table.

# %% [markdown] lang="cn"
# 在同一行打印计入等级分的对局数、其中的和棋数，以及至少有一局开始的天数，用空格分隔。
#
# Thought: 三个数都可由表得到。

# %%
answer = [len(games), (games['score'] == 0.5).sum(), games['day'].nunique()]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# Rate the games by the rules. Make a Series `ratings` of the final rating of every player (float), with the names as its index, sorted from the highest rating to the lowest.
#
# Thought: Go through the days; take all expectations from the ratings of the evening before and add the day's changes at its end.

# %% [markdown] lang="cn"
# 按规则计算等级分。生成 Series `ratings`，为每名棋手的最终等级分（浮点数），以姓名为索引，从高到低排序。
#
# Thought: 逐日计算，期望得分都用前一天结束时的等级分，当天的变化在最后一并加上。

# %%
now = dict.fromkeys(players['name'], 1500.0)
rated = dict.fromkeys(players['name'], 0)
history, known = [], []
for day, played in games.groupby('day'):
    changes, numbers = dict.fromkeys(now, 0.0), dict.fromkeys(now, 0)
    for game in played.itertuples():
        expected = 1 / (1 + 10 ** ((now[game.black] - now[game.white]) / 400))
        known.append((game.Index, now[game.white], now[game.black], min(rated[game.white], rated[game.black])))
        for name, more in ((game.white, game.score - expected), (game.black, expected - game.score)):
            changes[name] += ({{ k_new }} if rated[name] < 20 else {{ k_old }}) * more
            numbers[name] += 1
    for name in now:
        now[name] += changes[name]
        rated[name] += numbers[name]
        history += [(name, day, rated[name], now[name])] if numbers[name] else []
history = pd.DataFrame(history, columns=['name', 'day', 'games', 'rating'])
before = pd.DataFrame(known, columns=['game', 'of_white', 'of_black', 'fewest']).set_index('game')
ratings = pd.Series(now).sort_values(ascending=False)

# %% naive="careless" trap="the ratings change within the day"
now = dict.fromkeys(players['name'], 1500.0)
rated = dict.fromkeys(players['name'], 0)
history, known = [], []
for game in games.itertuples():
    expected = 1 / (1 + 10 ** ((now[game.black] - now[game.white]) / 400))
    known.append((game.Index, now[game.white], now[game.black], min(rated[game.white], rated[game.black])))
    for name, more in ((game.white, game.score - expected), (game.black, expected - game.score)):
        now[name] += ({{ k_new }} if rated[name] < 20 else {{ k_old }}) * more
        rated[name] += 1
        history.append((name, game.day, rated[name], now[name]))
history = pd.DataFrame(history, columns=['name', 'day', 'games', 'rating'])
before = pd.DataFrame(known, columns=['game', 'of_white', 'of_black', 'fewest']).set_index('game')
ratings = pd.Series(now).sort_values(ascending=False)

# %% naive="shortcut" trap="one K for all"
now = dict.fromkeys(players['name'], 1500.0)
rated = dict.fromkeys(players['name'], 0)
history, known = [], []
for day, played in games.groupby('day'):
    changes, numbers = dict.fromkeys(now, 0.0), dict.fromkeys(now, 0)
    for game in played.itertuples():
        expected = 1 / (1 + 10 ** ((now[game.black] - now[game.white]) / 400))
        known.append((game.Index, now[game.white], now[game.black], min(rated[game.white], rated[game.black])))
        for name, more in ((game.white, game.score - expected), (game.black, expected - game.score)):
            changes[name] += {{ k_old }} * more
            numbers[name] += 1
    for name in now:
        now[name] += changes[name]
        rated[name] += numbers[name]
        history += [(name, day, rated[name], now[name])] if numbers[name] else []
history = pd.DataFrame(history, columns=['name', 'day', 'games', 'rating'])
before = pd.DataFrame(known, columns=['game', 'of_white', 'of_black', 'fewest']).set_index('game')
ratings = pd.Series(now).sort_values(ascending=False)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the names of the first 4 players of the club's list on the evening of the last day, from the highest rating on, on one line, separated by `, `.
#
# Thought: The list has active players only.

# %% [markdown] lang="cn"
# 在同一行打印最后一天结束时俱乐部榜单上的前 4 名棋手，从等级分最高的起，用 `, ` 分隔。
#
# Thought: 榜单只列活跃棋手。

# %%
days = pd.to_datetime(games['day'])
recent = games[days > days.max() - pd.Timedelta(days={{ active }})]
counts = pd.concat([recent['white'], recent['black']]).value_counts()
answer = [name for name in ratings.index if counts.get(name, 0) >= 10][:4]
print(', '.join(answer))

# %% naive="careless literal shortcut" trap="players who play no more are on the list"
print(', '.join(ratings.index[:4]))

# %% [markdown] kind="num" modules="pandas" answer="[count, real(5)]"
# How well do the ratings foretell results? A colleague measures it with this code:
#
#     expected = 1 / (1 + 10 ** ((games['black'].map(ratings) - games['white'].map(ratings)) / 400))
#     print(((games['score'] - expected) ** 2).mean())
#
# That is no forecast. Take the rated games in which both players had at least 20 rated games before the day of the game, and forecast each with what was known before that day. Print the number of these games and the mean squared difference between White's score and White's expected score with 5 decimal places, on one line, separated by a space.
#
# Thought: The final ratings know the results already; take the ratings of the evening before.

# %% [markdown] lang="cn"
# 等级分预测结果的能力如何？一位同事用下面的代码衡量：
#
#     expected = 1 / (1 + 10 ** ((games['black'].map(ratings) - games['white'].map(ratings)) / 400))
#     print(((games['score'] - expected) ** 2).mean())
#
# 这不是预测。取双方在对局当天之前都至少有 20 局计入等级分的对局，用当天之前已知的信息预测每一局。在同一行打印这些对局的局数，以及白方得分与白方期望得分之差的平方的平均值（保留 5 位小数），用空格分隔。
#
# Thought: 最终等级分已经包含了结果，应取前一天结束时的等级分。

# %%
chosen = before[before['fewest'] >= 20]
score = games.loc[chosen.index, 'score']
expected = 1 / (1 + 10 ** ((chosen['of_black'] - chosen['of_white']) / 400))
answer = [len(chosen), ((score - expected) ** 2).mean()]
print(answer[0], f'{answer[1]:.5f}')

# %% naive="careless literal" trap="final ratings foretell what made them"
chosen = before[before['fewest'] >= 20]
score = games.loc[chosen.index, 'score']
final = games.loc[chosen.index]
expected = 1 / (1 + 10 ** ((final['black'].map(ratings) - final['white'].map(ratings)) / 400))
print(len(chosen), f'{((score - expected) ** 2).mean():.5f}')

# %% naive="shortcut" trap="all games, those with ratings not yet settled as well"
chosen = before
score = games.loc[chosen.index, 'score']
expected = 1 / (1 + 10 ** ((chosen['of_black'] - chosen['of_white']) / 400))
print(len(chosen), f'{((score - expected) ** 2).mean():.5f}')

# %% [markdown] kind="num" modules="numpy" answer="count"
# What is it worth to have White? Stronger players may have had White more often. In the games of the last step, with the same ratings before the day, add a number of points to White's rating in the formula of the expected score. Of the whole numbers from 0 to 150, print the one with which the mean of White's score less White's expected score is nearest to 0.
#
# Thought: The mean falls as the points grow; try all 151 numbers.

# %% [markdown] lang="cn"
# 执白值多少分？较强的棋手可能更常执白。在上一步的那些对局中，仍用当天之前的等级分，在期望得分公式里给白方的等级分加上若干分。在 0 到 150 的整数中，打印使“白方得分减去白方期望得分”的平均值最接近 0 的那一个。
#
# Thought: 加分越多，平均值越小；逐一试 151 个数。

# %%
import numpy as np

points = np.arange(151)
gap = (chosen['of_black'] - chosen['of_white']).to_numpy()[:, None] - points
answer = points[np.abs((score.to_numpy()[:, None] - 1 / (1 + 10 ** (gap / 400))).mean(axis=0)).argmin()]
print(answer)

# %% naive="careless literal" trap="the mean score of White is put down to the colour alone"
import numpy as np

mean = score.mean()
print(int(round(400 * np.log10(mean / (1 - mean)))))

# %% [markdown] kind="text" list="true" modules="numpy" answer="text"
# One player became much stronger from one day to the next, somewhere between the first and the last quarter of the season, and kept that strength. The strength of all others was the same all the time; they only began with a rating that did not fit them. Print the name of this player.
#
# Thought: Fit constant strengths to all games; the running sum of one player's score less what these strengths expect goes far down and comes back.

# %% [markdown] lang="cn"
# 有一名棋手在赛季第一个四分之一和最后一个四分之一之间的某一天突然变强许多，并保持了这一棋力。其他棋手的棋力始终不变，只是起始等级分与其棋力不符。打印这名棋手的姓名。
#
# Thought: 对全部对局拟合不变的棋力；某一棋手的得分减去由此得到的期望得分，其累计和会先远远下降再回升。

# %%
names = list(players['name'])
white, black = (games[side].map(names.index).to_numpy() for side in ('white', 'black'))
strength = np.zeros(len(names))
for _ in range(400):
    expected = 1 / (1 + np.exp(strength[black] - strength[white]))
    more = games['score'].to_numpy() - expected
    slope = np.bincount(white, more, len(names)) - np.bincount(black, more, len(names))
    weight = expected * (1 - expected)
    strength += 0.5 * slope / (np.bincount(white, weight, len(names)) + np.bincount(black, weight, len(names)))
deepest = {}
for place, name in enumerate(names):
    rows = (white == place) | (black == place)
    own = np.where(white == place, more, -more)[rows]
    deepest[name] = own.cumsum().min() / np.sqrt(weight[rows].sum())
found = min(deepest, key=deepest.get)
answer = found
print(answer)

# %% naive="careless literal" trap="the greatest rise of a rating is that of a player who began too low"
rise = history.groupby('name')['rating'].agg(lambda own: own.iloc[-1] - own.iloc[0])
found = rise.idxmax()
print(found)

# %% naive="shortcut" trap="the rating that rose most after all is that of the best player"
found = ratings.index[0]
print(found)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the rating of the player of the last step after each day on which this player had rated games, over the number of the player's rated games up to the end of that day, as a line in `teal`. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (7, 4). Call `plt.show()`.
#
# Thought: The history has a row for each player and day.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画出上一步那名棋手在每个有计分对局的日子结束时的等级分，横坐标为截至当天结束时该棋手计入等级分的对局数，用 `teal` 色折线。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 历史表中每名棋手每天占一行。

# %%
import matplotlib.pyplot as plt

line = history[history['name'] == found]
plt.figure(figsize=(7, 4))
plt.plot(line['games'], line['rating'], color='teal')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
