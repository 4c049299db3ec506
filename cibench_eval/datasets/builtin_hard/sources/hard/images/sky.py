# ---
# jupyter:
#   instances:
#     hill: {seed: 12, observatory: the hill observatory, period: 5.37}
#     lake: {seed: 58, observatory: the lake observatory, period: 7.91}
#   varied:
#     seed: {between: [1, 1000000]}
#     observatory: {pick: [the hill observatory, the lake observatory, the old observatory]}
#     period: {pick: [4.19, 5.37, 6.73, 7.91]}
#   words:
#     title: {en: Light of the variable, cn: 变星的光变}
#     x_label: {en: Day, cn: 日}
#     y_label: {en: Magnitude, cn: 星等}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A field of stars was photographed on plates. `{{ data }}/plates.csv` lists them, their scans are `{{ data }}/plate_01.png` to `{{ data }}/plate_26.png`, `{{ data }}/catalogue.csv` has the stars of the field, and `{{ data }}/notes.txt` says how to read all of it.
# Make a DataFrame `plates` with one row for each plate of the list, in its order, and the columns `plate` (integer) and `day` (float): the middle of the exposure in days (with fractions) since 1 January 2025, 00:00 UTC.
#
# Thought: A clock before noon belongs to the day after the evening of the night; the middle is half the exposure later; UTC is an hour behind.

# %% [markdown] lang="cn"
# 一片星场被拍摄在照相底片上。`{{ data }}/plates.csv` 是底片清单，扫描件为 `{{ data }}/plate_01.png` 到 `{{ data }}/plate_26.png`，`{{ data }}/catalogue.csv` 列出该星场的恒星，`{{ data }}/notes.txt` 说明了如何理解这些内容。
# 生成 DataFrame `plates`，清单中每张底片占一行，顺序同清单，列为 `plate`（整数）和 `day`（浮点数）：曝光中点距 2025 年 1 月 1 日 00:00 UTC 的天数（含小数）。
#
# Thought: 中午以前的时刻属于当夜傍晚的次日；曝光中点再晚半个曝光时长；UTC 晚一小时。

# %%
import numpy as np
import pandas as pd
from PIL import Image

plates = pd.read_csv('{{ data }}/plates.csv')
clock = pd.to_timedelta(plates['begun'] + ':00')
after = pd.to_timedelta((clock < pd.Timedelta(hours=12)).astype(int), unit='D')
middle = pd.to_datetime(plates['night']) + after + clock + pd.to_timedelta(plates['minutes'] * 30, unit='s')
plates['day'] = (middle - pd.Timedelta(hours=1) - pd.Timestamp('2025-01-01')) / pd.Timedelta(days=1)
plates = plates[['plate', 'day']]

# %% naive="careless" trap="clocks after midnight are put on the evening's date"
import numpy as np
import pandas as pd
from PIL import Image

plates = pd.read_csv('{{ data }}/plates.csv')
clock = pd.to_timedelta(plates['begun'] + ':00')
middle = pd.to_datetime(plates['night']) + clock + pd.to_timedelta(plates['minutes'] * 30, unit='s')
plates['day'] = (middle - pd.Timedelta(hours=1) - pd.Timestamp('2025-01-01')) / pd.Timedelta(days=1)
plates = plates[['plate', 'day']]

# %% naive="literal" trap="local time is taken for UTC"
import numpy as np
import pandas as pd
from PIL import Image

plates = pd.read_csv('{{ data }}/plates.csv')
clock = pd.to_timedelta(plates['begun'] + ':00')
after = pd.to_timedelta((clock < pd.Timedelta(hours=12)).astype(int), unit='D')
middle = pd.to_datetime(plates['night']) + after + clock + pd.to_timedelta(plates['minutes'] * 30, unit='s')
plates['day'] = (middle - pd.Timestamp('2025-01-01')) / pd.Timedelta(days=1)
plates = plates[['plate', 'day']]

