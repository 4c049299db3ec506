# ---
# jupyter:
#   instances:
#     carseats: {file: carseats.csv, target: Sales, category: ShelveLoc, a: CompPrice, b: Income, c: Advertising, d: Price, e: Age}
#     credit: {file: credit.csv, target: Balance, category: Student, a: Income, b: Limit, c: Cards, d: Age, e: Education}
#   varied:
#     file: {table: 260}
#     category: {words: 3}
#     a: {normal: [120, 15], digits: 1}
#     b: {uniform: [20, 90], digits: 1}
#     c: {integers: [0, 20]}
#     d: {follows: {a: 0.8}, noise: 12, digits: 1}
#     e: {normal: [50, 12], digits: 1}
#     target: {follows: {a: 0.6, b: 0.35, c: 1.1, d: -0.9, e: -0.25}, noise: 5, by: category}
#   words:
#     numeric: "['{{ a }}', '{{ b }}', '{{ c }}', '{{ d }}', '{{ e }}']"
#     scatter_title: {en: 'Prediction of {{ target }}', cn: '{{ target }} 的预测'}
#     scatter_x: {en: actual, cn: 实际值}
#     scatter_y: {en: predicted, cn: 预测值}
#     path_title: {en: Lasso path, cn: Lasso 路径}
#     path_x: {en: alpha, cn: 正则化强度 alpha}
#     path_y: {en: coefficient, cn: 系数}
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# Load `data/{{ file }}` into a DataFrame named `table`. Let `numeric` be the list `{{ numeric }}`.
# Split the DataFrame with `train_test_split` (`test_size=0.25`, `random_state=3`) into `train` and `test`. The target is the column `{{ target }}`.
#
# Thought: Splitting the whole table keeps features and target together; columns are chosen later.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame，令 `numeric` 为列表 `{{ numeric }}`。
# 用 `train_test_split`（`test_size=0.25`、`random_state=3`）把该 DataFrame 划分为 `train` 和 `test`。目标列是 `{{ target }}`。
#
# Thought: 直接划分整张表，特征和目标保持在一起，之后再选取所需的列。

# %%
import pandas as pd
from sklearn.model_selection import train_test_split

table = pd.read_csv('data/{{ file }}')
numeric = {{ numeric }}
train, test = train_test_split(table, test_size=0.25, random_state=3)

# %% [markdown] kind="num" modules="sklearn" answer="list[real(4)]"
# Start with the columns in `numeric` only: fit `LinearRegression` on these columns of `train` and print its R² on the training set and on the test set, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: score of a regressor is R²; a large gap between the two values would mean overfitting.

# %% [markdown] lang="cn"
# 先只用 `numeric` 中的各列：用 `train` 的这些列拟合 `LinearRegression`，在同一行打印它在训练集和测试集上的 R²，各保留 4 位小数，用空格分隔。
#
# Thought: 回归器的 score 就是 R²；两个值相差很大说明过拟合。

# %%
from sklearn.linear_model import LinearRegression

linear = LinearRegression().fit(train[numeric], train['{{ target }}'])
answer = [linear.score(part[numeric], part['{{ target }}']) for part in (train, test)]
print(' '.join(f'{value:.4f}' for value in answer))

# %% [markdown] kind="num" modules="sklearn" answer="[real(3), real(3)]"
# Now use the column `{{ category }}` as well: define a function `build(alpha)` that returns a pipeline of a `ColumnTransformer` (`StandardScaler` for the columns `numeric`, and `OneHotEncoder` with default parameters for `{{ category }}`) and `Ridge(alpha=alpha)`.
# Fit `build(1.0)` on `train`, name it `model`, and print the root mean squared error and the mean absolute error on `test` on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: The root of mean_squared_error is the same in every version of scikit-learn.

