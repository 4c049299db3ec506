# ---
# jupyter:
#   instances:
#     copper: {seed: 11, clubs: 10, award: 3, sponsor: Kupfer}
#     union: {seed: 72, clubs: 12, award: 2, sponsor: Union}
#   varied:
#     seed: {between: [1, 1000000]}
#     clubs: {pick: [10, 12]}
#     award: {pick: [2, 3]}
#     sponsor: {pick: [Kupfer, Union, Blau-Weiß, Vorwärts]}
#   words:
#     title: {en: Points of two clubs, cn: 两支球队的积分}
#     x_label: {en: Round, cn: 轮次}
#     y_label: {en: Points, cn: 积分}
# ---

# %% [markdown] kind="exec" modules="pandas"
# In a football league of {{ clubs }} clubs every club plays twice against every other, once at home and once away. The results are in `{{ data }}/autumn.csv` and `{{ data }}/spring.csv`, the decisions of the committee in `{{ data }}/decisions.csv`, the clubs' names in `{{ data }}/clubs.csv`. What these files mean, and the rules, are in `{{ data }}/rules.txt`.
# Make a DataFrame `matches` with one row for each match of the season, as it counts by the rules. Its columns are `round` (int), `day` (the day on which the match was played to its end, as text `YYYY-MM-DD`), `home` and `away` (names as in `clubs.csv`), `home_goals` and `away_goals` (int). Sort it by `round`, then by `home`.
#
# Thought: Put the two files in one form, drop what was not played to its end and what was typed twice, then apply the decisions that are still valid.

# %% [markdown] lang="cn"
# 某足球联赛有 {{ clubs }} 支球队，每两队交手两次，主客场各一次。比赛结果在 `{{ data }}/autumn.csv` 和 `{{ data }}/spring.csv` 中，委员会的决定在 `{{ data }}/decisions.csv` 中，球队名称在 `{{ data }}/clubs.csv` 中。各文件的含义和规则见 `{{ data }}/rules.txt`。
# 生成名为 `matches` 的 DataFrame，赛季的每场比赛占一行，按规则所认定的结果计。列为 `round`（整数）、`day`（比赛踢完的那一天，文本 `YYYY-MM-DD`）、`home` 和 `away`（名称写法同 `clubs.csv`）、`home_goals` 和 `away_goals`（整数）。先按 `round` 再按 `home` 排序。
#
# Thought: 把两个文件统一成同一形式，去掉没有踢完的和重复录入的比赛，再应用仍然有效的决定。

# %%
import pandas as pd

