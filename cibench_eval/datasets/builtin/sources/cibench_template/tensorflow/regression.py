# ---
# jupyter:
#   instances:
#     carseats: {file: carseats.csv, first: Price, second: Advertising, third: Age, target: Sales, group: ShelveLoc, seed: 2}
#     gapminder: {file: gapminder.csv, first: year, second: gdpPercap, third: pop, target: lifeExp, group: continent, seed: 4}
#   varied:
#     file: {table: 200}
#     group: {words: 4}
#     first: {normal: [50, 10], digits: 1}
#     second: {uniform: [0, 30], digits: 1}
#     third: {integers: [1, 12], gaps: 0.04}
#     target: {follows: {first: 1.2, second: -0.6, third: 1.5}, noise: 5, by: group}
#     seed: {between: [1, 40]}
#   words:
#     curve: {en: 'Loss during training', cn: '训练过程中的损失'}
#     epoch: {en: 'epoch', cn: '轮次'}
#     loss: {en: 'mean squared error', cn: '均方误差'}
#     comparison: {en: 'Predicted and actual {{ target }}', cn: '{{ target }} 的预测值与实际值'}
#     actual: {en: 'actual (standardized)', cn: '实际值（标准化）'}
#     predicted: {en: 'predicted (standardized)', cn: '预测值（标准化）'}
#     profile: {en: 'Effect of {{ first }}', cn: '{{ first }} 的影响'}
#     standard: {en: 'standardized {{ first }}', cn: '标准化后的 {{ first }}'}
#     response: {en: 'prediction', cn: '预测值'}
# ---

# %% [markdown] kind="exec" modules="pandas & tensorflow"
# Read `data/{{ file }}` into a DataFrame named `table` and drop all rows with a missing value in `{{ first }}`, `{{ second }}`, `{{ third }}` or `{{ target }}`.
# Standardize these four columns by their mean and population standard deviation (`ddof=0`), and make two `tf.float32` tensors of the results: `X` with the columns `{{ first }}`, `{{ second }}` and `{{ third }}`, in this order, and `y` of shape (rows, 1) with `{{ target }}`.
#
# Thought: pandas standardizes all columns at once; a list of one column keeps y two-dimensional.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame，删除在 `{{ first }}`、`{{ second }}`、`{{ third }}`、`{{ target }}` 任一列有缺失值的行。
# 用各列的均值和总体标准差（`ddof=0`）对这四列做标准化，并由结果创建两个 `tf.float32` 张量：`X` 依次包含 `{{ first }}`、`{{ second }}`、`{{ third }}` 三列，`y` 为 `{{ target }}`，形状为（行数, 1）。
#
# Thought: pandas 可以一次标准化所有列；用只含一个列名的列表取列，y 就保持二维。

# %%
import pandas as pd
import tensorflow as tf

features = ['{{ first }}', '{{ second }}', '{{ third }}']
used = features + ['{{ target }}']
table = pd.read_csv('data/{{ file }}').dropna(subset=used)
standard = (table[used] - table[used].mean()) / table[used].std(ddof=0)
X = tf.constant(standard[features].to_numpy(), dtype=tf.float32)
y = tf.constant(standard[['{{ target }}']].to_numpy(), dtype=tf.float32)

# %% [markdown] kind="num" modules="tensorflow & numpy" tolerance=0.01 answer="real(4)"
# Build a `tf.keras.Sequential` model named `model` for three inputs: a dense layer with 6 units and `tanh`, then a dense layer with 1 unit and no activation.
# Draw its weights with `rng = np.random.default_rng({{ seed }})`: first `rng.normal(0, 0.5, (3, 6))` for the kernel of the first layer, then `rng.normal(0, 0.5, (6, 1))` for that of the second; all biases are 0. Set them in the model.
# Print the mean squared error of the untrained model on `X` and `y`, rounded to 4 decimal places.
#
# Thought: set_weights takes kernel and bias of each layer in their order.

