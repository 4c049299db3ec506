# ---
# jupyter:
#   instances:
#     states: {file: statecrime.csv, label: state, group: '', a: hs_grad, b: poverty, c: single, d: white, e: urban}
#     elements: {file: elements.csv, label: name, group: '', a: electronegativity, b: atomic radius, c: IE-1, d: melting point, e: boiling point}
#   varied:
#     file: {table: 28}
#     label: {words: 28}
#     group: {words: 3}
#     a: {normal: [300, 25], digits: 1, by: group}
#     b: {normal: [5, 1], by: group}
#     c: {follows: {a: -0.2}, noise: 10, digits: 1}
#     d: {uniform: [8, 20], digits: 1, by: group}
#     e: {follows: {d: 1.2}, noise: 6, digits: 1}
#   words:
#     columns: "['{{ a }}', '{{ b }}', '{{ c }}', '{{ d }}', '{{ e }}']"
#     bars_title: {en: Silhouette by number of clusters, cn: 不同簇数的轮廓系数}
#     bars_x: {en: number of clusters, cn: 簇数}
#     bars_y: {en: mean silhouette, cn: 平均轮廓系数}
#     map_title: {en: Clusters in the plane of two components, cn: 前两个主成分平面上的聚类}
#     map_x: {en: component 1, cn: 第一主成分}
#     map_y: {en: component 2, cn: 第二主成分}
#     cluster: {en: cluster, cn: 簇}
# ---

# %% [markdown] kind="exec" modules="pandas & sklearn"
# Load `data/{{ file }}` and drop every row with a missing value in one of the columns `{{ columns }}`; reset the index and name the result `data`.
# Standardize these columns, in this order, with `StandardScaler` into a numpy array `Z`.
#
# Thought: The columns have different units, so without scaling the widest one would rule all distances.

# %% [markdown] lang="cn"
# 读取 `data/{{ file }}`，删除在 `{{ columns }}` 任一列有缺失值的行，重置索引，结果命名为 `data`。
# 将这几列依次用 `StandardScaler` 标准化，得到 numpy 数组 `Z`。
#
# Thought: 各列单位不同，不标准化的话，取值范围最大的一列会主导距离。

# %%
import pandas as pd
from sklearn.preprocessing import StandardScaler

columns = {{ columns }}
data = pd.read_csv('data/{{ file }}').dropna(subset=columns).reset_index(drop=True)
Z = StandardScaler().fit_transform(data[columns])

# %% [markdown] kind="num" modules="sklearn" answer="list[real(4)]"
# Fit `PCA(n_components=2)` to `Z`, name it `pca`, and keep the two components of every row in `points`.
# Print the share of the variance that the first component explains and the share that the second explains, on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: explained_variance_ratio_ gives the shares from the largest down.

# %% [markdown] lang="cn"
# 对 `Z` 拟合 `PCA(n_components=2)`，命名为 `pca`，并把每一行的两个主成分得分存为 `points`。
# 在同一行打印第一、第二主成分各自的方差解释率，各保留 4 位小数，用空格分隔。
#
# Thought: explained_variance_ratio_ 按从大到小的顺序给出方差解释率。

# %%
from sklearn.decomposition import PCA

pca = PCA(n_components=2)
points = pca.fit_transform(Z)
answer = list(pca.explained_variance_ratio_)
print(' '.join(f'{value:.4f}' for value in answer))

# %% [markdown] kind="text" list="true" modules="sklearn & numpy" answer="list[list[text]]"
# What is each component made of? For the first component print the column names by decreasing absolute loading, separated by `, `, and on a second line the same for the second component.
#
# Thought: The rows of components_ are the components; the sign of a loading is arbitrary, so only its size counts.

# %% [markdown] lang="cn"
# 每个主成分主要由哪些列构成？第一行按载荷绝对值从大到小打印第一主成分对应的列名，用 `, ` 分隔；第二行同样打印第二主成分。
#
# Thought: components_ 的每一行是一个主成分；载荷的正负号没有意义，只看绝对值。

# %%
import numpy as np