# %% [markdown] lang="cn"
# 再加入 `{{ category }}` 列：定义函数 `build(alpha)`，返回由 `ColumnTransformer`（对 `numeric` 中的各列用 `StandardScaler`，对 `{{ category }}` 用默认参数的 `OneHotEncoder`）和 `Ridge(alpha=alpha)` 组成的流水线。
# 在 `train` 上拟合 `build(1.0)`，命名为 `model`，在同一行打印它在 `test` 上的均方根误差（RMSE）和平均绝对误差（MAE），各保留 3 位小数，用空格分隔。
#
# Thought: 对 mean_squared_error 开平方即得均方根误差，各版本的 scikit-learn 都适用。

# %%
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import Ridge
from sklearn.metrics import mean_absolute_error, mean_squared_error
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler


def build(alpha):
    columns = ColumnTransformer([('number', StandardScaler(), numeric), ('level', OneHotEncoder(), ['{{ category }}'])])
    return make_pipeline(columns, Ridge(alpha=alpha))


model = build(1.0).fit(train, train['{{ target }}'])
predicted = model.predict(test)
rmse = mean_squared_error(test['{{ target }}'], predicted) ** 0.5
answer = [rmse, mean_absolute_error(test['{{ target }}'], predicted)]
print(*(f'{value:.3f}' for value in answer))

# %% [markdown] kind="text" list="true" modules="sklearn & numpy" answer="list[text]"
# Which inputs raise the prediction and which lower it? Take the coefficients of the ridge regression in `model`, one for each column in `numeric` (called by the column's name) and one for each value of `{{ category }}` (called by the value alone, as it stands in the table).
# Print these names on one line, from the largest coefficient to the smallest (with sign, not absolute), separated by `, `.
#
# Thought: The coefficients follow the column transformer's order: numeric columns first, then the levels in the encoder's categories_.

# %% [markdown] lang="cn"
# 哪些输入使预测值升高，哪些使其降低？取 `model` 中岭回归的系数：`numeric` 中的每一列各有一个（以列名表示），`{{ category }}` 的每个取值各有一个（直接用取值本身表示，不加列名）。
# 按系数（带符号，不取绝对值）从大到小，在同一行打印这些名称，用 `, ` 分隔。
#
# Thought: 系数的顺序与列转换器一致：先是数值列，然后是编码器 categories_ 中的各取值。

# %%
import numpy as np

levels = model[0].named_transformers_['level'].categories_[0]
names = [*numeric, *levels]
answer = [names[index] for index in np.argsort(-model[-1].coef_)]
print(', '.join(answer))

# %% [markdown] kind="num" modules="sklearn" answer="list[real(3)]"
# Compare strengths of the regularization: for alpha = 0.1, 1, 10, 100 cross-validate `build(alpha)` on `train` with `KFold(n_splits=5, shuffle=True, random_state=1)` and take the mean over the folds of the mean absolute error.
# Print the four values in this order on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: The scorer is called neg_mean_absolute_error, so its sign has to be turned.

# %% [markdown] lang="cn"
# 比较不同的正则化强度：对 alpha = 0.1, 1, 10, 100，在 `train` 上用 `KFold(n_splits=5, shuffle=True, random_state=1)` 对 `build(alpha)` 做交叉验证，求各折平均绝对误差的均值。
# 按此顺序在同一行打印四个值，各保留 3 位小数，用空格分隔。
#
# Thought: 评分名为 neg_mean_absolute_error，需要取相反数。

# %%
from sklearn.model_selection import KFold, cross_val_score

folds = KFold(n_splits=5, shuffle=True, random_state=1)
errors = [
    -cross_val_score(build(alpha), train, train['{{ target }}'], cv=folds, scoring='neg_mean_absolute_error').mean()
    for alpha in (0.1, 1, 10, 100)
]
answer = list(errors)
print(' '.join(f'{value:.3f}' for value in answer))

# %% [markdown] kind="vis" modules="matplotlib & sklearn"
# Compare `model` with the truth on `test`: a scatter plot with the actual `{{ target }}` on the x axis and the predicted one on the y axis, `s=30`, color `teal`, and a black dashed line (`'k--'`, `linewidth=2`) from (m, m) to (M, M), m and M being the smallest and the largest actual value in `test`.
# Use figure size (4.5, 4), the title `{{ scatter_title }}`, the x label `{{ scatter_x }}` and the y label `{{ scatter_y }}`, and call `plt.show()`.
#
# Thought: Points on the dashed line are predicted without error.

