# ---
# jupyter:
#   instances:
#     river: {seed: 12, first: river, second: pond, power: 4}
#     dairy: {seed: 308, first: milk, second: whey, power: 3}
#   varied:
#     seed: {between: [1, 1000000]}
#     first: {pick: [river, milk, rain]}
#     second: {pick: [pond, whey, soil]}
#     power: {pick: [3, 4, 5]}
#   words:
#     title: {en: Colonies and what was plated, cn: 菌落数与接种量}
#     x_label: {en: ml of the undiluted sample, cn: 原始样品（毫升）}
#     y_label: {en: Colonies, cn: 菌落数}
# ---

# %% [markdown] kind="exec" modules="pandas"
# A laboratory has grown bacteria from two samples on dishes. The photos are `{{ data }}/plate_01.png` to `{{ data }}/plate_10.png`. What was plated is in `{{ data }}/log.csv`, and `{{ data }}/notes.txt` says how to read all of it.
# Make a DataFrame `log` of all 10 rows of the log, in its order, with the columns `file` (the photo without `.png`, as `plate_01`), `sample`, `dilution` (float, a thousandth is 0.001) and `ml` (float).
#
# Thought: A dilution is one over the number behind the colon or the slash, or a power of ten; volumes are in ml or µl.

# %% [markdown] lang="cn"
# 某实验室在平皿上培养了两个样品中的细菌。照片为 `{{ data }}/plate_01.png` 到 `{{ data }}/plate_10.png`，接种记录在 `{{ data }}/log.csv` 中，`{{ data }}/notes.txt` 说明了如何理解这些内容。
# 生成 DataFrame `log`，包含记录的全部 10 行，顺序不变，列为 `file`（不带 `.png` 的照片名，如 `plate_01`）、`sample`、`dilution`（浮点数，千分之一为 0.001）和 `ml`（浮点数）。
#
# Thought: 稀释度是冒号或斜杠后数字的倒数，或十的幂；体积以 ml 或 µl 为单位。

# %%
import numpy as np
import pandas as pd

log = pd.read_csv('{{ data }}/log.csv', sep=';', encoding='cp1252')
log.columns = ['file', 'sample', 'dilution', 'ml']


def share(text):
    return 10.0 ** int(text[3:]) if '^' in text else 1 / int(text[2:])


def millilitres(text):
    amount, unit = text.split()
    return float(amount.replace(',', '.')) / (1 if unit == 'ml' else 1000)


log['dilution'] = log['dilution'].map(share)
log['ml'] = log['ml'].map(millilitres)

# %% [markdown] kind="exec" modules="PIL & numpy"
# Make a dictionary `photos` from each `file` of `log` to its photo as a uint8 array of shape (260, 260, 3) in RGB, in true colours: where the camera has changed the colours, undo that. Pixels that were erased are 0 in all three channels.
#
# Thought: A bright bench is a negative, a dish that is bluer than red has its channels exchanged, and a fourth channel says what was erased.

# %% [markdown] lang="cn"
# 生成字典 `photos`，从 `log` 的每个 `file` 映射到其照片：形状为 (260, 260, 3) 的 uint8 RGB 数组，颜色为真实颜色，即相机改动过的颜色要还原。被擦除的像素三个通道均为 0。
#
# Thought: 台面发亮的是负片，培养基蓝多于红的是通道互换，第四个通道说明哪些像素被擦除。

# %%
from PIL import Image

photos = {}
for name in log['file']:
    pixels = np.array(Image.open(f'{{ data }}/{name}.png').convert('RGBA'))
    colours, seen = pixels[:, :, :3].copy(), pixels[:, :, 3] > 0
    if np.median(colours[:10]) > 128:
        colours = 255 - colours
    middle = np.median(colours[90:170, 90:170], axis=(0, 1))
    if middle[2] > middle[0]:
        colours = colours[:, :, ::-1].copy()
    colours[~seen] = 0
    photos[name] = colours

# %% naive="careless" trap="erased pixels come back with the conversion to RGB"
from PIL import Image

photos = {}
for name in log['file']:
    colours = np.array(Image.open(f'{{ data }}/{name}.png').convert('RGB'))
    if np.median(colours[:10]) > 128:
        colours = 255 - colours
    middle = np.median(colours[90:170, 90:170], axis=(0, 1))
    if middle[2] > middle[0]:
        colours = colours[:, :, ::-1].copy()
    photos[name] = colours

# %% naive="literal" trap="a negative is not seen"
from PIL import Image

photos = {}
for name in log['file']:
    pixels = np.array(Image.open(f'{{ data }}/{name}.png').convert('RGBA'))
    colours, seen = pixels[:, :, :3].copy(), pixels[:, :, 3] > 0
    middle = np.median(colours[90:170, 90:170], axis=(0, 1))
    if middle[2] > middle[0]:
        colours = colours[:, :, ::-1].copy()
    colours[~seen] = 0
    photos[name] = colours

