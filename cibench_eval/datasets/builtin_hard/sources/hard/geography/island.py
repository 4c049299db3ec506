# ---
# jupyter:
#   instances:
#     hesk: {seed: 3, name: Hesk, lat: 61, lon: -8, rise: 4}
#     torra: {seed: 29, name: Torra, lat: -56, lon: 71, rise: 3}
#   varied:
#     seed: {between: [1, 1000000]}
#     name: {pick: [Hesk, Torra, Oluna]}
#     lat: {pick: [58, 61, 66, -56, -62]}
#     lon: {pick: [-8, 71, -44, 23]}
#     rise: {pick: [3, 4, 5]}
#   words:
#     title: {en: 'The sea {{ rise }} m higher', cn: '海面升高 {{ rise }} 米'}
#     x_label: {en: Longitude, cn: 经度}
#     y_label: {en: Latitude, cn: 纬度}
# ---

# %% [markdown] kind="exec" modules="numpy"
# The files in `{{ data }}/` are about the island of {{ name }}. What is in them is said in `{{ data }}/notes.txt`.
# Make a 2-dimensional array `height` of floats of `{{ data }}/heights.asc`: metres above the sea, the first row in the north, the first column in the west, NaN for water.
#
# Thought: The file begins in the south and has decimetres; each gap on land gets the mean of its four neighbours.

# %% [markdown] lang="cn"
# `{{ data }}/` 中的文件记录了 {{ name }} 岛的情况，文件内容的说明见 `{{ data }}/notes.txt`。
# 由 `{{ data }}/heights.asc` 生成二维浮点数组 `height`：海拔高度（米），第一行在最北，第一列在最西，水域为 NaN。
#
# Thought: 文件从南边开始，单位是分米；陆地上的空缺取四个邻格的平均。

# %%
import numpy as np

with open('{{ data }}/heights.asc') as file:
    header = dict(file.readline().split() for _ in range(6))
raw = np.loadtxt('{{ data }}/heights.asc', skiprows=6)[::-1]
height = np.where(raw == -9999, np.nan, raw / 10)
gaps = np.argwhere(raw == -8888)
for i, j in gaps:
    height[i, j] = (height[i - 1, j] + height[i + 1, j] + height[i, j - 1] + height[i, j + 1]) / 4

# %% naive="careless" trap="the first row of the file is taken for the northernmost"
import numpy as np

with open('{{ data }}/heights.asc') as file:
    header = dict(file.readline().split() for _ in range(6))
raw = np.loadtxt('{{ data }}/heights.asc', skiprows=6)
height = np.where(raw == -9999, np.nan, raw / 10)
gaps = np.argwhere(raw == -8888)
for i, j in gaps:
    height[i, j] = (height[i - 1, j] + height[i + 1, j] + height[i, j - 1] + height[i, j + 1]) / 4

# %% naive="literal" trap="decimetres are taken for metres"
import numpy as np

with open('{{ data }}/heights.asc') as file:
    header = dict(file.readline().split() for _ in range(6))
raw = np.loadtxt('{{ data }}/heights.asc', skiprows=6)[::-1]
height = np.where(raw == -9999, np.nan, raw)
gaps = np.argwhere(raw == -8888)
for i, j in gaps:
    height[i, j] = (height[i - 1, j] + height[i + 1, j] + height[i, j - 1] + height[i, j + 1]) / 4

# %% naive="shortcut" trap="land that was not measured becomes water"
import numpy as np

with open('{{ data }}/heights.asc') as file:
    header = dict(file.readline().split() for _ in range(6))
raw = np.loadtxt('{{ data }}/heights.asc', skiprows=6)[::-1]
height = np.where(raw < -8000, np.nan, raw / 10)

# %% [markdown] kind="num" modules="numpy" answer="[count, real(1), real(3), real(3)]"
# Print the number of cells of land, the height of the highest cell in m with 1 decimal place, and the latitude and the longitude of its centre in degrees with 3 decimal places, on one line, separated by spaces.
#
# Thought: The corner in the header is that of the south-western cell, half a cell from its centre.

# %% [markdown] lang="cn"
# 在同一行打印：陆地格子的数目、最高格子的高度（以米计，保留 1 位小数）及其中心的纬度和经度（以度计，保留 3 位小数），用空格分隔。
#
# Thought: 文件头中的角点是西南角格子的角，距格子中心半格。

