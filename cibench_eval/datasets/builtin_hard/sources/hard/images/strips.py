# ---
# jupyter:
#   instances:
#     pigs: {seed: 5, best: g, farm: pig farm}
#     maize: {seed: 44, best: b, farm: maize farm}
#   varied:
#     seed: {between: [1, 1000000]}
#     best: {pick: [g, b]}
#     farm: {pick: [pig farm, dairy farm, fruit farm]}
#   words:
#     title: {en: Standards, cn: 标准样}
#     x_label: {en: mg nitrate per litre, cn: 硝酸盐（毫克每升）}
#     y_label: {en: Absorbance, cn: 吸光度}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Test strips for nitrate were photographed in racks: `{{ data }}/rack_1.png` to `{{ data }}/rack_5.png`. `{{ data }}/strips.csv` lists the strips, and `{{ data }}/notes.txt` says how to read all of it.
# Make a DataFrame `strips` with one row for each strip, sorted by `strip`. Its columns are `strip`, `photo`, `place`, `brook`, `site` (all as in the list) and `nitrate` (float, in mg nitrate per litre: what is known to be in the water, NaN where it is not known).
#
# Thought: Bring nitrogen and micrograms to nitrate in milligrams, and keep the later row of a strip.

# %% [markdown] lang="cn"
# 硝酸盐试纸条分架拍照：`{{ data }}/rack_1.png` 到 `{{ data }}/rack_5.png`。`{{ data }}/strips.csv` 是试纸条清单，`{{ data }}/notes.txt` 说明了如何理解这些内容。
# 生成 DataFrame `strips`，每条试纸占一行，按 `strip` 排序，列为 `strip`、`photo`、`place`、`brook`、`site`（均同清单）和 `nitrate`（浮点数，单位为每升毫克硝酸盐：已知的水中含量，未知则为 NaN）。
#
# Thought: 把氮和微克换算成毫克硝酸盐，同一试纸条保留后面的一行。

# %%
import numpy as np
import pandas as pd
from PIL import Image

strips = pd.read_csv('{{ data }}/strips.csv', encoding='utf-8').drop_duplicates('strip', keep='last')
amount = strips['standard'].str.extract(r'^([\d.]+)')[0].astype(float)
micro = strips['standard'].str.contains('µg', na=False)
nitrogen = strips['standard'].str.endswith('NO3-N', na=False)
strips['nitrate'] = amount * np.where(micro, 0.001, 1) * np.where(nitrogen, 4.43, 1)
strips = strips[['strip', 'photo', 'place', 'brook', 'site', 'nitrate']].sort_values('strip').reset_index(drop=True)

# %% naive="careless" trap="nitrogen is taken for nitrate"
import numpy as np
import pandas as pd
from PIL import Image

strips = pd.read_csv('{{ data }}/strips.csv', encoding='utf-8').drop_duplicates('strip', keep='last')
amount = strips['standard'].str.extract(r'^([\d.]+)')[0].astype(float)
micro = strips['standard'].str.contains('µg', na=False)
strips['nitrate'] = amount * np.where(micro, 0.001, 1)
strips = strips[['strip', 'photo', 'place', 'brook', 'site', 'nitrate']].sort_values('strip').reset_index(drop=True)

# %% naive="literal" trap="of a strip that is listed twice the first row is kept"
import numpy as np
import pandas as pd
from PIL import Image

strips = pd.read_csv('{{ data }}/strips.csv', encoding='utf-8').drop_duplicates('strip')
amount = strips['standard'].str.extract(r'^([\d.]+)')[0].astype(float)
micro = strips['standard'].str.contains('µg', na=False)
nitrogen = strips['standard'].str.endswith('NO3-N', na=False)
strips['nitrate'] = amount * np.where(micro, 0.001, 1) * np.where(nitrogen, 4.43, 1)
strips = strips[['strip', 'photo', 'place', 'brook', 'site', 'nitrate']].sort_values('strip').reset_index(drop=True)

# %% [markdown] kind="exec" modules="numpy & PIL" tolerance=0.05
# Read the test pads off the photos. Add to `strips` the columns `r`, `g` and `b` (floats): in each channel of RGB, the mean of the test pad divided by the mean of the white plastic beside it. A deviation of 3 percent does no harm.
#
# Thought: Turn each photo so that the black square is at the upper left; a strip's own plastic takes out lamp and shadow.

# %% [markdown] lang="cn"
# 从照片读取测试垫。在 `strips` 中加入 `r`、`g`、`b` 三列（浮点数）：RGB 各通道中测试垫的均值除以其旁边白色塑料的均值。偏差 3% 无妨。
#
# Thought: 将每张照片转到黑色方块位于左上角；用试纸条自身的塑料消除灯光和阴影的影响。

