# ---
# jupyter:
#   instances:
#     iris: {file: iris.csv, label: species, first: sepal_length, second: sepal_width, third: petal_length, fourth: petal_width}
#     glass: {file: forensic_glass.csv, label: type, first: RI, second: Mg, third: Al, fourth: Ba}
#   varied:
#     file: {table: 210}
#     first: {normal: [40, 8], digits: 1}
#     second: {uniform: [1, 5]}
#     third: {normal: [0, 1]}
#     fourth: {integers: [100, 900]}
#     label: {classes: [first, third, fourth], of: 4}
#   words:
#     matrix: {en: 'Confusion matrix', cn: '混淆矩阵'}
#     actual: {en: 'true class', cn: '真实类别'}
#     predicted: {en: 'predicted class', cn: '预测类别'}
#     confidence: {en: 'Confidence of the model', cn: '模型的置信度'}
#     highest: {en: 'highest probability of a row', cn: '每行的最高概率'}
#     rows: {en: 'rows', cn: '行数'}
# ---

# %% [markdown] kind="exec" modules="pandas & tensorflow"
# Read `data/{{ file }}` into a DataFrame named `table`.
# Make a `tf.float32` tensor `X` of the columns `{{ first }}`, `{{ second }}`, `{{ third }}` and `{{ fourth }}`, in this order, each standardized by its mean and population standard deviation (`ddof=0`);
# a list `names` of the distinct values of `{{ label }}` in alphabetical order (Python's `sorted`); and a `tf.int32` tensor `t` of each row's position in `names`.
#
# Thought: pandas standardizes the columns, and the position of its name is the number of a class.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame。
# 由 `{{ first }}`、`{{ second }}`、`{{ third }}`、`{{ fourth }}` 四列（按此顺序）创建 `tf.float32` 张量 `X`，每一列都用其均值和总体标准差（`ddof=0`）做标准化；
# 把 `{{ label }}` 的不同取值按字母顺序（Python 的 `sorted`）排成列表 `names`；再创建 `tf.int32` 张量 `t`，表示每一行的类别在 `names` 中的位置。
#
# Thought: 用 pandas 标准化各列；类别名在列表中的位置就是类别编号。

# %%
import pandas as pd
import tensorflow as tf

table = pd.read_csv('data/{{ file }}')
features = ['{{ first }}', '{{ second }}', '{{ third }}', '{{ fourth }}']
standard = (table[features] - table[features].mean()) / table[features].std(ddof=0)
X = tf.constant(standard.to_numpy(), dtype=tf.float32)
names = sorted(table['{{ label }}'].unique())
t = tf.constant([names.index(label) for label in table['{{ label }}']], dtype=tf.int32)

# %% [markdown] kind="exec" modules="tensorflow"
# Rows at positions 3, 7, 11, … (remainder 3 on division by 4) are the test set, all others the training set, in their order. Keep them as `X_test`, `t_test`, `X_train` and `t_train`.
# Make `dataset`, a `tf.data.Dataset` of the pairs (features, label) from `X_train` and `t_train`, shuffled once with `buffer_size=1000`, `seed=7` and `reshuffle_each_iteration=False`, and batched by 16. Do not set TensorFlow's global seed.
#
# Thought: tf.boolean_mask splits the tensors; shuffling comes before batching.

# %% [markdown] lang="cn"
# 位置为 3、7、11……（除以 4 余 3）的行作为测试集，其余各行按原顺序作为训练集，分别存为 `X_test`、`t_test` 和 `X_train`、`t_train`。
# 由 `X_train` 和 `t_train` 组成的（特征, 标签）对创建 `tf.data.Dataset`，命名为 `dataset`：以 `buffer_size=1000`、`seed=7`、`reshuffle_each_iteration=False` 打乱一次，再按每批 16 个样本分批。不要设置 TensorFlow 的全局随机种子。
#
# Thought: 用 tf.boolean_mask 划分张量；先打乱，再分批。

# %%
held_out = tf.range(len(X)) % 4 == 3
X_test, t_test = tf.boolean_mask(X, held_out), tf.boolean_mask(t, held_out)
X_train, t_train = tf.boolean_mask(X, ~held_out), tf.boolean_mask(t, ~held_out)
dataset = tf.data.Dataset.from_tensor_slices((X_train, t_train))
dataset = dataset.shuffle(1000, seed=7, reshuffle_each_iteration=False).batch(16)