autumn = pd.read_csv('{{ data }}/autumn.csv')
spring = pd.read_csv('{{ data }}/spring.csv', sep=';', encoding='cp1252')
spring.columns = ['round', 'date', 'away', 'home', 'score']
autumn['day'] = autumn['date']
spring['day'] = pd.to_datetime(spring['date'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')

names = {}
for club in pd.read_csv('{{ data }}/clubs.csv')['club']:
    plain = club.replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')
    names[club] = names[plain] = names[plain.split()[-1]] = club

played = pd.concat([autumn, spring])
played = played[played['score'].str.match(r'\d+[-:]\d+$')]
played['home'], played['away'] = played['home'].map(names), played['away'].map(names)
played = played.drop_duplicates(['round', 'home', 'away'])
goals = played['score'].str.split('[-:]', expand=True).astype(int)
played['home_goals'], played['away_goals'] = goals[0], goals[1]

decisions = pd.read_csv('{{ data }}/decisions.csv')
lifted = decisions[decisions['decision'] == 'appeal upheld']
void = set(zip(lifted['round'], lifted['club']))
for _, one in decisions.iterrows():
    if one['decision'].startswith('match lost') and (one['round'], one['club']) not in void:
        for side, scores in (('home', (0, {{ award }})), ('away', ({{ award }}, 0))):
            rows = (played['round'] == one['round']) & (played[side] == one['club'])
            played.loc[rows, ['home_goals', 'away_goals']] = scores

columns = ['round', 'day', 'home', 'away', 'home_goals', 'away_goals']
matches = played[columns].sort_values(['round', 'home']).reset_index(drop=True)

# %% naive="careless" trap="the decisions on matches are not applied"
import pandas as pd

autumn = pd.read_csv('{{ data }}/autumn.csv')
spring = pd.read_csv('{{ data }}/spring.csv', sep=';', encoding='cp1252')
spring.columns = ['round', 'date', 'away', 'home', 'score']
autumn['day'] = autumn['date']
spring['day'] = pd.to_datetime(spring['date'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
names = {}
for club in pd.read_csv('{{ data }}/clubs.csv')['club']:
    plain = club.replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')
    names[club] = names[plain] = names[plain.split()[-1]] = club
played = pd.concat([autumn, spring])
played = played[played['score'].str.match(r'\d+[-:]\d+$')]
played['home'], played['away'] = played['home'].map(names), played['away'].map(names)
played = played.drop_duplicates(['round', 'home', 'away'])
goals = played['score'].str.split('[-:]', expand=True).astype(int)
played['home_goals'], played['away_goals'] = goals[0], goals[1]
decisions = pd.read_csv('{{ data }}/decisions.csv')
columns = ['round', 'day', 'home', 'away', 'home_goals', 'away_goals']
matches = played[columns].sort_values(['round', 'home']).reset_index(drop=True)

# %% naive="literal" trap="a decision that was lifted on appeal is applied"
import pandas as pd

autumn = pd.read_csv('{{ data }}/autumn.csv')
spring = pd.read_csv('{{ data }}/spring.csv', sep=';', encoding='cp1252')
spring.columns = ['round', 'date', 'away', 'home', 'score']
autumn['day'] = autumn['date']
spring['day'] = pd.to_datetime(spring['date'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
names = {}
for club in pd.read_csv('{{ data }}/clubs.csv')['club']:
    plain = club.replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')
    names[club] = names[plain] = names[plain.split()[-1]] = club
played = pd.concat([autumn, spring])
played = played[played['score'].str.match(r'\d+[-:]\d+$')]
played['home'], played['away'] = played['home'].map(names), played['away'].map(names)
played = played.drop_duplicates(['round', 'home', 'away'])
goals = played['score'].str.split('[-:]', expand=True).astype(int)
played['home_goals'], played['away_goals'] = goals[0], goals[1]
decisions = pd.read_csv('{{ data }}/decisions.csv')
for _, one in decisions.iterrows():
    if one['decision'].startswith('match lost'):
        for side, scores in (('home', (0, {{ award }})), ('away', ({{ award }}, 0))):
            rows = (played['round'] == one['round']) & (played[side] == one['club'])
            played.loc[rows, ['home_goals', 'away_goals']] = scores
columns = ['round', 'day', 'home', 'away', 'home_goals', 'away_goals']
matches = played[columns].sort_values(['round', 'home']).reset_index(drop=True)

# %% naive="shortcut" trap="abandoned matches stand with their score at the break"
import pandas as pd

autumn = pd.read_csv('{{ data }}/autumn.csv')
spring = pd.read_csv('{{ data }}/spring.csv', sep=';', encoding='cp1252')
spring.columns = ['round', 'date', 'away', 'home', 'score']
autumn['day'] = autumn['date']
spring['day'] = pd.to_datetime(spring['date'], format='%d.%m.%Y').dt.strftime('%Y-%m-%d')
names = {}
for club in pd.read_csv('{{ data }}/clubs.csv')['club']:
    plain = club.replace('ä', 'ae').replace('ö', 'oe').replace('ü', 'ue')
    names[club] = names[plain] = names[plain.split()[-1]] = club
played = pd.concat([autumn, spring])
goals = played['score'].str.extract(r'(\d+)[-:](\d+)')
played['home_goals'], played['away_goals'] = goals[0].astype(float), goals[1].astype(float)
played = played.dropna()
played['home'], played['away'] = played['home'].map(names), played['away'].map(names)
played = played.drop_duplicates(['round', 'home', 'away'])
played[['home_goals', 'away_goals']] = played[['home_goals', 'away_goals']].astype(int)
decisions = pd.read_csv('{{ data }}/decisions.csv')
lifted = decisions[decisions['decision'] == 'appeal upheld']
void = set(zip(lifted['round'], lifted['club']))
for _, one in decisions.iterrows():
    if one['decision'].startswith('match lost') and (one['round'], one['club']) not in void:
        for side, scores in (('home', (0, {{ award }})), ('away', ({{ award }}, 0))):
            rows = (played['round'] == one['round']) & (played[side] == one['club'])
            played.loc[rows, ['home_goals', 'away_goals']] = scores
columns = ['round', 'day', 'home', 'away', 'home_goals', 'away_goals']
matches = played[columns].sort_values(['round', 'home']).reset_index(drop=True)

# %% [markdown] kind="num" modules="pandas" answer="[count, count, count]"
# Print the number of matches, the sum of all goals in them, and the number of matches that the home side has won, on one line, separated by spaces.
#
# Thought: With every pair playing twice the number of matches is known beforehand.

# %% [markdown] lang="cn"
# 在同一行打印比赛场数、全部进球之和，以及主队获胜的场数，用空格分隔。
#
# Thought: 每两队交手两次，场数事先就可算出。

# %%
goals = matches['home_goals'] + matches['away_goals']
answer = [len(matches), goals.sum(), (matches['home_goals'] > matches['away_goals']).sum()]
print(*answer)

# %% [markdown] kind="exec" modules="pandas"
# Make the final table by the rules: a DataFrame `table` with the columns `club`, `points` (int) and `difference` (difference of goals in all matches, int), sorted from the first place to the last.
#
# Thought: Points less what was taken away; clubs level on points are ordered by the matches among them before all goals count.

# %% [markdown] lang="cn"
# 按规则生成最终积分榜：名为 `table` 的 DataFrame，列为 `club`、`points`（整数）和 `difference`（全部比赛的净胜球，整数），从第一名到最后一名排序。
#
# Thought: 积分要减去被扣的分；同分球队先看它们之间的比赛，再看全部比赛的净胜球。

# %%
sides = []
for own, other in (('home', 'away'), ('away', 'home')):
    side = matches[['round', 'day', own, other, f'{own}_goals', f'{other}_goals']].copy()
    side.columns = ['round', 'day', 'club', 'other', 'scored', 'lost']
    side['at_home'] = own == 'home'
    sides.append(side)
single = pd.concat(sides, ignore_index=True)
single['points'] = 3 * (single['scored'] > single['lost']) + (single['scored'] == single['lost'])
single['difference'] = single['scored'] - single['lost']

taken = decisions[decisions['decision'].str.startswith('minus')].copy()
taken['points'] = taken['decision'].str.extract(r'minus (\d+)', expand=False).astype(int)
table = single.groupby('club')[['points', 'difference', 'scored']].sum()
for _, one in taken.iterrows():
    table.loc[one['club'], 'points'] -= one['points']
for name in table.index:
    level = table.index[table['points'] == table.loc[name, 'points']]
    among = single[(single['club'] == name) & single['other'].isin(level)]
    table.loc[name, 'direct_points'] = among['points'].sum()
    table.loc[name, 'direct_difference'] = among['difference'].sum()
keys = ['points', 'direct_points', 'direct_difference', 'difference', 'scored']
table = table.sort_values(keys, ascending=False).reset_index()
full = table
table = table[['club', 'points', 'difference']]

# %% naive="careless" trap="the points that were taken away are forgotten"
sides = []
for own, other in (('home', 'away'), ('away', 'home')):
    side = matches[['round', 'day', own, other, f'{own}_goals', f'{other}_goals']].copy()
    side.columns = ['round', 'day', 'club', 'other', 'scored', 'lost']
    side['at_home'] = own == 'home'
    sides.append(side)
single = pd.concat(sides, ignore_index=True)
single['points'] = 3 * (single['scored'] > single['lost']) + (single['scored'] == single['lost'])
single['difference'] = single['scored'] - single['lost']
taken = decisions[decisions['decision'].str.startswith('minus')].copy()
taken['points'] = taken['decision'].str.extract(r'minus (\d+)', expand=False).astype(int)
full = single.groupby('club')[['points', 'difference', 'scored']].sum()
full = full.sort_values(['points', 'difference', 'scored'], ascending=False).reset_index()
table = full[['club', 'points', 'difference']]

# %% naive="literal shortcut" trap="goals in all matches decide before the matches among level clubs"
sides = []
for own, other in (('home', 'away'), ('away', 'home')):
    side = matches[['round', 'day', own, other, f'{own}_goals', f'{other}_goals']].copy()
    side.columns = ['round', 'day', 'club', 'other', 'scored', 'lost']
    side['at_home'] = own == 'home'
    sides.append(side)
single = pd.concat(sides, ignore_index=True)
single['points'] = 3 * (single['scored'] > single['lost']) + (single['scored'] == single['lost'])
single['difference'] = single['scored'] - single['lost']
taken = decisions[decisions['decision'].str.startswith('minus')].copy()
taken['points'] = taken['decision'].str.extract(r'minus (\d+)', expand=False).astype(int)
full = single.groupby('club')[['points', 'difference', 'scored']].sum()
for _, one in taken.iterrows():
    full.loc[one['club'], 'points'] -= one['points']
full = full.sort_values(['points', 'difference', 'scored'], ascending=False).reset_index()
table = full[['club', 'points', 'difference']]

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# In another league, clubs level on points are ordered by the difference of goals in all matches and then by the goals scored in all matches; all else is as in these rules. Print the clubs that would stand on another place of the table by that order, in alphabetical order, on one line, separated by `, `.
#
# Thought: Sort once more by the other keys and compare place by place.

# %% [markdown] lang="cn"
# 另一个联赛对同分球队先比较全部比赛的净胜球，再比较全部比赛的进球数，其余规则相同。在同一行打印按那种排法名次会不同的球队，按字母顺序排列，用 `, ` 分隔。
#
# Thought: 用另一组键重新排序，逐个名次比较。

# %%
other = full.sort_values(['points', 'difference', 'scored'], ascending=False)['club'].tolist()
answer = sorted(club for club, one in zip(table['club'], other) if club != one)
print(', '.join(answer))

# %% naive="literal shortcut" trap="all clubs level on points with another are named"
print(', '.join(sorted(table.loc[table['points'].duplicated(keep=False), 'club'])))

# %% [markdown] kind="num" modules="scipy" answer="[text, real(relative=0.005)]"
# Do clubs win more points at home? Take two values of each club: its points per match at home and its points per match away, as `matches` has the results (points that were taken away by a decision do not count here). One of `ttest_rel`, `ttest_ind` and `mannwhitneyu` of scipy fits these two columns. Print its name and its two-sided p-value with 3 significant digits, on one line, separated by a space.
#
# Thought: Both values are of the same club, so the differences within the clubs are tested.

# %% [markdown] lang="cn"
# 球队在主场得分更多吗？对每支球队取两个值：主场场均积分和客场场均积分，按 `matches` 中的结果计算（此处不计被决定扣掉的分）。scipy 的 `ttest_rel`、`ttest_ind` 和 `mannwhitneyu` 中有一个适合这两列数据。在同一行打印它的名称和双侧 p 值（保留 3 位有效数字），用空格分隔。
#
# Thought: 两个值属于同一球队，因此检验队内的差。

# %%
from scipy import stats

means = single.groupby(['club', 'at_home'])['points'].mean().unstack()
answer = ['ttest_rel', stats.ttest_rel(means[True], means[False]).pvalue]
print(answer[0], f'{answer[1]:.3g}')

# %% naive="careless literal" trap="values of the same club are taken for independent ones"
from scipy import stats

means = single.groupby(['club', 'at_home'])['points'].mean().unstack()
print('ttest_ind', f'{stats.ttest_ind(means[True], means[False]).pvalue:.3g}')

# %% naive="shortcut" trap="values of the same club are ranked as independent ones"
from scipy import stats

means = single.groupby(['club', 'at_home'])['points'].mean().unstack()
print('mannwhitneyu', f'{stats.mannwhitneyu(means[True], means[False], alternative="two-sided").pvalue:.3g}')

# %% [markdown] kind="num" modules="pandas" answer="[text, count]"
# A colleague looks for the longest series of matches, in the order in which they were played, that a club went through without a defeat, with this code:
#
#     best = {}
#     for club in table['club']:
#         own = matches[(matches['home'] == club) | (matches['away'] == club)]
#         unbeaten = own['home_goals'] >= own['away_goals']
#         best[club] = unbeaten.groupby((~unbeaten).cumsum()).sum().max()
#     print(max(best, key=best.get), max(best.values()))
#
# The result is not right. Print the club with the longest such series, by the results in `matches`, and the number of matches in it, on one line, separated by a space.
#
# Thought: The goals have to be seen from the club's side, and the rows have to be in the order of the days.

# %% [markdown] lang="cn"
# 一位同事想找出按实际比赛先后顺序，哪支球队连续不败的场次最多，代码如下：
#
#     best = {}
#     for club in table['club']:
#         own = matches[(matches['home'] == club) | (matches['away'] == club)]
#         unbeaten = own['home_goals'] >= own['away_goals']
#         best[club] = unbeaten.groupby((~unbeaten).cumsum()).sum().max()
#     print(max(best, key=best.get), max(best.values()))
#
# 结果不正确。以 `matches` 中的结果为准，在同一行打印连续不败场次最多的球队和场次数，用空格分隔。
#
# Thought: 进球要从该队的角度看，各行要按日期先后排列。

# %%
best = {}
for club, own in single.sort_values('day').groupby('club'):
    unbeaten = own['scored'] >= own['lost']
    best[club] = int(unbeaten.groupby((~unbeaten).cumsum()).sum().max())
answer = [max(best, key=best.get), max(best.values())]
print(*answer)

# %% naive="careless shortcut" trap="the order of the rounds is not the order of the days"
best = {}
for club, own in single.sort_values('round').groupby('club'):
    unbeaten = own['scored'] >= own['lost']
    best[club] = int(unbeaten.groupby((~unbeaten).cumsum()).sum().max())
print(max(best, key=best.get), max(best.values()))

# %% naive="literal" trap="away matches are seen from the home side"
best = {}
for club in table['club']:
    own = matches[(matches['home'] == club) | (matches['away'] == club)].sort_values('day')
    unbeaten = own['home_goals'] >= own['away_goals']
    best[club] = int(unbeaten.groupby((~unbeaten).cumsum()).sum().max())
print(max(best, key=best.get), max(best.values()))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw two lines: the points of the first club of `table`, in `teal`, and the points of the club that had points taken away, in `darkorange`, after each round from 1 to {{ 2 * clubs - 2 }}. A match counts in its round, whenever it was played, and a decision on points from the round that the rules say. The last points of the lines are those of `table`. Each line has the name of its club in the legend. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (7, 4). Call `plt.show()`.
#
# Thought: Running totals by round, with the deduction taken off from its round on.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画两条折线：`table` 中第一名的积分（颜色 `teal`）和被扣分球队的积分（颜色 `darkorange`），横坐标为第 1 轮到第 {{ 2 * clubs - 2 }} 轮，纵坐标为该轮之后的积分。比赛无论何时进行都计入它所属的轮次，扣分从规则所说的轮次起计。两条线的终点即 `table` 中的积分。图例中用球队名称标注各线。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 4)，最后调用 `plt.show()`。
#
# Thought: 按轮次累计积分，从扣分轮次起减去被扣的分。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
for club, color in ((table['club'][0], 'teal'), (taken['club'].iloc[0], 'darkorange')):
    line = single[single['club'] == club].groupby('round')['points'].sum().cumsum()
    for _, one in taken[taken['club'] == club].iterrows():
        line[line.index >= one['round']] -= one['points']
    plt.plot(line.index, line, color=color, label=club)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% naive="careless literal" trap="the deduction counts from the first round on"
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 4))
for club, color in ((table['club'][0], 'teal'), (taken['club'].iloc[0], 'darkorange')):
    line = single[single['club'] == club].groupby('round')['points'].sum().cumsum()
    line -= taken.loc[taken['club'] == club, 'points'].sum()
    plt.plot(line.index, line, color=color, label=club)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()
