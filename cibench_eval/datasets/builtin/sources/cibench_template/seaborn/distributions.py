# ---
# jupyter:
#   instances:
#     glass: {file: forensic_glass.csv, group: type, value: Na, other: Al, third: Mg, fourth: K, fifth: Ca}
#     tumours: {file: breast_cancer.csv, group: diagnosis, value: mean_texture, other: mean_smoothness, third: mean_area, fourth: error_area, fifth: worst_area}
#   varied:
#     file: {table: 240}
#     group: {words: 4}
#     value: {normal: [40, 6], by: group}
#     other: {uniform: [2, 9], by: group}
#     third: {follows: {value: 0.4, other: 0.8}, noise: 3}
#     fourth: {normal: [300, 45], digits: 1}
#     fifth: {follows: {fourth: -0.2}, noise: 4, by: group}
#   words:
#     title_all: {en: 'Histogram of {{ value }}', cn: '{{ value }} 的直方图'}
#     title_groups: {en: 'Density of {{ value }} by {{ group }}', cn: '各 {{ group }} 的 {{ value }} 密度'}
#     title_two: {en: 'Joint histogram', cn: '二维直方图'}
#     rows: {en: 'rows', cn: '行数'}
#     density: {en: 'density', cn: '密度'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` into a DataFrame named `df`, and store the distinct values of the column `{{ group }}`, sorted alphabetically, in a list named `levels`.
#
# Thought: read_csv reads the table; unique and sorted give the levels in order.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame，并把 `{{ group }}` 列的不同取值按字母顺序排成列表，存为 `levels`。
#
# Thought: 用 read_csv 读取表格，再用 unique 和 sorted 得到排好序的取值。

# %%
import pandas as pd

df = pd.read_csv('data/{{ file }}')
levels = sorted(df['{{ group }}'].unique())

# %% [markdown] kind="num" modules="pandas" answer="list[real(4)]"
# Print the 5th, the 50th and the 95th percentile of `{{ value }}` in `df` (linear interpolation, the default of pandas) on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: quantile takes a list of probabilities; each result is rounded.

# %% [markdown] lang="cn"
# 在同一行打印 `df` 中 `{{ value }}` 列的第 5、第 50 和第 95 百分位数（线性插值，即 pandas 的默认方法），各保留 4 位小数，用空格分隔。
#
# Thought: quantile 可以一次接收多个概率，再逐个四舍五入。

# %%
answer = [round(float(q), 4) for q in df['{{ value }}'].quantile([0.05, 0.5, 0.95])]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw a histogram of `{{ value }}` with `sns.histplot`: `bins=18`, color `teal`, all rows of `df` together. Mark the median of `{{ value }}` with a vertical dashed line in `red` of line width 2 (no legend).
# Use figure size (5, 3.5), the title `{{ title_all }}`, the x label `{{ value }}` and the y label `{{ rows }}`, and call `plt.show()`.
#
# Thought: histplot counts the rows in 18 bins; axvline marks the median.

# %% [markdown] lang="cn"
# 用 `sns.histplot` 画 `df` 全部行的 `{{ value }}` 直方图：`bins=18`，颜色为 `teal`。再用一条红色（`red`）、线宽为 2 的竖直虚线标出 `{{ value }}` 的中位数（不加图例）。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_all }}`，横轴标签为 `{{ value }}`，纵轴标签为 `{{ rows }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: histplot 统计 18 个区间内的行数，axvline 标出中位数。

# %%
import matplotlib.pyplot as plt
import seaborn as sns

