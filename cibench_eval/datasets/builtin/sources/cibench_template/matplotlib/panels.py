# ---
# jupyter:
#   instances:
#     cars:
#       file: cars.json
#       reader: read_json
#       group: Origin
#       value: Weight_in_lbs
#       other: Miles_per_Gallon
#       bins: 12
#       what: {en: weight (lbs), cn: 重量（磅）}
#       what_other: {en: miles per gallon, cn: 每加仑英里数}
#     glass:
#       file: forensic_glass.csv
#       reader: read_csv
#       group: type
#       value: Ca
#       other: RI
#       bins: 10
#       what: {en: calcium oxide (%), cn: 氧化钙含量（%）}
#       what_other: {en: refractive index (scaled), cn: 折射率（换算值）}
#   varied:
#     file: {table: 260}
#     reader: {pick: [read_csv]}
#     group: {words: 4}
#     value: {normal: [80, 12], by: group, gaps: 0.02}
#     other: {follows: {value: -1.3}, noise: 14, by: group, gaps: 0.02}
#     bins: {pick: [8, 10, 12]}
#     what: {pick: [{en: length (cm), cn: 长度（厘米）}, {en: age (days), cn: 日龄（天）}]}
#     what_other: {pick: [{en: response, cn: 响应值}, {en: outcome, cn: 结果值}]}
#   words:
#     hist_title: {en: All rows, cn: 全部数据}
#     box_title: {en: 'By {{ group }}', cn: '按 {{ group }} 分组'}
#     count_label: {en: count, cn: 频数}
#     fit_title: {en: Straight line fit, cn: 直线拟合}
#     fit_label: {en: least squares, cn: 最小二乘拟合}
#     step_title: {en: Cumulative distribution of residuals, cn: 残差的累积分布}
#     rest_label: {en: residual, cn: 残差}
#     share_label: {en: share, cn: 累积比例}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the file `data/{{ file }}` with `pd.{{ reader }}` into a DataFrame named `df`, and drop every row with a missing value in `{{ value }}` or `{{ other }}`.
#
# Thought: dropna with subset looks at the two columns alone.

# %% [markdown] lang="cn"
# 用 `pd.{{ reader }}` 将文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame，并删除 `{{ value }}` 列或 `{{ other }}` 列有缺失值的行。
#
# Thought: dropna 的 subset 参数限定只检查这两列。

# %%
import pandas as pd

df = pd.{{ reader }}('data/{{ file }}').dropna(subset=['{{ value }}', '{{ other }}'])

# %% [markdown] kind="num" modules="numpy" answer="list[count]"
# Count the values of `{{ value }}` in {{ bins }} bins of equal width between its minimum and its maximum, as `np.histogram` does.
# Print the counts from the lowest bin to the highest, on one line, separated by spaces.
#
# Thought: np.histogram returns the counts first and the edges second.

# %% [markdown] lang="cn"
# 像 `np.histogram` 那样，在 `{{ value }}` 的最小值与最大值之间划分 {{ bins }} 个等宽区间，统计落入各区间的数据个数。
# 从最低的区间到最高的区间，在同一行打印这些个数，用空格分隔。
#
# Thought: np.histogram 先返回频数，再返回区间边界。

# %%
import numpy as np

