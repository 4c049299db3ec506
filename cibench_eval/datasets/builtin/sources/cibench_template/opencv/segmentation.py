# ---
# jupyter:
#   instances:
#     coins: {file: coins.png, blur: 7, size: 5, area: 300}
#     flower: {file: flower.jpg, blur: 5, size: 3, area: 150}
#   varied:
#     file: {image: [150, 200]}
#     blur: {pick: [3, 5, 7]}
#     size: {pick: [3, 5]}
#     area: {pick: [80, 120, 160]}
#   words:
#     mask_title: {en: 'Cleaned mask', cn: '形态学处理后的掩膜'}
#     box_title: {en: 'Kept regions', cn: '保留的区域'}
#     area_title: {en: 'Areas of the kept regions', cn: '保留区域的面积'}
#     rank: {en: rank, cn: 排名}
#     pixels: {en: pixels, cn: 像素数}
# ---

# %% [markdown] kind="exec" modules="cv2"
# Read `data/{{ file }}` in grayscale (`cv2.IMREAD_GRAYSCALE`) into `img`, and smooth it with a Gaussian blur of kernel size ({{ blur }}, {{ blur }}) and sigma 0 into `blurred`.
#
# Thought: IMREAD_GRAYSCALE converts while reading; GaussianBlur with sigma 0 derives sigma from the kernel size.

# %% [markdown] lang="cn"
# 以灰度模式（`cv2.IMREAD_GRAYSCALE`）将 `data/{{ file }}` 读入 `img`，再用核大小为 ({{ blur }}, {{ blur }})、sigma 为 0 的高斯滤波对其平滑，结果存为 `blurred`。
#
# Thought: IMREAD_GRAYSCALE 在读取时转为灰度；GaussianBlur 的 sigma 取 0 时由核大小推算。

# %%
import cv2

img = cv2.imread('data/{{ file }}', cv2.IMREAD_GRAYSCALE)
blurred = cv2.GaussianBlur(img, ({{ blur }}, {{ blur }}), 0)

# %% [markdown] kind="num" modules="cv2" answer="[count, count]"
# Threshold `blurred` with Otsu's method (`cv2.THRESH_BINARY + cv2.THRESH_OTSU`, maximum value 255) into `binary`. Print the threshold that Otsu's method found as an integer and then the number of white pixels of `binary`, on one line, separated by a space.
#
# Thought: threshold returns the value that it chose and the image; countNonZero counts the white pixels.

# %% [markdown] lang="cn"
# 用大津法（`cv2.THRESH_BINARY + cv2.THRESH_OTSU`，最大值 255）对 `blurred` 做阈值分割，结果存为 `binary`。在同一行打印大津法得到的阈值（以整数形式）和 `binary` 中白色像素的个数，用空格分隔。
#
# Thought: threshold 返回所选阈值和结果图像；countNonZero 统计白色像素。