# %%
size, west, south = float(header['cellsize']), float(header['xllcorner']), float(header['yllcorner'])
rows, columns = height.shape
lats = south + (rows - 0.5 - np.arange(rows)) * size
lons = west + (np.arange(columns) + 0.5) * size
land = ~np.isnan(height)
i, j = np.unravel_index(np.nanargmax(height), height.shape)
answer = [land.sum(), height[i, j], lats[i], lons[j]]
print(answer[0], f'{answer[1]:.1f} {answer[2]:.3f} {answer[3]:.3f}')

# %% naive="literal shortcut" trap="the corner of a cell is taken for its centre"
size, west, south = float(header['cellsize']), float(header['xllcorner']), float(header['yllcorner'])
rows, columns = height.shape
lats = south + (rows - 0.5 - np.arange(rows)) * size
lons = west + (np.arange(columns) + 0.5) * size
land = ~np.isnan(height)
i, j = np.unravel_index(np.nanargmax(height), height.shape)
print(land.sum(), f'{height[i, j]:.1f} {lats[i] - size / 2:.3f} {lons[j] - size / 2:.3f}')

# %% [markdown] kind="exec" modules="numpy"
# Make a 2-dimensional array `cover` of the land cover in `{{ data }}/cover.png`: for each pixel that lies in the area of `height` the number of its class in the notes, the first row in the north, the first column in the west.
#
# Thought: Each pixel has the class of the nearest colour; the margins follow from the degrees in the notes.

# %% [markdown] lang="cn"
# 由 `{{ data }}/cover.png` 中的土地覆盖生成二维数组 `cover`：`height` 范围内的每个像素取说明文件中其类别的编号，第一行在最北，第一列在最西。
#
# Thought: 每个像素取颜色最近的类别；四周边距由说明中的度数得出。

# %%
import re

from PIL import Image

with open('{{ data }}/notes.txt', encoding='utf-8') as file:
    notes = file.read()
legend = np.array([[int(part) for part in one] for one in re.findall(r'\((\d+), (\d+), (\d+)\)', notes)])
edges = re.search(r'from ([-\d.]+) to ([-\d.]+) degrees of longitude and from\s+([-\d.]+) to ([-\d.]+)', notes)
picture_west, picture_east, picture_south, picture_north = map(float, edges.groups())
picture = np.array(Image.open('{{ data }}/cover.png').convert('RGB')).astype(int)
nearest = ((picture[:, :, None] - legend) ** 2).sum(axis=3).argmin(axis=2)
pixel = (picture_east - picture_west) / picture.shape[1]
top, left = round((picture_north - south - rows * size) / pixel), round((west - picture_west) / pixel)
fine = round(size / pixel)
cover = nearest[top:top + fine * rows, left:left + fine * columns]

# %% naive="careless" trap="the upper left corner of the picture is taken for that of the grid"
import re

from PIL import Image

with open('{{ data }}/notes.txt', encoding='utf-8') as file:
    notes = file.read()
legend = np.array([[int(part) for part in one] for one in re.findall(r'\((\d+), (\d+), (\d+)\)', notes)])
edges = re.search(r'from ([-\d.]+) to ([-\d.]+) degrees of longitude and from\s+([-\d.]+) to ([-\d.]+)', notes)
picture_west, picture_east, picture_south, picture_north = map(float, edges.groups())
picture = np.array(Image.open('{{ data }}/cover.png').convert('RGB')).astype(int)
nearest = ((picture[:, :, None] - legend) ** 2).sum(axis=3).argmin(axis=2)
pixel = (picture_east - picture_west) / picture.shape[1]
top, left = round((picture_north - south - rows * size) / pixel), round((west - picture_west) / pixel)
fine = round(size / pixel)
cover = nearest[:fine * rows, :fine * columns]

# %% naive="literal" trap="only pixels that have a colour of the legend to the digit get its class"
import re

from PIL import Image

with open('{{ data }}/notes.txt', encoding='utf-8') as file:
    notes = file.read()