# %% [markdown] kind="exec" modules="numpy & scipy & cv2" absolute=0.45
# Find where on the sky each plate lies. Add to `plates` the columns `mirrored` (bool: the plate is mirrored) and `east` and `north` (floats): the place of the middle of the plate, in arcminutes as in the catalogue. A deviation of 0.4 arcminutes does no harm.
#
# Thought: Turn negatives round, find the spots, and look for the turn and shift, with and without mirroring, that brings most spots onto stars.

# %% [markdown] lang="cn"
# 求每张底片在天空中的位置。在 `plates` 中加入列 `mirrored`（布尔值：底片是否为镜像）以及 `east` 和 `north`（浮点数）：底片中心的位置，以角分计，定义同星表。偏差 0.4 角分无妨。
#
# Thought: 把负片反转，找出光点，再寻找使最多光点落在恒星上的旋转和平移，镜像与非镜像都要试。

# %%
import cv2
from scipy import ndimage

catalogue = pd.read_csv('{{ data }}/catalogue.csv').set_index('star')
sky = catalogue['east'].to_numpy() + 1j * catalogue['north'].to_numpy()
brightest = catalogue['magnitude'].to_numpy().argsort()[:24]


def spots(number):
    """Columns and lines from the middle of the plate, and how much darker than around."""
    seen = np.array(Image.open(f'{{ data }}/plate_{number:02d}.png')).astype(float)
    if np.median(seen) > 127:
        seen = 255 - seen
    flat = seen - cv2.medianBlur(seen.astype(np.uint8), 25)
    soft = ndimage.gaussian_filter(flat, 1)
    noise = 1.4826 * np.median(np.abs(soft - np.median(soft)))
    peaks = (soft == ndimage.maximum_filter(soft, 5)) & (soft > 6 * noise)
    step = np.mgrid[-3:4, -3:4]
    found = []
    for line, column in np.argwhere(peaks):
        if not (3 <= line < 93 and 3 <= column < 93):
            continue
        weight = np.clip(flat[line - 3 : line + 4, column - 3 : column + 4], 0, None) * np.exp(-(step**2).sum(axis=0) / 6)
        down, right = (step * weight).sum(axis=(1, 2)) / weight.sum()
        light = flat[max(line - 4, 0) : line + 5, max(column - 4, 0) : column + 5].sum()
        found.append((column + 1.5 * right - 47.5, line + 1.5 * down - 47.5, light))
    return np.array(sorted(found, key=lambda spot: -spot[2]))


def solve(found):
    """Is it mirrored, the place of its middle, and the places of its spots."""
    best = (0,)
    for back in (False, True):
        points = ((found[:, 0] if back else -found[:, 0]) - 1j * found[:, 1]) * 0.5
        gaps = sky[brightest] - sky[brightest][:, None]
        for one in range(6):
            for two in range(one + 1, 7):
                gap = points[two] - points[one]
                if best[0] > 0.6 * len(points):
                    break
                for start, end in np.argwhere((np.abs(np.abs(gaps) - abs(gap)) < 0.25) & (np.abs(gaps) > 4)):
                    turn = gaps[start, end] / gap
                    turn /= abs(turn)
                    placed = sky[brightest[start]] + turn * (points - points[one])
                    hits = (np.abs(placed[:, None] - sky).min(axis=1) < 0.6).sum()
                    if hits > best[0]:
                        best = hits, back, points, placed
    _, back, points, placed = best
    for _ in range(3):
        far = np.abs(placed[:, None] - sky)
        good, star = far.min(axis=1) < 0.5, sky[far.argmin(axis=1)]
        shift = points[good] - points[good].mean()
        turn = ((star[good] - star[good].mean()) * shift.conj()).sum()
        turn /= abs(turn)
        centre = star[good].mean() - turn * points[good].mean()
        placed = centre + turn * points
    return back, centre, placed


tables, backs, centres = [], [], []
for number in plates['plate']:
    found = spots(number)
    back, centre, placed = solve(found)
    backs.append(back)
    centres.append(centre)
    far = np.abs(placed[:, None] - sky)
    star = np.where(far.min(axis=1) < 0.7, catalogue.index[far.argmin(axis=1)], 0)
    radius = np.hypot(found[:, 0], found[:, 1]) / 47.5
    tables.append(pd.DataFrame({'number': number, 'at': placed, 'star': star, 'light': found[:, 2], 'radius': radius}))