# %%
threshold, binary = cv2.threshold(blurred, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
answer = [int(threshold), cv2.countNonZero(binary)]
print(*answer)

# %% [markdown] kind="vis" modules="cv2 & numpy & matplotlib"
# Clean `binary` by a morphological opening and then a closing, both with a {{ size }} × {{ size }} kernel of ones (uint8), one iteration each, into `mask`. Show `mask` in gray (`cmap='gray'`, `vmin=0`, `vmax=255`) with figure size (4, 3), without axes, with the title `{{ mask_title }}`, and call `plt.show()`.
#
# Thought: opening removes specks, closing fills small holes; imshow with the gray map draws the mask.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用元素全为 1 的 {{ size }} × {{ size }} 核（uint8）对 `binary` 先做一次形态学开运算，再做一次闭运算，结果存为 `mask`。以灰度图（`cmap='gray'`，`vmin=0`，`vmax=255`）显示 `mask`，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ mask_title }}`，最后调用 `plt.show()`。
#
# Thought: 开运算去除噪点，闭运算填补小孔；用灰度色图的 imshow 显示掩膜。

# %%
import matplotlib.pyplot as plt
import numpy as np

kernel = np.ones(({{ size }}, {{ size }}), np.uint8)
mask = cv2.morphologyEx(binary, cv2.MORPH_OPEN, kernel)
mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, kernel)
plt.figure(figsize=(4, 3))
plt.imshow(mask, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('{{ mask_title }}')
plt.show()

# %% [markdown] kind="num" modules="cv2" answer="[count, count]"
# Find the connected white regions of `mask` with 8-connectivity and their statistics (a region need not be one object). Keep those, background excluded, with an area of at least {{ area }} pixels. Print how many there are, and the area in pixels of the largest, on one line, separated by a space.
#
# Thought: connectedComponentsWithStats gives one row a region; row 0 is the background.

# %% [markdown] lang="cn"
# 对 `mask` 的白色部分做连通域分析（8 连通），求出各区域及其统计信息（一个区域不一定对应一个物体），保留面积不小于 {{ area }} 像素的区域（不含背景）。在同一行打印保留的区域个数和其中最大区域的面积（像素），用空格分隔。
#
# Thought: connectedComponentsWithStats 每个区域给出一行，第 0 行是背景。

# %%
count, labels, stats, centroids = cv2.connectedComponentsWithStats(mask, connectivity=8)
large = [i for i in range(1, count) if stats[i, cv2.CC_STAT_AREA] >= {{ area }}]
areas = sorted((int(stats[i, cv2.CC_STAT_AREA]) for i in large), reverse=True)
answer = [len(areas), areas[0]]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a bar chart of the areas of the kept regions, largest first, over their ranks 1, 2, 3, …, with figure size (5, 3.5), color `teal`, the title `{{ area_title }}`, the x label `{{ rank }}` and the y label `{{ pixels }}`, and call `plt.show()`.
#
# Thought: the sorted areas are the heights, their positions from 1 on the x values.

# %% [markdown] lang="cn"
# 用柱状图画出所保留区域的面积，从大到小排列，横坐标为排名 1、2、3……。画布大小为 `figsize=(5, 3.5)`，颜色为 `teal`，标题为 `{{ area_title }}`，横轴标签为 `{{ rank }}`，纵轴标签为 `{{ pixels }}`，最后调用 `plt.show()`。
#
# Thought: 排序后的面积作为柱高，从 1 开始的名次作为横坐标。

# %%
plt.figure(figsize=(5, 3.5))
plt.bar(range(1, len(areas) + 1), areas, color='teal')
plt.title('{{ area_title }}')
plt.xlabel('{{ rank }}')
plt.ylabel('{{ pixels }}')
plt.show()

# %% [markdown] kind="num" modules="cv2" answer="[real(1), real(1), count, count, count, count]"
# Print the centroid (mean position of its pixels) of the largest kept region as column and row, each rounded to 1 decimal place, on one line, separated by a space, and on a second line the left, top, width and height of its bounding box in pixels, separated by spaces.
#
# Thought: centroids and stats are in the order of the labels; the largest region has the largest area among the kept ones.

# %% [markdown] lang="cn"
# 第一行打印所保留区域中面积最大者的质心（其像素坐标的均值），先列后行，各保留 1 位小数，用空格分隔；第二行打印其外接矩形的左边界、上边界、宽、高（像素），用空格分隔。
#
# Thought: centroids 和 stats 都按标签排列，面积最大的即最大区域。

# %%
largest = max(large, key=lambda i: stats[i, cv2.CC_STAT_AREA])
answer = [*centroids[largest].round(1).tolist(), *stats[largest, :4].tolist()]
print(*answer[:2])
print(*answer[2:])

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Convert `img` to three channels (`cv2.COLOR_GRAY2RGB`), and draw the bounding boxes of all kept regions into the result, in red (255, 0, 0) with thickness 3, each from (left, top) to (left + width, top + height) with `cv2.rectangle`. Show it with figure size (4, 3), without axes, with the title `{{ box_title }}`, and call `plt.show()`.
#
# Thought: GRAY2RGB makes three channels to draw in color; each box goes from (left, top) to (left + width, top + height).

# %% [markdown] lang="cn"
# 将灰度图 `img` 转为三通道图像（`cv2.COLOR_GRAY2RGB`），在其上用 `cv2.rectangle` 以红色 (255, 0, 0)、线宽 3 画出所有保留区域的外接矩形，每个矩形从 (左, 上) 画到 (左 + 宽, 上 + 高)。显示该图像，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ box_title }}`，最后调用 `plt.show()`。
#
# Thought: GRAY2RGB 得到三通道图像以便画彩色；矩形由 (左, 上) 到 (左 + 宽, 上 + 高)。

# %%
shown = cv2.cvtColor(img, cv2.COLOR_GRAY2RGB)
for i in large:
    left, top, width, height = (int(value) for value in stats[i, :4])
    cv2.rectangle(shown, (left, top), (left + width, top + height), (255, 0, 0), 3)
plt.figure(figsize=(4, 3))
plt.imshow(shown)
plt.axis('off')
plt.title('{{ box_title }}')
plt.show()
