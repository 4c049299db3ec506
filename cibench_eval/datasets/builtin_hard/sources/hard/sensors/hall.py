# ---
# jupyter:
#   instances:
#     depot: {seed: 21, stops: 66, gone: 65535}
#     brewery: {seed: 83, stops: 72, gone: 99999}
#   varied:
#     seed: {between: [1, 1000000]}
#     stops: {pick: [64, 68, 72]}
#     gone: {pick: [65535, 99999, 40000]}
#   words:
#     title: {en: Lengths of the cables, cn: 电缆长度}
#     x_label: {en: Anchor, cn: 锚点}
#     y_label: {en: Metres, cn: 米}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A cart drove through a hall and ranged seven radio anchors: `{{ data }}/ranges.csv`. What this and the other files hold is said in `{{ data }}/notes.txt`.
# Make a DataFrame `ranges` with one row for each range. Its columns are `round` (integer), `anchor` (the letter of the column that it stands in) and `metres` (float). Sort it by `round` and `anchor`.
#
# Thought: Compare each column with itself one row above, before anything is dropped.

# %% [markdown] lang="cn"
# 一辆小车在大厅里行驶，并测量它到七个无线电锚点的距离：`{{ data }}/ranges.csv`。该文件和其他文件的内容见 `{{ data }}/notes.txt`。
# 生成 DataFrame `ranges`，每个测距值占一行，列为 `round`（整数）、`anchor`（所在列的字母）和 `metres`（浮点数，单位米）。按 `round` 和 `anchor` 排序。
#
# Thought: 先将每一列与其上一行比较，再作删除。

# %%
import numpy as np
import pandas as pd

table = pd.read_csv('{{ data }}/ranges.csv', sep=';', index_col='round')
ranges = table.where((table != {{ gone }}) & (table != table.shift())) / 1000
ranges = ranges.rename_axis(columns='anchor').stack().dropna().rename('metres').reset_index()

# %% naive="careless" trap="values that were written once more are kept"
import numpy as np
import pandas as pd

table = pd.read_csv('{{ data }}/ranges.csv', sep=';', index_col='round')
ranges = table.where(table != {{ gone }}) / 1000
ranges = ranges.rename_axis(columns='anchor').stack().dropna().rename('metres').reset_index()

# %% naive="literal shortcut" trap="repeats are sought after the missing answers are dropped, and among all anchors"
import numpy as np
import pandas as pd

table = pd.read_csv('{{ data }}/ranges.csv', sep=';', index_col='round')
ranges = table.where((table != {{ gone }}) & ~table.apply(lambda column: column.duplicated())) / 1000
ranges = ranges.rename_axis(columns='anchor').stack().dropna().rename('metres').reset_index()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# One anchor hangs elsewhere than `{{ data }}/anchors.csv` says, in all rounds. And from some round on, two other anchors have changed columns in `{{ data }}/ranges.csv`: each one's ranges stand in the column of the other. Print the anchor that hangs elsewhere, and then the two others in alphabetical order, on one line, separated by `, `.
#
# Thought: On the marks, ranges less distances scatter widely: for one column from the beginning, for two later on.

# %% [markdown] lang="cn"
# 有一个锚点在所有轮次中都挂在 `{{ data }}/anchors.csv` 所示以外的地方。此外，从某一轮起，另外两个锚点在 `{{ data }}/ranges.csv` 中换了列：各自的测距值写在对方的列里。在同一行先打印挂在别处的锚点，再按字母顺序打印另外两个锚点，用 `, ` 分隔。
#
# Thought: 在标记处，测距值减去距离后离散很大：一列从一开始就如此，另外两列在后期才如此。

# %%
anchors = pd.read_csv('{{ data }}/anchors.csv', index_col='anchor')
marks = pd.read_csv('{{ data }}/marks.csv', index_col='mark')
stops = pd.read_csv('{{ data }}/stops.csv')
where = {number: mark for mark, first, last in stops.to_numpy() for number in range(first, last + 1)}
rays = ranges[ranges['round'].isin(list(where))].copy()
rays[['x', 'y']] = marks.loc[rays['round'].map(where)].to_numpy()
names = list(anchors.index)


def spread(part, place):
    """Median deviation of ranges from what a place and any length of cable would give."""
    left = part['metres'] - np.hypot(part['x'] - place['x'], part['y'] - place['y'])
    return (left - left.median()).abs().median()