# %% [markdown] kind="num" modules="tensorflow" tolerance=0.01 answer="list[real(3)]"
# Build `model`, a `tf.keras.Sequential` of one dense layer with a unit for each class, `softmax`, and kernel and bias initialized with zeros.
# Compile it with `tf.keras.optimizers.SGD(learning_rate=0.2)` and the loss `sparse_categorical_crossentropy`, and fit it to `dataset` for 15 epochs with `verbose=0` and `shuffle=False` (which only avoids a warning: `dataset` is shuffled already).
# Print the mean cross-entropy of the trained model on the training set and on the test set, on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: sparse_categorical_crossentropy takes class numbers and probabilities, and gives one value a row.

# %% [markdown] lang="cn"
# 构建 `tf.keras.Sequential` 模型 `model`：只有一个全连接层，每个类别对应一个单元，激活函数为 `softmax`，权重矩阵和偏置都初始化为零。
# 用 `tf.keras.optimizers.SGD(learning_rate=0.2)` 和损失函数 `sparse_categorical_crossentropy` 编译模型，在 `dataset` 上训练 15 轮，`verbose=0`、`shuffle=False`（仅为避免警告：`dataset` 已经打乱）。
# 在同一行打印训练后的模型在训练集和测试集上的平均交叉熵，用空格分隔，各保留 3 位小数。
#
# Thought: sparse_categorical_crossentropy 接收类别编号和概率，每行给出一个值。

# %%
model = tf.keras.Sequential([
    tf.keras.layers.Input(shape=(4,)),
    tf.keras.layers.Dense(len(names), activation='softmax', kernel_initializer='zeros'),
])
model.compile(optimizer=tf.keras.optimizers.SGD(learning_rate=0.2), loss='sparse_categorical_crossentropy')
model.fit(dataset, epochs=15, shuffle=False, verbose=0)
entropy = tf.keras.losses.sparse_categorical_crossentropy
losses = [entropy(t_train, model(X_train)), entropy(t_test, model(X_test))]
answer = [round(float(tf.reduce_mean(loss)), 3) for loss in losses]
print(*answer)

# %% [markdown] kind="vis" modules="tensorflow & matplotlib"
# Compute the confusion matrix of `model` on the test set with `tf.math.confusion_matrix` (rows: true classes, columns: predicted classes) and keep it as `confusion`.
# Show it with `plt.imshow`, `cmap='Blues'` and `alpha=0.6`, with each count written in `black` in the centre of its cell, and with `names` as tick labels of both axes, on the x axis rotated by 45 degrees (`rotation=45`).
# Use figure size (4, 3.6), the title `{{ matrix }}`, the x label `{{ predicted }}` and the y label `{{ actual }}`, call `plt.tight_layout()` and then `plt.show()`.
#
# Thought: plt.text takes x (the column) before y (the row).

# %% [markdown] lang="cn"
# 用 `tf.math.confusion_matrix` 计算 `model` 在测试集上的混淆矩阵（行为真实类别，列为预测类别），存为 `confusion`。
# 用 `plt.imshow` 显示该矩阵，`cmap='Blues'`、`alpha=0.6`，在每个格子的中央用 `black` 写出计数；两个坐标轴的刻度标签均为 `names`，横轴刻度标签旋转 45 度（`rotation=45`）。
# 画布大小 `figsize=(4, 3.6)`，标题为 `{{ matrix }}`，横轴标签为 `{{ predicted }}`，纵轴标签为 `{{ actual }}`，先调用 `plt.tight_layout()`，再调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: plt.text 的参数先是 x（列），后是 y（行）。

# %%
import matplotlib.pyplot as plt

confusion = tf.math.confusion_matrix(t_test, tf.argmax(model(X_test), axis=1), num_classes=len(names)).numpy()
plt.figure(figsize=(4, 3.6))
plt.imshow(confusion, cmap='Blues', alpha=0.6)
for i in range(len(names)):
    for j in range(len(names)):
        plt.text(j, i, str(confusion[i, j]), ha='center', va='center', color='black')
