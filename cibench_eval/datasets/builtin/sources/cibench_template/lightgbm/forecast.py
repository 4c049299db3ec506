# ---
# jupyter:
#   instances:
#     sunspots: {file: sunspots.csv, time: YEAR, value: SUNACTIVITY, lags: 12, held: 40}
#     weather: {file: seattle-weather.csv, time: date, value: temp_max, lags: 7, held: 90}
#   varied:
#     file: {table: 420}
#     time: {order: 1, digits: 0}
#     value: {sine: [32, 48], scale: 12, noise: 2.5}
#     lags: {pick: [8, 9, 10]}
#     held: {pick: [40, 50]}
#   words:
#     line_title: {en: 'Forecast of {{ value }}', cn: '{{ value }} 的预测'}
#     line_x: {en: row of the test set, cn: 测试集行号}
#     measured: {en: measured, cn: 实际值}
#     predicted: {en: predicted, cn: 预测值}
#     band_title: {en: 'Interval of {{ value }}', cn: '{{ value }} 的预测区间'}
#     band: {en: 10 % to 90 %, cn: 10%–90% 分位区间}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load `data/{{ file }}` and make a DataFrame `frame` with its column `{{ value }}` and {{ lags }} further columns `lag_1` to `lag_{{ lags }}`, in this order; `lag_k` is the `{{ value }}` of k rows before (the file is in the order of `{{ time }}`, oldest first). Drop the rows with a missing value.
# The last {{ held }} rows of `frame` are the test set `test`, all before them the training set `train`; `lags` is the list of the names of the lag columns.
#
# Thought: shift(k) moves the series k rows down; a forecast must not be trained on later rows, so the split is by time.

# %% [markdown] lang="cn"
# 读取 `data/{{ file }}`，建立 DataFrame `frame`，包含 `{{ value }}` 列以及依次排列的 {{ lags }} 个新列 `lag_1` 到 `lag_{{ lags }}`，其中 `lag_k` 为 k 行之前的 `{{ value }}`（文件已按 `{{ time }}` 从早到晚排列）。删除有缺失值的行。
# `frame` 的最后 {{ held }} 行为测试集 `test`，之前的全部行为训练集 `train`；`lags` 为各滞后列的列名列表。
#
# Thought: shift(k) 将序列下移 k 行；预测不能用到之后的数据，所以按时间划分。

# %%
import pandas as pd

frame = pd.read_csv('data/{{ file }}')[['{{ value }}']]
lags = [f'lag_{k}' for k in range(1, {{ lags }} + 1)]
for k, name in enumerate(lags, start=1):
    frame[name] = frame['{{ value }}'].shift(k)
frame = frame.dropna()
train, test = frame.iloc[:-{{ held }}], frame.iloc[-{{ held }}:]

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Make two naive forecasts of `{{ value }}` in `test`: for every row the value of the row before (`lag_1`), and for every row the mean of `{{ value }}` in `train`. Print the mean absolute error of both on one line, in this order, each rounded to 3 decimal places, separated by a space.
#
# Thought: Both are what a model has to beat.

# %% [markdown] lang="cn"
# 对 `test` 中的 `{{ value }}` 做两种朴素预测：每一行都用前一行的值（`lag_1`）；每一行都用 `train` 中 `{{ value }}` 的均值。按此顺序在同一行打印两者的平均绝对误差（MAE），各保留 3 位小数，用空格分隔。
#
# Thought: 模型至少要优于这两种预测。

# %%
actual = test['{{ value }}']
naive = [(actual - test['lag_1']).abs().mean(), (actual - train['{{ value }}'].mean()).abs().mean()]
answer = list(naive)
print(' '.join(f'{value:.3f}' for value in answer))

# %% [markdown] kind="num" modules="lightgbm & numpy" tolerance=0.01 answer="[real(3), real(3)]"
# Let `settings` be the dictionary with `n_estimators=80`, `learning_rate=0.05`, `num_leaves=7`, `min_child_samples=10`, `random_state=0`, `deterministic=True`, `n_jobs=1` and `verbose=-1`.
# Fit `LGBMRegressor(**settings)` on `train` with the columns `lags` as features and `{{ value }}` as target, name it `model`, keep its one-step forecasts for `test` in `predicted`, and print their mean absolute error and root mean squared error on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: The lags of every test row are measured values, so this is a one-step forecast.