# %%
def upright(photo):
    pixels = np.array(Image.open(f'{{ data }}/{photo}.png').convert('RGB')).astype(float)
    views = [pixels, pixels[:, ::-1], pixels[::-1], pixels[::-1, ::-1]]
    return min(views, key=lambda view: view[:18, :18].sum(axis=2).min())


def ratios(pixels):
    """For each place: the test pad and the control pad by the plastic beside them."""
    bright = pixels[58:68, :, 1].mean(axis=0) > 75
    result = []
    for left in np.flatnonzero(np.diff(bright.astype(int)) == 1) + 1:
        top = np.flatnonzero(pixels[:, left + 2, 1] > 75).min()
        pads = []
        for down in (18, 62):
            rows = pixels[top + down + 3 : top + down + 19]
            beside = np.concatenate([rows[:, left + 1 : left + 4], rows[:, left + 20 : left + 23]], axis=1)
            pads.append(rows[:, left + 8 : left + 16].mean(axis=(0, 1)) / beside.mean(axis=(0, 1)))
        result.append(pads)
    return np.array(result)


photos = {photo: upright(photo) for photo in strips['photo'].unique()}
racks = {photo: ratios(pixels) for photo, pixels in photos.items()}
pads = np.array([racks[photo][place - 1] for photo, place in zip(strips['photo'], strips['place'])])
strips[['r', 'g', 'b']] = pads[:, 0]

# %% naive="careless" trap="photos that are turned or mirrored are read as they are"
def upright(photo):
    return np.array(Image.open(f'{{ data }}/{photo}.png').convert('RGB')).astype(float)


def ratios(pixels):
    bright = pixels[58:68, :, 1].mean(axis=0) > 75
    result = []
    for left in np.flatnonzero(np.diff(bright.astype(int)) == 1) + 1:
        top = np.flatnonzero(pixels[:, left + 2, 1] > 75).min()
        pads = []
        for down in (18, 62):
            rows = pixels[top + down + 3 : top + down + 19]
            beside = np.concatenate([rows[:, left + 1 : left + 4], rows[:, left + 20 : left + 23]], axis=1)
            pads.append(rows[:, left + 8 : left + 16].mean(axis=(0, 1)) / beside.mean(axis=(0, 1)))
        result.append(pads)
    return np.array(result)


photos = {photo: upright(photo) for photo in strips['photo'].unique()}
racks = {photo: ratios(pixels) for photo, pixels in photos.items()}
pads = np.array([racks[photo][place - 1] for photo, place in zip(strips['photo'], strips['place'])])
strips[['r', 'g', 'b']] = pads[:, 0]

# %% naive="literal" trap="one white for the whole photo, whatever the shadow"
def upright(photo):
    pixels = np.array(Image.open(f'{{ data }}/{photo}.png').convert('RGB')).astype(float)
    views = [pixels, pixels[:, ::-1], pixels[::-1], pixels[::-1, ::-1]]
    return min(views, key=lambda view: view[:18, :18].sum(axis=2).min())


def ratios(pixels):
    bright = pixels[58:68, :, 1].mean(axis=0) > 75
    white = pixels[58:68].max(axis=(0, 1))
    result = []
    for left in np.flatnonzero(np.diff(bright.astype(int)) == 1) + 1:
        top = np.flatnonzero(pixels[:, left + 2, 1] > 75).min()
        pads = []
        for down in (18, 62):
            rows = pixels[top + down + 3 : top + down + 19]
            pads.append(rows[:, left + 8 : left + 16].mean(axis=(0, 1)) / white)
        result.append(pads)
    return np.array(result)


photos = {photo: upright(photo) for photo in strips['photo'].unique()}
racks = {photo: ratios(pixels) for photo, pixels in photos.items()}
pads = np.array([racks[photo][place - 1] for photo, place in zip(strips['photo'], strips['place'])])
strips[['r', 'g', 'b']] = pads[:, 0]

# %% naive="shortcut" trap="a mirrored photo is read as it is, one head down is turned"
def upright(photo):
    pixels = np.array(Image.open(f'{{ data }}/{photo}.png').convert('RGB')).astype(float)
    if pixels[:18, :18].sum(axis=2).min() > pixels[-18:, -18:].sum(axis=2).min():
        return pixels[::-1, ::-1]
    return pixels


def ratios(pixels):
    bright = pixels[58:68, :, 1].mean(axis=0) > 75
    result = []
    for left in np.flatnonzero(np.diff(bright.astype(int)) == 1) + 1:
        top = np.flatnonzero(pixels[:, left + 2, 1] > 75).min()
        pads = []
        for down in (18, 62):
            rows = pixels[top + down + 3 : top + down + 19]
            beside = np.concatenate([rows[:, left + 1 : left + 4], rows[:, left + 20 : left + 23]], axis=1)
            pads.append(rows[:, left + 8 : left + 16].mean(axis=(0, 1)) / beside.mean(axis=(0, 1)))
        result.append(pads)
    return np.array(result)