plt.figure(figsize=(5, 3.5))
sns.histplot(data=df, x='{{ value }}', bins=18, color='teal')
plt.axvline(df['{{ value }}'].median(), color='red', linestyle='--', linewidth=2)
plt.title('{{ title_all }}')
plt.xlabel('{{ value }}')
plt.ylabel('{{ rows }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Compute the skewness of every numeric column of `df`. Print the names of the four columns with the largest (most positive) skewness, from the largest down, on one line, separated by `, `.
#
# Thought: skew with numeric_only skips the text column; nlargest puts the four in order.

# %% [markdown] lang="cn"
# 计算 `df` 中每个数值列的偏度，找出偏度最大（正偏最强）的四列，按偏度从大到小在同一行打印它们的列名，用 `, ` 分隔。
#
# Thought: skew 加 numeric_only 跳过文本列，nlargest 取出最大的四个并排好序。

# %%
answer = list(df.skew(numeric_only=True).nlargest(4).index)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw the density of `{{ value }}` in each `{{ group }}` with one call of `sns.kdeplot`: `hue='{{ group }}'`, `hue_order=levels`, `fill=True`, `common_norm=False`, `alpha=0.4`, `linewidth=2`, `palette='Set1'`. Keep seaborn's legend.
# Use figure size (4.5, 3), the title `{{ title_groups }}`, the x label `{{ value }}` and the y label `{{ density }}`, and call `plt.show()`.
#
# Thought: common_norm=False lets each group's density have area 1.

# %% [markdown] lang="cn"
# 调用一次 `sns.kdeplot`，画出各 `{{ group }}` 的 `{{ value }}` 核密度曲线：`hue='{{ group }}'`、`hue_order=levels`、`fill=True`、`common_norm=False`、`alpha=0.4`、`linewidth=2`、`palette='Set1'`，保留 seaborn 自带的图例。
# 画布大小 `figsize=(4.5, 3)`，标题为 `{{ title_groups }}`，横轴标签为 `{{ value }}`，纵轴标签为 `{{ density }}`，最后调用 `plt.show()`。
#
# Thought: common_norm=False 使每一组的密度各自积分为 1。

# %%
plt.figure(figsize=(4.5, 3))
sns.kdeplot(
    data=df,
    x='{{ value }}',
    hue='{{ group }}',
    hue_order=levels,
    fill=True,
    common_norm=False,
    alpha=0.4,
    linewidth=2,
    palette='Set1',
)
plt.title('{{ title_groups }}')
plt.xlabel('{{ value }}')
plt.ylabel('{{ density }}')
plt.show()

# %% [markdown] kind="num" modules="scipy & numpy" answer="list[real(2)]"
# Find where each of these densities peaks: for each value of `{{ group }}` in the order of `levels`, evaluate `scipy.stats.gaussian_kde` (default bandwidth) of that group's `{{ value }}` at 401 equally spaced points from the smallest to the largest `{{ value }}` of the whole `df`, and take the point of the highest density.
# Print these points alone on one line, each rounded to 2 decimal places, separated by a space.
#
# Thought: The same grid serves all groups; argmax of the density picks the point.

# %% [markdown] lang="cn"
# 求各组密度的峰值位置：按 `levels` 的顺序，对每个 `{{ group }}` 的 `{{ value }}` 用 `scipy.stats.gaussian_kde`（默认带宽）估计密度，在整个 `df` 的 `{{ value }}` 最小值到最大值之间等间距的 401 个点上求值，取密度最大的点。
# 在同一行只打印这些点，各保留 2 位小数，用空格分隔。
#
# Thought: 各组共用一个网格，用密度的 argmax 找到峰值所在的点。

# %%
import numpy as np
from scipy.stats import gaussian_kde

grid = np.linspace(df['{{ value }}'].min(), df['{{ value }}'].max(), 401)
peaks = []
for level in levels:
    density = gaussian_kde(df.loc[df['{{ group }}'] == level, '{{ value }}'])(grid)
    peaks.append(round(float(grid[density.argmax()]), 2))
answer = list(peaks)
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw a two-dimensional histogram with `sns.histplot`, `{{ value }}` on the x axis and `{{ other }}` on the y axis: `bins=8`, `cmap='viridis'`, `cbar=True`.
# Use figure size (5, 3.5), the title `{{ title_two }}`, the x label `{{ value }}` and the y label `{{ other }}`, and call `plt.show()`.
#
# Thought: With both x and y, histplot colours each cell by its number of rows; cbar adds the scale.

# %% [markdown] lang="cn"
# 用 `sns.histplot` 画二维直方图，横轴为 `{{ value }}`，纵轴为 `{{ other }}`：`bins=8`、`cmap='viridis'`、`cbar=True`。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_two }}`，横轴标签为 `{{ value }}`，纵轴标签为 `{{ other }}`，最后调用 `plt.show()`。
#
# Thought: 同时给出 x 和 y 时，histplot 用颜色表示每个格子的行数，cbar 加上颜色条。

# %%
plt.figure(figsize=(5, 3.5))
sns.histplot(data=df, x='{{ value }}', y='{{ other }}', bins=8, cmap='viridis', cbar=True)
plt.title('{{ title_two }}')
plt.xlabel('{{ value }}')
plt.ylabel('{{ other }}')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[count, count]"
# Count the same two-dimensional histogram with `np.histogram2d`, `{{ value }}` first and `{{ other }}` second, `bins=8`, default range.
# Print the number of rows in its fullest cell and the number of cells without any row, both as integers, on one line, separated by a space.
#
# Thought: histogram2d returns the counts first; max and a comparison with 0 give both numbers.

# %% [markdown] lang="cn"
# 用 `np.histogram2d` 计算同样的二维直方图，第一个变量为 `{{ value }}`，第二个为 `{{ other }}`，`bins=8`，范围取默认值。
# 在同一行打印单个格子的最大计数和空格子的个数（均为整数），用空格分隔。
#
# Thought: histogram2d 首先返回计数矩阵，取最大值并统计为 0 的格子即可。

# %%
counts, _, _ = np.histogram2d(df['{{ value }}'], df['{{ other }}'], bins=8)
answer = [int(counts.max()), int((counts == 0).sum())]
print(*answer)