count = len(table)
early, late = rays[rays['round'] < 0.35 * count], rays[rays['round'] > 0.65 * count]
moved = max(names, key=lambda name: spread(early[early['anchor'] == name], anchors.loc[name]))
swapped = [name for name in names if name != moved and spread(late[late['anchor'] == name], anchors.loc[name]) > 0.3]
answer = [moved, *swapped]
print(', '.join(answer))

# %% naive="careless" trap="the three anchors with the longest ranges"
anchors = pd.read_csv('{{ data }}/anchors.csv', index_col='anchor')
marks = pd.read_csv('{{ data }}/marks.csv', index_col='mark')
stops = pd.read_csv('{{ data }}/stops.csv')
where = {number: mark for mark, first, last in stops.to_numpy() for number in range(first, last + 1)}
rays = ranges[ranges['round'].isin(list(where))].copy()
rays[['x', 'y']] = marks.loc[rays['round'].map(where)].to_numpy()
names = list(anchors.index)


def spread(part, place):
    """Median deviation of ranges from what a place and any length of cable would give."""
    left = part['metres'] - np.hypot(part['x'] - place['x'], part['y'] - place['y'])
    return (left - left.median()).abs().median()


count = len(table)
early, late = rays[rays['round'] < 0.35 * count], rays[rays['round'] > 0.65 * count]
moved = max(names, key=lambda name: spread(early[early['anchor'] == name], anchors.loc[name]))
swapped = [name for name in names if name != moved and spread(late[late['anchor'] == name], anchors.loc[name]) > 0.3]
far = ranges.groupby('anchor')['metres'].mean().nlargest(3).index
print(', '.join([far[0], *sorted(far[1:])]))

# %% naive="literal shortcut" trap="the anchor with the largest scatter over all rounds is one of the two"
anchors = pd.read_csv('{{ data }}/anchors.csv', index_col='anchor')
marks = pd.read_csv('{{ data }}/marks.csv', index_col='mark')
stops = pd.read_csv('{{ data }}/stops.csv')
where = {number: mark for mark, first, last in stops.to_numpy() for number in range(first, last + 1)}
rays = ranges[ranges['round'].isin(list(where))].copy()
rays[['x', 'y']] = marks.loc[rays['round'].map(where)].to_numpy()
names = list(anchors.index)


def spread(part, place):
    """Median deviation of ranges from what a place and any length of cable would give."""
    left = part['metres'] - np.hypot(part['x'] - place['x'], part['y'] - place['y'])
    return (left - left.median()).abs().median()


count = len(table)
early, late = rays[rays['round'] < 0.35 * count], rays[rays['round'] > 0.65 * count]
moved = max(names, key=lambda name: spread(early[early['anchor'] == name], anchors.loc[name]))
swapped = [name for name in names if name != moved and spread(late[late['anchor'] == name], anchors.loc[name]) > 0.3]
print(', '.join([swapped[0], *sorted([moved, swapped[1]])]))

# %% [markdown] kind="num" modules="pandas" answer="count"
# Print the number of the first round in which these two stand in each other's column.
#
# Thought: Amid a stay the two columns jump, though the cart stands.

# %% [markdown] lang="cn"
# 打印这两个锚点互换列的第一轮的编号。
#
# Thought: 小车停着不动时，这两列发生跳变。

# %%
pair = rays[rays['anchor'].isin(swapped)].copy()
other = dict(zip(swapped, swapped[::-1]))
cable = {}
for name in swapped:
    first = early[early['anchor'] == name]
    cable[name] = (first['metres'] - np.hypot(first['x'] - anchors.loc[name, 'x'], first['y'] - anchors.loc[name, 'y'])).median()


def misfit(rays, heard):
    place = anchors.loc[heard]
    far = np.hypot(rays['x'].to_numpy() - place['x'].to_numpy(), rays['y'].to_numpy() - place['y'].to_numpy())
    return np.abs(rays['metres'].to_numpy() - far - heard.map(cable).to_numpy())


pair['gain'] = misfit(pair, pair['anchor']) - misfit(pair, pair['anchor'].map(other))
totals = pair.groupby('round')['gain'].sum().cumsum()
since = totals.index[totals.index > totals.idxmin()][0]
answer = since
print(answer)