# %% naive="shortcut" trap="exchanged channels are not seen"
from PIL import Image

photos = {}
for name in log['file']:
    pixels = np.array(Image.open(f'{{ data }}/{name}.png').convert('RGBA'))
    colours, seen = pixels[:, :, :3].copy(), pixels[:, :, 3] > 0
    if np.median(colours[:10]) > 128:
        colours = 255 - colours
    colours[~seen] = 0
    photos[name] = colours

# %% [markdown] kind="exec" modules="scipy & numpy & pandas"
# Make a DataFrame `plates` with one row for each dish, in the order of `log`, with the columns of `log` and two more: `white` and `blue`, the numbers of colonies of either colour on the dish (integers).
#
# Thought: Cut colonies that touch by their distance from the background, and compare the photos in all four turns.

# %% [markdown] lang="cn"
# 生成 DataFrame `plates`，每个平皿占一行，顺序同 `log`，列为 `log` 的各列再加两列：`white` 和 `blue`，即平皿上两种颜色的菌落数（整数）。
#
# Thought: 利用到背景的距离分开相连的菌落；把照片在四个方向上互相比较。

# %%
from scipy import ndimage


def agar(colours):
    found, _ = ndimage.label(ndimage.binary_fill_holes(colours.max(axis=2) > 110))
    return found == np.bincount(found[found > 0]).argmax()


def colonies(colours):
    r, g, b = np.moveaxis(colours.astype(int), 2, 0)
    inside = agar(colours)
    return inside & (b > 195), inside & (r < 135) & (b > 100)


def cores(mask):
    return ndimage.label(ndimage.distance_transform_edt(mask) > 3.5, np.ones((3, 3)))[0]


def same(one, other):
    turns = [np.rot90(other, turn)[::4, ::4] for turn in range(4)]
    return min(np.abs(one[::4, ::4] - turn.astype(float)).mean() for turn in turns) < 5


found = [[cores(mask).max() for mask in colonies(photos[name])] for name in log['file']]
plates = log.assign(white=[white for white, _ in found], blue=[blue for _, blue in found])
files = list(log['file'])
again = [any(same(photos[one], photos[two]) for one in files[:place]) for place, two in enumerate(files)]
plates = plates[~np.array(again)].reset_index(drop=True)

# %% naive="careless" trap="colonies that touch count as one"
from scipy import ndimage


def agar(colours):
    found, _ = ndimage.label(ndimage.binary_fill_holes(colours.max(axis=2) > 110))
    return found == np.bincount(found[found > 0]).argmax()


def colonies(colours):
    r, g, b = np.moveaxis(colours.astype(int), 2, 0)
    inside = agar(colours)
    return inside & (b > 195), inside & (r < 135) & (b > 100)


def cores(mask):
    return ndimage.label(ndimage.distance_transform_edt(mask) > 3.5, np.ones((3, 3)))[0]


def number(mask):
    parts, _ = ndimage.label(mask)
    return int((np.bincount(parts[parts > 0]) >= 15).sum()) if mask.any() else 0


def same(one, other):
    turns = [np.rot90(other, turn)[::4, ::4] for turn in range(4)]
    return min(np.abs(one[::4, ::4] - turn.astype(float)).mean() for turn in turns) < 5


found = [[number(mask) for mask in colonies(photos[name])] for name in log['file']]
plates = log.assign(white=[white for white, _ in found], blue=[blue for _, blue in found])
files = list(log['file'])
again = [any(same(photos[one], photos[two]) for one in files[:place]) for place, two in enumerate(files)]
plates = plates[~np.array(again)].reset_index(drop=True)

# %% naive="literal shortcut" trap="a dish that was photographed twice counts twice"
from scipy import ndimage


def agar(colours):
    found, _ = ndimage.label(ndimage.binary_fill_holes(colours.max(axis=2) > 110))
    return found == np.bincount(found[found > 0]).argmax()


def colonies(colours):
    r, g, b = np.moveaxis(colours.astype(int), 2, 0)
    inside = agar(colours)
    return inside & (b > 195), inside & (r < 135) & (b > 100)


def cores(mask):
    return ndimage.label(ndimage.distance_transform_edt(mask) > 3.5, np.ones((3, 3)))[0]


found = [[cores(mask).max() for mask in colonies(photos[name])] for name in log['file']]
plates = log.assign(white=[white for white, _ in found], blue=[blue for _, blue in found])

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3), count]"
# In one row of `plates` the dilution is not what was plated: the log says ten times too much or too little. Correct it in `plates`. Print the number in the name of the file, the right dilution and the number of colonies on this dish (both colours), on one line, separated by spaces, as `3 0.01 17`.
#
# Thought: The dishes of a sample should agree on colonies per ml; one is off by a factor of ten.

