# ---
# jupyter:
#   instances:
#     wine: {file: wine.csv, first: alcohol, second: malic_acid, third: alcalinity, fourth: flavanoids, fifth: color_intensity, sixth: hue, label: cultivar, seed: 7}
#     cancer: {file: breast_cancer.csv, first: mean_texture, second: mean_area, third: mean_smoothness, fourth: mean_concavity, fifth: mean_symmetry, sixth: error_radius, label: diagnosis, seed: 11}
#   varied:
#     file: {table: 240}
#     first: {normal: [50, 12], digits: 1}
#     second: {uniform: [2, 9]}
#     third: {normal: [1.5, 0.4]}
#     fourth: {integers: [10, 90]}
#     fifth: {normal: [300, 40], digits: 0}
#     sixth: {uniform: [0, 1], digits: 3}
#     label: {classes: [first, second, third, fifth], of: 3}
#     seed: {between: [1, 50]}
#   words:
#     curves: {en: 'Training of the network', cn: '网络的训练过程'}
#     epoch: {en: 'epoch', cn: '轮次'}
#     loss: {en: 'cross-entropy', cn: '交叉熵'}
#     train: {en: 'training set', cn: '训练集'}
#     test: {en: 'test set', cn: '测试集'}
#     importance: {en: 'Sensitivity to the features', cn: '模型对各特征的敏感度'}
#     share: {en: 'share (%)', cn: '占比（%）'}
# ---

# %% [markdown] kind="exec" modules="pandas & torch"
# Read `data/{{ file }}` into a DataFrame named `table`.
# Make a `torch.float32` tensor `X` of its columns `{{ first }}`, `{{ second }}`, `{{ third }}`, `{{ fourth }}`, `{{ fifth }}` and `{{ sixth }}`, in this order;
# a list `names` of the distinct values of the column `{{ label }}` in alphabetical order; and a `torch.int64` tensor `t` of the position in `names` of each row's `{{ label }}`.
#
# Thought: The position of a class in the sorted list of names is its class number.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame。
# 由 `{{ first }}`、`{{ second }}`、`{{ third }}`、`{{ fourth }}`、`{{ fifth }}`、`{{ sixth }}` 六列（按此顺序）创建 `torch.float32` 张量 `X`；
# 把 `{{ label }}` 列的不同取值按字母顺序排成列表 `names`；再创建 `torch.int64` 张量 `t`，表示每一行的 `{{ label }}` 在 `names` 中的位置。
#
# Thought: 类别名在排序后列表中的位置就是类别编号。

# %%
import pandas as pd
import torch

table = pd.read_csv('data/{{ file }}')
features = ['{{ first }}', '{{ second }}', '{{ third }}', '{{ fourth }}', '{{ fifth }}', '{{ sixth }}']
X = torch.tensor(table[features].to_numpy(), dtype=torch.float32)
names = sorted(table['{{ label }}'].unique())
t = torch.tensor([names.index(label) for label in table['{{ label }}']])

# %% [markdown] kind="num" modules="torch" answer="list[count]"
# Every third row, beginning with the first (positions 0, 3, 6, …), belongs to the test set, all others to the training set; keep them as `X_test`, `t_test`, `X_train` and `t_train`.
# Standardize both `X_train` and `X_test` by the mean and the population standard deviation (division by n) of the columns of `X_train`, and keep the results under the same names.
# Print the number of training rows of each class, in the order of `names`, on one line, separated by a space.
#
# Thought: A boolean mask splits the rows, and torch.bincount counts the classes.

# %% [markdown] lang="cn"
# 位置能被 3 整除的行（0、3、6……）作为测试集，其余各行作为训练集，分别存为 `X_test`、`t_test` 和 `X_train`、`t_train`。
# 用 `X_train` 各列的均值和总体标准差（除以 n）对 `X_train` 和 `X_test` 做标准化，结果仍存回这两个变量。
# 按 `names` 的顺序，在同一行打印训练集中各类别的行数，用空格分隔。
#
# Thought: 用布尔掩码划分数据，torch.bincount 统计各类别的个数。

# %%
held_out = torch.arange(len(X)) % 3 == 0
X_train, X_test, t_train, t_test = X[~held_out], X[held_out], t[~held_out], t[held_out]
mean, deviation = X_train.mean(dim=0), X_train.std(dim=0, unbiased=False)
X_train, X_test = (X_train - mean) / deviation, (X_test - mean) / deviation
answer = torch.bincount(t_train).tolist()
print(*answer)

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(4)"
# Call `torch.manual_seed({{ seed }})` and directly after it create `model` as a `torch.nn.Sequential` of a linear layer with 8 outputs, a `Tanh` and a linear layer with one output for each class, with PyTorch's default initialization.
# Print the mean cross-entropy of the untrained model on the training set, rounded to 4 decimal places.
#
# Thought: cross_entropy takes the raw outputs of the last layer, without a softmax.

# %% [markdown] lang="cn"
# 调用 `torch.manual_seed({{ seed }})`，紧接着构建 `torch.nn.Sequential` 模型 `model`，依次为：输出维度为 8 的线性层、`Tanh`、输出维度等于类别数的线性层，均采用 PyTorch 的默认初始化。
# 打印训练前的模型在训练集上的平均交叉熵，保留 4 位小数。
#
# Thought: cross_entropy 接收最后一层的原始输出，不需要先做 softmax。

# %%
from torch import nn

torch.manual_seed({{ seed }})
model = nn.Sequential(nn.Linear(6, 8), nn.Tanh(), nn.Linear(8, len(names)))
with torch.no_grad():
    answer = nn.functional.cross_entropy(model(X_train), t_train).item()
