# ---
# jupyter:
#   instances:
#     tumours: {file: breast_cancer.csv, target: diagnosis, level: malignant, a: mean_texture, b: mean_smoothness, c: mean_compactness, d: mean_symmetry, e: mean_fractal_dimension}
#     glass: {file: forensic_glass.csv, target: type, level: WinNF, a: RI, b: Na, c: Mg, d: Al, e: Ca}
#   varied:
#     file: {table: 420}
#     a: {normal: [18, 4]}
#     b: {uniform: [0.05, 0.16], digits: 4}
#     c: {follows: {a: 0.02}, noise: 0.06, digits: 4}
#     d: {normal: [0.18, 0.03], digits: 4}
#     e: {normal: [60, 7], digits: 1}
#     target: {classes: [a, b, d], of: 3}
#     level: {level_of: target}
#   words:
#     columns: "['{{ a }}', '{{ b }}', '{{ c }}', '{{ d }}', '{{ e }}']"
#     curve_title: {en: Log loss by round, cn: 各轮次的对数损失}
#     curve_x: {en: round, cn: 轮次}
#     curve_y: {en: log loss, cn: 对数损失}
#     train: {en: training, cn: 训练集}
#     valid: {en: validation, cn: 验证集}
#     histogram_title: {en: 'Predicted probability of {{ level }}', cn: '{{ level }} 的预测概率'}
#     histogram_x: {en: probability, cn: 概率}
#     histogram_y: {en: rows, cn: 样本数}
#     others: {en: others, cn: 其他}
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# Load `data/{{ file }}` into a DataFrame named `data`. Let `X` be its columns `{{ columns }}` in this order, and `y` a Series that is 1 where `{{ target }}` is `{{ level }}` and 0 elsewhere.
# Split them with `train_test_split` (`test_size=0.3`, `random_state=11`, `stratify=y`) into `X_train`, `X_test`, `y_train` and `y_test`.
#
# Thought: Comparing the column with the level gives booleans, which astype(int) turns into 1 and 0.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `data` 的 DataFrame。`X` 依次取 `{{ columns }}` 这几列，`y` 为一个 Series：`{{ target }}` 为 `{{ level }}` 处取 1，其余取 0。
# 用 `train_test_split`（`test_size=0.3`、`random_state=11`、`stratify=y`）划分为 `X_train`、`X_test`、`y_train`、`y_test`。
#
# Thought: 将该列与类别名比较得到布尔值，再用 astype(int) 转成 1 和 0。

# %%
import pandas as pd
from sklearn.model_selection import train_test_split

data = pd.read_csv('data/{{ file }}')
X = data[{{ columns }}]
y = (data['{{ target }}'] == '{{ level }}').astype(int)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.3, random_state=11, stratify=y)

# %% [markdown] kind="num" modules="lightgbm & sklearn" tolerance=0.01 answer="[real(4), real(4)]"
# Let `params` be the dictionary with `objective='binary'`, `learning_rate=0.1`, `num_leaves=7`, `min_data_in_leaf=10`, `seed=0`, `deterministic=True`, `num_threads=1` and `verbose=-1`.
# Train 60 rounds with `lgb.train` (`import lightgbm as lgb`) on a `lgb.Dataset` of the training set, name the result `booster`, and keep its predictions for `X_test` in `probability`.
# Print the ROC AUC and the log loss of `probability` on the test set on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: With the binary objective predict returns the probability of class 1.

# %% [markdown] lang="cn"
# 令 `params` 为字典，包含 `objective='binary'`、`learning_rate=0.1`、`num_leaves=7`、`min_data_in_leaf=10`、`seed=0`、`deterministic=True`、`num_threads=1` 和 `verbose=-1`。
# 用训练集构造 `lgb.Dataset`（`import lightgbm as lgb`），以 `lgb.train` 训练 60 轮，结果命名为 `booster`，它对 `X_test` 的预测存入 `probability`。
# 在同一行打印 `probability` 在测试集上的 ROC AUC 和对数损失（log loss），各保留 4 位小数，用空格分隔。
#
# Thought: 目标为 binary 时，predict 返回类别 1 的概率。

# %%
import lightgbm as lgb
from sklearn.metrics import log_loss, roc_auc_score

params = {
    'objective': 'binary',
    'learning_rate': 0.1,
    'num_leaves': 7,
    'min_data_in_leaf': 10,
    'seed': 0,
    'deterministic': True,
    'num_threads': 1,
    'verbose': -1,
}
booster = lgb.train(params, lgb.Dataset(X_train, label=y_train), num_boost_round=60)
probability = booster.predict(X_test)
answer = [roc_auc_score(y_test, probability), log_loss(y_test, probability)]
print(*(f'{value:.4f}' for value in answer))