# %% [markdown] lang="cn"
# `plates` 中有一行的稀释度与实际接种的不符：记录大了十倍或小了十倍。在 `plates` 中改正它。在同一行打印文件名中的编号、正确的稀释度和该平皿的菌落数（两种颜色合计），用空格分隔，形如 `3 0.01 17`。
#
# Thought: 同一样品各平皿算出的每毫升菌落数应一致，其中一个差了十倍。

# %%
total = plates['white'] + plates['blue']
per_ml = total / (plates['ml'] * plates['dilution'])
off = np.log10(per_ml / per_ml.groupby(plates['sample']).transform('median'))
worst = off.abs().idxmax()
plates.loc[worst, 'dilution'] *= 10.0 ** round(off[worst])
answer = [int(plates.loc[worst, 'file'][6:]), plates.loc[worst, 'dilution'], total[worst]]
print(answer[0], f'{answer[1]:g}', answer[2])

# %% naive="shortcut literal" trap="the dish with the fewest colonies is suspected"
total = plates['white'] + plates['blue']
worst = total.idxmin()
wrong = plates.loc[worst, 'dilution'] * 10
print(int(plates.loc[worst, 'file'][6:]), f'{wrong:g}', total[worst])

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Print the files of `plates` that do not count for the estimate, in the order of `plates`, on one line, separated by `, `.
#
# Thought: The limits are for white and blue together.

# %% [markdown] lang="cn"
# 按 `plates` 的顺序，在同一行打印 `plates` 中不计入估计的文件，用 `, ` 分隔。
#
# Thought: 上下限针对白色与蓝色合计。

# %%
counts = total.between(10, 45)
answer = list(plates.loc[~counts, 'file'])
print(', '.join(answer))

# %% naive="careless" trap="the limits are applied to each colour"
counts = total.between(10, 45)
print(', '.join(plates.loc[~(plates['white'].between(10, 45) & plates['blue'].between(10, 45)), 'file']))

# %% [markdown] kind="num" modules="pandas" answer="table[real(relative=0.005)]"
# Print the estimate for each sample on a line of its own, as `sample: value` with 3 significant digits in scientific notation, as `1.23e+05`, in alphabetical order of the samples.
#
# Thought: The sum of colonies by the sum of what was plated weighs dishes by what they tell.

# %% [markdown] lang="cn"
# 每行打印一个样品的估计值，格式为 `样品: 值`，用科学计数法保留 3 位有效数字，形如 `1.23e+05`，按样品的字母顺序排列。
#
# Thought: 菌落之和除以接种量之和，各平皿按其信息量加权。

# %%
plated = plates['ml'] * plates['dilution']
estimates = total[counts].groupby(plates['sample']).sum() / plated[counts].groupby(plates['sample']).sum()
answer = dict(estimates.items())
for name, value in answer.items():
    print(f'{name}: {value:.2e}')

# %% naive="careless shortcut" trap="the mean of the dishes' estimates in place of the weighted one"
plated = plates['ml'] * plates['dilution']
estimates = (total / plated)[counts].groupby(plates['sample']).mean()
for key, value in estimates.items():
    print(f'{key}: {value:.2e}')

# %% naive="literal" trap="dishes with too many or too few colonies are used"
plated = plates['ml'] * plates['dilution']
estimates = total.groupby(plates['sample']).sum() / plated.groupby(plates['sample']).sum()
for key, value in estimates.items():
    print(f'{key}: {value:.2e}')

# %% [markdown] kind="num" modules="scipy" answer="[real(3), real(relative=0.005)]"
# Do the dishes of `{{ second }}` that count for the estimate agree with one density of colonies in the sample? Test it with `scipy.stats.chisquare` on the numbers of colonies (both colours). Print the statistic with 3 decimal places and the p-value with 3 significant digits, on one line, separated by a space.
#
# Thought: With one density the expected numbers are proportional to what was plated.

# %% [markdown] lang="cn"
# `{{ second }}` 中计入估计的各平皿是否与样品中单一的菌落密度相符？用 `scipy.stats.chisquare` 对菌落数（两种颜色合计）做检验。在同一行打印统计量（保留 3 位小数）和 p 值（保留 3 位有效数字），用空格分隔。
#
# Thought: 若密度单一，期望数与接种量成正比。

# %%
from scipy import stats

used = counts & (plates['sample'] == '{{ second }}')
expected = total[used].sum() * plated[used] / plated[used].sum()
result = stats.chisquare(total[used], expected)
answer = [result.statistic, result.pvalue]
print(f'{answer[0]:.3f} {answer[1]:.3g}')

# %% naive="careless literal shortcut" trap="equal numbers are expected, whatever was plated"
from scipy import stats