# %% [markdown] lang="cn"
# 构建有三个输入的 `tf.keras.Sequential` 模型 `model`：先是 6 个单元、激活函数为 `tanh` 的全连接层，再是 1 个单元、无激活函数的全连接层。
# 用 `rng = np.random.default_rng({{ seed }})` 生成权重：先用 `rng.normal(0, 0.5, (3, 6))` 生成第一层的权重矩阵，再用 `rng.normal(0, 0.5, (6, 1))` 生成第二层的权重矩阵，所有偏置为 0，并把它们赋给模型。
# 打印训练前的模型在 `X` 和 `y` 上的均方误差，保留 4 位小数。
#
# Thought: set_weights 按层的顺序依次接收权重矩阵和偏置。

# %%
import numpy as np

model = tf.keras.Sequential([
    tf.keras.layers.Input(shape=(3,)),
    tf.keras.layers.Dense(6, activation='tanh'),
    tf.keras.layers.Dense(1),
])
rng = np.random.default_rng({{ seed }})
kernel = rng.normal(0, 0.5, (3, 6))
model.set_weights([kernel, np.zeros(6), rng.normal(0, 0.5, (6, 1)), np.zeros(1)])
answer = round(float(tf.reduce_mean((model(X) - y) ** 2)), 4)
print(answer)

# %% [markdown] kind="num" modules="tensorflow" tolerance=0.01 answer="list[real(5)]"
# With `tf.GradientTape`, compute the gradients of this mean squared error with respect to the parameters of the untrained model.
# Print the norms (square root of the sum of all squared entries) of the gradients of the four parameters (kernel and bias of the first layer, kernel and bias of the second) on one line, separated by a space, each rounded to 5 decimal places.
#
# Thought: tape.gradient returns the gradients in the order of model.trainable_variables; tf.norm takes all entries of each.

# %% [markdown] lang="cn"
# 用 `tf.GradientTape` 计算上述均方误差关于训练前的模型的各个参数的梯度。
# 依次求出四个参数张量（第一层的权重矩阵、偏置，第二层的权重矩阵、偏置）的梯度的范数（所有元素平方和的平方根），在同一行打印，用空格分隔，各保留 5 位小数。
#
# Thought: tape.gradient 按 model.trainable_variables 的顺序返回梯度；tf.norm 对全部元素求范数。

# %%
with tf.GradientTape() as tape:
    loss = tf.reduce_mean((model(X) - y) ** 2)
gradients = tape.gradient(loss, model.trainable_variables)
answer = [round(float(tf.norm(gradient)), 5) for gradient in gradients]
print(*answer)

# %% [markdown] kind="num" modules="tensorflow" tolerance=0.01 answer="real(4)"
# Compile `model` with `tf.keras.optimizers.SGD(learning_rate=0.1)` and the loss `mse`, and fit it to `X` and `y` for 60 epochs with `batch_size=64`, `shuffle=False` and `verbose=0`; keep what `fit` returns as `history`.
# Print the mean squared error of the trained model on all of `X` and `y`, rounded to 4 decimal places.
#
# Thought: The history has the mean over the batches during an epoch, so the final error is computed anew.

# %% [markdown] lang="cn"
# 用 `tf.keras.optimizers.SGD(learning_rate=0.1)` 和损失函数 `mse` 编译 `model`，在 `X` 和 `y` 上训练 60 轮，`batch_size=64`、`shuffle=False`、`verbose=0`；`fit` 的返回值存为 `history`。
# 打印训练后的模型在全部 `X` 和 `y` 上的均方误差，保留 4 位小数。
#
# Thought: history 记录的是一轮当中各批次损失的均值，所以最终误差要重新计算。