# %% [markdown] lang="cn"
# 令 `settings` 为字典，包含 `n_estimators=80`、`learning_rate=0.05`、`num_leaves=7`、`min_child_samples=10`、`random_state=0`、`deterministic=True`、`n_jobs=1` 和 `verbose=-1`。
# 在 `train` 上以 `lags` 各列为特征、`{{ value }}` 为目标拟合 `LGBMRegressor(**settings)`，命名为 `model`，将它对 `test` 的单步预测存入 `predicted`，在同一行打印平均绝对误差（MAE）和均方根误差（RMSE），各保留 3 位小数，用空格分隔。
#
# Thought: 测试集每一行的滞后值都是实际值，所以这是单步预测。

# %%
from lightgbm import LGBMRegressor

settings = {
    'n_estimators': 80,
    'learning_rate': 0.05,
    'num_leaves': 7,
    'min_child_samples': 10,
    'random_state': 0,
    'deterministic': True,
    'n_jobs': 1,
    'verbose': -1,
}
model = LGBMRegressor(**settings).fit(train[lags], train['{{ value }}'])
predicted = model.predict(test[lags])
error = actual - predicted
answer = [error.abs().mean(), (error**2).mean() ** 0.5]
print(*(f'{value:.3f}' for value in answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Plot the `{{ value }}` of `test` in `gray` (label `{{ measured }}`) and `predicted` in `red` (label `{{ predicted }}`) as lines with `linewidth=2` against the row numbers 1 to {{ held }}.
# Use figure size (5, 3.5), the title `{{ line_title }}`, the x label `{{ line_x }}`, the y label `{{ value }}` and a legend, and call `plt.show()`.
#
# Thought: Both series have one value for each row of the test set.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 以行号 1 到 {{ held }} 为横轴，画出 `test` 的 `{{ value }}`（`gray`，图例标签 `{{ measured }}`）和 `predicted`（`red`，图例标签 `{{ predicted }}`）两条折线，`linewidth=2`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ line_title }}`，横轴标签为 `{{ line_x }}`，纵轴标签为 `{{ value }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 两个序列在测试集的每一行都有一个值。

# %%
import matplotlib.pyplot as plt

steps = range(1, {{ held }} + 1)
plt.figure(figsize=(5, 3.5))
plt.plot(steps, actual, color='gray', linewidth=2, label='{{ measured }}')
plt.plot(steps, predicted, color='red', linewidth=2, label='{{ predicted }}')
plt.title('{{ line_title }}')
plt.xlabel('{{ line_x }}')
plt.ylabel('{{ value }}')
plt.legend()
plt.show()

# %% [markdown] kind="text" list="true" modules="lightgbm & pandas" answer="list[text]"
# Print the names of the 6 lag columns with the highest total gain in `model`, the highest first, on one line, joined by `, `.
#
# Thought: The gain is in the booster of the fitted model; feature_importances_ would count splits.

# %% [markdown] lang="cn"
# 按在 `model` 中的总增益（gain）从高到低，在同一行打印增益最高的 6 个滞后列的列名，用 `, ` 分隔。
#
# Thought: 增益要从拟合好的模型的 booster 中取，feature_importances_ 默认是分裂次数。

# %%
gain = pd.Series(model.booster_.feature_importance(importance_type='gain'), index=lags)
answer = list(gain.sort_values(ascending=False).index[:6])
print(', '.join(answer))

# %% [markdown] kind="num" modules="lightgbm & numpy" tolerance=0.01 answer="[real(3), real(3)]"
# How sure is the forecast? Fit two more models on the same training data, both with `settings` and `objective='quantile'`, one with `alpha=0.1` and one with `alpha=0.9`, and keep their forecasts for `test` in `lower` and `upper`.
# Print the share of the rows of `test` whose `{{ value }}` lies between `lower` and `upper` (both included), as a fraction, and the mean of `upper - lower`, on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: About 80 % of the values should lie in the interval if the quantiles were right.

# %% [markdown] lang="cn"
# 评估预测的不确定性：在同样的训练数据上再拟合两个模型，参数均为 `settings` 加上 `objective='quantile'`，一个设 `alpha=0.1`，另一个设 `alpha=0.9`，对 `test` 的预测分别存入 `lower` 和 `upper`。
# 在同一行打印 `test` 中 `{{ value }}` 落在 `lower` 与 `upper` 之间（含端点）的行所占的比例（小数形式），以及 `upper - lower` 的均值，各保留 3 位小数，用空格分隔。
#
# Thought: 若分位数准确，约有 80% 的值落在区间内。

# %%
lower, upper = (
    LGBMRegressor(**settings, objective='quantile', alpha=alpha).fit(train[lags], train['{{ value }}']).predict(test[lags])
    for alpha in (0.1, 0.9)
)
inside = (actual >= lower) & (actual <= upper)
answer = [inside.mean(), (upper - lower).mean()]
print(*(f'{value:.3f}' for value in answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Fill the area between `lower` and `upper` over the row numbers 1 to {{ held }} in `skyblue` (label `{{ band }}`) and draw the `{{ value }}` of `test` as black points (marker `o`, `markersize=5`, no line, label `{{ measured }}`).
# Use figure size (5, 3.5), the title `{{ band_title }}`, the x label `{{ line_x }}`, the y label `{{ value }}` and a legend to the right of the axes (`loc='upper left'`, `bbox_to_anchor=(1, 1)`), and call `plt.show()`.
#
# Thought: fill_between draws the band; the points outside of it are the misses.

# %% [markdown] lang="cn"
# 在行号 1 到 {{ held }} 上，用 `skyblue` 填充 `lower` 与 `upper` 之间的区域（图例标签 `{{ band }}`），并把 `test` 的 `{{ value }}` 画成黑色的点（标记 `o`，`markersize=5`，不连线，图例标签 `{{ measured }}`）。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ band_title }}`，横轴标签为 `{{ line_x }}`，纵轴标签为 `{{ value }}`，图例位于绘图区右侧（`loc='upper left'`、`bbox_to_anchor=(1, 1)`），最后调用 `plt.show()`。
#
# Thought: fill_between 画出区间，落在区间之外的点就是没有覆盖到的。

# %%
plt.figure(figsize=(5, 3.5))
plt.fill_between(steps, lower, upper, color='skyblue', label='{{ band }}')
plt.plot(steps, actual, 'o', color='black', markersize=5, label='{{ measured }}')
plt.title('{{ band_title }}')
plt.xlabel('{{ line_x }}')
plt.ylabel('{{ value }}')
plt.legend(loc='upper left', bbox_to_anchor=(1, 1))
plt.show()

# %% [markdown] kind="num" modules="lightgbm & pandas" tolerance=0.01 answer="list[real(2)]"
# Now forecast into the unknown: with `model` as it is, predict the 5 rows after the end of the file one after the other (recursive forecast); each prediction becomes `lag_1` of the next row, and the other lags move up by one.
# Print the five values in order on one line, each rounded to 2 decimal places, separated by spaces.
#
# Thought: Keep the last values in a list, newest first, and put every prediction in front.

# %% [markdown] lang="cn"
# 预测未来：不重新训练，用 `model` 依次预测文件末尾之后的 5 行（递归预测）；每个预测值作为下一行的 `lag_1`，其余滞后值依次后移一位。
# 按顺序在同一行打印这五个值，各保留 2 位小数，用空格分隔。
#
# Thought: 用列表存放最近的值，最新的在前，每次把预测值插到最前面。

# %%
recent = frame['{{ value }}'].iloc[::-1].tolist()
forecast = []
for _ in range(5):
    row = pd.DataFrame([recent[: len(lags)]], columns=lags)
    forecast.append(float(model.predict(row)[0]))
    recent.insert(0, forecast[-1])
answer = list(forecast)
print(' '.join(f'{value:.2f}' for value in answer))
