# ---
# jupyter:
#   instances:
#     valley: {seed: 3, timbers: 80, first: 1560, known: 90, bound: 0.95}
#     glen: {seed: 8, timbers: 84, first: 1480, known: 95, bound: 0.95}
#   varied:
#     seed: {between: [1, 1000000]}
#     timbers: {between: [78, 88]}
#     first: {between: [1450, 1600]}
#     known: {between: [88, 98]}
#     bound: {pick: [0.85]}
#   words:
#     title: {en: The timbers, cn: 各木料}
#     x_label: {en: Number of rings, cn: 年轮数}
#     y_label: {en: Mean width in mm, cn: 平均宽度（毫米）}
#     oak: {en: oak, cn: 橡木}
#     pine: {en: pine, cn: 松木}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Timbers from old houses of a valley are to be dated. `{{ data }}/notes.txt` says what the files beside it hold.
# Make a DataFrame `timbers` with one row for each timber, in the order of `{{ data }}/timbers.csv`. Its columns are `timber`, `species`, `rings` (integer, the number of widths) and `width` (float, the mean width in mm).
#
# Thought: Hundredths and thousandths differ by a factor of ten, which shows when laboratories are compared.

# %% [markdown] lang="cn"
# 要给一个山谷中老房子的木料定年。`{{ data }}/notes.txt` 说明了旁边各文件的内容。
# 生成名为 `timbers` 的 DataFrame，每根木料占一行，顺序与 `{{ data }}/timbers.csv` 相同。列为 `timber`、`species`、`rings`（整数，宽度值的个数）和 `width`（浮点数，平均宽度，单位毫米）。
#
# Thought: 百分之一毫米与千分之一毫米相差十倍，比较各实验室即可看出。

# %%
import numpy as np
import pandas as pd

timbers = pd.read_csv('{{ data }}/timbers.csv')
measured = pd.read_csv('{{ data }}/widths.csv')
of_lab = measured.groupby(measured['timber'].str[0])['width'].median()
units = (of_lab > 4 * of_lab.min()).map({True: 1000, False: 100})
measured['width'] /= measured['timber'].str[0].map(units)
widths = {timber: part.to_numpy() for timber, part in measured.groupby('timber')['width']}
timbers['rings'] = [len(widths[timber]) for timber in timbers['timber']]
timbers['width'] = [widths[timber].mean() for timber in timbers['timber']]

# %% naive="careless literal shortcut" trap="all laboratories are taken to have written hundredths"
import numpy as np
import pandas as pd

timbers = pd.read_csv('{{ data }}/timbers.csv')
measured = pd.read_csv('{{ data }}/widths.csv')
measured['width'] /= 100
widths = {timber: part.to_numpy() for timber, part in measured.groupby('timber')['width']}
timbers['rings'] = [len(widths[timber]) for timber in timbers['timber']]
timbers['width'] = [widths[timber].mean() for timber in timbers['timber']]

# %% [markdown] kind="num" modules="numpy pandas" answer="[real(4), real(4), count]"
# The sensitivity of a timber is the mean of 2·|a − b| / (a + b) over all pairs of widths a and b of neighbouring rings. Print the median sensitivity of the oaks and that of the pines with 4 decimal places, and the number of timbers that have more than 100 rings, on one line, separated by spaces.
#
# Thought: A sensitivity has no unit and no direction.

# %% [markdown] lang="cn"
# 一根木料的敏感度是所有相邻两个年轮宽度 a、b 的 2·|a − b| / (a + b) 的平均值。在同一行打印橡木敏感度的中位数、松木敏感度的中位数（均保留 4 位小数），以及年轮数超过 100 的木料根数，用空格分隔。
#
# Thought: 敏感度与单位和方向无关。

# %%
sensitivity = pd.Series(
    [np.mean(2 * np.abs(np.diff(w)) / (w[1:] + w[:-1])) for w in (widths[timber] for timber in timbers['timber'])]
)
medians = sensitivity.groupby(timbers['species']).median()
answer = [medians['oak'], medians['pine'], (timbers['rings'] > 100).sum()]
print(f'{answer[0]:.4f} {answer[1]:.4f}', answer[2])