answer = [[columns[index] for index in np.argsort(-np.abs(loadings))] for loadings in pca.components_]
for row in answer:
    print(', '.join(row))

# %% [markdown] kind="num" modules="sklearn" tolerance=0.01 answer="list[real(3)]"
# For k = 2, 3, 4 cluster `Z` with `KMeans(n_clusters=k, n_init=50, random_state=0)` and compute the mean silhouette coefficient (Euclidean distance) of the labels on `Z`; keep the three values in a list `silhouettes`.
# Print them by increasing k on one line, each rounded to 3 decimal places, separated by a space.
#
# Thought: silhouette_score is near 1 for dense and well separated clusters.

# %% [markdown] lang="cn"
# 对 k = 2, 3, 4，用 `KMeans(n_clusters=k, n_init=50, random_state=0)` 对 `Z` 聚类，并在 `Z` 上计算所得标签的平均轮廓系数（欧氏距离），三个值存为列表 `silhouettes`。
# 按 k 从小到大在同一行打印，各保留 3 位小数，用空格分隔。
#
# Thought: 簇内紧密、簇间分离时，silhouette_score 接近 1。

# %%
from sklearn.cluster import KMeans
from sklearn.metrics import silhouette_score

silhouettes = []
for k in range(2, 5):
    labels = KMeans(n_clusters=k, n_init=50, random_state=0).fit_predict(Z)
    silhouettes.append(float(silhouette_score(Z, labels)))
answer = list(silhouettes)
print(' '.join(f'{value:.3f}' for value in answer))

# %% [markdown] kind="vis" modules="matplotlib"
# Draw `silhouettes` as a bar chart over k = 2, 3, 4 in the color `lightgray`, with the highest bar in the color `crimson`.
# Use figure size (5, 3.5), the ticks 2, 3 and 4 on the x axis, the title `{{ bars_title }}`, the x label `{{ bars_x }}` and the y label `{{ bars_y }}`, and call `plt.show()`.
#
# Thought: plt.bar takes one color per bar.

# %% [markdown] lang="cn"
# 以 k = 2, 3, 4 为横轴，把 `silhouettes` 画成柱状图，颜色为 `lightgray`，其中最高的一根为 `crimson`。
# 画布大小 `figsize=(5, 3.5)`，横轴刻度为 2、3、4，标题为 `{{ bars_title }}`，横轴标签为 `{{ bars_x }}`，纵轴标签为 `{{ bars_y }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: plt.bar 的 color 可以为每根柱子单独指定颜色。

# %%
import matplotlib.pyplot as plt

plt.figure(figsize=(5, 3.5))
colors = ['crimson' if value == max(silhouettes) else 'lightgray' for value in silhouettes]
plt.bar([2, 3, 4], silhouettes, color=colors)
plt.xticks([2, 3, 4])
plt.title('{{ bars_title }}')
plt.xlabel('{{ bars_x }}')
plt.ylabel('{{ bars_y }}')
plt.show()

# %% [markdown] kind="num" modules="sklearn & pandas" answer="list[list[real(2)]]"
# A low, a middle and a high group are wanted, so take three clusters, whichever k has the highest coefficient: `KMeans(n_clusters=3, n_init=50, random_state=0)` on `Z`. Renumber them by the mean of `{{ a }}` in the cluster, 0 for the lowest mean and 2 for the highest, and keep the new numbers in a column `cluster` of `data`.
# For each cluster from 0 to 2 print a line with the number of its rows and its mean of `{{ a }}`, rounded to 2 decimal places, separated by a space.
#
# Thought: The numbers that KMeans gives are arbitrary; the rank of the cluster means makes them meaningful.

# %% [markdown] lang="cn"
# 需要低、中、高三组，因此不论哪个 k 的轮廓系数最高，都分为三个簇：用 `KMeans(n_clusters=3, n_init=50, random_state=0)` 对 `Z` 聚类。按各簇 `{{ a }}` 的均值重新编号，均值最低的为 0，最高的为 2，新编号存入 `data` 的 `cluster` 列。
# 对簇 0 到 2 各打印一行：簇内的行数和 `{{ a }}` 的均值（保留 2 位小数），用空格分隔。
#
# Thought: KMeans 给出的编号是任意的，按簇均值的名次重新编号才有意义。

