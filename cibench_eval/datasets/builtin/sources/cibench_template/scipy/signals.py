# ---
# jupyter:
#   instances:
#     heartbeat: {file: heartbeat.csv, time: time, value: voltage, cut: 12, prominence: 0.3}
#     sunspots: {file: sunspots.csv, time: YEAR, value: SUNACTIVITY, cut: 0.2, prominence: 20}
#   varied:
#     file: {table: 320}
#     time: {order: 0.5}
#     value: {sine: [18, 40], scale: 6, noise: 1.2}
#     cut: {pick: [0.2, 0.25, 0.3]}
#     prominence: {pick: [3, 4, 5]}
#   words:
#     title_power: {en: 'Periodogram of {{ value }}', cn: '{{ value }} 的周期图'}
#     title_smooth: {en: 'Low-pass filtered {{ value }}', cn: '低通滤波后的 {{ value }}'}
#     frequency: {en: frequency, cn: 频率}
#     power: {en: power spectral density, cn: 功率谱密度}
#     detrended: {en: detrended, cn: 去趋势后}
#     filtered: {en: filtered, cn: 滤波后}
# ---

# %% [markdown] kind="exec" modules="pandas & numpy"
# Load the columns `{{ time }}` and `{{ value }}` of the CSV file `data/{{ file }}` into numpy arrays of floats named `t` and `x`. The samples are equally spaced: store the number of samples in one unit of `{{ time }}`, `1 / (t[1] - t[0])`, in `rate`.
#
# Thought: The sampling rate is the inverse of the step in time.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 的 `{{ time }}` 列和 `{{ value }}` 列读入浮点型 numpy 数组，分别命名为 `t` 和 `x`。采样点等间距：把每单位 `{{ time }}` 的采样数 `1 / (t[1] - t[0])` 存入 `rate`。
#
# Thought: 采样率是时间步长的倒数。

# %%
import numpy as np
import pandas as pd

table = pd.read_csv('data/{{ file }}')
t = table['{{ time }}'].to_numpy(dtype=float)
x = table['{{ value }}'].to_numpy(dtype=float)
rate = 1 / (t[1] - t[0])

# %% [markdown] kind="num" modules="scipy" answer="[real(4), real(4), real(4)]"
# Remove the linear trend from `x` with `scipy.signal.detrend` (least-squares line) and store the result in `flat`. Print the standard deviation (`ddof=0`), the minimum and the maximum of `flat` on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: detrend removes a straight line by default; std of numpy has ddof=0.

# %% [markdown] lang="cn"
# 用 `scipy.signal.detrend` 去除 `x` 的线性趋势（最小二乘直线），结果存为 `flat`。在同一行打印 `flat` 的标准差（`ddof=0`）、最小值和最大值，各保留 4 位小数，用空格分隔。
#
# Thought: detrend 默认去除直线趋势，numpy 的 std 默认 ddof=0。

# %%
from scipy import signal

flat = signal.detrend(x)
answer = [round(float(flat.std()), 4), round(float(flat.min()), 4), round(float(flat.max()), 4)]
print(*answer)

# %% [markdown] kind="vis" modules="scipy & matplotlib"
# Compute the power spectral density of `flat` with `scipy.signal.periodogram`, sampling frequency `rate`, otherwise defaults, and store frequencies and densities in `frequencies` and `powers`. Draw `powers` against `frequencies` as a line of width 2 in `purple`, with the area under it filled in the same color with `alpha=0.3` (`plt.fill_between`), and limit the x axis to the range from 0 to {{ cut }}.
# Use figure size (5, 3.5), the title `{{ title_power }}`, the x label `{{ frequency }}` and the y label `{{ power }}`, and call `plt.show()`.
#
# Thought: periodogram returns the frequencies first, then the density at each.

# %% [markdown] lang="cn"
# 用 `scipy.signal.periodogram` 计算 `flat` 的功率谱密度，采样频率为 `rate`，其余参数取默认值，频率和功率谱密度分别存为 `frequencies` 和 `powers`。以 `frequencies` 为横轴、`powers` 为纵轴画线宽为 2、颜色为 `purple` 的曲线，曲线下方用相同颜色、`alpha=0.3` 填充（`plt.fill_between`），横轴范围限定为 0 到 {{ cut }}。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_power }}`，横轴标签为 `{{ frequency }}`，纵轴标签为 `{{ power }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: periodogram 先返回频率，再返回各频率的功率谱密度。

# %%
import matplotlib.pyplot as plt

frequencies, powers = signal.periodogram(flat, fs=rate)
plt.figure(figsize=(5, 3.5))
plt.plot(frequencies, powers, color='purple', linewidth=2)
plt.fill_between(frequencies, powers, color='purple', alpha=0.3)
plt.xlim(0, {{ cut }})
plt.title('{{ title_power }}')
plt.xlabel('{{ frequency }}')
plt.ylabel('{{ power }}')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="list[real(4)]"
# Print the three entries of `frequencies` with the highest values in `powers`, from the highest value down, and the share of these three values in the sum of all `powers`, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: argsort of the powers gives their places from low to high; the last three, reversed, are wanted.

# %% [markdown] lang="cn"
# 在同一行打印 `frequencies` 中 `powers` 最高的三个频率（按 `powers` 从高到低），以及这三个 `powers` 值占全部 `powers` 之和的比例，各保留 4 位小数，用空格分隔。
#
# Thought: 对功率用 argsort 得到从低到高的位置，取最后三个并倒序。

# %%
best = np.argsort(powers)[::-1][:3]
answer = [round(float(value), 4) for value in [*frequencies[best], powers[best].sum() / powers.sum()]]
print(*answer)