legend = np.array([[int(part) for part in one] for one in re.findall(r'\((\d+), (\d+), (\d+)\)', notes)])
edges = re.search(r'from ([-\d.]+) to ([-\d.]+) degrees of longitude and from\s+([-\d.]+) to ([-\d.]+)', notes)
picture_west, picture_east, picture_south, picture_north = map(float, edges.groups())
picture = np.array(Image.open('{{ data }}/cover.png').convert('RGB')).astype(int)
nearest = ((picture[:, :, None] - legend) ** 2).sum(axis=3)
nearest = np.where((nearest == 0).any(axis=2), nearest.argmin(axis=2), 0)
pixel = (picture_east - picture_west) / picture.shape[1]
top, left = round((picture_north - south - rows * size) / pixel), round((west - picture_west) / pixel)
fine = round(size / pixel)
cover = nearest[top:top + fine * rows, left:left + fine * columns]

# %% naive="shortcut" trap="the margins are taken to be equal on opposite sides"
import re

from PIL import Image

with open('{{ data }}/notes.txt', encoding='utf-8') as file:
    notes = file.read()
legend = np.array([[int(part) for part in one] for one in re.findall(r'\((\d+), (\d+), (\d+)\)', notes)])
edges = re.search(r'from ([-\d.]+) to ([-\d.]+) degrees of longitude and from\s+([-\d.]+) to ([-\d.]+)', notes)
picture_west, picture_east, picture_south, picture_north = map(float, edges.groups())
picture = np.array(Image.open('{{ data }}/cover.png').convert('RGB')).astype(int)
nearest = ((picture[:, :, None] - legend) ** 2).sum(axis=3).argmin(axis=2)
pixel = (picture_east - picture_west) / picture.shape[1]
top, left = round((picture_north - south - rows * size) / pixel), round((west - picture_west) / pixel)
fine = round(size / pixel)
top, left = (picture.shape[0] - fine * rows) // 2, (picture.shape[1] - fine * columns) // 2
cover = nearest[top:top + fine * rows, left:left + fine * columns]

# %% [markdown] kind="num" modules="numpy" answer="table[real(1)]"
# Print the area of each class of `cover` but water in km², each on a line of its own, as `class: area` with 1 decimal place, with the names and in the order of the notes.
#
# Thought: Pixels become narrower towards the pole, so each row has an area of its own.

# %% [markdown] lang="cn"
# 每行打印 `cover` 中一个类别（水域除外）的面积（以 km² 计），格式为 `class: area`，保留 1 位小数，类别用说明文件中的名称和顺序。
#
# Thought: 像素越近极点越窄，所以每一行的面积各不相同。

# %%
names = ['water', 'field', 'forest', 'moor', 'rock']
fine_lats = south + rows * size - (np.arange(len(cover)) + 0.5) * pixel
area = (111.2 * pixel) ** 2 * np.cos(np.radians(fine_lats))
areas = [((cover == k).sum(axis=1) * area).sum() for k in range(5)]
answer = {names[k]: areas[k] for k in range(1, 5)}
for name, value in answer.items():
    print(f'{name}: {value:.1f}')

# %% naive="careless" trap="all pixels are squares"
names = ['water', 'field', 'forest', 'moor', 'rock']
fine_lats = south + rows * size - (np.arange(len(cover)) + 0.5) * pixel
area = (111.2 * pixel) ** 2 * np.ones(len(cover))
areas = [((cover == k).sum(axis=1) * area).sum() for k in range(5)]
for k in range(1, 5):
    print(f'{names[k]}: {areas[k]:.1f}')

# %% naive="literal" trap="one latitude, that of the corner, holds for all pixels"
names = ['water', 'field', 'forest', 'moor', 'rock']
fine_lats = south + rows * size - (np.arange(len(cover)) + 0.5) * pixel
area = (111.2 * pixel) ** 2 * np.cos(np.radians(south)) * np.ones(len(cover))
areas = [((cover == k).sum(axis=1) * area).sum() for k in range(5)]
for k in range(1, 5):
    print(f'{names[k]}: {areas[k]:.1f}')

# %% naive="shortcut" trap="one cosine, that of the middle latitude, holds for all rows"
names = ['water', 'field', 'forest', 'moor', 'rock']
fine_lats = south + rows * size - (np.arange(len(cover)) + 0.5) * pixel
area = (111.2 * pixel) ** 2 * np.cos(np.radians(fine_lats.mean())) * np.ones(len(cover))
areas = [((cover == k).sum(axis=1) * area).sum() for k in range(5)]
for k in range(1, 5):
    print(f'{names[k]}: {areas[k]:.1f}')