# %% [markdown] lang="cn"
# 在 `test` 上比较 `model` 的预测值与实际值：画散点图，横轴为 `{{ target }}` 的实际值，纵轴为预测值，`s=30`，颜色 `teal`；再从 (m, m) 到 (M, M) 画一条黑色虚线（`'k--'`，`linewidth=2`），其中 m、M 为 `test` 中实际值的最小值和最大值。
# 画布大小 `figsize=(4.5, 4)`，标题为 `{{ scatter_title }}`，横轴标签为 `{{ scatter_x }}`，纵轴标签为 `{{ scatter_y }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 落在虚线上的点表示预测没有误差。

# %%
import matplotlib.pyplot as plt

truth = test['{{ target }}']
plt.figure(figsize=(4.5, 4))
plt.scatter(truth, model.predict(test), s=30, color='teal')
plt.plot([truth.min(), truth.max()], [truth.min(), truth.max()], 'k--', linewidth=2)
plt.title('{{ scatter_title }}')
plt.xlabel('{{ scatter_x }}')
plt.ylabel('{{ scatter_y }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="sklearn" answer="list[text]"
# In which order do the columns of `numeric` enter the path of a lasso? Standardize the columns `numeric` of `train` with `StandardScaler` into `Z`, subtract the mean from the training target to get `t`, and run `sklearn.linear_model.lars_path(Z, t, method='lasso')`; keep what it returns as `alphas`, `active` and `paths`.
# Print the names of the columns in the order in which they enter, on one line, separated by ` -> `.
#
# Thought: lars_path returns alphas, the indices of the active columns in the order of entry, and the coefficients.

# %% [markdown] lang="cn"
# `numeric` 中的各列以怎样的先后顺序进入 Lasso 路径？用 `StandardScaler` 将 `train` 的 `numeric` 各列标准化为 `Z`，训练集的目标减去其均值得到 `t`，然后运行 `sklearn.linear_model.lars_path(Z, t, method='lasso')`，返回值依次存为 `alphas`、`active` 和 `paths`。
# 按各列进入模型的先后，在同一行打印列名，用 ` -> ` 分隔。
#
# Thought: lars_path 依次返回 alpha 序列、按进入顺序排列的活跃列序号，以及系数。

# %%
from sklearn.linear_model import lars_path

Z = StandardScaler().fit_transform(train[numeric])
t = (train['{{ target }}'] - train['{{ target }}'].mean()).to_numpy()
alphas, active, paths = lars_path(Z, t, method='lasso')
answer = [numeric[index] for index in active]
print(' -> '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Plot the path: `alphas` on the x axis, and the coefficients in `paths` of each column of `numeric`, in this order, as one line with `linewidth=2` in the default colors, with the column's name as label.
# Use figure size (5, 3.5), the title `{{ path_title }}`, the x label `{{ path_x }}`, the y label `{{ path_y }}` and a legend, and call `plt.show()`.
#
# Thought: The third value that lars_path returns has one row per column and one column per alpha.

# %% [markdown] lang="cn"
# 画出该路径：横轴为 `alphas`，按 `numeric` 的顺序为每一列画一条 `paths` 中系数的折线，`linewidth=2`，使用默认颜色，以列名为图例。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ path_title }}`，横轴标签为 `{{ path_x }}`，纵轴标签为 `{{ path_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: lars_path 返回的第三个值中，每一行对应一列特征，每一列对应一个 alpha。

# %%
plt.figure(figsize=(5, 3.5))
for name, path in zip(numeric, paths):
    plt.plot(alphas, path, linewidth=2, label=name)
plt.title('{{ path_title }}')
plt.xlabel('{{ path_x }}')
plt.ylabel('{{ path_y }}')
plt.legend()
plt.show()
