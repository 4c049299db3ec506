# ---
# jupyter:
#   instances:
#     crime: {file: statecrime.csv, target: murder, second: violent, third: hs_grad, fourth: poverty, fifth: single, sixth: white, seventh: urban}
#     wine: {file: wine.csv, target: flavanoids, second: phenols, third: malic_acid, fourth: hue, fifth: od280, sixth: proline, seventh: ash}
#   varied:
#     file: {table: 90}
#     second: {normal: [12, 3]}
#     third: {uniform: [1, 9]}
#     fourth: {normal: [100, 15], digits: 1}
#     target: {follows: {second: 1.1, third: -0.9, fourth: 0.08}, noise: 1.5}
#     fifth: {follows: {target: 0.5}, noise: 1.8}
#     sixth: {follows: {second: 2}, noise: 9}
#     seventh: {uniform: [20, 60], digits: 1}
#   words:
#     title_heat: {en: 'Correlations of {{ target }}', cn: '{{ target }} 的相关系数'}
#     title_line: {en: 'Linear regression of {{ target }}', cn: '{{ target }} 的线性回归'}
#     title_thirds: {en: 'Mean {{ target }}', cn: '{{ target }} 的均值'}
#     label_first: {en: 'third of the second column', cn: '第二列的三分位组'}
#     label_second: {en: 'third of the first column', cn: '第一列的三分位组'}
# ---

# %% [markdown] kind="exec" modules="pandas"
# Load the CSV file `data/{{ file }}` into a DataFrame named `df`, and store the matrix of Pearson correlations between all its numeric columns in `corr`.
#
# Thought: corr with numeric_only leaves text columns out.

# %% [markdown] lang="cn"
# 将 CSV 文件 `data/{{ file }}` 读入名为 `df` 的 DataFrame，并把其中所有数值列两两之间的皮尔逊相关系数矩阵存为 `corr`。
#
# Thought: corr 加 numeric_only 会略过文本列。

# %%
import pandas as pd

df = pd.read_csv('data/{{ file }}')
corr = df.corr(numeric_only=True)

# %% [markdown] kind="text" list="true" modules="pandas" answer="list[text]"
# Find the four numeric columns whose correlation with `{{ target }}` is largest in absolute value (`{{ target }}` itself left out), and store their names, from the strongest to the weakest, in a list named `top`.
# Print the names in this order on one line, separated by `, `.
#
# Thought: Drop the target from its own column of the matrix, take absolute values and the four largest.

# %% [markdown] lang="cn"
# 找出与 `{{ target }}` 的相关系数绝对值最大的四个数值列（不含 `{{ target }}` 本身），把列名按相关性从强到弱排成列表，存为 `top`。
# 按此顺序在同一行打印这些列名，用 `, ` 分隔。
#
# Thought: 从矩阵的这一列中去掉目标本身，取绝对值，再取最大的四个。

# %%
top = corr['{{ target }}'].drop('{{ target }}').abs().nlargest(4).index.tolist()
answer = list(top)
print(', '.join(answer))

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw a heat map of the correlations between `{{ target }}` and the columns in `top` with `sns.heatmap`: the part of `corr` with rows and columns `['{{ target }}'] + top` in this order, `annot=True`, `fmt='.2f'`, `cmap='coolwarm'`, `vmin=-1`, `vmax=1`.
# Use figure size (5, 3.8), the title `{{ title_heat }}`, and call `plt.show()`.
#
# Thought: loc with the same list for rows and columns cuts out the part of the matrix.

# %% [markdown] lang="cn"
# 用 `sns.heatmap` 画出 `{{ target }}` 与 `top` 中各列之间相关系数的热力图：取 `corr` 中行和列依次为 `['{{ target }}'] + top` 的部分，`annot=True`、`fmt='.2f'`、`cmap='coolwarm'`、`vmin=-1`、`vmax=1`。
# 画布大小 `figsize=(5, 3.8)`，标题为 `{{ title_heat }}`，最后调用 `plt.show()`。绘图用的中文字体已配置好，无需设置。
#
# Thought: 用 loc 对行和列取同一个列表，即可截取矩阵的这一部分。

# %%
import matplotlib.pyplot as plt
import seaborn as sns

names = ['{{ target }}'] + top
plt.figure(figsize=(5, 3.8))
sns.heatmap(corr.loc[names, names], annot=True, fmt='.2f', cmap='coolwarm', vmin=-1, vmax=1)
plt.title('{{ title_heat }}')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="[real(4), real(4), real(4)]"
# Fit a straight line by least squares that predicts `{{ target }}` from the first column in `top`. Print its slope, its intercept and its coefficient of determination R² on one line, each rounded to 4 decimal places, separated by a space.
#
# Thought: polyfit of degree 1 gives slope and intercept; with one predictor R² is the squared correlation.

# %% [markdown] lang="cn"
# 用最小二乘法拟合一条直线，以 `top` 的第一列预测 `{{ target }}`。在同一行打印斜率、截距和决定系数 R²，各保留 4 位小数，用空格分隔。
#
# Thought: 一次 polyfit 给出斜率和截距；只有一个自变量时，R² 等于相关系数的平方。

# %%
import numpy as np

slope, intercept = np.polyfit(df[top[0]], df['{{ target }}'], 1)
answer = [
    round(float(slope), 4),
    round(float(intercept), 4),
    round(float(corr.loc['{{ target }}', top[0]] ** 2), 4),
]
print(*answer)