photos = {photo: upright(photo) for photo in strips['photo'].unique()}
racks = {photo: ratios(pixels) for photo, pixels in photos.items()}
pads = np.array([racks[photo][place - 1] for photo, place in zip(strips['photo'], strips['place'])])
strips[['r', 'g', 'b']] = pads[:, 0]

# %% [markdown] kind="text" list="true" modules="numpy & pandas" answer="list[text]"
# Print the names (`S` and two digits) of all spoiled strips, in alphabetical order, on one line, separated by `, `.
#
# Thought: A white control pad is as bright as the plastic beside it.

# %% [markdown] lang="cn"
# 按字母顺序，在同一行打印所有失效试纸条的名称（`S` 加两位数字），用 `, ` 分隔。
#
# Thought: 白色的对照垫与旁边的塑料一样亮。

# %%
spoiled = pads[:, 1].min(axis=1) > 0.8
answer = list(strips.loc[spoiled, 'strip'])
print(', '.join(answer))

# %% naive="shortcut" trap="the palest test pads are taken for the spoiled ones"
spoiled = pads[:, 1].min(axis=1) > 0.8
pale = strips['{{ best }}'].rank(ascending=False) <= spoiled.sum()
print(', '.join(strips.loc[pale, 'strip']))

# %% [markdown] kind="num" modules="numpy" tolerance=0.024 answer="[count, real(5)]"
# The absorbance is −log10 of such a ratio. One of the three channels follows nitrate in a straight line. For that channel, fit the least squares line of the absorbance over `nitrate` to the standards that can be used, and print the number of these standards and the slope, in 1 per (mg per litre) with 5 decimal places, on one line, separated by a space.
#
# Thought: One channel says nothing and one is bent; a spoiled strip cannot be used.

# %% [markdown] lang="cn"
# 吸光度是上述比值的 −log10。三个通道中有一个的吸光度与硝酸盐含量成直线关系。对该通道，用可用的标准样拟合吸光度对 `nitrate` 的最小二乘直线，在同一行打印这些标准样的个数和斜率（单位为 1/(毫克每升)，保留 5 位小数），用空格分隔。
#
# Thought: 一个通道不含信息，一个是弯曲的；失效的试纸条不能用。

# %%
usable = strips['nitrate'].notna() & ~spoiled
absorbance = -np.log10(strips[['r', 'g', 'b']])
fits = {}
for channel in 'rgb':
    r_squared = np.corrcoef(strips.loc[usable, 'nitrate'], absorbance.loc[usable, channel])[0, 1] ** 2
    fits[channel] = r_squared, *np.polyfit(strips.loc[usable, 'nitrate'], absorbance.loc[usable, channel], 1)
straight = max(fits, key=fits.get)
r_squared, slope, intercept = fits[straight]
answer = [usable.sum(), slope]
print(f'{answer[0]} {answer[1]:.5f}')

# %% naive="careless literal shortcut" trap="spoiled strips take part in the fit"
usable = strips['nitrate'].notna()
absorbance = -np.log10(strips[['r', 'g', 'b']])
fits = {}
for channel in 'rgb':
    r_squared = np.corrcoef(strips.loc[usable, 'nitrate'], absorbance.loc[usable, channel])[0, 1] ** 2
    fits[channel] = r_squared, *np.polyfit(strips.loc[usable, 'nitrate'], absorbance.loc[usable, channel], 1)
straight = max(fits, key=fits.get)
r_squared, slope, intercept = fits[straight]
print(f'{usable.sum()} {slope:.5f}')

# %% [markdown] kind="num" modules="numpy & pandas" held_out="nitrate" metric="mae" bound="2.0"
# Predict the nitrate, in mg per litre, of all samples from brooks whose strip is not spoiled. Print the predictions in the order of `strips`, one a line, with 2 decimal places. Their mean absolute error has to be at most 2 mg per litre.
#
# Thought: Read the line backwards.

# %% [markdown] lang="cn"
# 预测所有试纸条未失效的溪水样品的硝酸盐含量（每升毫克）。按 `strips` 的顺序打印预测值，每行一个，保留 2 位小数。平均绝对误差不得超过每升 2 毫克。
#
# Thought: 由直线反推。

# %%
predictions = (absorbance[straight] - intercept) / slope
samples = strips.assign(predicted=predictions)[strips['brook'].notna() & ~spoiled]
for value in samples['predicted']:
    print(f'{value:.2f}')

