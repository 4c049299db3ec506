# ---
# jupyter:
#   instances:
#     airline: {file: airline-passengers.csv, date: month, value: passengers, window: 12}
#     seattle: {file: seattle-weather.csv, date: date, value: temp_max, window: 60}
#   varied:
#     file: {table: 800}
#     date: {days: 2021-03-01}
#     value: {sine: [362, 368], scale: 12, noise: 4, digits: 1}
#     window: {pick: [30, 40, 50]}
#   words:
#     series: {en: 'Moving average of {{ value }}', cn: '{{ value }} 的移动平均'}
#     position: {en: 'position', cn: '序号'}
#     observed: {en: 'observed', cn: '观测值'}
#     average: {en: 'moving average', cn: '移动平均'}
#     effects: {en: 'Effect of the month', cn: '月份效应'}
#     month: {en: 'month', cn: '月份'}
#     deviation: {en: 'deviation from the mean effect', cn: '与平均效应之差'}
# ---

# %% [markdown] kind="exec" modules="pandas & tensorflow"
# Read `data/{{ file }}` into a DataFrame named `table`, with the column `{{ date }}` parsed as dates.
# Make three tensors with one value a row, in the order of the file: `y` (`tf.float64`) of the column `{{ value }}`; `month` (`tf.int32`), the calendar month of each row minus 1, so that January is 0; and `t` (`tf.float64`), which rises evenly from 0 in the first row to 1 in the last.
#
# Thought: dt.month gives the months, and tf.linspace the evenly rising values.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame，其中 `{{ date }}` 列解析为日期。
# 按文件中的顺序创建三个张量，每行对应一个值：`y`（`tf.float64`）取自 `{{ value }}` 列；`month`（`tf.int32`）为各行的月份减 1，即一月为 0；`t`（`tf.float64`）从第一行的 0 均匀增加到最后一行的 1。
#
# Thought: dt.month 给出月份，tf.linspace 生成均匀递增的值。

# %%
import pandas as pd
import tensorflow as tf

table = pd.read_csv('data/{{ file }}', parse_dates=['{{ date }}'])
y = tf.constant(table['{{ value }}'].to_numpy(), dtype=tf.float64)
month = tf.constant(table['{{ date }}'].dt.month.to_numpy() - 1, dtype=tf.int32)
t = tf.linspace(tf.constant(0, tf.float64), tf.constant(1, tf.float64), len(y))

# %% [markdown] kind="num" modules="tensorflow" answer="list[real(2)]"
# With `tf.math.unsorted_segment_mean`, compute the mean of `y` in each of the 12 calendar months, over all years.
# Print the 12 means from January to December on one line, separated by a space, each rounded to 2 decimal places.
#
# Thought: The months are the segment numbers.

# %% [markdown] lang="cn"
# 用 `tf.math.unsorted_segment_mean` 计算 12 个月份各自的 `y` 的均值（各年合并）。
# 从一月到十二月在同一行打印 12 个均值，用空格分隔，各保留 2 位小数。
#
# Thought: 月份就是分段编号。

# %%
means = tf.math.unsorted_segment_mean(y, month, num_segments=12)
answer = [round(value, 2) for value in means.numpy().tolist()]
print(*answer)

# %% [markdown] kind="num" modules="tensorflow" answer="[real(3), real(3)]"
# Compute the moving average of `y` over {{ window }} successive values with `tf.nn.conv1d`, only where the window fits entirely (`VALID`), into a one-dimensional tensor `smooth`.
# Print the smallest and the largest value of `smooth` on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: conv1d wants batch, length and channels, and a filter of equal weights.

# %% [markdown] lang="cn"
# 用 `tf.nn.conv1d` 计算 `y` 中每 {{ window }} 个连续值的移动平均，只取窗口完全落在序列内的部分（`VALID`），结果为一维张量 `smooth`。
# 在同一行打印 `smooth` 的最小值和最大值，用空格分隔，各保留 3 位小数。
#
# Thought: conv1d 的输入维度为批次、长度、通道，卷积核的各权重相等。