# %%
kmeans = KMeans(n_clusters=3, n_init=50, random_state=0).fit(Z)
means = data['{{ a }}'].groupby(kmeans.labels_).mean()
data['cluster'] = pd.Series(kmeans.labels_).map(means.rank().astype(int) - 1)
answer = [[len(rows), round(float(rows['{{ a }}'].mean()), 2)] for _, rows in data.groupby('cluster')]
for row in answer:
    print(*row)

# %% [markdown] kind="vis" modules="numpy & matplotlib"
# Draw the rows of `data` in the plane of `points` (first component on the x axis, second on the y axis) as a scatter plot with `s=40`: cluster 0 in `tab:blue`, 1 in `tab:orange`, 2 in `tab:green`, with the legend entries `{{ cluster }} 0`, `{{ cluster }} 1` and `{{ cluster }} 2`.
# If the loading of `{{ a }}` on a component is negative, draw that component's values with the opposite sign (`points` stays as it is), so that the picture does not depend on arbitrary signs.
# Use figure size (5, 4), the title `{{ map_title }}`, the x label `{{ map_x }}`, the y label `{{ map_y }}` and a legend, and call `plt.show()`.
#
# Thought: Multiplying the points by the signs of the first column of components_ makes both loadings positive.

# %% [markdown] lang="cn"
# 在 `points` 的平面上（横轴为第一主成分，纵轴为第二主成分）把 `data` 的各行画成散点图，`s=40`：簇 0 用 `tab:blue`，簇 1 用 `tab:orange`，簇 2 用 `tab:green`，图例依次为 `{{ cluster }} 0`、`{{ cluster }} 1` 和 `{{ cluster }} 2`。
# 若 `{{ a }}` 在某个主成分上的载荷为负，则画图时将该主成分的取值变号（`points` 本身不变），以消除主成分符号的任意性。
# 画布大小 `figsize=(5, 4)`，标题为 `{{ map_title }}`，横轴标签为 `{{ map_x }}`，纵轴标签为 `{{ map_y }}`，显示图例，最后调用 `plt.show()`。
#
# Thought: 乘以 components_ 第一列的符号，即可使两个载荷都为正。

# %%
signed = points * np.sign(pca.components_[:, 0])
plt.figure(figsize=(5, 4))
for cluster, color in enumerate(['tab:blue', 'tab:orange', 'tab:green']):
    chosen = signed[data['cluster'] == cluster]
    plt.scatter(chosen[:, 0], chosen[:, 1], s=40, color=color, label=f'{{ cluster }} {cluster}')
plt.title('{{ map_title }}')
plt.xlabel('{{ map_x }}')
plt.ylabel('{{ map_y }}')
plt.legend()
plt.show()

# %% [markdown] kind="text" list="true" modules="numpy & pandas" answer="list[list[text]]"
# Name typical members: for each cluster from 0 to 2, print on a line of its own the `{{ label }}` of those three rows of the cluster that are nearest (Euclidean distance) in `Z` to the mean of the cluster's rows, the nearest first, separated by `, ` (all rows, if the cluster has fewer).
#
# Thought: The mean of a cluster's rows is its centre; argsort of the distances gives the nearest.

# %% [markdown] lang="cn"
# 找出各簇的典型成员：对簇 0 到 2 各打印一行，给出该簇中在 `Z` 里与本簇各行均值欧氏距离最小的三行的 `{{ label }}`，由近到远，用 `, ` 分隔（若该簇不足三行，则全部打印）。
#
# Thought: 簇内各行的均值就是簇中心，对距离做 argsort 即得最近的几行。

# %%
answer = []
for cluster in range(3):
    members = np.flatnonzero(data['cluster'] == cluster)
    distances = np.linalg.norm(Z[members] - Z[members].mean(axis=0), axis=1)
    answer.append(data['{{ label }}'].iloc[members[np.argsort(distances)[:3]]].tolist())
    print(', '.join(answer[-1]))