# %% [markdown] kind="vis" modules="matplotlib pandas"
# Draw a scatter plot of the timbers, the number of rings to the right and the mean width upwards, in two groups with the names `{{ oak }}` and `{{ pine }}` in the legend. The title is `{{ title }}`, the x label `{{ x_label }}`, the y label `{{ y_label }}`, the figure size (6, 4). Call `plt.show()`.
#
# Thought: The table has both.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画各木料的散点图，横坐标为年轮数，纵坐标为平均宽度，分为两组，图例名称为 `{{ oak }}` 和 `{{ pine }}`。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 两者都在表中。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
for species, label in (('oak', '{{ oak }}'), ('pine', '{{ pine }}')):
    chosen = timbers[timbers['species'] == species]
    plt.scatter(chosen['rings'], chosen['width'], label=label)
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="numpy & pandas" held_out="dates" metric="accuracy" bound="{{ bound }}"
# Find the year in which the outermost ring of each timber grew, the one nearest to the bark. At least {{ (100 * bound) | round | int }} % of the years have to be right; they are scored on labels that are not in the files.
# Print the years, in the order of the table, on one line, separated by spaces.
#
# Thought: Most timbers are older than the chronology, so it has to be carried back: date the surest timber, let it speak for its years, and go on. A ring that lacks, or one that is split, shifts all the rings behind it, so begin with timbers that fit without such a slip. A timber may have been written from the bark inwards.

# %% [markdown] lang="cn"
# 找出每根木料最外一轮（最靠近树皮的一轮）生长的年份。至少 {{ (100 * bound) | round | int }} % 的年份须正确，评分所用的标签不在文件中。
# 按表中的顺序，在同一行打印各年份，用空格分隔。
#
# Thought: 大多数木料比年表更早，因此要把年表逐步向前延伸：先给最有把握的木料定年，让它代表其所在的年份，再继续。缺失一轮或一轮分成两轮会使其后的年轮全部错位，因此先从无此错位也能吻合的木料开始。木料也可能是从树皮向内记录的。

# %%
SHARE, TOGETHER, FLOOR = 0.4, 0.3, -60.0
"""Share of a ring's variance that is the year's, and the correlation of the species."""
DEAR, FAIR = (15.0, 15.0), (5.0, 6.0)
"""What a ring that lacks, and one that is split, cost: first only timbers without slips, then all."""
chronology = pd.read_csv('{{ data }}/chronology.csv', index_col='year')
last, years = chronology.index[-1], 300
kinds = ['oak', 'pine']


def rests(values):
    """What is left of widths without the slow change, with unit variance."""
    log = pd.Series(np.log(values))
    level = log.rolling(13, center=True, min_periods=5).median().rolling(5, center=True, min_periods=1).mean()
    rest = (log - level).to_numpy()
    return np.clip((rest - rest.mean()) / rest.std(), -3, 3)


sums, counts = np.zeros((2, years)), np.zeros((2, years))
for at, kind in enumerate(kinds):
    sums[at, years - len(chronology) :] = 3 * rests(chronology[kind])
    counts[at, years - len(chronology) :] = 3
tracks = [rests(widths[timber])[::way] for timber in timbers['timber'] for way in (1, -1)]
longest = max(map(len, tracks))
rings, inside = np.zeros((len(tracks), longest)), np.zeros((len(tracks), longest), bool)
for track, own in enumerate(tracks):
    rings[track, longest - len(own) :], inside[track, longest - len(own) :] = own, True
kind_of = np.repeat([kinds.index(species) for species in timbers['species']], 2)


def growth():
    """Mean and variance of each year's effect on both species, given the rings that are dated."""
    each = SHARE / (1 - SHARE)
    first, second = counts * each + 1 / (1 - TOGETHER**2)
    across = -TOGETHER / (1 - TOGETHER**2)
    size = first * second - across**2
    left, right = sums * SHARE**0.5 / (1 - SHARE)
    means = np.array([second * left - across * right, first * right - across * left]) / size
    return SHARE**0.5 * means, SHARE * np.array([second, first]) / size + 1 - SHARE