# %% naive="careless literal" trap="the beginning of the stop in which it happens"
pair = rays[rays['anchor'].isin(swapped)].copy()
other = dict(zip(swapped, swapped[::-1]))
cable = {}
for name in swapped:
    first = early[early['anchor'] == name]
    cable[name] = (first['metres'] - np.hypot(first['x'] - anchors.loc[name, 'x'], first['y'] - anchors.loc[name, 'y'])).median()


def misfit(rays, heard):
    place = anchors.loc[heard]
    far = np.hypot(rays['x'].to_numpy() - place['x'].to_numpy(), rays['y'].to_numpy() - place['y'].to_numpy())
    return np.abs(rays['metres'].to_numpy() - far - heard.map(cable).to_numpy())


pair['gain'] = misfit(pair, pair['anchor']) - misfit(pair, pair['anchor'].map(other))
totals = pair.groupby('round')['gain'].sum().cumsum()
since = totals.index[totals.index > totals.idxmin()][0]
since = int(stops.loc[(stops['first'] <= since), 'first'].max())
print(since)

# %% naive="shortcut" trap="the first stop that is wholly exchanged"
pair = rays[rays['anchor'].isin(swapped)].copy()
other = dict(zip(swapped, swapped[::-1]))
cable = {}
for name in swapped:
    first = early[early['anchor'] == name]
    cable[name] = (first['metres'] - np.hypot(first['x'] - anchors.loc[name, 'x'], first['y'] - anchors.loc[name, 'y'])).median()


def misfit(rays, heard):
    place = anchors.loc[heard]
    far = np.hypot(rays['x'].to_numpy() - place['x'].to_numpy(), rays['y'].to_numpy() - place['y'].to_numpy())
    return np.abs(rays['metres'].to_numpy() - far - heard.map(cable).to_numpy())


pair['gain'] = misfit(pair, pair['anchor']) - misfit(pair, pair['anchor'].map(other))
totals = pair.groupby('round')['gain'].sum().cumsum()
since = totals.index[totals.index > totals.idxmin()][0]
since = int(stops.loc[(stops['first'] > since), 'first'].min())
print(since)

# %% [markdown] kind="num" modules="scipy" absolute=0.1 answer="[real(2), real(2)]"
# Where does the anchor hang that hangs elsewhere? Print its x and y in m, both with 2 decimal places, on one line, separated by a space. A deviation of 0.1 m does no harm.
#
# Thought: Place and cable are fitted together, by a method that long ranges through the tank do not bend, or with the tank in it.

# %% [markdown] lang="cn"
# 挂在别处的那个锚点究竟在哪里？在同一行打印它的 x 和 y（米），均保留 2 位小数，用空格分隔。偏差 0.1 米无妨。
#
# Thought: 位置与电缆长度一起拟合，方法应不受穿过储罐的偏长测距影响，或将储罐一并纳入。

# %%
from scipy.optimize import least_squares

late = (rays['round'] >= since) & rays['anchor'].isin(swapped)
rays['anchor'] = rays['anchor'].where(~late, rays['anchor'].replace(other))
codes = rays['anchor'].map(names.index).to_numpy()
spots, metres = rays[['x', 'y']].to_numpy(), rays['metres'].to_numpy()
own = rays[rays['anchor'] == moved]


def alone(p):
    return np.hypot(own['x'] - p[0], own['y'] - p[1]) + p[2] - own['metres']


starts = [[x, y, 0.5] for x in (2, 11, 21, 30) for y in (2, 11, 20)]
fits = [least_squares(alone, start, loss='soft_l1', f_scale=0.05) for start in starts]
place = min(fits, key=lambda fit: fit.cost).x


def chord(spots, ends, x, y, radius):
    """Length of the way from spots to ends within a circle."""
    way = ends - spots
    long = np.hypot(way[:, 0], way[:, 1])
    along = ((x - spots[:, 0]) * way[:, 0] + (y - spots[:, 1]) * way[:, 1]) / long
    off = (x - spots[:, 0]) ** 2 + (y - spots[:, 1]) ** 2 - along**2
    return np.where((along > 0) & (along < long), 2 * np.sqrt(np.clip(radius**2 - off, 0, None)), 0)


