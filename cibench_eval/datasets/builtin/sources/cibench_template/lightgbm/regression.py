# ---
# jupyter:
#   instances:
#     rent: {file: rent.csv, reader: read_csv, target: rent, category: district, a: area, b: floor, c: metro_distance}
#     cars: {file: cars.json, reader: read_json, target: Miles_per_Gallon, category: Origin, a: Weight_in_lbs, b: Acceleration, c: Displacement}
#   varied:
#     file: {table: 340}
#     reader: {pick: [read_csv]}
#     category: {words: 4}
#     a: {uniform: [30, 130], digits: 1}
#     b: {integers: [1, 30]}
#     c: {normal: [900, 250], digits: 0}
#     target: {follows: {a: 70, b: 25, c: -1.5}, noise: 350, digits: 0, by: category}
#   words:
#     features: "['{{ a }}', '{{ b }}', '{{ c }}', '{{ category }}']"
#     bars_title: {en: Share of the total gain, cn: 各特征占总增益的比例}
#     bars_x: {en: share, cn: 比例}
#     effect_title: {en: 'Partial dependence on {{ a }}', cn: '{{ a }} 的部分依赖'}
#     effect_y: {en: 'mean prediction of {{ target }}', cn: '{{ target }} 的平均预测值'}
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# Load `data/{{ file }}` with `pandas.{{ reader }}` into a DataFrame named `data`, drop the rows without a `{{ target }}`, and turn the column `{{ category }}` into the dtype `category`.
# Split `data` with `train_test_split` (`test_size=0.3`, `random_state=5`) into `train` and `test`. Let `features` be the list `{{ features }}`.
#
# Thought: LightGBM takes columns of dtype category as they are, without one-hot encoding.

# %% [markdown] lang="cn"
# 用 `pandas.{{ reader }}` 将 `data/{{ file }}` 读入名为 `data` 的 DataFrame，删除 `{{ target }}` 缺失的行，并把 `{{ category }}` 列转为 `category` 类型。
# 用 `train_test_split`（`test_size=0.3`、`random_state=5`）把 `data` 划分为 `train` 和 `test`，并令 `features` 为列表 `{{ features }}`。
#
# Thought: LightGBM 可以直接处理 category 类型的列，不需要独热编码。

# %%
import pandas as pd
from sklearn.model_selection import train_test_split

data = pd.{{ reader }}('data/{{ file }}').dropna(subset=['{{ target }}'])
data['{{ category }}'] = data['{{ category }}'].astype('category')
train, test = train_test_split(data, test_size=0.3, random_state=5)
features = {{ features }}

# %% [markdown] kind="num" modules="pandas" answer="list[real(3)]"
# Make two baselines for `{{ target }}` on `test`: predict for every row the mean of `{{ target }}` in `train`, and predict the mean of `{{ target }}` over the rows of `train` with the same `{{ category }}`.
# Print the mean absolute error of both on one line, in this order, each rounded to 3 decimal places, separated by a space.
#
# Thought: A model is worth its while only if it beats these two.

# %% [markdown] lang="cn"
# 先为 `test` 上的 `{{ target }}` 建立两个基线：每一行都预测为 `train` 中 `{{ target }}` 的均值；每一行预测为 `train` 中同一 `{{ category }}` 的 `{{ target }}` 均值。
# 按此顺序在同一行打印两者的平均绝对误差（MAE），各保留 3 位小数，用空格分隔。
#
# Thought: 模型必须优于这两个基线才有意义。

# %%
actual = test['{{ target }}']
overall = train['{{ target }}'].mean()
by_category = train.groupby('{{ category }}', observed=True)['{{ target }}'].mean()
errors = [(actual - overall).abs().mean(), (actual - test['{{ category }}'].map(by_category).astype(float)).abs().mean()]
answer = list(errors)
print(' '.join(f'{value:.3f}' for value in answer))

# %% [markdown] kind="num" modules="lightgbm & sklearn" tolerance=0.01 answer="[real(3), real(3)]"
# Define a function `make(rate)` that returns an `LGBMRegressor` with `n_estimators=100`, `learning_rate=rate`, `num_leaves=15`, `min_child_samples=10`, `random_state=0`, `deterministic=True`, `n_jobs=1` and `verbose=-1`.
# Fit `make(0.1)` on `train` with the columns `features` as features and `{{ target }}` as target, name it `model`, and print the mean absolute error and R² on `test` on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: The scikit-learn interface of LightGBM finds the categorical column by its dtype.

# %% [markdown] lang="cn"
# 定义函数 `make(rate)`，返回 `LGBMRegressor`，参数为 `n_estimators=100`、`learning_rate=rate`、`num_leaves=15`、`min_child_samples=10`、`random_state=0`、`deterministic=True`、`n_jobs=1`、`verbose=-1`。
# 在 `train` 上以 `features` 各列为特征、`{{ target }}` 为目标拟合 `make(0.1)`，命名为 `model`，在同一行打印它在 `test` 上的平均绝对误差（MAE）和 R²，各保留 3 位小数，用空格分隔。
#
# Thought: LightGBM 的 scikit-learn 接口会根据列的类型识别类别特征。

# %%
from lightgbm import LGBMRegressor
from sklearn.metrics import mean_absolute_error, r2_score


def make(rate):
    return LGBMRegressor(
        n_estimators=100,
        learning_rate=rate,
        num_leaves=15,
        min_child_samples=10,
        random_state=0,
        deterministic=True,
        n_jobs=1,
        verbose=-1,
    )