def placed(chosen, lacks, split):
    """How well each chosen track fits for each year of its last ring, and the steps of the best way there."""
    mean, spread = (part[kind_of[chosen]] for part in growth())
    fit, ways = np.zeros((len(chosen), years)), []
    for at in range(longest):
        ring, here = rings[chosen, at][:, None], inside[chosen, at][:, None]
        before = inside[chosen, at - 1][:, None] if at else np.zeros_like(here)
        steps = np.full((3, *fit.shape), FLOOR)
        steps[0, :, 1:] = fit[:, :-1]
        steps[1, :, 2:] = fit[:, :-2] - lacks
        steps[2] = fit - split
        ways.append(np.where(before, steps.argmax(axis=0), 0))
        gain = -0.5 * np.log(spread) - 0.5 * (ring - mean) ** 2 / spread + 0.5 * ring**2
        fit = np.where(here, np.where(before, steps.max(axis=0), 0) + gain, 0)
    return fit, ways


def best(wanted, price):
    """For each timber: how sure its best place is, its track, its year, and the year of each ring."""
    chosen = np.array([2 * timber + way for timber in wanted for way in (0, 1)])
    fit, ways = placed(chosen, *price)
    found = []
    for at in range(len(wanted)):
        both = fit[2 * at : 2 * at + 2]
        way, year = np.unravel_index(both.argmax(), both.shape)
        far, near = both.copy(), both.copy()
        far[way, max(year - 4, 0) : year + 5], near[way, year] = FLOOR, FLOOR
        sure = min(both[way, year] - far.max(), 2.5 * (both[way, year] - near.max()))
        path, when = [], year
        for ring in range(longest - 1, longest - 1 - int(inside[chosen[2 * at]].sum()), -1):
            path.append((ring, when))
            when -= (1, 2, 0)[ways[ring][2 * at + way, when]]
        found.append((sure, int(chosen[2 * at + way]), int(year), path))
    return found


def count_in(place, sign):
    _, track, _, path = place
    for ring, when in path:
        sums[kind_of[track], max(when, 0)] += sign * rings[track, ring]
        counts[kind_of[track], max(when, 0)] += sign


dated, price = {}, DEAR
while len(dated) < len(timbers):
    left = [timber for timber in range(len(timbers)) if timber not in dated]
    ranked = sorted(zip(best(left, price), left), key=lambda pair: -pair[0][0])
    if price == DEAR and ranked[0][0][0] < 9:
        price = FAIR
        continue
    limit = max(0.75 * ranked[0][0][0], 6)
    for place, timber in [pair for pair in ranked[:5] if pair[0][0] >= limit] or ranked[:1]:
        dated[timber] = place
        count_in(place, 1)
for _ in range(3):
    for part in range(6):
        group = [timber for timber in dated if timber % 6 == part]
        for timber in group:
            count_in(dated[timber], -1)
        for timber, place in zip(group, best(group, FAIR)):
            dated[timber] = place
            count_in(place, 1)
dates = np.array([last - years + 1 + dated[timber][2] for timber in range(len(timbers))])
print(*dates)

# %% naive="careless" trap="each timber alone against the chronology, though most are older, and as it was written down"
chronology = pd.read_csv('{{ data }}/chronology.csv', index_col='year')


def rests(values):
    log = pd.Series(np.log(values))
    level = log.rolling(13, center=True, min_periods=5).median().rolling(5, center=True, min_periods=1).mean()
    rest = (log - level).to_numpy()
    return np.clip((rest - rest.mean()) / rest.std(), -3, 3)


reference = {kind: rests(chronology[kind]) for kind in ['oak', 'pine']}
guessed = []
for timber, species in zip(timbers['timber'], timbers['species']):
    rest, known, fits = rests(widths[timber]), reference[species], []
    for end in range(30, len(known) + 1):
        size = min(len(rest), end)
        fits.append(np.corrcoef(rest[-size:], known[end - size : end])[0, 1] * size**0.5)
    guessed.append(chronology.index[0] + 29 + int(np.argmax(fits)))
print(*guessed)

# %% naive="literal" trap="the chronology is carried back, but with timbers that were written from the bark inwards the wrong way round"
chronology = pd.read_csv('{{ data }}/chronology.csv', index_col='year')


def rests(values):
    log = pd.Series(np.log(values))
    level = log.rolling(13, center=True, min_periods=5).median().rolling(5, center=True, min_periods=1).mean()
    rest = (log - level).to_numpy()
    return np.clip((rest - rest.mean()) / rest.std(), -3, 3)


