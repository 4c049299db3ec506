# ---
# jupyter:
#   instances:
#     sunspots:
#       file: sunspots.csv
#       x: YEAR
#       y: SUNACTIVITY
#       width: 11
#       level: 60
#       what_x: {en: year, cn: 年份}
#       what_y: {en: sunspots, cn: 太阳黑子数}
#     heartbeat:
#       file: heartbeat.csv
#       x: time
#       y: voltage
#       width: 7
#       level: 0.2
#       what_x: {en: time (s), cn: 时间（秒）}
#       what_y: {en: voltage (mV), cn: 电压（毫伏）}
#   varied:
#     file: {table: 320}
#     x: {order: 0.5}
#     y: {sine: [40, 75], scale: 4, noise: 1.2}
#     width: {pick: [7, 9, 11, 13]}
#     level: {quantile_of: y, q: 0.65, digits: 3}
#     what_x: {pick: [{en: position (m), cn: 位置（米）}, {en: time (s), cn: 时间（秒）}]}
#     what_y: {pick: [{en: height, cn: 高度}, {en: signal, cn: 信号}]}
#   words:
#     smooth_title: {en: Moving average, cn: 移动平均}
#     raw_label: {en: measured, cn: 原始数据}
#     smooth_label: {en: smoothed, cn: 平滑后}
#     peak: {en: peak, cn: 峰值}
#     above_title: {en: 'Above {{ level }}', cn: '高于 {{ level }} 的区间'}
#     rest_title: {en: Residuals, cn: 残差}
#     count_label: {en: count, cn: 频数}
# ---

# %% [markdown] kind="exec" modules="pandas & numpy"
# Load the CSV file `data/{{ file }}` and put its columns `{{ x }}` and `{{ y }}`, as they are, into two numpy arrays named `x` and `y`.
#
# Thought: Read the table once and take each column out as an array.

# %% [markdown] lang="cn"
# 读取 CSV 文件 `data/{{ file }}`，将 `{{ x }}` 列和 `{{ y }}` 列原样存入 numpy 数组 `x` 和 `y`。
#
# Thought: 读取一次表格，再把两列分别取为数组。

# %%
import pandas as pd

table = pd.read_csv('data/{{ file }}')
x = table['{{ x }}'].to_numpy()
y = table['{{ y }}'].to_numpy()

# %% [markdown] kind="num" modules="pandas & numpy" answer="[real(2), real(3)]"
# Smooth `y` by a centered moving average over {{ width }} values ({{ width // 2 }} before, the value itself, {{ width // 2 }} after) into an array `smooth` of the same length; where the window goes beyond either end, take the mean of the values that are there.
# Print the value of `x` where `smooth` is largest, and this largest value rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: Series.rolling with center=True and min_periods=1 does just this.

# %% [markdown] lang="cn"
# 对 `y` 做窗口为 {{ width }} 的中心移动平均（前 {{ width // 2 }} 个值、该值本身和后 {{ width // 2 }} 个值），得到等长的数组 `smooth`；窗口超出两端时，只对存在的值求均值。
# 在同一行打印 `smooth` 取最大值处的 `x` 值和该最大值（保留 3 位小数），用空格分隔。
#
# Thought: Series.rolling 设 center=True、min_periods=1 即可。

