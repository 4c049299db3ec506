# ---
# jupyter:
#   instances:
#     engel: {file: engel.csv, x: income, base: income, y: foodexp}
#     elements: {file: elements.csv, x: melting point, base: melting point, y: boiling point}
#   varied:
#     file: {table: 150}
#     x: {uniform: [4, 95]}
#     base: {uniform: [48, 52]}
#     y: {follows: {x: 1.3, base: 1}, noise: 6}
#   words:
#     title_fit: {en: 'Two models of {{ y }}', cn: '{{ y }} 的两个模型'}
#     title_rest: {en: 'Residuals of the power law', cn: '幂律模型的残差'}
#     observed: {en: observed, cn: 观测值}
#     straight: {en: straight line, cn: 直线}
#     power: {en: power law, cn: 幂律}
#     normal: {en: normal distribution, cn: 正态分布}
#     residual: {en: residual, cn: 残差}
#     density: {en: density, cn: 密度}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` and drop every row with a missing value in `{{ x }}` or `{{ y }}`. Sort the rest by `{{ x }}` in ascending order and store the two columns as numpy arrays of floats named `x` and `y`.
#
# Thought: dropna with subset looks at these two columns alone.

# %% [markdown] lang="cn"
# 读取 CSV 文件 `data/{{ file }}`，删除 `{{ x }}` 列或 `{{ y }}` 列有缺失值的行，按 `{{ x }}` 升序排序，并把这两列存为浮点型 numpy 数组，分别命名为 `x` 和 `y`。
#
# Thought: dropna 的 subset 参数限定只检查这两列。

# %%
import pandas as pd

table = pd.read_csv('data/{{ file }}').dropna(subset=['{{ x }}', '{{ y }}']).sort_values('{{ x }}')
x = table['{{ x }}'].to_numpy(dtype=float)
y = table['{{ y }}'].to_numpy(dtype=float)

# %% [markdown] kind="num" modules="scipy" answer="[real(4), real(4), real(4)]"
# Fit a straight line to `y` against `x` with `scipy.stats.linregress` and keep the result in `line`. Print its slope, its intercept and the squared correlation coefficient on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: linregress returns the correlation as rvalue, to be squared.

# %% [markdown] lang="cn"
# 用 `scipy.stats.linregress` 以 `x` 为自变量、`y` 为因变量拟合直线，结果存为 `line`。在同一行打印斜率、截距和相关系数的平方，各保留 4 位小数，用空格分隔。
#
# Thought: linregress 返回的相关系数是 rvalue，需要取平方。

# %%
from scipy import stats

line = stats.linregress(x, y)
answer = [round(float(line.slope), 4), round(float(line.intercept), 4), round(float(line.rvalue**2), 4)]
print(*answer)

# %% [markdown] kind="exec" modules="numpy"
# Define a function `power_law(x, a, b)` that returns a · xᵇ and works on whole numpy arrays. Keep its values at `x` for a = 2 and b = 0.5 in `powers`.
#
# Thought: The operator ** raises every element of an array.

# %% [markdown] lang="cn"
# 定义函数 `power_law(x, a, b)`，返回 a · xᵇ，可直接作用于整个 numpy 数组。把 a = 2、b = 0.5 时它在 `x` 上的值存为 `powers`。
#
# Thought: 运算符 ** 对数组逐元素求幂。

# %%
def power_law(x, a, b):
    return a * x**b


powers = power_law(x, 2, 0.5)

# %% [markdown] kind="num" modules="scipy & numpy" tolerance=0.01 answer="list[real(4)]"
# Fit `power_law` to `x` and `y` with `scipy.optimize.curve_fit`, starting from `p0=[1, 1]`; keep the fitted parameters in `parameters`. Print `a`, `b` and the standard error of `b` (square root of its variance in the returned covariance matrix) on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: The standard errors are the square roots of the diagonal of the covariance matrix.

# %% [markdown] lang="cn"
# 用 `scipy.optimize.curve_fit` 将 `power_law` 拟合到 `x` 和 `y`，初值为 `p0=[1, 1]`，拟合得到的参数存为 `parameters`。在同一行打印 `a`、`b` 以及 `b` 的标准误（返回的协方差矩阵中对应对角元的平方根），各保留 4 位小数，用空格分隔。
#
# Thought: 标准误是协方差矩阵对角线元素的平方根。

# %%
import numpy as np
from scipy.optimize import curve_fit

parameters, covariance = curve_fit(power_law, x, y, p0=[1, 1])
answer = [round(float(value), 4) for value in [*parameters, np.sqrt(covariance[1, 1])]]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib & numpy"
# Plot `y` against `x` as points (`plt.scatter`, `s=25`, color `silver`, label `{{ observed }}`), then the straight line (`blue`, label `{{ straight }}`) and the fitted power law (`red`, label `{{ power }}`), both with line width 2, evaluated at 200 equally spaced points from the smallest to the largest `x`.
# Use figure size (5, 3.5), the title `{{ title_fit }}`, the x label `{{ x }}`, the y label `{{ y }}` and a legend, and call `plt.show()`.
#
# Thought: One grid serves both curves.