def hung(p):
    """Places of the anchors, with the right one of the moved one."""
    places = anchors[['x', 'y']].to_numpy().copy()
    places[names.index(moved)] = p[:2]
    return places


def left(p, full):
    """Deviations of ranges: place of the moved anchor, tank and its liquid, cables."""
    ends = hung(p)[codes]
    way = np.hypot(*(spots - ends).T)
    return way + p[6:][codes] + p[5] * chord(spots, ends, p[2], p[3], p[4]) * full - metres


ends = hung(place)[codes]
longer = metres - np.hypot(*(spots - ends).T)
cables = np.array([np.median(longer[codes == code]) for code in range(7)])
longer = longer - cables[codes]
before = rays['round'].to_numpy() < 0.6 * count


def seen(x, y, radius):
    """How much of the long ranges a tank explains."""
    inside = chord(spots[before], ends[before], x, y, radius)
    return (inside @ longer[before]) * abs(inside @ longer[before]) / max(inside @ inside, 1)


tries = [(x, y, radius) for x in np.arange(6, 27, 0.5) for y in np.arange(4, 19, 0.5) for radius in (1.4, 2.2, 3)]
tank = max(tries, key=lambda one: seen(*one))
start = np.concatenate([place[:2], tank, [0.4], cables])
for _ in range(3):
    fit = least_squares(left, start, args=(before,), loss='soft_l1', f_scale=0.06)
    start = fit.x
    gain = np.abs(left(start, False)) - np.abs(left(start, True))
    totals = pd.Series(gain).groupby(rays['round'].to_numpy()).sum().cumsum()
    empty = totals.index[totals.index > totals.idxmax()][0]
    before = rays['round'].to_numpy() < empty
answer = [fit.x[0], fit.x[1]]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="the cable is left out"
from scipy.optimize import least_squares

late = (rays['round'] >= since) & rays['anchor'].isin(swapped)
rays['anchor'] = rays['anchor'].where(~late, rays['anchor'].replace(other))
codes = rays['anchor'].map(names.index).to_numpy()
spots, metres = rays[['x', 'y']].to_numpy(), rays['metres'].to_numpy()
own = rays[rays['anchor'] == moved]


def alone(p):
    return np.hypot(own['x'] - p[0], own['y'] - p[1]) + p[2] - own['metres']


starts = [[x, y, 0.5] for x in (2, 11, 21, 30) for y in (2, 11, 20)]
fits = [least_squares(alone, start, loss='soft_l1', f_scale=0.05) for start in starts]
place = min(fits, key=lambda fit: fit.cost).x


def chord(spots, ends, x, y, radius):
    """Length of the way from spots to ends within a circle."""
    way = ends - spots
    long = np.hypot(way[:, 0], way[:, 1])
    along = ((x - spots[:, 0]) * way[:, 0] + (y - spots[:, 1]) * way[:, 1]) / long
    off = (x - spots[:, 0]) ** 2 + (y - spots[:, 1]) ** 2 - along**2
    return np.where((along > 0) & (along < long), 2 * np.sqrt(np.clip(radius**2 - off, 0, None)), 0)


def hung(p):
    """Places of the anchors, with the right one of the moved one."""
    places = anchors[['x', 'y']].to_numpy().copy()
    places[names.index(moved)] = p[:2]
    return places


def left(p, full):
    """Deviations of ranges: place of the moved anchor, tank and its liquid, cables."""
    ends = hung(p)[codes]
    way = np.hypot(*(spots - ends).T)
    return way + p[6:][codes] + p[5] * chord(spots, ends, p[2], p[3], p[4]) * full - metres


ends = hung(place)[codes]
longer = metres - np.hypot(*(spots - ends).T)
cables = np.array([np.median(longer[codes == code]) for code in range(7)])
longer = longer - cables[codes]
before = rays['round'].to_numpy() < 0.6 * count


def seen(x, y, radius):
    """How much of the long ranges a tank explains."""
    inside = chord(spots[before], ends[before], x, y, radius)
    return (inside @ longer[before]) * abs(inside @ longer[before]) / max(inside @ inside, 1)