used = counts & (plates['sample'] == '{{ second }}')
result = stats.chisquare(total[used])
print(f'{result.statistic:.3f} {result.pvalue:.3g}')

# %% [markdown] kind="num" modules="scipy & numpy" tolerance=0.06 answer="list[real(2)]"
# How large are the colonies? Take all colonies on the dishes of `plates` that touch no other colony. The diameter of a colony is that of a circle of the same area. Print the mean diameter of the white ones and that of the blue ones, in mm with 2 decimal places, on one line, separated by a space.
#
# Thought: The dish is the scale of its photo: its agar is 90 mm wide.

# %% [markdown] lang="cn"
# 菌落有多大？取 `plates` 中各平皿上不与其他菌落相接触的全部菌落。菌落的直径指同面积圆的直径。在同一行打印白色菌落和蓝色菌落的平均直径，单位 mm，保留 2 位小数，用空格分隔。
#
# Thought: 每张照片的比例尺就是平皿：其培养基宽 90 mm。

# %%
def diameters(photo):
    """Of the white and the blue colonies that touch no other, in pixels."""
    white, blue = colonies(photo)
    parts, _ = ndimage.label(ndimage.binary_dilation(white | blue))
    inside = [np.unique(np.stack([parts, cores(mask)])[:, cores(mask) > 0], axis=1) for mask in (white, blue)]
    number = np.bincount(np.concatenate([pairs[0] for pairs in inside]), minlength=parts.max() + 1)
    sizes = [[mask[parts == part].sum() for part in pairs[0] if number[part] == 1] for mask, pairs in zip((white, blue), inside)]
    return [2 * np.sqrt(np.array(size) / np.pi) for size in sizes]


wide = {name: 2 * np.sqrt(agar(photos[name]).sum() / np.pi) for name in plates['file']}
sizes = [[90 / wide[name] * size for size in diameters(photos[name])] for name in plates['file']]
answer = [np.concatenate([dish[colour] for dish in sizes]).mean() for colour in (0, 1)]
print(*(f'{value:.2f}' for value in answer))

# %% naive="careless shortcut" trap="the scale of the first photo is used for all"
def diameters(photo):
    white, blue = colonies(photo)
    parts, _ = ndimage.label(ndimage.binary_dilation(white | blue))
    inside = [np.unique(np.stack([parts, cores(mask)])[:, cores(mask) > 0], axis=1) for mask in (white, blue)]
    number = np.bincount(np.concatenate([pairs[0] for pairs in inside]), minlength=parts.max() + 1)
    sizes = [[mask[parts == part].sum() for part in pairs[0] if number[part] == 1] for mask, pairs in zip((white, blue), inside)]
    return [2 * np.sqrt(np.array(size) / np.pi) for size in sizes]


first = 2 * np.sqrt(agar(photos[plates['file'][0]]).sum() / np.pi)
sizes = [[90 / first * size for size in diameters(photos[name])] for name in plates['file']]
print(*(f'{np.concatenate([dish[colour] for dish in sizes]).mean():.2f}' for colour in (0, 1)))

# %% naive="literal" trap="the photo, not the dish, is taken to be 90 mm wide"
def diameters(photo):
    white, blue = colonies(photo)
    parts, _ = ndimage.label(ndimage.binary_dilation(white | blue))
    inside = [np.unique(np.stack([parts, cores(mask)])[:, cores(mask) > 0], axis=1) for mask in (white, blue)]
    number = np.bincount(np.concatenate([pairs[0] for pairs in inside]), minlength=parts.max() + 1)
    sizes = [[mask[parts == part].sum() for part in pairs[0] if number[part] == 1] for mask, pairs in zip((white, blue), inside)]
    return [2 * np.sqrt(np.array(size) / np.pi) for size in sizes]


sizes = [[90 / 260 * size for size in diameters(photos[name])] for name in plates['file']]
print(*(f'{np.concatenate([dish[colour] for dish in sizes]).mean():.2f}' for colour in (0, 1)))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw all rows of `plates` as points: the number of colonies (both colours) over what was plated (`ml` times `dilution`), both axes logarithmic, one colour for each `sample` with its name in a legend, the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 4). Call `plt.show()`.
#
# Thought: With the right dilutions the points of a sample lie near a line of slope 1.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将 `plates` 的所有行画成散点：纵轴为菌落数（两种颜色合计），横轴为接种量（`ml` 乘 `dilution`），两轴均为对数轴，每个 `sample` 用一种颜色，图例中写其名称，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 稀释度改正后，同一样品的点靠近斜率为 1 的直线。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
for key, rows in plates.groupby('sample'):
    plt.scatter(plated[rows.index], total[rows.index], label=key)
plt.xscale('log')
plt.yscale('log')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.legend()
plt.show()
