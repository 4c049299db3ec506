# ---
# jupyter:
#   instances:
#     wine: {file: wine.csv, target: cultivar, a: alcohol, b: malic_acid, c: magnesium, d: flavanoids, e: color_intensity, f: hue}
#     glass: {file: forensic_glass.csv, target: type, a: RI, b: Na, c: Mg, d: Al, e: K, f: Ca}
#   varied:
#     file: {table: 240}
#     a: {normal: [50, 8], digits: 1}
#     b: {normal: [12, 2]}
#     c: {follows: {a: 0.3}, noise: 2.5}
#     d: {uniform: [100, 180], digits: 1}
#     e: {normal: [0, 1]}
#     f: {follows: {b: -1.5}, noise: 4}
#     target: {classes: [a, b, d], of: 3}
#   words:
#     columns: "['{{ a }}', '{{ b }}', '{{ c }}', '{{ d }}', '{{ e }}', '{{ f }}']"
#     curve_title: {en: Cross-validated accuracy, cn: 交叉验证准确率}
#     curve_x: {en: number of neighbours, cn: 近邻数}
#     curve_y: {en: mean accuracy, cn: 平均准确率}
#     matrix_title: {en: Confusion matrix, cn: 混淆矩阵}
#     matrix_x: {en: predicted, cn: 预测类别}
#     matrix_y: {en: actual, cn: 真实类别}
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# Load `data/{{ file }}` into a DataFrame named `data`. The features `X` are its columns `{{ columns }}`, in this order; the target `y` is the column `{{ target }}`.
# Split them with `train_test_split` (`test_size=0.3`, `random_state=7`, `stratify=y`) into `X_train`, `X_test`, `y_train` and `y_test`.
#
# Thought: Stratifying keeps the share of every class the same in both parts, which matters for rare classes.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `data` 的 DataFrame。特征 `X` 依次取 `{{ columns }}` 这几列，目标 `y` 取 `{{ target }}` 列。
# 用 `train_test_split`（`test_size=0.3`、`random_state=7`、`stratify=y`）划分训练集和测试集，依次命名为 `X_train`、`X_test`、`y_train`、`y_test`。
#
# Thought: 分层抽样使两部分中各类别的比例一致，类别不均衡时尤其需要。

# %%
import pandas as pd
from sklearn.model_selection import train_test_split

data = pd.read_csv('data/{{ file }}')
X = data[{{ columns }}]
y = data['{{ target }}']
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=7, stratify=y)

# %% [markdown] kind="text" list="true" modules="sklearn" answer="list[text]"
# Rank the features by how well each of them alone separates the classes: compute the ANOVA F statistic of every column of `X_train` with `sklearn.feature_selection.f_classif`.
# Print the names of all six features on one line, from the highest F to the lowest, separated by `, `.
#
# Thought: f_classif returns the F statistics first and the p-values second, in the order of the columns.

# %% [markdown] lang="cn"
# 按单个特征区分类别的能力给特征排序：用 `sklearn.feature_selection.f_classif` 计算 `X_train` 每一列的方差分析 F 值。
# 按 F 值从大到小在同一行打印全部六个特征的名称，用 `, ` 分隔。
#
# Thought: f_classif 先返回 F 值、后返回 p 值，顺序与列的顺序一致。

# %%
from sklearn.feature_selection import f_classif

f_values, _ = f_classif(X_train, y_train)
answer = list(pd.Series(f_values, index=X_train.columns).sort_values(ascending=False).index)
print(', '.join(answer))

# %% [markdown] kind="num" modules="sklearn" answer="[real(4), real(4)]"
# Does scaling help a nearest-neighbour classifier here? Fit `KNeighborsClassifier(n_neighbors=5)` on the training set, once on the raw features and once in a pipeline behind a `StandardScaler`.
# Print the accuracy of both on the test set on one line, the raw one first, each rounded to 4 decimal places, separated by a space.
#
# Thought: The pipeline learns the scaling from the training set alone; score gives the accuracy.