# %%
model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.1), loss='mse')
history = model.fit(X, y, epochs=60, batch_size=64, shuffle=False, verbose=0)
prediction = model(X)
answer = round(float(tf.reduce_mean((prediction - y) ** 2)), 4)
print(answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw the losses in `history` against the epoch (1 to 60) as a line in `darkorange` with linewidth 2.
# Use figure size (5, 3.5), the title `{{ curve }}`, the x label `{{ epoch }}` and the y label `{{ loss }}`, and call `plt.show()`.
#
# Thought: history.history['loss'] has one value for each epoch.

# %% [markdown] lang="cn"
# 以轮次（1 到 60）为横轴，把 `history` 中的损失画成折线，颜色为 `darkorange`，线宽为 2。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ curve }}`，横轴标签为 `{{ epoch }}`，纵轴标签为 `{{ loss }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: history.history['loss'] 中每一轮有一个值。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 61), history.history['loss'], color='darkorange', linewidth=2)
plt.title('{{ curve }}')
plt.xlabel('{{ epoch }}')
plt.ylabel('{{ loss }}')
plt.show()

# %% [markdown] kind="text" list="true" modules="tensorflow & pandas" answer="list[list[text]]"
# The residual of a row is its `y` minus the prediction of the trained model.
# Print two lines with the values of the column `{{ group }}`, separated by `, `: on the first sorted by the mean residual of their rows, on the second by the mean absolute residual of their rows, both from the highest to the lowest.
#
# Thought: The residuals go into the table as a column; groupby and mean do the rest, once with and once without the sign.

# %% [markdown] lang="cn"
# 每一行的残差等于它的 `y` 减去训练后模型的预测值。
# 打印两行 `{{ group }}` 列的各个取值，用 `, ` 分隔：第一行按其各行残差的均值排序，第二行按其各行残差绝对值的均值排序，都从高到低。
#
# Thought: 把残差作为一列写进表格，再用 groupby 分别对残差及其绝对值求均值。

# %%
table['residual'] = tf.squeeze(y - prediction).numpy()
answer = []
for values in [table['residual'], table['residual'].abs()]:
    means = values.groupby(table['{{ group }}']).mean().sort_values(ascending=False)
    answer.append(means.index.tolist())
    print(', '.join(answer[-1]))

# %% [markdown] kind="vis" modules="tensorflow & matplotlib"
# Predict with the trained model for 25 rows in which `{{ first }}` takes the standardized values of `np.linspace(-2, 2, 25)` and the two other features are 0.
# Draw the predictions against these values as a line in `teal` with linewidth 2 and marker `o`.
# Use figure size (5, 3.5), the title `{{ profile }}`, the x label `{{ standard }}` and the y label `{{ response }}`, and call `plt.show()`.
#
# Thought: A matrix of zeros with the grid in its first column is the input.

# %% [markdown] lang="cn"
# 用训练后的模型对 25 行数据做预测：其中 `{{ first }}` 依次取标准化后的值 `np.linspace(-2, 2, 25)`，其余两个特征均为 0。
# 以这些值为横轴画出预测值的折线，颜色为 `teal`，线宽为 2，标记为 `o`。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ profile }}`，横轴标签为 `{{ standard }}`，纵轴标签为 `{{ response }}`，最后调用 `plt.show()`。
#
# Thought: 输入是一个全零矩阵，其第一列换成这些取值。

# %%
grid = np.linspace(-2, 2, 25)
rows = np.zeros((25, 3), dtype='float32')
rows[:, 0] = grid
plt.figure(figsize=(5, 3.5))
plt.plot(grid, model(tf.constant(rows)).numpy()[:, 0], color='teal', linewidth=2, marker='o')
plt.title('{{ profile }}')
plt.xlabel('{{ standard }}')
plt.ylabel('{{ response }}')
plt.show()

# %% [markdown] kind="num" modules="tensorflow" tolerance=0.01 answer="list[real(4)]"
# How much does the model rely on each feature? For each of the three columns of `X`, in their order, compute the mean squared error of the trained model on `X` with this column's values reordered by `np.random.default_rng(0).permutation(len(X))` (the same permutation for each column; the other columns and `y` unchanged), and subtract the error on the unchanged `X`.
# Print the three differences on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: This is permutation importance with one fixed permutation.

# %% [markdown] lang="cn"
# 模型对各特征的依赖程度如何？依次对 `X` 的三列，将该列的值按 `np.random.default_rng(0).permutation(len(X))` 重新排列（三列使用同一个排列，其余各列和 `y` 不变），计算训练后的模型此时的均方误差，再减去 `X` 不变时的均方误差。
# 在同一行打印三个差值，用空格分隔，各保留 4 位小数。
#
# Thought: 这就是排列重要性，只是排列是固定的。

# %%
base = float(tf.reduce_mean((prediction - y) ** 2))
order = np.random.default_rng(0).permutation(len(X))
differences = []
for column in range(3):
    shuffled = X.numpy().copy()
    shuffled[:, column] = shuffled[order, column]
    differences.append(float(tf.reduce_mean((model(tf.constant(shuffled)) - y) ** 2)) - base)
answer = [round(difference, 4) for difference in differences]
print(*answer)