found = pd.concat(tables, ignore_index=True)
plates['mirrored'], plates['east'], plates['north'] = backs, np.real(centres), np.imag(centres)

# %% naive="literal" trap="east is taken to be at the right of north"
import cv2
from scipy import ndimage

catalogue = pd.read_csv('{{ data }}/catalogue.csv').set_index('star')
sky = catalogue['east'].to_numpy() + 1j * catalogue['north'].to_numpy()
brightest = catalogue['magnitude'].to_numpy().argsort()[:24]


def spots(number):
    seen = np.array(Image.open(f'{{ data }}/plate_{number:02d}.png')).astype(float)
    if np.median(seen) > 127:
        seen = 255 - seen
    flat = seen - cv2.medianBlur(seen.astype(np.uint8), 25)
    soft = ndimage.gaussian_filter(flat, 1)
    noise = 1.4826 * np.median(np.abs(soft - np.median(soft)))
    peaks = (soft == ndimage.maximum_filter(soft, 5)) & (soft > 6 * noise)
    step = np.mgrid[-3:4, -3:4]
    found = []
    for line, column in np.argwhere(peaks):
        if not (3 <= line < 93 and 3 <= column < 93):
            continue
        weight = np.clip(flat[line - 3 : line + 4, column - 3 : column + 4], 0, None) * np.exp(-(step**2).sum(axis=0) / 6)
        down, right = (step * weight).sum(axis=(1, 2)) / weight.sum()
        light = flat[max(line - 4, 0) : line + 5, max(column - 4, 0) : column + 5].sum()
        found.append((column + 1.5 * right - 47.5, line + 1.5 * down - 47.5, light))
    return np.array(sorted(found, key=lambda spot: -spot[2]))


def solve(found):
    best = (0,)
    for back in (False, True):
        points = ((-found[:, 0] if back else found[:, 0]) - 1j * found[:, 1]) * 0.5
        gaps = sky[brightest] - sky[brightest][:, None]
        for one in range(6):
            for two in range(one + 1, 7):
                gap = points[two] - points[one]
                if best[0] > 0.6 * len(points):
                    break
                for start, end in np.argwhere((np.abs(np.abs(gaps) - abs(gap)) < 0.25) & (np.abs(gaps) > 4)):
                    turn = gaps[start, end] / gap
                    turn /= abs(turn)
                    placed = sky[brightest[start]] + turn * (points - points[one])
                    hits = (np.abs(placed[:, None] - sky).min(axis=1) < 0.6).sum()
                    if hits > best[0]:
                        best = hits, back, points, placed
    _, back, points, placed = best
    for _ in range(3):
        far = np.abs(placed[:, None] - sky)
        good, star = far.min(axis=1) < 0.5, sky[far.argmin(axis=1)]
        shift = points[good] - points[good].mean()
        turn = ((star[good] - star[good].mean()) * shift.conj()).sum()
        turn /= abs(turn)
        centre = star[good].mean() - turn * points[good].mean()
        placed = centre + turn * points
    return back, centre, placed


tables, backs, centres = [], [], []
for number in plates['plate']:
    found = spots(number)
    back, centre, placed = solve(found)
    backs.append(back)
    centres.append(centre)
    far = np.abs(placed[:, None] - sky)
    star = np.where(far.min(axis=1) < 0.7, catalogue.index[far.argmin(axis=1)], 0)
    radius = np.hypot(found[:, 0], found[:, 1]) / 47.5
    tables.append(pd.DataFrame({'number': number, 'at': placed, 'star': star, 'light': found[:, 2], 'radius': radius}))
found = pd.concat(tables, ignore_index=True)
plates['mirrored'], plates['east'], plates['north'] = backs, np.real(centres), np.imag(centres)

# %% naive="shortcut" trap="no plate is taken for mirrored"
import cv2
from scipy import ndimage

catalogue = pd.read_csv('{{ data }}/catalogue.csv').set_index('star')
sky = catalogue['east'].to_numpy() + 1j * catalogue['north'].to_numpy()
brightest = catalogue['magnitude'].to_numpy().argsort()[:24]