counts, edges = np.histogram(df['{{ value }}'], bins={{ bins }})
answer = list(counts)
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & pandas"
# Make a figure of size (7, 3.2) with two axes side by side. On the left, draw the histogram of `{{ value }}` in the same {{ bins }} bins, in `steelblue` with `edgecolor='white'`, and a dashed (`'--'`) vertical line in `red` of width 2 at its median; title `{{ hist_title }}`, x label `{{ what }}`, y label `{{ count_label }}`.
# On the right, draw with `Axes.boxplot` and its defaults a box plot of `{{ value }}` for each `{{ group }}` in alphabetical order, with the groups' names at the x ticks, with `rotation=30`; title `{{ box_title }}`, y label `{{ what }}`. Call `plt.tight_layout()` and `plt.show()`.
#
# Thought: boxplot takes a list of arrays, one a group; their ticks stand at 1, 2, 3, ….

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 建立左右两个子图，画布大小为 `figsize=(7, 3.2)`。左图用同样的 {{ bins }} 个区间画 `{{ value }}` 的直方图，颜色为 `steelblue`，`edgecolor='white'`，并在中位数处画一条竖直虚线（`'--'`），颜色为 `red`，线宽为 2；标题为 `{{ hist_title }}`，横轴标签为 `{{ what }}`，纵轴标签为 `{{ count_label }}`。
# 右图用 `Axes.boxplot`（参数取默认值）按字母顺序为每个 `{{ group }}` 画出 `{{ value }}` 的箱线图，横轴刻度标为组名，设置 `rotation=30`；标题为 `{{ box_title }}`，纵轴标签为 `{{ what }}`。依次调用 `plt.tight_layout()` 和 `plt.show()`。
#
# Thought: boxplot 接收由各组数据组成的列表，刻度依次位于 1、2、3……。

# %%
import matplotlib.pyplot as plt