# %% [markdown] kind="text" list="true" modules="lightgbm & pandas" answer="list[text]"
# Print the names of the features on one line, from the highest to the lowest total gain in `booster`, joined by `, `.
#
# Thought: feature_importance counts splits unless importance_type='gain' is given.

# %% [markdown] lang="cn"
# 按各特征在 `booster` 中的总增益（gain）从高到低，在同一行打印特征名，用 `, ` 分隔。
#
# Thought: feature_importance 默认统计分裂次数，需要指定 importance_type='gain'。

# %%
gain = pd.Series(booster.feature_importance(importance_type='gain'), index=booster.feature_name())
answer = list(gain.sort_values(ascending=False).index)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw a histogram of `probability` with 20 bins over the range (0, 1): the test rows of `{{ level }}` in `crimson` and all other test rows in `gray`, both with `alpha=0.6`, the others drawn first, with the legend entries `{{ others }}` and `{{ level }}`.
# Use figure size (5, 3.5), the title `{{ histogram_title }}`, the x label `{{ histogram_x }}`, the y label `{{ histogram_y }}` and a legend, and call `plt.show()`.
#
# Thought: Two calls of plt.hist with the same bins; y_test chooses the rows.

# %% [markdown] lang="cn"
# 绘图用的中文字体已配置好，无需设置。
# 将 `probability` 画成直方图，(0, 1) 范围内 20 个等宽区间：测试集中 `{{ level }}` 的样本为 `crimson`，其余样本为 `gray`，均设 `alpha=0.6`，先画其余样本，图例标签依次为 `{{ others }}` 和 `{{ level }}`。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ histogram_title }}`，横轴标签为 `{{ histogram_x }}`，纵轴标签为 `{{ histogram_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 用相同的区间调用两次 plt.hist，由 y_test 选取样本。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.hist(probability[y_test == 0], bins=20, range=(0, 1), color='gray', alpha=0.6, label='{{ others }}')
plt.hist(probability[y_test == 1], bins=20, range=(0, 1), color='crimson', alpha=0.6, label='{{ level }}')
plt.title('{{ histogram_title }}')
plt.xlabel('{{ histogram_x }}')
plt.ylabel('{{ histogram_y }}')
plt.legend()
plt.show()

# %% [markdown] kind="exec" modules="lightgbm & sklearn"
# How many rounds are enough? Split the training set once more with `train_test_split` (`test_size=0.25`, `random_state=11`, `stratify=y_train`) into `X_fit`, `X_valid`, `y_fit` and `y_valid`.
# Train 200 rounds on `X_fit` and `y_fit` with `params`, without early stopping, evaluating both parts under the names `fit` and `valid`, and record their `binary_logloss` (the default metric of this objective) in a dictionary `history` with `lgb.record_evaluation`. The validation set refers to the training set (`reference`). Name the model `long_run`.
#
# Thought: reference gives the validation Dataset the bins of the training Dataset.

# %% [markdown] lang="cn"
# 确定合适的训练轮数：用 `train_test_split`（`test_size=0.25`、`random_state=11`、`stratify=y_train`）把训练集再划分为 `X_fit`、`X_valid`、`y_fit`、`y_valid`。
# 以 `params` 在 `X_fit` 和 `y_fit` 上训练 200 轮，不做早停；以 `fit` 和 `valid` 为名评估两部分，并用 `lgb.record_evaluation` 将 `binary_logloss`（该目标的默认指标）记录到字典 `history` 中。验证集引用训练集（`reference`）。模型命名为 `long_run`。
#
# Thought: reference 使验证集的分箱与训练集一致。

# %%
X_fit, X_valid, y_fit, y_valid = train_test_split(
    X_train, y_train, test_size=0.25, random_state=11, stratify=y_train
)
fit_set = lgb.Dataset(X_fit, label=y_fit)
valid_set = lgb.Dataset(X_valid, label=y_valid, reference=fit_set)
history = {}
long_run = lgb.train(
    params,
    fit_set,
    num_boost_round=200,
    valid_sets=[fit_set, valid_set],
    valid_names=['fit', 'valid'],
    callbacks=[lgb.record_evaluation(history)],
)