first, size = chronology.index[-1] - 299, 300
sums, counts = np.zeros(size), np.zeros(size)
sums[size - len(chronology) :] = 3 * rests(chronology.mean(axis=1))
counts[size - len(chronology) :] = 3
left, found = dict(enumerate(timbers['timber'])), {}
while left:
    placed = []
    for at, timber in left.items():
        fits = [(0, at, 0, None)]
        for rest in [rests(widths[timber])]:
            for end in range(29, size):
                begin = max(end - len(rest) + 1, 0)
                known = counts[begin : end + 1] > 0
                if known.sum() > 39:
                    own = rest[len(rest) - (end + 1 - begin) :][known]
                    mean = (sums[begin : end + 1] / np.maximum(counts[begin : end + 1], 1))[known]
                    fits.append((np.corrcoef(own, mean)[0, 1] * known.sum() ** 0.5, at, end, rest))
        placed.append(max(fits, key=lambda one: one[0]))
    for _, at, end, rest in sorted(placed, key=lambda one: -one[0])[:8]:
        del left[at]
        if rest is not None:
            found[at] = first + end
            begin = max(end - len(rest) + 1, 0)
            sums[begin : end + 1] += rest[len(rest) - (end + 1 - begin) :]
            counts[begin : end + 1] += 1
print(*(found.get(at, first) for at in range(len(timbers))))

# %% naive="shortcut" trap="each timber alone against the chronology, though most are older"
chronology = pd.read_csv('{{ data }}/chronology.csv', index_col='year')


def rests(values):
    log = pd.Series(np.log(values))
    level = log.rolling(13, center=True, min_periods=5).median().rolling(5, center=True, min_periods=1).mean()
    rest = (log - level).to_numpy()
    return np.clip((rest - rest.mean()) / rest.std(), -3, 3)


reference = {kind: rests(chronology[kind]) for kind in ['oak', 'pine']}
guessed = []
for timber, species in zip(timbers['timber'], timbers['species']):
    known, fits = reference[species], []
    for end in range(30, len(known) + 1):
        size = min(len(widths[timber]), end)
        both = (rests(widths[timber])[::way][-size:] for way in (1, -1))
        fits.append(max(np.corrcoef(rest, known[end - size : end])[0, 1] for rest in both) * size**0.5)
    guessed.append(chronology.index[0] + 29 + int(np.argmax(fits)))
print(*guessed)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Some of the laboratories wrote the rings from the bark inwards, the others from the middle outwards. Print the letters of those that wrote from the bark inwards, in alphabetical order, on one line, separated by `, `.
#
# Thought: The way round in which a timber could be dated tells it, and most timbers of a laboratory agree.

# %% [markdown] lang="cn"
# 有些实验室是从树皮向内记录年轮的，其余则是从中心向外。按字母顺序，在同一行打印从树皮向内记录的实验室的字母，用 `, ` 分隔。
#
# Thought: 一根木料以哪个方向才能定年便说明了这一点，同一实验室的多数木料是一致的。

# %%
inwards = pd.Series([dated[timber][1] % 2 for timber in range(len(timbers))])
share = inwards.groupby(timbers['timber'].str[0]).mean()
answer = list(share.index[share > 0.5])
print(', '.join(answer))

# %% [markdown] kind="num" modules="pandas" answer="[count, count]"
# Print the number of oaks and the number of pines whose outermost ring grew before {{ first + 250 - known }}, the first year of the chronology, on one line, separated by a space.
#
# Thought: The years tell.

# %% [markdown] lang="cn"
# 在同一行打印最外一轮生长于 {{ first + 250 - known }} 年（年表的第一年）之前的橡木根数和松木根数，用空格分隔。
#
# Thought: 由年份即可得知。

# %%
old = timbers['species'][dates < chronology.index[0]].value_counts()
answer = [old['oak'], old['pine']]
print(*answer)

# %% naive="careless literal shortcut" trap="a timber counts as older if its first ring is"
begun = timbers['species'][dates - timbers['rings'] + 1 < chronology.index[0]].value_counts()
print(begun['oak'], begun['pine'])