# %% [markdown] kind="num" modules="scipy" answer="[count, real(1)]"
# The sea rises by {{ rise }} m. It covers all land to a height of {{ rise }} m that it can reach. A colleague finds that land with this code:
#
#     print((height <= {{ rise }}).sum())
#
# Its result is not right. Make an array `flooded` of bool with the shape of `height`, true for the cells of land that the sea will cover. Print their number and their area in km² with 1 decimal place, on one line, separated by a space.
#
# Thought: Low land behind higher ground stays dry, so does the shore of a lake and what the sea touches at a corner.

# %% [markdown] lang="cn"
# 海面升高 {{ rise }} 米，会淹没它所能到达的、高度不超过 {{ rise }} 米的所有陆地。一位同事用下面的代码找这些陆地：
#
#     print((height <= {{ rise }}).sum())
#
# 其结果不对。生成与 `height` 形状相同的布尔数组 `flooded`，将被海水淹没的陆地格子为真。在同一行打印这些格子的数目和面积（以 km² 计，保留 1 位小数），用空格分隔。
#
# Thought: 被高地挡住的低地不会被淹，湖岸和只在角上与海相接的地方也不会。

# %%
from scipy import ndimage

way = np.isnan(height) | (height <= {{ rise }})
parts, _ = ndimage.label(way)
flooded = (parts == parts[0, 0]) & land
cell_area = (111.2 * size) ** 2 * np.cos(np.radians(lats))
answer = [flooded.sum(), (flooded.sum(axis=1) * cell_area).sum()]
print(answer[0], f'{answer[1]:.1f}')

# %% naive="careless" trap="all low land is flooded, also behind higher ground"
from scipy import ndimage

way = np.isnan(height) | (height <= {{ rise }})
parts, _ = ndimage.label(way)
flooded = (height <= {{ rise }}) & land
cell_area = (111.2 * size) ** 2 * np.cos(np.radians(lats))
print(flooded.sum(), f'{(flooded.sum(axis=1) * cell_area).sum():.1f}')

# %% naive="literal" trap="water flows over corners"
from scipy import ndimage

way = np.isnan(height) | (height <= {{ rise }})
parts, _ = ndimage.label(way, np.ones((3, 3)))
flooded = (parts == parts[0, 0]) & land
cell_area = (111.2 * size) ** 2 * np.cos(np.radians(lats))
print(flooded.sum(), f'{(flooded.sum(axis=1) * cell_area).sum():.1f}')

# %% naive="shortcut" trap="lakes are taken for the sea"
from scipy import ndimage

way = np.isnan(height) | (height <= {{ rise }})
parts, _ = ndimage.label(way)
flooded = np.isin(parts, parts[np.isnan(height)]) & land
cell_area = (111.2 * size) ** 2 * np.cos(np.radians(lats))
print(flooded.sum(), f'{(flooded.sum(axis=1) * cell_area).sum():.1f}')

# %% [markdown] kind="vis" modules="matplotlib"
# Draw an image of the grid of heights with 0 for water, 1 for land that stays dry and 2 for land in `flooded`, the north at the top, the west on the left, the axes in degrees from edge to edge of the grid. Title `{{ title }}`, x label `{{ x_label }}`, y label `{{ y_label }}`, figure size (7, 5). Call `plt.show()`.
#
# Thought: The extent of the image is that of the grid, and its first row is in the north.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将高度网格画成图像：水域为 0，仍为干地的陆地为 1，`flooded` 中的陆地为 2，上北左西，坐标轴以度为单位，从网格边缘到边缘。标题 `{{ title }}`，横轴标签 `{{ x_label }}`，纵轴标签 `{{ y_label }}`，图像大小 (7, 5)，最后调用 `plt.show()`。
#
# Thought: 图像的范围就是网格的范围，第一行在最北。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 5))
extent = [west, west + columns * size, south, south + rows * size]
plt.imshow(np.where(land, 1 + flooded, 0), extent=extent, aspect='auto')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% naive="literal" trap="the first row is drawn at the bottom"
import matplotlib.pyplot as plt