plt.xticks(range(len(names)), names, rotation=45)
plt.yticks(range(len(names)), names)
plt.title('{{ matrix }}')
plt.xlabel('{{ predicted }}')
plt.ylabel('{{ actual }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="num" modules="tensorflow" answer="[real(4), real(4)]"
# Print the accuracy of `model` on the test set and its balanced accuracy there (the mean of the recalls of all classes), on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: Both come from the confusion matrix: its diagonal over the total, and over the sums of its rows.

# %% [markdown] lang="cn"
# 在同一行打印 `model` 在测试集上的准确率和平衡准确率（各类别召回率的均值），用空格分隔，各保留 4 位小数。
#
# Thought: 两者都可由混淆矩阵得到：对角线之和除以总数，以及对角线除以各行之和再取平均。

# %%
diagonal = confusion.diagonal()
answer = [
    round(float(diagonal.sum() / confusion.sum()), 4),
    round(float((diagonal / confusion.sum(axis=1)).mean()), 4),
]
print(*answer)

# %% [markdown] kind="text" list="true" modules="tensorflow" answer="list[text]"
# Which classes does the model mistake for which others? For a true class A and another class B, let the confusion of A with B be the mean predicted probability of B over all rows of `X` (training and test set together) whose true class is A.
# Print the four ordered pairs of different classes with the greatest confusion, the greatest first, each as `A -> B`, on one line, separated by `, `.
#
# Thought: Means by true class form a matrix; its entries off the diagonal are sorted.

# %% [markdown] lang="cn"
# 模型容易把哪个类别误认为哪个类别？A 对 B 的混淆程度定义为：在 `X` 中真实类别为 A 的各行（训练集和测试集合在一起）上，模型预测为 B 的概率的均值。
# 找出混淆程度最大的四个有序类别对（A 与 B 不同），从大到小打印在同一行，每对写成 `A -> B`，用 `, ` 分隔。
#
# Thought: 按真实类别求平均得到一个矩阵，再对其非对角线元素排序。

# %%
probabilities = model(X).numpy()
pairs = {}
for i, true in enumerate(names):
    mean = probabilities[t.numpy() == i].mean(axis=0)
    pairs.update({f'{true} -> {other}': mean[j] for j, other in enumerate(names) if j != i})
answer = sorted(pairs, key=pairs.get, reverse=True)[:4]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="tensorflow & matplotlib"
# Draw the histogram of the highest predicted probability of each row of `X`, with `bins=10` over the range (0.25, 1), the color `mediumpurple` and `edgecolor='white'`.
# Use figure size (5, 3.5), the title `{{ confidence }}`, the x label `{{ highest }}` and the y label `{{ rows }}`, and call `plt.show()`.
#
# Thought: The maximum along axis 1 is one value a row.

# %% [markdown] lang="cn"
# 对 `X` 的每一行取预测概率的最大值，画出这些最大值的直方图：10 个区间（`bins=10`），范围为 (0.25, 1)，颜色为 `mediumpurple`，`edgecolor='white'`。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ confidence }}`，横轴标签为 `{{ highest }}`，纵轴标签为 `{{ rows }}`，最后调用 `plt.show()`。
#
# Thought: 沿第 1 轴取最大值，每行得到一个值。

# %%
plt.figure(figsize=(5, 3.5))
plt.hist(probabilities.max(axis=1), bins=10, range=(0.25, 1), color='mediumpurple', edgecolor='white')
plt.title('{{ confidence }}')
plt.xlabel('{{ highest }}')
plt.ylabel('{{ rows }}')
plt.show()

# %% [markdown] kind="num" modules="tensorflow" answer="list[count]"
# Attack the model by the fast gradient sign method: compute the gradient of the mean cross-entropy on the test set with respect to `X_test`, and add `epsilon` times its sign to `X_test`.
# For `epsilon` 0.3, 0.4 and 0.5, print the number of test rows that the model still classifies correctly, on one line, separated by a space.
#
# Thought: The tape has to watch X_test, because it is a tensor and not a variable.

# %% [markdown] lang="cn"
# 用快速梯度符号法（FGSM）攻击模型：计算测试集上的平均交叉熵关于 `X_test` 的梯度，把其符号乘以 `epsilon` 后加到 `X_test` 上。
# 依次取 `epsilon` 为 0.3、0.4、0.5，在同一行打印模型仍能正确分类的测试样本数，用空格分隔。
#
# Thought: X_test 是张量而不是变量，所以要用 tape.watch 跟踪它。

# %%
with tf.GradientTape() as tape:
    tape.watch(X_test)
    loss = tf.reduce_mean(entropy(t_test, model(X_test)))
direction = tf.sign(tape.gradient(loss, X_test))
correct = []
for epsilon in [0.3, 0.4, 0.5]:
    attacked = tf.argmax(model(X_test + epsilon * direction), axis=1, output_type=tf.int32)
    correct.append(int(tf.reduce_sum(tf.cast(attacked == t_test, tf.int32))))
answer = list(correct)
print(*answer)
