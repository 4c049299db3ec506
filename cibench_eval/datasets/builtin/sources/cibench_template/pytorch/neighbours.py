# ---
# jupyter:
#   instances:
#     states: {file: statecrime.csv, name: state, first: hs_grad, second: poverty, third: single, fourth: urban, centre: Ohio, count: 5}
#     elements: {file: elements.csv, name: name, first: electronegativity, second: atomic radius, third: IE-1, fourth: boiling point, centre: Copper, count: 6}
#   varied:
#     file: {table: 28}
#     name: {words: 28}
#     first: {normal: [70, 9], digits: 1}
#     second: {follows: {first: -0.5}, noise: 4}
#     third: {uniform: [3, 30], digits: 1}
#     fourth: {follows: {third: 2, second: 0.8}, noise: 12}
#     centre: {level_of: name}
#     count: {between: [4, 6]}
#   words:
#     correlations: {en: 'Correlation of the columns', cn: '各列之间的相关系数'}
#     plane: {en: 'Principal components', cn: '主成分'}
#     one: {en: 'first component', cn: '第一主成分'}
#     two: {en: 'second component', cn: '第二主成分'}
# ---

# %% [markdown] kind="exec" modules="pandas & torch"
# Read `data/{{ file }}` into a DataFrame named `table` and drop all rows with a missing value in `{{ first }}`, `{{ second }}`, `{{ third }}` or `{{ fourth }}`.
# Make a list `names` of the remaining values of the column `{{ name }}`, and a `torch.float64` tensor `Z` of these four columns in this order, each standardized by its mean and its population standard deviation (division by n).
#
# Thought: Drop, convert to a tensor, and standardize along dimension 0.

# %% [markdown] lang="cn"
# 将 `data/{{ file }}` 读入名为 `table` 的 DataFrame，删除在 `{{ first }}`、`{{ second }}`、`{{ third }}`、`{{ fourth }}` 任一列有缺失值的行。
# 把剩余各行的 `{{ name }}` 列存为列表 `names`，再由上述四列（按此顺序）创建 `torch.float64` 张量 `Z`，每一列都用其均值和总体标准差（除以 n）做标准化。
#
# Thought: 先删除缺失行，转换为张量，再沿第 0 维标准化。

# %%
import pandas as pd
import torch

columns = ['{{ first }}', '{{ second }}', '{{ third }}', '{{ fourth }}']
table = pd.read_csv('data/{{ file }}').dropna(subset=columns)
names = table['{{ name }}'].tolist()
X = torch.tensor(table[columns].to_numpy(), dtype=torch.float64)
Z = (X - X.mean(dim=0)) / X.std(dim=0, unbiased=False)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Compute the matrix of the Pearson correlations between the four columns of `Z`, and show it with `plt.imshow`, `cmap='coolwarm'`, `vmin=-1` and `vmax=1`.
# In each cell write the correlation in `black` with the format `.2f`, centred in both directions. Use the column names as tick labels on both axes, on the x axis rotated by 45 degrees (`rotation=45`); draw no color bar.
# Use figure size (4, 3.6) and the title `{{ correlations }}`, call `plt.tight_layout()` and then `plt.show()`.
#
# Thought: torch.corrcoef takes variables as rows, so Z is transposed.

# %% [markdown] lang="cn"
# 计算 `Z` 四列之间的皮尔逊相关系数矩阵，用 `plt.imshow` 显示，`cmap='coolwarm'`、`vmin=-1`、`vmax=1`。
# 在每个格子中用 `black` 按格式 `.2f` 写出相关系数，水平和垂直方向都居中。两个坐标轴的刻度标签均为列名，横轴刻度标签旋转 45 度（`rotation=45`），不画颜色条。
# 画布大小 `figsize=(4, 3.6)`，标题为 `{{ correlations }}`，先调用 `plt.tight_layout()`，再调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: torch.corrcoef 要求每一行是一个变量，所以先把 Z 转置。