names = sorted(df['{{ group }}'].unique())
figure, (left, right) = plt.subplots(1, 2, figsize=(7, 3.2))
left.hist(df['{{ value }}'], bins={{ bins }}, color='steelblue', edgecolor='white')
left.axvline(df['{{ value }}'].median(), color='red', linestyle='--', linewidth=2)
left.set_title('{{ hist_title }}')
left.set_xlabel('{{ what }}')
left.set_ylabel('{{ count_label }}')
right.boxplot([df.loc[df['{{ group }}'] == name, '{{ value }}'] for name in names])
right.set_xticks(range(1, len(names) + 1), names, rotation=30)
right.set_title('{{ box_title }}')
right.set_ylabel('{{ what }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[real(4), real(4)]"
# Fit the straight line `{{ other }}` = slope × `{{ value }}` + intercept to all rows of `df` by least squares.
# Print slope and intercept, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: np.polyfit of degree 1 returns the slope first.

# %% [markdown] lang="cn"
# 用最小二乘法对 `df` 的所有行拟合直线：`{{ other }}` = 斜率 × `{{ value }}` + 截距。
# 在同一行打印斜率和截距，各保留 4 位小数，用空格分隔。
#
# Thought: 一次 np.polyfit 先返回斜率，再返回截距。

# %%
slope, intercept = np.polyfit(df['{{ value }}'], df['{{ other }}'], 1)
answer = [round(float(slope), 4), round(float(intercept), 4)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw a scatter plot of `{{ value }}` (x axis) and `{{ other }}` (y axis), group by group in the alphabetical order of `{{ group }}`, with `s=25`, the default colors and the group's name as label.
# Then draw the fitted line from the minimum to the maximum of `{{ value }}`, in `black`, of width 2.5, with the label `{{ fit_label }}`.
# Use figure size (4.5, 3.3), the title `{{ fit_title }}`, the x label `{{ what }}`, the y label `{{ what_other }}` and a legend to the right of the axes (`loc='upper left'`, `bbox_to_anchor=(1, 1)`), and call `plt.show()`.
#
# Thought: Two points are enough for a straight line.

# %% [markdown] lang="cn"
# 画散点图，横轴为 `{{ value }}`，纵轴为 `{{ other }}`，按 `{{ group }}` 的字母顺序逐组绘制，`s=25`，使用默认颜色，图例标签为组名。
# 然后画出从 `{{ value }}` 的最小值到最大值的拟合直线，颜色为 `black`，线宽为 2.5，图例标签为 `{{ fit_label }}`。
# 画布大小为 `figsize=(4.5, 3.3)`，标题为 `{{ fit_title }}`，横轴标签为 `{{ what }}`，纵轴标签为 `{{ what_other }}`，图例位于绘图区右侧（`loc='upper left'`、`bbox_to_anchor=(1, 1)`），最后调用 `plt.show()`。
#
# Thought: 画直线只需要两个点。

# %%
ends = np.array([df['{{ value }}'].min(), df['{{ value }}'].max()])
plt.figure(figsize=(4.5, 3.3))
for name in names:
    rows = df[df['{{ group }}'] == name]
    plt.scatter(rows['{{ value }}'], rows['{{ other }}'], s=25, label=name)
plt.plot(ends, slope * ends + intercept, color='black', linewidth=2.5, label='{{ fit_label }}')
plt.title('{{ fit_title }}')
plt.xlabel('{{ what }}')
plt.ylabel('{{ what_other }}')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[list[text]]"
# Add a column `residual` to `df`: `{{ other }}` minus the value of the fitted line (with the unrounded slope and intercept).
# Print the names of all groups of `{{ group }}`, from the group with the highest mean residual to the one with the lowest, on one line, separated by `, `. On a second line, print them in the same way by the sample standard deviation (`ddof=1`) of the residuals, from the highest to the lowest.
#
# Thought: agg gives both statistics of each group at once.

# %% [markdown] lang="cn"
# 为 `df` 新增一列 `residual`：`{{ other }}` 减去拟合直线上的值（斜率和截距不做四舍五入）。
# 在同一行打印 `{{ group }}` 的所有组名，按各组残差的均值从高到低排列，用 `, ` 分隔；在第二行以同样的格式打印组名，按各组残差的样本标准差（`ddof=1`）从高到低排列。
#
# Thought: 用 agg 可同时求出每组的两个统计量。

# %%
df['residual'] = df['{{ other }}'] - (slope * df['{{ value }}'] + intercept)
spread = df.groupby('{{ group }}')['residual'].agg(['mean', 'std'])
answer = [list(spread[statistic].sort_values(ascending=False).index) for statistic in ('mean', 'std')]
for names in answer:
    print(', '.join(names))

# %% [markdown] kind="num" modules="numpy" answer="[real(3), real(3)]"
# Print the root mean square of the column `residual` and the coefficient of determination R² of the fit, on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: R² is 1 minus the sum of squared residuals over the sum of squares around the mean.

# %% [markdown] lang="cn"
# 在同一行打印 `residual` 列的均方根和该拟合的决定系数 R²，各保留 3 位小数，用空格分隔。
#
# Thought: R² 等于 1 减去残差平方和与总平方和之比。

# %%
squares = (df['residual'] ** 2).sum()
around = ((df['{{ other }}'] - df['{{ other }}'].mean()) ** 2).sum()
answer = [round(float(np.sqrt(squares / len(df))), 3), round(float(1 - squares / around), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Draw the empirical cumulative distribution of `residual` for each group of `{{ group }}` in alphabetical order: the sorted residuals on the x axis, 1/n, 2/n, …, 1 on the y axis (n is the number of rows in the group), with `plt.step`, `where='post'`, `linewidth=2`, the default colors and the group's name as label.
# Use figure size (5, 3.5), the title `{{ step_title }}`, the x label `{{ rest_label }}`, the y label `{{ share_label }}` and a legend at `loc='lower right'`, and call `plt.show()`.
#
# Thought: The k-th smallest value of n has the share k/n.

# %% [markdown] lang="cn"
# 按字母顺序为 `{{ group }}` 的每一组画出 `residual` 的经验累积分布：横轴为从小到大排序的残差，纵轴为 1/n、2/n、……、1（n 为该组的行数），用 `plt.step` 绘制，设置 `where='post'`、`linewidth=2`，使用默认颜色，图例标签为组名。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ step_title }}`，横轴标签为 `{{ rest_label }}`，纵轴标签为 `{{ share_label }}`，图例位于 `loc='lower right'`，最后调用 `plt.show()`。
#
# Thought: n 个值中第 k 小的值，其累积比例为 k/n。

# %%
plt.figure(figsize=(5, 3.5))
for name in names:
    values = np.sort(df.loc[df['{{ group }}'] == name, 'residual'])
    plt.step(values, np.arange(1, len(values) + 1) / len(values), where='post', linewidth=2, label=name)
plt.title('{{ step_title }}')
plt.xlabel('{{ rest_label }}')
plt.ylabel('{{ share_label }}')
plt.legend(loc='lower right')
plt.show()