def spots(number):
    seen = np.array(Image.open(f'{{ data }}/plate_{number:02d}.png')).astype(float)
    if np.median(seen) > 127:
        seen = 255 - seen
    flat = seen - cv2.medianBlur(seen.astype(np.uint8), 25)
    soft = ndimage.gaussian_filter(flat, 1)
    noise = 1.4826 * np.median(np.abs(soft - np.median(soft)))
    peaks = (soft == ndimage.maximum_filter(soft, 5)) & (soft > 6 * noise)
    found = []
    for line, column in np.argwhere(peaks):
        light = flat[max(line - 4, 0) : line + 5, max(column - 4, 0) : column + 5].sum()
        found.append((column - 47.5, line - 47.5, light))
    return np.array(sorted(found, key=lambda spot: -spot[2]))


def solve(found):
    best = (0,)
    points = (-found[:, 0] - 1j * found[:, 1]) * 0.5
    gaps = sky[brightest] - sky[brightest][:, None]
    for one in range(4):
        for two in range(one + 1, 5):
            gap = points[two] - points[one]
            if best[0] > 0.6 * len(points):
                break
            for start, end in np.argwhere((np.abs(np.abs(gaps) - abs(gap)) < 0.25) & (np.abs(gaps) > 4)):
                turn = gaps[start, end] / abs(gaps[start, end]) / gap * abs(gap)
                placed = sky[brightest[start]] + turn * (points - points[one])
                hits = (np.abs(placed[:, None] - sky).min(axis=1) < 0.6).sum()
                if hits > best[0]:
                    best = hits, sky[brightest[start]] - turn * points[one], placed
    return False, best[1], best[2]


tables, backs, centres = [], [], []
for number in plates['plate']:
    found = spots(number)
    back, centre, placed = solve(found)
    backs.append(back)
    centres.append(centre)
    far = np.abs(placed[:, None] - sky)
    star = np.where(far.min(axis=1) < 0.7, catalogue.index[far.argmin(axis=1)], 0)
    radius = np.hypot(found[:, 0], found[:, 1]) / 47.5
    tables.append(pd.DataFrame({'number': number, 'at': placed, 'star': star, 'light': found[:, 2], 'radius': radius}))
found = pd.concat(tables, ignore_index=True)
plates['mirrored'], plates['east'], plates['north'] = backs, np.real(centres), np.imag(centres)

# %% [markdown] kind="num" modules="numpy & pandas" answer="[count, count]"
# One plate was scanned twice. The second scan got a later number, and a night and a clock that are not its own. Print the numbers of both scans, the smaller first, on one line, separated by a space. Drop the row of the second scan from `plates`.
#
# Thought: Dust of one plate lies at the same places among the stars only if it is the same plate.

# %% [markdown] lang="cn"
# 有一张底片被扫描了两次。第二次扫描得到了较后的编号，以及并不属于它的夜晚和时刻。在同一行打印两次扫描的编号，小的在前，用空格分隔。从 `plates` 中删除第二次扫描的那一行。
#
# Thought: 只有同一张底片，灰尘在星间的位置才会相同。

# %%
loose = {number: group['at'].to_numpy() for number, group in found[found['star'] == 0].groupby('number')}
same = {}
for one in loose:
    for two in loose:
        if one < two:
            same[one, two] = (np.abs(loose[one][:, None] - loose[two]).min(axis=1) < 0.5).sum()
first, second = max(same, key=same.get)
answer = [first, second]
print(*answer)
plates = plates[plates['plate'] != second].reset_index(drop=True)
found = found[found['number'] != second]

# %% naive="careless shortcut" trap="the scans are compared as they lie"
scans = {}
for number in plates['plate']:
    seen = np.array(Image.open(f'{{ data }}/plate_{number:02d}.png')).astype(float)
    scans[number] = seen - seen.mean() if np.median(seen) < 127 else seen.mean() - seen
same = {}
for one in scans:
    for two in scans:
        if one < two:
            same[one, two] = np.corrcoef(scans[one].ravel(), scans[two].ravel())[0, 1]