model = make(0.1).fit(train[features], train['{{ target }}'])
predicted = model.predict(test[features])
answer = [mean_absolute_error(actual, predicted), r2_score(actual, predicted)]
print(*(f'{value:.3f}' for value in answer))

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[list[text]]"
# Where is `model` least accurate? Compute the mean absolute error on `test` within each level of `{{ category }}` and print the levels from the highest error to the lowest, on one line, joined by ` > `.
# On a second line, print the levels in the same way by the largest absolute error.
#
# Thought: Group the absolute errors by the category and sort their means and maxima.

# %% [markdown] lang="cn"
# 分析 `model` 在哪些 `{{ category }}` 上误差较大：在 `test` 上按 `{{ category }}` 的取值分别计算平均绝对误差，按误差从高到低在同一行打印各取值，用 ` > ` 分隔。
# 在第二行以同样的格式打印各取值，按最大绝对误差从高到低排列。
#
# Thought: 将绝对误差按类别分组，分别求均值和最大值，再排序。

# %%
by_level = (actual - predicted).abs().groupby(test['{{ category }}'], observed=True).agg(['mean', 'max'])
answer = [list(by_level[statistic].sort_values(ascending=False).index) for statistic in ('mean', 'max')]
for names in answer:
    print(' > '.join(names))

# %% [markdown] kind="vis" modules="lightgbm & pandas & matplotlib"
# Draw a horizontal bar chart of the share of each feature in the total gain of `model` (gain of the feature divided by the sum over all features), in the color `olive`, the greatest share at the top.
# Use figure size (5, 3), the title `{{ bars_title }}` and the x label `{{ bars_x }}`, and call `plt.show()`.
#
# Thought: feature_importances_ counts splits by default, so ask the booster for the gain.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 画水平条形图，表示各特征占 `model` 总增益的比例（该特征的增益除以所有特征增益之和），颜色为 `olive`，比例最大的在最上面。
# 画布大小为 `figsize=(5, 3)`，标题为 `{{ bars_title }}`，横轴标签为 `{{ bars_x }}`，最后调用 `plt.show()`。
#
# Thought: feature_importances_ 默认是分裂次数，因此要从 booster 取增益。

# %%
import matplotlib.pyplot as plt

gain = pd.Series(model.booster_.feature_importance(importance_type='gain'), index=features)
parts = (gain / gain.sum()).sort_values()
plt.figure(figsize=(5, 3))
plt.barh(parts.index, parts.values, color='olive')
plt.title('{{ bars_title }}')
plt.xlabel('{{ bars_x }}')
plt.show()

# %% [markdown] kind="num" modules="lightgbm & numpy" tolerance=0.01 answer="list[real(3)]"
# Compare learning rates: fit `make(rate)` on the same data as `model` for the rates 0.01, 0.03, 0.1 and 0.3 and print the root mean squared error of each on `test`, in this order, on one line, each rounded to 3 decimal places, separated by spaces.
#
# Thought: With 100 trees a small rate has not arrived yet, and a large one overfits.

# %% [markdown] lang="cn"
# 比较学习率：对学习率 0.01、0.03、0.1、0.3，用与 `model` 相同的训练数据拟合 `make(rate)`，按此顺序在同一行打印各自在 `test` 上的均方根误差（RMSE），各保留 3 位小数，用空格分隔。
#
# Thought: 只有 100 棵树时，学习率过小则欠拟合，过大则容易过拟合。

# %%
roots = []
for rate in (0.01, 0.03, 0.1, 0.3):
    candidate = make(rate).fit(train[features], train['{{ target }}'])
    roots.append(((actual - candidate.predict(test[features])) ** 2).mean() ** 0.5)
answer = list(roots)
print(' '.join(f'{value:.3f}' for value in answer))

# %% [markdown] kind="vis" modules="lightgbm & numpy & matplotlib"
# Draw the partial dependence of `model` on `{{ a }}`: for each of 25 values equally spaced from the smallest to the largest `{{ a }}` in `train`, set the column `{{ a }}` to this value in all rows of `test[features]` and average the predictions.
# Plot the averages against the values as a line in the color `darkgreen` with marker `o` and `linewidth=2`.
# Use figure size (5, 3.5), the title `{{ effect_title }}`, the x label `{{ a }}` and the y label `{{ effect_y }}`, and call `plt.show()`.
#
# Thought: assign makes a changed copy, so test itself stays as it is.

# %% [markdown] lang="cn"
# 画出 `model` 对 `{{ a }}` 的部分依赖曲线：从 `train` 中 `{{ a }}` 的最小值到最大值等间距取 25 个值，对每个值，将 `test[features]` 所有行的 `{{ a }}` 列都设为该值，求预测的均值。
# 以这些取值为横轴，把平均预测值画成折线，颜色 `darkgreen`，标记 `o`，`linewidth=2`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ effect_title }}`，横轴标签为 `{{ a }}`，纵轴标签为 `{{ effect_y }}`，最后调用 `plt.show()`。
#
# Thought: assign 返回修改后的副本，test 本身保持不变。

# %%
import numpy as np

grid = np.linspace(train['{{ a }}'].min(), train['{{ a }}'].max(), 25)
averages = [model.predict(test[features].assign(**{'{{ a }}': value})).mean() for value in grid]
plt.figure(figsize=(5, 3.5))
plt.plot(grid, averages, color='darkgreen', marker='o', linewidth=2)
plt.title('{{ effect_title }}')
plt.xlabel('{{ a }}')
plt.ylabel('{{ effect_y }}')
plt.show()