plt.figure(figsize=(7, 5))
extent = [west, west + columns * size, south, south + rows * size]
plt.imshow(np.where(land, 1 + flooded, 0), extent=extent, aspect='auto', origin='lower')
plt.title('{{ title }}')
plt.xlabel('{{ x_label }}')
plt.ylabel('{{ y_label }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="numpy" answer="list[text]"
# Print the names of the towns of `{{ data }}/towns.csv` that lie in a cell of `flooded`, in alphabetical order, on one line, separated by `, `.
#
# Thought: Minutes are sixtieths, south and west are negative, and rows count from the north.

# %% [markdown] lang="cn"
# 按字母顺序在同一行打印 `{{ data }}/towns.csv` 中位于 `flooded` 格子内的城镇名称，用 `, ` 分隔。
#
# Thought: 分是六十分之一度，南纬和西经为负，行从北边数起。

# %%
import csv

def degrees(text):
    whole, rest = text[:-1].rstrip("'").split('°')
    return (int(whole) + float(rest) / 60) * (-1 if text[-1] in 'SW' else 1)

with open('{{ data }}/towns.csv', encoding='utf-8') as file:
    towns = list(csv.DictReader(file))
under = []
for town in towns:
    i = int((south + rows * size - degrees(town['latitude'])) / size)
    j = int((degrees(town['longitude']) - west) / size)
    if flooded[i, j]:
        under.append(town['town'])
answer = sorted(under)
print(', '.join(answer))

# %% naive="careless" trap="rows are counted from the south"
import csv

def degrees(text):
    whole, rest = text[:-1].rstrip("'").split('°')
    return (int(whole) + float(rest) / 60) * (-1 if text[-1] in 'SW' else 1)

with open('{{ data }}/towns.csv', encoding='utf-8') as file:
    towns = list(csv.DictReader(file))
under = []
for town in towns:
    i = int((degrees(town['latitude']) - south) / size)
    j = int((degrees(town['longitude']) - west) / size)
    if flooded[i, j]:
        under.append(town['town'])
print(', '.join(sorted(under)))

# %% naive="literal shortcut" trap="all towns on low land are flooded"
import csv

def degrees(text):
    whole, rest = text[:-1].rstrip("'").split('°')
    return (int(whole) + float(rest) / 60) * (-1 if text[-1] in 'SW' else 1)

with open('{{ data }}/towns.csv', encoding='utf-8') as file:
    towns = list(csv.DictReader(file))
under = []
for town in towns:
    i = int((south + rows * size - degrees(town['latitude'])) / size)
    j = int((degrees(town['longitude']) - west) / size)
    if height[i, j] <= {{ rise }}:
        under.append(town['town'])
print(', '.join(sorted(under)))

# %% [markdown] kind="num" modules="numpy" answer="[real(2), real(1)]"
# How good is the map? Take as land what is land in `cover`. Estimate without bias from the places of `{{ data }}/checks.csv` that were reached: the share of the area of the land that has the right class in `cover`, in percent with 2 decimal places, and the area that is moor in truth, in km² with 1 decimal place. Print both on one line, separated by a space.
#
# Thought: Each class had the same number of places, whatever its area, so shares within a class are weighted by its area.

# %% [markdown] lang="cn"
# 这张图有多准？以 `cover` 中的陆地为陆地。根据 `{{ data }}/checks.csv` 中已到达的地点作无偏估计：`cover` 中类别正确的面积占陆地面积的百分比（保留 2 位小数），以及实际为 moor 的面积（以 km² 计，保留 1 位小数）。在同一行打印这两个数，用空格分隔。
#
# Thought: 各类别的地点数相同而与面积无关，所以类别内的比例要按面积加权。

# %%
with open('{{ data }}/checks.csv', encoding='utf-8') as file:
    checks = list(csv.DictReader(file))
table = np.zeros((5, 5))
for check in checks:
    i = int((south + rows * size - float(check['lat'])) / pixel)
    j = int((float(check['lon']) - west) / pixel)
    if check['class'] != '?':
        table[cover[i, j], names.index(check['class'])] += 1
shares = table[1:] / np.maximum(table[1:].sum(axis=1, keepdims=True), 1)
mapped = np.array(areas[1:])
right = (mapped * np.diag(shares[:, 1:])).sum() / mapped.sum()
answer = [100 * right, (mapped * shares[:, 3]).sum()]
print(f'{answer[0]:.2f} {answer[1]:.1f}')

# %% naive="careless" trap="all places count the same, though classes of any area have as many"
with open('{{ data }}/checks.csv', encoding='utf-8') as file:
    checks = list(csv.DictReader(file))
table = np.zeros((5, 5))
for check in checks:
    i = int((south + rows * size - float(check['lat'])) / pixel)
    j = int((float(check['lon']) - west) / pixel)
    if check['class'] != '?':
        table[cover[i, j], names.index(check['class'])] += 1
shares = table[1:] / np.maximum(table[1:].sum(axis=1, keepdims=True), 1)
mapped = np.array(areas[1:])
right = np.trace(table) / table.sum()
print(f'{100 * right:.2f} {mapped.sum() * table[:, 3].sum() / table.sum():.1f}')

# %% naive="literal" trap="places that were not reached count as wrong"
with open('{{ data }}/checks.csv', encoding='utf-8') as file:
    checks = list(csv.DictReader(file))
table = np.zeros((5, 5))
for check in checks:
    i = int((south + rows * size - float(check['lat'])) / pixel)
    j = int((float(check['lon']) - west) / pixel)
    table[cover[i, j], names.index(check['class']) if check['class'] != '?' else 0] += 1
shares = table[1:] / np.maximum(table[1:].sum(axis=1, keepdims=True), 1)
mapped = np.array(areas[1:])
right = (mapped * np.diag(shares[:, 1:])).sum() / mapped.sum()
print(f'{100 * right:.2f} {(mapped * shares[:, 3]).sum():.1f}')

# %% naive="shortcut" trap="the area of moor is that of the map"
with open('{{ data }}/checks.csv', encoding='utf-8') as file:
    checks = list(csv.DictReader(file))
table = np.zeros((5, 5))
for check in checks:
    i = int((south + rows * size - float(check['lat'])) / pixel)
    j = int((float(check['lon']) - west) / pixel)
    if check['class'] != '?':
        table[cover[i, j], names.index(check['class'])] += 1
shares = table[1:] / np.maximum(table[1:].sum(axis=1, keepdims=True), 1)
mapped = np.array(areas[1:])
right = (mapped * np.diag(shares[:, 1:])).sum() / mapped.sum()
print(f'{100 * right:.2f} {mapped[2]:.1f}')

# %% [markdown] kind="num" modules="numpy" answer="[real(3), real(2)]"
# A colleague looks for steep land with this code:
#
#     slope = 100 * np.hypot(*np.gradient(height, 111200 * 0.05))
#     print(slope[slope > 0].mean(), slope[slope > 0].max())
#
# Its result is not right. The slope of a cell in percent is the length of the gradient of `height` there, by central differences. Take the cells of land whose four neighbours (those that share a side with it) are land. Print the mean of their slopes with 3 decimal places (each cell counts the same) and the steepest with 2 decimal places, on one line, separated by a space.
#
# Thought: Cells are narrower than they are high, row by row; where a gradient is a number, the neighbours are land.

# %% [markdown] lang="cn"
# 一位同事用下面的代码找陡坡：
#
#     slope = 100 * np.hypot(*np.gradient(height, 111200 * 0.05))
#     print(slope[slope > 0].mean(), slope[slope > 0].max())
#
# 其结果不对。一个格子的坡度（百分比）是 `height` 在该处的梯度的长度，用中心差分计算。取四个邻格（与其共边的格子）都是陆地的陆地格子。在同一行打印这些格子坡度的平均值（保留 3 位小数，每个格子同等计入）和最大值（保留 2 位小数），用空格分隔。
#
# Thought: 格子的宽小于高，且逐行不同；梯度为数值处邻格都是陆地。

# %%
down, across = np.gradient(height)
metres = 111200 * size
slope = 100 * np.hypot(down / metres, across / (metres * np.cos(np.radians(lats))[:, None]))
slope = slope[land & ~np.isnan(slope)]
answer = [slope.mean(), slope.max()]
print(f'{answer[0]:.3f} {answer[1]:.2f}')

# %% naive="careless literal" trap="cells are taken for squares"
down, across = np.gradient(height)
metres = 111200 * size
slope = 100 * np.hypot(down / metres, across / metres)
slope = slope[land & ~np.isnan(slope)]
print(f'{slope.mean():.3f} {slope.max():.2f}')

# %% naive="shortcut" trap="one cosine, that of the middle latitude, holds for all rows"
down, across = np.gradient(height)
metres = 111200 * size
slope = 100 * np.hypot(down / metres, across / (metres * np.cos(np.radians(lats.mean()))))
slope = slope[land & ~np.isnan(slope)]
print(f'{slope.mean():.3f} {slope.max():.2f}')