tries = [(x, y, radius) for x in np.arange(6, 27, 0.5) for y in np.arange(4, 19, 0.5) for radius in (1.4, 2.2, 3)]
tank = max(tries, key=lambda one: seen(*one))
start = np.concatenate([place[:2], tank, [0.4], cables])
for _ in range(3):
    fit = least_squares(left, start, args=(before,), loss='soft_l1', f_scale=0.06)
    start = fit.x
    gain = np.abs(left(start, False)) - np.abs(left(start, True))
    totals = pd.Series(gain).groupby(rays['round'].to_numpy()).sum().cumsum()
    empty = totals.index[totals.index > totals.idxmax()][0]
    before = rays['round'].to_numpy() < empty
short = least_squares(lambda p: np.hypot(own['x'] - p[0], own['y'] - p[1]) - own['metres'], place[:2]).x
print(f'{short[0]:.2f} {short[1]:.2f}')

# %% naive="literal shortcut" trap="the anchor has the mean cable of all"
from scipy.optimize import least_squares

late = (rays['round'] >= since) & rays['anchor'].isin(swapped)
rays['anchor'] = rays['anchor'].where(~late, rays['anchor'].replace(other))
codes = rays['anchor'].map(names.index).to_numpy()
spots, metres = rays[['x', 'y']].to_numpy(), rays['metres'].to_numpy()
own = rays[rays['anchor'] == moved]


def alone(p):
    return np.hypot(own['x'] - p[0], own['y'] - p[1]) + p[2] - own['metres']


starts = [[x, y, 0.5] for x in (2, 11, 21, 30) for y in (2, 11, 20)]
fits = [least_squares(alone, start, loss='soft_l1', f_scale=0.05) for start in starts]
place = min(fits, key=lambda fit: fit.cost).x


def chord(spots, ends, x, y, radius):
    """Length of the way from spots to ends within a circle."""
    way = ends - spots
    long = np.hypot(way[:, 0], way[:, 1])
    along = ((x - spots[:, 0]) * way[:, 0] + (y - spots[:, 1]) * way[:, 1]) / long
    off = (x - spots[:, 0]) ** 2 + (y - spots[:, 1]) ** 2 - along**2
    return np.where((along > 0) & (along < long), 2 * np.sqrt(np.clip(radius**2 - off, 0, None)), 0)


def hung(p):
    """Places of the anchors, with the right one of the moved one."""
    places = anchors[['x', 'y']].to_numpy().copy()
    places[names.index(moved)] = p[:2]
    return places


def left(p, full):
    """Deviations of ranges: place of the moved anchor, tank and its liquid, cables."""
    ends = hung(p)[codes]
    way = np.hypot(*(spots - ends).T)
    return way + p[6:][codes] + p[5] * chord(spots, ends, p[2], p[3], p[4]) * full - metres


ends = hung(place)[codes]
longer = metres - np.hypot(*(spots - ends).T)
cables = np.array([np.median(longer[codes == code]) for code in range(7)])
longer = longer - cables[codes]
before = rays['round'].to_numpy() < 0.6 * count


def seen(x, y, radius):
    """How much of the long ranges a tank explains."""
    inside = chord(spots[before], ends[before], x, y, radius)
    return (inside @ longer[before]) * abs(inside @ longer[before]) / max(inside @ inside, 1)


tries = [(x, y, radius) for x in np.arange(6, 27, 0.5) for y in np.arange(4, 19, 0.5) for radius in (1.4, 2.2, 3)]
tank = max(tries, key=lambda one: seen(*one))
start = np.concatenate([place[:2], tank, [0.4], cables])
for _ in range(3):
    fit = least_squares(left, start, args=(before,), loss='soft_l1', f_scale=0.06)
    start = fit.x
    gain = np.abs(left(start, False)) - np.abs(left(start, True))
    totals = pd.Series(gain).groupby(rays['round'].to_numpy()).sum().cumsum()
    empty = totals.index[totals.index > totals.idxmax()][0]
    before = rays['round'].to_numpy() < empty
short = least_squares(lambda p: np.hypot(own['x'] - p[0], own['y'] - p[1]) - own['metres'] + cables.mean(), place[:2]).x
print(f'{short[0]:.2f} {short[1]:.2f}')

# %% [markdown] kind="num" modules="scipy" absolute=0.15 answer="[real(2), real(2), real(2)]"
# Find the tank. Print the x and y of its centre and its inner diameter, all in m with 2 decimal places, on one line, separated by spaces. The wall of the tank does nothing to the signals. A deviation of 0.15 m does no harm.
#
# Thought: A range is longer by k times the chord that its way cuts from a circle; centre, radius and k come from least squares.