# %% [markdown] lang="cn"
# 标准化对 K 近邻分类器有没有帮助？在训练集上拟合两次 `KNeighborsClassifier(n_neighbors=5)`：一次直接使用原始特征，一次放在流水线中、置于 `StandardScaler` 之后。
# 在同一行打印两者在测试集上的准确率，先原始特征、后标准化，各保留 4 位小数，用空格分隔。
#
# Thought: 流水线只从训练集学习标准化的参数；score 方法返回准确率。

# %%
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

raw = KNeighborsClassifier(n_neighbors=5).fit(X_train, y_train)
scaled = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=5)).fit(X_train, y_train)
answer = [raw.score(X_test, y_test), scaled.score(X_test, y_test)]
print(*(f'{value:.4f}' for value in answer))

# %% [markdown] kind="num" modules="sklearn" answer="list[real(4)]"
# Choose the number of neighbours by cross-validation on the training set. For every odd k from 1 to 15, build the scaled pipeline of the last step with `n_neighbors=k`,
# and compute the mean accuracy over the folds of `StratifiedKFold(n_splits=5, shuffle=True, random_state=5)`. Round it to 4 decimal places and store the rounded value in a dictionary `scores` with k as the key.
# Print the eight values by increasing k on one line, separated by a space.
#
# Thought: cross_val_score refits the whole pipeline in every fold, so no information leaks from the held-out part.

# %% [markdown] lang="cn"
# 在训练集上用交叉验证选择近邻数。对 1 到 15 的每个奇数 k，按上一步的方式构建带标准化的流水线，设 `n_neighbors=k`，
# 用 `StratifiedKFold(n_splits=5, shuffle=True, random_state=5)` 求各折准确率的均值，先四舍五入到 4 位小数，再以 k 为键存入字典 `scores`。
# 按 k 从小到大在同一行打印这 8 个值，用空格分隔。
#
# Thought: cross_val_score 在每一折都重新拟合整条流水线，不会泄露验证折的信息。

# %%
from sklearn.model_selection import StratifiedKFold, cross_val_score

folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=5)
scores = {}
for k in range(1, 16, 2):
    model = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=k))
    scores[k] = round(float(cross_val_score(model, X_train, y_train, cv=folds).mean()), 4)
