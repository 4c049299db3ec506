# ---
# jupyter:
#   instances:
#     china: {file: china.jpg, low: 80, high: 180, angle: 30, x: 200, y: 120}
#     chelsea: {file: chelsea.png, low: 60, high: 150, angle: 20, x: 150, y: 90}
#   varied:
#     file: {image: [160, 220]}
#     low: {pick: [40, 60, 80]}
#     high: {pick: [120, 150, 180]}
#     angle: {pick: [15, 25, 40]}
#     x: {pick: [40, 60, 80]}
#     y: {pick: [30, 45, 60]}
#   words:
#     gradient_title: {en: 'Gradient magnitude', cn: '梯度幅值'}
#     edge_title: {en: 'Canny edges', cn: 'Canny 边缘'}
#     rotated_title: {en: 'Rotated', cn: '旋转后的图像'}
#     profile_title: {en: 'Edge pixels by row', cn: '各行的边缘像素数'}
#     row: {en: row, cn: 行号}
#     count: {en: edge pixels, cn: 边缘像素数}
# ---

# %% [markdown] kind="num" modules="cv2 & numpy" answer="list[count]"
# Read `data/{{ file }}` in grayscale (`cv2.IMREAD_GRAYSCALE`) into `img`. Print its height, its width and the median of all its gray values as an integer, on one line, separated by spaces.
#
# Thought: shape is (height, width); np.median over all pixels gives the median.

# %% [markdown] lang="cn"
# 以灰度模式（`cv2.IMREAD_GRAYSCALE`）将 `data/{{ file }}` 读入 `img`。在同一行打印图像的高、宽和全部像素灰度值的中位数（以整数形式），用空格分隔。
#
# Thought: shape 为 (高, 宽)；np.median 对所有像素求中位数。

# %%
import cv2
import numpy as np

img = cv2.imread('data/{{ file }}', cv2.IMREAD_GRAYSCALE)
answer = [*img.shape, int(np.median(img))]
print(*answer)

# %% [markdown] kind="exec" modules="cv2 & numpy"
# Compute the first Sobel derivatives of `img` in x and in y direction (`cv2.CV_64F`, `ksize=3`) as `gx` and `gy`, and the gradient magnitude, the square root of the sum of their squares, as `magnitude`.
#
# Thought: dx=1, dy=0 gives the derivative in x; hypot is the root of the sum of squares.

# %% [markdown] lang="cn"
# 用 Sobel 算子（`cv2.CV_64F`，`ksize=3`）计算 `img` 在 x 方向和 y 方向的一阶导数，分别存为 `gx` 和 `gy`，再计算梯度幅值，即两者平方和的平方根，存为 `magnitude`。
#
# Thought: dx=1、dy=0 为 x 方向的导数；hypot 即平方和的平方根。

# %%
gx = cv2.Sobel(img, cv2.CV_64F, 1, 0, ksize=3)
gy = cv2.Sobel(img, cv2.CV_64F, 0, 1, ksize=3)
magnitude = np.hypot(gx, gy)

# %% [markdown] kind="num" modules="numpy" answer="[real(2), count, count]"
# Print the mean of `magnitude`, rounded to 2 decimal places, and the row and the column (from 0) of its largest value (the first such pixel, row by row), on one line, separated by spaces.
#
# Thought: argmax counts row by row; unravel_index turns the position into row and column.

# %% [markdown] lang="cn"
# 在同一行打印 `magnitude` 的均值（保留 2 位小数）及其最大值所在的行号和列号（从 0 开始；若有多个，取逐行扫描时最先出现的），用空格分隔。
#
# Thought: argmax 按行计数，用 unravel_index 转为行列号。