# %%
smooth = pd.Series(y).rolling({{ width }}, center=True, min_periods=1).mean().to_numpy()
top = int(smooth.argmax())
answer = [x[top], round(float(smooth[top]), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Plot `y` against `x` as a line in `lightgray` of width 2 with the label `{{ raw_label }}`, then `smooth` against `x` as a line in `crimson` of width 2.5 with the label `{{ smooth_label }}`.
# Annotate the highest point of `smooth` with the text `{{ peak }}`, placed 55 points to the left of and 10 points above that point (`xytext=(-55, 10)`, `textcoords='offset points'`), and an arrow (`arrowprops={'arrowstyle': '->'}`).
# Use figure size (5, 3.2), the title `{{ smooth_title }}`, the x label `{{ what_x }}`, the y label `{{ what_y }}` and a legend to the right of the axes (`loc='upper left'`, `bbox_to_anchor=(1, 1)`), and call `plt.show()`.
#
# Thought: annotate points at xy in data coordinates and writes at xytext.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画折线图：先以 `x` 为横轴画出 `y`，颜色为 `lightgray`，线宽为 2，图例标签为 `{{ raw_label }}`；再画出 `smooth`，颜色为 `crimson`，线宽为 2.5，图例标签为 `{{ smooth_label }}`。
# 为 `smooth` 的最高点添加注释文字 `{{ peak }}`，文字位于该点左侧 55 磅、上方 10 磅处（`xytext=(-55, 10)`、`textcoords='offset points'`），并带箭头（`arrowprops={'arrowstyle': '->'}`）。
# 画布大小为 `figsize=(5, 3.2)`，标题为 `{{ smooth_title }}`，横轴标签为 `{{ what_x }}`，纵轴标签为 `{{ what_y }}`，图例位于绘图区右侧（`loc='upper left'`、`bbox_to_anchor=(1, 1)`），最后调用 `plt.show()`。
#
# Thought: annotate 的箭头指向数据坐标 xy，文字写在 xytext 处。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.2))
plt.plot(x, y, color='lightgray', linewidth=2, label='{{ raw_label }}')
plt.plot(x, smooth, color='crimson', linewidth=2.5, label='{{ smooth_label }}')
plt.annotate(
    '{{ peak }}',
    xy=(x[top], smooth[top]),
    xytext=(-55, 10),
    textcoords='offset points',
    arrowprops={'arrowstyle': '->'},
)
plt.title('{{ smooth_title }}')
plt.xlabel('{{ what_x }}')
plt.ylabel('{{ what_y }}')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[count, count]"
# Print the number of separate runs of consecutive values of `smooth` that are above {{ level }}, and the number of values in the longest of these runs, on one line, separated by a space.
#
# Thought: Count up while above the level; a run ends where the count falls back to 0.

# %% [markdown] lang="cn"
# 统计 `smooth` 中连续高于 {{ level }} 的区间：在同一行打印这样的连续区间的个数，以及其中最长区间的数据个数，用空格分隔。
#
# Thought: 高于阈值时计数加一，回落到阈值以下时该区间结束。

# %%
runs = []
count = 0
for above in [*(smooth > {{ level }}), False]:
    if above:
        count += 1
    elif count:
        runs.append(count)
        count = 0
answer = [len(runs), max(runs)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Plot `smooth` against `x` as a line in `black` of width 1.5, and draw a horizontal dashed line (`'--'`) in `gray` of the default width across the axes at {{ level }}.
# Fill the area between the dashed line and `smooth` in `orange` where `smooth` is above {{ level }} and in `skyblue` where it is below (`fill_between` with `where` and `color`, without interpolation).
# Use figure size (5, 3.2), the title `{{ above_title }}`, the x label `{{ what_x }}` and the y label `{{ what_y }}`, without a legend, and call `plt.show()`.
#
# Thought: Two calls of fill_between with opposite conditions color the two sides.

# %% [markdown] lang="cn"
# 以 `x` 为横轴将 `smooth` 画成折线，颜色为 `black`，线宽为 1.5；再在 {{ level }} 处画一条横贯整个绘图区的水平虚线（`'--'`），颜色为 `gray`，线宽取默认值。
# 填充虚线与 `smooth` 之间的区域：`smooth` 高于 {{ level }} 处为 `orange`，低于 {{ level }} 处为 `skyblue`（用 `fill_between` 的 `where` 和 `color` 参数，不做插值）。
# 画布大小为 `figsize=(5, 3.2)`，标题为 `{{ above_title }}`，横轴标签为 `{{ what_x }}`，纵轴标签为 `{{ what_y }}`，不加图例，最后调用 `plt.show()`。
#
# Thought: 用相反的条件调用两次 fill_between，就能给两侧分别着色。

# %%
plt.figure(figsize=(5, 3.2))
plt.plot(x, smooth, color='black', linewidth=1.5)
plt.axhline({{ level }}, color='gray', linestyle='--')
plt.fill_between(x, {{ level }}, smooth, where=smooth > {{ level }}, color='orange')
plt.fill_between(x, {{ level }}, smooth, where=smooth < {{ level }}, color='skyblue')
plt.title('{{ above_title }}')
plt.xlabel('{{ what_x }}')
plt.ylabel('{{ what_y }}')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[real(3), real(1)]"
# Put `y` minus `smooth` into an array `rest`. Print its population standard deviation (`ddof=0`), rounded to 3 decimal places, and the percentage of its values within two such standard deviations of 0, rounded to 1 decimal place and without the percent sign, on one line, separated by a space.
#
# Thought: numpy's std has ddof=0 by default; the mean of a condition is a share.

# %% [markdown] lang="cn"
# 将 `y` 减去 `smooth` 的结果存入数组 `rest`。在同一行打印它的总体标准差（`ddof=0`，保留 3 位小数），以及绝对值不超过该标准差两倍的数据所占的百分比（保留 1 位小数，不带百分号），用空格分隔。
#
# Thought: numpy 的 std 默认 ddof=0；布尔条件的均值就是占比。

# %%
rest = y - smooth
answer = [round(float(rest.std()), 3), round(float((abs(rest) <= 2 * rest.std()).mean() * 100), 1)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Make a figure of size (6.5, 3) with two axes side by side, the left one twice as wide as the right one (`width_ratios` 2 and 1), that share the y axis (`sharey=True`).
# On the left, plot `rest` against `x` as a line in `teal` of width 1 and a horizontal line in `black` of width 1 at 0; title `{{ rest_title }}`, x label `{{ what_x }}`, y label `{{ what_y }}`.
# On the right, draw a histogram of `rest` in 20 bins with horizontal bars in `purple`; x label `{{ count_label }}`. Call `plt.tight_layout()` and `plt.show()`.
#
# Thought: With orientation='horizontal' the values of the histogram stand on the shared y axis.

# %% [markdown] lang="cn"
# 建立左右两个共享纵轴的子图（`sharey=True`），画布大小为 `figsize=(6.5, 3)`，左图宽度是右图的两倍（`width_ratios` 为 2 和 1）。
# 左图以 `x` 为横轴画出 `rest`，颜色为 `teal`，线宽为 1，并在 0 处画一条水平线，颜色为 `black`，线宽为 1；标题为 `{{ rest_title }}`，横轴标签为 `{{ what_x }}`，纵轴标签为 `{{ what_y }}`。
# 右图画 `rest` 的横向直方图，20 个等宽区间，颜色为 `purple`；横轴标签为 `{{ count_label }}`。依次调用 `plt.tight_layout()` 和 `plt.show()`。
#
# Thought: 直方图设 orientation='horizontal'，数值就落在共享的纵轴上。

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(6.5, 3), sharey=True, gridspec_kw={'width_ratios': [2, 1]})
left.plot(x, rest, color='teal', linewidth=1)
left.axhline(0, color='black', linewidth=1)
left.set_title('{{ rest_title }}')
left.set_xlabel('{{ what_x }}')
left.set_ylabel('{{ what_y }}')
right.hist(rest, bins=20, orientation='horizontal', color='purple')
right.set_xlabel('{{ count_label }}')
plt.tight_layout()
plt.show()