# %% [markdown] lang="cn"
# 找出储罐。在同一行打印其中心的 x、y 和内径，单位均为米，保留 2 位小数，用空格分隔。罐壁对信号没有影响。偏差 0.15 米无妨。
#
# Thought: 测距值偏长的量等于 k 乘以其路径在圆内的弦长；圆心、半径和 k 由最小二乘求得。

# %%
answer = [fit.x[2], fit.x[3], 2 * fit.x[4]]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless" trap="the mean of the middles of all long ways, and the longest delay"
long = longer > 0.3
half = (spots[long] + ends[long]) / 2
print(f'{half[:, 0].mean():.2f} {half[:, 1].mean():.2f} {longer[before].max():.2f}')

# %% naive="literal" trap="the longest delay is taken for the diameter"
print(f'{fit.x[2]:.2f} {fit.x[3]:.2f} {2 * fit.x[4] * fit.x[5]:.2f}')

# %% naive="shortcut" trap="the radius"
print(f'{fit.x[2]:.2f} {fit.x[3]:.2f} {fit.x[4]:.2f}')

# %% [markdown] kind="num" modules="numpy" answer="count"
# At some time the tank was emptied, from one round to the next. It was full before and empty from then on. Print the number of the first round in which it was empty.
#
# Thought: Sum over the rounds by how much the full tank fits better; the sum is highest at the last full round.

# %% [markdown] lang="cn"
# 储罐在某个时刻被排空，即从某一轮到下一轮之间。此前一直是满的，此后一直是空的。打印储罐为空的第一轮的编号。
#
# Thought: 按轮次累加满罐模型比空罐模型拟合改善的量，累加值在最后一个满罐轮次达到最大。

# %%
answer = empty
print(answer)

# %% naive="careless" trap="the first stop that has no long range"
empty = int(stops.loc[stops['first'] > empty, 'first'].min())
print(empty)

# %% naive="literal" trap="the stop in which it was emptied is counted as empty"
empty = int(stops.loc[stops['first'] <= empty, 'first'].max())
print(empty)

# %% naive="shortcut" trap="the tank stays full"
empty = int(ranges['round'].max()) + 1
print(empty)

# %% [markdown] kind="exec" modules="pandas" absolute=0.07
# Make a Series `cables` with the letters A to G as its index: by how many metres the cable of this anchor makes its ranges longer (float). A deviation of 0.05 m does no harm.
#
# Thought: They come from the same fit; an anchor is the one that hangs there, whichever column its ranges stand in.

# %% [markdown] lang="cn"
# 生成 Series `cables`，索引为字母 A 至 G，值为该锚点的电缆使其测距值偏长多少米（浮点数）。偏差 0.05 米无妨。
#
# Thought: 由同一次拟合得到；锚点以其所挂位置为准，与其测距值写在哪一列无关。

# %%
cables = pd.Series(fit.x[6:], index=names)

# %% naive="careless" trap="means with the listed place of the anchor and with the tank"
raw = metres - np.hypot(*(spots - anchors[['x', 'y']].to_numpy()[codes]).T)
cables = pd.Series(raw, index=rays['anchor']).groupby(level=0).mean()

# %% naive="literal" trap="means over all ranges, also those through the tank"
raw = metres - np.hypot(*(spots - hung(fit.x)[codes]).T)
cables = pd.Series(raw, index=rays['anchor']).groupby(level=0).mean()

# %% naive="shortcut" trap="medians with the listed place of the anchor"
raw = metres - np.hypot(*(spots - anchors[['x', 'y']].to_numpy()[codes]).T)
cables = pd.Series(raw, index=rays['anchor']).groupby(level=0).median()

# %% [markdown] kind="num" modules="scipy pandas" held_out="places" metric="mae" bound="0.0345"
# `{{ data }}/wanted.csv` lists rounds in which the cart was on its way. Print where it was in these rounds: x and y of the first one, x and y of the second one, and so on, in m with 3 decimal places, in the order of the file, all on one line, separated by spaces. They should be wrong by at most 0.0345 m in the mean (mean absolute error over all numbers).
#
# Thought: Least squares with all that was found: places, columns, cables, and the tank as long as it was full.