first, second = max(same, key=same.get)
print(first, second)
plates = plates[plates['plate'] != second].reset_index(drop=True)
found = found[found['number'] != second]

# %% [markdown] kind="num" modules="numpy & pandas" absolute=0.12 answer="[count, real(2), real(2), count, real(2)]"
# The catalogue has two typing errors: one star has a wrong number in its place (east or north), and one other star that shines constantly has a wrong magnitude. Print two lines: the first star with its right east and north in arcminutes, and the second star with its right magnitude, all with 2 decimal places, separated by spaces. A deviation of 0.1 does no harm.
#
# Thought: A spot that no star explains is on every plate, and a star that should be there is on none. Fit magnitude over light plate by plate, with saturation and the darker edge, and see which star stays off.

# %% [markdown] lang="cn"
# 星表中有两处录入错误：一颗星的位置（east 或 north）有一个数不对，另一颗亮度恒定的星的星等不对。打印两行：第一颗星及其正确的 east 和 north（角分），第二颗星及其正确的星等，均保留 2 位小数，用空格分隔。偏差 0.1 无妨。
#
# Thought: 有一个任何星都解释不了的光点出现在每张底片上，而一颗应当出现的星从未出现。逐张拟合星等与光量的关系（含饱和与边缘变暗），看哪颗星始终偏离。

# %%
places = found.loc[found['star'] == 0, 'at'].to_numpy()
near = np.abs(places[:, None] - places) < 0.6
own = places[near[near.sum(axis=1).argmax()]].mean()
middles = plates['east'].to_numpy() + 1j * plates['north'].to_numpy()
expected = (np.abs(sky[:, None] - middles) < 21).sum(axis=1)
shown = found[found['star'] > 0].groupby('star')['number'].nunique().reindex(catalogue.index).fillna(0)
lost = catalogue.index[np.where(expected > 5, shown / np.maximum(expected, 1), 1).argmin()]

stars = found[(found['star'] > 0) & (found['star'] != lost)].copy()
listed = catalogue['magnitude'].reindex(stars['star']).to_numpy()
level = np.log10(stars['light'].to_numpy()) - 2.5
design = np.column_stack([np.ones(len(stars)), level, level**2, level**3, stars['radius'] ** 2])
doubtful = []
for _ in range(3):
    measured = np.full(len(stars), np.nan)
    for number in plates['plate']:
        rows = (stars['number'] == number).to_numpy()
        use = rows & ~stars['star'].isin(doubtful).to_numpy()
        for _ in range(4):
            weights = np.linalg.lstsq(design[use], listed[use], rcond=None)[0]
            off = np.abs(listed - design @ weights)
            use = use & (off < max(4 * 1.4826 * np.median(off[use]), 0.1))
        measured[rows] = design[rows] @ weights
    stars['measured'] = measured
    by_star = stars.assign(off=measured - listed).groupby('star')
    often = by_star.size() > 8
    typed = by_star['off'].median().abs()[often].idxmax()
    spread = by_star['off'].agg(lambda off: (off - off.median()).abs().median())[often]
    doubtful = [typed, spread.idxmax()]
answer = [lost, own.real, own.imag, typed, stars.loc[stars['star'] == typed, 'measured'].median()]
print(f'{lost} {own.real:.2f} {own.imag:.2f}')
print(f'{typed} {answer[-1]:.2f}')

# %% naive="careless literal shortcut" trap="the star listed next to the spot is taken for the misplaced one, and light for proportional to grey"
places = found.loc[found['star'] == 0, 'at'].to_numpy()
near = np.abs(places[:, None] - places) < 0.6
own = places[near[near.sum(axis=1).argmax()]].mean()
lost = catalogue.index[np.abs(sky - own).argmin()]
stars = found[found['star'] > 0].copy()
listed = catalogue['magnitude'].reindex(stars['star']).to_numpy()
level = -2.5 * np.log10(stars['light'].to_numpy())
zero = pd.Series(listed - level).groupby(stars['number'].to_numpy()).transform('mean')
stars['measured'] = measured = level + zero.to_numpy()
by_star = stars.assign(off=measured - listed).groupby('star')
typed = by_star['off'].mean().abs().idxmax()
spread = by_star['off'].agg(lambda off: (off - off.median()).abs().median())[by_star.size() > 8]
print(f'{lost} {own.real:.2f} {own.imag:.2f}')
print(f'{typed} {stars.loc[stars["star"] == typed, "measured"].median():.2f}')