answer = list(scores.values())
print(' '.join(f'{value:.4f}' for value in answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Let `best_k` be the k with the highest value in `scores` (the smallest such k if several share it).
# Plot the values of `scores` against k as a line in the color `navy` with marker `o` and `linewidth=2`, and a vertical dashed line (`'--'`, color `red`, `linewidth=2`) at `best_k`.
# Use figure size (5, 3.5), the ticks 1, 3, …, 15 on the x axis, the title `{{ curve_title }}`, the x label `{{ curve_x }}` and the y label `{{ curve_y }}`, and call `plt.show()`.
#
# Thought: max over the dictionary returns the first of several equal maxima, which is the smallest k.

# %% [markdown] lang="cn"
# 令 `best_k` 为 `scores` 中取值最高的 k（若有并列，取最小的 k）。
# 以 k 为横轴画出 `scores` 各值的折线，颜色 `navy`、标记 `o`、`linewidth=2`，并在 `best_k` 处画一条竖直虚线（`'--'`，颜色 `red`，`linewidth=2`）。
# 画布大小 `figsize=(5, 3.5)`，横轴刻度为 1, 3, …, 15，标题为 `{{ curve_title }}`，横轴标签为 `{{ curve_x }}`，纵轴标签为 `{{ curve_y }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 对字典取 max 时，并列的最大值中返回最先出现的，也就是最小的 k。

# %%
import matplotlib.pyplot as plt

best_k = max(scores, key=scores.get)
plt.figure(figsize=(5, 3.5))
plt.plot(list(scores), list(scores.values()), color='navy', marker='o', linewidth=2)
plt.axvline(best_k, color='red', linestyle='--', linewidth=2)
plt.xticks(range(1, 16, 2))
plt.title('{{ curve_title }}')
plt.xlabel('{{ curve_x }}')
plt.ylabel('{{ curve_y }}')
plt.show()

# %% [markdown] kind="num" modules="sklearn" answer="[real(4), real(4)]"
# Fit the scaled pipeline with `n_neighbors=best_k` on the whole training set, name it `best`, and keep its predictions for the test set in `predicted`.
# Print the macro-averaged F1 score and Cohen's kappa of `predicted` on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: Macro averaging counts every class the same; kappa corrects the agreement for chance.

# %% [markdown] lang="cn"
# 用全部训练集拟合 `n_neighbors=best_k` 的标准化流水线，命名为 `best`，并把它对测试集的预测存为 `predicted`。
# 在同一行打印 `predicted` 的宏平均 F1 值和 Cohen's kappa 系数，各保留 4 位小数，用空格分隔。
#
# Thought: 宏平均对各类别一视同仁；kappa 系数扣除了偶然一致的部分。

# %%
from sklearn.metrics import cohen_kappa_score, f1_score

best = make_pipeline(StandardScaler(), KNeighborsClassifier(n_neighbors=best_k)).fit(X_train, y_train)
predicted = best.predict(X_test)
answer = [f1_score(y_test, predicted, average='macro'), cohen_kappa_score(y_test, predicted)]
print(*(f'{value:.4f}' for value in answer))

# %% [markdown] kind="vis" modules="sklearn & matplotlib"
# Show the confusion matrix of `predicted` on the test set with `plt.imshow`, `cmap='Oranges'` and `alpha=0.6`: rows are the actual classes, columns the predicted ones, both in alphabetical order, with the names of the classes as tick labels.
# Write the count in `black` into the centre of every cell (`ha='center'`, `va='center'`).
# Use figure size (4.5, 4), the title `{{ matrix_title }}`, the x label `{{ matrix_x }}` and the y label `{{ matrix_y }}`, and call `plt.show()`.
#
# Thought: confusion_matrix has actual classes in rows; in plt.text x is the column and y the row.

# %% [markdown] lang="cn"
# 用 `plt.imshow`（`cmap='Oranges'`、`alpha=0.6`）显示 `predicted` 在测试集上的混淆矩阵：行为真实类别，列为预测类别，均按字母顺序排列，刻度标签为类别名。
# 在每个格子的中央用 `black` 写出计数（`ha='center'`、`va='center'`）。
# 画布大小 `figsize=(4.5, 4)`，标题为 `{{ matrix_title }}`，横轴标签为 `{{ matrix_x }}`，纵轴标签为 `{{ matrix_y }}`，最后调用 `plt.show()`。
#
# Thought: confusion_matrix 的行是真实类别；plt.text 中 x 对应列、y 对应行。

# %%
from sklearn.metrics import confusion_matrix

names = sorted(y.unique())
matrix = confusion_matrix(y_test, predicted, labels=names)
plt.figure(figsize=(4.5, 4))
plt.imshow(matrix, cmap='Oranges', alpha=0.6)
for row in range(len(names)):
    for column in range(len(names)):
        plt.text(column, row, matrix[row, column], ha='center', va='center', color='black')
plt.xticks(range(len(names)), names)
plt.yticks(range(len(names)), names)
plt.title('{{ matrix_title }}')
plt.xlabel('{{ matrix_x }}')
plt.ylabel('{{ matrix_y }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="sklearn" answer="list[text]"
# For comparison, a model that can be read: fit `DecisionTreeClassifier(criterion='entropy', max_depth=3, random_state=0)` on the raw training set and name it `tree`.
# Print the name of the feature that each of its splits tests, on one line, separated by ` > `, in the order in which scikit-learn numbers the nodes of the tree; leave out the leaves. A feature appears once for every split that tests it.
#
# Thought: tree_.feature holds the column of every node by number, and a negative value marks a leaf.

# %% [markdown] lang="cn"
# 作为对照，再训练一个可解释的模型：在未标准化的训练集上拟合 `DecisionTreeClassifier(criterion='entropy', max_depth=3, random_state=0)`，命名为 `tree`。
# 按 scikit-learn 的节点编号从小到大，在同一行打印每个分裂节点所用的特征名，用 ` > ` 分隔，不打印叶节点；多次用到的特征重复打印。
#
# Thought: tree_.feature 按节点编号存放列的序号，负值表示叶节点。

# %%
from sklearn.tree import DecisionTreeClassifier

tree = DecisionTreeClassifier(criterion='entropy', max_depth=3, random_state=0).fit(X_train, y_train)
answer = [X.columns[index] for index in tree.tree_.feature if index >= 0]
print(' > '.join(answer))
