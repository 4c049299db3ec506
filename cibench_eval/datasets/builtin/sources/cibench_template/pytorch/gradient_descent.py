# ---
# jupyter:
#   instances:
#     rent: {file: rent.csv, x: area, y: rent, group: district}
#     glass: {file: forensic_glass.csv, x: Ca, y: RI, group: type}
#   varied:
#     file: {table: 180}
#     group: {words: 5}
#     x: {normal: [60, 15], digits: 1}
#     y: {follows: {x: 1.5}, noise: 9, by: group}
#   words:
#     curve: {en: 'Loss by step', cn: '损失随步数的变化'}
#     step: {en: 'step', cn: '步数'}
#     loss: {en: 'mean squared error', cn: '均方误差'}
#     lines: {en: 'Two straight lines', cn: '两条直线'}
#     xlabel: {en: '{{ x }}', cn: '自变量 {{ x }}'}
#     ylabel: {en: '{{ y }}', cn: '因变量 {{ y }}'}
#     exact: {en: 'least squares', cn: '最小二乘'}
#     descent: {en: 'gradient descent', cn: '梯度下降'}
# ---

# %% [markdown] kind="exec" modules="pandas & torch"
# Read `data/{{ file }}` with pandas into a DataFrame named `table`.
# Make two one-dimensional `torch.float64` tensors of its columns: `x` of `{{ x }}` and `y` of `{{ y }}`.
# Then make the tensor `z`: `x` standardized by its mean and its population standard deviation (division by n).
#
# Thought: torch.tensor takes the values of a column; the population standard deviation of torch is std(unbiased=False).

# %% [markdown] lang="cn"
# 用 pandas 把 `data/{{ file }}` 读入名为 `table` 的 DataFrame。
# 由其中两列创建两个一维的 `torch.float64` 张量：`x` 取自 `{{ x }}` 列，`y` 取自 `{{ y }}` 列。
# 再创建张量 `z`：用 `x` 的均值和总体标准差（除以 n）对 `x` 做标准化。
#
# Thought: torch.tensor 可以直接接收一列的值；std(unbiased=False) 就是总体标准差。

# %%
import pandas as pd
import torch

table = pd.read_csv('data/{{ file }}')
x = torch.tensor(table['{{ x }}'].to_numpy(), dtype=torch.float64)
y = torch.tensor(table['{{ y }}'].to_numpy(), dtype=torch.float64)
z = (x - x.mean()) / x.std(unbiased=False)

# %% [markdown] kind="num" modules="torch" answer="[real(3), real(3)]"
# The model is `w * z + b`, its loss the mean squared error between it and `y`.
# With autograd, compute the gradient of the loss at `w = 1.0` and `b = 2.0` (both `torch.float64`).
# Print the derivatives with respect to `w` and to `b`, in this order, on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: After loss.backward(), the derivatives are in w.grad and b.grad.

# %% [markdown] lang="cn"
# 模型为 `w * z + b`，损失函数为它与 `y` 的均方误差。
# 用自动求导计算损失在 `w = 1.0`、`b = 2.0`（均为 `torch.float64`）处的梯度。
# 在同一行打印对 `w` 的导数和对 `b` 的导数，用空格分隔，各保留 3 位小数。
#
# Thought: 调用 loss.backward() 之后，导数分别存放在 w.grad 和 b.grad 中。

# %%
w = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
b = torch.tensor(2.0, dtype=torch.float64, requires_grad=True)
loss = ((w * z + b - y) ** 2).mean()
loss.backward()
answer = [round(w.grad.item(), 3), round(b.grad.item(), 3)]
print(*answer)

# %% [markdown] kind="num" modules="torch" answer="[real(4), real(4)]"
# Start again from `w = 0.0` and `b = 0.0` (`torch.float64`) and do 25 steps of plain gradient descent (no momentum) with learning rate 0.05 on this loss.
# Each step computes the loss, appends it as a Python float to a list named `losses`, and then updates `w` and `b`, both by the gradient of that loss.
# Print the final `w` and `b` on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: The update stands in torch.no_grad(), and the gradients are cleared after each step.