# %% [markdown] kind="vis" modules="seaborn & matplotlib"
# Draw this relation with `sns.regplot`: the first column in `top` on the x axis, `{{ target }}` on the y axis, `ci=None`, `scatter_kws={'color': 'seagreen', 's': 30}`, `line_kws={'color': 'black', 'linewidth': 2}`.
# Use figure size (5, 3.5), the title `{{ title_line }}`, the name of the first column in `top` as x label, the y label `{{ target }}`, and call `plt.show()`.
#
# Thought: scatter_kws and line_kws hand sizes and colors to the points and to the line.

# %% [markdown] lang="cn"
# 用 `sns.regplot` 画出这一关系：横轴为 `top` 的第一列，纵轴为 `{{ target }}`，`ci=None`、`scatter_kws={'color': 'seagreen', 's': 30}`、`line_kws={'color': 'black', 'linewidth': 2}`。
# 画布大小 `figsize=(5, 3.5)`，标题为 `{{ title_line }}`，横轴标签为 `top` 第一列的列名，纵轴标签为 `{{ target }}`，最后调用 `plt.show()`。
#
# Thought: 用 scatter_kws 和 line_kws 分别设置点和直线的样式。

# %%
plt.figure(figsize=(5, 3.5))
sns.regplot(
    data=df,
    x=top[0],
    y='{{ target }}',
    ci=None,
    scatter_kws={'color': 'seagreen', 's': 30},
    line_kws={'color': 'black', 'linewidth': 2},
)
plt.title('{{ title_line }}')
plt.xlabel(top[0])
plt.ylabel('{{ target }}')
plt.show()

# %% [markdown] kind="num" modules="numpy" answer="real(4)"
# Does the second column in `top` add anything? Compute the partial correlation of `{{ target }}` and the second column in `top`, controlling for the first: the Pearson correlation between the residuals of the two straight lines (least squares, with intercept) that predict each of them from the first column in `top`.
# Print it, rounded to 4 decimal places.
#
# Thought: Take what the first column explains out of both, then correlate what is left.

# %% [markdown] lang="cn"
# `top` 的第二列是否还能提供新的信息？在控制 `top` 第一列的条件下，计算 `{{ target }}` 与 `top` 第二列的偏相关系数：分别用 `top` 第一列对两者做带截距的最小二乘直线拟合，再求两组残差的皮尔逊相关系数。
# 打印结果，保留 4 位小数。
#
# Thought: 先从两者中去掉第一列能解释的部分，再对剩余部分求相关。

# %%
residuals = []
for name in ['{{ target }}', top[1]]:
    line = np.polyfit(df[top[0]], df[name], 1)
    residuals.append(df[name] - np.polyval(line, df[top[0]]))
answer = round(float(np.corrcoef(residuals)[0, 1]), 4)
print(answer)

# %% [markdown] kind="vis" modules="pandas & seaborn & matplotlib"
# Cut the first and the second column in `top` into thirds with `pd.qcut(…, 3, labels=False)` and store the numbers 0, 1, 2 in the new columns `first_third` and `second_third` of `df`. Build a pivot table `thirds` with the mean of `{{ target }}` for each `first_third` (rows) and `second_third` (columns), and draw it with `sns.heatmap`: `annot=True`, `fmt='.2f'`, `cmap='YlOrRd'`.
# Use figure size (4.5, 3.5), the title `{{ title_thirds }}`, the x label `{{ label_first }}` and the y label `{{ label_second }}`, and call `plt.show()`.
#
# Thought: pivot_table averages by both thirds; heatmap writes each mean into its cell.

# %% [markdown] lang="cn"
# 用 `pd.qcut(…, 3, labels=False)` 分别把 `top` 的第一列和第二列按三分位数分组，得到的编号 0、1、2 存为 `df` 的新列 `first_third` 和 `second_third`。构造透视表 `thirds`：行为 `first_third`，列为 `second_third`，值为 `{{ target }}` 的均值，并用 `sns.heatmap` 画出：`annot=True`、`fmt='.2f'`、`cmap='YlOrRd'`。
# 画布大小 `figsize=(4.5, 3.5)`，标题为 `{{ title_thirds }}`，横轴标签为 `{{ label_first }}`，纵轴标签为 `{{ label_second }}`，最后调用 `plt.show()`。
#
# Thought: pivot_table 按两个分组求均值，heatmap 把均值写在每个格子里。

# %%
df['first_third'] = pd.qcut(df[top[0]], 3, labels=False)
df['second_third'] = pd.qcut(df[top[1]], 3, labels=False)
thirds = df.pivot_table(index='first_third', columns='second_third', values='{{ target }}', aggfunc='mean')
plt.figure(figsize=(4.5, 3.5))
sns.heatmap(thirds, annot=True, fmt='.2f', cmap='YlOrRd')
plt.title('{{ title_thirds }}')
plt.xlabel('{{ label_first }}')
plt.ylabel('{{ label_second }}')
plt.show()

# %% [markdown] kind="num" modules="pandas" answer="[count, real(3)]"
# Print the number of rows of `df` whose `first_third` equals their `second_third`, and the difference between the largest and the smallest mean in `thirds` (empty cells ignored), rounded to 3 decimal places, on one line, separated by a space.
#
# Thought: Compare the two new columns row by row; max and min of pandas skip missing cells.

# %% [markdown] lang="cn"
# 在同一行打印两个数，用空格分隔：`df` 中 `first_third` 与 `second_third` 相等的行数，以及 `thirds` 中最大均值与最小均值之差（忽略空格子，保留 3 位小数）。
#
# Thought: 逐行比较两个新列；pandas 的 max 和 min 会跳过缺失值。

# %%
same = int((df['first_third'] == df['second_third']).sum())
answer = [same, round(float(thirds.max().max() - thirds.min().min()), 3)]
print(*answer)