# %% [markdown] kind="exec" modules="scipy"
# Smooth `flat`: design a Butterworth low-pass filter of order 3 with the cut-off frequency {{ cut }} at the sampling frequency `rate` in second-order sections (`scipy.signal.butter` with `output='sos'`), apply it forwards and backwards with `scipy.signal.sosfiltfilt` (default padding), and store the result in `smooth`.
#
# Thought: With fs given, the cut-off frequency is in the units of the time axis; filtering both ways shifts no peak.

# %% [markdown] lang="cn"
# 对 `flat` 做平滑：设计 3 阶巴特沃斯低通滤波器，截止频率为 {{ cut }}，采样频率为 `rate`，采用二阶节形式（`scipy.signal.butter`，`output='sos'`），用 `scipy.signal.sosfiltfilt`（默认填充方式）做零相位（前向–后向）滤波，结果存为 `smooth`。
#
# Thought: 给出 fs 后，截止频率以时间轴的单位表示；双向滤波不会使峰值移位。

# %%
sos = signal.butter(3, {{ cut }}, btype='lowpass', fs=rate, output='sos')
smooth = signal.sosfiltfilt(sos, flat)

# %% [markdown] kind="num" modules="scipy & numpy" answer="[count, real(3), real(3)]"
# Find the peaks of `smooth` with `scipy.signal.find_peaks` and `prominence={{ prominence }}`, and store their indices in `peaks`. Print the number of peaks, and the mean and the standard deviation (`ddof=1`) of the distances between successive peaks in units of `{{ time }}`, on one line, the last two rounded to 3 decimal places, separated by a space.
#
# Thought: find_peaks returns indices; t[peaks] turns them into times, and diff gives the distances.

# %% [markdown] lang="cn"
# 用 `scipy.signal.find_peaks`（`prominence={{ prominence }}`）找出 `smooth` 的峰值，下标存为 `peaks`。在同一行打印峰值个数，以及相邻峰值间距（以 `{{ time }}` 为单位）的均值和标准差（`ddof=1`），后两者保留 3 位小数，用空格分隔。
#
# Thought: find_peaks 返回下标，t[peaks] 换算成时间，diff 得到间距。

# %%
peaks, _ = signal.find_peaks(smooth, prominence={{ prominence }})
distances = np.diff(t[peaks])
answer = [len(peaks), round(float(distances.mean()), 3), round(float(distances.std(ddof=1)), 3)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# For the first 120 samples alone, draw `flat` against `t` as a line in `lightgray` of width 2 (label `{{ detrended }}`) and over it `smooth` in `crimson`, width 2 (label `{{ filtered }}`), and mark those peaks of `smooth` that lie among these samples with points in `black` (`plt.scatter`, `s=30`, `zorder=3`, no label).
# Use figure size (5, 3.5), the title `{{ title_smooth }}`, the x label `{{ time }}`, the y label `{{ value }}` and a legend in one row at the top (`loc='upper center'`, `ncol=2`) with room above the curves (`plt.margins(y=0.2)`), and call `plt.show()`.
#
# Thought: Indices below 120 are the peaks to be shown; they stand at t[shown] and smooth[shown].

# %% [markdown] lang="cn"
# 只取前 120 个采样点，以 `t` 为横轴，用 `lightgray`、线宽 2 画出 `flat`（图例为 `{{ detrended }}`），再用 `crimson`、线宽 2 画出 `smooth`（图例为 `{{ filtered }}`），并用黑色（`black`）点标出 `smooth` 位于这些采样点内的峰值（`plt.scatter`，`s=30`，`zorder=3`，不加图例）。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_smooth }}`，横轴标签为 `{{ time }}`，纵轴标签为 `{{ value }}`，图例在上方排成一行（`loc='upper center'`、`ncol=2`），并用 `plt.margins(y=0.2)` 为其留出空间，最后调用 `plt.show()`。
#
# Thought: 下标小于 120 的峰值需要标出，坐标为 t[shown] 和 smooth[shown]。

# %%
shown = peaks[peaks < 120]
plt.figure(figsize=(5, 3.5))
plt.plot(t[:120], flat[:120], color='lightgray', linewidth=2, label='{{ detrended }}')
plt.plot(t[:120], smooth[:120], color='crimson', linewidth=2, label='{{ filtered }}')
plt.scatter(t[shown], smooth[shown], color='black', s=30, zorder=3)
plt.title('{{ title_smooth }}')
plt.xlabel('{{ time }}')
plt.ylabel('{{ value }}')
plt.margins(y=0.2)
plt.legend(loc='upper center', ncol=2)
plt.show()

# %% [markdown] kind="num" modules="scipy & numpy" answer="[real(4), real(4)]"
# Interpolate `smooth ** 2` as a function of `t` by a cubic spline (`scipy.interpolate.CubicSpline`, default boundary condition). Print the integral of the spline from the time of the first of `peaks` to that of the last, and the share of this in its integral from `t[0]` to `t[-1]`, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: A CubicSpline has a method integrate(a, b).

# %% [markdown] lang="cn"
# 以 `t` 为自变量，对 `smooth ** 2` 做三次样条插值（`scipy.interpolate.CubicSpline`，默认边界条件）。在同一行打印样条从 `peaks` 中第一个峰值的时刻到最后一个峰值的时刻的积分，以及它占 `t[0]` 到 `t[-1]` 的积分的比例，各保留 4 位小数，用空格分隔。
#
# Thought: CubicSpline 自带 integrate(a, b) 方法。

# %%
from scipy.interpolate import CubicSpline

energy = CubicSpline(t, smooth**2)
between = energy.integrate(t[peaks[0]], t[peaks[-1]])
answer = [round(float(between), 4), round(float(between / energy.integrate(t[0], t[-1])), 4)]
print(*answer)