# %% [markdown] lang="cn"
# 重新从 `w = 0.0`、`b = 0.0`（`torch.float64`）出发，对该损失做 25 步标准的（不带动量的）梯度下降，学习率为 0.05。
# 每一步先计算损失，把它以 Python 浮点数追加到名为 `losses` 的列表，再用该损失的梯度同时更新 `w` 和 `b`。
# 在同一行打印最终的 `w` 和 `b`，用空格分隔，各保留 4 位小数。
#
# Thought: 参数更新放在 torch.no_grad() 中进行，每一步之后清空梯度。

# %%
w = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
b = torch.tensor(0.0, dtype=torch.float64, requires_grad=True)
losses = []
for _ in range(25):
    loss = ((w * z + b - y) ** 2).mean()
    losses.append(loss.item())
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
    w.grad = None
    b.grad = None
answer = [round(w.item(), 4), round(b.item(), 4)]
print(*answer)

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `losses` against the step number (1 to 25) as a line in `crimson` with linewidth 2 and marker `o`, on a logarithmic y axis.
# Use figure size (5, 3.5), the title `{{ curve }}`, the x label `{{ step }}` and the y label `{{ loss }}`, and call `plt.show()`.
#
# Thought: plt.yscale('log') makes the axis logarithmic.

# %% [markdown] lang="cn"
# 以步数（1 到 25）为横轴，把 `losses` 画成折线，颜色为 `crimson`，线宽 `linewidth=2`，标记为 `o`，纵轴用对数刻度。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ curve }}`，横轴标签为 `{{ step }}`，纵轴标签为 `{{ loss }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: plt.yscale('log') 把纵轴设为对数刻度。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
plt.plot(range(1, 26), losses, color='crimson', linewidth=2, marker='o')
plt.yscale('log')
plt.title('{{ curve }}')
plt.xlabel('{{ step }}')
plt.ylabel('{{ loss }}')
plt.show()

# %% [markdown] kind="num" modules="torch" answer="[real(3), real(3)]"
# Now solve the regression of `y` on the original `x` (with an intercept) exactly with `torch.linalg.lstsq`, and keep the result as `slope` and `intercept`.
# Print the slope and the intercept on one line, separated by a space, each rounded to 3 decimal places.
#
# Thought: The design matrix has x in one column and ones in the other; lstsq wants y as a column too.

# %% [markdown] lang="cn"
# 用 `torch.linalg.lstsq` 精确求解 `y` 对原始 `x` 的线性回归（含截距），结果存为 `slope` 和 `intercept`。
# 在同一行打印斜率和截距，用空格分隔，各保留 3 位小数。
#
# Thought: 设计矩阵的一列为 x，另一列全为 1；y 也要写成列向量。

# %%
design = torch.stack([x, torch.ones_like(x)], dim=1)
slope, intercept = torch.linalg.lstsq(design, y[:, None]).solution[:, 0].tolist()
answer = [round(slope, 3), round(intercept, 3)]
print(*answer)

# %% [markdown] kind="text" list="true" modules="torch & pandas" answer="list[text]"
# The residual of a row is its `y` minus what the least-squares line predicts for its `x`.
# Print the values of `{{ group }}`, sorted by the mean residual of their rows from the highest to the lowest, on one line, separated by `, `.
#
# Thought: Put the residuals into the table, group, take means and sort in descending order.

# %% [markdown] lang="cn"
# 每一行的残差等于 `y` 减去最小二乘直线在该行 `x` 处的预测值。
# 将 `{{ group }}` 列的各个取值按其各行残差的均值从高到低排序，打印在同一行，用 `, ` 分隔。
#
# Thought: 把残差写进表格，分组求均值，再按降序排列。