# %%
row, column = np.unravel_index(np.argmax(magnitude), magnitude.shape)
answer = [round(float(magnitude.mean()), 2), int(row), int(column)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Show `magnitude` with the color map `inferno`, figure size (4, 3), without axes around the image, with a color bar and the title `{{ gradient_title }}`, and call `plt.show()`.
#
# Thought: imshow scales the values by itself; colorbar shows the scale.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 用颜色映射 `inferno` 显示 `magnitude`，画布大小为 `figsize=(4, 3)`，不显示图像的坐标轴，带颜色条，标题为 `{{ gradient_title }}`，最后调用 `plt.show()`。
#
# Thought: imshow 会自动缩放数值，colorbar 显示刻度。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(4, 3))
plt.imshow(magnitude, cmap='inferno')
plt.axis('off')
plt.colorbar()
plt.title('{{ gradient_title }}')
plt.show()

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Find the edges of `img` with the Canny detector (`cv2.Canny`), thresholds {{ low }} and {{ high }}, all else default, into `edges`. Show `edges` in gray (`cmap='gray'`, `vmin=0`, `vmax=255`) with figure size (4, 3), without axes, with the title `{{ edge_title }}`, and call `plt.show()`.
#
# Thought: Canny gives an image of 0 and 255.

# %% [markdown] lang="cn"
# 用 Canny 算子（`cv2.Canny`）检测 `img` 的边缘，阈值为 {{ low }} 和 {{ high }}，其余参数取默认值，结果存为 `edges`。以灰度图（`cmap='gray'`，`vmin=0`，`vmax=255`）显示 `edges`，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ edge_title }}`，最后调用 `plt.show()`。
#
# Thought: Canny 的结果只含 0 和 255。

# %%
edges = cv2.Canny(img, {{ low }}, {{ high }})
plt.figure(figsize=(4, 3))
plt.imshow(edges, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('{{ edge_title }}')
plt.show()

# %% [markdown] kind="vis" modules="numpy & matplotlib"
# Count the edge pixels (not zero) in each row of `edges` and draw the counts over the row numbers, from 0, as a line of width 1.5 in `crimson`, with figure size (5, 3.5), the title `{{ profile_title }}`, the x label `{{ row }}` and the y label `{{ count }}`, and call `plt.show()`.
#
# Thought: the pixels above 0 are summed along the columns.

# %% [markdown] lang="cn"
# 统计 `edges` 每一行的边缘像素数（非零像素），以行号（从 0 开始）为横坐标画成折线，线宽为 1.5，颜色为 `crimson`，画布大小为 `figsize=(5, 3.5)`，标题为 `{{ profile_title }}`，横轴标签为 `{{ row }}`，纵轴标签为 `{{ count }}`，最后调用 `plt.show()`。
#
# Thought: 沿列方向对大于 0 的像素求和。

# %%
counts = (edges > 0).sum(axis=1)
plt.figure(figsize=(5, 3.5))
plt.plot(range(len(counts)), counts, color='crimson', linewidth=1.5)
plt.title('{{ profile_title }}')
plt.xlabel('{{ row }}')
plt.ylabel('{{ count }}')
plt.show()

# %% [markdown] kind="vis" modules="cv2 & matplotlib"
# Rotate `img` by {{ angle }} degrees counter-clockwise about the point ({{ x }}, {{ y }}) (column, row) with scale 1, keeping its size (`cv2.warpAffine` with its defaults), into `rotated`. Show it in gray (`cmap='gray'`, `vmin=0`, `vmax=255`) with figure size (4, 3), without axes, with the title `{{ rotated_title }}`, and call `plt.show()`.
#
# Thought: getRotationMatrix2D takes the centre as (x, y) and a positive angle for counter-clockwise.

# %% [markdown] lang="cn"
# 将 `img` 绕点 ({{ x }}, {{ y }})（列，行）逆时针旋转 {{ angle }} 度，缩放比例为 1，输出尺寸与原图相同（`cv2.warpAffine`，其余参数取默认值），结果存为 `rotated`。以灰度图（`cmap='gray'`，`vmin=0`，`vmax=255`）显示，画布大小为 `figsize=(4, 3)`，不显示坐标轴，标题为 `{{ rotated_title }}`，最后调用 `plt.show()`。
#
# Thought: getRotationMatrix2D 的中心为 (x, y)，角度为正表示逆时针。

# %%
matrix = cv2.getRotationMatrix2D(({{ x }}, {{ y }}), {{ angle }}, 1)
rotated = cv2.warpAffine(img, matrix, (img.shape[1], img.shape[0]))
plt.figure(figsize=(4, 3))
plt.imshow(rotated, cmap='gray', vmin=0, vmax=255)
plt.axis('off')
plt.title('{{ rotated_title }}')
plt.show()

# %% [markdown] kind="num" modules="cv2 & numpy" answer="[real(2), real(2)]"
# Apply the rotation matrix to the image point ({{ x }}, 0) (column, row), and print where the point lies after the rotation, as column and row, each rounded to 2 decimal places, on one line, separated by a space.
#
# Thought: the 2 × 3 matrix times (x, y, 1) gives the new column and row.

# %% [markdown] lang="cn"
# 将上述旋转矩阵作用于图像上的点 ({{ x }}, 0)（列，行），在同一行打印该点旋转后的位置，先列后行，各保留 2 位小数，用空格分隔。
#
# Thought: 2 × 3 矩阵乘以 (x, y, 1) 即得新的列与行。

# %%
column, row = matrix @ np.array([{{ x }}, 0, 1])
answer = [round(float(column), 2), round(float(row), 2)]
print(*answer)