# %%
kernel = tf.ones(({{ window }}, 1, 1), dtype=tf.float64) / {{ window }}
smooth = tf.nn.conv1d(y[None, :, None], kernel, stride=1, padding='VALID')[0, :, 0]
answer = [round(float(tf.reduce_min(smooth)), 3), round(float(tf.reduce_max(smooth)), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="tensorflow & matplotlib"
# Draw `y` against its position (0, 1, 2, …) as a line in `silver` with linewidth 1 and the label `{{ observed }}`, and `smooth` in `red` with linewidth 2 and the label `{{ average }}`, each value at the position of the last value in its window.
# Use figure size (5, 3.5), the title `{{ series }}`, the x label `{{ position }}`, the y label `{{ value }}` and a legend in one row at the top (`loc='upper center'`, `ncol=2`) with room above the curves (`plt.margins(y=0.2)`), and call `plt.show()`.
#
# Thought: The first window ends at its length minus 1.

# %% [markdown] lang="cn"
# 以序号（0、1、2……）为横轴，用颜色 `silver`、线宽 1 画出 `y` 的折线，图例为 `{{ observed }}`；再用 `red`、线宽 2 画出 `smooth`，图例为 `{{ average }}`，每个值画在其窗口最后一个值的序号处。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ series }}`，横轴标签为 `{{ position }}`，纵轴标签为 `{{ value }}`，图例在上方排成一行（`loc='upper center'`、`ncol=2`），并用 `plt.margins(y=0.2)` 为其留出空间，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 第一个窗口结束于窗口长度减 1 处。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.plot(range(len(y)), y, color='silver', linewidth=1, label='{{ observed }}')
plt.plot(range({{ window }} - 1, len(y)), smooth, color='red', linewidth=2, label='{{ average }}')
plt.title('{{ series }}')
plt.xlabel('{{ position }}')
plt.ylabel('{{ value }}')
plt.margins(y=0.2)
plt.legend(loc='upper center', ncol=2)
plt.show()

# %% [markdown] kind="num" modules="tensorflow" answer="[real(3), real(3)]"
# Model `y` as `effects[month] + slope * t`, with two `tf.Variable`s of type `tf.float64`: `effects` with 12 values, and the scalar `slope`, all 0 at the start.
# Minimize the mean squared error by 400 steps of plain gradient descent (no momentum) with learning rate 1.0 and gradients from `tf.GradientTape`.
# Print the final `slope` and the root mean squared error after the last step, on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: A one-hot matrix times the effects gives the effect of each row, and assign_sub does the update.

# %% [markdown] lang="cn"
# 用 `effects[month] + slope * t` 作为 `y` 的模型，其中有两个类型为 `tf.float64` 的 `tf.Variable`：含 12 个值的 `effects` 和标量 `slope`，初始值均为 0。
# 用 `tf.GradientTape` 求梯度，以学习率 1.0 做 400 步标准的（不带动量的）梯度下降，使均方误差最小。
# 在同一行打印最终的 `slope` 和全部更新完成后的均方根误差，用空格分隔，各保留 3 位小数。
#
# Thought: 独热编码矩阵乘以 effects 即得每行对应的月份效应，再用 assign_sub 更新变量。

# %%
season = tf.one_hot(month, 12, dtype=tf.float64)
effects = tf.Variable(tf.zeros(12, dtype=tf.float64))
slope = tf.Variable(tf.zeros((), dtype=tf.float64))


def error():
    return tf.reduce_mean((tf.linalg.matvec(season, effects) + slope * t - y) ** 2)


for _ in range(400):
    with tf.GradientTape() as tape:
        loss = error()
    for variable, gradient in zip([effects, slope], tape.gradient(loss, [effects, slope])):
        variable.assign_sub(1.0 * gradient)
answer = [round(float(slope), 3), round(float(tf.sqrt(error())), 3)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="tensorflow & calendar" answer="list[text]"
# Print the full English names of the six months with the greatest values in `effects`, from the greatest to the smallest, on one line, separated by `, `.
#
# Thought: calendar.month_name has the names, with January at 1.

# %% [markdown] lang="cn"
# 找出 `effects` 中值最大的六个月份，按从大到小的顺序在同一行打印它们的英文全称，用 `, ` 分隔。
#
# Thought: calendar.month_name 中有月份名称，一月的下标为 1。

# %%
import calendar

order = tf.argsort(effects, direction='DESCENDING').numpy()
answer = [calendar.month_name[index + 1] for index in order[:6]]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="tensorflow & matplotlib"
# Draw a bar chart of `effects` minus their mean for the months 1 to 12, bars above zero in `tomato` and bars below zero in `cornflowerblue`, with the ticks 1 to 12 on the x axis.
# Use figure size (5, 3.5), the title `{{ effects }}`, the x label `{{ month }}` and the y label `{{ deviation }}`, and call `plt.show()`.
#
# Thought: plt.bar takes a list with one color for each bar.

# %% [markdown] lang="cn"
# 画条形图，表示 1 至 12 月的 `effects` 减去其均值后的差；差值大于零的条形用 `tomato`，小于零的条形用 `cornflowerblue`，横轴刻度为 1 到 12。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ effects }}`，横轴标签为 `{{ month }}`，纵轴标签为 `{{ deviation }}`，最后调用 `plt.show()`。
#
# Thought: plt.bar 的 color 可以是列表，每个条形一种颜色。

# %%
deviations = (effects - tf.reduce_mean(effects)).numpy()
plt.figure(figsize=(5, 3.5))
plt.bar(range(1, 13), deviations, color=['tomato' if value > 0 else 'cornflowerblue' for value in deviations])
plt.xticks(range(1, 13))
plt.title('{{ effects }}')
plt.xlabel('{{ month }}')
plt.ylabel('{{ deviation }}')
plt.show()

# %% [markdown] kind="num" modules="tensorflow" answer="[real(3), real(3)]"
# Residuals are `y` minus the fitted model. Fit the autoregression `residual[i] = a * residual[i-1] + c * residual[i-2]` (no intercept) to all rows from the third on by least squares with `tf.linalg.lstsq` and `fast=False`.
# Print `a` and `c` on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: The design matrix has the residuals shifted by one and by two rows as its columns.

# %% [markdown] lang="cn"
# 残差等于 `y` 减去拟合模型的值。从第三行起，用 `tf.linalg.lstsq`（`fast=False`）按最小二乘拟合自回归模型 `residual[i] = a * residual[i-1] + c * residual[i-2]`（不含截距）。
# 在同一行打印 `a` 和 `c`，用空格分隔，各保留 3 位小数。
#
# Thought: 设计矩阵的两列分别是滞后一行和滞后两行的残差。

# %%
residual = y - tf.linalg.matvec(season, effects) - slope * t
design = tf.stack([residual[1:-1], residual[:-2]], axis=1)
a, c = tf.linalg.lstsq(design, residual[2:, None], fast=False).numpy()[:, 0].tolist()
answer = [round(a, 3), round(c, 3)]
print(*answer)