# %% [markdown] kind="num" modules="numpy & scipy" tolerance=0.006 answer="[count, real(3)]"
# Print the number of the variable star in the catalogue and its period in days with 3 decimal places, on one line, separated by a space. A deviation of 0.5 percent of the period does no harm.
#
# Thought: It is the star that scatters most around its own middle. Fit a wave with a second harmonic for many frequencies.

# %% [markdown] lang="cn"
# 在同一行打印变星在星表中的编号及其周期（天，保留 3 位小数），用空格分隔。周期偏差 0.5% 无妨。
#
# Thought: 它是围绕自身中位数散布最大的星。对许多频率拟合含二次谐波的波形。

# %%
from scipy import optimize

variable = spread.idxmax()
curve = stars[stars['star'] == variable].merge(plates[['plate', 'day']], left_on='number', right_on='plate')


def waves(days, period, harmonics=2):
    turn = 2 * np.pi * np.asarray(days) / period
    return np.column_stack([np.ones(len(turn)), *(f(k * turn) for k in range(1, harmonics + 1) for f in (np.sin, np.cos))])


def miss(period):
    fit = waves(curve['day'], period)
    return ((curve['measured'] - fit @ np.linalg.lstsq(fit, curve['measured'], rcond=None)[0]) ** 2).sum()


periods = 1 / np.arange(1 / 12, 1 / 3, 0.0004)
start = min(periods, key=miss)
period = optimize.minimize_scalar(miss, bounds=(start * 0.995, start * 1.005), method='bounded', options={'xatol': 1e-6}).x
answer = [variable, period]
print(f'{answer[0]} {answer[1]:.3f}')

# %% naive="careless literal shortcut" trap="the star that is farthest from the catalogue is taken for the variable one"
from scipy import optimize

variable = typed
curve = stars[stars['star'] == variable].merge(plates[['plate', 'day']], left_on='number', right_on='plate')


def waves(days, period, harmonics=2):
    turn = 2 * np.pi * np.asarray(days) / period
    return np.column_stack([np.ones(len(turn)), *(f(k * turn) for k in range(1, harmonics + 1) for f in (np.sin, np.cos))])


def miss(period):
    fit = waves(curve['day'], period)
    return ((curve['measured'] - fit @ np.linalg.lstsq(fit, curve['measured'], rcond=None)[0]) ** 2).sum()


periods = 1 / np.arange(1 / 12, 1 / 3, 0.0004)
period = min(periods, key=miss)
print(f'{variable} {period:.3f}')
variable = spread.idxmax()
curve = stars[stars['star'] == variable].merge(plates[['plate', 'day']], left_on='number', right_on='plate')

# %% [markdown] kind="num" modules="numpy & pandas" held_out="light" metric="mae" bound="0.092"
# On the days of `{{ data }}/light.csv` (counted as `day` is) another telescope has measured the variable star, in the magnitudes of the catalogue. Predict its magnitude on each of them. Print the predictions in the order of the file, one a line, with 3 decimal places. Their mean absolute error has to be at most 0.092.
#
# Thought: The curve of light over phase, from the period and its harmonics; one sine is too smooth for it.

# %% [markdown] lang="cn"
# 在 `{{ data }}/light.csv` 所列的日子（计法同 `day`），另一台望远镜以星表的星等测量了这颗变星。预测其中每一天的星等。按文件中的顺序打印预测值，每行一个，保留 3 位小数。平均绝对误差不得超过 0.092。
#
# Thought: 由周期及其谐波得到光变随相位的曲线；单个正弦过于平滑。

# %%
later = pd.read_csv('{{ data }}/light.csv')['day']
weights = np.linalg.lstsq(waves(curve['day'], period), curve['measured'], rcond=None)[0]
for value in waves(later, period) @ weights:
    print(f'{value:.3f}')