# %%
import matplotlib.pyplot as plt

correlation = torch.corrcoef(Z.T)
plt.figure(figsize=(4, 3.6))
plt.imshow(correlation, cmap='coolwarm', vmin=-1, vmax=1)
for i in range(4):
    for j in range(4):
        plt.text(j, i, f'{correlation[i, j].item():.2f}', ha='center', va='center')
plt.xticks(range(4), columns, rotation=45)
plt.yticks(range(4), columns)
plt.title('{{ correlations }}')
plt.tight_layout()
plt.show()

# %% [markdown] kind="text" list="true" modules="torch" answer="list[text]"
# Compute the matrix `D` of the Euclidean distances between all rows of `Z` with `torch.cdist`.
# Print the names of the {{ count }} rows nearest to `{{ centre }}` (without itself), from the nearest to the farthest, on one line, separated by `, `.
#
# Thought: Sort one row of the matrix and leave out the first, which is the row itself.

# %% [markdown] lang="cn"
# 用 `torch.cdist` 计算 `Z` 所有行两两之间的欧氏距离矩阵 `D`。
# 找出与 `{{ centre }}` 距离最近的 {{ count }} 行（不含它自身），按由近到远的顺序在同一行打印它们的名称，用 `, ` 分隔。
#
# Thought: 对距离矩阵的一行排序，去掉排在首位的自身。

# %%
D = torch.cdist(Z, Z)
order = D[names.index('{{ centre }}')].argsort().tolist()
answer = [names[index] for index in order[1:{{ count }} + 1]]
print(', '.join(answer))

# %% [markdown] kind="num" modules="torch" answer="[real(4), real(4)]"
# Print the mean and the median of the distances of `D` over all unordered pairs of different rows, on one line, separated by a space, each rounded to 4 decimal places. The median of an even number of distances is the mean of the two in the middle.
#
# Thought: triu_indices with offset 1 takes each pair once; torch.quantile interpolates, while torch.median takes the lower one.

# %% [markdown] lang="cn"
# 每两个不同的行只计一次距离（取自 `D`），在同一行打印这些距离的均值和中位数，用空格分隔，各保留 4 位小数。距离的个数为偶数时，中位数取中间两个值的均值。
#
# Thought: offset 为 1 的 triu_indices 使每一对只取一次；torch.quantile 会插值，而 torch.median 只取较小的那个。

# %%
i, j = torch.triu_indices(len(Z), len(Z), offset=1)
pairs = D[i, j]
answer = [round(pairs.mean().item(), 4), round(torch.quantile(pairs, 0.5).item(), 4)]
print(*answer)

# %% [markdown] kind="num" modules="torch" answer="list[real(4)]"
# Compute the singular value decomposition of `Z` with `torch.linalg.svd` and print the shares of the total variance that the four principal components explain, from the greatest to the smallest, on one line, separated by a space, each rounded to 4 decimal places.
#
# Thought: The squares of the singular values over their sum are the shares.

# %% [markdown] lang="cn"
# 用 `torch.linalg.svd` 对 `Z` 做奇异值分解，从大到小在同一行打印四个主成分各自解释的方差占总方差的比例，用空格分隔，各保留 4 位小数。
#
# Thought: 奇异值的平方除以它们的总和，就是各主成分解释的方差比例。

# %%
U, S, Vh = torch.linalg.svd(Z, full_matrices=False)
answer = [round(share, 4) for share in (S**2 / (S**2).sum()).tolist()]
print(*answer)

# %% [markdown] kind="vis" modules="torch & matplotlib"
# Project `Z` onto its first two principal directions into `P`, with the sign of each direction such that its entry of the greatest absolute value is positive.
# Draw the second component against the first as a scatter plot with `s=30` and the color `steelblue`, and on top of it the point of `{{ centre }}` in `red` with `s=120` and marker `*`.
# Use figure size (5, 3.5), the title `{{ plane }}`, the x label `{{ one }}` and the y label `{{ two }}`, and call `plt.show()`.
#
# Thought: The sign of a singular vector is arbitrary, therefore it is fixed by the greatest entry.