# %% [markdown] kind="vis" modules="matplotlib"
# Plot both recorded log losses against the rounds 1 to 200 with `linewidth=2`: that of `fit` in `tab:blue` with the label `{{ train }}`, that of `valid` in `tab:orange` with the label `{{ valid }}`. Mark the round of the lowest validation loss by a vertical dashed line (`'--'`) in `black` without a label.
# Use figure size (5, 3.5), the title `{{ curve_title }}`, the x label `{{ curve_x }}`, the y label `{{ curve_y }}` and a legend, and call `plt.show()`.
#
# Thought: history has one list per part and metric; its lowest value is at index round - 1.

# %% [markdown] lang="cn"
# 以轮次 1 到 200 为横轴，画出记录下来的两条对数损失曲线，`linewidth=2`：`fit` 为 `tab:blue`，图例标签 `{{ train }}`；`valid` 为 `tab:orange`，图例标签 `{{ valid }}`。在验证损失最低的轮次画一条黑色（`black`）竖直虚线（`'--'`），不加图例标签。
# 画布大小为 `figsize=(5, 3.5)`，标题为 `{{ curve_title }}`，横轴标签为 `{{ curve_x }}`，纵轴标签为 `{{ curve_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: history 中每个部分、每个指标各有一个列表，最低值的下标加 1 就是轮次。

# %%
losses = {name: history[name]['binary_logloss'] for name in ('fit', 'valid')}
best_round = losses['valid'].index(min(losses['valid'])) + 1
plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 201), losses['fit'], color='tab:blue', linewidth=2, label='{{ train }}')
plt.plot(range(1, 201), losses['valid'], color='tab:orange', linewidth=2, label='{{ valid }}')
plt.axvline(best_round, color='black', linestyle='--')
plt.title('{{ curve_title }}')
plt.xlabel('{{ curve_x }}')
plt.ylabel('{{ curve_y }}')
plt.legend()
plt.show()

# %% [markdown] kind="text" list="true" modules="lightgbm & pandas" answer="list[list[text]]"
# Look inside `booster`: trees grow leaf by leaf, and LightGBM numbers the splits of a tree in the order in which they were made (`0-S0`, `0-S1`, … in the column `node_index` of `booster.trees_to_dataframe()`, for the first tree).
# Print the features of the splits of the first tree in this order on one line, joined by ` > `, and on a second line the same for the second tree (`1-S0`, `1-S1`, …).
#
# Thought: The rows of splits have an S in node_index, those of leaves an L; at most 6 splits a tree means that the names sort as text.

# %% [markdown] lang="cn"
# 查看 `booster` 的内部结构：树按叶子生长（leaf-wise），LightGBM 按分裂的先后给一棵树的分裂节点编号（在 `booster.trees_to_dataframe()` 的 `node_index` 列中，第一棵树为 `0-S0`、`0-S1`、……）。
# 按此顺序在同一行打印第一棵树各分裂节点所用的特征，用 ` > ` 分隔；在第二行打印第二棵树（`1-S0`、`1-S1`、……）的特征，格式相同。
#
# Thought: node_index 中含 S 的是分裂节点，含 L 的是叶节点；每棵树至多 6 次分裂，按文本排序即可。

# %%
nodes = booster.trees_to_dataframe()
answer = []
for tree in (0, 1):
    splits = nodes[nodes['node_index'].str.startswith(f'{tree}-S')].sort_values('node_index')
    answer.append(splits['split_feature'].tolist())
    print(' > '.join(answer[-1]))

# %% [markdown] kind="num" modules="lightgbm & numpy" tolerance=0.01 answer="list[real(3)]"
# Explain the predictions: compute the contributions of the features to the raw score of every test row with `booster.predict(X_test, pred_contrib=True)`.
# Print the mean absolute contribution of each feature, in the order of the columns and without the last column (the expected value), on one line, each rounded to 3 decimal places, separated by spaces.
#
# Thought: The last column of the result is the same base value for all rows.

# %% [markdown] lang="cn"
# 解释预测结果：用 `booster.predict(X_test, pred_contrib=True)` 计算各特征对每个测试样本原始得分的贡献（SHAP 值）。
# 按列的顺序在同一行打印各特征贡献绝对值的均值，不含最后一列（期望值），各保留 3 位小数，用空格分隔。
#
# Thought: 结果的最后一列是各行相同的基准值。

# %%
contributions = booster.predict(X_test, pred_contrib=True)[:, :-1]
answer = list(abs(contributions).mean(axis=0))
print(' '.join(f'{value:.3f}' for value in answer))