# %% [markdown] lang="cn"
# `{{ data }}/wanted.csv` 列出了小车行驶途中的一些轮次。打印小车在这些轮次的位置：先是第一轮的 x 和 y，再是第二轮的 x 和 y，依此类推，单位米，保留 3 位小数，按文件顺序，全部在同一行，用空格分隔。平均绝对误差（对所有数计算）应不超过 0.0345 米。
#
# Thought: 利用查明的一切作最小二乘：位置、列、电缆，以及满罐期间的储罐。

# %%
right = ranges.copy()
late = (right['round'] >= since) & right['anchor'].isin(swapped)
right['anchor'] = right['anchor'].where(~late, right['anchor'].replace(other))
guesses = []
for number in pd.read_csv('{{ data }}/wanted.csv')['round']:
    part = right[right['round'] == number]
    ends = hung(fit.x)[part['anchor'].map(names.index)]
    heard = part['metres'].to_numpy() - cables[part['anchor']].to_numpy()

    def off(spot):
        here = np.tile(spot, (len(ends), 1))
        return np.hypot(*(here - ends).T) + fit.x[5] * chord(here, ends, *fit.x[2:5]) * (number < empty) - heard

    tries = [least_squares(off, [x, y], diff_step=1e-4) for x in (5, 16, 27) for y in (4, 11, 18)]
    guesses += list(min(tries, key=lambda one: one.cost).x)
print(*np.round(guesses, 3))

# %% naive="careless" trap="gradient boosting from raw ranges to the marks"
from sklearn.ensemble import GradientBoostingRegressor

filled = table.where(table != {{ gone }}).ffill().bfill() / 1000
stood = filled.loc[list(where)]
wanted = filled.loc[pd.read_csv('{{ data }}/wanted.csv')['round']]
known = marks.loc[list(where.values())]
guesses = [GradientBoostingRegressor(random_state=0).fit(stood, known[axis]).predict(wanted) for axis in ('x', 'y')]
print(*np.round(np.column_stack(guesses).ravel(), 3))

# %% naive="literal" trap="the tank is left out"
right = ranges.copy()
late = (right['round'] >= since) & right['anchor'].isin(swapped)
right['anchor'] = right['anchor'].where(~late, right['anchor'].replace(other))
guesses = []
for number in pd.read_csv('{{ data }}/wanted.csv')['round']:
    part = right[right['round'] == number]
    ends = hung(fit.x)[part['anchor'].map(names.index)]
    heard = part['metres'].to_numpy() - cables[part['anchor']].to_numpy()

    def off(spot):
        here = np.tile(spot, (len(ends), 1))
        return np.hypot(*(here - ends).T) - heard

    tries = [least_squares(off, [x, y], diff_step=1e-4) for x in (5, 16, 27) for y in (4, 11, 18)]
    guesses += list(min(tries, key=lambda one: one.cost).x)
print(*np.round(guesses, 3))

# %% naive="shortcut" trap="the listed places and one length for all cables"
right = ranges.copy()
late = (right['round'] >= since) & right['anchor'].isin(swapped)
right['anchor'] = right['anchor'].where(~late, right['anchor'].replace(other))
guesses = []
for number in pd.read_csv('{{ data }}/wanted.csv')['round']:
    part = right[right['round'] == number]
    ends = anchors[['x', 'y']].to_numpy()[part['anchor'].map(names.index)]
    heard = part['metres'].to_numpy() - cables.mean()

    def off(spot):
        here = np.tile(spot, (len(ends), 1))
        return np.hypot(*(here - ends).T) - heard

    tries = [least_squares(off, [x, y], diff_step=1e-4) for x in (5, 16, 27) for y in (4, 11, 18)]
    guesses += list(min(tries, key=lambda one: one.cost).x)
print(*np.round(guesses, 3))

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.08
# Draw `cables` as a bar chart over the letters in alphabetical order, in `peru`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 3.5), and call `plt.show()`.
#
# Thought: One bar for each anchor.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以字母（按字母顺序）为横坐标，将 `cables` 画成柱状图，颜色 `peru`，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 3.5)，最后调用 `plt.show()`。
#
# Thought: 每个锚点一根柱。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 3.5))
plt.bar(cables.index, cables, color='peru')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