# %% naive="careless" trap="its mean is taken throughout"
later = pd.read_csv('{{ data }}/light.csv')['day']
for value in later:
    print(f'{curve["measured"].mean():.3f}')

# %% naive="shortcut" trap="it is joined by straight lines from night to night"
later = pd.read_csv('{{ data }}/light.csv')['day']
for value in np.interp(later, curve['day'], curve['measured']):
    print(f'{value:.3f}')

# %% naive="literal" trap="one sine is fitted"
later = pd.read_csv('{{ data }}/light.csv')['day']
weights = np.linalg.lstsq(waves(curve['day'], period, 1), curve['measured'], rcond=None)[0]
for value in waves(later, period, 1) @ weights:
    print(f'{value:.3f}')

# %% [markdown] kind="num" modules="numpy & pandas" absolute=0.3 answer="[real(2), real(2), real(2)]"
# In one of its two coordinates, east or north, the planet turned back while the plates of `plates` were taken. Print the day (as `day` is counted) on which it turned back, and its east and north in arcminutes at that moment, all with 2 decimal places, on one line, separated by spaces. A deviation of 0.3 in each does no harm.
#
# Thought: Of the spots that are no stars, one on each plate lies on a common smooth path; a parabola through it has its vertex at the turn.

# %% [markdown] lang="cn"
# 在拍摄 `plates` 中各底片期间，行星在两个坐标（east 或 north）之一上折返。在同一行打印折返的日子（计法同 `day`）以及该时刻行星的 east 和 north（角分），均保留 2 位小数，用空格分隔。各数偏差 0.3 无妨。
#
# Thought: 在不是恒星的光点中，每张底片有一个落在一条共同的光滑路径上；过它的抛物线的顶点就是折返处。

# %%
spare = found[(found['star'] == 0) & (np.abs(found['at'] - own) > 1)].merge(plates[['plate', 'day']], left_on='number', right_on='plate')
at, when = spare['at'].to_numpy(), spare['day'].to_numpy() - plates['day'].mean()
choice, best = np.random.default_rng(0), np.zeros(len(at), bool)
for _ in range(5000):
    three = choice.choice(len(at), 3, replace=False)
    if np.diff(np.sort(when[three])).min() > 8:
        powers = np.linalg.solve(np.vander(when[three], 3), at[three])
        good = np.abs(at - np.vander(when, 3) @ powers) < 0.7
        best = good if good.sum() > best.sum() else best
powers = np.linalg.lstsq(np.vander(when[best], 3), at[best], rcond=None)[0]
bend = powers.real if abs(powers[0].real) > abs(powers[0].imag) else powers.imag
turned = -bend[1] / (2 * bend[0])
there = np.polyval(powers, turned)
answer = [turned + plates['day'].mean(), there.real, there.imag]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless literal shortcut" trap="dust is fitted with the planet"
spare = found[found['star'] == 0].merge(plates[['plate', 'day']], left_on='number', right_on='plate')
at, when = spare['at'].to_numpy(), spare['day'].to_numpy() - plates['day'].mean()
powers = np.linalg.lstsq(np.vander(when, 3), at, rcond=None)[0]
bend = powers.real if abs(powers[0].real) > abs(powers[0].imag) else powers.imag
turned = -bend[1] / (2 * bend[0])
there = np.polyval(powers, turned)
print(f'{turned + plates["day"].mean():.2f} {there.real:.2f} {there.imag:.2f}')

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.1
# Draw the magnitude of the variable star on each plate of `plates`, as you have measured it in the magnitudes of the catalogue, over `day` as points in `darkorange`. Turn the y axis round so that bright is above. Title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (7, 3.5). Call `plt.show()`.
#
# Thought: One point a plate.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以 `day` 为横坐标，将 `plates` 中每张底片上测得的变星星等（采用星表的星等）画成 `darkorange` 色的散点。将纵轴反向，使亮的在上。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 3.5)。最后调用 `plt.show()`。
#
# Thought: 每张底片一个点。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 3.5))
plt.scatter(curve['day'], curve['measured'], color='darkorange')
plt.gca().invert_yaxis()
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