# %% [markdown] lang="cn"
# 以 `x` 为横轴、`y` 为纵轴画散点（`plt.scatter`，`s=25`，颜色为 `silver`，图例为 `{{ observed }}`），再画出拟合直线（`blue`，图例为 `{{ straight }}`）和拟合的幂律曲线（`red`，图例为 `{{ power }}`），线宽均为 2。直线和曲线都在 `x` 的最小值到最大值之间等间距的 200 个点上计算。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_fit }}`，横轴标签为 `{{ x }}`，纵轴标签为 `{{ y }}`，显示图例，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 两条曲线可以共用同一个网格。

# %%
import matplotlib.pyplot as plt

grid = np.linspace(x.min(), x.max(), 200)
plt.figure(figsize=(5, 3.5))
plt.scatter(x, y, s=25, color='silver', label='{{ observed }}')
plt.plot(grid, line.slope * grid + line.intercept, color='blue', linewidth=2, label='{{ straight }}')
plt.plot(grid, power_law(grid, *parameters), color='red', linewidth=2, label='{{ power }}')
plt.title('{{ title_fit }}')
plt.xlabel('{{ x }}')
plt.ylabel('{{ y }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[real(2), real(2)]"
# Compute the root mean squared error (square root of the mean of the squared residuals) of the straight line and of the fitted power law on `x` and `y`. Print both in this order on one line, each rounded to 2 decimal places, separated by a space.
#
# Thought: A residual is the observed minus the predicted value.

# %% [markdown] lang="cn"
# 计算直线和拟合的幂律模型在 `x`、`y` 上的均方根误差（残差平方的均值的平方根），按此顺序在同一行打印，各保留 2 位小数，用空格分隔。
#
# Thought: 残差等于观测值减去预测值。

# %%
def rmse(predicted):
    return round(float(np.sqrt(np.mean((y - predicted) ** 2))), 2)


answer = [rmse(line.slope * x + line.intercept), rmse(power_law(x, *parameters))]
print(*answer)

# %% [markdown] kind="num" modules="scipy" tolerance=0.001 answer="real(2)"
# At which `x` does the fitted power law reach the mean of `y`? Solve the equation with `scipy.optimize.brentq` between the smallest and the largest `x`, and print the root, rounded to 2 decimal places.
#
# Thought: brentq wants a function that changes its sign in the interval: the power law minus the mean.

# %% [markdown] lang="cn"
# 拟合的幂律曲线在 `x` 取何值时等于 `y` 的均值？用 `scipy.optimize.brentq` 在 `x` 的最小值与最大值之间求解该方程，打印这个根，保留 2 位小数。
#
# Thought: brentq 需要在区间两端变号的函数：幂律减去均值。

# %%
from scipy.optimize import brentq

root = brentq(lambda value: power_law(value, *parameters) - y.mean(), x.min(), x.max())
answer = round(float(root), 2)
print(answer)

# %% [markdown] kind="vis" modules="scipy & matplotlib"
# Draw a histogram of the residuals of the power law (`y` minus the fitted values): `bins=15`, `density=True`, color `plum`. Over it draw, as a line in `black` of line width 2 with the label `{{ normal }}`, the density of the normal distribution that `scipy.stats.norm.fit` finds for the residuals, at 200 equally spaced points from the smallest to the largest residual.
# Use figure size (5, 3.5), the title `{{ title_rest }}`, the x label `{{ residual }}`, the y label `{{ density }}` and a legend, and call `plt.show()`.
#
# Thought: norm.fit returns mean and standard deviation, which norm.pdf takes as loc and scale.

# %% [markdown] lang="cn"
# 画幂律模型残差（`y` 减去拟合值）的直方图：15 个区间（`bins=15`），`density=True`，颜色为 `plum`。再用黑色（`black`）、线宽为 2 的曲线（图例为 `{{ normal }}`）画出 `scipy.stats.norm.fit` 对残差拟合得到的正态分布密度。曲线在最小残差到最大残差之间等间距的 200 个点上计算。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_rest }}`，横轴标签为 `{{ residual }}`，纵轴标签为 `{{ density }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: norm.fit 返回均值和标准差，即 norm.pdf 的 loc 和 scale。

# %%
residuals = y - power_law(x, *parameters)
mean, deviation = stats.norm.fit(residuals)
points = np.linspace(residuals.min(), residuals.max(), 200)
plt.figure(figsize=(5, 3.5))
plt.hist(residuals, bins=15, density=True, color='plum')
plt.plot(points, stats.norm.pdf(points, mean, deviation), color='black', linewidth=2, label='{{ normal }}')
plt.title('{{ title_rest }}')
plt.xlabel('{{ residual }}')
plt.ylabel('{{ density }}')
plt.legend()
plt.show()