# %% naive="shortcut" trap="the reader fits the standards well, but it repeats old values of the samples"
listed = pd.read_csv('{{ data }}/strips.csv', encoding='utf-8').drop_duplicates('strip', keep='last')
predictions = strips['strip'].map(dict(zip(listed['strip'], listed['reader'])))
samples = strips.assign(predicted=predictions)[strips['brook'].notna() & ~spoiled]
for value in samples['predicted']:
    print(f'{value:.2f}')

# %% naive="careless literal" trap="the brightness is taken for what the water holds, whatever the lamp"
bright = []
for photo, place in zip(strips['photo'], strips['place']):
    left = 28 + 34 * (place - 1)
    bright.append(photos[photo][36:50, left : left + 8].mean(axis=(0, 1)))
bright = np.array(bright)
known = strips['nitrate'].notna().values
design = np.column_stack([bright, np.ones(len(bright))])
weights = np.linalg.lstsq(design[known], strips.loc[known, 'nitrate'], rcond=None)[0]
predictions = design @ weights
samples = strips.assign(predicted=predictions)[strips['brook'].notna() & ~spoiled]
for value in samples['predicted']:
    print(f'{value:.2f}')

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# By these predictions, which brooks pass the limit for drinking water on their way past the {{ farm }}: not over it above, over it below? Leave out a brook with a spoiled strip. Print their names in alphabetical order, on one line, separated by `, `.
#
# Thought: Lay above and below side by side; a brook lacks a side where a strip is spoiled.

# %% [markdown] lang="cn"
# 按这些预测，哪些小溪在流经农场（{{ farm }}）时越过饮用水限值，即上游不超过、下游超过？有失效试纸条的小溪不计。按字母顺序在同一行打印其名称，用 `, ` 分隔。
#
# Thought: 把上游与下游并排；有失效试纸条的小溪缺一侧。

# %%
sides = samples.pivot(index='brook', columns='site', values='predicted').dropna()
over = (sides['above'] <= 50) & (sides['below'] > 50)
answer = list(sides.index[over])
print(', '.join(answer))

# %% naive="careless literal shortcut" trap="spoiled strips are believed"
sides = strips.assign(predicted=predictions)[strips['brook'].notna()]
sides = sides.pivot(index='brook', columns='site', values='predicted')
over = (sides['above'] <= 50) & (sides['below'] > 50)
print(', '.join(sides.index[over]))

# %% [markdown] kind="num" modules="scipy" answer="[count, count, real(relative=0.005)]"
# Does the water change on its way past the {{ farm }}? Take the brooks with two good strips and one of `kruskal`, `ks_2samp`, `mannwhitneyu` and `wilcoxon` of `scipy.stats`, two-sided, as scipy does it by default. Print the number of brooks, how many of them have more nitrate below, and the p-value with 3 significant digits, on one line, separated by spaces.
#
# Thought: Above and below belong to one brook, so the differences are tested.

# %% [markdown] lang="cn"
# 溪水流经农场（{{ farm }}）时是否有变化？取两条试纸都有效的小溪，从 `scipy.stats` 的 `kruskal`、`ks_2samp`、`mannwhitneyu`、`wilcoxon` 中选用一个，双侧，按 scipy 默认设置。在同一行打印小溪数、其中下游硝酸盐更高的小溪数和 p 值（保留 3 位有效数字），用空格分隔。
#
# Thought: 上游与下游属于同一条小溪，所以检验的是差值。

# %%
from scipy import stats

result = stats.wilcoxon(sides['below'], sides['above'])
answer = [len(sides), (sides['below'] > sides['above']).sum(), result.pvalue]
print(answer[0], answer[1], f'{answer[2]:.3g}')

# %% naive="careless literal shortcut" trap="two samples of the same brooks are tested as if they were apart"
from scipy import stats

result = stats.mannwhitneyu(sides['below'], sides['above'])
print(len(sides), (sides['below'] > sides['above']).sum(), f'{result.pvalue:.3g}')

# %% [markdown] kind="vis" modules="matplotlib" tolerance=0.03
# Draw the absorbance of the straight channel over `nitrate` for the standards that can be used, as points in `crimson`, with the title `{{ title }}`, the x label `{{ x_label }}` and the y label `{{ y_label }}`, figure size (6, 4), and call `plt.show()`.
#
# Thought: The points lie on the line that was fitted.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 对可用的标准样，以 `nitrate` 为横坐标，将成直线关系的通道的吸光度画成 `crimson` 色的散点，标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (6, 4)，最后调用 `plt.show()`。
#
# Thought: 各点落在拟合的直线上。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(6, 4))
plt.scatter(strips.loc[usable, 'nitrate'], absorbance.loc[usable, straight], color='crimson')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()