# %% [markdown] lang="cn"
# 把 `Z` 投影到前两个主方向上，结果为 `P`；每个主方向的符号取为使其绝对值最大的分量为正。
# 以第一主成分为横轴、第二主成分为纵轴画散点图，`s=30`，颜色为 `steelblue`；再在其上用 `red`、`s=120`、标记 `*` 画出 `{{ centre }}` 对应的点。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ plane }}`，横轴标签为 `{{ one }}`，纵轴标签为 `{{ two }}`，最后调用 `plt.show()`。
#
# Thought: 奇异向量的符号是任意的，所以用绝对值最大的分量来确定。

# %%
V = Vh[:2].T
V = V * V.gather(0, V.abs().argmax(dim=0, keepdim=True)).sign()
P = Z @ V
plt.figure(figsize=(5, 3.5))
plt.scatter(P[:, 0], P[:, 1], s=30, color='steelblue')
marked = names.index('{{ centre }}')
plt.scatter(P[marked, 0], P[marked, 1], s=120, color='red', marker='*')
plt.title('{{ plane }}')
plt.xlabel('{{ one }}')
plt.ylabel('{{ two }}')
plt.show()

# %% [markdown] kind="num" modules="torch" answer="list[count]"
# Cluster the rows of `Z` into 3 clusters by k-means written with tensors: the starting centres are the first three rows; repeat 20 times: assign each row to its nearest centre, and then move each centre to the mean of its rows (a centre without rows stays where it is).
# Keep the assignment made in the last of the 20 rounds as `cluster` and print the sizes of the three clusters, in the order of their starting centres, on one line, separated by a space.
#
# Thought: cdist to the centres and argmin give the assignment, and masks the new means.

# %% [markdown] lang="cn"
# 用张量运算实现 k 均值聚类，把 `Z` 的各行分为 3 个簇：初始中心取前三行；重复 20 次：先把每一行分配给最近的中心，再把每个中心移到分配给它的各行的均值处（没有分到任何行的中心保持不变）。
# 把第 20 次得到的分配结果存为 `cluster`，按初始中心的顺序在同一行打印三个簇的大小，用空格分隔。
#
# Thought: 用 cdist 求到各中心的距离，argmin 给出分配结果，再用掩码计算新的均值。

# %%
centres = Z[:3].clone()
for _ in range(20):
    cluster = torch.cdist(Z, centres).argmin(dim=1)
    for index in range(3):
        if (cluster == index).any():
            centres[index] = Z[cluster == index].mean(dim=0)
answer = torch.bincount(cluster, minlength=3).tolist()
print(*answer)

# %% [markdown] kind="text" list="true" modules="torch" answer="list[list[text]]"
# A row of a cluster is the more typical, the smaller its Euclidean distance in `Z` to the mean of the cluster's rows.
# For each of the three clusters, in their order, print on a line of its own the names of its 3 most typical members, the nearest first, separated by `, ` (fewer, if the cluster has fewer).
#
# Thought: Within each cluster, sort by the distance from the cluster's mean.

# %% [markdown] lang="cn"
# 簇中的一行在 `Z` 中与该簇各行均值的欧氏距离越小，就越典型。
# 按顺序为三个簇各打印一行：该簇最典型的 3 个成员的名称，距离最小的在前，用 `, ` 分隔（若该簇不足 3 个成员，则全部打印）。
#
# Thought: 在每个簇内部，按到该簇均值的距离排序。

# %%
answer = []
for index in range(3):
    members = torch.where(cluster == index)[0]
    distances = torch.linalg.norm(Z[members] - Z[members].mean(dim=0), dim=1)
    answer.append([names[members[k]] for k in distances.argsort()[:3].tolist()])
    print(', '.join(answer[-1]))