# %%
table['residual'] = (y - (slope * x + intercept)).numpy()
means = table.groupby('{{ group }}')['residual'].mean().sort_values(ascending=False)
answer = list(means.index)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `y` against `x` as a scatter plot (`s=20`, color `lightgray`, no label) and two straight lines between the smallest and the largest `x`, both with linewidth 2:
# the least-squares line in `green` with the label `{{ exact }}`, then in `red` with linestyle `--` and the label `{{ descent }}` the line given by the `w` and `b` of the 25 steps, which refers to `z`: convert it to `x`.
# Use figure size (4, 3), the title `{{ lines }}`, the x label `{{ xlabel }}`, the y label `{{ ylabel }}` and a legend, and call `plt.show()`.
#
# Thought: Two end points are enough for a straight line; the second needs them standardized with the mean and deviation of x.

# %% [markdown] lang="cn"
# 画 `y` 对 `x` 的散点图（`s=20`，颜色 `lightgray`，不加图例），并在 `x` 的最小值与最大值之间画两条直线，线宽均为 2：
# 先用 `green` 画最小二乘直线，图例为 `{{ exact }}`；再用 `red`、线型 `--` 画上面 25 步得到的 `w` 和 `b` 给出的直线，图例为 `{{ descent }}`；后者的自变量是 `z`，作图时需换算回 `x`。
# 画布大小 `figsize=(4, 3)`，标题为 `{{ lines }}`，横轴标签为 `{{ xlabel }}`，纵轴标签为 `{{ ylabel }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 直线只需两个端点；第二条直线要先用 x 的均值和标准差把端点标准化。

# %%
ends = torch.stack([x.min(), x.max()])
scaled = (ends - x.mean()) / x.std(unbiased=False)
plt.figure(figsize=(4, 3))
plt.scatter(x, y, s=20, color='lightgray')
plt.plot(ends, slope * ends + intercept, color='green', linewidth=2, label='{{ exact }}')
plt.plot(ends, w.item() * scaled + b.item(), color='red', linestyle='--', linewidth=2, label='{{ descent }}')
plt.title('{{ lines }}')
plt.xlabel('{{ xlabel }}')
plt.ylabel('{{ ylabel }}')
plt.legend()
plt.show()

# %% [markdown] kind="num" modules="torch" tolerance=0.01 answer="real(2)"
# Compare with a robust regression: let `yz` be `y` standardized by its own mean and population standard deviation, and minimize `torch.nn.functional.huber_loss` with `delta=0.3` between `w * z + b` and `yz`.
# Start from `w = 0.0` and `b = 0.0` (`torch.float64`) and do 400 steps of `torch.optim.Adam` with `lr=0.05` and otherwise default parameters.
# Convert the resulting slope back to the units of `x` and `y` and print it, rounded to 3 decimal places.
#
# Thought: The slope in the original units is w times the deviation of y over the deviation of x.

# %% [markdown] lang="cn"
# 再与稳健回归比较：把 `y` 用其自身的均值和总体标准差标准化，记为 `yz`，并最小化 `w * z + b` 与 `yz` 之间的 Huber 损失（`torch.nn.functional.huber_loss`，`delta=0.3`）。
# 从 `w = 0.0`、`b = 0.0`（`torch.float64`）出发，用 `torch.optim.Adam` 优化 400 步，`lr=0.05`，其余参数取默认值。
# 把得到的斜率换算回 `x` 和 `y` 的原始单位并打印，保留 3 位小数。
#
# Thought: 原始单位下的斜率等于 w 乘以 y 的标准差，再除以 x 的标准差。

# %%
yz = (y - y.mean()) / y.std(unbiased=False)
robust = torch.zeros(2, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.Adam([robust], lr=0.05)
for _ in range(400):
    optimizer.zero_grad()
    torch.nn.functional.huber_loss(robust[0] * z + robust[1], yz, delta=0.3).backward()
    optimizer.step()
answer = round((robust[0] * y.std(unbiased=False) / x.std(unbiased=False)).item(), 3)
print(answer)