print(round(answer, 4))

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(4)"
# Train `model` for 40 epochs with `torch.optim.Adam` (`lr=0.02`, otherwise defaults) on the mean cross-entropy over the whole training set, one update per epoch.
# In each epoch append the training loss computed before the update to a list `train_losses`, and after the update the loss on the test set to a list `test_losses`.
# Print the last value of `test_losses`, rounded to 4 decimal places.
#
# Thought: The usual loop of zero_grad, backward and step, with an evaluation without gradients after it.

# %% [markdown] lang="cn"
# 用 `torch.optim.Adam`（`lr=0.02`，其余参数取默认值）训练 `model` 40 轮，损失函数为整个训练集上的平均交叉熵，每轮更新一次参数。
# 每一轮把更新参数之前算得的训练损失追加到列表 `train_losses`，再把更新之后测试集上的损失追加到列表 `test_losses`。
# 打印 `test_losses` 的最后一个值，保留 4 位小数。
#
# Thought: 标准的 zero_grad、backward、step 循环，之后在不求梯度的情况下评估。

# %%
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
train_losses, test_losses = [], []
for _ in range(40):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(X_train), t_train)
    loss.backward()
    optimizer.step()
    train_losses.append(loss.item())
    with torch.no_grad():
        test_losses.append(nn.functional.cross_entropy(model(X_test), t_test).item())
answer = round(test_losses[-1], 4)
print(answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `train_losses` (color `navy`, label `{{ train }}`) and `test_losses` (color `orange`, linestyle `--`, label `{{ test }}`) against the epoch (1 to 40) in one figure, both with linewidth 2.
# Use figure size (5, 3.5), the title `{{ curves }}`, the x label `{{ epoch }}`, the y label `{{ loss }}` and a legend, and call `plt.show()`.
#
# Thought: Two calls of plt.plot share the same x values.

# %% [markdown] lang="cn"
# 以轮次（1 到 40）为横轴，在同一张图中画出 `train_losses`（颜色 `navy`，图例 `{{ train }}`）和 `test_losses`（颜色 `orange`，线型 `--`，图例 `{{ test }}`），线宽均为 2。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ curves }}`，横轴标签为 `{{ epoch }}`，纵轴标签为 `{{ loss }}`，显示图例，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 两次调用 plt.plot，横轴相同。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 41), train_losses, color='navy', linewidth=2, label='{{ train }}')
plt.plot(range(1, 41), test_losses, color='orange', linestyle='--', linewidth=2, label='{{ test }}')
plt.title('{{ curves }}')
plt.xlabel('{{ epoch }}')
plt.ylabel('{{ loss }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="torch" answer="list[list[count]]"
# Print the confusion matrix of `model` on the test set: one line for each true class in the order of `names`, in it the number of rows predicted as each class in the order of `names`, separated by a space.
#
# Thought: The prediction is the argmax of the outputs; counting k · true + predicted gives all cells at once.

# %% [markdown] lang="cn"
# 打印 `model` 在测试集上的混淆矩阵：按 `names` 的顺序，每个真实类别占一行，行内依次为被预测为各类别（同样按 `names` 的顺序）的行数，用空格分隔。
#
# Thought: 预测类别是输出的 argmax；对 k × 真实类别 + 预测类别 计数，一次得到所有格子。

# %%
with torch.no_grad():
    predicted = model(X_test).argmax(dim=1)
k = len(names)
confusion = torch.bincount(k * t_test + predicted, minlength=k * k).reshape(k, k)
answer = confusion.tolist()
for row in answer:
    print(*row)

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# Compute the gradient of the trained model's mean cross-entropy on the training set with respect to the standardized features `X_train`. The sensitivity to a feature is the mean over the rows of the absolute values of its column of the gradient; keep the six values in `sensitivity`.
# Print the names of the six features from the greatest to the smallest sensitivity on one line, separated by `, `.
#
# Thought: A copy of X_train that requires a gradient gets it by backward.

# %% [markdown] lang="cn"
# 对训练后的模型，求训练集上的平均交叉熵关于标准化特征 `X_train` 的梯度；把梯度的绝对值按列对各行取均值，称为模型对各特征的敏感度，存为 `sensitivity`。
# 将六个特征的名称按敏感度从大到小打印在同一行，用 `, ` 分隔。
#
# Thought: 复制一份需要梯度的 X_train，backward 之后即可得到梯度。

# %%
inputs = X_train.clone().requires_grad_()
nn.functional.cross_entropy(model(inputs), t_train).backward()
sensitivity = inputs.grad.abs().mean(dim=0)
order = sensitivity.argsort(descending=True).tolist()
answer = [features[index] for index in order]
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw each feature's share of the sum of `sensitivity`, in percent, as a horizontal bar chart in `seagreen`, the feature with the greatest sensitivity at the top, the features' names as tick labels of the y axis.
# Use figure size (5, 3), the title `{{ importance }}` and the x label `{{ share }}`, call `plt.tight_layout()` and then `plt.show()`.
#
# Thought: barh draws from the bottom up, so the order is reversed.

# %% [markdown] lang="cn"
# 用水平条形图表示各特征的敏感度占 `sensitivity` 总和的百分比，颜色为 `seagreen`，敏感度最大的特征排在最上面，纵轴刻度标签为特征名称。
# 画布大小 `figsize=(5, 3)`，标题为 `{{ importance }}`，横轴标签为 `{{ share }}`，先调用 `plt.tight_layout()`，再调用 `plt.show()`。
#
# Thought: barh 自下而上绘制，因此要把顺序反过来。

# %%
plt.figure(figsize=(5, 3))
shares = 100 * sensitivity / sensitivity.sum()
plt.barh([features[index] for index in order[::-1]], shares[order[::-1]].tolist(), color='seagreen')
plt.title('{{ importance }}')
plt.xlabel('{{ share }}')
plt.tight_layout()
plt.show()
